"""Texts that a person would want to read: short, varied, natural, and still exact."""

import re
from statistics import median
from typing import Any

import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.formulas import normal, spelled
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.leaks import leaks
from otherminds.worlds.enacttom.tasks.read import SHIPPED, task_names
from otherminds.worlds.enacttom.text.clauses import clause_of, formula_in, formula_words
from otherminds.worlds.enacttom.text.goal_shapes import shape
from otherminds.worlds.enacttom.text.names import lexicon
from otherminds.worlds.enacttom.text.parse_text import meaning, understood
from otherminds.worlds.enacttom.text.task_text import private_text, public_text
from otherminds.worlds.enacttom.types import Task
from tests.worlds.enacttom.houses import fetch
from tests.worlds.enacttom.text.furnished import furnished
from tests.worlds.enacttom.text.test_task_text import everything

FURNISHED = 20
some_and_many = pytest.mark.parametrize("number", [FURNISHED, pytest.param(100, marks=pytest.mark.slow)])
LONG = 0.03  # the share of furnished tasks with more than 400 words, all of the plot "through"
UNNATURAL = (
    "it is not so that",
    "at least one of these",
    "all of these:",
    "not this",
    "not nobody",
    "  -",
    "_ ",
    "$",
    "{",
)


def words(text: str) -> int:
    """The number of words; signs that stand alone are none."""
    return sum(any(mark.isalnum() for mark in word) for word in text.split())


def prompt(task: Task) -> int:
    """The words of the public text and of the longest private text in any world."""
    house = ground(task)
    private = [private_text(house, world, agent) for world in task.worlds for agent in range(len(task.people))]
    return words(public_text(task)) + max(map(words, private))


def shipped() -> list[Task]:
    return [SHIPPED[name] for name in task_names()]


@some_and_many
def test_furnished_tasks_are_read_back_exactly_in_any_phrasing(number: int) -> None:
    for at, task in enumerate(furnished(number)):
        assert meaning(understood(public_text(task, at % 3))) == meaning(task), task.id


def test_texts_of_furnished_tasks_leak_nothing() -> None:
    for task in furnished(FURNISHED)[:10]:
        assert leaks(ground(task)) == ""


@some_and_many
def test_a_prompt_is_short(number: int) -> None:
    """Whole prompts of shipped tasks, and of houses with up to nine rooms, 27 pieces of furniture and 27 things."""
    classic, large = [prompt(task) for task in shipped()], [prompt(task) for task in furnished(number)]
    assert max(classic) <= 300
    assert median([*classic, *large]) <= 300
    assert median(large) <= 300
    assert sum(one > 400 for one in large) <= max(1, LONG * number)
    assert max(large) <= 460


@some_and_many
def test_a_goal_has_few_lines_and_no_nested_list(number: int) -> None:
    for task in (*shipped(), *furnished(number)):
        text = public_text(task)
        assert 1 <= len(re.findall("(?m)^- ", text)) <= 8
        assert not [phrase for phrase in UNNATURAL if phrase in text], task.id


def test_phrasings_vary_from_task_to_task_and_by_seed() -> None:
    for task in (SHIPPED["stale-2"], *furnished(FURNISHED)[:5]):
        assert len({public_text(task, seed) for seed in range(5)}) >= 3
        assert public_text(task, 1) == public_text(task, 1)
    openings = {re.findall(r"# Goal\n(\D+)", public_text(task))[0] for task in shipped()}
    assert len(openings) >= 2


