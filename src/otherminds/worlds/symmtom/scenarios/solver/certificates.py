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
_OLD = re.compile(rf"^{_HEAD}:.*\n(?:[ \t-].*\n|\n)*", re.MULTILINE)  # and all that belongs to it
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
    kept = _OLD.sub("", f"{text}\n").rstrip("\n")
    # YAML takes 1e-05 for a word, and 1.0e-05 for a number.
    lines = [re.sub(r"\b(\d+)e-", r"\1.0e-", f"  {name}: {json.dumps(proved)}") for name, proved in certificate.items()]
    new = "\n".join([kept, f"{_HEAD}:  # by 'otherminds verify --write'", *lines, ""])
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


def _read(text: str) -> Any:
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        return {}
