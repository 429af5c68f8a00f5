"""Checks of hints against the rules. The original states the rules and does not check them (spec 1.5)."""

from __future__ import annotations

import re
from collections.abc import Sequence

_ALLOWED = re.compile(r"[^\W\d_]+(?:[ '’.-]+[^\W\d_]+)*\.?")
_CARDINALS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_NUMBERS = frozenset((*_CARDINALS, *_ORDINALS))
_SHORTEST = 3  # letters of a stem
_INFLECTED = re.compile(f"(.{{{_SHORTEST},}}?)(?:ations?|ings|ness|ment|ing|ies|ers|est|ed|er|es|ly|y|s|e)")


def hint_problems(hints: Sequence[str], keywords: Sequence[str], used: Sequence[str] = ()) -> list[str]:
    """The rules that some hints break, one line for each hint; empty if there are none.

    Args:
        hints: hints of this turn.
        keywords: all keywords, not only those of the code.
        used: hints of earlier turns.
    """
    problems = []
    before = {hint.strip().lower() for hint in used}
    for number, hint in enumerate(hints, 1):
        why = _problem(hint, keywords, before)
        if why:
            problems.append(f"hint {number} ({hint!r}) {why}")
        before.add(hint.strip().lower())
    return problems


def _problem(hint: str, keywords: Sequence[str], before: set[str]) -> str:
    text = hint.strip().lower()
    words = text.split()
    if not 1 <= len(words) <= 2:
        return f"has {len(words)} words; expected one or two"
    if not _ALLOWED.fullmatch(text):
        return "has other signs than letters, apostrophe, hyphen, space and full stop"
    if text in before:
        return "was given before in this game"
    if _NUMBERS & set(words):
        return "names a number; hints refer to the meaning of a keyword"
    for keyword in keywords:
        if _is_near(text, words, keyword.lower()):
            return f"is too near the keyword {keyword!r}; hints must not be, contain or be derived from a keyword"
    return ""


def _is_near(text: str, words: Sequence[str], keyword: str) -> bool:
    joined = re.sub(r"[^a-z]", "", text)
    if len(keyword) >= _SHORTEST and keyword in joined:
        return True
    return any(
        word == keyword or (len(word) >= _SHORTEST and word in keyword) or stem(word) == stem(keyword) for word in words
    )


def stem(word: str) -> str:
    """A word without its most common endings; just enough to catch *baker* for *bake*."""
    if inflected := _INFLECTED.fullmatch(word):
        word = inflected[1]
    return word[:-1] if len(word) > _SHORTEST and word[-1] == word[-2] else word
