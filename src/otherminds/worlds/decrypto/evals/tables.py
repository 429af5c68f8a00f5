"""Tables of minds without a language model: baselines, minds that model each other, unknown partners.

Every cell of a table is played on the same seeds, so that rows differ by minds alone and differences are paired by
game. References are figures of spec 3.1 and 9, measured with other vectors and another bank.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.minds.play_all import play_all
from otherminds.results.statistics import standard_error
from otherminds.worlds.decrypto.evals.measures import is_right
from otherminds.worlds.decrypto.evals.results import PUBLISHED, num_turns
from otherminds.worlds.decrypto.minds.small_world import ROWS, Accuracies, accuracies, draw_world
from otherminds.worlds.decrypto.types import ROLES
from otherminds.worlds.decrypto.world import Decrypto

GAMES = 288


class Match(NamedTuple):
    """The minds of a cell, and the figure that was measured elsewhere."""

    alice: str
    bob: str
    eve: str
    reference: float | None = None  # mean turns

    @property
    def minds(self) -> dict[str, str]:
        """The name of a mind for each seat."""
        return dict(zip(ROLES, self[:3], strict=True))


@dataclass(frozen=True)
class Plan:
    """A table to be played."""

    title: str
    columns: tuple[str, ...]
    rows: Mapping[str, Sequence[Match]]  # a match for every column
    first: int = 0  # seed of the first game
    is_compared: bool = False  # with the first row, game by game


def cell(match: Match, episodes: Sequence[Episode], base: Sequence[Episode] | None = None) -> dict[str, Any]:
    """The figures of a match, and its difference to another match on the same games.

    Means over games and rates per turn; ``error`` is the standard error over games.
    """
    turns = np.array([num_turns(episode) for episode in episodes])
    lines = [turn for episode in episodes for turn in episode.turns]
    gaps = None if base is None else turns - np.array([num_turns(episode) for episode in base])
    shares = {name: float(np.mean([of(episode) for episode in episodes])) for name, of in PUBLISHED.items()}
    return {
        **match.minds,
        "games": len(episodes),
        "turns": float(turns.mean()),
        "error": standard_error(turns),
        "missed": sum(not is_right(turn, "bob") for turn in lines) / turns.sum(),
        "intercepted": sum(is_right(turn, "eve") for turn in lines) / turns.sum(),
        "won": shares["wins"],
        "ended_by_miscommunication": shares["miscommunications"],
        "ended_by_interception": shares["intercepts"],
        "failures": sum(len(turn["failures"]) for turn in lines),
        "difference": None if gaps is None else float(gaps.mean()),
        "difference_error": None if gaps is None else standard_error(gaps),
        "reference": match.reference,
    }


def make(
    plan: Plan, games: int = GAMES, first: int | None = None, advance: Callable[[str], None] | None = None
) -> dict[str, Any]:
    """Play a table. Hints are not checked, as in the original.

    Args:
        plan: matches of the table.
        games: number of games for each cell.
        first: seed of the first game; the plan's by default.
        advance: called after each cell with the name of its row.
    """
    if games < 1:
        raise UserError(f"{games} games for each cell; expected at least 1")
    start = plan.first if first is None else first
    world = Decrypto(hints="off")
    rows: list[dict[str, Any]] = []
    base: list[list[Episode]] = []  # games of the first row
    for name, matches in plan.rows.items():
        cells = []
        for at, match in enumerate(matches):
            episodes = play_all(world, match.minds, episodes=games, seed=start)
            if plan.is_compared and not rows:
                base.append(episodes)
            cells.append(cell(match, episodes, base[at] if plan.is_compared and rows else None))
            if advance:
                advance(name)
        rows.append({"name": name, "cells": cells})
    return {
        "title": plan.title,
        "columns": list(plan.columns),
        "against": rows[0]["name"] if plan.is_compared else "",
        "games": games,
        "seeds": [start, start + games - 1],
        "rows": rows,
    }


def small_world(worlds: int = 60, first: int = 0) -> dict[str, Any]:
    """Spec 9.1 by enumeration: the gain of a Bob who inverts an Alice that models Eve.

    ``least_gain`` is the smallest difference between Bob of order 2 and of order 1 over all worlds: never below 0.
    """
    rows = []
    for history, lam, alpha, reference in ROWS:
        results = [accuracies(draw_world(seed, history), lam, alpha) for seed in range(first, first + worlds)]
        means = {name: float(np.mean([getattr(result, name) for result in results])) for name in Accuracies._fields}
        gain = min(accuracy.bob2 - accuracy.bob1 for accuracy in results)
        situation = {"history": history, "lam": lam, "alpha": alpha}
        rows.append({**situation, **means, "least_gain": gain, "reference": reference._asdict()})
    return {"title": "Exact small world", "table": "small", "worlds": worlds, "first": first, "rows": rows}


LEXICA = ("glove", "minilm", "moby")
SPEC_9 = 1000  # first seed of the games that spec 9 reports
_K = (4, 8, 16, 32, 64, 128)  # nearest words that Alice chooses from
_SELF_PLAY = {  # spec 3.1 with GloVe, by hint words; the last on our own bank
    3000: {4: 4.10, 8: 4.20, 16: 4.37, 32: 4.63, 64: 5.01, 128: 5.44},
    4900: {16: 4.19},
}
_COMPETITION = {"glove": {"glove": 4.14, "minilm": 5.28}, "minilm": {"glove": 5.10, "minilm": 4.19}}
_CROSS_PLAY = {"glove": {"glove": 4.11, "minilm": 3.58}, "minilm": {"glove": 4.11, "minilm": 5.12}}
_Row = tuple[str, str, Sequence[float]]  # Alice, Bob, and the reference figure against each Eve


def _baseline(lexicon: str, k: int, number: int) -> Match:
    known = _SELF_PLAY[number].get(k) if lexicon == "glove" else None
    return Match(f"embedding:lexicon={lexicon},k={k},vocabulary_size={number}", lexicon, lexicon, known)


def _leaving_out(option: str, known: float) -> list[Match]:
    eve = "embedding:lexicon={},remembers_codes=" + option
    return [Match(lexicon, lexicon, eve.format(lexicon), known if lexicon == "glove" else None) for lexicon in LEXICA]


def _against(title: str, eves: Mapping[str, str], rows: Mapping[str, _Row]) -> Plan:
    """A table of pairs against several Eves, compared with the first pair."""
    matches = {
        name: [Match(alice, bob, eve, known[at] if known else None) for at, eve in enumerate(eves.values())]
        for name, (alice, bob, known) in rows.items()
    }
    return Plan(title, tuple(eves), matches, SPEC_9, is_compared=True)


# Spec 9.3: Bob and two of the Eves have a lexicon that Alice does not know.
_STRANGERS = {
    "embedding Eve, MiniLM": "minilm",
    "Bayesian Eve, MiniLM": "bayes:lexicon=minilm",
    "Bayesian Eve, GloVe": "bayes:lexicon=glove",
}
_BASE: _Row = ("embedding:lexicon=glove,k=16", "minilm", (4.18, 3.85, 3.38))
PLANS = {
    "sizes": Plan(
        "Self-play of the embedding baseline by K and vocabulary",
        tuple(f"K={k}" for k in _K),
        {f"{own}, {n:,} hint words": [_baseline(own, k, n) for k in _K] for own in LEXICA for n in _SELF_PLAY},
    ),
    "competition": Plan(
        "Competition: Alice and Bob of one lexicon (rows) against Eve of another",
        LEXICA,
        {own: [Match(own, own, eve, _COMPETITION.get(own, {}).get(eve)) for eve in LEXICA] for own in LEXICA},
    ),
    "crossplay": Plan(
        "Cross-play: Alice (rows) with Bob of another lexicon, Eve is GloVe",
        LEXICA,
        {own: [Match(own, bob, "glove", _CROSS_PLAY.get(own, {}).get(bob)) for bob in LEXICA] for own in LEXICA},
    ),
    "used-codes": Plan(
        "Leaving out codes that were played",
        LEXICA,
        {
            "Eve does not leave out played codes": _leaving_out("false", 4.24),
            "Eve does leave out played codes": _leaving_out("true", 4.10),
        },
        is_compared=True,
    ),
    "rsa": _against(  # spec 9.2; the pool that a chooser has is controlled for
        "Modelling Eve: Alice and Bob share GloVe",
        {"embedding Eve": "glove", "Bayesian Eve": "bayes", "embedding Eve, MiniLM (held out)": "minilm"},
        {
            "baseline, K=16": ("embedding:lexicon=glove,k=16", "glove", (4.30, 3.38, 5.50)),
            "baseline, K=60 (same pool)": ("embedding:lexicon=glove,k=60", "glove", (4.66, 3.85, 6.57)),
            "baseline, K=150 (same pool)": ("embedding:lexicon=glove,k=150", "glove", ()),
            "RSA, lambda=0": ("rsa:lam=0", "rsa", (3.92, 3.01, 4.40)),
            "RSA, lambda=4, 60 candidates": ("rsa:lam=4,candidates=60", "rsa", (7.34, 7.53, 7.69)),
            "RSA, lambda=4": ("rsa:lam=4", "rsa", ()),
            "RSA, lambda=4, mu=0.1, fears both Eves": ("rsa:lam=4,mu=0.1,fears=bayes+embedding", "rsa", ()),
        },
    ),
    "adhoc": _against(
        "An unknown partner: Bob is MiniLM, Alice knows GloVe and Moby",
        _STRANGERS,
        {
            "baseline glove, K=16": _BASE,
            "baseline glove, K=8": ("embedding:lexicon=glove,k=8", "minilm", ()),
            "baseline moby, K=16": ("embedding:lexicon=moby,k=16", "minilm", ()),
            "RSA, glove+moby, lambda=1": ("rsa:lexicon=glove+moby,lam=1,candidates=60", "minilm", (4.95, 4.86, 5.37)),
            "adaptive, does not adapt": ("adaptive:adapts=false", "minilm", ()),
            "adaptive": ("adaptive", "minilm", ()),
        },
    ),
    "ceiling": _against(
        "What it is worth to know the partner: Bob is MiniLM",
        _STRANGERS,
        {
            "baseline glove, K=16": _BASE,
            "RSA, takes Bob for GloVe": ("rsa:lam=4,candidates=60", "minilm", (3.89, 3.83, 3.86)),
            "adaptive, Bob's lexicon is one of three": ("adaptive:lexicon=glove+moby+minilm", "minilm", ()),
            "RSA, knows Bob's lexicon": ("rsa:lexicon=minilm,candidates=60", "minilm", ()),
        },
    ),
}
