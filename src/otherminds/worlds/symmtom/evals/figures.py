"""Figures 5 and 6 of the SymmToM paper from our runs: reward throughout training, one panel a setting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from otherminds.core.errors import UserError
from otherminds.results.figures import drawing
from otherminds.results.statistics import Floats, interval_of_curves
from otherminds.worlds.symmtom.evals.runs import Record, by_cell
from otherminds.worlds.symmtom.evals.tables import published
from otherminds.worlds.symmtom.minds import PAPER_MODELS

WIDTHS = {5: 6, 6: 12}  # of the board in each figure
# One colour for each model, distinguishable by the colour-blind (Okabe and Ito).
COLOURS = {
    "maddpg-oracle": "#000000",
    "maddpg-none": "#999999",
    "maddpg-recurrent": "#E69F00",
    "maddpg-conservative": "#0072B2",
    "maddpg-greedy": "#009E73",
    "maddpg-estimated": "#D55E00",
}
HEURISTIC = "#6E6E6E"


@dataclass(frozen=True)
class Curve:
    """The training of a model in a setting, over its runs."""

    model: str
    setting: str
    episodes: Floats  # at the end of each chunk
    mean: Floats
    low: Floats  # of the 95 % bootstrap interval of the mean
    high: Floats
    runs: int


def training_curves(records: Sequence[Record], settings: Sequence[str]) -> list[Curve]:
    """The curves of the paper's models; runs of different lengths count as far as the shortest goes."""
    curves = []
    for (model, setting), runs in by_cell(records).items():
        if setting in settings and runs[0].paper_model is not None and all(run.curve for run in runs):
            size = min(len(run.curve) for run in runs)
            rewards = np.asarray([run.curve[:size] for run in runs], dtype=np.float64)
            episodes = np.arange(1.0, size + 1.0, dtype=np.float64) * runs[0].chunk_episodes
            low, high = interval_of_curves(rewards)
            curves.append(Curve(model, setting, episodes, rewards.mean(axis=0), low, high, len(runs)))
    order = list(PAPER_MODELS)
    return sorted(curves, key=lambda curve: order.index(curve.model))


def panel_settings(number: int) -> list[str]:
    """The settings of a figure, row by row: a row for each number of pieces, a column for each of agents."""
    if number not in WIDTHS:
        raise UserError(
            f"there is no figure {number}; expected 5 or 6 (training curves), or the name of a scenario such as "
            f"order2_w12 (drawn as in figures 3 and 4)"
        )
    return [f"n{n}_w{WIDTHS[number]}_c{m * n}" for m in (1, 2, 3) for n in (3, 4)]


def draw_figure(number: int, records: Sequence[Record], path: str | Path) -> list[Curve]:
    """Draw a figure into a file.

    Returns:
        The curves drawn.
    """
    settings = panel_settings(number)
    curves = training_curves(records, settings)
    if not curves:
        raise UserError(
            f"no finished run belongs in figure {number}; train some with w={WIDTHS[number]}, such as "
            f"'otherminds train symmtom --setting {settings[0]}'"
        )
    with drawing((9, 9.5), path) as figure:
        axes = figure.subplots(3, 2, sharex=True)
        handles: dict[str, Any] = {}
        for setting, axis in zip(settings, axes.flat, strict=True):
            handles |= _panel(axis, setting, [c for c in curves if c.setting == setting])
        for axis in axes[:, 0]:
            axis.set_ylabel("reward per agent")
        for axis in axes[-1]:
            axis.set_xlabel("training episodes (thousands)")
        runs = sorted({curve.runs for curve in curves})
        seeds = "–".join(map(str, dict.fromkeys([runs[0], runs[-1]]))) if runs else "0"
        seeds += " seed" if seeds == "1" else " seeds"
        shade = "; shaded: 95 % interval of the mean" if runs and runs[-1] > 1 else ""
        figure.suptitle(
            f"SymmToM, figure {number}: reward throughout training, w = {WIDTHS[number]}\n"
            f"mean of {seeds} a model{shade}",
            fontsize=10.5,
        )
        order = [*PAPER_MODELS.values(), *(name for name in handles if name not in PAPER_MODELS.values())]
        shown = [name for name in order if name in handles]
        figure.legend([handles[n] for n in shown], shown, loc="outside lower center", ncols=4, frameon=False)
    return curves


def _panel(axis: Any, setting: str, curves: Sequence[Curve]) -> dict[str, Any]:
    handles = {}
    for curve in curves:
        colour, name = COLOURS[curve.model], PAPER_MODELS[curve.model]
        thousands = curve.episodes / 1000.0
        axis.fill_between(thousands, curve.low, curve.high, color=colour, alpha=0.12, linewidth=0)
        (handles[name],) = axis.plot(thousands, curve.mean, color=colour, linewidth=1.6)
    heuristic = published(1, "Heuristic", setting)[0]
    if heuristic is not None:
        handles["heuristic (published)"] = axis.axhline(
            heuristic, color=HEURISTIC, linewidth=1.1, linestyle=(0, (1, 2))
        )
    if not curves:
        axis.text(0.5, 0.5, "not trained yet", transform=axis.transAxes, ha="center", color="#999999")
    n, _, c = (int(part[1:]) for part in setting.split("_"))
    axis.set_title(f"n = {n}, c = {c // n if c > n else ''}n = {c}", loc="left")
    axis.set_ylim(0.0, 1.06 * axis.get_ylim()[1])
    axis.set_xlim(left=0.0)
    axis.grid(axis="y", color="#E6E6E6", linewidth=0.6)
    axis.set_axisbelow(True)
    return handles
