"""The tables of the documentation, made from the records in ``results/``; ``generate.py`` writes them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from otherminds.results.table import Table
from otherminds.worlds.enacttom.cli.statistics import statistics_table
from otherminds.worlds.enacttom.tasks.read import find_task, read_task, task_names
from otherminds.worlds.enacttom.verify.certify import stored_certificate
from otherminds.worlds.symmtom.evals.runs import Record, by_cell, find_records
from otherminds.worlds.symmtom.evals.tables import paper_tables
from otherminds.worlds.symmtom.minds import PAPER_MODELS
from otherminds.worlds.tomi.evals.tables import as_table

ROOT = Path(__file__).parent.parent
WHAT = {
    "heuristic": "`heuristic`, the paper's script",
    "belief-zeroth": "`belief-zeroth`, tracks only its own knowledge",
    "belief": "`belief`, tracks what others can know",
    "oracle": "`oracle`, is told what others know",
}


LEARNED = ("MADDPG", "RMADDPG", "MADDPG-CE", "MADDPG-GE", "MADDPG-EE")  # of the paper, without perfect information
FLOOR = ("nearest", "farthest", "chase", "centre")  # rules without a mind


def table1() -> str:
    """Scripted minds next to the paper's heuristic row."""
    rows = record("symmtom_table1_scripted.json")["rows"]
    settings = list(dict.fromkeys(row["setting"] for row in rows))
    cells = {(row["player"], row["setting"]): row for row in rows}
    heads = [setting.replace("_", " ") for setting in settings]
    lines = [["*heuristic, as published*", *(f"{cells['heuristic', s]['paper']:g}" for s in settings)]]
    for player, what in WHAT.items():
        lines.append([what, *(f"{cells[player, s]['mean']:.1f}" for s in settings)])
    return _markdown(["", *heads], lines)


def speed() -> str:
    """Steps per second, and the ratio to JaxMARL in the same run."""
    measured = record("symmtom_speed.json")
    kinds = {False: "without observations", True: "with observations"}
    lines = []
    for row in measured["best"]:
        name = f"`{row['setting']}`, {row['worlds']} worlds, {kinds[row['observations']]}"
        lines.append([name, f"{row['steps_per_second'] / 1e6:.1f} million", f"{row['ratio']:.0f}"])
    for row in measured["parallel_env"]:
        engine = {"jax": "JAX", "numpy": "NumPy"}[row["engine"]]
        lines.append([f"one world, `ParallelEnv` on {engine}", f"{row['steps_per_second']:,.0f}", ""])
    return _markdown(["", "steps per second", "ratio to JaxMARL's `coin_game`"], lines)


def trained() -> str:
    """Trained agents next to the published figures, from the records of usual trainings in ``results/symmtom``."""
    published = paper_tables()["table1"]["models"]
    settings = list(published["Heuristic"])
    scores: dict[str, dict[str, str]] = {}
    names = {}  # of our models, by the paper's
    for (model, setting), runs in by_cell(find_records([ROOT / "results" / "symmtom"])).items():
        if runs[0].is_paper_world and not runs[0].differs:
            scores.setdefault(model, {})[setting] = _mean(runs)
            names[runs[0].paper_model] = model
    lines = []

    def ours(model: str) -> list[str]:
        return [scores[model].get(setting, "") for setting in settings]

    for model, row in published.items():
        lines.append([f"*{model}, as published*", *(f"{row[s]['value']:g}" for s in settings)])
        if model in names:
            lines.append([f"`{names[model]}`", *ours(names[model])])
    lines += [[f"**`{model}`**", *ours(model)] for model in scores if model not in PAPER_MODELS]
    return _markdown(["", *(setting.replace("_", " ") for setting in settings)], lines)


def ablation() -> str:
    """``ppo-attentive`` without what it is given beyond the paper's agents, one at a time and all together."""
    setting = "n3_w6_c3"
    given = {
        "team_share=0": "own reward instead of the team reward",
        "centralised_critic=false": "critic that does not see the truth",
        "mask_actions=false": "no action masks",
        "knows_place=false": "own place and turn hidden",
    }
    cells = {
        frozenset(runs[0].differs): runs
        for (_, where), runs in by_cell(find_records([ROOT / "results" / "symmtom"])).items()
        if runs[0].name == "ppo-attentive" and where == setting
    }
    names = {frozenset[str](): "as trained", **{frozenset({flag}): label for flag, label in given.items()}}
    names[frozenset(given)] = "none of the four"
    lines = [
        [label, ", ".join(f"`{flag}`" for flag in sorted(flags)), _mean(cells[flags])]
        for flags, label in names.items()
        if flags in cells
    ]
    best = max(paper_tables()["table1"]["models"][model][setting]["value"] for model in LEARNED)
    lines.append(["*best published learned agent without perfect information*", "", f"{best:g}"])
    return _markdown(["Variant of `ppo-attentive`", "Options", f"Reward at `{setting}`"], lines, texts=2)


