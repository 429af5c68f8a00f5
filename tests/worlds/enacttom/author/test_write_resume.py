"""Authors that are killed continue where they were."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai")
pytest.importorskip("clingo")

from tests.llm.killing import calls, kill_once_stalled
from tests.worlds.enacttom.author import slow_author


def test_after_a_kill_nothing_that_was_kept_is_lost_or_written_again(tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    kill_once_stalled(slow_author.__name__, folder, 1)
    (kept,) = (folder / "pool").glob("*.yaml")
    before, asked = kept.read_bytes(), len(calls(folder))
    done = slow_author.run(folder)
    assert [task["task"] for task in done["tasks"]] == ["authored-1", "authored-2"]
    assert done["found"] == 1
    assert kept.read_bytes() == before
    other = {json.loads(brief) for brief in calls(folder)[asked:]}
    assert len(other) == 1  # only the session that was cut off is begun anew
    assert not list((folder / "pool").glob(".*"))
