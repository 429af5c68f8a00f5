"""A recorded episode replayed, with what everybody knew at every turn, the grounds of each decision, and its scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.summary import probes_of
from otherminds.worlds.enacttom.evals.requirements import Known, Knows, is_backed
from otherminds.worlds.enacttom.formulas import holds, is_reached
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.ledger import Labeller
from otherminds.worlds.enacttom.messages import Act, Message
from otherminds.worlds.enacttom.observe import opening, perceive_all
from otherminds.worlds.enacttom.probes.decisive_acts import Answers, Guard, guard, is_decisive, stakes_by_name
from otherminds.worlds.enacttom.probes.questions import answer
from otherminds.worlds.enacttom.record import play_again, probe_of
from otherminds.worlds.enacttom.rules import State, TurnResult
from otherminds.worlds.enacttom.seat_view import SeatView
from otherminds.worlds.enacttom.types import World


@dataclass(frozen=True)
class Decision:
    """An act by which a person committed itself.

    Attributes:
        agent: the person.
        turn: counted from 1.
        act: the act.
        guard: whether the person knew what the act requires.
        said: the same, by its answers to probes; ``None`` if it was not asked, or the act requires no knowledge.
        is_wrong: whether the goal cannot hold after it in this world.
        is_backed: whether others were known to know how to repair what it breaks (of an act that is not wrong).
    """

    agent: int
    turn: int
    act: Act
    guard: Guard
    said: Guard | None
    is_wrong: bool
    is_backed: bool


@dataclass(frozen=True)
class Step:
    """A turn.

    Attributes:
        before: state at its start.
        outcome: acts and their results.
        after: state at its end.
        known: pairs of a person and a secret that it knew at the start.
        aware: of whom anybody knew at the start that they knew a secret.
        seen: variables as each person last saw them.
        decisions: made in this turn.
    """

    before: State
    outcome: TurnResult
    after: State
    known: frozenset[tuple[int, int]]
    aware: frozenset[Known]
    seen: tuple[Mapping[int, int], ...]
    decisions: tuple[Decision, ...]


@dataclass(frozen=True)
class EpisodeAnalysis:
    """A whole episode. ``wishes`` are the outcomes of K-goals.

    ``known`` is who knew which secret at the end, ``knows`` whether a chain of people did.
    """

    episode: Episode
    ground: Ground
    world: World
    steps: tuple[Step, ...]
    known: frozenset[tuple[int, int]]
    knows: Knows
    wishes: tuple[bool, ...]

    @property
    def end(self) -> State:
        """The final state."""
        return self.steps[-1].after

    @property
    def is_success(self) -> bool:
        """Whether the shared goal was reached."""
        return is_reached(self.ground, self.end.values)

    @property
    def private(self) -> dict[str, bool]:
        """Whether each private goal holds at the end."""
        return {who: holds(self.ground, goal, self.end.values) for who, goal in self.ground.task.private.items()}

    @property
    def messages(self) -> list[tuple[Step, Message]]:
        """All messages that were sent, with their turns."""
        return [(step, message) for step in self.steps for message in step.outcome.messages]

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The decisions of all turns."""
        return tuple(decision for step in self.steps for decision in step.decisions)

    @property
    def probes(self) -> list[dict[str, Any]]:
        """The scored probes, with expected and given answer."""
        return [probe for probe in probes_of(self.episode) if probe["is_scored"]]

    @property
    def is_literal(self) -> bool | None:
        """Whether every probe was answered rightly; ``None`` without any."""
        return all(map(is_right, self.probes)) if self.probes else None

    @property
    def original(self) -> list[bool]:
        """Whether each probe in the paper's format was passed."""
        return [is_right(wish) for wish in (self.episode.end or {}).get("wishes", ())]

    @property
    def is_consistent(self) -> list[bool]:
        """For each decision that requires knowledge, whether it fits what the person said."""
        return [decision.said.is_met for decision in self.decisions if decision.said is not None]

    @property
    def is_said_rightly(self) -> bool | None:
        """Of a failed episode, whether persons who decided without the required knowledge answered all probes rightly.

        ``None`` if it succeeded or nobody did so.
        """
        unguarded = {d.agent for d in self.decisions if d.said is not None and not d.guard.is_met}
        if self.is_success or not unguarded:
            return None
        early = [probe for turn in self.episode.turns for probe in turn.get("probes", ())]
        return all(is_right(probe) for probe in early if probe["asked"] in unguarded and probe["is_scored"])


