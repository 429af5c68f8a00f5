"""Stories as the original makes them, in two modes: like its released files, and like its published code.

They have the defects of the original (spec 2, 12, 14), for comparison with published work. The random stream of a
story depends on its mode, seed, split and number alone, so stories can be made in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw
from otherminds.worlds.tomi.files.babi_format import block_lines, write_blocks, write_new
from otherminds.worlds.tomi.files.items import LabelledQuestion, dump_items, order_name
from otherminds.worlds.tomi.files.make_items import Asked, Source, story_items
from otherminds.worlds.tomi.rules import History, container, simulate
from otherminds.worlds.tomi.stories.vocabulary import Pools, code_pools, released_pools
from otherminds.worlds.tomi.text import VERBS, Teller, ask, original
from otherminds.worlds.tomi.types import NOWHERE, Announce, Enter, Event, Exit, Move, Names, Question, Remark, Story

Mode = Literal["released", "code"]
MODES: tuple[Mode, ...] = ("released", "code")
TRUE_BELIEF, FALSE_BELIEF, SECOND_ORDER = TYPES = ("true_belief", "false_belief", "second_order_false_belief")


@dataclass(frozen=True, slots=True)
class OriginalCast:
    """Roles in a story: the mover is role 0, the observer 1, anybody else a third (spec 2.1)."""

    mover: int
    observer: int
    main: int  # the room of the object
    thing: int
    start: int  # its first container
    end: int  # its last

    @property
    def pair(self) -> tuple[int, int]:
        """The two whose beliefs are asked for."""
        return self.mover, self.observer


# The move, the observer's exit and entry into the main room or another, and the mover's exit (spec 2.3).
_LETTERS = {
    "agent_0_moves_obj": "M",
    "agent_0_exits": "Y",
    "agent_1_exits": "X",
    "agent_1_reenters_loc": "R",
    "agent_1_reenters_alt_loc": "r",
}


def skeleton(story: Story, cast: OriginalCast) -> str:
    """Actions of the two main agents after the announcement, in twelve orders in stories of the original."""
    return " ".join(_LETTERS[token] for token, _ in _tokens(story, cast.pair, cast.main) if token in _LETTERS)


def type_by_order(skeleton: str) -> str:
    """The story type that the original gives: by the order of what is done, whatever anybody believes (spec 3)."""
    done = skeleton.split()
    if "Y" in done:
        return SECOND_ORDER
    return FALSE_BELIEF if done.index("M") == 1 else TRUE_BELIEF


def type_by_belief(order: int) -> str:
    """The name of a story's true type: by the least depth at which somebody is wrong."""
    return TYPES[order] if order < len(TYPES) else f"order_{order}_false_belief"


def trace(story: Story, roles: Sequence[int], main: int) -> list[str]:
    """The events of a story as a trace names them, in their true order; the first two roles are the main agents."""
    return [token for token, _ in _tokens(story, roles, main) if token]


def original_trace(story: Story, cast: OriginalCast) -> list[str]:
    """The trace as the original has it: a third agent's places are those it has in the story, in which the announcement
    counts, although the trace leaves the announcement out (defect D6).
    """
    told = list(enumerate(_tokens(story, cast.pair, cast.main)))
    tokens = [token for _, (token, role) in told if token and role < 2]
    for place, (token, role) in told:
        if role >= 2:
            tokens.insert(place, token)
    return tokens


def _tokens(story: Story, roles: Sequence[int], main: int) -> Iterator[tuple[str, int]]:
    """Token and role of every event but noise; an announcement is nobody's and has an empty one."""
    every = list(dict.fromkeys((*roles, *range(story.num_agents))))
    entered: set[int] = set()
    for event in story.events:
        if isinstance(event, Announce):
            yield "", NOWHERE
        if not isinstance(event, Enter | Exit | Move):
            continue
        role = every.index(event.agent)
        if isinstance(event, Move):
            yield f"agent_{role}_moves_obj", role
        elif isinstance(event, Exit):
            yield f"agent_{role}_exits", role
        elif role >= 2:
            yield f"agent_{role}_enters", role
        elif role in entered:
            yield f"agent_{role}_reenters_{'loc' if event.room == main else 'alt_loc'}", role
        else:
            entered.add(role)
            yield f"enter_agent_{role}", role


def questions(cast: OriginalCast) -> tuple[Question, ...]:
    """The six that the original asks, in its order (spec 4)."""
    mover, observer = cast.pair
    return (
        Question("memory", cast.thing),
        Question("belief", cast.thing, (mover,)),
        Question("belief", cast.thing, (mover, observer)),
        Question("reality", cast.thing),
        Question("belief", cast.thing, (observer,)),
        Question("belief", cast.thing, (observer, mover)),
    )


def question_class(kind: str, order: int, who: object, is_tom: bool) -> str:
    """Class of a question in a trace: its order, the role asked about, and whether the label differs from reality."""
    return f"{order_name(order).replace(' ', '_')}_{who}_{'tom' if is_tom else 'no_tom'}" if order else kind


