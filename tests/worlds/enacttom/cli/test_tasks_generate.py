"""Tasks are generated into a folder, and the command says what became of each slot."""

import json
from pathlib import Path

import pytest

from otherminds.core.errors import UserError
from tests.worlds.enacttom.cli.running import run

QUICK = ("--skeleton", "link-told-switch-none")


def judged_as(monkeypatch: pytest.MonkeyPatch, *verdicts: str) -> None:
    """Let the judge say this of one candidate after the other; proofs of generated tasks have tests of their own."""
    against = iter(verdicts)
    generate = "otherminds.worlds.enacttom.tasks.generate"
    monkeypatch.setattr(f"{generate}.CANDIDATES", len(verdicts))
    monkeypatch.setattr(f"{generate}.examine", lambda task, *_: (task, next(against)))


def test_tasks_are_generated_and_what_was_not_kept_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    judged_as(monkeypatch, "too easy", "")
    made = run("generate", "enacttom", "--out", tmp_path, "--number", "1", *QUICK, "--json")
    assert made.exit_code == 0, made.output
    report = json.loads(made.stdout)
    assert report["slots"][0]["is_kept"] is True
    assert report["slots"][0]["skeleton"] == QUICK[1]
    assert report["slots"][0]["against"] == ["too easy", ""]
    assert report["written"] == len(list(tmp_path.iterdir())) == 1
    again = run("generate", "enacttom", "--out", tmp_path, "--number", "1", *QUICK)
    assert "0 of 1 tasks written" in again.stdout
    assert "1 already existed" in " ".join(again.stdout.split())
    assert "no skeleton 'x'" in str(run("generate", "enacttom", "--out", tmp_path, "--skeleton", "x").exception)


def test_slots_that_stay_empty_are_counted_and_explained(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    judged_as(monkeypatch, "too easy")
    made = run("generate", "enacttom", "--out", tmp_path, "--number", "1", *QUICK, "--json")
    report = json.loads(made.stdout)
    assert (report["wanted"], report["written"], report["found"]) == (1, 0, 0)
    assert report["slots"][0]["against"] == ["too easy"]
    assert isinstance(made.exception, UserError)
    assert "no candidate passed for task-001" in str(made.exception)


def test_tasks_cannot_be_generated_into_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for out in (tmp_path / "file", tmp_path / "file" / "folder"):
        made = run("generate", "enacttom", "--out", out, "--number", "1")
        assert isinstance(made.exception, UserError)
        assert "cannot write tasks to" in str(made.exception)
