"""How fast is SymmToM, against JaxMARL's coin_game in the same run, through PettingZoo, and as agents and worlds grow?

Without options it prints tables and draws a plot, in some four minutes on two cores.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

# Run as a script, it would only find its neighbours.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import jaxmarl_environment, symmtom_report, timing
from benchmarks.symmtom_rollouts import measure, measure_parallel_env

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "results" / "symmtom_speed.json"
SMALL, LARGE = "n3_w6_c3", "n4_w12_c12"
SPEEDUP = {False: 20.0, True: 8.0}  # with observations or without
MOONSHOT = 40.0
STEPS_PER_SECOND = {"jax": 15_000.0, "numpy": 2_500.0}
COMPILE_SECONDS = 5.0

Record = dict[str, Any]


@dataclass(frozen=True)
class Scale:
    """How much is measured."""

    worlds: tuple[int, ...] = (1024, 2048, 4096, 8192, 16384)
    steps: int = 1 << 19  # of all worlds together in one timed call
    repeats: int = 5
    agents: tuple[int, ...] = tuple(range(2, 11))
    worlds_with_agents: int = 1024
    powers: tuple[int, ...] = tuple(4**k for k in range(9))
    python_steps: tuple[tuple[str, int], ...] = (("jax", 3_000), ("numpy", 900))


QUICK = Scale((8,), 960, 2, (2,), 8, (8,), (("jax", 40), ("numpy", 40)))


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def measure_coin_game(options: argparse.Namespace, worlds: Iterable[int], scale: Scale) -> Record:
    """JaxMARL's figures, or the reason why there are none."""
    if options.skip_jaxmarl:
        return {"runs": [], "problem": "skipped, as --skip-jaxmarl asks"}
    try:
        python = jaxmarl_environment.find_python(options.jaxmarl_python)
        say("JaxMARL's coin_game, in its own environment")
        return {**jaxmarl_environment.measure_coin_game(python, list(worlds), scale.repeats), "problem": None}
    except jaxmarl_environment.Unavailable as error:
        say(f"no ratio to JaxMARL: {error}")
        return {"runs": [], "problem": str(error)}


def measure_settings(scale: Scale) -> list[Record]:
    """Both settings, with and without observations, at every number of worlds."""
    cells = []
    for setting in (SMALL, LARGE):
        for with_observations in (False, True):
            for worlds in scale.worlds:
                cells.append(measure(setting, worlds, with_observations, scale.steps, scale.repeats))
                say(f"  {symmtom_report.describe(cells[-1])}")
    return cells


