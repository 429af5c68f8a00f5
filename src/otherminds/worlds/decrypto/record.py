"""Games as records: a line for each turn, and the way back from a record to the game.

A record is replayed rather than trusted: what it says of its end must follow from its turns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.mind import Reply
from otherminds.core.world import Played
from otherminds.worlds.decrypto.hints import hint_problems
from otherminds.worlds.decrypto.rules import ending
from otherminds.worlds.decrypto.types import ROLES, Game, Intervention, Role, Rules, Turn, role_of

WORLD = "decrypto-v0"


def dealt(game: Game) -> dict[str, Any]:
    """What the record keeps of a deal."""
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
    is_judged = after.rules.hints != "off" and not replies["alice"].is_default  # what stands for hints breaks no rule
    if is_judged and (problems := hint_problems(turn.hints, before.keywords, used_hints(before))):
        line["problems"] = problems
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
    role = role_of(probe["seat"])
    if probe["about"] == "guess":
        whose = "eve" if probe["chain"] else role
        return None if whose == "alice" or whose in line["failures"] else line[whose]
    if probe["about"] != "keywords" or probe["kind"] == "keywords_now":
        return None
    whose = "eve" if probe["kind"] == "keywords_eve" else role
    for one in probes:
        is_plain = one["kind"] == "keywords_now" and not one.get("shown") and not one["failed"]
        if is_plain and role_of(one["seat"]) == whose:
            return one["given"]
    return None


def _thought(thoughts: Any) -> dict[str, Any]:
    return thoughts if isinstance(thoughts, dict) else {"reasoning": str(thoughts)}


def turn_replies(turn: Mapping[str, Any], seating: Mapping[Role, str]) -> dict[str, Any]:
    """The replies of a recorded turn by ask id; those that never came are left out."""
    acts: dict[Role, Any] = {"alice": turn["hints"], "bob": turn["bob"], "eve": turn["eve"]}
    failures = turn.get("failures", ())
    found = {f"{turn['turn']}/{seating[role]}": act for role, act in acts.items() if role not in failures and any(act)}
    return found | {probe["id"]: probe["given"] for probe in turn.get("probes", ()) if not probe["failed"]}


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
        states = [Game(rules, episode.seed, tuple(episode.start["keywords"]), codes)]
        for line in episode.turns:
            made = line.get("interventions", ())
            changes = tuple(Intervention(**{**one, "told": tuple(one["told"])}) for one in made)
            turn = Turn(*(tuple(line[name]) for name in ("code", "hints", "bob", "eve")))
            states.append(replace(states[-1], turns=(*states[-1].turns, turn), interventions=changes))
    except (KeyError, TypeError, ValueError) as error:
        raise UserError(f"{where} cannot be read as a game of Decrypto: {type(error).__name__} {error}") from error
    for number, state in enumerate(states):
        how, code = ending(state), state.turns[-1].code if number else ()
        if how is not None and number < len(episode.turns):
            raise UserError(f"{where}: turn {number + 1} was played after the game had ended ({how})")
        if 1 <= number <= len(codes) and code != codes[number - 1]:
            raise UserError(f"{where}: turn {number} has the code {code}; dealt was {codes[number - 1]}")
        if any(one.digit > rules.keywords for one in state.interventions):
            raise UserError(f"{where}: an intervention has a digit above {rules.keywords}")
    if episode.end is not None and episode.end.get("ending") != how:
        raise UserError(f"{where} says that it ended as {episode.end.get('ending')!r}; by its turns, {how!r}")
    return Played(rules, states)


def check_form(episode: Episode) -> None:
    """Refuse a record that is no game's, before anybody counts or draws what is in it.

    Raises:
        UserError: says what was found, where, and what was expected.
    """
    where = f"episode {episode.id!r}"
    if len(episode.minds) != len(ROLES) or not _are(str, list(episode.minds.values())):
        raise UserError(f"{where} has the minds {episode.minds!r}; expected three names")
    keywords: Any = episode.start.get("keywords")
    if not _are(str, keywords) or len(keywords) != episode.config.get("keywords", len(keywords)):
        raise UserError(f"{where} cannot be read: its keywords are {keywords!r}")
    length = episode.config.get("length")
    for number, line in enumerate(episode.turns, 1):
        for name, kind in (("code", int), ("hints", str), ("bob", int), ("eve", int)):
            if not _are(kind, line.get(name)) or len(line[name]) != length:
                raise UserError(
                    f"{where}, turn {number} cannot be read: {name} is {line.get(name)!r}; expected {length} of them"
                )
        if line.get("turn") != number or not all(1 <= digit <= len(keywords) for digit in line["code"]):
            raise UserError(f"{where}, turn {number} cannot be read: number {line.get('turn')!r}, code {line['code']}")
        for name, fits in _BESIDE.items():
            if name in line and not fits(line[name]):
                raise UserError(f"{where}, turn {number} cannot be read: {name} is {line[name]!r}")


def _are(kind: type, found: Any) -> bool:
    """Whether it is a list of that."""
    return isinstance(found, list | tuple) and all(isinstance(one, kind) for one in found)


def _are_thoughts(found: Any) -> bool:
    """Whether it is something of each role; probable keywords are words with numbers, for each digit."""
    if not isinstance(found, dict) or not _are(dict, list(found.values())):
        return False
    beliefs = [one.get("keywords", ()) for one in found.values()]
    if not all(_are(list, belief) for belief in beliefs):
        return False
    pairs = [pair for belief in beliefs for row in belief for pair in row]
    return all(isinstance(pair, list) and len(pair) == 2 and isinstance(pair[1], int | float) for pair in pairs)


_PROBE = {"id", "name", "seat", "kind", "chain", "about", "given", "failed"}
_BESIDE: dict[str, Callable[[Any], bool]] = {  # what a line may have, and what it looks like
    "attempts": lambda found: isinstance(found, dict) and set(ROLES) <= found.keys() and _are(int, [*found.values()]),
    "failures": lambda found: _are(str, found),
    "problems": lambda found: _are(str, found),
    "thoughts": _are_thoughts,
    "probes": lambda found: _are(dict, found) and all(one.keys() >= _PROBE for one in found),
    "interventions": lambda found: _are(dict, found),
}
