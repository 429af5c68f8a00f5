"""What minds answer when they are asked in passing, and that the questions favour nobody."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import pytest

from otherminds.core.episodes import Episode
from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.evals.episode_analysis import is_right
from otherminds.worlds.enacttom.evals.measures import balanced_accuracy
from otherminds.worlds.enacttom.probes.questions import CANNOT_TELL, NO, YES
from otherminds.worlds.enacttom.types import Task
from tests.worlds.enacttom.houses import chain, fetch, memo
from tests.worlds.enacttom.playing import play

pytest.importorskip("clingo")
TASKS = [pytest.param(task, id=task.id) for task in (fetch(), memo(), chain())]
TEAMS = ("oracle", "tracker:depth=2", "greedy", "decoupled", "random")


@lru_cache(maxsize=64)
def runs(task: Task, team: str, seeds: int = 2, has_probes: bool = True) -> list[Episode]:
    return [play(task, world, team, seed, probes=has_probes) for seed in range(seeds) for world in task.worlds]


def probes(episodes: list[Episode]) -> list[Mapping[str, Any]]:
    found = [probe for episode in episodes for turn in episode.turns for probe in turn.get("probes", ())]
    return found + [probe for episode in episodes for probe in (episode.end or {})["probes"]]


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("deep", [0, 1, 2, 3])
def test_a_tracker_is_right_to_its_depth_and_cannot_tell_beyond(task: Task, deep: int) -> None:
    asked = probes(runs(task, f"tracker:depth={deep}"))
    assert asked
    for probe in asked:
        if 1 + len(probe["chain"]) <= deep:
            assert is_right(probe)
        else:
            assert probe["given"] == CANNOT_TELL


@pytest.mark.parametrize("task", TASKS)
def test_the_decoupled_say_everything_rightly_and_act_as_the_greedy_do(task: Task) -> None:
    said, done = runs(task, "decoupled"), runs(task, "greedy")
    assert all(map(is_right, probes(said)))
    assert not all(map(is_right, probes(done)))
    assert [[turn["acts"] for turn in one.turns] for one in said] == [
        [turn["acts"] for turn in one.turns] for one in done
    ]


def test_the_greedy_know_their_own_values_and_take_all_others_to_know_them() -> None:
    asked = probes(runs(memo(), "greedy"))
    for probe in asked:
        if probe["kind"] == "value":
            assert is_right(probe)
        elif probe["kind"] == "knows":
            assert probe["given"] in (YES, NO)
    assert any(probe["given"] == YES and probe["expected"] == NO for probe in asked)


@pytest.mark.parametrize("team", TEAMS)
def test_being_asked_changes_nothing(team: str) -> None:
    with_probes, without = runs(memo(), team), runs(memo(), team, has_probes=False)
    assert [[turn["acts"] for turn in one.turns] for one in with_probes] == [
        [turn["acts"] for turn in one.turns] for one in without
    ]
    assert not any("probes" in turn for one in without for turn in one.turns)


def test_questions_come_just_before_a_decision_and_at_the_end() -> None:
    [episode] = [one for one in runs(fetch(), "oracle", 1) if one.start["world"] == [1]]
    deciding = {turn["turn"]: turn for turn in episode.turns if "probes" in turn}
    asked = {(turn, probe["asked"]) for turn, line in deciding.items() for probe in line["probes"]}
    # Ann when she sends her only message, Ben when he puts the cup down; each once.
    spoken = next(turn["turn"] for turn in episode.turns if isinstance(turn["acts"][0], dict))
    placed = next(turn["turn"] for turn in episode.turns if str(turn["acts"][1]).startswith("place"))
    assert asked == {(spoken, 0), (placed, 1)}
    assert all(probe["moment"] == "decision" for line in deciding.values() for probe in line["probes"])
    assert {probe["moment"] for probe in (episode.end or {})["probes"]} == {"end"}
    needed = [probe for probe in deciding[placed]["probes"] if probe["is_needed"]]
    assert [(probe["kind"], probe["expected"]) for probe in needed] == [("value", "table2")]


def test_questions_are_chosen_by_the_seed() -> None:
    first, again, other = (probes([play(memo(), (0, 0, 0), "oracle", seed, probes=True)]) for seed in (0, 0, 1))
    assert first == again != other


RESPONDERS: dict[str, Callable[[Mapping[str, Any], Draw], str]] = {
    "first": lambda probe, _: str(probe["options"][0]),
    "second": lambda probe, _: str(probe["options"][1]),
    "cannot tell": lambda _, __: CANNOT_TELL,
    "anything": lambda probe, draw: str(draw.pick(probe["options"])),
}


@pytest.mark.parametrize("responder", RESPONDERS)
@pytest.mark.parametrize("task", TASKS)
def test_who_does_not_know_is_at_chance(task: Task, responder: str) -> None:
    """Required test 9: constant and random responders, over the runs of several teams."""
    draw = Draw(0, f"test/{responder}")
    asked = [dict(probe) for team in TEAMS for probe in probes(runs(task, team))]
    for probe in asked:
        probe["given"] = RESPONDERS[responder](probe, draw)
    for kinds in (("knows",), ("value", "thinks")):
        mine = [probe for probe in asked if probe["kind"] in kinds]
        found = balanced_accuracy(mine)
        assert found is not None
        is_constant = responder != "anything"
        # A constant answer is exactly at chance; drawn ones are within three standard errors of it.
        assert abs(found) < 1e-9 if is_constant else abs(found) < 3 * (len(mine) ** -0.5)


@pytest.mark.parametrize("task", TASKS)
def test_expected_answers_are_in_balance(task: Task) -> None:
    counts = Counter(probe["expected"] for probe in probes(runs(task, "oracle")) if probe["kind"] == "knows")
    assert max(counts.values()) <= 1.5 * min(counts.values())
    assert len(counts) >= 2
