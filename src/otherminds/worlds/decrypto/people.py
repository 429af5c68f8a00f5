"""Games that were played elsewhere, by people or anybody: a JSON file of them as episodes (spec 6.2)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.worlds.decrypto.record import WORLD
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
        raise UserError(f"cannot read the games of {path}: {error.strerror}") from error
    except ValueError as error:
        raise UserError(f"{path} is not JSON; expected {_FORM}") from error
    games = content.get("games") if isinstance(content, dict) else content
    if not isinstance(games, list):
        raise UserError(f"{path} holds no list of games; expected {_FORM}")
    found: dict[str, Episode] = {}
    for number, one in enumerate(games, 1):
        where = f"{path}, game {number}"
        try:
            game = _game(one, number, where)
        except UserError:
            raise
        except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
            raise UserError(f"{where} cannot be read ({type(error).__name__} {error}); expected {_FORM}") from error
        if game.id in found:
            raise UserError(f"{path} has more than one game called {game.id}; give each an id of its own")
        found[game.id] = game
    if not found:
        raise UserError(f"{path} holds no game of Decrypto; expected {_FORM}")
    return list(found.values())


def _game(one: Any, number: int, where: str) -> Episode:
    lines = one["turns"]
    keywords = _words(one.get("keywords") or lines[0]["keywords"], f"{where}, keywords")
    turns = [_turn(line, at, f"{where}, turn {at}") for at, line in enumerate(lines, 1)]
    if len(set(keywords)) < len(keywords):
        raise UserError(f"{where} has a keyword twice: {', '.join(keywords)}; expected different ones")
    if not turns:
        raise UserError(f"{where} has no turn; expected at least one")
    codes, length = [turn["code"] for turn in turns], len(turns[0]["code"])
    for code in codes:
        if len(code) != length or len(set(code)) < length or not set(code) <= set(range(1, len(keywords) + 1)):
            raise UserError(f"{where}: the code {code} does not fit {len(keywords)} keywords")
    rules = Rules(len(keywords), length, len(turns), guesses="lenient", stops_at_interceptions=False)
    name, seed = str(one.get("id", f"game-{number}")), int(one.get("seed", number))
    start = {"keywords": keywords, "codes": codes}
    return Episode(name, WORLD, asdict(rules), dict.fromkeys(ROLES, ""), seed, start, turns)


def _turn(line: Mapping[str, Any], number: int, where: str) -> dict[str, Any]:
    code, hints = _digits(line["code"], where), _words(line["hints"], f"{where}, hints")
    if len(hints) != len(code):
        raise UserError(f"{where}: {len(hints)} hints for a code of {len(code)} digits; expected one for each")
    bob, eve = (_digits(line.get(role) or [NO_DIGIT] * len(code), where) for role in ("bob", "eve"))
    if len(bob) != len(code) or len(eve) != len(code):
        raise UserError(f"{where}: the guesses {bob} and {eve} are not as long as the code {code}")
    return {"turn": number, "code": code, "hints": hints, "bob": bob, "eve": eve}


def _words(found: Any, where: str) -> list[str]:
    """A list of words, without line breaks, which would tear the messages that they are put into."""
    if not isinstance(found, list) or not all(isinstance(one, str) and one.strip() for one in found):
        raise UserError(f"{where}: {found!r} is not a list of words, none of them empty")
    return [" ".join(one.split()) for one in found]


def _digits(code: Any, where: str) -> list[int]:
    """A code, as ``[1, 2, 3]`` or ``"1-2-3"``."""
    digits: Any = code
    if isinstance(code, str) and all(map(str.isdecimal, code.split("-"))):
        digits = list(map(int, code.split("-")))
    if not isinstance(digits, list) or not all(type(digit) is int for digit in digits):
        raise UserError(f"{where}: {code!r} is not a code; expected [1, 2, 3] or '1-2-3'")
    return list(digits)
