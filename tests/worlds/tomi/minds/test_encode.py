"""Questions as arrays and back."""

from __future__ import annotations

import numpy as np
import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.tomi.minds.encode import Vocabulary, answer_token, tokens
from tests.worlds.tomi.learn.stories import item, some_items

STORY = ("Ann entered the attic.", "The fig is in the red_box.", "Ann likes the fig")


def words(vocabulary: Vocabulary, numbers: np.ndarray) -> list[str]:
    return [vocabulary.words[number] for number in numbers if number]


def test_text_is_lower_case_and_loses_the_marks_at_the_end_of_words() -> None:
    assert tokens("Ann, come to the TV_room!") == ("ann", "come", "to", "the", "tv_room")
    assert tokens("Where is the fig really?")[-1] == "really"
    assert answer_token("Ann, Bob") == "ann bob"


def test_arrays_hold_what_was_said() -> None:
    one = item(STORY, "Where is the fig really?", "red_box")
    vocabulary = Vocabulary.of([one])
    found = vocabulary.encode([one])
    assert found.story.shape == (1, 3, 6)
    assert [words(vocabulary, sentence) for sentence in found.story[0]] == [list(tokens(s)) for s in STORY]
    assert words(vocabulary, found.question[0]) == ["where", "is", "the", "fig", "really"]
    assert vocabulary.words[found.answer[0]] == "red_box"


def test_a_story_is_stored_once_however_often_it_is_asked_about() -> None:
    items = some_items(5, 0)
    found = Vocabulary.of(items).encode(items)
    assert found.story.shape[0] == 5
    assert found.story_of.tolist() == [number // 2 for number in range(10)]


def test_short_stories_stand_at_the_end_and_long_ones_lose_their_beginning() -> None:
    short, long = item(STORY[:1], "Where?", "x", 0), item(STORY, "Where?", "x", 1)
    vocabulary = Vocabulary.of([short, long], last=2)
    found = vocabulary.encode([short, long]).story
    assert not found[0, 0].any()
    assert words(vocabulary, found[0, 1]) == list(tokens(STORY[0]))
    assert words(vocabulary, found[1, 0]) == list(tokens(STORY[1]))
    assert words(vocabulary, found[1, 1]) == list(tokens(STORY[2]))


def test_unknown_words_stay_apart_and_can_be_named() -> None:
    vocabulary = Vocabulary.of([item(STORY, "Where is the fig really?", "red_box")], num_unknown=2)
    strange = item(("Zed entered the attic.", "The kiwi is in the bin."), "Where is the kiwi really?", "bin")
    found = vocabulary.encode([strange])
    assert vocabulary.strangers(strange) == ("zed", "kiwi", "bin")
    assert [vocabulary.answer(number, strange) for number in (1, 2)] == ["zed", "kiwi"]
    row = found.story[0]
    assert row[-2, 0] == 1, "the first stranger has the first place"
    assert row[-1, 1] == row[-1, -1] == 2, "further ones share the last place"
    assert found.question[0, 3] == 2, "the same word has the same place in the question"


def test_the_same_story_with_other_strangers_in_its_questions_is_stored_again() -> None:
    vocabulary = Vocabulary.of([item(STORY, "Where is the fig really?", "red_box")])
    asked = [item(STORY, f"Where will {name} look for the fig?", "red_box") for name in ("Ann", "Zed", "Yan")]
    found = vocabulary.encode(asked)
    assert len(set(found.story_of.tolist())) == 3


def test_an_answer_that_nobody_could_give_is_marked() -> None:
    vocabulary = Vocabulary.of([item(STORY, "Where is the fig really?", "red_box")])
    assert vocabulary.encode([item(STORY, "Where is the fig really?", "shelf")]).answer.tolist() == [-1]


def test_sentences_that_are_too_long_lose_their_end() -> None:
    vocabulary = Vocabulary.of([item(("Ann sat.",), "Where?", "x")])
    found = vocabulary.encode([item(("Ann sat ann sat.",), "Where ann sat?", "x")])
    assert words(vocabulary, found.story[0, 0]) == ["ann", "sat"]
    assert words(vocabulary, found.question[0]) == ["where"]


def test_words_are_numbered_the_same_in_whatever_order_items_come() -> None:
    items = some_items(5, 0)
    assert Vocabulary.of(items) == Vocabulary.of(items[::-1])


def test_no_items_is_a_clear_error() -> None:
    with pytest.raises(UserError, match="the training set has no questions"):
        Vocabulary.of([])
