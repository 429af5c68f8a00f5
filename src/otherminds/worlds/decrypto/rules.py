"""The rules as pure functions: deal a game, reveal a turn, end the game. Chance comes in as a seed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import permutations

from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw
from otherminds.worlds.decrypto.types import Code, Ending, Game, Hints, Rules, Turn


@cache
def all_codes(rules: Rules) -> tuple[Code, ...]:
    """All codes, in lexicographic order."""
    return tuple(permutations(range(1, rules.keywords + 1), rules.length))


def deal(bank: Sequence[str], seed: int, rules: Rules = Rules()) -> Game:  # noqa: B008  # it is frozen
    """A game with keywords and the codes of all turns, which are all different (spec 1.2).

    Raises:
        UserError: if the bank is too small, or there are fewer codes than turns.
    """
    codes = all_codes(rules)
    if len(codes) < rules.turns:
        raise UserError(
            f"there are only {len(codes)} codes for {rules.turns} turns; expected one for each turn, so set fewer turns"
        )
    draw = Draw(seed, "decrypto/deal")
    keywords = draw.some(bank, min(rules.keywords, len(bank)))
    if len(set(keywords)) < rules.keywords:  # checking the whole bank would take long
        raise UserError(f"the bank has {len(set(bank))} words; expected at least {rules.keywords}")
    return Game(rules, seed, tuple(keywords), tuple(draw.some(codes, rules.turns)))


def code_of(game: Game) -> Code:
    """The code of the turn to be played."""
    return game.codes[len(game.turns)]


def reveal(game: Game, hints: Hints, bob: Code, eve: Code) -> Game:
    """The game after a turn: the code and both guesses are public.

    Raises:
        UserError: if the game is over.
    """
    if ending(game) is not None:
        raise UserError(f"the game is over ({ending(game)}); deal another one")
    turns = (*game.turns, Turn(code_of(game), tuple(hints), tuple(bob), tuple(eve)))
    return Game(game.rules, game.seed, game.keywords, game.codes, turns, game.interventions)


def tokens(turns: Sequence[Turn]) -> tuple[int, int]:
    """Numbers of miscommunications (Bob was wrong) and of interceptions (Eve was right)."""
    missed = caught = 0
    for turn in turns:
        missed += turn.bob != turn.code
        caught += turn.eve == turn.code
    return missed, caught


def ending(game: Game) -> Ending | None:
    """How the game ended; ``None`` while it goes on. A second token in the last turn still loses (spec 1.4)."""
    rules = game.rules
    missed, caught = tokens(game.turns)
    is_lost = missed >= rules.tokens
    is_caught = rules.stops_at_interceptions and caught >= rules.tokens
    if is_lost and is_caught:
        return "both"
    if is_lost or is_caught:
        return "miscomm" if is_lost else "intercept"
    return "survived" if len(game.turns) >= rules.turns else None


def rewards(game: Game) -> dict[str, int]:
    """1 for the side that has won, -1 for the other, 0 while the game goes on."""
    won = {None: 0, "survived": 1}.get(ending(game), -1)
    return {"alice": won, "bob": won, "eve": -won}


def hints_by_digit(turns: Sequence[Turn], keywords: int) -> tuple[tuple[str, ...], ...]:
    """All past hints of each digit, in the order in which they were given."""
    slots: list[list[str]] = [[] for _ in range(keywords)]
    for turn in turns:
        for digit, hint in zip(turn.code, turn.hints, strict=True):
            slots[digit - 1].append(hint)
    return tuple(map(tuple, slots))


_ALLOWED = re.compile(r"[^\W\d_]+(?:[ '’.-]+[^\W\d_]+)*\.?")
_CARDINALS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_NUMBERS = frozenset((*_CARDINALS, *_ORDINALS))
_SHORTEST = 3  # letters of a stem
_INFLECTED = re.compile(f"(.{{{_SHORTEST},}}?)(?:ations?|ings|ness|ment|ing|ies|ers|est|ed|er|es|ly|y|s|e)")


def hint_problems(hints: Sequence[str], keywords: Sequence[str], used: Sequence[str] = ()) -> list[str]:
    """The rules that some hints break, one line for each hint; empty if there are none.

    All keywords count, not only those of the code; ``used`` are the hints of earlier turns.
    """
    problems = []
    before = {hint.strip().lower() for hint in used}
    for number, hint in enumerate(hints, 1):
        if why := _problem(hint, keywords, before):
            problems.append(f"hint {number} ({hint!r}) {why}")
        before.add(hint.strip().lower())
    return problems


def _problem(hint: str, keywords: Sequence[str], before: set[str]) -> str:
    text = hint.strip().lower()
    words = text.split()
    if not 1 <= len(words) <= 2:
        return f"has {len(words)} words; expected one or two"
    if not _ALLOWED.fullmatch(text):
        return "contains characters other than letters, apostrophes, hyphens, spaces and full stops"
    if text in before:
        return "was given before in this game"
    if _NUMBERS & set(words):
        return "names a number; hints refer to the meaning of a keyword"
    for keyword in keywords:
        if _is_near(text, words, keyword.lower()):
            return f"is too close to the keyword {keyword!r}; hints must not be, contain or be derived from a keyword"
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
