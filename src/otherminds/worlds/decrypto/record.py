"""Games as records: one line for each turn, and the replay of a record as a game.

A record is replayed rather than trusted: its turns and its end must follow from the deal and the replies.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.files import read_text
from otherminds.core.form import Several, Words
from otherminds.core.mind import Reply
from otherminds.core.replay import check_replay, give_again
from otherminds.core.world import World
from otherminds.worlds.decrypto.probes import Asked, When, question, whose_view
from otherminds.worlds.decrypto.rules import ending, hint_problems
from otherminds.worlds.decrypto.types import NO_DIGIT, ROLES, Game, Intervention, Role, Rules, Turn, role_of

WORLD = "decrypto-v0"


def dealt(game: Game) -> dict[str, Any]:
    """The deal, as the record keeps it."""
    return {"keywords": list(game.keywords), "codes": [list(code) for code in game.codes]}


def turn_line(before: Game, after: Game, replies: Mapping[str, Reply], probes: list[dict[str, Any]]) -> dict[str, Any]:
    """The record of a turn."""
    turn = after.turns[-1]
    line: dict[str, Any] = {
        "turn": len(after.turns),
        "code": list(turn.code),
        "hints": list(turn.hints),
        "bob": list(turn.bob),
        "eve": list(turn.eve),
        "attempts": {role: reply.attempts for role, reply in replies.items()},
        "failures": [role for role, reply in replies.items() if reply.is_default],
    }
    is_judged = after.rules.hints != "off" and not replies["alice"].is_default  # a default breaks no rule
    optional = {
        "problems": hint_problems(turn.hints, before.keywords, used_hints(before.turns)) if is_judged else (),
        "complaints": {role: list(reply.complaints) for role, reply in replies.items() if reply.complaints},
        "probes": [{**probe, "expected": _expected(probe, probes, line)} for probe in probes],
        "thoughts": {
            role: reply.thoughts if isinstance(reply.thoughts, dict) else {"reasoning": str(reply.thoughts)}
            for role, reply in replies.items()
            if reply.thoughts
        },
        "interventions": [{**asdict(change), "told": list(change.told)} for change in before.interventions],
    }
    return line | {name: part for name, part in optional.items() if part}


def _expected(probe: Mapping[str, Any], probes: Sequence[Mapping[str, Any]], line: Mapping[str, Any]) -> Any:
    """The reply to another ask that is the right answer to a probe; ``None`` if there is none.

    What a seat thought before a reveal, or what another interceptor thinks, is what it said without a reveal. A
    predicted guess is right if it was made.
    """
    role = role_of(probe["seat"])
    if probe["about"] == "guess":
        whose = "eve" if probe["chain"] else role
        return None if whose == "alice" or whose in line["failures"] else line[whose]
    if probe["about"] != "keywords" or probe["kind"] == "keywords_now":
        return None
    whose = "eve" if probe["kind"] == "keywords_eve" else role
    for other in probes:
        is_plain = other["kind"] == "keywords_now" and not other.get("shown") and not other["failed"]
        if is_plain and role_of(other["seat"]) == whose:
            return other["given"]
    return None


Seating = Mapping[Role, str]  # the seat of each role in a game
Seated = Iterable[tuple[Mapping[str, Any], Seating]]  # recorded turns with their seats


def replies_of(turns: Seated) -> dict[str, Any]:
    """The replies of recorded turns by ask id; those that never came are left out."""
    replies = {}
    for turn, seating in turns:
        for role, part in zip(ROLES, ("hints", "bob", "eve"), strict=True):
            if role not in turn.get("failures", ()) and any(turn[part]):
                replies[f"{turn['turn']}/{seating[role]}"] = turn[part]
        replies |= {probe["id"]: probe["given"] for probe in turn.get("probes", ()) if not probe["failed"]}
    return replies


class Recorded:
    """The probes and interventions of a recorded game, as a study."""

    def __init__(self, episode: Episode) -> None:
        self._turns = episode.turns

    def interventions(self, game: Game) -> tuple[Intervention, ...]:
        line = self._turns[len(game.turns)] if len(game.turns) < len(self._turns) else {}
        changes = tuple(Intervention(**{**made, "told": tuple(made["told"])}) for made in line.get("interventions", ()))
        if any(change.digit > game.rules.keywords for change in changes):
            raise UserError(f"an intervention has a digit above {game.rules.keywords}")
        return changes

    def probes(self, game: Game, when: When) -> list[Asked]:
        probes = [probe for turn in self._turns[len(game.turns) :][:1] for probe in turn.get("probes", ())]
        return [
            Asked(probe["name"], role_of(probe["seat"]), question(probe["about"], whose, probe.get("shown"), when))
            for probe in probes
            if probe["moment"] == when and (whose := whose_view(probe["kind"]))
        ]


def used_hints(turns: Iterable[Turn]) -> list[str]:
    """All hints of some turns."""
    return [hint for turn in turns for hint in turn.hints]


def official_end(game: Game) -> dict[str, Any]:
    """How and when the game would have ended if interceptions ended it."""
    rules, number, how = replace(game.rules, stops_at_interceptions=True), 0, None
    while how is None and number < len(game.turns):
        number += 1
        how = ending(replace(game, rules=rules, turns=game.turns[:number]))
    return {"ending": how, "turns": number}


def game_dealt(episode: Episode, start: Mapping[str, Any]) -> Game:
    """The game that the start of a record deals; :func:`dealt` is the reverse."""
    rules = Rules(**episode.config)
    keywords = Words("keywords", rules.keywords).take(start["keywords"])
    return Game(rules, episode.seed, tuple(keywords), tuple(map(code_field(rules).take, start["codes"])))


def code_field(rules: Rules, name: str = "the code", *, is_distinct: bool = True) -> Several:
    """The form of a code, written as ``[1, 2, 3]`` or ``1-2-3``."""
    return Several(name, tuple(range(1, rules.keywords + 1)), rules.length, rules.length, is_distinct=is_distinct)


def play_again(world: World, episode: Episode) -> list[Any]:
    """Every true state of a recorded game or duel, recomputed from its replies.

    Raises:
        UserError: if the record cannot be read, or does not follow from its replies.
    """
    name = f"episode {episode.id!r}"
    if len(episode.minds) != len(world.seats) or not _are(str, list(episode.minds.values())):
        raise UserError(f"{name} has the minds {episode.minds!r}; expected a name for each of {', '.join(world.seats)}")
    try:
        session, replies = world.reopen(episode), world.replies(episode)
        states = give_again(session, replies, episode.attempts, len(episode.turns))
        check_replay(episode, session, replies)
    except UserError:
        raise
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise UserError(f"{name} cannot be read as a game of Decrypto: {type(error).__name__} {error}") from error
    for number, line in enumerate(episode.turns, 1):
        for part, fits in _NOT_REPLAYED.items():
            if part in line and not fits(line[part]):
                raise UserError(f"{name}, turn {number} cannot be read: {part} is {line[part]!r}")
    return states


def _are(kind: type, value: Any) -> bool:
    """Whether a value is a list of that kind."""
    return isinstance(value, list | tuple) and all(isinstance(item, kind) for item in value)


def _are_thoughts(value: Any) -> bool:
    """Whether a value holds thoughts by role; likely keywords are words with numbers, for each digit."""
    if not isinstance(value, dict) or not _are(dict, list(value.values())):
        return False
    beliefs = [thought.get("keywords", ()) for thought in value.values()]
    if not all(_are(list, belief) for belief in beliefs):
        return False
    pairs = [pair for belief in beliefs for row in belief for pair in row]
    return all(isinstance(pair, list) and len(pair) == 2 and isinstance(pair[1], int | float) for pair in pairs)


# Parts of a turn that do not follow from its replies, and the form of each.
_NOT_REPLAYED: dict[str, Callable[[Any], bool]] = {
    "problems": lambda value: _are(str, value),
    "thoughts": _are_thoughts,
}


_FORM = "JSON with a list of games, each with keywords and turns of code, hints, bob and eve"


def read_games(path: Path) -> list[Episode]:
    """The games of a JSON file, finished or not.

    Raises:
        UserError: if the file holds no game, or one that cannot be read.
    """
    try:
        content = json.loads(read_text(path, _FORM))
    except json.JSONDecodeError as error:
        raise UserError(f"{path} is not JSON; expected {_FORM}") from error
    games = content.get("games") if isinstance(content, dict) else content
    if not isinstance(games, list):
        raise UserError(f"{path} does not contain a list of games; expected {_FORM}")
    episodes: dict[str, Episode] = {}
    for number, game in enumerate(games, 1):
        try:
            episode = _episode(game, number)
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
    """A game as an episode."""
    lines = game["turns"]
    if not lines:
        raise UserError("it has no turn; expected at least one")
    keywords = _words(game.get("keywords") or lines[0]["keywords"])
    if len(set(keywords)) < len(keywords):
        raise UserError(f"the keywords {keywords} repeat an entry; expected distinct entries")
    length = len(Several("the code", tuple(range(1, 10)), 1).take(lines[0]["code"]))
    rules = Rules(len(keywords), length, len(lines), guesses="lenient", stops_at_interceptions=False)
    turns = [_turn(line, at, rules) for at, line in enumerate(lines, 1)]
    name, seed = str(game.get("id", f"game-{number}")), int(game.get("seed", number))
    start = {"keywords": keywords, "codes": [turn["code"] for turn in turns]}
    return Episode(name, WORLD, rules.plain(), dict.fromkeys(ROLES, ""), seed, start, turns)


def _turn(line: Mapping[str, Any], number: int, rules: Rules) -> dict[str, Any]:
    code, hints = code_field(rules).take(line["code"]), _words(line["hints"], "hints", rules.length)
    bob, eve = (
        list(code_field(rules, role, is_distinct=False).take(line[role]) if line.get(role) else [NO_DIGIT] * len(code))
        for role in ("bob", "eve")
    )
    return {"turn": number, "code": list(code), "hints": hints, "bob": bob, "eve": eve}


def _words(value: Any, name: str = "keywords", number: int | None = None) -> list[str]:
    """Words without line breaks, which would break the messages that show them."""
    return list(Words(name, len(value) if number is None else number).take(value))
