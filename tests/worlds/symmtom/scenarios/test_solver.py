"""Proofs of scenarios: the figures of the specification, plain enumeration, and claims that do not hold."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.symmtom import rules
from otherminds.worlds.symmtom.scenarios import Scenario, find_scenario
from otherminds.worlds.symmtom.scenarios.read import FOLDER, parse_scenario
from otherminds.worlds.symmtom.scenarios.solver.certify import certify
from otherminds.worlds.symmtom.scenarios.solver.claims import needed_order
from otherminds.worlds.symmtom.scenarios.solver.graph import Graph, actions, explore
from otherminds.worlds.symmtom.scenarios.solver.information_sets import Teller
from otherminds.worlds.symmtom.scenarios.solver.plans import first_contact_values, is_paired, shortest_play, walk
from otherminds.worlds.symmtom.scenarios.staging import no_coins, trial_state
from otherminds.worlds.symmtom.scenarios.types import any_holds
from otherminds.worlds.symmtom.types import SILENT, Action, State

slow = pytest.mark.slow
TENTH = 0.05  # figures of the specification have one decimal


@cache
def certificate(name: str) -> dict[str, Any]:
    return certify(find_scenario(name))


def root_of(state: State) -> State:
    return State(*(np.asarray(a)[..., None] for a in state))


def worth(scenario: Scenario, state: State, horizon: int) -> dict[str, list[float]]:
    """What the best plan to each choice is worth, at discounts 0.95 and 1."""
    graph = explore(scenario, root_of(state), talk=True, turns=horizon)
    found = [first_contact_values(graph, dict(scenario.choices), horizon, discount) for discount in (0.95, 1.0)]
    return {name: [float(values[name][graph.roots[0]]) for values in found] for name in scenario.choices}


# Figures of the specification


@pytest.mark.parametrize(
    ("name", "case", "top", "left"),
    [
        ("order0_w6", "told", [36.1, 74], [28.6, 66]),
        ("order0_w6", "untold", [24.3, 59], [29.5, 67]),
        ("order0_w12", "told", [20.0, 83], [13.7, 74]),
        ("order0_w12", "untold", [6.5, 46], [14.6, 75]),
    ],
)
def test_zeroth_order_is_worth_what_section_12_2_says(
    name: str, case: str, top: list[float], left: list[float]
) -> None:
    """Who was told but forgot is in the same case as who was never told."""
    scenario = find_scenario(name)
    found = worth(scenario, trial_state(scenario, scenario.case(case)), scenario.limit)
    assert found["top"] == pytest.approx(top, abs=TENTH)
    assert found["left"] == pytest.approx(left, abs=TENTH)


@pytest.mark.parametrize(
    ("name", "far", "pair"),
    [
        ("order1and2_w6", [31.6, 68], [27.7, 65]),
        pytest.param("order1and2_w12", [12.6, 58], [7.9, 46], marks=slow),
    ],
)
def test_first_order_is_worth_over_the_whole_trial_what_section_12_3_says(
    name: str, far: list[float], pair: list[float]
) -> None:
    scenario = find_scenario(name)
    found = worth(scenario, trial_state(scenario, scenario.cases[0]), scenario.limit)
    assert found["far"] == pytest.approx(far, abs=TENTH)
    assert found["pair"] == pytest.approx(pair, abs=TENTH)


@pytest.mark.parametrize("name", ["order1and2_w6", "order1and2_w12"])
def test_first_order_is_worth_up_to_the_encounter_what_section_12_3_says(name: str) -> None:
    scenario = find_scenario(name)
    truth = trial_state(scenario, scenario.cases[0])
    horizon = int(scenario.cases[0].turns) + 1
    assert {n: v[1] for n, v in worth(scenario, truth, horizon).items()} == {"far": 1.0, "pair": 0.0}
    # Red has last known upper to have 0 and 1, and lower to have 0 and 2.
    sets = truth.knowledge.copy()
    sets[1], sets[2] = 0b0011, 0b0101
    mistaken = truth._replace(knowledge=sets, previous_knowledge=sets)
    assert {n: v[1] for n, v in worth(scenario, mistaken, horizon).items()} == {"far": 1.0, "pair": 2.0}


@pytest.mark.parametrize("name", ["order1and2_w6", "order1and2_w12"])
def test_who_goes_by_evidence_alone_turns_to_the_pair(name: str) -> None:
    margins = certificate(name)["met"]["margins"]
    assert margins["evidence"][1] == -1.0
    assert margins["1"][1] == margins["2"][1] == 1.0


def test_second_order_takes_seven_turns_and_chance_hardly_ever_as_section_12_4_says() -> None:
    found = certificate("order2_w12")["drawn"]
    assert found["turns"] == 7
    assert f"{found['random_pass']:.3%}" == "0.027%"


@pytest.mark.parametrize("name", ["probabilistic_w6", "probabilistic_w12"])
def test_what_cannot_be_known_takes_one_and_a_half_turns_as_section_12_5_says(name: str) -> None:
    assert [found["turns"] for found in certificate(name).values()] == [1.5, 1.5]


@pytest.mark.parametrize("share", [10, 25, 75, 90])
def test_a_biased_draw_takes_one_turn_and_the_lesser_share_as_section_12_7_says(share: int) -> None:
    expected = 1 + min(share, 100 - share) / 100
    assert [found["turns"] for found in certificate(f"graded_{share}_w6").values()] == [expected, expected]


@pytest.mark.parametrize("variant", ["heard_w6", "rewarded_w6", "heard_w12", "rewarded_w12"])
def test_deduction_saves_half_a_turn_as_section_12_6_says(variant: str) -> None:
    for found in certificate(f"retroactive_{variant}").values():
        assert found["turns"] == 1.0
        turns = found["believed_turns"]
        assert (turns["evidence"], turns["1"], turns["2"]) == (1.5, 1.0, 1.0)


# Plain enumeration


class Sequences(NamedTuple):
    """All sequences of actions side by side, ``[sequence]`` each."""

    paid: Any  # discounted
    first: Any  # the index of the choice that was met first, -1 for none
    when: Any  # in which turn
    is_spoken: Any  # a piece was chosen in every turn


def every_sequence(scenario: Scenario, case: str, turns: int, discount: float, *, talk: bool) -> Sequences:
    options = np.asarray(list(product(actions(scenario.params), repeat=turns)), dtype=np.int32)  # [sequence, turn, 2]
    number, params = len(options), scenario.params
    state = State(*(np.repeat(a, number, axis=-1) for a in root_of(trial_state(scenario, scenario.case(case)))))
    paid, first, when = np.zeros(number), np.full(number, -1), np.zeros(number, dtype=int)
    is_over = np.zeros(number, dtype=bool)  # somebody has won
    for turn in range(turns):
        moves = np.zeros(state.x.shape, dtype=np.int32)
        pieces = np.full_like(moves, SILENT)
        moves[0], pieces[0] = options[:, turn].T
        if talk:
            there = rules.step(state, Action(moves, pieces), no_coins(params, (number,)), params)[0]
            for other in range(1, params.num_agents):
                pieces[other] = useful_to_the_tested(state, there, other)
        state, outcome = rules.step(state, Action(moves, pieces), no_coins(params, (number,)), params)
        paid += np.where(is_over, 0.0, discount**turn * outcome.rewards[0])
        for index, conditions in enumerate(scenario.choices.values()):
            meets = any_holds(conditions, state, params) & (first < 0) & ~is_over
            first, when = np.where(meets, index, first), np.where(meets, turn + 1, when)
        is_over |= outcome.terminated
    return Sequences(paid, first, when, (options[:, :, 1] != SILENT).all(axis=1))


def useful_to_the_tested(state: State, there: State, speaker: int) -> Any:
    """The lowest piece that role 0 lacks, if the speaker can say it and will be in range."""
    said = np.full(state.turn.shape, SILENT)
    near = (abs(there.x[0] - there.x[speaker]) <= 1) & (abs(there.y[0] - there.y[speaker]) <= 1)
    for piece in reversed(range(3)):
        has, lacks = state.previous_knowledge[speaker] >> piece & 1, ~state.knowledge[0] >> piece & 1
        said = np.where(near & (has == 1) & (lacks == 1), piece, said)
    return said


@pytest.mark.parametrize("case", ["told", "untold"])
@pytest.mark.parametrize("discount", [0.95, 1.0])
def test_plans_are_worth_the_best_of_all_sequences_of_actions(case: str, discount: float) -> None:
    scenario, horizon = find_scenario("order0_w6"), 4
    graph = explore(scenario, root_of(trial_state(scenario, scenario.case(case))), talk=True, turns=horizon)
    values = first_contact_values(graph, dict(scenario.choices), horizon, discount)
    found = every_sequence(scenario, case, horizon, discount, talk=True)
    for index, name in enumerate(scenario.choices):
        assert values[name][graph.roots[0]] == pytest.approx(found.paid[found.first == index].max())


WINNING = """
about: Red has recharged once and is complete again; once more wins.
order: 0
setting: n2_w6_c2
switches: {competitive: 2}
agents:
  red: {at: [1, 0], base: [0, 0], pieces: [0]}
  blue: {at: [2, 0], base: [5, 5], pieces: [1]}
