"""PDDL problems: each becomes the task that it describes, and claims of depth are compared with proofs."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from otherminds.cli.main import make_app
from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.pddl.audit import Audit, audit
from otherminds.worlds.enacttom.pddl.convert import build_task
from otherminds.worlds.enacttom.pddl.original import parse_original, read_problem
from otherminds.worlds.enacttom.pddl.read import Problem, depth_of, parse_problem
from otherminds.worlds.enacttom.tasks.read import parse_task
from otherminds.worlds.enacttom.types import Task, Wish

pytest.importorskip("clingo")
PROBLEMS = Path(__file__).parent / "problems"


def text(name: str = "told") -> str:
    return (PROBLEMS / f"{name}.pddl").read_text()


def parsed(name: str, target: str = "table_2", **changes: Any) -> Problem:
    """A problem as a task file of the original has it: Ann is told the target, and has one message."""
    limits = [{"mechanic_type": "limited_bandwidth", "message_limits": {"ann": 1, "ben": 0}}]
    content = {"problem_pddl": text(name), "mechanic_bindings": limits, "agent_secrets": {"ann": [target]}}
    return parse_original({**content, **changes})


def weaknesses(found: Audit) -> set[str]:
    return {reason.weakness for reason in found.reasons}


def furnished() -> Task:
    """A house with everything that PDDL has words for."""
    content: dict[str, Any] = {
        "id": "furnished", "title": "Furnished", "category": "mixed", "horizon": 6,
        "house": {
            "rooms": {"hall": {}, "kitchen": {}, "attic": {}},
            "doors": {"hall-kitchen": {"rooms": ["hall", "kitchen"]}, "hall-attic": {"rooms": ["hall", "attic"]}},
            "furniture": {
                "table_1": {"kind": "surface", "room": "kitchen"}, "table_2": {"kind": "surface", "room": "kitchen"},
                "box": {"kind": "container", "room": "hall", "open": True},
                "safe": {"kind": "container", "room": "attic", "locked": True},
                "lid": {"kind": "container", "room": "attic"}, "chest": {"kind": "container", "room": "kitchen"},
                "lamp": {"kind": "switch", "room": "hall", "on": True}, "lever": {"kind": "switch", "room": "kitchen"},
            },
            "things": {"cup": {"place": "in box"}, "pen": {"place": "floor attic"}, "key": {"place": "held ben"},
                       "mug": {"place": "on table_1"}},
        },
        "people": {"ann": {"room": "hall"}, "ben": {"room": "kitchen"}},
        "secrets": {"which_table_2": {"values": ["table_1", "table_2"]}},
        "notes": [{"to": "ann", "about": "which_table_2"}],
        "mechanics": [
            {"kind": "room_restriction", "agents": ["ann"], "rooms": ["kitchen"]},
            {"kind": "remote_control", "trigger": "lever", "when": "on", "target": "safe", "set": "unlocked"},
            {"kind": "remote_control", "trigger": "chest", "when": "open", "target": "box", "set": "closed"},
            {"kind": "state_mirroring", "between": ["chest", "lid"]},
            {"kind": "inverse_state", "furniture": "box"},
        ],
        "talk": {"channels": {"ann": ["ben"]}, "budgets": {"ann": 1, "ben": 0}},
        "goal": {
            "and": ["on(cup, $which_table_2)", {"or": ["open(safe)", {"not": "powered(lamp)"}]}, "floor(pen, attic)"],
        },
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


def test_a_problem_becomes_the_task_that_it_describes() -> None:
    assert_same(ground(furnished()), ground(build_task(parsed("furnished"), 6)))


def test_goals_and_wishes_become_those_of_the_task() -> None:
    task = build_task(parsed("rely"))
    lamp = {"or": ["unpowered(lamp_1)", "on(cup_1, $which_table_2)"]}
    assert task.goal == {"and": ["on(cup_1, $which_table_2)", lamp, "powered(lamp_1)"]}
    assert task.wishes == (Wish(("ann", "ben"), "which_table_2"),)


def test_a_nested_k_over_an_open_fridge_is_decorative() -> None:
    found = audit(read_problem(PROBLEMS / "decorative.pddl"))
    assert (found.claimed, found.proved, found.grade) == (3, 0, "solvable")
    assert weaknesses(found) == {"W1"}
    assert "line 7: K(ann) of K(ben) of K(cleo) over (is_open fridge_1) is decorative" in found.reasons[1].text
    assert not found.is_honest


@pytest.mark.parametrize(("name", "depth", "horizon"), [("told", 1, None), ("rely", 2, 3)])
def test_an_honest_claim_is_confirmed(name: str, depth: int, horizon: int | None) -> None:
    found = audit(parsed(name), horizon=horizon)
    assert found.is_honest
    assert (found.claimed, found.proved, found.reasons) == (depth, depth, ())


@pytest.mark.parametrize(
    ("problem", "weakness", "said"),
    [
        (
            parse_problem(text("two_tables")),
            "W5",
            "(is_on_top cup_1 table_1); (is_on_top cup_1 table_2) exclude each other",
        ),
        (parsed("untold", "something"), "W3", "nobody is told what which_table_2 is"),
    ],
)
def test_what_nobody_can_do_is_found_with_the_reason(problem: Problem, weakness: str, said: str) -> None:
    found = audit(problem)
    assert (found.grade, found.proved) == ("unsolvable", None)
    assert found.reasons[0].weakness == weakness
    assert said in found.reasons[0].text


def test_all_rooms_lie_around_one_that_nobody_is_barred_from() -> None:
    task = build_task(parse_problem(text("untold").replace("kitchen - room", "kitchen attic hall - room").replace(
        "(:init", "(:init (is_restricted ann attic)")))  # fmt: skip
    assert [door.rooms for door in task.doors] == [("kitchen", "attic"), ("kitchen", "hall")]


def test_hidden_objects_are_hidden_among_those_of_their_kind() -> None:
    task = build_task(parsed("told"))
    assert task.secrets[0].values == ("table_1", "table_2", "table_3")
    assert task.goal == {"and": ["on(cup_1, $which_table_2)"]}
    with pytest.raises(UserError, match="'shelf_1' is hidden, but there is no other"):
        build_task(parsed("told", problem_pddl=text().replace("table_2)))", "shelf_1)))")))


def test_depth_as_it_is_written_is_the_deepest_nesting() -> None:
    goal = "(and (K ann (is_open box_1)) (or (not (K ann (K ben (is_open box_1)))) (is_closed box_1)))"
    problem = text("decorative").replace("fridge_1", "box_1").replace("(K ann (K ben (K cleo (is_open box_1))))", goal)
    assert depth_of(parse_problem(problem).goal) == 2


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
        ("- agent", "- robot", "line 4: robot is not a type of object; expected one of agent, room"),
        ("(:init", "(:start", "line 5: :start is not a section"),
        ("(:domain home)", "(:domain home) (:domain home)", "line 3: a second section :domain"),
        ("table_2)))", "table_2))))", "line 9: unmatched closing"),
        ("(:goal (K ben (is_on_top cup_1 table_2)))", "", r"line 2: section \(:goal …\) is missing"),
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
    assert "decorative: claimed depth 3, proved depth 0: not as claimed" in done.output
    assert "told: claimed depth 1, proved depth 0: not as claimed" in done.output
    parse_task(yaml.safe_load((tmp_path / "told.yaml").read_text()))
    report = json.loads(runner.invoke(make_app(), ["audit", "enacttom", names[0], "--json"]).output)
    assert (report[0]["claimed"], report[0]["proved"], report[0]["is_honest"]) == (3, 0, False)


@pytest.mark.parametrize("fact", ["(is_closed)", "(is_restricted ann)", "(is_in_room)", "(mirrors ann)"])
def test_a_fact_of_too_few_objects_is_named(fact: str) -> None:
    with pytest.raises(UserError, match=r"expected .* of . objects") as error:
        parse_problem(text().replace("(:init", f"(:init {fact}"), "told.pddl")
    assert fact in str(error.value)


def test_a_goal_that_takes_more_than_it_claims_is_not_called_decorative() -> None:
    goal = text().replace("(K ben (is_on_top cup_1 table_2))", "(is_on_top cup_1 table_2)")
    found = audit(parsed("told", problem_pddl=goal))
    assert (found.claimed, found.proved) == (0, 1)
    assert [(reason.weakness, "has no K at all" in reason.text) for reason in found.reasons] == [("–", True)]
