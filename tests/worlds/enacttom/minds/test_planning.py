"""The planner's account of knowledge and of guards, beside the ledger's, and a house of realistic size."""

from typing import Any

import pytest

from otherminds.worlds.enacttom.evals.episode_analysis import analyse
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.ledger import Labeller, chains_of
from otherminds.worlds.enacttom.messages import Act, act_of
from otherminds.worlds.enacttom.minds.planning.knowledge import knowledge
from otherminds.worlds.enacttom.minds.planning.relaxed_problem import RelaxedSolver
from otherminds.worlds.enacttom.minds.planning.rules import rules_of
from otherminds.worlds.enacttom.rules import begin, step
from otherminds.worlds.enacttom.tasks.read import find_task, parse_task, read_task
from otherminds.worlds.enacttom.types import Task
from tests.worlds.enacttom.houses import fetch
from tests.worlds.enacttom.playing import play

NAMES = ("cup", "handed_on-1", "message-6", "stale-1", "trusted-1", "two_links-2")


@pytest.mark.parametrize("name", NAMES)
def test_the_planner_and_the_ledger_agree_on_who_knows_what(name: str) -> None:
    task = read_task(find_task(name))
    house, knows = ground(task), knowledge(ground(task), 3)
    for world in task.worlds[::3]:
        episode = play(task, world, "tracker:depth=3")
        state, labels, situation = begin(house, world), Labeller(house, world), knows.begin(world)
        for turn in episode.turns:
            for secret in range(len(task.secrets)):
                for chain in chains_of(len(task.people)):
                    assert bool(situation.known & knows.token(chain, secret)) == labels.knows(chain, secret)
            acts: list[Act] = [act_of(task, who, act, "") for who, act in enumerate(turn["acts"])]
            state, outcome = step(house, state, acts)
            labels.follow(state, outcome)
            situation, _ = knows.after(situation, acts)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_no_tracker_commits_itself_without_a_guard(name: str, depth: int) -> None:
    """The verifier's guards, judged on the record of an episode, hold for every decision."""
    task = read_task(find_task(name))
    for world in task.worlds[::3]:
        analysis = analyse(play(task, world, f"tracker:depth={depth}", probes=True))
        assert all(made.guard.is_met and not made.is_wrong for made in analysis.decisions)


def test_advice_knows_how_early_the_goal_can_be_reached() -> None:
    """Ann must walk to the board and tell it before Ben can place the cup: three turns, and one more if it is late."""
    house = ground(fetch())
    knows = knowledge(house, 1)
    rules, start = rules_of(knows, (0,)), knows.begin((0,))
    relaxed = RelaxedSolver(rules, start).solve(start)
    assert relaxed is not None
    assert (relaxed.end, relaxed.acts) == (3, (("navigate(study)",), ("pick(cup)", "navigate(kitchen)")))
    assert RelaxedSolver(rules, start, idle=frozenset({0})).solve(start) is None
    assert RelaxedSolver(rules_of(knowledge(house, 0), (0,)), start).solve(start) is None


def test_what_cannot_matter_to_the_goal_is_left_out() -> None:
    house = ground(mansion())
    world = house.task.worlds[0]
    knows = knowledge(house, 1)
    relevant = RelaxedSolver(rules_of(knows, world), knows.begin(world)).relevant
    names = {act for acts in relevant for act in acts if isinstance(act, str)}
    assert "pick(cup)" in names
    assert not any(f"(thing{number}" in name for name in names for number in range(18))


def mansion() -> Task:
    """Eight rooms, twenty things, four people, twelve turns and twelve worlds: where is the cup, and where to?"""
    rooms = ["hall", "kitchen", "study", "pantry", "cellar", "attic", "porch", "garage"]
    tables = ["red_table", "blue_table", "green_table", "black_table"]
    content: dict[str, Any] = {
        "id": "mansion",
        "title": "The cup",
        "category": "cooperative",
        "horizon": 12,
        "house": {
            "rooms": {room: {} for room in rooms},
            "doors": {f"d{at}": {"rooms": ["hall", room]} for at, room in enumerate(rooms[1:])},
            "furniture": {
                "board": {"kind": "sign", "room": "study", "shows": "target"},
                "shelf": {"kind": "surface", "room": "cellar"},
                "chest": {"kind": "container", "room": "cellar"},
                "fridge": {"kind": "container", "room": "kitchen"},
                "box": {"kind": "container", "room": "garage"},
                **{table: {"kind": "surface", "room": "attic"} for table in tables},
            },
            "things": {
                "cup": {"place": ["in chest", "in fridge", "in box"], "depends_on": "where"},
                "lamp": {"place": "on shelf"},
                **{f"thing{at}": {"place": f"floor {rooms[at % 8]}"} for at in range(18)},
            },
        },
        "people": {
            "ann": {"room": "hall"},
            "ben": {"room": "kitchen"},
            "cleo": {"room": "cellar"},
            "dan": {"room": "porch"},
        },
        "secrets": {"target": {"values": tables}, "where": {"values": ["chest", "fridge", "box"]}},
        "notes": [{"to": "dan", "about": "where"}],
        "mechanics": [
            {"kind": "room_restriction", "agents": ["ann", "dan"], "rooms": ["attic"]},
            {"kind": "room_restriction", "agents": ["ben", "cleo", "dan"], "rooms": ["study"]},
        ],
        "talk": {"channels": {"ann": ["ben", "cleo"], "dan": ["ann"]}, "budgets": {"ann": 2, "dan": 1}},
        "goal": {"and": ["on(cup, $target)", "at(cleo, hall)"]},
    }
    return parse_task(content)


def test_a_realistic_house_is_within_reach() -> None:
    task = mansion()
    assert len(task.worlds) == 12
    assert all((play(task, world, "tracker:depth=1").end or {})["success"] for world in task.worlds)
