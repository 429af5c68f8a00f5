"""Trainings from the command to the score: they continue, are never repeated, refuse bad input, and learn."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import jax
import pytest

from otherminds.core.errors import UserError
from otherminds.run import RunDirectory
from otherminds.worlds.symmtom.evals.runs import place_of
from otherminds.worlds.symmtom.learn.train import ALGORITHMS, make_learner, plan, resolve
from otherminds.worlds.symmtom.minds import PAPER_MODELS, scripted
from otherminds.worlds.symmtom.minds.learned import load_agent
from otherminds.worlds.symmtom.minds.rollout import rollout
from otherminds.worlds.symmtom.types import Params
from tests.plugin import Printed, invoked

ROOT = Path(__file__).parents[4]
CHUNKS = 6
OPTIONS: dict[str, dict[str, Any]] = {
    "maddpg": {
        "episodes": 12, "chunk_episodes": 2, "worlds": 2, "update_period": 4, "batch": 4, "capacity": 20, "warm_up": 8,
        "width": 8,
    },
    "ppo": {"episodes": 24, "iterations": 1, "worlds": 4, "minibatches": 2, "width": 8},
    "imitation": {"episodes": 24, "iterations": 1, "worlds": 4, "minibatches": 2, "width": 8},
}  # fmt: skip
# EE, so that what minds remember and rows that are read with the next one are there again too.
BELIEFS = {"maddpg": "estimated", "ppo": "conservative", "imitation": "conservative"}
FINAL = ("actor.safetensors", "metrics.jsonl", "result.json", "episodes/evaluation.jsonl", "config.json")


def command(algorithm: str, out: Path, *more: str) -> list[str]:
    """A training of six small chunks."""
    options = [word for name, value in OPTIONS[algorithm].items() for word in ("--option", f"{name}={value}")]
    words = ["train", "symmtom", "--setting", "n3_w4_c3", "--algorithm", algorithm, "--belief", BELIEFS[algorithm]]
    return [*words, "--set", "num_turns=4", *options, "--out", str(out), *more]


@pytest.fixture(
    scope="module", params=["maddpg", *(pytest.param(name, marks=pytest.mark.slow) for name in ("imitation", "ppo"))]
)
def runs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """An algorithm, a whole run of it, and the same run killed in the middle, in a process of its own."""
    folder = tmp_path_factory.mktemp(request.param)
    run(*command(request.param, folder / "whole"))
    words = [sys.executable, "-m", "tests.worlds.symmtom.learn.killed", "4"]
    done = subprocess.run(
        [*words, *command(request.param, folder / "killed")], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == -signal.SIGKILL, done.stderr + done.stdout
    return request.param, folder / "whole", folder / "killed"


def run(*words: str, expect: int = 0) -> Printed:
    return invoked(*words, cwd=ROOT, expect=expect)


def assert_same_results(one: Path, other: Path) -> None:
    for folder in (one, other):
        record = RunDirectory.read(folder)
        assert record.is_finished
        assert record.changed_files() == []
        assert list((folder / "checkpoints").iterdir()) == []
    for name in FINAL:
        assert (one / name).read_bytes() == (other / name).read_bytes(), name


def snapshot(folder: Path) -> dict[str, bytes]:
    """All files; the lock names the last process that asked."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != ".lock"]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_a_training_killed_in_the_middle_continues_to_the_same_bytes(
    runs: tuple[str, Path, Path], tmp_path: Path
) -> None:
    algorithm, whole, killed = runs
    out = shutil.copytree(killed, tmp_path / "run")
    rows = RunDirectory.read(out).metrics
    assert [row["step"] for row in rows] == [1, 2, 3, 4], "killed after the metrics of step 4, before its checkpoint"
    done = run(*command(algorithm, out))
    assert_same_results(out, whole)
    assert len([line for line in done.stderr.splitlines() if line.startswith("reward")]) == CHUNKS - 3
    assert len(RunDirectory.read(out).manifest["sessions"]) == 2


def test_a_training_falls_back_behind_a_damaged_checkpoint_to_the_same_bytes(
    runs: tuple[str, Path, Path], tmp_path: Path
) -> None:
    algorithm, whole, killed = runs
    out = shutil.copytree(killed, tmp_path / "run")
    (last,) = (out / "checkpoints").glob("step-000003-*.safetensors")
    content = bytearray(last.read_bytes())
    content[-1] ^= 1
    last.write_bytes(content)
    done = run(*command(algorithm, out))
    assert "warning: " in done.stderr
    assert "step 3" in done.stderr
    for path in (out / "checkpoints").glob("*.corrupt"):
        path.unlink()
    assert_same_results(out, whole)


