"""For pages and pictures: what each person sees and remembers after every turn, and what each chain knows.

A person knows what follows from what it perceived and from the task: what it saw or was told, what is the same in all
worlds that it holds possible, and what everybody is known to have read or seen at the start.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

from otherminds.core.ledger import Chain
from otherminds.worlds.enacttom.formulas import shared, variables
from otherminds.worlds.enacttom.grounded_task import Ground, Values
from otherminds.worlds.enacttom.ledger import Labeller, chains_of
from otherminds.worlds.enacttom.observe import opening, perceive_all, visible
from otherminds.worlds.enacttom.record import Played
from otherminds.worlds.enacttom.rules import State
from otherminds.worlds.enacttom.seat_view import SeatView, knows_at_first, possible_worlds
from otherminds.worlds.enacttom.types import World

Verdict = Literal["knows", "wrong", "unknown"]


@dataclass(frozen=True)
class Look:
    """The house as one person knows it, or as it is.

    Attributes:
        known: the last value of each variable that the person has seen or been told.
        seen: the variables that it sees now.
        who: the person; ``None`` for the truth.
    """

    known: Mapping[int, int]
    seen: frozenset[int]
    who: int | None = None


@dataclass(frozen=True)
class BeliefCell:
    """The verdict on a chain's belief about a variable, and the value that it believes, if any."""

    verdict: Verdict
    value: str = ""


@dataclass(frozen=True)
class BeliefsByTurn:
    """The beliefs and views of one episode, by turn."""

    cells: list[dict[Chain, tuple[BeliefCell, ...]]]  # of each chain, one for each of ``key_variables``
    looks: list[tuple[Look, ...]]  # of each person


def beliefs_by_turn(played: Played) -> BeliefsByTurn:
    """Everybody's beliefs and view after each turn."""
    house = played.params.ground
    world, people = played.params.world, range(len(house.task.people))
    labeller, views = Labeller(house, world), [SeatView(house, who, *opening(house, world, who)) for who in people]
    cells: list[dict[Chain, tuple[BeliefCell, ...]]] = []
    looks: list[tuple[Look, ...]] = []
    for before, moment in zip([played.states[0], *played.states], played.states, strict=False):
        if moment.outcome:
            labeller.follow(moment.state, moment.outcome)
            percepts = perceive_all(house, before.state, moment.state, moment.outcome)
            for view, act, percept in zip(views, moment.outcome.acts, percepts, strict=True):
                view.follow(act, percept)
        cells.append(_cells(labeller, [possible_worlds(view) for view in views], moment.state.values))
        looks.append(tuple(_look(house, labeller, moment.state, who) for who in people))
    return BeliefsByTurn(cells, looks)


def truth(state: State) -> Look:
    """The house as it is."""
    return Look(dict(enumerate(state.values)), frozenset(range(len(state.values))))


def beliefs(played: Played, chain: Chain, turn: int) -> dict[str, str]:
    """The values that a chain of people believes after a turn, by name of the variable; the truth for no chain."""
    house, labels, values = played.params.ground, played.labels(turn), played.states[turn].state.values
    believed = {v: labels.believes(chain, v) if chain else value for v, value in enumerate(values)}
    return {house.variables[v]: house.domains[v][value] for v, value in believed.items() if value is not None}


def key_variables(ground: Ground) -> tuple[int, ...]:
    """The secrets, and the other variables of the goal."""
    secrets = range(len(ground.task.secrets))
    return (*secrets, *sorted(variables(shared(ground)) - set(secrets)))


def _cells(
    labeller: Labeller, possible: Sequence[Sequence[World]], values: Values
) -> dict[Chain, tuple[BeliefCell, ...]]:
    """The cells of all chains, by the ledger, the worlds that each person holds possible, and the true values."""
    ground, cells = labeller.ground, dict[tuple[Chain, int], BeliefCell]()
    chains, columns = chains_of(len(ground.task.people)), key_variables(ground)
    for chain, variable in product(chains, columns):  # shorter chains first
        own, rest = cells.get((chain[:1], variable)), cells.get((chain[1:], variable))  # none for a single person
        value = labeller.believes(chain, variable)
        is_backed = labeller.supposes(chain, variable)  # even if wrongly, that the rest knows it
        is_held = is_backed or value is not None
        if not is_held:  # then no value is returned that is not held
            is_held, value = _by_task(ground, possible[chain[0]], chain, variable, own)
            is_backed = is_held
        is_true = is_backed and value in (None, values[variable]) and (rest is None or rest.verdict == "knows")
        verdict: Verdict = "unknown" if not is_held else "knows" if is_true else "wrong"
        cells[chain, variable] = BeliefCell(verdict, "" if value is None else ground.domains[variable][value])
    return {chain: tuple(cells[chain, variable] for variable in columns) for chain in chains}


def _by_task(
    ground: Ground, worlds: Sequence[World], chain: Chain, variable: int, own: BeliefCell | None
) -> tuple[bool, int | None]:
    """Whether a chain knows a variable by the task and the possible worlds of its first person, and the value."""
    if own is not None and not all(knows_at_first(ground, world, chain[1:], variable) for world in worlds):
        return False, None
    starts = {ground.starts[world][variable] for world in worlds}
    value = starts.pop() if len(starts) == 1 else None
    if own is None:
        return value is not None, value
    # The others have not been seen to learn of a change that the first knows of.
    is_as_at_first = not own.value or (value is not None and own.value == ground.domains[variable][value])
    return is_as_at_first, value if is_as_at_first else None


def _look(ground: Ground, labeller: Labeller, state: State, who: int) -> Look:
    known = {fact: value for fact, value in labeller.ledger.belief((who,)).items() if isinstance(fact, int)}
    room = state.values[ground.rooms_of[who]]
    people = {at for at in ground.rooms_of if state.values[at] == room}
    return Look(known, frozenset({variable for variable, _ in visible(ground, state, room)} | people), who)
