"""Certificates in the files of scenarios: written below everything else, and compared with what is proved again."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import yaml

from otherminds.core.errors import UserError
from otherminds.worlds.symmtom.scenarios.read import FOLDER
from otherminds.worlds.symmtom.scenarios.types import Scenario

FAR = 1e6  # stands for what cannot be reached, where numbers are compared and written
_HEAD = "certificate"
_SAMPLED = {"1", "2"}  # minds whose belief is a sample of possible worlds
_TOLERANCE = 0.02  # of what they would do; relative
_EXACT = 1e-6  # of all that search finds; relative


def rounded(value: Any) -> float:
    """A number as certificates hold it."""
    return float(f"{max(-FAR, min(FAR, float(value))):.5g}")


def with_certificate(text: str, certificate: Mapping[str, Any]) -> str:
    """The text of a file with this certificate at its end, instead of the one it had; all else stays.

    Raises:
        UserError: if the file is written in a way that leaves no line for it.
    """
    lines = text.splitlines()
    whole = yaml.compose(text, Loader=yaml.SafeLoader)
    for key, value in whole.value if whole is not None else ():
        if key.value == _HEAD:
            del lines[key.start_mark.line : _last_line(value) + 1]
    written = [f"  {name}: {_in_yaml(found)}" for name, found in certificate.items()]
    kept = "\n".join(lines).rstrip("\n")
    new = "\n".join([kept, f"{_HEAD}:  # by 'otherminds verify --write'", *written, ""])
    if _read(new) != {**_read(text), _HEAD: dict(certificate)}:
        raise UserError(
            "a certificate cannot be added without changing something else: write every field of the file on lines of "
            "its own, from the first column on"
        )
    return new


def check_certificate(scenario: Scenario, proved: Mapping[str, Any]) -> None:
    """Compare what a file says with what was proved.

    Raises:
        UserError: if there is no certificate, or it says something else.
    """
    if scenario.certificate is None:
        if scenario.path is None or scenario.path.parent != FOLDER:
            return
        raise UserError(f"{scenario.name} has no certificate; write it with: otherminds verify {scenario.path} --write")
    said, found = _flat(scenario.certificate), _flat(proved)
    for place in (*found, *(place for place in said if place not in found)):
        if not _agree(place, said.get(place), found.get(place)):
            scenario.refuse(
                _HEAD,
                f"the certificate says {'.'.join(place) or 'it'} is {said.get(place, 'nothing')}, the solver finds "
                f"{found.get(place, 'nothing')}; if the file was changed on purpose: otherminds verify "
                f"{scenario.path or scenario.name} --write",
            )


def _agree(place: tuple[str, ...], said: Any, found: Any) -> bool:
    numbers = [v for v in (said, found) if isinstance(v, int | float) and not isinstance(v, bool)]
    if len(numbers) < 2:
        return False
    if _SAMPLED & set(place[1:]):
        return bool(abs(said - found) <= _TOLERANCE * max(1.0, abs(found)))
    return bool(abs(said - found) <= _EXACT * abs(found))


def _flat(found: Any, place: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    """Every number with its place: case, kind, and what is left to tell it by."""
    if isinstance(found, Mapping):
        return {k: v for name, value in found.items() for k, v in _flat(value, (*place, str(name))).items()}
    if isinstance(found, list):
        return {k: v for i, value in enumerate(found) for k, v in _flat(value, (*place, f"[{i}]")).items()}
    return {place: found}


def _last_line(node: yaml.Node) -> int:
    """The last line of a value. Where indentation ends it, that is the last line of its last part."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _last_line(last[1] if isinstance(last, tuple) else last)
    end = node.end_mark
    return int(end.line if end.column else end.line - 1)


def _in_yaml(found: Any) -> str:
    """One line; YAML takes 1e-05 for a word, and 1.0e-05 for a number."""
    return re.sub(r"\b(\d+)e-", r"\1.0e-", json.dumps(found))


def _read(text: str) -> Any:
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        return {}
