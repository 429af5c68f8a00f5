"""SymmToM in the belief ledger: true events, how they appear to an agent, and how beliefs are updated.

This is the slow and obvious account of who could know what, with sets instead of bit masks. Its fold along the empty
chain is the truth; along ``(k,)`` it is the paper's conservative belief (CE); along ``(a, b)`` it is what a can believe
that b believes, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from otherminds.core.errors import UserError
from otherminds.core.ledger import Ledger, Observer
from otherminds.worlds.symmtom.bits import first_piece, pieces_of
from otherminds.worlds.symmtom.observe import Percept, perceive
from otherminds.worlds.symmtom.types import Params, State

Pieces = frozenset[int]


@dataclass(frozen=True)
class Dealt:
    """The start: first-hand pieces of each agent; ``None`` where they are private and the viewer is another agent."""

    first_hand: tuple[Pieces | None, ...]
    are_private: bool = False


@dataclass(frozen=True)
class TurnEvent:
    """One turn. In a view, unheard speech is missing from ``said``; silence that was noticed is ``None``."""

    number: int
    said: tuple[tuple[int, int | None], ...]  # (speaker, piece)
    in_range: frozenset[tuple[int, int]]  # (listener, speaker)
    uses_base: frozenset[int]
    sees: frozenset[tuple[int, int]]  # (observer, subject)
    viewer: Observer | None = None  # whose view this is; None for the true turn


Event = Dealt | TurnEvent


@dataclass(frozen=True)
class Believed:
    """Beliefs about each agent: pieces known, first-hand pieces, and when each piece was last heard."""

    knows: tuple[Pieces, ...] = ()
    first_hand: tuple[Pieces, ...] = ()
    heard: tuple[tuple[tuple[int, int], ...], ...] = ()  # agent -> (piece, turn)


def appears(event: Event, observer: Observer) -> Event:
    """An event as an agent perceives it. Everyone sees that a turn passes, so no event disappears altogether."""
    me = observer
    if isinstance(event, Dealt):
        if not event.are_private:
            return event
        return replace(event, first_hand=tuple(f if j == me else None for j, f in enumerate(event.first_hand)))
    # An agent in range was in sight then, even if it has moved away since.
    aware = {j for k, j in event.sees | event.in_range if k == me} | {me}
    return TurnEvent(
        number=event.number,
        said=tuple((j, piece) for j, piece in event.said if j == me or (me, j) in event.in_range),
        in_range=frozenset((a, b) for a, b in event.in_range if a in aware and b in aware),
        uses_base=frozenset(j for j in event.uses_base if (me, j) in event.sees),
        sees=frozenset((a, b) for a, b in event.sees if (me, a) in event.sees and (me, b) in event.sees),
        viewer=me,
    )


def update(params: Params, credit_speaker: bool, mind: Believed, event: Event) -> Believed:
    """The conservative rule: believe what was witnessed, assume nothing else (paper section 6, CE)."""
    if isinstance(event, Dealt):
        owned = tuple(f or frozenset() for f in event.first_hand)
        return Believed(owned, owned, tuple(() for _ in owned))
    subjects = [_revise(params, credit_speaker, mind, event, j) for j in range(params.num_agents)]
    return Believed(tuple(k for k, _ in subjects), mind.first_hand, tuple(h for _, h in subjects))


def _revise(
    params: Params, credit_speaker: bool, mind: Believed, turn: TurnEvent, j: int
) -> tuple[Pieces, tuple[tuple[int, int], ...]]:
    voices = [piece for speaker, piece in turn.said if (j, speaker) in turn.in_range and piece is not None]
    learned = frozenset(voices)
    if params.interference and len(voices) >= 2:
        learned = frozenset()
    if credit_speaker and turn.viewer not in (None, j):  # an agent does not infer its own knowledge from its own speech
        learned |= {piece for speaker, piece in turn.said if speaker == j and piece is not None}
    counted = mind.knows[j] | learned if params.base_pays_at_once else mind.knows[j]
    is_complete = len(counted) == params.num_pieces
    if j in turn.uses_base and params.base != "constant" and (is_complete or params.base == "proportional"):
        return mind.first_hand[j], ()
    knows, heard = mind.knows[j] | learned, {**dict(mind.heard[j]), **dict.fromkeys(learned, turn.number)}
    if params.decay is not None:
        fresh = {piece for piece, when in heard.items() if turn.number < when + params.decay}
        knows = frozenset(piece for piece in knows if piece in mind.first_hand[j] or piece in fresh)
    return knows, tuple(sorted(heard.items()))


def open_ledger(params: Params, states: Sequence[State], *, credit_speaker: bool = False) -> Ledger[Event, Believed]:
    """The ledger of an episode: NumPy states of one world, from the start to the last turn."""
    ledger: Ledger[Event, Believed] = Ledger(appears, partial(update, params, credit_speaker), Believed())
    first = states[0]
    ledger.record(Dealt(tuple(frozenset(pieces_of(f)) for f in first.first_hand), params.private_first_hand))
    for state in states[1:]:
        ledger.record(turn_event(params, state))
    return ledger


def turn_event(params: Params, state: State) -> TurnEvent:
    """The true turn that led to a state."""
    agents = range(params.num_agents)
    sight: Percept = perceive(state, params)

    def named(sets: Sequence[int]) -> frozenset[tuple[int, int]]:
        return frozenset((i, j) for i in agents for j in agents if int(sets[i]) >> j & 1)

    return TurnEvent(
        number=int(state.turn),
        said=tuple((j, first_piece(state.utterance[j])) for j in agents),
        in_range=named(state.earshot),
        uses_base=frozenset(j for j in agents if state.uses_base[j]),
        sees=named(sight.sees),
    )


def supported(params: Params, states: Sequence[State], agent: int, piece: int, turn: int | None = None) -> list[str]:
    """The agents that know a piece according to the evidence of one agent; a heard speaker knows what it says."""
    known = probe(params, states, (agent,), turn, credit_speaker=True)
    return [str(i) for i, pieces in enumerate(known) if piece in pieces]


def probe(
    params: Params,
    states: Sequence[State],
    chain: Sequence[int] = (),
    turn: int | None = None,
    *,
    credit_speaker: bool = False,
) -> tuple[Pieces, ...]:
    """The knowledge of each agent that the evidence along a chain of agents supports.

    Args:
        params: parameters of the world.
        states: the episode, from its start.
        chain: ``()`` for the truth, ``(0,)`` for the evidence of agent 0, ``(0, 1)`` for the evidence of agent 1 as
            far as agent 0 has it, …
        turn: the turn after which to ask. [default: the last]
        credit_speaker: whether a heard speaker is taken to know the piece it says.

    Returns:
        A set of pieces for each agent.
    """
    last = len(states) - 1
    turn = last if turn is None else turn
    if not 0 <= turn <= last:
        raise UserError(f"turn {turn} is not in the episode; expected 0 to {last}")
    for agent in chain:
        if not 0 <= agent < params.num_agents:
            raise UserError(f"the chain names agent {agent}; expected 0 to {params.num_agents - 1}")
    return open_ledger(params, states, credit_speaker=credit_speaker).belief(tuple(chain), turn + 1).knows
