"""Certificates in task files: written, checked, kept while they hold, and refused when they do not."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from otherminds.core.errors import UserError
from tests.worlds.enacttom.cli.running import EXAMPLE, run, verify


def test_a_certificate_is_written_checked_and_noticed_to_be_stale(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    assert run("new", "task", mine).exit_code == 0
    assert "certificate:" not in mine.read_text("utf-8")
    before = mine.read_text("utf-8")
    assert run("verify", mine, "--write").exit_code == 0
    written = mine.read_text("utf-8")
    assert written.startswith(before)
    assert json.loads(run("verify", mine, "--json").stdout)["items"][0]["has_certificate"] is True
    assert run("verify", mine, "--write").exit_code == 0
    assert mine.read_text("utf-8") == written  # written twice, it is there once

    mine.write_text(written.replace("depth: 1\n", "depth: 2\n"), "utf-8")
    assert "the certificate does not hold: depth is 2; the proof gives" in str(run("verify", mine).exception)
    mine.write_text(written.replace("place(cup, on, red_table)", "place(cup, on, blue_table)"), "utf-8")
    assert "its policy fails: the goal is not reached in world 0" in str(run("verify", mine).exception)
    mine.write_text(written.replace("seal: ", "seal: 0"), "utf-8")
    assert "its certificate was edited" in str(run("verify", mine).exception)
    mine.write_text(written.replace("horizon: 5", "horizon: 6"), "utf-8")
    changed = run("verify", mine)
    assert "solvable at depth 1" in changed.stdout
    assert "changed after it was certified" in str(changed.exception)


def test_a_certificate_that_still_holds_is_kept_where_it_is_and_gets_a_new_digest(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    text = EXAMPLE.read_text("utf-8") + "provenance: {note: mine}\n"
    mine.write_text(text.replace("{room: hall}", "{room: hall, verbs: [navigate, pick, place, wait]}"), "utf-8")
    before = mine.read_text("utf-8").splitlines()
    assert run("verify", mine, "--write").exit_code == 0
    after = mine.read_text("utf-8").splitlines()
    assert len(after) == len(before)
    assert {a.partition(":")[0].strip() for a, b in zip(after, before, strict=True) if a != b} == {"digest", "seal"}


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("depth", "2", "certificate.depth is '2'; expected a whole number"),
        ("contrast", [[9]], "certificate.contrast[0] is [9]; expected a world of the task"),
        ("contrast_plain", 3, "certificate.contrast_plain is 3; expected a list"),
        ("policy", [], "certificate.policy does not have 3 worlds, 5 turns and 2 people"),
        ("policy", [[["wait()"]]], "certificate.policy does not have 3 worlds"),
        ("policy", [[[{"tell": [1], "atoms": [3]}]]], "is not an act; expected the name of an act"),
        ("grade", ["x"], "certificate.grade is ['x']"),
    ],
)
def test_an_unreadable_certificate_is_named(tmp_path: Path, field: str, value: Any, message: str) -> None:
    mine = tmp_path / "mine.yaml"
    content = yaml.safe_load(EXAMPLE.read_text())
    content["certificate"][field] = value
    mine.write_text(yaml.safe_dump(content, sort_keys=False))
    found = verify(mine)
    assert isinstance(found.exception, UserError)
    assert message in str(found.exception)


@pytest.mark.parametrize("is_a_row", [False, True])
def test_an_unreadable_certificate_is_replaced(tmp_path: Path, is_a_row: bool) -> None:
    mine = tmp_path / "mine.yaml"
    content = yaml.safe_load(EXAMPLE.read_text())
    content["certificate"]["policy"] = None
    mine.write_text(json.dumps(content) if is_a_row else yaml.safe_dump(content, sort_keys=False))
    assert verify(mine, "--write").exit_code == 0
    assert verify(mine).exit_code == 0
