"""Changes of skeletons do what they say, and what is left can happen."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.core.seeds import Draw
from otherminds.run.breeder import Refused
from otherminds.worlds.tomi.rules import simulate
from otherminds.worlds.tomi.stories.changes import CHANGES, DEEPEST, Sketch, cross
from otherminds.worlds.tomi.stories.presets import PRESETS
from otherminds.worlds.tomi.stories.skeletons import Skeleton, skeleton
from otherminds.worlds.tomi.types import Announce, Enter, Event, Exit, Furnish, Move, Story, Tell, renumbered

ANN, BEN, CAL = range(3)


def sketch(*events: Event) -> Sketch:
    """Ann and Ben, who are asked about, and Cal see where the object is; then the events."""
    opening: list[Event] = [Enter(who, 0) for who in (ANN, BEN, CAL)]
    opening += [Furnish(0, (0, 1, 2)), Announce(0, 0)]
    story = Story((*opening, *events), (0, 0, 0), 3, 2, 1)
    return Sketch(Skeleton(story, len(opening), (ANN, BEN)), 2)


def changed(name: str, base: Sketch, seed: int = 0) -> list[Event]:
    """What happens after the opening, once changed."""
    CHANGES[name](base, Draw(seed, "changes"))
    made = base.skeleton()
    simulate(made.story)
    return list(made.story.events[made.start :])


def test_a_witness_leaves_before_the_move() -> None:
    assert changed("leave-earlier", sketch(Move(CAL, 0, 1), Exit(BEN, 0))) == [Exit(BEN, 0), Move(CAL, 0, 1)]
    with pytest.raises(Refused, match="nobody leaves"):
        changed("leave-earlier", sketch(Exit(BEN, 0), Move(CAL, 0, 1)))


def test_somebody_comes_back_while_nobody_is_there() -> None:
    gone = (Exit(BEN, 0), Move(CAL, 0, 1), Exit(ANN, 0), Exit(CAL, 0))
    for seed in range(5):
        events = changed("secret-return", sketch(*gone), seed)
        assert len(events) == len(gone) + 2
        assert [event for event in events if isinstance(event, Enter)]


def test_somebody_peeks_or_is_distracted() -> None:
    moves: list[Event] = [Exit(BEN, 0), Move(CAL, 0, 1)]
    assert changed("peek", sketch(*moves))[1] == Move(CAL, 0, 1, peekers=1 << BEN)
    assert changed("distract", sketch(*moves))[1] == Move(CAL, 0, 1, distracted=1 << ANN)
    with pytest.raises(Refused, match="nobody"):
        changed("peek", sketch(Move(CAL, 0, 1)))


def test_somebody_is_told_the_truth_and_then_somebody_else() -> None:
    told = changed("tell", sketch(Move(CAL, 0, 1)))
    assert isinstance(told[1], Tell)
    assert told[1].container == 1
    (tell,) = changed("swap-told", sketch(Tell(CAL, BEN, 0, 0, True)))
    assert tell == Tell(CAL, ANN, 0, 0, False)
    with pytest.raises(Refused, match="nobody is told"):
        changed("swap-told", sketch(Move(CAL, 0, 1)))


def test_decoys_do_not_touch_the_object_asked_about() -> None:
    base = sketch(Move(CAL, 0, 1), Exit(BEN, 0))
    events = changed("decoy-object", base)
    assert base.num_objects == 2
    assert [event.object for event in events if isinstance(event, Move)].count(0) == 1
    for event in changed("decoy-room", sketch(Exit(BEN, 0), Move(CAL, 0, 1))):
        assert not isinstance(event, Enter) or event.room > 0


def test_a_story_gets_longer_and_questions_deeper() -> None:
    assert len([e for e in changed("lengthen", sketch(Move(CAL, 0, 1))) if isinstance(e, Move)]) == 2
    base = sketch(Move(CAL, 0, 1))
    changed("nest", base)
    assert (base.order, base.group) == (3, (ANN, BEN, CAL))
    with pytest.raises(Refused, match="too few people"):
        changed("nest", base)
    with pytest.raises(Refused, match="as deep"):
        changed("nest", replace(base, order=DEEPEST))


def test_what_cannot_happen_any_more_is_dropped() -> None:
    base = sketch(
        Exit(CAL, 0), Move(CAL, 0, 1), Exit(CAL, 0), Enter(ANN, 0), Move(BEN, 0, 0), Move(BEN, 0, 2, 1 << ANN)
    )
    base.events.append(Tell(CAL, BEN, 0, 2))
    assert list(base.skeleton().story.events[base.start :]) == [Exit(CAL, 0), Move(BEN, 0, 2)]


def test_a_cross_begins_like_one_story_and_ends_like_the_other() -> None:
    first, second = sketch(Move(CAL, 0, 1), Exit(ANN, 0)), sketch(Move(CAL, 0, 2), Exit(BEN, 0), Exit(CAL, 0))
    cross(first, second, Draw(0, "cross"))
    made = first.skeleton()
    kinds = [type(event) for event in made.story.events[made.start :]]
    assert kinds == [Move, Exit, Exit]


@given(st.sampled_from(sorted(PRESETS)), st.integers(0, 10_000), st.lists(st.sampled_from(sorted(CHANGES)), max_size=6))
def test_any_changes_leave_a_story(preset: str, seed: int, names: list[str]) -> None:
    draw, knobs = Draw(seed, "any"), PRESETS[preset]
    base = Sketch(skeleton(knobs, draw, 1), knobs.order)
    other = Sketch(skeleton(knobs, draw, 1), knobs.order)
    try:
        for name in names:
            CHANGES[name](base, draw)
        cross(base, other, draw)
        made = base.skeleton()
    except Refused:
        return
    simulate(made.story)
    assert isinstance(made.story.events[made.start - 1], Announce)
    numbers = {number: number for number in range(9)}
    assert [renumbered(event, *[numbers] * 4) for event in made.story.events] == list(made.story.events)
