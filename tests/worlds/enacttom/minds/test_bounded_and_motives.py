"""Minds with limits and with motives of their own, and the labels that their failures get."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from otherminds.core.errors import UserError
from otherminds.minds.find import find_mind
from otherminds.worlds.enacttom.evals.episode_analysis import analyse
from otherminds.worlds.enacttom.evals.failures import failures
from otherminds.worlds.enacttom.minds.bounded import Bounded
from otherminds.worlds.enacttom.minds.motives import Discloser
from otherminds.worlds.enacttom.rules import WAIT
from otherminds.worlds.enacttom.tasks.read import find_task, read_task
from otherminds.worlds.enacttom.types import Task
from otherminds.worlds.enacttom.world import EnactToM
from tests.worlds.enacttom.houses import fetch
from tests.worlds.enacttom.playing import play


def shipped(name: str) -> Task:
    return read_task(find_task(name))


def labels(task: Task, mind: str) -> Counter[str]:
    """How often each label is given, over all worlds."""
    return Counter(label for world in task.worlds for label in failures(analyse(play(task, world, mind, probes=True))))


def successes(task: Task, mind: str, seeds: int = 1) -> int:
    episodes = [play(task, world, mind, seed) for world in task.worlds for seed in range(seeds)]
    return sum(bool((episode.end or {})["success"]) for episode in episodes)


@pytest.mark.parametrize("name", ["cup", "message-6", "two_links-8"])
def test_a_bounded_mind_without_bounds_is_a_tracker(name: str) -> None:
    task = shipped(name)
    assert successes(task, "bounded:depth=3,memory=99,lookahead=99,slip=0") == len(task.worlds)


def test_every_bound_costs_success() -> None:
    relay, stale = shipped("handed_on-1"), shipped("stale-2")
    assert successes(relay, "bounded:depth=2,memory=9,lookahead=9,slip=0") == len(relay.worlds)
    assert successes(relay, "bounded:depth=2,memory=9,lookahead=9,slip=0.5", seeds=4) < 4 * len(relay.worlds)
    assert successes(stale, "bounded:depth=2,memory=1,lookahead=9,slip=0") < len(stale.worlds)
    assert successes(shipped("message-6"), "bounded:depth=1,memory=9,lookahead=9,slip=0") < 8
    tasks = [shipped(f"two_links-{number}") for number in (1, 2, 3)]
    assert any(successes(t, "bounded:depth=3,memory=9,lookahead=1,slip=0") < len(t.worlds) for t in tasks)


def test_a_slip_depends_on_the_seed_alone() -> None:
    task, mind = shipped("handed_on-2"), "bounded:slip=0.5"
    turns = [play(task, task.worlds[0], mind, seed).turns for seed in (0, 0, 1)]
    assert turns[0] == turns[1] != turns[2]


def test_what_was_told_is_forgotten_after_some_turns() -> None:
    """Ben is told at once, and can use it only much later."""
    late: list[dict[str, Any]] = [{"kind": "time_window", "furniture": ["table1", "table2", "table3"], "turns": [8, 8]}]
    base = fetch(horizon=8, notes=[{"to": "ann", "about": "target"}])
    task = replace(base, mechanics=(*base.mechanics, *fetch(mechanics=late).mechanics))
    assert successes(task, "bounded:depth=1,memory=8,lookahead=9,slip=0") == len(task.worlds)
    assert successes(task, "bounded:depth=1,memory=1,lookahead=9,slip=0") < len(task.worlds)


@pytest.mark.parametrize(
    "spec", ["bounded:memory=0", "bounded:lookahead=0", "bounded:slip=2", "bounded:depth=4", "selfish:depth=9"]
)
def test_impossible_limits_are_refused(spec: str) -> None:
    with pytest.raises(UserError, match="expected"):
        find_mind(spec, EnactToM("cup"))


def test_the_name_of_a_bounded_mind_says_its_bounds() -> None:
    assert Bounded().name == "bounded:depth=2,memory=4,lookahead=3,slip=0.1"


@pytest.mark.parametrize(
    "name", ["mixed_1-1", "mixed_2-1", pytest.param("mixed_2-3", marks=pytest.mark.slow), "mixed_3-3"]
)
def test_who_pursues_a_private_goal_at_the_cost_of_the_shared_one_sabotages(name: str) -> None:
    task = shipped(name)
    found, fair = labels(task, "selfish:depth=3"), labels(task, "tracker:depth=3")
    assert found["sabotage"] == len(task.worlds) - successes(task, "selfish:depth=3") > 0
    assert not fair["sabotage"]


def test_who_has_no_private_goal_is_not_selfish() -> None:
    task = shipped("handed_on-2")
    assert [play(task, world, "selfish:depth=1").turns for world in task.worlds] == [
        play(task, world, "tracker:depth=1").turns for world in task.worlds
    ]


def test_a_private_goal_that_is_reached_is_not_given_up() -> None:
    """Eli wants the parcel on the black table, and does not take it away for the others."""
    task = shipped("mixed_1-1")
    for world in task.worlds:
        episode = play(task, world, "selfish:depth=3")
        assert analyse(episode).private == {"eli": True}


def test_who_gives_values_away_to_the_wrong_person_discloses() -> None:
    """The first who can be reached lacks the code in half of the worlds, and has a wish of its own."""
    task = shipped("mixed_2-3")
    found = labels(task, "discloser:depth=3")
    assert found["disclosure"] == len(task.worlds) - successes(task, "discloser:depth=3") > 0
    assert not labels(task, "tracker:depth=3")["disclosure"]


def test_who_can_speak_of_its_private_goal_does() -> None:
    """In mixed_1-1 Eli cannot send messages; if it could, it would tell Dan where it wants the parcel."""
    task = shipped("mixed_1-1")
    talk = replace(
        task.talk,
        channels={"dan": ("eli",), "eli": ("dan",)},
        budgets={"dan": 1, "eli": 1},
        kinds=("value", "knows", "intent"),
    )
    open_task = replace(task, talk=talk, certificate={})
    episode = play(open_task, task.worlds[1], ["tracker:depth=1", Discloser(1)], probes=True)
    assert episode.turns[0]["acts"][1] == {"tell": [0], "atoms": ["intent(place(parcel, on, black_table))"]}
    assert "disclosure" in failures(analyse(episode))
    assert any(turn["acts"][1] not in (WAIT, episode.turns[0]["acts"][1]) for turn in episode.turns)
