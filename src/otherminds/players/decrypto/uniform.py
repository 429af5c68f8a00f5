"""Players without skill or without doubt: anchors for rules and scores (spec 3.1)."""

from __future__ import annotations

from dataclasses import dataclass

from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw
from otherminds.players.decrypto.seats import Guesser
from otherminds.worlds.decrypto.observe import View
from otherminds.worlds.decrypto.rules import all_codes
from otherminds.worlds.decrypto.types import Code, Role, Rules


@dataclass
class Uniform(Guesser):
    """Guesses any code, or any that was not played yet."""

    remembers_codes: bool = False
    name: str = "uniform"

    def begin(self, role: Role, rules: Rules, seed: int) -> None:
        self._draw = Draw(seed, f"decrypto/{role}")

    def guess(self, view: View) -> Code:
        used = view.used if self.remembers_codes else ()
        return self._draw.pick([code for code in all_codes(view.rules) if code not in used])


@dataclass
class Knowing(Guesser):
    """Is told the codes of a game beforehand. It is right from a turn on, and guesses evenly before that.

    A game is known by its seed: the bank and rules must be those it is dealt with.
    """

    bank: tuple[str, ...]
    from_turn: int = 1
    name: str = "perfect"

    def begin(self, role: Role, rules: Rules, seed: int) -> None:
        from otherminds.worlds.decrypto.rules import deal

        self._codes = deal(self.bank, seed, rules).codes
        self._draw = Draw(seed, f"decrypto/{role}")

    def guess(self, view: View) -> Code:
        if view.turn < self.from_turn:
            return self._draw.pick(all_codes(view.rules))
        return self._codes[view.turn - 1]


def uniform(role: Role, remembers_codes: bool = False) -> Uniform:
    """A guesser without skill."""
    _must_guess(role, "uniform")
    return Uniform(remembers_codes)


def perfect(role: Role, from_turn: int = 1, bank: str = "") -> Knowing:
    """A guesser that is always right, from a turn on."""
    from otherminds.worlds.decrypto.bank import keyword_bank

    _must_guess(role, "perfect")
    return Knowing(keyword_bank(bank or None).words, from_turn)


def _must_guess(role: Role, name: str) -> None:
    if role == "alice":
        raise UserError(f"player {name!r} only guesses; it cannot be alice")
