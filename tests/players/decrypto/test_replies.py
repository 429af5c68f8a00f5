"""Replies are read strictly: what is not of the form is said to be so, and never taken for an answer."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.players.conversation import Unreadable
from otherminds.players.decrypto.replies import (
    KINDS,
    Wanted,
    read_reply,
    reasoning_of,
    wanted_answer,
    wanted_guess,
    wanted_hints,
)
from otherminds.worlds.decrypto.questions import Question
from otherminds.worlds.decrypto.types import Rules

RULES = Rules()
HINTS, GUESS = wanted_hints(RULES), wanted_guess(RULES)
KEYWORDS = wanted_answer(Question("keywords"), RULES)
CHANCE = wanted_answer(Question("chance", "eve"), RULES)


@pytest.mark.parametrize(
    ("reply", "wanted", "answer"),
    [
        ('I think.\nANSWER: {"hints": ["wet", "cold  day", " far "]}', HINTS, ("wet", "cold day", "far")),
        ('ANSWER:\n{\n"guess": "2-4-1"\n}\nThat is all.', GUESS, (2, 4, 1)),
        ('ANSWER: {"guess": "1-1-2"}', GUESS, (1, 1, 2)),  # the rules judge it, not the parser
        ('ANSWER: {"keywords": ["a", "b", "c", "d"]}', KEYWORDS, ("a", "b", "c", "d")),
        ('ANSWER: {"chance": 0.25}', CHANCE, 0.25),
        ('ANSWER: {"chance": 1}', CHANCE, 1.0),
        ('a { b } then ANSWER: {"guess": "3-2-1", "sure": {"very": true}}', GUESS, (3, 2, 1)),
    ],
)
def test_the_answer_is_between_the_mark_and_the_last_brace(reply: str, wanted: Wanted, answer: Any) -> None:
    assert read_reply(reply, wanted) == answer


@pytest.mark.parametrize(
    ("reply", "wanted", "why"),
    [
        (None, HINTS, "no reply"),
        ("", GUESS, "no reply"),
        ("  \n", GUESS, "no reply"),
        (7, GUESS, "no reply"),
        ("The code is 1-2-3.", GUESS, "no 'ANSWER:'"),
        ('answer: {"guess": "1-2-3"}', GUESS, "no 'ANSWER:'"),
        ("ANSWER: 1-2-3", GUESS, "no 'ANSWER:'"),
        ("ANSWER: {'guess': '1-2-3'}", GUESS, "not JSON"),
        ('ANSWER: {"guess": "1-2-3"} or ANSWER: {"guess": "3-2-1"}', GUESS, "not JSON"),
        ('ANSWER: {"hints": ["a", "b", "c"]}', GUESS, "no 'guess'; it holds 'hints'"),
        ('ANSWER: {"guess": "1-2-3"}', HINTS, "no 'hints'; it holds 'guess'"),
        ("ANSWER: {}", HINTS, "it holds nothing"),
        ('ANSWER: {"code": "1-2-3"}', GUESS, "it holds 'code'"),
        ('ANSWER: {"guess": [1, 2, 3]}', GUESS, "expected 'd-d-d'"),
        ('ANSWER: {"guess": "1-2-5"}', GUESS, "1 to 4"),
        ('ANSWER: {"guess": "123"}', GUESS, "expected 'd-d-d'"),
        ('ANSWER: {"guess": "1-2"}', GUESS, "expected 'd-d-d'"),
        ('ANSWER: {"hints": ["a", "b"]}', HINTS, "list of 3 strings"),
        ('ANSWER: {"hints": ["a", "b", 3]}', HINTS, "list of 3 strings"),
        ('ANSWER: {"hints": ["a", "b", " "]}', HINTS, "empty"),
        ('ANSWER: {"hints": {"a": "x", "b": "y", "c": "z"}}', HINTS, "list of 3 strings"),
        (f'ANSWER: {{"hints": ["a", "b", "{"c" * 300}"]}}', HINTS, "more than 200"),
        ('ANSWER: {"keywords": ["a", "b", "c"]}', KEYWORDS, "list of 4 strings"),
        ('ANSWER: {"chance": 1.5}', CHANCE, "from 0 to 1"),
        ('ANSWER: {"chance": NaN}', CHANCE, "from 0 to 1"),
        ('ANSWER: {"chance": true}', CHANCE, "from 0 to 1"),
        ('ANSWER: {"chance": "0.5"}', CHANCE, "from 0 to 1"),
        ("ANSWER: " + "[" * 100_000 + "}", GUESS, "not JSON"),
    ],
)
def test_anything_else_is_refused_with_what_was_expected(reply: object, wanted: Wanted, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        read_reply(reply, wanted)


def test_a_reply_held_to_a_schema_is_the_object_alone() -> None:
    assert read_reply('{"hints": {"b": "cold", "a": "wet", "c": "far"}}', HINTS, is_bare=True) == ("wet", "cold", "far")
    assert read_reply('{"guess": "4-2-1"}', GUESS, is_bare=True) == (4, 2, 1)
    with pytest.raises(Unreadable, match="the reply is not JSON"):
        read_reply('ANSWER: {"guess": "4-2-1"}', GUESS, is_bare=True)


@pytest.mark.parametrize("wanted", [HINTS, GUESS, KEYWORDS, CHANCE])
def test_an_example_shows_the_form_and_cannot_be_copied_as_a_guess(wanted: Wanted) -> None:
    assert f'"{wanted.kind}"' in wanted.example()
    if wanted.kind in ("guess", "chance"):
        with pytest.raises(Unreadable):
            read_reply(f"ANSWER: {wanted.example()}", wanted)


@given(st.text() | st.none() | st.integers(), st.sampled_from(KINDS))
def test_no_reply_whatever_ends_in_another_error(reply: object, kind: Any) -> None:
    """The pitfall of the original: its parser fails on what it did not expect."""
    marked = f'ANSWER: {{"{kind}": {reply!r}}}'
    for given_, is_bare in ((reply, False), (marked, False), (reply, True)):
        with suppress(Unreadable):
            read_reply(given_, Wanted(kind, 3, 4), is_bare=is_bare)


def test_what_was_said_before_the_answer_is_its_reasoning() -> None:
    assert reasoning_of('Wet is for river.\nANSWER: {"guess": "1-2-3"}') == "Wet is for river."
    assert reasoning_of("no answer") == ""
