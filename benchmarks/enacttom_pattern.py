"""Do the splits of EnactToM show the step pattern, and how long does it take to play them with two processes?

A tracker of depth d, which reads no certificate, must sweep the tasks of depth d and less and hardly any deeper one;
minds without theory of mind must hardly sweep any of depth 2 or more. Run it again to resume.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

# Run as a script, it would only find its neighbours.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from otherminds.core.files import write_whole
from otherminds.core.json_lines import to_json
from otherminds.results.table import Table

TRACKERS = {f"tracker:depth={depth}": depth for depth in (1, 2, 3)}
MINDLESS = ("greedy", "random")
MINDS = (*TRACKERS, *MINDLESS, "decoupled", "selfish")
DEEP = 2
SPENT = "seconds.json"  # how long it took so far
BARS = {"deep_enough": 0.95, "too_shallow": 0.05, "mindless": 0.05, "minutes": 30.0}


def play(suites: Sequence[str], out: Path, minds: Sequence[str]) -> None:
    """Play suites at the same time, each in a process of its own. The time of an interrupted run counts too."""
    spent, started = out / SPENT, time.monotonic()
    before = json.loads(spent.read_text("utf-8")) if spent.exists() else 0.0
    command = ("evaluate", "enacttom", *minds)
    running = [_command(*command, "--suite", suite, "--out", str(folder_of(out, suite))) for suite in suites]
    try:
        failed = [process.args for process in running if process.wait()]
    finally:
        write_whole(spent, to_json(before + time.monotonic() - started))
    if failed:
        raise SystemExit(f"failed: {failed}")


def folder_of(out: Path, suite: str) -> Path:
    """Where the records of a suite are kept."""
    return out / Path(suite).name


def scored(suite: str, out: Path, record: Path) -> dict[str, Any]:
    """All measures of the recorded minds in a suite, which are written to ``record``."""
    _command("table", "enacttom", "minds", str(folder_of(out, suite)), "--out", str(record), quiet=True).wait()
    content: dict[str, Any] = json.loads(record.read_text("utf-8"))
    return content


def _command(*words: str, quiet: bool = False) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "otherminds.cli.main", *words]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL if quiet else None)


def exceptions(teams: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The tasks in which a tracker does not do what their depth says."""
    found = []
    for team in teams:
        if (able := TRACKERS.get(team["team"])) is not None:
            for task in team["per_task"]:
                if task["has_swept"] != (task["depth"] <= able):
                    found.append({"task": task["task"], "depth": task["depth"], "mind": team["team"]})
    return found


def verdicts(teams: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """For each mind that the pattern says something about: tasks that it may or may not sweep, and how many it did."""
    rows = []
    for team in teams:
        name = team["team"]
        for bar, tasks in {
            "deep_enough": [t for t in team["per_task"] if t["depth"] <= TRACKERS.get(name, 0)],
            "too_shallow": [t for t in team["per_task"] if name in TRACKERS and t["depth"] > TRACKERS[name]],
            "mindless": [t for t in team["per_task"] if name in MINDLESS and t["depth"] >= DEEP],
        }.items():
            if tasks:
                share = sum(bool(task["has_swept"]) for task in tasks) / len(tasks)
                is_met = share >= BARS[bar] if bar == "deep_enough" else share <= BARS[bar]
                rows.append({"mind": name, "bar": bar, "tasks": len(tasks), "swept": share, "is_met": is_met})
    return rows


def main() -> None:
    """Play, print whether the bars are met, and keep the records with ``--record``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suite", action="append", help="suite or folder of tasks [default: standard and hard]")
    parser.add_argument("--mind", action="append", help=f"[default: {', '.join(MINDS)}]")
    parser.add_argument("--out", type=Path, default=Path("out/pattern"), help="folder for the episodes")
    parser.add_argument("--record", type=Path, help="folder for a record of each suite, and of the verdicts")
    given = parser.parse_args()
    suites, record = given.suite or ["standard", "hard"], given.record or given.out
    play(suites, given.out, given.mind or MINDS)
    minutes = json.loads((given.out / SPENT).read_text("utf-8")) / 60
    found: dict[str, Any] = {}
    for suite in suites:
        teams = scored(suite, given.out, record / f"{Path(suite).name}.json")["teams"]
        rows = verdicts(teams)
        cells = [[r["mind"], r["bar"], r["tasks"], 100 * r["swept"], "met" if r["is_met"] else "missed"] for r in rows]
        table = Table("", ["mind", "bar", "tasks", "percent swept", "verdict"], cells, texts=2)
        print(f"\n{suite}\n{table.to_markdown()}")
        found[suite] = {"verdicts": rows, "exceptions": exceptions(teams)}
        for one in found[suite]["exceptions"]:
            print(f"{one['mind']} does not do in {one['task']} what depth {one['depth']} says")
    is_met = minutes <= BARS["minutes"]
    print(f"\nplayed in {minutes:.1f} minutes, bar {BARS['minutes']:.0f}: {'met' if is_met else 'missed'}")
    if given.record:
        command = f"benchmarks/enacttom_pattern.py {' '.join(sys.argv[1:])}"
        content = {"command": command, "minutes": minutes, "bars": BARS, "suites": found}
        write_whole(record / "pattern.json", to_json(content, indent=1) + "\n")


if __name__ == "__main__":
    main()
