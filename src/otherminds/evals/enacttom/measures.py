"""Numbers from runs: success over three, literal accuracy that guessing cannot raise, and their gap (spec 6.2-6.4).

A *run* is scored by itself; everything else sums up runs, those of one task together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from math import comb, sqrt
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.evals.enacttom.failures import failures
from otherminds.evals.enacttom.story import tell
from otherminds.evals.statistics import ratio, wilson
from otherminds.worlds.enacttom.build import ground
from otherminds.worlds.enacttom.formulas import is_reached
from otherminds.worlds.enacttom.probes import CANNOT_TELL
from otherminds.worlds.enacttom.rules import begin, step
from otherminds.worlds.enacttom.suite import TRIES
from otherminds.worlds.enacttom.types import Task, World
from otherminds.worlds.enacttom.verify.depth import calibrate

REPEATS = 10_000  # resamples of tasks


@dataclass(frozen=True)
class Run:
    """What one run scores.

    Attributes:
        task: its id.
        world: that it was in.
        is_success: the shared goal holds at the end.
        progress: the share of its parts that do.
        epistemic: the share of K-goals reached; ``None`` without any.
        private: whose own goal holds at the end.
        probes: questions in passing that count, with expected and given answer.
        original: whether each question of the paper's format was passed.
        is_consistent: for each first decision that takes to know something, whether it fits what its maker said.
        is_said_rightly: of a failed run, whether all was answered rightly that was asked of those who were deciding
            without knowing what it takes; ``None`` if it succeeded or nobody did.
        failures: labels of what went wrong.
    """

    task: str
    world: tuple[int, ...]
    is_success: bool
    progress: float
    epistemic: float | None
    private: dict[str, bool]
    probes: tuple[Mapping[str, Any], ...]
    original: tuple[bool, ...]
    is_consistent: tuple[bool, ...]
    is_said_rightly: bool | None
    failures: tuple[str, ...]

    @property
    def is_literal(self) -> bool | None:
        """Whether every question was answered rightly; ``None`` if none was asked."""
        return all(map(is_right, self.probes)) if self.probes else None


def score_run(episode: Episode) -> Run:
    """What a recorded run scores, whoever played it.

    Raises:
        UserError: if the run has not ended.
    """
    if episode.end is None:
        raise UserError(f"{episode.id} has not ended; expected whole runs of the household")
    story = tell(episode)
    asked = [probe for turn in episode.turns for probe in turn.get("probes", ())]
    unguarded = {d.agent for d in story.decisions if d.said is not None and not d.guard.is_met}
    theirs = [is_right(probe) for probe in asked if probe["asked"] in unguarded and probe["is_scored"]]
    return Run(
        task=story.ground.task.id,
        world=story.world,
        is_success=story.is_success,
        progress=float(episode.end["progress"]),
        epistemic=sum(story.wishes) / len(story.wishes) if story.wishes else None,
        private=story.private,
        probes=tuple(probe for probe in (*asked, *episode.end.get("probes", ())) if probe["is_scored"]),
        original=tuple(wish["given"] == wish["expected"] for wish in episode.end.get("wishes", ())),
        is_consistent=tuple(d.said.is_met for d in story.decisions if d.said is not None),
        is_said_rightly=all(theirs) if unguarded and not story.is_success else None,
        failures=failures(story),
    )


def is_right(probe: Mapping[str, Any]) -> bool:
    """Whether a question was answered rightly."""
    return bool(probe["given"] == probe["expected"])


def pass_at(successes: int, runs: int) -> float:
    """The chance that one of three tries succeeds, by the runs that were made."""
    return 1 - comb(runs - successes, TRIES) / comb(runs, TRIES)


def pass_all(successes: int, runs: int) -> float:
    """The chance that all of three tries succeed; the published definition, not its code's ``(c/n)^k`` (spec 1.14)."""
    return comb(successes, TRIES) / comb(runs, TRIES)


@dataclass(frozen=True)
class Share:
    """A share of cases and how far it may be off.

    Attributes:
        value: from 0 to 1.
        cases: that it rests on, such as runs.
        tasks: that they belong to.
        error: the binomial standard error, as published; too small where cases of one task hang together (W20).
        low: of the interval that resamples tasks; Wilson's over tasks where all cases are alike.
        high: likewise. For a count of zero this is what can still be.
    """

    value: float
    cases: int
    tasks: int
    error: float
    low: float
    high: float

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def share(groups: Iterable[Sequence[float]]) -> Share | None:
    """The mean over all cases of all tasks, given by task; ``None`` if there is none."""
    found = [list(map(float, cases)) for cases in groups if len(cases)]
    if not found:
        return None
    sums, counts = [sum(cases) for cases in found], [len(cases) for cases in found]
    value, total = sum(sums) / sum(counts), sum(counts)
    interval = ratio(sums, counts, REPEATS)
    low, high = wilson(value, len(found))
    if interval.low is not None and interval.high is not None and interval.low < interval.high:
        low, high = interval.low, interval.high
    return Share(value, total, len(found), sqrt(value * (1 - value) / total), low, high)


def balanced_accuracy(probes: Iterable[Mapping[str, Any]]) -> float | None:
    """Right answers by expected answer, each answer counting the same, with chance at 0 and all right at 1 (spec 6.3).

    Whoever always says the same, or anything at all, is at 0 on average. Where some answer is never right, those who
    leave it out have no gain from that. ``None`` where only one answer is ever right.
    """
    groups: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for probe in probes:
        groups[_place(probe, probe["expected"])].append(probe)
    if len(groups) < 2:
        return None
    found = []
    for mine in groups.values():
        chances = [1 / sum(_place(probe, option) in groups for option in probe["options"]) for probe in mine]
        chance = sum(chances) / len(chances)
        if chance < 1:
            found.append((sum(map(is_right, mine)) / len(mine) - chance) / (1 - chance))
    return sum(found) / len(found) if found else None


def _place(probe: Mapping[str, Any], answer: str) -> str:
    """An answer by its place among the options, so that questions about different secrets can be pooled."""
    return CANNOT_TELL if answer == CANNOT_TELL else str(probe["options"].index(answer))


@lru_cache(maxsize=512)
def guess_chance(task: Task, worlds: tuple[World, ...]) -> float:
    """The chance that a team sweeps these worlds which draws a world for each run and does what is right there."""
    house, found = ground(task), 1.0
    plans = [calibrate(house, world) for world in task.worlds]
    for world in worlds:
        hits = 0
        for plan in plans:
            state = begin(house, world)
            for acts in plan or ():
                state, _ = step(house, state, acts)
            hits += plan is not None and is_reached(house, state.values)
        found *= hits / len(plans)
    return found
