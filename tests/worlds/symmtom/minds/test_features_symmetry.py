"""Symmetries of the world are symmetries of a situation and of the network that acts on it."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from otherminds.worlds.symmtom.minds.features import Frame, describe, exchanges, levels, to_board
from otherminds.worlds.symmtom.minds.network_policy import BeliefPolicy
from otherminds.worlds.symmtom.observe import perceive
from otherminds.worlds.symmtom.types import MOVES, State
from tests.worlds.symmtom.learn.making import (
    compiled,
    logits_along,
    make_mind,
    make_variables,
    on_jax,
    random_tree,
    states,
    thoughts,
)

TURNS = 6
SWITCHES: dict[str, Any] = {"num_agents": 4, "width": 6, "num_pieces": 5}


class Turning(NamedTuple):
    """One of the eight symmetries of a square: mirrored along x, along y, then transposed."""

    flip_x: bool
    flip_y: bool
    swap: bool

    def offset(self, dx: Any, dy: Any) -> tuple[Any, Any]:
        dx, dy = (-dx if self.flip_x else dx), (-dy if self.flip_y else dy)
        return (dy, dx) if self.swap else (dx, dy)

    def cell(self, x: Any, y: Any, width: int) -> tuple[Any, Any]:
        x, y = (width - 1 - x if self.flip_x else x), (width - 1 - y if self.flip_y else y)
        return (y, x) if self.swap else (x, y)

    @property
    def moves(self) -> list[int]:
        """What becomes of each move."""
        return [MOVES.index(self.offset(*move)) for move in MOVES]

    def board(self, state: State, width: int) -> State:
        x, y = self.cell(state.x, state.y, width)
        base_x, base_y = self.cell(state.base_x, state.base_y, width)
        direction_x, direction_y = self.offset(state.direction_x, state.direction_y)
        chosen = np.asarray(self.moves, np.int32)[state.chosen_move]
        return state._replace(
            x=x, y=y, base_x=base_x, base_y=base_y, direction_x=direction_x, direction_y=direction_y, chosen_move=chosen
        )


TURNINGS = [Turning(*flags) for flags in product([False, True], repeat=3)]


def has_own_frame(state: State, width: int) -> Any:
    """Where an agent's frame follows from the board; a base on a diagonal looks the same when transposed."""
    dx, dy = state.base_x - state.x, state.base_y - state.y
    in_the_middle = ((dx == 0) & (2 * state.x == width - 1)) | ((dy == 0) & (2 * state.y == width - 1))
    return (abs(dx) != abs(dy)) & ~in_the_middle


@pytest.mark.parametrize(
    "switches",
    [
        {},
        {"vision": 2},
        {"directions": "intended"},
        {"middle_block": True, "width": 8},
        {"width": 5, "mask_actions": True},
    ],
    ids=str,
)
def test_turning_the_board_turns_the_moves_and_leaves_the_pieces(switches: dict[str, Any]) -> None:
    mind = make_mind("conservative", "symmetric", **(SWITCHES | switches))
    width, weights = mind.params.width, make_variables(mind)
    seen = states(mind.params, 1, 30, TURNS)
    ours = logits_along(mind, weights, seen)[-1]
    is_clear = has_own_frame(seen[-1], width)
    assert is_clear.mean() > 0.5
    for turning in TURNINGS:
        theirs = logits_along(mind, weights, [turning.board(state, width) for state in seen])[-1]
        np.testing.assert_allclose(theirs[is_clear][:, turning.moves], ours[is_clear][:, :5], rtol=1e-3, atol=1e-3)
        np.testing.assert_allclose(theirs[is_clear][:, 5:], ours[is_clear][:, 5:], rtol=1e-3, atol=1e-3)
    assert np.ptp(np.where(ours > -1e8, ours, 0), axis=1).max() > 0.1, "logits all alike would show nothing"


def relabelled_agents(state: State, order: tuple[int, ...]) -> State:
    """Agent ``i`` becomes agent ``order[i]``."""
    back = np.argsort(order)

    def sets(masks: Any) -> Any:
        return sum(((masks >> np.uint32(i)) & 1) << np.uint32(j) for i, j in enumerate(order))

    moved = {name: getattr(state, name)[back] for name in State._fields if name != "turn"}
    return State(**(moved | {"earshot": sets(state.earshot)[back], "turn": state.turn}))


