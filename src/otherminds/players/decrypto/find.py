"""Players of Decrypto by name: ``glove``, ``embedding:lexicon=minilm,k=60``, ``rsa:lam=4``.

A registered player is a function that takes the role and options and gives a :class:`Seat`. The name of a lexicon alone
is the embedding baseline with it.
"""

from __future__ import annotations

import inspect
from typing import Any

from otherminds.core.errors import UserError, nearest
from otherminds.core.registry import entries, find
from otherminds.players.decrypto.seats import Seat
from otherminds.worlds.decrypto.lexicon import SHIPPED
from otherminds.worlds.decrypto.types import ROLES, Role


def find_seat(spec: str, role: Role) -> Seat:
    """A player for a role.

    Args:
        spec: a name, and options after a colon, as in ``rsa:lexicon=glove,lam=4``.
        role: that it is to fill.

    Raises:
        UserError: if there is no such player or option, or it cannot fill the role.
    """
    if role not in ROLES:
        raise UserError(f"there is no role {role!r}; expected {', '.join(ROLES)}")
    name, _, given = spec.partition(":")
    options = dict(_option(part, spec) for part in given.split(",") if part)
    if name.partition("~")[0] in SHIPPED:
        name, options = "embedding", {"lexicon": name, **options}
    known = [entry.name for entry in entries("player", "decrypto")]
    if name not in known:
        raise UserError(f"there is no player {name!r} of Decrypto{nearest(name, [*SHIPPED, *known])}")
    make = find("player", name, "decrypto").load()
    allowed = [one for one in inspect.signature(make).parameters if one != "role"]
    for option in options:
        if option not in allowed:
            raise UserError(f"player {name!r} has no option {option!r}{nearest(option, allowed)}")
    found: Seat = make(role, **options)
    found.name = spec  # type: ignore[misc]  # what tables call it is what was asked for
    return found


def _option(part: str, spec: str) -> tuple[str, Any]:
    name, equals, text = part.partition("=")
    if not equals:
        raise UserError(f"option {part!r} of player {spec!r} has no value; write it as name=value")
    return name.strip(), _value(text.strip())


def _value(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
