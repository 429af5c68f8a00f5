"""The ledger against taking perspectives on many random stories, with peeks, distractions and words, to order 4."""

from __future__ import annotations

import argparse
import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from otherminds.worlds.tomi.second_solver import disagreements

BLOCK = 2000


def main() -> None:
    """Compare, and exit with 1 if there is any difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stories", type=int, default=1_000_000)
    parser.add_argument("--record", type=Path)
    given = parser.parse_args()
    blocks = range(0, given.stories, BLOCK)
    found = 0
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for done, number in enumerate(pool.map(partial(disagreements, number=BLOCK), blocks), 1):
            found += number
            if done % 25 == 0 or done == len(blocks):
                print(f"{done * BLOCK:,} stories, {found} disagreements", flush=True)
    if given.record:
        command = f"benchmarks/tomi_solvers.py --stories {given.stories}"
        content = {"command": command, "stories": len(blocks) * BLOCK, "disagreements": found}
        given.record.write_text(json.dumps(content, indent=1) + "\n")
    sys.exit(found > 0)


if __name__ == "__main__":
    main()
