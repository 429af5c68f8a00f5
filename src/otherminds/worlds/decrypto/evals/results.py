"""How games went: the published figures of a match-up, and rates that do not depend on when a game stops (spec 4).

Works on any records of Decrypto: of scripted minds, language models or people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, get_args

import numpy as np

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.summary import grouped
from otherminds.results.statistics import Estimate, mean, pooled, ratio, standard_error
from otherminds.worlds.decrypto.evals.experiment import Experiment, MeasureCall
from otherminds.worlds.decrypto.evals.experiment_file import experiment_names, find_experiment
from otherminds.worlds.decrypto.evals.measures import is_right, values
from otherminds.worlds.decrypto.types import ROLES, Ending, role_of

Of = Callable[[Episode], float]
ENDINGS: tuple[Ending, ...] = get_args(Ending)
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
            f"{episode.id} has not ended; expected complete games of Decrypto, which end in {', '.join(ENDINGS)}"
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
    groups = grouped(episodes, lambda episode: int(episode.notes.get("env_seed", 0)))
    means = [float(np.mean([of(episode) for episode in group])) for group in groups.values()]
    return Spread(float(np.mean(means)), standard_error(means) if len(means) > 1 else None, len(means))


def bold(cells: Mapping[Any, Spread], lower: bool = False) -> set[Any]:
    """The cells whose interval of one standard error overlaps that of the best (spec 4)."""
    best = (min if lower else max)(cells.values(), key=lambda cell: cell.mean)
    low, high = best.mean - (best.sem or 0), best.mean + (best.sem or 0)
    return {
        key for key, cell in cells.items() if cell.mean + (cell.sem or 0) >= low and cell.mean - (cell.sem or 0) <= high
    }


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
        raise UserError("there are no games to score; expected at least one complete game")
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


class Measured(NamedTuple):
    """A measure over the games of a cast."""

    estimate: Estimate | None  # mean over games of their means; ``None`` without any value
    num_values: int  # turns or slots that it rests on
    by_game: Mapping[int, float]  # mean of each game that has any value, by its seed


def measured(call: MeasureCall, episodes: Sequence[Episode]) -> Measured:
    """One measure over some games: averaged within each game, then over games that have any value (spec 7)."""
    by_seed = {episode.seed: values(call, episode) for episode in episodes}
    by_game = {seed: float(np.mean(some)) for seed, some in by_seed.items() if some}
    estimate = pooled([list(by_game.values())], mean) if by_game else None
    return Measured(estimate, sum(map(len, by_seed.values())), by_game)


def paired(first: Mapping[int, float], second: Mapping[int, float]) -> Estimate | None:
    """The mean difference, second minus first, over the games that both have; ``None`` if there are none."""
    both = sorted(first.keys() & second.keys())
    return pooled([[second[seed] - first[seed] for seed in both]], mean) if both else None


def arms_of(episodes: Iterable[Episode]) -> dict[str, list[Episode]]:
    """Games by the arm of their experiment."""
    return grouped(episodes, lambda episode: str(episode.notes.get("arm", "")))


def hints_changed(first: Sequence[Episode], second: Sequence[Episode]) -> dict[int, float]:
    """For each game of two arms, whether any hint differs in the turns that both have.

    Both games are identical up to a change, so the first turn that differs shows the effect of the change.
    """
    others = {episode.seed: episode.turns for episode in second}
    pairs = {e.seed: zip(e.turns, others[e.seed], strict=False) for e in first if e.seed in others}
    return {seed: float(any(a["hints"] != b["hints"] for a, b in turns)) for seed, turns in pairs.items()}


def figures(episodes: Sequence[Episode]) -> dict[str, float | None]:
    """Figures of finished games, one number each: published figures, rates, validity, and measures.

    The measures are those of the experiment in which all of the games were played. If it has several arms, the names
    of measures start with the arm.
    """
    ended = [episode for episode in episodes if episode.end is not None]
    if not ended:
        return {}
    values: dict[str, float | None] = {
        name: float(np.mean([of(episode) for episode in ended])) for name, of in PUBLISHED.items()
    }
    values |= {name: rate.value for name, rate in rates(ended).items()}
    for role, counts in validity(ended).items():
        values |= {f"{role}_{name}": value for name, value in counts.items() if name != "answers"}
    experiment, arms = registered_experiment(ended), arms_of(ended)
    for arm, mine in arms.items():
        for call in experiment.measures if experiment else ():
            estimate = measured(call, mine).estimate
            values[f"{arm}: {call.label}" if len(arms) > 1 else call.label] = estimate.value if estimate else None
    return values


def registered_experiment(episodes: Iterable[Episode]) -> Experiment | None:
    """The registered experiment in which all games were played; ``None`` if there is none."""
    noted = {str(episode.notes.get("experiment", "")) for episode in episodes}
    return find_experiment(noted.pop()) if len(noted) == 1 and noted <= set(experiment_names()) else None


def cell(experiment: Experiment, episodes: Sequence[Episode]) -> dict[str, Any]:
    """All results of one cast, for JSON: each arm, and each later arm compared with the first.

    Raises:
        UserError: if there is no game.
    """
    arms = arms_of(episodes)
    if not arms:
        raise UserError("there are no games to score; expected at least one complete game")
    content: dict[str, Any] = {"place": dict(episodes[0].notes.get("place", {})), "arms": {}, "differences": {}}
    measures = {arm: {call.label: measured(call, mine) for call in experiment.measures} for arm, mine in arms.items()}
    for arm, mine in arms.items():
        shown = {
            label: {"estimate": estimate and estimate.to_dict(), "values": number}
            for label, (estimate, number, _) in measures[arm].items()
        }
        content["arms"][arm] = {**summary(mine), "measures": shown}
    first, *others = arms
    for arm in others:
        rows = {label: paired(measures[first][label].by_game, row.by_game) for label, row in measures[arm].items()}
        rows["hints changed"] = pooled([list(hints_changed(arms[first], arms[arm]).values())], mean)
        content["differences"][f"{arm} minus {first}"] = {name: row.to_dict() for name, row in rows.items() if row}
    return content


def against(first: Sequence[Episode], second: Sequence[Episode]) -> dict[str, Any] | None:
    """Two casts compared by their first arms, second minus first; ``None`` if they have no game in common."""
    base, other = (next(iter(arms_of(some).values())) for some in (first, second))
    rows = {
        name: paired({e.seed: of(e) for e in base}, {e.seed: of(e) for e in other}) for name, of in PUBLISHED.items()
    }
    return {name: row.to_dict() for name, row in rows.items() if row} or None
