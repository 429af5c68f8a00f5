"""Vocabulary of stories: our own lists, or made-up words.

The lists have the sizes of the original's (spec 1) but not its words, which are not ours to ship. Names of several
words are joined by ``_``, so that every name and every answer is one token.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from otherminds.core.seeds import Draw
from otherminds.worlds.tomi.stories.presets import SPLITS, Knobs
from otherminds.worlds.tomi.stories.twins import Variant
from otherminds.worlds.tomi.text import STATEMENTS, Teller
from otherminds.worlds.tomi.types import Enter, Exit, Names, Remark, Story

NameStyle = Literal["common", "rare", "nonce"]
_SMALL = 30  # of everything in the world of the released files, drawn once from the larger lists
_ONSETS = (
    *"bdfghjklmnprstvwyz",
    *["bl", "br", "dr", "fl", "gl", "gr", "kl", "kr", "pl", "pr", "sk", "sl", "sn", "st", "tr"],
)
_VOWELS = "aeiou"
_CODAS = ("", "", "", *"bdgklmnprstx")


@dataclass(frozen=True, slots=True)
class Pools(Names):
    """The words that stories draw from."""

    plurals: frozenset[str] = frozenset()  # of the objects


@cache
def pools(names: NameStyle = "common", seed: int = 0) -> Pools:
    """The whole vocabulary: 40 names, 30 rooms, 39 coloured containers, 66 objects.

    First names are common or rare. ``nonce`` are words made up from the seed, for everything.
    """
    words = _words()
    containers = tuple(f"{colour}_{noun}" for colour in words["colours"] for noun in words["containers"])
    objects = (*words["produce"], *words["clothing"])
    if names == "nonce":
        sizes = (40, len(words["rooms"]), len(containers), len(objects))
        made = iter(nonce_words(seed, sum(sizes)))
        agents, rooms, boxes, things = (tuple(next(made) for _ in range(size)) for size in sizes)
        return Pools(tuple(agent.capitalize() for agent in agents), rooms, boxes, things)
    people = sorted(words["names" if names == "common" else "rare_names"])
    return Pools(tuple(people), tuple(words["rooms"]), containers, objects, frozenset(words["plurals"]))


@cache
def released_pools(seed: int = 0) -> Pools:
    """The small world of the released files and of ToM-bAbI: 30 of each, coloured containers, no clothing."""
    whole, draw = pools(), Draw(seed, "tomi/world")
    agents, rooms, boxes, things = (
        tuple(sorted(draw.some(words, _SMALL)))
        for words in (whole.agents, whole.rooms, whole.containers, tuple(_words()["produce"]))
    )
    return Pools(agents, rooms, boxes, things, whole.plurals & frozenset(things))


@cache
def code_pools() -> Pools:
    """The world of the published generator: 40 names, 30 rooms, 13 plain containers, 66 objects."""
    return replace(pools(), containers=tuple(_words()["containers"]))


def nonce_words(seed: int, number: int) -> list[str]:
    """Different made-up words, the same for the same seed, none of which is in our lists."""
    draw = Draw(seed, "tomi/nonce")
    taken = {word.lower() for word in _every_word()}
    made: list[str] = []
    while len(made) < number:
        parts = [draw.pick(part) for part in (_ONSETS, _VOWELS, _CODAS, _ONSETS, _VOWELS, _CODAS)]
        word = "".join(parts)
        if word not in taken:
            taken.add(word)
            made.append(word)
    return made


@cache
def _words() -> Any:
    return json.loads(files(__package__).joinpath("words.json").read_text(encoding="utf-8"))


def _every_word() -> set[str]:
    return {word for kind, group in _words().items() if kind != "plurals" for word in group}


class Wording:
    """Words of one family. All members share them, so that twins differ in nothing else."""

    def __init__(self, base: Story, knobs: Knobs, seed: int, split: str, draw: Draw) -> None:
        words = pools(knobs.names, seed)
        people = words.agents[SPLITS.index(split) :: len(SPLITS)] if knobs.is_disjoint else words.agents
        self.names = Names(
            tuple(draw.some(people, base.num_agents)),
            tuple(draw.some(words.rooms, base.num_rooms)),
            tuple(draw.some(words.containers, len(base.homes))),
            tuple(draw.some(words.objects, base.num_objects)),
        )
        self.plurals = words.plurals
        # A word for each remark: most often an object, sometimes a room or the object asked about.
        things = (self.names.rooms, self.names.objects, words.objects, words.objects)
        remarks = [event for event in base.events if isinstance(event, Remark)]
        self._things = [draw.pick(things[draw.below(len(things))]) for _ in remarks]
        self._doors: dict[tuple[type, int, int, int], str] = {}
        drawn = [draw.below(knobs.variety + 1) if knobs.variety else 0 for _ in base.events]
        self._form_of = dict(zip(base.events, drawn, strict=True))  # what happens twice is told alike
        self._forms = [self._form_of[event] for event in base.events]

    def story(self, member: Story) -> Story:
        """A member with its remarks about something."""
        things = iter(self._things)
        events = tuple(replace(e, thing=next(things)) if isinstance(e, Remark) else e for e in member.events)
        return replace(member, events=events)

    def statements(self, member: Story, variant: Variant) -> list[str]:
        """A member in words.

        In an order twin the same events come in another order and keep their words; in the others, another event
        stands in the same place and takes its form.
        """
        form = 0

        def choose(kind: str) -> int:
            return 1 if kind == "remark" else min(form, len(STATEMENTS[kind]) - 1)

        teller = Teller(self.story(member), self.names, choose, self.plurals)
        forms = [self._form_of[event] for event in member.events] if variant == "order" else self._forms
        sentences: list[str] = []
        for form, event in zip(forms, teller.story.events, strict=True):
            if type(event) is not Enter and type(event) is not Exit:
                sentences += teller.tell(event)
                continue
            # Most sentences are of these, and most are the same in all members.
            door = type(event), event.agent, event.room, form
            if door not in self._doors:
                (self._doors[door],) = teller.tell(event)
            sentences.append(self._doors[door])
        return sentences
