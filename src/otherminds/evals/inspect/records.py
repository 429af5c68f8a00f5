"""The records of games that are in Inspect's logs, as episodes and as files that other commands read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from otherminds.core.episodes import Episode, EpisodeWriter, recorded_in

_FIELDS = ("world", "config", "players", "seed", "start")
_MARKS = ("kind", "episode")  # of a line in a file


def record_lines(episode: Episode) -> list[dict[str, Any]]:
    """The record as it would be written to a file."""
    turns = [{"kind": "turn", "episode": episode.id, **turn} for turn in episode.turns]
    return [episode.header(), *turns, {"kind": "end", "episode": episode.id, **(episode.end or {})}]


def episode_of(lines: Sequence[Mapping[str, Any]]) -> Episode:
    """A game from the lines of its record."""
    header, *turns, end = lines
    return Episode(
        id=header["episode"],
        turns=[_unmarked(line) for line in turns],
        end=_unmarked(end),
        notes=header.get("notes", {}),
        **{name: header[name] for name in _FIELDS},
    )


def episodes_of(log: Any) -> list[Episode]:
    """The games of a log that were played to their end; a limit of Inspect's may have cut others short."""
    return [episode_of(lines) for sample in log.samples or [] if (lines := sample.store.get("record"))]


def write_records(logs: Sequence[Any], path: str | Path) -> int:
    """Append the games of logs to a record that other commands read, and say how many.

    Those that are there already are left out, so that a run which is continued is written once.
    """
    known, written = recorded_in(path, whole=False), 0
    with EpisodeWriter(path) as writer:
        for log in logs:
            phrasing = str(log.eval.task_args.get("phrasing", ""))
            for episode in episodes_of(log):
                # Two runs may play the same games.
                episode.id = "-".join(filter(None, (episode.id, phrasing, str(log.eval.task_id))))
                if episode.id in known:
                    continue
                writer.whole(episode)
                written += 1
    return written


def _unmarked(line: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in line.items() if name not in _MARKS}
