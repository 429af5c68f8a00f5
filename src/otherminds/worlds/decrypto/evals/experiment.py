"""The parts of an experiment: minds over axes, probes, changes to what Eve has seen, and measures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, Literal, NamedTuple

from otherminds.core.errors import UserError, nearest
from otherminds.core.seeds import Draw
from otherminds.worlds.decrypto.probes import Asked, Study, When
from otherminds.worlds.decrypto.types import ROLES, Game, Intervention, Role, Rules
from otherminds.worlds.decrypto.words.lexicon import hint_words, keyword_bank

AXIS = re.compile(r"\$\{?(\w+)\}?")  # the name of an axis within the name of a mind


class PlannedProbe(NamedTuple):
    """One probe of an experiment, without what it shows."""

    asked: Asked
    shown: Literal["none", "true", "placebo"]  # as the keywords, before the answer
    from_turn: int


@dataclass(frozen=True)
class Change:
    """One intervention of an experiment, made before some turn and lasting from then on."""

    kind: Literal["hide", "falsify", "reveal"]  # all past hints of a digit, or its keyword
    before: int
    digit: int | Literal["next"]  # "next" is the first digit of the coming code, so that the change matters at once
    word: Literal["true", "placebo"]  # what is shown as the keyword
    told: tuple[Role, ...]


@dataclass(frozen=True)
class MeasureCall:
    """A measure by name, with its arguments and its label in tables."""

    label: str
    measure: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Cast:
    """A mind for each role, and its place on the axes of the experiment."""

    minds: tuple[str, ...]  # in the order of roles
    place: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def specs(self) -> dict[str, str]:
        """The name of a mind for each seat."""
        return dict(zip(ROLES, self.minds, strict=True))


@dataclass(frozen=True)
class Experiment:
    """An experiment as its file describes it. An *arm* is a set of changes; all arms are played on the same games."""

    name: str
    about: str
    cast: Mapping[Role, str]  # may name axes, as in rsa:lexicon=$lexicon
    axes: Mapping[str, tuple[str, ...]]
    probes: tuple[PlannedProbe, ...]
    arms: Mapping[str, tuple[Change, ...]]
    measures: tuple[MeasureCall, ...]
    rules: Rules
    games: int  # for each seed
    seeds: tuple[int, ...]
    text: str = field(repr=False)  # content of the file

    def study(self, arm: str, seed: int, bank: Sequence[str] = ()) -> Study:
        """The probes and interventions of an arm, by default the first, in the game of a seed, dealt from a bank.

        Raises:
            UserError: if the arm does not exist.
        """
        if arm and arm not in self.arms:
            raise UserError(f"experiment {self.name!r} has no arm {arm!r}{nearest(arm, self.arms)}")
        changes = self.arms[arm or next(iter(self.arms))]
        return ArmStudy(self.probes, changes, seed, tuple(bank) or keyword_bank())

    def casts(
        self, axes: Mapping[str, tuple[str, ...]] | None = None, roles: Mapping[Role, tuple[str, ...]] | None = None
    ) -> list[Cast]:
        """All casts: every value of every axis with every other.

        Args:
            axes: values that replace those of the file.
            roles: minds that replace those of the file; several become an axis named after the role.

        Raises:
            UserError: if an axis does not exist.
        """
        for name in axes or ():
            if name not in self.axes:
                raise UserError(f"experiment {self.name!r} has no axis {name!r}{nearest(name, self.axes)}")
        values, cast = {**self.axes, **(axes or {})}, dict(self.cast)
        for role, minds in (roles or {}).items():
            if len(minds) > 1:
                values[role] = minds
            cast[role] = f"${role}" if len(minds) > 1 else minds[0]
        used = [name for name in values if any(name in AXIS.findall(mind) for mind in cast.values())]
        places = [dict(zip(used, chosen, strict=True)) for chosen in product(*(values[name] for name in used))]
        return [
            Cast(tuple(AXIS.sub(lambda axis, place=place: place[axis[1]], cast[role]) for role in ROLES), place)  # type: ignore[misc]
            for place in places
        ]


@dataclass(frozen=True)
class ArmStudy:
    """The probes and interventions of one arm of an experiment in one game."""

    questions: tuple[PlannedProbe, ...]
    changes: tuple[Change, ...]
    seed: int  # of the game; placebos are drawn from streams of it, so that both arms of a pair have the same
    bank: tuple[str, ...]

    def interventions(self, game: Game) -> tuple[Intervention, ...]:
        """All changes up to the turn to be played. They follow from the turns before each change."""
        coming = len(game.turns) + 1
        return tuple(made for change in self.changes if change.before <= coming for made in self._made(change, game))

    def probes(self, game: Game, when: When) -> list[Asked]:
        """The probes of a moment of this turn."""
        return [
            asked._replace(probe=replace(asked.probe, shown=self._shown(shown, game)))
            for asked, shown, from_turn in self.questions
            if asked.probe.moment == when and len(game.turns) + 1 >= from_turn
        ]

    def _shown(self, shown: str, game: Game) -> tuple[str, ...] | None:
        if shown == "placebo":
            return self.placebo(game.keywords)
        return game.keywords if shown == "true" else None

    def placebo(self, keywords: Sequence[str]) -> tuple[str, ...]:
        """Keywords that are all wrong, the same throughout the game."""
        others = [word for word in self.bank if word not in keywords]
        if len(others) < len(keywords):
            raise UserError(f"the bank has {len(others)} words besides the keywords; a placebo needs {len(keywords)}")
        return tuple(Draw(self.seed, "decrypto/placebo").some(others, len(keywords)))

    def _made(self, change: Change, game: Game) -> Iterator[Intervention]:
        digit = game.codes[change.before - 1][0] if change.digit == "next" else change.digit
        if change.kind == "reveal":
            words = game.keywords if change.word == "true" else self.placebo(game.keywords)
            yield Intervention("reveal", change.before - 1, digit, words[digit - 1], change.told)
            return
        for number, turn in enumerate(game.turns[: change.before - 1], 1):
            if digit in turn.code:
                word = "" if change.kind == "hide" else self._false_hint(game, number, digit)
                yield Intervention(change.kind, number, digit, word, change.told)

    def _false_hint(self, game: Game, turn: int, digit: int) -> str:
        """A hint that has nothing to do with the keyword: any word of the vocabulary that was not given."""
        taken = {hint for turn in game.turns for hint in turn.hints} | set(game.keywords)
        draw = Draw(self.seed, f"decrypto/false/{turn}/{digit}")
        while (word := draw.pick(hint_words())) in taken:
            pass
        return word
