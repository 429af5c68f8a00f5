"""The battery over many agents: who is played where, what is said of it, and rules without a mind as a floor."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.symmtom.evals import battery_tables
from otherminds.worlds.symmtom.evals.agents import Agent, find_agents
from otherminds.worlds.symmtom.evals.battery_tables import (
    RATES,
    battery_rows,
    check_floor,
    left_out,
    paper_table,
    untrained,
)
from otherminds.worlds.symmtom.minds.learned import Learned
from otherminds.worlds.symmtom.minds.planner import Planner
from otherminds.worlds.symmtom.minds.scripted import RANDOM, STILL
from otherminds.worlds.symmtom.scenarios import find_scenario
from otherminds.worlds.symmtom.scenarios.items import find_scenarios
from tests.worlds.symmtom.evals.test_battery import Optimal
from tests.worlds.symmtom.learn.making import make_mind

ORDER_0 = find_scenario("order0_w6")
PARAMS = ORDER_0.params


def trained(model: str = "maddpg-none") -> Agent:
    """An agent that counts as trained in the setting of the zeroth order, and is quick to play."""
    return Agent(f"{model}/seed0", model, STILL, PARAMS, 0)


def weights(agent: Agent) -> list[Any]:
    assert isinstance(agent.policy, Learned)
    return [np.asarray(leaf) for leaf in jax.tree.leaves(agent.policy.variables)]


# The paper's control


def test_an_untrained_agent_is_the_same_model_with_weights_to_begin_with() -> None:
    mind = make_mind()
    shapes = jax.eval_shape(mind.init, jax.random.key(0))
    learned = jax.tree.map(lambda leaf: np.full((3, *leaf.shape), 7.0, np.float32), shapes)
    agent = Agent("maddpg-none/seed0", "maddpg-none", Learned("maddpg-none", mind, learned), mind.params, 0)
    control, other = untrained(agent, seed=1), untrained(agent, seed=2)
    assert (control.model, control.label) == ("untrained maddpg-none", "untrained maddpg-none/seed0")
    assert isinstance(control.policy, Learned)
    assert (control.policy.mind, control.policy.name) == (mind, "untrained maddpg-none/seed0")
    assert [leaf.shape for leaf in weights(control)] == [leaf.shape for leaf in weights(agent)]
    assert not any((leaf == 7.0).any() for leaf in weights(control))
    assert all((leaf == 7.0).all() for leaf in weights(agent)), "the trained one stays as it is"
    matrices = [pair for pair in zip(weights(control), weights(other), strict=True) if pair[0].ndim == 3]
    assert matrices
    for mine, theirs in matrices:
        assert not np.allclose(mine, theirs), "the seed decides"
        assert not np.allclose(mine[0], mine[1]), "every seat has its own"


# Rows


def test_runs_of_a_model_are_one_row_with_their_mean_and_the_best_of_them() -> None:
    agents = [Agent("a", "mixed", Optimal(ORDER_0), seed=5), Agent("b", "mixed", STILL, seed=6)]
    (row,) = battery_rows(agents, [ORDER_0], episodes=8, engine="numpy")
    assert (row["model"], row["scenario"], row["seeds"], row["episodes"]) == ("mixed", "order0_w6", [5, 6], 8)
    assert row["best"] == 1.0
    assert set(row["rates"]) == set(RATES)
    for name in ("success", "pair_joint", "as_written", "as_written_joint"):
        found = row["rates"][name]
        assert found is not None
        assert (found["value"], found["runs"]) == (0.5, 2)
    ratso = row["rates"]["ratso"]
    assert ratso is not None
    assert (ratso["value"], ratso["runs"]) == (1.0, 1), "a run without success has none"


def test_a_row_says_how_many_episodes_a_single_case_was_played() -> None:
    agents = [Agent("still", "still", STILL)]
    rows = battery_rows(agents, find_scenarios(["order0_w6", "order1and2_w6"]), episodes=5, engine="numpy")
    assert {row["scenario"]: row["episodes"] for row in rows} == {"order0_w6": 5, "order1and2_w6": 10}


def test_scenarios_played_side_by_side_come_out_in_order_as_if_played_alone() -> None:
    agents, ready = [Agent("random", "random", RANDOM), Agent("still", "still", STILL)], list[str]()
    scenarios = find_scenarios(["silence_w6", "order0_w6", "contact_w6"])
    rows = battery_rows(agents, scenarios, episodes=24, engine="numpy", advance=ready.append)
    alone = [row for agent in agents for s in scenarios for row in battery_rows([agent], [s], 24, engine="numpy")]
    assert rows == alone
    assert ready == [f"{row['model']} in {row['scenario']}" for row in rows]
    assert len({str(row["rates"]) for row in rows[:3]}) == 3, "a seed of its own for each"


def test_published_figures_stand_beside_the_papers_models() -> None:
    rows = battery_rows([trained(), Agent("still", "still", STILL)], [ORDER_0], episodes=4, engine="numpy")
    assert [row["paper"] is not None for row in rows] == [True, False]
    best = {line[0]: line[1].published for line in paper_table(3, rows, []).rows}
    assert best[rows[0]["model"]] is not None
    assert best["still"] is None


# Who is played where


def test_who_was_trained_by_other_rules_is_marked() -> None:
    scenarios = find_scenarios(["order0_w6", "rival_w6"])
    rows = battery_rows([trained(), Agent("still", "still", STILL)], scenarios, episodes=4, engine="numpy")
    notes = {(row["model"], row["scenario"]): row["note"] for row in rows}
    assert notes == {
        ("maddpg-none", "order0_w6"): "",
        ("maddpg-none", "rival_w6"): "trained without competitive=2",
        ("still", "order0_w6"): "",
        ("still", "rival_w6"): "",
    }
    rival = replace(trained(), params=PARAMS.replace(competitive=2))
    assert battery_rows([rival], [ORDER_0], episodes=4, engine="numpy")[0]["note"] == "trained with competitive=2"


def test_what_an_agent_is_shown_is_no_rule() -> None:
    seeing = replace(trained(), params=PARAMS.replace(mask_actions=True, num_turns=7))
    assert battery_rows([seeing], [ORDER_0], episodes=4, engine="numpy")[0]["note"] == ""


def test_who_was_trained_elsewhere_is_left_out_and_it_is_said_why() -> None:
    agents, scenarios = [trained(), Agent("still", "still", STILL)], find_scenarios(["order0_w6", "order0_w12"])
    rows = battery_rows(agents, scenarios, episodes=4, engine="numpy")
    assert [(row["model"], row["scenario"]) for row in rows] == [
        ("maddpg-none", "order0_w6"),
        ("still", "order0_w6"),
        ("still", "order0_w12"),
    ]
    assert left_out(agents, scenarios) == [
        "order0_w12 has setting n3_w12_c3; left out, trained in another: maddpg-none (n3_w6_c3)"
    ]


def test_nobody_is_left_out_where_all_are_played() -> None:
    assert left_out([trained()], [ORDER_0]) == []


# Finding


def test_a_scenario_that_is_named_twice_is_played_once() -> None:
    assert [s.name for s in find_scenarios(["order0_w6", "contact_w6", "order0_w6"])] == ["order0_w6", "contact_w6"]
    assert len(find_scenarios(["paper", "order0_w6"])) == 6


@pytest.mark.parametrize("word", ["all", "paper", "twins"])
def test_where_one_is_wanted_a_word_for_several_is_refused(word: str) -> None:
    with pytest.raises(UserError, match=f"'{word}'"):
        find_scenario(word)
    assert find_scenario("order0_w6").name == "order0_w6"


# The floor


def test_twins_that_a_rule_passes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    check_floor(ORDER_0)
    monkeypatch.setattr(battery_tables, "WALKERS", (Planner("0"),))
    with pytest.raises(
        UserError, match="'planner:order=0', which ignores what anybody knows, passes all cases in 100%"
    ):
        check_floor(ORDER_0)
    check_floor(find_scenario("order2_w12"))  # without twins there is nothing to pass


@pytest.mark.slow
def test_the_learned_agents_that_are_shipped_pass_every_twin() -> None:
    agents = find_agents([Path(__file__).parents[4] / "results" / "symmtom" / "imitation-wary"])
    rows = battery_rows(agents, find_scenarios(["twins"]), 48)
    assert {row["scenario"] for row in rows} == {scenario.name for scenario in find_scenarios(["twins"])}
    for row in rows:
        joint = row["rates"]["pair_joint"]
        assert joint is not None
        assert joint["value"] >= 0.95, row["scenario"]
