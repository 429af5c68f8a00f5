import json
from pathlib import Path
from typing import Any

import yaml
from typer.testing import CliRunner

from otherminds.cli.main import app
from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.read import find_task

EXAMPLE = find_task("cup")


def verify(path: Path, *options: str) -> Any:
    return CliRunner().invoke(app, ["verify", str(path), *options])


def changed(folder: Path, **changes: Any) -> Path:
    path = folder / "mine.yaml"
    path.write_text(yaml.safe_dump({**yaml.safe_load(EXAMPLE.read_text()), **changes}, sort_keys=False))
    return path


def test_a_task_is_proved() -> None:
    found = verify(EXAMPLE, "--json")
    assert found.exit_code == 0
    report = json.loads(found.stdout)
    assert (report["grade"], report["depth"], report["depth_any"], report["is_tight"]) == ("solvable", 1, 1, True)
    assert len(report["contrast_worlds"]) == 2
    assert "depth 1 without conventions (tight)" in verify(EXAMPLE).stdout


def test_a_task_without_the_information_is_unsolvable(tmp_path: Path) -> None:
    barred = [{"kind": "room_restriction", "agents": ["ann"], "rooms": ["hall", "kitchen"]},
              {"kind": "room_restriction", "agents": ["ben"], "rooms": ["study", "porch"]}]  # fmt: skip
    mute = changed(tmp_path, mechanics=barred, talk={})
    found = verify(mute)
    assert found.exit_code == 1
    assert "unsolvable" in found.stdout


def test_a_task_that_takes_an_agreement_is_named_so(tmp_path: Path) -> None:
    barred = [{"kind": "room_restriction", "agents": ["ann"], "rooms": ["kitchen"]},
              {"kind": "room_restriction", "agents": ["ben"], "rooms": ["study"]}]  # fmt: skip
    found = verify(changed(tmp_path, mechanics=barred, talk={}))
    assert found.exit_code == 1
    assert "signalling-only" in found.stdout


def test_a_solver_without_time_says_unknown() -> None:
    found = verify(EXAMPLE, "--seconds", "0")
    assert found.exit_code == 1
    assert "unknown" in found.stdout
    assert "solvable at" not in found.stdout


def test_what_nobody_can_do_is_refused_with_the_world(tmp_path: Path) -> None:
    found = verify(changed(tmp_path, horizon=2))
    assert isinstance(found.exception, UserError)
    assert "in 2 turns where target = red_table" in str(found.exception)


def test_a_mistake_in_the_file_is_named(tmp_path: Path) -> None:
    found = verify(changed(tmp_path, goal="on(mug, $target)"))
    assert isinstance(found.exception, UserError)
    assert "place mug" in str(found.exception)


def test_a_new_task_is_a_task_and_nothing_is_written_over(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    made = CliRunner().invoke(app, ["new", "task", str(path)])
    assert made.exit_code == 0
    assert path.read_text() == EXAMPLE.read_text()
    path.write_text("mine")
    again = CliRunner().invoke(app, ["new", "task", str(path)])
    assert "there already" in str(again.exception)
    assert path.read_text() == "mine"
    assert CliRunner().invoke(app, ["new", "task", str(path), "--force"]).exit_code == 0
    unknown = CliRunner().invoke(app, ["new", "task", str(tmp_path / "x.yaml"), "--like", "cpu"])
    assert "did you mean 'cup'" in str(unknown.exception)
