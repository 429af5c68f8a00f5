"""Hints that the rules allow, the reasons against others, and the forms of answers."""

import pytest

from otherminds.core.form_fields import Unreadable
from otherminds.core.seeds import Draw
from otherminds.worlds.decrypto.probes import ABOUT, answer_form, guess_form, hints_form, no_answer, question
from otherminds.worlds.decrypto.rules import hint_problems, stem
from otherminds.worlds.decrypto.types import Rules
from tests.worlds.decrypto.games import KEYWORDS


@pytest.mark.parametrize("hint", ["boat", "ice cream", "o'clock", "x-ray", "St. Moritz", "Mississippi", "Élan"])
def test_one_or_two_words_about_meaning_are_fine(hint: str) -> None:
    assert hint_problems([hint], KEYWORDS) == []


@pytest.mark.parametrize(
    ("hint", "why"),
    [
        ("", "0 words"),
        ("a long one", "3 words"),
        ("h2o", "characters other than"),
        ("7", "characters other than"),
        ("two", "number"),
        ("the third", "number"),
        ("river", "'river'"),
        ("River", "'river'"),
        ("rivers", "'river'"),
        ("riverside", "'river'"),
        ("my doctor", "'doctor'"),
        ("musical", "'music'"),
        ("wintering", "'winter'"),
        ("win", "'winter'"),
        ("snow_man", "characters other than"),
        ("boat", "before"),
    ],
)
def test_what_breaks_the_rules_is_named(hint: str, why: str) -> None:
    (found,) = hint_problems([hint], KEYWORDS, used=["Boat"])
    assert why in found
    assert found.startswith(f"hint 1 ({hint!r})")


def test_a_hint_given_twice_in_a_turn_is_named_once() -> None:
    assert len(hint_problems(["dam", "dam", "snow"], KEYWORDS)) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("baker", "baking"), ("run", "running"), ("city", "cities"), ("nation", "nations"), ("hope", "hoping")],
)
def test_forms_of_a_word_share_a_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize(("hint", "keyword"), [("baking", "bake"), ("cities", "city"), ("hoping", "hope")])
def test_a_form_of_a_keyword_that_does_not_contain_it_is_refused(hint: str, keyword: str) -> None:
    (found,) = hint_problems([hint], [keyword])
    assert f"too close to the keyword {keyword!r}" in found


def test_other_words_do_not() -> None:
    assert stem("cat") != stem("car")
    assert stem("bed") == "bed"


@pytest.mark.parametrize(
    ("guess", "why"),
    [((1, 2), "3 of 1, 2, 3, 4"), ((1, 2, 5), "is 5"), ((0, 0, 0), "is 0"), ((1, 1, 2), "each option at most once")],
)
def test_a_guess_that_cannot_be_a_code_is_named(guess: tuple[int, ...], why: str) -> None:
    assert why in guess_form(Rules()).check(guess)


def test_a_repeated_digit_is_taken_in_lenient_games() -> None:
    assert guess_form(Rules(guesses="lenient")).check((1, 1, 2)) == ""
    assert guess_form(Rules()).check((1, 3, 2)) == ""


@pytest.mark.parametrize(
    ("about", "good", "bad"),
    [
        ("keywords", ("a", "b", "c", "d"), ("a", "b", "c")),
        ("keywords", ("a", "b", "c", "d"), ("a", "b", " ", "d")),
        ("guess", (1, 2, 3), (1, 2, 2)),
        ("chance", 0.25, 1.5),
        ("chance", 1, True),
        ("guess", (4, 2, 3), 0.5),
    ],
)
def test_answers_are_checked_by_what_was_asked(about: str, good: object, bad: object) -> None:
    form = answer_form(about, Rules())
    assert form.check(good) == ""
    assert form.check(bad)


def test_no_answer_is_never_right() -> None:
    assert no_answer("keywords", Rules()) == ("no_keyword",) * 4
    assert no_answer("guess", Rules()) == (0, 0, 0)
    assert no_answer("hints", Rules()) == ("no_hint",) * 3


def test_a_question_that_nobody_can_answer_is_refused() -> None:
    with pytest.raises(ValueError, match="'weather'"):
        question("weather")  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["2-1-4", "2,1,4", "2 1 4", "214", "2, 1, 4", '{"guess": "2-1-4"}', "ANSWER: 2-1-4"])
def test_codes_are_written_in_many_ways(text: str) -> None:
    assert guess_form(Rules()).parse(text) == (2, 1, 4)


@pytest.mark.parametrize(
    "text", ["", "x", "1-2", "1-2-5", "1-1-2", "1-2-3-4", '{"guess": [1, 2]}', '{"hints": "1-2-3"}']
)
def test_what_is_not_a_code_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        guess_form(Rules()).parse(text)


def test_hints_are_three_texts_without_line_breaks() -> None:
    form = hints_form(Rules())
    assert form.parse("wet, black  keys ,snow") == ("wet", "black keys", "snow")
    assert form.parse('I think.\nANSWER: {"hints": ["a\\n4 = secret", "b", "c"]}') == ("a 4 = secret", "b", "c")
    assert form.parse('{"hints": {"a": "x", "b": "y", "c": "z"}}', is_structured=True) == ("x", "y", "z")
    for text in ("wet, keys", "wet,,snow", f"{'x' * 300},b,c", '{"hints": [1, 2, 3]}', '{"hints": "a"}'):
        with pytest.raises(Unreadable):
            form.parse(text)


def test_the_form_of_an_answer_is_shown_without_anything_to_copy() -> None:
    rules = Rules()
    assert guess_form(rules).example() == '{"guess": "d-d-d"}'
    assert hints_form(rules).example() == '{"hints": ["<hint a>", "<hint b>", "<hint c>"]}'
    structured = answer_form("keywords", rules).example(is_structured=True)
    assert (
        structured == '{"keywords": {"1": "<keyword 1>", "2": "<keyword 2>", "3": "<keyword 3>", "4": "<keyword 4>"}}'
    )


@pytest.mark.parametrize("rules", [Rules(), Rules(guesses="lenient"), Rules(keywords=6, length=4)])
def test_forms_accept_every_sampled_reply(rules: Rules) -> None:
    draw = Draw(0, "tests")
    for form in (hints_form(rules), *(answer_form(about, rules) for about in ABOUT)):
        for _ in range(50):
            assert form.check(form.sample(draw)) == ""
