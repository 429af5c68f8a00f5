"""Planners and walkers in the battery: each order passes the twins it is enough for, and rules without a mind none."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from otherminds.core.mind import Policy
from otherminds.core.seeds import child_seed, generator
from otherminds.worlds.symmtom import rules
from otherminds.worlds.symmtom.beliefs import bayes
from otherminds.worlds.symmtom.beliefs.tom_orders import ORDERS
from otherminds.worlds.symmtom.chance import draw_deal
from otherminds.worlds.symmtom.evals.battery import Trials, perform, score
from otherminds.worlds.symmtom.minds import planner, scripted
from otherminds.worlds.symmtom.minds.planner import Planner
from otherminds.worlds.symmtom.minds.rollout import rollout
from otherminds.worlds.symmtom.minds.scripted import WALKERS, Walker
from otherminds.worlds.symmtom.observe import perceive
from otherminds.worlds.symmtom.scenarios import Scenario, find_scenario, scenario_names
from otherminds.worlds.symmtom.scenarios.read import parse_scenario
from otherminds.worlds.symmtom.scenarios.solver.certify import pass_limit
from otherminds.worlds.symmtom.scenarios.solver.graph import explore
from otherminds.worlds.symmtom.scenarios.solver.plans import is_paired, walk
from otherminds.worlds.symmtom.scenarios.staging import no_coins, put_on, stagings, trial_state
from otherminds.worlds.symmtom.types import Action, Params, State

TWINS = [name for name in scenario_names() if is_paired(find_scenario(name))]
# Those on the larger board are the same to a planner, and take long.
TWINS_TO_PLAN = [pytest.param(name, marks=[pytest.mark.slow] if name.endswith("_w12") else []) for name in TWINS]
EPISODES = 48  # every staging of three agents once
PARTICLES = 128  # with half as many, chance alone fails one in fifty of the silence twins


def joint(name: str, policy: Policy) -> float:
    found = score(perform(find_scenario(name), policy, EPISODES, engine="numpy")).pair_joint
    assert found is not None
    return found


# Orders


def test_there_are_twins_for_every_order() -> None:
    assert {find_scenario(name).order for name in TWINS} == {0, 1, 2}


@pytest.mark.parametrize("name", TWINS_TO_PLAN)
@pytest.mark.parametrize("order", ORDERS)
def test_a_planner_passes_exactly_the_twins_that_its_order_is_enough_for(order: str, name: str) -> None:
    found = joint(name, Planner(order=order, particles=PARTICLES))
    if ORDERS.index(order) >= ORDERS.index(str(find_scenario(name).order)):
        assert found >= 0.95
    else:
        assert found < 0.5  # who has to guess what to say is right in both of two cases once in four times


@pytest.mark.parametrize("name", TWINS)
def test_who_goes_by_evidence_alone_does_not_pass_what_takes_inference(name: str) -> None:
    found = joint(name, Planner(order="evidence"))
    assert found == 1 if find_scenario(name).order == 0 else found < 0.8


def test_a_planner_that_passes_also_says_the_right_belief() -> None:
    found = score(perform(find_scenario("contact_w6"), Planner(particles=PARTICLES), EPISODES, engine="numpy"))
    assert found.literal == found.knew_and_passed == found.success == 1.0


# Rules without a mind


@pytest.mark.parametrize("walker", WALKERS, ids=lambda walker: walker.name)
@pytest.mark.parametrize("name", TWINS)
def test_no_walker_passes_both_of_two_twins(name: str, walker: Walker) -> None:
    assert joint(name, walker) <= 0.05


@cache
def lucky(name: str) -> list[Any]:
    """A random player's chance of success in each case after so many turns, by the solver."""
    scenario = find_scenario(name)
    states = [trial_state(scenario, case) for case in scenario.cases]
    roots = State(*(np.stack(values, axis=-1) for values in zip(*states, strict=True)))
    graph = explore(scenario, roots, talk=False, turns=scenario.limit)
    walks = [walk(graph, scenario.success(c), scenario.failure(c), scenario.limit) for c in scenario.cases]
    return [search.chance[:, node] for search, node in zip(walks, graph.roots, strict=True)]


@cache
def random_trials(name: str) -> Trials:
    return perform(find_scenario(name), scripted.RANDOM, 480, engine="numpy")


def check_rate(share: float, chance: float, number: int) -> None:
    """Within four standard errors."""
    assert abs(share - chance) <= 4 * np.sqrt(chance * (1 - chance) / number)


@pytest.mark.parametrize("name", TWINS)
def test_a_random_player_passes_both_of_two_twins_as_seldom_as_the_solver_says(name: str) -> None:
    scenario = find_scenario(name)
    first, second = (float(chance[pass_limit(case)]) for chance, case in zip(lucky(name), scenario.cases, strict=True))
    assert first * second <= 0.05
    check_rate(float(random_trials(name).passed.all(axis=0).mean()), first * second, 480)


@pytest.mark.parametrize("name", [*TWINS, "probabilistic_w6", "order1and2_w6"])
def test_a_random_player_succeeds_as_often_as_the_solver_says(name: str) -> None:
    outcomes = random_trials(name).outcome
    for outcome, chance in zip(outcomes, lucky(name), strict=True):
        check_rate(float((outcome == 1).mean()), float(chance[-1]), len(outcome))


