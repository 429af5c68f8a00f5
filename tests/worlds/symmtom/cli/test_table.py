"""Tables, figures and evaluations as users ask for them."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from otherminds.cli.output import print_table
from otherminds.worlds.symmtom.cli.figure import records_for
from otherminds.worlds.symmtom.evals.claims import claims_table
from otherminds.worlds.symmtom.evals.error_analysis import split_table
from otherminds.worlds.symmtom.evals.tables import trained_table
from tests.plugin import Printed, invoked
from tests.worlds.symmtom.evals.making import write_kept, write_run


def run(folder: Path, *words: str | Path, expect: int = 0, columns: int = 120) -> Printed:
    return invoked(*map(str, words), cwd=folder, expect=expect, columns=columns)


def answer(folder: Path, *words: str | Path) -> Any:
    return json.loads(run(folder, *words, "--json").stdout)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs of one model and one of another under runs/, and a kept record under results/."""
    path = tmp_path_factory.mktemp("results")
    for seed in range(2):
        write_run(path / "runs" / "symmtom", "maddpg-none", "n3_w6_c3", seed, reward=42.0 + 2 * seed)
    write_run(path / "runs" / "symmtom", "maddpg-oracle", "n3_w6_c3", reward=86.0)
    write_kept(path / "results" / "symmtom", "maddpg-greedy", "n3_w6_c3", reward=30.0)
    return path


def test_a_table_shows_scripted_players_then_trained_ones_beside_the_paper(folder: Path) -> None:
    words = (
        "table",
        "symmtom",
        "1",
        "--mind",
        "still",
        "--settings",
        "n3_w6_c3",
        "--episodes",
        "20",
        "--engine",
        "numpy",
    )
    found = answer(folder, *words, "--out", "kept.json")
    assert [(row["player"], row["mean"]) for row in found["rows"]] == [("still", 0.0)]
    cells = {cell["player"]: cell for cell in found["trained"]}
    assert list(cells) == ["maddpg-none", "maddpg-oracle", "maddpg-greedy"]
    assert (cells["maddpg-none"]["mean"], cells["maddpg-none"]["seeds"]) == (43.0, [0, 1])
    assert (cells["maddpg-none"]["paper"], cells["maddpg-none"]["difference_in_sds"]) == (40.0, 1.5)
    assert found["summaries"][0]["iqm"]["value"] == 43.0
    kept = json.loads((folder / "kept.json").read_text("utf-8"))
    assert kept["trained"] == found["trained"]
    assert kept["command"].startswith("otherminds table symmtom 1")
    page = run(folder, *words).stdout
    for text in ("maddpg-none", "MADDPG-Oracle", "43.0 ±1.4", "40 ±2", "+1.5 sd", "IQM", "published, learned agents"):
        assert text in page


def test_only_some_folders_and_only_trained_agents_are_shown_if_asked(folder: Path) -> None:
    found = answer(folder, "table", "symmtom", "4", "--only", "trained", "--results", "results/symmtom")
    assert found["rows"] == []
    assert [cell["player"] for cell in found["trained"]] == ["maddpg-greedy"]
    assert found["trained"][0]["paper"] == 4.01
    greedy = answer(folder, "table", "symmtom", "1", "--only", "trained", "--results", "results/symmtom", "--greedy")
    assert greedy["trained"][0]["mean"] == 31.0


@pytest.mark.slow
def test_the_split_of_tables_plays_the_actors(folder: Path) -> None:
    words = ("table", "symmtom", "5", "--split", "--only", "trained", "--episodes", "20")
    rows = answer(folder, *words)["split"]
    assert [(row["player"], row["runs"]) for row in rows] == [("maddpg-none", 2), ("maddpg-oracle", 1)]
    parts = ("wrong_shown_better", "wrong_shown_idle", "wrong_delayed_better", "wrong_delayed_idle")
    for row in rows:
        assert row["means"]["wrong"] > 0
        assert row["means"]["wrong"] == pytest.approx(sum(row["means"][part] for part in parts))
    assert rows[0]["paper"] == {"wrong": 4.77, "useless": 8.21}
    page = run(folder, "table", "symmtom", "6", *words[3:]).stdout
    assert "maddpg-oracle: by what it is shown" in page
    assert "as it has no belief" in page


@pytest.mark.slow
def test_a_narrow_page_crops_no_figure(folder: Path) -> None:
    words = ("--episodes", "4", "--settings", "n3_w6_c3")
    players = "heuristic,belief,belief:rule=zeroth,oracle,random,still"
    for page in (
        run(folder, "table", "symmtom", "1", "--mind", players, *words, columns=60).stdout,
        run(folder, "table", "symmtom", "5", "--split", "--mind", "still", *words, columns=60).stdout,
    ):
        assert "…" not in page.replace(" … ", "")


@pytest.mark.parametrize("number", [1, 5])
def test_a_narrow_terminal_wraps_names_and_crops_no_figure(number: int) -> None:
    file = StringIO()
    page = Console(file=file, width=80, force_terminal=True, color_system=None)
    estimate = {"value": 144.25, "low": 131.5, "high": 155.5, "runs": 3, "cells": 1}
    row = {"player": "maddpg-conservative private_first_hand=true", "setting": "n4_w12_c12"}
    figures = {"mean": 144.25, "sd": 12.25, "low": 131.5, "high": 155.5, "seeds": [0, 1, 2]}
    paper = {"paper_row": "MADDPG-Oracle", "paper": 40.0, "paper_sd": 12.0, "difference_in_sds": -10.25}
    summary = {**row, "iqm": estimate, "mean": estimate, "paper_mean": 40.0}
    print_table(page, trained_table(number, [{**row, **figures, **paper}], [summary]))
    means: dict[str, float] = defaultdict(lambda: 12.25)
    split = {**row, "belief": "own", "runs": 3, "episodes": 4, "paper": {"wrong": 11.77}, "means": means}
    print_table(page, split_table(5, [split]))
    claim = {"text": "a to b", "stated": 2.27, "paper": 2.27, "paper_cells": 12, "paper_shared": 1.05, "ours": estimate}
    print_table(page, claims_table([claim]))
    text = file.getvalue()
    assert not re.search(r"[a-z] ?…|… ?│", text)
    for figure in ("±12.2", "131.50…155.50", "12.25 │", "100 %", "11.77", "-10.2 sd"):
        assert figure in text