choices:
  home: red home
  told: red tells blue
cases:
  only:
    right: home
    turns: 1
    history:
      - {blue: say 1}
      - {red: left}
      - {red: right, blue: say 1}
      - {}
"""


@pytest.mark.parametrize("discount", [0.95, 1.0])
def test_nothing_is_paid_after_somebody_has_won(discount: float) -> None:
    scenario, horizon = parse_scenario(WINNING, "winning.yaml"), 3
    graph = explore(scenario, root_of(trial_state(scenario, scenario.cases[0])), talk=True, turns=horizon)
    values = first_contact_values(graph, dict(scenario.choices), horizon, discount)
    found = every_sequence(scenario, "only", horizon, discount, talk=True)
    for index, name in enumerate(scenario.choices):
        assert values[name][graph.roots[0]] == pytest.approx(found.paid[found.first == index].max())


WON_BY_ANOTHER = """
about: Green makes blue win before red can come.
order: 0
setting: n3_w6_c3
switches: {competitive: 2}
agents:
  red: {at: [0, 0], base: [1, 5], pieces: [2]}
  blue: {at: [4, 4], base: [4, 4], pieces: [0, 2]}
  green: {at: [5, 4], base: [0, 5], pieces: [1]}
choices:
  green: red near green
trial:
  green: [say 1]
