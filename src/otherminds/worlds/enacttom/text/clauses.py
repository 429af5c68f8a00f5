"""Literals and formulas as clauses, and clauses back into literals and formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.formulas import literal_of, split_literal
from otherminds.worlds.enacttom.mechanics import SETTINGS
from otherminds.worlds.enacttom.text.goal_shapes import is_same_set, shape, switches_of
from otherminds.worlds.enacttom.text.names import (
    Lexicon,
    is_plural,
    lexicon,
    listed_words,
    phrases_in,
    possessive,
)
from otherminds.worlds.enacttom.types import Formula, Task

_PREDICATES = {
    word: literal_of(f"{variable} it", value).removesuffix("(it)") for word, (variable, value) in SETTINGS.items()
}
STATES = {predicate: word for word, predicate in _PREDICATES.items()}
_FLAG = re.compile(r'the flag "([^"]+)" is (not )?raised')
_IS = re.compile(r" (?:is|are|was) (not )?")
_HOLDS = re.compile(r"(.+?) (holds|does not hold) (.+)")
_ONLY = re.compile(
    r"of (?P<of>.+), only (?P<which>.+) (?P<verb>is|may be) on"
    r"|(?P<what>.+) is the only one (?P<does>on|that may be on) among (?P<set>.+)"
)
_ANY = re.compile(r"(any|none) of (.+) is on")
_LABELLED = re.compile(r"(.+) \(([^()]+)\)")
OWN = re.compile(r"(?:its|their) [\w ]+")
_VERB, _BETWEEN = re.compile(r" (?:is|are) "), re.compile(r" (?:or|and) .+ (?:is|are) (?:not )?(?:on|in) ")  # clauses
THE_ONE, _AMONG, _OR_AMONG = "the one for ", " among ", " or among "
NOBODY, SOMEBODY = "nobody", "somebody"
_ELSE_PLACE = re.compile(r"^.+? (?:is|are) (?=(?:on|in) )")  # what the second place shares with the first
_ELSE = re.compile(r"(.+? (?:is|are) )either ((?:on|in) .+) or ((?:on|in) .+)")


# Literals.


def in_words(literal: str, task: Task) -> str:
    """A literal as a clause, such as *the cup is on the shelf*."""
    return literal_words(literal, lexicon(task))


def literal_words(literal: str, words: Lexicon) -> str:
    """A literal, or one after "not", as a clause."""
    no = "not " if literal.startswith("not ") else ""
    name, (first, *rest) = split_literal(literal.removeprefix(no))
    if name == "flag":
        return f'the flag "{first}" is {no}raised'
    if name == "held":
        return f"{words.phrase(rest[0])} {'does not hold' if no else 'holds'} {words.phrase(first)}"
    if name == "is":
        verb = f"{words.phrase(f'${first}')} {'was' if first in words.told else 'is'}"
        return f"{verb} {SOMEBODY}" if no and rest[0] == NOBODY else f"{verb} {no}{words.value(rest[0])}"
    subject = words.phrase(first)
    if name == "at":
        return f"{subject} is {no}in {words.phrase(rest[0])}"
    verb = f"{'are' if is_plural(subject) else 'is'} {no}"
    if name == "floor":
        return f"{subject} {verb}on the floor of {words.phrase(rest[0])}"
    if name in STATES:
        return f"{subject} {verb}{STATES[name]}"
    if rest[0] == f"$place_of_{first}" and words.phrase(rest[0]).startswith(own := f"{possessive(subject)} "):
        place = words.phrase(rest[0]).removeprefix(own)
        return f"{subject} {verb}{name} {'their' if is_plural(subject) else 'its'} {place}"
    return f"{subject} {verb}{name} {words.phrase(rest[0])}"


def from_words(clause: str, words: Lexicon) -> Formula:
    """The literal of a clause, or its negation.

    Raises:
        UserError: if it does not state a literal.
    """
    if flag := _FLAG.fullmatch(clause):
        return _so(f"flag({flag[1]})", not flag[2])
    if (held := _HOLDS.fullmatch(clause)) and words.has(held[1]):
        return _so(f"held({words.name(held[3])}, {words.name(held[1])})", held[2] == "holds")
    for verb in _IS.finditer(clause):
        subject, rest = clause[: verb.start()], clause[verb.end() :]
        try:
            literal = _predicated(words.name(subject), rest, words)
        except UserError:
            continue
        if rest == SOMEBODY and literal.startswith("is("):
            return {"not": literal.replace(SOMEBODY, NOBODY)}
        return _so(literal, not verb[1])
    raise UserError(f"{clause!r} is not a statement about this house")


def _so(literal: str, is_so: bool) -> Formula:
    return literal if is_so else {"not": literal}


def _predicated(subject: str, rest: str, words: Lexicon) -> str:
    if subject.startswith("$") and (value := words.value_of(rest)) in (*words.values.get(subject[1:], ()), SOMEBODY):
        return f"is({subject[1:]}, {value})"
    if rest in _PREDICATES:
        return f"{_PREDICATES[rest]}({subject})"
    relation, _, place = rest.partition(" ")
    if relation == "on" and place.startswith("the floor of "):
        return f"floor({subject}, {words.name(place.removeprefix('the floor of '))})"
    if relation not in ("in", "on"):
        raise UserError(f"{rest!r} says nothing about {subject!r}")
    if OWN.fullmatch(place):
        return f"{relation}({subject}, $place_of_{subject})"
    if subject in words.people:
        return f"at({subject}, {words.name(place)})"
    return f"{relation}({subject}, {words.name(place)})"


# Formulas.


def formula_words(formula: Formula, task: Task) -> str:
    """A formula as one clause, in its shortest shape."""
    return clause_of(shape(formula, task), lexicon(task), task)


def clause_of(formula: Formula, words: Lexicon, task: Task) -> str:
    """A formula in a shape of ``goal_shapes`` as a clause."""
    if isinstance(formula, str):
        return literal_words(formula, words)
    kind, parts = next(iter(formula.items()))
    if kind == "not":
        return literal_words(f"not {parts}", words)
    if kind == "none":
        return f"none of {words.switches(parts)} is on"
    if kind == "only":
        return _only(parts, words)
    if kind == "if":
        condition, then = (clause_of(part, words, task) for part in parts)
        return f"if {condition}, {f'({then})' if isinstance(parts[1], dict) and 'if' in parts[1] else then}"
    if kind == "or" and len(parts) == 2 and is_same_set(*parts):
        return _only(parts[0]["only"], words, on="that may be on")
    if kind == "or" and (many := _onlys(parts, words)):
        return many
    return _grouped(kind, parts, words) or f" {kind} ".join(
        f"({clause})" if _is_compound(part) else clause
        for part in parts
        for clause in [clause_of(part, words, task)]
    )  # fmt: skip


def _is_compound(formula: Formula) -> bool:
    return isinstance(formula, dict) and bool(formula.keys() & {"and", "or", "if"})


def _only(parts: Any, words: Lexicon, on: str = "on") -> str:
    which, names = parts["is"], switches_of(parts)
    phrase, of = words.phrase(which), words.switches(names)
    owners = [owner for owner, mine in words.owned.items() if set(mine) == set(names) and len(mine) > 1]
    if isinstance(parts["of"], dict):
        phrase = THE_ONE + phrase
        of = listed_words(f"{words.phrase(name)} ({words.value(value)})" for value, name in parts["of"].items())
    elif owners and phrase.startswith(start := f"{words.phrase(owners[0])}'s switch for "):
        phrase = THE_ONE + phrase.removeprefix(start)
    return f"{phrase} is the only one {on} among {of}"


def _onlys(parts: Sequence[Formula], words: Lexicon) -> str:
    """Several sets of switches, in one of which the right one is on; empty if these are not such parts."""
    if not all(isinstance(part, dict) and "only" in part for part in parts):
        return ""
    clauses = [_only(part["only"], words).split(_AMONG) for part in parts]
    sets = [of for _, of in clauses]
    return f"{clauses[0][0]}{_AMONG}{_OR_AMONG.join(sets)}" if len({start for start, _ in clauses}) == 1 else ""


def mentioned(formula: Formula) -> list[str]:
    """The switches of all ``only`` in a formula."""
    if isinstance(formula, dict) and "only" in formula:
        return switches_of(formula["only"])
    inner = next(iter(formula.values())) if isinstance(formula, dict) and formula.keys() <= {"and", "or"} else ()
    return [name for part in inner for name in mentioned(part)]


def fronted(clause: str) -> str:
    """A clause with ``among`` the other way round: *of these, only that is on*."""
    match = _ONLY.fullmatch(clause)
    if not match or not match["set"] or clause.startswith("if "):
        return clause
    return f"of {match['set']}, only {match['what']} {'is' if match['does'] == 'on' else 'may be'} on"


def _grouped(kind: str, parts: Sequence[Formula], words: Lexicon) -> str:
    """Literals of one predicate as one clause; empty if they are not."""
    if not all(isinstance(part, str) for part in parts):
        return ""
    split = [split_literal(part) for part in parts]
    names, firsts = {name for name, _ in split}, [arguments[0] for _, arguments in split]
    phrases = [words.phrase(arguments[-1]) for _, arguments in split]
    if kind == "or" and len(parts) == 2 and len(set(firsts)) == 1 and names <= {"on", "in"} and "$" in parts[0]:
        first, last = (literal_words(part, words) for part in parts)
        start = _ELSE_PLACE.match(first)
        assert start  # it is a place
        return f"{start[0]}either {first[start.end() :]} or {_ELSE_PLACE.sub('', last, count=1)}"
    if len(names) > 1 or (kind == "and" and any(" and " in phrase for phrase in phrases)):
        return ""
    (name,) = names
    if name == "powered" and kind == "or" and (len(parts) > 2 or "switches" in words.switches(firsts)):
        return f"any of {words.switches(firsts)} is on"
    if name in STATES:
        return f"{words.listed(firsts, kind)} {'is' if kind == 'or' else 'are'} {STATES[name]}"
    places = [arguments[-1] for _, arguments in split]
    if kind == "or" and name in ("on", "in") and len(set(firsts)) == 1 and "$" not in "".join(places):
        return f"{literal_words(parts[0], words).removesuffix(phrases[0])}{_places(places, words)}"
    return ""


def _places(places: Sequence[str], words: Lexicon) -> str:
    """Places of which one will do; those that differ in the room alone share the rest of the phrase."""
    phrases = [words.phrase(place) for place in places]
    starts = {phrase.rpartition(" in ")[0] for phrase in phrases if "{" in "".join(places)}
    if len(starts) == 1 and phrases[0].startswith("the spot for "):
        return f"{starts.pop()} in {words.listed([place.partition('_{')[0] for place in places], 'or')}"
    return words.listed(places, "or")


def formula_in(clause: str, words: Lexicon) -> Formula:
    """The formula of a clause.

    Raises:
        UserError: if it does not state a formula.
    """
    formula = _read(clause, words)
    if formula is None:
        raise UserError(f"{clause!r} is not a statement about this house")
    return formula


def _read(clause: str, words: Lexicon) -> Formula | None:
    if clause.startswith("if "):
        for comma in re.finditer(", (?:then )?", clause):
            condition, then = _read(clause[3 : comma.start()], words), _read(clause[comma.end() :], words)
            if condition is not None and then is not None:
                return {"if": [condition, then]}
    if (operand := _operand(clause, words)) is not None:
        return operand
    for kind in ("or", "and"):
        parts = _operands(clause, f" {kind} ", words)
        if parts:
            return {kind: parts}
    return None


def _operand(clause: str, words: Lexicon) -> Formula | None:
    """An atom, or a clause in brackets."""
    if clause.startswith("(") and clause.endswith(")") and (inner := _read(clause[1:-1], words)) is not None:
        return inner
    is_several = len(_VERB.findall(clause)) > 1 and bool(_BETWEEN.search(clause))
    for read in (_short,) if is_several else (_short, _group, from_words):
        try:
            formula = read(clause, words)
        except UserError:
            continue
        if formula is not None:
            return formula
    return None


def _operands(clause: str, word: str, words: Lexicon) -> list[Formula] | None:
    """At least two operands with a word between them."""
    for at in _occurrences(clause, word):
        first = _operand(clause[:at], words)
        if first is None:
            continue
        rest = clause[at + len(word) :]
        if (last := _operand(rest, words)) is not None:
            return [first, last]
        if more := _operands(rest, word, words):
            return [first, *more]
    return None


def _occurrences(clause: str, word: str) -> Iterator[int]:
    """Where a word stands outside brackets."""
    for match in re.finditer(re.escape(word), clause):
        before = clause[: match.start()]
        if before.count("(") == before.count(")"):
            yield match.start()


def _short(clause: str, words: Lexicon) -> Formula | None:
    if either := _ELSE.fullmatch(clause):
        return {"or": [from_words(either[1] + place, words) for place in either.groups()[1:]]}
    if some := _ANY.fullmatch(clause):
        names = words.switches_in(some[2])
        return {"none": names} if some[1] == "none" else {"or": [f"powered({name})" for name in names]}
    if _OR_AMONG in clause:
        start, among, sets = clause.partition(_AMONG)
        return {"or": [_short(start + among + of, words) for of in sets.split(_OR_AMONG)]}
    if only := _ONLY.fullmatch(clause):
        which, of, verb = (
            only[first] or only[second] for first, second in (("which", "what"), ("of", "set"), ("verb", "does"))
        )
        if which.startswith(THE_ONE) and of.endswith("'s switches"):
            names = words.switches_in(of)
            which = words.name(f"{of.removesuffix('es')} for {which.removeprefix(THE_ONE)}")
            formula: Formula = {"only": {"of": names, "is": which}}
        elif which.startswith(THE_ONE):
            labelled = [_LABELLED.fullmatch(phrase) for phrase in phrases_in(of)]
            pairs = {words.value_of(match[2]): words.name(match[1]) for match in labelled if match}
            names, formula = list(pairs.values()), {"only": {"of": pairs, "is": words.name(which[len(THE_ONE) :])}}
        else:
            secret = words.name(which)
            names = words.switches_in(of)
            formula = {"only": {"of": list(names), "is": secret}}
        return formula if verb in ("is", "on") else {"or": [formula, {"none": list(names)}]}
    return None


def _group(clause: str, words: Lexicon) -> Formula | None:
    for word, verb in (("or", "is"), ("and", "are")):
        for state, name in _PREDICATES.items():
            end = f" {verb} {state}"
            if clause.endswith(end) and f" {word} " in clause:
                return {word: [f"{name}({subject})" for subject in words.names_in(clause.removesuffix(end), word)]}
    if place := re.fullmatch(r"(.+?) (?:is|are) (on|in) (?:(the spot for .+ in) )?(.+ or .+)", clause):
        phrases = phrases_in(place[4], "or") if place[3] else []
        names = [words.name(f"{place[3]} {words.phrase(words.name(phrase))}") for phrase in phrases]
        subject = words.name(place[1])
        return {"or": [f"{place[2]}({subject}, {name})" for name in names or words.names_in(place[4], "or")]}
    return None
