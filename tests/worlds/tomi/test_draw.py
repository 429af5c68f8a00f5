"""A story as a timeline: steps by hand, and the picture of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from otherminds.core.errors import UserError
from otherminds.view.pixels import save_png
from otherminds.view.shapes import Label, Rect, to_svg
from otherminds.worlds.tomi import draw
from otherminds.worlds.tomi.draw import MOST_COLUMNS, layout, story_scene
from otherminds.worlds.tomi.files.items import by_story
from otherminds.worlds.tomi.rules import Witnesses
from otherminds.worlds.tomi.stories.generate import make_items
from otherminds.worlds.tomi.timeline import Timeline, follow

STORY = (
    "Ann entered the barn.",
    "Bob entered the barn.",
    "Cat entered the loft.",
    "The fig is in the jar.",
    "Bob exited the barn.",
    "Ann moved the fig to the tin.",
    "Cat watched this in secret.",
    "Bob entered the barn.",
    "Ann exited the barn.",
    "Bob moved the fig to the pot.",
    "Cat exited the loft.",
    "Cat entered the barn.",
    "Bob whispered to Cat that the fig is in the pot.",
)
QUESTIONS = ("Where will Ann look for the fig?", "Where does Ann think that Bob searches for the fig?")
ANN, BOB, CAT = range(3)
JAR, TIN, POT = range(3)


@pytest.fixture(scope="module")
def timeline() -> Timeline:
    return follow(STORY, QUESTIONS)


@pytest.mark.parametrize(
    ("step", "chain", "container", "is_false"),
    [
        (3, (ANN,), None, False),
        (4, (BOB,), JAR, False),
        (4, (CAT,), None, False),
        (6, (ANN,), TIN, False),
        (6, (BOB,), JAR, True),
        (6, (CAT,), TIN, False),
        (6, (BOB, ANN), JAR, True),
        (6, (ANN, BOB), JAR, False),
        (6, (ANN, CAT), None, False),
        (6, (CAT, ANN), TIN, False),
        (7, (ANN, BOB), TIN, False),
        (9, (ANN,), TIN, True),
        (9, (BOB, ANN), TIN, False),
        (12, (BOB, CAT), POT, False),
    ],
)
def test_beliefs_at_each_step_are_those_found_by_hand(
    timeline: Timeline, step: int, chain: tuple[int, ...], container: int | None, is_false: bool
) -> None:
    assert timeline.belief(chain, 0, step) == container
    assert timeline.is_false(chain, 0, step) is is_false


def test_a_secret_watcher_perceives_what_nobody_thinks_it_does(timeline: Timeline) -> None:
    assert timeline.sentences[5] == STORY[5:7]
    assert (timeline.number(4), timeline.number(5), timeline.number(6)) == ("5", "6-7", "8")
    assert timeline.evidence(0, 6) == Witnesses(real=1 << ANN | 1 << CAT, apparent=1 << ANN)
    assert timeline.evidence(0, 5) == Witnesses(0, 0)
    assert timeline.seen[4][0] == Witnesses(real=1 << ANN | 1 << BOB, apparent=1 << ANN | 1 << BOB)
    assert timeline.evidence(0, 12) == Witnesses(1 << BOB | 1 << CAT, 1 << BOB | 1 << CAT)


def test_entering_shows_nothing_where_containers_are_closed() -> None:
    closed = follow(STORY, QUESTIONS, is_open=False)
    assert closed.belief((BOB,), 0, 7) == JAR
    assert closed.evidence(0, 7) == Witnesses(0, 0)


def test_what_is_asked_decides_which_beliefs_are_shown(timeline: Timeline) -> None:
    assert timeline.chains == ((ANN,), (BOB,), (ANN, BOB), (BOB, ANN))
    deeper = follow(STORY, ["Where does Ann think that Bob thinks that Cat will look for the fig?"])
    assert deeper.chains[-1] == (ANN, BOB, CAT)
    assert len(deeper.chains) == 3 + 6 + 1
    assert len(follow(STORY).chains) == 3 + 6


def test_the_picture_has_every_sentence_every_name_and_all_bands(timeline: Timeline) -> None:
    scene = story_scene(timeline)
    words = " ".join(shape.text for shape in scene.shapes if isinstance(shape, Label))
    for sentence in STORY:
        assert sentence in words
    for name in ("Ann thinks", "Ann about Bob", "fig, really", "jar", "tin", "pot", "barn", "loft"):
        assert name in words
    assert "watches in secret" in words
    assert "unnoticed" not in words  # nobody is distracted in this story
    assert to_svg(scene).count("<title>") == 1
    assert all(
        shape.x >= 0 and shape.x + shape.width <= scene.width for shape in scene.shapes if isinstance(shape, Rect)
    )


def test_false_beliefs_are_underlined_in_their_columns(timeline: Timeline) -> None:
    scene, plan = story_scene(timeline), layout(timeline)
    marks = [(shape.x, shape.y) for shape in scene.shapes if isinstance(shape, Rect) and shape.fill == draw.FALSE]
    steps = range(1, len(timeline.events) + 1)
    wrong = [(step, chain) for chain in timeline.chains for step in steps if timeline.is_false(chain, 0, step)]
    assert len(marks) == len(wrong) + 1  # and one in the legend
    assert sorted({x for x, _ in marks[:-1]}) == sorted({plan.box(step - 1)[0] + 1 for step, _ in wrong})


def test_long_stories_go_on_below() -> None:
    items = next(by_story(make_items("long", 1)))
    timeline = follow(items[0].story, [item.question for item in items])
    plan, scene = layout(timeline), story_scene(timeline)
    assert len(plan.tops) == -(-len(timeline.events) // MOST_COLUMNS) > 3
    assert scene.width < 1500
    boxes = [plan.box(event) for event in range(len(timeline.events))]
    assert len(set(boxes)) == len(boxes)
    assert boxes[plan.columns][1] > boxes[plan.columns - 1][1] + boxes[plan.columns - 1][3]
    assert boxes[-1][1] + boxes[-1][3] <= scene.height


def test_the_picture_is_not_empty(timeline: Timeline, tmp_path: Path) -> None:
    pytest.importorskip("PIL")
    from PIL import Image

    save_png(story_scene(timeline), tmp_path / "story.png")
    with Image.open(tmp_path / "story.png") as image:
        assert len(image.getcolors(1 << 20) or []) > 50


def test_containers_have_the_colour_they_are_named_after_and_one_each() -> None:
    names = ["yellow_jar", "yellow_tin", "silver_sack", "red_box", "green_box", "yellow box", "yellow_bag", "pantry"]
    colours = draw.container_colours(names)
    assert len(set(colours.values())) == len(names)
    assert draw.container_colours(["yellow_tin"])["yellow_tin"] == colours["yellow_jar"]
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in colours.values())


@pytest.mark.parametrize("colour", [*draw.container_colours(f"yellow_{n}" for n in range(9)).values(), "#8e5bb0"])
def test_text_on_a_colour_can_be_read(colour: str) -> None:
    def light(shade: str) -> float:
        parts = [int(shade[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        return sum(
            w * (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4)
            for w, p in zip((0.2126, 0.7152, 0.0722), parts, strict=True)
        )

    low, high = sorted((light(colour), light(draw.text_on(colour))))
    assert (high + 0.05) / (low + 0.05) >= 4.4


def test_a_sentence_that_is_none_is_refused() -> None:
    with pytest.raises(UserError, match="is not a sentence of a story"):
        follow(["Ann flew to the moon."])
