"""Scripted minds of SymmToM: policies for all seats of many worlds at once, on NumPy or JAX.

Like all minds they get percepts, not states, and track their own knowledge. They also use their own cell, which an
agent that sees the whole board knows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from otherminds.core.seeds import random_words
from otherminds.worlds.symmtom.beliefs import belief_rules, tom_orders
from otherminds.worlds.symmtom.beliefs.belief_rules import Belief, BeliefRule
from otherminds.worlds.symmtom.bits import contains, namespace, numbers, own_of, unpack
from otherminds.worlds.symmtom.observe import Percept, other_agents, perceive
from otherminds.worlds.symmtom.rules import speakable_from
from otherminds.worlds.symmtom.types import SILENT, Action, Array, Params, State

STAY, RIGHT, LEFT, UP, DOWN = range(5)


class ScriptedMemory(NamedTuple):
    """The memory of a scripted mind."""

    belief: Belief
    last_piece: Array  # int32 [agent, *worlds], the piece chosen last, -1 before the first
    slot: Any = ()  # int32 [agent, *worlds], the slot of the agent that a walker walks to; -1 for none yet


class Told(NamedTuple):
    """The inputs of a believer: its percepts and, for the oracle, the knowledge of all agents."""

    sight: Percept
    truth: Array | None  # uint32 [agent, *worlds]


class Scripted:
    """A policy that takes percepts and, by default, has no memory."""

    sees_truth = False

    def look(self, state: State, params: Params) -> Any:
        return perceive(state, params)

    def begin(self, sight: Any, params: Params) -> Any:
        return ()


@dataclass(frozen=True)
class Still(Scripted):
    """Never moves or speaks."""

    name: str = "still"

    def act(self, memory: tuple[()], sight: Percept, params: Params, key: Any) -> tuple[Action, tuple[()]]:
        xp = namespace(sight.x)
        nothing = xp.zeros_like(sight.x[:, 0])
        return Action(nothing, nothing + SILENT), memory


@dataclass(frozen=True)
class Random(Scripted):
    """Draws moves and pieces uniformly, whether or not they have an effect."""

    name: str = "random"

    def act(self, memory: tuple[()], sight: Percept, params: Params, key: Any) -> tuple[Action, tuple[()]]:
        return random_action(key, params, sight.turn.shape), memory


def random_action(key: Any, params: Params, worlds: tuple[int, ...]) -> Action:
    """An action for every agent, from one random word each, whose halves select move and piece."""
    words = random_words(key, (params.num_agents, *worlds), stream="action")
    xp = namespace(words)
    move, piece = ((words & 0xFFFF) * 5) >> 16, ((words >> 16) * params.num_pieces) >> 16
    return Action(move.astype(xp.int32), piece.astype(xp.int32))


class Reciter(Scripted):
    """Remembers its own knowledge and says its pieces in turn, wherever it walks."""

    def begin(self, sight: Percept, params: Params) -> ScriptedMemory:
        return fresh_memory(sight, params, belief_rules.ZEROTH)

    def act(self, memory: ScriptedMemory, sight: Percept, params: Params, key: Any) -> tuple[Action, ScriptedMemory]:
        xp = namespace(sight.x)
        belief, can_say = _remember(memory, sight, params, belief_rules.ZEROTH)
        move, slot = self.walk(xp, memory.slot, sight, can_say, params)
        piece = next_piece(xp, can_say, memory.last_piece, params)
        return Action(move, piece), ScriptedMemory(belief, xp.where(piece >= 0, piece, memory.last_piece), slot)

    def walk(self, xp: Any, slot: Any, sight: Percept, can_say: Array, params: Params) -> tuple[Array, Any]:
        """The move, and the slot of the agent that it walks to."""
        raise NotImplementedError


@dataclass(frozen=True)
class Heuristic(Reciter):
    """The paper's heuristic (section 5): meet in the centre, say all pieces in turn, go home when complete.

    It acts on its displayed knowledge, one turn behind what it knows. Calibration showed that this gives the published
    row (spec section 8).
    """

    name: str = "heuristic"

    def walk(self, xp: Any, slot: Any, sight: Percept, can_say: Array, params: Params) -> tuple[Array, Any]:
        x, y, base_x, base_y = (own_of(xp, a) for a in (sight.x, sight.y, sight.base_x, sight.base_y))
        is_complete = can_say == params.all_pieces
        centre = xp.zeros_like(x) + params.width // 2
        dx, dy = xp.where(is_complete, base_x, centre) - x, xp.where(is_complete, base_y, centre) - y
        return xp.where(dx != 0, along_x(xp, dx), along_y(xp, dy)), slot


@dataclass(frozen=True)
class Walker(Reciter):
    """Walks to the nearest, the farthest or the lowest-numbered other agent (``chase``), or to the centre.

    It ignores what anybody knows, so it fails one of two twins: the floor of the battery. A walker keeps its goal until
    that agent is in range or the walker did not move, and then chooses again.
    """

    goal: Literal["nearest", "farthest", "chase", "centre"]

    @property
    def name(self) -> str:
        return self.goal

    def begin(self, sight: Percept, params: Params) -> ScriptedMemory:
        memory = super().begin(sight, params)
        return memory._replace(slot=memory.last_piece)

    def walk(self, xp: Any, slot: Any, sight: Percept, can_say: Array, params: Params) -> tuple[Array, Any]:
        x, y = own_of(xp, sight.x), own_of(xp, sight.y)
        slot, goal_x, goal_y = self._goal(xp, slot, sight, x, y, params)
        dx, dy = goal_x - x, goal_y - y
        return xp.where(xp.abs(dx) >= xp.abs(dy), along_x(xp, dx), along_y(xp, dy)), slot

    def _goal(
        self, xp: Any, slot: Array, sight: Percept, x: Array, y: Array, params: Params
    ) -> tuple[Array, Array, Array]:
        """The slot and the cell that it walks to."""
        if self.goal == "centre":
            middle = xp.zeros_like(x) + params.width // 2
            return slot, middle, middle
        cells = [[slot_of(xp, a, s) for a in (sight.x, sight.y)] for s in range(params.num_agents - 1)]
        far = xp.stack([xp.abs(ox - x) + xp.abs(oy - y) for ox, oy in cells])
        wide = xp.stack([xp.maximum(xp.abs(ox - x), xp.abs(oy - y)) for ox, oy in cells])
        cost = {"nearest": far, "farthest": -far, "chase": 0 * far}[self.goal]
        has_come = xp.take_along_axis(wide, xp.maximum(slot, 0)[None], axis=0)[0] <= params.hearing
        stands = (own_of(xp, sight.direction_x) == 0) & (own_of(xp, sight.direction_y) == 0)
        slot = xp.where((slot < 0) | has_come | stands, xp.argmin(cost, axis=0).astype(slot.dtype), slot)
        goal = (xp.take_along_axis(xp.stack([c[k] for c in cells]), slot[None], axis=0)[0] for k in (0, 1))
        return slot, *goal


@dataclass(frozen=True)
class Believer(Scripted):
    """Meets between the bases and says what it believes those around it lack (spec section 11).

    With ``sees_truth`` it is told what others know: the reference for the value of perfect beliefs to the same script.
    """

    name: str = "belief"
    rule: BeliefRule = belief_rules.ATTENTIVE
    sees_truth: bool = False

    def look(self, state: State, params: Params) -> Told:
        return Told(perceive(state, params), state.knowledge if self.sees_truth else None)

    def begin(self, look: Told, params: Params) -> ScriptedMemory:
        return fresh_memory(look.sight, params, self.rule)

    def act(self, memory: ScriptedMemory, look: Told, params: Params, key: Any) -> tuple[Action, ScriptedMemory]:
        sight, truth = look
        xp = namespace(sight.x)
        belief, can_say = _remember(memory, sight, params, self.rule)
        knows = xp.broadcast_to(truth, belief.knows.shape) if truth is not None else belief.knows
        move = _to_meeting(xp, sight, own_of(xp, belief.knows), params, key)
        piece = _most_wanted(xp, sight, can_say, knows, memory.last_piece, params)
        return Action(move, piece), ScriptedMemory(belief, xp.where(piece >= 0, piece, memory.last_piece))

    def believes(self, memory: ScriptedMemory, look: Told, params: Params) -> Array:
        """Whether each agent knows each piece: 0 or 1, ``float32 [observer, subject, piece, *worlds]``."""
        if look.truth is None:
            return tom_orders.likely(memory.belief, look.sight, params, self.rule)
        xp = namespace(look.truth)
        known = unpack(xp, look.truth, params.num_pieces).astype(xp.float32)
        return xp.broadcast_to(known, (params.num_agents, *known.shape))


def fresh_memory(sight: Percept, params: Params, rule: BeliefRule) -> ScriptedMemory:
    """The memory before the first turn."""
    xp = namespace(sight.x)
    return ScriptedMemory(belief_rules.begin(sight, params, rule), xp.zeros_like(sight.x[:, 0]) - 1)


def _remember(memory: ScriptedMemory, sight: Percept, params: Params, rule: BeliefRule) -> tuple[Belief, Array]:
    """The belief after a turn, and the pieces that each agent can say next, ``uint32 [agent, *worlds]``."""
    belief = belief_rules.update(memory.belief, sight, params, rule)
    xp = namespace(belief.knows)
    return belief, speakable_from(own_of(xp, belief.knows), own_of(xp, memory.belief.knows), params)


def slot_of(xp: Any, pairs: Array, slot: int) -> Array:
    """The values of the others in one slot: ``[observer, subject, …] -> [observer, …]``."""
    others = other_agents(pairs.shape[0])[:, slot].tolist()
    return xp.stack([pairs[i, j] for i, j in enumerate(others)])


def along_x(xp: Any, dx: Array) -> Array:
    """The move along x for an offset to a goal."""
    return xp.where(dx > 0, RIGHT, xp.where(dx < 0, LEFT, xp.zeros_like(dx)))


def along_y(xp: Any, dy: Array) -> Array:
    """The move along y for an offset to a goal."""
    return xp.where(dy > 0, UP, xp.where(dy < 0, DOWN, xp.zeros_like(dy)))


def next_piece(xp: Any, can_say: Array, last: Array, params: Params, worth: Array | int = 0) -> Array:
    """The piece of the highest worth, ties broken by the next after the last one; silence if none can be said.

    ``worth`` is ``int32 [agent, piece, *worlds]``.
    """
    c = params.num_pieces
    wait = xp.stack([(p - last - 1) % c for p in range(c)], axis=1)
    score = xp.where(unpack(xp, can_say, c), worth * 64 + (c - wait), 0)
    best = xp.argmax(score, axis=1).astype(xp.int32)
    return xp.where(can_say != 0, best, SILENT)


def _most_wanted(xp: Any, sight: Percept, can_say: Array, knows: Array, last: Array, params: Params) -> Array:
    """The piece that most others lack, with more weight for near ones; ties go to the next in turn."""
    c = params.num_pieces
    worth = xp.zeros((*can_say.shape[:1], c, *can_say.shape[1:]), dtype=xp.int32)
    x, y = own_of(xp, sight.x), own_of(xp, sight.y)
    me = numbers(x)
    for j in range(params.num_agents):
        distance = xp.maximum(xp.abs(sight.x[:, j] - x), xp.abs(sight.y[:, j] - y))
        weight = xp.where(distance <= 1, 100, xp.where(distance == 2, 30, xp.where(distance == 3, 10, 1)))
        weight = xp.where((sight.sees >> j) & 1 != 0, weight, 1)
        weight = xp.where(me == j, xp.zeros_like(weight), weight)
        worth = worth + xp.where(unpack(xp, knows[:, j], c), 0, weight[:, None])
    return next_piece(xp, can_say, last, params, worth)


def _to_meeting(xp: Any, sight: Percept, knowledge: Array, params: Params, key: Any) -> Array:
    """A step home when complete, else to the nearest free cell of the 2x2 block between the bases."""
    n = params.num_agents
    x, y = own_of(xp, sight.x), own_of(xp, sight.y)
    middle = (n - 1) // 2
    # A base out of sight is replaced by the agent's own, so that it does not shift the meeting place.
    is_seen = contains(sight.sees[:, None], numbers(sight.sees)[None])
    base_x = xp.where(is_seen, sight.base_x, own_of(xp, sight.base_x)[:, None])
    base_y = xp.where(is_seen, sight.base_y, own_of(xp, sight.base_y)[:, None])
    low_x = xp.minimum(xp.sort(base_x, axis=1)[:, middle], params.width - 2)
    low_y = xp.minimum(xp.sort(base_y, axis=1)[:, middle], params.width - 2)
    goal_x, goal_y = low_x, low_y
    nearest = xp.zeros_like(x) + 4 * params.width
    for right, up in ((0, 0), (0, 1), (1, 0), (1, 1)):
        cell_x, cell_y = low_x + right, low_y + up
        distance = xp.abs(cell_x - x) + xp.abs(cell_y - y)
        is_better = (distance < nearest) & ~_is_taken(sight, cell_x, cell_y, params)
        goal_x, goal_y = xp.where(is_better, cell_x, goal_x), xp.where(is_better, cell_y, goal_y)
        nearest = xp.where(is_better, distance, nearest)
    is_complete = knowledge == params.all_pieces
    dx = xp.where(is_complete, own_of(xp, sight.base_x), goal_x) - x
    dy = xp.where(is_complete, own_of(xp, sight.base_y), goal_y) - y

    coin = random_words(key, x.shape, stream="believer") & 1 != 0
    prefers_x = (xp.abs(dx) > xp.abs(dy)) | ((xp.abs(dx) == xp.abs(dy)) & coin)
    step_x, step_y = xp.sign(dx), xp.sign(dy)
    blocked_x = _is_taken(sight, x + step_x, y, params)
    blocked_y = _is_taken(sight, x, y + step_y, params)
    goes_x = xp.where(prefers_x, ~(blocked_x & (dy != 0)), blocked_y & (dx != 0))
    return xp.where(goes_x, along_x(xp, dx), along_y(xp, dy))


def _is_taken(sight: Percept, x: Array, y: Array, params: Params) -> Array:
    """Whether each agent sees another agent on a cell, ``bool [agent, *worlds]``."""
    xp = namespace(x)
    me = numbers(x)
    taken = xp.zeros_like(x) != 0
    for j in range(params.num_agents):
        is_there = (sight.x[:, j] == x) & (sight.y[:, j] == y) & ((sight.sees >> j) & 1 != 0)
        taken = taken | (is_there & (me != j))
    return taken


STILL = Still()
RANDOM = Random()
HEURISTIC = Heuristic()
BELIEF = Believer()
BELIEF_ZEROTH = Believer("belief:rule=zeroth", belief_rules.ZEROTH)
BELIEF_GREEDY = Believer("belief:rule=greedy", belief_rules.BeliefRule("greedy", credit_speaker=True))
ORACLE = Believer("oracle", sees_truth=True)
NEAREST = Walker("nearest")
FARTHEST = Walker("farthest")
CHASE = Walker("chase")
CENTRE = Walker("centre")
WALKERS = (NEAREST, FARTHEST, CHASE, CENTRE)


def belief(rule: Literal["attentive", "zeroth", "greedy"] = "attentive") -> Believer:
    """The believer with the options of its name, such as ``belief:rule=zeroth``."""
    return {"attentive": BELIEF, "zeroth": BELIEF_ZEROTH, "greedy": BELIEF_GREEDY}[rule]
