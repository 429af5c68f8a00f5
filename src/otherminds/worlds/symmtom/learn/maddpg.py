"""MADDPG of the SymmToM paper, over any mind: with the paper's beliefs it is MADDPG, Oracle, RMADDPG, CE, GE and EE.

docs/spec/symmtom.md 9 defines the models and 10 the training; docs/learning.md says how to run it.
Each agent has its own actor and critic; critics see what all agents see and do. One chunk is a thousand
episodes: acting in a few worlds side by side, one update of every agent for each hundred turns.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

from otherminds.core.errors import UserError
from otherminds.core.seeds import jax_key
from otherminds.worlds.symmtom import rules
from otherminds.worlds.symmtom.chance import draw_coins, draw_deal
from otherminds.worlds.symmtom.learn.codec import Codec, StoredTurn
from otherminds.worlds.symmtom.learn.configs import MaddpgConfig
from otherminds.worlds.symmtom.learn.replay import ReplayBuffer, Sample, Sampler, add, flat, joined, refuse_too_large
from otherminds.worlds.symmtom.minds.network_policy import BeliefPolicy, PolicyMemory, masked
from otherminds.worlds.symmtom.minds.networks import Critic, choose, exponentials, relax
from otherminds.worlds.symmtom.observe import observe
from otherminds.worlds.symmtom.types import Array, State


class Parts(NamedTuple):
    """What is learned, stacked over agents."""

    actor: Any
    critic: Any
    target_actor: Any
    target_critic: Any
    actor_optimiser: Any
    critic_optimiser: Any


class Play(NamedTuple):
    """The worlds in play and the memories of the minds in them."""

    state: State
    memory: PolicyMemory
    belief: Array  # [agent, entry, world], what the belief rule says now
    returns: Array  # float32 [world], mean over agents, of the episode so far
    kept: Any  # a ``PolicyMemory``: what the next rows store about the turns before them; see ``Codec``


class MaddpgState(NamedTuple):
    """The complete state of a run."""

    key: Any
    parts: Parts
    play: Play
    replay: ReplayBuffer


class Maddpg:
    """The learner: see :class:`otherminds.learn.loop.Learner`."""

    def __init__(self, mind: BeliefPolicy, config: MaddpgConfig, seed: int) -> None:
        config = config.filled(mind)
        self.mind, self.config, self._seed = mind, config, seed
        self.num_chunks, self.chunk_episodes = config.episodes // config.chunk_episodes, config.chunk_episodes
        self._updates = config.chunk_episodes * mind.params.num_turns // config.update_period
        self._critic_view = mind.view.replace(oracle=True) if config.critic_sees_truth else mind.view
        self._critic = Critic(config.width)
        self._codec = Codec(mind, reads_on=mind.remembers and config.next_carry == "stored")
        self._sampler = Sampler(self._codec, mind, self._critic_view, config.worlds)
        least, at_first = self._sampler.least, max(config.warm_up, config.update_period)
        if at_first < least or config.capacity < 2 * least:  # twice: the newest and the oldest may both be incomplete
            raise UserError(
                f"nothing can be drawn before the memory holds {least} turns; found warm_up {config.warm_up} and "
                f"capacity {config.capacity}, expected at least {least} and {2 * least}"
            )
        refuse_too_large(config.capacity, self._codec.num_bytes)
        self._optimiser = optax.chain(clip_each(config.clip), optax.adam(config.learning_rate))
        self._chunk = jax.jit(self._run_chunk, donate_argnums=0)

    # The outer loop's interface.

    def begin(self) -> MaddpgState:
        n = self.mind.params.num_agents
        keys = jax.random.split(jax_key(self._seed, "init"), 2 * n)
        actor = jax.vmap(self.mind.init)(keys[:n])
        play = jax.jit(self._fresh_play)(jax_key(self._seed, "worlds"))
        seen = flat(observe(play.state, self._critic_view))
        actions = jnp.zeros((n * self.mind.num_outputs, self.config.worlds))
        critic = jax.vmap(lambda key: self._critic.init(key, seen, actions))(keys[n:])
        optimisers = [jax.vmap(self._optimiser.init)(variables) for variables in (actor, critic)]
        # Copies, since a chunk takes its argument's memory over.
        target_actor, target_critic = jax.tree.map(jnp.copy, (actor, critic))
        parts = Parts(actor, critic, target_actor, target_critic, *optimisers)
        rows = jax.tree.map(lambda row: jnp.zeros((self.config.capacity, *row.shape), row.dtype), self._codec.row)
        replay = ReplayBuffer(rows, jnp.zeros((), jnp.int32))
        return MaddpgState(jax.random.key_data(jax_key(self._seed, "training")), parts, play, replay)

    def chunk(self, training: MaddpgState) -> tuple[MaddpgState, dict[str, float]]:
        training, sums = self._chunk(training)
        sums = {name: float(value) for name, value in sums.items()}
        ended, updates = sums.pop("episodes"), sums.pop("updates")
        means = {"reward": sums.pop("reward") / max(ended, 1.0)}
        # Before the first update there is no loss, not a loss of zero.
        return training, means | {name: value / updates if updates else float("nan") for name, value in sums.items()}

    def actor(self, training: MaddpgState) -> Any:
        return training.parts.actor

    # Acting.

    def _fresh_play(self, key: Any) -> Play:
        state = rules.deal(draw_deal(key, self.mind.params, (self.config.worlds,)), self.mind.params)
        sight = self.mind.look(state)
        memory = self.mind.begin(sight)
        belief_memory, belief = self.mind.revise(memory.belief, sight, key)
        memory = memory._replace(belief=belief_memory)
        return Play(state, memory, belief, jnp.zeros(self.config.worlds), PolicyMemory(belief, memory.carry))

    def _turn(self, parts: Parts, play: Play, key: Any) -> tuple[Play, tuple[Array, Array, Array]]:
        """One turn in all worlds: the new play, rows for the memory, and rewards of the episodes that ended."""
        params = self.mind.params
        sight = self.mind.look(play.state)
        inputs = self.mind.inputs(sight, play.belief)
        logits, carry = self.mind.decide(parts.actor, play.memory.carry, inputs, sight.allowed)
        noise = exponentials(key, logits.shape, "gumbel")
        soft = relax(logits, noise, axis=1)
        action = choose(soft, axis=1)
        coins = draw_coins(key, params, (self.config.worlds,))
        state, outcome = rules.step(play.state, action, coins, params)
        belief_memory, belief = self.mind.revise(play.memory.belief, self.mind.look(state), key)
        kept: PolicyMemory = play.kept
        rows = self._codec.pack(StoredTurn(play.state, action, soft, coins, kept.belief, belief, kept.carry))
        returns = play.returns + outcome.rewards.mean(axis=0)
        is_over = outcome.terminated | outcome.truncated
        after = Play(state, PolicyMemory(belief_memory, carry), belief, returns, kept)
        ended = jnp.where(is_over, returns, 0.0).sum(), is_over.sum()
        after = self._renewed(after, is_over, key)
        # Readers begin afresh where an episode does, so what a turn left behind may stand there; but a belief that is
        # not read on must be the new one.
        kept = PolicyMemory(belief if self._codec.reads_on else after.belief, carry)
        return after._replace(kept=kept), (rows, *ended)

    def _renewed(self, play: Play, is_over: Array, key: Any) -> Play:
        """The play with finished worlds replaced by fresh ones; what is kept of the turns before stays."""

        playing = play._replace(kept=())

        def renew() -> Play:
            fresh = self._fresh_play(key)._replace(kept=())
            mixed: Play = jax.tree.map(lambda new, old: jnp.where(is_over, new, old), fresh, playing)
            return mixed

        renewed: Play = jax.lax.cond(is_over.any(), renew, lambda: playing)
        return renewed._replace(kept=play.kept)

    # Learning.

    def _update(self, parts: Parts, replay: ReplayBuffer, key: Any) -> tuple[Parts, dict[str, Array]]:
        """One critic and one actor step for each agent in order, each on its own draw."""
        n = self.mind.params.num_agents
        draw_key, *keys = jax.random.split(key, n + 1)

        def update(parts: Parts, row: tuple[Array, Array, Any]) -> tuple[Parts, dict[str, Array]]:
            agent, index, key = row
            return self._update_agent(parts, agent, self._sampler.rebuild(replay, index), key)

        drawn = self._sampler.draw(replay, draw_key, (n, self.config.batch))
        parts, losses = jax.lax.scan(update, parts, (jnp.arange(n), drawn, jnp.stack(keys)))
        return parts, jax.tree.map(jnp.mean, losses)

    def _update_agent(self, parts: Parts, agent: Array, sample: Sample, key: Any) -> tuple[Parts, dict[str, Array]]:
        config = self.config
        noise_key, next_key = jax.random.split(key)
        own = Parts(*(jax.tree.map(lambda leaf: leaf[agent], part) for part in parts))
        seen, stored = sample.before.seen, sample.stored
        carry = jax.tree.map(lambda leaf: leaf[agent], sample.carry)

        # No done flag is ever set: targets look through the time limit (spec 10).
        next_actions = self._target_actions(parts.target_actor, sample, next_key)
        next_value: Array = self._critic.apply(own.target_critic, sample.after.seen, next_actions)
        target = sample.rewards[agent] + config.discount * next_value

        def critic_loss(critic: Any) -> Array:
            return jnp.square(self._critic.apply(critic, seen, flat(stored)) - target).mean()

        critic_error, gradient = jax.value_and_grad(critic_loss)(own.critic)
        critic, critic_optimiser = self._step(gradient, own.critic_optimiser, own.critic)

        inputs, allowed = jax.tree.map(lambda leaf: leaf[agent], sample.before[:2])
        noise = exponentials(noise_key, stored.shape[1:], "gumbel")

        def actor_loss(actor: Any) -> tuple[Array, Array]:
            logits, _ = self.mind.network.apply(actor, carry, inputs)
            action = relax(masked(logits, allowed), noise, axis=0)
            actions = jax.lax.dynamic_update_slice(stored, action[None], (agent, 0, 0))
            values: Array = self._critic.apply(critic, seen, flat(actions))
            return config.logit_penalty * jnp.square(logits).mean() - values.mean(), values.mean()

        gradient, value = jax.grad(actor_loss, has_aux=True)(own.actor)
        actor, actor_optimiser = self._step(gradient, own.actor_optimiser, own.actor)
        new = Parts(
            actor,
            critic,
            optax.incremental_update(actor, own.target_actor, config.target_rate),
            optax.incremental_update(critic, own.target_critic, config.target_rate),
            actor_optimiser,
            critic_optimiser,
        )
        parts = jax.tree.map(lambda leaf, mine: leaf.at[agent].set(mine), parts, new)
        return parts, {"critic_loss": critic_error, "value": value}

    def _step(self, gradient: Any, optimiser: Any, variables: Any) -> tuple[Any, Any]:
        updates, optimiser = self._optimiser.update(gradient, optimiser, variables)
        return optax.apply_updates(variables, updates), optimiser

    def _target_actions(self, actors: Any, sample: Sample, key: Any) -> Array:
        """What all target actors would do next, ``[agent·entry, batch]``."""
        carry = sample.next_carry
        if self.config.next_carry == "anew":
            _, carry = self.mind.decide(actors, sample.carry, sample.before.inputs, ())
        logits, _ = self.mind.decide(actors, carry, sample.after.inputs, sample.after.allowed)
        return flat(relax(logits, exponentials(key, logits.shape, "gumbel"), axis=1))

    def _run_chunk(self, training: MaddpgState) -> tuple[MaddpgState, dict[str, Array]]:
        turns = self.config.update_period // self.config.worlds
        nothing = {"critic_loss": jnp.zeros(()), "value": jnp.zeros(())}

        def period(training: MaddpgState, _: None) -> tuple[MaddpgState, dict[str, Array]]:
            key, act_key, update_key = jax.random.split(jax.random.wrap_key_data(training.key), 3)
            play, (rows, rewards, ended) = jax.lax.scan(
                partial(self._turn, training.parts), training.play, jax.random.split(act_key, turns)
            )
            replay = add(training.replay, joined(rows))
            is_ready = replay.count >= self.config.warm_up
            parts, losses = jax.lax.cond(
                is_ready,
                lambda: self._update(training.parts, replay, update_key),
                lambda: (training.parts, nothing),
            )
            sums = {**losses, "reward": rewards.sum(), "episodes": ended.sum(), "updates": is_ready.astype(jnp.int32)}
            return MaddpgState(jax.random.key_data(key), parts, play, replay), sums

        training, sums = jax.lax.scan(period, training, None, length=self._updates)
        return training, jax.tree.map(jnp.sum, sums)


def clip_each(norm: float) -> optax.GradientTransformation:
    """Scale every tensor's gradient down to a norm, each by itself (spec 10)."""

    def update(updates: Any, state: Any, _: Any = None) -> tuple[Any, Any]:
        def clip(gradient: Array) -> Array:
            size = jnp.sqrt(jnp.square(gradient).sum())
            return gradient * (norm / jnp.maximum(size, norm))

        return jax.tree.map(clip, updates), state

    return optax.GradientTransformation(lambda _: optax.EmptyState(), update)
