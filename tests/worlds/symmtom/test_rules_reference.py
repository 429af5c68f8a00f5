"""The reference world against cases small enough to work out by hand (spec section 14, item 3)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from otherminds.worlds.symmtom.types import SILENT, Params
from tests.reference.symmtom import ReferenceBelief, ReferenceWorld

Cell = tuple[int, int]
STAY, RIGHT, LEFT, UP, DOWN = range(5)
FAR_BASES: tuple[Cell, ...] = ((0, 5), (5, 5), (5, 0))


def make_world(
    cells: list[Cell],
    bases: tuple[Cell, ...] = FAR_BASES,
    first_hand: tuple[set[int], ...] = ({0}, {1}, {2}),
    **switches: Any,
) -> ReferenceWorld:
    return ReferenceWorld(Params(**switches), cells, bases, first_hand)


def play(world: ReferenceWorld, moves: list[int], pieces: list[int], coin: int = 0) -> list[float]:
    coins = dict.fromkeys(world.params.pairs, coin)
    return [r.total for r in world.step(moves, pieces, coins)]


def pick(rng: np.random.Generator, options: list[int]) -> int:
    return options[int(rng.integers(len(options)))]


def random_world(rng: np.random.Generator, **switches: Any) -> ReferenceWorld:
    params = Params(**switches)
    owners = [piece % params.num_agents for piece in range(params.num_pieces)]
    rng.shuffle(owners)
    first_hand = [{p for p, owner in enumerate(owners) if owner == i} for i in range(params.num_agents)]
    cells, bases = (
        [params.free_cells[k] for k in rng.choice(len(params.free_cells), params.num_agents, replace=False)]
        for _ in range(2)
    )
    return ReferenceWorld(params, cells, bases, first_hand)


def play_randomly(world: ReferenceWorld, rng: np.random.Generator) -> list[float]:
    """A turn of agents that mostly speak and, once they know everything, walk home."""
    moves, pieces = [], []
    for agent in world.agents:
        (x, y), (base_x, base_y) = agent.cell, agent.base
        goes_home = len(agent.knowledge) == world.params.num_pieces and rng.random() < 0.8
        home = [RIGHT] * (base_x > x) + [LEFT] * (base_x < x) + [UP] * (base_y > y) + [DOWN] * (base_y < y)
        moves.append(pick(rng, home or [STAY]) if goes_home else int(rng.integers(5)))
        known = sorted(world.speakable(agent.index)) or [SILENT]
        pieces.append(pick(rng, known) if rng.random() < 0.8 else int(rng.integers(-1, world.params.num_pieces)))
    coins = {pair: int(rng.integers(2)) for pair in world.params.pairs}
    return [r.total for r in world.step(moves, pieces, coins)]


@pytest.mark.parametrize(("delay", "first_turn"), [(2, 3), (1, 2)])
def test_a_heard_piece_can_be_repeated_only_after_the_delay(delay: int, first_turn: int) -> None:
    world = make_world([(0, 0), (1, 0), (5, 3)], speech_delay=delay)
    assert play(world, [STAY] * 3, [0, SILENT, SILENT]) == [1, 1, 0]
    while world.turn < 3:
        play(world, [STAY] * 3, [SILENT, 0, SILENT])
        assert (world.agents[1].said == 0) == (world.turn >= first_turn)


@pytest.mark.parametrize(("at_once", "paid"), [(False, [1, 4]), (True, [5, 0])])
def test_completing_on_the_base_pays_one_turn_later(at_once: bool, paid: list[int]) -> None:
    world = make_world(
        [(0, 0), (1, 0), (5, 3)], ((0, 0), (5, 5), (5, 0)), ({0}, {1}, {0}), num_pieces=2, base_pays_at_once=at_once
    )
    assert play(world, [STAY] * 3, [SILENT, 1, SILENT])[0] == paid[0]
    assert play(world, [STAY] * 3, [SILENT] * 3)[0] == paid[1]
    assert world.agents[0].correct_uses == 1
    assert world.agents[0].knowledge == {0}


@pytest.mark.parametrize("speak_forgotten", [True, False])
def test_recharge_pays_resets_and_leaves_one_turn_of_old_speech(speak_forgotten: bool) -> None:
    world = make_world([(1, 1), (1, 2), (2, 1)], ((0, 1), (5, 5), (5, 0)), speak_forgotten=speak_forgotten)
    assert play(world, [STAY] * 3, [SILENT, 1, 2]) == [2, 3, 3]
    assert play(world, [LEFT, STAY, STAY], [SILENT] * 3) == [6, 0, 0]
    assert world.agents[0].knowledge == {0}
    assert world.speakable(0) == ({0, 1, 2} if speak_forgotten else {0})
    play(world, [STAY] * 3, [2, SILENT, SILENT])
    assert world.agents[0].said == (2 if speak_forgotten else None)
    assert world.speakable(0) == {0}
    assert world.metrics()[0]["unsuccessful_base_uses"] == 1
    assert world.metrics()[0]["unsuccessful_base_entries"] == 0


@pytest.mark.parametrize(
    ("switches", "paid"),
    [({}, [2, 1, 1]), ({"count_duplicates": False}, [1, 1, 1]), ({"interference": True}, [0, 0, 0])],
)
def test_two_speakers_of_one_piece(switches: dict[str, Any], paid: list[int]) -> None:
    world = make_world([(1, 1), (0, 1), (2, 1)], first_hand=({0}, {1}, {1}), owners=2, **switches)
    assert play(world, [STAY] * 3, [SILENT, 1, 1]) == paid


@pytest.mark.parametrize("swaps", [True, False])
def test_swap_of_neighbours(swaps: bool) -> None:
    world = make_world([(1, 1), (2, 1), (5, 3)], swaps=swaps, move_cost=0.5)
    paid = play(world, [RIGHT, LEFT, STAY], [SILENT] * 3)
    assert [a.cell for a in world.agents[:2]] == ([(2, 1), (1, 1)] if swaps else [(1, 1), (2, 1)])
    assert paid == ([-0.5, -0.5, 0] if swaps else [0, 0, 0])


@pytest.mark.parametrize("coins", range(8))
def test_of_three_agents_wanting_one_cell_one_enters(coins: int) -> None:
    world = make_world([(1, 2), (3, 2), (2, 1)])
    world.step([RIGHT, LEFT, UP], [SILENT] * 3, {(0, 1): coins & 1, (0, 2): coins >> 1 & 1, (1, 2): coins >> 2})
    assert [a.cell for a in world.agents].count((2, 2)) == 1
    assert sum(a.direction != (0, 0) for a in world.agents) == 1


@pytest.mark.parametrize("coin", [0, 1])
def test_a_stayer_is_never_displaced_and_stops_a_chain(coin: int) -> None:
    start: list[Cell] = [(1, 2), (2, 2), (3, 2)]
    world = make_world(start)
    play(world, [RIGHT, RIGHT, STAY], [SILENT] * 3, coin)
    assert [a.cell for a in world.agents] == start


def test_following_into_a_cell_that_is_being_left() -> None:
    world = make_world([(1, 2), (2, 2), (3, 2)])
    play(world, [RIGHT, RIGHT, RIGHT], [SILENT] * 3)
    assert [a.cell for a in world.agents] == [(2, 2), (3, 2), (4, 2)]


def test_lower_index_wins_fixed_collisions_and_blocked_intent_can_be_shown() -> None:
    world = make_world([(1, 2), (3, 2), (5, 3)], random_collisions=False, directions="intended")
    world.step([RIGHT, LEFT, RIGHT], [SILENT] * 3, {})
    assert [a.cell for a in world.agents] == [(2, 2), (3, 2), (5, 3)]
    assert [a.direction for a in world.agents] == [(1, 0), (-1, 0), (1, 0)]


def test_decay_forgets_what_is_not_heard_again() -> None:
    world = make_world([(0, 0), (1, 0), (5, 3)], decay=2)
    belief = ReferenceBelief(world.params, 1, world)
    remembered = []
    for piece in (0, SILENT, SILENT, 0, SILENT, 0, SILENT, SILENT):
        play(world, [STAY] * 3, [piece, SILENT, SILENT])
        belief.update(world)
        remembered.append(0 in world.agents[1].knowledge)
        assert belief.matrix[1] == world.agents[1].knowledge
    assert remembered == [True, True, False, True, True, True, True, False]
    assert world.metrics()[1]["known_pieces_heard"] == 1


def test_the_second_recharge_can_end_the_trial() -> None:
    world = make_world(
        [(0, 0), (1, 0), (5, 3)], ((0, 0), (5, 5), (5, 0)), ({0, 1}, {1}, {0}), num_pieces=2, owners=2, competitive=2
    )
    assert play(world, [STAY] * 3, [SILENT] * 3) == [4, 0, 0]
    ended = [world.terminated]
    assert play(world, [STAY] * 3, [SILENT] * 3) == [8, -4, -4]
    ended.append(world.terminated)
    assert ended == [False, True]
    with pytest.raises(ValueError, match="over"):
        play(world, [STAY] * 3, [SILENT] * 3)


@pytest.mark.parametrize(
    ("setting", "size"),
    [("n3_w6_c3", 35), ("n3_w6_c6", 50), ("n3_w6_c9", 65), ("n4_w6_c4", 54), ("n4_w6_c8", 82), ("n4_w6_c12", 110)],
)
def test_observation_sizes(setting: str, size: int) -> None:
    plain = Params.from_setting(setting).to_dict()
    world = random_world(np.random.default_rng(0), **plain)
    oracle = random_world(np.random.default_rng(0), **plain, oracle=True)
    assert len(world.observation(1)) == size
    assert len(oracle.observation(1)) == size + world.params.num_agents * world.params.num_pieces


def test_observation_of_a_corner() -> None:
    world = make_world([(0, 0), (1, 0), (5, 4)])
    play(world, [UP, LEFT, DOWN], [SILENT, 1, 2])
    relative = [0.0, -1 / 5, 5 / 5, 2 / 5]
    bases = [0.0, 4 / 5, 5 / 5, 5 / 5, 0.0, -3 / 5]
    expected = [1, 0, 0, 0, 1, -1, 0, 0, -1, *relative, 0, 1, 0, 0, 0, 1, *bases, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1]
    assert world.observation(0) == expected


def test_greedy_belief_supposes_a_useful_word() -> None:
    world = make_world([(5, 5), (0, 0), (1, 0)], first_hand=({0}, {1}, {2}))
    beliefs = [
        ReferenceBelief(world.params, 0, world, "conservative"),
        ReferenceBelief(world.params, 0, world, "greedy"),
    ]
    play(world, [STAY] * 3, [SILENT] * 3)
    for belief in beliefs:
        belief.update(world)
    assert beliefs[0].matrix == [{0}, {1}, {2}]
    assert beliefs[1].matrix == [{0}, {1, 2}, {1, 2}]


@pytest.mark.parametrize(
    "switches",
    [
        {},
        {"vision": 2},
        {"interference": True},
        {"base": "proportional"},
        {"base": "constant"},
        {"base_pays_at_once": True},
        {"base_needs_entering": True},
        {"decay": 4},
        {"hear_before_move": True},
        {"private_first_hand": True, "middle_block": True},
    ],
)
def test_own_row_is_exact_and_rewards_add_up(switches: dict[str, Any]) -> None:
    rng = np.random.default_rng(7)
    for _ in range(10):
        world = random_world(rng, num_pieces=6, **switches)
        beliefs = [ReferenceBelief(world.params, i, world, "greedy") for i in range(3)]
        score = [0.0] * 3
        while not world.truncated:
            score = [a + b for a, b in zip(score, play_randomly(world, rng), strict=True)]
            assert len({a.cell for a in world.agents}) == 3
            for i, belief in enumerate(beliefs):
                belief.update(world)
                assert belief.matrix[i] == world.agents[i].knowledge
        metrics = world.metrics()
        assert [m["reward"] for m in metrics] == score
        assert sum(m["listening"] for m in metrics) == sum(m["speaking"] for m in metrics)
