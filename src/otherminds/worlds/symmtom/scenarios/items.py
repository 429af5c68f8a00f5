"""Scenarios as items of suites: an item is a case in a staging, and all cases in one staging form a group."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import Any, Literal

import numpy as np

from otherminds.core.errors import UserError
from otherminds.core.world import Item
from otherminds.worlds.symmtom.scenarios.read import find_scenario, scenario_names
from otherminds.worlds.symmtom.scenarios.solver.certify import pass_limit
from otherminds.worlds.symmtom.scenarios.solver.plans import is_paired
from otherminds.worlds.symmtom.scenarios.staging import (
    StagedTrials,
    Staging,
    by_role,
    put_on,
    stagings,
    trial_state,
    verdict,
)
from otherminds.worlds.symmtom.scenarios.types import Case, Scenario
from otherminds.worlds.symmtom.types import Params, State

PAPER_TESTS = ("order0_w6", "order0_w12", "order1and2_w6", "order1and2_w12", "order2_w12", "probabilistic_w6")
SUITES = {"standard": "all", "battery": "all", "all": "all", "twins": "twins", "paper": "paper"}
SEVERAL = ("all", "paper", "twins")  # words that select more than one scenario
AS_WRITTEN = Staging()
Verdict = Literal["success", "failure", "unfinished"]
_VERDICTS: dict[int, Verdict] = {1: "success", -1: "failure", 0: "unfinished"}


@dataclass(frozen=True)
class Trial:
    """A case of a scenario in a staging. The history is scripted; then the tested seat is free."""

    scenario: Scenario
    case: Case
    staging: Staging = AS_WRITTEN

    @property
    def seats(self) -> tuple[int, ...]:
        """The seat of each role; that of role 0 is tested."""
        return self.staging.seats or tuple(range(len(self.scenario.agents)))

    @property
    def starts(self) -> int:
        return len(self.case.history)

    @property
    def params(self) -> Params:
        """The parameters in its record: the episode lasts as long as the trial can."""
        return self.scenario.params.replace(num_turns=self.starts + self.scenario.limit)

    @property
    def group(self) -> str:
        """The name of the group: equal for all cases in this staging."""
        return f"{self.scenario.name}-{self._way}"

    @property
    def id(self) -> str:
        """A stable name that changes with the content of the scenario."""
        test, case = self.scenario, self.case
        content = (test.params, test.bases, test.hands, test.choices, test.script, test.limit, case)
        digest = hashlib.blake2b(repr(content).encode(), digest_size=4).hexdigest()
        return f"{test.name}-{case.name}-{self._way}-{digest}"

    @cached_property
    def staged(self) -> StagedTrials:
        return put_on(self.scenario, [(self.case, self.staging)]).only()

    def scripts(self) -> dict[str, str]:
        """The scripted seats, and their names in records."""
        roles = enumerate(self.scenario.agents)
        return {f"agent_{self.seats[role]}": f"script of {name}" for role, name in roles if role}

    def verdict(self, state: State) -> Verdict:
        return _VERDICTS[int(verdict(self.scenario, self.case, by_role(state, self.staged.seats)))]

    def is_passed(self, outcome: str, turns: int) -> bool:
        """Whether the trial succeeded within the pass limit."""
        return outcome == "success" and turns <= pass_limit(self.case)

    def matters(self) -> dict[int, list[int]]:
        """The facts under test: for each piece, the agents whose knowledge of it matters."""
        facts = sorted((piece, self.seats[role]) for role, piece in matters(self.scenario))
        return {piece: [seat for _, seat in group] for piece, group in groupby(facts, key=itemgetter(0))}

    def notes(self) -> dict[str, Any]:
        path = self.scenario.path
        is_own = path is not None and self.scenario.name not in scenario_names()
        return {
            "scenario": self.scenario.name,
            **({"file": str(path)} if is_own else {}),
            "case": self.case.name,
            "symmetry": self.staging.symmetry,
            "seats": list(self.seats),
            "tested": self.seats[0],
            "trial_starts": self.starts,
            "group": self.group,
        }

    def item(self) -> Item:
        labels = {"scenario": self.scenario.name, "case": self.case.name, "seat": f"agent_{self.seats[0]}"}
        return Item(self.id, self, self.group, self.scenario.order, labels)

    @property
    def _way(self) -> str:
        return f"s{self.staging.symmetry}-{''.join(map(str, self.seats))}"


def trial_of(notes: dict[str, Any]) -> Trial:
    """The trial that the notes of a record describe."""
    scenario = find_scenario(notes.get("file") or notes["scenario"])
    staging = Staging(notes.get("symmetry", 0), tuple(notes.get("seats", ())))
    return Trial(scenario, scenario.case(notes["case"]), staging)


def suite_items(name: str, ways: int, num_seats: int) -> list[Item]:
    """The items of ``battery``, ``twins``, ``paper``, of a scenario or its file, or a case (``contact_w6:apart``).

    Args:
        name: one or more names, separated by commas.
        ways: number of stagings per case, spread over all of them; the one of the file comes first.
        num_seats: number of seats of the world. The tested seat is one of these.
    """
    items = []
    for word in (part.strip() for part in name.split(",")):
        base, _, only = word.partition(":")
        for scenario in find_scenarios([SUITES.get(base, base)]):
            cases = (scenario.case(only),) if only else scenario.cases
            known = [way for way in stagings(len(scenario.agents)) if way.seats[0] < num_seats]
            if not 1 <= ways <= len(known):
                raise UserError(f"ways is {ways}; expected 1 to {len(known)} for {len(scenario.agents)} agents")
            chosen = [known[at * len(known) // ways] for at in range(ways)]
            items += [Trial(scenario, case, way).item() for way in chosen for case in cases]
    return items


def find_scenarios(words: Sequence[str]) -> list[Scenario]:
    """Scenarios by name or file, without repeats; also ``all`` (the battery), ``paper`` and ``twins``."""
    chosen: list[Scenario] = []
    for word in words or ["all"]:
        if word == "paper":
            chosen += [find_scenario(name) for name in PAPER_TESTS]
        elif word in ("all", "twins"):
            every = [find_scenario(name) for name in scenario_names()]
            chosen += [s for s in every if word == "all" or (is_paired(s) and not s.reproduction)]
        else:
            chosen.append(find_scenario(word))
    return list({scenario.path or scenario.name: scenario for scenario in chosen}.values())


def matters(scenario: Scenario) -> list[tuple[int, int]]:
    """The facts under test: (role, piece) pairs that differ between cases, or that the history made true.

    Empty if the cases look alike to the tested agent, since then the facts cannot be known.
    """
    truths = [trial_state(scenario, case).knowledge for case in scenario.cases]
    if len(truths) > 1 and not is_paired(scenario):
        return []
    if len(truths) == 1:
        truths.append(trial_state(scenario, scenario.cases[0]).first_hand)
    changed = [int(np.bitwise_or.reduce([t[role] ^ truths[0][role] for t in truths])) for role in range(len(truths[0]))]
    return [(r, p) for r, sets in enumerate(changed) for p in range(scenario.params.num_pieces) if sets >> p & 1]