def test_a_table_says_what_it_counts_when_it_is_read_otherwise(folder: Path) -> None:
    words = ("--only", "scripted", "--mind", "heuristic", "--settings", "n3_w6_c3", "--episodes", "10")
    usual = answer(folder, "table", "symmtom", "7", *words, "--engine", "numpy")
    other = answer(folder, "table", "symmtom", "7", *words, "--engine", "numpy", "--reading", "chebyshev")
    assert (usual["metric"], other["metric"]) == ("useless_moves", "useless_moves_chebyshev")
    assert other["rows"][0]["mean"] < usual["rows"][0]["mean"]


def test_runs_are_found_by_the_switches_of_their_world(tmp_path: Path) -> None:
    write_kept(tmp_path, "ppo-none", "n3_w6_c3")
    write_kept(tmp_path / "n3_w6_c3,competitive=3", "ppo-none", "n3_w6_c3", competitive=3)
    assert [r.model for r in records_for([tmp_path])] == ["ppo-none", "ppo-none competitive=3"]
    assert [r.model for r in records_for([tmp_path], switches={"competitive": 3})] == ["ppo-none competitive=3"]
    assert records_for([tmp_path], switches={"mask_actions": False}) == []


def test_beliefs_are_judged_while_players_play(folder: Path) -> None:
    words = ("table", "symmtom", "beliefs", "--mind", "heuristic", "--settings", "n3_w6_c3", "--episodes", "10")
    rows = {row["belief"]: row for row in answer(folder, *words, "--beliefs", "conservative,greedy")["beliefs"]}
    assert set(rows) == {"conservative", "greedy"}
    assert 0 < rows["greedy"]["brier"] < rows["conservative"]["brier"] < 0.25


def test_claims_are_shown_with_their_cells(folder: Path) -> None:
    words = ("table", "symmtom", "claims", "--episodes", "10", "--engine", "numpy")
    rows = {row["text"]: row for row in answer(folder, *words)["claims"]}
    first = rows["MADDPG-Oracle to MADDPG"]
    assert (first["ours"]["value"], first["ours"]["cells"], first["stated"]) == (2.0, 1, 2.27)
    assert rows["four agents to three, heuristic"]["ours"]["cells"] == 6
    assert rows["four agents to three, learned"]["ours"] is None
    assert "1 of 12" in run(folder, *words).stdout


def test_a_figure_is_drawn_where_it_says(folder: Path) -> None:
    found = answer(folder, "figure", "symmtom", "5")
    assert [curve["model"] for curve in found["curves"]] == ["maddpg-none", "maddpg-oracle", "maddpg-greedy"]
    assert (folder / found["file"]).read_bytes().startswith(b"\x89PNG")
    words = ("figure", "symmtom", "5", "--out", "five.pdf")
    assert "3 curves drawn into five.pdf" in run(folder, *words).stdout
    assert "1 curve drawn into five.pdf" in run(folder, *words, "--results", "results/symmtom").stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["table", "symmtom", "8"], "expected 1 to 7"),
        (["table", "symmtom", "claim"], "claims, beliefs or battery"),
        (["table", "symmtom", "beliefs", "--beliefs", "oracle"], "is not a rule about others"),
        (["table", "symmtom", "1", "--split"], "--split applies only to tables 5 and 6"),
        (["table", "symmtom", "6", "--split", "--engine", "numpy"], "--engine has no effect"),
        (["table", "symmtom", "1", "--beliefs", "greedy"], "--beliefs has no effect"),
        (["table", "symmtom", "1", "--suite", "twins"], "--suite has no effect"),
        (["table", "symmtom", "battery", "--settings", "n3_w6_c3"], "--settings has no effect"),
        (["table", "symmtom", "battery", "--mind", "beleif"], "did you mean 'belief'"),
        (["table", "symmtom", "1", "--seed", "-1"], "--seed is '-1'; expected a whole number of at least 0"),
        (["table", "symmtom", "1", "--only", "train"], "did you mean 'trained'"),
        (["table", "symmtom", "1", "--results", "nowhere"], "nowhere is not a folder"),
        (["table", "symmtom", "1", "--results", "empty"], "there is no finished run in empty"),
        (["table", "symmtom", "1", "--settings", "n9", "--only", "trained"], "setting 'n9' is not of the form"),
        (
            ["table", "symmtom", "1", "--settings", "n3_w7_c3", "--only", "trained"],
            "no trained run has setting n3_w7_c3",
        ),
        (["sweep", "symmtom", "--retries", "-1"], "--retries is '-1'; expected a whole number of at least 0"),
        (["figure", "symmtom", "4"], "expected 5 or 6"),
        (["figure", "symmtom", "6"], "no finished run belongs in figure 6"),
    ],
)
def test_a_mistake_ends_in_one_clear_message(folder: Path, words: list[str], message: str) -> None:
    (folder / "empty").mkdir(exist_ok=True)
    assert message in " ".join(run(folder, *words, expect=2).stderr.split())
