"""What a game of Decrypto is: four keywords, a code each turn, three hints, two guesses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from otherminds.core.errors import UserError, nearest

Code = tuple[int, ...]  # digits from 1, all different
Hints = tuple[str, ...]  # one for each digit of the code, in its order
Role = Literal["alice", "bob", "eve"]
ROLES: tuple[Role, ...] = ("alice", "bob", "eve")
Ending = Literal["survived", "intercept", "miscomm", "both"]
HINT_CHECKS = ("off", "report", "strict")
GUESS_CHECKS = ("lenient", "strict")
INTERVENTIONS = ("hide", "falsify", "reveal")
NO_HINT, NO_DIGIT, NO_KEYWORD = "no_hint", 0, "no_keyword"  # what stands for an answer that never came
HIDDEN = "?"  # what stands for a hint that was hidden from Eve


@dataclass(frozen=True, slots=True)
class Rules:
    """The size of a game, and how strictly it is judged.

    Attributes:
        keywords: of each side; their digits are 1, 2, ….
        length: digits of a code.
        turns: that Alice and Bob must survive.
        tokens: miscommunications or interceptions that lose the game.
        hints: ``off`` takes any three strings, as the original does; ``report`` plays on and counts what breaks the
            rules; ``strict`` asks again.
        guesses: ``lenient`` takes any digits, as the original does; ``strict`` asks again if one is repeated.
        stops_at_interceptions: whether interceptions end a game; people's games were played on (spec 6.1).
    """

    keywords: int = 4
    length: int = 3
    turns: int = 8
    tokens: int = 2
    hints: Literal["off", "report", "strict"] = "report"
    guesses: Literal["lenient", "strict"] = "strict"
    stops_at_interceptions: bool = True

    def __post_init__(self) -> None:
        """Refuse a game that cannot be played."""
        kinds = {**dict.fromkeys(("keywords", "length", "turns", "tokens"), int), "stops_at_interceptions": bool}
        for name, kind in kinds.items():
            if type(value := getattr(self, name)) is not kind:
                expected = "a whole number" if kind is int else "true or false"
                raise UserError(f"the rule {name!r} is {value!r}; expected {expected}")
        if not 1 <= self.length <= self.keywords <= 9:
            raise UserError(f"codes of {self.length} digits for {self.keywords} keywords; expected 1 to 9, and no more")
        if self.turns < 1 or self.tokens < 1:
            raise UserError(f"{self.turns} turns and {self.tokens} tokens; expected at least 1 of each")
        if self.hints not in HINT_CHECKS or self.guesses not in GUESS_CHECKS:
            raise UserError(
                f"hints {self.hints!r} and guesses {self.guesses!r}; expected {', '.join(HINT_CHECKS)} and "
                f"{', '.join(GUESS_CHECKS)}"
            )


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
    """A change to what Eve has seen. Who is not told goes on as if nothing had happened.

    Attributes:
        kind: ``hide`` blots a past hint out, ``falsify`` puts another in its place, ``reveal`` shows a keyword.
        turn: whose hint is changed; for ``reveal``, after which turn the keyword is shown.
        digit: of the hint or keyword.
        word: the false hint, or the word that is shown as the keyword; a wrong one is a placebo.
        told: who knows of it besides Eve, who sees a blot but not that a hint is false.
    """

    kind: Literal["hide", "falsify", "reveal"]
    turn: int
    digit: int
    word: str = ""
    told: tuple[Role, ...] = ("alice",)

    def __post_init__(self) -> None:
        """Refuse one that says nothing."""
        if self.kind not in INTERVENTIONS:
            raise UserError(f"intervention {self.kind!r} is not known; expected {', '.join(INTERVENTIONS)}")
        if self.kind != "hide" and not self.word:
            raise UserError(f"an intervention that is to {self.kind} needs a word")
        if self.turn < 1 or self.digit < 1:
            raise UserError(f"turn {self.turn} and digit {self.digit} of an intervention; both count from 1")


@dataclass(frozen=True, slots=True)
class Game:
    """A game so far. ``codes`` are those of all turns, played or not: they depend on the seed alone."""

    rules: Rules
    seed: int
    keywords: tuple[str, ...]
    codes: tuple[Code, ...]
    turns: tuple[Turn, ...] = ()
    interventions: tuple[Intervention, ...] = ()


def role_of(seat: str | None) -> Role:
    """The role that a seat plays: ``alice``, or ``first.alice`` of a duel, gives hints.

    Raises:
        UserError: if it is not a seat of Decrypto.
    """
    name = (seat or "").rpartition(".")[2]
    for role in ROLES:
        if name == role:
            return role
    raise UserError(f"there is no seat {seat!r} in Decrypto{nearest(name, ROLES)}")


def dashed(code: Code) -> str:
    """A code as people write it, such as 3-1-4; ``none`` for one that was never given."""
    return "-".join(map(str, code)) if any(code) else "none"
