"""Hooks for ``otherminds.testing``: random draws separate from the rules, and controlled changes of a state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from otherminds.worlds.symmtom import rules
from otherminds.worlds.symmtom.bits import contains
from otherminds.worlds.symmtom.envs import env
from otherminds.worlds.symmtom.observe import perceive
from otherminds.worlds.symmtom.types import Action, Array, Params, State


class Checkable:
    """The part of the world that checks call."""

    params: Params

    def draw_actions(self, rng: np.random.Generator, state: State) -> Action:
        """Random actions that mostly have an effect."""
        shape = state.x.shape
        mask = rules.legal_pieces(state, self.params)
        moves = rng.integers(0, 5, shape, dtype=np.int32)
        wished = np.argmax(np.asarray(mask) * rng.random(mask.shape), axis=1).astype(np.int32)
        return Action(moves, np.where(rng.random(shape) < 0.9, wished, np.int32(-1)))

    def draw_step(self, rng: np.random.Generator) -> Array:
        """Random draws for a turn. Coins follow a ranking of agents, so that they can be permuted with the agents."""
        return self._coins(rng.permutation(self.params.num_agents))

    def permute_step(self, coins: Array, order: Sequence[int]) -> Array:
        """The draws of :meth:`draw_step` for agents that have changed places."""
        n = self.params.num_agents
        beats = np.zeros((n, n), dtype=bool)
        for q, (a, b) in enumerate(self.params.pairs):
            beats[a, b] = int(coins[q // 32]) >> (q % 32) & 1
            beats[b, a] = not beats[a, b]
        return self._coins(beats.sum(axis=1)[list(order)])

    def rewards_by_model(self, seed: int, episodes: int) -> list[Array]:
        """Mean rewards ``[episode]`` of a policy with a model of what others know, and of the same without one."""
        from otherminds.worlds.symmtom.minds import scripted
        from otherminds.worlds.symmtom.minds.rollout import rollout

        policies = (scripted.BELIEF, scripted.BELIEF_ZEROTH)
        return [rollout(self.params, policy, seed, episodes, "numpy").reward.mean(axis=0) for policy in policies]

    def step_with(self, coins: Array, state: State, actions: Action) -> env.Step:
        return env.step_with(coins, state, actions, self.params)

    def permute(self, state: State, order: Sequence[int]) -> State:
        """The same state with agent ``order[i]`` in the place of agent i."""
        place = {old: new for new, old in enumerate(order)}
        moved = State(*(a if name == "turn" else a[list(order)] for name, a in state._asdict().items()))
        earshot = [sum(1 << place[j] for j in range(len(order)) if int(e) >> j & 1) for e in moved.earshot]
        return moved._replace(earshot=np.asarray(earshot, dtype=np.uint32))

    def hide(self, rng: np.random.Generator, state: State, agent: int) -> State:
        """The state with everything changed that an agent cannot perceive, and nothing else.

        This covers what others know, earn and once heard, speech out of range, private first-hand pieces, and the
        direction, cell and base of agents out of sight.
        """
        p, n = self.params, self.params.num_agents
        others = np.arange(n) != agent
        in_range = contains(state.earshot[agent], np.arange(n, dtype=np.uint32))
        unseen = ~contains(perceive(state, p).sees[agent], np.arange(n, dtype=np.uint32))

        def scrambled(sets: Array, is_hidden: Array) -> Array:
            noise = rng.integers(0, 1 << 32, n, dtype=np.uint32) & p.all_pieces
            return np.where(is_hidden, sets ^ noise, sets)

        spoken = np.uint32(1) << rng.integers(0, p.num_pieces, n).astype(np.uint32)
        hidden_mind = others & (not p.oracle)
        x, y = self._elsewhere(rng, state, agent, unseen)
        bases = np.asarray(p.free_cells, dtype=np.int32)[rng.integers(0, len(p.free_cells), n)]
        return state._replace(
            x=x,
            y=y,
            base_x=np.where(unseen, bases[:, 0], state.base_x),
            base_y=np.where(unseen, bases[:, 1], state.base_y),
            direction_x=np.where(unseen, -state.direction_x + 1, state.direction_x),
            chosen_move=np.where(unseen, (state.chosen_move + 1) % 5, state.chosen_move),
            first_hand=scrambled(state.first_hand, others & p.private_first_hand),
            knowledge=scrambled(state.knowledge, hidden_mind),
            previous_knowledge=scrambled(state.previous_knowledge, hidden_mind),
            utterance=np.where(others & ~in_range, spoken, state.utterance),
            correct_uses=np.where(others, state.correct_uses + 1, state.correct_uses),
            last_reward=np.where(others, state.last_reward + 1, state.last_reward),
            heard_turn=np.where(others[:, None], state.heard_turn + 1, state.heard_turn),
        )

    def _elsewhere(self, rng: np.random.Generator, state: State, agent: int, unseen: Array) -> tuple[Array, Array]:
        """New cells for the unseen agents, still out of the agent's sight."""
        x, y = state.x.copy(), state.y.copy()
        sight = self.params.vision or 0
        for j in np.flatnonzero(unseen):
            taken = set(zip(x.tolist(), y.tolist(), strict=True))
            empty = [cell for cell in self.params.free_cells if cell not in taken]
            far = [(a, b) for a, b in empty if max(abs(a - x[agent]), abs(b - y[agent])) > sight]
            if far:
                x[j], y[j] = far[int(rng.integers(len(far)))]
        return x, y

    def _coins(self, strength: Any) -> Any:
        words = np.zeros(self.params.num_coin_words, dtype=np.uint32)
        for q, (a, b) in enumerate(self.params.pairs):
            if strength[a] > strength[b]:
                words[q // 32] |= np.uint32(1 << (q % 32))
        return words