def readings() -> str:
    """The paper's models under alternative readings of its text, with the default and the published scores."""
    published = paper_tables()["table1"]["models"]
    cells = by_cell(find_records([ROOT / "results" / "symmtom"]))
    usual = {key: _mean(runs) for key, runs in cells.items() if not runs[0].differs}
    lines = []
    for (_, setting), runs in cells.items():
        model = PAPER_MODELS.get(runs[0].name)
        if model and runs[0].is_paper_world and runs[0].differs:
            choice = ", ".join(runs[0].differs).replace('"', "")
            paper = published[model][setting]
            scores = [_mean(runs), usual.get((runs[0].name, setting), ""), f"{paper['value']:g} ± {paper['sd']:g}"]
            lines.append([model, setting.replace("_", " "), f"`{choice}`", *scores])
    return _markdown(["Model", "setting", "alternative reading", "score", "default score", "published"], lines, texts=3)


def claims() -> str:
    """The paper's relative claims: as stated, over the cells that we have, and ours."""
    lines = []
    for row in record("symmtom_claims.json")["claims"]:
        if (ours := row["ours"]) is None:
            continue
        interval = "" if ours["low"] is None else f"{ours['low']:.2f} to {ours['high']:.2f}"
        stated = "" if row["stated"] is None else f"{row['stated']:.2f}"
        lines.append([row["text"], stated, f"{row['paper_shared']:.2f}", f"{ours['value']:.2f}", interval])
    return _markdown(["Ratio", "stated", "published, same cells", "ours", "95 %"], lines)


def cross() -> str:
    """What an agent earns with the agents it was trained with, with other runs of its model, and with other models."""
    lines = [
        [f"`{row['model']}`", *(f"{row[name]:.1f}" for name in ("together", "same_model", "other_models"))]
        for row in record("symmtom_cross.json")["result"]["by_model"]
    ]
    return _markdown(["", "trained together", "other runs of the model", "other models"], lines)


def metrics() -> str:
    """Tables 4 to 7 at n3_w6: ours with the published in brackets."""
    names = {
        "4": "unsuccessful base uses",
        "5": "wrong pieces",
        "6": "useless pieces",
        "7": "useless moves, Manhattan",
        "7_chebyshev": "useless moves, Chebyshev",
    }
    models = list(PAPER_MODELS.values())
    lines = []
    for table, name in names.items():
        rows = record(f"symmtom_table{table}.json")["trained"]
        cells = {(row["paper_row"], row["setting"]): row for row in rows}
        for setting in ("n3_w6_c3", "n3_w6_c6", "n3_w6_c9"):
            found = [cells[model, setting] for model in models]
            figures = [f"{cell['mean']:.1f} ({cell['paper']:.1f})" for cell in found]
            lines.append([name, setting.replace("_", " "), *figures])
    return _markdown(["", "", *models], lines, texts=2)


def battery() -> str:
    """Pair-joint success of every model in every scenario with twins, and how often its belief was right."""
    rows = [row for row in record("symmtom_battery.json")["battery"] if row["rates"]["pair_joint"] is not None]
    scenarios = list(dict.fromkeys(row["scenario"] for row in rows))
    cells = {(row["model"], row["scenario"]): row["rates"] for row in rows}

    def cell(rates: dict[str, Any] | None) -> str:
        if rates is None:
            return ""
        knew = "" if rates["literal"] is None else f" ({100 * rates['literal']['value']:.0f})"
        return f"{100 * rates['pair_joint']['value']:.0f}{knew}"

    models = dict.fromkeys(row["model"] for row in rows)
    lines = [[f"`{model}`", *(cell(cells.get((model, s))) for s in scenarios)] for model in models]
    return _markdown(["", *(f"`{s}`" for s in scenarios)], lines)


