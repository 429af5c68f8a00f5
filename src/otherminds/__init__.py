"""otherminds: does a mind know what others know, and does it act on it?

    import otherminds

    world = otherminds.make("symmtom-v0", setting="n3_w6_c3")
    observations, state = world.reset(key)

Importing the package is cheap: worlds, minds and JAX are imported on first use.
"""

from __future__ import annotations

from typing import Any

from otherminds.core.errors import MissingExtra, UserError

__version__ = "0.2.0"
__all__ = ["MissingExtra", "UserError", "__version__", "make", "mind"]


def make(world: str, /, **options: Any) -> Any:
    """The world with the given name, such as ``"symmtom-v0"``; the newest version if the name has none.

    Raises:
        UserError: if there is no such world, or the options do not fit it.
    """
    from inspect import signature

    from otherminds.core.errors import nearest
    from otherminds.core.registry import find

    kind = find("world", world).load()
    try:
        return kind(**options)
    except TypeError as error:
        if "argument" not in str(error):
            raise
        known = [name for name in signature(kind).parameters if name != "params"]
        odd = next((name for name in options if name not in known), "")
        raise UserError(f"{world} has no option {odd!r}{nearest(odd, known)}") from error


def mind(name: str, world: str) -> Any:
    """The registered mind of that name for a world: a policy, or the class or function that makes the mind.

    Raises:
        UserError: if there is no such mind.
    """
    from otherminds.core.registry import find

    return find("mind", name, world).load()
