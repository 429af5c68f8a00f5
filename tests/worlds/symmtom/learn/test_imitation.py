"""Imitation: what the teacher advises, what is learned from it, and that the pupil comes to agree."""

from __future__ import annotations

from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.symmtom import rules
from otherminds.worlds.symmtom.bits import own_of, pack, unpack
from otherminds.worlds.symmtom.learn.imitation import Imitation, ImitationConfig, Lesson, advise, imitation_loss
from otherminds.worlds.symmtom.learn.train import resolve
from otherminds.worlds.symmtom.minds.belief_parts import Counting
from otherminds.worlds.symmtom.minds.planner import Planner
from otherminds.worlds.symmtom.minds.tour_values import PlanInputs
from otherminds.worlds.symmtom.types import Params
from tests.worlds.symmtom.learn.making import make_mind, on_jax, random_tree, spoken_turns

SMALL = ImitationConfig(
    8, 4, iterations=1, minibatches=1, learning_rate=1e-3, final_learning_rate=1e-3, width=8, particles=4
)


@cache
def make_learner(belief: str = "attentive", num_turns: int = 6, **changes: Any) -> Imitation:
    network = {"is_wary": belief == "wary", "knows_place": False}
    mind = make_mind(belief, "touring", network=network, num_turns=num_turns, mask_actions=True)
    return Imitation(mind, ImitationConfig(**(SMALL.__dict__ | changes)), seed=1)


# Advice


def view_of(knows: list[list[float]], cells: list[tuple[int, int]], bases: list[tuple[int, int]]) -> PlanInputs:
    """What all see in one world where agent 0 holds the given belief, and could say what it knows."""
    params = Params.from_setting("n3_w6_c3")
    state = next(iter(spoken_turns(params, 0, 1, 1))).before
    x, y = (np.asarray([[cell[axis]] for cell in cells], np.int32) for axis in (0, 1))
    base_x, base_y = (np.asarray([[cell[axis]] for cell in bases], np.int32) for axis in (0, 1))
    sight = Planner().look(on_jax(state._replace(x=x, y=y, base_x=base_x, base_y=base_y)), params).sight
    likely = jnp.asarray([knows] * 3, jnp.float32)[..., None]
    return PlanInputs(sight, likely, own_of(jnp, likely), jnp.zeros((3, 3, 1)))


def test_ways_of_the_same_worth_are_advised_alike() -> None:
    """Two others stand as far to the left as to the right, each with a piece that agent 0 lacks."""
    both = [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 1.0]]
    view = view_of(both, [(2, 2), (0, 2), (4, 2)], [(2, 5), (0, 0), (4, 0)])
    found = advise(view, Params.from_setting("n3_w6_c3"), 0.02)
    np.testing.assert_allclose(found.move[0, :, 0], [0, 0.5, 0.5, 0, 0], atol=1e-5)


def test_the_better_way_is_advised_and_a_piece_that_is_news() -> None:
    """Agent 2, to the right, has the two pieces that agent 0 lacks; after a step it is told piece 0, which it lacks."""
    knows = [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 1.0, 1.0]]
    view = view_of(knows, [(2, 2), (0, 5), (4, 2)], [(2, 5), (0, 0), (4, 0)])
    found = advise(view, Params.from_setting("n3_w6_c3"), 0.02)
    np.testing.assert_allclose(found.move[0, :, 0], [0, 1, 0, 0, 0], atol=1e-5)
    np.testing.assert_allclose(found.piece[0, :, 0], [1, 0, 0], atol=1e-5)


@pytest.mark.slow
def test_what_the_planner_does_is_always_advised_as_much_as_anything() -> None:
    params, planner = Params.from_setting("n3_w6_c3"), Planner(order="evidence")
    turns = list(spoken_turns(params, 3, 40, 12))
    memory = planner.begin(planner.look(turns[0].before, params), params)
    for turn in turns:
        look, knew = planner.look(turn.before, params), memory.knew
        action, memory = planner.act(memory, look, params, np.random.default_rng(0))
        knows = planner.believes(memory, look, params)
        can_say = unpack(np, rules.speakable_from(pack(np, own_of(np, knows) > 0.5), knew, params), 3)
        said = jnp.asarray(can_say, jnp.float32)
        view = PlanInputs(look.sight, jnp.asarray(knows, jnp.float32), said, jnp.zeros((3, 3, 40)))
        found = advise(view, params, 2e-3)  # the planner takes a worth that is less by half of that for the same
        is_sure = np.ones((3, 40), bool)  # where to go; what to say there depends on it
        for shares, chosen in zip(map(np.asarray, found), action, strict=True):
            np.testing.assert_allclose(shares.sum(axis=1), 1, rtol=1e-4)
            taken = np.take_along_axis(shares, chosen[:, None], axis=1)[:, 0]
            # Several tours may begin with the same goal, and count as often.
            assert (taken > 0.1 * shares.max(axis=1))[is_sure].all()
            is_sure = taken > 0.99


