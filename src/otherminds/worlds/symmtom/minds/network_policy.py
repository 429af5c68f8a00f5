"""Learned minds of SymmToM: what an agent is shown, its belief about others, and the network that acts on both.

Any belief goes with any network and any learning algorithm. A rule-based belief (paper section 6) turns percepts into
network inputs; a network may also have its own memory (recurrent, or EE).
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from otherminds.core.errors import UserError, check_like, nearest
from otherminds.worlds.symmtom import rules
from otherminds.worlds.symmtom.beliefs import bayes, belief_rules
from otherminds.worlds.symmtom.beliefs.bayes import BayesRule
from otherminds.worlds.symmtom.bits import contains, members, numbers, own_of, unpack
from otherminds.worlds.symmtom.chance import draw_deal
from otherminds.worlds.symmtom.minds import belief_parts
from otherminds.worlds.symmtom.minds.belief_parts import BeliefPart, own_first, slots
from otherminds.worlds.symmtom.minds.features import Situation, describe
from otherminds.worlds.symmtom.minds.networks import Estimating, Feedforward, Inputs, Recurrent, TurnEvidence
from otherminds.worlds.symmtom.minds.symmetric_network import Symmetric, Touring
from otherminds.worlds.symmtom.observe import (
    Percept,
    displayed_knowledge,
    flags,
    observation_size,
    observe,
    others,
    perceive,
)
from otherminds.worlds.symmtom.types import Array, Params, State

NETWORKS: dict[str, Any] = {
    "feedforward": Feedforward,
    "recurrent": Recurrent,
    "estimating": Estimating,
    "symmetric": Symmetric,
    "touring": Touring,
}
SITUATED = ("symmetric", "touring")
# The options of each kind of network; its other fields follow from the world.
FIELDS = {
    kind: {"kind"} | {f.name for f in fields(network)} - {"num_outputs", "width", "parent", "name"}
    for kind, network in NETWORKS.items()
}


# Parameters that change only what is shown: an agent keeps them in any world.
VIEW = (
    "mask_actions", "positions", "other_bases", "directions", "displayed_knowledge", "oracle",
    "show_own_knowledge", "show_speakable", "show_own_utterance", "show_last_reward", "show_turn",
)  # fmt: skip


class Sight(NamedTuple):
    """Everything that minds take in after a turn, agents first. It contains only what their seats perceive."""

    percept: Percept
    vector: Array  # float32 [agent, entry, *worlds]
    known_before: Array  # uint32 [agent, *worlds], own knowledge before the turn
    reward: Array  # float32 [agent, *worlds], its own
    allowed: Any  # bool [agent, entry, *worlds], actions with an effect, if the world shows masks
    truth: Any  # uint32 [agent, *worlds], displayed knowledge, for the Oracle only


class PolicyMemory(NamedTuple):
    """What the minds of all agents carry from turn to turn."""

    belief: Any  # of the rule, [observer, subject, *worlds]
    carry: Any  # of the network, [agent, …, *worlds]


@dataclass(frozen=True)
class BeliefPolicy:
    """The inputs, belief and network of agents of one kind, for all seats.

    Args:
        params: parameters of the world, including the blocks of the observation.
        belief: the belief part.
        width: number of units of hidden layers.
        kind: kind of network, one of ``NETWORKS``. [default: the paper's for the belief]
        options: further fields of the network.
    """

    params: Params
    belief: BeliefPart
    width: int = 64
    kind: str = ""
    options: tuple[tuple[str, Any], ...] = field(default=())

    def __post_init__(self) -> None:
        if not self.kind:
            object.__setattr__(self, "kind", self.belief.network)
        if str(self.kind) not in NETWORKS:  # any value from a configuration
            raise UserError(f"unknown network {self.kind!r}{nearest(str(self.kind), NETWORKS)}")
        known = {f.name: f.default for f in fields(NETWORKS[self.kind]) if f.name in FIELDS[self.kind]}
        for name, value in self.options:
            if name not in known:
                raise UserError(f"the {self.kind} network has no field {name!r}{nearest(name, known)}")
            check_like(f"{self.kind} network: {name}", value, known[name])
        if self.kind == "touring":
            if dict(self.options).get("is_wary", False) != self.belief.counts_recharges:
                knows = "tracks" if self.belief.counts_recharges else "does not track"
                raise UserError(
                    f"belief {self.belief.name!r} {knows} whose recharge would win; "
                    f"set is_wary={str(self.belief.counts_recharges).lower()} for the touring network"
                )
            if self.params.hearing != Params().hearing:
                raise UserError(
                    f"the touring network supports hearing={Params().hearing}, not {self.params.hearing}; use another"
                )
        if self.belief.network == "estimating" and self.kind != "estimating":
            raise UserError(f"belief 'estimated' comes with its own network and cannot be used with {self.kind!r}")
        if self.kind == "estimating":
            p = self.params
            names = ("decay", "interference", "base_pays_at_once", "base")  # not in its equations (spec 9.4)
            for name in (name for name in names if getattr(p, name) != getattr(Params(), name)):
                raise UserError(f"belief 'estimated' does not support {name}={getattr(p, name)}; use another belief")

    @property
    def view(self) -> Params:
        """The parameters with the blocks that this mind is shown."""
        return self.params.replace(oracle=True) if self.belief.sees_truth else self.params

    @property
    def is_situated(self) -> bool:
        return self.kind in SITUATED

    @property
    def remembers(self) -> bool:
        sizes = self.params.num_agents, self.params.num_pieces
        return bool(jax.tree.leaves(jax.eval_shape(lambda: self.network.begin(*sizes, (1,)))))

    @property
    def num_outputs(self) -> int:
        """Number of logits: five moves and the pieces."""
        return 5 + self.params.num_pieces

    @cached_property
    def network(self) -> Any:
        return NETWORKS[self.kind](self.num_outputs, self.width, **dict(self.options))

    def into(self, params: Params) -> BeliefPolicy:
        """The same mind in another world with as many agents and pieces."""
        moved = replace(self, params=params.replace(**{name: getattr(self.params, name) for name in VIEW}))
        if params.num_agents != self.params.num_agents or observation_size(moved.view) != observation_size(self.view):
            raise UserError(
                f"this agent was trained in {self.params.setting} and cannot play in {params.setting}: "
                f"its network expects {observation_size(self.view)} entries for {self.params.num_agents} agents, "
                f"but that world provides {observation_size(moved.view)} for {params.num_agents}"
            )
        return moved

    def with_particles(self, number: int) -> BeliefPolicy:
        """The same mind with another number of particles, if its belief is Bayesian."""
        if not isinstance(self.belief.rule, BayesRule):
            return self
        return replace(self, belief=replace(self.belief, rule=replace(self.belief.rule, particles=number)))

    def look(self, state: State) -> Sight:
        percept, vector = perceive(state, self.params), observe(state, self.view)
        allowed: Any = ()
        if self.params.mask_actions:
            moves, pieces = rules.legal_moves(state, self.params), rules.legal_pieces(state, self.params)
            allowed = jnp.concatenate([moves, pieces | ~pieces.any(axis=1, keepdims=True)], axis=1)
        truth = displayed_knowledge(state, self.params) if self.belief.sees_truth else ()
        return Sight(percept, vector, state.previous_knowledge, state.last_reward, allowed, truth)

    def begin(self, sight: Sight) -> PolicyMemory:
        n, c, worlds = self.params.num_agents, self.params.num_pieces, sight.percept.turn.shape
        belief = belief_parts.begin(self.belief, sight.percept, self.params)
        fresh = self.network.begin(n, c, worlds)
        return PolicyMemory(belief, jax.tree.map(lambda leaf: jnp.zeros((n, *leaf.shape), leaf.dtype), fresh))

    def supposes(self, sight: Sight) -> Array:
        """What the belief says before the first turn."""
        first = belief_parts.begin(self.belief, sight.percept, self.params)
        return belief_parts.say(self.belief, first, sight.percept.turn.shape, self.params)

    def revise(self, belief: Any, sight: Sight, key: Any) -> tuple[Any, Array]:
        """The belief after a turn, and what it says (see :func:`otherminds.worlds.symmtom.minds.belief_parts.say`)."""
        return belief_parts.revise(self.belief, belief, sight.percept, sight.reward, self.params, key)

    def inputs(self, sight: Sight, said: Array) -> Inputs | Situation:
        """The inputs of the network, agents first; ``said`` is the result of :meth:`revise` for this sight."""
        if self.is_situated:
            return self.situation(sight, said)
        belief = flags(jnp, said, self.params) if said.dtype == jnp.uint32 else said
        return Inputs(sight.vector, belief, self._evidence(sight) if self.kind == "estimating" else ())

    def situation(self, sight: Sight, said: Array) -> Situation:
        """The inputs of the network, arranged by symmetries."""
        percept, n, c = sight.percept, self.params.num_agents, self.params.num_pieces
        worlds = percept.turn.shape
        own = own_of(jnp, percept.first_hand)
        known = jnp.zeros((n, n - 1, *worlds), jnp.uint32)
        remembers = self.belief.sees_truth or said.shape[1] > 0  # else not even what it heard itself
        knew = sight.known_before if remembers else own
        if self.belief.sees_truth:
            own, known = sight.truth, others(jnp, sight.truth)
        elif said.dtype != jnp.uint32:
            likely = said[:, : n * c].reshape((n, n, c, *worlds))
            own, known = members(jnp, [likely[:, 0, p] > 0.5 for p in range(c)]), likely[:, 1:]
        elif said.shape[1]:
            own = said[:, 0]
            known = said[:, 1:n] if said.shape[1] > 1 else known
        thoughts = said[:, n:].reshape((n, n - 1, n - 1, *worlds)) if self.belief.order == 2 else None
        danger = said[:, n * c + 1 :] if self.belief.counts_recharges else None
        knows_place = dict(self.options).get("knows_place", True)
        return describe(percept, knew, own, known, self.params, thoughts, knows_place, danger)

    def believes(self, memory: PolicyMemory, sight: Sight) -> Any:
        """See :meth:`Learned.believes`."""
        n, c, belief = self.params.num_agents, self.params.num_pieces, memory.belief
        if self.kind == "estimating":
            rows = memory.carry  # [observer, slot, piece, …]
            if not self.network.literal_guess:
                own = unpack(jnp, _own_knowledge(sight, self.params), c)
                rows = jnp.concatenate([own[:, None], rows], axis=1)
            return rows[np.arange(n)[:, None], np.argsort(own_first(n), axis=1)]
        if isinstance(self.belief.rule, BayesRule):
            return bayes.probability(belief.worlds if self.belief.counts_recharges else belief, self.params)
        if self.belief.sees_truth:
            knows = jnp.broadcast_to(sight.truth, (n, *sight.truth.shape))
        elif self.belief.rule is None:
            return None
        else:
            knows = (belief[0] if self.belief.order == 2 else belief).knows
        return jnp.stack([contains(knows, p) for p in range(c)], axis=2).astype(jnp.float32)

    def decide(self, variables: Any, carry: Any, inputs: Any, allowed: Any) -> tuple[Array, Any]:
        """Logits of all agents, ``[agent, entry, *worlds]``, and the new carry.

        ``variables`` are stacked over agents, or one set for all.
        """
        num_sets = jax.tree.leaves(variables)[0].shape[0]
        if num_sets == 1:
            shared = jax.tree.map(lambda leaf: leaf[0], variables)
            logits, carry = jax.vmap(partial(self.network.apply, shared))(carry, inputs)
        else:
            logits, carry = jax.vmap(self.network.apply)(variables, carry, inputs)
        return masked(logits, allowed), carry

    def init(self, key: Any) -> Any:
        shapes = jax.eval_shape(lambda: self.example(1))
        carry, inputs = jax.tree.map(lambda x: jnp.zeros(x.shape[1:], x.dtype), shapes[1:])
        return self.network.init(key, carry, inputs)

    def example(self, worlds: int) -> tuple[Array, Any, Any]:
        """What the belief says, and the carry and inputs of the network, in new worlds."""
        sight = self.look(rules.deal(draw_deal(jax.random.key(0), self.params, (worlds,)), self.params))
        memory = self.begin(sight)
        _, said = self.revise(memory.belief, sight, jax.random.key(0))
        return said, memory.carry, self.inputs(sight, said)

    def _evidence(self, sight: Sight) -> TurnEvidence:
        percept, n = sight.percept, self.params.num_agents
        speakers = own_first(n).astype(np.uint32).reshape((n, 1, n, *(1 for _ in percept.turn.shape)))
        near = contains(slots(percept.earshot)[:, :, None], speakers)  # [observer, subject, speaker, …]
        uses_base = contains(percept.uses_base[:, None], numbers(percept.uses_base)[None])

        def rows(sets: Array) -> Array:
            """``uint32 [agent, slot, *worlds] -> [agent, slot, piece, *worlds]``."""
            return flags(jnp, sets, self.params).reshape((*sets.shape[:2], self.params.num_pieces, *sets.shape[2:]))

        said, first_hand = rows(slots(percept.utterance)), rows(slots(percept.first_hand))
        known_before = flags(jnp, sight.known_before[:, None], self.params)
        parts = (said, near, slots(uses_base), first_hand, known_before)
        return TurnEvidence(*(values.astype(jnp.float32) for values in parts))


def _own_knowledge(sight: Sight, params: Params) -> Array:
    """Each agent's own knowledge after a turn, ``uint32 [agent, *worlds]``, from that before."""
    percept = sight.percept
    knew = jnp.broadcast_to(sight.known_before[:, None], percept.first_hand.shape)
    before = belief_rules.begin(percept, params, belief_rules.ZEROTH)._replace(knows=knew)
    return own_of(jnp, belief_rules.update(before, percept, params, belief_rules.ZEROTH).knows)


def masked(logits: Array, allowed: Any) -> Array:
    """Logits with actions without effect ruled out; see ``Sight.allowed``."""
    return jnp.where(allowed, logits, -1e9) if hasattr(allowed, "dtype") else logits