@pytest.mark.parametrize(
    ("formula", "same", "words_"),
    [
        ({"if": ["powered(lamp)", "powered(bell)"]}, {"or": ["unpowered(lamp)", "powered(bell)"]},
         "if the lamp is on, the bell is on"),
        ({"none": ["lamp", "bell"]}, {"and": ["unpowered(lamp)", {"not": "powered(bell)"}]},
         "none of the lamp and bell is on"),
        ({"only": {"of": ["lamp", "bell"], "is": "lamp"}}, {"and": ["powered(lamp)", "unpowered(bell)"]},
         "the lamp is on and the bell is off"),
        ({"not": {"none": ["lamp", "bell"]}}, {"or": ["powered(lamp)", "powered(bell)"]}, "the lamp or bell is on"),
        ({"if": [{"and": ["open(box)", "held(cup, ann)"]}, {"or": ["at(ann, den)", "in(cup, box)"]}]},
         {"or": ["closed(box)", {"not": "held(cup, ann)"}, "at(ann, den)", "in(cup, box)"]},
         "if the box is open and Ann holds the cup, Ann is in the den or the cup is in the box"),
    ],
)  # fmt: skip
def test_shorthands_mean_their_normal_form_and_have_one_clause(formula: Any, same: Any, words_: str) -> None:
    task = everything()
    assert shape(formula, task) == shape(same, task)
    assert formula_words(formula, task) == formula_words(same, task) == words_
    assert shape(formula_in(words_, lexicon(task)), task) == shape(formula, task)


def test_the_switch_of_a_secret_by_value_by_name_and_by_table() -> None:
    """``only`` takes a secret whose values are switches, a name with secrets in it, or a switch for each value."""
    content = {"rooms": {"one": {}}, "furniture": {n: {"kind": "switch", "room": "one"} for n in ("ann_x", "ann_y")}}
    people = {"ann": {"room": "one"}, "ben": {"room": "one"}}
    secrets = {"letter": {"values": ["x", "y"]}, "which": {"values": ["ann_x", "ann_y"]}}
    plain = {"or": [{"and": [f"is(letter, {a})", f"powered(ann_{a})", f"unpowered(ann_{b})"]} for a, b in ("xy", "yx")]}
    changes: dict[str, Any] = {"house": content, "people": people, "secrets": secrets, "talk": {}, "mechanics": []}
    task = fetch(**changes, goal=plain)
    by_name = {"only": {"of": ["ann_x", "ann_y"], "is": "ann_{letter}"}}
    by_table = {"only": {"of": {"x": "ann_x", "y": "ann_y"}, "is": "$letter"}}
    assert normal(by_name, task) == normal(by_table, task)
    assert shape(by_name, task) == shape(by_table, task) == shape(plain, task)
    assert formula_words(plain, task) == "the one for the letter is the only one on among Ann's switches"
    by_value = {"only": {"of": ["ann_x", "ann_y"], "is": "$which"}}
    assert clause_of(by_value, lexicon(task), task) == "the which is the only one on among Ann's switches"
    with pytest.raises(UserError, match="not one of ann_x"):
        spelled({"only": {"of": ["ann_x"], "is": "$which"}}, task)
    with pytest.raises(UserError, match="names the secret 'moon'"):
        normal("powered(ann_{moon})", task)
    with pytest.raises(UserError, match="if: \\[condition, then\\]"):
        normal({"if": ["powered(ann_x)"]}, task)


def test_names_that_would_spoil_a_sentence_are_quoted() -> None:
    content = {
        "rooms": {"hall": {}, "Den-2": {}},
        "furniture": {
            "salt_and_pepper": {"kind": "surface", "room": "Den-2"},
            "target": {"kind": "surface", "room": "hall"},
        },
        "things": {"cup": {"place": "on salt_and_pepper"}, "on_off_toy": {"place": "floor hall"}},
    }
    task = fetch(house=content, secrets={"target": {"values": ["target", "salt_and_pepper"]}}, people={
        "Ann": {"room": "hall"}, "mary_ann": {"room": "Den-2"}}, talk={}, mechanics=[])  # fmt: skip
    text = public_text(task)
    assert "`salt_and_pepper`" in text
    assert "Mary Ann" in text
    assert meaning(understood(text)) == meaning(task)


def test_a_thing_in_one_place_or_on_another_is_two_clauses() -> None:
    """The second clause is not taken for another place of the first."""
    goal = {"or": ["on(cup, $target)", "on(cup, shelf)"]}
    task = fetch(goal=goal)
    assert meaning(understood(public_text(task))) == meaning(task)
    assert meaning(task) != meaning(fetch(goal="on(cup, $target)"))
