"""What a file claims, against what was computed: turns, the right choice, twins, and the order of belief."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import yaml

from otherminds.core.errors import UserError
from otherminds.worlds.symmtom.minds import MINDS, ORDERS
from otherminds.worlds.symmtom.scenarios.read import FOLDER
from otherminds.worlds.symmtom.scenarios.solver.plans import DISCOUNTS, asks_the_same, is_paired, looks_of
from otherminds.worlds.symmtom.scenarios.types import Scenario

FLOOR = 0.05  # more often than this no rule without a mind may pass all twins
FAR = 1e6  # stands for what cannot be reached, where numbers are compared and written
_HEAD = "certificate"
_OLD = re.compile(rf"^{_HEAD}:.*\n(?:[ \t-].*\n|\n)*", re.MULTILINE)  # and all that belongs to it
_SAMPLED = {"1", "2"}  # minds whose belief is a sample of possible worlds
_TOLERANCE = 0.02  # of what they would do; relative
_EXACT = 1e-6  # of all that search finds; relative


def check_claims(scenario: Scenario, found: Mapping[str, Any]) -> None:
    """Compare a file with its certificate.

    Raises:
        UserError: if a claim does not hold; the message names the line on which it is made.
    """
    for case in scenario.cases:
        mine = found[case.name]
        if mine["turns"] >= FAR:
            scenario.refuse(
                f"{case.name}.right",
                f"case {case.name!r}: {case.right!r} cannot be reached for sure in the {scenario.limit} turns of the "
                f"trial, whatever {scenario.agents[0]} does",
            )
        if abs(mine["turns"] - case.turns) > 1e-3:
            scenario.refuse(
                f"{case.name}.turns",
                f"case {case.name!r}: the file says {case.turns:g} turns, the search finds {mine['turns']:g}",
            )
        if "margin" in mine and not is_best(mine["margin"]):
            scenario.refuse(
                f"{case.name}.right",
                f"case {case.name!r}: {case.right!r} is not the best choice; its margin is {mine['margin']} at "
                f"discounts {DISCOUNTS}",
            )
    if scenario.reproduction:
        _check_reproduction(scenario, found)
    elif is_paired(scenario):
        _check_twins(scenario, found)
    else:
        _check_without_twins(scenario)


def is_order_proved(scenario: Scenario, found: Mapping[str, Any]) -> bool:
    """Whether ``check_claims`` could check the order: not where cases look alike, or nothing is left to believe."""
    return is_paired(scenario) or (bool(scenario.reproduction) and _has_minds(found))


def needed_order(scenario: Scenario, certificate: Mapping[str, Any]) -> str:
    """The least order of belief from which on all cases are passed.

    Raises:
        UserError: if there is none.
    """
    passes = {order: _all_right(scenario, certificate, order) for order in ORDERS}
    enough = [order for place, order in enumerate(ORDERS) if all(passes[higher] for higher in ORDERS[place:])]
    if not enough:
        scenario.refuse("order", f"no order of belief chooses right in all cases: {dict(certificate)}")
    return enough[0]


def is_best(margins: Sequence[float]) -> bool:
    """Better if sooner is better, and no worse if it makes no difference when."""
    return all(margin > 0 if discount < 1 else margin >= 0 for margin, discount in zip(margins, DISCOUNTS, strict=True))


def _check_reproduction(scenario: Scenario, found: Mapping[str, Any]) -> None:
    if not _has_minds(found):
        return
    place = MINDS.index(str(scenario.order))
    right = [_all_right(scenario, found, mind) for mind in MINDS]
    if not all(right[place:]) or right[place - 1]:
        scenario.refuse("order", f"order {scenario.order} is not what makes the difference: {dict(found)}")


def _check_twins(scenario: Scenario, found: Mapping[str, Any]) -> None:
    order = needed_order(scenario, found)
    if order != str(scenario.order):
        scenario.refuse("order", f"the file says order {scenario.order}, the solver finds {order}")
    lucky = prod(found[case.name]["random_pass"] for case in scenario.cases)
    if lucky > FLOOR:
        scenario.refuse(
            "cases",
            f"a random player passes all cases in {lucky:.0%} of trials, more than {FLOOR:.0%}; make the right acts "
            f"longer or fewer",
        )


def _check_without_twins(scenario: Scenario) -> None:
    """Only where cases cannot be told apart, and something has to be told, are twins not to be had."""
    is_unknowable = len({looks_of(scenario, case) for case in scenario.cases}) == 1
    if len(scenario.choices) == 1 and is_unknowable and not asks_the_same(scenario):
        return
    mark = "or say in 'reproduction only' why it is kept without"
    if len(scenario.cases) == 1:
        scenario.refuse("cases", f"there is one case, so a rule without any mind may pass; add a twin, {mark}")
    names = " and ".join(repr(case.name) for case in scenario.cases)
    rights = ", ".join(dict.fromkeys(repr(case.right) for case in scenario.cases))
    scenario.refuse(
        "cases",
        f"{names} are no twins: they must look different to {scenario.agents[0]} and ask for different acts, not all "
        f"for {rights} by the same one; change a history or what is right, {mark}",
    )


def _has_minds(found: Mapping[str, Any]) -> bool:
    return all("margins" in mine or "believed_turns" in mine for mine in found.values())


def _all_right(scenario: Scenario, certificate: Mapping[str, Any], mind: str) -> bool:
    cases = [certificate[case.name] for case in scenario.cases]
    if len(scenario.choices) > 1:
        return all(is_best(case["margins"][mind]) for case in cases)
    return all(case["believed_turns"][mind] <= case["turns"] + 1e-6 for case in cases)


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
