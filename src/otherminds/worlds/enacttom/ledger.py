"""The belief ledger of the household: who knows what at every turn, and who knows that (spec 4.5).

The ledger records what could be seen where and what was said to whom. What *a* knows that *b* knows is what both were
shown or told in each other's presence. Knowledge is belief that is still true; a value that has changed unseen is only
believed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from otherminds.core.ledger import Chain, Ledger, Observer
from otherminds.worlds.enacttom.formulas import named
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.messages import Message
from otherminds.worlds.enacttom.observe import visible
from otherminds.worlds.enacttom.rules import State, TurnResult, begin
from otherminds.worlds.enacttom.types import Note, World

Fact = int | tuple[tuple[int, ...], int]  # a variable; or a chain of people, and the variable whose value they know
BeliefState = dict[Fact, int]


@dataclass(frozen=True)
class Shown:
    """A fact that witnesses perceive together. The sender of a message may not believe it."""

    fact: Fact
    value: int
    witnesses: frozenset[Observer]
    liar: Observer | None = None  # the sender, if it does not believe what it says; nobody else can tell
    is_believed: bool = True

    @property
    def variable(self) -> int:
        """The variable that the fact is about."""
        return self.fact if isinstance(self.fact, int) else self.fact[1]


def appears(event: Shown, observer: Observer) -> Shown | None:
    """The event as an observer perceives it, or ``None``. A liar is believed by others, but not by itself."""
    if observer not in event.witnesses:
        return None
    if event.liar is None:
        return event
    if observer == event.liar:
        return replace(event, is_believed=False)
    return replace(event, liar=None, is_believed=True)


def update(mind: BeliefState, event: Shown) -> BeliefState:
    """The mind after an event: the last value perceived is believed."""
    return {**mind, event.fact: event.value} if event.is_believed else mind


def believed(events: Iterable[Shown], chain: Chain) -> BeliefState:
    """The belief of a chain by some events: what the first thinks that the second thinks … the last believes."""
    mind: BeliefState = {}
    for event in events:
        seen: Shown | None = event
        for observer in chain:
            seen = appears(seen, observer) if seen is not None else None
        if seen is not None and seen.is_believed:
            mind[seen.fact] = seen.value
    return mind


def supposes(events: Sequence[Shown], chain: Chain, variable: int) -> bool:
    """Whether the first person of a chain supposes that the second knows … a variable, by the events about it."""
    own, value = believed(events, chain[:1]), believed(events, chain).get(variable)
    if value is not None:
        return value == own.get(variable)
    # By hearsay: somebody along the chain was told that the rest of it knows, and the first believes that.
    return any(
        not isinstance(fact, int) and fact in own and is_within(chain[at:], fact[0])
        for at in range(1, len(chain))
        for fact in believed(events, chain[:at])
    )


def chains_of(number: int) -> tuple[tuple[int, ...], ...]:
    """All chains of up to three people without equal neighbours, shorter ones first."""
    chains: list[tuple[int, ...]] = [(person,) for person in range(number)]
    every = list(chains)
    for _ in range(2):
        chains = [(*chain, person) for chain in chains for person in range(number) if person != chain[-1]]
        every += chains
    return tuple(every)


class Beliefs:
    """A ledger of what was shown and said in a house, and the beliefs that follow from it, to any depth."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.ledger: Ledger[Shown, BeliefState] = Ledger(appears, update, {})
        self._about: dict[int, list[Shown]] = {}  # the events about each variable

    def believes(self, chain: Chain, variable: int) -> int | None:
        """The value of a variable in the belief of a chain; ``None`` if there is none."""
        return believed(self._about.get(variable, ()), chain).get(variable)

    def supposes(self, chain: Chain, variable: int) -> bool:
        """Whether the first supposes that the second knows … the value of a variable, rightly or not."""
        return supposes(self._about.get(variable, ()), chain, variable)

    def show(self, fact: Fact, value: int, witnesses: Iterable[Observer], liar: Observer | None = None) -> None:
        """Record a fact that witnesses perceive together."""
        event = Shown(fact, value, frozenset(witnesses), liar)
        self.ledger.record(event)
        self._about.setdefault(event.variable, []).append(event)

    def read(self, note: Note, world: World) -> None:
        """Record that a note was read by its reader."""
        task = self.ground.task
        chain, secret = task.numbers(note.knower), task.secret(note.about)
        self.show((chain, secret) if chain else secret, 1 if chain else world[secret], task.numbers([note.to]))

    def hear(self, message: Message, *, is_judged: bool = True) -> None:
        """Record a message. If its sender can be judged, one who does not believe what it says is a liar."""
        task, sender = self.ground.task, message.sender
        for kind, *parts in message.atoms:
            fact: Fact
            if kind in ("value", "fact"):
                test = self.ground.test(*(named(parts[0]) if kind == "fact" else (f"secret {parts[0]}", parts[1])))
                fact, value = test.variable, test.value
                is_honest = not is_judged or self.believes((sender,), fact) == value
            elif kind == "knows":
                chain, secret = task.numbers(parts[:-1]), task.secret(parts[-1])
                fact, value = (chain, secret), 1
                is_honest = not is_judged or self.supposes((sender, *chain), secret)
            else:
                continue
            self.show(fact, value, (sender, *message.to), None if is_honest else sender)


class Labeller(Beliefs):
    """Follows an episode and says what anyone knows, to any depth.

    Args:
        ground: the task.
        world: the world that the episode is in.
    """

    def __init__(self, ground: Ground, world: World) -> None:
        super().__init__(ground)
        self._values = ground.starts[world]
        for note in ground.task.notes:
            if ground.task.applies(note, world):
                self.read(note, world)
        self._look(begin(ground, world))

    def follow(self, state: State, outcome: TurnResult) -> None:
        """Take in a turn: what was said in it, and what can be seen after it."""
        self._values = state.values
        for message in outcome.messages:
            self.hear(message)
        self._look(state)

    def knows(self, chain: Chain, variable: int) -> bool:
        """Whether the first knows that the second knows … the value of a variable; all of it is true."""
        value = self.believes(chain, variable)
        if len(chain) == 1:
            return value == self._values[variable]
        # Knowledge is true: a person who was lied to only supposes that the rest of the chain knows.
        return (
            value in (None, self._values[variable])
            and self.supposes(chain, variable)
            and self.knows(chain[1:], variable)
        )

    def _look(self, state: State) -> None:
        """Record what is visible in each room as seen by everybody there, together."""
        values, rooms = state.values, self.ground.rooms_of
        for room in {values[at] for at in rooms}:
            here = [agent for agent, at in enumerate(rooms) if values[at] == room]
            for variable, value in visible(self.ground, state, room):
                self.show(variable, value, here)
            for agent in here:
                self.show(rooms[agent], room, here)


def is_within(wanted: Chain, known: Chain) -> bool:
    """Whether knowledge along the chain ``known`` implies it along ``wanted``, which may skip any but the last."""
    if not wanted or not known or wanted[-1] != known[-1]:
        return False
    rest: Iterator[Observer] = iter(known)
    return all(person in rest for person in wanted)