@pytest.mark.parametrize("belief", ["none", "oracle", "conservative", "attentive", "second-order"])
@pytest.mark.parametrize("order", [(0, 2, 1, 3), (0, 3, 1, 2), (3, 0, 2, 1)])
def test_relabelling_agents_relabels_their_decisions_and_nothing_else(belief: str, order: tuple[int, ...]) -> None:
    """With order 0, …: agent 0 decides as before, whatever the others are called."""
    mind = make_mind(belief, "symmetric", **SWITCHES)
    weights = make_variables(mind)
    seen = states(mind.params, 2, 30, TURNS)
    ours = logits_along(mind, weights, seen)[-1]
    theirs = logits_along(mind, weights, [relabelled_agents(state, order) for state in seen])[-1]
    np.testing.assert_allclose(theirs[list(order)], ours, rtol=1e-3, atol=1e-3)


def relabelled_pieces(state: State, order: tuple[int, ...]) -> State:
    """Piece ``p`` becomes piece ``order[p]``."""

    def sets(masks: Any) -> Any:
        return sum(((masks >> np.uint32(p)) & 1) << np.uint32(q) for p, q in enumerate(order))

    names = ("first_hand", "knowledge", "previous_knowledge", "utterance")
    return state._replace(**{name: sets(getattr(state, name)) for name in names})


def without_numbers(mind: BeliefPolicy, weights: Any) -> Any:
    """The variables with the one term that depends on a piece's number taken out: the last own weights of pieces."""
    units = 4
    pieces = weights["params"]["_Pieces_0"]["Dense_0"]
    assert pieces["kernel"].shape[-1] == (3 + 2) * units
    zeroed = {name: leaf.at[..., -units:].set(0.0) for name, leaf in pieces.items()}
    return {"params": weights["params"] | {"_Pieces_0": weights["params"]["_Pieces_0"] | {"Dense_0": zeroed}}}


@pytest.mark.parametrize("belief", ["none", "conservative", "second-order"])
def test_relabelling_pieces_relabels_what_is_said_and_nothing_else(belief: str) -> None:
    mind = make_mind(belief, "symmetric", **SWITCHES)
    weights = make_variables(mind)
    order = (3, 0, 4, 1, 2)
    seen = states(mind.params, 3, 30, TURNS)
    there = [relabelled_pieces(state, order) for state in seen]
    for tells_numbers in (False, True):
        used = weights if tells_numbers else without_numbers(mind, weights)
        ours, theirs = (logits_along(mind, used, each)[-1] for each in (seen, there))
        np.testing.assert_allclose(theirs[..., :5], ours[..., :5], rtol=1e-3, atol=1e-3)
        moved = theirs[..., [5 + p for p in order]]
        assert np.allclose(moved, ours[..., 5:], rtol=1e-3, atol=1e-3) == (not tells_numbers)


def test_moves_of_the_own_frame_go_where_they_lead_on_the_board() -> None:
    """For every frame: the score of a move on the board is that of the same step as the frame shows it."""
    for turning in TURNINGS:
        frame = Frame(*(jnp.full((1, 1), flag) for flag in turning))
        scores = np.asarray([[[0.0, 1.0, 2.0, 3.0, 4.0]]])
        found = np.asarray(to_board(jnp.asarray(scores), frame))[0, 0]
        for move, step in enumerate(MOVES):
            assert found[move] == MOVES.index(turning.offset(*step))
        assert sorted(found) == [0, 1, 2, 3, 4]


def test_no_two_frames_show_the_board_alike() -> None:
    boards = {tuple(turning.moves) for turning in TURNINGS}
    assert len(boards) == 8
    assert boards < set(permutations(range(5)))


@pytest.mark.parametrize("private", [False, True])
def test_likelihoods_of_zero_and_one_are_the_same_situation_as_sets(private: bool) -> None:
    mind = make_mind("conservative", "symmetric", private_first_hand=private, **SWITCHES)
    params = mind.params
    seen = states(params, 4, 10, TURNS)
    sight, said = thoughts(mind, seen)[-1]
    pieces = jnp.arange(5, dtype=jnp.uint32)
    likely = ((said[:, 1:, None] >> pieces[:, None]) & 1).astype(jnp.float32)
    situation = compiled(lambda known: describe(sight.percept, sight.known_before, said[:, 0], known, params))
    certain, uncertain = situation(said[:, 1:]), situation(likely)
    assert np.array_equal(certain.own, uncertain.own)
    assert np.array_equal(certain.other, uncertain.other)
    assert np.array_equal((certain.own_facts[..., None] >> pieces) & 1, uncertain.own_facts)
    assert np.array_equal((certain.other_facts[..., None] >> pieces) & 1, uncertain.other_facts)
    network = mind.network
    shapes = jax.eval_shape(lambda: network.init(jax.random.key(0), (), certain))
    weights = random_tree(shapes, 0)
    act = compiled(lambda seen: network.apply(weights, (), seen)[0])
    ours, theirs = act(certain), act(uncertain)
    np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-4)


