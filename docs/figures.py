"""The figures of the results pages, drawn from the records in ``results/``; ``generate.py`` writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any

from docs.tables import EVOLUTION, ROOT, evolved_splits, record

from otherminds.core.match import play_one
from otherminds.minds.find import minds_for
from otherminds.view.shapes import Circle, Label, Line, Rect, Scene, to_svg
from otherminds.worlds.enacttom.world import EnactToM
from otherminds.worlds.symmtom.evals.runs import by_cell, find_records
from otherminds.worlds.symmtom.evals.tables import paper_tables

IMAGES = ROOT / "docs" / "images"
COLOURS = ("#24435f", "#d0742c", "#3b8f6b", "#a3467f", "#7a8794", "#c2a12f")
HOUSEHOLD, HOUSEHOLD_TURN = "standard-002", 3
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


def evolution_success(split: str) -> Scene:
    """What the minds of a panel and others pass of a pool before and after evolution (figure 2a of the paper)."""
    rows = record(EVOLUTION.format(split))["success"]
    heads = [row["minds"].replace(":", " ") + ("" if row["in_panel"] else " (outside)") for row in rows]
    shares = {"fresh": [row["first"] for row in rows], "evolved": [row["evolved"] for row in rows]}
    return intervals(f"Suite {split}: percent of episodes passed, with 95 % intervals over tasks", heads, shares)


def evolution_stages(split: str) -> Scene:
    """The depths of tasks by stage of evolution (figure 2c of the paper)."""
    stages = record(EVOLUTION.format(split))["stages"]
    series = {
        f"depth {depth}": [100 * stage["depths"][depth] / stage["items"] for stage in stages]
        for depth in ("1", "2", "3")
    }
    heads = [f"{stage['stage']} ({stage['items']})" for stage in stages]
    title = f"Suite {split}: percent of tasks of each depth, by generation (number of tasks)"
    return plot(title, heads, series, top=100.0, step=25.0, width=720.0)


def intervals(title: str, heads: Sequence[str], shares: Mapping[str, Sequence[Any]], width: float = 720.0) -> Scene:
    """Shares with their intervals in rows, one colour a series."""
    row, left, right = 34.0, 190.0, 120.0
    across, height = width - left - right, TOP + row * len(heads) + 30.0

    def x(value: float) -> float:
        return left + across * value

    shapes: list[Any] = [Label(LEFT, 16, title, 13, INK, is_bold=True)]
    for tick in range(0, 101, 25):
        shapes.append(Line(x(tick / 100), TOP, x(tick / 100), height - 26, GRID))
        shapes.append(Label(x(tick / 100), height - 14, str(tick), 11, INK, "middle"))
    for at, head in enumerate(heads):
        shapes.append(Label(left - 10, TOP + row * (at + 0.5), head, 11, INK, "end"))
    for number, (colour, (name, values)) in enumerate(zip(COLOURS, shares.items(), strict=False)):
        for at, share in enumerate(values):
            if share is not None:
                y = TOP + row * (at + 0.5) + 8 * (number - (len(shares) - 1) / 2)
                shapes.append(Line(x(share["low"]), y, x(share["high"]), y, colour, 2))
                shapes.append(Circle(x(share["value"]), y, 4, colour))
        shapes.append(Rect(left + across + 14, TOP + 20 * number, 12, 12, colour, corner=2))
        shapes.append(Label(left + across + 32, TOP + 20 * number + 6, name, 11, INK))
    return Scene(width, height, tuple(shapes), description=title)


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


def household() -> Scene:
    """A house of the benchmark in the middle of an episode of trackers."""
    world = EnactToM(HOUSEHOLD)
    minds = minds_for(world, dict.fromkeys(world.seats, "tracker:depth=3"))
    played = world.replay(play_one(world.open(seed=0), minds))
    return world.scene(played.states[HOUSEHOLD_TURN], played.params)


FIGURES: dict[str, Callable[[], Scene]] = {
    "results_symmtom.svg": symmtom,
    "results_enacttom.svg": enacttom,
    "results_smarties.svg": smarties,
    "household.svg": household,
}


def drawings() -> dict[Path, str]:
    """Every figure as SVG, by its file."""
    drawn = {name: draw() for name, draw in FIGURES.items()}
    for split in evolved_splits():
        drawn[f"enacttom_{split}_success.svg"] = evolution_success(split)
        drawn[f"enacttom_{split}_stages.svg"] = evolution_stages(split)
    return {IMAGES / name: to_svg(scene) + "\n" for name, scene in drawn.items()}
