"""Tables 5 and 6, wrong and useless pieces, split by what the agent believed.

The paper leaves open whether "these apparently wrong behaviors were done in turns where the agent had all the
information available to make a better move, or if this is their default when they believe they have nothing of value
to communicate" (its section A.2). At every decision we take the belief the agent decides by, and ask what it showed.

Whose belief: the agent's rule (CE, GE and ours), its estimate or likelihood above one half (EE, Bayesian), or what it
is shown (Oracle). An agent that is also shown what it can say (``symmetric`` networks) never errs by the delay. Agents
without a belief (MADDPG, RMADDPG, the heuristic) are given the conservative belief: what the evidence
they had supports, whether or not they kept it.

Who would listen: those in range when the agent had to choose, before anybody moved, as the question is what could be
known then. Table 6 goes by those who did listen, and so also blames an agent for what others' moves brought about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import Any, NamedTuple

import numpy as np

from otherminds.core.mind import Policy
from otherminds.results.table import Cell, Table
from otherminds.worlds.symmtom.beliefs import belief_rules as beliefs
from otherminds.worlds.symmtom.beliefs.bayes import BayesRule
from otherminds.worlds.symmtom.beliefs.belief_rules import BeliefRule
from otherminds.worlds.symmtom.bits import bit_of, contains, members, namespace
from otherminds.worlds.symmtom.evals.tables import Row
from otherminds.worlds.symmtom.metrics import measure
from otherminds.worlds.symmtom.minds.rollout import WatchedTurn, rollout_seats
from otherminds.worlds.symmtom.observe import perceive
from otherminds.worlds.symmtom.rules import earshot, speakable
from otherminds.worlds.symmtom.types import Array, Params, State

_NO_BELIEF = "what the evidence supports (conservative), as it has no belief"
_TOTALS = {5: "wrong", 6: "useless"}
_HEADS = {  # of the columns of tables 5 and 6, with the fields of ErrorBreakdown
    5: {
        "shown,\nbetter": "shown_better",
        "shown,\nidle": "shown_idle",
        "delay,\nbetter": "delayed_better",
        "delay,\nidle": "delayed_idle",
        "\nalone": "alone",
    },
    6: {"shown,\nbetter": "shown_better", "shown,\nidle": "shown_idle", "not\nshown": "unshown", "\nalone": "alone"},
}
_LEGENDS = {
    5: "shown: no piece it thought it knew itself; delay: it knew the piece, but too recently to say it",
    6: "shown: its belief said that all listeners knew it; not: it said that one lacked it, or nobody listened",
}


class ErrorBreakdown(NamedTuple):
    """Counts per agent and episode, ``int32 [agent, *worlds]`` each."""

    wrong: Array  # chosen pieces that could not be said (Table 5)
    wrong_shown_better: Array  # the agent was not thought to know it by itself, and had something of use to say
    wrong_shown_idle: Array  # the same, with nothing of use to say by its belief
    wrong_delayed_better: Array  # it knew the piece, but too recently to say it, and had something of use to say
    wrong_delayed_idle: Array  # the same, with nothing of use to say
    wrong_alone: Array  # of all four, those with nobody to listen
    useless: Array  # said what all listeners knew, with something better to say (Table 6)
    useless_shown_better: Array  # the belief said that all knew it, and offered something better
    useless_shown_idle: Array  # the belief said that all knew it, and that all knew the rest too
    useless_unshown: Array  # by the belief somebody lacked it, or nobody was there yet: it could not know
    useless_alone: Array  # of all three, those with nobody to listen
    offered: Array  # turns in which the belief offered something of use to say
    turns: Array  # turns with somebody to listen


@dataclass(frozen=True)
class BreakdownWatch:
    """Counts a :class:`ErrorBreakdown`."""

    rule: BeliefRule = beliefs.CONSERVATIVE  # what is believed, unless the two that follow say otherwise
    mind: Any = None  # a trained mind that says what it believes
    is_told_truth: bool = False
    own_is_speakable: bool = False  # the agent is shown what it can say

    def begin(self, state: State, params: Params) -> Any:
        return beliefs.begin(perceive(state, params), params, self.rule)

    def nothing(self, state: State) -> ErrorBreakdown:
        xp = namespace(state.x)
        return ErrorBreakdown(*(xp.zeros_like(state.x, dtype=xp.int32) for _ in ErrorBreakdown._fields))

    def turn(self, memory: Any, turn: WatchedTurn, params: Params) -> tuple[Any, ErrorBreakdown]:
        belief = beliefs.update(memory, perceive(turn.before, params), params, self.rule)
        own = speakable(turn.before, params) if self.own_is_speakable else None
        return belief, count(self._knows(belief.knows, turn, params), turn, params, own)

    def _knows(self, by_rule: Array, turn: WatchedTurn, params: Params) -> Array:
        """``uint32 [observer, subject, *worlds]``."""
        xp = namespace(by_rule)
        if self.mind is not None:
            import jax.numpy as jnp

            mind = self.mind.into(params)
            likely = mind.believes(turn.memories[0], mind.look(State(*map(jnp.asarray, turn.before))))
            return members(jnp, [likely[:, :, p] > 0.5 for p in range(params.num_pieces)])
        return xp.broadcast_to(turn.before.knowledge, by_rule.shape) if self.is_told_truth else by_rule


def count(knows: Array, turn: WatchedTurn, params: Params, own: Array | None = None) -> ErrorBreakdown:
    """Return what one turn adds to the counts.

    Args:
        knows: the belief each agent decided by, ``uint32 [observer, subject, *worlds]``.
        turn: what happened.
        params: the world.
        own: what each agent is shown that it can say, if not what it believes to know itself.
    """
    xp = namespace(knows)
    agents = range(params.num_agents)
    before = turn.before
    can_say, chosen = speakable(before, params), bit_of(xp, turn.action.piece)
    listeners = earshot(before.x, before.y, params)
    near = [contains(listeners, j) for j in agents]
    own = xp.stack([knows[i, i] for i in agents]) if own is None else own

    has_use = reduce(or_, [near[j] & (can_say & ~knows[:, j] != 0) for j in agents])
    seems_known = (listeners != 0) & reduce(and_, [~near[j] | (chosen & ~knows[:, j] == 0) for j in agents])
    is_shown = chosen & own == 0
    tally = measure(before, turn.action, turn.after, turn.outcome, params)
    is_wrong, is_useless = tally.wrong_pieces != 0, tally.useless_pieces != 0
    claims = (
        is_wrong,
        is_wrong & is_shown & has_use,
        is_wrong & is_shown & ~has_use,
        is_wrong & ~is_shown & has_use,
        is_wrong & ~is_shown & ~has_use,
        is_wrong & (listeners == 0),
        is_useless,
        is_useless & seems_known & has_use,
        is_useless & seems_known & ~has_use,
        is_useless & ~seems_known,
        is_useless & (listeners == 0),
        has_use,
        listeners != 0,
    )
    return ErrorBreakdown(*(claim.astype(xp.int32) for claim in claims))


def watch_of(policy: Policy) -> tuple[str, BreakdownWatch]:
    """Return whose belief is taken for a policy, in words and as a watch."""
    mind = getattr(policy, "mind", None)
    if mind is None:
        rule = getattr(policy, "rule", None)
        if policy.sees_truth:
            return "what it is told", BreakdownWatch(is_told_truth=True)
        if isinstance(rule, BeliefRule):
            return f"its rule ({rule.kind})", BreakdownWatch(rule)
        return _NO_BELIEF, BreakdownWatch()
    is_told, belief = mind.params.show_speakable or mind.is_situated, mind.belief
    if belief.sees_truth:
        words = "what it is shown"
    elif belief.network == "estimating":
        words = "its estimate above 1/2"
    elif belief.rule is None:
        return _NO_BELIEF, BreakdownWatch(own_is_speakable=is_told)
    else:
        words = "its likelihoods above 1/2" if isinstance(belief.rule, BayesRule) else f"its rule ({belief.name})"
    return words, BreakdownWatch(mind=mind, own_is_speakable=is_told)


def split_row(
    player: str,
    params: Params,
    policies: Sequence[Policy],
    paper: dict[str, float | None],
    episodes: int,
    seed: int = 0,
) -> Row:
    """Play each run of a model in all seats and count.

    Returns:
        ``player``, ``setting``, ``belief`` (whose belief was taken), ``runs``, ``episodes`` (of each run), ``paper``
        (published totals, ``wrong`` and ``useless``) and ``means`` (per agent and episode over runs, by the fields of
        :class:`ErrorBreakdown`).
    """
    seating = [0] * params.num_agents
    totals: list[ErrorBreakdown] = [
        rollout_seats(params, [policy], seating, seed, episodes, watch=watch_of(policy)[1]).watched
        for policy in policies
    ]
    means = {
        name: float(np.mean([np.mean(getattr(total, name), dtype=np.float64) for total in totals]))
        for name in ErrorBreakdown._fields
    }
    return {
        "player": player,
        "setting": params.setting,
        "belief": watch_of(policies[0])[0],
        "runs": len(policies),
        "episodes": episodes,
        "paper": paper,
        "means": means,
    }


def split_table(number: int, rows: Sequence[Row]) -> Table:
    """Table 5 or 6, divided by what agents believed."""
    total, first = _TOTALS[number], "agent\nand setting"
    sections: dict[str, list[Row]] = {}
    for row in rows:
        means = row["means"]
        line: Row = {first: f"  {row['setting']}" + (f" ×{row['runs']}" if row["runs"] > 1 else "")}
        line["\nall"] = Cell(means[total], digits=2)
        for head, part in _HEADS[number].items():
            line[head] = f"{100 * means[f'{total}_{part}'] / means[total]:.0f} %" if means[total] else None
        line["\nuse"] = Cell(means["offered"])
        line["all,\npubl."] = "" if row["paper"].get(total) is None else f"{row['paper'][total]:g}"
        sections.setdefault(row["player"], [{first: row["player"]}]).append(line)
    beliefs = dict.fromkeys(f"{row['player']}: by {row['belief']}" for row in rows)
    notes = [
        f"{_LEGENDS[number]}; better: its belief offered something of use to say; idle: it did not; alone: nobody "
        "could listen",
        "use: turns in which it offered something; listeners: in range before moving",
        f"{max(row['episodes'] for row in rows)} episodes of each run; ×: several runs",
    ]
    title = f"SymmToM, table {number} by what agents believed: {total} pieces per agent"
    return Table.of(title, *sections.values(), notes=[*notes, *beliefs])
