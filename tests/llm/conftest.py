"""Inspect writes traces and buffers into the user's data directory: here, into a temporary one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COIN = str(ROOT / "examples" / "coin_in_the_box" / "src")
if COIN not in sys.path:
    sys.path.insert(0, COIN)


@pytest.fixture(autouse=True)
def _own_data_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture(autouse=True)
def _coin() -> None:
    import coin_in_the_box

    coin_in_the_box.register_all()
