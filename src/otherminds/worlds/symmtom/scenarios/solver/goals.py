"""Whether those who walk by a script walk to where they gain most: nobody could foresee it otherwise."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from otherminds.worlds.symmtom.rules import earshot
from otherminds.worlds.symmtom.scenarios.conditions import Condition
from otherminds.worlds.symmtom.scenarios.solver.certificates import rounded
from otherminds.worlds.symmtom.scenarios.solver.graph import explore
from otherminds.worlds.symmtom.scenarios.solver.plans import DISCOUNTS, first_contact_values
from otherminds.worlds.symmtom.scenarios.stage import played_turn
from otherminds.worlds.symmtom.scenarios.types import Deed, Scenario
from otherminds.worlds.symmtom.types import State


def goals_of(scenario: Scenario, state: State) -> dict[str, Any]:
    """For everyone whose script has it move, what meeting each other agent first is worth to it, for each discount.

    Raises:
        UserError: if its script leads it to another than the best: nobody could foresee that.
    """
    found: dict[str, Any] = {}
    for role in range(1, len(scenario.agents)):
        if all(turn[role].move == 0 for turn in scenario.script):
            continue
        order = [role, *(other for other in range(len(scenario.agents)) if other != role)]
        names = [scenario.agents[other] for other in order]
        choices: dict[str, tuple[Condition, ...]] = {
            name: (Condition(0, "near", (place,)),) for place, name in enumerate(names) if place
        }
        alone = replace(scenario, agents=tuple(names), choices=choices, script=())
        swapped = State(*(a if name == "turn" else a[order] for name, a in state._asdict().items()))
        horizon = scenario.params.num_turns
        graph = explore(alone, State(*(a[..., None] for a in swapped)), talk=True, turns=horizon)
        values = [first_contact_values(graph, choices, horizon, discount) for discount in DISCOUNTS]
        worth = {name: [rounded(v[name][graph.roots[0]]) for v in values] for name in choices}
        met = _first_met(scenario, state, role)
        if met and any(worth[met][d] < worth[name][d] for name in worth for d in range(len(DISCOUNTS))):
            scenario.refuse(
                "trial", f"the script leads {names[0]} to {met}, but whom it meets first is worth to it {worth}"
            )
        found[names[0]] = worth
    return {"goals": found} if found else {}


def _first_met(scenario: Scenario, state: State, role: int) -> str | None:
    """Whom a scripted agent comes near first if role 0 stays where it is."""
    for number in range(scenario.params.num_turns):
        state = played_turn(scenario, state, (Deed(), *scenario.deeds(number)[1:]))
        near = earshot(state.x, state.y, scenario.params)[role]
        for other, name in enumerate(scenario.agents):
            if int(near) >> other & 1:
                return name
    return None
