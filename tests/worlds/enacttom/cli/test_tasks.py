import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from otherminds.cli.main import make_app
from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.tasks.canonical import canonical, mechanism
from otherminds.worlds.enacttom.tasks.read import find_task, read_task
from tests.worlds.enacttom.cli.running import EXAMPLE, run, verify


def changed(folder: Path, **changes: Any) -> Path:
    path = folder / "mine.yaml"
    content = {**yaml.safe_load(EXAMPLE.read_text()), **changes}
    content.pop("certificate")
    path.write_text(yaml.safe_dump(content, sort_keys=False))
    return path


def test_a_task_is_proved() -> None:
    found = verify(EXAMPLE, "--json")
    assert found.exit_code == 0
    (report,) = json.loads(found.stdout)["items"]
    assert (report["grade"], report["depth"], report["depth_any"], report["is_tight"]) == ("solvable", 1, 1, True)
    assert len(report["contrast_worlds"]) == 2
    copy = read_task(find_task("placement-4"))
    assert (report["canonical"], report["skeleton"]) == (canonical(copy), mechanism(copy))
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


def test_what_nobody_can_do_is_a_verdict_with_the_world(tmp_path: Path) -> None:
    found = verify(changed(tmp_path, horizon=2), "--json")
    assert found.exit_code == 1
    (report,) = json.loads(found.stdout)["items"]
    assert (report["grade"], report["fewest_turns"], report["holds"]) == ("unsolvable", None, False)
    assert report["reason"].startswith("it cannot be solved in 2 turns where target = red_table")
    assert "unsolvable: it cannot be solved in 2 turns" in " ".join(verify(changed(tmp_path, horizon=2)).stdout.split())


@pytest.mark.parametrize("goal", ["on(cup, shelf)", {"or": ["on(cup, shelf)", {"not": "on(cup, shelf)"}]}])
def test_a_goal_that_holds_at_the_start_is_trivial(tmp_path: Path, goal: Any) -> None:
    found = verify(changed(tmp_path, goal=goal), "--json")
    assert found.exit_code == 1
    (report,) = json.loads(found.stdout)["items"]
    assert (report["grade"], report["holds"]) == ("trivial", False)
    shown = " ".join(verify(changed(tmp_path, goal=goal)).stdout.split())
    assert "trivial: the goal holds in every world before anybody acts" in shown
    assert "solvable" not in shown


def test_the_depth_of_a_written_K_goal_is_shown_beside_the_proved_one(tmp_path: Path) -> None:
    wish = {"chain": ["ann", "ben", "ann"], "about": "target"}
    mine = changed(tmp_path, wishes=[wish])
    assert "written 3, proved 1" in verify(mine).stdout
    assert json.loads(verify(mine, "--json").stdout)["items"][0]["depth_written"] == 3
    assert json.loads(verify(EXAMPLE, "--json").stdout)["items"][0]["depth_written"] is None


def test_a_mistake_in_the_file_is_named(tmp_path: Path) -> None:
    found = verify(changed(tmp_path, goal="on(mug, $target)"))
    assert isinstance(found.exception, UserError)
    assert "place mug" in str(found.exception)


def test_a_new_task_is_a_task_and_nothing_is_written_over(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    made = CliRunner().invoke(make_app(), ["new", "task", str(path)])
    assert made.exit_code == 0
    assert EXAMPLE.read_text().startswith(path.read_text())
    path.write_text("mine")
    again = CliRunner().invoke(make_app(), ["new", "task", str(path)])
    assert "already exists" in str(again.exception)
    assert path.read_text() == "mine"
    assert CliRunner().invoke(make_app(), ["new", "task", str(path), "--force"]).exit_code == 0
    unknown = CliRunner().invoke(make_app(), ["new", "task", str(tmp_path / "x.yaml"), "--like", "cpu"])
    assert "did you mean 'cup'" in str(unknown.exception)
    for name, message in (("cup.txt", "should end in .yaml"), ("x.yaml", "cannot read")):
        like = () if name == "cup.txt" else ("--like", str(tmp_path / "none.yaml"))
        refused = CliRunner().invoke(make_app(), ["new", "task", str(tmp_path / name), *like])
        assert message in str(refused.exception)
        assert not (tmp_path / name).exists()
    assert CliRunner().invoke(make_app(), ["new", "task", str(tmp_path / "plain")]).exit_code == 0
    assert (tmp_path / "plain.yaml").exists()


def test_the_judge_is_asked_on_request(tmp_path: Path) -> None:
    assert "met" not in verify(EXAMPLE).stdout
    judged = verify(EXAMPLE, "--judge")
    assert judged.exit_code == 0
    assert judged.stdout.count(" met: ") == 8
    content = yaml.safe_load(EXAMPLE.read_text())
    idle = changed(tmp_path, mechanics=[*content["mechanics"], {"kind": "limited_bandwidth", "limits": {"ann": 1}}])
    judged = verify(idle, "--judge")
    assert judged.exit_code == 1
    assert "limited_bandwidth) is not needed" in " ".join(judged.stdout.split())


def test_a_world_is_verified_task_by_task(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("otherminds.worlds.enacttom.tasks.read.task_names", lambda _: ["cup"])
    assert json.loads(run("verify", "enacttom", "--json").stdout)["items"][0]["task"] == "cup"
    assert "run 'otherminds verify enacttom --items cup'" in str(run("verify", "cup").exception)


def test_what_is_meant_to_be_a_task_is_read_as_one(tmp_path: Path) -> None:
    content = yaml.safe_load(EXAMPLE.read_text())
    row = tmp_path / "row.json"
    row.write_text(json.dumps(content))
    assert json.loads(verify(row, "--json").stdout)["items"][0]["task"] == "cup"
    content.pop("house")
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(content))
    assert "mine.yaml: field 'house' is missing" in str(verify(tmp_path / "mine.yaml").exception)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda text: text.replace("house:", "hous:"), "unknown field 'hous'"),
        (lambda text: text.replace("people:", "peopel:").replace("house:", "hose:"), "; did you mean"),
        (lambda text: text.replace("{room: hall}", "{room: hall"), "not valid YAML"),
        (lambda text: text.replace("house:", "\thouse:"), "not valid YAML"),
        (lambda text: "{" + text, "not valid YAML"),
    ],
)
def test_a_broken_task_is_reported_as_a_task(tmp_path: Path, spoil: Any, message: str) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text(spoil(EXAMPLE.read_text("utf-8")), "utf-8")
    found = verify(mine)
    assert isinstance(found.exception, UserError)
    assert message in str(found.exception)
    assert "scenario" not in str(found.exception)


def test_a_broken_scenario_is_reported_as_a_scenario(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    assert run("new", "scenario", "mine", "--out", mine).exit_code == 0
    mine.write_text(mine.read_text("utf-8").replace("order:", "ordre:"), "utf-8")
    assert "unknown field 'ordre' in the scenario" in str(verify(mine).exception)
