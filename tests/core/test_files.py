"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from otherminds.core.errors import UserError
from otherminds.core.files import write_whole


@pytest.mark.parametrize(
    ("code", "advice"),
    [(errno.ENOSPC, "free space there"), (errno.EDQUOT, "free space"), (errno.EROFS, "another path")],
)
def test_what_cannot_be_written_leaves_the_old_file_and_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, advice: str
) -> None:
    path = tmp_path / "result.json"
    write_whole(path, "old")

    def fails(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "write", fails)
    with pytest.raises(UserError, match=advice):
        write_whole(path, "new")
    assert path.read_text("utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]
