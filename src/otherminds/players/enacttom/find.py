"""Players of the household by name: ``oracle``, ``tracker:depth=2``, ``greedy``, ``decoupled``, ``random``."""

from __future__ import annotations

from collections.abc import Callable

from otherminds.core.errors import UserError, nearest
from otherminds.players.enacttom.policies import oracle, tracker
from otherminds.players.enacttom.scripted import Decoupled, Greedy, Random
from otherminds.players.enacttom.seats import Seat

_MAKERS: dict[str, Callable[[], Seat]] = {
    "oracle": oracle,
    "greedy": Greedy,
    "decoupled": Decoupled,
    "random": Random,
}


def find_seat(spec: str) -> Seat:
    """A player by its name.

    Raises:
        UserError: if there is none.
    """
    name, _, option = spec.partition(":")
    if name == "tracker":
        key, _, value = option.partition("=")
        if option and (key != "depth" or not value.isdecimal()):
            raise UserError(f"player {spec!r} has no option {option!r}; write tracker:depth=2")
        return tracker(int(value) if option else 1)
    if name not in _MAKERS or option:
        raise UserError(f"there is no player {spec!r} of EnactToM{nearest(name, [*_MAKERS, 'tracker'])}")
    return _MAKERS[name]()
