"""What one person has perceived of a run, and what follows from it about others (spec 4.5).

A view is the ledger of a run cut down to one person: its notes, what it saw with whom, what it was told and what it
said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from otherminds.core.ledger import Ledger
from otherminds.worlds.enacttom.ground import Ground
from otherminds.worlds.enacttom.labels import Mind, Shown, appears, is_within, update
from otherminds.worlds.enacttom.literals import named
from otherminds.worlds.enacttom.messages import Atom, Message
from otherminds.worlds.enacttom.observe import Note, Percept, first_look, notes
from otherminds.worlds.enacttom.rules import Act, begin
from otherminds.worlds.enacttom.types import World

People = tuple[int, ...]


@dataclass(frozen=True)
class Turn:
    """What a person knows of others' turn: who was with it, who did something, and who spoke to it."""

    room: int
    people: People
    busy: frozenset[int] = frozenset()  # seen to do or heard to say something, so nothing else in that turn
    spoke: tuple[Message, ...] = ()
    events: int = 0  # in its ledger after the turn


@dataclass
class View:
    """What a person has perceived so far.

    Attributes:
        ground: the task.
        agent: whose view it is.
        cell: worlds that its notes and its first look allow.
        ledger: of what it perceived, with who else did.
        turns: what it knows of each turn, the start included.
    """

    ground: Ground
    agent: int
    cell: tuple[World, ...]
    ledger: Ledger[Shown, Mind] = field(default_factory=lambda: Ledger[Shown, Mind](appears, update, {}))
    turns: list[Turn] = field(default_factory=list)

    @classmethod
    def begin(cls, ground: Ground, agent: int, read: tuple[Note, ...], first: Percept) -> View:
        """The view before the first turn."""
        task = ground.task
        cell = tuple(world for world in task.worlds if opening(ground, world, agent) == (read, first))
        view = cls(ground, agent, cell)
        for note in task.notes:
            if task.names[agent] == note.to and all(task.value(cell[0], s) == value for s, value in note.when):
                chain = tuple(task.names.index(name) for name in note.knower)
                secret = task.secret(note.about)
                view._show((chain, secret) if chain else secret, 1 if chain else cell[0][secret], (agent,))
        view._look(first, ())
        return view

    def follow(self, own: Act, percept: Percept) -> None:
        """Take in a turn."""
        said = [own] if isinstance(own, Message) and not percept.refused else []
        for message in sorted([*said, *percept.messages], key=lambda message: message.sender):
            for atom in message.atoms:
                self._hear(message, atom)
        self._look(percept, percept.messages)

    def _show(self, fact: int | tuple[People, int], value: int, party: Iterable[int], liar: int | None = None) -> None:
        self.ledger.record(Shown(fact, value, frozenset(party), liar))

    def _hear(self, message: Message, atom: Atom) -> None:
        task, party, is_mine = self.ground.task, (message.sender, *message.to), message.sender == self.agent
        kind, *parts = atom
        if kind == "value":
            secret = task.secret(parts[0])
            value = task.secrets[secret].values.index(parts[1])
            is_lie = is_mine and held(about(self.ledger, secret), (self.agent,)) != value
            self._show(secret, value, party, self.agent if is_lie else None)
        elif kind == "fact":
            test = self.ground.test(*named(parts[0]))
            is_lie = is_mine and held(about(self.ledger, test.variable), (self.agent,)) != test.value
            self._show(test.variable, test.value, party, self.agent if is_lie else None)
        elif kind == "knows":
            chain, secret = tuple(task.names.index(name) for name in parts[:-1]), task.secret(parts[-1])
            is_lie = is_mine and not is_known(about(self.ledger, secret), (self.agent, *chain))
            self._show((chain, secret), 1, party, self.agent if is_lie else None)

    def _look(self, percept: Percept, messages: tuple[Message, ...]) -> None:
        here = (self.agent, *percept.people)
        for variable, value in percept.seen:
            self._show(variable, value, here)
        doing = [person for person, _ in percept.deeds]
        busy = frozenset([*doing, *percept.arrived, *percept.left, *(message.sender for message in messages)])
        self.turns.append(Turn(percept.room, percept.people, busy, messages, len(self.ledger.events)))


def about(ledger: Ledger[Shown, Mind], secret: int, upto: int | None = None) -> list[Shown]:
    """What was shown or said of a secret."""
    return [
        event
        for event in ledger.events[:upto]
        if event.fact == secret or (isinstance(event.fact, tuple) and event.fact[1] == secret)
    ]


def held(events: Sequence[Shown], chain: People) -> int | None:
    """The value that the chain's last is thought to take the secret to have; ``None`` if none."""
    found = None
    for event in events:
        seen = _along(event, chain)
        if seen is not None and seen.is_believed and not isinstance(seen.fact, tuple):
            found = seen.value
    return found


def is_known(events: Sequence[Shown], chain: People) -> bool:
    """Whether the chain's first can tell that the second knows … the secret.

    As the labeller has it, but by the first one's own lights: what is known agrees with what it takes to be true, and
    nobody knows that another knows who, as far as the first can tell, does not.
    """
    if len(chain) > 2 and not is_known(events, chain[2:] if chain[2] == chain[0] else (chain[0], *chain[2:])):
        return False
    found = held(events, chain)
    if found is not None:
        return found == held(events, chain[:1])
    return any(_is_told(event, chain, at) for event in events for at in range(1, len(chain)))


def _is_told(event: Shown, chain: People, at: int) -> bool:
    """Whether the first members of a chain were told, in each other's presence, that the rest of it knows."""
    own, seen = _along(event, chain[:1]), _along(event, chain[:at])
    if own is None or seen is None or not own.is_believed or not seen.is_believed:
        return False
    return isinstance(seen.fact, tuple) and is_within(chain[at:], seen.fact[0])


def _along(event: Shown, chain: People) -> Shown | None:
    seen: Shown | None = event
    for person in chain:
        seen = appears(seen, person) if seen is not None else None
    return seen


def opening(ground: Ground, world: World, agent: int) -> tuple[tuple[Note, ...], Percept]:
    """What a person is given before the first turn."""
    return notes(ground, world, agent), first_look(ground, begin(ground, world), agent)
