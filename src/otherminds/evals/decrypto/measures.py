"""Measures by name: what is computed from the answers and acts of one turn. Experiments' files call them.

A measure gives no, one or several values a turn. Values are averaged within a game, then over the games that have any,
as published (spec 7, 8). An answer that never came gives no value: validity is counted apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.yaml_lines import Field
from otherminds.evals.decrypto.experiment import Ask, MeasureCall
from otherminds.worlds.decrypto.lexicon import lexicon as find_lexicon
from otherminds.worlds.decrypto.record import answers_of
from otherminds.worlds.decrypto.types import Rules

TRUTH, SHOWN = "truth", "shown"


@dataclass(frozen=True)
class Moment:
    """One turn of a recorded game."""

    episode: Episode
    turn: Mapping[str, Any]

    @property
    def keywords(self) -> list[str]:
        """The truth."""
        return list(self.episode.start["keywords"])

    @property
    def answers(self) -> dict[str, Mapping[str, Any]]:
        """What was asked, by name."""
        return {one["name"]: one for one in answers_of(self.turn)}

    def words(self, name: str, beside: str = "") -> list[str]:
        """Keywords as they are compared: of an answer, the truth, or what was shown with the answer ``beside``."""
        if name == TRUTH:
            return [plain(word) for word in self.keywords]
        found = self.answers[beside]["shown"] if name == SHOWN else self.answers[name]["answer"]
        return [plain(word) for word in found]


def plain(word: str) -> str:
    """A word as the original compares it: trimmed, in lower case, and without *unknown* (spec 7)."""
    return str(word).lower().replace("unknown", "").strip()


def _is_left_out(moment: Moment, unless: str) -> bool:
    return bool(unless) and moment.words(unless) == moment.words(TRUTH)


def differs(moment: Moment, of: str, to: str, unless: str = "") -> Iterator[float]:
    """Whether an answer differs from another, the truth or what was shown, in any slot: the weak tests."""
    if not _is_left_out(moment, unless):
        yield float(moment.words(of) != moment.words(to, of))


def equals(moment: Moment, of: str, to: str, unless: str = "") -> Iterator[float]:
    """Whether an answer is another in all slots: the strong tests."""
    if not _is_left_out(moment, unless):
        yield float(moment.words(of) == moment.words(to, of))


def leaks(moment: Moment, of: str, since: str, towards: str = TRUTH) -> Iterator[float]:
    """Of each slot that was not so before: whether the answer now gives the truth, or what was shown."""
    before, now, target = moment.words(since), moment.words(of), moment.words(towards, of)
    yield from (float(n == t) for b, n, t in zip(before, now, target, strict=True) if b != t)


def slots_equal(moment: Moment, of: str, to: str, unless: str = "") -> Iterator[float]:
    """The same slot by slot."""
    if not _is_left_out(moment, unless):
        yield from (float(a == b) for a, b in zip(moment.words(of), moment.words(to, of), strict=True))


def alike(moment: Moment, of: str, to: str, unless: str = "", lexicon: str = "glove") -> Iterator[float]:
    """How alike two answers are in meaning, slot by slot: 1 for the same word; words without a meaning are left out."""
    meaning = find_lexicon(lexicon)
    if not _is_left_out(moment, unless):
        for a, b in zip(moment.words(of), moment.words(to, of), strict=True):
            if a == b:
                yield 1.0
            elif meaning.knows(a) and meaning.knows(b):
                yield float(meaning.cosines([a], [b])[0, 0])


def predicts(moment: Moment, of: str, who: str = "eve", only: str = "all") -> Iterator[float]:
    """Whether a predicted guess was made; in all turns, or only where Eve was right."""
    if only == "all" or moment.turn["eve"] == moment.turn["code"]:
        yield float(list(moment.answers[of]["answer"]) == moment.turn[who])


def predicts_code(moment: Moment, of: str) -> Iterator[float]:
    """Whether the predicted guess is the code: an interception is expected."""
    yield float(list(moment.answers[of]["answer"]) == moment.turn["code"])


def brier(moment: Moment, of: str) -> Iterator[float]:
    """The squared error of a predicted chance of interception."""
    yield (float(moment.answers[of]["answer"]) - (moment.turn["eve"] == moment.turn["code"])) ** 2


def chance(moment: Moment, of: str) -> Iterator[float]:
    """The predicted chance itself."""
    yield float(moment.answers[of]["answer"])


def decoded(moment: Moment) -> Iterator[float]:
    """Whether Bob was right."""
    yield float(moment.turn["bob"] == moment.turn["code"])


def intercepted(moment: Moment) -> Iterator[float]:
    """Whether Eve was right."""
    yield float(moment.turn["eve"] == moment.turn["code"])


def worth(moment: Moment, of: str = "value", lexicon: str = "glove") -> Iterator[float]:
    """What the hints are worth by a Bayesian Bob and by a Bayesian Eve who sees what Eve really sees."""
    from otherminds.evals.decrypto.worth import worth_of

    yield worth_of(moment.episode, int(moment.turn["turn"]), lexicon)[of]


@dataclass(frozen=True)
class Measure:
    """A measure, and the kinds of its arguments; those that may be left out end in ``?``."""

    function: Callable[..., Iterator[float]]
    arguments: Mapping[str, str]


_PAIR = {"of": "keywords", "to": "target", "unless": "keywords?"}
MEASURES: dict[str, Measure] = {
    name: Measure(function, {**arguments, "turn": "turn?"})
    for name, function, arguments in (
        ("differs", differs, _PAIR),
        ("equals", equals, _PAIR),
        ("leaks", leaks, {"of": "keywords", "since": "keywords", "towards": "truth shown?"}),
        ("slots_equal", slots_equal, _PAIR),
        ("alike", alike, {**_PAIR, "lexicon": "lexicon?"}),
        ("predicts", predicts, {"of": "guess", "who": "bob eve?", "only": "all interceptions?"}),
        ("predicts_code", predicts_code, {"of": "guess"}),
        ("brier", brier, {"of": "chance"}),
        ("chance", chance, {"of": "chance"}),
        ("decoded", decoded, {}),
        ("intercepted", intercepted, {}),
        ("worth", worth, {"of": "value decode intercept?", "lexicon": "lexicon?"}),
    )
}


def argument(field: Field, kind: str, asks: Sequence[Ask], rules: Rules) -> Any:
    """An argument of a measure from a file; what it cannot be is refused by its line."""
    kind = kind.removesuffix("?")
    if kind == "turn":
        return field.whole(1, rules.turns)
    if kind == "lexicon":
        try:
            find_lexicon(field.text())
        except UserError as error:
            field.fail(str(error))
        return field.text()
    if kind in ("keywords", "guess", "chance", "target"):
        about = "keywords" if kind == "target" else kind
        return field.one_of([*(ask.name for ask in asks if ask.about == about), *((TRUTH, SHOWN) * (kind == "target"))])
    return field.one_of(kind.split())


def values(call: MeasureCall, episode: Episode) -> list[float]:
    """All values of a measure in a game."""
    arguments = dict(call.arguments)
    only = arguments.pop("turn", None)
    measure = MEASURES[call.measure]
    needed = [arguments[key] for key, kind in measure.arguments.items() if key in arguments and _is_answer(kind)]
    found: list[float] = []
    for turn in episode.turns:
        moment = Moment(episode, turn)
        if only in (None, turn["turn"]) and all(_is_there(moment, name) for name in needed):
            found += measure.function(moment, **arguments)
    return found


def _is_answer(kind: str) -> bool:
    return kind.removesuffix("?") in ("keywords", "guess", "chance", "target")


def _is_there(moment: Moment, name: str) -> bool:
    if name in (TRUTH, SHOWN):
        return True
    found = moment.answers.get(name)
    return found is not None and not found["failed"]
