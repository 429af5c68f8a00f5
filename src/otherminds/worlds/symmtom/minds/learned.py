"""Trained agents of SymmToM: a network policy with its variables, loaded from a file of a few kilobytes.

agent = load_agent("runs/…")          # a run directory or an actor file
tally = rollout(params, agent, seed=0, num_episodes=1000)
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from os import PathLike
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from otherminds.core.errors import UserError
from otherminds.core.seeds import random_words
from otherminds.run.arrays import digest, fill, flatten, read_arrays, write_arrays
from otherminds.worlds.symmtom.minds import ACTOR
from otherminds.worlds.symmtom.minds.belief_parts import find_belief
from otherminds.worlds.symmtom.minds.network_policy import BeliefPolicy, PolicyMemory, Sight
from otherminds.worlds.symmtom.minds.networks import choose, exponentials, relax
from otherminds.worlds.symmtom.types import Action, Params, State

READOUT = "readout"  # variables that read a belief from the state of a recurrent agent; see ``evals/readout.py``


@dataclass(frozen=True, eq=False)
class Learned:
    """A trained agent, as a policy for all seats.

    Args:
        name: name in records and tables.
        mind: its inputs, belief and network.
        variables: variables of the network, stacked over agents.
        samples: whether actions are drawn; otherwise the most likely ones are taken.
        about: configuration of its training.
    """

    name: str
    mind: BeliefPolicy
    variables: Any
    samples: bool = True
    about: Mapping[str, Any] = field(default_factory=dict)

    @property
    def sees_truth(self) -> bool:
        return self.mind.belief.sees_truth

    def act_in(self, env: Any, memory: Any = None, seed: int | None = None) -> tuple[dict[str, Any], Any]:
        """Return this agent's action for every name in a SymmToM ``ParallelEnv``, and its memory.

        Pass the memory to the next call. Without a memory, an episode begins with a ``seed`` (random if ``None``). Use
        the actions of the seats that this agent fills; others may act as they like. The agent perceives only what
        ``observe`` shows its seats of the environment's state.
        """
        env = getattr(env, "unwrapped", env)
        state, params = getattr(env, "world_state", None), getattr(env, "params", None)
        if not isinstance(params, Params):
            raise UserError(
                f"{type(env).__name__} is not an environment of SymmToM; "
                "expected otherminds.make('symmtom-v0').parallel_env()"
            )
        if state is None:
            raise UserError("the environment has no state yet; call env.reset() first")
        if memory is not None and not (
            isinstance(memory, tuple) and len(memory) == 2 and isinstance(memory[0], PolicyMemory)
        ):
            raise UserError(f"the memory is a {type(memory).__name__}; expected the memory that act_in returned")
        sight = self.look(state, params)
        mine, rng = (self.begin(sight, params), np.random.default_rng(seed)) if memory is None else memory
        action, mine = self.act(mine, sight, params, rng)
        pairs = zip(np.asarray(action.move), np.asarray(action.piece), strict=True)
        return {f"agent_{i}": np.asarray(pair, np.int64) for i, pair in enumerate(pairs)}, (mine, rng)

    def taking(self, greedy: bool) -> Learned:
        """The same agent, taking the most likely actions or drawing them."""
        return replace(self, name=f"{self.name}-{'greedy' if greedy else 'sampled'}", samples=not greedy)

    def look(self, state: State, params: Params) -> Sight:
        return self.mind.into(params).look(State(*map(jnp.asarray, state)))

    def begin(self, sight: Sight, params: Params) -> PolicyMemory:
        return self.mind.into(params).begin(sight)

    def act(self, memory: PolicyMemory, sight: Sight, params: Params, key: Any) -> tuple[Action, PolicyMemory]:
        mind = self.mind.into(params)
        shape = (params.num_agents, *sight.percept.turn.shape, mind.num_outputs)
        noise = exponentials(key, shape, "action") if self.samples else jnp.ones(shape)
        belief_key = jax.random.wrap_key_data(jnp.asarray(random_words(key, (2,), "belief")))
        action, memory = _act(mind, self.variables, memory, sight, noise, belief_key)
        if isinstance(key, np.random.Generator):
            action = Action(*map(np.asarray, action))
        return action, memory

    def believes(self, memory: PolicyMemory, sight: Sight, params: Params) -> Any:
        """Probability that each agent knows each piece, ``float32 [observer, subject, piece, *worlds]``.

        ``None`` for a mind without a readable belief. ``memory`` is the memory after the turn of ``sight``. What is
        read from the state of a recurrent agent may lie outside of 0 to 1.
        """
        if READOUT in self.variables:
            return jnp.einsum("oe...,oesp->osp...", state_of(memory), self.variables[READOUT]["weights"])
        return self.mind.into(params).believes(memory, sight)


def state_of(memory: PolicyMemory) -> Any:
    """The state of each agent's network and a constant, ``[agent, entry, *worlds]``."""
    leaves = jax.tree.leaves(memory.carry)
    return jnp.concatenate([*leaves, jnp.ones_like(leaves[0][:, :1])], axis=1)


