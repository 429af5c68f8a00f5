"""The records of episodes that are in Inspect's logs, as episodes and as files that other commands read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from otherminds.core.episodes import Episode, EpisodeWriter, recorded_in

RECORD = "record"  # where a sample's store has the lines of its episode


def episodes_of(log: Any) -> list[Episode]:
    """The episodes of a log that were played to their end; a limit of Inspect's may have cut others short."""
    return [Episode.from_lines(lines) for sample in log.samples or [] if (lines := sample.store.get(RECORD))]


def write_records(logs: Sequence[Any], path: str | Path) -> int:
    """Append the episodes of logs to a file that other commands read, and return how many were added.

    Each episode is written once, also when an evaluation is resumed or extended. The same episode counts as another
    if other minds play it, or if they are used or prompted differently.
    """
    known, written = set(recorded_in(path)), 0
    with EpisodeWriter(path) as writer:
        for log in logs:
            for episode in episodes_of(log):
                episode.id = f"{episode.id}-{_conditions(log, episode)}"
                if episode.id in known:
                    continue
                writer.whole(episode)
                known.add(episode.id)
                written += 1
    return written


def _conditions(log: Any, episode: Episode) -> str:
    """Under what conditions an episode was played, as a short hash: the same in every run with the same options."""
    header = episode.header()
    what = {name: header[name] for name in ("world", "config", "players", "start")}
    how = [step.params for step in log.plan.steps]  # attempts, and how the models are used
    prompts = (log.eval.metadata or {}).get("prompts")
    whole = json.dumps([what, how, prompts], sort_keys=True, default=str)
    return sha256(whole.encode()).hexdigest()[:12]
