"""The manifest of a run directory: status, versions, seed, hashes and times; and the check of its configuration."""

from __future__ import annotations

import hashlib
import json
import platform
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError
from otherminds.core.files import write_whole
from otherminds.core.json_lines import to_json

CONFIG = "config.json"
SCHEMA = 1
_FIELDS = {"schema": int, "status": str, "config_sha256": str, "files": dict, "sessions": list}
_DAMAGED = (
    "restore it from a copy, remove that file to continue from the last checkpoint without the recorded times (a "
    "finished run is then trained again), or choose another --out"
)
_PACKAGES = ("otherminds", "numpy", "jax", "jaxlib", "flax", "optax")


@dataclass
class Manifest:
    """The manifest of an open run. Each process that works on the run adds a session; times add up over them."""

    path: Path
    content: dict[str, Any]

    def __post_init__(self) -> None:
        self._began, self._began_cpu = time.monotonic(), time.process_time()

    @classmethod
    def open(cls, path: Path, seed: Any, config_sha256: str, command: Sequence[str]) -> Manifest:
        """Write the manifest of a run that begins, or a new session into that of a run that continues.

        Raises:
            UserError: if there is a manifest, and it is damaged or of another configuration.
        """
        session = {
            "started": _now(),
            "ended": None,
            "seconds": 0.0,
            "cpu_seconds": 0.0,
            "command": list(command),
            "platform": platform.platform(),
            "versions": versions(),
        }
        if path.exists():
            content = _read(path)
            if content["config_sha256"] != config_sha256:
                raise UserError(
                    f"{path.parent / CONFIG} was edited after the run began; restore it, or choose another "
                    f"--out for a new run"
                )
            if content["status"] == "finished":
                return cls(path, content)
        else:
            content = {
                "schema": SCHEMA,
                "status": "running",
                "seed": seed,
                "config_sha256": config_sha256,
                "started": session["started"],
                "finished": None,
                "seconds": 0.0,
                "cpu_seconds": 0.0,
                **{name: session[name] for name in ("command", "platform", "versions")},
                "files": {},
                "sessions": [],
            }
        content["sessions"].append(session)
        manifest = cls(path, content)
        manifest.write()
        return manifest

    @property
    def is_finished(self) -> bool:
        """Whether the run has finished."""
        return bool(self.content["status"] == "finished")

    def write(self) -> None:
        """Note the time worked so far.

        Raises:
            UserError: if it cannot be written; what was noted before is kept.
        """
        self._count()
        write_whole(self.path, to_json(self.content, indent=1) + "\n")

    def finish(self, files: Mapping[str, str]) -> None:
        """Declare the run finished, with the hashes of its files."""
        self._count()
        now = _now()
        self.content["sessions"][-1]["ended"] = now
        self.content |= {"status": "finished", "finished": now, "files": dict(files)}
        self.write()

    def close(self) -> None:
        """End the session of a run that has not finished."""
        if not self.is_finished:
            self.content["sessions"][-1]["ended"] = _now()
            self.write()

    def _count(self) -> None:
        if self.is_finished:
            return
        sessions = self.content["sessions"]
        sessions[-1]["seconds"] = round(time.monotonic() - self._began, 3)
        sessions[-1]["cpu_seconds"] = round(time.process_time() - self._began_cpu, 3)
        for name in ("seconds", "cpu_seconds"):
            self.content[name] = round(sum(session[name] for session in sessions), 3)


def versions() -> dict[str, str]:
    """The versions of Python and of those packages that decide results and are installed."""
    installed = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            installed[package] = version(package)
        except PackageNotFoundError:
            continue
    return installed


def _read(path: Path) -> dict[str, Any]:
    """Return a manifest that a session can be added to."""
    content = read_json(path, _DAMAGED)
    if "schema" in content and content["schema"] != SCHEMA:
        raise UserError(f"{path} has schema version {content['schema']!r}; this otherminds reads version {SCHEMA}")
    _check(path, content, _FIELDS, "its")
    for session in content["sessions"]:
        if not isinstance(session, dict):
            raise UserError(f"{path} is damaged: a session is {session!r:.40}; {_DAMAGED}")
        _check(path, session, {"seconds": int | float, "cpu_seconds": int | float}, "a session's")
    return content


def _check(path: Path, content: Mapping[str, Any], fields: Mapping[str, Any], whose: str) -> None:
    for name, kind in fields.items():
        if not isinstance(content.get(name), kind):
            finding = f"{whose} {name!r} is {content[name]!r:.40}" if name in content else f"it has no {name!r}"
            raise UserError(f"{path} is damaged: {finding}; {_DAMAGED}")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def config_hash(config: Mapping[str, Any]) -> str:
    """A hash that is the same for equal configurations, whatever the order of their keys."""
    plain = json.loads(to_json(config))
    return hashlib.sha256(json.dumps(plain, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def refuse_other_config(path: Path, config: Mapping[str, Any]) -> None:
    """Stop if a run directory belongs to another configuration.

    Raises:
        UserError: names each key that differs, with both values.
    """
    was, now = _leaves(read_json(path / CONFIG)), _leaves(json.loads(to_json(config)))
    differing = [
        f"{key}: recorded {was.get(key, 'absent')}, now {now.get(key, 'absent')}"
        for key in sorted(was.keys() | now.keys())
        if was.get(key) != now.get(key)
    ]
    if differing:
        raise UserError(
            f"{path} holds a run with a different configuration ({'; '.join(differing)}). "
            f"Choose another --out, or remove that folder to start again; nothing was changed"
        )


def _leaves(value: Any, name: str = "") -> dict[str, str]:
    """Every single value of a configuration as JSON, by its dotted name."""
    if isinstance(value, dict) and (value or not name):
        return {key: leaf for part in value for key, leaf in _leaves(value[part], f"{name}.{part}".lstrip(".")).items()}
    return {name: json.dumps(value, ensure_ascii=False)}


def read_json(path: Path, advice: str = "restore it from a copy, or remove the run directory") -> dict[str, Any]:
    """Return the JSON object in a file.

    Raises:
        UserError: if it cannot be read or is something else.
    """
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise UserError(f"{path} is damaged: {error}; {advice}") from error
    if not isinstance(value, dict):
        raise UserError(f"{path} is damaged: it contains no JSON object; {advice}")
    return value
