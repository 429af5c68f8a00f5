"""When a trial of a scenario is decided: conditions in words, such as ``red near blue`` or ``green knows 0 2``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import Any, NamedTuple

from otherminds.core.errors import UserError, nearest
from otherminds.worlds.symmtom.rules import within_hearing
from otherminds.worlds.symmtom.types import Array, Params

VERBS = ("near", "knows", "tells", "home")


class Roles(NamedTuple):
    """What conditions look at, by role instead of seat: ``[role, *worlds]`` each."""

    x: Array
    y: Array
    base_x: Array
    base_y: Array
    knowledge: Array
    previous_knowledge: Array
    utterance: Array


@dataclass(frozen=True)
class Condition:
    """A claim about one turn: who is in whose hearing range, knows pieces, tells another something new, is at home."""

    who: int  # a role
    verb: str
    what: tuple[int, ...] = ()  # a role for ``near`` and ``tells``, pieces for ``knows``

    def holds(self, roles: Roles, params: Params) -> Any:
        """Whether it holds, ``bool [*worlds]``."""
        if self.verb == "home":
            return (roles.x[self.who] == roles.base_x[self.who]) & (roles.y[self.who] == roles.base_y[self.who])
        if self.verb == "knows":
            return reduce(and_, [(roles.knowledge[self.who] >> piece) & 1 != 0 for piece in self.what])
        (other,) = self.what
        is_near = within_hearing(roles.x[self.who] - roles.x[other], roles.y[self.who] - roles.y[other], params)
        if self.verb == "near":
            return is_near
        return is_near & (roles.utterance[self.who] & ~roles.previous_knowledge[other] != 0)

    def to_text(self, names: Sequence[str]) -> str:
        """The words it was written in."""
        what = map(str, self.what) if self.verb == "knows" else (names[other] for other in self.what)
        return " ".join([names[self.who], self.verb, *what])


def parse_condition(text: str, names: Sequence[str], params: Params) -> Condition:
    """A condition from its words.

    Raises:
        UserError: if it is none; the message does not say where.
    """
    who, verb, *what = [*text.split(), "", ""][: max(2, len(text.split()))]
    a, b = names[0], names[-1]
    if verb not in VERBS or (verb == "home") == bool(what):
        raise UserError(
            f"{text!r} is no condition; expected such as '{a} near {b}', '{a} knows 0 2', '{a} tells {b}' or '{a} home'"
        )
    if verb == "knows":
        pieces = range(params.num_pieces)
        for piece in what:
            if not piece.isdecimal() or int(piece) not in pieces:
                raise UserError(f"{text!r}: {piece!r} is no piece; expected 0 to {pieces[-1]}")
        return Condition(_role(who, names), verb, tuple(int(piece) for piece in what))
    if len(what) > 1:
        raise UserError(f"{text!r} names {len(what)} agents; write a condition for each")
    if what == [who]:
        raise UserError(f"{text!r}: nobody is near itself or tells itself anything; name two agents")
    return Condition(_role(who, names), verb, tuple(_role(name, names) for name in what))


def any_holds(conditions: Sequence[Condition], roles: Roles, params: Params) -> Any:
    """Whether one of the conditions holds, ``bool [*worlds]``."""
    never = roles.x[0] != roles.x[0]
    return reduce(or_, [condition.holds(roles, params) for condition in conditions], never)


def _role(name: str, names: Sequence[str]) -> int:
    if name not in names:
        raise UserError(f"there is no agent {name!r}{nearest(name, names)}")
    return names.index(name)
