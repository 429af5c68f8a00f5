"""What the reference world shows, measures and lets an agent believe.

Written from the same text as ``symmtom.py`` and, like it, apart from the engine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from otherminds.worlds.symmtom.types import Params

if TYPE_CHECKING:
    from .symmtom import ReferenceWorld

Cell = tuple[int, int]

METRICS = (
    "listening",
    "speaking",
    "base",
    "movement",
    "bonus",
    "reward",
    "correct_base_uses",
    "unsuccessful_base_uses",
    "unsuccessful_base_entries",
    "wrong_pieces",
    "wrong_pieces_current",
    "useless_pieces",
    "useless_moves",
    "useless_moves_chebyshev",
    "useless_moves_after",
    "turns_in_range",
    "known_pieces_heard",
)


def chebyshev(a: Cell, b: Cell) -> int:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def manhattan(a: Cell, b: Cell) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


@dataclass(frozen=True)
class AgentTurn:
    """All that the metrics need to know of one agent in one turn."""

    chosen: int
    said: int | None
    speakable: set[int]  # s(t)
    known: set[int]  # k(t-1)
    counted: set[int]  # the knowledge that counts for the base
    start: Cell
    end: Cell
    base: Cell
    in_range: set[int]


def measure(i: int, turns: list[AgentTurn], params: Params) -> dict[str, int]:
    """How often each fault or event of spec section 6 happened to agent i in a turn."""
    me = turns[i]
    near = [turns[j] for j in sorted(me.in_range)]
    stands_unready = me.end == me.base and len(me.counted) < params.num_pieces
    return {
        "unsuccessful_base_uses": int(stands_unready),
        "unsuccessful_base_entries": int(stands_unready and me.start != me.base),
        "wrong_pieces": int(me.chosen >= 0 and me.chosen not in me.speakable),
        "wrong_pieces_current": int(me.chosen >= 0 and me.chosen not in me.known),
        "useless_pieces": int(_is_useless_piece(me, near)),
        "useless_moves": int(_is_useless_move(i, turns, params, manhattan, to_new_cells=False)),
        "useless_moves_chebyshev": int(_is_useless_move(i, turns, params, chebyshev, to_new_cells=False)),
        "useless_moves_after": int(_is_useless_move(i, turns, params, manhattan, to_new_cells=True)),
        "turns_in_range": int(bool(near)),
        "known_pieces_heard": sum(other.said is not None and other.said in me.known for other in near),
    }


def _is_useless_piece(me: AgentTurn, near: list[AgentTurn]) -> bool:
    if me.said is None or not near:
        return False
    told_nothing = all(me.said in other.known for other in near)
    had_better = any(piece not in other.known for other in near for piece in me.speakable)
    return told_nothing and had_better


def _is_useless_move(
    i: int, turns: list[AgentTurn], params: Params, distance: Callable[[Cell, Cell], int], *, to_new_cells: bool
) -> bool:
    me = turns[i]
    if me.end == me.start or len(me.known) == params.num_pieces:
        return False
    different = [other for j, other in enumerate(turns) if j != i and other.known != me.known]
    targets = [other.end if to_new_cells else other.start for other in different]
    return bool(targets) and all(distance(me.end, t) > distance(me.start, t) for t in targets)


def sees(world: ReferenceWorld, i: int, j: int) -> bool:
    """Whether agent i sees agent j where they stand now."""
    if i == j or world.params.vision is None:
        return True
    return chebyshev(world.agents[i].cell, world.agents[j].cell) <= world.params.vision


def observe(world: ReferenceWorld, i: int) -> list[float]:
    """The observation vector of agent i, block by block in the order of spec section 4."""
    p = world.params
    me = world.agents[i]
    others = [a for a in world.agents if a.index != i]
    seen = {a.index: sees(world, i, a.index) for a in world.agents}

    def flags(pieces: set[int] | frozenset[int]) -> list[float]:
        return [1.0 if piece in pieces else 0.0 for piece in range(p.num_pieces)]

    def scaled(cell: Cell, origin: Cell, *, visible: bool) -> list[float]:
        if not visible:
            return [0.0, 0.0]
        return [(cell[0] - origin[0]) / (p.width - 1), (cell[1] - origin[1]) / (p.width - 1)]

    displayed = {a.index: a.knowledge if p.displayed_knowledge == "current" else a.previous for a in world.agents}

    vector: list[float] = []
    if p.oracle or p.show_own_knowledge:
        vector += flags(displayed[i])
    vector += flags(me.first_hand)
    vector += [float(me.direction[0]), float(me.direction[1])]
    for other in others:
        vector += [float(d) for d in other.direction] if seen[other.index] else [0.0, 0.0]
    if p.positions == "absolute":
        vector += scaled(me.cell, (0, 0), visible=True)
    for other in others:
        origin = (0, 0) if p.positions == "absolute" else me.cell
        vector += scaled(other.cell, origin, visible=seen[other.index])
    if p.oracle:
        for other in others:
            vector += flags(displayed[other.index])
    for other in others:
        vector += flags(set() if p.private_first_hand else other.first_hand)
    vector += scaled(me.base, me.cell, visible=True)
    for other in others:
        origin = other.cell if p.other_bases == "owner" else me.cell
        vector += scaled(other.base, origin, visible=seen[other.index])
    for other in others:
        is_heard = other.index in me.hears and other.said is not None
        vector += [1.0 if is_heard and piece == other.said else 0.0 for piece in range(p.num_pieces)]
    for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        vector.append(0.0 if world.is_free((me.cell[0] + dx, me.cell[1] + dy)) else 1.0)

    if p.vision is not None:
        vector += [1.0 if seen[other.index] else 0.0 for other in others]
    if p.show_speakable:
        vector += flags(world.speakable(i))
    if p.show_own_utterance:
        vector += [1.0 if piece == me.said else 0.0 for piece in range(p.num_pieces)]
    if p.show_last_reward:
        vector.append(me.last_reward)
    if p.show_turn:
        vector.append(world.turn / p.num_turns)
    return vector


@dataclass
class _Sources:
    """What a subject is thought to have learned in a turn, by the S matrices of spec section 9.4."""

    from_observer: set[int]
    from_heard: set[int]
    from_guess: set[int]

    @property
    def all(self) -> set[int]:
        return self.from_observer | self.from_heard | self.from_guess


class ReferenceBelief:
    """What one agent can think the others know: CE ("conservative") or GE ("greedy") of spec section 9.4."""

    def __init__(
        self,
        params: Params,
        observer: int,
        world: ReferenceWorld,
        kind: Literal["conservative", "greedy"] = "conservative",
        *,
        credit_speaker: bool = False,
    ) -> None:
        self.params = params
        self.observer = observer
        self.kind = kind
        self.credit_speaker = credit_speaker
        self.first_hand = [
            frozenset() if params.private_first_hand and a.index != observer else a.first_hand for a in world.agents
        ]
        self.matrix: list[set[int]] = [set(pieces) for pieces in self.first_hand]
        self.heard_turn: list[dict[int, int]] = [{} for _ in world.agents]

    def update(self, world: ReferenceWorld) -> None:
        """Take in the turn that has just been played."""
        guesses = self._guesses(world)
        sources = [self._sources(world, a.index, guesses) for a in world.agents]
        self.matrix = [self._believed(world, a.index, sources[a.index]) for a in world.agents]

    def _in_range(self, world: ReferenceWorld, j: int, other: int) -> bool:
        """Whether the observer knows that j and the other could hear each other in this turn."""
        return self._aware(world, j) and self._aware(world, other) and other in world.agents[j].hears

    def _aware(self, world: ReferenceWorld, j: int) -> bool:
        """In sight now, or in earshot in this turn: whoever was heard was seen then."""
        return sees(world, self.observer, j) or j in world.agents[self.observer].hears

    def _guesses(self, world: ReferenceWorld) -> dict[int, int]:
        """By speaker, the piece the greedy model supposes was said; nothing for the conservative one."""
        guesses: dict[int, int] = {}
        if self.kind != "greedy":
            return guesses
        agents = range(self.params.num_agents)
        for speaker in agents:
            was_heard = speaker in world.agents[self.observer].hears
            if speaker == self.observer or was_heard:
                continue
            listeners = [j for j in agents if self._in_range(world, j, speaker)]
            if not any(j != self.observer for j in listeners):
                continue
            candidates = self.matrix[speaker]
            if not candidates:
                continue
            known_by = {piece: sum(piece in self.matrix[j] for j in listeners) for piece in candidates}
            guesses[speaker] = min(sorted(candidates), key=known_by.__getitem__)
        return guesses

    def _sources(self, world: ReferenceWorld, subject: int, guesses: dict[int, int]) -> _Sources:
        observer = world.agents[self.observer]
        sources = _Sources(set(), set(), set())
        speakers = set()
        for speaker in world.agents:
            if not self._in_range(world, subject, speaker.index):
                continue
            if speaker is observer and speaker.said is not None:
                sources.from_observer.add(speaker.said)
                speakers.add(speaker.index)
            if self._in_range(world, observer.index, speaker.index) and speaker.said is not None:
                sources.from_heard.add(speaker.said)
                speakers.add(speaker.index)
            if speaker.index in guesses and subject != observer.index:
                sources.from_guess.add(guesses[speaker.index])
                speakers.add(speaker.index)
        if self.params.interference and len(speakers) >= 2:
            sources = _Sources(set(), set(), set())
        said = world.agents[subject].said
        if self.credit_speaker and subject in observer.hears and said is not None:
            sources.from_heard.add(said)
        return sources

    def _believed(self, world: ReferenceWorld, subject: int, sources: _Sources) -> set[int]:
        old = self.matrix[subject]
        heard = self.heard_turn[subject]
        if self._resets(world, subject, sources):
            heard.clear()
            believed = set(self.first_hand[subject])
        else:
            heard.update(dict.fromkeys(sources.all, world.turn))
            believed = old | sources.all
        if self.params.decay is None:
            return believed
        lasting = {piece for piece, turn in heard.items() if world.turn < turn + self.params.decay}
        return {piece for piece in believed if piece in self.first_hand[subject] or piece in lasting}

    def _resets(self, world: ReferenceWorld, subject: int, sources: _Sources) -> bool:
        uses_base = world.agents[subject].uses_base and sees(world, self.observer, subject)
        if not uses_base or self.params.base == "constant":
            return False
        if self.params.base == "proportional":
            return True
        counted = self.matrix[subject] | sources.all if self.params.base_pays_at_once else self.matrix[subject]
        return len(counted) == self.params.num_pieces