def battery_rates() -> str:
    """Success and RATSO in every scenario, for all but the rules without a mind."""
    rows = [row for row in record("symmtom_battery.json")["battery"] if row["model"] not in FLOOR]
    scenarios, models = (list(dict.fromkeys(row[what] for row in rows)) for what in ("scenario", "model"))
    cells = {(row["model"], row["scenario"]): row["rates"] for row in rows}

    def cell(rates: dict[str, Any] | None) -> str:
        if rates is None:
            return ""
        ratso = "" if rates["ratso"] is None else f", {rates['ratso']['value']:.2f}"
        return f"{100 * rates['success']['value']:.0f}{ratso}"

    lines = [[f"`{scenario}`", *(cell(cells.get((m, scenario))) for m in models)] for scenario in sorted(scenarios)]
    return _markdown(["", *(f"`{model}`" for model in models)], lines)


def tomi_table(number: int) -> str:
    """A table of the ToMi paper, ours over seeds with the published in brackets."""
    return as_table(record(f"tomi_table{number}.json")).to_markdown()


def tomi_audit() -> str:
    """What shortcuts score on contrast families."""
    lines = []
    for row in record("tomi_audit.json")["rows"]:
        found = (*(row[score]["value"] for score in ("family_joint", "story_joint", "accuracy")), row["beliefs"])
        lines.append([f"`{row['name']}`", *(f"{100 * value:.1f}" for value in found)])
    return _markdown(["", "family-joint", "story-joint", "average", "belief questions"], lines)


def decrypto_turns(name: str) -> str:
    """Mean turns of a table, and what a row gains over the first on the same games."""
    found = record(f"decrypto_{name}.json")
    lines = []
    for row in found["rows"]:
        cells = []
        for cell in row["cells"]:
            gain = cell["difference"]
            more = "" if gain is None else f" ({gain:+.2f} ± {cell['difference_error']:.2f})"
            cells.append(f"{cell['turns']:.2f}{more}")
        lines.append([row["name"], *cells])
    return _markdown(["", *found["columns"]], lines)


def decrypto_smarties() -> str:
    """Control Eves: what they score and, in brackets, what follows from how they are made."""
    names = ("weak RC", "strong RC", "leakage RC", "weak FB", "strong FB", "leakage FB")
    more = ("leakage repeat", "leakage RC placebo", "consistency RC", "consistency repeat")
    lines = []
    for row in record("decrypto_experiments.json")["smarties"]:
        cells = [_figure(row["measured"][name]) + _follows(row["expected"].get(name)) for name in names]
        cells += [_figure(row["measured"][name]) for name in more]
        lines.append([f"`{row['eve']}`", *cells])
    return _markdown(["Eve", *names, *more], lines)


def decrypto_mountains() -> str:
    """Control Alices: how well they predict Eve."""
    names = ("interception", "PT accuracy", "PT on interceptions", "predicts the code", "Brier")
    lines = [
        [f"`{row['hints of']}`", f"`{row['eve']}`", row["alice"], *(_figure(row["measured"][name]) for name in names)]
        for row in record("decrypto_experiments.json")["three_mountains"]
    ]
    return _markdown(["hints of", "Eve", "Alice", *names], lines, texts=3)


def decrypto_interventions() -> str:
    """Differences between an Alice who is told of a change to what Eve has seen, and one who is not."""
    names = ("hints changed", "value", "Eve's chance", "Bob's chance")
    lines = []
    for row in record("decrypto_experiments.json")["interventions"]:
        found = row["told minus untold"]
        cells = [
            f"{found[name]['value']:+.2f} ({found[name]['low']:.2f} … {found[name]['high']:.2f})" for name in names
        ]
        lines.append([row["change"], f"`{row['alice']}`", *cells])
    return _markdown(["change", "Alice", *names], lines, texts=2)


def decrypto_depth(name: str) -> str:
    """Turns, and in brackets the share of games lost by miscommunication, over two axes."""
    turns, _, lost = record("decrypto_experiments.json")[name]
    axes = list(turns["cells"][0])[:2]
    rows, columns = (list(dict.fromkeys(cell[axis] for cell in turns["cells"])) for axis in axes)
    found = {
        (one[axes[0]], one[axes[1]]): f"{one['value']:.2f} ({two['value']:.2f})"
        for one, two in zip(turns["cells"], lost["cells"], strict=True)
    }
    lines = [[f"`{row}`", *(found[row, column] for column in columns)] for row in rows]
    return _markdown([f"{axes[0]} \\ {axes[1]}", *(f"`{column}`" for column in columns)], lines)


