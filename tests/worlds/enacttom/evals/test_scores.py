"""Minds over tasks: which worlds are played, who passes what, and how far guessing goes."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest

from otherminds.core.episodes import Episode, recorded_in
from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.evals.measures import guess_chance
from otherminds.worlds.enacttom.evals.scores import literal_accuracy, raw_gap, score_records, shares
from otherminds.worlds.enacttom.minds import oracle
from otherminds.worlds.enacttom.probes.questions import CANNOT_TELL, ProbeQuestion, answer, depth
from otherminds.worlds.enacttom.tasks import suite
from otherminds.worlds.enacttom.tasks.read import find_task, read_task, task_names
from otherminds.worlds.enacttom.tasks.suite import Entry, contrast_of, enter, items_of
from otherminds.worlds.enacttom.types import Task, World
from otherminds.worlds.enacttom.verify.certify import certificate_content, certify
from tests.worlds.enacttom.evals.making import run_minds, score_tasks
from tests.worlds.enacttom.houses import chain, fetch, letter, memo
from tests.worlds.enacttom.playing import play

pytest.importorskip("clingo")
CASES: dict[str, tuple[Callable[[], Task], int]] = {
    "fetch": (fetch, 1),
    "memo": (memo, 2),
    "chain": (chain, 3),
    "letter": (letter, 3),
}
NAMES = ["fetch", "memo", "chain", pytest.param("letter", marks=pytest.mark.slow)]


@lru_cache(maxsize=8)
def certified(name: str) -> Task:
    task = CASES[name][0]()
    return replace(task, certificate=certificate_content(certify(task)))


def entered(name: str) -> Entry:
    return enter(certified(name))


@pytest.mark.parametrize(
    "name", ["fetch", "chain", *(pytest.param(name, marks=pytest.mark.slow) for name in ("memo", "letter"))]
)
def test_trackers_step_at_the_depth_of_the_task(name: str) -> None:
    """Required test 10: a sweep is passed by who looks deep enough, and nothing within its depth is said wrongly."""
    entry, depth = entered(name), CASES[name][1]
    assert entry.proof.depth == depth
    for deep in range(4):
        tasks = score_tasks([entry], run_minds(entry, f"tracker:depth={deep}"))
        assert tasks[0].has_swept == (deep >= depth)
        by_depth = literal_accuracy(tasks)["by_depth"]
        assert all(right == 1 for order, right in by_depth.items() if order <= deep)


class Saying(oracle.Oracle):
    """Acts like the oracle, and says what a tracker of some depth would."""

    def __init__(self, deep: int) -> None:
        self.deep = deep

    def report(self, probe: ProbeQuestion) -> str:
        return answer(self._view, probe) if depth(probe) <= self.deep else CANNOT_TELL


def schedule(entry: Entry, seed: int = 0) -> list[tuple[World, int]]:
    """World and seed of each episode."""
    return [(item.data.world, item.data.seed(seed)) for item in items_of(entry, seed=seed)]


@pytest.mark.parametrize("name", NAMES)
def test_literal_accuracy_grows_with_depth(name: str) -> None:
    """Required test 10, in runs that are the same but for what is said: else other questions would be compared."""
    entry, accuracies = entered(name), []
    for deep in range(4):
        played = [
            play(entry.task, world, [Saying(deep) for _ in entry.task.people], seed, probes=True)
            for world, seed in schedule(entry)
        ]
        by_depth = literal_accuracy(score_tasks([entry], {entry.task.id: played}))["by_depth"]
        accuracies.append(sum(by_depth.values()) / len(by_depth))
    assert accuracies == sorted(accuracies)
    assert accuracies[0] < accuracies[-1] == 1


@pytest.mark.parametrize("name", NAMES)
def test_the_decoupled_have_the_widest_gap(name: str) -> None:
    entry = entered(name)
    found = {team: shares(score_tasks([entry], run_minds(entry, team))) for team in ("decoupled", "greedy")}
    literal, gap = found["decoupled"]["literal"], found["decoupled"]["conditional_gap"]
    assert literal is not None
    assert literal.value == 1
    assert gap is None or gap.value == 1
    for measure in ("functional", "functional^3", "sweep"):
        assert found["decoupled"][measure] == found["greedy"][measure]
    assert (raw_gap(found["decoupled"]) or 0) >= (raw_gap(found["greedy"]) or 0)


@pytest.mark.parametrize("name", NAMES)
def test_the_oracle_does_and_says_everything_rightly_and_acts_on_what_it_says(name: str) -> None:
    entry = entered(name)
    tasks = score_tasks([entry], run_minds(entry, "oracle"))
    found = shares(tasks)
    for measure in ("functional", "functional^3", "sweep", "literal", "literal^3", "consistency"):
        one = found[measure]
        assert one is None or one.value == 1
    assert all("guess" not in labels for labels in tasks[0].failures)


def test_runs_go_through_the_contrast_worlds_in_a_drawn_order() -> None:
    entry = entered("fetch")
    assert len(entry.worlds) == 2
    first = [world for world, _ in schedule(entry)]
    assert sorted(first[:2]) == sorted(entry.worlds)
    assert first[2] == first[0]
    assert len(schedule(entered("memo"))) == len(entered("memo").worlds) > 3
    assert len({seed for _, seed in schedule(entry)}) == 3
    assert schedule(entry, seed=1) != schedule(entry) == schedule(entry)


def test_a_task_that_carries_its_proof_is_not_proved_again(monkeypatch: pytest.MonkeyPatch) -> None:
    task = certified("fetch")
    monkeypatch.setattr(suite, "certify", None)
    monkeypatch.setattr(oracle, "Search", None)
    entry = enter(task)
    assert entry.worlds == entered("fetch").worlds
    tasks = score_tasks([entry], run_minds(entry, "tracker:depth=1"))
    assert tasks[0].has_swept
    with pytest.raises(TypeError):  # of a task that was changed since, the proof must be looked for
        enter(replace(task, horizon=6))


def test_a_task_without_depth_is_played_in_all_its_worlds() -> None:
    entry = entered("fetch")
    assert contrast_of(entry.task, replace(entry.proof, contrast=(), contrast_plain=())) == entry.task.worlds


def test_the_chance_of_guessing_is_that_of_all_worlds_together() -> None:
    assert guess_chance(fetch(), ((0,), (1,))) == pytest.approx((1 / 3) ** 2)
    assert guess_chance(fetch(values=5), ((0,),)) == pytest.approx(1 / 5)
    assert guess_chance(memo(), memo().worlds) < 1e-4


def test_recorded_runs_score_the_same(tmp_path: Path) -> None:
    entry = entered("fetch")
    played = run_minds(entry, "greedy", tmp_path)
    [path] = tmp_path.iterdir()
    again = score_records(recorded_in(path).values())
    assert shares(again["greedy"]) == shares(score_tasks([entry], played))
    assert again["greedy"][0].entry.proof.depth == 1
    assert again["greedy"][0].entry.worlds == entry.worlds


def test_records_give_no_sweep_of_worlds_that_were_not_played() -> None:
    """Runs by hand name no contrast worlds: all worlds count."""
    task = fetch()
    first, *rest = [_by_hand(task, world) for world in task.worlds]
    assert [_swept(first), _swept(first, first), _swept(first, *rest)] == [None, None, True]
    failed = [_by_hand(task, world, "random") for world in task.worlds[1:]]
    assert _swept(first, first, *failed) is False  # two successes in one world, and none in the others


def _by_hand(task: Task, world: tuple[int, ...], player: str = "oracle") -> Episode:
    return play(task, world, player)


def _swept(*episodes: Episode) -> bool | None:
    noted = [replace(one, notes={"team": "ours", "run": run}) for run, one in enumerate(episodes)]
    ((scored,),) = score_records(noted).values()
    return scored.has_swept


def test_a_run_cut_short_is_played_again_and_the_rest_is_not(tmp_path: Path) -> None:
    entry = entered("fetch")
    whole = run_minds(entry, "random", tmp_path / "whole")
    [path] = (tmp_path / "whole").iterdir()
    lines = path.read_bytes().splitlines(keepends=True)
    (tmp_path / "cut").mkdir()
    (tmp_path / "cut" / path.name).write_bytes(b"".join(lines[: len(lines) // 2]))
    assert run_minds(entry, "random", tmp_path / "cut") == whole


def test_records_of_another_task_are_not_taken_for_this_one(tmp_path: Path) -> None:
    entry = entered("fetch")
    run_minds(entry, "random", tmp_path)
    other = Entry(fetch(horizon=6), entry.proof, entry.worlds)
    with pytest.raises(UserError, match="already has an episode"):
        run_minds(other, "random", tmp_path)


@pytest.mark.slow
def test_the_pattern_holds_on_the_tasks_that_are_shipped() -> None:
    """Required test 10: who looks deep enough sweeps, and nobody else; the decoupled say what they do not do."""
    entries = [enter(read_task(find_task(name))) for name in task_names()]
    for deep in (1, 2, 3):
        for one in score_tasks(entries, run_minds(entries, f"tracker:depth={deep}")):
            assert one.has_swept == (deep >= (one.entry.proof.depth or 0)), one.entry.task.id
    said, done = (score_tasks(entries, run_minds(entries, team)) for team in ("decoupled", "greedy"))
    assert all(run.is_literal for one in said for run in one.headline)
    assert [one.is_success for task in said for one in task.runs] == [
        one.is_success for task in done for one in task.runs
    ]
    deeper = [entry for entry in entries if (entry.proof.depth or 0) >= 2]
    for team in ("greedy", "random"):
        swept = [
            all(episode.end and episode.end["success"] for episode in episodes[: len(entry.worlds)])
            for seed in range(5)
            for entry, episodes in zip(deeper, run_minds(deeper, team, seed=seed).values(), strict=True)
        ]
        assert sum(swept) <= 0.05 * len(swept)
