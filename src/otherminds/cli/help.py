"""How ``--help`` shows options and arguments: by what to write, such as NUMBER, rather than by a type of Python."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperGroup

_WORDS = {"int": "NUMBER", "float": "NUMBER", "Path": "PATH", "str": "TEXT"}  # by what a type's name contains


class Command(TyperCommand):
    """A command whose help names what to write."""

    def get_params(self, ctx: Any) -> Any:
        return [_described(param) for param in super().get_params(ctx)]


class Group(TyperGroup):
    """A group of commands whose help names what to write."""

    def get_params(self, ctx: Any) -> Any:
        return [_described(param) for param in super().get_params(ctx)]


def limits(param: Any) -> str:
    """The bounds of a number, such as ``at least 1``; empty if it has none."""
    bounds = {"at least": getattr(param, "min", None), "at most": getattr(param, "max", None)}
    return " and ".join(f"{words} {bound}" for words, bound in bounds.items() if bound is not None)


def _described(param: Any) -> Any:
    """An option or argument with the word for its value; a switch takes none."""
    if param.metavar is None:
        if param.param_type_name == "argument":
            param.metavar = param.name.upper()
        elif getattr(param, "is_flag", False):
            param.metavar = ""
        else:
            kind = str(getattr(getattr(param, "type_descriptor", None), "annotation", ""))
            word = next((word for part, word in _WORDS.items() if part in kind), "TEXT")
            bounds = limits(param)
            param.metavar = f"{word} ({bounds})" if bounds else word
    # Typer would repeat the bounds as [x>=1], and the type beside the name of an argument.
    param._get_number_range_help_str = lambda: None
    if param.param_type_name == "argument":
        param.display_type_rich = lambda **_: None
    return param
