import pytest

from otherminds.worlds.decrypto.hints import guess_problem, hint_problems, stem
from otherminds.worlds.decrypto.questions import Question, answer_problem, no_answer
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
        ("h2o", "other signs"),
        ("7", "other signs"),
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
        ("snow_man", "other signs"),
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
    assert f"too near the keyword {keyword!r}" in found


def test_other_words_do_not() -> None:
    assert stem("cat") != stem("car")
    assert stem("bed") == "bed"


@pytest.mark.parametrize(
    ("guess", "why"),
    [((1, 2), "2 digits"), ((1, 2, 5), "other than 1 to 4"), ((0, 0, 0), "other"), ((1, 1, 2), "repeats")],
)
def test_a_guess_that_cannot_be_a_code_is_named(guess: tuple[int, ...], why: str) -> None:
    assert why in guess_problem(guess, Rules())


def test_a_repeated_digit_is_taken_in_lenient_games() -> None:
    assert guess_problem((1, 1, 2), Rules(guesses="lenient")) == ""
    assert guess_problem((1, 3, 2), Rules()) == ""


@pytest.mark.parametrize(
    ("question", "good", "bad"),
    [
        (Question("keywords"), ("a", "b", "c", "d"), ("a", "b", "c")),
        (Question("keywords"), ("a", "b", "c", "d"), ("a", "b", " ", "d")),
        (Question("guess"), (1, 2, 3), (1, 2, 2)),
        (Question("chance"), 0.25, 1.5),
        (Question("chance"), 1, True),
        (Question("guess"), (4, 2, 3), 0.5),
    ],
)
def test_answers_are_checked_by_what_was_asked(question: Question, good: object, bad: object) -> None:
    assert answer_problem(good, question, Rules()) == ""  # type: ignore[arg-type]
    assert answer_problem(bad, question, Rules())  # type: ignore[arg-type]


def test_no_answer_is_never_right() -> None:
    assert no_answer(Question("keywords"), Rules()) == ("no_keyword",) * 4
    assert no_answer(Question("guess"), Rules()) == (0, 0, 0)


def test_a_question_that_nobody_can_answer_is_refused() -> None:
    with pytest.raises(ValueError, match="'weather'"):
        Question("weather")  # type: ignore[arg-type]
