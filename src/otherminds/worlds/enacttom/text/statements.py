"""The statements of a public text: the phrasings of each, and what it adds to a task when it is read back."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.messages import FORMS_OF_ATOMS
from otherminds.worlds.enacttom.text.clauses import formula_in, literal_words
from otherminds.worlds.enacttom.text.names import Lexicon, listed_words, phrases_in
from otherminds.worlds.enacttom.text.sentences import GAPS, Form, Gap, number_words
from otherminds.worlds.enacttom.types import VERBS, Mechanic, Note

EVERYTHING, IT = "things", "it"
ABILITIES = {
    ("navigate",): "walk about",
    ("open", "close"): "open and close things",
    ("open",): "open things",
    ("close",): "close things",
    ("toggle",): "use switches",
    ("pick", "place"): "carry things",
    ("pick",): "pick things up",
    ("place",): "put things down",
}
_USED = {"open": "opened", "close": "closed", "toggle": "switched", "pick": "unloaded", "place": "loaded"}
_DOES = {
    "open": "somebody opens it",
    "close": "somebody closes it",
    "toggle": "somebody switches it",
    "pick": "something is taken from it",
    "place": "something is put there",
}
_BECOMES = {
    "open": "opens",
    "closed": "closes",
    "locked": "locks",
    "unlocked": "unlocks",
    "on": "goes on",
    "off": "goes off",
}
SAYS = {
    "value": "a secret",
    "fact": "how something in the goal stands",
    "knows": "who knows a secret",
    "ignorant": "who has not learned a secret",
    "request": "a request to do something",
    "intent": "what its sender will do next",
    "ack": "that a message has arrived",
}
assert SAYS.keys() == FORMS_OF_ATOMS.keys()


def abilities(verbs: Any) -> list[str]:
    """What a person can do, in words; messages, waiting and being done are not mentioned."""
    rest, found = set(verbs), []
    for group, words in ABILITIES.items():
        if rest.issuperset(group):
            found.append(words)
            rest.difference_update(group)
    return found


def verbs_of(phrases: list[str]) -> tuple[Any, ...]:
    """The verbs of such words."""
    groups = {words: group for group, words in ABILITIES.items()}
    if not set(phrases) <= groups.keys():
        raise UserError(f"{', '.join(phrases)} is not what people can do")
    return tuple(verb for verb in VERBS if any(verb in groups[phrase] for phrase in phrases))


def _choice(table: dict[str, str], word: str, usual: str = "") -> Gap:
    """A gap for several keys of a table; ``usual`` stands for none of them."""
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


def _furniture(names: Any, words: Lexicon) -> str:
    return words.listed(names) if names else EVERYTHING


def _furniture_in(text: str, words: Lexicon) -> list[str]:
    return [] if text.lower() == EVERYTHING else words.names_in(text)


def _literals(texts: Any, words: Lexicon) -> str:
    return " and ".join(
        literal_words(text.removeprefix("not "), words, is_so=not text.startswith("not ")) for text in texts
    )


def _literals_in(text: str, words: Lexicon) -> list[str]:
    found = formula_in(text, words)
    parts = found["and"] if isinstance(found, dict) and "and" in found else [found]
    return [part if isinstance(part, str) else f"not {part['not']}" for part in parts]


def _pairs(pairs: Any, words: Lexicon) -> str:
    return "; ".join(f"{words.phrase(one)} and {words.phrase(other)}" for one, other in pairs)


def _pairs_in(text: str, words: Lexicon) -> list[list[str]]:
    return [[words.name(phrase) for phrase in part.split(" and ")] for part in text.split("; ")]


def _told(clauses: Any, words: Lexicon) -> str:
    """Who is told what: people, and what each of them is told. A secret that was the last one named is "it"."""
    told, last = [], ""
    for people, what in clauses:
        known = []
        for knower, about in what:
            phrase = f"{'about ' if about in words.told else ''}{words.phrase(f'${about}')}"
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
            last = last if about == IT else words.name(about.removeprefix("about "))
            known.append(([words.name(name.removeprefix("that ")) for name in knower], last[1:]))
        clauses.append((words.names_in(people), known))
    return clauses


def _when(when: Any, words: Lexicon) -> str:
    return " and ".join(
        f"{words.phrase(f'${secret}')} {'was' if secret in words.told else 'is'} " + words.listed_values(values)
        for secret, values in when
    )


def _when_in(text: str, words: Lexicon) -> list[Any]:
    found = []
    for part in text.split(" and "):
        secret, _, values = part.replace(" was ", " is ", 1).partition(" is ")
        found.append((words.name(secret)[1:], words.values_in(values)))
    return found


def _messages(text: str, words: Lexicon) -> int:
    number, _, noun = text.partition(" ")
    if noun not in ("message", "messages"):
        raise UserError(f"{text!r} is not a number of messages")
    return GAPS["number"].read(number, words)  # type: ignore[no-any-return]


def _worlds(worlds: Any, words: Lexicon) -> str:
    return "; ".join(_when([(secret, [value]) for secret, value in world], words) for world in worlds)


def _worlds_in(text: str, words: Lexicon) -> list[dict[str, str]]:
    return [{secret: values[0] for secret, values in _when_in(world, words)} for world in text.split("; ")]


def _heard(literals: Any, words: Lexicon) -> str:
    """Literals that are heard; switches that go on are listed together."""
    on = [literal.removeprefix("powered(").removesuffix(")") for literal in literals if literal.startswith("powered(")]
    if len(on) == len(literals):
        return f"{listed_words(map(words.phrase, on), 'or')} goes on"
    return " or ".join(literal_words(literal, words) for literal in literals)


def _heard_in(text: str, words: Lexicon) -> list[str]:
    if text.endswith(" goes on"):
        return [f"powered({words.name(phrase)})" for phrase in phrases_in(text.removesuffix(" goes on"), "or")]
    found = formula_in(text, words)
    return found["or"] if isinstance(found, dict) else [found]


GAPS |= {
    "messages": Gap(lambda n, _: f"{number_words(n)} message{'' if n == 1 else 's'}", _messages),
    "worlds": Gap(_worlds, _worlds_in),
    "heard": Gap(_heard, _heard_in),
    "used": _choice(_USED, "or", "used"),
    "does": _choice(_DOES, "or", "somebody uses it"),
    "becomes": _choice(_BECOMES, "and"),
    "says": _choice(SAYS, "or"),
    "furniture": Gap(_furniture, _furniture_in),
    "literals": Gap(_literals, _literals_in),
    "pairs": Gap(_pairs, _pairs_in),
    "told": Gap(_told, _told_in),
    "when": Gap(_when, _when_in),
}


def notes_of(told: Any, when: Any = (), values: Any = None) -> list[Note]:
    """The notes of a sentence: for each reader, and for each combination of values.

    A reader ``$witness`` is whoever the secret names, with the ``values`` of each secret.
    """
    notes = []
    for people, what in told:
        for to, (knower, about) in product(people, what):
            cases = dict(when) if not to.startswith("$") else {to[1:]: values[to[1:]], **dict(when)}
            for case in product(*cases.values()):
                chosen = dict(zip(cases, case, strict=True))
                notes.append(Note(chosen.get(to[1:], to), about, tuple(knower), tuple(chosen.items())))
    return notes


def _rules(kind: str, **fixed: Any) -> Any:
    def make(verbs: Any = (), furniture: Any = (), **fields: Any) -> list[Mechanic]:
        given = {
            **fixed,
            **fields,
            **({"verbs": verbs} if verbs else {}),
            **({"furniture": furniture} if furniture else {}),
        }
        return [Mechanic(kind, given)]

    return make


def _each(kind: str) -> Any:
    def make(furniture: Any, verbs: Any = ()) -> list[Mechanic]:
        return [Mechanic(kind, {"furniture": one, **({"verbs": verbs} if verbs else {})}) for one in furniture]

    return make


def _controls(trigger: str, when: Any, target: str, sets: Any, delay: int = 0) -> list[Mechanic]:
    return [
        Mechanic("remote_control", {"trigger": trigger, "when": when[0], "target": target, "set": one, "delay": delay})
        for one in sets
    ]


def _mirrors(pairs: Any) -> list[Mechanic]:
    return [Mechanic("state_mirroring", {"between": pair, "one_way": False}) for pair in pairs]


def _one_way(first: str, second: str) -> list[Mechanic]:
    return [Mechanic("state_mirroring", {"between": [first, second], "one_way": True})]


def _form(kind: str, *texts: str, make: Any = dict) -> tuple[str, Form]:
    return kind, Form(kind, texts, make)


# Statements that are read after everything has been introduced. The second dictionary has the rules of a house.
FORMS = dict((
    _form("barred", "{agents:all} may not enter {rooms:any}.", "{agents:all} cannot go into {rooms:any}.",
          make=_rules("room_restriction")),
    _form("talk", "{names:all} can send {budget:messages} to {to:any}.",
          "{names:all} has {budget:messages} for {to:any}."),
    _form("talk_each", "{names:all} can send {budget:messages} each to {to:any}.",
          "{names:all} have {budget:messages} each for {to:any}."),
    _form("window", "{names:all} can send messages only in {turns:turns}.",
          "Messages from {names:all} are possible only in {turns:turns}."),
    _form("message", "A message can only tell {kinds:says}.", "Messages can only tell {kinds:says}."),
    _form("capacity", "It can say up to {atoms:number} things, to up to {fanout:number} people at once."),
    _form("cost", "Each listener counts as a message of its own."),
    _form("worlds", "Only these combinations are possible: {worlds:worlds}."),
    _form("note", "Before the first turn, {told:told}.", "At the start, {told:told}.", make=notes_of),
    _form("note_when", "If {when:when}, {told:told}.", "In case {when:when}, {told:told}.", make=notes_of),
    _form("hidden", "Depending on {depends_on}, {thing} starts {places:text}.",
          "{thing} starts, depending on {depends_on}, {places:text}."),
    _form("held", "{person} holds {thing}."),
    _form("private", "{names:all} also has a private wish.", "{names:all} has a private wish as well."),
    _form("privates", "{names:all} also have private wishes.", "{names:all} each have a private wish as well."),
))  # fmt: skip
RULES = dict((
    _form("remote_control", "When {trigger} {when:becomes}, {target} {sets:becomes}.",
          "{target} {sets:becomes} when {trigger} {when:becomes}.", make=_controls),
    _form("remote_later", "When {trigger} {when:becomes}, {target} {sets:becomes} after {delay:number} turns.",
          "{target} {sets:becomes} {delay:number} turns after {trigger} {when:becomes}.", make=_controls),
    _form("mirror", "These always change together: {pairs:pairs}.", "These pairs move as one: {pairs:pairs}.",
          make=_mirrors),
    _form("mirror_one_way", "{second} follows every change of {first}, but not the other way round.", make=_one_way),
    _form("inverse_state", "{furniture:all} works the wrong way round: closing opens it, and opening closes it.",
          make=_each("inverse_state")),
    _form("inverse_states", "{furniture:all} work the wrong way round: closing opens them, and opening closes them.",
          "Closing opens {furniture:all}, and opening closes them.", make=_each("inverse_state")),
    _form("time_window", "{furniture:furniture} can be {verbs:used} only in {turns:turns}.",
          "Outside {turns:turns}, {furniture:furniture} cannot be {verbs:used}.", make=_rules("time_window")),
    _form("time_window_all", "Nothing can be {verbs:used} except in {turns:turns}.",
          "Things can be {verbs:used} only in {turns:turns}.", make=_rules("time_window")),
    _form("interlock", "{furniture:furniture} can be {verbs:used} only while {while:literals}.",
          "Only while {while:literals} can {furniture:furniture} be {verbs:used}.", make=_rules("interlock")),
    _form("commit", "{furniture:all} can never be used again once {verbs:does}.",
          "Once {verbs:does}, {furniture:all} can never be used again.", make=_each("commit")),
    _form("commits", "Each of {furniture:all} can never be used again once {verbs:does}.",
          "Of {furniture:all}, each can never be used again once {verbs:does}.", make=_each("commit")),
    _form("raises", 'This raises the flag "{raises:text}".'),
    _form("raises_when", 'This raises the flag "{raises:text}" if {when:literals}.'),
    _form("audible", "The whole house hears when {literals:heard}.",
          "Everybody hears, wherever they are, when {literals:heard}."),
))  # fmt: skip
NOBODY = "Nobody can send messages."
NOTHING = "Nothing is hidden."
