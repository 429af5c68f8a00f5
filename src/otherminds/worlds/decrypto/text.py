"""Views in words, for prompts and for people. The words are files in the folder of the prompts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from otherminds.core.world import Probe, View
from otherminds.worlds.decrypto.observe import RoleView
from otherminds.worlds.decrypto.probes import whose_view
from otherminds.worlds.decrypto.rules import all_codes
from otherminds.worlds.decrypto.types import HIDDEN, Code, Role, Rules, Turn, dashed

PROMPTS = Path(__file__).parent / "prompts"
_VERSION = "v1"
_LETTERS = "abcdefghi"
_ASKED = {
    "keywords": "what are the keywords, in the order of their digits, separated by commas?",
    "guess": "what is the code, one digit for each hint?",
    "chance": "how likely is it that Eve guesses the code, from 0 (impossible) to 1 (certain)?",
}
_WHOSE = {
    "now": "As you see it",
    "before": "As you saw it before the keywords were shown to you",
    "other": "As another interceptor sees it, who has seen the hints and no keyword",
    "eve": "As Eve sees it",
}

# Contexts in which a language model weighs a hint; ``benchmarks/decrypto_likelihood.py`` compares other wordings.
AFTER_KEYWORD = "Words related to {word}:"
AFTER_HINTS = "Synonyms: {words},"
AFTER_NOTHING = "Synonyms:"


class DecryptoView(View):
    """The view of a seat. ``data`` is an :class:`otherminds.worlds.decrypto.observe.RoleView`, ``asked`` the probe."""

    __slots__ = ("asked",)
    data: RoleView

    def __init__(self, data: RoleView, asked: Probe | None = None) -> None:
        self.data, self.asked = data, asked

    @property
    def log(self) -> tuple[object, ...]:  # type: ignore[override]
        """The hints and then the whole of each turn, in the order in which they became known."""
        seen = self.data
        past = tuple(entry for turn in seen.past for entry in (turn.hints, turn))
        return (*past, seen.hints) if seen.hints else past

    def text(self) -> str:
        return page(self.data)

    def question(self, probe: Probe) -> str:
        asked = f"{_WHOSE[whose_view(probe.kind)]}: {_ASKED[probe.about]}"
        return f"{_shown(probe)}\n{asked}" if probe.shown else asked

    def fields(self) -> dict[str, object]:
        return {**view_fields(self.data), "shown": _shown(self.asked) if self.asked else ""}

    def continuations(self) -> dict[Code, list[tuple[str, str]]]:
        """For each code that is left, its hints, each after the keyword of its digit; for Eve, after its past hints."""
        seen = self.data
        if not seen.hints:
            return {}
        texts = [AFTER_KEYWORD.format(word=word) for word in seen.keywords] or [*map(_after, seen.hints_by_digit)]
        codes = (code for code in all_codes(seen.rules) if code not in seen.used)
        return {code: [(texts[digit - 1], seen.hints[at]) for at, digit in enumerate(code)] for code in codes}


def rules_text(rules: Rules, role: Role) -> str:
    """The rules in words, for a role."""
    return "\n\n".join(_filled(name, rule_fields(rules)) for name in ("rules", f"role_{role}"))


def rule_fields(rules: Rules) -> dict[str, object]:
    """The numbers of the rules, for prompts."""
    return {"num_keywords": rules.keywords, "length": rules.length, "turns": rules.turns, "tokens": rules.tokens}


def view_fields(view: RoleView) -> dict[str, object]:
    """Everything that a role sees in a turn, for prompts; fields that it does not see are empty."""
    missed, caught = view.tokens
    fields: dict[str, object] = {
        **rule_fields(view.rules),
        "turn": view.turn,
        "miscommunications": missed,
        "interceptions": caught,
        "keywords": numbered(view.keywords),
        "code": dashed(view.code),
        "spelled": ", ".join(view.keywords[digit - 1] for digit in view.code),
        "hints": "\n".join(f"{letter}) {hint}" for letter, hint in zip(_LETTERS, view.hints, strict=False)),
        "by_digit": "\n".join(
            f"{digit}: {', '.join(past) or '-'}" for digit, past in enumerate(view.hints_by_digit, 1)
        ),
        "codes": ", ".join(map(dashed, view.used)),
    }
    last = _last_turn(view.past[-1], len(view.past)) if view.past else {}
    past = _filled("past" if view.past else "first", {**fields, **last})
    return {**fields, "past": past, "told": _told(view)}


def _last_turn(turn: Turn, number: int) -> dict[str, object]:
    gained = [
        "" if turn.is_decoded else "a miscommunication, as Bob was wrong",
        "an interception, as Eve was right" if turn.is_intercepted else "",
    ]
    return {
        "last_turn": number,
        "last_code": dashed(turn.code),
        "last_hints": ", ".join(turn.hints),
        "last_bob": dashed(turn.bob),
        "last_eve": dashed(turn.eve),
        "last_tokens": " and ".join(filter(None, gained)) or "nothing",
    }


def page(view: RoleView) -> str:
    """Everything that a role sees before it acts, as text."""
    fields = view_fields(view)
    rules = view.rules
    parts = [
        fields["past"],
        f"This is turn {view.turn} of {rules.turns}. Miscommunications: {fields['miscommunications']} of "
        f"{rules.tokens}. Interceptions: {fields['interceptions']} of {rules.tokens}.",
        f"The keywords are:\n{fields['keywords']}" if view.keywords else "",
        fields["told"],
        f"The code: {fields['code']} ({fields['spelled']})" if view.code else "",
        f"Alice's hints:\n{fields['hints']}" if view.hints else "",
    ]
    return "\n".join(str(part) for part in parts if part)


def _told(view: RoleView) -> str:
    """What the role was told of interventions; for Eve, the keywords shown to her and the blots."""
    changes = []
    for change in view.notices:
        turn = view.past[change.turn - 1]
        hint = dict(zip(turn.code, turn.hints, strict=True)).get(change.digit, "")
        fields = {"turn": change.turn, "digit": change.digit, "hint": hint, "word": change.word}
        changes.append(_filled(f"told_{change.kind}", fields))
    known = [_filled("told_keyword", {"digit": digit, "word": word}) for digit, word in view.shown]
    is_blotted = any(HIDDEN in turn.hints for turn in view.past)
    return "\n".join([*changes, *known, *([_filled("told_blot", {"blot": HIDDEN})] if is_blotted else [])])


def _shown(probe: Probe) -> str:
    return _filled("shown", {"shown_keywords": numbered(probe.shown)}) if probe.shown else ""


def numbered(words: Iterable[str]) -> str:
    """Words with the digits 1, 2, …, one on each line."""
    return "\n".join(f"{digit} = {word}" for digit, word in enumerate(words, 1))


def _after(hints: Iterable[str]) -> str:
    read = ", ".join(hint for hint in hints if hint != HIDDEN)
    return AFTER_HINTS.format(words=read) if read else AFTER_NOTHING


def _filled(name: str, fields: dict[str, object]) -> str:
    return re.sub(r"\n{3,}", "\n\n", _words(name).format(**fields)).strip()


@cache
def _words(name: str) -> str:
    return (PROMPTS / _VERSION / f"{name}.txt").read_text(encoding="utf-8")
