"""Experiments from files: a new experiment is one file, and every mistake is refused with the line it stands on."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from math import perm
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError, nearest
from otherminds.core.registry import entries, find
from otherminds.core.yaml_lines import Field, read_lines
from otherminds.evals.decrypto.experiment import AXIS, Ask, Change, Experiment, MeasureCall
from otherminds.evals.decrypto.measures import MEASURES, SHOWN, TRUTH, argument
from otherminds.run.sweep import numbers
from otherminds.worlds.decrypto.questions import ABOUT, WHOSE
from otherminds.worlds.decrypto.types import INTERVENTIONS, ROLES, Role, Rules

FOLDER = Path(__file__).parent / "experiments"
SUFFIX = ".yaml"
TEMPLATE = Path(__file__).parent / "template.yaml"
_REQUIRED = ("about", "cast")
_ALLOWED = (*_REQUIRED, "axes", "rules", "games", "seeds", "ask", "arms", "measures")
_MOST = 1_000_000  # games, so that a slip of the pen is caught
_BEFORE, _AFTER = "before hints", "after hints"


class _Shipped(dict[str, Experiment]):
    """The experiments of our folder, each read when it is asked for."""

    def __missing__(self, name: str) -> Experiment:
        return self.setdefault(name, load_experiment(FOLDER / f"{name}{SUFFIX}"))


EXPERIMENTS = _Shipped()


def experiment_names() -> list[str]:
    """The experiments that are registered."""
    return sorted(entry.name for entry in entries("experiment", "decrypto"))


def find_experiment(name: str | Path) -> Experiment:
    """A registered experiment by name, or one from a file of one's own.

    Raises:
        UserError: if there is none, or its file has a mistake; the message names the line.
    """
    if str(name) in experiment_names():
        found: Experiment = find("experiment", str(name), "decrypto").load()
        return found
    if Path(name).suffix != SUFFIX:
        raise UserError(f"there is no experiment {str(name)!r}{nearest(str(name), experiment_names())}")
    return load_experiment(Path(name))


def load_experiment(path: Path) -> Experiment:
    """An experiment from its file."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read {path}: {error}") from error
    return parse_experiment(text, path.name)


def parse_experiment(text: str, source: str) -> Experiment:
    """An experiment from the text of its file; ``source`` is what errors call it."""
    top = read_lines(text, source, "experiment").entries(_ALLOWED, _REQUIRED)
    rules = _rules(top["rules"]) if "rules" in top else Rules()
    axes = _axes(top["axes"]) if "axes" in top else {}
    asks = tuple(_ask(field, rules) for field in _within(top, "ask"))
    arms = {field.name: tuple(_change(one, rules) for one in field.items()) for field in _within(top, "arms")}
    return Experiment(
        name=Path(source).stem,
        about=" ".join(top["about"].text().split()),
        cast=_cast(top["cast"], axes),
        axes=axes,
        asks=asks,
        arms=arms or {"": ()},
        measures=tuple(_measure(field, asks, rules) for field in _within(top, "measures")),
        rules=rules,
        games=top["games"].whole(1, _MOST) if "games" in top else 32,
        seeds=_seeds(top["seeds"]) if "seeds" in top else (0, 1, 2),
        text=text,
    )


def _within(top: Mapping[str, Field], name: str) -> list[Field]:
    return list(top[name].entries().values()) if name in top else []


def _rules(field: Field) -> Rules:
    given = {name: one.value() for name, one in field.entries(asdict(Rules())).items()}
    try:
        found = Rules(**given)
    except UserError as error:
        field.fail(str(error))
    codes = perm(found.keywords, found.length)
    if found.turns > codes:
        field.fail(f"there are {codes} codes for {found.turns} turns; expected one for each")
    return found


def _axes(field: Field) -> dict[str, tuple[str, ...]]:
    found = {}
    for name, one in field.entries().items():
        if not re.fullmatch(r"\w+", name):
            one.fail(f"{name!r} cannot name an axis; expected one word of letters")
        found[name] = tuple(item.text() for item in one.items())
        if not found[name]:
            one.fail(f"axis {name!r} has no values; expected a list of at least one")
    return found


