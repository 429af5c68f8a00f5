"""SymmToM on the command line: a language model in a seat, among agents or in scenarios."""

from __future__ import annotations

from typing import Any

from rich.table import Table

from otherminds.cli.models import Asking
from otherminds.cli.output import console, print_json


def evaluate_model(asking: Asking, options: dict[str, Any]) -> dict[str, Any]:
    """Play the task, or go on with it, print its scores, and give them.

    Args:
        asking: which model, and how it is used.
        options: of the task ``otherminds/symmtom``.
    """
    from otherminds.evals.inspect.symmtom_run import evaluated, symmtom_tasks, takes

    expected, (log,) = asking.run(symmtom_tasks(**options), takes(options["memory"]))
    done = evaluated(log)
    found = {"model": asking.model, "plan": expected, "result": done.to_json()}
    if asking.json:
        print_json(found)
        return found
    out = console()
    out.print(f"[dim]{done.tokens_in} tokens read, {done.tokens_out} written; log: {done.log}[/dim]", soft_wrap=True)
    where = "scenarios" if options["scenario"] else f"{options['setting']} among {', '.join(options['others'])}"
    out.print(f"SymmToM, {asking.model} in {where}, {done.samples} played", soft_wrap=True)
    out.print(_grid(done.metrics))
    return found


def _grid(metrics: dict[str, float | None]) -> Table:
    grid = Table()
    grid.add_column("score", no_wrap=True)
    grid.add_column("mean", justify="right")
    grid.add_column("±", justify="right")
    for name, value in metrics.items():
        if not name.endswith("±"):
            grid.add_row(name, _figure(value), _figure(metrics.get(f"{name} ±")))
    return grid


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