cases:
  only: {right: green, turns: 7, history: [{}]}
"""


def test_no_success_comes_after_somebody_has_won() -> None:
    """Red is seven steps away, and blue wins in the fifth turn."""
    scenario = parse_scenario(WON_BY_ANOTHER, "won.yaml")
    case = scenario.cases[0]
    graph = silent_graph(scenario, "only", 9)
    search = walk(graph, scenario.success(case), (), 9)
    assert search.shortest[graph.roots[0]] == np.inf
    assert search.chance[-1][graph.roots[0]] == 0
    peaceful = parse_scenario(WON_BY_ANOTHER.replace("switches: {competitive: 2}\n", ""), "peaceful.yaml")
    graph = silent_graph(peaceful, "only", 9)
    search = walk(graph, scenario.success(case), (), 9)
    assert search.shortest[graph.roots[0]] == 7
    assert search.chance[-1][graph.roots[0]] > 0
    with pytest.raises(UserError, match="won, line 15: case 'only': 'green' cannot be reached"):
        shortest_play(scenario, case)


ASKED_BY_TWO = """
about: Red lacks what blue could tell it, green lacks something else of blue's.
order: 0
setting: n3_w6_c3
agents:
  red: {at: [2, 2], base: [5, 5], pieces: [0, 1]}
  blue: {at: [3, 2], base: [5, 0], pieces: [1, 2]}
  green: {at: [4, 2], base: [0, 5], pieces: [2]}
choices:
  home: red home
trial:
  blue: [stay]
cases:
  only: {right: home, turns: 6, history: [{}]}
