"""Stories as the original makes them, in two modes: as its released files are, and as its published code does.

Defects and all (spec 2, 12, 14), for comparison with published work. A story's chance comes from its mode, seed, split
and number alone, so a set is the same in whatever order it is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from otherminds.core.errors import UserError, nearest
from otherminds.core.seeds import Draw
from otherminds.worlds.tomi.files import block_lines, write_blocks, write_new
from otherminds.worlds.tomi.itemise import Asked, Source, story_items
from otherminds.worlds.tomi.items import Item, dump_items
from otherminds.worlds.tomi.original_rules import (
    FALSE_BELIEF,
    MODES,
    SECOND_ORDER,
    TRUE_BELIEF,
    TYPES,
    Cast,
    Mode,
    original_label,
    original_trace,
    question_class,
    questions,
    skeleton,
    type_by_order,
)
from otherminds.worlds.tomi.rules import History, simulate
from otherminds.worlds.tomi.templates import VERBS
from otherminds.worlds.tomi.text import Teller, ask, original
from otherminds.worlds.tomi.types import Announce, Enter, Event, Exit, Move, Names, Remark, Story
from otherminds.worlds.tomi.vocabulary import Pools, code_pools, released_pools

VERSION = "1"  # of what a number stands for: any change of the stories makes a new one
_CAST = Cast(mover=0, observer=1, main=0, thing=0, start=0, end=1)
_THIRD = 2
_PRIOR = (*[TRUE_BELIEF] * 3, *[FALSE_BELIEF] * 2, SECOND_ORDER)  # how often each is drawn, before balancing (spec 2.3)


@dataclass(frozen=True)
class OriginalStory:
    """A story in the original's words, with the labels, classes and trace that the original would give it."""

    mode: Mode
    split: str
    seed: int
    index: int
    story: Story
    names: Names

    @cached_property
    def history(self) -> History:
        """What the story truly came to."""
        return simulate(self.story)

    @property
    def skeleton(self) -> str:
        """What the two main agents do after the announcement."""
        return skeleton(self.story, _CAST)

    @property
    def type(self) -> str:
        """The story type by the original's rule."""
        return type_by_order(self.skeleton)

    @cached_property
    def statements(self) -> list[str]:
        """The story in words."""
        return Teller(self.story, self.names, original).statements()

    @cached_property
    def labels(self) -> tuple[int, ...]:
        """The container that the original gives as the answer to each of the six questions."""
        return tuple(
            original_label(question, self.story, _CAST, self.history, self.mode) for question in questions(_CAST)
        )

    def blocks(self) -> list[list[str]]:
        """The lines of the ``.txt`` file, a block for each question."""
        return [block_lines(self.statements, ask(asked.question, self.names), asked.answer) for asked in self._asked()]

    def trace_lines(self) -> list[str]:
        """The lines of the ``.trace`` file, one for each question."""
        tokens, lines = original_trace(self.story, _CAST), []
        is_swapped = self.mode == "code" and tokens.index("enter_agent_1") < tokens.index("enter_agent_0")
        for question, label in zip(questions(_CAST), self.labels, strict=True):
            # The published code numbers agents by who came in first, not by role (defect D7).
            role = int((question.chain[:1] == (_CAST.observer,)) != is_swapped)
            lines.append(",".join([*tokens, question_class(question, role, label != _CAST.end), self.type]))
        return lines

    def items(self) -> list[Item]:
        """The six questions with the original's labels as their answers; the flags say what is true."""
        source = Source(self.split, f"original/{self.mode}", self.seed, VERSION)
        return story_items(self.story, self.names, self.statements, self._asked(), source, self.type)

    def _asked(self) -> list[Asked]:
        pairs = zip(questions(_CAST), self.labels, strict=True)
        return [Asked(question, self.names.containers[label]) for question, label in pairs]


def stories(
    mode: Mode,
    number: int,
    seed: int = 0,
    split: str = "train",
    pools: Pools | None = None,
) -> Iterator[OriginalStory]:
    """A balanced set: as many stories of each of the three types, a third of the number rounded down.

    Args:
        mode: ``released`` or ``code``.
        number: how many stories; the released splits have 999 each.
        seed: of the whole set.
        split: another split is another set.
        pools: words; by default ours, of the sizes that the mode has.

    Raises:
        UserError: if there is no such mode, or the number or the words are too few.
    """
    if number < len(TYPES):
        raise UserError(f"{number} stories cannot be balanced over three types; expected at least 3")
    words = _words(mode, pools)
    for index, kind in enumerate(_types(mode, number, seed, split)):
        draw = Draw(seed, f"tomi/original/{VERSION}/{mode}/{split}/{index}")
        while True:
            story, names = _sample(mode, words, draw)
            if type_by_order(skeleton(story, _CAST)) == kind:
                break
        yield OriginalStory(mode, split, seed, index, story, names)


