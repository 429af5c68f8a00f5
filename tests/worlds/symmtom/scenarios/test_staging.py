"""Stagings: a case is the same test under every symmetry of the board and in every order of seats."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import factorial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.worlds.symmtom import rules
from otherminds.worlds.symmtom.chance import draw_deal
from otherminds.worlds.symmtom.scenarios import Scenario, find_scenario, scenario_names
from otherminds.worlds.symmtom.scenarios.staging import (
    SYMMETRIES,
    StagedTrials,
    Staging,
    by_role,
    history_of,
    no_coins,
    play_turns,
    put_on,
    spread_stagings,
    stagings,
    trial_state,
)
from otherminds.worlds.symmtom.scenarios.types import Deed, Turn, any_holds
from otherminds.worlds.symmtom.types import MOVES, Action, Params, State
from tests.worlds.symmtom.playing import DOWN, LEFT, RIGHT, STAY, UP

WIDTH = 6


def in_all_stagings(scenario: Scenario, case: str) -> tuple[list[Staging], StagedTrials]:
    ways = stagings(scenario.params.num_agents)
    return ways, put_on(scenario, [(scenario.case(case), way) for way in ways])


def step(scenario: Scenario, state: State, action: Action) -> State:
    return rules.step(state, action, no_coins(scenario.params, state.turn.shape), scenario.params)[0]


def after_history(scenario: Scenario, acts: StagedTrials) -> State:
    state = acts.start
    for action in acts.history:
        state = step(scenario, state, action)
    return state


# What a staging is


@pytest.mark.parametrize("num_agents", [2, 3, 4])
def test_there_are_eight_symmetries_times_all_orders_of_seats(num_agents: int) -> None:
    found = stagings(num_agents)
    assert len(set(found)) == len(found) == 8 * factorial(num_agents)
    assert found[0] == Staging(0, tuple(range(num_agents)))


@pytest.mark.parametrize("num_agents", [2, 3, 4, 5])
def test_spread_stagings_come_each_once_and_the_first_few_differ_in_symmetry_and_seat(num_agents: int) -> None:
    ways = stagings(num_agents)
    found = spread_stagings(num_agents, len(ways) + 3)
    assert set(found[: len(ways)]) == set(ways)
    assert found[0] == ways[0]
    assert found[len(ways) :] == found[:3]
    assert {way.symmetry for way in found[:8]} == set(range(SYMMETRIES))
    assert {way.seats[0] for way in found[: 3 * num_agents]} == set(range(num_agents))


@pytest.mark.parametrize("name", ["contact_w6", "order1and2_w6"])
def test_no_two_stagings_look_alike(name: str) -> None:
    scenario = find_scenario(name)
    ways, acts = in_all_stagings(scenario, scenario.cases[0].name)
    shown = np.concatenate([acts.start.x, acts.start.y, acts.start.base_x, acts.start.base_y, acts.start.first_hand])
    assert len(np.unique(shown, axis=1).T) == len(ways)


@pytest.mark.parametrize("symmetry", range(SYMMETRIES))
def test_a_symmetry_maps_the_board_onto_itself_and_neighbours_to_neighbours(symmetry: int) -> None:
    staging = Staging(symmetry)
    cells = {(x, y): staging.cell(x, y, WIDTH) for x in range(WIDTH) for y in range(WIDTH)}
    assert set(cells.values()) == set(cells)
    for (x, y), (there_x, there_y) in cells.items():
        for move, (dx, dy) in enumerate(MOVES):
            to_x, to_y = MOVES[staging.move(move)]
            if (x + dx, y + dy) in cells:
                assert cells[x + dx, y + dy] == (there_x + to_x, there_y + to_y)


def test_the_staging_of_the_file_changes_nothing() -> None:
    assert Staging().cell(2, 5, WIDTH) == (2, 5)
    assert [Staging().move(move) for move in range(5)] == [STAY, RIGHT, LEFT, UP, DOWN]


def test_symmetries_are_all_different() -> None:
    assert len({Staging(symmetry).cell(1, 2, WIDTH) for symmetry in range(SYMMETRIES)}) == SYMMETRIES


# Cases on the stage


def test_every_role_sits_where_its_staging_says() -> None:
    scenario = find_scenario("contact_w6")
    ways, acts = in_all_stagings(scenario, "met")
    assert acts.seats.T.tolist() == [list(way.seats) for way in ways]
    for act, way in enumerate(ways):
        for role, seat in enumerate(way.seats):
            place = way.cell(*scenario.cases[0].cells[role], WIDTH)
            assert (acts.start.x[seat, act], acts.start.y[seat, act]) == place
            home = way.cell(*scenario.bases[role], WIDTH)
            assert (acts.start.base_x[seat, act], acts.start.base_y[seat, act]) == home
            assert acts.start.knowledge[seat, act] == 1 << scenario.hands[role][0]


def test_the_tested_role_is_seated_first_in_the_list_of_seats() -> None:
    ways, acts = in_all_stagings(find_scenario("contact_w6"), "met")
    assert (acts.tested.sum(axis=0) == 1).all()
    assert acts.tested.argmax(axis=0).tolist() == [way.seats[0] for way in ways]


@pytest.mark.parametrize("name", scenario_names())
def test_every_history_can_be_played_in_every_staging(name: str) -> None:
    """All moves and all words happen as the script says, and nobody ever stands on anybody or off the board."""
    scenario = find_scenario(name)
    for case in scenario.cases:
        _, acts = in_all_stagings(scenario, case.name)
        state = acts.start
        for action in acts.history:
            state = step(scenario, state, action)
            steps = np.asarray(MOVES)[action.move]
            assert np.array_equal(state.direction_x, steps[..., 0])
            assert np.array_equal(state.direction_y, steps[..., 1])
            assert np.array_equal(state.utterance, np.where(action.piece >= 0, 1 << np.maximum(action.piece, 0), 0))
            cells = state.x * scenario.params.width + state.y
            assert all(len(set(column)) == len(column) for column in cells.T.tolist())
            assert state.x.min() >= 0
            assert state.x.max() < scenario.params.width


@pytest.mark.parametrize("name", scenario_names())
def test_all_stagings_lead_to_the_trial_of_the_file(name: str) -> None:
    scenario = find_scenario(name)
    for case in scenario.cases:
        ways, acts = in_all_stagings(scenario, case.name)
        here, there = trial_state(scenario, case), by_role(after_history(scenario, acts), acts.seats)
        for act, way in enumerate(ways):
            assert np.array_equal(there.knowledge[:, act], here.knowledge)
            assert np.array_equal((there.x[:, act], there.y[:, act]), way.cell(here.x, here.y, scenario.params.width))


# Staging and playing can be done in either order


def wandering(rng: np.random.Generator, num_turns: int = 12) -> Scenario:
    """Any start, with a history of random deeds in which chance decides nothing."""
    scenario = find_scenario("contact_w6")
    params = scenario.params
    dealt = rules.deal(draw_deal(rng, params, ()), params)
    start = replace(
        scenario,
        bases=tuple(zip(dealt.base_x.tolist(), dealt.base_y.tolist(), strict=True)),
        hands=tuple(tuple(p for p in range(params.num_pieces) if int(f) >> p & 1) for f in dealt.first_hand),
    )
    cells = tuple(zip(dealt.x.tolist(), dealt.y.tolist(), strict=True))
    case = replace(scenario.cases[0], cells=cells, history=(tuple(Deed() for _ in range(3)),))
    state = history_of(replace(start, cases=(case,)), replace(case, history=()))[0]
    history: list[Turn] = []
    while len(history) < num_turns:
        deeds = tuple(Deed(int(rng.integers(5)), int(rng.integers(-1, params.num_pieces))) for _ in range(3))
        if not is_left_to_chance(state, deeds, params):
            history.append(deeds)
            state = play_turns(scenario, state, [deeds])[-1]
    return replace(start, cases=(replace(case, history=tuple(history)),))


def is_left_to_chance(state: State, deeds: Turn, params: Params) -> bool:
    moves = np.asarray([deed.move for deed in deeds], dtype=np.int32)
    heads, tails = (rules.move(state, moves, coins, params) for coins in (no_coins(params), ~no_coins(params)))
    return not np.array_equal(heads, tails)


@settings(max_examples=10)
@given(st.integers(0, 2**32 - 1))
def test_staging_commutes_with_the_rules(seed: int) -> None:
    scenario = wandering(np.random.default_rng(seed))
    ways, acts = in_all_stagings(scenario, "met")
    there = acts.start
    for here, action in zip(history_of(scenario, scenario.cases[0])[1:], acts.history, strict=True):
        there = step(scenario, there, action)
        for act, way in enumerate(ways):
            seats = list(way.seats)
            for name in ("knowledge", "first_hand", "utterance", "uses_base", "correct_uses", "last_reward"):
                assert np.array_equal(getattr(there, name)[seats, act], getattr(here, name)), name
            at = (there.x[seats, act], there.y[seats, act])
            assert np.array_equal(at, way.cell(here.x, here.y, WIDTH))
            heading = (there.direction_x[seats, act], there.direction_y[seats, act])
            assert np.array_equal(heading, way.cell(here.direction_x, here.direction_y, 1))
            assert hearers(there.earshot[seats, act], seats) == hearers(here.earshot, [0, 1, 2])


def hearers(sets: Any, seats: list[int]) -> set[tuple[int, int]]:
    """Who is in whose range, by role."""
    agents = range(len(seats))
    return {(i, j) for i in agents for j in agents if int(sets[i]) >> seats[j] & 1}


# Conditions


@pytest.mark.parametrize(
    ("name", "case", "path"),
    [
        ("contact_w6", "met", [Deed(LEFT), Deed(LEFT)]),  # near
        ("retroactive_heard_w6", "first", [Deed(piece=0), Deed(piece=2)]),  # knows
        ("rival_w6", "safe", [Deed(), Deed(LEFT, 0)]),  # tells
        ("rival_w6", "armed", [Deed(UP), Deed(UP), Deed(UP), Deed(LEFT)]),  # home
    ],
)
def test_a_path_to_success_leads_there_in_every_staging_and_no_sooner(name: str, case: str, path: list[Deed]) -> None:
    scenario = find_scenario(name)
    ways, acts = in_all_stagings(scenario, case)
    success, failure = scenario.success(scenario.case(case)), scenario.failure(scenario.case(case))
    state = after_history(scenario, acts)
    seen = []
    for deed in path:
        moves = np.where(acts.tested, [way.move(deed.move) for way in ways], 0).astype(np.int32)
        state = step(scenario, state, Action(moves, np.where(acts.tested, deed.piece, -1).astype(np.int32)))
        roles = by_role(state, acts.seats)
        assert not any_holds(failure, roles, scenario.params).any()
        seen.append(any_holds(success, roles, scenario.params))
    assert [bool(won.any()) for won in seen] == [False] * (len(path) - 1) + [True]
    assert seen[-1].all()


def test_the_script_of_a_trial_is_staged_like_its_history() -> None:
    scenario = find_scenario("order2_w12")
    ways, acts = in_all_stagings(scenario, "drawn")
    state = after_history(scenario, acts)
    places = [by_role(state, acts.seats)]
    for action in acts.script:
        state = step(scenario, state, action)
        places.append(by_role(state, acts.seats))
    for act, way in enumerate(ways):
        assert (places[-1].x[1, act], places[-1].y[1, act]) == way.cell(0, 1, 12)
    gone = [abs(b.x[1] - a.x[1]) + abs(b.y[1] - a.y[1]) for a, b in pairwise(places)]
    assert np.array_equal(gone, np.repeat([[1], [1], [1], [1], [1], [0]], len(ways), axis=1))