"""


@pytest.mark.parametrize(
    ("red", "after"),
    [("[0, 1]", [0b111, 0b110, 0b100]), ("[0, 1, 2]", [0b111, 0b110, 0b110])],
    ids=["blue tells red 2", "red lacks nothing, so blue tells green 1"],
)
def test_whoever_talks_serves_the_tested_agent_before_the_others(red: str, after: list[int]) -> None:
    scenario = parse_scenario(ASKED_BY_TWO.replace("[0, 1]", red), "asked.yaml")
    graph = explore(scenario, root_of(trial_state(scenario, scenario.cases[0])), talk=True, turns=1)
    idle = actions(scenario.params).index((0, SILENT))
    assert graph.states.knowledge[:, graph.follows[idle, graph.roots[0]]].tolist() == after


def test_a_choice_out_of_reach_is_worth_nothing_at_all() -> None:
    scenario = find_scenario("order0_w6")
    assert worth(scenario, trial_state(scenario, scenario.case("told")), 2)["top"] == [-np.inf, -np.inf]


@pytest.mark.parametrize("case", ["told", "untold"])
def test_a_walk_is_as_short_and_as_lucky_as_all_sequences_of_actions(case: str) -> None:
    scenario, turns = find_scenario("order0_w6"), 4
    graph = silent_graph(scenario, case, turns)
    search = walk(graph, scenario.success(scenario.case(case)), scenario.failure(scenario.case(case)), turns)
    found = every_sequence(scenario, case, turns, 1.0, talk=False)
    wins = found.first == list(scenario.choices).index(scenario.case(case).right)
    assert search.shortest[graph.roots[0]] == found.when[wins].min()
    for limit in range(turns + 1):
        share = (wins & (found.when <= limit))[found.is_spoken].mean()
        assert search.chance[limit][graph.roots[0]] == pytest.approx(share)


def silent_graph(scenario: Scenario, case: str, turns: int) -> Graph:
    return explore(scenario, root_of(trial_state(scenario, scenario.case(case))), talk=False, turns=turns)


def test_who_plans_by_the_truth_is_never_misled() -> None:
    scenario = find_scenario("probabilistic_w6")
    graph = silent_graph(scenario, "first", 4)
    teller, truth = Teller(graph, scenario.choices["both"]), int(graph.roots[0])
    assert teller.best({truth: 1.0}) == teller.misled({truth: 1.0}, truth) == 1.0


def test_a_world_in_which_memories_decay_is_refused() -> None:
    text = shipped("contact_w6").replace("setting: n3_w6_c3", "setting: n3_w6_c3\nswitches: {decay: 40}")
    scenario = parse_scenario(text, "mine.yaml")
    with pytest.raises(UserError, match="mine, line 7: the solver does not support decay = 40; remove that switch"):
        explore(scenario, root_of(trial_state(scenario, scenario.cases[0])), talk=True, turns=1)


# Claims


def shipped(name: str) -> str:
    return (FOLDER / f"{name}.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("contact_w6", "turns: 2", "turns: 3", "'met': the file says 3 turns, the search finds 2"),
        (
            "contact_w6",
            "right: blue\n    turns: 2",
            "right: green\n    turns: 3",
            "'met': 'green' is not the best choice",
        ),
        ("contact_w6", "order: 1", "order: 0", "the file says order 0, the solver finds 1"),
        ("contact_w6", "order: 1", "order: 2", "the file says order 2, the solver finds 1"),
        ("order0_w6", "order: 0", "order: 1", "the file says order 1, the solver finds 0"),
        ("probabilistic_w6", "turns: 1.5", "turns: 1", "'first': the file says 1 turns, the search finds 1.5"),
        ("retroactive_heard_w6", "order: 1", "order: 2", "the file says order 2, the solver finds 1"),
        ("order1and2_w6", "order: 1", "order: 0", "order 0 does not make the difference"),
        ("order2_w12", "turns: 7", "turns: 6", "the file says 6 turns, the search finds 7"),
    ],
)
def test_a_claim_that_does_not_hold_is_refused(name: str, old: str, new: str, message: str) -> None:
    text = shipped(name)
    assert old in text
    with pytest.raises(UserError, match=message):
        certify(parse_scenario(text.replace(old, new, 1), f"{name}.yaml"))


ORDERS = {
    "order0_w6": "0",
    "order0_w12": "0",
    "contact_w6": "1",
    "staleness_w6": "1",
    "silence_w6": "1",
    "retroactive_heard_w6": "1",
    "retroactive_heard_w12": "1",
    "retroactive_rewarded_w6": "1",
    "retroactive_rewarded_w12": "1",
    "rival_w6": "1",
    "hearsay_w6": "2",
}
LONG = ("rival_w6", "hearsay_w6")


@pytest.mark.parametrize(
    ("name", "order"), [pytest.param(n, o, marks=[slow] if n in LONG else []) for n, o in ORDERS.items()]
)
def test_twins_need_the_order_they_were_made_for(name: str, order: str) -> None:
    scenario = find_scenario(name)
    assert is_paired(scenario)
    assert str(scenario.order) == needed_order(scenario, certificate(name)) == order


@pytest.mark.parametrize("name", ["probabilistic_w6", "graded_75_w6", "order1and2_w6", "order2_w12"])
def test_cases_that_look_alike_and_single_ones_are_no_twins(name: str) -> None:
    assert not is_paired(find_scenario(name))


@slow
@pytest.mark.parametrize("name", LONG)
def test_whom_a_chosen_act_fails_is_told_by_the_margins_of_the_long_proofs(name: str) -> None:
    scenario, found = find_scenario(name), certificate(name)
    for case in scenario.cases:
        assert found[case.name]["turns"] == case.turns
        assert found[case.name]["margin"][0] > 0
    lower = str(scenario.order - 1)
    assert min(found[case.name]["margins"][lower][0] for case in scenario.cases) < 0
