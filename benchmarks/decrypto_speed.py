"""How fast games of Decrypto are played, as a ratio to a plain program of the same baseline in the same run.

The plain program looks all hint words up for every hint and tries all codes in a loop, as one would write it from the
paper. Ours plays through the one match loop, with records, checks and all.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import numpy as np

from otherminds.core.match import Lineup, play
from otherminds.core.seeds import Draw
from otherminds.minds.find import minds_for
from otherminds.worlds.decrypto.words.lexicon import hint_words, lexicon
from otherminds.worlds.decrypto.world import Decrypto

BARS = {"embedding games": 1000.0, "rsa turns": 10.0}  # a second, on one core


def ours(alice: str, bob: str, eve: str, games: int, first: int = 0) -> tuple[int, int]:
    """Games and turns played."""
    world = Decrypto(hints="off")
    minds = minds_for(world, {"alice": alice, "bob": bob, "eve": eve})
    tables = (Lineup(world.open(seed), minds) for seed in range(first, first + games))
    return games, sum(len(episode.turns) for episode in play(tables))


def plain(games: int) -> tuple[int, int]:
    """The same baseline, written down from the paper: nothing is kept from one hint to the next."""
    meaning, words, world, turns = lexicon("glove"), hint_words(), Decrypto(hints="off"), 0
    table = meaning.matrix(words)
    codes = list(permutations(range(4), 3))
    for seed in range(games):
        game, draw = world.deal(seed), Draw(seed, "plain")
        keys = meaning.matrix(game.keywords)
        past: list[list[int]] = [[], [], [], []]
        missed = caught = 0
        for code in game.codes:
            hints = []
            for digit in code:
                similar = np.einsum("wd,kd->wk", table, keys)
                near = [at for at in np.argsort(-similar[:, digit - 1])[:16].tolist() if at not in past[digit - 1]]
                draw.shuffle(near)
                fits = [at for at in near if similar[at].argmax() == digit - 1]
                hints.append((fits or near or [0])[0])
            means = np.array([table[slot].mean(axis=0) if slot else np.zeros(table.shape[1]) for slot in past])
            guesses = []
            for targets in (keys, means):
                scores = np.array([[float(table[hint] @ target) for target in targets] for hint in hints])
                guesses.append(max(codes, key=lambda one: sum(scores[i, j] for i, j in enumerate(one))))
            truth = tuple(digit - 1 for digit in code)
            missed, caught, turns = missed + (guesses[0] != truth), caught + (guesses[1] == truth), turns + 1
            for digit, hint in zip(code, hints, strict=True):
                past[digit - 1].append(hint)
            if missed > 1 or caught > 1:
                break
    return games, turns


def rate(work: Callable[[], tuple[int, int]], repeats: int = 3) -> tuple[float, float]:
    """Games and turns a second of one core's time, the best of some repeats: others use the machine too."""
    found = []
    for _ in range(repeats):
        started = time.process_time()
        games, turns = work()
        spent = time.process_time() - started
        found.append((games / spent, turns / spent))
    return max(found)


def main() -> None:
    """Print the rates, and keep them with ``--record``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--record", type=Path)
    given = parser.parse_args()
    few = max(2, given.games // 50)
    embedding = ("glove", "glove", "glove")
    rsa = ("rsa", "rsa", "bayes")
    ours(*embedding, given.games)  # what is looked up once for each keyword of the bank
    ours(*rsa, 1)
    reference = rate(lambda: plain(few))
    rows = {
        "embedding": rate(lambda: ours(*embedding, given.games)),
        "bayes": rate(lambda: ours("glove", "bayes", "bayes", few)),
        "rsa": rate(lambda: ours(*rsa, few)),
        "adaptive": rate(lambda: ours("adaptive", "minilm", "minilm", few)),
    }
    print(f"{'plain baseline':16} {reference[0]:8.1f} games a second, {reference[1]:8.1f} turns")
    for name, (games, turns) in rows.items():
        print(f"{name:16} {games:8.1f} games a second, {turns:8.1f} turns, {turns / reference[1]:6.1f} times the plain")
    found = {"embedding games": rows["embedding"][0], "rsa turns": rows["rsa"][1]}
    for name, bar in BARS.items():
        print(f"{name} a second: {found[name]:.0f}, bar {bar:.0f}: {'met' if found[name] >= bar else 'missed'}")
    if given.record:
        record = {
            "plain": dict(zip(("games", "turns"), reference, strict=True)),
            "ours": {name: dict(zip(("games", "turns"), row, strict=True)) for name, row in rows.items()},
            "bars": BARS,
            "command": f"benchmarks/decrypto_speed.py --games {given.games}",
        }
        given.record.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