# Learning


def by_hand(logits: Any, advice: Any) -> float:
    """The divergence of one decision's choices from the advice, term by term."""
    total = 0.0
    for block in (slice(0, 5), slice(5, None)):
        likely = np.exp(logits[block]) / np.exp(logits[block]).sum()
        total += sum(a * np.log(a / p) for a, p in zip(advice[block], likely, strict=True) if a > 0)
    return float(total)


def test_the_loss_is_the_divergence_from_the_advice_of_decisions_that_were_made() -> None:
    rng = np.random.default_rng(0)
    logits = rng.normal(size=(3, 8)).astype(np.float32)
    advice = np.asarray([[0, 0.5, 0.5, 0, 0, 1, 0, 0], [1, 0, 0, 0, 0, 0, 0, 1], [0.2] * 5 + [0.25, 0.25, 0.5]])
    lesson = Lesson((), np.ones((3, 8), bool), advice, np.asarray([1.0, 1.0, 0.0]))  # type: ignore[arg-type]
    loss, facts = imitation_loss(jnp.asarray(logits), lesson)
    expected = (by_hand(logits[0], advice[0]) + by_hand(logits[1], advice[1])) / 2
    assert float(loss) == pytest.approx(expected, rel=1e-4)
    agrees = [advice[k, logits[k, :5].argmax()] > 0 and advice[k, 5 + logits[k, 5:].argmax()] > 0 for k in (0, 1)]
    assert float(facts["score"]) == pytest.approx(np.mean(agrees))


def test_advice_that_has_no_effect_is_left_out() -> None:
    advice = np.asarray([[0.5, 0.5, 0, 0, 0, 1, 0, 0]])
    allowed = np.asarray([[True, False, True, True, True, True, True, True]])
    sure = jnp.asarray([[9.0, -1e9, -9, -9, -9, 9, -9, -9]])
    loss, _ = imitation_loss(sure, Lesson((), allowed, advice, np.ones(1)))  # type: ignore[arg-type]
    assert float(loss) < 1e-3


def test_without_masks_every_choice_is_open_to_the_pupil() -> None:
    """The teacher still advises what has an effect."""
    # Two agents, since programs grow fast with the number of tours.
    mind = make_mind("attentive", "touring", network={"knows_place": False}, num_turns=6, num_agents=2)
    learner = Imitation(mind, SMALL, seed=1)
    pupil = random_tree(jax.eval_shape(learner.begin).pupil, 0)
    lesson, reward = learner._play(pupil, jax.random.key(0))
    assert lesson.allowed.all()
    assert np.isfinite(reward)
    np.testing.assert_allclose(lesson.advice.sum(-1), 2.0, atol=1e-4)


@pytest.mark.slow
def test_one_update_is_a_step_of_adam_against_the_gradient_and_the_actor_follows_slowly() -> None:
    learner = make_learner(memory=0.9)
    training = learner.begin()
    lesson, _ = learner._play(training.pupil, jax.random.key(0))
    flat = jax.tree.map(lambda leaf: leaf.reshape((-1, *leaf.shape[3:])), lesson)
    gradient = jax.grad(lambda pupil: learner._loss(pupil, flat)[0])(training.pupil)
    after, _ = learner._improve(training, lesson, jax.random.key(1))
    norm = np.sqrt(sum(float(np.square(leaf).sum()) for leaf in jax.tree.leaves(gradient)))
    slopes = jax.tree.map(lambda leaf: np.asarray(leaf) * min(1.0, 1.0 / norm), gradient)
    leaves = zip(*map(jax.tree.leaves, (training.pupil, slopes, after.pupil, after.actor)), strict=True)
    moved = 0
    for old, slope, new, actor in leaves:
        is_clear = np.abs(slope) > 1e-5  # elsewhere rounding decides
        expected = np.asarray(old) - 1e-3 * slope / (np.abs(slope) + 1e-8)
        np.testing.assert_allclose(np.asarray(new)[is_clear], expected[is_clear], atol=2e-5)
        np.testing.assert_allclose(actor, 0.9 * np.asarray(old) + 0.1 * np.asarray(new), atol=1e-6)
        moved += int(is_clear.sum())
    assert moved > 100


@pytest.mark.slow
def test_every_seat_is_advised_in_every_turn_and_shares_add_up() -> None:
    learner = make_learner("wary")
    lesson, _ = learner._play(learner.begin().pupil, jax.random.key(0))
    assert lesson.weight.shape == (6, 3, 4)
    assert lesson.weight.all()
    for block in (slice(0, 5), slice(5, None)):
        np.testing.assert_allclose(lesson.advice[..., block].sum(-1), 1, rtol=1e-4)


