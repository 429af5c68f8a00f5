"""Measures by name: what is computed from the answers and acts of one turn. Experiments' files call them.

A measure gives no, one or several values a turn. Values are averaged within a game, then over the games that have any,
as published (spec 7, 8). An answer that never came gives no value: validity is counted apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.yaml_lines import Field
from otherminds.evals.decrypto.experiment import Ask, MeasureCall
from otherminds.worlds.decrypto.lexicon import lexicon
from otherminds.worlds.decrypto.observe import view
from otherminds.worlds.decrypto.record import play_again
from otherminds.worlds.decrypto.rules import all_codes
from otherminds.worlds.decrypto.types import Game, Rules

TRUTH, SHOWN = "truth", "shown"
_LEAST = 1e-6  # a probability below this counts as this, so that no logarithm is infinite
_ANSWERS = ("keywords", "guess", "chance", "target")  # arguments that name an answer; a target may be the truth


@dataclass(frozen=True)
class Moment:
    """One turn of a recorded game."""

    episode: Episode
    turn: Mapping[str, Any]

    @property
    def probes(self) -> dict[str, Mapping[str, Any]]:
        """What was asked, by name."""
        return {one["name"]: one for one in self.turn.get("probes", ())}

    def given(self, name: str) -> Any:
        """An answer."""
        return self.probes[name]["given"]

    def has(self, name: str) -> bool:
        """Whether an answer came, or it is what is always there."""
        return name in (TRUTH, SHOWN) or (name in self.probes and not self.probes[name]["failed"])

    def is_right(self, role: str) -> bool:
        """Whether Bob or Eve guessed the code."""
        return bool(self.turn[role] == self.turn["code"])

    def words(self, name: str, beside: str = "") -> list[str]:
        """Keywords as they are compared: of an answer, the truth, or what was shown with the answer ``beside``."""
        if name == TRUTH:
            return [plain(word) for word in self.episode.start["keywords"]]
        return [plain(word) for word in (self.probes[beside]["shown"] if name == SHOWN else self.given(name))]

    def pairs(self, of: str, to: str) -> Iterator[tuple[str, str]]:
        """The keywords of two answers, slot by slot."""
        return zip(self.words(of), self.words(to, of), strict=True)


def plain(word: str) -> str:
    """A word as the original compares it: trimmed, in lower case, and without *unknown* (spec 7)."""
    return str(word).lower().replace("unknown", "").strip()


def differs(moment: Moment, of: str, to: str) -> Iterable[float]:
    """Whether an answer differs from another, the truth or what was shown, in any slot: the weak tests."""
    return [float(moment.words(of) != moment.words(to, of))]


def equals(moment: Moment, of: str, to: str) -> Iterable[float]:
    """Whether an answer is another in all slots: the strong tests."""
    return [float(moment.words(of) == moment.words(to, of))]


def slots_equal(moment: Moment, of: str, to: str) -> Iterable[float]:
    """The same slot by slot."""
    return [float(a == b) for a, b in moment.pairs(of, to)]


def leaks(moment: Moment, of: str, since: str, towards: str = TRUTH) -> Iterable[float]:
    """Of each slot that was not so before: whether the answer now gives the truth, or what was shown."""
    pairs = zip(moment.words(since), moment.pairs(of, towards), strict=True)
    return [float(now == target) for before, (now, target) in pairs if before != target]


def alike(moment: Moment, of: str, to: str) -> Iterable[float]:
    """How alike two answers are in meaning, slot by slot: 1 for the same word; words without a meaning are left out."""
    meaning = lexicon("glove")
    for a, b in moment.pairs(of, to):
        if a == b:
            yield 1.0
        elif meaning.knows(a) and meaning.knows(b):
            yield float(meaning.cosines([a], [b])[0, 0])


def predicts(moment: Moment, of: str, only: str = "all") -> Iterable[float]:
    """Whether Eve made the guess that was predicted; in all turns, or only where she was right."""
    if only == "all" or moment.is_right("eve"):
        yield float(list(moment.given(of)) == moment.turn["eve"])


def predicts_code(moment: Moment, of: str) -> Iterable[float]:
    """Whether the predicted guess is the code: an interception is expected."""
    return [float(list(moment.given(of)) == moment.turn["code"])]


def brier(moment: Moment, of: str) -> Iterable[float]:
    """The squared error of a predicted chance of interception."""
    return [(float(moment.given(of)) - moment.is_right("eve")) ** 2]


def chance(moment: Moment, of: str) -> Iterable[float]:
    """The predicted chance itself."""
    return [float(moment.given(of))]


def decoded(moment: Moment) -> Iterable[float]:
    """Whether Bob was right."""
    return [float(moment.is_right("bob"))]


def intercepted(moment: Moment) -> Iterable[float]:
    """Whether Eve was right."""
    return [float(moment.is_right("eve"))]


def worth(moment: Moment, of: str = "value") -> Iterable[float]:
    """What the hints are worth by a Bayesian Bob and by a Bayesian Eve who sees what Eve really sees."""
    return [worth_of(moment.episode, int(moment.turn["turn"]))[of]]


def worth_of(episode: Episode, number: int) -> dict[str, float]:
    """How probable the code of a turn is to Bob and to Eve by its hints, and the value of both to Alice.

    ``value`` is ``log decode + log(1 - intercept)``: what an Alice would have as high as possible. The judge is a
    Bayesian reader with GloVe (spec 9), the same for all minds, so that hints of two Alices can be compared.
    """
    from otherminds.players.decrypto.bayes import BayesianGuesser
    from otherminds.players.decrypto.production import production

    game, hints = game_before(episode, number), tuple(episode.turns[number - 1]["hints"])
    at = all_codes(game.rules).index(tuple(episode.turns[number - 1]["code"]))
    reader = BayesianGuesser(production("glove"))
    decode, intercept = (
        math.exp(float(reader.posterior(view(game, role, hints), hints)[at])) for role in ("bob", "eve")
    )
    value = math.log(max(decode, _LEAST)) + math.log(max(1 - intercept, _LEAST))
    return {"decode": decode, "intercept": intercept, "value": value}


def game_before(episode: Episode, number: int) -> Game:
    """The game of a record before one of its turns, with the changes that were made by then.

    Raises:
        UserError: if it has no such turn.
    """
    played = play_again(episode)
    if not 1 <= number < len(played.states):
        raise UserError(f"{episode.id} has no turn {number}; expected 1 to {len(played.states) - 1}")
    before: Game = played.states[number - 1]
    return replace(before, interventions=played.states[number].interventions)


@dataclass(frozen=True)
class Measure:
    """A measure, and the kinds of its arguments; those that may be left out end in ``?``.

    Every measure also takes the ``turn`` that it is of, and those that compare keywords leave out turns in which the
    answer that ``unless`` names is wholly right.
    """

    function: Callable[..., Iterable[float]]
    arguments: Mapping[str, str]


_PAIR = {"of": "keywords", "to": "target", "unless": "keywords?"}
MEASURES: dict[str, Measure] = {
    function.__name__: Measure(function, {**arguments, "turn": "turn?"})
    for function, arguments in (
        (differs, _PAIR),
        (equals, _PAIR),
        (leaks, {"of": "keywords", "since": "keywords", "towards": "truth shown?"}),
        (slots_equal, _PAIR),
        (alike, _PAIR),
        (predicts, {"of": "guess", "only": "all interceptions?"}),
        (predicts_code, {"of": "guess"}),
        (brier, {"of": "chance"}),
        (chance, {"of": "chance"}),
        (decoded, {}),
        (intercepted, {}),
        (worth, {"of": "value decode intercept?"}),
    )
}


def argument(field: Field, kind: str, asks: Sequence[Ask], rules: Rules) -> Any:
    """An argument of a measure from a file; what it cannot be is refused by its line."""
    kind = kind.removesuffix("?")
    if kind == "turn":
        return field.whole(1, rules.turns)
    if kind not in _ANSWERS:
        return field.one_of(kind.split())
    about, others = ("keywords", (TRUTH, SHOWN)) if kind == "target" else (kind, ())
    return field.one_of([*(ask.name for ask in asks if ask.about == about), *others])


def values(call: MeasureCall, episode: Episode) -> list[float]:
    """All values of a measure in a game."""
    arguments, measure = dict(call.arguments), MEASURES[call.measure]
    needed = [name for key, name in arguments.items() if measure.arguments[key].removesuffix("?") in _ANSWERS]
    only, unless = arguments.pop("turn", None), arguments.pop("unless", "")
    found: list[float] = []
    for turn in episode.turns:
        moment = Moment(episode, turn)
        if only not in (None, turn["turn"]) or not all(map(moment.has, needed)):
            continue
        if not unless or moment.words(unless) != moment.words(TRUTH):
            found += measure.function(moment, **arguments)
    return found
