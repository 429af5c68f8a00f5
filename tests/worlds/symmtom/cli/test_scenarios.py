"""Theory-of-mind tests as users make, prove and play them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from otherminds.core.errors import UserError
from otherminds.core.registry import entries
from otherminds.worlds.symmtom.cli.scenarios import verify_scenarios
from otherminds.worlds.symmtom.evals.battery_tables import paper_form
from otherminds.worlds.symmtom.scenarios import find_scenario, scenario_names
from otherminds.worlds.symmtom.scenarios.items import PAPER_TESTS, find_scenarios
from otherminds.worlds.symmtom.scenarios.read import FOLDER
from otherminds.worlds.symmtom.scenarios.read import TEMPLATE as TEMPLATE_FILE
from tests.worlds.symmtom.cli.test_table import answer, run
from tests.worlds.symmtom.evals.making import write_run

TEMPLATE = TEMPLATE_FILE.read_text("utf-8")


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_text(TEMPLATE, "utf-8")
    return path


def test_every_file_of_the_battery_is_registered() -> None:
    assert sorted(entry.name for entry in entries("scenario")) == scenario_names()
    for entry in entries("scenario"):
        assert entry.load().name == entry.name


def test_a_new_scenario_holds_as_it_is_and_never_replaces_a_file(tmp_path: Path) -> None:
    assert answer(tmp_path, "new", "scenario", "mine") == {"file": "mine.yaml"}
    assert "already exists" in run(tmp_path, "new", "scenario", "mine", expect=2).stderr
    (proved,) = answer(tmp_path, "verify", "mine.yaml")["items"]
    assert proved["order"] == 0
    assert proved["certificate"]["told"]["margin"] == [7.5048, 8.0]


def test_a_certificate_is_written_once_and_compared_from_then_on(mine: Path) -> None:
    verify_scenarios([str(mine)], write=True, json=True)
    verify_scenarios([str(mine)], write=True, json=True)
    assert mine.read_text("utf-8").count("certificate:") == 1
    assert mine.read_text("utf-8").startswith(TEMPLATE.rstrip("\n"))
    verify_scenarios([str(mine)], json=True)
    mine.write_text(mine.read_text("utf-8").replace("0.31186", "0.4"), "utf-8")
    with pytest.raises(UserError, match=r"says told\.random_success is 0\.4, the solver finds 0\.31186"):
        verify_scenarios([str(mine)], json=True)


def test_a_scenario_whose_claim_does_not_hold_is_refused(mine: Path) -> None:
    mine.write_text(TEMPLATE.replace("turns: 3 ", "turns: 4 "), "utf-8")
    with pytest.raises(UserError, match="the file says 4 turns, the search finds 3"):
        verify_scenarios([str(mine)], json=True)


def test_a_mistake_in_a_file_is_told_by_its_line(mine: Path) -> None:
    mine.write_text(TEMPLATE.replace("{left: say 0}", "{left: say 1}"), "utf-8")
    line = TEMPLATE[: TEMPLATE.index("{left: say 0}")].count("\n") + 1
    assert f"mine.yaml, line {line}: left cannot say 1" in run(mine.parent, "verify", "mine.yaml", expect=2).stderr


@pytest.mark.slow
def test_every_certificate_of_the_battery_is_what_the_solver_finds() -> None:
    verify_scenarios(["all"], json=True)


@pytest.mark.parametrize("name", ["order0_w6", "contact_w6", "order2_w12", "retroactive_heard_w6", "probabilistic_w6"])
def test_small_certificates_are_what_the_solver_finds(name: str) -> None:
    verify_scenarios([name], json=True)


def test_every_file_of_the_battery_has_a_certificate() -> None:
    for name in scenario_names():
        assert "\ncertificate:" in (FOLDER / f"{name}.yaml").read_text("utf-8")


def test_scenarios_are_found_by_name_kind_and_file(mine: Path) -> None:
    assert [s.name for s in find_scenarios(["paper"])] == list(PAPER_TESTS)
    twins = {s.name for s in find_scenarios(["twins"])}
    assert {"order0_w6", "hearsay_w6", "retroactive_heard_w6"} <= twins
    assert not {"order1and2_w6", "probabilistic_w6", "graded_10_w6"} & twins
    assert find_scenarios([str(mine)])[0].name == "mine"
    with pytest.raises(UserError, match="did you mean 'contact_w6'"):
        find_scenarios(["kontact_w6"])


def test_the_papers_form_leaves_out_a_twin_that_asks_for_another_choice() -> None:
    assert [case.name for case in paper_form(find_scenario("order0_w6")).cases] == ["told"]
    assert len(paper_form(find_scenario("probabilistic_w6")).cases) == 2


def test_the_battery_shows_acts_beside_beliefs(tmp_path: Path) -> None:
    minds = ("--mind", "planner,planner:order=none", "--mind", "nearest")
    words = ("table", "symmtom", "battery", *minds, "--suite", "order0_w6", "--episodes", "48")
    rows: dict[str, Any] = {row["model"]: row["rates"] for row in answer(tmp_path, *words)["battery"]}
    assert rows["planner"]["pair_joint"]["value"] == rows["planner"]["literal"]["value"] == 1
    assert rows["planner:order=none"]["pair_joint"]["value"] == 0
    assert rows["planner:order=none"]["literal"]["value"] == 0.5
    assert rows["nearest"]["literal"] is None
    assert rows["nearest"]["as_written"]["value"] == 0.5


@pytest.mark.slow
def test_tables_2_and_3_show_trained_and_untrained_models_beside_the_paper(tmp_path: Path) -> None:
    for setting in ("n3_w6_c3", "n3_w12_c3"):
        write_run(tmp_path / "runs" / "symmtom", "maddpg-greedy", setting, 0)
    words = ("table", "symmtom", "--mind", "random", "--episodes", "24")
    rows = answer(tmp_path, *words[:2], "2", *words[2:])["rows"]
    found = {(row["model"], row["scenario"]): row for row in rows}
    assert found["maddpg-greedy", "order0_w6"]["paper"] == {"SR": 0, "FR": 57, "unfinished": 43, "RATSO": 6.11}
    assert {("untrained maddpg-greedy", test) for test in ("order0_w6", "order0_w12")} <= set(found)
    assert ("random", "order1and2_w12") in found
    assert ("maddpg-greedy", "order1and2_w6") not in found
    text = run(tmp_path, *words[:2], "3", *words[2:], columns=200).stdout
    assert "60" in next(line for line in text.splitlines() if " maddpg-greedy" in line and "untrained" not in line)
