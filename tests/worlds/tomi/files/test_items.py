"""Questions in files: what is not a question is named by its line, and answers are compared by what matters."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.tomi.files.items import find_choice, matches, normalise, order_name, read_items, read_set
from tests.worlds.tomi.evals.trained_runs import make_item, write_lines


def written(folder: Path, *changes: dict[str, Any]) -> Path:
    lines = [asdict(make_item(f"q{number}")) | change for number, change in enumerate(changes)]
    return write_lines(folder / "items.jsonl", lines)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"story": "once upon a time"}, "story is 'once upon a time'; expected a list of text"),
        ({"story": 5}, "story is 5; expected a list of text"),
        ({"story": [["Nora"]]}, "expected a list of text"),
        ({"choices": None}, "choices is None; expected a list of text"),
        ({"choices": [1, 2]}, "expected a list of text"),
        ({"chain": None}, "chain is None; expected a list of text"),
        ({"answer": 5}, "answer is 5; expected text"),
        ({"id": 7}, "id is 7; expected text"),
        ({"order": "x"}, "order is 'x'; expected a whole number"),
        ({"ambiguous": "yes"}, "ambiguous is 'yes'; expected true or false"),
        ({"qtype": "beleif"}, "there is no qtype 'beleif'; did you mean 'belief'?"),
        ({"events": 5}, "events is 5; expected a list of objects"),
        ({"events": ["Ann left"]}, "expected a list of objects"),
        ({"beliefs": ["Ann"]}, "beliefs is ['Ann']; expected an object of text"),
        ({"order": 0}, "order is 0 in a belief question; expected at least 1"),
        ({"qtype": "memory"}, "order is 1 in a memory question; expected 0"),
    ],
)
def test_a_field_of_the_wrong_kind_is_named_with_its_line(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError) as found:
        list(read_items(written(tmp_path, {}, change)))
    assert "line 2: " in str(found.value)
    assert message in str(found.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", r"found \[\]; expected an object"),
        ('{"id": "q"}', "22 fields are missing: ambiguous, answer, "),
        ("{", "not JSON"),
    ],
)
def test_a_line_that_is_no_question_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(UserError, match=f"line 1: {message}"):
        list(read_items(path))


def test_two_questions_of_one_id_are_refused(tmp_path: Path) -> None:
    """Scored as they are, one of them would count twice."""
    with pytest.raises(UserError, match="two questions have the id 'q0'"):
        read_set(written(tmp_path, {}, {"id": "q0"}))


def test_what_is_written_is_read_again_even_behind_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(json.dumps(asdict(make_item("q0", events=({"type": "exit"},)))), "utf-8-sig")
    assert read_set(path) == [make_item("q0", events=({"type": "exit"},))]


def test_orders_have_names_however_deep() -> None:
    assert [order_name(order) for order in (1, 4, 5)] == ["first order", "fourth order", "5th order"]
    assert replace(make_item("q"), order=7, chain=("Omar",) * 7).group == "7th order"


@pytest.mark.parametrize(
    ("given", "same"),
    [
        ("The red_box.", "red box"),
        ("Nora and Omar", "Nora, Omar"),
        ("Omar, Nora", "Nora, Omar"),
        ("Omar, Nora, and Ada", "Ada, Nora, Omar"),
        ("the box and the basket", "basket, box"),
    ],
)
def test_what_does_not_matter_is_left_out_of_answers(given: str, same: str) -> None:
    assert normalise(given) == normalise(same)


def test_one_and_several_are_the_same_choice_where_no_other_is_meant() -> None:
    item = make_item("q")
    assert matches("red boxes", item)
    assert find_choice("crates", ("crate", "crates")) == "crates"
    assert find_choice("glims", ("glim", "glims_", "bros")) == "glims_"
    assert find_choice("bro", ("bros", "brosse")) == "bros"
    assert find_choice("basket", ("red_box", "crate")) is None
