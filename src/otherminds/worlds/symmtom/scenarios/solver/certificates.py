"""Certificates in the files of scenarios: written below everything else, and compared with what is proved again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from otherminds.core.errors import UserError
from otherminds.worlds.symmtom.scenarios.read import FOLDER
from otherminds.worlds.symmtom.scenarios.types import Scenario

_HEAD = "certificate:"
_TOLERANCE = 0.02  # relative; minds that guess are sampled


def with_certificate(text: str, certificate: Mapping[str, Any]) -> str:
    """The text of a file with this certificate in place of the one it had."""
    kept = text.split(f"\n{_HEAD}", maxsplit=1)[0].rstrip("\n")
    lines = [f"  {name}: {json.dumps(found)}" for name, found in certificate.items()]
    return "\n".join([kept, f"{_HEAD}  # by 'otherminds verify --write'", *lines, ""])


def check_certificate(scenario: Scenario, proved: Mapping[str, Any]) -> None:
    """Compare what a file says with what was proved.

    Raises:
        UserError: if there is no certificate, or it says something else.
    """
    if scenario.certificate is None:
        if scenario.path is None or scenario.path.parent != FOLDER:
            return
        raise UserError(f"{scenario.name} has no certificate; write it with: otherminds verify {scenario.path} --write")
    for place, value in _flat(proved).items():
        said = _flat(scenario.certificate).get(place)
        if not isinstance(said, int | float) or abs(said - value) > _TOLERANCE * max(1.0, abs(value)):
            raise UserError(
                f"{scenario.name}: the certificate says {'.'.join(place)} is {said}, the solver finds {value}; "
                f"if the file was changed on purpose: otherminds verify {scenario.path} --write"
            )


def _flat(found: Any, place: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    if isinstance(found, Mapping):
        return {k: v for name, value in found.items() for k, v in _flat(value, (*place, str(name))).items()}
    if isinstance(found, list):
        return {k: v for i, value in enumerate(found) for k, v in _flat(value, (*place, str(i))).items()}
    return {place: found}
