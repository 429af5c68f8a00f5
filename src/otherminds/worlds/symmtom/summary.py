"""What recorded episodes of SymmToM come to: every metric, overall and by mind, and how trials of scenarios went."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.summary import is_right, mean, probes_of
from otherminds.worlds.symmtom.record import play_again
from otherminds.worlds.symmtom.scenarios.items import trial_of


def measures(episodes: Sequence[Episode]) -> dict[str, float | None]:
    """Means per seat and episode of every metric; of several minds, also each one's as ``MIND/METRIC``.

    Trials of scenarios give rates instead, since one seat was free and everything else scripted: ``failure``,
    ``passed`` (success in at most 1.5 times the best number of turns), ``pair_joint`` (groups of which all items were
    passed), ``ratso`` (turns over the best number of turns, of those that succeeded) and ``knew`` (the answers were
    right in all that the test turns on). What was said of others is counted claim by claim, against the truth
    (``claims_true``) and against what the evidence supports (``claims_supported``).
    """
    ended = [episode for episode in episodes if episode.end is not None]
    trials = [episode for episode in ended if "scenario" in episode.notes]
    return {
        **_metrics([episode for episode in ended if "scenario" not in episode.notes]),
        **(_trials(trials) if trials else {}),
        **_claims(ended),
    }


def outcome_of(episode: Episode) -> str:
    """How a trial of a scenario ended: success, failure or unfinished."""
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
    found = {name: mean(value for mine in by_mind.values() for value in mine[name]) for name in names}
    if len(by_mind) > 1:
        found |= {f"{mind}/{name}": mean(mine[name]) for mind, mine in by_mind.items() for name in names}
    return found


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
    """How many of the claims of who knows what were true, and how many were as the evidence supports."""
    true, supported = [], []
    for episode in episodes:
        agents = [str(agent) for agent in range(len(episode.minds))]
        for probe in (probe for probe in probes_of(episode) if probe["said"] is not None):
            true += [(agent in probe["said"]) == (agent in probe["true"]) for agent in agents]
            if "scenario" not in episode.notes:
                supported += [(agent in probe["said"]) == (agent in probe["expected"]) for agent in agents]
    return {"claims_true": mean(true), "claims_supported": mean(supported)} if true else {}
