"""PDDL problems: each becomes the task that it describes, and claims of depth are compared with proofs."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from otherminds.cli.main import make_app
from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.build import ground
from otherminds.worlds.enacttom.formulas import shared
from otherminds.worlds.enacttom.ground import Ground
from otherminds.worlds.enacttom.pddl.audit import Audit, audit
from otherminds.worlds.enacttom.pddl.build import build_task
from otherminds.worlds.enacttom.pddl.read import depth_of, parse_problem, read_problem
from otherminds.worlds.enacttom.read import parse_task
from otherminds.worlds.enacttom.types import Task, Wish
from otherminds.worlds.enacttom.verify.certify import certify
from tests.worlds.enacttom.houses import fetch

pytest.importorskip("clingo")
PROBLEMS = Path(__file__).parent / "problems"


def audited(name: str, **options: Any) -> Audit:
    return audit(read_problem(PROBLEMS / f"{name}.pddl"), **options)


def text(name: str = "told") -> str:
    return (PROBLEMS / f"{name}.pddl").read_text()


def weaknesses(found: Audit) -> set[str]:
    return {reason.weakness for reason in found.reasons}


def furnished() -> Task:
    """A house with everything that PDDL has words for."""
    content: dict[str, Any] = {
        "id": "furnished", "title": "Furnished", "category": "mixed", "horizon": 6,
        "house": {
            "rooms": {"hall": {}, "kitchen": {}, "attic": {}},
            "doors": {
                "gate": {"rooms": ["hall", "kitchen"], "open": False},
                "hatch": {"rooms": ["kitchen", "attic"], "locked": True, "one_way": True},
            },
            "furniture": {
                "table1": {"kind": "surface", "room": "kitchen"}, "table2": {"kind": "surface", "room": "kitchen"},
                "box": {"kind": "container", "room": "hall", "open": True},
                "safe": {"kind": "container", "room": "attic"},
                "lid": {"kind": "container", "room": "attic"}, "chest": {"kind": "container", "room": "kitchen"},
                "lamp": {"kind": "switch", "room": "hall", "on": True}, "lever": {"kind": "switch", "room": "kitchen"},
                "board": {"kind": "sign", "room": "attic", "shows": "target"},
            },
            "things": {"cup": {"place": "in box"}, "pen": {"place": "floor attic"}, "key": {"place": "held ben"},
                       "mug": {"place": "on table1"}},
        },
        "people": {"ann": {"room": "hall"}, "ben": {"room": "kitchen"}},
        "secrets": {"target": {"values": ["table1", "table2"]}},
        "notes": [{"to": "ann", "about": "target"}],
        "mechanics": [
            {"kind": "room_restriction", "agents": ["ann"], "rooms": ["kitchen"]},
            {"kind": "remote_control", "trigger": "lever", "when": "on", "target": "hatch", "set": "unlocked"},
            {"kind": "remote_control", "trigger": "chest", "when": "open", "target": "gate", "set": "closed"},
            {"kind": "state_mirroring", "between": ["safe", "lid"]},
            {"kind": "inverse_state", "furniture": "box"},
        ],
        "talk": {"channels": {"ann": ["ben"]}, "budgets": {"ann": 2, "ben": 0}},
        "goal": {"and": ["on(cup, $target)", {"or": ["open(safe)", {"not": "powered(lamp)"}]}, "floor(pen, attic)"]},
        "private": {"ben": "held(key, ben)"},
    }  # fmt: skip
    return parse_task(content)


def assert_same(first: Ground, second: Ground) -> None:
    assert first.variables == second.variables
    assert first.domains == second.domains
    assert first.starts == second.starts
    assert set(first.deeds) == set(second.deeds)
    assert set(first.sights) == set(second.sights)
    assert first.ticks == second.ticks
    one, other = first.task, second.task
    assert (one.horizon, one.notes, one.wishes) == (other.horizon, other.notes, other.wishes)
    assert one.talk.channels == other.talk.channels
    for name in one.names:
        assert one.talk.budgets.get(name, 0) == other.talk.budgets.get(name, 0)


@pytest.mark.parametrize(("name", "task"), [("fetch", fetch()), ("furnished", furnished())])
def test_a_problem_becomes_the_task_that_it_describes(name: str, task: Task) -> None:
    assert_same(ground(task), ground(build_task(read_problem(PROBLEMS / f"{name}.pddl"))))


def test_goals_and_wishes_become_those_of_the_task() -> None:
    task = fetch(wishes=[{"chain": ["ann", "ben"], "about": "target"}])
    wish = "(and (is_on_top cup table1) (K ann (K ben (is_on_top cup table1))))"
    again = build_task(parse_problem(text("fetch").replace("(:goal (is_on_top cup table1))", f"(:goal {wish})")))
    assert shared(ground(again)) == shared(ground(task))
    assert again.wishes == (Wish(("ann", "ben"), "target"),)
    assert certify(again).depth == certify(task).depth == 1


def test_a_nested_k_over_an_open_fridge_is_decorative() -> None:
    found = audited("decorative")
    assert (found.claimed, found.proved, found.grade) == (3, 0, "solvable")
    assert weaknesses(found) == {"W1"}
    assert "line 7: K(ann) of K(ben) of K(cleo) over (is_open fridge_1) is decorative" in found.reasons[1].text
    assert not found.is_honest


@pytest.mark.parametrize(("name", "depth"), [("told", 1), ("rely", 2)])
def test_an_honest_claim_is_confirmed(name: str, depth: int) -> None:
    found = audited(name)
    assert found.is_honest
    assert (found.claimed, found.proved, found.reasons) == (depth, depth, ())


@pytest.mark.parametrize(
    ("name", "weakness", "said"),
    [
        ("two_tables", "W5", "(is_on_top cup_1 table_1); (is_on_top cup_1 table_2) exclude each other"),
        ("untold", "W3", "nobody is told what which_table is"),
        ("barred_hall", "W8", "a room that somebody is barred from (hall)"),
    ],
)
def test_what_nobody_can_do_is_found_with_the_reason(name: str, weakness: str, said: str) -> None:
    found = audited(name)
    assert (found.grade, found.proved) == ("unsolvable", None)
    assert found.reasons[0].weakness == weakness
    assert said in found.reasons[0].text


def test_without_the_bar_the_hall_is_no_obstacle() -> None:
    """So that it is the bar that the audit finds, and nothing else."""
    opened = text("barred_hall").replace("(is_restricted ann hall)", "")
    found = audit(parse_problem(opened))
    assert found.grade == "solvable"
    assert "W8" not in weaknesses(found)


def test_what_the_original_has_twice_is_named() -> None:
    more = "(is_inverse box_1) (mirrors box_1 box_2) (is_in_room box_1 hall) (is_in_room box_2 hall)"
    changed = text().replace("(is_restricted ann kitchen)", f"(is_restricted ann kitchen) {more}")
    changed = changed.replace("shelf_1 - furniture", "shelf_1 box_1 box_2 - furniture")
    changed = changed.replace("(:hidden", "(:goal-owners (ben (is_closed box_1))) (:hidden")
    assert weaknesses(audit(parse_problem(changed))) == {"W6", "W7", "W16"}


def test_fewer_messages_than_listeners_are_named() -> None:
    changed = text("told").replace("ann ben - agent", "ann ben cleo - agent").replace(
        "(agent_in_room ben hall)", "(agent_in_room ben hall) (agent_in_room cleo hall)"
    )  # fmt: skip
    changed = changed.replace("(K ben (is_on_top cup_1 table_2))", "(K ben (K cleo (is_on_top cup_1 table_2)))")
    found = audit(parse_problem(changed.replace("(ben 0)", "(ben 0) (cleo 0)")), horizon=4)
    assert "W9" in weaknesses(found)
    assert (found.claimed, found.proved) == (2, 1)


def test_without_doors_all_rooms_lie_around_one_that_nobody_is_barred_from() -> None:
    task = build_task(parse_problem(text("untold").replace("kitchen - room", "kitchen attic hall - room").replace(
        "(:init", "(:init (is_restricted ann attic)")))  # fmt: skip
    assert [door.rooms for door in task.doors] == [("kitchen", "attic"), ("kitchen", "hall")]


def test_hidden_objects_are_hidden_among_those_of_their_kind() -> None:
    task = build_task(read_problem(PROBLEMS / "told.pddl"))
    assert task.secrets[0].values == ("table_1", "table_2", "table_3")
    assert task.goal == {"and": ["on(cup_1, $which_table)"]}
    some = build_task(parse_problem(text().replace(":told ann", ":told ann :among table_2 shelf_1 :as place")))
    assert (some.secrets[0].name, some.secrets[0].values) == ("place", ("table_2", "shelf_1"))


def test_depth_as_it_is_written_is_the_deepest_nesting() -> None:
    goal = "(and (K ann (is_open box_1)) (or (not (K ann (K ben (is_open box_1)))) (is_closed box_1)))"
    assert depth_of(parse_problem(text("barred_hall").replace("(K ann (is_open box_1))", goal)).goal) == 2


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("(:goal (K ben", "(:goal (K (ben)", r"line 9: .* is not \(K agent formula\)"),
        ("(K ben", "(B ben", "line 9: .* is about belief"),
        ("(K ben", "(K cup_1", "line 9: 'cup_1' is not of type agent"),
        ("cup_1 table_2)))", "cup_1 table_9)))", "line 9: 'table_9' is not among the objects"),
        ("(is_on_top cup_1 table_2)", "(is_clean cup_1)", r"line 9: \(is_clean cup_1\) cannot be a goal"),
        (
            "(is_restricted ann kitchen))",
            "(is_restricted ann kitchen)",
            "line 2: unmatched opening",
        ),
        ("(:hidden (table_2 :told ann)))", "(:hidden (table_2 :told ann))))", "line 11: unmatched closing"),
        ("(ann 1)", "(ann few)", "line 10: .*expected a whole number"),
        (":told ann", "ann", "line 11: ann in .*expected :as"),
        ("- agent", "- robot", "line 4: robot is not a type of object; expected one of agent, room"),
        ("(:init", "(:start", "line 5: :start is not a section"),
        ("(:hidden (table_2 :told ann))", "(:horizon 5) (:horizon 6)", "line 11: a second section :horizon"),
        ("(:goal (K ben (is_on_top cup_1 table_2)))", "", r"line 2: section \(:goal …\) is missing"),
        ("(table_2 :told ann)", "(shelf_1 :told ann)", "line 11: 'shelf_1' is hidden among shelf_1"),
        ("(agent_in_room ann hall)", "", "'ann' starts in 0 rooms"),
        ("(is_on_top cup_1 shelf_1)", "(is_on_top cup_1 shelf_1 (", "line 5: unmatched opening"),
    ],
)
def test_mistakes_are_named_with_their_line(old: str, new: str, message: str) -> None:
    assert old in text()
    with pytest.raises(UserError, match=message):
        build_task(parse_problem(text().replace(old, new), "told.pddl"))


def test_the_command_audits_problems_and_keeps_their_tasks(tmp_path: Path) -> None:
    runner = CliRunner()
    names = [str(PROBLEMS / f"{name}.pddl") for name in ("decorative", "told")]
    done = runner.invoke(make_app(), ["audit", "enacttom", *names, "--out", str(tmp_path)])
    assert "decorative: claims depth 3, proved is depth 0: not as claimed" in done.output
    assert "told: claims depth 1, proved is depth 1: as claimed" in done.output
    parse_task(yaml.safe_load((tmp_path / "told.yaml").read_text()))
    report = json.loads(runner.invoke(make_app(), ["audit", "enacttom", names[0], "--json"]).output)
    assert (report[0]["claimed"], report[0]["proved"], report[0]["is_honest"]) == (3, 0, False)


@pytest.mark.parametrize("fact", ["(is_closed)", "(is_restricted ann)", "(is_in_room)", "(leads ann)", "(mirrors ann)"])
def test_a_fact_of_too_few_objects_is_named(fact: str) -> None:
    with pytest.raises(UserError, match=r"expected .* of . objects") as error:
        parse_problem(text().replace("(:init", f"(:init {fact}"), "told.pddl")
    assert fact in str(error.value)


def test_a_goal_that_takes_more_than_it_claims_is_not_called_decorative() -> None:
    found = audited("fetch")
    assert (found.claimed, found.proved) == (0, 1)
    assert [(reason.weakness, "has no K at all" in reason.text) for reason in found.reasons] == [("–", True)]
