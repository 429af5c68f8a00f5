"""Tiny lexica and views, small enough to be worked out by loops."""

from __future__ import annotations

from functools import cache

import numpy as np

from otherminds.core.seeds import generator
from otherminds.worlds.decrypto.minds.bayes import Production
from otherminds.worlds.decrypto.minds.embedding import Vocabulary
from otherminds.worlds.decrypto.observe import RoleView, view
from otherminds.worlds.decrypto.types import Game, Rules, Turn
from otherminds.worlds.decrypto.words.lexicon import Lexicon, unit

HINTS = ("sea", "sand", "wave", "fur", "paw", "tail", "oven", "bread", "flour", "road", "wheel", "engine")
KEYWORDS = ("beach", "cat", "bakery", "car")
RULES = Rules(hints="off")


def tiny_lexicon(seed: int = 0, spread: float = 0.6) -> Lexicon:
    """Three hints around each keyword, in eight dimensions."""
    rng = generator(seed, "tests/tiny")
    centres = rng.standard_normal((4, 8))
    words = [centre + spread * rng.standard_normal(8) for centre in centres for _ in range(3)]
    return Lexicon(f"tiny{seed}", (*HINTS, *KEYWORDS), unit(np.array([*words, *centres])))


@cache
def tiny_production(seed: int = 0, beta: float = 5.0, spread: float = 0.6) -> Production:
    meaning = tiny_lexicon(seed, spread)
    return Production(Vocabulary(meaning, HINTS), (*HINTS, *KEYWORDS), beta)


def tiny_game(*turns: Turn) -> Game:
    return Game(RULES, 0, KEYWORDS, ((1, 2, 3), (2, 3, 4), (4, 3, 1), (3, 1, 2), *((1, 2, 4),) * 4), turns)


TURN = Turn((1, 2, 3), ("sea", "fur", "oven"), (1, 2, 3), (1, 2, 3))


def eve_view(hints: tuple[str, ...] = ("paw", "bread", "road"), *turns: Turn) -> RoleView:
    return view(tiny_game(*turns), "eve", hints)


def bob_view(hints: tuple[str, ...] = ("paw", "bread", "road"), *turns: Turn) -> RoleView:
    return view(tiny_game(*turns), "bob", hints)


def alice_view(*turns: Turn) -> RoleView:
    return view(tiny_game(*turns), "alice")


def bob_as_seen_by(own: RoleView, hints: tuple[str, ...]) -> RoleView:
    """What Bob sees, as far as Alice can tell."""
    return own._replace(role="bob", code=(), hints=hints, notices=())
