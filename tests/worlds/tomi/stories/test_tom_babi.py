"""ToM-bAbI: three chapters and four questions."""

from __future__ import annotations

from collections import Counter

import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.tomi import second_solver
from otherminds.worlds.tomi.files.items import LabelledQuestion
from otherminds.worlds.tomi.parse import Parser
from otherminds.worlds.tomi.rules import answer, simulate
from otherminds.worlds.tomi.stories.tom_babi import Task
from otherminds.worlds.tomi.stories.tom_babi import items as made


def test_an_easy_set_has_every_chapter_with_every_question_as_often() -> None:
    items = list(made("easy", "train", count=20))
    counts = Counter((item.original_type, item.group) for item in items)
    assert len(counts) == 12
    assert set(counts.values()) == {20}
    lengths = {item.original_type: item.n_statements for item in items}
    assert lengths == {"true_belief": 4, "false_belief": 5, "second_order_false_belief": 7}


def test_a_full_set_groups_the_same_pairs_by_five() -> None:
    easy, full = (
        [(item.original_type, item.group) for item in made(task, "train", count=5)] for task in ("easy", "full")
    )
    assert full == easy
    stories = [item.story for item in made("full", "train", count=5)]
    for number in range(0, len(stories), 5):
        for before, after in zip(stories[number : number + 5], stories[number + 1 : number + 5], strict=False):
            assert after[: len(before)] == before


def test_a_full_story_to_test_on_has_four_chapters() -> None:
    lengths = {(item.original_type, item.n_statements) for item in made("full", "test", count=5)}
    assert lengths == {("true_belief", 16), ("false_belief", 20), ("second_order_false_belief", 28)}


@pytest.mark.parametrize("task", ["easy", "full"])
def test_the_table_of_answers_is_what_both_solvers_find(task: Task) -> None:
    """Also where an object is announced again in a later chapter."""
    for item in made(task, "val", count=40):
        parser = Parser(item.story)
        asked, told = parser.question(item.question), parser.parsed()
        assert answer(asked, simulate(told.story), told.names) == item.answer
        if asked.kind == "belief":
            believed = second_solver.believed(told.story, asked.chain, asked.object)
            assert believed is not None
            assert told.names.containers[believed] == item.answer


def test_the_beginning_is_that_of_the_whole_story() -> None:
    """In some stories an object is moved in more than one chapter."""
    repeated = 0
    for item in (item for item in made("full", "val", count=100) if item.qtype == "memory"):
        word = item.question.split()[3]
        said = [text for text in item.story if text.startswith(f"The {word} is in the ")]
        assert item.answer == said[0].split()[-1].rstrip(".")
        repeated += said[0] != said[-1]
    assert repeated > 10


def test_whoever_is_still_there_is_in_the_room_instead_of_entering() -> None:
    def already(item: LabelledQuestion) -> int:
        return sum(" is in the " in text and not text.startswith("The ") for text in item.story)

    assert sum(map(already, made("full", "val", count=10))) > 10
    assert not any(map(already, made("easy", "train", count=5)))


def test_the_same_seed_gives_the_same_stories_and_another_others() -> None:
    items = list(made("full", "train", seed=4, count=5))
    assert items == list(made("full", "train", seed=4, count=5))
    assert {item.story for item in items}.isdisjoint(item.story for item in made("full", "train", seed=5, count=5))


def test_chapters_that_do_not_fill_whole_stories_are_refused() -> None:
    with pytest.raises(UserError, match="36 chapters do not fill stories of 5"):
        next(made("full", "train", count=3))
