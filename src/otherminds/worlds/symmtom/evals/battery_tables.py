"""Tables 2 and 3 of the SymmToM paper, and the whole battery: models by scenarios, over all their runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import lru_cache
from typing import Any

from otherminds.core.mind import Policy
from otherminds.results.statistics import mean, pooled
from otherminds.results.table import Cell, Table
from otherminds.worlds.symmtom.evals.agents import Agent, unlike
from otherminds.worlds.symmtom.evals.battery import Score, perform, score
from otherminds.worlds.symmtom.evals.tables import Row, paper_tables
from otherminds.worlds.symmtom.minds import PAPER_MODELS
from otherminds.worlds.symmtom.minds.scripted import WALKERS
from otherminds.worlds.symmtom.scenarios.solver.claims import FLOOR
from otherminds.worlds.symmtom.scenarios.solver.plans import is_paired
from otherminds.worlds.symmtom.scenarios.staging import stagings
from otherminds.worlds.symmtom.scenarios.types import Scenario

_FLOOR_EPISODES = 48  # every staging of three agents
RATES = {  # means of a Score that tables show, with the heads of their columns
    "success": "success",
    "failure": "failure",
    "unfinished": "unfinished",
    "ratso": "RATSO",
    "pair_joint": "pair-joint",
    "literal": "literal",
    "knew_and_passed": "knew, passed",
    "passed_unknowing": "luck",
    "as_written": "as written",
    "as_written_ratso": "its RATSO",
    "as_written_joint": "its joint",
}


def paper_form(scenario: Scenario) -> Scenario:
    """The scenario as the paper has it: where a twin asks for another choice, without the twin."""
    rights = {case.right for case in scenario.cases}
    return scenario if len(rights) == 1 else replace(scenario, cases=scenario.cases[:1])


def untrained(agent: Agent, seed: int = 0) -> Agent:
    """The paper's control: the same model before its training."""
    import jax
    import jax.numpy as jnp

    from otherminds.worlds.symmtom.minds.learned import Learned

    policy = agent.policy
    assert isinstance(policy, Learned)
    sets = jax.tree.leaves(policy.variables)[0].shape[0]
    keys = jax.random.split(jax.random.key(seed), sets)
    variables = jax.tree.map(lambda *leaves: jnp.stack(leaves), *(policy.mind.init(key) for key in keys))
    label, model = f"untrained {agent.label}", f"untrained {agent.model}"
    return replace(agent, label=label, model=model, policy=replace(policy, name=label, variables=variables))


@lru_cache(maxsize=64)
def readable(policy: Policy, seed: int) -> Policy:
    """Return the policy; a recurrent one with a readout of its state as its belief."""
    mind = getattr(policy, "mind", None)
    if mind is None or mind.kind != "recurrent":
        return policy
    from otherminds.worlds.symmtom.evals.readout import read_out
    from otherminds.worlds.symmtom.minds.learned import Learned

    assert isinstance(policy, Learned)
    return read_out(policy, seed)


