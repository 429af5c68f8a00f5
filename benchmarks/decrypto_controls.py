"""Do the probes of Decrypto measure what they claim? Control agents must hit the scores that follow from their make.

They go through prompts and parser (``Spoken``), as a language model's replies do. Beside them: who wins against whom
among the embedding baselines, and what the distance of lexica does to minds of some depth. Killed, the same command
goes on: ``python benchmarks/decrypto_controls.py --record results/decrypto_experiments.json``
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from otherminds.core.episodes import Episode
from otherminds.core.files import write_whole
from otherminds.llm.prompts import PLAIN
from otherminds.worlds.decrypto.evals.experiment import Experiment
from otherminds.worlds.decrypto.evals.experiment_file import find_experiment
from otherminds.worlds.decrypto.evals.figures import Best, heat_map
from otherminds.worlds.decrypto.evals.measures import TRUTH, Moment
from otherminds.worlds.decrypto.evals.play_experiment import run
from otherminds.worlds.decrypto.evals.results import cell

LEAKS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)
ALICES = {"glove": ("glove", "bayes"), "rsa": ("glove", "bayes")}  # and the Eves that they play against
OTHER = {"glove": "minilm", "bayes": "bayes:lexicon=minilm"}  # whom a wrong simulation takes that Eve for
CHANGED = ("hide", "falsify", "reveal")
KEPT = ("value", "low", "high")
MATCHES, DEPTHS = ("competition", "cross_play"), ("lexicon_x_alice", "lexicon_x_bob")
FIGURES = ("turns", "intercepts", "miscommunications")


# Expected scores of the control Eves, computed from their answers before the reveal (spec 10). With m slots wrong in A,
# an Eve who lets each leak with probability q passes the weak test with probability 1 - q^m and the strong one with
# (1 - q)^m. Averaged in the same way as the scores, this gives the expected figure and its standard error.


@dataclass(frozen=True)
class Expected:
    """A figure that follows from the construction of a mind."""

    value: float
    standard_error: float  # of a measured figure; 0 if nothing is left to chance

    def apart(self, measured: float) -> float:
        """Distance of a measured figure in standard errors; infinite if it differs where nothing is left to chance."""
        gap = abs(measured - self.value)
        if gap < 1e-12:
            return 0.0
        return gap / self.standard_error if self.standard_error else float("inf")


def leaky_expected(episodes: Sequence[Episode], q: float) -> dict[str, Expected]:
    """Expected figures of an Eve who leaks with probability q; 0 is ``simulating``, 1 ``reality-biased``."""
    wrong = [_wrong_slots(episode) for episode in episodes]
    weak = _of_turns(wrong, lambda m: 1 - q**m)
    strong = _of_turns(wrong, lambda m: (1 - q) ** m)
    slots = [sum(turns) for turns in wrong if sum(turns)]
    # The mean over games of shares of slots: each slot leaks by itself.
    leak = Expected(q, float(np.sqrt(sum(q * (1 - q) / slot for slot in slots)) / len(slots)) if slots else 0.0)
    tests = {"weak": weak, "strong": strong, "leakage": leak}
    return {f"{test} {name}": expected for test, expected in tests.items() for name in ("RC", "FB")}


def _wrong_slots(episode: Episode) -> list[int]:
    """For each turn that counts, the number of wrong slots in the answer before the reveal."""
    moments = [Moment(episode, turn) for turn in episode.turns]
    asked = [moment for moment in moments if "A" in moment.probes]
    return [wrong for moment in asked if (wrong := sum(a != b for a, b in moment.pairs("A", TRUTH)))]


def _of_turns(wrong: Sequence[Sequence[int]], chance: Callable[[int], float]) -> Expected:
    games = [[chance(m) for m in turns] for turns in wrong if turns]
    if not games:
        return Expected(float("nan"), 0.0)
    variance = sum(sum(p * (1 - p) for p in turns) / len(turns) ** 2 for turns in games)
    return Expected(float(np.mean([np.mean(turns) for turns in games])), float(np.sqrt(variance)) / len(games))


def eve_named(q: float, base: str) -> str:
    """The Eve who leaks that much."""
    ends = {0.0: f"simulating:base={base}", 1.0: f"reality-biased:base={base}"}
    return ends.get(q, f"leaky:q={q:g},base={base}")


def maps(folder: Path, games: int) -> dict[str, list[Any]]:
    """Two axes against each other; nothing is asked there, so nothing need be said."""
    found = {}
    for name, number in {**dict.fromkeys(MATCHES, games), **dict.fromkeys(DEPTHS, max(games // 2, 1))}.items():
        experiment = find_experiment(name)
        cells = run(experiment, experiment.casts(), folder / name, number)
        episodes = [episode for mine in cells.values() for episode in mine]
        best: Best = "column" if name == "competition" else "row"
        found[name] = [rounded(heat_map(episodes, figure, best)) for figure in FIGURES]
    return found


def rounded(found: dict[str, Any]) -> dict[str, Any]:
    kept = [{name: value for name, value in cell.items() if name not in ("runs", "cells")} for cell in found["cells"]]
    cells = [{name: round(v, 3) if isinstance(v, float) else v for name, v in cell.items()} for cell in kept]
    return {"figure": found["figure"], "cells": cells}


def played(experiment: Experiment, roles: dict[Any, tuple[str, ...]], folder: Path, games: int) -> Any:
    def tell(_: Episode) -> None:
        sys.stderr.write(".")
        sys.stderr.flush()

    sys.stderr.write(f"\n{experiment.name} {roles} ")
    casts = experiment.casts(roles=roles)
    return run(experiment, casts, folder, games, phrasing=PLAIN, on_game=tell).items()


def smarties(folder: Path, games: int) -> list[dict[str, Any]]:
    experiment, rows = find_experiment("smarties"), []
    for base in ("embedding", "bayes"):
        names = {eve_named(q, base): q for q in LEAKS}
        eves = (*names, f"resampling:base={base}")
        for cast, episodes in played(experiment, {"eve": eves}, folder / "smarties", games):
            q = names.get(cast.minds[2])
            rows.append(smarties_row(experiment, cast.minds[2], q, episodes))
    return rows


def smarties_row(experiment: Experiment, eve: str, q: float | None, episodes: Sequence[Episode]) -> dict[str, Any]:
    found = cell(experiment, episodes)["arms"][""]
    measures = {name: short(one["estimate"]) for name, one in found["measures"].items()}
    expected = {} if q is None else leaky_expected(episodes, q)
    return {
        "eve": eve,
        "q": q,
        "games": len(episodes),
        "answered": found["validity"]["eve"]["answered"],
        "measured": measures,
        "expected": {
            name: {
                "value": round(one.value, 4),
                "standard_error": round(one.standard_error, 4),
                "apart": round(one.apart(measured_value(found, name)), 2),
            }
            for name, one in expected.items()
        },
    }


def measured_value(found: Any, name: str) -> float:
    return float(found["measures"][name]["estimate"]["value"])


def mountains(folder: Path, games: int) -> list[dict[str, Any]]:
    experiment, rows = find_experiment("three_mountains"), []
    for alice, eves in ALICES.items():
        for eve in eves:
            names = {
                "egocentric": f"egocentric:acts={alice}",
                "simulating, right lexicon": f"simulating:acts={alice},eve={eve}",
                "simulating, wrong lexicon": f"simulating:acts={alice},eve={OTHER[eve]}",
                "as she herself thinks": alice,
            }
            roles: dict[Any, tuple[str, ...]] = {"alice": tuple(names.values()), "eve": (eve,)}
            for kind, (_, episodes) in zip(names, played(experiment, roles, folder / "mountains", games), strict=True):
                found = cell(experiment, episodes)["arms"][""]
                measures = {name: short(one["estimate"]) for name, one in found["measures"].items()}
                rows.append(
                    {"hints of": alice, "eve": eve, "alice": kind, "games": len(episodes), "measured": measures}
                )
    return rows


def interventions(folder: Path, games: int) -> list[dict[str, Any]]:
    rows = []
    for name in CHANGED:
        experiment = find_experiment(name)
        roles: dict[Any, tuple[str, ...]] = {
            "alice": ("glove", "rsa:lam=0", "rsa"),
            "bob": ("glove",),
            "eve": ("bayes",),
        }
        for cast, episodes in played(experiment, roles, folder / name, games):
            found = cell(experiment, episodes)
            rows.append(
                {
                    "change": name,
                    "alice": cast.minds[0],
                    "games": len(episodes) // 2,
                    **{
                        arm: {label: short(m["estimate"]) for label, m in content["measures"].items()}
                        for arm, content in found["arms"].items()
                    },
                    "told minus untold": {
                        label: short(one) for label, one in found["differences"]["told minus untold"].items()
                    },
                }
            )
    return rows


def short(estimate: Any) -> Any:
    return (
        None
        if estimate is None
        else {name: None if estimate[name] is None else round(estimate[name], 4) for name in KEPT}
    )


def lines(part: Any) -> str:
    """JSON with a row a line: short, and easy to compare."""
    return "[\n" + ",\n".join(json.dumps(row) for row in part) + "\n]" if isinstance(part, list) else json.dumps(part)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("runs/decrypto/controls"), help="records")
    parser.add_argument("--record", type=Path, help="results, as JSON")
    parser.add_argument("--games", type=int, default=96, help="for each of three seeds")
    given = parser.parse_args()
    content = {
        "command": f"python benchmarks/decrypto_controls.py --games {given.games}",
        "smarties": smarties(given.out, given.games),
        "three_mountains": mountains(given.out, max(given.games // 3, 1)),
        "interventions": interventions(given.out, max(given.games // 3, 1)),
        **maps(given.out, max(given.games // 3, 1)),
    }
    text = "{\n" + ",\n".join(f"{json.dumps(name)}: {lines(part)}" for name, part in content.items()) + "\n}\n"
    if given.record:
        write_whole(given.record, text)
    else:
        print(text)


if __name__ == "__main__":
    main()
