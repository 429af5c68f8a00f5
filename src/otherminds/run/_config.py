"""Configurations of runs: are two the same, and if not, where do they differ?"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError
from otherminds.run._lines import to_json

CONFIG = "config.json"


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
        f"{key}: {was.get(key, 'absent')} there, {now.get(key, 'absent')} now"
        for key in sorted(was.keys() | now.keys())
        if was.get(key) != now.get(key)
    ]
    if differing:
        raise UserError(
            f"{path} holds a run of another configuration ({'; '.join(differing)}). "
            f"Choose another --out, or remove that folder to begin anew; it was left as it is"
        )


def _leaves(value: Any, name: str = "") -> dict[str, str]:
    """Every single value of a configuration as JSON, by its dotted name."""
    if isinstance(value, dict) and (value or not name):
        return {key: leaf for part in value for key, leaf in _leaves(value[part], f"{name}.{part}".lstrip(".")).items()}
    return {name: json.dumps(value, ensure_ascii=False)}


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object from a file.

    Raises:
        UserError: if it cannot be read or is something else.
    """
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise UserError(f"{path} is damaged: {error}; restore it from a copy, or remove the run directory") from error
    if not isinstance(value, dict):
        raise UserError(f"{path} holds no JSON object; it does not belong to a run directory")
    return value
