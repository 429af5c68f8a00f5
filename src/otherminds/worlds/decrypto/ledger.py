"""The belief ledger of Decrypto: who has seen which hint, code and keyword, and who is thought to have seen it.

``belief(("eve",))`` is the evidence that Eve has, ``belief(("alice", "eve"))`` what Alice takes it to be. The two
differ after an intervention that Alice was not told of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from otherminds.core.ledger import Ledger, Observer
from otherminds.worlds.decrypto.types import ROLES, Game, Intervention, Turn, dashed

_ALL: frozenset[Observer] = frozenset(ROLES)
_TEAM: frozenset[Observer] = frozenset(("alice", "bob"))


class Fact(NamedTuple):
    """``("keyword", 0, digit)``, ``("hint", turn, digit)`` or ``("code", turn, 0)``."""

    kind: str
    turn: int
    digit: int

    def __str__(self) -> str:
        if self.kind == "keyword":
            return f"keyword {self.digit}"
        return f"turn {self.turn}, {self.kind}{f' for {self.digit}' if self.digit else ''}"


BeliefState = dict[Fact, str]


@dataclass(frozen=True)
class Sighting:
    """Something became visible: its true value, what each role saw, and who knows what the others saw."""

    fact: Fact
    value: str
    saw: dict[Observer, str]  # a role that is missing saw nothing
    told: frozenset[Observer] = _ALL


def appears(event: Sighting, observer: Observer) -> Sighting | None:
    """What an observer sees of an event. One who was not told of a change believes that the usual witnesses saw it."""
    if observer not in event.saw:
        return None
    value = event.saw[observer]
    if observer in event.told:
        return replace(event, value=value)
    usual = _TEAM if event.fact.kind == "keyword" else _ALL
    return _seen(event.fact, value, {*usual, observer})


def update(mind: BeliefState, event: Sighting) -> BeliefState:
    """The belief after an event: what was seen last is believed."""
    return {**mind, event.fact: event.value}


def ledger_of(game: Game) -> Ledger[Sighting, BeliefState]:
    """The ledger of a game so far."""
    ledger: Ledger[Sighting, BeliefState] = Ledger(appears, update, {})
    for digit, word in enumerate(game.keywords, 1):
        ledger.record(_seen(Fact("keyword", 0, digit), word, _TEAM))
    for number, turn in enumerate(game.turns, 1):
        ledger.record(_seen(Fact("code", number, 0), dashed(turn.code), _ALL))
        changes = [change for change in game.interventions if change.turn == number]
        ledger.record(*_hints(number, turn, changes))
        for change in changes:
            if change.kind == "reveal":
                truth = game.keywords[change.digit - 1]
                saw: dict[Observer, str] = {**dict.fromkeys(_TEAM, truth), "eve": change.word}
                ledger.record(Sighting(Fact("keyword", 0, change.digit), truth, saw, frozenset(change.told)))
    return ledger


def _hints(number: int, turn: Turn, changes: list[Intervention]) -> Iterator[Sighting]:
    for digit, hint in zip(turn.code, turn.hints, strict=True):
        event = _seen(Fact("hint", number, digit), hint, _ALL)
        for change in changes:
            if change.kind != "reveal" and change.digit == digit:
                eve: dict[Observer, str] = {} if change.kind == "hide" else {"eve": change.word}
                event = replace(event, saw={**dict.fromkeys(_TEAM, hint), **eve}, told=frozenset(change.told))
        yield event


def _seen(fact: Fact, value: str, witnesses: Iterable[Observer]) -> Sighting:
    return Sighting(fact, value, dict.fromkeys(witnesses, value))
