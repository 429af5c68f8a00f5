"""Words for a family of stories, chosen last: who is called what, what people remark on, and how each event is told."""

from __future__ import annotations

from dataclasses import replace

from otherminds.core.seeds import Draw
from otherminds.worlds.tomi.knobs import Knobs
from otherminds.worlds.tomi.templates import STATEMENTS
from otherminds.worlds.tomi.text import Teller, with_pronouns
from otherminds.worlds.tomi.twins import Variant
from otherminds.worlds.tomi.types import Enter, Exit, Names, Remark, Story
from otherminds.worlds.tomi.vocabulary import Pools, pools

_SPLITS = ("train", "val", "test")


class Wording:
    """How one family is told. All its members get the same words, so that twins differ in nothing else."""

    def __init__(self, base: Story, knobs: Knobs, seed: int, split: str, draw: Draw) -> None:
        words = pools(knobs.names, seed)
        people = _share(words.agents, split) if knobs.is_disjoint else words.agents
        self.names = Names(
            tuple(draw.some(people, base.num_agents)),
            tuple(draw.some(words.rooms, base.num_rooms)),
            tuple(draw.some(words.containers, len(base.homes))),
            tuple(draw.some(words.objects, base.num_objects)),
        )
        self.plurals = words.plurals
        self._pronouns = words.pronouns if knobs.has_pronouns else {}
        self._things = _remarked(words, self.names, base, draw)
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
            return 1 if kind in ("remark", "ring") else min(form, len(STATEMENTS[kind]) - 1)

        teller = Teller(self.story(member), self.names, choose, self.plurals)
        forms = [self._form_of[event] for event in member.events] if variant == "order" else self._forms
        said: list[str] = []
        for form, event in zip(forms, teller.story.events, strict=True):
            if type(event) is not Enter and type(event) is not Exit:
                said += teller.tell(event)
                continue
            # Most sentences are of these, and most are the same in all members.
            door = type(event), event.agent, event.room, form
            if door not in self._doors:
                (self._doors[door],) = teller.tell(event)
            said.append(self._doors[door])
        return with_pronouns(said, self._pronouns) if self._pronouns else said


def _remarked(words: Pools, names: Names, base: Story, draw: Draw) -> list[str]:
    """Something for each remark: most often an object, now and then a room or the object asked about itself."""
    number = sum(isinstance(event, Remark) for event in base.events)
    return [draw.pick((names.rooms, names.objects, words.objects, words.objects)[draw.below(4)]) for _ in range(number)]


def _share(words: tuple[str, ...], split: str) -> tuple[str, ...]:
    """A third of the words for each split."""
    return words[_SPLITS.index(split) :: len(_SPLITS)]