def tasks() -> str:
    """The shipped household tasks by family and proved depth; how many of them are tight in brackets."""
    found = [read_task(find_task(name)) for name in task_names()]
    rows: dict[str, Counter[int]] = {}
    tight: dict[str, Counter[int]] = {}
    for task in found:
        proved = stored_certificate(task)
        if proved and proved.depth and "family" in task.provenance:
            for name in (str(task.provenance["family"]), "*all*"):
                rows.setdefault(name, Counter())[proved.depth] += 1
                tight.setdefault(name, Counter())[proved.depth] += proved.is_tight
    lines = [
        [name, *(f"{rows[name][d]} ({tight[name][d]} tight)" if rows[name][d] else "" for d in (1, 2, 3))]
        for name in [*sorted(set(rows) - {"*all*"}), "*all*"]
    ]
    return _markdown(["Family", "depth 1", "depth 2", "depth 3"], lines)


def enacttom() -> str:
    """Teams on the shipped tasks, from the record of ``otherminds evaluate enacttom``."""
    heads = ["average", "pass@3", "pass^3", "sweep", "depth 1", "depth 2", "depth 3", "literal", "gap"]
    lines = []
    for team in record("enacttom.json")["teams"]:
        shares = [team[name]["value"] for name in ("functional", "functional@3", "functional^3", "sweep")]
        shares += [team["by"]["depth"][str(depth)]["sweep"]["value"] for depth in (1, 2, 3)]
        shares += [team["literal"]["value"], team["raw_gap"]]
        lines.append([f"`{team['team']}`", *(f"{100 * value:.0f}" for value in shares)])
    return _markdown(["Team", *heads], lines)


SPLITS = ("standard", "hard")  # of EnactToM
EVOLUTION = "enacttom/evolution_{}.json"  # the record of the pool of a split


def evolved_splits() -> list[str]:
    """The splits with a record of their pool."""
    return [split for split in SPLITS if (ROOT / "results" / EVOLUTION.format(split)).exists()]


def enacttom_statistics() -> str:
    """How deep, large and varied the tasks of each suite are."""
    suites = record("enacttom/statistics.json")["suites"]
    order = [name for name in (*SPLITS, "classic") if name in suites]
    return statistics_table({name: suites[name] for name in order}).to_markdown()


def enacttom_evolution() -> str:
    """For each split: how its pool was bred, and how minds fare with fresh and with evolved tasks, with the figures."""
    return "\n\n".join(map(_evolution, evolved_splits()))


def _evolution(split: str) -> str:
    found = record(EVOLUTION.format(split))
    panel = ", ".join(f"`{mind}`" for mind in found["panel"])
    heads = ["minds", "fresh", "evolved", "factor", *(f"evolved, depth {depth}" for depth in found["by_depth"])]
    deep = [
        [_percent(of_depth[at]["evolved"]) for of_depth in found["by_depth"].values()]
        for at in range(len(found["success"]))
    ]
    rows = [[*row, *more] for row, more in zip(_success(found), deep, strict=True)]
    parts = [
        f"### Suite `{split}`",
        f"Panel: {panel}. {_bred(found)} Percent of episodes passed with held-out seeds, with 95 % intervals:",
        _markdown(heads, rows),
        f"![Success before and after evolution](../images/enacttom_{split}_success.svg)",
        f"![Tasks of each depth by stage of evolution](../images/enacttom_{split}_stages.svg)",
    ]
    return "\n\n".join(parts)


def enacttom_splits() -> str:
    """Sweeps on the splits by proved depth, from the records of ``benchmarks/enacttom_pattern.py``."""
    played = [split for split in SPLITS if (ROOT / "results" / "enacttom" / f"{split}.json").exists()]
    lines = []
    for split in played:
        for team in record(f"enacttom/{split}.json")["teams"]:
            shares = [team["by"]["depth"][str(depth)]["sweep"]["value"] for depth in (1, 2, 3)]
            shares += [team["functional"]["value"], team["literal"]["value"], team["raw_gap"]]
            lines.append([split, f"`{team['team']}`", *(f"{100 * value:.0f}" for value in shares)])
    heads = ["Suite", "Team", "sweep, depth 1", "depth 2", "depth 3", "average", "literal", "gap"]
    return _markdown(heads, lines, texts=2) if lines else ""


