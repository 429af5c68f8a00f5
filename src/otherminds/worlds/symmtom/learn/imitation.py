"""Imitation for SymmToM: a network learns to do what the planner would do in its place (DAgger).

The pupil plays rehearsals of the standard deal (``scripted_partners.py``). In some worlds its teacher acts for it; in
the others it acts itself, and so learns to recover from its own mistakes. In every turn the teacher plans over the
pupil's own belief and says what it would do, so that the target is a function of the network's input. No agent sees
what others really know, and no layout of the test battery is ever used.

The teacher's advice is a distribution over moves and pieces by their worth. The planner breaks ties by the number of an
agent or a move. A pupil cannot and need not learn that, so choices of equal worth get equal shares, and choices of
almost equal worth almost equal shares.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

from otherminds.core.errors import UserError
from otherminds.core.seeds import jax_key, random_words
from otherminds.worlds.symmtom import rules
from otherminds.worlds.symmtom.bits import pack, unpack
from otherminds.worlds.symmtom.chance import draw_coins, draw_deal
from otherminds.worlds.symmtom.learn import scripted_partners
from otherminds.worlds.symmtom.learn.configs import BatchConfig, BatchLearner, check_multiple
from otherminds.worlds.symmtom.minds.belief_parts import slots
from otherminds.worlds.symmtom.minds.features import Situation
from otherminds.worlds.symmtom.minds.network_policy import BeliefPolicy, PolicyMemory, masked
from otherminds.worlds.symmtom.minds.networks import BLOCKS, choose, exponentials, relax
from otherminds.worlds.symmtom.minds.tour_values import BARELY, PlanInputs, danger_of, piece_worths, step_costs, tours
from otherminds.worlds.symmtom.types import MOVES, Array, Params

_WINS = 2  # recharges that win a competitive world, as supposed in some worlds


@dataclass(frozen=True)
class ImitationConfig(BatchConfig):
    """A recipe that learns a setting in a few minutes on one core."""

    rehearsals: float = 1.0  # share of worlds in which others stop: see ``scripted_partners.py``
    wary: float = 0.25  # share of worlds in which wary agents take a second recharge for a win
    led: float = 0.25  # share of worlds in which the teacher acts for its pupil
    temperature: float = 0.02  # the higher, the more alike are the shares of choices: see ``advise``
    memory: float = 0.995  # decay of the running mean of the weights, which is the final actor
    particles: int = 16  # of a Bayesian belief in training; likelihoods do not depend on their number


class Lesson(NamedTuple):
    """Decisions and what the teacher would have done, ``[turn, agent, world, …]`` or with any other axes first."""

    situation: Situation
    allowed: Array  # bool […, entry]
    advice: Array  # float32 […, entry], shares of moves, then of pieces
    weight: Array  # float32 […], 0 where an episode is over


class ImitationState(NamedTuple):
    """The state of a run."""

    key: Any
    pupil: Any
    actor: Any  # the running mean of the pupil
    optimiser: Any
    done: Array  # int32, batches learned from


class Imitation(BatchLearner):
    """The learner."""

    def __init__(self, mind: BeliefPolicy, config: ImitationConfig, seed: int) -> None:
        config = config.filled(mind)
        if not mind.is_situated or getattr(mind.network, "is_recurrent", False):
            raise UserError(
                f"imitation needs a network that reads situations, one turn at a time; belief {mind.belief.name!r} "
                f"with a {mind.kind} network does not work: use --belief wary, "
                f"with --network kind=touring or kind=symmetric"
            )
        if mind.belief.sees_truth or mind.belief.rule is None:
            raise UserError(
                f"the teacher cannot plan with belief {mind.belief.name!r}, which --algorithm imitation requires; "
                f"use --belief wary"
            )
        decisions = mind.params.num_turns * mind.params.num_agents * config.worlds
        check_multiple("the number of decisions in a batch", decisions, "minibatches", config.minibatches)
        if config.memory == 1:
            raise UserError("imitation: memory is 1, so the actor would never change; expected less than 1")
        super().__init__(mind.with_particles(config.particles), config, seed)
        # The learning rate is applied by hand, since it falls with the share of training done.
        self._optimiser = optax.chain(optax.clip_by_global_norm(config.max_norm), optax.scale_by_adam())
        self._play, self._improve = jax.jit(self._played), jax.jit(self._improved)

    # The outer loop's interface.

    def begin(self) -> ImitationState:
        pupil = jax.tree.map(lambda leaf: leaf[None], self.mind.init(jax_key(self._seed, "init")))
        key = jax.random.key_data(jax_key(self._seed, "training"))
        return ImitationState(key, pupil, pupil, self._optimiser.init(pupil), jnp.zeros((), jnp.int32))

    def chunk(self, training: ImitationState) -> tuple[ImitationState, dict[str, float]]:
        rows = []
        for _ in range(self.config.iterations):
            key, play_key, order_key = jax.random.split(jax.random.wrap_key_data(training.key), 3)
            lesson, reward = self._play(training.pupil, play_key)
            training, facts = self._improve(training, lesson, order_key)
            training = training._replace(key=jax.random.key_data(key))
            rows.append(facts | {"reward": reward})
        return training, {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}

    # Playing.

    def _played(self, pupil: Any, key: Any) -> tuple[Lesson, Array]:
        """One episode in every world, and the mean reward of pupils that were not led."""
        params, mind, worlds = self.mind.params, self.mind, self._worlds
        deal_key, turns_key = jax.random.split(key)
        state = rules.deal(draw_deal(deal_key, params, (worlds,)), params)
        plan = scripted_partners.begin(deal_key, self.config.rehearsals, params, worlds)
        led, competes = (
            scripted_partners.below(random_words(deal_key, (worlds,), f"imitation/{name}"), share)
            for name, share in (("led", self.config.led), ("wary", self.config.wary))
        )

        def turn(carry: Any, key: Any) -> Any:
            state, belief, is_running, plan = carry
            sight = mind.look(state)
            belief, claims = mind.revise(belief, sight, key)
            danger = self._danger(belief, competes)
            if mind.belief.counts_recharges:
                claims = jnp.concatenate([claims[:, : -params.num_agents], slots(danger)], axis=1)
            situation = mind.situation(sight, claims)
            advice = self._advise(belief, sight, danger)
            allowed = sight.allowed if params.mask_actions else jnp.ones(advice.shape, bool)
            logits, _ = mind.decide(pupil, (), situation, allowed)
            wishes = jnp.where(led, masked(jnp.log(jnp.maximum(advice, 1e-9)), allowed), logits)
            noise = exponentials(key, (params.num_agents, worlds, mind.num_outputs), "action")
            action = choose(relax(jnp.moveaxis(wishes, 1, -1), noise))
            plan, action, is_scripted = scripted_partners.follow(key, plan, state, action, params, homing=True)
            after, outcome = rules.step(state, action, draw_coins(key, params, (worlds,)), params)
            here = jnp.broadcast_to(is_running, outcome.rewards.shape)
            allowed, advice = (jnp.moveaxis(values, 1, -1) for values in (allowed, advice))
            row = Lesson(situation, allowed, advice, here.astype(jnp.float32))
            counts = here & ~is_scripted & ~led
            earned = jnp.where(counts, outcome.rewards, 0.0), counts
            return (after, belief, is_running & ~outcome.terminated, plan), (row, earned)

        start = (state, mind.begin(mind.look(state)).belief, jnp.ones(worlds, bool), plan)
        _, (lesson, (rewards, counts)) = jax.lax.scan(turn, start, jax.random.split(turns_key, params.num_turns))
        return lesson, rewards.sum() / jnp.maximum(counts.any(0).sum(), 1)

    def _danger(self, belief: Any, competes: Array) -> Array:
        """Whether the next recharge would win, ``[observer, agent, world]``, in worlds where this is supposed.

        The world itself does not end; the teacher acts as it would in a competitive one.
        """
        n = self.mind.params.num_agents
        if not self.mind.belief.counts_recharges:
            return jnp.zeros((n, n, self._worlds))
        supposed = self.mind.params.replace(competitive=_WINS)
        return jnp.where(competes, danger_of(jnp, belief.recharges, supposed), 0.0)

    def _advise(self, belief: Any, sight: Any, danger: Array) -> Array:
        """Shares of moves and pieces that have an effect, ``[agent, entry, world]``."""
        params = self.mind.params
        knows = self.mind.believes(PolicyMemory(belief, ()), sight)
        now = pack(jnp, jnp.stack([knows[i, i] for i in range(params.num_agents)]) > 0.5)
        can_say = unpack(jnp, rules.speakable_from(now, sight.known_before, params), params.num_pieces)
        inputs = PlanInputs(sight.percept, knows, can_say.astype(jnp.float32), danger)
        return jnp.concatenate(advise(inputs, params, self.config.temperature), axis=1)

    # Learning.

    def _improved(self, training: ImitationState, lesson: Lesson, key: Any) -> tuple[ImitationState, dict[str, Array]]:
        config = self.config
        flat = jax.tree.map(lambda leaf: leaf.reshape((-1, *leaf.shape[3:])), lesson)
        rate = self._falling(training, config.learning_rate, config.final_learning_rate)
        number = flat.weight.shape[0]
        orders = jax.vmap(lambda k: jax.random.permutation(k, number))(jax.random.split(key, config.epochs))

        def update(carried: Any, chosen: Array) -> Any:
            pupil, actor, optimiser = carried
            part = jax.tree.map(lambda leaf: jnp.take(leaf, chosen, axis=0), flat)
            gradient, facts = jax.grad(self._loss, has_aux=True)(pupil, part)
            change, optimiser = self._optimiser.update(gradient, optimiser)
            pupil = jax.tree.map(lambda a, b: a - rate * b, pupil, change)
            actor = jax.tree.map(lambda a, b: config.memory * a + (1 - config.memory) * b, actor, pupil)
            return (pupil, actor, optimiser), facts

        start = (training.pupil, training.actor, training.optimiser)
        (pupil, actor, optimiser), facts = jax.lax.scan(
            update, start, orders.reshape((-1, number // config.minibatches))
        )
        training = training._replace(pupil=pupil, actor=actor, optimiser=optimiser, done=training.done + 1)
        return training, jax.tree.map(lambda values: values[: config.minibatches].mean(), facts)

    def _loss(self, pupil: Any, lesson: Lesson) -> tuple[Array, dict[str, Array]]:
        shared = jax.tree.map(lambda leaf: leaf[0], pupil)
        logits, _ = self.mind.network.apply(shared, (), lesson.situation)
        return imitation_loss(masked(jnp.moveaxis(logits, 0, -1), lesson.allowed), lesson)


def imitation_loss(logits: Array, lesson: Lesson) -> tuple[Array, dict[str, Array]]:
    """Return the divergence of the pupil's choices from the advice, and its parts.

    ``score`` is the share of decisions in which both most likely choices are advised about as much as any.
    """
    weight = lesson.weight / jnp.maximum(lesson.weight.sum(), 1.0)
    loss: Array = 0.0
    agrees = jnp.ones(lesson.weight.shape, bool)
    facts = {}
    for name, block in zip(Advice._fields, BLOCKS, strict=True):
        advice = jnp.where(lesson.allowed[..., block], lesson.advice[..., block], 0.0)
        advice = advice / jnp.maximum(advice.sum(-1, keepdims=True), 1e-6)
        likely = jax.nn.log_softmax(logits[..., block])
        missing = (advice * (jnp.log(jnp.maximum(advice, 1e-9)) - likely)).sum(-1)
        facts[f"{name}_loss"] = (missing * weight).sum()
        loss += facts[f"{name}_loss"]
        taken = jnp.take_along_axis(advice, likely.argmax(-1)[..., None], axis=-1)[..., 0]
        agrees = agrees & (taken > 0.5 * advice.max(-1))
    return loss, facts | {"score": (agrees * weight).sum()}


class Advice(NamedTuple):
    """Shares of all choices, which sum to 1."""

    move: Array  # float32 [agent, 5, *worlds]
    piece: Array  # float32 [agent, piece, *worlds]


def advise(inputs: PlanInputs, params: Params, temperature: float) -> Advice:
    """The planner's advice to all agents; a difference in worth of a temperature reduces a share by a factor of e."""
    # An agent that gains nothing by moving stays, or goes home.
    goals = [goal._replace(worth=goal.worth - BARELY * (k > 0)) for k, goal in enumerate(tours(jnp, inputs, params))]
    shares = jax.nn.softmax(jnp.stack([goal.worth for goal in goals]) / temperature, axis=0)
    move: Array = 0.0
    for goal, share in zip(goals, shares, strict=True):
        cost = jnp.stack(step_costs(jnp, inputs.sight, goal, params), axis=1)
        is_best = (cost == cost.min(axis=1, keepdims=True)).astype(jnp.float32)
        move += share[:, None] * is_best / is_best.sum(axis=1, keepdims=True)
    stay = jnp.zeros(move[:, 0].shape, jnp.int32)
    worth = sum(move[:, k][:, None] * piece_worths(jnp, inputs, stay + k, params) for k in range(len(MOVES)))
    piece = jax.nn.softmax(jnp.where(inputs.can_say > 0.5, worth / temperature, -1e9), axis=1)
    return Advice(move, piece)
