"""Stories as the original makes them: its labels, classes and traces, and how often everything happens."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from itertools import islice
from math import sqrt
from pathlib import Path

import pytest

from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw
from otherminds.worlds.tomi.files.babi_format import write_blocks
from otherminds.worlds.tomi.parse import ParsedStory, parse_story
from otherminds.worlds.tomi.rules import simulate
from otherminds.worlds.tomi.stories import original
from otherminds.worlds.tomi.stories.original import (
    FALSE_BELIEF,
    MODES,
    SECOND_ORDER,
    TRUE_BELIEF,
    TYPES,
    Mode,
    OriginalCast,
    OriginalStory,
    original_label,
    original_trace,
    question_class,
    questions,
    skeleton,
    stories,
    trace,
    type_by_order,
)
from otherminds.worlds.tomi.types import Announce, Enter, Move, Remark, Story
from tests.worlds.tomi.telling import QUESTIONS, good_blocks, tell

JAR, TIN = "jar", "tin"
# Type, and what the observer believes, what is believed of second order, and what the released files say of that, if a
# third agent never comes (spec 2.3).
FACTS = {
    "M X": (TRUE_BELIEF, TIN, TIN, TIN),
    "M X R": (TRUE_BELIEF, TIN, TIN, TIN),
    "M X r": (TRUE_BELIEF, TIN, TIN, TIN),
    "X R M": (TRUE_BELIEF, TIN, TIN, TIN),
    "X r M": (TRUE_BELIEF, JAR, JAR, JAR),
    "X M": (FALSE_BELIEF, JAR, JAR, JAR),
    "X M R": (FALSE_BELIEF, TIN, TIN, TIN),
    "X M r": (FALSE_BELIEF, JAR, JAR, JAR),
    "M X Y R": (SECOND_ORDER, TIN, TIN, TIN),
    "M X Y r": (SECOND_ORDER, TIN, TIN, TIN),
    "X M Y R": (SECOND_ORDER, TIN, JAR, TIN),
    "X M Y r": (SECOND_ORDER, JAR, JAR, JAR),
}
SKELETONS = tuple(FACTS)
CAME, WENT = "Cat entered the barn.", "Cat exited the barn."


def read(statements: list[str]) -> tuple[ParsedStory, OriginalCast]:
    told = parse_story(statements)
    return told, cast_of(told.story, told.names.agents.index("Ann"), told.names.agents.index("Bob"))


def cast_of(story: Story, mover: int, observer: int) -> OriginalCast:
    (start,) = (event for event in story.events if isinstance(event, Announce))
    (end,) = (event for event in story.events if isinstance(event, Move))
    cast = OriginalCast(mover, observer, story.homes[end.container], start.object, start.container, end.container)
    assert skeleton(story, cast) in SKELETONS
    return cast


def labels(statements: list[str], mode: Mode) -> list[str]:
    """The six labels."""
    told, cast = read(statements)
    history = simulate(told.story)
    found = [original_label(asked, told.story, cast, history, mode) for asked in questions(cast)]
    return [told.names.containers[label] for label in found]


@pytest.mark.parametrize("name", SKELETONS)
def test_each_skeleton_has_the_type_and_labels_of_the_table(name: str) -> None:
    told, cast = read(tell(name))
    kind, observer, second, released = FACTS[name]
    assert skeleton(told.story, cast) == name
    assert type_by_order(name) == kind
    assert labels(tell(name), "code") == [JAR, TIN, second, TIN, observer, second]
    assert labels(tell(name), "released") == [JAR, TIN, released, TIN, observer, released]


@pytest.mark.parametrize("name", SKELETONS)
@pytest.mark.parametrize("place", [0, 2, 3, -1])
def test_a_third_agent_in_the_room_turns_second_order_labels_into_reality(name: str, place: int) -> None:
    """Defect D2, even before the announcement; in the code only where the mover stays."""
    told = tell(name)
    told.insert(place % (len(told) + 1), CAME)
    assert labels(told, "released")[2::3] == [TIN, TIN]
    assert labels(told, "code")[2::3] == [FACTS[name][2] if "Y" in name else TIN] * 2
    assert labels(told, "released")[4] == FACTS[name][1]


def test_a_third_agent_elsewhere_changes_nothing() -> None:
    told = tell("X M", {3: "Cat entered the loft."})
    assert labels(told, "released") == labels(tell("X M"), "released")


@pytest.mark.parametrize(
    ("inserted", "expected"),
    [
        ({}, "0 1 | 1x 0m"),
        ({0: CAME}, "2 0 1 | 1x 0m"),
        ({2: CAME}, "0 1 2 | 1x 0m"),
        ({3: CAME}, "0 1 1x | 2 0m"),  # between announcement and exit, yet after the exit in the trace
        ({5: CAME}, "0 1 1x 0m 2 |"),
        ({3: CAME, 4: WENT}, "0 1 1x 2 2x 0m |"),
        ({0: CAME, 4: WENT}, "2 0 1 1x 2x 0m |"),
        ({1: "Cat likes the fig", 4: CAME}, "0 1 1x 2 0m |"),  # noise does not count
    ],
)
def test_the_trace_puts_a_third_agent_as_far_on_as_the_story_does(inserted: dict[int, str], expected: str) -> None:
    """Defect D6: the story has the announcement, the trace has not."""
    words = {
        "0": "enter_agent_0",
        "1": "enter_agent_1",
        "2": "agent_2_enters",
        "1x": "agent_1_exits",
        "2x": "agent_2_exits",
        "0m": "agent_0_moves_obj",
    }
    told, cast = read(tell("X M", inserted))
    assert original_trace(told.story, cast) == [words[token] for token in expected.replace("|", "").split()]


def test_a_true_trace_follows_the_story() -> None:
    told, cast = read(tell("X M Y r", {3: CAME}))
    assert trace(told.story, (*cast.pair, 2), cast.main) == [
        *("enter_agent_0", "enter_agent_1", "agent_2_enters", "agent_1_exits", "agent_0_moves_obj"),
        *("agent_0_exits", "agent_1_reenters_alt_loc"),
    ]


def is_likely(counts: Mapping[str, int], shares: Mapping[str, float]) -> bool:
    """Whether counts may come from shares: a chi-square test, by the cube root of Wilson and Hilferty, at 4 sigma."""
    total = sum(counts.values())
    assert set(counts) <= set(shares)
    statistic = sum((counts.get(name, 0) - total * share) ** 2 / (total * share) for name, share in shares.items())
    spread = 2 / (9 * (len(shares) - 1))
    root: float = (statistic / (len(shares) - 1)) ** (1 / 3)
    return (root - (1 - spread)) / sqrt(spread) < 4


@pytest.fixture(scope="module", params=MODES)
def drawn(request: pytest.FixtureRequest) -> list[OriginalStory]:
    """Stories as they are drawn, before types are balanced."""
    mode = request.param
    words = original._words(mode)
    draws = [Draw(11, f"tomi/original/{mode}/{index}") for index in range(6000)]
    return [OriginalStory(mode, "train", 11, *original._sample(mode, words, draw)) for draw in draws]


def test_skeletons_come_as_often_as_they_should(drawn: list[OriginalStory]) -> None:
    def shares(p: float) -> dict[str, float]:
        found = {name: {"R": p, "r": 1 - p}.get(name.split()[-1], 1.0) / 12 for name in SKELETONS}
        return found | {"M X": 1 / 4, "X M": 1 / 4, "X R M": p / 6, "X r M": (1 - p) / 6}

    counts = Counter(story.skeleton for story in drawn)
    released, code = shares(7 / 12), shares(1 / 2)
    assert sum(released.values()) == pytest.approx(1)
    assert is_likely(counts, released) == (drawn[0].mode == "released")
    assert is_likely(counts, code) == (drawn[0].mode == "code")


def test_third_agents_come_as_often_and_anywhere(drawn: list[OriginalStory]) -> None:
    p = 7 / 12 if drawn[0].mode == "released" else 1 / 2
    changes = [[event for event in story.story.events if getattr(event, "agent", 0) == 2] for story in drawn]
    done = [[type(event).__name__ for event in events if not isinstance(event, Remark)] for events in changes]
    assert is_likely(Counter(" ".join(names) for names in done), {"": 1 / 3, "Enter": 1 / 3, "Enter Exit": 1 / 3})
    rooms = Counter(
        "main" if event.room == 0 else "other" for some in changes for event in some if isinstance(event, Enter)
    )
    assert is_likely(rooms, {"main": p, "other": 1 - p})
    slots: Counter[str] = Counter()
    for story in drawn:
        plain = [event for event in story.story.events if not isinstance(event, Remark)]
        at = [place for place, event in enumerate(plain) if getattr(event, "agent", 0) == 2]
        if len(plain) == 7 and len(at) == 2:
            slots[str(at)] += 1
    # Two of the six gaps of a story of five events, of which the second is not moved on by the first insertion.
    assert is_likely(slots, {str([i, j]): 1 / 15 for i in range(6) for j in range(i + 1, 6)})


def test_noise_comes_as_often_from_anybody_about_anything(drawn: list[OriginalStory]) -> None:
    noise = [[event for event in story.story.events if isinstance(event, Remark)] for story in drawn]
    assert is_likely(Counter(str(len(some)) for some in noise), {"0": 1 / 3, "1": 1 / 3, "2": 1 / 3})
    agents = Counter(str(event.agent) for some in noise for event in some)
    assert is_likely(agents, dict.fromkeys("012", 1 / 3))
    verbs = Counter(event.verb for some in noise for event in some)
    assert is_likely(verbs, dict.fromkeys(("likes", "dislikes", "loves", "hates"), 1 / 4))
    about = Counter(
        "it" if event.thing == story.names.objects[0] else "main" if event.thing == story.names.rooms[0] else "else"
        for story, some in zip(drawn, noise, strict=True)
        for event in some
    )
    if drawn[0].mode == "released":  # 12 objects and 6 rooms of a story
        assert is_likely(about, {"it": 1 / 18, "main": 1 / 18, "else": 16 / 18})
    else:  # all 66 objects
        assert is_likely(about, {"it": 1 / 66, "else": 65 / 66})
    first = Counter(
        str(next(place for place, event in enumerate(story.story.events) if isinstance(event, Remark)))
        for story, some in zip(drawn, noise, strict=True)
        if len(some) == 1 and len(story.story.events) == 7
    )
    assert is_likely(first, {str(place): 1 / 7 for place in range(7)})


def test_main_agents_come_in_any_order_and_in_the_code_may_be_there_already(drawn: list[OriginalStory]) -> None:
    entries = [[e for e in story.story.events if isinstance(e, Enter) and e.agent < 2][:2] for story in drawn]
    assert is_likely(Counter(str(some[0].agent) for some in entries), {"0": 1 / 2, "1": 1 / 2})
    already = Counter(str(entry.is_already) for some in entries for entry in some)
    if drawn[0].mode == "code":
        assert is_likely(already, {"True": 1 / 30, "False": 29 / 30})
    else:
        assert already["True"] == 0


def test_lengths_are_those_of_the_released_files(drawn: list[OriginalStory]) -> None:
    lengths = [len(story.statements) for story in drawn]
    assert (min(lengths), max(lengths)) == (5, 11)
    announced = [sum(isinstance(event, Announce) for event in story.story.events) for story in drawn]
    assert set(announced) == {1}


@pytest.mark.parametrize("mode", MODES)
def test_sets_are_balanced_over_types_and_repeat_nothing(mode: Mode) -> None:
    told = list(stories(mode, 200))
    assert Counter(story.type for story in told) == dict.fromkeys(TYPES, 66)
    assert len({tuple(story.statements) for story in told}) == 198


def test_a_story_depends_on_its_own_number_alone() -> None:
    """Except for its type, of which a longer set may have more."""
    short, long = list(stories("released", 30)), list(stories("released", 300))
    same = [(one, other) for one, other in zip(short, long, strict=False) if one.type == other.type]
    assert len(same) > 15
    assert all(one == other for one, other in same)
    assert list(islice(stories("released", 30), 10)) == short[:10]


def test_another_seed_or_split_or_mode_is_another_set() -> None:
    sets = [
        {tuple(story.statements) for story in some}
        for some in (
            stories("released", 60),
            stories("released", 60, seed=1),
            stories("released", 60, split="test"),
            stories("code", 60),
        )
    ]
    assert len(set.union(*sets)) == 240


def test_files_have_the_released_format(tmp_path: Path) -> None:
    told = list(stories("released", 30))
    path = tmp_path / "fb_all_val.txt"
    path.write_text(write_blocks(lines for story in told for lines in story.blocks()), "utf-8")
    blocks = good_blocks(path)
    assert [block.rest for block in blocks] == [("1",)] * 180
    for story, group in zip(told, (blocks[i : i + 6] for i in range(0, 180, 6)), strict=True):
        assert all(block.statements == tuple(story.statements) for block in group)
        assert [block.answer for block in group] == [item.answer for item in story.items()]
        lines = [line.split(",") for line in story.trace_lines()]
        assert len({tuple(line[:-2]) for line in lines}) == 1
        assert [line[-1] for line in lines] == [story.type] * 6
        assert [line[-2].split("_")[0] for line in lines] == ["memory", "first", "second", "reality", "first", "second"]
        assert [line[-2].endswith("_tom") and "no" not in line[-2] for line in lines] == [
            item.false_vs_reality for item in story.items()
        ]
        assert [line[-2].split("_")[2] for line in lines if "order" in line[-2]] == ["0", "0", "1", "1"]


def test_the_code_numbers_agents_by_who_came_in_first() -> None:
    """Defect D7."""
    swapped = 0
    for story in stories("code", 60):
        first = next(event.agent for event in story.story.events if isinstance(event, Enter) and event.agent < 2)
        number = story.trace_lines()[1].split(",")[-2].split("_")[2]
        assert number == str(first)
        swapped += first
    assert 15 < swapped < 45


def test_items_have_the_originals_labels_and_say_what_is_true() -> None:
    for story in stories("released", 90, seed=2):
        items = story.items()
        assert items[0].question == QUESTIONS[0].replace("fig", story.names.objects[0])
        assert {item.original_type for item in items} == {story.type}
        assert {item.preset for item in items} == {"original/released"}
        assert all(item.choices == tuple(sorted(story.names.containers)) for item in items)
        assert items[0].story_order == {"X M Y R": 2}.get(story.skeleton, int(FACTS[story.skeleton][1] == JAR))
        assert [item.ambiguous for item in items] == [False] * 5 + [story.skeleton == "X M Y R"]
        assert len({item.id for item in items}) == 6


def test_what_cannot_be_made_is_refused() -> None:
    with pytest.raises(UserError, match="2 stories cannot be balanced over three types"):
        next(stories("released", 2))


@pytest.mark.skipif("OTHERMINDS_TOMI" not in os.environ, reason="OTHERMINDS_TOMI names no folder with ToMi's files")
@pytest.mark.parametrize("split", ["train", "val", "test"])
def test_every_label_and_trace_of_the_released_files_is_reproduced(split: str) -> None:
    path = Path(os.environ["OTHERMINDS_TOMI"]) / f"fb_all_{split}.txt"
    if not path.exists():
        pytest.skip(f"no {path}")
    blocks, lines = good_blocks(path), path.with_suffix(".trace").read_text("utf-8").splitlines()
    for start in range(0, len(blocks), 6):
        group = blocks[start : start + 6]
        story, names = group[0].parsed.story, group[0].parsed.names
        cast = cast_of(story, group[1].asked.chain[0], group[4].asked.chain[0])
        history, tokens = simulate(story), original_trace(story, cast)
        for block, asked, line in zip(group, questions(cast), lines[start : start + 6], strict=True):
            label = original_label(asked, story, cast, history, "released")
            assert (block.asked, block.answer) == (asked, names.containers[label])
            role = cast.pair.index(asked.chain[0]) if asked.chain else 0
            kind = question_class(asked.kind, asked.order, role, label != cast.end)
            assert line == ",".join([*tokens, kind, type_by_order(skeleton(story, cast))])
