"""Players of Decrypto by name: ``glove``, ``embedding:lexicon=minilm,k=60``, ``rsa:lam=4``.

A registered player is a function that takes the role and options and gives a :class:`Seat`. The name of a lexicon alone
is the embedding baseline with it.
"""

from __future__ import annotations

import inspect
import math
from typing import Any, Literal, get_args, get_origin, get_type_hints

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
    options: dict[str, str] = dict(_option(part, spec) for part in given.split(",") if part)
    if name.partition("~")[0] in SHIPPED:
        name, options = "embedding", {"lexicon": name, **options}
    known = [entry.name for entry in entries("mind", "decrypto")]
    if name not in known:
        raise UserError(f"there is no player {name!r} of Decrypto{nearest(name, [*SHIPPED, *known])}")
    make = find("mind", name, "decrypto").load()
    allowed = [one for one in inspect.signature(make).parameters if one != "role"]
    for option in options:
        if option not in allowed:
            raise UserError(f"player {name!r} has no option {option!r}{nearest(option, allowed)}")
    kinds = get_type_hints(make)
    found: Seat = make(
        role, **{option: _value(option, text, kinds.get(option), name) for option, text in options.items()}
    )
    found.name = spec  # type: ignore[misc]  # what tables call it is what was asked for
    return found


def _option(part: str, spec: str) -> tuple[str, str]:
    name, equals, text = part.partition("=")
    if not equals:
        raise UserError(f"option {part!r} of player {spec!r} has no value; write it as name=value")
    return name.strip(), text.strip()


def _value(option: str, text: str, kind: Any, player: str) -> Any:
    """What a text stands for, by what the option takes: a wrong value must not cost a player every turn unseen."""
    if get_origin(kind) is Literal:
        allowed = {word: word for word in get_args(kind)}
    elif kind is bool:
        allowed = {"true": True, "false": False}
    elif kind in (int, float):
        return _number(option, text, kind, player)
    else:
        return text
    if text not in allowed:
        raise UserError(f"option {option!r} of player {player!r} is {text!r}; expected {' or '.join(allowed)}")
    return allowed[text]


def _number(option: str, text: str, kind: type[int] | type[float], player: str) -> float:
    try:
        found = kind(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        what = "a whole number" if kind is int else "a number"
        raise UserError(f"option {option!r} of player {player!r} is {text!r}; expected {what}")
    return found
