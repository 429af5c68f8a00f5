"""One episode of SymmToM at one table: policies and players in any seats, recorded turn by turn."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from operator import index
from typing import Any

import numpy as np

from otherminds.core.episodes import Episode, EpisodeWriter
from otherminds.core.errors import UserError
from otherminds.core.players import Glimpse, Player, Policy
from otherminds.core.seeds import generator
from otherminds.worlds.symmtom import record, rules, text
from otherminds.worlds.symmtom.chance import draw_coins, draw_deal
from otherminds.worlds.symmtom.env import action_mask
from otherminds.worlds.symmtom.observe import observe
from otherminds.worlds.symmtom.types import MOVES, SILENT, Action, Params, State

Seat = Player | Policy


def play_episode(
    params: Params,
    seats: Sequence[Seat],
    seed: int,
    writer: EpisodeWriter | None = None,
    *,
    id: str | None = None,
    start: dict[str, Any] | None = None,
    notes: dict[str, Any] | None = None,
    on_turn: Callable[[State], None] | None = None,
) -> Episode:
    """Play an episode and give its record.

    Args:
        params: the world.
        seats: who plays, one entry a seat.
        seed: decides everything that is left to chance.
        writer: where to record each turn as it happens.
        id: the episode's name in the record; by default one that follows from world, players and seed.
        start: a start line (cells, bases, first-hand pieces) instead of a random deal.
        notes: anything to keep in the record, such as the conditions under which a person plays.
        on_turn: called with every new state, the first one included.
    """
    if len(seats) != params.num_agents:
        raise UserError(f"{len(seats)} players for {params.num_agents} seats; name one for each seat")
    world_rng = generator(seed, "world")
    state = record.start_state(params, start) if start else rules.deal(draw_deal(world_rng, params), params)
    names = [seat.name for seat in seats]
    episode = Episode(
        id=id or episode_id(params, names, seed),
        world=record.WORLD,
        config=params.to_dict(),
        players=names,
        seed=seed,
        start=record.start_line(state),
        notes=notes or {},
    )
    table = _Table(params, seats, seed, state)
    recorder, is_over = record.Recorder(episode, params, state, writer), False
    if on_turn:
        on_turn(state)
    while not is_over:
        outcome = recorder.turn(table.act(recorder.state), draw_coins(world_rng, params))
        if on_turn:
            on_turn(recorder.state)
        is_over = bool(outcome.terminated | outcome.truncated)
    table.end(recorder.finish()["scores"])
    return episode


def episode_id(params: Params, players: Sequence[str], seed: int) -> str:
    """A name that is the same for the same world, players and seed, and for no other episode."""
    what = json.dumps([record.WORLD, params.to_dict(), list(players), seed], sort_keys=True)
    return f"{params.setting}-seed{seed}-{hashlib.blake2b(what.encode(), digest_size=4).hexdigest()}"


def _checked(choice: Any, name: str, params: Params) -> tuple[int, int]:
    try:
        move, piece = map(index, choice)
        is_known = 0 <= move < len(MOVES) and SILENT <= piece < params.num_pieces
    except (TypeError, ValueError):
        is_known = False
    if not is_known:
        raise UserError(f"player {name!r} chose {choice!r}; expected a move 0 to 4 and a piece of the world, or -1")
    return move, piece


class _Table:
    """Asks every seat for its choice. A player is told what its seat may know; a policy, what each of its seats may."""

    def __init__(self, params: Params, seats: Sequence[Seat], seed: int, state: State) -> None:
        self._params = params
        self._players = {i: seat for i, seat in enumerate(seats) if isinstance(seat, Player)}
        self._policies: dict[Policy, list[int]] = {}
        for i, seat in enumerate(seats):
            if i not in self._players:
                assert isinstance(seat, Policy)
                self._policies.setdefault(seat, []).append(i)
        self._memories = {policy: policy.begin(policy.look(state, params), params) for policy in self._policies}
        self._rngs = {policy: generator(seed, f"policy/{policy.name}") for policy in self._policies}
        for i, player in self._players.items():
            player.begin(i, params, generator(seed, f"seat/{i}"))

    def act(self, state: State) -> Action:
        params = self._params
        joint = Action(np.zeros(params.num_agents, np.int32), np.full(params.num_agents, SILENT, np.int32))
        for policy, seats in self._policies.items():
            sight, memory = policy.look(state, params), self._memories[policy]
            action, self._memories[policy] = policy.act(memory, sight, params, self._rngs[policy])
            for chosen, mine in zip(joint, action, strict=True):
                chosen[seats] = mine[seats]
        if self._players:
            observations, mask = observe(state, params), action_mask(state, params)
            for i, player in self._players.items():
                glimpse = Glimpse(
                    seat=i,
                    turn=int(state.turn),
                    observation=observations[i],
                    action_mask={name: values[i] for name, values in mask.items()} if params.mask_actions else None,
                    text=text.describe(observations[i], params, i),
                    board=text.board(observations[i], params, i),
                )
                joint.move[i], joint.piece[i] = _checked(player.act(glimpse), player.name, params)
        return joint

    def end(self, scores: Sequence[float]) -> None:
        for i, player in self._players.items():
            player.end(scores[i])
