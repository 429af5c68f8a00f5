"""Post-hoc metrics of SymmToM (paper section 7 and Tables 4-7), counted turn by turn on NumPy or JAX.

Every reading of a metric is a separate count, so one pass gives them all; a compiled rollout drops the unused ones.
"""

from __future__ import annotations

from functools import reduce
from operator import and_, or_
from typing import Any, NamedTuple, TypeVar

from otherminds.worlds.symmtom.bits import bit_of, contains, namespace, numbers
from otherminds.worlds.symmtom.rules import TurnResult, speakable
from otherminds.worlds.symmtom.types import Action, Array, Params, State

Counts = TypeVar("Counts", bound=tuple[Any, ...])


class Tally(NamedTuple):
    """Counts over the turns of an episode, ``[agent, *worlds]`` each; all but the rewards are ``int32``."""

    reward: Array  # float32
    listening: Array
    speaking: Array
    base: Array  # float32
    movement: Array  # float32, a cost
    bonus: Array  # float32
    correct_base_uses: Array
    unsuccessful_base_uses: Array  # turns on the own base with incomplete knowledge (Table 4)
    unsuccessful_base_entries: Array  # the same, only turns that came onto it
    wrong_pieces: Array  # chosen pieces that could not be said (Table 5); silence does not count
    wrong_pieces_current: Array  # chosen pieces not known before the turn
    useless_pieces: Array  # said a piece that all in range knew, with a better one available (Table 6)
    useless_moves: Array  # moved away from all agents whose knowledge differs (Table 7)
    useless_moves_chebyshev: Array  # the same by Chebyshev distance
    useless_moves_after: Array  # the same, relative to where the others went
    turns_in_range: Array  # turns with somebody in hearing range
    known_pieces_heard: Array  # utterances in range without news


PAPER_TABLES = {4: "unsuccessful_base_uses", 5: "wrong_pieces", 6: "useless_pieces", 7: "useless_moves"}
# Other readings of the paper's words (spec section 6), by table and name of the reading.
READINGS = {
    4: {"entries": "unsuccessful_base_entries"},
    5: {"current": "wrong_pieces_current"},
    7: {"chebyshev": "useless_moves_chebyshev", "after": "useless_moves_after"},
}


def measure(before: State, action: Action, after: State, outcome: TurnResult, params: Params) -> Tally:
    """The counts of one turn."""
    xp = namespace(before.x)
    agents = range(params.num_agents)

    def count(claim: Array) -> Array:
        return claim.astype(xp.int32)

    has_moved = (after.x != before.x) | (after.y != before.y)
    is_unready = (after.x == after.base_x) & (after.y == after.base_y) & ~outcome.is_complete
    chosen = bit_of(xp, action.piece)
    near = [contains(after.earshot, j) for j in agents]
    knowledge, can_say = before.knowledge, speakable(before, params)
    tells_nothing = reduce(and_, [~near[j] | (after.utterance & ~knowledge[j] == 0) for j in agents])
    has_better = reduce(or_, [near[j] & (can_say & ~knowledge[j] != 0) for j in agents])
    known_heard = [near[j] & (after.utterance[j] & knowledge != 0) for j in agents]
    may_err = has_moved & (knowledge != params.all_pieces)
    useless = [
        count(may_err & _leaves_all(xp, before, after, name, params)) for name in ("before", "chebyshev", "after")
    ]
    return Tally(
        *outcome[:6],
        correct_base_uses=count(after.uses_base & outcome.is_complete),
        unsuccessful_base_uses=count(is_unready),
        unsuccessful_base_entries=count(is_unready & has_moved),
        wrong_pieces=count((chosen != 0) & (chosen & can_say == 0)),
        wrong_pieces_current=count((chosen != 0) & (chosen & knowledge == 0)),
        useless_pieces=count((after.utterance != 0) & tells_nothing & has_better),
        useless_moves=useless[0],
        useless_moves_chebyshev=useless[1],
        useless_moves_after=useless[2],
        turns_in_range=count(after.earshot != 0),
        known_pieces_heard=sum(count(claim) for claim in known_heard),
    )


def add(total: Counts, turn: Counts, is_running: Array | bool = True) -> Counts:
    """The sum of the counts so far and those of a turn, in worlds that had not ended before it."""
    xp = namespace(total[0])
    return type(total)(*(xp.where(is_running, a + b, a) for a, b in zip(total, turn, strict=True)))


def nothing(state: State) -> Tally:
    """Counts before the first turn."""
    xp = namespace(state.x)
    reals = {"reward", "base", "movement", "bonus"}
    return Tally(*(xp.zeros_like(state.x, dtype=xp.float32 if f in reals else xp.int32) for f in Tally._fields))


def _leaves_all(xp: Any, before: State, after: State, reading: str, params: Params) -> Array:
    """Whether each agent moved away from all agents with different knowledge, of which there is at least one."""
    target = after if reading == "after" else before

    def distance(state: State, j: int) -> Array:
        dx, dy = xp.abs(state.x - target.x[j]), xp.abs(state.y - target.y[j])
        return xp.maximum(dx, dy) if reading == "chebyshev" else dx + dy

    agent = numbers(before.x)
    agents = range(params.num_agents)
    differs = [(before.knowledge != before.knowledge[j]) & (agent != j) for j in agents]
    leaves = reduce(and_, [~differs[j] | (distance(after, j) > distance(before, j)) for j in agents])
    return leaves & reduce(or_, differs)
