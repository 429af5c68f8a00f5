"""What --json prints is what docs/reference/json.md says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.plugin import ROOT, invoke

PAGE = (ROOT / "docs" / "reference" / "json.md").read_text("utf-8")


def section(command: str) -> str:
    return re.split(r"^## ", PAGE.partition(f"\n## `{command}`\n")[2], flags=re.MULTILINE)[0]


def in_table(command: str) -> set[str]:
    """The fields of the first column, without those of nested objects."""
    cells = [line.split("|")[1] for line in section(command).splitlines() if line.startswith("| `")]
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell) if "[]" not in name}


def in_braces(command: str, number: int = 0) -> set[str]:
    """The fields of an object that is written out; what it nests is left out."""
    found = [text[1:-1] for text in re.findall(r"`([^`]+)`", section(command)) if text.startswith("{")]
    return set(re.findall(r'"(\w+)"', re.sub(r"[\[{].*[\]}]", "", found[number])))


def printed(cwd: Path, *words: str) -> Any:
    return json.loads(invoke(*words, "--json", cwd=cwd))


@pytest.fixture
def record(tmp_path: Path) -> str:
    invoke("play", "coin", "--mind", "tracker", "--out", "coin.jsonl", cwd=tmp_path)
    return "coin.jsonl"


def test_play(tmp_path: Path) -> None:
    found = printed(tmp_path, "play", "coin", "--mind", "tracker")
    assert [set(one) for one in found] == [in_table("play")]
    assert all(set(seat) == {"asks", "attempts", "failures"} for seat in found[0]["validity"].values())


def test_evaluate(tmp_path: Path) -> None:
    found = printed(tmp_path, "evaluate", "coin", "tracker", "random", "--episodes", "2")
    assert set(found) == in_table("evaluate")
    for row in found["rows"]:
        assert all(f"`rows[].{name}`" in section("evaluate") for name in row)


@pytest.mark.usefixtures("numpy_unless_named")
@pytest.mark.parametrize(
    "words", [("coin", "tracker", "random"), ("symmtom", "oracle", "heuristic", "--set", "setting=n3_w4_c3")]
)
def test_evaluate_pairs(words: tuple[str, ...], tmp_path: Path) -> None:
    """A batch engine gives the same fields as episodes that are played one by one."""
    found = printed(tmp_path, "evaluate", *words, "--cross", "--episodes", "2")
    assert set(found) == {*in_table("evaluate"), "matrix"}
    measure = "success" if "success" in found["matrix"] else "score"
    assert in_braces("evaluate", measure == "score") == {"minds", measure}
    assert all(f'"{name}"' in section("evaluate") or f"`{name}`" in section("evaluate") for name in found["matrix"])
    assert [set(row) for row in found["rows"]] == [{"minds", "summary", "sees_truth"}] * 4
    cells = [cell for row in found["matrix"][measure] for cell in row]
    assert [row["summary"][measure] for row in found["rows"]] == cells
    assert [bool(row["sees_truth"]) for row in found["rows"]] == [words[1] == "oracle" and at < 3 for at in range(4)]


def test_score(tmp_path: Path, record: str) -> None:
    found = printed(tmp_path, "score", record)
    assert set(found) == in_braces("score")
    assert set(found["rows"][0]) == {"world", "minds", "summary"}


def test_replay(tmp_path: Path, record: str) -> None:
    assert set(printed(tmp_path, "replay", record)) == in_braces("replay")
    assert set(printed(tmp_path, "replay", record, "--chain", "ann,ben")) == in_braces("replay", 1)


def test_verify(tmp_path: Path, record: str) -> None:
    found = printed(tmp_path, "verify", "coin")
    assert set(found) == in_braces("verify")
    assert set(found["checks"][0]) == {"name", "result", "detail"}
    assert set(printed(tmp_path, "verify", record)) == in_braces("verify", 1)


def test_list(tmp_path: Path) -> None:
    found = printed(tmp_path, "list")
    assert {frozenset(one) for one in found} == {frozenset(in_braces("list"))}
