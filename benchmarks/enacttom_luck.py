"""How often minds without theory of mind sweep a shipped task of depth 2 or 3 by luck, over many sweeps of each."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from otherminds.core.match import play_one
from otherminds.minds.find import minds_for
from otherminds.worlds.enacttom.tasks.read import find_task, read_task, task_names
from otherminds.worlds.enacttom.tasks.suite import enter, items_of
from otherminds.worlds.enacttom.world import EnactToM

MINDS = ("greedy", "random")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sweeps", type=int, default=20, help="of every task")
    parser.add_argument("--record", type=Path, help="a file for the figures")
    chosen = parser.parse_args()
    found: dict[str, dict[str, float]] = {}
    for name in task_names():
        entry = enter(read_task(find_task(name)))
        if (entry.proof.depth or 0) < 2:
            continue
        world, found[name] = EnactToM(entry.task, probes=False), {}
        for mind in MINDS:
            passed = 0
            seats = minds_for(world, dict.fromkeys(world.seats, mind))
            for seed in range(chosen.sweeps):
                items = items_of(entry, len(entry.worlds), seed)
                passed += all((play_one(world.open(seed, item), seats).end or {})["success"] for item in items)
            found[name][mind] = passed / chosen.sweeps
    means = {mind: sum(one[mind] for one in found.values()) / len(found) for mind in MINDS}
    for mind, mean in means.items():
        worst = max(found, key=lambda name: found[name][mind])
        most = f"most on {worst}, {100 * found[worst][mind]:.0f} %"
        print(f"{mind}: {100 * mean:.1f} % of sweeps over {len(found)} tasks; {most}")
    if chosen.record:
        chosen.record.write_text(json.dumps({"sweeps": chosen.sweeps, "means": means, "tasks": found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
