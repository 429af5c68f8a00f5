"""Games played elsewhere, by people or other systems: a JSON file of games as episodes (spec 6.2)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.worlds.decrypto.record import WORLD, check_form
from otherminds.worlds.decrypto.types import NO_DIGIT, ROLES, Rules

_FORM = "JSON with a list of games, each with keywords and turns of code, hints, bob and eve"


def read_games(path: Path) -> list[Episode]:
    """The games of a JSON file, finished or not.

    Raises:
        UserError: if the file holds no game, or one that cannot be read.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise UserError(f"{path} is not JSON; expected {_FORM}") from error
    games = content.get("games") if isinstance(content, dict) else content
    if not isinstance(games, list):
        raise UserError(f"{path} does not contain a list of games; expected {_FORM}")
    episodes: dict[str, Episode] = {}
    for number, game in enumerate(games, 1):
        try:
            episode = _episode(game, number)
            check_form(episode)
        except UserError as error:
            raise UserError(f"{path}, game {number}: {error}") from error
        except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
            name = type(error).__name__
            raise UserError(f"{path}, game {number} cannot be read ({name} {error}); expected {_FORM}") from error
        if episode.id in episodes:
            raise UserError(f"{path} has more than one game called {episode.id}; give each a different id")
        episodes[episode.id] = episode
    if not episodes:
        raise UserError(f"{path} holds no game of Decrypto; expected {_FORM}")
    return list(episodes.values())


def _episode(game: Any, number: int) -> Episode:
    """A game as an episode; :func:`check_form` checks the form of its turns."""
    lines = game["turns"]
    keywords = _words(game.get("keywords") or lines[0]["keywords"])
    turns = [_turn(line, at) for at, line in enumerate(lines, 1)]
    if not turns:
        raise UserError("it has no turn; expected at least one")
    codes, length = [turn["code"] for turn in turns], len(turns[0]["code"])
    for name, items in (("the keywords", keywords), *(("the code", code) for code in codes)):
        if len(set(items)) < len(items):
            raise UserError(f"{name} {items} repeats an entry; expected different ones")
    rules = Rules(len(keywords), length, len(turns), guesses="lenient", stops_at_interceptions=False)
    name, seed = str(game.get("id", f"game-{number}")), int(game.get("seed", number))
    start = {"keywords": keywords, "codes": codes}
    return Episode(name, WORLD, rules.plain(), dict.fromkeys(ROLES, ""), seed, start, turns)


def _turn(line: Mapping[str, Any], number: int) -> dict[str, Any]:
    code = _digits(line["code"])
    bob, eve = (_digits(line.get(role) or [NO_DIGIT] * len(code)) for role in ("bob", "eve"))
    return {"turn": number, "code": code, "hints": _words(line["hints"]), "bob": bob, "eve": eve}


def _words(value: Any) -> list[str]:
    """A list of words without line breaks, which would break the messages that show them."""
    if not isinstance(value, list) or not all(isinstance(word, str) and word.strip() for word in value):
        raise UserError(f"{value!r} is not a list of non-empty words")
    return [" ".join(word.split()) for word in value]


def _digits(code: Any) -> list[int]:
    """A code, as ``[1, 2, 3]`` or ``"1-2-3"``."""
    digits: Any = code
    if isinstance(code, str) and all(map(str.isdecimal, code.split("-"))):
        digits = list(map(int, code.split("-")))
    if not isinstance(digits, list) or not all(type(digit) is int for digit in digits):
        raise UserError(f"{code!r} is not a code; expected [1, 2, 3] or '1-2-3'")
    return list(digits)
