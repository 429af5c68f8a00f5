"""Agents by name, directory and file, and their scores."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from otherminds.cli.main import make_app
from otherminds.core.episodes import recorded_in
from otherminds.core.errors import UserError
from otherminds.minds.find import find_mind
from otherminds.minds.policy import PolicyMind
from otherminds.run.arrays import read_arrays, write_arrays
from otherminds.worlds.symmtom.cli.options import parse_names
from otherminds.worlds.symmtom.evals.agents import find_agents
from otherminds.worlds.symmtom.evals.batch_play import batch, cross
from otherminds.worlds.symmtom.evals.runs import keep
from otherminds.worlds.symmtom.learn import train
from otherminds.worlds.symmtom.minds import ACTOR, EVALUATION_SEED, RENAMED, RESULT
from otherminds.worlds.symmtom.minds.learned import Learned, load_agent
from otherminds.worlds.symmtom.minds.rollout import rollout
from otherminds.worlds.symmtom.types import Params
from otherminds.worlds.symmtom.world import SymmToM
from tests.worlds.symmtom.evals.making import write_run


def test_an_agent_is_found_by_all_its_names(tmp_path: Path) -> None:
    run = write_run(tmp_path / "runs", "maddpg-none", seed=4)
    (kept,) = keep(tmp_path / "runs", tmp_path / "results")
    for word in (run, run / ACTOR, run / RESULT, kept, kept.with_suffix(".safetensors"), tmp_path / "runs"):
        (agent,) = find_agents([word])
        assert (agent.label, agent.model, agent.seed) == ("maddpg-none/seed4", "maddpg-none", 4)
        assert agent.params == Params.from_setting("n3_w4_c3")
    (player,) = find_agents(["belief"])
    assert (player.label, player.params) == ("belief", None)


def test_a_folder_stands_for_all_its_agents_and_labels_tell_them_apart(tmp_path: Path) -> None:
    write_run(tmp_path, "maddpg-none", "n3_w4_c3")
    write_run(tmp_path, "maddpg-none", "n3_w5_c3")
    write_run(tmp_path, "maddpg-none", "n3_w5_c3", seed=1)
    labels = [agent.label for agent in find_agents([tmp_path])]
    assert labels == ["maddpg-none/seed0/n3_w4_c3", "maddpg-none/seed0/n3_w5_c3", "maddpg-none/seed1"]
    assert [agent.label for agent in find_agents(["still", "still"])] == ["still", "still#2"]


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("beleif", "did you mean 'belief'"),
        ("runs/none", "there is no file or folder 'runs/none'"),
        ("human", "cannot be used in this table"),
        (
            "planner:order=3",
            "option 'order' of mind .* is '3'; expected 2, 1, 0, none or evidence",
        ),
        ("planner:particles=3", "expected a power of two"),
        ("planner:order=0,particles=4", "'particles' has no effect"),
        *((old, f"mind '{old}' is now called '{new}'") for old, new in RENAMED.items()),
    ],
)
def test_an_agent_that_is_not_there_is_named(word: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        find_agents([word])


def test_options_follow_a_colon_and_a_name_says_those_that_differ() -> None:
    for spec in (*RENAMED.values(), "planner", "belief", "planner:order=1,particles=64"):
        (agent,) = find_agents([spec])
        mind = find_mind(spec, SymmToM(), "agent_0")
        assert isinstance(mind, PolicyMind)
        assert (agent.label, mind.name, mind.policy) == (spec, spec, agent.policy)
    assert find_agents(["planner:order=2,particles=128"])[0].policy == find_agents(["planner"])[0].policy
    assert parse_names("still,planner:order=1,particles=64", "belief") == [
        "still", "planner:order=1,particles=64", "belief",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "command",
    ["play symmtom --mind", "evaluate symmtom", "evaluate symmtom --cross belief"]
    + [f"table symmtom {number} --mind" for number in ("1", "2", "battery", "beliefs")],
)
def test_every_command_refuses_a_former_name_with_the_new_spelling(command: str) -> None:
    refused = CliRunner().invoke(make_app(), [*command.split(), "planner-1"]).exception
    assert isinstance(refused, UserError)
    assert "mind 'planner-1' is now called 'planner:order=1'" in str(refused)


def test_an_empty_folder_and_no_word_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="holds no trained agent"):
        find_agents([tmp_path])
    with pytest.raises(UserError, match="no agent was named"):
        find_agents([])


def test_a_score_sums_up_a_rollout_and_is_that_of_the_record(tmp_path: Path) -> None:
    run = write_run(tmp_path, "maddpg-conservative")
    (agent,) = find_agents([run])
    assert agent.params is not None
    score = batch(SymmToM(), dict.fromkeys(SymmToM().seats, str(run)), 100, EVALUATION_SEED, "jax")
    assert score is not None
    tally = rollout(agent.params, agent.policy, EVALUATION_SEED, 100, "jax")
    rewards = np.asarray(tally.reward).mean(axis=0)
    assert (score["reward"], score["reward_sd"]) == pytest.approx((rewards.mean(), rewards.std(ddof=1)))
    assert score["reward_se"] == pytest.approx(rewards.std(ddof=1) / 10)
    assert set(tally._fields) <= set(score)
    assert score["wrong_pieces"] == pytest.approx(np.asarray(tally.wrong_pieces).mean())
    recorded = train.evaluation(load_agent(run), 100)
    assert recorded["reward"] == pytest.approx(score["score"]), "the same agent gets the same score in its record"


def test_the_most_likely_actions_are_other_actions(tmp_path: Path) -> None:
    run = write_run(tmp_path, "maddpg-none")
    scores = [in_all_seats(f"{run}:greedy={value}", 50)["reward"] for value in ("false", "true")]
    assert scores[0] != scores[1]


def test_an_agent_acts_as_it_is_meant_to_unless_told_otherwise(tmp_path: Path) -> None:
    """Who learned from a planner takes its most likely actions, all others draw theirs."""
    for folder, algorithm, usual in (("a", "maddpg", True), ("b", "imitation", False)):
        run = write_run(tmp_path / folder, "maddpg-none")
        actor = run / ACTOR
        content = read_arrays(actor)
        about = json.loads(content.metadata["about"]) | {"algorithm": algorithm}
        write_arrays(actor, content.arrays, {**content.metadata, "about": json.dumps(about)})
        asked = [find_agents([run], greedy=greedy)[0].policy for greedy in (None, True, False)]
        assert [policy.samples for policy in asked if isinstance(policy, Learned)] == [usual, False, True]


def test_agents_play_where_they_were_trained_unless_told_otherwise(tmp_path: Path) -> None:
    run = str(write_run(tmp_path, "maddpg-none"))
    there, here = in_all_seats(run, 20), in_all_seats(run, 20, SymmToM("n3_w4_c3", num_turns=2))
    assert there["reward"] == in_all_seats(run, 20, SymmToM("n3_w4_c3"))["reward"] != here["reward"]
    with pytest.raises(UserError, match="cannot play in n4_w6_c4"):
        in_all_seats(run, 2, SymmToM("n4_w6_c4"))


@pytest.mark.parametrize("setting", ["n3_w4_c3", "n4_w4_c4"])
def test_a_mind_is_evaluated_where_it_was_trained_with_records_too(tmp_path: Path, setting: str) -> None:
    run, trained = str(write_run(tmp_path / "run", "maddpg-none", setting)), SymmToM(setting, probes="half")
    for more in ([], ["--out", str(tmp_path / "out")]):
        words = ["evaluate", "symmtom", run, "--episodes", "2", "--json", *more]
        (row,) = json.loads(CliRunner().invoke(make_app(), words, catch_exceptions=False).stdout)["rows"]
        assert row["minds"] == dict.fromkeys(trained.seats, run)
    (file,) = (tmp_path / "out").glob("*.jsonl")
    episodes = [*recorded_in(file).values()]
    assert [Params.from_dict(episode.config) for episode in episodes] == [trained.params] * 2
    assert list(episodes[0].minds) == list(trained.seats)
    assert SymmToM(probes="half").suited([run]).probe_turns == trained.probe_turns
    assert SymmToM("n3_w6_c3").suited([run]).params == Params.from_setting("n3_w6_c3")


def test_the_batch_of_a_mixed_table_tells_minds_apart_and_leaves_other_minds_to_sessions() -> None:
    world = SymmToM("n3_w4_c3")
    found = batch(world, {"agent_0": "belief", "agent_1": "still", "agent_2": "belief"}, 30, 1, "numpy")
    assert found is not None
    assert found["still/useless_moves"] == 0.0
    assert found["score"] == pytest.approx((2 * found["belief/reward"] + found["still/reward"]) / 3)  # type: ignore[operator]
    for mind in ("human", "decoupled", "openai/gpt-4o-mini", "recorded:nowhere.jsonl"):
        assert batch(world, {"agent_0": mind, "agent_1": "still", "agent_2": "still"}, 5, 1) is None
        assert cross(world, [mind, "still"], 5, 1) is None
    assert batch(SymmToM("n3_w4_c3", probes="half"), dict.fromkeys(world.seats, "still"), 5, 1) is None
    assert world.batch(dict.fromkeys(world.seats, "still"), 3, 0) == batch(
        world, dict.fromkeys(world.seats, "still"), 3, 0
    )


def test_everyone_is_seated_among_everyone(tmp_path: Path) -> None:
    for seed in range(2):
        write_run(tmp_path / "runs", "maddpg-none", seed=seed)
    found = SymmToM().cross([str(tmp_path / "runs"), "heuristic"], 12, 0)
    assert found is not None
    assert found["minds"] == ["maddpg-none/seed0", "maddpg-none/seed1", "heuristic"]
    assert [len(row) for row in found["score"]] == [3, 3, 3]
    assert (found["row_seats"], found["setting"]) == (1, "n3_w4_c3")
    assert [row["model"] for row in found["by_model"]] == ["maddpg-none", "heuristic"]
    other = str(write_run(tmp_path / "other", "maddpg-none", competitive=3))
    with pytest.raises(UserError, match=r"different worlds \(n3_w4_c3; n3_w4_c3 competitive=3\); choose a world"):
        SymmToM().cross([str(tmp_path / "runs"), other], 2, 0)
    with pytest.raises(UserError, match="expected 1 to 2 of 3"):
        SymmToM().cross(["belief"], 2, 0, row_seats=3)


def in_all_seats(spec: str, episodes: int, world: SymmToM | None = None) -> Any:
    world = world or SymmToM()
    return world.batch(dict.fromkeys(world.seats, spec), episodes, EVALUATION_SEED)
