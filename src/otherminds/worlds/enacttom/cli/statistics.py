"""``otherminds table enacttom statistics``: how deep, large and varied the tasks of some suites are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from otherminds.cli.output import print_result
from otherminds.results.table import Table

_DISTINCT = {
    "tasks": "tasks",
    "skeletons": "different skeletons",
    "mechanisms": "different mechanisms, names and copies aside",
    "houses": "different floor plans",
}
_NUMBERS = {
    "walkers": "people who walk",
    "worlds": "possible worlds",
    "horizon": "turns",
    "fewest_turns": "turns needed with full information",
    "messages": "messages in all",
    "goal_things": "things in the goal",
    "words": "words of the public text",
}
_CLAIMS = {
    "tight": "tight: minds with conventions need the same depth",
    "mixed": "with private goals",
    "moves_and_carries": "people walk and carry things",
    "searches": "a thing must be searched for",
}
_COUNTS = {
    "depth": "depth",
    "people": "people",
    "goal_things": "things in the goal",
    "budgets": "messages of one person",
    "mechanics": "with the mechanic",
    "operator": "made by",
    "additions": "with the addition",
    "generation": "generation",
}


def statistics(suites: Sequence[str], out: Path | None, json: bool) -> None:
    """Print the distributions of suites or folders of tasks side by side."""
    from otherminds.worlds.enacttom.tasks.read import suites as shipped
    from otherminds.worlds.enacttom.tasks.statistics import facts, statistics
    from otherminds.worlds.enacttom.tasks.suite import tasks_of

    rows = {name: list(map(facts, tasks_of(name))) for name in suites or shipped()}
    report = {"suites": {name: {**statistics(tasks), "per_task": tasks} for name, tasks in rows.items()}}
    print_result(json, report, statistics_table(report["suites"]), out=out)


def statistics_table(suites: Mapping[str, Mapping[str, Any]]) -> Table:
    """Statistics of tasks, one suite a column."""
    rows: list[list[Any]] = [[label, *(suite[name] for suite in suites.values())] for name, label in _DISTINCT.items()]
    rows.append([])
    for name, label in _CLAIMS.items():
        rows.append([label, *(_part(suite[name], suite["tasks"]) for suite in suites.values())])
    rows.append([])
    for name in next(iter(suites.values()))["numbers"]:
        rows.append([_NUMBERS.get(name, name), *(_spread(suite["numbers"][name]) for suite in suites.values())])
    for name, label in _COUNTS.items():
        rows.append([])
        values = {value for suite in suites.values() for value in suite["counts"][name]}
        for value in sorted(values, key=lambda value: (value.isdecimal() and int(value), value)):
            rows.append([f"{label} {value}", *(suite["counts"][name].get(value, 0) for suite in suites.values())])
    return Table("statistics of tasks", ["", *suites], rows)


def _part(number: int, tasks: int) -> str:
    return f"{number} ({100 * number / max(1, tasks):.0f} %)"


def _spread(numbers: Mapping[str, float]) -> str:
    return f"{numbers['median']:g} ({numbers['low']:g} to {numbers['high']:g})"
