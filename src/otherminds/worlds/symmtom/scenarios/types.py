"""What a scenario is: a theory-of-mind test of SymmToM with a scripted history and a free trial (spec section 12).

Agents have *roles*, in the order of the file, and role 0 is the tested one; which seat a role takes is a matter of
staging (``stage.py``). The cases of a scenario share the board of the trial and differ in their history. The trial is
decided by conditions, such as ``red near blue`` or ``green knows 0 2``.
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
    """What one agent does in a turn."""

    move: int = 0  # an index into MOVES
    piece: int = -1  # SILENT for nothing


Turn = tuple[Deed, ...]  # [role]


@dataclass(frozen=True)
class Condition:
    """A claim about one turn: who is in whose hearing range, knows pieces, tells another something new, is at home."""

    who: int  # a role
    verb: str
    what: tuple[int, ...] = ()  # a role for ``near`` and ``tells``, pieces for ``knows``

    def holds(self, state: State, params: Params) -> Any:
        """Whether it holds in a state by role, ``bool [*worlds]``; see ``stage.by_role``."""
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
        """The words it was written in."""
        what = map(str, self.what) if self.verb == "knows" else (names[other] for other in self.what)
        return " ".join([names[self.who], self.verb, *what])


def any_holds(conditions: Sequence[Condition], state: State, params: Params) -> Any:
    """Whether one of the conditions holds, ``bool [*worlds]``."""
    never = state.x[0] != state.x[0]
    return reduce(or_, [condition.holds(state, params) for condition in conditions], never)


@dataclass(frozen=True)
class Case:
    """One history that leads to the trial, and what is right after it."""

    name: str
    cells: tuple[Cell, ...]  # [role], before the history
    history: tuple[Turn, ...]
    right: str  # the choice that is success; all others are failure
    turns: float  # how many the best player needs, on average if it cannot tell cases apart
    weight: float = 1.0  # how often the case is drawn, against the others


@dataclass(frozen=True)
class Scenario:
    """A theory-of-mind test."""

    name: str
    about: str
    order: int  # the least order of belief that passes it
    params: Params
    agents: tuple[str, ...]  # [role]
    bases: tuple[Cell, ...]  # [role]
    hands: tuple[tuple[int, ...], ...]  # [role], first-hand pieces
    choices: Mapping[str, tuple[Condition, ...]]
    cases: tuple[Case, ...]
    script: tuple[Turn, ...] = ()  # of all but role 0 in the trial; the last turn is repeated
    horizon: Horizon = "trial"  # up to where the right choice is the best
    limit: int = 0  # of turns in the trial
    reproduction: str = ""  # why it is kept although its claim does not hold beyond the paper's own words
    certificate: Mapping[str, Any] | None = None  # what ``certify`` found
    path: Path | None = None
    lines: Mapping[str, int] = field(default_factory=dict)  # where fields are written, such as "order" or "told.turns"

    def refuse(self, place: str, problem: str) -> NoReturn:
        """Raise a ``UserError`` for a claim that does not hold, with the line on which it is made."""
        line = self.lines.get(place)
        where = self.name if line is None else f"{self.path.name if self.path else self.name}, line {line}"
        raise UserError(f"{where}: {problem}")

    def case(self, name: str) -> Case:
        """The case of that name.

        Raises:
            UserError: if there is none.
        """
        for case in self.cases:
            if case.name == name:
                return case
        raise UserError(f"{self.name} has no case {name!r}{nearest(name, [case.name for case in self.cases])}")

    def success(self, case: Case) -> tuple[Condition, ...]:
        """What ends the trial well."""
        return self.choices[case.right]

    def failure(self, case: Case) -> tuple[Condition, ...]:
        """What ends the trial badly."""
        return tuple(c for name, conditions in self.choices.items() if name != case.right for c in conditions)

    def deeds(self, turn: int) -> Turn:
        """What everyone but role 0 does in a turn of the trial, from 0."""
        if not self.script:
            return (Deed(),) * len(self.agents)
        return self.script[min(turn, len(self.script) - 1)]
