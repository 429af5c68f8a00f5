"""The ledger against taking perspectives on many random stories, with peeks, distractions and words, to order 4."""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from otherminds.worlds.tomi.world import disagreements

BLOCK = 2000


def main() -> None:
    """Compare, and exit with 1 if there is any difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stories", type=int, default=1_000_000)
    blocks = range(0, parser.parse_args().stories, BLOCK)
    found = 0
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for done, number in enumerate(pool.map(partial(disagreements, number=BLOCK), blocks), 1):
            found += number
            if done % 25 == 0 or done == len(blocks):
                print(f"{done * BLOCK:,} stories, {found} disagreements", flush=True)
    sys.exit(found > 0)


if __name__ == "__main__":
    main()
