"""The episode record of every world: JSON lines, one per turn, that can be replayed, scored and shown.

A file holds any number of episodes. Each line is an object with ``kind`` (``episode``, ``turn`` or ``end``) and
``episode`` (its id); the first line of an episode carries the schema version, world, configuration, minds and seed.
A line is written whole or not at all, and a last line torn by a crash is ignored, so a file cut anywhere still gives
every whole turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError
from otherminds.core.files import unreadable
from otherminds.core.json_lines import JsonLines, parse_row
from otherminds.core.secrets import redact

SCHEMA = 2
_OLD = 1  # listed the minds as "players", without their seats


@dataclass
class Episode:
    """One episode as recorded. ``end`` is ``None`` if the record stops before the episode did."""

    id: str
    world: str  # with version, such as "symmtom-v0"
    config: dict[str, Any]
    minds: dict[str, str]  # by seat, in the order of the seats; a record of the old schema numbers the seats
    seed: int
    start: dict[str, Any]
    turns: list[dict[str, Any]] = field(default_factory=list)
    end: dict[str, Any] | None = None
    notes: dict[str, Any] = field(default_factory=dict)  # anything else the world or a mind wants kept
    exchanges: list[dict[str, Any]] = field(default_factory=list)  # every call of a language model
    validity: dict[str, dict[str, int]] = field(default_factory=dict)  # by seat: asks, attempts, failures
    complaints: dict[str, list[str]] = field(default_factory=dict)  # by seat: what was wrong with replies, each once
    # By id, the attempts and failures of asks that took other than one attempt; None in records that only count them.
    attempts: dict[str, dict[str, int]] | None = None

    def header(self) -> dict[str, Any]:
        """The first line of the record."""
        return {
            "kind": "episode",
            "episode": self.id,
            "schema": SCHEMA,
            "world": self.world,
            "config": self.config,
            "minds": self.minds,
            "seed": self.seed,
            "start": self.start,
            **({"notes": self.notes} if self.notes else {}),
        }

    def last_line(self) -> dict[str, Any]:
        """The last line of the record."""
        beside = {"validity": self.validity, "complaints": self.complaints, "exchanges": self.exchanges}
        kept: dict[str, Any] = {name: value for name, value in beside.items() if value}
        if self.attempts is not None:
            kept["attempts"] = self.attempts
        return {"kind": "end", "episode": self.id, **(self.end or {}), **kept}

    def lines(self) -> list[dict[str, Any]]:
        """The whole record, as the lines of a file."""
        turns = ({"kind": "turn", "episode": self.id, **turn} for turn in self.turns)
        return [self.header(), *turns, self.last_line()]

    @classmethod
    def from_lines(cls, lines: Iterable[Mapping[str, Any]]) -> Episode:
        """The episode whose record has these lines."""
        episodes: dict[str, Episode] = {}
        for number, line in enumerate(lines, start=1):
            _take(dict(line), number, Path("record"), episodes)
        (episode,) = episodes.values()
        return episode


class EpisodeWriter:
    """Appends episodes to a file, one whole line at a time. Use one writer per file.

    Raises:
        UserError: if the file cannot be written, or contains anything but episodes.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._lines = JsonLines(self.path, _OPENING, "an episode record")
        self._written: dict[str, int] = {}  # number of turns in the file, by episode that has not ended

    def follow(self, episode: Episode) -> None:
        """Write the turns of an episode that are not in the file yet. Call it after each turn."""
        written = self._written.get(episode.id)
        if written is None:
            self._lines.append(redact(episode.header()))
        for turn in episode.turns[written or 0 :]:
            self._lines.append(redact({"kind": "turn", "episode": episode.id, **turn}))
        self._written[episode.id] = len(episode.turns)

    def whole(self, episode: Episode) -> None:
        """Write the rest of a finished episode."""
        self.follow(episode)
        self._lines.append(redact(episode.last_line()))
        del self._written[episode.id]

    def close(self) -> None:
        self._lines.close()

    def __enter__(self) -> EpisodeWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_OPENING = b'{"kind":'  # of every line, and so of every record


def read_episodes(path: str | Path) -> list[Episode]:
    """All episodes of a file, in the order in which they began.

    Raises:
        UserError: if the file is missing or has another schema version, or a line other than the last is damaged.
    """
    episodes: dict[str, Episode] = {}
    for number, line in _lines(Path(path)):
        _take(line, number, Path(path), episodes)
    if not episodes:
        raise UserError(f"{path} contains no episodes; expected a record written by 'otherminds play'")
    return list(episodes.values())


