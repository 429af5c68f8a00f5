"""Records are found in both layouts, told apart, refused when damaged, and kept."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from otherminds.cli.options import parse_settings
from otherminds.core.errors import UserError
from otherminds.worlds.symmtom.evals.runs import by_cell, default_folders, find_records, keep, kept_at, read_record
from otherminds.worlds.symmtom.learn import train
from otherminds.worlds.symmtom.minds import RESULT
from tests.worlds.symmtom.evals.making import config_of, result_of, write_kept, write_run


def save(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), "utf-8")
    return path


def test_both_layouts_give_the_same_record(tmp_path: Path) -> None:
    run = write_run(tmp_path / "runs", "maddpg-greedy", seed=3, reward=12.5)
    (target,) = keep(tmp_path / "runs", tmp_path / "results")
    assert target == tmp_path / "results" / "maddpg-greedy" / "n3_w4_c3" / "seed3.json"
    first, second = read_record(run), read_record(target)
    assert first.evaluation == second.evaluation
    assert (first.seed, first.setting, first.score("reward")) == (3, "n3_w4_c3", 12.5)
    assert first.actor is not None
    assert second.actor == target.with_suffix(".safetensors")
    assert first.actor.read_bytes() == second.actor.read_bytes()
    assert second.score("reward", greedy=True) == 13.5


def test_a_run_found_in_two_folders_counts_once_as_in_the_first(tmp_path: Path) -> None:
    write_run(tmp_path / "runs", "maddpg-none")
    keep(tmp_path / "runs", tmp_path / "results")
    (found,) = find_records([tmp_path / "results", tmp_path / "runs"])
    assert found.path.name == "seed0.json"


def test_keeping_again_writes_nothing_and_unfinished_runs_are_left(tmp_path: Path) -> None:
    write_run(tmp_path / "runs", "maddpg-none")
    unfinished = write_run(tmp_path / "runs", "maddpg-none", seed=1)
    manifest = json.loads((unfinished / "manifest.json").read_text("utf-8"))
    save(unfinished / "manifest.json", {**manifest, "status": "running"})
    assert len(keep(tmp_path / "runs", tmp_path / "results")) == 1
    assert keep(tmp_path / "runs", tmp_path / "results") == []


def test_several_run_directories_can_be_kept_at_once(tmp_path: Path) -> None:
    runs = [write_run(tmp_path / "runs", "maddpg-none", seed=seed) for seed in range(3)]
    kept = keep(runs[:2], tmp_path / "results")
    assert [path.name for path in kept] == ["seed0.json", "seed1.json"]


def test_keeping_refuses_changed_files_and_other_runs_of_the_same_name(tmp_path: Path) -> None:
    run = write_run(tmp_path / "runs", "maddpg-none")
    write_kept(tmp_path / "results", "maddpg-none", "n3_w4_c3", reward=99.0)
    with pytest.raises(UserError, match="holds the results of another run"):
        keep(tmp_path / "runs", tmp_path / "results")
    (run / RESULT).write_text("{}", "utf-8")
    with pytest.raises(UserError, match="changed after the run"):
        keep(tmp_path / "runs", tmp_path / "elsewhere")


def test_what_is_kept_says_how_it_came_about(tmp_path: Path) -> None:
    run = write_run(tmp_path / "runs", "ppo-none", seed=4, competitive=3, options={"team_share": 0.0})
    (target,) = keep(tmp_path / "runs", tmp_path / "results")
    kept, manifest = json.loads(target.read_text("utf-8")), json.loads((run / "manifest.json").read_text("utf-8"))
    made = kept.pop("made")
    assert kept == json.loads((run / RESULT).read_text("utf-8"))
    assert made.pop("command") == (
        "otherminds train symmtom --algorithm ppo --belief none --setting n3_w4_c3 --seed 4 "
        "--set competitive=3 --option team_share=0.0"
    )
    assert made == {name: manifest[name] for name in ("seconds", "cpu_seconds", "versions")}
    save(target, kept)  # as records from before said nothing of it
    assert keep(tmp_path / "runs", tmp_path / "results") == []
    assert "made" in json.loads(target.read_text("utf-8"))


def test_a_run_is_known_to_be_kept_by_its_configuration(tmp_path: Path) -> None:
    usual = train.resolve("n3_w4_c3", "maddpg", "none")
    other = train.resolve("n3_w4_c3", "maddpg", "none", options={"critic_sees_truth": True})
    write_run(tmp_path / "runs", "maddpg-none")  # says less than all defaults, as records from before an option do
    write_run(tmp_path / "runs" / "other", "maddpg-none", options={"critic_sees_truth": True})
    assert kept_at(usual, tmp_path / "results") is None
    keep(tmp_path / "runs", tmp_path / "results")
    folder = tmp_path / "results" / "maddpg-none"
    assert kept_at(usual, tmp_path / "results") == folder / "n3_w4_c3" / "seed0.json"
    assert kept_at(other, tmp_path / "results") == folder / "n3_w4_c3,critic_sees_truth=true" / "seed0.json"
    assert kept_at({**usual, "seed": 1}, tmp_path / "results") is None
    shutil.copytree(folder / "n3_w4_c3,critic_sees_truth=true", folder / "n3_w4_c3", dirs_exist_ok=True)
    with pytest.raises(UserError, match="a different run from the one that its name says"):
        kept_at(usual, tmp_path / "results")


def test_runs_trained_differently_are_models_of_their_own(tmp_path: Path) -> None:
    for seed in range(2):
        write_kept(tmp_path, "maddpg-none", "n3_w6_c3", seed)
    save(tmp_path / "b" / "seed0.json", result_of(config_of("maddpg-none", "n3_w6_c3", options={"episodes": 2000})))
    save(tmp_path / "c" / "seed0.json", result_of(config_of("maddpg-none", "n3_w6_c3", vision=2)))
    found = find_records([tmp_path])
    assert sorted({(r.model, r.paper_model) for r in found}) == [
        ("maddpg-none", "MADDPG"),
        ("maddpg-none episodes=2000", None),
        ("maddpg-none vision=2", None),
    ]
    assert len(by_cell(found)["maddpg-none", "n3_w6_c3"]) == 2


def test_the_plain_name_is_that_of_the_default_training_however_many_others_there_are(tmp_path: Path) -> None:
    for seed in range(2):
        write_kept(tmp_path / "toy", "maddpg-greedy", "n3_w6_c3", seed, options={"batch": 64})
    (toy, _) = find_records([tmp_path])
    assert (toy.model, toy.paper_model) == ("maddpg-greedy batch=64", None), "even if there is no other"
    write_kept(tmp_path, "maddpg-greedy", "n3_w6_c3", options={"batch": 1024})
    found = [(r.model, r.seed, r.paper_model) for r in find_records([tmp_path])]
    assert found == [
        ("maddpg-greedy", 0, "MADDPG-GE"),
        ("maddpg-greedy batch=64", 0, None),
        ("maddpg-greedy batch=64", 1, None),
    ]


def test_a_run_of_another_world_is_kept_beside_the_plain_one(tmp_path: Path) -> None:
    write_run(tmp_path / "runs", "ppo-none")
    write_run(tmp_path / "other", "ppo-none", competitive=3, options={"team_share": 0})
    kept = keep([tmp_path / "runs", tmp_path / "other"], tmp_path / "results")
    assert [path.parent.name for path in kept] == ["n3_w4_c3,competitive=3,team_share=0", "n3_w4_c3"]
    models = [record.model for record in find_records([tmp_path / "results"])]
    assert models == ["ppo-none", "ppo-none competitive=3 team_share=0"]


def test_a_world_of_other_rules_is_never_put_beside_the_paper(tmp_path: Path) -> None:
    save(tmp_path / "seed0.json", result_of(config_of("maddpg-none", "n3_w6_c3", vision=2)))
    (found,) = find_records([tmp_path])
    assert found.paper_model is None
    assert found.switches == {"vision": 2}


def test_other_files_in_a_folder_are_passed_over(tmp_path: Path) -> None:
    save(tmp_path / "seeds.json", [1, 2])
    save(tmp_path / "symmtom_speed.json", {})
    assert find_records([tmp_path]) == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"config": {', "is damaged"),
        ("[]", "not a record of a training run"),
        ('{"best_step": 1}', "'config' is missing"),
        (
            json.dumps(result_of({**config_of("maddpg-none", "n3_w6_c3"), "world": "tomi-v0"})),
            "the record belongs to tomi-v0",
        ),
        (json.dumps({**result_of(config_of("maddpg-none", "n3_w6_c3")), "curve": ["a"]}), "not a record"),
        (json.dumps(result_of(config_of("maddpg-none", "n3_w6_c3"), reward=float("nan"))), "no number for 'reward'"),
        (json.dumps(result_of({**config_of("maddpg-none", "n3_w6_c3"), "params": {"vison": 2}})), "did you mean"),
    ],
)
def test_a_damaged_or_foreign_record_is_named(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "seed0.json").write_text(content, "utf-8")
    with pytest.raises(UserError, match=message) as raised:
        find_records([tmp_path])
    assert "seed0.json" in str(raised.value)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is not a folder"):
        find_records([tmp_path / "nowhere"])


def test_folders_are_taken_by_default_where_they_exist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert default_folders() == []
    (tmp_path / "runs" / "symmtom").mkdir(parents=True)
    assert default_folders() == [Path("runs/symmtom")]


def test_shipped_records_say_the_commands_that_make_them_again() -> None:
    results = Path(__file__).parents[4] / "results" / "symmtom"
    paths = sorted(results.rglob("seed*.json"))
    for path in paths:
        program, train_word, world, *words = shlex.split(json.loads(path.read_text("utf-8"))["made"]["command"])
        assert (program, train_word, world) == ("otherminds", "train", "symmtom")
        said: dict[str, list[str]] = {}
        for flag, value in zip(words[::2], words[1::2], strict=True):
            said.setdefault(flag, []).append(value)
        switches, options, network = (
            parse_settings(said.get(flag, []), flag) for flag in ("--set", "--option", "--network")
        )
        (setting,), (algorithm,), (belief,), (seed,) = (
            said[f"--{name}"] for name in ("setting", "algorithm", "belief", "seed")
        )
        config = train.resolve(setting, algorithm, belief, int(seed), switches, options, network, check=False)
        assert kept_at(config, results) == path
    assert len(paths) > 80
