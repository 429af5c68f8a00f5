"""Concrete and abstract keywords apart: which are harder to hint at, and easier to overhear? (spec 13, 14)"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.evals.decrypto.games import GUESSED
from otherminds.evals.decrypto.measures import TRUTH, Moment
from otherminds.evals.statistics import ratio

_NAMED = "A"  # the question whose answer says which keywords Eve names


def by_kind(episodes: Sequence[Episode], kinds: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """Rates by the kind of the keyword, with bootstrap intervals over games.

    ``decoded`` and ``intercepted`` are shares of hints whose own digit Bob or Eve got right; ``named`` is the share of
    slots that Eve named right when she was asked for the keywords. A keyword of no known kind counts as ``other``.
    """
    found: dict[str, dict[str, Any]] = {}
    counts = [_counts(episode, kinds) for episode in episodes]
    for kind in sorted({kinds.get(word, "other") for episode in episodes for word in episode.start["keywords"]}):
        found[kind] = {"hints": sum(count[kind, "hints"] for count in counts)}
        for name in (*GUESSED, "named"):
            every = [count[kind, "slots" if name == "named" else "hints"] for count in counts]
            if sum(every):
                found[kind][name] = ratio([count[kind, name] for count in counts], every).to_dict()
    return found


def kind_rates(episodes: Sequence[Episode], kinds: Mapping[str, str]) -> dict[str, float | None]:
    """The shares of hints that Bob and Eve placed, by the kind of the keyword; nothing where all are of one kind."""
    known = {kind: rates for kind, rates in by_kind(episodes, kinds).items() if kind != "other"}
    if len(known) < 2:
        return {}
    return {
        f"{kind}_hints_{name}": rates[name]["value"] if name in rates else None
        for kind, rates in known.items()
        for name in GUESSED
    }


def _counts(episode: Episode, kinds: Mapping[str, str]) -> Counter[tuple[str, str]]:
    """How often each happened in a game, by kind of keyword."""
    found: Counter[tuple[str, str]] = Counter()
    slots = [kinds.get(word, "other") for word in episode.start["keywords"]]
    for turn in episode.turns:
        for place, digit in enumerate(turn["code"]):
            found[slots[digit - 1], "hints"] += 1
            for name, role in GUESSED.items():
                found[slots[digit - 1], name] += turn[role][place] == digit
        moment = Moment(episode, turn)
        if moment.has(_NAMED) and moment.probes[_NAMED]["about"] == "keywords":
            for kind, (said, true) in zip(slots, moment.pairs(_NAMED, TRUTH), strict=True):
                found[kind, "slots"] += 1
                found[kind, "named"] += said == true
    return found
