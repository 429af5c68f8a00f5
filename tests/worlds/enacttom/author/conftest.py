"""Authors are language models, so their tests start as those of ``llm`` do."""

from __future__ import annotations

from tests.llm.conftest import _own_data_directory

__all__ = ["_own_data_directory"]
