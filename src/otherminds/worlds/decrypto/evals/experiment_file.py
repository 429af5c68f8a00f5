"""Experiments from files: an experiment is one YAML file, and every mistake is reported with its line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import perm
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError, nearest
from otherminds.core.files import read_text
from otherminds.core.registry import entries, find
from otherminds.core.yaml_lines import YamlValue, read_lines
from otherminds.run.sweep import numbers
from otherminds.worlds.decrypto.evals.experiment import AXIS, Change, Experiment, MeasureCall, PlannedProbe
from otherminds.worlds.decrypto.evals.measures import ANSWERS, MEASURES, SHOWN, TRUTH
from otherminds.worlds.decrypto.probes import ABOUT, WHOSE, Asked, question
from otherminds.worlds.decrypto.types import INTERVENTIONS, ROLES, Role, Rules

FOLDER = Path(__file__).parent / "experiments"
SUFFIX = ".yaml"
TEMPLATE = Path(__file__).parent / "template.yaml"
_REQUIRED = ("about", "cast")
_ALLOWED = (*_REQUIRED, "axes", "rules", "games", "seeds", "ask", "arms", "measures")
_MOST = 1_000_000  # games, so that a typing mistake is caught
_BEFORE, _AFTER = "before hints", "after hints"


class _Shipped(dict[str, Experiment]):
    """The experiments of the package, each read when it is first used."""

    def __missing__(self, name: str) -> Experiment:
        return self.setdefault(name, load_experiment(FOLDER / f"{name}{SUFFIX}"))


EXPERIMENTS = _Shipped()


def experiment_names() -> list[str]:
    """Names of the registered experiments."""
    return sorted(entry.name for entry in entries("experiment", "decrypto"))


def find_experiment(name: str | Path) -> Experiment:
    """A registered experiment by name, or an experiment from a file.

    Raises:
        UserError: if it does not exist, or its file has a mistake; the message names the line.
    """
    if str(name) in experiment_names():
        experiment: Experiment = find("experiment", str(name), "decrypto").load()
        return experiment
    if Path(name).suffix != SUFFIX:
        raise UserError(f"there is no experiment {str(name)!r}{nearest(str(name), experiment_names())}")
    return load_experiment(Path(name))


def load_experiment(path: Path) -> Experiment:
    """An experiment from its file."""
    return parse_experiment(read_text(path, "an experiment; 'otherminds new experiment' makes one"), path.name)


def parse_experiment(text: str, source: str) -> Experiment:
    """An experiment from the text of its file; ``source`` is the name of the file in errors."""
    top = read_lines(text, source, "experiment").entries(_ALLOWED, _REQUIRED)
    parts = {name: top[name].entries() if name in top else {} for name in ("axes", "ask", "arms", "measures")}
    rules = _rules(top["rules"]) if "rules" in top else Rules()
    axes = {name: _axis(field) for name, field in parts["axes"].items()}
    probes = tuple(_ask(field, rules) for field in parts["ask"].values())
    arms = {arm: tuple(_change(change, rules) for change in field.items()) for arm, field in parts["arms"].items()}
    return Experiment(
        name=Path(source).stem,
        about=" ".join(top["about"].text().split()),
        cast=_cast(top["cast"], axes),
        axes=axes,
        probes=probes,
        arms=arms or {"": ()},
        measures=tuple(_measure(field, probes, rules) for field in parts["measures"].values()),
        rules=rules,
        games=top["games"].whole(1, _MOST) if "games" in top else 32,
        seeds=_seeds(top["seeds"]) if "seeds" in top else (0, 1, 2),
        text=text,
    )


def _rules(field: YamlValue) -> Rules:
    values = {name: rule.value() for name, rule in field.entries(Rules().plain()).items()}
    try:
        rules = Rules(**values)
    except UserError as error:
        field.fail(str(error))
    codes = perm(rules.keywords, rules.length)
    if rules.turns > codes:
        field.fail(
            f"there are only {codes} codes for {rules.turns} turns; expected one for each turn, so set fewer turns"
        )
    return rules


def _axis(field: YamlValue) -> tuple[str, ...]:
    if not re.fullmatch(r"\w+", field.name):
        field.fail(f"{field.name!r} cannot name an axis; expected one word of letters and digits")
    return tuple(item.text() for item in field.items()) or field.fail(
        f"axis {field.name!r} has no values; expected a list of at least one"
    )


def _cast(field: YamlValue, axes: Mapping[str, Any]) -> dict[Role, str]:
    minds = field.entries(ROLES, ROLES)
    for mind in minds.values():
        for name in AXIS.findall(mind.text()):
            if name not in axes:
                mind.fail(f"{mind.text()!r} names the axis {name!r}, which does not exist{nearest(name, axes)}")
    return {role: minds[role].text() for role in ROLES}


def _seeds(field: YamlValue) -> tuple[int, ...]:
    try:
        return tuple(numbers(field.text()))
    except UserError as error:
        return field.fail(str(error))


def _choice(fields: Mapping[str, YamlValue], name: str, words: Sequence[str]) -> Any:
    """One of some words; the first by default."""
    return fields[name].one_of(words) if name in fields else words[0]


def _ask(field: YamlValue, rules: Rules) -> PlannedProbe:
    if not re.fullmatch(r"\w+", field.name):
        field.fail(f"{field.name!r} cannot name a question; expected one word of letters and digits")
    if field.name in (TRUTH, SHOWN):
        field.fail(f"{field.name!r} is a reserved word in measures; give the question another name")
    fields = field.entries(("who", "about", "whose", "shown", "when", "from turn"), ("who", "about"))
    about, when = _choice(fields, "about", ABOUT), _choice(fields, "when", (_BEFORE, _AFTER))
    role, shown = _choice(fields, "who", ROLES), _choice(fields, "shown", ("none", "true", "placebo"))
    if shown != "none" and role != "eve":
        fields["shown"].fail(f"{role} knows the keywords; only eve can be shown keywords")
    if about != "keywords" and when == _BEFORE:
        field.fail(f"a question about the {about} needs the hints; write 'when: {_AFTER}'")
    first = fields["from turn"].whole(1, rules.turns) if "from turn" in fields else 1
    probe = question(about, _choice(fields, "whose", WHOSE), None, when)
    return PlannedProbe(Asked(field.name, role, probe), shown, first)


def _change(field: YamlValue, rules: Rules) -> Change:
    fields = field.entries(("kind", "before turn", "digit", "word", "told"), ("kind", "before turn", "digit"))
    kind, digit = _choice(fields, "kind", INTERVENTIONS), fields["digit"]
    if kind != "reveal" and "word" in fields:
        fields["word"].fail(f"an arm of kind {kind!r} takes no 'word'; leave it out")
    told: Any = tuple(role.one_of(ROLES[:2]) for role in fields["told"].items()) if "told" in fields else ()
    return Change(
        kind=kind,
        before=fields["before turn"].whole(2, rules.turns),
        digit="next" if digit.text() == "next" else digit.whole(1, rules.keywords),
        word=_choice(fields, "word", ("true", "placebo")),
        told=told,
    )


def _measure(field: YamlValue, probes: tuple[PlannedProbe, ...], rules: Rules) -> MeasureCall:
    fields = field.entries()
    if "measure" not in fields:
        field.fail(f"measure {field.name!r} has no field 'measure'; add one, such as 'measure: differs'")
    name = fields.pop("measure").one_of(MEASURES)
    kinds = MEASURES[name].arguments
    arguments = {}
    for key, value in fields.items():
        if key not in kinds:
            value.fail(f"measure {name!r} has no field {key!r}{nearest(key, kinds)}")
        arguments[key] = _argument(value, kinds[key].removesuffix("?"), probes, rules)
    for key, kind in kinds.items():
        if key not in arguments and not kind.endswith("?"):
            field.fail(f"measure {name!r} needs the field {key!r}")
    of = next((probe for probe in probes if probe.asked.name == arguments.get("of")), None)
    if SHOWN in (arguments.get("to"), arguments.get("towards")) and of is not None and of.shown == "none":
        field.fail(f"question {of.asked.name!r} shows nothing; compare another question, or set its field 'shown'")
    return MeasureCall(field.name, name, arguments)


def _argument(field: YamlValue, kind: str, probes: Sequence[PlannedProbe], rules: Rules) -> Any:
    """An argument of a measure: a turn, the name of an answer, or one of the words that its kind lists."""
    if kind == "turn":
        return field.whole(1, rules.turns)
    if kind not in ANSWERS:
        return field.one_of(kind.split())
    about, others = ("keywords", (TRUTH, SHOWN)) if kind == "target" else (kind, ())
    return field.one_of([*(probe.asked.name for probe in probes if probe.asked.probe.about == about), *others])
