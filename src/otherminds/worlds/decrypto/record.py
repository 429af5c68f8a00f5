"""Games as records: the way back from a record to the game, turn by turn.

A record is replayed rather than trusted: what it says of its end must follow from its turns.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.worlds.decrypto.rules import ending
from otherminds.worlds.decrypto.types import ROLES, Game, Intervention, Rules, Turn

WORLD = "decrypto-v0"


@dataclass(frozen=True)
class Played:
    """A game played again from its record; ``states[t]`` is the game after turn t."""

    params: Rules
    states: list[Game]

    @property
    def actions(self) -> list[Turn]:
        """The turns."""
        return list(self.states[-1].turns)


def play_again(episode: Episode) -> Played:
    """Every state of a recorded game.

    Raises:
        UserError: if the record cannot be read as a game, or says something else than its turns do.
    """
    where = f"episode {episode.id!r}"
    check_form(episode)
    try:
        rules = Rules(**episode.config)
        codes = tuple(tuple(int(digit) for digit in code) for code in episode.start["codes"])
        game = Game(rules, episode.seed, tuple(map(str, episode.start["keywords"])), codes)
        states = [game]
        for line in episode.turns:
            changes = tuple(
                Intervention(**{**one, "told": tuple(one["told"])}) for one in line.get("interventions", ())
            )
            if any(one.digit > rules.keywords for one in changes):
                raise UserError(f"{where}: an intervention has a digit above {rules.keywords}")
            game = replace(game, turns=(*game.turns, _turn(line)), interventions=changes)
            states.append(game)
    except (KeyError, TypeError, ValueError) as error:
        raise UserError(f"{where} cannot be read as a game of Decrypto: {type(error).__name__} {error}") from error
    for before, after in pairwise(states):
        number = len(after.turns)
        if ending(before) is not None:
            raise UserError(f"{where}: turn {number} was played after the game had ended ({ending(before)})")
        if number <= len(codes) and after.turns[-1].code != codes[number - 1]:
            raise UserError(
                f"{where}: turn {number} has the code {after.turns[-1].code}; dealt was {codes[number - 1]}"
            )
    if episode.end is not None and episode.end.get("ending") != ending(game):
        raise UserError(f"{where} says that it ended as {episode.end.get('ending')!r}; by its turns, {ending(game)!r}")
    return Played(rules, states)


def check_form(episode: Episode) -> None:
    """Refuse a record that is no game's, before anybody counts or draws what is in it.

    Raises:
        UserError: says what was found, where, and what was expected.
    """
    where = f"episode {episode.id!r}"
    if len(episode.players) != len(ROLES) or not all(isinstance(one, str) for one in episode.players):
        raise UserError(f"{where} has the players {episode.players!r}; expected three names")
    keywords: Any = episode.start.get("keywords")
    if not _are(str, keywords) or len(keywords) != episode.config.get("keywords", len(keywords)):
        raise UserError(f"{where} cannot be read: its keywords are {keywords!r}")
    length = episode.config.get("length")
    for number, line in enumerate(episode.turns, 1):
        for name, kind in (("code", int), ("hints", str), ("bob", int), ("eve", int)):
            found: Any = line.get(name)
            if not _are(kind, found) or len(found) != length:
                raise UserError(
                    f"{where}, turn {number} cannot be read: {name} is {found!r}; expected {length} of them"
                )
        if line.get("turn") != number or not all(1 <= digit <= len(keywords) for digit in line["code"]):
            raise UserError(f"{where}, turn {number} cannot be read: number {line.get('turn')!r}, code {line['code']}")
        for name, fits in _BESIDE.items():
            if name in line and not fits(line[name]):
                raise UserError(f"{where}, turn {number} cannot be read: {name} is {line[name]!r}")


def _are(kind: type, found: Any) -> bool:
    """Whether it is a list of that."""
    return isinstance(found, list | tuple) and all(isinstance(one, kind) for one in found)


def _is_thought(found: Any) -> bool:
    """Whether it is something of each role; probable keywords are words with numbers, for each digit."""
    if not isinstance(found, dict) or not all(isinstance(one, dict) for one in found.values()):
        return False
    minds = [one.get("keywords", ()) for one in found.values()]
    if not all(_are(list, mind) for mind in minds):
        return False
    pairs = [pair for mind in minds for row in mind for pair in row]
    return all(isinstance(pair, list) and len(pair) == 2 and isinstance(pair[1], int | float) for pair in pairs)


def _is_asked(found: Any) -> bool:
    needed = {"name", "role", "answer", "failed"}
    return _are(dict, found) and all(needed <= one.keys() for one in found)


def _are_counts(found: Any) -> bool:
    return isinstance(found, dict) and set(ROLES) <= found.keys() and _are(int, list(found.values()))


_BESIDE: dict[str, Callable[[Any], bool]] = {
    "attempts": _are_counts,
    "failures": lambda found: _are(str, found),
    "problems": lambda found: _are(str, found),
    "thoughts": _is_thought,
    "answers": _is_asked,
    "interventions": lambda found: _are(dict, found),
}


def _turn(line: dict[str, Any]) -> Turn:
    code, bob, eve = (tuple(int(digit) for digit in line[name]) for name in ("code", "bob", "eve"))
    return Turn(code, tuple(map(str, line["hints"])), bob, eve)
