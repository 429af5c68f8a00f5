"""Anchors for scores: a mind that guesses at random, and one that knows the code (spec 3.1)."""

from __future__ import annotations

from otherminds.core.mind import Briefing, Reply
from otherminds.core.seeds import Draw
from otherminds.core.world import Ask
from otherminds.worlds.decrypto.duel import game_of
from otherminds.worlds.decrypto.minds.scripted import ScriptedMind, check_seat
from otherminds.worlds.decrypto.observe import View
from otherminds.worlds.decrypto.rules import all_codes, code_of
from otherminds.worlds.decrypto.types import Code, Game


class Uniform(ScriptedMind):
    """Guesses a random code, or a random code that was not played yet."""

    def __init__(self, seat: str, remembers_codes: bool = False) -> None:
        check_seat("uniform", seat, "bob", "eve")
        self.remembers_codes = remembers_codes

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self._draw = Draw(seed)

    def act(self, view: View) -> Code:
        codes = all_codes(view.rules)
        return self._draw.pick([code for code in codes if code not in view.used] if self.remembers_codes else codes)


class Perfect(Uniform):
    """Reads the code from the true state from a given turn on, and guesses at random before that."""

    sees_truth = True

    def __init__(self, seat: str, from_turn: int = 1) -> None:
        check_seat("perfect", seat, "bob", "eve")
        self.from_turn, self.remembers_codes = from_turn, False

    def reply(self, ask: Ask) -> Reply:
        if ask.probe is not None or ask.turn < self.from_turn:
            return super().reply(ask)
        return Reply(code_of(ask.truth if isinstance(ask.truth, Game) else game_of(ask.truth, ask.seat)))
