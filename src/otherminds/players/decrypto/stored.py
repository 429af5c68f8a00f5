"""Games that were played before, by people or anybody, replayed with one role replaced (spec 6.2).

Codes and hints are those of the stored game, so that whoever is put to the test sees the history that was really
played. The game ends by the usual rules, or when the stored turns run out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from otherminds.core.episodes import read_episodes
from otherminds.core.errors import UserError
from otherminds.worlds.decrypto.observe import View
from otherminds.worlds.decrypto.types import NO_DIGIT, Code, Game, Hints, Role, Rules, Turn

RECORDED = "recorded"  # what the seat of somebody who played before is called
_FORM = "a record of episodes, or JSON with a list of games, each with keywords and turns of code, hints, bob and eve"


@dataclass(frozen=True)
class Stored:
    """A game that was played, and the deal to play it again."""

    id: str
    game: Game  # with no turn played
    turns: tuple[Turn, ...]
    players: tuple[str, ...] = ("", "", "")


@dataclass
class Recorded:
    """Does what was done in the stored game."""

    turns: Sequence[Turn]
    name: str = RECORDED

    def begin(self, role: Role, rules: Rules, seed: int) -> None:
        """It has nothing to prepare."""

    def hint(self, view: View) -> Hints:
        return self.turns[view.turn - 1].hints

    def guess(self, view: View) -> Code:
        turn = self.turns[view.turn - 1]
        return turn.bob if view.role == "bob" else turn.eve


def read_games(path: str | Path, rules: Rules | None = None) -> list[Stored]:
    """The games of a file, whole or not.

    Args:
        path: our record of episodes, or a JSON file of games.
        rules: by which they are replayed; the usual ones, lenient to hints and guesses that were given.

    Raises:
        UserError: if the file holds no game, or one that cannot be read.
    """
    path = Path(path)
    try:
        found = json.loads(path.read_text(encoding="utf-8")) if path.suffix == ".json" else None
    except OSError as error:
        raise UserError(f"cannot read the games of {path}: {error.strerror}") from error
    except ValueError as error:
        raise UserError(f"{path} is not JSON; expected {_FORM}") from error
    games = _from_json(found, path) if found is not None else _from_record(path)
    if not games:
        raise UserError(f"{path} holds no game of Decrypto; expected {_FORM}")
    names = [one.id for one in games]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UserError(f"{path} has more than one game called {', '.join(twice[:5])}; give each an id of its own")
    base = rules or Rules(hints="report", guesses="lenient")
    return [replace(one, game=_dealt(one, base, path)) for one in games]


def _from_record(path: Path) -> list[Stored]:
    from otherminds.worlds.decrypto.record import WORLD, play_again

    games = []
    for episode in read_episodes(path):
        if episode.world != WORLD:
            raise UserError(f"{path}: episode {episode.id!r} is of {episode.world}; expected {WORLD}")
        game = play_again(episode).states[-1]
        if game.turns:
            games.append(Stored(episode.id, game, game.turns, tuple(episode.players)))
    return games


def _from_json(found: Any, path: Path) -> list[Stored]:
    games = found.get("games") if isinstance(found, dict) else found
    if not isinstance(games, list):
        raise UserError(f"{path} holds no list of games; expected {_FORM}")
    return [_game(one, number, f"{path}, game {number}") for number, one in enumerate(games, 1)]


def _game(one: Any, number: int, where: str) -> Stored:
    try:
        lines = one["turns"]
        keywords = one.get("keywords") or lines[0]["keywords"]
        turns = tuple(_turn(line, f"{where}, turn {at}") for at, line in enumerate(lines, 1))
        name = str(one.get("id", f"game-{number}"))
        game = Game(Rules(), int(one.get("seed", number)), _words(keywords, f"{where}, keywords"), ())
    except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
        if isinstance(error, UserError):
            raise
        raise UserError(f"{where} cannot be read ({type(error).__name__} {error}); expected {_FORM}") from error
    if len(set(game.keywords)) < len(game.keywords):
        raise UserError(f"{where} has a keyword twice: {', '.join(game.keywords)}; expected different ones")
    return Stored(name, game, turns)


def _turn(line: Mapping[str, Any], where: str) -> Turn:
    code, hints = _digits(line["code"], where), _words(line["hints"], f"{where}, hints")
    if len(hints) != len(code):
        raise UserError(f"{where}: {len(hints)} hints for a code of {len(code)} digits; expected one for each")
    nothing = (NO_DIGIT,) * len(code)
    bob, eve = (_digits(line[role], where) if line.get(role) else nothing for role in ("bob", "eve"))
    if len(bob) != len(code) or len(eve) != len(code):
        raise UserError(f"{where}: the guesses {bob} and {eve} are not as long as the code {code}")
    return Turn(code, hints, bob, eve)


def _words(found: Any, where: str) -> tuple[str, ...]:
    """A list of words, without line breaks, which would tear the messages that they are put into."""
    if not isinstance(found, list) or not all(isinstance(one, str) and one.strip() for one in found):
        raise UserError(f"{where}: {found!r} is no list of words, none of them empty")
    return tuple(" ".join(one.split()) for one in found)


def _digits(code: Any, where: str) -> Code:
    """A code, as ``[1, 2, 3]`` or ``"1-2-3"``."""
    try:
        digits = [int(digit) for digit in code.split("-")] if isinstance(code, str) else code
        if not all(type(digit) is int for digit in digits):
            raise TypeError
        return tuple(digits)
    except (TypeError, ValueError) as error:
        raise UserError(f"{where}: {code!r} is no code; expected [1, 2, 3] or '1-2-3'") from error


def _dealt(one: Stored, base: Rules, path: Path) -> Game:
    keywords, codes = one.game.keywords, tuple(turn.code for turn in one.turns)
    length = len(codes[0]) if codes else 0
    for code in codes:
        is_within = all(1 <= digit <= len(keywords) for digit in code)
        if len(code) != length or not is_within or len(set(code)) < length:
            raise UserError(f"{path}, {one.id}: the code {code} does not fit {len(keywords)} keywords")
    if not codes:
        raise UserError(f"{path}, {one.id} has no turn; expected at least one")
    rules = replace(base, keywords=len(keywords), length=length, turns=min(len(codes), base.turns))
    return Game(rules, one.game.seed, keywords, codes)
