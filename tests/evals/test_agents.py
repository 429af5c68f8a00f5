"""Agents by name, directory and file, and their scores."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from otherminds.core.errors import UserError
from otherminds.evals.records import keep
from otherminds.evals.symmtom_agents import Agent, find_agents, score_agent, world_of
from otherminds.learn.symmtom import train
from otherminds.players.symmtom import ACTOR, EVALUATION_SEED, RESULT
from otherminds.players.symmtom.learned import Learned, load_agent
from otherminds.players.symmtom.rollout import rollout
from otherminds.run.arrays import read_arrays, write_arrays
from otherminds.worlds.symmtom.types import Params
from tests.evals.making import write_run


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
    [("beleif", "did you mean 'belief'"), ("runs/none", "there is no runs/none"), ("human", "one seat at a time")],
)
def test_an_agent_that_is_not_there_is_named(word: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        find_agents([word])


def test_an_empty_folder_and_no_word_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="holds no trained agent"):
        find_agents([tmp_path])
    with pytest.raises(UserError, match="no agent was named"):
        find_agents([])


def test_a_score_sums_up_a_rollout_and_is_that_of_the_record(tmp_path: Path) -> None:
    run = write_run(tmp_path, "maddpg-conservative")
    (agent,) = find_agents([run])
    assert agent.params is not None
    score = score_agent(agent, agent.params, 100)
    tally = rollout(agent.params, agent.policy, EVALUATION_SEED, 100)
    rewards = np.asarray(tally.reward).mean(axis=0)
    assert (score.mean, score.sd) == pytest.approx((rewards.mean(), rewards.std(ddof=1)))
    assert score.standard_error == pytest.approx(score.sd / 10)
    assert set(score.metrics) == set(tally._fields)
    assert score.metrics["wrong_pieces"] == pytest.approx(np.asarray(tally.wrong_pieces).mean())
    recorded = train.evaluation(load_agent(run), 100)
    assert recorded["reward"] == pytest.approx(score.mean), "the same agent gets the same score in its record and here"


def test_the_most_likely_actions_are_other_actions(tmp_path: Path) -> None:
    run = write_run(tmp_path, "maddpg-none")
    scores = [score_agent(agent, Params.from_setting("n3_w4_c3"), 50) for agent in _both(run)]
    assert scores[0].mean != scores[1].mean


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


def _both(run: Path) -> list[Agent]:
    return [find_agents([run], greedy=greedy)[0] for greedy in (False, True)]


def test_agents_play_where_they_were_trained_unless_told_otherwise(tmp_path: Path) -> None:
    (agent,) = find_agents([write_run(tmp_path, "maddpg-none")])
    (player,) = find_agents(["still"])
    assert world_of(agent).setting == "n3_w4_c3"
    assert world_of(agent, switches={"swaps": False}).swaps is False
    assert world_of(agent, "n3_w6_c3").setting == "n3_w6_c3"
    assert world_of(player).setting == "n3_w6_c3"
    with pytest.raises(UserError, match="cannot play in n4_w6_c4"):
        score_agent(agent, world_of(agent, "n4_w6_c4"), 2)
