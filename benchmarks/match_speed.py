"""How many episodes and turns a second the one match loop plays, with minds that cost next to nothing.

Each world has a function here. ``--old DIR`` compares with the loops of an earlier version, whose source tree is in
that folder: both are measured in turn, several times, in processes of their own. The ratio is the median over these
pairs, since others use the machine too.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from typing import Any

Rate = tuple[float, float]  # episodes and turns a second of one core's time
ROUNDS = 7

_OLD_DECRYPTO = """
import sys, time
from otherminds.players.decrypto.find import find_seat
from otherminds.players.decrypto.match import play
from otherminds.players.decrypto.seats import Hinter
from otherminds.worlds.decrypto.world import Decrypto

class Mute(Hinter):
    name = "mute"
    def begin(self, role, rules, seed): pass
    def hint(self, view): return ("a", "b", "c")

world, names, episodes = Decrypto(hints="off"), sys.argv[1].split(","), int(sys.argv[2])
roles = ("alice", "bob", "eve")
seats = {role: Mute() if name == "mute" else find_seat(name, role) for role, name in zip(roles, names)}
def once():
    return sum(len(play(world.deal(seed), seats)[0].turns) for seed in range(episodes))
once()
started = time.process_time()
turns = once()
spent = time.process_time() - started
print(episodes / spent, turns / spent)
"""


def decrypto(minds: str, episodes: int) -> Rate:
    """Decrypto by the new loop: names of the three minds by commas; ``mute`` is an Alice who always says the same."""
    from otherminds.core.match import Lineup, play
    from otherminds.minds.find import find_mind
    from otherminds.worlds.decrypto.minds.scripted import ScriptedMind
    from otherminds.worlds.decrypto.world import Decrypto

    class Mute(ScriptedMind):
        name = "mute"

        def act(self, view: Any) -> tuple[str, ...]:
            return ("a", "b", "c")

    world = Decrypto(hints="off")
    named = dict(zip(world.seats, minds.split(","), strict=True))
    seated = {seat: Mute() if name == "mute" else find_mind(name, world, seat) for seat, name in named.items()}
    return timed(lambda: play(Lineup(world.open(seed), seated) for seed in range(episodes)), episodes)


def timed(episodes: Callable[[], Any], number: int) -> Rate:
    """The rate of playing all of them, after a first time for what is looked up once."""
    for _ in episodes():
        pass
    started = time.process_time()
    turns = sum(len(episode.turns) for episode in episodes())
    spent = time.process_time() - started
    return number / spent, turns / spent


# What is measured: the function of a world, its minds, how many episodes, and the same with the earlier loop.
CASES: dict[str, tuple[Callable[[str, int], Rate], str, int, str]] = {
    "decrypto, guesses at random": (decrypto, "mute,uniform,uniform", 1000, _OLD_DECRYPTO),
    "decrypto, Bob is always right": (decrypto, "mute,perfect,uniform", 300, _OLD_DECRYPTO),
    "decrypto, embedding baseline": (decrypto, "glove,glove,glove", 300, _OLD_DECRYPTO),
}


def in_a_process(script: str, folder: Path, minds: str, episodes: int) -> Rate:
    """The rate that a script prints, run with the source tree of a folder."""
    env = {**os.environ, "PYTHONPATH": f"{folder / 'src'}{os.pathsep}{folder}", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", script, minds, str(episodes)], env=env, capture_output=True, text=True, check=True
    )
    played, turns = map(float, done.stdout.split())
    return played, turns


def measure(name: str, old: Path | None, rounds: int = ROUNDS) -> dict[str, Any]:
    """The rates of a case, and of the earlier loop beside it."""
    run, minds, episodes, script = CASES[name]
    here = Path(__file__).resolve().parents[1]
    ours = (
        "import sys; from benchmarks import match_speed; "
        f"print(*match_speed.{run.__name__}(sys.argv[1], int(sys.argv[2])))"
    )
    found: dict[str, list[Rate]] = {"new": [], "old": []}
    for _ in range(rounds):
        found["new"].append(in_a_process(ours, here, minds, episodes))
        if old and script:
            found["old"].append(in_a_process(script, old, minds, episodes))
    best = {which: max(rates) for which, rates in found.items() if rates}
    pairs = [new[0] / before[0] for new, before in zip(found["new"], found["old"], strict=False)]
    ratio = {"ratio": median(pairs)} if pairs else {}
    return {which: dict(zip(("episodes", "turns"), rate, strict=True)) for which, rate in best.items()} | ratio


def report(name: str, found: Mapping[str, Any]) -> str:
    """A line for people."""
    beside = f", {found['ratio']:.2f} times the earlier loop" if "ratio" in found else ""
    return f"{name:32} {found['new']['episodes']:8.0f} episodes a second, {found['new']['turns']:8.0f} turns{beside}"


def main() -> None:
    """Print the rates, and keep them with ``--record``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--old", type=Path, help="source tree of the version to compare with")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--only", default="", help="cases whose name begins so")
    parser.add_argument("--record", type=Path)
    given = parser.parse_args()
    rows = {}
    for name in CASES:
        if name.startswith(given.only):
            rows[name] = measure(name, given.old, given.rounds)
            print(report(name, rows[name]), flush=True)
    if given.record:
        given.record.write_text(json.dumps({"command": "benchmarks/match_speed.py", **rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
