"""Learners are large programs: here they are compiled quickly rather than well."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jax
import pytest


@pytest.fixture(autouse=True)
def _compile_quickly() -> Iterator[None]:
    settings: Any = jax.config  # it has no types
    settings.update("jax_disable_most_optimizations", True)
    yield
    settings.update("jax_disable_most_optimizations", False)
