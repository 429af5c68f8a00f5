"""Scenarios on the command line: played, drawn, proved and compared without a surprise."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

import otherminds.testing
from otherminds.cli.main import make_app
from otherminds.cli.output import print_table
from otherminds.core.errors import UserError
from otherminds.worlds.symmtom.cli.scenarios import battery_pages
from otherminds.worlds.symmtom.evals.agents import Agent
from otherminds.worlds.symmtom.minds.scripted import STILL
from otherminds.worlds.symmtom.scenarios.read import FOLDER
from otherminds.worlds.symmtom.scenarios.read import TEMPLATE as TEMPLATE_FILE
from otherminds.worlds.symmtom.types import Params

TEMPLATE = TEMPLATE_FILE.read_text("utf-8")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*words: str) -> Result:
    """The command; whatever it raises is raised, as ``main`` would print a user's mistake."""
    result = CliRunner().invoke(make_app(), list(words))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result


@pytest.mark.parametrize("word", ["all", "twins", "paper"])
def test_several_scenarios_are_not_drawn_at_once(word: str) -> None:
    _refused(lambda: run("figure", "symmtom", word), f"there is no scenario {word!r}")


# Making, drawing and proving


@pytest.mark.parametrize("name", ["order0_w6", "all", "twins", "none"])
def test_a_new_scenario_has_a_name_of_its_own(name: str) -> None:
    _refused(lambda: run("new", "scenario", name), f"{name!r} is already the name of")
    _refused(lambda: run("new", "scenario", "mine", "--out", f"{name}.yaml"), f"{name!r} is already the name of")
    assert not Path(f"{name}.yaml").exists()


def test_who_asks_for_a_figure_that_is_a_scenario_is_told_so() -> None:
    _refused(
        lambda: run("figure", "symmtom", "3"),
        "expected 5 or 6 (training curves), or the name of a scenario such as order2_w12",
    )
    run("figure", "symmtom", "order2_w12")
    assert Path("order2_w12.svg").exists()


def test_an_unknown_scenario_is_refused_before_anything_that_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_long(*_: Any, **__: Any) -> None:
        raise AssertionError("the world was checked first")

    monkeypatch.setattr(otherminds.testing, "check_world", too_long)
    _refused(lambda: run("verify", "symmtom", "--items", "nope"), "there is no scenario 'nope'")


def test_an_order_that_was_not_proved_is_not_said_to_hold() -> None:
    text = (FOLDER / "order2_w12.yaml").read_text("utf-8").replace("order: 2", "order: 0")
    Path("mine.yaml").write_text(text, "utf-8")
    assert run("verify", "mine.yaml").output.startswith("mine: reproduction only, order not proved; best number of")
    Path("mine.yaml").write_text(TEMPLATE, "utf-8")
    assert run("verify", "mine.yaml").output.startswith("mine: order 0 holds; best number of turns: told 3, untold 2")


def test_a_new_certificate_leaves_all_else_in_the_file() -> None:
    Path("mine.yaml").write_text(TEMPLATE, "utf-8")
    run("verify", "mine.yaml", "--write")
    Path("mine.yaml").write_text(Path("mine.yaml").read_text("utf-8") + "limit: 12  # by me\n", "utf-8")
    _refused(lambda: run("verify", "mine.yaml"), "the certificate says told.random_success is 0.31186")
    run("verify", "mine.yaml", "--write")
    assert "\nlimit: 12  # by me\n" in Path("mine.yaml").read_text("utf-8")
    run("verify", "mine.yaml")


# Comparing


def shown(pages: list[Any]) -> str:
    console = Console(width=300, record=True, file=StringIO())
    for page in pages:
        print_table(console, page)
    return console.export_text()


def test_the_battery_says_in_how_many_stagings_it_was_played() -> None:
    agents = [Agent("still", "still", STILL)]
    assert "8 episodes of each case with 3 agents, in 8 of the 48 symmetries and orders" in shown(
        battery_pages(agents, ["order0_w6"], 8, 0)[1]
    )
    text = shown(battery_pages(agents, ["order0_w6", "order1and2_w6"], 48, 0)[1])
    assert "48 episodes of each case with 3 agents, in all 48 symmetries and orders of seats" in text
    assert "96 episodes of each case with 4 agents, in 96 of the 192 symmetries" in text, "a single case, twice"


def test_the_battery_marks_rules_of_no_training_and_names_who_is_left_out() -> None:
    agents = [Agent("maddpg-none/seed0", "maddpg-none", STILL, Params.from_setting("n3_w6_c3"), 0)]
    content, pages = battery_pages(agents, ["order0_w6", "rival_w6", "order0_w12"], 4, 0)
    absent = "order0_w12 has setting n3_w12_c3; left out, trained in another: maddpg-none (n3_w6_c3)"
    assert content["left_out"] == [absent]
    text = shown(pages)
    assert absent in text
    assert "* maddpg-none in rival_w6: trained without competitive=2" in text
    (marked,) = (line for line in text.splitlines() if "maddpg-none *" in line)
    assert "rival_w6" in marked
    _refused(lambda: battery_pages(agents, ["order0_w12"], 4, 0), absent)


def _refused(command: Callable[[], object], message: str) -> None:
    with pytest.raises(UserError) as error:
        command()
    assert message in str(error.value)
