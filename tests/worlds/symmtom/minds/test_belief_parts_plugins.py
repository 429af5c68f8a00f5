"""Beliefs and scenarios of others: what is registered can be used wherever ours can."""

from __future__ import annotations

from pathlib import Path

import jax
import pytest

from otherminds.core import registry
from otherminds.core.match import play_one
from otherminds.core.registry import Entry, register
from otherminds.minds.find import minds_for
from otherminds.worlds.symmtom.beliefs.belief_rules import GREEDY
from otherminds.worlds.symmtom.evals.belief_errors import belief_rows, rules
from otherminds.worlds.symmtom.learn.train import resolve
from otherminds.worlds.symmtom.minds.belief_parts import BeliefPart, find_belief
from otherminds.worlds.symmtom.minds.learned import mind_of, save_agent
from otherminds.worlds.symmtom.scenarios import find_scenario
from otherminds.worlds.symmtom.scenarios.read import TEMPLATE as TEMPLATE_FILE
from otherminds.worlds.symmtom.scenarios.read import parse_scenario
from otherminds.worlds.symmtom.world import SymmToM

TEMPLATE = TEMPLATE_FILE.read_text("utf-8")

OURS = BeliefPart("another name", GREEDY)
TEST = parse_scenario(TEMPLATE, "theirs.yaml")


@pytest.fixture(autouse=True)
def _plugged_in(monkeypatch: pytest.MonkeyPatch) -> None:
    registry.entries()  # whatever is installed, before the copy
    monkeypatch.setattr(registry, "_entries", dict(registry._entries))
    register(Entry("belief", "mine", f"{__name__}:OURS", "greedy, by another name", world="symmtom", extra="jax"))
    register(Entry("scenario", "theirs", f"{__name__}:TEST", "a test of somebody else", world="symmtom"))


def test_a_plug_in_belief_is_trained_judged_and_played(tmp_path: Path) -> None:
    assert find_belief("mine").name == "mine"
    config = resolve("n3_w4_c3", "maddpg", "mine", options={"episodes": 2000, "warm_up": 1000})
    assert (config["name"], config["belief"]) == ("maddpg-mine", "mine")
    mind = mind_of(config)
    variables = jax.tree.map(lambda leaf: leaf[None], jax.jit(mind.init)(jax.random.key(0)))
    save_agent(tmp_path / "actor.safetensors", variables, config)
    world = SymmToM("n3_w4_c3", num_turns=4, probes=2)
    episode = play_one(world.open(0), minds_for(world, dict.fromkeys(world.seats, str(tmp_path))))
    assert episode.minds["agent_0"].startswith("maddpg-mine@")
    assert all(asked["said"] is not None for asked in episode.turns[2]["probes"])
    assert "mine" in rules()
    ours, greedy = belief_rows(["heuristic"], ["mine", "greedy"], ["n3_w4_c3"], 4)
    assert ours["brier"] == greedy["brier"]


def test_a_plug_in_scenario_is_an_item() -> None:
    assert find_scenario("theirs") is TEST
    assert [item.labels["case"] for item in SymmToM().suite("theirs")] == [case.name for case in TEST.cases]
