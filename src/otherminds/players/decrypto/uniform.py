"""Minds without skill or without doubt: anchors for rules and scores (spec 3.1)."""

from __future__ import annotations

from dataclasses import dataclass

from otherminds.core.errors import UserError
from otherminds.core.mind import Briefing, Reply
from otherminds.core.seeds import Draw
from otherminds.core.world import Ask
from otherminds.players.decrypto.seats import Guesser
from otherminds.worlds.decrypto.duel import game_of
from otherminds.worlds.decrypto.observe import View
from otherminds.worlds.decrypto.rules import all_codes, code_of
from otherminds.worlds.decrypto.types import Code, Game, role_of


@dataclass
class Uniform(Guesser):
    """Guesses any code, or any that was not played yet."""

    remembers_codes: bool = False
    name: str = "uniform"

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self._draw = Draw(seed)

    def guess(self, view: View) -> Code:
        if not self.remembers_codes:
            return self._draw.pick(all_codes(view.rules))
        return self._draw.pick([code for code in all_codes(view.rules) if code not in view.used])


@dataclass
class Knowing(Uniform):
    """Reads the code from the true state. It is right from a turn on, and guesses evenly before that."""

    from_turn: int = 1
    name: str = "perfect"
    sees_truth = True

    def reply(self, ask: Ask) -> Reply:
        if ask.probe is not None or ask.turn < self.from_turn:
            return super().reply(ask)
        return Reply(code_of(ask.truth if isinstance(ask.truth, Game) else game_of(ask.truth, ask.seat)))


def uniform(seat: str, remembers_codes: bool = False) -> Uniform:
    """A guesser without skill."""
    _must_guess(seat, "uniform")
    return Uniform(remembers_codes)


def perfect(seat: str, from_turn: int = 1) -> Knowing:
    """A guesser that is always right, from a turn on."""
    _must_guess(seat, "perfect")
    return Knowing(from_turn=from_turn)


def _must_guess(seat: str, name: str) -> None:
    if role_of(seat) == "alice":
        raise UserError(f"mind {name!r} only guesses; it cannot be {seat}")