def test_a_network_may_be_left_without_its_place_and_the_turn() -> None:
    """Two boards that differ in both are one situation then, and only then."""
    there = {"num_agents": 2, "width": 9}
    for knows_place in (True, False):
        mind = make_mind("none", "symmetric", network={"knows_place": knows_place}, **there)
        state = on_jax(states(mind.params, 0, 30, 1)[0])
        # All within the inner part, so that no wall is near in either.
        state = state._replace(**{name: 2 + getattr(state, name) % 3 for name in ("x", "y", "base_x", "base_y")})
        moved = state._replace(**{name: getattr(state, name) + 2 for name in ("x", "y", "base_x", "base_y")})
        moved = moved._replace(turn=state.turn + 7)
        nothing = jnp.zeros((2, 0, 30), jnp.uint32)
        see = compiled(lambda each, mind=mind, nothing=nothing: mind.inputs(mind.look(each), nothing).own)
        assert np.array_equal(see(state), see(moved)) == (not knows_place)


def test_uncertain_exchanges_are_expected_numbers() -> None:
    params, rng = make_mind(**SWITCHES).params, np.random.default_rng(0)
    can_say, knows = (rng.integers(0, 32, (4, 6), np.uint32) for _ in range(2))
    known = rng.random((4, 3, 5, 6))
    lacks, teaches, offers = exchanges(jnp.asarray(can_say), jnp.asarray(knows), jnp.asarray(known), params)
    for k, slot, world in product(range(4), range(3), range(6)):
        chances = known[k, slot, :, world]
        assert lacks[k, slot, world] == pytest.approx(sum(1 - chances), rel=1e-5)
        said = [1 - chances[p] for p in range(5) if can_say[k, world] >> p & 1]
        assert teaches[k, slot, world] == pytest.approx(sum(said), rel=1e-5, abs=1e-6)
        heard = [chances[p] for p in range(5) if not knows[k, world] >> p & 1]
        assert offers[k, slot, world] == pytest.approx(sum(heard), rel=1e-5, abs=1e-6)


def test_features_tell_none_one_and_two_apart_and_are_a_bit_of_both_in_between() -> None:
    numbers = jnp.asarray([0.0, 1.0, 2.0, 3.0, 0.25])
    expected: list[list[float]] = [
        [1, 0, 0, 0],
        [0, 1, 0, 0.25],
        [0, 0, 1, 0.5],
        [0, 0, 0, 0.75],
        [0.75, 0.25, 0, 0.0625],
    ]
    assert np.allclose(np.stack(levels(numbers, 4), axis=-1), expected)  # fmt: skip


@pytest.mark.parametrize("num_agents", [2, 3])
def test_what_others_think_has_a_place_for_any_number_of_agents(num_agents: int) -> None:
    mind = make_mind("second-order", "symmetric", num_agents=num_agents)
    seen = states(mind.params, 5, 3, 3)
    logits = logits_along(mind, make_variables(mind), seen)[-1]
    assert logits.shape == (num_agents, 3, mind.num_outputs)
    assert np.isfinite(logits).all()


def test_a_situation_follows_from_percepts_and_beliefs_alone() -> None:
    """Whatever else a state holds: another state that looks the same is the same situation."""
    mind = make_mind("none", "symmetric", **SWITCHES)
    state = on_jax(states(mind.params, 6, 10, TURNS)[-1])
    knowledge, known_before = (~sets & mind.params.all_pieces for sets in (state.knowledge, state.previous_knowledge))
    other = state._replace(knowledge=knowledge, previous_knowledge=known_before, correct_uses=state.correct_uses + 3)
    nothing = jnp.zeros((4, 0, 10), jnp.uint32)
    see = compiled(lambda each: mind.inputs(mind.look(each), nothing))
    ours, theirs = see(state), see(other)
    assert all(np.array_equal(a, b) for a, b in zip(jax.tree.leaves(ours), jax.tree.leaves(theirs), strict=True))
    assert np.array_equal(perceive(state, mind.params).x, perceive(other, mind.params).x)