def test_another_configuration_is_refused_and_nothing_is_lost(runs: tuple[str, Path, Path], tmp_path: Path) -> None:
    algorithm, _, killed = runs
    out = shutil.copytree(killed, tmp_path / "run")
    before = snapshot(out)
    done = run(*command(algorithm, out, "--option", "width=9"), expect=2)
    assert "holds a run with a different configuration" in done.stderr
    assert "options.width: recorded 8, now 9" in done.stderr
    assert snapshot(out) == before


def test_a_finished_training_is_not_repeated(runs: tuple[str, Path, Path], tmp_path: Path) -> None:
    algorithm, whole, _ = runs
    out = shutil.copytree(whole, tmp_path / "run")
    before = {name: (out / name).read_bytes() for name in FINAL}
    done = run(*command(algorithm, out, "--json"))
    assert json.loads(done.stdout) == json.loads((whole / "result.json").read_text())
    assert not done.stderr, "no chunk was trained"
    assert {name: (out / name).read_bytes() for name in FINAL} == before


def test_a_damaged_result_of_a_finished_run_is_a_clear_error(runs: tuple[str, Path, Path], tmp_path: Path) -> None:
    algorithm, whole, _ = runs
    out = shutil.copytree(whole, tmp_path / "run")
    (out / "result.json").write_text("{")
    done = run(*command(algorithm, out), expect=2)
    assert "result.json was changed after the run finished; restore it" in done.stderr


def test_a_run_leaves_its_best_actor_with_its_score_and_curve(runs: tuple[str, Path, Path]) -> None:
    algorithm, whole, _ = runs
    result = json.loads((whole / "result.json").read_text())
    rows = RunDirectory.read(whole).metrics
    scores: list[float] = [row["score" if "score" in row else "reward"] for row in rows]
    assert result["curve"] == [round(row["reward"], 4) for row in rows]
    assert result["best_step"] == 1 + scores.index(max(scores))
    assert result["config"]["options"] | OPTIONS[algorithm] == result["config"]["options"]
    assert result["evaluation"]["episodes"] == result["config"]["evaluation_episodes"] == 1000
    assert (result["evaluation"]["samples"], result["evaluation_greedy"]["samples"]) == (True, False)
    agent = load_agent(whole)
    assert agent.name.startswith(f"{algorithm}-{BELIEFS[algorithm]}@")
    assert agent.about["best_step"] == result["best_step"]


