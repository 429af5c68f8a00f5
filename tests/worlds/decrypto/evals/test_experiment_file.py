"""Experiments are files, and a mistake in one is named by its line."""

from __future__ import annotations

import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.decrypto.evals.experiment_file import experiment_names, find_experiment, parse_experiment

GOOD = """\
about: Is Eve told what she must not know?
cast: {alice: glove, bob: glove, eve: $eve}
axes:
  eve: [glove, moby]
ask:
  A: {who: eve, about: keywords, from turn: 2}
  P: {who: alice, about: guess, whose: eve, when: after hints}
arms:
  untold: [{kind: hide, before turn: 3, digit: next, told: []}]
measures:
  weak: {measure: differs, of: A, to: truth}
"""


@pytest.mark.parametrize("name", experiment_names())
def test_every_experiment_that_is_shipped_can_be_read(name: str) -> None:
    found = find_experiment(name)
    assert found.about
    assert found.casts()


def test_a_file_says_who_is_asked_what_and_when() -> None:
    found = parse_experiment(GOOD, "mine.yaml")
    assert found.name == "mine"
    assert [(ask.asked.name, ask.asked.role, ask.from_turn, ask.asked.probe.moment) for ask in found.asks] == [
        ("A", "eve", 2, "before hints"),
        ("P", "alice", 1, "after hints"),
    ]
    assert [cast.minds for cast in found.casts()] == [("glove", "glove", "glove"), ("glove", "glove", "moby")]


def test_axes_and_roles_can_be_given_anew() -> None:
    found = parse_experiment(GOOD, "mine.yaml")
    assert [cast.minds[2] for cast in found.casts({"eve": ("uniform",)})] == ["uniform"]
    several = found.casts(roles={"alice": ("glove", "rsa"), "eve": ("bayes",)})
    assert [cast.minds for cast in several] == [("glove", "glove", "bayes"), ("rsa", "glove", "bayes")]
    assert [cast.place for cast in several] == [{"alice": "glove"}, {"alice": "rsa"}]
    with pytest.raises(UserError, match="no axis 'bob'"):
        found.casts({"bob": ("glove",)})


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        ("who: eve, about: keywords", "who: mallory, about: keywords", 6, "mallory"),
        ("about: keywords, from", "about: colours, from", 6, "colours"),
        ("from turn: 2", "from turn: 9", 6, "from 1 to 8"),
        ("when: after hints", "when: before hints", 7, "needs the hints"),
        ("whose: eve, when", "shown: true, when", 7, "alice knows the keywords"),
        ("kind: hide", "kind: burn", 9, "burn"),
        ("kind: hide", "kind: falsify, word: true", 9, "takes no 'word'; leave it out"),
        ("digit: next", "digit: 5", 9, "from 1 to 4"),
        ("before turn: 3", "before turn: 1", 9, "from 2 to 8"),
        ("measure: differs", "measure: differ", 11, "did you mean 'differs'"),
        ("of: A", "of: P", 11, "'P'"),
        ("to: truth", "from: truth", 11, "has no field 'from'"),
        (", to: truth", "", 11, "needs the field 'to'"),
        ("eve: $eve", "eve: $eva", 2, "'eva'"),
        ("[glove, moby]", "[]", 4, "no values"),
        ("about: Is", "abuot: Is", 1, "did you mean 'about'"),
        ("  A: {who", "  A B: {who", 6, "cannot name a question"),
        ("  A: {who", "  truth: {who", 6, "another name"),
        ("to: truth", "to: shown", 11, "question 'A' shows nothing"),
        ("measures:", "rules: {tokens: true}\nmeasures:", 10, "expected a whole number"),
        ("measures:", "rules: {turns: x}\nmeasures:", 10, "'turns' is 'x'; expected a whole number"),
        ("measures:", "rules: {turns: 25}\nmeasures:", 10, "24 codes for 25 turns"),
        ("measures:", "rules: {stops_at_interceptions: maybe}\nmeasures:", 10, "expected true or false"),
    ],
)
def test_a_mistake_is_named_by_its_line(old: str, new: str, line: int, why: str) -> None:
    assert old in GOOD
    with pytest.raises(UserError) as caught:
        parse_experiment(GOOD.replace(old, new, 1), "mine.yaml")
    assert f"mine.yaml, line {line}:" in str(caught.value)
    assert why in str(caught.value)


def test_an_experiment_that_is_not_there_is_refused_with_the_nearest() -> None:
    with pytest.raises(UserError, match="did you mean 'smarties'"):
        find_experiment("smartie")
    with pytest.raises(UserError, match="cannot read"):
        find_experiment("nowhere.yaml")
    with pytest.raises(UserError, match="'otherminds new experiment' writes a template"):
        parse_experiment("", "mine.yaml")
