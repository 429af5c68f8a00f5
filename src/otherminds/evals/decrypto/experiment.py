"""What an experiment is: minds over axes, questions, changes to what Eve has seen, and measures of the answers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, Literal

from otherminds.core.errors import UserError, nearest
from otherminds.worlds.decrypto.questions import About, Study, When, Whose
from otherminds.worlds.decrypto.types import ROLES, Role, Rules

Shown = Literal["true", "placebo", "none"]
SHOWN: tuple[Shown, ...] = ("true", "placebo", "none")
WHEN = ("before hints", "after hints")
NAME = re.compile(r"\$\{?(\w+)\}?")  # of an axis within the name of a mind


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
    whose: Whose = "now"
    shown: Shown = "none"
    when: When = "before hints"
    from_turn: int = 1


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
    turns: int | Literal["all", "last"] = "all"
    word: Literal["true", "placebo"] = "placebo"
    told: tuple[Role, ...] = ()


@dataclass(frozen=True)
class MeasureCall:
    """A measure by name, and its arguments."""

    label: str
    measure: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Cast:
    """Who plays, and where on the axes of the experiment."""

    minds: tuple[str, str, str]  # in the order of roles
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
    rules: Rules = field(default_factory=Rules)
    games: int = 32  # for each seed
    seeds: tuple[int, ...] = (0, 1, 2)
    text: str = field(default="", repr=False)  # of the file
    path: Path | None = None

    def study(self, arm: str, seed: int, bank: Sequence[str] = ()) -> Study | None:
        """What an arm asks and changes in the game of a seed; ``None`` if nothing.

        Args:
            arm: one of the experiment's; the first if it is not said.
            seed: of the game.
            bank: that games are dealt from; ours without one.

        Raises:
            UserError: if there is no such arm.
        """
        from otherminds.evals.decrypto.studies import study_maker

        found = study_maker(self, arm, bank)(seed)
        return found if self.asks or self.arms[arm or next(iter(self.arms))] else None

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
        chosen = {**self.axes}
        for name, values in (axes or {}).items():
            if name not in self.axes:
                raise UserError(f"experiment {self.name!r} has no axis {name!r}{nearest(name, self.axes)}")
            chosen[name] = values
        cast = dict(self.cast)
        for role, minds in (roles or {}).items():
            cast[role] = minds[0] if len(minds) == 1 else f"${role}"
            if len(minds) > 1:
                chosen[role] = minds
        used = [name for name in chosen if any(name in NAME.findall(mind) for mind in cast.values())]
        found = []
        for values in product(*(chosen[name] for name in used)):
            place = dict(zip(used, values, strict=True))
            alice, bob, eve = (_filled(cast[role], place) for role in ROLES)
            found.append(Cast((alice, bob, eve), place))
        return found


def _filled(mind: str, place: Mapping[str, str]) -> str:
    """The name of a mind at a place on the axes."""
    return NAME.sub(lambda match: place[match[1]], mind)
