"""Looking at stories and drawing figures from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from otherminds.cli.tomi_look import figure_tomi, replay_tomi
from otherminds.core.errors import UserError
from tests.evals.tomi_making import BASKET, make_set, write_items, write_lines

app = typer.Typer()
app.command("replay")(replay_tomi)
app.command("figure")(figure_tomi)


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    items = make_set(3)
    write_items(Path("items.jsonl"), items)
    given = [{"id": item.id, "answer": BASKET if item.id == "f1-base-first" else item.answer} for item in items]
    write_lines(Path("answers.jsonl"), given)


def run(*words: str) -> Any:
    done = CliRunner().invoke(app, [*words, "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_a_family_by_number_a_story_by_name() -> None:
    assert run("replay", "items.jsonl", "--family", "2", "--page", "page.html")["family"] == "f2"
    assert "order twin" in Path("page.html").read_text("utf-8")
    found = run("replay", "items.jsonl", "--story", "f1-order", "--page", "story.html")
    assert found == {"family": "f1", "stories": ["f1-order"], "files": ["story.html"]}


def test_with_answers_the_first_family_with_a_wrong_one_is_shown() -> None:
    assert run("replay", "items.jsonl")["family"] == "f0"
    found = run("replay", "items.jsonl", "--answers", "answers.jsonl")
    assert found["files"] == ["tomi_f1.html"]
    assert 'class="mark wrong"' in Path("tomi_f1.html").read_text("utf-8")


def test_a_generator_makes_just_the_family_that_is_asked_for() -> None:
    found = run("replay", "classic", "--family", "7", "--seed", "3", "--page", "page.html")
    assert len(found["stories"]) == 4


def test_a_surface_is_drawn() -> None:
    cells = run("figure", "surface", "items.jsonl", "--answers", "answers.jsonl")["cells"]
    assert [cell["order"] for cell in cells] == [0, 1, 2]
    assert Path("tomi_surface.png").exists()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["replay", "items.jsonl", "--family", "9"], "there is no family 9; expected 0 to 2"),
        (["replay", "items.jsonl", "--story", "f1-bass"], "did you mean"),
        (["replay", "items.jsonl", "--story", "x", "--family", "0"], "give one of them"),
        (["figure", "surface", "items.jsonl"], "needs answers"),
        (["figure", "4"], "expected surface"),
    ],
)
def test_what_cannot_be_shown_is_refused(words: list[str], why: str) -> None:
    with pytest.raises(UserError, match=why):
        CliRunner().invoke(app, words, catch_exceptions=False)
