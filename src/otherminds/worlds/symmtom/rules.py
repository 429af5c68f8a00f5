"""The rules of SymmToM: pure functions, one per rule, for NumPy and JAX arrays.

Random draws are arguments (see ``chance.py``). Agents are on the first axis and parallel worlds on the trailing ones.
Loops over the few agents are unrolled, so that a compiler vectorises over worlds. docs/worlds/symmtom.md states each
rule in words.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from otherminds.worlds.symmtom.bits import bit_of, contains, count, members, namespace, numbers, pack, repeat, unpack
from otherminds.worlds.symmtom.chance import Deal
from otherminds.worlds.symmtom.types import MOVES, Action, Array, Params, State


class TurnResult(NamedTuple):
    """The results of a turn besides the next state."""

    rewards: Array  # float32 [agent, *worlds], the sum of the five parts
    listening: Array  # int32 [agent, *worlds]
    speaking: Array  # int32 [agent, *worlds]
    base: Array  # float32 [agent, *worlds]
    movement: Array  # float32 [agent, *worlds], a cost
    bonus: Array  # float32 [agent, *worlds]
    is_complete: Array  # bool [agent, *worlds], knowledge was complete when the base was judged
    terminated: Array  # bool [*worlds], an agent won a competitive episode
    truncated: Array  # bool [*worlds], this was the last turn


def deal(chance: Deal, params: Params) -> State:
    """The first state: pieces dealt evenly; bases on distinct random cells, and so are agents."""
    xp = namespace(chance.bases)
    n, worlds = params.num_agents, chance.bases.shape[1:]
    cells = xp.asarray(params.free_cells, dtype=xp.int32)
    if params.start_on_base:
        base_cell, cell = _shuffle(xp, chance.bases), _shuffle(xp, chance.agents)
    else:
        both = _shuffle(xp, xp.concat([chance.bases, chance.agents]))
        base_cell, cell = both[:n], both[n:]
    # Pieces in random order are dealt round a random order of agents, m neighbours for each piece: c·m/n pieces to
    # every agent, and the remainder to distinct random agents (spec section 1).
    m, piece_rank, agent_rank = params.owners, _shuffle(xp, chance.pieces), _shuffle(xp, chance.order)
    first_hand = members(xp, [(agent_rank - piece_rank[p] * m) % n < m for p in range(params.num_pieces)])
    none = xp.zeros((n, *worlds), dtype=xp.int32)
    nothing = xp.zeros((n, *worlds), dtype=xp.uint32)
    return State(
        x=xp.take(cells[:, 0], cell),
        y=xp.take(cells[:, 1], cell),
        base_x=xp.take(cells[:, 0], base_cell),
        base_y=xp.take(cells[:, 1], base_cell),
        direction_x=none,
        direction_y=none,
        chosen_move=none,
        first_hand=first_hand,
        knowledge=first_hand,
        previous_knowledge=first_hand,
        utterance=nothing,
        earshot=nothing,
        uses_base=xp.zeros((n, *worlds), dtype=xp.bool),
        correct_uses=none,
        last_reward=xp.zeros((n, *worlds), dtype=xp.float32),
        heard_turn=xp.zeros((n, params.num_pieces if params.decay else 0, *worlds), dtype=xp.int32),
        turn=xp.zeros(worlds, dtype=xp.int32),
    )


def speakable(state: State, params: Params) -> Array:
    """The pieces that each agent can say in the coming turn t, ``uint32 [agent, *worlds]``: k(t-2)."""
    return speakable_from(state.knowledge, state.previous_knowledge, params)


def speakable_from(knowledge: Array, previous_knowledge: Array, params: Params) -> Array:
    """Like :func:`speakable`, from the knowledge after the last turn and the one before."""
    if params.speech_delay == 1:
        return knowledge
    return previous_knowledge if params.speak_forgotten else previous_knowledge & knowledge


def legal_moves(state: State, params: Params) -> Array:
    """Moves that do not run into a wall, ``bool [agent, move, *worlds]``. Agents do not count: they may leave."""
    return namespace(state.x).stack([state.x >= 0, *free_ways(state, params)], axis=1)


def free_ways(state: Any, params: Params) -> list[Array]:
    """Whether the cells right, left, up and down of each agent are free of walls, ``bool [agent, *worlds]`` each.

    ``state`` needs only the fields ``x`` and ``y``.
    """
    if params.middle_block:
        return [_is_free(state.x + dx, state.y + dy, params) for dx, dy in MOVES[1:]]
    x, y, last = state.x, state.y, params.width - 1
    return [x < last, x > 0, y < last, y > 0]


def legal_pieces(state: State, params: Params) -> Array:
    """Pieces that can be said; any other is silence. ``bool [agent, piece, *worlds]``."""
    return unpack(namespace(state.x), speakable(state, params), params.num_pieces)


def step(state: State, action: Action, coins: Array, params: Params) -> tuple[State, TurnResult]:
    """Play one turn.

    Args:
        state: state before the turn.
        action: choices of all agents. A piece that cannot be said is silence.
        coins: who yields in a collision, one bit per pair of agents, ``uint32 [word, *worlds]``.
        params: parameters of the world.
    """
    xp = namespace(state.x)
    said = bit_of(xp, action.piece) & speakable(state, params)
    x, y = move(state, action.move, coins, params)
    in_range = earshot(state.x, state.y, params) if params.hear_before_move else earshot(x, y, params)
    heard, listening, speaking = exchange(state.knowledge, said, in_range, params)

    # Everything below depends on the knowledge before the turn.
    counted = state.knowledge | heard if params.base_pays_at_once else state.knowledge
    is_complete = counted == params.all_pieces
    uses_base = (x == state.base_x) & (y == state.base_y)
    if params.base_needs_entering:
        uses_base = uses_base & ((x != state.x) | (y != state.y))
    base = base_reward(xp, uses_base, is_complete, counted, params)
    resets = forgets_all(uses_base, is_complete, params)

    turn = state.turn + 1
    knowledge = xp.where(resets, state.first_hand, state.knowledge | heard)
    heard_turn = state.heard_turn
    if params.decay:
        knowledge, heard_turn = decay(knowledge, state.first_hand, heard, heard_turn, turn, params.decay)

    correct_uses = state.correct_uses + (uses_base & is_complete).astype(xp.int32)
    zero = xp.zeros_like(state.last_reward)
    movement = xp.where((x != state.x) | (y != state.y), zero + params.move_cost, zero) if params.move_cost else zero
    bonus, terminated = _competition(xp, correct_uses, zero, params)
    rewards = (listening + speaking).astype(xp.float32) + base - movement + bonus

    next_state = state._replace(
        x=x,
        y=y,
        direction_x=x - state.x,
        direction_y=y - state.y,
        chosen_move=action.move,
        knowledge=knowledge,
        previous_knowledge=state.knowledge,
        utterance=said,
        earshot=in_range,
        uses_base=uses_base,
        correct_uses=correct_uses,
        last_reward=rewards,
        heard_turn=heard_turn,
        turn=turn,
    )
    truncated = turn >= params.num_turns
    return next_state, TurnResult(
        rewards, listening, speaking, base, movement, bonus, is_complete, terminated, truncated
    )


def move(state: State, choice: Array, coins: Array, params: Params) -> tuple[Array, Array]:
    """Positions after the move; walls and collisions turn moves into stays."""
    xp = namespace(state.x)
    dx, dy = displacement(xp, choice)
    cell = state.x * params.width + state.y
    wish = xp.where(_is_free(state.x + dx, state.y + dy, params), cell + dx * params.width + dy, cell)
    stays = contains(stayers(cell, wish, coins, params), numbers(cell))
    return xp.where(stays, state.x, state.x + dx), xp.where(stays, state.y, state.y + dy)


def stayers(cell: Array, wish: Array, coins: Array, params: Params) -> Array:
    """The set of agents that do not move, ``uint32 [*worlds]``, given their cells and the cells they want.

    The rule says: scan pairs, cancel one of two moves into the same cell, repeat until nothing changes. A wish for a
    cell is only ever cancelled by a rival for that cell or by an occupant that stays, so it can be computed in two
    parts: rivals are eliminated in one scan; then stays spread backwards along queues, one agent a round.
    """
    xp = namespace(cell)
    agents = range(params.num_agents)
    stays = [wish[i] == cell[i] for i in agents]
    if not params.swaps:
        for a, b in params.pairs:
            swapping = (wish[a] == cell[b]) & (wish[b] == cell[a])
            stays[a], stays[b] = stays[a] | swapping, stays[b] | swapping
    # Each later agent meets the winner of the cell so far.
    for q, (a, b) in enumerate(params.pairs):
        clash = (wish[a] == wish[b]) & ~stays[a] & ~stays[b]
        b_is_picked = contains(coins[q // 32], q % 32) if params.random_collisions else clash
        stays[a], stays[b] = stays[a] | (clash & ~b_is_picked), stays[b] | (clash & b_is_picked)
    wanted_by = members(xp, [cell == wish[i] for i in agents])  # uint32 [agent j, *worlds]: who wants the cell of j

    def spread(staying: Array) -> Array:
        nobody = xp.zeros_like(staying)
        return reduce(or_, [xp.where(contains(staying, j), wanted_by[j], nobody) for j in agents], staying)

    return repeat(spread, params.num_agents - 1, members(xp, stays))


def earshot(x: Array, y: Array, params: Params) -> Array:
    """The set of other agents within hearing range of each agent, ``uint32 [agent, *worlds]``."""
    xp = namespace(x)
    near = [within_hearing(x - x[j], y - y[j], params) for j in range(params.num_agents)]
    return members(xp, near) & ~bit_of(xp, numbers(x))


def within_hearing(dx: Array, dy: Array, params: Params) -> Array:
    """Whether two agents hear each other, given their offset along x and y; ``bool`` of the same shape."""
    return (abs(dx) <= params.hearing) & (abs(dy) <= params.hearing)


def exchange(knowledge: Array, said: Array, in_range: Array, params: Params) -> tuple[Array, Array, Array]:
    """Return the pieces that agents hear, and the rewards for listening and speaking.

    Hearing is simultaneous and compared with the knowledge before the turn (paper, sections 4 and 7).

    Args:
        knowledge: pieces known before the turn, ``uint32 [agent, *worlds]``.
        said: the piece each agent says, one bit or none, ``uint32 [agent, *worlds]``.
        in_range: the agents each agent is in range of, ``uint32 [agent, *worlds]``.

    Returns:
        The pieces that each agent hears, ``uint32 [agent, *worlds]``, the listening and the speaking reward, ``int32
        [agent, *worlds]``.
    """
    xp = namespace(knowledge)
    agents = range(params.num_agents)
    nothing = xp.zeros_like(said)
    hears = [contains(in_range, j) for j in agents]  # hears[j][i]: i is in range of j, and so j of i
    audible = [xp.where(hears[j], said[j], nothing) for j in agents]  # audible[j][i]: what i hears from j
    if params.interference:
        is_jammed = _sum(xp, [audible[j] != 0 for j in agents]) >= 2
        audible = [xp.where(is_jammed, nothing, audible[j]) for j in agents]
        hears = [hears[j] & ~is_jammed[j] for j in agents]  # as seen by the speaker: who can make anything of it
    heard = reduce(or_, audible)
    zero = xp.zeros_like(said, dtype=xp.int32)
    listening = speaking = zero
    if params.listening_reward and params.count_duplicates:
        listening = _sum(xp, [audible[j] & ~knowledge != 0 for j in agents])
    elif params.listening_reward:
        listening = count(xp, heard & ~knowledge)
    if params.speaking_reward:
        speaking = _sum(xp, [hears[i] & (said & ~knowledge[i] != 0) for i in agents])
    return heard, listening, speaking


def forgets_all(uses_base: Array, is_complete: Array, params: Params) -> Array:
    """Agents that lose all second-hand pieces in this turn. Beliefs apply the same rule to believed knowledge."""
    if params.base == "constant":
        return namespace(uses_base).zeros_like(uses_base)
    return uses_base if params.base == "proportional" else uses_base & is_complete


def decay(
    knowledge: Array, first_hand: Array, heard: Array, heard_turn: Array, turn: Array, lifetime: int
) -> tuple[Array, Array]:
    """Drop second-hand pieces not heard for a lifetime; also return the turns of last hearing (paper, section 3)."""
    xp = namespace(knowledge)
    heard_turn = xp.where(unpack(xp, heard, heard_turn.shape[1]), turn, heard_turn)
    is_fresh = pack(xp, turn - heard_turn < lifetime)
    return knowledge & (first_hand | is_fresh), heard_turn


def base_reward(xp: Any, uses_base: Array, is_complete: Array, counted: Array, params: Params) -> Array:
    """Reward for using the own base, ``float32 [agent, *worlds]``, given the ``counted`` knowledge."""
    zero = xp.zeros_like(counted, dtype=xp.float32)
    if params.base == "proportional":
        value = (count(xp, counted) * (params.num_agents - 1)).astype(xp.float32)
        return xp.where(uses_base, value, zero)
    pays = uses_base if params.base == "constant" else uses_base & is_complete
    return xp.where(pays, zero + params.full_base_reward, zero)


def _competition(xp: Any, correct_uses: Array, zero: Array, params: Params) -> tuple[Array, Array]:
    if params.competitive is None:
        return zero, xp.zeros_like(zero[0], dtype=xp.bool)
    wins = correct_uses >= params.competitive
    terminated = reduce(or_, [wins[i] for i in range(params.num_agents)])
    prize = xp.where(wins, zero + params.full_bonus, zero - params.full_bonus)
    return xp.where(terminated, prize, zero), terminated


def displacement(xp: Any, choice: Array) -> tuple[Array, Array]:
    """Displacement of a move along x and y, ``int32`` each."""

    def step_along(plus: int, minus: int) -> Array:
        return (choice == plus).astype(xp.int32) - (choice == minus).astype(xp.int32)

    return step_along(1, 2), step_along(3, 4)


def _is_free(x: Array, y: Array, params: Params) -> Array:
    is_free = (x >= 0) & (x < params.width) & (y >= 0) & (y < params.width)
    if params.middle_block:
        low, high = params.block
        is_free = is_free & ~((x >= low) & (x < high) & (y >= low) & (y < high))
    return is_free


def _sum(xp: Any, claims: list[Array]) -> Array:
    return sum(claim.astype(xp.int32) for claim in claims)


def _shuffle(xp: Any, draws: Array) -> Array:
    """The first places of a random permutation, from draws with ``draws[i]`` uniform in ``[i, m)``.

    The swaps of the Fisher-Yates shuffle are followed backwards, without an array of all m places.
    """
    places: list[Array] = []
    for i in range(draws.shape[0]):
        place = draws[i]
        for j in reversed(range(i)):
            place = xp.where(place == draws[j], j, place)
        places.append(place)
    return xp.stack(places)
