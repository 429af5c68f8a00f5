"""How long does the whole theory-of-mind battery take for one agent? Bar: two minutes for 1000 episodes, on two cores.

Compiling is part of it. By the wall clock, since batches use all cores; processor time is given beside it, since other
programs do not change that.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from otherminds.core.files import write_whole
from otherminds.worlds.symmtom.evals.agents import find_agents
from otherminds.worlds.symmtom.evals.battery_tables import battery_rows
from otherminds.worlds.symmtom.scenarios.items import find_scenarios

RECORD = Path(__file__).resolve().parent.parent / "results" / "symmtom_battery_speed.json"
BAR = 120.0  # seconds


def measure(agent: str, words: list[str], episodes: int, engine: str | None) -> dict[str, Any]:
    """Seconds for all scenarios, as users play them: together."""
    agents, scenarios = find_agents([agent]), find_scenarios(words)
    begin, processor = time.perf_counter(), time.process_time()

    def show(note: str) -> None:
        print(f"{note}: after {time.perf_counter() - begin:.0f} s", file=sys.stderr)

    rows = battery_rows(agents, scenarios, episodes, engine=engine, advance=show)
    return {
        "agent": agent,
        "scenarios": len(rows),
        "episodes": episodes,
        "cores": os.cpu_count(),
        "seconds": time.perf_counter() - begin,
        "processor_seconds": time.process_time() - processor,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--agent", default="planner", help="a player, run directory or actor file")
    parser.add_argument("--record", action="store_true", help=f"keep the figures in {RECORD.name}")
    parser.add_argument("--quick", action="store_true", help="small and fast, to see that it runs")
    options = parser.parse_args()
    if options.quick and options.record:
        parser.error("a quick run measures too little to be recorded; leave out --quick or --record")
    if options.quick:
        found = measure("nearest", ["order0_w6"], 8, "numpy")
    else:
        found = measure(options.agent, ["all"], 1000, None)
    verdict = "" if options.quick else f", {'meets' if found['seconds'] <= BAR else 'misses'} {BAR:.0f} s"
    print(
        f"battery of {found['scenarios']} scenarios, {found['agent']}, "
        f"{found['episodes']} episodes of each case: "
        f"{found['seconds']:.0f} s, {found['processor_seconds']:.0f} s of processor time{verdict}"
    )
    if options.record:
        kept = {"command": f"python benchmarks/symmtom_battery.py {' '.join(sys.argv[1:])}", **found}
        write_whole(RECORD, json.dumps(kept, indent=1) + "\n")
        print(f"recorded in {RECORD.name}", file=sys.stderr)


if __name__ == "__main__":
    main()
