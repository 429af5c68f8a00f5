"""Games as records: a line for each turn, and the way back from a record to the game.

A record is replayed rather than trusted: what it says of its end must follow from its turns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import pairwise
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.mind import Reply
from otherminds.core.world import Ask, Played
from otherminds.worlds.decrypto.hints import hint_problems
from otherminds.worlds.decrypto.questions import Asked
from otherminds.worlds.decrypto.rules import ending
from otherminds.worlds.decrypto.types import ROLES, Game, Intervention, Rules, Turn, role_of

WORLD = "decrypto-v0"


def note_of(one: Asked, ask: Ask, reply: Reply) -> dict[str, Any]:
    """The record of a probe; what was expected is known at the end of the turn."""
    probe, value = one.probe, reply.value
    return {
        "id": ask.id,
        "seat": ask.seat,
        "kind": probe.kind,
        "chain": list(probe.chain),
        "about": probe.about,
        "expected": None,
        "given": list(value) if isinstance(value, tuple) else value,
        "moment": probe.moment,
        "name": one.name,
        "attempts": reply.attempts,
        "failed": reply.is_default,
        **({"shown": list(probe.shown)} if probe.shown else {}),
        **({"complaints": list(reply.complaints)} if reply.complaints else {}),
    }


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
    was_silent = replies["alice"].is_default  # what stands for her hints breaks no rule
    broken = [] if after.rules.hints == "off" or was_silent else _broken(before, turn.hints)
    if broken:
        line["problems"] = broken
    if complaints := {role: list(reply.complaints) for role, reply in replies.items() if reply.complaints}:
        line["complaints"] = complaints
    if probes:
        line["probes"] = [{**one, "expected": _expected(one, probes, line)} for one in probes]
    if thoughts := {role: _thought(reply.thoughts) for role, reply in replies.items() if reply.thoughts}:
        line["thoughts"] = thoughts
    if before.interventions:
        line["interventions"] = [asdict(one) for one in before.interventions]
    return line


def _expected(probe: Mapping[str, Any], probes: Sequence[Mapping[str, Any]], line: Mapping[str, Any]) -> Any:
    """The reply to another ask that would have been right; ``None`` if nothing says so.

    What a seat thought before a reveal, and what another interceptor thinks, is what it said without one. A guess that
    was predicted is right if it was made.
    """
    if probe["kind"] in ("keywords_before", "keywords_other", "keywords_eve"):
        seat = role_of(probe["seat"])
        whose = "eve" if probe["kind"] == "keywords_eve" else seat
        plain = (
            one["given"]
            for one in probes
            if one["kind"] == "keywords_now" and not one.get("shown") and role_of(one["seat"]) == whose
            if not one["failed"]
        )
        return next(plain, None)
    if probe["about"] != "guess":
        return None
    whose = "eve" if probe["chain"] else role_of(probe["seat"])
    return None if whose == "alice" or whose in line["failures"] else line[whose]


def _thought(thoughts: Any) -> dict[str, Any]:
    return thoughts if isinstance(thoughts, dict) else {"reasoning": str(thoughts)}


def _broken(game: Game, hints: Sequence[str]) -> list[str]:
    return hint_problems(hints, game.keywords, used_hints(game))


def used_hints(game: Game) -> list[str]:
    """All hints so far."""
    return [hint for turn in game.turns for hint in turn.hints]


def official_end(game: Game) -> dict[str, Any]:
    """How and when the game would have ended, had interceptions counted."""
    strict = replace(game, rules=replace(game.rules, stops_at_interceptions=True))
    for number in range(1, len(game.turns) + 1):
        found = ending(replace(strict, turns=game.turns[:number]))
        if found is not None:
            return {"ending": found, "turns": number}
    return {"ending": None, "turns": len(game.turns)}


def answers_of(turn: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What was asked in a turn beside play: name, role, what about, whose view, what was shown and said.

    Records made before probes had one shape in all worlds call them answers.
    """
    if "probes" not in turn:
        return list(turn.get("answers", ()))
    return [
        {
            **one,
            "role": role_of(one["seat"]),
            "whose": one["kind"].rpartition("_")[2],
            "answer": one["given"],
        }
        for one in turn["probes"]
    ]


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
        raise UserError(f"{where} has the minds {episode.players!r}; expected three names")
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


def _is_probed(found: Any) -> bool:
    needed = {"id", "name", "seat", "kind", "chain", "about", "given", "failed"}
    return _are(dict, found) and all(needed <= one.keys() for one in found)


def _are_counts(found: Any) -> bool:
    return isinstance(found, dict) and set(ROLES) <= found.keys() and _are(int, list(found.values()))


_BESIDE: dict[str, Callable[[Any], bool]] = {
    "attempts": _are_counts,
    "failures": lambda found: _are(str, found),
    "problems": lambda found: _are(str, found),
    "thoughts": _is_thought,
    "answers": _is_asked,
    "probes": _is_probed,
    "interventions": lambda found: _are(dict, found),
}


def _turn(line: dict[str, Any]) -> Turn:
    code, bob, eve = (tuple(int(digit) for digit in line[name]) for name in ("code", "bob", "eve"))
    return Turn(code, tuple(map(str, line["hints"])), bob, eve)