@pytest.mark.slow
def test_where_its_teacher_leads_the_pupil_decides_nothing() -> None:
    for led in (1.0, 0.0):
        learner = make_learner(led=led, rehearsals=0.0)
        pupil = learner.begin().pupil
        other = jax.tree.map(lambda leaf: leaf + 1.0, pupil)
        (first, reward), (second, _) = (learner._play(each, jax.random.key(0)) for each in (pupil, other))
        same = [np.array_equal(a, b) for a, b in zip(*map(jax.tree.leaves, (first, second)), strict=True)]
        assert all(same) == bool(led)
        assert led == 0 or float(reward) == 0, "what it did not earn itself"


def test_danger_is_supposed_of_whoever_has_recharged_in_worlds_that_are_to_be_wary() -> None:
    learner = make_learner("wary")
    recharges = jnp.zeros((3, 3, 4)).at[0, 1].set(1.0)
    belief = Counting(worlds=(), recharges=recharges)  # type: ignore[arg-type]
    danger = learner._danger(belief, jnp.asarray([True, False, True, False]))
    np.testing.assert_array_equal(danger[0, 1], [1, 0, 1, 0])
    assert float(danger.sum()) == 2


@pytest.mark.slow
def test_a_wary_pupil_is_told_of_the_danger_it_is_advised_by() -> None:
    learners = [make_learner("wary", num_turns=30, wary=share, led=1.0, rehearsals=0.0) for share in (0.0, 1.0)]
    lessons = [learner._play(learner.begin().pupil, jax.random.key(3))[0] for learner in learners]
    told = [np.asarray(lesson.situation.other[..., 0]) for lesson in lessons]
    assert not told[0].any()
    assert set(np.unique(told[1])) == {0.0, 1.0}


@pytest.mark.slow
def test_a_pupil_comes_to_do_as_its_teacher() -> None:
    learner = make_learner(
        num_turns=16, episodes=960, worlds=16, iterations=6, minibatches=4, width=32, learning_rate=1e-2, memory=0.9
    )
    training, scores = learner.begin(), []
    for _ in range(learner.num_chunks):
        training, facts = learner.chunk(training)
        scores.append(facts["score"])
    assert scores[-1] > 0.85
    assert scores[-1] > scores[0] + 0.1


# Refusals


@pytest.mark.parametrize(
    ("belief", "kind", "changes", "message"),
    [
        ("recurrent", "", {}, "one turn at a time"),
        ("oracle", "symmetric", {}, "the teacher cannot plan with belief 'oracle'"),
        ("none", "symmetric", {}, "the teacher cannot plan with belief 'none'"),
        ("attentive", "touring", {"minibatches": 7}, "expected a multiple of minibatches, 7"),
        ("attentive", "touring", {"episodes": 9}, "expected a multiple of a chunk"),
        ("attentive", "touring", {"memory": 1.0}, "would never change"),
    ],
)
def test_what_cannot_be_learned_from_is_refused(belief: str, kind: str, changes: dict[str, Any], message: str) -> None:
    mind = make_mind(belief, kind, num_turns=6, mask_actions=True)
    with pytest.raises(UserError, match=message):
        Imitation(mind, ImitationConfig(**(SMALL.__dict__ | changes)), seed=0)


@pytest.mark.parametrize("kind", ["touring", "symmetric"])
@pytest.mark.parametrize("belief", ["wary", "attentive"])
def test_either_network_for_situations_can_be_a_pupil(belief: str, kind: str) -> None:
    config = resolve("n3_w6_c3", "imitation", belief, network={"kind": kind}, options={"episodes": 1024})
    assert config["network"]["kind"] == kind
    assert ("kind=symmetric" in config["variant"]) == (kind == "symmetric")


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"belief": "attentive", "network": {"is_wary": True}}, "set is_wary=false for the touring network"),
        ({"belief": "wary", "network": {"is_wary": False}}, "set is_wary=true for the touring network"),
        ({"belief": "wary", "switches": {"hearing": 2}}, "supports hearing=1, not 2"),
        ({"belief": "wary", "options": {"rehearsals": 2.0}}, "rehearsals is 2.0; expected a number from 0 to 1"),
        ({"belief": "wary", "options": {"temperature": 0.0}}, "temperature is 0.0; expected a positive number"),
        ({"belief": "estimated"}, "use --belief wary"),
    ],
)
def test_what_would_teach_nonsense_is_refused(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        resolve("n3_w6_c3", "imitation", **asked)
