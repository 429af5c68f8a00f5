"""Who passes what: teams that look deep enough, and teams that do not."""

import pytest

from otherminds.core.errors import UserError
from otherminds.core.match import play_one
from otherminds.minds.find import find_mind
from otherminds.worlds.enacttom.evals.episode_analysis import analyse
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.minds import oracle
from otherminds.worlds.enacttom.minds.planning.joint import Planner
from otherminds.worlds.enacttom.minds.planning.knowledge import knowledge
from otherminds.worlds.enacttom.rules import WAIT
from otherminds.worlds.enacttom.types import Task
from otherminds.worlds.enacttom.world import EnactToM
from tests.worlds.enacttom.evals.making import ANN, BEN, Told, says
from tests.worlds.enacttom.houses import chain, fetch, letter, memo
from tests.worlds.enacttom.playing import opened, play, seated

DEPTHS = [
    pytest.param(fetch(), 1, id="fetch"),
    pytest.param(memo(), 2, id="memo"),
    pytest.param(chain(), 3, id="chain"),
    pytest.param(letter(), 3, id="letter", marks=pytest.mark.slow),
]


def passed(task: Task, team: str, seed: int = 0) -> list[bool]:
    """In which worlds one mind in all seats reaches the goal."""
    return [bool((play(task, world, team, seed).end or {})["success"]) for world in task.worlds]


@pytest.mark.parametrize(("task", "depth"), DEPTHS)
def test_who_looks_deep_enough_passes_every_world_and_who_does_not_fails_one(task: Task, depth: int) -> None:
    assert all(passed(task, "oracle"))
    for deep in range(4):
        assert all(passed(task, f"tracker:depth={deep}")) == (deep >= depth)


@pytest.mark.parametrize(("task", "depth"), DEPTHS)
@pytest.mark.parametrize("team", ["greedy", "random"])
def test_who_has_no_theory_of_mind_passes_no_sweep(task: Task, depth: int, team: str) -> None:
    sweeps = [all(passed(task, team, seed)) for seed in range(8)]
    assert sum(sweeps) <= (8 if depth == 1 and team == "greedy" else 1)


def test_the_greedy_do_the_easy_ones() -> None:
    rates = [passed(fetch(), "greedy", seed) for seed in range(12)]
    assert sum(map(sum, rates)) >= 12  # far above who does anything at all
    assert sum(sum(passed(fetch(), "random", seed)) for seed in range(12)) <= 3


def test_what_cannot_be_done_everywhere_is_done_where_it_can() -> None:
    house = ground(chain())
    knows = knowledge(house, 2)
    worlds = Planner(knows, {world: knows.begin(world) for world in house.task.worlds}).plan().solved
    assert 0 < len(worlds) < len(house.task.worlds)
    done = [
        world for world, is_done in zip(house.task.worlds, passed(chain(), "tracker:depth=2"), strict=True) if is_done
    ]
    assert worlds <= set(done)


@pytest.mark.parametrize("late", [0, 1, 2])
@pytest.mark.parametrize("mind", ["oracle", "tracker:depth=1"])
def test_who_is_told_later_than_foreseen_still_does_its_part(
    monkeypatch: pytest.MonkeyPatch, late: int, mind: str
) -> None:
    """Ann should speak in turn 2. Ben does not give up when she does so later, nor act before he knows."""
    task = fetch(horizon=6, id=f"late{late}")
    tells = [says(ANN, BEN, "value", "target", table) for table in task.secrets[0].values]
    policy = tuple(
        (("navigate(study)", "pick(cup)"), (tells[at], "navigate(kitchen)"), (WAIT, f"place(cup, on, table{at + 1})"))
        for at in range(3)
    )
    monkeypatch.setattr(oracle, "best_policy", lambda *_: (policy, task.worlds))
    for world in task.worlds:
        ann = Told(["navigate(study)", *[WAIT] * late, tells[world[0]]])
        episode = play(task, world, [ann, mind])
        placed = [turn["turn"] for turn in episode.turns if turn["acts"][1].startswith("place(")]
        assert (placed, (episode.end or {})["success"]) == ([3 + late], True)
    episode = play(task, (0,), [Told([]), mind])
    assert not any(turn["acts"][1].startswith("place(") for turn in episode.turns)


@pytest.mark.parametrize("mind", ["oracle", "tracker:depth=3"])
@pytest.mark.parametrize("task", [fetch(), memo(), chain(horizon=3)], ids=lambda task: str(task.id))
def test_whoever_the_partner_is_nobody_commits_itself_in_hope(task: Task, mind: str) -> None:
    """One person does anything at all, lies included; the others may fail, but by their own lights never guess."""
    for number, world in enumerate(task.worlds):
        odd = number % len(task.people)
        seats = ["random" if who == odd else mind for who in range(len(task.people))]
        episode = play(task, world, seats, seed=number)
        assert all(made.guard.is_met for made in analyse(episode).decisions if made.agent != odd)


def test_a_run_is_recorded() -> None:
    episode = play(fetch(), (1,), "oracle")
    assert list(episode.minds.values()) == ["oracle", "oracle"]
    assert len(episode.turns) == 5
    told = [act for turn in episode.turns for act in turn["acts"] if isinstance(act, dict)]
    assert told == [{"tell": [1], "atoms": ["value(target, table2)"]}]


@pytest.mark.parametrize("spec", ["wizard", "tracker:deep=2", "tracker:depth=x", "greedy:a=1"])
def test_who_is_not_there_cannot_play(spec: str) -> None:
    with pytest.raises(UserError):
        find_mind(spec, EnactToM(fetch()))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("tracker:depth=9", "option 'depth' of mind 'tracker' is 9; expected 0 to 3"),
        ("bounded:depth=9", "option 'depth' of mind 'bounded' is 9"),
        ("bounded:slip=2", "option 'slip' of mind 'bounded' is 2; expected a probability from 0 to 1"),
        ("bounded:memory=0", "option 'memory' of mind 'bounded' is 0; expected at least 1 turn"),
    ],
)
def test_an_option_out_of_range_is_named_with_its_mind(spec: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        find_mind(spec, EnactToM(fetch()))


def test_a_house_is_filled_by_as_many_as_live_there() -> None:
    with pytest.raises(UserError, match="seat 'ben' has no mind"):
        play_one(opened(fetch(), (0,)), seated(fetch(), ["random"]))
    with pytest.raises(UserError, match="no world"):
        play(fetch(), (9,), "random")