@partial(jax.jit, static_argnums=0)
def _act(
    mind: BeliefPolicy, variables: Any, memory: PolicyMemory, sight: Sight, noise: Any, key: Any
) -> tuple[Action, PolicyMemory]:
    belief, said = mind.revise(memory.belief, sight, key)
    logits, carry = mind.decide(variables, memory.carry, mind.inputs(sight, said), sight.allowed)
    return choose(relax(jnp.moveaxis(logits, 1, -1), noise)), PolicyMemory(belief, carry)


def save_agent(path: str | Path, variables: Any, about: Mapping[str, Any]) -> None:
    """Write an actor file: the variables and the configuration to use them."""
    arrays = flatten(variables)
    write_arrays(path, arrays, {"about": json.dumps(about, sort_keys=True), "sha256": digest(arrays)})


def load_agent(path: str | PathLike[str]) -> Learned:
    """Load a trained agent from an actor file or a run directory. Its name ends in a hash of its variables.

    It draws its actions, as in training; an agent trained by imitation takes the most likely ones.
    """
    path = Path(path)
    file = path / ACTOR if path.is_dir() else path
    if not file.is_file():
        raise UserError(f"{path} holds no trained agent; expected {ACTOR} of a finished run")
    version = file.stat()
    return _load(file, (version.st_mtime_ns, version.st_size))


@lru_cache(maxsize=64)
def _load(file: Path, _version: tuple[int, int]) -> Learned:
    content = read_arrays(file)
    sha256 = digest(content.arrays)
    try:
        about = json.loads(content.metadata["about"])
        name = _text(about, "name")
        mind = mind_of(about)
        template = jax.eval_shape(lambda: mind.init(jax.random.key(0)))
        variables = fill(template, content.arrays, [(1,), (mind.params.num_agents,)])
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise UserError(f"{file} is not an actor file of otherminds: {error}") from error
    if content.metadata.get("sha256", sha256) != sha256:
        raise UserError(f"{file} is damaged: its weights do not match its checksum; restore it or train again")
    if not all(np.isfinite(array).all() for array in content.arrays.values()):
        raise UserError(f"{file} holds weights that are not finite: its training diverged; train again")
    return Learned(f"{name}@{sha256[:8]}", mind, variables, about.get("algorithm") != "imitation", about)


def mind_of(about: Mapping[str, Any]) -> BeliefPolicy:
    """The mind of a training configuration."""
    options = dict(about["network"])
    kind = options.pop("kind", "")
    params, belief = Params.from_dict(about["params"]), find_belief(_text(about, "belief"))
    return BeliefPolicy(params, belief, about["width"], kind, tuple(sorted(options.items())))


def _text(about: Mapping[str, Any], name: str) -> str:
    if not isinstance(about[name], str):
        raise TypeError(f"{name} is {about[name]!r}; expected text")
    return str(about[name])
