"""How games went: the published figures of a match-up, and rates that do not depend on when a game stops (spec 4).

Works on any records of Decrypto: of scripted minds, language models or people.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.results.statistics import Estimate, mean, pooled, ratio, standard_error
from otherminds.worlds.decrypto.types import ROLES, role_of

Of = Callable[[Episode], float]
ENDINGS = ("survived", "intercept", "miscomm", "both")
GUESSED = {"decoded": "bob", "intercepted": "eve"}  # rates per turn, and whose guesses they count


def num_turns(episode: Episode) -> float:
    """Number of turns that were played."""
    return float(len(episode.turns))


def ending_of(episode: Episode) -> str:
    """How a game ended.

    Raises:
        UserError: if it has not ended.
    """
    if episode.end is None or episode.end.get("ending") not in ENDINGS:
        raise UserError(
            f"{episode.id} has not ended; expected whole games of Decrypto, which end in {', '.join(ENDINGS)}"
        )
    return str(episode.end["ending"])


# The published figures are shares of games that ended this way, alone or together with the other (spec 4).
PUBLISHED: dict[str, Of] = {
    "turns": num_turns,
    "intercepts": lambda episode: float(ending_of(episode) in ("intercept", "both")),
    "miscommunications": lambda episode: float(ending_of(episode) in ("miscomm", "both")),
    "wins": lambda episode: float(ending_of(episode) == "survived"),
}
LOWER_IS_BETTER = ("intercepts", "miscommunications")


def estimate(of: Of, episodes: Sequence[Episode]) -> Estimate:
    """The mean over games, with its bootstrap interval over games."""
    return pooled([[of(episode) for episode in episodes]], mean)


class Spread(NamedTuple):
    """The mean over environment seeds and its standard error, as in the paper's cells (spec 4)."""

    mean: float
    sem: float | None  # None for a single seed
    seeds: int


def over_seeds(of: Of, episodes: Sequence[Episode]) -> Spread:
    """The mean over environment seeds of their means. Records that do not note a seed count as one seed."""
    groups: dict[int, list[float]] = defaultdict(list)
    for episode in episodes:
        groups[int(episode.notes.get("env_seed", 0))].append(of(episode))
    means = [float(np.mean(group)) for group in groups.values()]
    return Spread(float(np.mean(means)), standard_error(means) if len(means) > 1 else None, len(means))


def bold(cells: Mapping[Any, Spread], lower: bool = False) -> set[Any]:
    """The cells whose interval of one standard error overlaps that of the best (spec 4)."""
    best = (min if lower else max)(cells.values(), key=lambda cell: cell.mean)
    return {key for key, cell in cells.items() if abs(cell.mean - best.mean) <= (cell.sem or 0) + (best.sem or 0)}


def is_right(turn: Mapping[str, Any], role: str) -> bool:
    """Whether Bob or Eve guessed the code of a recorded turn."""
    return bool(turn[role] == turn["code"])


def mean_turns(episodes: Sequence[Episode]) -> dict[str, float]:
    """The mean turn of all interceptions and of all miscommunications; 0 if there are none, as published."""
    turns = [turn for episode in episodes for turn in episode.turns]
    events = {
        "interceptions": [turn["turn"] for turn in turns if is_right(turn, "eve")],
        "miscommunications": [turn["turn"] for turn in turns if not is_right(turn, "bob")],
    }
    return {event: float(np.mean(numbers)) if numbers else 0.0 for event, numbers in events.items()}


def rates(episodes: Sequence[Episode]) -> dict[str, Estimate]:
    """Rates of decoding and interception per turn. Games are resampled, since the turns of a game are correlated."""
    played = [num_turns(episode) for episode in episodes]
    return {
        name: ratio([float(sum(is_right(turn, role) for turn in episode.turns)) for episode in episodes], played)
        for name, role in GUESSED.items()
    }


def validity(episodes: Sequence[Episode]) -> dict[str, dict[str, float]]:
    """Share of valid replies of each role, separate from skill: acts, and answers to probes.

    In records that do not count attempts, every reply counts as the first attempt.
    """
    turns = [turn for episode in episodes for turn in episode.turns]
    probes = [probe for turn in turns for probe in turn.get("probes", ())]
    acts = max(len(turns), 1)
    counts: dict[str, dict[str, float]] = {}
    for role in ROLES:
        failed = [bool(probe["failed"]) for probe in probes if role_of(probe["seat"]) == role]
        counts[role] = {
            "valid": 1 - sum(role in turn.get("failures", ()) for turn in turns) / acts,
            "attempts": sum(turn["attempts"][role] if "attempts" in turn else 1 for turn in turns) / acts,
            **({"answers": len(failed), "answered": 1 - sum(failed) / len(failed)} if failed else {}),
        }
    hints = sum(len(turn["hints"]) for turn in turns if "alice" not in turn.get("failures", ()))
    if hints:
        problems = sum(len(turn.get("problems", ())) for turn in turns)
        counts["alice"]["hints_within_rules"] = 1 - problems / hints
    return counts


def summary(episodes: Sequence[Episode]) -> dict[str, Any]:
    """All figures of one match-up, for JSON.

    Raises:
        UserError: if there is no game, or one has not ended.
    """
    if not episodes:
        raise UserError("there are no games to score; expected at least one whole game")
    endings = {name: sum(ending_of(e) == name for e in episodes) / len(episodes) for name in ENDINGS}
    return {
        "minds": dict(zip(ROLES, episodes[0].minds.values(), strict=True)),
        "games": len(episodes),
        **{name: estimate(of, episodes).to_dict() for name, of in PUBLISHED.items()},
        "over_seeds": {name: over_seeds(of, episodes)._asdict() for name, of in PUBLISHED.items()},
        "endings": endings,
        "per_turn": {name: rate.to_dict() for name, rate in rates(episodes).items()},
        "mean_turn": mean_turns(episodes),
        "validity": validity(episodes),
    }