def measure_by_agents(scale: Scale) -> list[Record]:
    """The cost as agents grow in number, as many pieces as agents."""
    cells = []
    for n in scale.agents:
        for with_observations in (False, True):
            setting, worlds = f"n{n}_w12_c{n}", scale.worlds_with_agents
            cell = measure(setting, worlds, with_observations, scale.steps // 4, scale.repeats)
            cells.append({"agents": n, **cell})
            say(f"  {symmtom_report.describe(cell)}")
    return cells


def measure_by_worlds(scale: Scale, known: list[Record]) -> list[Record]:
    """The cost as worlds grow in number; what has been measured already is not measured again."""
    cells = []
    for with_observations in (False, True):
        for worlds in scale.powers:
            wanted = {"setting": SMALL, "observations": with_observations, "worlds": worlds}
            found = [cell for cell in known if wanted.items() <= cell.items()]
            cell = found[0] if found else measure(SMALL, worlds, with_observations, scale.steps // 4, scale.repeats)
            cells.append(cell)
            say(f"  {symmtom_report.describe(cell)}")
    return cells


def best_of(cells: list[Record]) -> Record | None:
    return max(cells, key=lambda cell: float(cell["steps_per_cpu_second"]), default=None)


def summarise(cells: list[Record], coin_runs: list[Record]) -> list[Record]:
    """The best of each setting and kind, with its ratio to coin_game of the same kind and to its fastest of either.

    Ratios compare steps a CPU-second: beside a busy core, the wall clock would favour whoever has two cores left.
    """
    fastest, rows = best_of(coin_runs), []
    for setting in (SMALL, LARGE):
        for with_observations in (False, True):
            mine = [c for c in cells if c["setting"] == setting and c["observations"] == with_observations]
            alike = best_of([run for run in coin_runs if run["observations"] == with_observations])
            best = best_of(mine)
            assert best is not None
            rate = best["steps_per_cpu_second"]
            rows.append(
                {
                    **best,
                    "compile_seconds": min(cell["compile_seconds"] for cell in mine),
                    "ratio": rate / alike["steps_per_cpu_second"] if alike else None,
                    "ratio_to_fastest": rate / fastest["steps_per_cpu_second"] if fastest else None,
                }
            )
    return rows


def judge(rows: list[Record], first_compile: float, parallel: list[Record]) -> list[Record]:
    """Every bar with what was measured; ``met`` is null where it could not be measured."""
    bars = []

    def bar(name: str, measured: float | None, target: float, at_most: bool = False) -> None:
        is_met = None if measured is None else measured <= target if at_most else measured >= target
        bars.append({"name": name, "measured": measured, "target": target, "at_most": at_most, "met": is_met})

    for row in rows:
        if row["setting"] == SMALL:
            kind = "with" if row["observations"] else "without"
            bar(f"times coin_game, {kind} observations", row["ratio"], SPEEDUP[row["observations"]])
            if not row["observations"]:
                bar(f"times coin_game, {kind} observations (moonshot)", row["ratio"], MOONSHOT)
    compiles = [first_compile, *(row["compile_seconds"] for row in rows), *(r["first_step_seconds"] for r in parallel)]
    bar("seconds to compile, slowest", max(compiles), COMPILE_SECONDS, at_most=True)
    for record in parallel:
        engine = record["engine"]
        bar(f"ParallelEnv steps/s, {engine}", record["steps_per_second"], STEPS_PER_SECOND[engine])
    return bars


def run(options: argparse.Namespace, scale: Scale) -> Record:
    """Everything measured, as one record."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    if load is not None and load > 0.5:
        say(f"other work is running here (load {load:.1f}): figures will be low, ratios rough")
    # First, since single steps are slower in a process that has compiled much; and twice, minutes apart, since a busy
    # moment lasts longer than five repeats of it.
    parallel = measure_single(scale)
    # Before and after ours, and the better counts: a noisy machine then favours coin_game, if anyone.
    before = measure_coin_game(options, scale.worlds, scale)
    parallel = [max(pair, key=_rate) for pair in zip(parallel, measure_single(scale), strict=True)]
    say("SymmToM, many worlds")
    cells = measure_settings(scale)
    coin_runs = list(before["runs"])
    if coin_runs:
        best = [best_of([r for r in coin_runs if r["observations"] == kind]) for kind in (False, True)]
        after = measure_coin_game(options, sorted({r["worlds"] for r in best if r}), scale)
        coin_runs += after["runs"]
    say("SymmToM, cost against agents")
    by_agents = measure_by_agents(scale)
    say("SymmToM, cost against worlds")
    by_worlds = measure_by_worlds(scale, cells)
    rows = summarise(cells, coin_runs)
    return {
        "schema": 1,
        "command": " ".join(["python", "benchmarks/symmtom_speed.py", *options.given]),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {
            "system": f"{platform.system()} {platform.machine()}",
            "processor": _processor(),
            "cpu_count": os.cpu_count(),
            "load_at_start": load,
            **timing.versions(["jax", "jaxlib", "numpy"]),
        },
        "scale": asdict(scale),
        "coin_game": {"problem": before["problem"], "versions": before.get("versions"), "runs": coin_runs},
        "cells": cells,
        "best": rows,
        "parallel_env": parallel,
        "by_agents": by_agents,
        "by_worlds": by_worlds,
        "bars": judge(rows, cells[0]["compile_seconds"], parallel),
    }


def measure_single(scale: Scale) -> list[Record]:
    """One world through ``ParallelEnv``, on each engine."""
    say("SymmToM, one world through ParallelEnv")
    return [measure_parallel_env(SMALL, engine, steps, scale.repeats) for engine, steps in scale.python_steps]


def _rate(record: Record) -> float:
    return float(record["steps_per_second"])


def _processor() -> str:
    cpus = Path("/proc/cpuinfo")
    lines = cpus.read_text().splitlines() if cpus.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def save(record: Record, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".tmp")
    unfinished.write_text(json.dumps(record, indent=1) + "\n")
    unfinished.replace(path)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small version in seconds; its figures mean nothing")
    parser.add_argument("--json", action="store_true", help="print the record instead of the table")
    parser.add_argument("--record", action="store_true", help=f"write {RECORD.relative_to(ROOT)}")
    parser.add_argument("--out", type=Path, default=ROOT / "benchmarks" / "out", help="where the plot goes")
    parser.add_argument("--skip-jaxmarl", action="store_true", help="no coin_game, no ratios")
    parser.add_argument("--jaxmarl-python", type=Path, help="an interpreter with JaxMARL, instead of .venv-bench")
    options = parser.parse_args(arguments)
    options.given = sys.argv[1:] if arguments is None else arguments
    if options.quick and options.record:
        parser.error("--quick measures too little to be recorded; leave out one of the two")

    # JAX reads it when first imported; a cache would make first compiles look fast.
    os.environ["JAX_ENABLE_COMPILATION_CACHE"] = "false"
    record = run(options, QUICK if options.quick else Scale())
    if options.record:
        save(record, RECORD)
        say(f"recorded in {RECORD}")
    record["plot"] = symmtom_report.plot(record, options.out / "symmtom_cost.svg")
    if options.json:
        print(json.dumps(record))
    else:
        symmtom_report.show(record)


if __name__ == "__main__":
    main()
