"""Concrete and abstract keywords apart: which are harder to hint at, and easier to overhear? (spec 13, 14)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from otherminds.core.episodes import Episode
from otherminds.evals.decrypto.measures import TRUTH, Moment
from otherminds.evals.statistics import ratio

_GUESSED = {"decoded": "bob", "intercepted": "eve"}


def by_kind(episodes: Sequence[Episode], kinds: Mapping[str, str], named: str = "A") -> dict[str, dict[str, Any]]:
    """Rates by the kind of the keyword, with bootstrap intervals over games.

    ``decoded`` and ``intercepted`` are shares of hints whose own digit Bob or Eve got right; ``named`` the share of
    slots that Eve named right in the answer of that name. A keyword of no known kind counts as ``other``.
    """
    found: dict[str, dict[str, Any]] = {}
    for kind in sorted({_kind(word, kinds) for episode in episodes for word in episode.start["keywords"]}):
        counts = [_counts(episode, kinds, kind, named) for episode in episodes]
        rows: dict[str, Any] = {"hints": int(sum(count["hints"] for count in counts))}
        for name in (*_GUESSED, "named"):
            asked = np.array([count["slots" if name == "named" else "hints"] for count in counts])
            if asked.sum():
                rows[name] = ratio([count[name] for count in counts], asked).to_dict()
        found[kind] = rows
    return found


def kind_rates(episodes: Sequence[Episode], kinds: Mapping[str, str]) -> dict[str, float | None]:
    """The shares of hints that Bob and Eve placed, by the kind of the keyword; nothing where all are of one kind."""
    words = {word for episode in episodes for word in episode.start["keywords"]}
    found: dict[str, float | None] = {}
    for kind in sorted({kinds[word] for word in words if word in kinds}):
        counts = [_counts(episode, kinds, kind, "") for episode in episodes]
        hints = sum(count["hints"] for count in counts)
        for name in _GUESSED:
            found[f"{kind}_hints_{name}"] = sum(count[name] for count in counts) / hints if hints else None
    return found if len(found) > len(_GUESSED) else {}


def _kind(word: str, kinds: Mapping[str, str]) -> str:
    return kinds.get(word, "other")


def _counts(episode: Episode, kinds: Mapping[str, str], kind: str, named: str) -> dict[str, int]:
    found = dict.fromkeys(("hints", "slots", "decoded", "intercepted", "named"), 0)
    keywords = episode.start["keywords"]
    for turn in episode.turns:
        for place, digit in enumerate(turn["code"]):
            if _kind(keywords[digit - 1], kinds) == kind:
                found["hints"] += 1
                for name, role in _GUESSED.items():
                    found[name] += turn[role][place] == digit
        moment = Moment(episode, turn)
        answer = moment.answers.get(named)
        if answer is not None and not answer["failed"] and answer["about"] == "keywords":
            for word, said, true in zip(keywords, moment.words(named), moment.words(TRUTH), strict=True):
                if _kind(word, kinds) == kind:
                    found["slots"] += 1
                    found["named"] += said == true
    return found
