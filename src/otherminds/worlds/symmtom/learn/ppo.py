"""PPO for SymmToM, over any mind: whole episodes in many worlds, then a few epochs of clipped policy gradients.

All agents share their parameters; the critic is centralised (it sees what everyone really knows, in
training only) or independent; recurrent minds are trained through whole episodes. Agents learn from a
mixture of their own reward and the team's mean (``team_share``); docs/learning.md explains why that matters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax

from otherminds.core.seeds import jax_key
from otherminds.worlds.symmtom import rules
from otherminds.worlds.symmtom.chance import draw_coins, draw_deal
from otherminds.worlds.symmtom.learn import scripted_partners
from otherminds.worlds.symmtom.learn.configs import BatchConfig, BatchLearner, check_multiple
from otherminds.worlds.symmtom.minds.features import Situation, exchanges, levels
from otherminds.worlds.symmtom.minds.network_policy import BeliefPolicy, PolicyMemory
from otherminds.worlds.symmtom.minds.networks import BLOCKS, choose, exponentials, relax
from otherminds.worlds.symmtom.minds.symmetric_network import Trunk, dense
from otherminds.worlds.symmtom.observe import others
from otherminds.worlds.symmtom.types import Action, Array, State


@dataclass(frozen=True)
class PpoConfig(BatchConfig):
    """A recipe that learns every setting of the paper in minutes on one core."""

    epochs: int = 2
    minibatches: int = 8
    learning_rate: float = 1e-3
    final_learning_rate: float = 5e-5
    discount: float = 0.985
    trace: float = 0.9  # lambda of the advantage estimate
    clip: float = 0.2
    entropy: float = 0.02
    final_entropy: float = 0.002
    value_weight: float = 0.5
    max_norm: float = 0.5
    team_share: float = 1.0  # 0: each agent learns from its own reward; 1: from the team's mean
    centralised_critic: bool = True
    rehearsals: float = 0.0  # share of worlds in which one agent learns among others of ``scripted_partners.py``


class Critic(nn.Module):
    """The expected return, normalised."""

    width: int = 128
    other_width: int = 64

    @nn.compact
    def __call__(self, situation: Situation, truth: Array) -> Array:
        other = jnp.concatenate([situation.other, truth], axis=-1)
        trunk, _ = Trunk(self.width, self.other_width)(situation.own, other)
        return dense(1, 1.0)(trunk)[..., 0]


class Batch(NamedTuple):
    """Whole episodes, ``[turn, agent, world, …]``; the inputs of actors may have worlds last."""

    inputs: Any  # of actors
    allowed: Any
    situation: Situation  # of critics
    truth: Array  # float32 [turn, agent, world, slot, feature], for a centralised critic
    action: Action
    log_likelihood: Array
    reward: Array
    is_running: Array  # bool [turn, agent, world]; false also for scripted choices
    is_rehearsal: Array  # bool [turn, agent, world]


class PpoState(NamedTuple):
    """The state of a run."""

    key: Any
    actor: Any  # one set of variables for all agents, stacked
    critic: Any
    optimiser: Any
    mean: Array  # of returns
    deviation: Array
    done: Array  # int32, batches learned from


class Ppo(BatchLearner):
    """The learner."""

    def __init__(self, mind: BeliefPolicy, config: PpoConfig, seed: int) -> None:
        config = config.filled(mind)
        check_multiple("worlds", config.worlds, "minibatches", config.minibatches)
        super().__init__(mind, config, seed)
        self._critic = Critic(config.width)
        # The learning rate is applied by hand, since it falls with the share of training done.
        self._optimiser = optax.chain(optax.clip_by_global_norm(config.max_norm), optax.scale_by_adam(eps=1e-5))
        self._chunk = jax.jit(self._run_chunk)

    # The outer loop's interface.

    def begin(self) -> PpoState:
        n = self.mind.params.num_agents
        keys = jax.random.split(jax_key(self._seed, "init"), 2 * n)
        actor = jax.vmap(self.mind.init)(keys[:1])
        situation, truth = jax.eval_shape(lambda: self._critic_inputs(self._deal(jax.random.key(0))))
        example = jax.tree.map(lambda leaf: jnp.zeros(leaf.shape[1:], leaf.dtype), (situation, truth))
        critic = jax.vmap(lambda key: self._critic.init(key, *example))(keys[n : n + 1])
        zero = jnp.zeros(())
        optimiser = self._optimiser.init((actor, critic))
        key = jax.random.key_data(jax_key(self._seed, "training"))
        return PpoState(key, actor, critic, optimiser, zero, zero + 10.0, jnp.zeros((), jnp.int32))

    def chunk(self, training: PpoState) -> tuple[PpoState, dict[str, float]]:
        training, facts = self._chunk(training)
        return training, {name: float(value) for name, value in facts.items()}

    # Playing.

    def _deal(self, key: Any) -> State:
        return rules.deal(draw_deal(key, self.mind.params, (self._worlds,)), self.mind.params)

    def _critic_inputs(self, state: State) -> tuple[Situation, Array]:
        sight = self.mind.look(state)
        _, claims = self.mind.revise(self.mind.begin(sight).belief, sight, jax.random.key(0))
        return self.mind.situation(sight, claims), self._truth(state)

    def _truth(self, state: State) -> Array:
        """What others really know, as features for the critic, ``[agent, world, slot, feature]``."""
        params = self.mind.params
        if not self.config.centralised_critic:
            return jnp.zeros((params.num_agents, self._worlds, params.num_agents - 1, 0))
        can_say, known = rules.speakable(state, params), others(jnp, state.knowledge)
        numbers = exchanges(can_say, state.knowledge, known, params)
        features = [level for number in numbers for level in levels(number, params.num_pieces)]
        return jnp.moveaxis(jnp.stack(features, axis=-1), 1, -2)

    def _play(self, actor: Any, key: Any) -> tuple[Batch, Array, Any]:
        """Play one episode in every world; return it, the mean reward, and the carries at its start."""
        params, mind = self.mind.params, self.mind
        deal_key, turns_key = jax.random.split(key)
        state = self._deal(deal_key)
        memory = mind.begin(mind.look(state))
        plan = scripted_partners.begin(deal_key, self.config.rehearsals, params, self._worlds)
        is_running = jnp.ones(self._worlds, bool)

        def turn(carry: Any, key: Any) -> Any:
            state, memory, is_running, plan = carry
            sight = mind.look(state)
            belief, claims = mind.revise(memory.belief, sight, key)
            inputs = mind.inputs(sight, claims)
            situation = inputs if isinstance(inputs, Situation) else mind.situation(sight, claims)
            logits, carry = mind.decide(actor, memory.carry, inputs, sight.allowed)
            logits = jnp.moveaxis(logits, 1, -1)
            action = choose(relax(logits, exponentials(key, logits.shape, "action")))
            is_scripted = jnp.zeros_like(action.move, dtype=bool)
            if self.config.rehearsals:
                plan, action, is_scripted = scripted_partners.follow(key, plan, state, action, params)
            next_state, outcome = rules.step(state, action, draw_coins(key, params, (self._worlds,)), params)
            here = jnp.broadcast_to(is_running, outcome.rewards.shape)
            row = Batch(
                inputs=inputs,
                allowed=sight.allowed,
                situation=situation,
                truth=self._truth(state),
                action=action,
                log_likelihood=likelihood(logits, action),
                reward=jnp.where(here, outcome.rewards, 0.0),
                is_running=here & ~is_scripted,
                is_rehearsal=jnp.broadcast_to(plan.happens, here.shape),
            )
            return (next_state, PolicyMemory(belief, carry), is_running & ~outcome.terminated, plan), row

        start = (state, memory, is_running, plan)
        _, batch = jax.lax.scan(turn, start, jax.random.split(turns_key, params.num_turns))
        # The reward among agents that all learn; if all worlds are rehearsals, that of the learners.
        counts = ~batch.is_rehearsal[0] if self.config.rehearsals < 1 else batch.is_running.any(0)
        reward = jnp.where(counts, batch.reward.sum(0), 0.0).sum() / jnp.maximum(counts.sum(), 1)
        return batch, reward, memory.carry

    # Learning.

    def _run_chunk(self, training: PpoState) -> tuple[PpoState, dict[str, Array]]:
        def iterate(training: PpoState, _: None) -> tuple[PpoState, dict[str, Array]]:
            key, play_key, order_key = jax.random.split(jax.random.wrap_key_data(training.key), 3)
            batch, reward, carry = self._play(training.actor, play_key)
            training, facts = self._improve(training, batch, carry, order_key)
            return training._replace(key=jax.random.key_data(key)), facts | {"reward": reward}

        training, facts = jax.lax.scan(iterate, training, None, length=self.config.iterations)
        return training, jax.tree.map(jnp.mean, facts)

    def _improve(self, training: PpoState, batch: Batch, carry: Any, key: Any) -> tuple[PpoState, dict[str, Array]]:
        config = self.config
        value = self._value(training.critic, batch) * training.deviation + training.mean
        team = batch.reward.mean(1, keepdims=True)
        reward = config.team_share * team + (1 - config.team_share) * batch.reward
        reward = jnp.where(batch.is_rehearsal, batch.reward, reward)
        advantage = advantages(reward, value, batch.is_running, config.discount, config.trace)
        target = advantage + value
        weight = batch.is_running / batch.is_running.mean()
        mean = training.mean + 0.1 * ((target * weight).mean() - training.mean)
        spread = jnp.sqrt((jnp.square(target - mean) * weight).mean())
        deviation = training.deviation + 0.1 * (spread - training.deviation)
        target = (target - mean) / deviation
        centred = advantage - (advantage * weight).mean()
        advantage = centred / (jnp.sqrt((jnp.square(centred) * weight).mean()) + 1e-6)

        rate = self._falling(training, config.learning_rate, config.final_learning_rate)
        doubt = self._falling(training, config.entropy, config.final_entropy)
        size = self._worlds // config.minibatches
        orders = jax.vmap(lambda k: jax.random.permutation(k, self._worlds))(jax.random.split(key, config.epochs))

        def update(carried: Any, chosen: Array) -> Any:
            variables, optimiser = carried
            part, part_carry, part_advantage, part_target = self._pick(chosen, batch, carry, advantage, target)
            gradient, facts = jax.grad(self._loss, has_aux=True)(
                variables, part, part_carry, part_advantage, part_target, doubt
            )
            change, optimiser = self._optimiser.update(gradient, optimiser)
            return (jax.tree.map(lambda a, b: a - rate * b, variables, change), optimiser), facts

        start = ((training.actor, training.critic), training.optimiser)
        (variables, optimiser), facts = jax.lax.scan(update, start, orders.reshape((-1, size)))
        training = training._replace(
            actor=variables[0],
            critic=variables[1],
            optimiser=optimiser,
            mean=mean,
            deviation=deviation,
            done=training.done + 1,
        )
        return training, jax.tree.map(jnp.mean, facts)

    def _pick(self, chosen: Array, batch: Batch, carry: Any, *rest: Array) -> tuple[Any, ...]:
        def take(tree: Any, axis: int) -> Any:
            return jax.tree.map(lambda leaf: jnp.take(leaf, chosen, axis=axis), tree)

        part = take(batch._replace(inputs=(), allowed=()), 2)
        inputs = take(batch.inputs, 2 if isinstance(batch.inputs, Situation) else -1)
        part = part._replace(inputs=inputs, allowed=take(batch.allowed, -1))
        return part, take(carry, -1), *(take(values, 2) for values in rest)

    def _loss(
        self, variables: Any, batch: Batch, carry: Any, advantage: Array, target: Array, doubt: Array
    ) -> tuple[Array, dict[str, Array]]:
        actor, critic = variables
        weight = batch.is_running / batch.is_running.mean()
        logits = self._logits(actor, carry, batch)
        log_ratio = likelihood(logits, batch.action) - batch.log_likelihood
        ratio = jnp.exp(log_ratio)
        clipped = jnp.clip(ratio, 1 - self.config.clip, 1 + self.config.clip)
        gain = (jnp.minimum(ratio * advantage, clipped * advantage) * weight).mean()
        value_loss = (optax.huber_loss(self._value(critic, batch), target, delta=2.0) * weight).mean()
        entropies = [(_entropy(logits[..., block]) * weight).mean() for block in BLOCKS]
        loss = self.config.value_weight * value_loss - gain - doubt * sum(entropies)
        facts = {
            "value_loss": value_loss,
            "move_entropy": entropies[0],
            "piece_entropy": entropies[1],
            "divergence": ((ratio - 1 - log_ratio) * weight).mean(),
        }
        return loss, facts

    def _logits(self, actor: Any, carry: Any, batch: Batch) -> Array:
        """Logits of all turns, ``[turn, agent, world, entry]``."""

        def turn(carry: Any, row: tuple[Any, Any]) -> Any:
            logits, carry = self.mind.decide(actor, carry, *row)
            return carry, jnp.moveaxis(logits, 1, -1)

        rows = (batch.inputs, batch.allowed)
        if not jax.tree.leaves(carry):
            return jax.vmap(lambda row: turn((), row)[1])(rows)
        return jax.lax.scan(turn, carry, rows)[1]

    def _value(self, critic: Any, batch: Batch) -> Array:
        """Normalised values, ``[turn, agent, world]``."""
        return self._critic.apply(jax.tree.map(lambda leaf: leaf[0], critic), batch.situation, batch.truth)


def advantages(reward: Array, value: Array, is_running: Array, discount: float, trace: float) -> Array:
    """Generalised advantage estimates, ``[turn, …]``; nothing follows the last turn."""

    def back(carry: tuple[Array, Array], row: tuple[Array, Array, Array]) -> Any:
        next_value, next_advantage = carry
        value, reward, is_running = row
        advantage = reward + discount * next_value - value + discount * trace * next_advantage
        # After the end nothing is worth anything.
        value, advantage = jnp.where(is_running, value, 0.0), jnp.where(is_running, advantage, 0.0)
        return (value, advantage), advantage

    zero = jnp.zeros_like(value[0])
    _, rows = jax.lax.scan(back, (zero, zero), (value, reward, is_running), reverse=True)
    return rows


def likelihood(logits: Array, action: Action) -> Array:
    """The logarithm of an action's probability, ``[…]`` from ``[…, entry]``."""
    total: Array = 0.0
    for block, choice in zip(BLOCKS, action, strict=True):
        scores = jax.nn.log_softmax(logits[..., block])
        total += jnp.where(choice[..., None] == jnp.arange(scores.shape[-1]), scores, 0.0).sum(-1)
    return total


def _entropy(logits: Array) -> Array:
    scores = jax.nn.log_softmax(logits)
    return -(jnp.exp(scores) * scores).sum(-1)
