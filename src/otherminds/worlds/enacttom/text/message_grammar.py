"""Reads atoms from free text by a fixed grammar; anything outside the grammar is ignored (spec 3.6).

A text is cut into clauses, each with one atom or none. Names may be written with spaces, or as in the text of the task:
*the red table* is ``red_table``. Listeners get what was understood, so that a message never carries more than its atoms
(W12).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.messages import DONE, WAIT, Atom, parse_atom
from otherminds.worlds.enacttom.text.clauses import from_words
from otherminds.worlds.enacttom.text.names import lexicon

LONGEST = 160  # the most characters of a text
_CLAUSES = re.compile(r"[.;!\n]+(?=\s|$)|\band\b(?! locked)")
_DOUBT = re.compile(r"\?|\b(?:not|never|if|whether|or|maybe|perhaps)\b|n't\b")
_IS = r"(?:'s value)?\s*(?:is|was|=|:|are|means|equals)\s*(?:the |on |in |at )*"
_ACK = re.compile(r"(?:ok|okay|understood|got it|thanks|thank you|roger|received|message received)")
_INTENT = re.compile(r"(?:i will|i'll|i am going to|i'm going to|i intend to) (?:do )?(.+)")
_REQUEST = re.compile(r"(?:(\w+), )?(?:please|could you|can you|would you) (?:please )?(?:do )?(.+)")


def understood_atoms(text: str, ground: Ground, sender: int, to: Sequence[int]) -> tuple[Atom, ...]:
    """The atoms of a text, in order; none if no clause fits the grammar."""
    atoms = [atom for part in _CLAUSES.split(text) if (atom := _clause(_tidy(part), ground, sender, to))]
    return tuple(dict.fromkeys(atoms))


def _tidy(text: str) -> str:
    return " ".join(text.lower().split()).strip(" .,;:!'\"")


def _name(name: str) -> str:
    """A pattern for a name as people write it."""
    parts = re.split(r"[_\W]+|(?<=[a-z])(?=\d)", name.lower())
    return r"\b(?:the )?" + r"[\s_-]*".join(map(re.escape, parts)) + r"\b"


def _secret(name: str, ground: Ground) -> str:
    """A pattern for a secret: its name, or what the text of the task calls it."""
    return rf"(?:{_name(name)}|{re.escape(lexicon(ground.task).phrase(f'${name}').lower())})"


def _clause(text: str, ground: Ground, sender: int, to: Sequence[int]) -> Atom | None:
    task = ground.task
    people = {name.lower(): name for name in task.names} | {"i": task.names[sender]}
    if len(to) == 1:
        people["you"] = task.names[to[0]]
    if claim := _about_minds(text, ground, people):
        return claim
    if "?" not in text and (act := _INTENT.fullmatch(text)) and (deed := _deed(act[1], ground, sender)):
        return "intent", deed
    if (asked := _REQUEST.fullmatch(text.rstrip("? "))) and (who := people.get(asked[1] or "you")):
        deed = _deed(asked[2], ground, task.names.index(who))
        return ("request", who, deed) if deed else None
    if (heard := re.fullmatch(r"i have heard the message of (\w+)", text)) and heard[1] in people:
        return "ack", people[heard[1]]
    if _ACK.fullmatch(text) and "you" in people:
        return "ack", people["you"]
    return None if _DOUBT.search(text) else _value(text, ground) or _fact(text, ground)


def _about_minds(text: str, ground: Ground, people: dict[str, str]) -> Atom | None:
    """The claim that somebody knows a secret, or has not learned it."""
    who = "|".join(map(re.escape, people))
    match = re.search(
        rf"\b({who}) (knows?|do(?:es)? not know|do(?:es)?n't know|has not learned|have not learned) ", text
    )
    if not match or "?" in text or re.search(r"\bthat\b", text[match.end() :]):
        return None
    rest = text[match.end() :]
    secrets = [secret.name for secret in ground.task.secrets if re.search(_secret(secret.name, ground), rest)]
    if len(secrets) != 1:
        return None
    return ("knows" if match[2].startswith("know") else "ignorant"), people[match[1]], secrets[0]


def _value(text: str, ground: Ground) -> Atom | None:
    """The value of a secret: by its name, or by a value that only one secret has and that nothing else is called."""
    task = ground.task
    for secret in task.secrets:
        for value in sorted(secret.values, key=len, reverse=True):
            if re.search(_secret(secret.name, ground) + _IS + _name(value) + "$", text):
                return "value", secret.name, value
    candidates = {
        (secret.name, value)
        for secret in task.secrets
        for value in secret.values
        if value not in task.names and len(value) > 3 and re.search(_name(value), text)
    }
    if len(candidates) == 1 and not _fact(text, ground):
        return "value", *next(iter(candidates))
    return None


def _fact(text: str, ground: Ground) -> Atom | None:
    try:
        literal = from_words(text, lexicon(ground.task))
        is_fact = isinstance(literal, str) and not literal.startswith("is(")
        return parse_atom(f"fact({literal})", ground.task) if is_fact else None
    except UserError:
        return None


def _deed(text: str, ground: Ground, agent: int) -> str:
    """The deed of a text such as ``open(fridge)`` or *open the fridge*; empty if there is none."""
    for name in (*ground.by_name[agent], WAIT, DONE):
        verb, _, rest = name.rstrip(")").partition("(")
        parts = [_name(part) for part in rest.split(", ") if part]
        spoken = r"\s+(?:to )?".join((verb, *parts))
        if text == name.lower() or re.fullmatch(spoken, text):
            return name
    return ""
