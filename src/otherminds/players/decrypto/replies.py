"""Reads what a language model replies, strictly and apart from play (spec 2.3).

The answer is the text from the literal ``ANSWER:`` to the last closing brace, as JSON. A model that is held to a schema
replies with the object alone. Whatever cannot be read is an :class:`Unreadable` that says what was expected, so that
the model can be asked again; it is never taken for a hint, a guess or a belief.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Literal

from otherminds.players.conversation import Unreadable
from otherminds.worlds.decrypto.questions import Answer, Question
from otherminds.worlds.decrypto.types import Code, Rules

Kind = Literal["hints", "guess", "keywords", "chance"]
KINDS: tuple[Kind, ...] = ("hints", "guess", "keywords", "chance")
MARK = "ANSWER:"
LONGEST = 200  # letters of a hint or keyword: more would fill the others' context
_ANSWER = re.compile(rf"{MARK}(.*\}})", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a reply must hold: so many words or digits, or one number for a chance."""

    kind: Kind
    number: int = 1
    highest: int = 0  # digit of a guess

    @property
    def places(self) -> str:
        """The names of the words: letters for hints, digits for keywords."""
        return ("abcdefghi" if self.kind == "hints" else "123456789")[: self.number]

    def example(self, is_bare: bool = False) -> str:
        """The form of the answer, with nothing in it that could be copied as an answer."""
        if self.kind == "chance":
            return '{"chance": <number from 0 to 1>}'
        if self.kind == "guess":
            return json.dumps({"guess": "-".join("d" * self.number)})
        words = {place: f"<{self.kind[:-1]} {place}>" for place in self.places}
        return json.dumps({self.kind: words if is_bare else list(words.values())})


def wanted_hints(rules: Rules) -> Wanted:
    """A hint for each digit of the code."""
    return Wanted("hints", rules.length)


def wanted_guess(rules: Rules) -> Wanted:
    """A guess at the code."""
    return Wanted("guess", rules.length, rules.keywords)


def wanted_answer(question: Question, rules: Rules) -> Wanted:
    """What a question on the side asks for."""
    if question.about == "guess":
        return wanted_guess(rules)
    return Wanted("chance") if question.about == "chance" else Wanted("keywords", rules.keywords)


def read_reply(reply: object, wanted: Wanted, *, is_bare: bool = False) -> Answer:
    """The answer in a reply.

    Args:
        reply: as it came, whatever it is.
        wanted: what was asked for.
        is_bare: the reply is the JSON object alone, as structured output gives it.

    Raises:
        Unreadable: says what was found and what was expected.
    """
    found = _object(_text(reply), is_bare)
    if wanted.kind not in found:
        others = [kind for kind in KINDS if kind in found]
        what = f"it holds {others[0]!r}" if others else f"it holds {', '.join(map(repr, found)) or 'nothing'}"
        raise Unreadable(f"the answer has no {wanted.kind!r}; {what}")
    value = found[wanted.kind]
    if wanted.kind == "chance":
        return _chance(value)
    return _guess(value, wanted) if wanted.kind == "guess" else _words(value, wanted, is_bare)


def reasoning_of(reply: str) -> str:
    """What was said before the answer."""
    before, mark, _ = reply.partition(MARK)
    return before.strip() if mark else ""


def _text(reply: object) -> str:
    if not isinstance(reply, str) or not reply.strip():
        raise Unreadable("there was no reply")
    return reply


def _object(reply: str, is_bare: bool) -> dict[str, Any]:
    text = reply
    if not is_bare:
        match = _ANSWER.search(reply)
        if match is None:
            raise Unreadable(f"there is no {MARK!r} with a closing brace after it")
        text = match[1]
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise Unreadable(f"what follows {MARK!r} is not JSON" if not is_bare else "the reply is not JSON") from None
    if not isinstance(found, dict):
        raise Unreadable("the answer is not a JSON object")
    return found


def _words(value: Any, wanted: Wanted, is_bare: bool) -> tuple[str, ...]:
    if is_bare and isinstance(value, dict):  # schemas cannot count, so that each word has a name there
        value = [value[name] for name in sorted(value)]
    if not isinstance(value, list) or len(value) != wanted.number or not all(isinstance(one, str) for one in value):
        raise Unreadable(f"{wanted.kind!r} is {_short(value)}; expected a list of {wanted.number} strings")
    words = tuple(" ".join(one.split()) for one in value)  # a line break would tear the others' messages
    if not all(words):
        raise Unreadable(f"one of the {wanted.kind} is empty")
    if any(len(word) > LONGEST for word in words):
        raise Unreadable(f"one of the {wanted.kind} has more than {LONGEST} letters")
    return words


def _guess(value: Any, wanted: Wanted) -> Code:
    form = "-".join("d" * wanted.number)
    pattern = "-".join([f"[1-{wanted.highest}]"] * wanted.number)
    if not isinstance(value, str) or not re.fullmatch(pattern, value.strip()):
        raise Unreadable(
            f"'guess' is {_short(value)}; expected {form!r} with each d a digit from 1 to {wanted.highest}"
        )
    return tuple(int(digit) for digit in value.strip().split("-"))


def _chance(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise Unreadable(f"'chance' is {_short(value)}; expected a number from 0 to 1")
    return float(value)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
