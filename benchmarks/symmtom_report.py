"""The record of symmtom_speed.py for people: tables in the terminal and a plot of costs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

Record = dict[str, Any]
KINDS = {False: "without observations", True: "with observations"}


def describe(cell: Record) -> str:
    """One measured cell in a line."""
    rate = _rate(cell["steps_per_second"])
    compiled = f"compiled in {cell['compile_seconds']:.1f} s"
    worlds = "1 world" if cell["worlds"] == 1 else f"{cell['worlds']} worlds"
    return f"{cell['setting']} {KINDS[cell['observations']]}, {worlds}: {rate} steps/s, {compiled}"


def show(record: Record) -> None:
    """Print what was measured and which bars are met."""
    from rich.console import Console
    from rich.table import Table

    console = Console()
    speeds = Table("", "seen", "worlds", "steps/s", "compile", "cores", "x coin", "x best")
    for kind in (False, True):
        runs = [run for run in record["coin_game"]["runs"] if run["observations"] == kind]
        if runs:
            best = max(runs, key=lambda run: float(run["steps_per_second"]))
            speeds.add_row("coin_game", *_columns(best))
    for row in record["best"]:
        speeds.add_row(row["setting"], *_columns(row), _times(row["ratio"]), _times(row["ratio_to_fastest"]))
    console.print(speeds)
    console.print("seen: with observations; cores: processor over wall time; x coin: of its kind")
    if record["coin_game"]["problem"]:
        console.print(f"No ratios: {record['coin_game']['problem']}.")

    bars = Table("bar", "wanted", "measured", "met")
    for bar in record["bars"]:
        sign = "≤" if bar["at_most"] else "≥"
        verdict = {True: "yes", False: "NO", None: "not measured"}[bar["met"]]
        measured = "" if bar["measured"] is None else f"{bar['measured']:,.1f}"
        bars.add_row(bar["name"], f"{sign} {bar['target']:,.0f}", measured, verdict)
    console.print(bars)

    agents = Table("agents", *(f"ns a step, {kind}" for kind in KINDS.values()))
    numbers = sorted({cell["agents"] for cell in record["by_agents"]})
    for n in numbers:
        costs = [f"{1e9 / c['steps_per_second']:.0f}" for c in record["by_agents"] if c["agents"] == n]
        agents.add_row(str(n), *costs)
    console.print(agents)
    if record["plot"]:
        console.print(f"Plot: {record['plot']}")


def plot(record: Record, path: Path) -> str | None:
    """Draw cost against agents and speed against worlds; the path, or nothing if matplotlib is missing."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        print("no plot: matplotlib is missing; install otherminds[bench]", file=sys.stderr)
        return None
    figure = Figure(figsize=(9, 3.4), layout="constrained")
    by_agents, by_worlds = figure.subplots(1, 2)
    for kind, name in KINDS.items():
        cells = [cell for cell in record["by_agents"] if cell["observations"] == kind]
        by_agents.plot([c["agents"] for c in cells], [1e9 / c["steps_per_second"] for c in cells], "o-", label=name)
        cells = [cell for cell in record["by_worlds"] if cell["observations"] == kind]
        by_worlds.plot([c["worlds"] for c in cells], [c["steps_per_second"] for c in cells], "o-", label=name)
    by_agents.set(xlabel="agents (w = 12, c = n)", ylabel="ns a step of one world", ylim=(0, None))
    by_worlds.set(xlabel="parallel worlds (n3_w6_c3)", ylabel="steps a second", xscale="log", yscale="log")
    for axes in (by_agents, by_worlds):
        axes.grid(alpha=0.3)
        axes.legend(frameon=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)
    return str(path)


def _columns(cell: Record) -> list[str]:
    kind = "yes" if cell["observations"] else "no"
    rate, seconds, cores = _rate(cell["steps_per_second"]), cell["compile_seconds"], cell["busy_cores"]
    return [kind, f"{cell['worlds']:,}", rate, f"{seconds:.1f} s", f"{cores:.1f}"]


def _rate(steps_per_second: float) -> str:
    if steps_per_second >= 1e6:
        return f"{steps_per_second / 1e6:.2f} M"
    return f"{steps_per_second:,.0f}"


def _times(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.1f}"
