"""Families of stories by number: the same number gives the same family, in whatever order they are made.

A family is made in steps: a skeleton, its twins, questions, and words last. If a step fails, the family is drawn again
from its own random stream.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw
from otherminds.worlds.tomi.files.items import LabelledQuestion
from otherminds.worlds.tomi.files.make_items import Asked, Source, story_items
from otherminds.worlds.tomi.rules import answer, simulate, story_order
from otherminds.worlds.tomi.stories.presets import Knobs, check_split, preset
from otherminds.worlds.tomi.stories.skeletons import Skeleton, skeleton
from otherminds.worlds.tomi.stories.twins import TWINS, Member, Variant, asked_chains, candidates, choose_twin
from otherminds.worlds.tomi.stories.vocabulary import Wording
from otherminds.worlds.tomi.types import Announce, Chain, Enter, Exit, Kind, Move, Question, Story, Tell

VERSION = "3"  # any change to the stories of a number makes a new version
_SHARES = {"train": range(8), "val": range(8, 9), "test": range(9, 10)}  # of ten parts of all skeletons
_PROBES: tuple[Kind, ...] = ("before", "present", "knowers")
_MOST_DRAWS = 20000
_RAREST_FIRST: tuple[Variant, ...] = ("agent", "room", "order")  # so that a story without one is soon given up


class Family(NamedTuple):
    """A base story and its twins without words."""

    members: list[Member]
    chains: list[Chain]  # whose beliefs all members are asked for
    draw: Draw  # the family's stream of chance


def make_family(knobs: Knobs, seed: int, split: str, index: int, label: str = "") -> Family:
    """The family of a number; the name of its stream of chance contains ``label``, the preset's name."""
    draw = Draw(seed, f"tomi/{VERSION}/{label}/{split}/{index}")
    target = index % (knobs.order + 1)
    for _ in range(_MOST_DRAWS):
        base = skeleton(knobs, draw, target)
        if len(base.story.events) < knobs.statements:
            continue
        if family := family_of(base, knobs.order, split, draw, target, has_twins=knobs.has_twins):
            return family
    raise UserError(
        f"no story of order {target} found in {_MOST_DRAWS} draws; allow more changes, agents or moves "
        f"(found {knobs.changes}, {knobs.agents} and {knobs.moves})"
    )


def family_of(
    base: Skeleton, order: int, split: str, draw: Draw, target: int | None = None, *, has_twins: bool = True
) -> Family | None:
    """The family of a skeleton; ``None`` if it has none, or belongs to another split.

    Args:
        base: skeleton of the base story.
        order: of the deepest question.
        split: that the skeleton must belong to.
        draw: the family's stream of chance.
        target: the order of false belief that the story must have. [default: any]
        has_twins: whether it must have twins.
    """
    if _part(base.story, base.start) not in _SHARES[split]:
        return None
    history = simulate(base.story)
    if len(history.trail[0]) < 2 or target not in (None, story_order(base.group, 0, history, order)):
        return None
    chains = asked_chains(base.group, order, draw)
    first = Member("base", base.story, history)
    members = _with_twins(base, first, chains, draw) if has_twins else [first]
    return Family(members, chains, draw) if members else None


def _with_twins(skeleton: Skeleton, base: Member, chains: list[Chain], draw: Draw) -> list[Member]:
    """The base and a twin of each kind, in which the object begins and ends alike; empty if a kind has none."""
    chosen: dict[Variant, Member] = {}
    for variant in _RAREST_FIRST:
        possible = (twin for twin in candidates(skeleton, variant, draw) if _ends(twin) == _ends(base))
        twin = choose_twin(base, possible, chains)
        if twin is None:
            return []
        chosen[variant] = twin
    return [base, *(chosen[variant] for variant in TWINS)]


def _ends(member: Member) -> tuple[int, int]:
    """The first and the last container of the object asked about."""
    trail = member.history.trail[0]
    return trail[0], trail[-1]


def make_items(
    name: str, size: int, seed: int = 0, split: str = "test", first: int = 0, **changes: Any
) -> list[LabelledQuestion]:
    """The questions of that many families of a preset, with some knobs changed."""
    return list(iter_items(preset(name, **changes), name, size, seed, split, first))


def iter_items(
    knobs: Knobs,
    label: str,
    size: int,
    seed: int = 0,
    split: str = "test",
    first: int = 0,
    *,
    is_full: bool = False,
) -> Iterator[LabelledQuestion]:
    """The questions of families one after the other, in constant memory; ``is_full`` with all events and beliefs."""
    check_split(split)
    source = Source(split, label, seed, VERSION)
    for index in range(first, first + size):
        yield from family_items(make_family(knobs, seed, split, index, label), knobs, source, is_full=is_full)


def family_items(family: Family, knobs: Knobs, source: Source, *, is_full: bool = False) -> Iterator[LabelledQuestion]:
    """The questions of one family."""
    members, chains, draw = family
    asked = [Question("memory", 0), Question("reality", 0), *(Question("belief", 0, chain) for chain in chains)]
    if knobs.has_probes:
        asked += [Question(kind, 0) for kind in _PROBES]
        asked += [Question("knows", 0, chain) for chain in chains if len(chain) == 1]
    people = tuple(dict.fromkeys(agent for chain in chains for agent in chain))
    wording = Wording(members[0].story, knobs, source.seed, source.split, draw)
    for items in tell(members, wording, asked, source, people, is_full):
        yield from items


def tell(
    members: Iterable[Member],
    wording: Wording,
    asked: Sequence[Question],
    source: Source,
    people: Sequence[int] = (),
    is_full: bool = False,
) -> Iterator[list[LabelledQuestion]]:
    """The questions of each member of a family; those without an answer are not asked."""
    family_id = ""
    for member in members:
        right = ((question, answer(question, member.history, wording.names)) for question in asked)
        items = story_items(
            wording.story(member.story),
            wording.names,
            wording.statements(member.story, member.variant),
            [Asked(question, word) for question, word in right if word is not None],
            source,
            people=people,
            family_id=family_id,
            variant=member.variant,
            plurals=wording.plurals,
            is_full=is_full,
        )
        family_id = items[0].family_id
        yield items


def _part(story: Story, start: int) -> int:
    """The tenth of all skeletons that a story belongs to, by features that all members of a family share."""
    homes = set(story.homes)
    people: dict[int, int] = {}
    boxes: dict[int, int] = {}
    rooms: dict[int, tuple[int, bool]] = {}
    cast = [
        (people.setdefault(event.agent, len(people)), rooms.setdefault(event.room, (len(rooms), event.room in homes)))
        for event in story.events[:start]
        if type(event) is Enter
    ]
    moved = [
        boxes.setdefault(event.container, len(boxes))
        for event in story.events
        if type(event) is Move or type(event) is Announce
    ]
    kinds = Counter(map(type, story.events[start:]))
    counts = [kinds[kind] for kind in (Enter, Exit, Move, Tell)]
    digest = blake2b(repr((cast, counts, moved)).encode(), digest_size=4).digest()
    return int.from_bytes(digest, "little") % 10
