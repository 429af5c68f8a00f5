"""Task files in the original's form: mechanics from their bindings, secrets from their sentences."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from otherminds.cli.main import make_app
from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.pddl.audit import audit
from otherminds.worlds.enacttom.pddl.convert import build_task
from otherminds.worlds.enacttom.pddl.original import parse_original

pytest.importorskip("clingo")
PROBLEM = """
(define (problem mugs)
  (:domain home)
  (:objects agent_0 agent_1 - agent hall_1 kitchen_1 - room table_1 table_2 table_3 shelf_1 box_1 box_2 - furniture
            mug_1 - object)
  (:init (agent_in_room agent_0 hall_1) (agent_in_room agent_1 hall_1)
         (is_in_room shelf_1 hall_1) (is_on_top mug_1 shelf_1) (is_in_room box_1 hall_1) (is_in_room box_2 hall_1)
         (is_in_room table_1 kitchen_1) (is_in_room table_2 kitchen_1) (is_in_room table_3 kitchen_1))
  (:goal (K agent_1 (is_on_top mug_1 table_2))))
"""
BAR = {"mechanic_type": "room_restriction", "restricted_rooms": ["kitchen_1"], "for_agents": ["agent_0"]}
LIMIT = {"mechanic_type": "limited_bandwidth", "message_limits": {"agent_0": 1, "agent_1": 0}}


def task_file(**changes: Any) -> dict[str, Any]:
    content = {
        "task_id": "mugs",
        "task": "Put the mug where it belongs.",
        "problem_pddl": PROBLEM,
        "mechanic_bindings": [BAR, LIMIT],
        "agent_secrets": {"agent_0": ["The mug belongs on table_2."], "agent_1": ["You can enter all rooms."]},
    }
    return {**content, **changes}


def test_bindings_and_secrets_become_mechanics_and_notes() -> None:
    task = build_task(parse_original(task_file()))
    assert [(one.kind, one.fields) for one in task.mechanics] == [
        ("room_restriction", {"agents": ["agent_0"], "rooms": ["kitchen_1"]})
    ]
    assert task.talk.budgets == {"agent_0": 1, "agent_1": 0}
    assert task.secrets[0].values == ("table_1", "table_2", "table_3")
    assert [(note.to, note.about) for note in task.notes] == [("agent_0", "which_table_2")]


def test_the_claim_of_a_task_file_is_held_to_a_proof(tmp_path: Path) -> None:
    path = tmp_path / "mugs.json"
    path.write_text(json.dumps(task_file()))
    done = CliRunner().invoke(make_app(), ["audit", "enacttom", str(path)])
    assert "mugs: claimed depth 1, proved depth 1: as claimed" in done.output


def test_a_target_that_no_text_names_is_one_that_nobody_is_told() -> None:
    found = audit(parse_original(task_file(agent_secrets={"agent_0": ["Help the other."]})))
    assert found.reasons[0].weakness == "W3"


def test_a_target_in_the_public_text_is_no_secret() -> None:
    found = audit(parse_original(task_file(task="Put the mug on table_2.")))
    assert found.task.secrets == ()
    assert (found.claimed, found.proved) == (1, 0)


def test_every_mechanic_of_the_original_is_read() -> None:
    pair = {"trigger_object": "box_1", "target_object": "box_2"}
    more = [
        {"mechanic_type": "remote_control", **pair, "target_state": "is_locked"},
        {"mechanic_type": "state_mirroring", **pair, "target_state": "is_open"},
        {"mechanic_type": "inverse_state", "trigger_object": "box_1"},
        {"mechanic_type": "restricted_communication", "allowed_targets": {"agent_0": ["agent_1"]}},
    ]  # fmt: skip
    facts = {(fact.head, fact.arguments) for fact in parse_original(task_file(mechanic_bindings=more)).init}
    assert facts >= {
        ("controls_locks", ("box_1", "box_2")),
        ("mirrors", ("box_1", "box_2")),
        ("is_inverse", ("box_1",)),
        ("can_communicate", ("agent_0", "agent_1")),
    }


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"problem_pddl": None}, "has no problem_pddl"),
        ({"mechanic_bindings": [{"mechanic_type": "gravity"}]}, r"mechanic_bindings\[0\]: mechanic 'gravity'"),
        ({"mechanic_bindings": [{**BAR, "for_agents": ["agent_7"]}]}, r"mechanic_bindings\[0\] names 'agent_7'"),
        ({"mechanic_bindings": [{"mechanic_type": "inverse_state"}]}, "cannot be read: KeyError 'trigger_object'"),
        ({"problem_pddl": PROBLEM.replace("(K agent_1", "(K")}, "problem_pddl, line 9"),
    ],
)
def test_mistakes_are_named_with_their_field(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        parse_original(task_file(**changes))
