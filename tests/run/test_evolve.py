"""Pools evolve to the same bytes, however often they are interrupted, and hold what was asked for."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from otherminds.core.errors import UserError
from otherminds.core.json_lines import read_rows
from otherminds.core.world import Item
from otherminds.run.breeder import Refused
from otherminds.run.evolve import EVOLVED, FIRST, FRESH, PASSED, SPARE, Evolution, Plan
from otherminds.run.evolve_report import play_held_out, report
from tests.plugin import COIN, ROOT
from tests.run.breeding import PLAN, SIZE, STEPS, Numbers, contents, pool


class Stopped(Exception):
    pass


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pool that was made without interruption."""
    out = tmp_path_factory.mktemp("whole") / "pool"
    pool(out).run(SIZE, STEPS)
    return out


def rows(out: Path) -> list[dict[str, Any]]:
    return read_rows(out / "steps.jsonl")


def test_a_pool_has_fresh_items_and_evolved_ones_within_the_band(whole: Path) -> None:
    kept = [row for row in rows(whole) if row["name"]]
    assert [row["name"] for row in kept if row["operator"] == FRESH] == [f"first-{n + 1}" for n in range(PLAN.first)]
    evolved = [row for row in kept if row["operator"] != FRESH]
    assert [row["name"] for row in evolved] == [f"evolved-{n + 1}" for n in range(SIZE)]
    assert all(row["pass_rate"] <= PLAN.band[1] for row in evolved)
    assert any(row["against"].startswith("pass rate") for row in rows(whole)), "the band must matter"
    assert any(row["against"] == "not proved" for row in rows(whole)), "the check must matter"


class Crowded(Numbers):
    def niches(self, candidate: int) -> dict[str, float]:
        return {"odd numbers": 0.1} if candidate % 2 else {}


def test_no_group_takes_more_of_the_pool_than_its_share(tmp_path: Path) -> None:
    whole = pool(tmp_path, replace(PLAN, band=(0.0, 1.0)), Crowded())
    whole.run(20, STEPS)
    odd = [member for member in whole.of(EVOLVED) if whole.read(member.name) % 2]
    assert 0 < len(odd) <= 0.1 * 20 + SPARE
    assert any(row["against"] == "the pool already has enough of odd numbers" for row in whole.rows)
    again = pool(tmp_path, replace(PLAN, band=(0.0, 1.0)), Crowded())
    again.run(20, STEPS)
    assert again.rows == whole.rows


class Doubtful(Numbers):
    def confirm(self, candidate: int) -> int:
        if candidate % 2:
            raise Refused("not confirmed")
        return candidate


def test_what_is_not_confirmed_is_played_and_not_kept(tmp_path: Path) -> None:
    whole = pool(tmp_path, breeder=Doubtful())
    whole.run(SIZE, STEPS)
    refused = [row for row in whole.rows if row["against"] == "not confirmed"]
    assert refused
    assert all(row["name"] == "" and "pass_rate" in row for row in refused)


def test_nothing_that_is_kept_is_a_near_copy(whole: Path) -> None:
    evolved = [row["key"] for row in rows(whole) if row["name"].startswith(EVOLVED)]
    first = [row["key"] for row in rows(whole) if row["name"].startswith(FIRST)]
    assert len(set(evolved)) == SIZE
    assert not set(evolved) & set(first)


def test_another_seed_gives_another_pool_and_the_same_seed_the_same(whole: Path, tmp_path: Path) -> None:
    pool(tmp_path / "again").run(SIZE, STEPS)
    assert contents(tmp_path / "again") == contents(whole)
    pool(tmp_path / "other", replace(PLAN, seed=4)).run(SIZE, STEPS)
    assert contents(tmp_path / "other") != contents(whole)


def test_a_pool_stopped_at_any_play_resumes_to_the_same_bytes(whole: Path, tmp_path: Path) -> None:
    plays = 0

    def count() -> None:
        nonlocal plays
        plays += 1

    counted = pool(tmp_path / "counted")
    counted.on_play = count
    counted.run(SIZE, STEPS)
    assert plays >= 2 * len([row for row in rows(whole) if row["name"]])
    for stop in range(1, plays + 1):
        out, left = tmp_path / str(stop), stop

        def fail() -> None:
            nonlocal left
            left -= 1
            if not left:
                raise Stopped

        stopped = pool(out)
        stopped.on_play = fail
        with pytest.raises(Stopped):
            stopped.run(SIZE, STEPS)
        pool(out).run(SIZE, STEPS)
        assert contents(out) == contents(whole), stop


def test_a_process_killed_at_a_write_resumes_to_the_same_bytes(whole: Path, tmp_path: Path) -> None:
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT), str(COIN / "src")])
    for write in (2, 3, 9):  # of the first item, of its row, and later
        out = tmp_path / str(write)
        command = [sys.executable, "-m", "tests.run.breeding", str(out), str(write)]
        done = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, cwd=ROOT, capture_output=True)
        assert done.returncode == -signal.SIGKILL, done.stderr
        assert contents(out) != contents(whole)
        pool(out).run(SIZE, STEPS)
        assert contents(out) == contents(whole), write


