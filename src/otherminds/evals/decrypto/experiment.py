"""What an experiment is: minds over axes, questions, changes to what Eve has seen, and measures of the answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Literal

from otherminds.core.errors import UserError, nearest
from otherminds.core.seeds import Draw
from otherminds.worlds.decrypto.bank import hint_words, keyword_bank
from otherminds.worlds.decrypto.questions import About, Asked, Study, When, Whose, question
from otherminds.worlds.decrypto.types import ROLES, Game, Intervention, Role, Rules

AXIS = re.compile(r"\$\{?(\w+)\}?")  # the name of an axis within the name of a mind


@dataclass(frozen=True)
class Ask:
    """One question of an experiment.

    Attributes:
        name: that its answers are kept by.
        role: who is asked.
        about: what.
        whose: view is asked for.
        shown: what the mind is shown as the keywords before it answers.
        when: before Alice has spoken, or after.
        from_turn: the first turn in which it is asked.
    """

    name: str
    role: Role
    about: About
    whose: Whose
    shown: Literal["none", "true", "placebo"]
    when: When
    from_turn: int


@dataclass(frozen=True)
class Change:
    """One intervention of an experiment, before some turn and from then on.

    Attributes:
        kind: hide, falsify or reveal.
        before: the turn before which it is made.
        digit: whose hints or keyword it concerns; ``"next"`` is the first digit of the code that comes next, so that
            the change matters at once.
        turns: whose hints it concerns: ``"all"`` so far, ``"last"``, or the number of one. Those without a hint for
            the digit are left alone.
        word: what is shown instead: the ``true`` keyword, or a ``placebo``.
        told: who knows of it.
    """

    kind: Literal["hide", "falsify", "reveal"]
    before: int
    digit: int | Literal["next"]
    turns: int | Literal["all", "last"]
    word: Literal["true", "placebo"]
    told: tuple[Role, ...]


@dataclass(frozen=True)
class MeasureCall:
    """A measure by name, and its arguments."""

    label: str
    measure: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Cast:
    """Who plays, and where on the axes of the experiment."""

    minds: tuple[str, ...]  # in the order of roles
    place: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def label(self) -> str:
        """A name for tables and files."""
        return " ".join(f"{role}={mind}" for role, mind in zip(ROLES, self.minds, strict=True))


@dataclass(frozen=True)
class Experiment:
    """A whole experiment, as its file says. An *arm* is one set of changes; every arm is played on the same games."""

    name: str
    about: str
    cast: Mapping[Role, str]  # may name axes, as in rsa:lexicon=$lexicon
    axes: Mapping[str, tuple[str, ...]]
    asks: tuple[Ask, ...]
    arms: Mapping[str, tuple[Change, ...]]
    measures: tuple[MeasureCall, ...]
    rules: Rules
    games: int  # for each seed
    seeds: tuple[int, ...]
    text: str = field(repr=False)  # of the file

    def study(self, arm: str, seed: int, bank: Sequence[str] = ()) -> Study:
        """What an arm asks and changes in the game of a seed.

        Args:
            arm: one of the experiment's; the first if it is not said.
            seed: of the game.
            bank: that games are dealt from; ours without one.

        Raises:
            UserError: if there is no such arm.
        """
        if arm and arm not in self.arms:
            raise UserError(f"experiment {self.name!r} has no arm {arm!r}{nearest(arm, self.arms)}")
        changes = self.arms[arm or next(iter(self.arms))]
        return ArmStudy(self.asks, changes, seed, tuple(bank) or keyword_bank().words)

    def casts(
        self, axes: Mapping[str, tuple[str, ...]] | None = None, roles: Mapping[Role, tuple[str, ...]] | None = None
    ) -> list[Cast]:
        """All casts: every value of every axis with every other.

        Args:
            axes: other values than those of the file.
            roles: minds for a role instead of what the file says; several become an axis called after the role.

        Raises:
            UserError: if there is no such axis.
        """
        for name in axes or ():
            if name not in self.axes:
                raise UserError(f"experiment {self.name!r} has no axis {name!r}{nearest(name, self.axes)}")
        values, cast = {**self.axes, **(axes or {})}, dict(self.cast)
        for role, minds in (roles or {}).items():
            cast[role] = minds[0] if len(minds) == 1 else f"${role}"
            if len(minds) > 1:
                values[role] = minds
        used = [name for name in values if any(name in AXIS.findall(mind) for mind in cast.values())]
        found = []
        for chosen in product(*(values[name] for name in used)):
            place = dict(zip(used, chosen, strict=True))
            found.append(Cast(tuple(_filled(cast[role], place) for role in ROLES), place))
        return found


def _filled(mind: str, place: Mapping[str, str]) -> str:
    """The name of a mind at a place on the axes."""
    return AXIS.sub(lambda axis: place[axis[1]], mind)


@dataclass(frozen=True)
class ArmStudy:
    """What one arm of an experiment asks and changes in one game.

    Args:
        questions: of the experiment.
        changes: of the arm.
        seed: of the game; placebos are drawn from streams of it, so that both arms of a pair have the same.
        bank: that placebo keywords are drawn from.
    """

    questions: tuple[Ask, ...]
    changes: tuple[Change, ...]
    seed: int
    bank: tuple[str, ...]

    def interventions(self, game: Game) -> tuple[Intervention, ...]:
        """All changes made so far, and those before the turn to be played.

        They follow from the turns that were played before each was made, so nothing need be remembered.
        """
        coming = len(game.turns) + 1
        return tuple(one for change in self.changes if change.before <= coming for one in self._made(change, game))

    def asks(self, game: Game, when: When) -> list[Asked]:
        """The questions of this turn that are put then."""
        return [
            Asked(ask.name, ask.role, question(ask.about, ask.whose, self._shown(ask, game), ask.when))
            for ask in self.questions
            if ask.when == when and len(game.turns) + 1 >= ask.from_turn
        ]

    def _shown(self, ask: Ask, game: Game) -> tuple[str, ...] | None:
        if ask.shown == "placebo":
            return self.placebo(game.keywords)
        return game.keywords if ask.shown == "true" else None

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
        hinted = [at for at, turn in enumerate(game.turns[: change.before - 1], 1) if digit in turn.code]
        if change.turns == "last":
            hinted = hinted[-1:]
        for at in hinted:
            if change.turns in ("all", "last", at):
                word = "" if change.kind == "hide" else self._false_hint(game, at, digit)
                yield Intervention(change.kind, at, digit, word, change.told)

    def _false_hint(self, game: Game, at: int, digit: int) -> str:
        """A hint for a wrong keyword: any word of the vocabulary that was not given."""
        given = {hint for turn in game.turns for hint in turn.hints} | set(game.keywords)
        draw = Draw(self.seed, f"decrypto/false/{at}/{digit}")
        while (word := draw.pick(hint_words())) in given:
            pass
        return word
