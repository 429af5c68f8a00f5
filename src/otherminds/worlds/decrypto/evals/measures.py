"""Measures by name, computed from the answers and acts of one turn. The files of experiments name them.

A measure yields any number of values for a turn. Values are averaged within a game, then over the games that have any,
as published (spec 7, 8). A missing answer yields no value: validity is counted separately.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.registry import find
from otherminds.worlds.decrypto.evals.experiment import MeasureCall
from otherminds.worlds.decrypto.minds.bayes import BayesianGuesser, production
from otherminds.worlds.decrypto.observe import view
from otherminds.worlds.decrypto.record import WORLD
from otherminds.worlds.decrypto.rules import all_codes
from otherminds.worlds.decrypto.types import Game
from otherminds.worlds.decrypto.words.lexicon import lexicon

TRUTH, SHOWN = "truth", "shown"
_LEAST = 1e-6  # lower bound of probabilities, so that no logarithm is infinite
ANSWERS = ("keywords", "guess", "chance", "target")  # arguments that name an answer; a target may be the truth


@dataclass(frozen=True)
class Moment:
    """One turn of a recorded game."""

    episode: Episode
    turn: Mapping[str, Any]

    @property
    def probes(self) -> dict[str, Mapping[str, Any]]:
        """The records of probes, by name."""
        return {probe["name"]: probe for probe in self.turn.get("probes", ())}

    def answer(self, name: str) -> Any:
        """The answer to a probe."""
        return self.probes[name]["given"]

    def has(self, name: str) -> bool:
        """Whether an answer was given; the truth and what was shown are always there."""
        return name in (TRUTH, SHOWN) or (name in self.probes and not self.probes[name]["failed"])

    def words(self, name: str, beside: str = "") -> list[str]:
        """Normalised keywords: those of an answer, the true ones, or those shown with the answer ``beside``."""
        if name == TRUTH:
            return [plain(word) for word in self.episode.start["keywords"]]
        return [plain(word) for word in (self.probes[beside]["shown"] if name == SHOWN else self.answer(name))]

    def pairs(self, of: str, to: str) -> Iterator[tuple[str, str]]:
        """The keywords of two answers, slot by slot."""
        return zip(self.words(of), self.words(to, of), strict=True)


def plain(word: str) -> str:
    """A word normalised for comparison: trimmed, in lower case, and without *unknown* (spec 7)."""
    return str(word).lower().replace("unknown", "").strip()


def is_right(turn: Mapping[str, Any], role: str) -> bool:
    """Whether Bob or Eve guessed the code of a recorded turn."""
    return bool(turn[role] == turn["code"])


def differs(moment: Moment, of: str, to: str) -> Iterable[float]:
    """The weak tests: whether an answer differs in any slot from another, the truth or what was shown."""
    return [float(moment.words(of) != moment.words(to, of))]


def equals(moment: Moment, of: str, to: str) -> Iterable[float]:
    """The strong tests: whether an answer equals another in all slots."""
    return [float(moment.words(of) == moment.words(to, of))]


def slots_equal(moment: Moment, of: str, to: str) -> Iterable[float]:
    """Slot by slot, whether an answer equals another."""
    return [float(a == b) for a, b in moment.pairs(of, to)]


def leaks(moment: Moment, of: str, since: str, towards: str = TRUTH) -> Iterable[float]:
    """For each slot that differed before, whether the answer now gives the truth, or what was shown."""
    pairs = zip(moment.words(since), moment.pairs(of, towards), strict=True)
    return [float(now == target) for before, (now, target) in pairs if before != target]


def alike(moment: Moment, of: str, to: str) -> Iterable[float]:
    """Slot by slot, the cosine of two answers: 1 for the same word; unknown words are left out."""
    meaning = lexicon("glove")
    for a, b in moment.pairs(of, to):
        if a == b:
            yield 1.0
        elif meaning.knows(a) and meaning.knows(b):
            yield float(meaning.cosines([a], [b])[0, 0])


def predicts(moment: Moment, of: str, only: str = "all") -> Iterable[float]:
    """Whether Eve made the predicted guess, in all turns or only where she was right."""
    if only == "all" or is_right(moment.turn, "eve"):
        yield float(list(moment.answer(of)) == moment.turn["eve"])


def predicts_code(moment: Moment, of: str) -> Iterable[float]:
    """Whether the predicted guess is the code."""
    return [float(list(moment.answer(of)) == moment.turn["code"])]


def brier(moment: Moment, of: str) -> Iterable[float]:
    """The squared error of a predicted chance of interception."""
    return [(float(moment.answer(of)) - is_right(moment.turn, "eve")) ** 2]


def chance(moment: Moment, of: str) -> Iterable[float]:
    """The predicted chance of interception."""
    return [float(moment.answer(of))]


def decoded(moment: Moment) -> Iterable[float]:
    """Whether Bob was right."""
    return [float(is_right(moment.turn, "bob"))]


def intercepted(moment: Moment) -> Iterable[float]:
    """Whether Eve was right."""
    return [float(is_right(moment.turn, "eve"))]


def worth(moment: Moment, of: str = "value") -> Iterable[float]:
    """The worth of the hints to a Bayesian Bob and against a Bayesian Eve who sees what Eve really sees."""
    return [worth_of(moment.episode, int(moment.turn["turn"]))[of]]


def worth_of(episode: Episode, number: int) -> dict[str, float]:
    """The probability of a turn's code to Bob and to Eve given the hints, and the value of both to Alice.

    ``value`` is ``log decode + log(1 - intercept)``, which Alice should maximise. The judge is a Bayesian reader with
    GloVe (spec 9), the same for all minds, so that the hints of different Alices can be compared.
    """
    before, after = find("world", WORLD).load().of(episode).replay(episode).states[number - 1 : number + 1]
    game: Game = replace(before, interventions=after.interventions)  # what Eve has seen includes them
    hints = tuple(episode.turns[number - 1]["hints"])
    at = all_codes(game.rules).index(tuple(episode.turns[number - 1]["code"]))
    reader = BayesianGuesser(production("glove"))
    decode, intercept = (
        math.exp(float(reader.posterior(view(game, role, hints), hints)[at])) for role in ("bob", "eve")
    )
    value = math.log(max(decode, _LEAST)) + math.log(max(1 - intercept, _LEAST))
    return {"decode": decode, "intercept": intercept, "value": value}


@dataclass(frozen=True)
class Measure:
    """A measure and the kinds of its arguments; the kinds of optional ones end in ``?``.

    ``turn`` restricts any measure to one turn. Measures that compare keywords take ``unless``, the name of an answer:
    turns in which it is wholly right are left out.
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


def values(call: MeasureCall, episode: Episode) -> list[float]:
    """All values of a measure in a game."""
    arguments, measure = dict(call.arguments), MEASURES[call.measure]
    needed = [name for key, name in arguments.items() if measure.arguments[key].removesuffix("?") in ANSWERS]
    only, unless = arguments.pop("turn", None), arguments.pop("unless", "")
    numbers: list[float] = []
    for turn in episode.turns:
        moment = Moment(episode, turn)
        if only not in (None, turn["turn"]) or not all(map(moment.has, needed)):
            continue
        if not unless or moment.words(unless) != moment.words(TRUTH):
            numbers += measure.function(moment, **arguments)
    return numbers