def _cast(field: Field, axes: Mapping[str, Any]) -> dict[Role, str]:
    given = field.entries(ROLES, ROLES)
    for one in given.values():
        for name in AXIS.findall(one.text()):
            if name not in axes:
                one.fail(f"{one.text()!r} names an axis {name!r} that is not there{nearest(name, axes)}")
    return {role: given[role].text() for role in ROLES}


def _seeds(field: Field) -> tuple[int, ...]:
    try:
        return tuple(numbers(field.text()))
    except UserError as error:
        return field.fail(str(error))


def _choice(given: Mapping[str, Field], name: str, words: Sequence[str]) -> Any:
    """One of some words; the first if the file does not say."""
    return given[name].one_of(words) if name in given else words[0]


def _ask(field: Field, rules: Rules) -> Ask:
    if not re.fullmatch(r"\w+", field.name):
        field.fail(f"{field.name!r} cannot name a question; expected one word of letters and digits")
    if field.name in (TRUTH, SHOWN):
        field.fail(f"{field.name!r} has a meaning in measures; give the question another name")
    given = field.entries(("who", "about", "whose", "shown", "when", "from turn"), ("who", "about"))
    about, when = _choice(given, "about", ABOUT), _choice(given, "when", (_BEFORE, _AFTER))
    role, shown = _choice(given, "who", ROLES), _choice(given, "shown", ("none", "true", "placebo"))
    if shown != "none" and role != "eve":
        given["shown"].fail(f"{role} knows the keywords; only eve can be shown any")
    if about != "keywords" and when == _BEFORE:
        field.fail(f"a question about the {about} needs the hints; ask it when: {_AFTER}")
    first = given["from turn"].whole(1, rules.turns) if "from turn" in given else 1
    return Ask(field.name, role, about, _choice(given, "whose", WHOSE), shown, when, first)


def _change(field: Field, rules: Rules) -> Change:
    given = field.entries(("kind", "before turn", "digit", "turns", "word", "told"), ("kind", "before turn", "digit"))
    kind = _choice(given, "kind", INTERVENTIONS)
    word = _choice(given, "word", ("true", "placebo") if kind == "reveal" else ("placebo", "true"))
    if kind == "hide" and "word" in given:
        given["word"].fail("a hidden hint has no word; leave it out, or falsify")
    if kind == "falsify" and word == "true":
        given["word"].fail("a hint is not falsified by the truth; expected placebo")
    before = given["before turn"].whole(2, rules.turns)
    digit = _word_or_number(given["digit"], ("next",), rules.keywords)
    turns: Any = _word_or_number(given["turns"], ("all", "last"), rules.turns) if "turns" in given else "all"
    told: Any = tuple(one.one_of(ROLES[:2]) for one in given["told"].items()) if "told" in given else ()
    return Change(kind, before, digit, turns, word, told)


def _word_or_number(field: Field, words: tuple[str, ...], most: int) -> Any:
    return field.text() if field.text() in words else field.whole(1, most)


def _measure(field: Field, asks: tuple[Ask, ...], rules: Rules) -> MeasureCall:
    given = field.entries()
    if "measure" not in given:
        field.fail(f"measure {field.name!r} does not say which it is; expected 'measure: differs' or another")
    name = given.pop("measure").one_of(MEASURES)
    kinds = MEASURES[name].arguments
    found = {}
    for key, one in given.items():
        if key not in kinds:
            one.fail(f"measure {name!r} has no {key!r}{nearest(key, kinds)}")
        found[key] = argument(one, kinds[key], asks, rules)
    for key, kind in kinds.items():
        if key not in found and not kind.endswith("?"):
            field.fail(f"measure {name!r} lacks {key!r}")
    of = next((ask for ask in asks if ask.name == found.get("of")), None)
    if SHOWN in (found.get("to"), found.get("towards")) and of is not None and of.shown == "none":
        field.fail(f"nothing is shown in question {of.name!r}; compare another, or let it show something")
    return MeasureCall(field.name, name, found)