# Engines


def fixed_words(key: Any, shape: tuple[int, ...], stream: str) -> Any:
    """The same random words whatever the engine."""
    return np.random.default_rng(child_seed(0, stream)).integers(2**32, size=shape, dtype=np.uint32)


def everyones_history(scenario: Scenario) -> list[State]:
    """The states of all cases in some stagings, from the start to the trial."""
    acts = put_on(scenario, [(case, way) for case in scenario.cases for way in stagings(3)[::5]])
    states = [acts.start]
    for action in acts.history:
        coins = no_coins(scenario.params, states[-1].turn.shape)
        states.append(rules.step(states[-1], action, coins, scenario.params)[0])
    return states


def test_numpy_and_jax_planners_act_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bayes, "random_words", fixed_words)
    monkeypatch.setattr(planner, "random_words", fixed_words)
    scenario = find_scenario("contact_w6")
    params, policy = scenario.params, Planner(particles=16)
    states = everyones_history(scenario)

    def act(memory: Any, state: State) -> Any:
        return policy.act(memory, policy.look(state, params), params, None)

    compiled = jax.jit(act)
    ours, theirs = (
        policy.begin(policy.look(state, params), params) for state in (states[0], State(*map(jnp.asarray, states[0])))
    )
    moves = set()
    for state in states:
        action, ours = act(ours, state)
        same, theirs = compiled(theirs, State(*map(jnp.asarray, state)))
        assert np.array_equal(action.move, same.move)
        assert np.array_equal(action.piece, same.piece)
        assert np.allclose(ours.mind.weight, theirs.mind.weight, rtol=1e-5)
        moves |= set(action.move.ravel().tolist())
    assert moves == {0, 1, 2, 3, 4}


def test_the_battery_finds_the_same_on_both_engines() -> None:
    scenario, policy = find_scenario("contact_w6"), Planner(order="evidence")
    ours, theirs = (perform(scenario, policy, EPISODES, engine=engine) for engine in ("numpy", "jax"))
    assert np.array_equal(ours.outcome, theirs.outcome)
    assert np.array_equal(ours.turns, theirs.turns)


# Whole episodes


@pytest.mark.parametrize("switches", [{}, {"competitive": 2}, {"private_first_hand": True}], ids=str)
def test_a_planner_plays_whole_episodes_and_better_than_chance(switches: dict[str, Any]) -> None:
    params = Params(**switches)
    planned, random = (
        rollout(params, policy, 0, 8, "numpy").reward for policy in (Planner(particles=16), scripted.RANDOM)
    )
    assert planned.shape == (3, 8)
    assert planned.mean() > random.mean()


@pytest.mark.parametrize("order", ORDERS)
def test_every_planner_chooses_moves_and_pieces_of_the_world(order: str) -> None:
    params, policy, rng = Params(num_agents=4, num_pieces=5), Planner(order=order, particles=8), generator(0, "play")
    state = rules.deal(draw_deal(rng, params, (20,)), params)
    memory = policy.begin(policy.look(state, params), params)
    for _ in range(10):
        action, memory = policy.act(memory, policy.look(state, params), params, rng)
        assert isinstance(action, Action)
        assert set(action.move.ravel().tolist()) <= set(range(5))
        assert set(action.piece.ravel().tolist()) <= set(range(-1, 5))
        state = rules.step(state, action, no_coins(params, state.turn.shape), params)[0]


# Whom not to tell


def test_who_is_complete_is_told_from_possible_worlds_and_not_piece_by_piece() -> None:
    """Of two worlds, in each of which a subject lacks another piece, it is complete in neither."""
    params = Params.from_setting("n3_w6_c3")
    state = rules.deal(draw_deal(np.random.default_rng(0), params, (1,)), params)
    memory = bayes.begin(perceive(state, params), params, bayes.BayesRule(particles=2))
    knowledge = np.zeros_like(memory.knowledge)
    knowledge[:, :, 0], knowledge[:, :, 1] = 0b011, 0b101
    memory = memory._replace(knowledge=knowledge, weight=np.ones_like(memory.weight))
    assert np.all(bayes.probability(memory, params).prod(axis=2) == 0.25)
    assert np.all(bayes.completeness(memory, params) == 0)
    knowledge[:, :, 1] = 0b111
    assert np.all(bayes.completeness(memory._replace(knowledge=knowledge), params) == 0.5)


@pytest.mark.parametrize(("wins", "tells"), [(2, False), (3, True)])
def test_a_rival_is_told_unless_the_next_recharge_wins(wins: int, tells: bool) -> None:
    """Blue has recharged once. With three to win, what it lacks is safe to tell, and pays."""
    text = Path(str(find_scenario("rival_w6").path)).read_text("utf-8").partition("certificate:")[0]
    scenario = parse_scenario(text.replace("competitive: 2", f"competitive: {wins}"), "rival")
    found = score(perform(scenario, Planner(order="2", particles=PARTICLES), EPISODES, engine="numpy"))
    assert found.by_case == {"safe": 1, "armed": 0 if tells else 1}
