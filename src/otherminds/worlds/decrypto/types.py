"""Data of a game: rules, turns, interventions and the game itself. All of it is frozen."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal

from otherminds.core.errors import UserError, check_like, either, nearest

Code = tuple[int, ...]  # digits from 1, all different
Hints = tuple[str, ...]  # one for each digit of the code, in its order
Role = Literal["alice", "bob", "eve"]
ROLES: tuple[Role, ...] = ("alice", "bob", "eve")
Ending = Literal["survived", "intercept", "miscomm", "both"]
CHECKS = {"hints": ("off", "report", "strict"), "guesses": ("lenient", "strict")}  # values of these rules
INTERVENTIONS = ("hide", "falsify", "reveal")
NO_HINT, NO_DIGIT, NO_KEYWORD = "no_hint", 0, "no_keyword"  # stand for an answer that never came
HIDDEN = "?"  # stands for a hint that was hidden from Eve


@dataclass(frozen=True, slots=True)
class Rules:
    """The size of a game, and how strictly replies are checked."""

    keywords: int = 4
    length: int = 3  # of a code
    turns: int = 8  # that Alice and Bob must survive
    tokens: int = 2  # miscommunications or interceptions that lose the game
    hints: Literal["off", "report", "strict"] = "report"  # take any strings, count broken rules, or ask again
    guesses: Literal["lenient", "strict"] = "strict"  # asks again if a digit is repeated; the original does not
    stops_at_interceptions: bool = True  # games of people were played on (spec 6.1)

    def __post_init__(self) -> None:
        """Refuse rules that cannot be played by."""
        for rule in fields(self):
            name, value = f"the rule {rule.name!r}", getattr(self, rule.name)
            if rule.name not in CHECKS:
                check_like(name, value, rule.default)
            elif value not in CHECKS[rule.name]:
                raise UserError(f"{name} is {value!r}; expected {either(CHECKS[rule.name])}")
        if not self.length <= self.keywords <= 9:
            raise UserError(
                f"codes have {self.length} digits for {self.keywords} keywords; expected at most 9 keywords, and at "
                f"most one digit for each"
            )

    def plain(self) -> dict[str, Any]:
        """The rules as a record keeps them; many times faster than ``asdict``, which copies every value."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn, after the reveal."""

    code: Code
    hints: Hints
    bob: Code
    eve: Code

    @property
    def is_decoded(self) -> bool:
        """Whether Bob was right."""
        return self.bob == self.code

    @property
    def is_intercepted(self) -> bool:
        """Whether Eve was right."""
        return self.eve == self.code


@dataclass(frozen=True, slots=True)
class Intervention:
    """A change to what Eve has seen. A seat that is not told of it plays on as if nothing had happened."""

    kind: Literal["hide", "falsify", "reveal"]  # blots out a past hint, replaces it, or shows a keyword
    turn: int  # of the changed hint, or after which the keyword is shown
    digit: int
    word: str = ""  # the false hint, or what is shown as the keyword; a wrong one is a placebo
    told: tuple[Role, ...] = ("alice",)  # who knows of it besides Eve, who sees a blot but not that a hint is false

    def __post_init__(self) -> None:
        """Refuse a change that has no meaning."""
        if self.kind not in INTERVENTIONS:
            raise UserError(f"intervention {self.kind!r} is unknown; expected one of {', '.join(INTERVENTIONS)}")
        if self.kind != "hide" and not self.word:
            raise UserError(f"an intervention of kind {self.kind!r} has no word; expected one")
        if self.turn < 1 or self.digit < 1:
            raise UserError(f"an intervention has turn {self.turn} and digit {self.digit}; both count from 1")


@dataclass(frozen=True, slots=True)
class Game:
    """A game so far. ``codes`` holds the codes of all turns, played or not: they depend on the seed alone."""

    rules: Rules
    seed: int
    keywords: tuple[str, ...]
    codes: tuple[Code, ...]
    turns: tuple[Turn, ...] = ()
    interventions: tuple[Intervention, ...] = ()


def role_of(seat: str | None) -> Role:
    """The role of a seat: ``alice`` for ``alice``, and for ``first.alice`` of a duel.

    Raises:
        UserError: if it is not a seat of Decrypto.
    """
    name = (seat or "").rpartition(".")[2]
    for role in ROLES:
        if name == role:
            return role
    raise UserError(f"there is no seat {seat!r} in Decrypto{nearest(name, ROLES)}")


def dashed(code: Code) -> str:
    """A code as people write it, such as 3-1-4; ``none`` for a guess that was never made."""
    return "-".join(map(str, code)) if any(code) else "none"
