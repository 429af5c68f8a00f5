"""Families of stories evolve: harder for the panel, as easy as ever for a mind that tracks beliefs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw
from otherminds.run.breeder import Refused
from otherminds.worlds.tomi.evolve import StoryBreeder, skeleton_of
from otherminds.worlds.tomi.files.items import by_story
from otherminds.worlds.tomi.rules import simulate
from otherminds.worlds.tomi.world import ToMi
from tests.plugin import ROOT, invoke, suppress_exit

PANEL = ("--against", "exit", "--against", "tracker:order=1", "--episodes", "1", "--set", "preset=classic")


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A small pool, with its report."""
    folder = tmp_path_factory.mktemp("evolve")
    words = ("evolve", "tomi", *PANEL, "--size", "6", "--band", "0,0.2", "--outside", "tracker", "--out", "pool")
    return folder, json.loads(invoke(*words, "--json", cwd=folder))


@pytest.fixture(scope="module")
def breeder() -> StoryBreeder:
    return StoryBreeder(ToMi("classic"))


def success(report: dict[str, Any], minds: str, part: str) -> float:
    return next(float(row[part]["value"]) for row in report["success"] if row["minds"] == minds)


def test_the_evolved_pool_is_harder_for_its_panel_and_not_for_the_tracker(pool: tuple[Path, dict[str, Any]]) -> None:
    _, report = pool
    assert success(report, "panel", "first") > 2 * success(report, "panel", "evolved")
    assert success(report, "panel", "evolved") <= 0.2
    assert success(report, "tracker", "first") == success(report, "tracker", "evolved") == 1


def test_an_evolved_pool_can_be_evaluated_like_any_set(pool: tuple[Path, dict[str, Any]]) -> None:
    folder, report = pool
    words = ("evaluate", "tomi", "exit", "--suite", "standard", "--set", "items=pool/evolved", "--json")
    found = json.loads(invoke(*words, cwd=folder))
    assert found["items"] == 4 * report["evolved"]
    assert found["rows"][0]["summary"]["success"] == pytest.approx(success(report, "exit", "evolved"))


def test_items_are_stored_with_their_lineage(pool: tuple[Path, dict[str, Any]]) -> None:
    folder, _ = pool
    paths = sorted((folder / "pool" / "evolved").iterdir())
    assert len(paths) == 6
    for path in paths:
        lineage = json.loads(path.read_text("utf-8").splitlines()[0])["lineage"]
        assert {"parents", "operator", "step", "seed", "generation", "pass_rate", "panel"} <= set(lineage)
        assert all((folder / "pool" / name.partition("-")[0] / f"{name}.jsonl").exists() for name in lineage["parents"])


def test_a_skeleton_is_read_from_the_text(breeder: StoryBreeder) -> None:
    for preset in ("medium", "hard", "asymmetric"):
        family = StoryBreeder(ToMi(preset)).fresh(Draw(1, preset))
        base, order = skeleton_of(family)
        history = simulate(base.story)
        assert order == max(item.order for item in family)
        assert base.story.homes[history.contents[0]] == 0
        assert len(base.group) == 2


def test_fresh_families_are_those_of_the_generator(breeder: StoryBreeder) -> None:
    family = breeder.fresh(Draw(0, "fresh"))
    assert [story[0].variant for story in by_story(family)] == ["base", "order", "agent", "room"]
    assert breeder.check(family) == family
    assert breeder.fresh(Draw(0, "fresh")) == family
    assert breeder.fresh(Draw(1, "fresh")) != family


def test_words_and_order_of_people_make_no_new_family(breeder: StoryBreeder) -> None:
    family = breeder.fresh(Draw(0, "fresh"))
    people = sorted({name for item in family for name in item.chain})
    words = dict(zip(people, ["Zzoe", "Aabe"], strict=True))

    def renamed(text: str) -> str:
        for old, new in words.items():
            text = text.replace(old, new)
        return text

    other = tuple(
        replace(
            item,
            story=tuple(map(renamed, item.story)),
            question=renamed(item.question),
            chain=tuple(map(renamed, item.chain)),
        )
        for item in family
    )
    assert breeder.key(other) == breeder.key(family)
    keys = {breeder.key(breeder.fresh(Draw(seed, "keys"))) for seed in range(8)}
    assert len(keys) > 2


def test_a_wrong_answer_is_refused(breeder: StoryBreeder) -> None:
    family = breeder.fresh(Draw(0, "fresh"))
    wrong = next(item for item in family if item.qtype == "belief")
    other = next(choice for choice in wrong.choices if choice != wrong.answer)
    with pytest.raises(Refused, match="the solvers do not agree"):
        breeder.check(tuple(replace(item, answer=other) if item is wrong else item for item in family))


def test_ambiguous_families_are_refused(breeder: StoryBreeder) -> None:
    family = tuple(replace(item, ambiguous=True) for item in breeder.fresh(Draw(0, "fresh")))
    with pytest.raises(Refused, match="ambiguous"):
        breeder.check(family)


def test_sets_without_families_do_not_evolve() -> None:
    with pytest.raises(UserError, match="cannot be evolved; expected a preset"):
        StoryBreeder(ToMi("original/released"))
    with pytest.raises(UserError, match="has_twins"):
        StoryBreeder(ToMi("easy", has_twins=False))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("tomi", "--against", "exot"), "did you mean 'exit'"),
        (("tomi", "--against", "exit", "--outside", "trocker"), "did you mean 'tracker'"),
        (("tomi", "--against", "exit", "--band", "low"), "expected two pass rates, such as 0,0.34"),
        (("tomi", "--against", "human"), "cannot be evaluated"),
        (("decrypto", "--against", "random"), "expected one of enacttom, tomi"),
        (("tomi",), "--against"),
    ],
)
def test_bad_input_is_explained(words: tuple[str, ...], message: str, tmp_path: Path) -> None:
    assert message in error_of(*words, "--out", "pool", cwd=tmp_path)
    assert not (tmp_path / "pool").exists()


def test_a_band_that_nothing_reaches_is_reported(tmp_path: Path) -> None:
    words = ("tomi", "--against", "tracker", "--size", "2", "--episodes", "1", "--steps", "8", "--out", "pool")
    message = error_of(*words, cwd=tmp_path)
    assert "2 of 2 fresh and 0 of 2 evolved items after 8 steps" in message
    assert "after 8 steps; refused: " in message
    assert "pass rate outside the band 0 to 0.34" in message


def test_without_refusals_the_shortage_has_no_reason(tmp_path: Path) -> None:
    words = ("tomi", "--against", "exit", "--size", "1", "--episodes", "1", "--steps", "1", "--out", "pool")
    assert "after 1 step. Widen --band" in error_of(*words, cwd=tmp_path)


def error_of(*words: str, cwd: Path) -> str:
    """What the command prints when it refuses."""
    import contextlib
    import io
    import sys
    from unittest.mock import patch

    from otherminds.cli.main import main

    err = io.StringIO()
    with (
        patch.object(sys, "argv", ["otherminds", "evolve", *words]),
        contextlib.chdir(cwd),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(err),
        suppress_exit() as code,
    ):
        main()
    assert code[0] == 2, err.getvalue()
    return " ".join(err.getvalue().split())


def test_the_report_is_documented(pool: tuple[Path, dict[str, Any]]) -> None:
    page = (
        (ROOT / "docs" / "reference" / "json.md").read_text("utf-8").partition("\n## `evolve`\n")[2].split("\n## ")[0]
    )
    assert all(f"`{name}`" in page for name in pool[1])
    assert all(f"`success[].{name}`" in page for name in pool[1]["success"][0])
