"""The engine and the reference world side by side, on the same episodes."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from otherminds.worlds.symmtom import chance, metrics, observe, rules
from otherminds.worlds.symmtom.beliefs import belief_rules
from otherminds.worlds.symmtom.types import Action, Params, State

from .symmtom import ReferenceBelief, ReferenceWorld

SWITCHES: dict[str, tuple[Any, ...]] = {
    "hear_before_move": (True,),
    "speech_delay": (1,),
    "count_duplicates": (False,),
    "base_pays_at_once": (True,),
    "base_needs_entering": (True,),
    "speak_forgotten": (False,),
    "random_collisions": (False,),
    "swaps": (False,),
    "start_on_base": (False,),
    "vision": (1, 2, 3),
    "interference": (True,),
    "middle_block": (True,),
    "move_cost": (0.25, 0.1),
    "listening_reward": (False,),
    "speaking_reward": (False,),
    "base": ("proportional", "constant"),
    "base_reward": (3.5,),
    "private_first_hand": (True,),
    "owners": (2,),
    "decay": (1, 4),
    "competitive": (2,),
    "bonus": (7.5,),
    "positions": ("absolute",),
    "other_bases": ("observer",),
    "directions": ("intended",),
    "displayed_knowledge": ("current",),
    "oracle": (True,),
    "show_own_knowledge": (True,),
    "show_speakable": (True,),
    "show_own_utterance": (True,),
    "show_last_reward": (True,),
    "show_turn": (True,),
}
"""Every switch and option of the world, with the values that differ from the default."""


def pieces(mask: Any) -> set[int]:
    return {p for p in range(32) if int(mask) >> p & 1}


def random_params(rng: np.random.Generator, **fixed: Any) -> Params:
    """A small crowded world, where rules meet, with each switch set with probability 0.2."""
    chosen: dict[str, Any] = {}
    for name, values in SWITCHES.items():
        if rng.random() < 0.2:
            chosen[name] = values[int(rng.integers(len(values)))]
    chosen |= {"num_agents": int(rng.integers(2, 6)), "width": int(rng.integers(4, 7))}
    chosen |= {"num_pieces": int(rng.integers(1, 7)), **fixed}
    if chosen["num_agents"] == 2:
        chosen.pop("owners", None)
    return Params(**chosen)


@dataclass
class Pairing:
    """One engine state with many worlds, and a reference world for each; with a belief rule, beliefs on both sides."""

    params: Params
    state: State
    references: list[ReferenceWorld]
    tally: metrics.Tally
    rule: belief_rules.BeliefRule | None = None
    belief: belief_rules.Belief | None = None
    reference_beliefs: list[list[ReferenceBelief]] | None = None  # [world][observer]

    @classmethod
    def start(
        cls, params: Params, rng: np.random.Generator, worlds: int, rule: belief_rules.BeliefRule | None = None
    ) -> Pairing:
        return cls.of(rules.deal(chance.draw_deal(rng, params, (worlds,)), params), params, rule)

    @classmethod
    def of(
        cls,
        state: State,
        params: Params,
        rule: belief_rules.BeliefRule | None = None,
        reference_params: Params | None = None,
    ) -> Pairing:
        """Both from a first state. ``reference_params`` gives the reference other rules, to see the comparison fail."""
        judged = reference_params or params
        references = [reference_of(state, judged, w) for w in range(state.x.shape[1])]
        pairing = cls(params, state, references, metrics.nothing(state))
        if rule is not None:
            pairing.rule = rule
            pairing.belief = belief_rules.begin(observe.perceive(state, params), params, rule)
            options = asdict(rule)
            pairing.reference_beliefs = [
                [ReferenceBelief(judged, i, world, **options) for i in range(params.num_agents)] for world in references
            ]
        return pairing

    def random_action(self, rng: np.random.Generator) -> Action:
        """Random moves, now and then a walk home; mostly pieces that can be said, or episodes would be silent."""
        shape = self.state.x.shape
        moves = rng.integers(0, 5, shape, dtype=np.int32)
        home_x, home_y = self.state.base_x - self.state.x, self.state.base_y - self.state.y
        homeward = np.where(home_x > 0, 1, np.where(home_x < 0, 2, np.where(home_y > 0, 3, np.where(home_y < 0, 4, 0))))
        moves = np.where(rng.random(shape) < 0.4, homeward, moves).astype(np.int32)
        spoken = rng.integers(-1, self.params.num_pieces, shape, dtype=np.int32)
        for i, w in np.ndindex(*shape):
            options = sorted(self.references[w].speakable(i))
            if options and rng.random() < 0.8:
                spoken[i, w] = options[int(rng.integers(len(options)))]
        return Action(moves, spoken)

    @property
    def is_over(self) -> bool:
        return all(world.terminated or world.truncated for world in self.references)

    def step(self, action: Action, coins: Any) -> int:
        """Play a turn on both and assert that they agree in everything; gives the number of worlds still played."""
        before = self.state
        self.state, outcome = rules.step(before, action, coins, self.params)
        vectors = observe.observe(self.state, self.params)
        may_move, may_say = rules.legal_moves(self.state, self.params), rules.legal_pieces(self.state, self.params)
        running = np.asarray([not (world.terminated or world.truncated) for world in self.references])
        turn = metrics.measure(before, action, self.state, outcome, self.params)
        self.tally = metrics.add(self.tally, turn, running)
        if self.belief is not None and self.rule is not None:
            sight = observe.perceive(self.state, self.params)
            self.belief = belief_rules.update(self.belief, sight, self.params, self.rule)
        for w, world in enumerate(self.references):
            if not running[w]:
                continue
            flips = {(a, b): int(coins[q // 32, w]) >> (q % 32) & 1 for q, (a, b) in enumerate(self.params.pairs)}
            rewards = world.step(list(action.move[:, w]), list(action.piece[:, w]), flips)
            assert bool(outcome.terminated[w]) == world.terminated
            assert bool(outcome.truncated[w]) == world.truncated
            for i, agent in enumerate(world.agents):
                self._compare(i, w, world, agent)
                part = rewards[i]
                assert (outcome.listening[i, w], outcome.speaking[i, w]) == (part.listening, part.speaking)
                assert float(outcome.base[i, w]) == part.base
                assert float(outcome.bonus[i, w]) == part.bonus
                assert abs(float(outcome.movement[i, w]) - part.movement) < 1e-6
                assert abs(float(outcome.rewards[i, w]) - part.total) < 1e-5
                assert np.allclose(vectors[i, :, w], world.observation(i), atol=1e-6)
                assert set(np.flatnonzero(may_move[i, :, w])) == world.legal_moves(i)
                assert set(np.flatnonzero(may_say[i, :, w])) == world.speakable(i)
            self._compare_metrics(w, world)
            self._compare_beliefs(w, world)
        return int(running.sum())

    def _compare_metrics(self, w: int, world: ReferenceWorld) -> None:
        counted = {name: values[:, w].tolist() for name, values in self.tally._asdict().items()}
        for i, counts in enumerate(world.metrics()):
            assert counts.keys() == counted.keys()
            for name, value in counts.items():
                assert abs(counted[name][i] - value) < 1e-3, name

    def _compare_beliefs(self, w: int, world: ReferenceWorld) -> None:
        if self.belief is None or self.reference_beliefs is None:
            return
        for i, belief in enumerate(self.reference_beliefs[w]):
            belief.update(world)
            assert [pieces(mask) for mask in self.belief.knows[i, :, w]] == belief.matrix

    def _compare(self, i: int, w: int, world: ReferenceWorld, agent: Any) -> None:
        state = self.state
        assert (state.x[i, w], state.y[i, w]) == agent.cell
        heading_x, heading_y = observe.directions(state, self.params)
        assert (heading_x[i, w], heading_y[i, w]) == agent.direction
        assert pieces(state.knowledge[i, w]) == agent.knowledge
        assert pieces(state.previous_knowledge[i, w]) == agent.previous
        assert pieces(state.utterance[i, w]) == (set() if agent.said is None else {agent.said})
        assert pieces(state.earshot[i, w]) == agent.hears
        assert bool(state.uses_base[i, w]) == agent.uses_base
        assert state.correct_uses[i, w] == agent.correct_uses
        assert state.turn[w] == world.turn


def reference_of(state: State, params: Params, w: int) -> ReferenceWorld:
    agents = range(params.num_agents)
    return ReferenceWorld(
        params,
        [(int(state.x[i, w]), int(state.y[i, w])) for i in agents],
        [(int(state.base_x[i, w]), int(state.base_y[i, w])) for i in agents],
        [pieces(state.first_hand[i, w]) for i in agents],
    )