def _bred(found: dict[str, Any]) -> str:
    """How a pool was bred, in a sentence or two."""
    low, high = found["band"]
    fresh, bred = (100 * found["in_band"][part]["value"] for part in ("first", "bred"))
    return (
        f"{found['evolved']} items were bred from {found['first']} fresh ones in {found['steps']} steps; with "
        f"probability {found['failures']:g} a parent was an item that the panel failed. A pass rate in the wanted "
        f"band, {low:g} to {high:g}, was measured for {fresh:.0f} % of the fresh items and {bred:.0f} % of those bred "
        f"and played."
    )


def _success(found: dict[str, Any]) -> list[list[str]]:
    """How the panel, its minds and others fare with the fresh and the evolved items of a pool, a row each."""
    rows = []
    for row in found["success"]:
        name = "*panel*" if row["minds"] == "panel" else f"`{row['minds']}`{'' if row['in_panel'] else ', outside'}"
        rows.append([name, _percent(row["first"]), _percent(row["evolved"]), _times(row["factor"])])
    return rows


def tomi_evolution() -> str:
    """How a pool of stories was bred, and how minds fare with fresh and evolved ones."""
    found = record("tomi_evolution.json")
    return f"{_bred(found)}\n\n{_markdown(['minds', 'fresh', 'evolved', 'factor'], _success(found))}"


def _percent(share: dict[str, Any] | None) -> str:
    if share is None:
        return ""
    return f"{100 * share['value']:.0f} ({100 * share['low']:.0f} to {100 * share['high']:.0f})"


def _times(factor: dict[str, Any] | None) -> str:
    """A factor with its ends, as far as it has any."""
    if factor is None or factor["low"] is None:
        return ""
    if factor["value"] is None:
        return f"at least {factor['low']:.1f}"
    high = "" if factor["high"] is None else f" to {factor['high']:.1f}"
    return f"{factor['value']:.1f} ({factor['low']:.1f}{high})"


def _markdown(heads: Sequence[str], rows: Sequence[Sequence[Any]], texts: int = 1) -> str:
    return Table("", heads, rows, texts=texts).to_markdown()


def _mean(runs: Sequence[Record]) -> str:
    scores = [run.score("reward") for run in runs]
    return f"{sum(scores) / len(scores):.1f}{f' ({len(scores)})' if len(scores) > 1 else ''}"


def _figure(estimate: dict[str, Any] | None) -> str:
    return "–" if estimate is None else f"{estimate['value']:.2f}"


def _follows(expected: dict[str, float] | None) -> str:
    return "" if expected is None else f" ({expected['value']:.2f})"


def record(name: str) -> Any:
    """A record under ``results/``."""
    return json.loads((ROOT / "results" / name).read_text("utf-8"))


REGIONS: dict[str, Callable[[], str]] = {
    "table1": table1,
    "speed": speed,
    "trained": trained,
    "ablation": ablation,
    "readings": readings,
    "claims": claims,
    "cross": cross,
    "metrics": metrics,
    "battery": battery,
    "battery_rates": battery_rates,
    "tomi_table1": partial(tomi_table, 1),
    "tomi_table2": partial(tomi_table, 2),
    "tomi_table3": partial(tomi_table, 3),
    "tomi_audit": tomi_audit,
    **{f"decrypto_{name}": partial(decrypto_turns, name) for name in ("sizes", "rsa", "adhoc", "ceiling")},
    "tasks": tasks,
    "enacttom_statistics": enacttom_statistics,
    "enacttom_evolution": enacttom_evolution,
    "enacttom_splits": enacttom_splits,
    "tomi_evolution": tomi_evolution,
    "enacttom": enacttom,
    "decrypto_smarties": decrypto_smarties,
    "decrypto_mountains": decrypto_mountains,
    "decrypto_interventions": decrypto_interventions,
    "decrypto_lexicon_x_alice": partial(decrypto_depth, "lexicon_x_alice"),
    "decrypto_lexicon_x_bob": partial(decrypto_depth, "lexicon_x_bob"),
}


def refresh(text: str) -> str:
    """The text with every region between ``<!-- name -->`` and ``<!-- /name -->`` made anew."""
    for name, make in REGIONS.items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        if pattern.search(text):
            opening, closing = f"<!-- {name} -->\n", f"<!-- /{name} -->"
            text = pattern.sub((opening + make() + "\n" + closing).replace("\\", r"\\"), text)
    return text


def pages() -> dict[Path, str]:
    """Every page with its tables made anew."""
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return {page: refresh(page.read_text("utf-8")) for page in found}