def original_label(question: Question, story: Story, cast: OriginalCast, history: History, mode: Mode) -> int:
    """The container that the original gives as the answer (spec 2.3; verified on every label of the released files).

    The released files take the final container for every second-order question if a third agent ever enters the main
    room or the observer comes back to it (defects D1 and D2); the published code if a third agent does and the mover
    stays (D2). The few labels that a container's second home changes (D4) are not reproduced.
    """
    truth = container(question, history)
    assert truth is not None, "in a story of the original's making both are there at the announcement"
    if question.order != 2:
        return truth
    entered = {event.room for event in story.events if isinstance(event, Enter) and event.agent not in cast.pair}
    done = skeleton(story, cast).split()
    meets_third = cast.main in entered
    is_final = meets_third or "R" in done if mode == "released" else meets_third and "Y" not in done
    return cast.end if is_final else truth


VERSION = "1"  # any change to the stories of a number makes a new version
_CAST = OriginalCast(mover=0, observer=1, main=0, thing=0, start=0, end=1)
_THIRD = 2
_PRIOR = (*[TRUE_BELIEF] * 3, *[FALSE_BELIEF] * 2, SECOND_ORDER)  # how often each is drawn, before balancing (spec 2.3)


@dataclass(frozen=True)
class OriginalStory:
    """A story in the original's words, with the labels, classes and trace that the original would give it."""

    mode: Mode
    split: str
    seed: int
    story: Story
    names: Names

    @property
    def skeleton(self) -> str:
        """Actions of the two main agents after the announcement."""
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
    def asked(self) -> list[Asked]:
        """The six questions with the original's labels."""
        history = simulate(self.story)
        labels = [(asked, original_label(asked, self.story, _CAST, history, self.mode)) for asked in questions(_CAST)]
        return [Asked(question, self.names.containers[label]) for question, label in labels]

    def blocks(self) -> list[list[str]]:
        """The lines of the ``.txt`` file, a block for each question."""
        return [block_lines(self.statements, ask(question, self.names), answer) for question, answer in self.asked]

    def trace_lines(self) -> list[str]:
        """The lines of the ``.trace`` file, one for each question."""
        tokens, lines = original_trace(self.story, _CAST), []
        is_swapped = self.mode == "code" and tokens.index("enter_agent_1") < tokens.index("enter_agent_0")
        for question, answer in self.asked:
            # The published code numbers agents by who came in first, not by role (defect D7).
            role = int((question.chain[:1] == (_CAST.observer,)) != is_swapped)
            is_tom = answer != self.names.containers[_CAST.end]
            kind = question_class(question.kind, question.order, role, is_tom)
            lines.append(",".join([*tokens, kind, self.type]))
        return lines

    def items(self) -> list[LabelledQuestion]:
        """The six questions with the original's labels as their answers; the flags say what is true."""
        source = Source(self.split, f"original/{self.mode}", self.seed, VERSION)
        return story_items(self.story, self.names, self.statements, self.asked, source, self.type)


def stories(mode: Mode, number: int, seed: int = 0, split: str = "train") -> Iterator[OriginalStory]:
    """A balanced set: as many stories of each of the three types, a third of the number rounded down.

    The released splits have 999 stories each.
    """
    if number < len(TYPES):
        raise UserError(f"{number} stories cannot be balanced over three types; expected at least 3")
    words = _words(mode)
    for index, kind in enumerate(_types(mode, number, seed, split)):
        draw = Draw(seed, f"tomi/original/{VERSION}/{mode}/{split}/{index}")
        while True:
            story, names = _sample(mode, words, draw)
            if type_by_order(skeleton(story, _CAST)) == kind:
                break
        yield OriginalStory(mode, split, seed, story, names)


def write(folder: Path, mode: Mode, sizes: Mapping[str, int], seed: int, *, force: bool) -> dict[str, dict[str, int]]:
    """Write balanced sets as ``.txt``, ``.trace`` and ``.jsonl``, and return how much each split holds."""
    texts, counts = {}, {}
    for split, size in sizes.items():
        made = list(stories(mode, size, seed, split))
        items = [item for story in made for item in story.items()]
        texts[folder / f"{split}.txt"] = write_blocks(block for story in made for block in story.blocks())
        texts[folder / f"{split}.trace"] = "".join(f"{line}\n" for story in made for line in story.trace_lines())
        texts[folder / f"{split}.jsonl"] = "".join(dump_items(items))
        counts[split] = {"stories": len(made), "questions": len(items)}
    write_new(texts, force=force)
    return counts


def _words(mode: Mode) -> Pools:
    return released_pools() if mode == "released" else code_pools()


def _types(mode: Mode, number: int, seed: int, split: str) -> Iterator[str]:
    """The types of a balanced set, in the order that results from rejecting types that are full.

    They are drawn separately, so that each story depends on its own number alone.
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
        # Each story has a small world, in which the other room may be the main one: p(main) = 7/12.
        objects = draw.some(pools.objects, 12)
        rooms = draw.some(pools.rooms, 6)
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
    place = room()
    changes: tuple[Event, ...] = Enter(_THIRD, place), Exit(_THIRD, place)
    for slot, event in zip(slots, changes, strict=False):
        events.insert(slot, event)
