"""How games went: the published figures of a match-up, and the rates that do not depend on when a game stops (spec 4).

Works on any records of Decrypto, whoever played: scripted minds, language models, people.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.evals.statistics import Estimate, mean, pooled, ratio
from otherminds.worlds.decrypto.record import answers_of
from otherminds.worlds.decrypto.types import ROLES

Of = Callable[[Episode], float]
ENDINGS = ("survived", "intercept", "miscomm", "both")


def num_turns(episode: Episode) -> float:
    """Turns that were played."""
    return float(len(episode.turns))


def is_caught(episode: Episode) -> float:
    """Published as *intercepts*: whether interceptions ended the game, alone or together with miscommunications."""
    return float(_ending(episode) in ("intercept", "both"))


def is_lost(episode: Episode) -> float:
    """Published as *miscommunications*: whether they ended the game, alone or together with interceptions."""
    return float(_ending(episode) in ("miscomm", "both"))


def is_won(episode: Episode) -> float:
    """Whether Alice and Bob survived."""
    return float(_ending(episode) == "survived")


PUBLISHED: dict[str, Of] = {"turns": num_turns, "intercepts": is_caught, "miscommunications": is_lost, "wins": is_won}
LOWER_IS_BETTER = ("intercepts", "miscommunications")


def _ending(episode: Episode) -> str:
    if episode.end is None or episode.end.get("ending") not in ENDINGS:
        raise UserError(
            f"{episode.id} has not ended; expected whole games of Decrypto, which end in {', '.join(ENDINGS)}"
        )
    return str(episode.end["ending"])


def estimate(of: Of, episodes: Sequence[Episode]) -> Estimate:
    """The mean over games, with its bootstrap interval over games."""
    return pooled([[of(episode) for episode in episodes]], mean)


@dataclass(frozen=True)
class Spread:
    """The mean over environment seeds and its standard error, as the paper's cells are (spec 4)."""

    mean: float
    sem: float | None  # None for a single seed
    seeds: int


def over_seeds(of: Of, episodes: Sequence[Episode], games: int | None = None) -> Spread:
    """The mean of the means of each environment seed.

    Args:
        of: what is averaged.
        episodes: with the seed noted in them.
        games: for each seed, for records that do not say their environment seed: it is then seed // games.
    """
    groups: dict[int, list[float]] = defaultdict(list)
    for episode in episodes:
        noted = episode.notes.get("env_seed")
        groups[int(noted) if noted is not None else episode.seed // games if games else 0].append(of(episode))
    means = np.array([np.mean(group) for group in groups.values()])
    sem = float(means.std(ddof=1) / np.sqrt(means.size)) if means.size > 1 else None
    return Spread(float(means.mean()), sem, int(means.size))


def bold(cells: Mapping[Any, Spread], lower: bool = False) -> set[Any]:
    """The cells whose interval of one standard error overlaps that of the best (spec 4)."""
    best = (min if lower else max)(cells.values(), key=lambda cell: cell.mean)
    edges = best.mean - (best.sem or 0), best.mean + (best.sem or 0)
    return {
        key
        for key, cell in cells.items()
        if cell.mean + (cell.sem or 0) >= edges[0] and cell.mean - (cell.sem or 0) <= edges[1]
    }


def mean_turn(episodes: Sequence[Episode], what: str) -> float:
    """The mean turn of all interceptions or miscommunications, over events; 0 if there are none, as published."""
    event = (lambda turn: turn["eve"] == turn["code"]) if what == "interceptions" else _is_missed
    found = [turn["turn"] for episode in episodes for turn in episode.turns if event(turn)]
    return float(np.mean(found)) if found else 0.0


def _is_missed(turn: Mapping[str, Any]) -> bool:
    return bool(turn["bob"] != turn["code"])


def rates(episodes: Sequence[Episode]) -> dict[str, Estimate]:
    """Decoding and interception per turn. Games are resampled, not turns: those of one game hang together."""
    found = {}
    for name, role in (("decoded", "bob"), ("intercepted", "eve")):
        right = np.array([sum(turn[role] == turn["code"] for turn in e.turns) for e in episodes], float)
        played = np.array([len(episode.turns) for episode in episodes], float)
        found[name] = ratio(right, played)
    return found


def by_turn(episodes: Sequence[Episode]) -> list[dict[str, Any]]:
    """The same for the first turn, the second, …, with how many games reached it."""
    most = max((len(episode.turns) for episode in episodes), default=0)
    rows = []
    for number in range(1, most + 1):
        turns = [episode.turns[number - 1] for episode in episodes if len(episode.turns) >= number]
        right = {name: float(np.mean([t[role] == t["code"] for t in turns])) for name, role in _ROLE.items()}
        rows.append({"turn": number, "games": len(turns), **right})
    return rows


_ROLE = {"decoded": "bob", "intercepted": "eve"}


def failures(episodes: Sequence[Episode]) -> dict[str, Counter[str]]:
    """How often each role was asked, failed and broke a rule of hints, over some games: validity, apart from skill.

    In records of others that say nothing of it, every answer was the first.
    """
    found: dict[str, Counter[str]] = {role: Counter() for role in ROLES}
    for episode in episodes:
        for turn in episode.turns:
            for role in ROLES:
                attempts = turn["attempts"][role] if "attempts" in turn else 1
                found[role].update(acts=1, attempts=attempts, failures=role in turn.get("failures", ()))
            found["alice"].update(problems=len(turn.get("problems", ())))
    return found


def validity(episodes: Sequence[Episode]) -> dict[str, dict[str, float]]:
    """How often each role's answers were taken at all: apart from skill. Questions on the side count beside acts."""
    found: dict[str, dict[str, float]] = {}
    asked = [(one["role"], bool(one["failed"])) for e in episodes for t in e.turns for one in answers_of(t)]
    for role, counts in failures(episodes).items():
        acts = max(counts["acts"], 1)
        mine = [failed for who, failed in asked if who == role]
        found[role] = {
            "valid": 1 - counts["failures"] / acts,
            "attempts": counts["attempts"] / acts,
            **({"answers": len(mine), "answered": 1 - sum(mine) / len(mine)} if mine else {}),
        }
    said = [turn for episode in episodes for turn in episode.turns if "alice" not in turn.get("failures", ())]
    if said:
        hints = sum(len(turn["hints"]) for turn in said)
        found["alice"]["hints_within_rules"] = 1 - failures(episodes)["alice"]["problems"] / hints
    return found


def summary(episodes: Sequence[Episode], games: int | None = None) -> dict[str, Any]:
    """All of it for one match-up, for programs.

    Raises:
        UserError: if there is no game, or one has not ended.
    """
    if not episodes:
        raise UserError("there are no games to score; expected at least one whole game")
    endings = {name: sum(_ending(e) == name for e in episodes) / len(episodes) for name in ENDINGS}
    return {
        "minds": dict(zip(ROLES, episodes[0].players, strict=True)),
        "games": len(episodes),
        **{name: estimate(of, episodes).to_dict() for name, of in PUBLISHED.items()},
        "over_seeds": {name: vars(over_seeds(of, episodes, games)) for name, of in PUBLISHED.items()},
        "endings": endings,
        "per_turn": {name: found.to_dict() for name, found in rates(episodes).items()},
        "mean_turn": {what: mean_turn(episodes, what) for what in ("interceptions", "miscommunications")},
        "by_turn": by_turn(episodes),
        "validity": validity(episodes),
    }