def record_files(paths: Iterable[Path]) -> list[Path]:
    """The given files, and the record files in the given folders."""
    return [file for path in paths for file in (sorted(path.glob("*.jsonl")) if path.is_dir() else [path])]


def recorded_in(path: str | Path, *, whole: bool = True) -> dict[str, Episode]:
    """The finished episodes of a file by name, or all of them; none if the file is empty or absent."""
    path = Path(path)
    episodes = read_episodes(path) if path.exists() and path.stat().st_size else []
    return {episode.id: episode for episode in episodes if episode.end is not None or not whole}


def check_resumed(known: Episode, begun: Episode, path: str | Path) -> None:
    """Refuse a recorded episode with the same name as one to be played but other options.

    Raises:
        UserError: if they differ; the message names the file.
    """
    if (known.start, known.config) != (begun.start, begun.config):
        raise UserError(f"{path} already has an episode {known.id!r} with different options; choose another --out")


def unused_id(name: str, recorded: Mapping[str, Any], first: int = 2) -> str:
    """The name with a number that no recorded episode has, for people, who never play the same episode twice."""
    number = first
    while f"{name}-{number}" in recorded:
        number += 1
    return f"{name}-{number}"


def _lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise unreadable(path, error) from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        if (value := parse_row(line)) is None or "kind" not in value:
            if number == len(lines) > 1:
                return  # torn by a crash or an interrupted copy; everything before it is whole
            if value is None and line.startswith(b"{"):
                raise UserError(
                    f"{path}: line {number} is not complete JSON (it ends after {len(line)} characters); the file may "
                    f"have been cut off: remove the line, or record the episode again"
                )
            start = line[:40].decode(errors="replace")
            raise UserError(f"{path}, line {number}: expected a line of an episode record, found {start!r}")
        yield number, value


def _take(line: dict[str, Any], number: int, path: Path, episodes: dict[str, Episode]) -> None:
    place = f"{path}, line {number}"
    kind, name = line.pop("kind"), line.pop("episode", None)
    if not isinstance(name, str):
        raise UserError(f"{place}: 'episode' is {name!r}; expected the name of an episode")
    if kind == "episode":
        # An episode that was cut short may be played again under its name; the whole one counts.
        if name in episodes and episodes[name].end is not None:
            raise UserError(
                f"{place}: episode {name!r} begins a second time; "
                f"the file was probably joined from two records, so split it"
            )
        episodes[name] = _begin(name, line, place)
    elif name not in episodes:
        raise UserError(
            f"{place}: {kind} line of episode {name!r}, whose first line is missing; restore the file from a copy"
        )
    elif kind == "turn":
        episodes[name].turns.append(line)
    elif kind == "end":
        for field_name in ("exchanges", "validity", "complaints"):
            setattr(episodes[name], field_name, line.pop(field_name, type(getattr(episodes[name], field_name))()))
        episodes[name].attempts = _attempts(line.pop("attempts", None), place)
        episodes[name].end = line
    else:
        raise UserError(f"{place}: unknown kind {kind!r}; expected episode, turn or end")


def _attempts(value: Any, place: str) -> dict[str, dict[str, int]] | None:
    """The attempts of single asks, if they have their form."""
    for counts in value.values() if isinstance(value, dict) else () if value is None else (value,):
        attempts, failures = (
            counts.get(name) if isinstance(counts, dict) else None for name in ("attempts", "failures")
        )
        if failures not in (0, 1) or not isinstance(attempts, int) or attempts + failures < 1:
            raise UserError(f"{place}: 'attempts' is {value!r:.60}; expected the attempts and failures of each ask")
    return value  # type: ignore[no-any-return]


_HEADER = {"world": str, "config": dict, "minds": dict, "seed": int, "start": dict, "notes": dict}


def _begin(name: str, line: dict[str, Any], place: str) -> Episode:
    """An episode from its first line."""
    schema = line.pop("schema", None)
    if schema not in (SCHEMA, _OLD):
        raise UserError(
            f"{place}: the record has schema version {schema!r}; this otherminds reads versions {_OLD} to {SCHEMA}; "
            f"read it with the version of otherminds that wrote it"
        )
    line = {"notes": {}, **line}
    if isinstance(line.get("players"), list):
        line["minds"] = {str(seat): mind for seat, mind in enumerate(line.pop("players"))}
    if odd := sorted(set(line) ^ set(_HEADER)):
        raise UserError(f"{place}: the first line of an episode has missing or unknown fields: {', '.join(odd)}")
    for field_name, kind in _HEADER.items():
        if not isinstance(line[field_name], kind):
            raise UserError(f"{place}: {field_name} is {line[field_name]!r}; expected {kind.__name__}")
    return Episode(id=name, **line)