# Input


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"algorithm": "madpg"}, "there is no algorithm 'madpg'; did you mean 'maddpg'"),
        ({"belief": "consevative"}, "there is no belief 'consevative'; did you mean 'conservative'"),
        ({"setting": "n3w6c3"}, "setting 'n3w6c3' is not of the form"),
        ({"switches": {"visoin": 2}}, "no option 'visoin'; did you mean 'vision'"),
        ({"options": {"bach": 3}}, "maddpg has no option 'bach'; did you mean 'batch'"),
        ({"options": {"batch": "many"}}, "batch is 'many'; expected a whole number of at least 1, such as 1024"),
        ({"options": {"batch": 2.5}}, "batch is 2.5; expected a whole number"),
        ({"options": {"worlds": 0}}, "worlds is 0; expected a whole number of at least 1"),
        ({"options": {"discount": "x"}}, "discount is 'x'; expected a number of at least 0, such as 0.95"),
        ({"options": {"learning_rate": float("nan")}}, "learning_rate is nan; expected a number"),
        ({"options": {"critic_sees_truth": "yes"}}, "critic_sees_truth is 'yes'; expected true or false"),
        ({"options": {"clip": 0.0}}, "clip is 0.0; expected a positive number"),
        ({"algorithm": "ppo", "options": {"max_norm": 0}}, "max_norm is 0; expected a positive number"),
        ({"seed": "0"}, "seed is '0'; expected a whole number of at least 0"),
        ({"seed": -1}, "seed is -1; expected a whole number of at least 0"),
        ({"options": {"next_carry": "new"}}, "next_carry is 'new'; did you mean 'anew'"),
        (
            {"options": {"worlds": 3}},
            "update_period is 100; expected a multiple of worlds, 3, such as 99",
        ),
        ({"options": {"capacity": 150}}, "capacity is 150; expected a multiple of update_period, 100, such as 200"),
        ({"options": {"next_carry": "anew"}}, "next_carry is 'anew', but nothing is remembered"),
        (
            {"belief": "estimated", "options": {"capacity": 60, "update_period": 20}},
            "found warm_up 30720 and capacity 60, expected at least 40 and 80",
        ),
        (
            {"options": {"episodes": 2600}},
            "episodes is 2600; expected a multiple of chunk_episodes, 1000, such as 3000",
        ),
        (
            {"options": {"chunk_episodes": 1, "episodes": 7}},
            "30 turns times chunk_episodes is 30; expected a multiple of update_period, 100",
        ),
        ({"switches": {"width": 12}}, "width is 12, but setting 'n3_w6_c3' says 6; change the setting"),
        ({"network": {"kind": [1]}}, r"unknown network \[1\]; expected one of feedforward"),
        ({"network": {"kind": "symetric"}}, "unknown network 'symetric'; did you mean 'symmetric'"),
        ({"network": {"piece_units": 3}}, "the feedforward network has no field 'piece_units'"),
        ({"belief": "bayesian", "switches": {"decay": 3}}, "Bayesian belief does not support decay=3"),
        ({"algorithm": "ppo", "belief": "bayesian", "switches": {"decay": 3}}, "does not support decay=3"),
        (
            {"algorithm": "ppo", "options": {"minibatches": 0}},
            "minibatches is 0; expected a whole number of at least 1",
        ),
        (
            {"algorithm": "ppo", "options": {"worlds": 20}},
            "worlds is 20; expected a multiple of minibatches, 8, such as 16",
        ),
        (
            {"algorithm": "ppo", "options": {"episodes": 1000}},
            "episodes is 1000; expected a multiple of a chunk .*, 1024, such as 1024",
        ),
        ({"algorithm": "ppo", "options": {"episodes": 0}}, "ppo: episodes is 0; expected a positive number"),
        ({"algorithm": "ppo", "options": {"team_share": 5}}, "team_share is 5; expected a number from 0 to 1"),
        (
            {"algorithm": "ppo", "switches": {"show_turn": True}},
            "show_turn=True changes the observation, which the sym",
        ),
        ({"algorithm": "ppo", "network": {"kind": 3}}, "unknown network 3; expected one of feedforward"),
        (
            {"options": {"episodes": 1000}},
            "1000 episodes are 30000 turns, but nothing is learned before .* holds 30720",
        ),
        ({"options": {"capacity": 10**13}}, "takes 620000.0 GB, but this machine has"),
        ({"options": {"critic_sees_truth": False}, "belief": "oracle"}, "critic_sees_truth=false is not possible"),
        ({"belief": "estimated", "switches": {"decay": 3}}, "'estimated' does not support decay=3"),
        ({"algorithm": "ppo", "options": {"centralised_critic": 1}}, "centralised_critic is 1; expected true or false"),
        ({"algorithm": "ppo", "network": {"piece_units": "x"}}, "piece_units is 'x'; expected a whole number"),
    ],
    ids=lambda v: None if isinstance(v, str) else json.dumps(v),
)
def test_bad_input_is_refused_before_anything_begins(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        resolve(**({"setting": "n3_w6_c3"} | asked))


def test_a_suggested_capacity_is_accepted() -> None:
    options = {"update_period": 140, "capacity": 1_000_020, "chunk_episodes": 1400, "episodes": 2800}
    assert resolve("n3_w6_c3", "maddpg", "recurrent", options=options)["options"]["capacity"] == 1_000_020


def test_a_model_named_twice_is_trained_once(tmp_path: Path) -> None:
    jobs = plan("paper,maddpg-none", "n3_w6_c3,n3_w6_c3", "0", tmp_path)
    assert [job.name.split("/")[0] for job in jobs] == list(PAPER_MODELS)


def test_curves_are_written_for_tensorboard_if_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tensorboardX import SummaryWriter

    from otherminds.worlds.symmtom.cli import train

    written: list[tuple[str, float, int]] = []

    class Writer:
        def __init__(self, folder: str) -> None:
            assert Path(folder) == tmp_path / "run" / "tensorboard"

        def add_scalar(self, name: str, value: float, step: int) -> None:
            written.append((name, value, step))

        def flush(self) -> None:
            written.append(("flushed", 0.0, 0))

    assert {"add_scalar", "flush"} <= set(dir(SummaryWriter)), "the real one has what this one has"
    monkeypatch.setattr("tensorboardX.SummaryWriter", Writer)
    write = train._tensorboard(tmp_path / "run")
    write({"step": 2, "episodes": 2000, "reward": 3.5})
    assert written == [("reward", 3.5, 2000), ("flushed", 0.0, 0)]


def test_without_its_extra_tensorboard_is_asked_for_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from otherminds.worlds.symmtom.cli import train

    monkeypatch.setitem(sys.modules, "tensorboardX", None)
    with pytest.raises(UserError, match=r"install otherminds\[tensorboard\]"):
        train._tensorboard(tmp_path)


def test_a_bad_command_leaves_no_folder(tmp_path: Path) -> None:
    done = run(*command("ppo", tmp_path / "run", "--option", "bach=1"), expect=2)
    assert "ppo has no option 'bach'" in done.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_configuration_says_everything_and_resolves_to_itself(algorithm: str) -> None:
    config = resolve("n3_w6_c6", algorithm, "greedy", 4, {"vision": 3}, {"width": 9})
    plain = json.loads(json.dumps(config))
    assert plain == config
    assert (plain["options"]["width"], plain["params"]["vision"], plain["seed"]) == (9, 3, 4)
    assert plain["options"].keys() == {field.name for field in fields(ALGORITHMS[algorithm][0])}
    switches = {name: plain["params"][name] for name in plain["params"] if not name.startswith(("num_", "width"))}
    again = resolve("n3_w6_c6", algorithm, "greedy", 4, switches, plain["options"], plain["network"])
    assert again == config
    assert None not in plain["options"].values()
    assert plain["options"]["episodes"] > 0
    assert plain["params"].keys() == {field.name for field in fields(Params)}


def test_runs_that_differ_lie_apart() -> None:
    asked: list[tuple[dict[str, Any], str]] = [
        ({}, ""),
        ({"switches": {"mask_actions": True}}, ""),
        ({"switches": {"competitive": 3}, "options": {"team_share": 0.5}}, ",competitive=3,team_share=0.5"),
        ({"network": {"kind": "feedforward"}}, ",kind=feedforward"),
        ({"options": {"width": 64}}, ",width=64"),
    ]
    for changes, words in asked:
        config = resolve("n3_w6_c3", "ppo", "greedy", 1, **changes)
        assert place_of(config) == Path("ppo-greedy", f"n3_w6_c3{words}", "seed1")


def test_another_kind_of_network_takes_no_fields_of_the_default_one() -> None:
    assert resolve("n3_w6_c3", "ppo", "greedy", network={"kind": "feedforward"})["network"] == {"kind": "feedforward"}


# Learning happens


def random_reward() -> float:
    return float(rollout(Params(), scripted.RANDOM, 0, 300, "numpy").reward.mean())


def test_ppo_learns_in_seconds_to_earn_many_times_what_chance_does() -> None:
    options = {"episodes": 1536, "worlds": 64, "minibatches": 4, "width": 64, "learning_rate": 2e-3}
    learner = make_learner(resolve("n3_w6_c3", "ppo", "attentive", 0, options=options))
    training, rewards = jax.jit(learner.begin)(), []
    for _ in range(learner.num_chunks):
        training, metrics = learner.chunk(training)
        rewards.append(metrics["reward"])
    assert rewards[-1] > 5 * random_reward()
    assert rewards[-1] > 1.5 * rewards[0]


@pytest.mark.slow
def test_maddpg_learns_to_earn_several_times_what_chance_does() -> None:
    """With smaller batches and larger steps than the paper's, a tenth of its episodes are enough to see it."""
    options = {"episodes": 6000, "batch": 256, "warm_up": 3000, "learning_rate": 3e-3, "target_rate": 0.01}
    learner = make_learner(resolve("n3_w6_c3", "maddpg", "conservative", 0, options=options))
    training, rewards = learner.begin(), []
    for _ in range(learner.num_chunks):
        training, metrics = learner.chunk(training)
        rewards.append(metrics["reward"])
    assert max(rewards[-2:]) > 3 * random_reward()
