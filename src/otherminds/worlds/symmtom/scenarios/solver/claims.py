"""Check the claims of scenario files (turns, right choice, twins, order of belief), and their certificates."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import yaml

from otherminds.core.errors import UserError
from otherminds.worlds.symmtom.beliefs.tom_orders import MINDS, ORDERS
from otherminds.worlds.symmtom.scenarios.read import FOLDER
from otherminds.worlds.symmtom.scenarios.solver.plans import DISCOUNTS, asks_the_same, is_paired, looks_of
from otherminds.worlds.symmtom.scenarios.types import Scenario

FLOOR = 0.05  # the most often that a rule without theory of mind may pass all twins
FAR = 1e6  # represents an unreachable value where numbers are compared and written
_HEAD = "certificate"
_OLD = re.compile(rf"^{_HEAD}:.*\n(?:[ \t-].*\n|\n)*", re.MULTILINE)  # with its indented lines
_SAMPLED = {"1", "2"}  # minds whose belief is a sample of possible worlds
_TOLERANCE = 0.02  # for their choices; relative
_EXACT = 1e-6  # for results of search; relative


def check_claims(scenario: Scenario, proofs: Mapping[str, Any]) -> None:
    """Compare the claims of a file with a certificate."""
    for case in scenario.cases:
        mine = proofs[case.name]
        if mine["turns"] >= FAR:
            scenario.refuse(
                f"{case.name}.right",
                f"case {case.name!r}: {case.right!r} cannot be reached with certainty in the {scenario.limit} turns of "
                f"the trial, whatever {scenario.agents[0]} does",
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
        place = MINDS.index(str(scenario.order))
        right = [_has_minds(proofs) and _all_right(scenario, proofs, mind) for mind in MINDS]
        if _has_minds(proofs) and (not all(right[place:]) or right[place - 1]):
            scenario.refuse("order", f"order {scenario.order} does not make the difference: {dict(proofs)}")
    elif is_paired(scenario):
        order = needed_order(scenario, proofs)
        if order != str(scenario.order):
            scenario.refuse("order", f"the file says order {scenario.order}, the solver finds {order}")
        lucky = prod(proofs[case.name]["random_pass"] for case in scenario.cases)
        if lucky > FLOOR:
            scenario.refuse(
                "cases",
                f"a random mind passes all cases in {lucky:.0%} of trials, more than {FLOOR:.0%}; require longer or "
                f"more specific acts",
            )
    else:
        _check_without_twins(scenario)


def is_order_proved(scenario: Scenario, proofs: Mapping[str, Any]) -> bool:
    """Whether ``check_claims`` could check the order: not if cases look alike or beliefs do not matter."""
    return is_paired(scenario) or (bool(scenario.reproduction) and _has_minds(proofs))


def needed_order(scenario: Scenario, certificate: Mapping[str, Any]) -> str:
    """The lowest order such that it and all higher orders pass all cases."""
    passes = {order: _all_right(scenario, certificate, order) for order in ORDERS}
    enough = [order for place, order in enumerate(ORDERS) if all(passes[higher] for higher in ORDERS[place:])]
    if not enough:
        scenario.refuse("order", f"no order of belief leads to the right choice in all cases: {dict(certificate)}")
    return enough[0]


def is_best(margins: Sequence[float]) -> bool:
    """Whether a choice is better with a discount, and at least as good without."""
    return all(margin > 0 if discount < 1 else margin >= 0 for margin, discount in zip(margins, DISCOUNTS, strict=True))


def _check_without_twins(scenario: Scenario) -> None:
    """Accept a scenario without twins only if its cases cannot be distinguished and something has to be told."""
    is_unknowable = len({looks_of(scenario, case) for case in scenario.cases}) == 1
    if len(scenario.choices) == 1 and is_unknowable and not asks_the_same(scenario):
        return
    mark = "or explain in 'reproduction only' why the scenario has none"
    if len(scenario.cases) == 1:
        scenario.refuse("cases", f"with one case, a rule without theory of mind may pass; add a twin, {mark}")
    names = " and ".join(repr(case.name) for case in scenario.cases)
    rights = ", ".join(dict.fromkeys(repr(case.right) for case in scenario.cases))
    scenario.refuse(
        "cases",
        f"{names} are not twins: twins look different to {scenario.agents[0]} and call for different acts, but these "
        f"all call for {rights} by the same act; change a history or the right choice, {mark}",
    )


def _has_minds(proofs: Mapping[str, Any]) -> bool:
    return all("margins" in mine or "believed_turns" in mine for mine in proofs.values())


def _all_right(scenario: Scenario, certificate: Mapping[str, Any], mind: str) -> bool:
    cases = [certificate[case.name] for case in scenario.cases]
    if len(scenario.choices) > 1:
        return all(is_best(case["margins"][mind]) for case in cases)
    return all(case["believed_turns"][mind] <= case["turns"] + 1e-6 for case in cases)


def rounded(value: Any) -> float:
    """A number as certificates hold it."""
    return float(f"{max(-FAR, min(FAR, float(value))):.5g}")


def with_certificate(text: str, certificate: Mapping[str, Any]) -> str:
    """The text of a file with a new certificate at its end; everything else stays."""
    kept = _OLD.sub("", f"{text}\n").rstrip("\n")
    # YAML takes 1e-05 for a word, and 1.0e-05 for a number.
    lines = [re.sub(r"\b(\d+)e-", r"\1.0e-", f"  {name}: {json.dumps(proved)}") for name, proved in certificate.items()]
    new = "\n".join([kept, f"{_HEAD}:  # by 'otherminds verify --write'", *lines, ""])
    if _read(new) != {**_read(text), _HEAD: dict(certificate)}:
        raise UserError(
            "the certificate cannot be added without changing other fields; start every field of the file on a new "
            "line, in the first column"
        )
    return new


def check_certificate(scenario: Scenario, proved: Mapping[str, Any]) -> None:
    """Compare the certificate of a file with what was proved."""
    if scenario.certificate is None:
        if scenario.path is None or scenario.path.parent != FOLDER:
            return
        raise UserError(f"{scenario.name} has no certificate; write it with: otherminds verify {scenario.path} --write")
    stored, computed = _flat(scenario.certificate), _flat(proved)
    for place in (*computed, *(place for place in stored if place not in computed)):
        if not _agree(place, stored.get(place), computed.get(place)):
            scenario.refuse(
                _HEAD,
                f"the certificate says {'.'.join(place) or 'it'} is {stored.get(place, 'nothing')}, the solver finds "
                f"{computed.get(place, 'nothing')}; if the change is intended, run: otherminds verify "
                f"{scenario.path or scenario.name} --write",
            )


def _agree(place: tuple[str, ...], stored: Any, computed: Any) -> bool:
    numbers = [v for v in (stored, computed) if isinstance(v, int | float) and not isinstance(v, bool)]
    if len(numbers) < 2:
        return False
    if _SAMPLED & set(place[1:]):
        return bool(abs(stored - computed) <= _TOLERANCE * max(1.0, abs(computed)))
    return bool(abs(stored - computed) <= _EXACT * abs(computed))


def _flat(content: Any, place: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    """Every number by its path: case, kind and further keys."""
    if isinstance(content, Mapping):
        return {k: v for name, value in content.items() for k, v in _flat(value, (*place, str(name))).items()}
    if isinstance(content, list):
        return {k: v for i, value in enumerate(content) for k, v in _flat(value, (*place, f"[{i}]")).items()}
    return {place: content}


def _read(text: str) -> Any:
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        return {}
