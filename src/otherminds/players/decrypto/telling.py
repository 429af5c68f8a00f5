"""What a role sees, as fields to be filled into words: for language models, and for people at a terminal."""

from __future__ import annotations

from collections.abc import Iterable

from otherminds.worlds.decrypto.observe import View
from otherminds.worlds.decrypto.types import Intervention, Rules, Turn, dashed

_LETTERS = "abcdefghi"


def rule_fields(rules: Rules) -> dict[str, object]:
    """The numbers of a game."""
    return {
        "num_keywords": rules.keywords,
        "length": rules.length,
        "turns": rules.turns,
        "tokens": rules.tokens,
    }


def view_fields(view: View) -> dict[str, object]:
    """Everything that a role sees in a turn; fields of what it does not see are empty."""
    return {
        **rule_fields(view.rules),
        "turn": view.turn,
        "miscommunications": view.miscommunications,
        "interceptions": view.interceptions,
        "keywords": numbered(view.keywords or ()),
        "code": dashed(view.code or ()),
        "spelled": ", ".join((view.keywords or ())[digit - 1] for digit in view.code or ()),
        "hints": lettered(view.hints or ()),
        "by_digit": "\n".join(
            f"{digit}: {', '.join(past) or '-'}" for digit, past in enumerate(view.hints_by_digit, 1)
        ),
        "codes": ", ".join(map(dashed, view.used)),
    }


def turn_fields(turn: Turn, number: int) -> dict[str, object]:
    """What is public of a past turn."""
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


def change_fields(change: Intervention, view: View) -> dict[str, object]:
    """A change to what Eve has seen, for somebody who is told of it."""
    turn = view.past[change.turn - 1]
    hint = dict(zip(turn.code, turn.hints, strict=True)).get(change.digit, "")
    return {"turn": change.turn, "digit": change.digit, "hint": hint, "word": change.word}


def numbered(words: Iterable[str]) -> str:
    """Words with the digits 1, 2, …, one a line."""
    return "\n".join(f"{digit} = {word}" for digit, word in enumerate(words, 1))


def lettered(words: Iterable[str]) -> str:
    """Words with the letters a, b, …, one a line."""
    return "\n".join(f"{letter}) {word}" for letter, word in zip(_LETTERS, words, strict=False))
