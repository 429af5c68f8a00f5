"""Summaries of recorded SymmToM episodes: all metrics, overall and by mind, and the rates of scenario trials."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.summary import is_right, mean, probes_of
from otherminds.worlds.symmtom.record import play_again
from otherminds.worlds.symmtom.scenarios.items import trial_of


def measures(episodes: Sequence[Episode]) -> dict[str, float | None]:
    """Means of every metric per seat and episode; with several minds, also by mind as ``MIND/METRIC``.

    Trials of scenarios, in which all seats but one are scripted, give rates instead: ``failure``, ``passed`` (success
    in at most 1.5 times the best number of turns), ``pair_joint`` (groups with all items passed), ``ratso`` (turns over
    the best number of turns, in successful trials) and ``knew`` (all answers about the facts under test were right).
    Answers about who knows what are compared claim by claim with the truth (``claims_true``) and with the evidence
    (``claims_supported``).
    """
    ended = [episode for episode in episodes if episode.end is not None]
    trials = [episode for episode in ended if "scenario" in episode.notes]
    return {
        **_metrics([episode for episode in ended if "scenario" not in episode.notes]),
        **(_trials(trials) if trials else {}),
        **_claims(ended),
    }


def outcome_of(episode: Episode) -> str:
    """The outcome of a trial: success, failure or unfinished."""
    return str((episode.end or {}).get("trial") or episode.notes.get("outcome"))


def _metrics(episodes: Sequence[Episode]) -> dict[str, float | None]:
    by_mind: dict[str, dict[str, list[float]]] = {}
    for episode in episodes:
        tally = play_again(episode).tally()._asdict()
        for agent, name in enumerate(episode.minds.values()):
            mine = by_mind.setdefault(name, defaultdict(list))
            for metric, values in tally.items():
                mine[metric].append(float(values[agent]))
    names = list(next(iter(by_mind.values()), {}))
    means = {name: mean(value for values in by_mind.values() for value in values[name]) for name in names}
    if len(by_mind) > 1:
        means |= {f"{mind}/{name}": mean(values[name]) for mind, values in by_mind.items() for name in names}
    return means


def _trials(episodes: Sequence[Episode]) -> dict[str, float | None]:
    groups: dict[tuple[Any, ...], list[bool]] = defaultdict(list)
    passed, ratio, knew = [], [], []
    for episode in episodes:
        trial, outcome = trial_of(episode.notes), outcome_of(episode)
        turns = len(episode.turns) - trial.starts
        passed.append(trial.is_passed(outcome, turns))
        mind = list(episode.minds.values())[trial.seats[0]]
        groups[trial.group, mind, episode.seed].append(passed[-1])
        if outcome == "success":
            ratio.append(turns / trial.case.turns)
        answers = [right for probe in probes_of(episode) if (right := is_right(probe)) is not None]
        if answers:
            knew.append(all(answers))
    return {
        "failure": mean(outcome_of(episode) == "failure" for episode in episodes),
        "passed": mean(passed),
        "pair_joint": mean(all(group) for group in groups.values() if len(group) > 1),
        "ratso": mean(ratio),
        "knew": mean(knew),
    }


def _claims(episodes: Sequence[Episode]) -> dict[str, float | None]:
    """Shares of claims about who knows what that were true, and that agreed with the evidence."""
    true, supported = [], []
    for episode in episodes:
        agents = [str(agent) for agent in range(len(episode.minds))]
        for probe in (probe for probe in probes_of(episode) if probe["said"] is not None):
            true += [(agent in probe["said"]) == (agent in probe["true"]) for agent in agents]
            if "scenario" not in episode.notes:
                supported += [(agent in probe["said"]) == (agent in probe["expected"]) for agent in agents]
    return {"claims_true": mean(true), "claims_supported": mean(supported)} if true else {}
