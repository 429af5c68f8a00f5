"""otherminds: does a mind know what others know, and does it act on it?

    import otherminds

    world = otherminds.make("symmtom-v0", setting="n3_w6_c3")
    observations, state = world.reset(key)

Importing the package is cheap: worlds, players and JAX are imported when they are asked for.
"""

from __future__ import annotations

from os import PathLike
from typing import Any

from otherminds.core.errors import MissingExtra, UserError

__version__ = "0.2.0"
__all__ = ["MissingExtra", "UserError", "__version__", "load_agent", "make", "player"]


def make(world: str, **options: Any) -> Any:
    """The world of that name, such as ``"symmtom-v0"``; without a version, its newest.

    Raises:
        UserError: if there is no such world, or the options do not fit it.
    """
    from otherminds.core.registry import find

    return find("world", world).load()(**options)


def player(name: str, world: str = "symmtom") -> Any:
    """The player of that name for a world: a policy, or the class of a player that fills one seat.

    Raises:
        UserError: if there is no such player.
    """
    from otherminds.core.registry import find

    return find("mind", name, world).load()


def load_agent(path: str | PathLike[str]) -> Any:
    """A trained agent from a run directory or an actor file: a policy like any other player.

    Raises:
        UserError: if there is none.
    """
    try:
        from otherminds.players.symmtom.learned import load_agent as load
    except ModuleNotFoundError as error:
        raise MissingExtra(f"trained agents need {error.name}; install otherminds[train]") from error
    return load(str(path))
