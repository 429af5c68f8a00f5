"""Forms: what is taken, what is refused and how, and everything that is derived from them."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.core.form import Choice, Form, Number, Several, Unreadable, Words
from otherminds.core.seeds import Draw

MOVE = Form.of(Choice("move", ("stay", "right")), Choice("piece", ("0", "1", "-")), mark="ACTION")
GUESS = Form.of(Several("guess", (1, 2, 3, 4), 3, 3))
HINTS = Form.of(Words("hints", 3))
KNOWS = Form.of(Several("knows", ("0", "1", "2"), is_set=True), mark="KNOWS")
CHANCE = Form.of(Number("chance"))
EITHER = Form(((Choice("act", ("wait", "peek")),), (Several("tell", ("ann", "ben"), 1, 1), Words("text"))))
FORMS = [MOVE, GUESS, HINTS, KNOWS, CHANCE, EITHER]


@pytest.mark.parametrize(
    ("form", "text", "value"),
    [
        (MOVE, "ACTION: right 0", {"move": "right", "piece": "0"}),
        (MOVE, "I go there.\n**Action:** RIGHT, -", {"move": "right", "piece": "-"}),
        (MOVE, '{"move": "stay", "piece": "1"}', {"move": "stay", "piece": "1"}),
        (MOVE, 'ANSWERS vary.\nACTION: {"move": "stay", "piece": "1"} That is all.', {"move": "stay", "piece": "1"}),
        (GUESS, "ANSWER: 3-1-4", (3, 1, 4)),
        (GUESS, "ANSWER: 314", (3, 1, 4)),
        (GUESS, 'ANSWER: {"guess": "3-1-4"}', (3, 1, 4)),
        (GUESS, 'thinking\nANSWER: {"guess": [3, 1, 4]}', (3, 1, 4)),
        (HINTS, 'ANSWER: {"hints": ["a b", "c", "d"]}', ("a b", "c", "d")),
        (HINTS, "salt, pepper, sea water", ("salt", "pepper", "sea water")),
        (KNOWS, "KNOWS: 2 and 0", ("0", "2")),
        (KNOWS, "KNOWS: nobody", ()),
        (CHANCE, "ANSWER: 0.25", 0.25),
        (EITHER, "ANSWER: peek.", "peek"),
        (EITHER, 'ANSWER: {"tell": ["ben"], "text": "heads"}', {"tell": ("ben",), "text": "heads"}),
    ],
)
def test_replies_are_read(form: Form, text: str, value: Any) -> None:
    assert form.parse(text) == value


@pytest.mark.parametrize(
    ("form", "text", "complaint"),
    [
        (MOVE, "", "there was no reply"),
        (MOVE, "first\nsecond", "there is no line that begins with 'ACTION:'"),
        (MOVE, "ACTION: up 0", "move is 'up'; expected one of stay, right"),
        (MOVE, "ACTION: right", "the answer is 'right'; expected move, piece"),
        (MOVE, "ACTION:", "nothing follows 'ACTION:'"),
        (GUESS, "ANSWER: 3-1", "guess is ['3', '1']; expected 3 of 1, 2, 3, 4"),
        (GUESS, "ANSWER: 3-3-1", "expected each option at most once"),
        (GUESS, "ANSWER: {3-3-1}", "what follows 'ANSWER:' is not JSON"),
        (GUESS, 'ANSWER: {"hints": [1]}', "the reply has hints; expected guess"),
        (HINTS, 'ANSWER: {"hints": ["a", "b"]}', "hints is ['a', 'b']; expected 3 texts, none of them empty"),
        (HINTS, f'{{"hints": ["a", "b", "{"x" * 300}"]}}', "hints has 300 characters; expected 1 to 200"),
        (CHANCE, "ANSWER: 2", "chance is 2.0; expected a number from 0 to 1"),
        (CHANCE, "ANSWER: likely", "chance is 'likely'; expected a number from 0 to 1"),
    ],
)
def test_complaints_say_what_was_found_and_what_was_expected(form: Form, text: str, complaint: str) -> None:
    with pytest.raises(Unreadable) as refused:
        form.parse(text)
    assert complaint in str(refused.value)


def test_structured_replies_must_be_objects() -> None:
    assert GUESS.parse('{"guess": {"a": 3, "b": 1, "c": 4}}', is_structured=True) == (3, 1, 4)
    with pytest.raises(Unreadable, match="not JSON"):
        GUESS.parse("ANSWER: 3-1-4", is_structured=True)
    with pytest.raises(Unreadable, match="not a JSON object"):
        GUESS.parse("[3, 1, 4]", is_structured=True)


@pytest.mark.parametrize("form", FORMS)
@given(seed=st.integers(0, 10**6))
def test_every_sample_is_taken_and_survives_json_and_structured_output(form: Form, seed: int) -> None:
    value = form.sample(Draw(seed, "sample"))
    assert form.check(value) == ""
    taken = form.take(value)
    assert form.take(json.loads(json.dumps(taken))) == taken
    names = [field.name for field in form.alternatives[0]]
    whole = taken if isinstance(taken, dict) else {names[0]: taken}
    assert form.parse(json.dumps(whole), is_structured=True) == taken


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("bad", [None, [[]], {"odd": 1}, object(), True, 10**9, "\x00"])
def test_whatever_does_not_fit_gets_a_complaint_and_no_exception(form: Form, bad: Any) -> None:
    assert isinstance(form.check(bad), str)
    if not isinstance(bad, str):
        assert form.check(bad)


@given(text=st.text())
def test_no_text_breaks_the_parser(text: str) -> None:
    for form in FORMS:
        with suppress(Unreadable):
            form.parse(text)


def test_schemas_are_strict_objects_with_null_for_other_alternatives() -> None:
    schema = EITHER.json_schema()
    assert schema["required"] == ["act", "tell", "text"]
    assert schema["additionalProperties"] is False
    assert {"type": "null"} in schema["properties"]["act"]["anyOf"]
    assert EITHER.parse('{"act": "wait", "tell": null, "text": null}', is_structured=True) == "wait"
    codes = GUESS.json_schema()["properties"]["guess"]["enum"]
    assert (len(codes), codes[0]) == (24, "1-2-3")  # those with different digits alone
    assert GUESS.parse('{"guess": "4-1-2"}', is_structured=True) == (4, 1, 2)
    assert HINTS.json_schema()["properties"]["hints"]["required"] == ["a", "b", "c"]
    held = Form.of(Words("hints", 2, pattern="^[a-z]+$")).json_schema()["properties"]["hints"]["properties"]
    assert held["a"] == {"type": "string", "pattern": "^[a-z]+$"}


def test_examples_hold_nothing_to_copy_and_offers_say_what_can_be_given() -> None:
    assert GUESS.example() == '{"guess": "d-d-d"}'
    assert HINTS.example() == '{"hints": ["<hint a>", "<hint b>", "<hint c>"]}'
    assert MOVE.offer() == "move: one of stay, right, piece: one of 0, 1, -"
    assert Form.of(Choice("answer", ("box", "bag"))).closed() == ("box", "bag")
    assert MOVE.closed() is None
