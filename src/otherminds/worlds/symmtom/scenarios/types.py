"""Scenarios: theory-of-mind tests of SymmToM with a scripted history and a free trial (spec section 12).

Agents have *roles*, in the order of the file. Role 0 is tested; the staging (``staging.py``) assigns roles to seats.
The cases of a scenario share the board of the trial and differ in their history. Conditions decide the trial, such as
``red near blue`` or ``green knows 0 2``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import and_, or_
from pathlib import Path
from typing import Any, Literal, NamedTuple, NoReturn

from otherminds.core.errors import UserError, nearest
from otherminds.worlds.symmtom.rules import within_hearing
from otherminds.worlds.symmtom.types import Params, State

Cell = tuple[int, int]
Horizon = Literal["trial", "encounter"]


class Deed(NamedTuple):
    """The move and piece of one agent in a turn."""

    move: int = 0  # an index into MOVES
    piece: int = -1  # SILENT for nothing


Turn = tuple[Deed, ...]  # [role]


@dataclass(frozen=True)
class Condition:
    """A condition on a turn: an agent is near another, knows pieces, tells another something new, or is at home."""

    who: int  # a role
    verb: str
    what: tuple[int, ...] = ()  # a role for ``near`` and ``tells``, pieces for ``knows``

    def holds(self, state: State, params: Params) -> Any:
        """Whether it holds in a state by role, ``bool [*worlds]``; see ``staging.by_role``."""
        if self.verb == "home":
            return (state.x[self.who] == state.base_x[self.who]) & (state.y[self.who] == state.base_y[self.who])
        if self.verb == "knows":
            return reduce(and_, [(state.knowledge[self.who] >> piece) & 1 != 0 for piece in self.what])
        (other,) = self.what
        is_near = within_hearing(state.x[self.who] - state.x[other], state.y[self.who] - state.y[other], params)
        if self.verb == "near":
            return is_near
        return is_near & (state.utterance[self.who] & ~state.previous_knowledge[other] != 0)

    def to_text(self, names: Sequence[str]) -> str:
        words = map(str, self.what) if self.verb == "knows" else (names[other] for other in self.what)
        return " ".join([names[self.who], self.verb, *words])


def any_holds(conditions: Sequence[Condition], state: State, params: Params) -> Any:
    """Whether one of the conditions holds, ``bool [*worlds]``."""
    never = state.x[0] != state.x[0]
    return reduce(or_, [condition.holds(state, params) for condition in conditions], never)


@dataclass(frozen=True)
class Case:
    """One history that leads to the trial, and the right choice after it."""

    name: str
    cells: tuple[Cell, ...]  # [role], before the history
    history: tuple[Turn, ...]
    right: str  # the choice that is success; all others are failure
    turns: float  # needed by the best play; the mean over cases that look the same
    weight: float = 1.0  # relative frequency of the case


@dataclass(frozen=True)
class Scenario:
    """A theory-of-mind test."""

    name: str
    about: str
    order: int  # the lowest order of belief that passes it
    params: Params
    agents: tuple[str, ...]  # [role]
    bases: tuple[Cell, ...]  # [role]
    hands: tuple[tuple[int, ...], ...]  # [role], first-hand pieces
    choices: Mapping[str, tuple[Condition, ...]]
    cases: tuple[Case, ...]
    script: tuple[Turn, ...] = ()  # of the trial, for all but role 0; the last turn is repeated
    horizon: Horizon = "trial"  # how far plans are valued to show that the right choice is the best
    limit: int = 0  # of turns in the trial
    reproduction: str = ""  # why it is kept although its claim holds only in the paper's words
    certificate: Mapping[str, Any] | None = None  # the result of ``certify``
    path: Path | None = None
    lines: Mapping[str, int] = field(default_factory=dict)  # line numbers of fields, such as "order" or "told.turns"

    def refuse(self, place: str, problem: str) -> NoReturn:
        """Raise a ``UserError`` for a claim that does not hold, with its line in the file."""
        line = self.lines.get(place)
        location = self.name if line is None else f"{self.path.name if self.path else self.name}, line {line}"
        raise UserError(f"{location}: {problem}")

    def case(self, name: str) -> Case:
        for case in self.cases:
            if case.name == name:
                return case
        raise UserError(f"{self.name} has no case {name!r}{nearest(name, [case.name for case in self.cases])}")

    def success(self, case: Case) -> tuple[Condition, ...]:
        return self.choices[case.right]

    def failure(self, case: Case) -> tuple[Condition, ...]:
        return tuple(c for name, conditions in self.choices.items() if name != case.right for c in conditions)

    def deeds(self, turn: int) -> Turn:
        """The scripted deeds of all but role 0 in a turn of the trial, counted from 0."""
        if not self.script:
            return (Deed(),) * len(self.agents)
        return self.script[min(turn, len(self.script) - 1)]
