"""What one person has perceived of an episode, and what follows from it about others (spec 4.5, 6.3).

A view is the ledger of an episode restricted to one person: its notes, what it saw with whom, what it was told and what
it said. Everybody knows the task, so a note that exists in all worlds still possible is known to have been read. That
a person does *not* know something follows only if it had no way to learn it: no note in a possible world, no sign where
it may have been unobserved, and nobody who may have told it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeVar

from otherminds.core.ledger import Ledger
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.ledger import Beliefs, BeliefState, Shown, believed, supposes
from otherminds.worlds.enacttom.messages import Act, Message, cost
from otherminds.worlds.enacttom.observe import Note, Percept, opening
from otherminds.worlds.enacttom.types import Task, World

People = tuple[int, ...]
T = TypeVar("T")


@dataclass(frozen=True)
class TurnSeen:
    """What a person perceived of others in a turn: who was with it, who was busy, and who spoke to it."""

    room: int
    people: People
    busy: frozenset[int]  # seen or heard to act, so that they did nothing else in that turn
    spoke: tuple[Message, ...]
    events: int  # the number of events in its ledger after the turn


class SeatView(Beliefs):
    """What a person has perceived so far.

    Args:
        ground: the task.
        agent: the number of the person.
        read: the person's notes.
        first: its percept before the first turn.

    Attributes:
        cell: the worlds that are compatible with its notes and its first percept.
        turns: what it perceived of others in each turn, the start included.
    """

    def __init__(self, ground: Ground, agent: int, read: tuple[Note, ...], first: Percept) -> None:
        super().__init__(ground)
        task = ground.task
        self.agent, self.turns = agent, list[TurnSeen]()
        self._results: dict[Any, Any] = {}  # what was worked out by what was perceived so far
        self._results_at = (0, 0)
        self.cell = tuple(world for world in task.worlds if opening(ground, world, agent) == (read, first))
        for note in task.notes:
            if note.to == task.names[agent] and task.applies(note, self.cell[0]):
                self.read(note, self.cell[0])
        self._look(first)

    def follow(self, own: Act, percept: Percept) -> None:
        """Take in a turn."""
        sent = [own] if isinstance(own, Message) and not percept.refused else []
        for message in sorted([*sent, *percept.messages], key=lambda message: message.sender):
            self.hear(message, is_judged=message.sender == self.agent)
        self._look(percept)

    def once(self, key: Any, work: Callable[[], T]) -> T:
        """The result of some work that depends on the key and on what was perceived so far; it is done once."""
        now = len(self.turns), len(self.ledger.events)
        if now != self._results_at:
            self._results, self._results_at = {}, now
        if key not in self._results:
            self._results[key] = work()
        result: T = self._results[key]
        return result

    def _look(self, percept: Percept) -> None:
        for variable, value in percept.seen:
            self.show(variable, value, (self.agent, *percept.people))
        active = [*(person for person, _ in percept.deeds), *(message.sender for message in percept.messages)]
        busy = frozenset([*active, *percept.arrived, *percept.left])
        self.turns.append(TurnSeen(percept.room, percept.people, busy, percept.messages, len(self.ledger.events)))


def about(ledger: Ledger[Shown, BeliefState], secret: int, upto: int | None = None) -> list[Shown]:
    """The events about a secret."""
    return [event for event in ledger.events[:upto] if event.variable == secret]


def is_known(events: Sequence[Shown], chain: People, secret: int) -> bool:
    """Whether the chain's first can tell that the second knows … the secret, by the events about it.

    As in the labeller, but judged by what the first can tell: nobody knows that a person knows the secret if, as far as
    the first can tell, that person does not.
    """
    if len(chain) > 2 and not is_known(events, chain[2:] if chain[2] == chain[0] else (chain[0], *chain[2:]), secret):
        return False
    return supposes(events, chain, secret)


@lru_cache(maxsize=4096)
def _cell(ground: Ground, world: World, agent: int) -> tuple[World, ...]:
    """The worlds that a person cannot distinguish from this one before the first turn."""
    opened = opening(ground, world, agent)
    return tuple(other for other in ground.task.worlds if opening(ground, other, agent) == opened)


@lru_cache(maxsize=65536)
def knows_at_first(ground: Ground, world: World, chain: People, variable: int) -> bool:
    """Whether the first knows before the first turn that the second knows … a secret or another variable.

    By the task, the notes and the first percepts alone.
    """
    cell = _cell(ground, world, chain[0])
    if len(chain) == 1:
        return len({ground.starts[other][variable] for other in cell}) == 1
    return all(knows_at_first(ground, other, chain[1:], variable) for other in cell)


def possible_worlds(view: SeatView) -> tuple[World, ...]:
    """The worlds that a person holds possible, by its notes, its percepts and what it was told.

    A message that somebody knows a secret rules out the worlds in which that person could not have learned it.
    """
    return view.once("worlds", lambda: _possible_worlds(view))


def _possible_worlds(view: SeatView) -> tuple[World, ...]:
    task, me = view.ground.task, view.agent
    known = {secret: view.believes((me,), secret) for secret in range(len(task.secrets))}
    worlds = [w for w in view.cell if all(x is None or w[s] == x for s, x in known.items())]
    claims = {claim for turn in view.turns for message in turn.spoke for claim in _claims(task, message)}
    for person, secret in sorted(claims):
        worlds = [w for w in worlds if person == me or person in chances(view, secret, [w], is_hearsay=False).knowers]
    return tuple(worlds) or view.cell  # empty if the messages contradict each other


def _claims(task: Task, message: Message) -> Iterator[tuple[int, int]]:
    """The people and the secrets that they know, if a message is true."""
    for kind, *parts in message.atoms:
        if kind == "value":
            yield message.sender, task.secret(parts[0])
        elif kind == "knows":
            yield task.names.index(parts[-2]), task.secret(parts[-1])


@dataclass
class Chances:
    """The people who may know a secret, and pairs of whom the first may know that the second does."""

    knowers: set[int] = field(default_factory=set)
    pairs: set[tuple[int, int]] = field(default_factory=set)


def chances(view: SeatView, secret: int, worlds: Sequence[World], is_hearsay: bool = True) -> Chances:
    """Everybody who may know a secret, by following all ways of learning it turn by turn.

    Args:
        view: the view of the person who reasons.
        secret: the number of the secret.
        worlds: the worlds that the person holds possible.
        is_hearsay: whether messages about others' knowledge count.
    """
    key = secret, tuple(worlds), is_hearsay
    return view.once(key, lambda: _chances(view, secret, worlds, is_hearsay))


def _chances(view: SeatView, secret: int, worlds: Sequence[World], is_hearsay: bool) -> Chances:
    ground, me = view.ground, view.agent
    task, people = ground.task, range(len(ground.task.people))
    others = [person for person in people if person != me]
    pairs = [(a, b) for a in others for b in people if a != b]
    signs = {sight.room for sight in ground.sights if sight.variable == secret}
    rooms = {person: frozenset[int]() for person in others}
    possible = Chances(
        {a for a in others if any(knows_at_first(ground, w, (a,), secret) for w in worlds)},
        {pair for pair in pairs if any(knows_at_first(ground, w, pair, secret) for w in worlds)},
    )
    left = {person: task.talk.budgets.get(task.names[person], 0) for person in others}
    for turn in view.turns:
        for message in turn.spoke:
            left[message.sender] -= cost(task, message)
    for number, turn in enumerate(view.turns):
        if number:
            _add_told(view, possible, number, turn.busy, left)
        for person in others:
            rooms[person] = _rooms(view, person, rooms[person], turn, number)
        for sign in signs - {turn.room}:  # in its own room, the person sees who else is there
            may_be = [person for person in others if sign in rooms[person]]
            possible.knowers.update(may_be)
            possible.pairs.update((a, b) for a in may_be for b in may_be if a != b)
        seen = [event for event in about(view.ledger, secret, turn.events) if is_hearsay or event.fact == secret]
        if secret in believed(seen, (me,)):
            possible.knowers.add(me)
        possible.knowers.update(a for a in others if is_known(seen, (me, a), secret))
        possible.pairs.update(pair for pair in pairs if is_known(seen, (me, *pair), secret))
    return possible


def _add_told(view: SeatView, possible: Chances, number: int, busy: frozenset[int], left: dict[int, int]) -> None:
    """Add what others may have told each other in a turn, by what they may have known before."""
    task = view.ground.task
    talk, names = task.talk, task.names
    knowers, pairs = set(possible.knowers), set(possible.pairs)
    for speaker in set(left) - busy:
        first, last = talk.windows.get(names[speaker], (1, number))
        if left[speaker] < 1 or not first <= number <= last or "tell" not in task.people[speaker].verbs:
            continue
        for listener in (names.index(name) for name in talk.channels.get(names[speaker], ())):
            if listener == view.agent:
                continue
            if "value" in talk.kinds and speaker in knowers:
                possible.knowers.add(listener)
                possible.pairs |= {(speaker, listener), (listener, speaker)}
            if "knows" in talk.kinds:
                of = [b for a, b in pairs if a == speaker] + [speaker] * (speaker in knowers)
                possible.pairs.update((listener, person) for person in of if person != listener)


def _rooms(view: SeatView, person: int, before: frozenset[int], turn: TurnSeen, number: int) -> frozenset[int]:
    """The rooms that a person may be in after a turn."""
    ground = view.ground
    if person in turn.people:
        return frozenset({turn.room})
    if not number:
        start = ground.starts[view.cell[0]][ground.rooms_of[person]]
        return frozenset({start})
    if any(message.sender == person for message in turn.spoke):
        return before
    return (before | _reach(ground, person, before)) - {turn.room}


@lru_cache(maxsize=65536)
def _reach(ground: Ground, person: int, before: frozenset[int]) -> frozenset[int]:
    """The rooms that a person could walk to, with doors in any state."""
    at = ground.rooms_of[person]
    return frozenset(
        effect.value
        for deed in ground.by_name[person].values()
        if deed.verb == "navigate"
        and any(all(t.variable != at or (t.value in before) == t.is_equal for t in way.tests) for way in deed.ways)
        for effect in deed.effects
        if effect.variable == at
    )
