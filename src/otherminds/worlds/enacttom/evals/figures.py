"""Figures of EnactToM: functional against literal success, and success by depth (spec 9, figures b and d)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError
from otherminds.results.figures import drawing
from otherminds.worlds.enacttom.evals.measures import Share
from otherminds.worlds.enacttom.evals.published import SPLITS, published
from otherminds.worlds.enacttom.evals.scores import TaskRuns, by_group, shares

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")  # Okabe and Ito
_MARKS = "osD^vP*"
_HOLLOW = {"standard": "o", "hard": "s"}
Numbers = dict[str, dict[str, Any]]


def functional_literal(teams: Mapping[str, Sequence[TaskRuns]], path: str | Path) -> Numbers:
    """Draw functional against literal success of teams and published models; returns the numbers.

    Raises:
        MissingExtra: without matplotlib.
        UserError: if no team was probed, or the file cannot be written.
    """
    shown = {team: mine for team, tasks in teams.items() if (mine := shares(tasks))["literal"]}
    if not shown:
        raise UserError("these episodes have no probes; record them with 'otherminds evaluate enacttom --out'")
    with drawing((6.4, 4.6), path) as figure:
        axis = figure.subplots()
        axis.plot([0, 1], [0, 1], color="#BBBBBB", linewidth=0.9, zorder=0)
        for place, (split, mark) in enumerate(_HOLLOW.items()):
            cells = [(cell[f"{split} functional"], cell[f"{split} literal"]) for cell in published().values()]
            axis.plot(
                [a["average"] / 100 for a, _ in cells], [b["average"] / 100 for _, b in cells], mark, color="#888888",
                markerfacecolor="none", markersize=5, label=f"published, {SPLITS[place]}",
            )  # fmt: skip
        for place, (team, mine) in enumerate(shown.items()):
            across, up = mine["functional"], mine["literal"]
            if across and up:
                axis.errorbar(
                    across.value, up.value, xerr=_arms(across), yerr=_arms(up), fmt=_MARKS[place % len(_MARKS)],
                    color=COLOURS[place % len(COLOURS)], markersize=6, linewidth=1, label=team,
                )  # fmt: skip
        axis.set_xlabel("acts: share of runs that reach the goal")
        axis.set_ylabel("says: share of runs with all answers right")
        axis.set_xlim(-0.03, 1.03)
        axis.set_ylim(-0.03, 1.03)
        figure.legend(loc="outside right upper", frameon=False)
    return {team: _plain(mine, "functional", "literal") for team, mine in shown.items()}


def by_depth(teams: Mapping[str, Sequence[TaskRuns]], path: str | Path) -> Numbers:
    """Draw how often teams reach the goal and sweep the contrast worlds, by proved depth; returns the numbers.

    Raises:
        MissingExtra: without matplotlib.
        UserError: if no task has a proved depth, or the file cannot be written.
    """
    groups = {team: by_group(tasks)["depth"] for team, tasks in teams.items()}
    depths = sorted({depth for mine in groups.values() for depth in mine if depth.isdecimal()})
    if not depths:
        raise UserError(
            "these episodes do not record the proved depth of their tasks; expected episodes of a suite: "
            "record them with 'otherminds evaluate enacttom MIND --suite standard --out FOLDER'"
        )
    drawn = {team: {depth: shares(mine[depth]) for depth in depths if depth in mine} for team, mine in groups.items()}
    with drawing((7.2, 3.6), path) as figure:
        axes = figure.subplots(1, 2, sharey=True)
        for axis, (name, title) in zip(axes, (("functional", "average"), ("sweep", "sweep")), strict=True):
            for place, (team, mine) in enumerate(drawn.items()):
                shift = (place - (len(drawn) - 1) / 2) * 0.5 / len(drawn)  # beside those of other teams
                points = [(depths.index(depth) + shift, share) for depth in mine if (share := mine[depth][name])]
                arms = [_arms(share) for _, share in points]
                axis.errorbar(
                    [at for at, _ in points], [share.value for _, share in points], label=team, linewidth=1.1,
                    yerr=[[arm[side][0] for arm in arms] for side in (0, 1)], fmt=f"{_MARKS[place % len(_MARKS)]}-",
                    color=COLOURS[place % len(COLOURS)], markersize=5,
                )  # fmt: skip
            axis.set_title(f"{title}, with 95 % intervals", loc="left")
            axis.set_xticks(range(len(depths)), depths)
            axis.set_xlabel("proved depth of the task")
            axis.set_xlim(-0.5, len(depths) - 0.5)
            axis.set_ylim(-0.04, 1.04)
        axes[0].set_ylabel("share of runs that reach the goal")
        handles, names = axes[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=4, frameon=False)
    return {team: {depth: _plain(mine[depth], "functional", "sweep") for depth in mine} for team, mine in drawn.items()}


def _plain(scores: Mapping[str, Share | None], *names: str) -> dict[str, Any]:
    return {name: share._asdict() for name in names if (share := scores[name])}


def _arms(share: Share) -> list[list[float]]:
    """How far the interval extends below and above the value."""
    low, high = (share.value if end is None else end for end in (share.low, share.high))
    return [[max(0.0, share.value - low)], [max(0.0, high - share.value)]]


FIGURES = {"functional-literal": functional_literal, "depth": by_depth}
