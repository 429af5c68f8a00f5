"""Relabelling on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from otherminds.core.errors import UserError
from otherminds.worlds.tomi.cli.stories import relabel
from otherminds.worlds.tomi.files.babi_format import write_blocks
from tests.worlds.tomi.telling import QUESTIONS, block, tell, write_story

app = typer.Typer()
app.command()(relabel)


def run(*words: str | Path) -> Result:
    """The command; a user's mistake is raised, as ``main`` would print it."""
    result = CliRunner().invoke(app, [str(word) for word in words])
    if isinstance(result.exception, UserError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result


def answer(*words: str | Path) -> Any:
    return json.loads(run(*words, "--json").stdout)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_story(tmp_path / "mine.txt", tell("X M Y R"), ["jar", "tin", "tin", "tin", "tin", "tin"])


def test_the_report_says_what_was_wrong_and_why(path: Path) -> None:
    page = run(path).stdout
    for text in ("mine.txt", "2 second order", "a false second-order belief", "66.7 average, 0.0 joint"):
        assert text in page
    assert "Story types" not in page


def test_programs_get_every_change(path: Path) -> None:
    found = answer(path)
    assert (found["stories"], found["questions"], found["changed"], found["wrong_stories"]) == (1, 6, 2, 1)
    assert found["causes"]["D1"] == {"stories": 1, "questions": 2}
    assert found["changes"][0] == {
        "file": str(path),
        "line": 17,
        "question": QUESTIONS[2],
        "found": "tin",
        "right": "jar",
        "causes": ["D1"],
    }
    assert found["written"] == []


def test_corrected_files_are_written_where_asked_and_once(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert f"written: {out / 'mine.jsonl'}" in run(path, "--out", out).stdout
    assert answer(out / "mine.txt")["changed"] == 0
    page = run(out / "mine.txt").stdout
    assert "second order false belief" in page
    with pytest.raises(UserError, match="already exists"):
        run(path, "--out", out)
    assert len(answer(path, "--out", out, "--force")["written"]) == 3


def test_several_files_are_summed_up(path: Path, tmp_path: Path) -> None:
    other = write_story(tmp_path / "other.txt", tell("X M"), ["jar", "tin", "jar", "tin", "jar", "jar"])
    assert answer(path, other)["stories"] == 2
    assert "all" in run(path, other).stdout


def test_a_bad_block_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    good, bad = block(tell("X M"), QUESTIONS[3], "tin"), block(["Ann danced."], QUESTIONS[3], "tin")
    path.write_text(write_blocks([good, bad]), "utf-8")
    with pytest.raises(UserError, match=r"some\.txt, line 7: 'Ann danced\.' is not a sentence of a story"):
        run(path)


def test_closed_containers_can_be_assumed(tmp_path: Path) -> None:
    path = write_story(tmp_path / "mine.txt", tell("X M R"), ["jar", "tin", "tin", "tin", "tin", "tin"])
    assert answer(path)["changed"] == 0
    assert answer(path, "--containers", "closed")["changed"] == 3
    with pytest.raises(UserError, match="containers are 'close'; expected open or closed"):
        run(path, "--containers", "close")
