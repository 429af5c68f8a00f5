"""The registry of names: objects are imported only when they are used.

An entry says where its object lives as ``"module:attribute"``, so that listing everything costs nothing. Packages add
their own entries under the entry-point group ``otherminds``: a function that is called once and registers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from typing import Any, Literal, get_args

from otherminds.core.errors import MissingExtra, UserError, nearest

Kind = Literal[
    "world",
    "mind",
    "belief",
    "scenario",
    "suite",
    "experiment",
    "task",
    "skeleton",
    "table",
    "verifier",
    "breeder",
    "command",
    "inspect task",
]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class Entry:
    """One registered name."""

    kind: Kind
    name: str  # worlds carry their version: "symmtom-v0"
    target: str  # "package.module:attribute", or "package.module:table[name]"
    summary: str
    world: str | None = None  # the world it belongs to, without version; None if it is one or serves all
    extra: str | None = None  # the optional part it needs

    def load(self) -> Any:
        """The object itself.

        Raises:
            MissingExtra: if a package it needs is not installed.
        """
        module, _, attribute = self.target.partition(":")
        name, _, key = attribute.partition("[")
        try:
            target = getattr(import_module(module), name)
            return target[key.removesuffix("]")] if key else target
        except ModuleNotFoundError as error:
            if self.extra is None or (error.name or "").startswith("otherminds"):
                raise
            raise MissingExtra(
                f"{self.kind} {self.name!r} needs {error.name}; install otherminds[{self.extra}]"
            ) from error


_entries: dict[tuple[Kind, str | None, str], Entry] = {}


def register(entry: Entry) -> None:
    """Register a name. A second entry of the same kind, world and name is refused."""
    if entry.kind not in KINDS:
        raise UserError(f"kind {entry.kind!r} cannot be registered{nearest(entry.kind, KINDS)}")
    key = (entry.kind, entry.world, entry.name)
    if key in _entries and _entries[key] != entry:
        raise UserError(f"{entry.kind} {entry.name!r} is already registered ({_entries[key].target})")
    _entries[key] = entry


def register_all(
    kind: Kind,
    names: Mapping[str, str | tuple[str, str]],
    target: str,
    world: str | None = None,
    extra: str | None = None,
) -> None:
    """Register several names of one kind.

    Args:
        kind: Kind of the entries.
        names: Summary of each name, or the text that replaces ``{}`` in ``target`` and the summary.
        target: Location of the objects; ``{}`` is replaced by the name.
        world: World that they belong to.
        extra: Optional dependency that they need.
    """
    for name, about in names.items():
        part, summary = (name, about) if isinstance(about, str) else about
        register(Entry(kind, name, target.format(part), summary, world, extra))


def entries(kind: Kind | None = None, world: str | None = None) -> list[Entry]:
    """All entries, or those of a kind and of a world (with or without its version)."""
    _load_plugins()
    base = None if world is None else split_version(world)[0]
    return [
        entry
        for entry in _entries.values()
        if (kind is None or entry.kind == kind) and (base is None or entry.world in (base, None))
    ]


def find(kind: Kind, name: str, world: str | None = None) -> Entry:
    """The entry of that name; a world may be named without its version, which gives the newest.

    Raises:
        UserError: if there is no such entry; the message suggests the nearest.
    """
    known = entries(kind, None if kind == "world" else world)
    exact = [entry for entry in known if entry.name == name]
    if not exact and kind == "world":
        versions = [entry for entry in known if split_version(entry.name)[0] == name]
        exact = sorted(versions, key=lambda entry: split_version(entry.name)[1])
    if not exact:
        raise UserError(f"there is no {kind} {name!r}{nearest(name, [entry.name for entry in known])}")
    own = [entry for entry in exact if entry.world is not None]  # a world's own goes before one that serves all
    return (own or exact)[-1]


def split_version(name: str) -> tuple[str, int]:
    """A world's name and version: ``"symmtom-v0"`` to ``("symmtom", 0)``; a name without one has version 0."""
    match = re.fullmatch(r"(.+)-v(\d+)", name)
    return (match[1], int(match[2])) if match else (name, 0)


@cache
def _load_plugins() -> None:
    import_module("otherminds.minds")
    for module in iter_modules(import_module("otherminds.worlds").__path__, "otherminds.worlds."):
        import_module(module.name)
    for plugin in entry_points(group="otherminds"):
        plugin.load()()