def test_a_torn_row_and_a_left_temporary_file_are_cleared(whole: Path, tmp_path: Path) -> None:
    pool(tmp_path / "pool").run(1, STEPS)
    with (tmp_path / "pool" / "steps.jsonl").open("a") as log:
        log.write('{"step":99,"oper')
    (tmp_path / "pool" / "evolved" / ".evolved-2.json.7.tmp").write_text("half")
    pool(tmp_path / "pool").run(SIZE, STEPS)
    assert contents(tmp_path / "pool") == contents(whole)


def test_finished_steps_are_not_taken_again(whole: Path) -> None:
    def refuse() -> None:
        raise AssertionError("it was played again")

    done = pool(whole)
    done.on_play = refuse
    seen: list[Any] = []
    done.run(SIZE, STEPS, seen.append)
    assert len(seen) == len(rows(whole))


def test_an_item_can_be_made_again_from_its_lineage(whole: Path) -> None:
    made = pool(whole)
    for path in sorted((whole / EVOLVED).iterdir()):
        kept = json.loads(path.read_text("utf-8"))
        lineage = kept["lineage"]
        assert lineage["seed"] == PLAN.seed
        assert set(lineage["panel"]) == set(PLAN.panel)
        assert made.make(lineage["step"], lineage["operator"], lineage["parents"]) == kept["number"]


@pytest.mark.parametrize("failures", [0.0, 1.0])
def test_parents_are_drawn_from_items_that_the_panel_failed_or_passed(failures: float, tmp_path: Path) -> None:
    plan = replace(PLAN, panel=("luck",), failures=failures, first=30, band=(0.0, 1.0))
    made = pool(tmp_path / "pool", plan)
    made.run(12, STEPS)
    rates = {member.name: member.pass_rate for member in made.members}
    fresh = {name for name in rates if name.startswith(FIRST)}
    assert {rates[name] < PASSED for name in fresh} == {True, False}
    chosen = [rates[name] < PASSED for row in rows(tmp_path / "pool") for name in row["parents"]]
    assert len(chosen) >= 12
    assert set(chosen) == {failures == 1.0}


def test_a_pool_that_is_full_can_grow(whole: Path, tmp_path: Path) -> None:
    pool(tmp_path / "pool").run(2, STEPS)
    assert pool(tmp_path / "pool").count(EVOLVED) == 0  # nothing is read before it runs
    grown = pool(tmp_path / "pool")
    grown.run(SIZE, STEPS)
    assert contents(tmp_path / "pool") == contents(whole)


def test_the_report_compares_both_parts_with_other_seeds(whole: Path) -> None:
    made = pool(whole)
    made.run(SIZE, STEPS)
    rates = play_held_out(made, ["other"])
    found = report(made, rates, ["other"])
    assert (found["first"], found["evolved"], found["steps"]) == (PLAN.first, SIZE, len(rows(whole)))
    by_mind = {row["minds"]: row for row in found["success"]}
    assert list(by_mind) == ["panel", "never", "luck", "other"]
    assert [row["in_panel"] for row in by_mind.values()] == [True, True, True, False]
    luck = [rates["luck", member.name] for member in made.of(EVOLVED)]
    assert by_mind["luck"]["evolved"]["value"] == pytest.approx(sum(luck) / SIZE)
    assert by_mind["panel"]["first"]["value"] == pytest.approx(by_mind["luck"]["first"]["value"] / 2)
    never = by_mind["never"]
    assert never["evolved"]["low"] == 0 < never["evolved"]["high"] < 1
    assert never["factor"] == {"value": None, "low": 0.0, "high": None}
    assert play_held_out(pool(whole), []) == rates, "what was played is read"
    (whole / "held_out.jsonl").unlink()


def test_a_folder_of_something_else_or_of_another_plan_is_refused(whole: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"a pool with seed 3, not 5; .*--out"):
        pool(whole, replace(PLAN, seed=5))
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UserError, match="not a pool"):
        pool(tmp_path)
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(UserError, match="cannot read"):
        pool(tmp_path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"panel": ()}, "--against"),
        ({"failures": 1.5}, "a probability from 0 to 1"),
        ({"band": (0.5, 0.2)}, "the lower one first"),
        ({"band": (0.0, 2.0)}, "from 0 to 1"),
        ({"runs": 0}, "at least 1"),
    ],
)
def test_a_plan_out_of_range_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        Plan(**{"panel": ("luck",), **changes})


def test_a_panel_stops_playing_an_item_that_it_has_passed_too_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Runs that are not played count as failed, so that the rate that is kept is a lower bound."""
    import coin_in_the_box
    from otherminds import make

    coin_in_the_box.register_all()
    played: list[int] = []

    def passed(*_: object, **__: object) -> list[SimpleNamespace]:
        played.append(1)
        return [SimpleNamespace(end={"outcome": {"success": True}})]

    class Single(Numbers):
        def items(self, candidate: int, run: int) -> list[Item]:
            return [Item(str(run), None)]

    monkeypatch.setattr("otherminds.run.evolve.play_all", passed)
    world = make("coin")
    monkeypatch.setattr(type(world), "seats_of", lambda *_: ("ann",), raising=False)
    whole = Evolution[int](world, Single(), replace(PLAN, runs=3), tmp_path / "pool")
    assert whole.play(1, "random", "label", most=0.2) == pytest.approx(1 / 3)
    assert len(played) == 1
    assert whole.play(1, "random", "label") == 1.0
    assert len(played) == 4
