"""Errors that give the new name of an old option; ``old_options.yaml`` lists them."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

import yaml

from otherminds.core.errors import nearest

_ARGUMENTS = {
    "MINDS": "; pass minds as arguments instead: otherminds evaluate WORLD MIND…",
    "SOURCE": "; pass it as the argument SOURCE instead",
}


def new_names() -> dict[str, str]:
    """The new name of each old option, or several to choose from."""
    names: dict[str, str] = yaml.safe_load(files(__package__).joinpath("old_options.yaml").read_text("utf-8"))
    return names


def new_spelling(option: str, known: Sequence[str] | None, accepted: Sequence[str]) -> str:
    """A suffix for an error message: the new name that the command accepts, or the nearest known one."""
    renamed = new_names()
    for advice in renamed[option].split(" or ") if option in renamed else ():
        first = advice.split()[0]
        is_of_world = first != "--set" or "WORLD" in accepted or "TARGET" in accepted  # elsewhere it sets other things
        if first == "otherminds" or (first in accepted and is_of_world):
            return _ARGUMENTS.get(first) or f"; it is now {advice}"
    return nearest(option, known or ())
