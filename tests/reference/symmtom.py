"""A second SymmToM world, written from the rules alone, to check the fast engine against.

It shares nothing with the engine but ``Params``, so that the same mistake is unlikely to be in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from otherminds.worlds.symmtom.types import MOVES, Params

from .symmtom_metrics import METRICS, AgentTurn, Cell, ReferenceBelief, chebyshev, measure, observe

__all__ = ["Agent", "ReferenceBelief", "ReferenceWorld", "Rewards"]


@dataclass
class Agent:
    """One agent after turn t."""

    index: int
    cell: Cell
    base: Cell
    first_hand: frozenset[int]
    knowledge: set[int]  # k(t)
    previous: set[int]  # k(t-1)
    said: int | None = None
    direction: Cell = (0, 0)
    hears: set[int] = field(default_factory=set)
    uses_base: bool = False
    correct_uses: int = 0
    last_reward: float = 0.0
    heard_turn: dict[int, int] = field(default_factory=dict)


@dataclass
class Rewards:
    """What one agent got in one turn, by source; ``movement`` is a cost."""

    listening: int = 0
    speaking: int = 0
    base: float = 0.0
    movement: float = 0.0
    bonus: float = 0.0

    @property
    def total(self) -> float:
        return self.listening + self.speaking + self.base + self.bonus - self.movement


class ReferenceWorld:
    """One episode, from given cells, bases and first-hand pieces; all chance comes in through ``coins``."""

    def __init__(
        self, params: Params, cells: Sequence[Cell], bases: Sequence[Cell], first_hand: Sequence[AbstractSet[int]]
    ) -> None:
        self.params = params
        self.turn = 0
        self.terminated = False
        self.truncated = False
        self.agents = [
            Agent(i, cells[i], bases[i], frozenset(first_hand[i]), set(first_hand[i]), set(first_hand[i]))
            for i in range(params.num_agents)
        ]
        self._counts = [dict.fromkeys(METRICS, 0.0) for _ in self.agents]

    def speakable(self, i: int) -> set[int]:
        """The pieces agent i can say in the next turn."""
        agent = self.agents[i]
        if self.params.speech_delay == 1:
            return set(agent.knowledge)
        if self.params.speak_forgotten:
            return set(agent.previous)
        return agent.previous & agent.knowledge

    def is_free(self, cell: Cell) -> bool:
        """Whether a cell is neither outside the board nor in the middle block."""
        x, y = cell
        width = self.params.width
        if not (0 <= x < width and 0 <= y < width):
            return False
        if not self.params.middle_block:
            return True
        side = round(width / 2)
        first = (width - side) // 2
        return not (first <= x < first + side and first <= y < first + side)

    def legal_moves(self, i: int) -> set[int]:
        """Move indices that run into no wall; other agents do not matter."""
        x, y = self.agents[i].cell
        return {m for m, (dx, dy) in enumerate(MOVES) if m == 0 or self.is_free((x + dx, y + dy))}

    def observation(self, i: int) -> list[float]:
        return observe(self, i)

    def metrics(self) -> list[dict[str, float]]:
        return [dict(counts) for counts in self._counts]

    def step(self, moves: list[int], pieces: list[int], coins: dict[tuple[int, int], int]) -> list[Rewards]:
        """Play a turn; ``coins[(a, b)]`` picks a (0) or b (1) if both want the same cell.

        Raises:
            ValueError: if the episode is over.
        """
        if self.terminated or self.truncated:
            raise ValueError("the episode is over")
        self.turn += 1
        agents = self.agents
        speakable = [self.speakable(a.index) for a in agents]
        old_knowledge = [set(a.knowledge) for a in agents]
        old_cells = [a.cell for a in agents]
        new_cells = self._resolve(moves, coins)
        judged_cells = old_cells if self.params.hear_before_move else new_cells

        for agent in agents:
            i = agent.index
            agent.said = pieces[i] if pieces[i] in speakable[i] else None
            agent.cell = new_cells[i]
            moved = (new_cells[i][0] - old_cells[i][0], new_cells[i][1] - old_cells[i][1])
            agent.direction = MOVES[moves[i]] if self.params.directions == "intended" else moved
            agent.hears = {j for j in range(len(agents)) if j != i and self._in_range(judged_cells[i], judged_cells[j])}

        rewards = [Rewards() for _ in agents]
        self._exchange(old_knowledge, rewards)
        learned = [self._learned(agent) for agent in agents]
        counted = [
            old_knowledge[i] | learned[i] if self.params.base_pays_at_once else set(old_knowledge[i])
            for i in range(len(agents))
        ]
        correct = [self._use_base(a, old_cells[a.index], counted[a.index], rewards[a.index]) for a in agents]
        for agent in agents:
            i = agent.index
            agent.previous = old_knowledge[i]
            agent.knowledge = self._remember(agent, learned[i], resets=self._resets(agent, correct[i]))
            if agent.cell != old_cells[i]:
                rewards[i].movement = self.params.move_cost
        self._compete(correct, rewards)
        self.truncated = self.turn >= self.params.num_turns
        for agent in agents:
            agent.last_reward = rewards[agent.index].total

        self._count(
            rewards,
            correct,
            [
                AgentTurn(
                    chosen=pieces[i],
                    said=agents[i].said,
                    speakable=speakable[i],
                    known=old_knowledge[i],
                    counted=counted[i],
                    start=old_cells[i],
                    end=new_cells[i],
                    base=agents[i].base,
                    in_range=set(agents[i].hears),
                )
                for i in range(len(agents))
            ],
        )
        return rewards

    def _in_range(self, a: Cell, b: Cell) -> bool:
        return chebyshev(a, b) <= self.params.hearing

    def _resolve(self, moves: list[int], coins: dict[tuple[int, int], int]) -> list[Cell]:
        """The cells after the move, with walls, swaps and collisions settled."""
        cells = [a.cell for a in self.agents]
        wanted = []
        for cell, move in zip(cells, moves, strict=True):
            target = (cell[0] + MOVES[move][0], cell[1] + MOVES[move][1])
            wanted.append(target if self.is_free(target) else cell)

        pairs = [(a, b) for a in range(len(cells)) for b in range(a + 1, len(cells))]
        if not self.params.swaps:
            swapping = [(a, b) for a, b in pairs if wanted[a] == cells[b] and wanted[b] == cells[a]]
            for a, b in swapping:
                wanted[a], wanted[b] = cells[a], cells[b]

        changed = True
        while changed:
            changed = False
            for a, b in pairs:
                if wanted[a] != wanted[b]:
                    continue
                if self.params.random_collisions:
                    picked, other = (a, b) if coins[(a, b)] == 0 else (b, a)
                else:
                    picked, other = b, a
                stays = other if wanted[picked] == cells[picked] else picked
                wanted[stays] = cells[stays]
                changed = True
        return wanted

    def _utterances(self, listener: Agent) -> list[tuple[int, int]]:
        """(speaker, piece) for all that reaches the listener, jammed or not."""
        found = []
        for speaker in self.agents:
            if speaker.index in listener.hears and speaker.said is not None:
                found.append((speaker.index, speaker.said))
        return found

    def _is_jammed(self, listener: Agent) -> bool:
        return self.params.interference and len(self._utterances(listener)) >= 2

    def _learned(self, listener: Agent) -> set[int]:
        """The pieces that get through to the listener, known before or not."""
        if self._is_jammed(listener):
            return set()
        return {piece for _, piece in self._utterances(listener)}

    def _exchange(self, old_knowledge: list[set[int]], rewards: list[Rewards]) -> None:
        for listener in self.agents:
            if self._is_jammed(listener):
                continue
            new_pieces = []
            for speaker, piece in self._utterances(listener):
                if piece in old_knowledge[listener.index]:
                    continue
                new_pieces.append(piece)
                if self.params.speaking_reward:
                    rewards[speaker].speaking += 1
            if self.params.listening_reward:
                earned = new_pieces if self.params.count_duplicates else set(new_pieces)
                rewards[listener.index].listening += len(earned)

    def _use_base(self, agent: Agent, old_cell: Cell, counted: set[int], rewards: Rewards) -> bool:
        """Pay for the base; True if it was used with complete knowledge."""
        p = self.params
        entered = old_cell != agent.base
        agent.uses_base = agent.cell == agent.base and (entered or not p.base_needs_entering)
        if not agent.uses_base:
            return False
        is_complete = len(counted) == p.num_pieces
        if p.base == "proportional":
            rewards.base = float((p.num_agents - 1) * len(counted))
        elif p.base == "constant" or is_complete:
            rewards.base = p.full_base_reward
        if is_complete:
            agent.correct_uses += 1
        return is_complete

    def _resets(self, agent: Agent, is_correct: bool) -> bool:
        if self.params.base == "complete":
            return is_correct
        return self.params.base == "proportional" and agent.uses_base

    def _remember(self, agent: Agent, learned: set[int], *, resets: bool) -> set[int]:
        """k(t) from k(t-1), with memories decayed."""
        if resets:
            agent.heard_turn.clear()
            return set(agent.first_hand)
        for piece in learned:
            agent.heard_turn[piece] = self.turn
        knowledge = agent.knowledge | learned
        if self.params.decay is not None:
            for piece in knowledge - agent.first_hand:
                if self.turn >= agent.heard_turn[piece] + self.params.decay:
                    knowledge = knowledge - {piece}
        return knowledge

    def _compete(self, correct: list[bool], rewards: list[Rewards]) -> None:
        goal = self.params.competitive
        winners = [a.index for a in self.agents if correct[a.index] and a.correct_uses == goal]
        if not winners:
            return
        self.terminated = True
        for agent in self.agents:
            won = agent.index in winners
            rewards[agent.index].bonus = self.params.full_bonus if won else -self.params.full_bonus

    def _count(self, rewards: list[Rewards], correct: list[bool], turns: list[AgentTurn]) -> None:
        for i, counts in enumerate(self._counts):
            counts["listening"] += rewards[i].listening
            counts["speaking"] += rewards[i].speaking
            counts["base"] += rewards[i].base
            counts["movement"] += rewards[i].movement
            counts["bonus"] += rewards[i].bonus
            counts["reward"] += rewards[i].total
            counts["correct_base_uses"] += correct[i]
            for name, happened in measure(i, turns, self.params).items():
                counts[name] += happened
