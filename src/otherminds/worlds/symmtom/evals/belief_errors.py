"""Brier scores of beliefs about what others know, along the episodes of any mind.

All beliefs follow the same episodes, each from the percepts of every seat. A belief by rule claims with certainty, so
its Brier score is its share of errors; a Bayesian belief may hedge.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from otherminds.core.errors import UserError
from otherminds.core.registry import entries
from otherminds.results.statistics import standard_error
from otherminds.results.table import Cell, Table
from otherminds.worlds.symmtom.evals.agents import load_policy
from otherminds.worlds.symmtom.evals.tables import Row
from otherminds.worlds.symmtom.minds.belief_parts import BeliefPart, begin, find_belief, revise
from otherminds.worlds.symmtom.minds.rollout import WatchedTurn, rollout_seats
from otherminds.worlds.symmtom.observe import flags, others, perceive
from otherminds.worlds.symmtom.types import Array, Params, State


def rules() -> list[str]:
    """Return the names of registered beliefs that follow others' knowledge by a rule."""
    parts = [find_belief(entry.name) for entry in entries("belief", "symmtom")]
    return [part.name for part in parts if part.rule and part.order == 1 and part.name != "zeroth"]


class Errors(NamedTuple):
    """Sums over turns, other agents and pieces, ``float32 [agent, *worlds]`` each."""

    squared: Array  # squared distance from the truth
    untrue: Array  # probability given to pieces that the other did not know
    missed: Array  # probability denied to pieces that the other knew
    claims: Array  # number of claims


@dataclass(frozen=True)
class BeliefWatch:
    """Compares, after every turn, what a belief says about others with what they know."""

    part: BeliefPart

    def begin(self, state: State, params: Params) -> Any:
        return begin(self.part, perceive(state, params), params)

    def nothing(self, state: State) -> Errors:
        import jax.numpy as jnp

        return Errors(*(jnp.zeros(state.x.shape) for _ in Errors._fields))

    def turn(self, memory: Any, turn: WatchedTurn, params: Params) -> tuple[Any, Errors]:
        import jax
        import jax.numpy as jnp

        state, n, c = turn.after, params.num_agents, params.num_pieces
        key = jax.random.fold_in(jax.random.key(0), state.turn.reshape(-1)[0])
        memory, claims = revise(self.part, memory, perceive(state, params), state.last_reward, params, key)
        claims = flags(jnp, claims, params) if claims.dtype == jnp.uint32 else claims
        believed = claims[:, c : n * c]  # its own slot is the first
        truth = flags(jnp, others(jnp, state.knowledge), params)
        assert believed.shape == truth.shape == (n, (n - 1) * c, *state.turn.shape)
        gap = believed - truth
        number = jnp.full(state.x.shape, float((n - 1) * c))
        return memory, Errors(
            jnp.square(gap).sum(axis=1), jnp.maximum(gap, 0).sum(axis=1), jnp.maximum(-gap, 0).sum(axis=1), number
        )


def belief_rows(
    minds: Sequence[str],
    beliefs: Sequence[str] = (),
    settings: Sequence[str] = ("n3_w6_c3",),
    episodes: int = 1000,
    seed: int = 0,
    switches: dict[str, Any] | None = None,
    advance: Callable[[str], None] = lambda _: None,
) -> list[Row]:
    """Score beliefs, by default all with a rule, along episodes of every mind in every setting.

    Returns:
        ``belief``, ``player`` (the mind in all seats), ``setting``, ``brier`` (mean squared distance from the truth
        over turns, other agents and pieces), ``untrue`` and ``missed`` (the mean distance for pieces that the other
        did not know, and for pieces that it knew), ``standard_error`` (of the Brier score, over episodes),
        ``episodes``, ``seed``.

    Raises:
        UserError: if a belief is not known or says nothing by itself, a mind cannot fill all seats, or a setting is
            not a setting.
    """
    known = rules()
    parts = [find_belief(name) for name in beliefs or known]
    for part in parts:
        if part.name not in known:
            raise UserError(f"belief {part.name!r} is not a rule about others' knowledge; expected {', '.join(known)}")
    policies = [load_policy(name) for name in minds]
    worlds = [Params.from_setting(setting, **(switches or {})) for setting in settings]
    rows = []
    for params, policy, part in product(worlds, policies, parts):
        seats = [0] * params.num_agents
        played = rollout_seats(params, [policy], seats, seed, episodes, "jax", 256, BeliefWatch(part))
        sums = Errors(*(np.asarray(counts, np.float64).sum(axis=0) for counts in played.watched))
        rows.append(
            {
                "belief": part.name,
                "player": policy.name,
                "setting": params.setting,
                "brier": float((sums.squared / sums.claims).mean()),
                "untrue": float((sums.untrue / sums.claims).mean()),
                "missed": float((sums.missed / sums.claims).mean()),
                "standard_error": standard_error(sums.squared / sums.claims),
                "episodes": episodes,
                "seed": seed,
            }
        )
        advance(f"{part.name}, {policy.name} in {params.setting}")
    return rows


def beliefs_table(rows: Sequence[Row]) -> Table:
    """Brier scores, a column for each belief."""
    lines: dict[tuple[str, str], Row] = {}
    for row in rows:
        place = row["player"], row["setting"]
        line = lines.setdefault(place, {"mind and setting": ", ".join(place)})
        line[row["belief"]] = Cell(row["brier"], row["standard_error"], digits=3)
    notes = [
        "Brier score of what each belief says others know, after every turn: 0 is perfect, 0.25 is a coin flip",
        f"{rows[0]['episodes']} episodes each, seed {rows[0]['seed']}; ± standard error",
    ]
    return Table.of("errors of beliefs about others", list(lines.values()), notes=notes)
