"""The statements of a public text: the phrasings of each, and what it adds to a task when it is read back."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import yaml

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.text.clauses import formula_in, literal_words
from otherminds.worlds.enacttom.text.names import Lexicon, listed_words, phrases_in
from otherminds.worlds.enacttom.text.sentences import GAPS, Gap, SentencePattern, number_words
from otherminds.worlds.enacttom.types import VERBS, Mechanic, Note

EVERYTHING, IT = "things", "it"
TEXTS: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("sentences.yaml").read_text(encoding="utf-8"))
ABILITIES: dict[str, list[str]] = TEXTS["abilities"]


def abilities(verbs: Any) -> list[str]:
    """What a person can do, in words; messages, waiting and being done are not mentioned."""
    rest, phrases = set(verbs), []
    for words, group in ABILITIES.items():
        if rest.issuperset(group):
            phrases.append(words)
            rest.difference_update(group)
    return phrases


def verbs_of(phrases: list[str]) -> tuple[Any, ...]:
    """The verbs of such words."""
    if not set(phrases) <= ABILITIES.keys():
        raise UserError(f"{', '.join(phrases)} is not something that people can do")
    return tuple(verb for verb in VERBS if any(verb in ABILITIES[phrase] for phrase in phrases))


def _choice(kind: str, word: str, usual: str = "") -> Gap:
    """A gap for several keys of a table of ``sentences.yaml``; ``usual`` stands for none of them."""
    table: dict[str, str] = TEXTS[kind]
    back = {words: key for key, words in table.items()}

    def read(text: str, _: Lexicon) -> list[str]:
        if text == usual:
            return []
        try:
            return [back[phrase] for phrase in phrases_in(text, word)]
        except KeyError as error:
            raise UserError(f"{text!r} is not one of {', '.join(back)}") from error

    any_of = "|".join(map(re.escape, filter(None, (*back, usual))))
    pattern = f"(?:{any_of})(?:(?:, | {word} )(?:{any_of}))*"
    return Gap(lambda keys, _: listed_words((table[key] for key in keys), word) if keys else usual, read, pattern)


def _each_of(gap: Gap, between: str) -> Gap:
    """A gap for several values of another gap, with a text between them."""
    return Gap(
        lambda values, words: between.join(gap.write(value, words) for value in values),
        lambda text, words: [gap.read(part, words) for part in text.split(between)],
    )


def _literals_in(text: str, words: Lexicon) -> list[str]:
    formula = formula_in(text, words)
    parts = formula["and"] if isinstance(formula, dict) and "and" in formula else [formula]
    return [part if isinstance(part, str) else f"not {part['not']}" for part in parts]


def _told(clauses: Any, words: Lexicon) -> str:
    """Who is told what: people, and what each of them is told. A secret that was the last one named is "it"."""
    told, last = [], ""
    for people, what in clauses:
        known = []
        for knower, about in what:
            phrase = f"{'about ' if about in words.told else ''}{words.known(about)}"
            secret = IT if about == last else phrase
            known.append("".join(f"that {words.phrase(name)} knows " for name in knower) + secret)
            last = about
        told.append(f"{words.listed(people)} {'are' if len(people) > 1 else 'is'} told {listed_words(known)}")
    return ", and ".join(told)


def _told_in(text: str, words: Lexicon) -> list[Any]:
    clauses, last = [], ""
    for clause in text.split(", and "):
        people, _, what = clause.replace(" are told ", " is told ").partition(" is told ")
        known = []
        for phrase in phrases_in(what):
            *knower, about = phrase.split(" knows ")
            last = last if about == IT else words.secret(about.removeprefix("about "))
            known.append(([words.name(name.removeprefix("that ")) for name in knower], last[1:]))
        clauses.append((words.names_in(people), known))
    return clauses


def _case(case: Any, words: Lexicon) -> str:
    secret, values = case
    return f"{words.phrase(f'${secret}')} {'was' if secret in words.told else 'is'} {words.listed_values(values)}"


def _case_in(text: str, words: Lexicon) -> tuple[str, tuple[str, ...]]:
    secret, _, values = text.replace(" was ", " is ", 1).partition(" is ")
    return words.name(secret)[1:], words.values_in(values)


def _messages(text: str, words: Lexicon) -> int:
    number, _, noun = text.partition(" ")
    if noun not in ("message", "messages"):
        raise UserError(f"{text!r} is not a number of messages")
    return GAPS["number"].read(number, words)  # type: ignore[no-any-return]


def _heard(literals: Any, words: Lexicon) -> str:
    """Literals that are heard; switches that go on are listed together."""
    on = [literal.removeprefix("powered(").removesuffix(")") for literal in literals if literal.startswith("powered(")]
    if len(on) == len(literals):
        return f"{listed_words(map(words.phrase, on), 'or')} goes on"
    return " or ".join(literal_words(literal, words) for literal in literals)


def _heard_in(text: str, words: Lexicon) -> list[str]:
    if text.endswith(" goes on"):
        return [f"powered({words.name(phrase)})" for phrase in phrases_in(text.removesuffix(" goes on"), "or")]
    formula = formula_in(text, words)
    return formula["or"] if isinstance(formula, dict) else [formula]


_WHEN = _each_of(Gap(_case, _case_in), " and ")
GAPS |= {
    "messages": Gap(lambda n, _: f"{number_words(n)} message{'' if n == 1 else 's'}", _messages),
    "worlds": _each_of(_WHEN, "; "),
    "heard": Gap(_heard, _heard_in),
    "used": _choice("used", "or", "touched"),
    "does": _choice("does", "or", "somebody uses it"),
    "becomes": _choice("becomes", "and"),
    "says": _choice("says", "or"),
    "furniture": Gap(
        lambda names, words: words.listed(names) if names else EVERYTHING,
        lambda text, words: [] if text.lower() == EVERYTHING else words.names_in(text),
    ),
    "literals": Gap(_each_of(Gap(literal_words, formula_in), " and ").write, _literals_in),
    "pairs": _each_of(_each_of(GAPS[None], " and "), "; "),
    "told": Gap(_told, _told_in),
    "when": _WHEN,
}


def notes_of(told: Any, when: Any = (), values: Any = None) -> list[Note]:
    """The notes of a sentence: for each reader, and for each combination of values.

    A reader ``$witness`` is the person named by the secret, with the ``values`` of each secret.
    """
    notes = []
    for people, what in told:
        for to, (knower, about) in product(people, what):
            cases = dict(when) if not to.startswith("$") else {to[1:]: values[to[1:]], **dict(when)}
            for case in product(*cases.values()):
                chosen = dict(zip(cases, case, strict=True))
                notes.append(Note(chosen.get(to[1:], to), about, tuple(knower), tuple(chosen.items())))
    return notes


def _rules(kind: str) -> Callable[..., list[Mechanic]]:
    def make(**fields: Any) -> list[Mechanic]:
        return [Mechanic(kind, {name: value for name, value in fields.items() if value})]

    return make


def _each(kind: str) -> Callable[..., list[Mechanic]]:
    def make(furniture: Any, **fields: Any) -> list[Mechanic]:
        return [mechanic for name in furniture for mechanic in _rules(kind)(furniture=name, **fields)]

    return make


def _controls(trigger: str, when: Any, target: str, sets: Any, delay: int = 0) -> list[Mechanic]:
    return [
        Mechanic(
            "remote_control", {"trigger": trigger, "when": when[0], "target": target, "set": setting, "delay": delay}
        )
        for setting in sets
    ]


def _mirrors(pairs: Any) -> list[Mechanic]:
    return [Mechanic("state_mirroring", {"between": pair}) for pair in pairs]


def _one_way(first: str, second: str) -> list[Mechanic]:
    return [Mechanic("state_mirroring", {"between": [first, second], "one_way": True})]


def _forms(part: str, **makes: Callable[..., Any]) -> dict[str, SentencePattern]:
    """The kinds of sentences of a part of ``sentences.yaml``, with what each adds to a task."""
    return {kind: SentencePattern(kind, tuple(texts), makes.get(kind, dict)) for kind, texts in TEXTS[part].items()}


HOUSE = _forms("house")
FORMS = _forms("statements", barred=_rules("room_restriction"), note=notes_of, note_when=notes_of)
RULES = _forms(
    "rules",
    remote_control=_controls,
    remote_later=_controls,
    mirror=_mirrors,
    mirror_one_way=_one_way,
    inverse_state=_each("inverse_state"),
    inverse_states=_each("inverse_state"),
    time_window=_rules("time_window"),
    time_window_all=_rules("time_window"),
    interlock=_rules("interlock"),
    commit=_each("commit"),
    commits=_each("commit"),
)
NOBODY = "Nobody can send messages."
NOTHING = "Nothing is hidden."
