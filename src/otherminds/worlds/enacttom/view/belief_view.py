"""For pages and pictures: what each person sees and remembers after every turn, and what each chain knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from otherminds.core.ledger import Chain
from otherminds.worlds.enacttom.formulas import shared, variables
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.ledger import Labeller, chains_of
from otherminds.worlds.enacttom.observe import visible
from otherminds.worlds.enacttom.record import Played
from otherminds.worlds.enacttom.rules import State

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
class Cell:
    """The verdict on a chain's belief about a variable, and the value that it believes, if any."""

    verdict: Verdict
    value: str = ""


@dataclass(frozen=True)
class Minds:
    """The beliefs and views of one episode, by turn."""

    cells: list[dict[Chain, tuple[Cell, ...]]]  # of each chain, one for each of ``key_variables``
    looks: list[tuple[Look, ...]]  # of each person


def minds_of(played: Played) -> Minds:
    """Everybody's beliefs and view after each turn."""
    house = played.params.ground
    labeller = Labeller(house, played.params.world)
    columns, chains = key_variables(house), chains_of(len(house.task.people))
    cells: list[dict[Chain, tuple[Cell, ...]]] = []
    looks: list[tuple[Look, ...]] = []
    for moment in played.states:
        if moment.outcome:
            labeller.follow(moment.state, moment.outcome)
        cells.append({chain: tuple(_cell(house, labeller, chain, v) for v in columns) for chain in chains})
        looks.append(tuple(_look(house, labeller, moment.state, who) for who in range(len(house.task.people))))
    return Minds(cells, looks)


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


def _cell(ground: Ground, labeller: Labeller, chain: Chain, variable: int) -> Cell:
    value = labeller.believes(chain, variable)
    word = "" if value is None else ground.domains[variable][value]
    if labeller.knows(chain, variable):
        return Cell("knows", word)
    is_wrong = value is not None or labeller.supposes(chain, variable)  # wrongly, that somebody knows it
    return Cell("wrong", word) if is_wrong else Cell("unknown")


def _look(ground: Ground, labeller: Labeller, state: State, who: int) -> Look:
    known = {fact: value for fact, value in labeller.ledger.belief((who,)).items() if isinstance(fact, int)}
    room = state.values[ground.rooms_of[who]]
    people = {at for at in ground.rooms_of if state.values[at] == room}
    return Look(known, frozenset({variable for variable, _ in visible(ground, state, room)} | people), who)
