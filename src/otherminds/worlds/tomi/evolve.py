"""Families of stories that evolve: changed skeletons with new twins, questions and words, and answers proved twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from itertools import groupby, permutations
from pathlib import Path
from typing import Any

from otherminds.core import world as core
from otherminds.core.errors import UserError
from otherminds.core.json_lines import to_json
from otherminds.core.seeds import Draw
from otherminds.run.breeder import Breeder, Refused
from otherminds.worlds.tomi import second_solver
from otherminds.worlds.tomi.files.items import LabelledQuestion, by_story, dump_items, read_set
from otherminds.worlds.tomi.files.make_items import Source
from otherminds.worlds.tomi.parse import Parser
from otherminds.worlds.tomi.rules import container, perceived, simulate
from otherminds.worlds.tomi.stories.changes import CHANGES, Sketch, cross, decoy_room
from otherminds.worlds.tomi.stories.generate import VERSION, family_items, family_of, make_family
from otherminds.worlds.tomi.stories.presets import PRESETS, preset
from otherminds.worlds.tomi.stories.skeletons import Skeleton
from otherminds.worlds.tomi.types import Announce, renumbered
from otherminds.worlds.tomi.world import ToMi, stories

Family = tuple[LabelledQuestion, ...]  # the questions of a base story and its twins
_TRIES = 64  # ways to make a change before it is given up
_TRIES_A_STROLL = 8  # tries before somebody also takes a stroll, which may put the story into the wanted split


class StoryBreeder(Breeder[Family]):
    """Breeds families of stories of a preset.

    Args:
        world: ToMi with the preset and the split of the families.

    Raises:
        UserError: if its stories are not those of a preset with twins.
    """

    operators = tuple(CHANGES)
    suffix = ".jsonl"

    def __init__(self, world: ToMi) -> None:
        if world.items or world.preset not in PRESETS:
            raise UserError(f"stories of {world.items or world.preset} cannot be evolved; expected a preset")
        self._knobs, self._label, self._split = preset(world.preset, **world.knobs), world.preset, world.split
        if not self._knobs.has_twins:
            raise UserError("has_twins is false; stories evolve in families of twins")
        self._source = Source(world.split, world.preset, world.seed, f"{VERSION}-evolved")

    def fresh(self, draw: Draw) -> Family:
        """A family of the generator, by a number that is drawn."""
        family = make_family(self._knobs, self._source.seed, self._split, draw.below(1 << 40), self._label)
        return tuple(family_items(family, self._knobs, self._source))

    def mutate(self, parent: Family, operator: str, draw: Draw) -> Family:
        return self._bred(parent, CHANGES[operator], draw)

    def cross(self, first: Family, second: Family, draw: Draw) -> Family:
        other = Sketch(*skeleton_of(second))
        return self._bred(first, lambda sketch, draw: cross(sketch, other, draw), draw)

    def _bred(self, parent: Family, change: Callable[[Sketch, Draw], None], draw: Draw) -> Family:
        """A family of the parent's skeleton with a change, in the same split, with twins."""
        base, order = skeleton_of(parent)
        for number in range(_TRIES):
            sketch = Sketch(base, order)
            change(sketch, draw)
            for _ in range(number // _TRIES_A_STROLL):
                decoy_room(sketch, draw)
            family = family_of(sketch.skeleton(), sketch.order, self._split, draw)
            if family is not None:
                return tuple(family_items(family, self._knobs, self._source))
        raise Refused("no changed story has twins")

    def check(self, candidate: Family) -> Family:
        """The family, if both solvers read every answer off its text, and the deepest questions have answers.

        Raises:
            Refused: if not.
        """
        deepest = max(item.order for item in candidate)
        for story in by_story(candidate):
            if all(item.ambiguous for item in story if item.order == deepest):
                raise Refused("the deepest questions are ambiguous")
            parser = Parser(story[0].story)
            read = parser.parsed(is_open=story[0].is_open)
            history = simulate(read.story)
            for item in story:
                question = parser.question(item.question)
                if question.kind not in ("memory", "reality", "before", "belief"):
                    continue
                answers = {container(question, history)}
                if question.kind in ("reality", "belief"):
                    answers.add(second_solver.believed(read.story, question.chain, question.object))
                if answers != {read.names.containers.index(item.answer)}:
                    raise Refused(f"the solvers do not agree on {item.question!r}")
        return candidate

    def key(self, candidate: Family) -> str:
        """A hash of who can see what of the object asked about, the depth of questions, and the number of decoys."""
        base, order = skeleton_of(candidate)
        scenes = [(shown[0], witnesses) for _, witnesses, shown in perceived(base.story) if 0 in shown]
        boxes = {box: number for number, box in enumerate(dict.fromkeys(box for box, _ in scenes))}
        forms = []
        for people in permutations(base.group):  # the least of all numberings is the same for near-duplicates
            seen = [
                (boxes[box], *(tuple(mask >> agent & 1 for agent in people) for mask in witnesses))
                for box, witnesses in scenes
            ]
            forms.append([scene for scene, _ in groupby(seen)])
        return blake2b(
            repr((order, base.story.num_objects, base.story.num_rooms, min(forms))).encode(), digest_size=12
        ).hexdigest()

    def items(self, candidate: Family, run: int) -> Sequence[core.Item]:
        """The stories of the family, each passed if all its questions are answered rightly."""
        return list(stories(candidate))

    def text(self, candidate: Family, name: str, lineage: Mapping[str, Any]) -> str:
        """The questions as JSON lines; the first one has the lineage."""
        first, *others = dump_items(candidate)
        return "".join([f'{{"lineage":{to_json(lineage)},{first[1:]}', *others])

    def read(self, path: Path) -> Family:
        return tuple(read_set(path))


def skeleton_of(family: Family) -> tuple[Skeleton, int]:
    """The skeleton of the base story, read from its text, and the order of the deepest question."""
    base = [item for item in family if item.variant == "base"]
    parser = Parser(base[0].story)
    asked, story = parser.question(base[0].question).object, parser.parsed(is_open=base[0].is_open).story
    announced = {event.object: (at, event) for at, event in enumerate(story.events) if isinstance(event, Announce)}
    start = 1 + max(at for at, _ in announced.values())
    home = story.homes[announced[asked][1].container]
    rooms, things = {home: 0, 0: home}, {asked: 0, 0: asked}
    events = tuple(renumbered(event, rooms=rooms, things=things) for event in story.events)
    changed = replace(story, events=events, homes=tuple(rooms.get(room, room) for room in story.homes))
    group = sorted({parser.names.agents.index(name) for item in base for name in item.chain})
    return Skeleton(changed, start, tuple(group)), max(item.order for item in base)
