"""Tables 2 and 3 of the SymmToM paper, and the whole battery: models by scenarios, over all their runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, replace
from functools import lru_cache

from otherminds.core.mind import Policy
from otherminds.evals.statistics import Estimate, mean, pooled
from otherminds.evals.symmtom_agents import Agent
from otherminds.evals.symmtom_battery import Score, perform, score
from otherminds.evals.symmtom_tables import paper_tables
from otherminds.players.symmtom import PAPER_MODELS
from otherminds.players.symmtom.scripted import WALKERS
from otherminds.worlds.symmtom.scenarios.solver.claims import FLOOR
from otherminds.worlds.symmtom.scenarios.solver.plans import is_paired
from otherminds.worlds.symmtom.scenarios.types import Scenario

_FLOOR_EPISODES = 48  # every staging of three agents
RATES = tuple(field.name for field in fields(Score) if field.name not in ("scenario", "episodes", "by_case"))


@dataclass(frozen=True)
class BatteryRow:
    """A model in a scenario: means over its runs, with bootstrap intervals."""

    model: str
    scenario: str
    seeds: list[int | None]  # of the runs' trainings
    episodes: int  # of each case
    rates: dict[str, Estimate | None]  # by the names of ``RATES``
    best: float  # success of the best run
    paper: dict[str, float | None] | None  # what the paper reports for the same model and test
    note: str = ""  # in what the scenario's rules are not those of the training


def paper_form(scenario: Scenario) -> Scenario:
    """The scenario as the paper has it: where a twin asks for another choice, without the twin."""
    rights = {case.right for case in scenario.cases}
    return scenario if len(rights) == 1 else replace(scenario, cases=scenario.cases[:1])


def untrained(agent: Agent, seed: int = 0) -> Agent:
    """The paper's control: the same model before its training."""
    import jax
    import jax.numpy as jnp

    from otherminds.players.symmtom.learned import Learned

    policy = agent.policy
    assert isinstance(policy, Learned)
    sets = jax.tree.leaves(policy.variables)[0].shape[0]
    keys = jax.random.split(jax.random.key(seed), sets)
    variables = jax.tree.map(lambda *leaves: jnp.stack(leaves), *(policy.mind.init(key) for key in keys))
    label, model = f"untrained {agent.label}", f"untrained {agent.model}"
    return replace(agent, label=label, model=model, policy=replace(policy, name=label, variables=variables))


@lru_cache(maxsize=64)
def readable(policy: Policy, seed: int) -> Policy:
    """The policy; a recurrent one with a readout of its state, so that its belief can be asked for."""
    mind = getattr(policy, "mind", None)
    if mind is None or mind.kind != "recurrent":
        return policy
    from otherminds.evals.symmtom_readout import read_out
    from otherminds.players.symmtom.learned import Learned

    assert isinstance(policy, Learned)
    return read_out(policy, seed)


def battery_rows(
    agents: Sequence[Agent],
    scenarios: Sequence[Scenario],
    episodes: int = 1000,
    seed: int = 0,
    engine: str | None = None,
    on_row: Callable[[BatteryRow], None] | None = None,
) -> list[BatteryRow]:
    """Play every agent in every scenario of the setting it was trained in; players that were not, in all.

    Args:
        agents: any; runs of one model become one row.
        scenarios: which.
        episodes: of each case.
        seed: the same seed gives the same rows on the same engine.
        engine: ``"jax"``, ``"numpy"``, or ``None`` for the one that suits.
        on_row: called with each row as it is ready.
    """
    todo = []
    for model in dict.fromkeys(agent.model for agent in agents):
        for scenario in scenarios:
            setting = scenario.params.setting
            mine = [a for a in agents if a.model == model and (a.params is None or a.params.setting == setting)]
            if mine:
                todo.append((model, scenario, mine, [readable(a.policy, seed) for a in mine]))

    def play(scenario: Scenario, policies: list[Policy]) -> list[Score]:
        return [score(perform(scenario, policy, episodes, seed, engine)) for policy in policies]

    rows = []
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:  # compiled play leaves Python to others
        games = [pool.submit(play, scenario, policies) for _, scenario, _, policies in todo]
        try:
            for (model, scenario, mine, _), game in zip(todo, games, strict=True):
                rows.append(_row(model, scenario, mine, game.result()))
                if on_row:
                    on_row(rows[-1])
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)  # what has not begun need not
            raise
    return rows


def _row(model: str, scenario: Scenario, agents: Sequence[Agent], found: Sequence[Score]) -> BatteryRow:
    rates: dict[str, Estimate | None] = {}
    for name in RATES:
        values = [value for value in (getattr(one, name) for one in found) if value is not None]
        rates[name] = pooled([values], mean) if values else None
    published = paper_tables()["table2"]["models"].get(PAPER_MODELS.get(model, ""), {}).get(scenario.name)
    return BatteryRow(
        model=model,
        scenario=scenario.name,
        seeds=[agent.seed for agent in agents],
        episodes=found[0].episodes,
        rates=rates,
        best=max(one.success for one in found),
        paper=published,
        note="; ".join(dict.fromkeys(note for agent in agents if (note := _untrained_rules(agent, scenario)))),
    )


def _untrained_rules(agent: Agent, scenario: Scenario) -> str:
    """Which rules of a scenario an agent was not trained by; what a world shows, agents take along."""
    if agent.params is None:
        return ""
    from otherminds.players.symmtom.mind import VIEW

    here, there = scenario.params.to_dict(), agent.params.to_dict()
    names = [n for n in dict.fromkeys((*here, *there)) if n not in (*VIEW, "num_turns") and here.get(n) != there.get(n)]
    return ", ".join(f"trained {f'with {n}={there[n]}' if n in there else f'without {n}={here[n]}'}" for n in names)


def left_out(agents: Sequence[Agent], scenarios: Sequence[Scenario]) -> list[str]:
    """Why some models are not played in some scenarios, a line for each such scenario."""
    lines = []
    for scenario in scenarios:
        setting = scenario.params.setting
        trained: dict[str, set[str]] = {}
        for agent in agents:
            trained.setdefault(agent.model, set()).add(setting if agent.params is None else agent.params.setting)
        absent = [f"{model} ({', '.join(sorted(s))})" for model, s in trained.items() if setting not in s]
        if absent:
            lines.append(f"{scenario.name} is of {setting}; left out, as trained elsewhere: {', '.join(absent)}")
    return lines


def check_floor(scenario: Scenario) -> None:
    """Hold rules without any mind against twins.

    Raises:
        UserError: if one of them passes all cases more often than ``FLOOR``.
    """
    if not is_paired(scenario) or scenario.reproduction:
        return
    for walker in WALKERS:
        joint = score(perform(scenario, walker, episodes=_FLOOR_EPISODES, engine="numpy")).pair_joint or 0.0
        if joint > FLOOR:
            scenario.refuse(
                "cases",
                f"the rule {walker.name!r}, which knows nothing of anybody, passes all cases in {joint:.0%} of "
                f"{_FLOOR_EPISODES} trials, more than {FLOOR:.0%}; change where agents stand, or what is right",
            )


def best_published(model: str, test: str) -> float | None:
    """The success rate that the paper reports for the best seed of a model (Table 3), in percent."""
    cell = paper_tables()["table3"]["models"].get(PAPER_MODELS.get(model, ""), {}).get(test)
    return None if cell is None else float(cell["SR"])
