"""How often teams without theory of mind sweep a shipped task of depth 2 or 3 by luck, over many sweeps of each."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from otherminds.evals.enacttom.bench import enter, schedule
from otherminds.players.enacttom.find import find_seat
from otherminds.players.enacttom.match import play
from otherminds.worlds.enacttom.build import ground
from otherminds.worlds.enacttom.goals import is_reached
from otherminds.worlds.enacttom.read import find_task, read_task, task_names


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
        house, found[name] = ground(entry.task), {}
        for player in ("greedy", "random"):
            passed = 0
            for seed in range(chosen.sweeps):
                runs = schedule(entry, len(entry.worlds), seed)
                seats = [find_seat(player) for _ in entry.task.people]
                passed += all(is_reached(house, play(house, world, seats, one)[0].values) for world, one in runs)
            found[name][player] = passed / chosen.sweeps
    means = {player: sum(one[player] for one in found.values()) / len(found) for player in ("greedy", "random")}
    for player, mean in means.items():
        worst = max(found, key=lambda name: found[name][player])
        most = f"most on {worst}, {100 * found[worst][player]:.0f} %"
        print(f"{player}: {100 * mean:.1f} % of sweeps over {len(found)} tasks; {most}")
    if chosen.record:
        chosen.record.write_text(json.dumps({"sweeps": chosen.sweeps, "means": means, "tasks": found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
