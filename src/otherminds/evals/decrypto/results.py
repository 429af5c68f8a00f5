"""Results of an experiment: its measures for each cast and arm with intervals, and arms compared game by game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.evals.decrypto.experiment import Experiment, MeasureCall
from otherminds.evals.decrypto.games import PUBLISHED, Of, rates, summary, validity
from otherminds.evals.decrypto.measures import values
from otherminds.evals.decrypto.read import experiment_names, find_experiment
from otherminds.evals.statistics import Estimate, mean, pooled


@dataclass(frozen=True)
class Measured:
    """A measure over the games of a cast.

    Attributes:
        label: what the experiment calls it.
        estimate: the mean over games of their means, with its bootstrap interval over games; ``None`` if there was
            nothing to measure.
        num_values: turns or slots that it rests on.
        by_game: the mean of each game that has any, by its seed.
    """

    label: str
    estimate: Estimate | None
    num_values: int
    by_game: Mapping[int, float]

    def to_dict(self) -> dict[str, Any]:
        found = None if self.estimate is None else self.estimate.to_dict()
        return {"estimate": found, "values": self.num_values}


def measured(call: MeasureCall, episodes: Sequence[Episode]) -> Measured:
    """One measure over some games: averaged within each game, then over games that have any value (spec 7)."""
    found = {episode.seed: values(call, episode) for episode in episodes}
    by_game = {seed: float(np.mean(some)) for seed, some in found.items() if some}
    estimate = pooled([list(by_game.values())], mean) if by_game else None
    return Measured(call.label, estimate, sum(map(len, found.values())), by_game)


def paired(first: Mapping[int, float], second: Mapping[int, float]) -> Estimate | None:
    """The mean difference, second minus first, over games that both have; ``None`` if there is none."""
    both = sorted(first.keys() & second.keys())
    return pooled([[second[seed] - first[seed] for seed in both]], mean) if both else None


def paired_games(of: Of, first: Sequence[Episode], second: Sequence[Episode]) -> Estimate:
    """The same for a figure of whole games.

    Raises:
        UserError: if they have no game in common.
    """
    found = paired({e.seed: of(e) for e in first}, {e.seed: of(e) for e in second})
    if found is None:
        raise UserError("the two have no game in common; play them on the same seeds")
    return found


def arms_of(episodes: Iterable[Episode]) -> dict[str, list[Episode]]:
    """Games by the arm of the experiment that they were played in."""
    found: dict[str, list[Episode]] = {}
    for episode in episodes:
        found.setdefault(str(episode.notes.get("arm", "")), []).append(episode)
    return found


def hints_changed(first: Sequence[Episode], second: Sequence[Episode]) -> dict[int, float]:
    """In each game of two arms: whether any hint differs in the first turn in which one could, the last in common.

    Up to a change both games are alike, so the first turn that differs shows what the change did.
    """
    others = {episode.seed: episode for episode in second}
    found = {}
    for episode in first:
        if episode.seed in others:
            pairs = zip(episode.turns, others[episode.seed].turns, strict=False)
            found[episode.seed] = float(any(one["hints"] != two["hints"] for one, two in pairs))
    return found


def figures(episodes: Sequence[Episode]) -> dict[str, float | None]:
    """What finished games come to, a number each: those that are published, rates, validity, and measures.

    The measures are those of the experiment that all of the games were played in; where it has several arms, each is
    named with its measures.
    """
    ended = [episode for episode in episodes if episode.end is not None]
    if not ended:
        return {}
    found: dict[str, float | None] = {
        name: float(np.mean([of(one) for one in ended])) for name, of in PUBLISHED.items()
    }
    found |= {name: rate.value for name, rate in rates(ended).items()}
    for role, counts in validity(ended).items():
        found |= {f"{role}_{name}": value for name, value in counts.items() if name != "answers"}
    experiment = _played_in(ended)
    arms = arms_of(ended)
    for arm, mine in arms.items():
        for call in experiment.measures if experiment else ():
            estimate = measured(call, mine).estimate
            found[f"{arm}: {call.label}" if len(arms) > 1 else call.label] = estimate.value if estimate else None
    return found


def _played_in(episodes: Sequence[Episode]) -> Experiment | None:
    """The registered experiment that all games were played in."""
    noted = {str(episode.notes.get("experiment", "")) for episode in episodes}
    return find_experiment(noted.pop()) if len(noted) == 1 and noted <= set(experiment_names()) else None


def cell(experiment: Experiment, episodes: Sequence[Episode], games: int | None = None) -> dict[str, Any]:
    """Everything about one cast, for programs: each arm, and each later arm compared with the first.

    Raises:
        UserError: if there is no game.
    """
    arms = arms_of(episodes)
    if not arms:
        raise UserError("there are no games to score; expected at least one whole game")
    content: dict[str, Any] = {"place": dict(episodes[0].notes.get("place", {})), "arms": {}, "differences": {}}
    figures: dict[str, dict[str, Measured]] = {}
    for arm, mine in arms.items():
        figures[arm] = {call.label: measured(call, mine) for call in experiment.measures}
        measures = {label: found.to_dict() for label, found in figures[arm].items()}
        content["arms"][arm] = {**summary(mine, games), "measures": measures}
    first, *others = arms
    for arm in others:
        name = f"{arm} minus {first}"
        rows = {label: paired(figures[first][label].by_game, figures[arm][label].by_game) for label in figures[arm]}
        content["differences"][name] = {label: row.to_dict() for label, row in rows.items() if row is not None}
        changed = hints_changed(arms[first], arms[arm])
        content["differences"][name]["hints changed"] = pooled([list(changed.values())], mean).to_dict()
    return content


def against(first: Sequence[Episode], second: Sequence[Episode]) -> dict[str, Any]:
    """Two casts compared on the games that both have played, by their first arm: second minus first."""
    one, two = (next(iter(arms_of(some).values())) for some in (first, second))
    return {name: paired_games(of, one, two).to_dict() for name, of in PUBLISHED.items()}
