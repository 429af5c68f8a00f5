"""The figures of the results pages, drawn from the records in ``results/``; ``generate.py`` writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any

from docs.tables import ROOT, record

from otherminds.view.shapes import Circle, Label, Line, Rect, Scene, to_svg
from otherminds.worlds.symmtom.evals.runs import by_cell, find_records
from otherminds.worlds.symmtom.evals.tables import paper_tables

IMAGES = ROOT / "docs" / "images"
COLOURS = ("#24435f", "#d0742c", "#3b8f6b", "#a3467f", "#7a8794", "#c2a12f")
INK, GRID = "#33404c", "#dfe4e8"
LEFT, TOP = 64.0, 34.0

Series = Mapping[str, Sequence[float]]


def symmtom() -> Scene:
    """Reward in the twelve settings: published, scripted and trained agents."""
    published = paper_tables()["table1"]["models"]
    settings = list(published["Heuristic"])
    rows = record("symmtom_table1_scripted.json")["rows"]
    scripted = {(row["player"], row["setting"]): row["mean"] for row in rows}
    trained = {
        setting: fmean(run.score("reward") for run in runs)
        for (model, setting), runs in by_cell(find_records([ROOT / "results" / "symmtom"])).items()
        if model == "ppo-attentive" and runs[0].is_paper_world and not runs[0].differs
    }
    learned = [name for name in published if name not in ("Heuristic", "MADDPG-Oracle")]
    series = {
        "ppo-attentive": [trained[setting] for setting in settings],
        "oracle (script)": [scripted["oracle", setting] for setting in settings],
        "belief (script)": [scripted["belief", setting] for setting in settings],
        "heuristic, published": [published["Heuristic"][setting]["value"] for setting in settings],
        "best learned, published": [max(published[name][s]["value"] for name in learned) for s in settings],
    }
    return plot("Mean reward per agent", [s.replace("_", " ") for s in settings], series, top=250.0, step=50.0)


def enacttom() -> Scene:
    """Tasks solved in every contrast world, by proved depth."""
    wanted = ("tracker:depth=3", "tracker:depth=2", "tracker:depth=1", "greedy", "random")
    teams = {team["team"]: team["by"]["depth"] for team in record("enacttom.json")["teams"]}
    series = {name: [100 * teams[name][depth]["sweep"]["value"] for depth in "123"] for name in wanted}
    depths = [f"depth {depth}" for depth in "123"]
    return plot("Tasks solved in every contrast world, percent", depths, series, top=100.0, step=25.0, width=620.0)


def smarties() -> Scene:
    """Weak and strong pass rates and leakage of the control Eves, against their leak."""
    rows = [row for row in record("decrypto_experiments.json")["smarties"] if "bayes" in row["eve"] and row["expected"]]
    rows.sort(key=lambda row: float(row["q"]))
    names = {"weak RC": "weak test passed", "strong RC": "strong test passed", "leakage RC": "leakage"}
    series = {label: [row["measured"][name]["value"] for row in rows] for name, label in names.items()}
    heads = [f"q = {float(row['q']):g}" for row in rows]
    return plot("Bayesian control Eve, representational change", heads, series, top=1.0, step=0.25, width=620.0)


def plot(title: str, heads: Sequence[str], series: Series, *, top: float, step: float, width: float = 860.0) -> Scene:
    """Lines over named positions, each with its name beside its last point."""
    is_stacked = len(heads) > 8
    up, right = 234.0, 170.0
    height = TOP + up + (62.0 if is_stacked else 34.0)
    across = width - LEFT - right

    def x(at: int) -> float:
        return LEFT + across * (at + 0.5) / len(heads)

    def y(value: float) -> float:
        return TOP + up * (1 - value / top)

    shapes: list[Any] = [Label(LEFT, 16, title, 13, INK, is_bold=True)]
    for tick in range(round(top / step) + 1):
        shapes.append(Line(LEFT, y(tick * step), LEFT + across, y(tick * step), GRID))
        shapes.append(Label(LEFT - 8, y(tick * step), f"{tick * step:g}", 11, INK, "end"))
    for at, head in enumerate(heads):
        for line, word in enumerate(head.split(" ") if is_stacked else [head]):
            shapes.append(Label(x(at), TOP + up + 16 + 13 * line, word, 11, INK, "middle"))
    for colour, values in zip(COLOURS, series.values(), strict=False):
        points = [(x(at), y(value)) for at, value in enumerate(values)]
        shapes += [Line(*a, *b, colour, 2) for a, b in pairwise(points)]
        shapes += [Circle(*point, 3.5, colour) for point in points]
    for row, (colour, name) in enumerate(zip(COLOURS, series, strict=False)):
        shapes.append(Rect(LEFT + across + 14, TOP + 20 * row, 12, 12, colour, corner=2))
        shapes.append(Label(LEFT + across + 32, TOP + 20 * row + 6, name, 11, INK))
    return Scene(width, height, tuple(shapes), description=title)


FIGURES: dict[str, Callable[[], Scene]] = {
    "results_symmtom.svg": symmtom,
    "results_enacttom.svg": enacttom,
    "results_smarties.svg": smarties,
}


def drawings() -> dict[Path, str]:
    """Every figure as SVG, by its file."""
    return {IMAGES / name: to_svg(draw()) + "\n" for name, draw in FIGURES.items()}
