"""Who knows what at every turn of a run, and who knows that: the belief ledger of the household (spec 4.5).

The ledger records what could be seen where and what was said to whom. What *a* knows that *b* knows is what both were
shown or told in each other's presence. Knowledge is belief that is still true; what has changed since is only believed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import reduce

from otherminds.core.ledger import Chain, Ledger, Observer
from otherminds.worlds.enacttom.ground import Ground
from otherminds.worlds.enacttom.literals import named
from otherminds.worlds.enacttom.messages import Atom, Message
from otherminds.worlds.enacttom.observe import visible
from otherminds.worlds.enacttom.rules import Outcome, State, begin
from otherminds.worlds.enacttom.types import World

Fact = int | tuple[tuple[int, ...], int]  # a variable; or a chain of people, and the variable whose value they know
Mind = dict[Fact, int]


@dataclass(frozen=True)
class Shown:
    """A fact that some perceive together. Of something said, the sender may believe otherwise."""

    fact: Fact
    value: int
    witnesses: frozenset[Observer]
    liar: Observer | None = None  # who says what it does not believe; nobody else can tell
    is_believed: bool = True


def appears(event: Shown, observer: Observer) -> Shown | None:
    """What an observer perceives of it: all or nothing. A liar does not believe itself, but is believed."""
    if observer not in event.witnesses:
        return None
    if event.liar is None:
        return event
    if observer == event.liar:
        return replace(event, is_believed=False)
    return replace(event, liar=None, is_believed=True)


def update(mind: Mind, event: Shown) -> Mind:
    """What was perceived last is believed."""
    return {**mind, event.fact: event.value} if event.is_believed else mind


def chains_of(number: int, depth: int = 3) -> tuple[tuple[int, ...], ...]:
    """All chains of so many people up to a depth without equal neighbours, shorter ones first."""
    chains: list[tuple[int, ...]] = [(person,) for person in range(number)]
    every = list(chains)
    for _ in range(depth - 1):
        chains = [(*chain, person) for chain in chains for person in range(number) if person != chain[-1]]
        every += chains
    return tuple(every)


class Labeller:
    """Follows a run and answers what anyone knows, to any depth.

    Args:
        ground: the task.
        world: that the run is in.
    """

    def __init__(self, ground: Ground, world: World) -> None:
        self._ground = ground
        self._values = ground.starts[world]
        self.ledger: Ledger[Shown, Mind] = Ledger(appears, update, {})
        self._minds: dict[Chain, tuple[int, Mind]] = {}
        task = ground.task
        for note in task.notes:
            if all(task.value(world, secret) == value for secret, value in note.when):
                chain = tuple(task.names.index(name) for name in note.knower)
                self._show(self._fact(chain, note.about), [task.names.index(note.to)])
        self._look(begin(ground, world))

    def follow(self, state: State, outcome: Outcome) -> None:
        """Take in a turn: what was said in it, and what can be seen after it."""
        self._values = state.values
        for act, refused in zip(outcome.acts, outcome.refused, strict=True):
            if isinstance(act, Message) and not refused:
                for atom in act.atoms:
                    self._hear(act, atom)
        self._look(state)

    def believes(self, chain: Chain, variable: int) -> int | None:
        """The value that the chain's last is thought to take a variable to have; ``None`` if none."""
        return self._mind(chain).get(variable)

    def knows(self, chain: Chain, variable: int) -> bool:
        """Whether the first knows that the second knows … the value of a variable, rightly so."""
        found = self.believes(chain, variable)
        if len(chain) == 1:
            return found == self._values[variable]
        # What is known is so: who was lied to only supposes that the rest of the chain knows.
        return (
            found in (None, self._values[variable])
            and self.supposes(chain, variable)
            and self.knows(chain[1:], variable)
        )

    def supposes(self, chain: Chain, variable: int) -> bool:
        """Whether the first takes it that the second knows … the value of a variable, rightly or not."""
        found = self.believes(chain, variable)
        if found is not None:
            return found == self.believes(chain[:1], variable)
        # By hearsay: somebody along the chain was told that the rest of it knows, and the first takes that for true.
        return any(
            not isinstance(fact, int) and fact[1] == variable and is_within(chain[at:], fact[0])
            for at in range(1, len(chain))
            for fact in self._mind(chain[:at])
            if fact in self._mind(chain[:1])
        )

    def _mind(self, chain: Chain) -> Mind:
        """The belief of a chain, folded on from where it was asked for last."""
        since, mind = self._minds.get(chain, (0, self.ledger.start))
        if since < len(self.ledger.events):
            mind = reduce(update, self.ledger.view(chain, since=since), mind)
            self._minds[chain] = len(self.ledger.events), mind
        return mind

    def matrix(self, variable: int, depth: int = 3) -> dict[Chain, bool]:
        """Who knows it, for all chains of people up to a depth without equal neighbours."""
        return {chain: self.knows(chain, variable) for chain in chains_of(len(self._ground.task.people), depth)}

    def _fact(self, chain: tuple[int, ...], secret: str) -> tuple[Fact, int]:
        variable = self._ground.index[f"secret {secret}"]
        return ((chain, variable), 1) if chain else (variable, self._values[variable])

    def _show(self, fact: tuple[Fact, int], witnesses: Iterable[Observer], liar: Observer | None = None) -> None:
        self.ledger.record(Shown(*fact, frozenset(witnesses), liar))

    def _hear(self, message: Message, atom: Atom) -> None:
        task, party = self._ground.task, (message.sender, *message.to)
        kind, *parts = atom
        if kind == "value":
            variable = self._ground.index[f"secret {parts[0]}"]
            value = self._ground.domains[variable].index(parts[1])
            is_honest = self.believes((message.sender,), variable) == value
            self._show((variable, value), party, None if is_honest else message.sender)
        elif kind == "fact":
            test = self._ground.test(*named(parts[0]))
            is_honest = self.believes((message.sender,), test.variable) == test.value
            self._show((test.variable, test.value), party, None if is_honest else message.sender)
        elif kind == "knows":
            people = tuple(task.names.index(name) for name in parts[:-1])
            variable = self._ground.index[f"secret {parts[-1]}"]
            is_honest = self.supposes((message.sender, *people), variable)
            self._show(((people, variable), 1), party, None if is_honest else message.sender)

    def _look(self, state: State) -> None:
        """Whatever is visible in a room is seen by all who are there, together."""
        values, where = state.values, self._ground.rooms_of
        for room in {values[at] for at in where}:
            here = [agent for agent, at in enumerate(where) if values[at] == room]
            for variable, value in visible(self._ground, state, room):
                self._show((variable, value), here)
            for agent in here:
                self._show((where[agent], room), here)


def is_within(wanted: Chain, told: tuple[int, ...]) -> bool:
    """Whether who knows of the longer chain knows of the wanted one: people may be left out, but not the last."""
    if not wanted or wanted[-1] != told[-1]:
        return False
    rest: Iterator[Observer] = iter(told)
    return all(person in rest for person in wanted)
