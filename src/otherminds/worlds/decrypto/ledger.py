"""Who has seen which hint and keyword, and who thinks so: the belief ledger of Decrypto.

``belief(("eve",))`` is what Eve has to go by, ``belief(("alice", "eve"))`` what Alice thinks that is. The two differ
after an intervention that Alice was not told of.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from otherminds.core.ledger import Ledger, Observer
from otherminds.worlds.decrypto.types import ROLES, Code, Game, Intervention, Turn

Fact = tuple[str, int, int]  # ("keyword", 0, digit), ("hint", turn, digit) or ("code", turn, 0)
Value = str | Code
Mind = dict[Fact, Value]
_ALL: frozenset[Observer] = frozenset(ROLES)
_TEAM: frozenset[Observer] = frozenset(("alice", "bob"))


@dataclass(frozen=True)
class Sighting:
    """Something became visible: what it truly is, what each role saw, and who knows what the others saw."""

    fact: Fact
    value: Value
    saw: dict[Observer, Value]  # who is missing saw nothing
    told: frozenset[Observer] = _ALL


def appears(event: Sighting, observer: Observer) -> Sighting | None:
    """What an observer sees of it. Who was not told of a change thinks that all who usually see it saw the same."""
    if observer not in event.saw:
        return None
    value = event.saw[observer]
    if observer in event.told:
        return replace(event, value=value)
    return _seen(event.fact, value, {*_usual(event.fact), observer})


def update(mind: Mind, event: Sighting) -> Mind:
    """What was seen last is believed."""
    return {**mind, event.fact: event.value}


def ledger_of(game: Game) -> Ledger[Sighting, Mind]:
    """The ledger of a game so far."""
    ledger: Ledger[Sighting, Mind] = Ledger(appears, update, {})
    for digit, word in enumerate(game.keywords, 1):
        ledger.record(_seen(("keyword", 0, digit), word, _TEAM))
    for number, turn in enumerate(game.turns, 1):
        ledger.record(_seen(("code", number, 0), turn.code, _ALL))
        changes = [one for one in game.interventions if one.turn == number]
        ledger.record(*_hints(number, turn, changes), *_reveals(game, changes))
    return ledger


def _hints(number: int, turn: Turn, changes: list[Intervention]) -> Iterator[Sighting]:
    for digit, hint in zip(turn.code, turn.hints, strict=True):
        event = _seen(("hint", number, digit), hint, _ALL)
        for one in changes:
            if one.kind != "reveal" and one.digit == digit:
                eve: dict[Observer, Value] = {} if one.kind == "hide" else {"eve": one.word}
                event = replace(event, saw={**dict.fromkeys(_TEAM, hint), **eve}, told=frozenset(one.told))
        yield event


def _reveals(game: Game, changes: list[Intervention]) -> Iterator[Sighting]:
    for one in changes:
        if one.kind == "reveal":
            truth = game.keywords[one.digit - 1]
            saw: dict[Observer, Value] = {**dict.fromkeys(_TEAM, truth), "eve": one.word}
            yield Sighting(("keyword", 0, one.digit), truth, saw, frozenset(one.told))


def _seen(fact: Fact, value: Value, witnesses: frozenset[Observer] | set[Observer]) -> Sighting:
    return Sighting(fact, value, dict.fromkeys(witnesses, value))


def _usual(fact: Fact) -> frozenset[Observer]:
    """Who sees such a thing when nobody intervenes."""
    return _TEAM if fact[0] == "keyword" else _ALL
