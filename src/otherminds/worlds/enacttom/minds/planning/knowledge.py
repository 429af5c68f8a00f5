"""What people know in a course of events, up to a depth, as bits; and how a turn changes that (spec 4.3).

A *token* is a chain of people and a secret: the first knows that the next … that the last knows the secret. A *trace*
is a bit as well: a person has seen, or was told, a state of the house that matters to the goal.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from otherminds.worlds.enacttom.formulas import named, spoken
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.ledger import chains_of, is_within
from otherminds.worlds.enacttom.messages import Act, Message
from otherminds.worlds.enacttom.observe import Percept, first_look, perceive_all, visible
from otherminds.worlds.enacttom.rules import State, begin, step
from otherminds.worlds.enacttom.types import World

Chain = tuple[int, ...]


class Key(NamedTuple):
    """What a person can act on. In situations with equal keys it acts identically.

    Attributes:
        person: the person.
        history: the number of its acts and percepts so far, without messages.
        known: its own bits.
        values: the values of the secrets that it knows.
    """

    person: int
    history: int
    known: int
    values: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Situation:
    """A moment of a course of events: the house, everybody's knowledge, and the number of each person's history."""

    state: State
    known: int  # bits
    histories: tuple[int, ...]


class Knowledge:
    """The bits of a task up to a depth, and the situations that can arise.

    Args:
        ground: the task.
        depth: the longest chain of people that counts.

    Attributes:
        own: for each person, the bits that are its own.
    """

    def __init__(self, ground: Ground, depth: int) -> None:
        self.ground, self.depth = ground, depth
        people = range(len(ground.task.people))
        self._secrets = len(ground.task.secrets)
        self.chains = [chain for chain in chains_of(len(people)) if len(chain) <= depth]
        self._number = {chain: at for at, chain in enumerate(self.chains)}
        self._first = len(self.chains) * self._secrets  # the first bit of traces
        self._states = {state: at for at, state in enumerate(sorted(spoken(ground)))}
        self._histories: dict[Hashable, int] = {}
        self._groups: dict[tuple[Chain, Chain, int], int] = {}
        self.own = [
            sum(self.token(chain, s) for chain in self.chains if chain[0] == i for s in range(self._secrets))
            | sum(self.trace(i, *state) for state in self._states)
            for i in people
        ]

    def token(self, chain: Chain, secret: int) -> int:
        """The bit of a chain that knows a secret; 0 if the chain is too long."""
        at = self._number.get(chain)
        return 0 if at is None else 1 << (at * self._secrets + secret)

    def trace(self, person: int, variable: int, value: int) -> int:
        """The bit of a person who has seen that a variable has a value; 0 if that does not matter to the goal."""
        at = self._states.get((variable, value))
        return 0 if at is None else 1 << (self._first + person * len(self._states) + at)

    def shared(self, group: Iterable[int], secret: int, rest: Chain = ()) -> int:
        """What a group knows when it learns a secret together, or that others (``rest``) know it."""
        key = (tuple(sorted(set(group))), rest, secret)
        if key not in self._groups:
            every = chains_of(len(self.ground.task.people))
            heads = [chain for chain in every if set(chain) <= set(key[0])]
            told = [(*head, *rest) for head in heads if not rest or head[-1] != rest[0]]
            bits = 0
            for chain in told:
                if len(chain) <= 3:  # the longest that the ledger accounts for
                    bits |= self.implied(chain, secret)
            self._groups[key] = bits
        return self._groups[key]

    def implied(self, chain: Chain, secret: int) -> int:
        """A chain's knowledge and what follows from it: people other than the last may be left out."""
        bits = 0
        for other in self.chains:
            if is_within(other, chain):
                bits |= self.token(other, secret)
        return bits

    def heard(self, message: Message) -> int:
        """What sender and listeners know after a message, if it is true."""
        task, group, bits = self.ground.task, (message.sender, *message.to), 0
        for kind, *parts in message.atoms:
            if kind == "value":
                bits |= self.shared(group, task.secret(parts[0]))
            elif kind == "knows":
                bits |= self.shared(group, task.secret(parts[-1]), task.numbers(parts[:-1]))
            elif kind == "fact":
                test = self.ground.test(*named(parts[0]))
                for person in group:
                    bits |= self.trace(person, test.variable, test.value)
        return bits

    def seen(self, group: Sequence[int], states: Iterable[tuple[int, int]]) -> int:
        """What people in one room know by what is visible there."""
        bits = 0
        for variable, value in states:
            if variable < self._secrets:
                bits |= self.shared(group, variable)
            elif (variable, value) in self._states:
                for person in group:
                    bits |= self.trace(person, variable, value)
        return bits

    def noted(self, world: World) -> int:
        """What people know by their notes."""
        task, bits = self.ground.task, 0
        for note in task.notes:
            if task.applies(note, world):
                bits |= self.implied(task.numbers((note.to, *note.knower)), task.secret(note.about))
        return bits

    def begin(self, world: World) -> Situation:
        """The situation before the first turn."""
        state = begin(self.ground, world)
        people = range(len(self.ground.task.people))
        histories = tuple(self.number(first_look(self.ground, state, i)) for i in people)
        return Situation(state, self.noted(world) | self._look(state), histories)

    def number(self, history: Hashable) -> int:
        """The number of a history, the same for equal ones."""
        return self._histories.setdefault(history, len(self._histories))

    def extended(self, history: int, own: Act, percept: Percept) -> int:
        """The number of a history with one more turn. Messages count by the knowledge that they bring."""
        return self.number((history, own, percept._replace(messages=())))

    def after(self, situation: Situation, acts: Sequence[Act]) -> tuple[Situation, list[Percept]]:
        """The situation after a turn, and what everybody perceives."""
        state, outcome = step(self.ground, situation.state, acts)
        percepts = perceive_all(self.ground, situation.state, state, outcome)
        known = situation.known | self._look(state)
        for message in outcome.messages:
            known |= self.heard(message)
        histories = tuple(map(self.extended, situation.histories, acts, percepts))
        return Situation(state, known, histories), percepts

    def key(self, world: World, situation: Situation, person: int) -> Key:
        """What a person can act on in a situation."""
        known = situation.known & self.own[person]
        return Key(person, situation.histories[person], known, self.values(known, person, world))

    def values(self, known: int, person: int, world: World) -> tuple[int | None, ...]:
        """The values of the secrets that a person knows in a world."""
        return tuple(x if known & self.token((person,), s) else None for s, x in enumerate(world))

    def _look(self, state: State) -> int:
        values, rooms, bits = state.values, self.ground.rooms_of, 0
        for room in {values[at] for at in rooms}:
            here = [person for person, at in enumerate(rooms) if values[at] == room]
            bits |= self.seen(here, visible(self.ground, state, room))
        return bits


@lru_cache(maxsize=512)
def knowledge(ground: Ground, depth: int) -> Knowledge:
    """The bits of a task up to a depth."""
    return Knowledge(ground, depth)