def is_right(probe: Mapping[str, Any]) -> bool:
    """Whether a probe was answered rightly."""
    return bool(probe["given"] == probe["expected"])


def analyse(episode: Episode) -> EpisodeAnalysis:
    """The analysis of a recorded episode.

    Raises:
        UserError: if the episode has not ended, or the record does not follow from the rules.
    """
    if episode.end is None:
        raise UserError(f"{episode.id} has not ended; expected finished episodes")
    played = play_again(episode)
    ground, world = played.params.ground, played.params.world
    task, people = ground.task, range(len(ground.task.people))
    labels, views = Labeller(ground, world), [SeatView(ground, i, *opening(ground, world, i)) for i in people]
    steps: list[Step] = []
    for before, moment in zip(played.states, played.states[1:], strict=False):
        outcome = moment.outcome
        assert outcome is not None  # only the first has none
        seen = tuple(map(_house, views))
        probes = moment.line.get("probes", ())
        decisions = [
            _decision(ground, world, before.state, i, act, views[i], seen[i], probes)
            for i, act in enumerate(outcome.acts)
            if is_decisive(ground, before.state, i, act)
        ]
        known, aware = _known(views, world), _aware(labels, len(task.people), len(world))
        steps.append(Step(before.state, outcome, moment.state, known, aware, seen, tuple(decisions)))
        labels.follow(moment.state, outcome)
        percepts = perceive_all(ground, before.state, moment.state, outcome)
        for view, act, percept in zip(views, outcome.acts, percepts, strict=True):
            view.follow(act, percept)
    wishes = tuple(
        labels.knows(task.numbers(wish.chain), task.secret(wish.about))
        for wish in task.wishes
        if task.applies(wish, world)
    )
    return EpisodeAnalysis(episode, ground, world, tuple(steps), _known(views, world), labels.knows, wishes)


def _decision(
    ground: Ground,
    world: World,
    state: State,
    agent: int,
    act: Act,
    view: SeatView,
    seen: Mapping[int, int],
    probes: Iterable[Mapping[str, Any]],
) -> Decision:
    stake = stakes_by_name(ground)[agent].get(act) if isinstance(act, str) else None
    mine = [probe for probe in probes if probe["asked"] == agent]
    answers = {probe_of(ground.task, probe): probe["given"] for probe in mine}
    knowing = Answers(ground, agent, lambda probe: answer(view, probe))
    saying = Answers(ground, agent, lambda probe: answers.get(probe, ""))
    knew, claimed = (guard(ground, world, state, agent, act, source, seen) for source in (knowing, saying))
    is_wrong = stake is not None and ground.task.worlds.index(world) in stake.wrong
    was_asked = any(probe["is_needed"] for probe in mine)
    values = dict(enumerate(state.values))
    backed = stake is None or is_wrong or is_backed(ground, world, ground.deeds[stake.deed], values, knowing.knows)
    return Decision(agent, state.turn + 1, act, knew, claimed if was_asked else None, is_wrong, backed)


def _known(views: Sequence[SeatView], world: World) -> frozenset[tuple[int, int]]:
    return frozenset(
        (view.agent, secret)
        for view in views
        for secret, value in enumerate(world)
        if view.believes((view.agent,), secret) == value
    )


def _aware(labels: Labeller, people: int, secrets: int) -> frozenset[Known]:
    pairs = permutations(range(people), 2)
    return frozenset(
        Known(pair, secret) for pair, secret in product(pairs, range(secrets)) if labels.knows(pair, secret)
    )


def _house(view: SeatView) -> dict[int, int]:
    """Variables as a person last saw them."""
    return {e.fact: e.value for e in view.ledger.events if isinstance(e.fact, int) and e.is_believed}
