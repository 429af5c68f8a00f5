"""The benchmark scripts run and report what they promise; how fast is none of a test's business."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks import jaxmarl_environment

ROOT = Path(__file__).resolve().parents[1]

pytest.importorskip("jax")
pytest.importorskip("pettingzoo")


def run_speed(*options: str | Path) -> subprocess.CompletedProcess[str]:
    source = os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH")]))
    return subprocess.run(
        [sys.executable, ROOT / "benchmarks" / "symmtom_speed.py", *options],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": source},
    )


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    return run_speed("--quick", "--json", "--skip-jaxmarl", "--out", tmp_path_factory.mktemp("out"))


@pytest.fixture(scope="module")
def record(outcome: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert outcome.returncode == 0, outcome.stderr
    return dict(json.loads(outcome.stdout))


def test_both_settings_are_measured_with_and_without_observations(record: dict[str, Any]) -> None:
    rows = {(row["setting"], row["observations"]) for row in record["best"]}
    assert rows == {(setting, kind) for setting in ("n3_w6_c3", "n4_w12_c12") for kind in (False, True)}
    assert all(row["steps_per_second"] > 0 and row["compile_seconds"] > 0 for row in record["best"])


def test_both_engines_of_the_parallel_env_are_measured(record: dict[str, Any]) -> None:
    assert [row["engine"] for row in record["parallel_env"]] == ["jax", "numpy"]


def test_without_jaxmarl_ratios_are_null_and_its_bars_open(record: dict[str, Any]) -> None:
    assert record["coin_game"]["runs"] == []
    assert "--skip-jaxmarl" in record["coin_game"]["problem"]
    assert all(row["ratio"] is None for row in record["best"])
    assert {bar["name"]: bar["met"] for bar in record["bars"] if "coin_game" in bar["name"]} == {
        "times coin_game, without observations": None,
        "times coin_game, without observations (moonshot)": None,
        "times coin_game, with observations": None,
    }


def test_the_record_names_machine_versions_and_command(record: dict[str, Any]) -> None:
    assert {"cpu_count", "python", "jax", "jaxlib", "numpy"} <= record["machine"].keys()
    assert record["command"].startswith("python benchmarks/symmtom_speed.py --quick --json")


def test_costs_are_given_for_agents_and_worlds(record: dict[str, Any]) -> None:
    assert {cell["agents"] for cell in record["by_agents"]} == {2}
    assert {cell["worlds"] for cell in record["by_worlds"]} == {8}


def test_the_plot_is_drawn_if_matplotlib_is_there(record: dict[str, Any]) -> None:
    pytest.importorskip("matplotlib")
    assert Path(record["plot"]).read_text().startswith("<?xml")


def test_progress_goes_to_stderr(outcome: subprocess.CompletedProcess[str]) -> None:
    assert "SymmToM, many worlds" in outcome.stderr


def test_a_quick_run_is_refused_as_a_record() -> None:
    refused = run_speed("--quick", "--record")
    assert refused.returncode == 2
    assert "too little to be recorded" in refused.stderr


def test_an_interpreter_without_jaxmarl_is_refused_with_a_way_out(tmp_path: Path) -> None:
    with pytest.raises(jaxmarl_environment.Unavailable, match="--jaxmarl-python"):
        jaxmarl_environment.find_python(tmp_path / "python")


def test_a_failed_installation_of_jaxmarl_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jaxmarl_environment, "ENVIRONMENT", tmp_path / "venv")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no-python"))
    with pytest.raises(jaxmarl_environment.Unavailable, match="could not install JaxMARL"):
        jaxmarl_environment.find_python(None)


def test_the_battery_benchmark_says_how_long_all_scenarios_take() -> None:
    script = ROOT / "benchmarks" / "symmtom_battery.py"
    done = subprocess.run([sys.executable, script, "--quick"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "battery of 1 scenarios, nearest, 8 episodes of each case: " in done.stdout
    assert "order0_w6: " in done.stderr
    refused = subprocess.run([sys.executable, script, "--quick", "--record"], capture_output=True, text=True)
    assert refused.returncode == 2
    assert "too little to be recorded" in refused.stderr


@pytest.mark.slow
def test_the_learners_benchmark_compares_an_update_with_plain_products() -> None:
    script = ROOT / "benchmarks" / "symmtom_learning.py"
    done = subprocess.run([sys.executable, script, "--quick"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "MADDPG update n3_w6_c3 none" in done.stdout
    assert "GFLOP/s" in done.stdout
    assert "seeds at once" in done.stdout
