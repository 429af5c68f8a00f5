"""Words to tell stories in: our own lists, made-up words, or whatever names a user's ToMi files have.

The lists are of the originals' sizes (spec 1), not the originals' words, which are not ours to ship. Names of several
words are joined by ``_``, so that every name and every answer is one token.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw
from otherminds.worlds.tomi.files import BadBlock, read_blocks
from otherminds.worlds.tomi.types import Remark

NameStyle = Literal["common", "rare", "nonce"]
_SMALL = 30  # of everything in the world of the released files, drawn once from the larger lists
_ONSETS = (
    *"bdfghjklmnprstvwyz",
    "bl",
    "br",
    "dr",
    "fl",
    "gl",
    "gr",
    "kl",
    "kr",
    "pl",
    "pr",
    "sk",
    "sl",
    "sn",
    "st",
    "tr",
)
_VOWELS = "aeiou"
_CODAS = ("", "", "", *"bdgklmnprstx")


@dataclass(frozen=True)
class Pools:
    """The words that stories draw from."""

    agents: tuple[str, ...]
    rooms: tuple[str, ...]
    containers: tuple[str, ...]
    objects: tuple[str, ...]
    plurals: frozenset[str] = frozenset()  # of the objects
    pronouns: dict[str, str] = field(default_factory=dict)  # she or he, where a name tells

    @property
    def clashes(self) -> frozenset[str]:
        """Words that name both a room and a container, and so make an answer unclear (spec 1)."""
        return frozenset(self.rooms) & frozenset(self.containers)


@cache
def pools(names: NameStyle = "common", seed: int = 0) -> Pools:
    """Everything there is: 40 names, 30 rooms, 39 coloured containers, 66 objects.

    Args:
        names: common first names, rare ones, or ``nonce``: made-up words for people, rooms, containers and objects.
        seed: which made-up words.
    """
    words = _words()
    containers = tuple(f"{colour}_{noun}" for colour in words["colours"] for noun in words["containers"])
    objects = (*words["produce"], *words["clothing"])
    if names == "nonce":
        sizes = (40, len(words["rooms"]), len(containers), len(objects))
        made = iter(nonce_words(seed, sum(sizes)))
        agents, rooms, boxes, things = (tuple(next(made) for _ in range(size)) for size in sizes)
        return Pools(tuple(agent.capitalize() for agent in agents), rooms, boxes, things)
    listed = words["names" if names == "common" else "rare_names"]
    pronouns = {name: pronoun for pronoun, group in listed.items() for name in group}
    return Pools(
        tuple(sorted(pronouns)), tuple(words["rooms"]), containers, objects, frozenset(words["plurals"]), pronouns
    )


@cache
def released_pools(seed: int = 0) -> Pools:
    """The small world of the released files and of ToM-bAbI: 30 of each, coloured containers, no clothing."""
    whole, draw = pools(), Draw(seed, "tomi/world")
    agents, rooms, boxes, things = (
        tuple(sorted(draw.some(words, _SMALL)))
        for words in (whole.agents, whole.rooms, whole.containers, tuple(_words()["produce"]))
    )
    return Pools(agents, rooms, boxes, things, whole.plurals & frozenset(things), whole.pronouns)


@cache
def code_pools() -> Pools:
    """The world of the published generator: 40 names, 30 rooms, 13 plain containers, 66 objects."""
    whole = pools()
    return Pools(whole.agents, whole.rooms, tuple(_words()["containers"]), whole.objects, whole.plurals, whole.pronouns)


def nonce_words(seed: int, number: int, avoid: Collection[str] = ()) -> list[str]:
    """That many different made-up words, the same for the same seed; none is one of ours or to be avoided."""
    draw = Draw(seed, "tomi/nonce")
    taken = {word.lower() for word in (*_every_word(), *avoid)}
    made: list[str] = []
    while len(made) < number:
        parts = [draw.pick(part) for part in (_ONSETS, _VOWELS, _CODAS, _ONSETS, _VOWELS, _CODAS)]
        word = "".join(parts)
        if word not in taken:
            taken.add(word)
            made.append(word)
    return made


def pools_from_files(paths: Iterable[str | Path]) -> Pools:
    """The names that ToMi files use, in alphabetical order.

    Raises:
        UserError: names the file and the line that cannot be read, or the kind of word of which there is none.
    """
    agents, rooms, containers, objects, liked = (set[str]() for _ in range(5))
    read = [str(path) for path in paths]
    for path in read:
        for block in read_blocks(path):
            if isinstance(block, BadBlock):
                raise block
            names = block.told.names
            agents.update(names.agents)
            rooms.update(names.rooms)
            containers.update(names.containers)
            objects.update(names.objects)
            liked.update(event.thing for event in block.told.story.events if isinstance(event, Remark))
    objects |= liked - rooms  # people like rooms as well as objects (spec 2.2)
    for kind, words, least in (("people", agents, 3), ("rooms", rooms, 2), ("containers", containers, 2)):
        if len(words) < least:
            where = ", ".join(read) or "no file"
            raise UserError(f"{where}: found {len(words)} {kind}, expected at least {least} to tell stories with")
    return Pools(tuple(sorted(agents)), tuple(sorted(rooms)), tuple(sorted(containers)), tuple(sorted(objects)))


@cache
def _words() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(files(__package__).joinpath("words.json").read_text(encoding="utf-8"))
    return found


def _every_word() -> set[str]:
    words = _words()
    lists = (words["rooms"], words["containers"], words["colours"], words["produce"], words["clothing"])
    named = (group for kind in ("names", "rare_names") for group in words[kind].values())
    return {word for group in (*lists, *named) for word in group}
