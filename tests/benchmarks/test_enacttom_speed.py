"""The benchmark of the household runs and says what it promises; how fast is none of a test's business."""

import json
import sys
from pathlib import Path

import pytest

from benchmarks import enacttom_speed
from otherminds.worlds.enacttom.grounding import ground

pytest.importorskip("clingo")


def test_it_reports_rates_and_the_slowest_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "speed.json"
    monkeypatch.setattr(sys, "argv", ["enacttom_speed", "--runs", "2", "--tasks", "1", "--record", str(record)])
    enacttom_speed.main()
    out = capsys.readouterr().out
    assert "times the plain" in out
    assert "the slowest, " in out
    found = json.loads(record.read_text())
    assert set(found["ours"]) == {"rules alone", "with percepts", "and labels", "match loop"}
    assert len(found["certificates"]) == 1


def test_all_play_the_same_turns() -> None:
    place = ground(enacttom_speed.house())
    script = enacttom_speed.scripts(place, 2)
    turns = sum(len(acts) for _, acts in script)
    assert enacttom_speed.plain(place, script) == enacttom_speed.ours(place, script) == turns == 80
