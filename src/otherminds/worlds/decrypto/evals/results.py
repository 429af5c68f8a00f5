"""Results of an experiment: its measures for each cast and arm with intervals, and arms compared game by game."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.results.statistics import Estimate, mean, pooled
from otherminds.worlds.decrypto.evals.experiment import Experiment, MeasureCall
from otherminds.worlds.decrypto.evals.experiment_file import experiment_names, find_experiment
from otherminds.worlds.decrypto.evals.games import PUBLISHED, rates, summary, validity
from otherminds.worlds.decrypto.evals.measures import values


class Measured(NamedTuple):
    """A measure over the games of a cast.

    Attributes:
        estimate: mean over games of their means, with its bootstrap interval over games; ``None`` without any value.
        num_values: number of turns or slots that it rests on.
        by_game: mean of each game that has any value, by its seed.
    """

    estimate: Estimate | None
    num_values: int
    by_game: Mapping[int, float]


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
    arms: dict[str, list[Episode]] = defaultdict(list)
    for episode in episodes:
        arms[str(episode.notes.get("arm", ""))].append(episode)
    return dict(arms)


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
        raise UserError("there are no games to score; expected at least one whole game")
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
