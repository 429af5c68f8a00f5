"""PDDL in and out: what is written is read back as the same task, and claims of depth are held to proofs."""

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
from otherminds.worlds.enacttom.pddl.words import domain_text
from otherminds.worlds.enacttom.pddl.write import problem_text
from otherminds.worlds.enacttom.read import parse_task
from otherminds.worlds.enacttom.types import Task, Wish
from otherminds.worlds.enacttom.verify.certify import certify
from otherminds.worlds.enacttom.write import task_content
from tests.worlds.enacttom.houses import fetch, letter, memo

pytest.importorskip("pddl")
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


@pytest.mark.parametrize("world", [0, 1])
@pytest.mark.parametrize("task", [fetch(), fetch(wishes=[{"chain": ["ann", "ben"], "about": "target"}]), furnished()])
def test_a_task_is_the_same_after_it_was_written_and_read(task: Task, world: int) -> None:
    written = problem_text(task, task.worlds[world])
    again = build_task(parse_problem(written, domain=domain_text()))
    assert_same(ground(task), ground(again))


def test_goals_are_the_same_too() -> None:
    task = fetch(wishes=[{"chain": ["ann", "ben"], "about": "target"}])
    again = build_task(parse_problem(problem_text(task)))
    assert shared(ground(again)) == shared(ground(task))
    assert again.wishes == (Wish(("ann", "ben"), "target"),)
    assert certify(again).depth == certify(task).depth == 1


def test_a_plain_problem_is_nothing_but_pddl() -> None:
    from pddl.parser.domain import DomainParser
    from pddl.parser.problem import ProblemParser

    task = fetch(wishes=[{"chain": ["ann", "ben"], "about": "target"}])
    problem = ProblemParser()(problem_text(task, is_plain=True))
    problem.domain = DomainParser()(domain_text())  # which checks every predicate and type
    assert {str(one.name) for one in problem.objects} >= {"ann", "cup", "table3", "d1"}


@pytest.mark.parametrize(
    ("task", "message"),
    [
        (memo(), "the mechanic time_window; the mechanic commit"),
        (letter(), "the mechanic interlock"),
        (fetch(goal={"or": ["is(target, table1)", "on(cup, table2)"]}), "the predicate is"),
        (fetch(people={"ann": {"room": "porch", "verbs": ["tell"]}, "ben": {"room": "hall"}}), "cannot do everything"),
    ],
)
def test_what_pddl_has_no_words_for_is_refused_by_name(task: Task, message: str) -> None:
    with pytest.raises(UserError, match=message):
        problem_text(task)


def test_controls_that_set_each_other_off_are_refused() -> None:
    content = task_content(furnished())
    content["mechanics"].append(
        {"kind": "remote_control", "trigger": "box", "when": "open", "target": "safe", "set": "open"}
    )
    with pytest.raises(UserError, match="set each other off"):
        problem_text(parse_task(content))


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
        ("(K ben", "(B ben", "line 9: .* speaks of belief"),
        ("(K ben", "(K cup_1", "line 9: 'cup_1' is no agent"),
        ("cup_1 table_2)))", "cup_1 table_9)))", "line 9: 'table_9' is not among the objects"),
        ("(is_on_top cup_1 table_2)", "(is_clean cup_1)", r"line 9: \(is_clean cup_1\) cannot be a goal"),
        (
            "(is_restricted ann kitchen))",
            "(is_restricted ann kitchen)",
            "line 2: a parenthesis opens that is never closed",
        ),
        ("(:hidden (table_2 :told ann)))", "(:hidden (table_2 :told ann))))", "line 11: a parenthesis closes"),
        ("(ann 1)", "(ann few)", "line 10: .*expected a whole number"),
        (":told ann", "ann", "line 11: ann in .*expected :as"),
        ("- agent", "- robot", "expected one of agent, room"),
        ("(:init", "(:start", r"there is no \(:init"),
        ("(table_2 :told ann)", "(shelf_1 :told ann)", "line 11: 'shelf_1' is hidden among shelf_1"),
        ("(agent_in_room ann hall)", "", "'ann' is in 0 rooms at first"),
        ("(is_on_top cup_1 shelf_1)", "(is_on_top cup_1 shelf_1 (", "line 5: a parenthesis opens"),
    ],
)
def test_mistakes_are_named_with_their_line(old: str, new: str, message: str) -> None:
    assert old in text()
    with pytest.raises(UserError, match=message):
        build_task(parse_problem(text().replace(old, new), "told.pddl"))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("(is_glowing cup_1)", "line 6: .*has no such predicate"),
        ("(is_on_top cup_1 hall)", "line 6: .*hall is a room; the domain has furniture"),
        ("(is_on_top cup_1)", "line 6: .*of 2 objects"),
    ],
)
def test_a_domain_holds_predicates_and_types_to_it(wrong: str, message: str) -> None:
    told = text().replace("cup_1 - object", "cup_1 - item")
    parse_problem(told, domain=domain_text())
    with pytest.raises(UserError, match=message):
        parse_problem(told.replace("(is_on_top cup_1 shelf_1)", wrong), domain=domain_text())


def test_a_domain_that_is_none_is_refused() -> None:
    with pytest.raises(UserError, match="not a PDDL domain"):
        parse_problem(text(), domain="(define (domain home) (:action))")


def test_the_commands_audit_and_write(tmp_path: Path) -> None:
    runner = CliRunner()
    names = [str(PROBLEMS / f"{name}.pddl") for name in ("decorative", "told")]
    done = runner.invoke(make_app(), ["audit", "enacttom", *names, "--out", str(tmp_path)])
    assert "decorative: claims depth 3, proved is depth 0: not as claimed" in done.output
    assert "told: claims depth 1, proved is depth 1: as claimed" in done.output
    parse_task(yaml.safe_load((tmp_path / "told.yaml").read_text()))
    report = json.loads(runner.invoke(make_app(), ["audit", "enacttom", names[0], "--json"]).output)
    assert (report[0]["claimed"], report[0]["proved"], report[0]["is_honest"]) == (3, 0, False)
    assert (
        runner.invoke(make_app(), ["new", "pddl", "cup", "--out", str(tmp_path / "cup"), "--world", "2"]).exit_code == 0
    )
    problem = read_problem(tmp_path / "cup" / "problem.pddl", tmp_path / "cup" / "domain.pddl")
    assert problem.hidden[0].value == "green_table"
    refused = runner.invoke(make_app(), ["new", "pddl", "cup", "--out", str(tmp_path), "--world", "3"])
    assert "has worlds 0 to 2" in str(refused.exception)


@pytest.mark.parametrize("fact", ["(is_closed)", "(is_restricted ann)", "(is_in_room)", "(leads ann)", "(mirrors ann)"])
def test_a_fact_of_too_few_objects_is_named(fact: str) -> None:
    with pytest.raises(UserError, match=r"expected .* of . objects") as error:
        parse_problem(text().replace("(:init", f"(:init {fact}"), "told.pddl")
    assert fact in str(error.value)


def test_a_goal_that_takes_more_than_it_claims_is_not_called_decorative() -> None:
    found = audit(parse_problem(problem_text(fetch())))
    assert (found.claimed, found.proved) == (0, 1)
    assert [(reason.weakness, "has no K at all" in reason.text) for reason in found.reasons] == [("–", True)]
