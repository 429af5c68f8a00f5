"""Evaluations of any world: resumed, extended, refused where something else is recorded, with people's games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.plugin import invoke, invoked


def rows(*words: str, cwd: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(invoke("evaluate", *words, "--json", cwd=cwd))["rows"]
    return found


def test_an_extended_evaluation_plays_only_what_is_new(tmp_path: Path) -> None:
    rows("coin", "random", "--episodes", "3", "--out", "ev", cwd=tmp_path)
    before = (tmp_path / "ev" / "random.jsonl").read_bytes()
    (row,) = rows("coin", "random", "--episodes", "5", "--out", "ev", cwd=tmp_path)
    assert row["summary"]["episodes"] == 5
    assert (tmp_path / "ev" / "random.jsonl").read_bytes().startswith(before)
    (scored,) = json.loads(invoke("score", "ev", "--json", cwd=tmp_path))["rows"]
    assert scored["summary"] == row["summary"]


def test_episodes_of_other_options_are_refused(tmp_path: Path) -> None:
    words = ("evaluate", "decrypto", "glove", "--episodes", "2", "--out", "ev")
    invoke(*words, cwd=tmp_path)
    invoked(*words, "--set", "stops_at_interceptions=false", cwd=tmp_path, expect=2)


def test_every_table_has_a_file_of_its_own(tmp_path: Path) -> None:
    rows("coin", "tracker", "random", "--cross", "--episodes", "1", "--out", "ev", cwd=tmp_path)
    assert len(list((tmp_path / "ev").glob("*.jsonl"))) == 4


def test_recorded_games_are_evaluated_as_they_were_dealt(tmp_path: Path) -> None:
    invoke("play", "decrypto", "--mind", "glove", "--episodes", "2", "--out", "people.jsonl", cwd=tmp_path)
    (row,) = rows("decrypto", "glove", "--seat", "alice=recorded:people.jsonl", cwd=tmp_path)
    assert row["summary"]["episodes"] == 2
    (own,) = rows("decrypto", "glove", "--episodes", "2", cwd=tmp_path)
    assert row["summary"]["decoded"] == own["summary"]["decoded"]


def test_minds_that_see_the_truth_are_marked(tmp_path: Path) -> None:
    (row,) = rows("decrypto", "glove", "--seat", "bob=perfect", "--episodes", "1", cwd=tmp_path)
    assert row["sees_truth"] == ["perfect"]
    assert "sees the truth" in invoke(
        "evaluate", "decrypto", "glove", "--seat", "bob=perfect", "--episodes", "1", cwd=tmp_path
    )


def test_a_matrix_says_who_fills_the_other_seats(tmp_path: Path) -> None:
    shown = invoke("evaluate", "decrypto", "rsa", "glove", "--cross", "--episodes", "1", cwd=tmp_path)
    assert "(rows: alice; columns: bob; glove as eve)" in shown