def write(
    folder: Path, mode: Mode, sizes: Mapping[str, int], seed: int, pools: Pools | None, *, force: bool
) -> dict[str, dict[str, int]]:
    """Write balanced sets as ``.txt``, ``.trace`` and ``.jsonl``, and return how much each split holds."""
    texts, counts = {}, {}
    for split, size in sizes.items():
        told = list(stories(mode, size, seed, split, pools))
        items = [item for story in told for item in story.items()]
        texts[folder / f"{split}.txt"] = write_blocks(block for story in told for block in story.blocks())
        texts[folder / f"{split}.trace"] = "".join(f"{line}\n" for story in told for line in story.trace_lines())
        texts[folder / f"{split}.jsonl"] = "".join(dump_items(items))
        counts[split] = {"stories": len(told), "questions": len(items)}
    write_new(texts, force=force)
    return counts


def raw_stories(
    mode: Mode, number: int, seed: int = 0, split: str = "train", pools: Pools | None = None
) -> Iterator[OriginalStory]:
    """Stories as they are drawn, before types are balanced."""
    words = _words(mode, pools)
    for index in range(number):
        draw = Draw(seed, f"tomi/original/{VERSION}/{mode}/{split}/raw/{index}")
        yield OriginalStory(mode, split, seed, index, *_sample(mode, words, draw))


def _words(mode: Mode, pools: Pools | None) -> Pools:
    if mode not in MODES:
        raise UserError(f"there is no mode original/{mode}{nearest(mode, MODES)}")
    words = pools or (released_pools() if mode == "released" else code_pools())
    words.require({"agents": 3, "rooms": 2, "containers": 2, "objects": 1})
    return words


def _types(mode: Mode, number: int, seed: int, split: str) -> Iterator[str]:
    """The types of a balanced set, in the order in which rejecting what is full leaves them.

    Drawn apart from the stories, so that each story needs its own number alone.
    """
    draw = Draw(seed, f"tomi/original/{VERSION}/{mode}/{split}/types")
    left = dict.fromkeys(TYPES, number // len(TYPES))
    while any(left.values()):
        kind = draw.pick(_PRIOR)
        if left[kind]:
            left[kind] -= 1
            yield kind


def _sample(mode: Mode, pools: Pools, draw: Draw) -> tuple[Story, Names]:
    """A story and its words, drawn as the original does (spec 2.2)."""
    agents = draw.some(pools.agents, 3)
    containers = draw.some(pools.containers, 2)
    if mode == "released":
        # A story has a small world of its own, and the other room may turn out to be the main one: p(main) = 7/12.
        objects = draw.some(pools.objects, min(12, len(pools.objects)))
        rooms = draw.some(pools.rooms, min(6, len(pools.rooms)))
        things, other = [*objects, *rooms], draw.pick(rooms)
    else:
        objects, rooms = draw.some(pools.objects, 1), draw.some(pools.rooms, 2)
        things, other = list(pools.objects), rooms[1]
    main = rooms[0]
    names = Names(tuple(agents), (main,) if other == main else (main, other), tuple(containers), (objects[0],))
    away = len(names.rooms) - 1

    def room() -> int:
        return 0 if draw.happens(1 / 2) else away

    def enters(agent: int) -> Enter:
        # In the code everybody starts in some room unsaid, and may be found in the main one.
        return Enter(agent, 0, is_already=mode == "code" and draw.below(len(pools.rooms)) == 0)

    events: list[Event] = [enters(agent) for agent in draw.some(_CAST.pair, 2)]
    events.append(Announce(0, _CAST.start))
    events += _actions(draw, room)
    _add_third(events, draw, room)
    for slot in draw.some(range(len(events) + 1), draw.below(3)):
        events.insert(slot, Remark(draw.below(3), draw.pick(VERBS), draw.pick(things)))
    if mode == "code":
        draw.pick(pools.rooms)  # the second home of a container (defect D4), which no label here depends on
    return Story(tuple(events), (0, 0), len(agents), len(names.rooms), 1), names


def _actions(draw: Draw, room: Callable[[], int]) -> list[Event]:
    """The move among the observer's one or two changes of place, and perhaps the mover's exit before the last."""
    actions: list[Event] = [Exit(_CAST.observer, 0)]
    if draw.happens(1 / 2):
        actions.append(Enter(_CAST.observer, room()))
    actions.insert(draw.below(len(actions) + 1), Move(_CAST.mover, 0, _CAST.end))
    if isinstance(actions[-1], Enter) and draw.happens(1 / 2):
        actions.insert(-1, Exit(_CAST.mover, 0))
    return actions


def _add_third(events: list[Event], draw: Draw, room: Callable[[], int]) -> None:
    """Put the comings and goings of a third agent anywhere into the story.

    Places are drawn for the story as it stands and not moved on after the first insertion: the exit never comes last.
    """
    slots = sorted(draw.some(range(len(events) + 1), draw.below(3)))
    where = room()
    changes: tuple[Event, ...] = Enter(_THIRD, where), Exit(_THIRD, where)
    for slot, event in zip(slots, changes, strict=False):
        events.insert(slot, event)
