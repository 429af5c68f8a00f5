"""Games that were played elsewhere, by people or anybody: a JSON file of them as episodes (spec 6.2)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from otherminds.core.episodes import Episode, read_episodes
from otherminds.core.errors import UserError
from otherminds.worlds.decrypto.record import WORLD, play_again
from otherminds.worlds.decrypto.types import NO_DIGIT, ROLES, Rules

_FORM = "a record of episodes, or JSON with a list of games, each with keywords and turns of code, hints, bob and eve"


def read_games(path: str | Path) -> list[Episode]:
    """The games of a file, finished or not.

    Args:
        path: a record of episodes, or a ``.json`` file of games.

    Raises:
        UserError: if the file holds no game, or one that cannot be read.
    """
    path = Path(path)
    games = _from_json(path) if path.suffix == ".json" else _from_record(path)
    if not games:
        raise UserError(f"{path} holds no game of Decrypto; expected {_FORM}")
    names = [one.id for one in games]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UserError(f"{path} has more than one game called {', '.join(twice[:5])}; give each an id of its own")
    return games


def _from_record(path: Path) -> list[Episode]:
    games = read_episodes(path)
    for episode in games:
        if episode.world != WORLD:
            raise UserError(f"{path}: episode {episode.id!r} is of {episode.world}; expected {WORLD}")
        play_again(episode)
    return [episode for episode in games if episode.turns]


def _from_json(path: Path) -> list[Episode]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"cannot read the games of {path}: {error.strerror}") from error
    except ValueError as error:
        raise UserError(f"{path} is not JSON; expected {_FORM}") from error
    games = content.get("games") if isinstance(content, dict) else content
    if not isinstance(games, list):
        raise UserError(f"{path} holds no list of games; expected {_FORM}")
    found = []
    for number, one in enumerate(games, 1):
        where = f"{path}, game {number}"
        try:
            found.append(_game(one, number, where))
        except UserError:
            raise
        except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
            raise UserError(f"{where} cannot be read ({type(error).__name__} {error}); expected {_FORM}") from error
    return found


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
    return Episode(name, WORLD, asdict(rules), [""] * len(ROLES), seed, {"keywords": keywords, "codes": codes}, turns)


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