def battery_rows(
    agents: Sequence[Agent],
    scenarios: Sequence[Scenario],
    episodes: int = 1000,
    seed: int = 0,
    engine: str | None = None,
    advance: Callable[[str], None] = lambda _: None,
) -> list[Row]:
    """Play every agent in every scenario of the setting it was trained in, and scripted minds in all scenarios.

    Returns:
        ``model``, ``scenario``, ``seeds`` (of the runs' trainings), ``episodes`` (of each case), ``rates`` (an
        estimate over runs, or ``None``, for each of ``RATES``), ``best`` (success of the best run), ``paper`` (what
        the paper reports for the same model and test) and ``note`` (how the scenario's rules differ from those of the
        training).
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
                advance(f"{model} in {scenario.name}")
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)  # cancels games that have not begun
            raise
    return rows


def _row(model: str, scenario: Scenario, agents: Sequence[Agent], scores: Sequence[Score]) -> Row:
    rates: Row = {}
    for name in RATES:
        values = [value for value in (getattr(score, name) for score in scores) if value is not None]
        rates[name] = pooled([values], mean).to_dict() if values else None
    return {
        "model": model,
        "scenario": scenario.name,
        "seeds": [agent.seed for agent in agents],
        "episodes": scores[0].episodes,
        "rates": rates,
        "best": max(score.success for score in scores),
        "paper": _published(2, model, scenario.name),
        "note": "; ".join(dict.fromkeys(note for agent in agents if (note := _untrained_rules(agent, scenario)))),
    }


def _untrained_rules(agent: Agent, scenario: Scenario) -> str:
    """Return which rules of a scenario an agent was not trained with. Agents keep their own view of the world."""
    if agent.params is None:
        return ""
    known, rules = unlike(agent.params, scenario.params), unlike(scenario.params, agent.params)
    trained = agent.params.to_dict()
    return ", ".join(
        f"trained {f'with {known[name]}' if name in trained else f'without {rules[name]}'}"
        for name in known
        if name != "num_turns"
    )


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
            lines.append(f"{scenario.name} has setting {setting}; left out, trained in another: {', '.join(absent)}")
    return lines


def check_floor(scenario: Scenario) -> None:
    """Check that rules without any mind fail the twins of a scenario."""
    if not is_paired(scenario) or scenario.reproduction:
        return
    for walker in WALKERS:
        joint = score(perform(scenario, walker, episodes=_FLOOR_EPISODES, engine="numpy")).pair_joint or 0.0
        if joint > FLOOR:
            scenario.refuse(
                "cases",
                f"the rule {walker.name!r}, which ignores what anybody knows, passes all cases in {joint:.0%} of "
                f"{_FLOOR_EPISODES} trials, more than {FLOOR:.0%}; change where agents stand, or what is right",
            )


def battery_table(rows: Sequence[Row], scenarios: Sequence[Scenario], absent: Sequence[str]) -> Table:
    """All rates of the battery."""
    lines = []
    for row in sorted(rows, key=lambda row: str(row["scenario"])):
        line: Row = {"scenario": row["scenario"], "model": f"{row['model']}{' *' if row['note'] else ''}"}
        lines.append(line | {head: _cell(row, name) for name, head in RATES.items()})
    notes = [
        f"{_stagings_played(rows, scenarios)}; 'as written' uses only the layout in the file.",
        "pair-joint: both twins passed, in at most 1.5 times the best number of turns.",
        "literal: the belief at the start of the trial was right; luck: passed without knowing.",
        *dict.fromkeys(f"* {row['model']} in {row['scenario']}: {row['note']}" for row in rows if row["note"]),
        *absent,
    ]
    return Table.of("SymmToM, theory-of-mind battery (percent)", lines, notes=notes, texts=2)


def paper_table(number: int, rows: Sequence[Row], absent: Sequence[str]) -> Table:
    """The paper's table 2 (means over runs) or 3 (the best run), published figures in brackets."""
    layouts = (
        "the paper's layouts are not available; ours follow its text, so its figures (in brackets) are a rough guide"
    )
    if number == 2:
        columns = {"success": "SR", "failure": "FR", "unfinished": "unfinished", "ratso": "RATSO"}  # the paper's names
        lines = [
            {"test": row["scenario"], "model": row["model"], "runs": str(len(row["seeds"]))}
            | {RATES[name]: _cell(row, name, (row["paper"] or {}).get(theirs)) for name, theirs in columns.items()}
            for row in sorted(rows, key=lambda row: str(row["scenario"]))
        ]
        title = "SymmToM, table 2: theory-of-mind tests, mean over runs (percent)"
        return Table.of(title, lines, notes=[layouts, *absent], texts=2)
    models: dict[str, Row] = {}
    for row in rows:
        published = (_published(3, row["model"], row["scenario"]) or {}).get("SR")
        line = models.setdefault(row["model"], {"model": row["model"]})
        line[row["scenario"]] = Cell(100 * row["best"], published=published, digits=0)
    title = "SymmToM, table 3: success of the best run (percent)"
    return Table.of(title, list(models.values()), notes=[layouts, *absent])


def _published(table: int, model: str, test: str) -> Any:
    return paper_tables()[f"table{table}"]["models"].get(PAPER_MODELS.get(model, ""), {}).get(test)


def _cell(row: Row, name: str, published: float | None = None) -> Cell:
    """A rate in percent with its interval, or a ratio."""
    rate = row["rates"][name]
    if rate is None or name.endswith("ratso"):
        return Cell(rate and rate["value"], published=published, digits=2)
    low, high = (None if end is None else 100 * end for end in (rate["low"], rate["high"]))
    return Cell(100 * rate["value"], interval=(low, high), published=published, digits=0)


def _stagings_played(rows: Sequence[Row], scenarios: Sequence[Scenario]) -> str:
    """The number of symmetries and orders of seats in which cases were played, out of all."""
    agents = {scenario.name: scenario.params.num_agents for scenario in scenarios}
    parts = []
    for number, episodes in sorted({(agents[row["scenario"]], row["episodes"]) for row in rows}):
        every = len(stagings(number))
        ways = f"all {every}" if episodes >= every else f"{episodes} of the {every}"
        parts.append(f"{episodes} episodes of each case with {number} agents, in {ways} symmetries and orders of seats")
    return "; ".join(parts)
