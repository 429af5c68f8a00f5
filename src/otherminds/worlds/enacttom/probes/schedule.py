"""Chooses the probes of an episode: before a person's first decisive act, and at the end (spec 6.3).

Expected answers are balanced, with as many *yes* as *no* and *cannot tell*, so that a constant answer scores poorly.
The person who makes a decision is always asked for the knowledge that the decision requires.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.ledger import Labeller
from otherminds.worlds.enacttom.messages import Act
from otherminds.worlds.enacttom.observe import Percept, opening
from otherminds.worlds.enacttom.probes.decisive_acts import guard_probes, is_decisive
from otherminds.worlds.enacttom.probes.questions import (
    CANNOT_TELL,
    NO,
    YES,
    ProbeQuestion,
    answer,
    askable,
    candidates,
    goal_probes,
    options,
)
from otherminds.worlds.enacttom.rules import State, TurnResult
from otherminds.worlds.enacttom.seat_view import SeatView
from otherminds.worlds.enacttom.types import World

_KNOWS = (YES, NO, CANNOT_TELL)


class PosedQuestion(NamedTuple):
    """A question that is asked of a seat.

    K-goals are asked for as in the paper (spec 1.13): a seat that is to know a value is asked for it, and a seat that
    is to know what another knows predicts the other's own answer.
    """

    probe: ProbeQuestion
    expected: str  # the right answer now
    notes: Mapping[str, Any]  # further fields of the record
    other: ProbeQuestion | None = None  # if given, the answer to this probe is the right one instead


@dataclass
class Asking:
    """Follows an episode, chooses the questions, and knows their right answers.

    Args:
        ground: the task.
        world: the world that the episode is in.
        seed: the seed for choosing questions.
    """

    ground: Ground
    world: World
    seed: int = 0
    _tally: Counter[str] = field(default_factory=Counter)  # how often each answer was expected so far
    _decided: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        ground, world = self.ground, self.world
        self.labels = Labeller(ground, world)
        self.views = [SeatView(ground, who, *opening(ground, world, who)) for who in range(len(ground.task.people))]
        place = ".".join(map(str, world))
        self._draw = Draw(self.seed, f"enacttom/probes/{ground.task.id}/{place}")

    def decide(self, state: State, acts: Sequence[Act]) -> list[PosedQuestion]:
        """Questions for the people whose acts are their first decisive ones; ``acts`` are not carried out yet."""
        questions: list[PosedQuestion] = []
        for who, act in enumerate(acts):
            if who in self._decided or not is_decisive(self.ground, state, who, act):
                continue
            self._decided.add(who)
            needed = guard_probes(self.ground, self.world, state, who, act)
            more = self._chosen({probe: self.truth(probe) for probe in candidates(self.ground, who)}, needed)
            questions += [self._question(probe, probe in needed) for probe in (*needed, *more)]
        return questions

    def follow(self, state: State, outcome: TurnResult, percepts: Sequence[Percept]) -> None:
        """Take in a turn."""
        self.labels.follow(state, outcome)
        for view, act, percept in zip(self.views, outcome.acts, percepts, strict=True):
            view.follow(act, percept)

    def end(self) -> list[PosedQuestion]:
        """Questions for everybody at the end of the episode."""
        every = [probe for who in range(len(self.views)) for probe in candidates(self.ground, who)]
        chosen = self._chosen({probe: self.truth(probe) for probe in every}, is_end=True)
        return [self._question(probe) for probe in chosen]

    def goals(self) -> list[PosedQuestion]:
        """A question for each K-goal that applies; the record says whether the goal is reached."""
        task, questions = self.ground.task, []
        for wish in task.wishes:
            if task.applies(wish, self.world):
                chain, secret = task.numbers(wish.chain), task.secret(wish.about)
                probe, other = goal_probes(chain, secret)
                notes = {"is_reached": self.labels.knows(chain, secret)}
                questions.append(PosedQuestion(probe, task.value(self.world, wish.about), notes, other))
        return questions

    def truth(self, probe: ProbeQuestion) -> str:
        """The right answer to a probe now."""
        return answer(self.views[probe.asked], probe, self.labels.ledger)

    def _question(self, probe: ProbeQuestion, is_needed: bool = False) -> PosedQuestion:
        notes = {
            "options": list(options(self.ground.task, probe)),
            "is_needed": is_needed,  # for the decision
            "is_scored": probe.secret in askable(self.ground),
        }
        return PosedQuestion(probe, self.truth(probe), notes)

    def _chosen(
        self, truths: Mapping[ProbeQuestion, str], needed: Iterable[ProbeQuestion] = (), is_end: bool = False
    ) -> list[ProbeQuestion]:
        """Questions that balance the expected answers; those that are needed anyway count too."""
        taken = [probe for probe in needed if probe in truths]
        left = {probe: truth for probe, truth in truths.items() if probe not in taken}
        self._count(truths, taken)
        goal = max(1, *(self._tally[expected] for expected in _KNOWS))
        chosen: list[ProbeQuestion] = []
        for expected in _KNOWS:
            fitting = [probe for probe, truth in left.items() if probe.kind == "knows" and truth == expected]
            chosen += self._draw.some(fitting, min(len(fitting), goal - self._tally[expected]))
        answerable = [probe for probe, truth in left.items() if probe.kind != "knows" and truth != CANNOT_TELL]
        chosen += self._draw.some(answerable, min(len(answerable), 1))
        self._count(truths, chosen)
        return chosen + (self._dark(left) if is_end else [])

    def _count(self, truths: Mapping[ProbeQuestion, str], probes: Iterable[ProbeQuestion]) -> None:
        for probe in probes:
            is_told = truths[probe] != CANNOT_TELL
            self._tally[truths[probe] if probe.kind == "knows" else "told" if is_told else "dark"] += 1

    def _dark(self, left: Mapping[ProbeQuestion, str]) -> list[ProbeQuestion]:
        """Questions about values that a person cannot know: as frequent, over all worlds, as each single value."""
        dark = [probe for probe, truth in left.items() if probe.kind != "knows" and truth == CANNOT_TELL]
        if not dark:
            return []
        values = self.ground.task.secrets[self._draw.pick(dark).secret].values
        wanted = max(self._tally["told"], 1) / len(values) - self._tally["dark"]
        number = max(0, int(wanted) + self._draw.happens(wanted % 1))
        return self._draw.some(dark, min(len(dark), number))
