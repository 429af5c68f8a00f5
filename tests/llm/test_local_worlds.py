"""The embedded model plays whole episodes: held to a schema, and weighed."""

from __future__ import annotations

from math import exp
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai")

from otherminds.core.match import play_one
from otherminds.llm import local
from otherminds.llm.likelihood import LikelihoodMind, ServedWeights
from otherminds.llm.run import evaluate
from otherminds.llm.samples import make_world
from otherminds.minds.find import minds_for, seated
from otherminds.worlds.decrypto.text import AFTER_KEYWORD
from otherminds.worlds.decrypto.world import Decrypto
from tests.llm.scripts import is_installed

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not is_installed(), reason="the embedded model is not installed; make local-model"),
]
ROLES = ("alice", "bob", "eve")


def test_it_plays_all_seats_of_a_whole_game_by_schema(tmp_path: Path) -> None:
    seats = dict.fromkeys(ROLES, "local")
    done = evaluate("decrypto", {}, seats, log_dir=tmp_path / "logs", episodes=1, attempts=3)
    (episode,) = done.episodes
    assert list(episode.minds.values()) == ["local"] * 3
    assert [done.summary[f"{role}_valid"] for role in ROLES] == [1.0] * 3
    assert done.tokens_in > 1000
    assert (episode.end or {})["turns"] == len(episode.turns) >= 2


def test_it_answers_probes_by_schema(tmp_path: Path) -> None:
    seats = {"alice": "local", "bob": "glove", "eve": "local"}
    settings = {"experiment": "three_mountains"}
    done = evaluate("decrypto", settings, seats, log_dir=tmp_path / "logs", episodes=1, attempts=3)
    assert done.summary["alice_answered"] == 1.0
    assert 0 <= (done.summary["Brier"] or 0.0) <= 1


def test_it_is_everybody_in_a_house(tmp_path: Path) -> None:
    pytest.importorskip("clingo")
    seats = dict.fromkeys(("ann", "ben"), "local")
    settings = {"task": "cup", "probes": True}
    done = evaluate("enacttom", settings, seats, log_dir=tmp_path / "logs", episodes=1, attempts=2)
    assert done.summary["validity_rate"] == 1.0
    (episode,) = done.episodes
    assert len(make_world("enacttom", settings).replay(episode).states) == len(episode.turns) + 1


def test_it_sits_at_a_table_on_the_board() -> None:
    world = make_world("symmtom", {"setting": "n3_w4_c3", "num_turns": 3, "probes": 1})
    with seated(world, {"agent_0": "local", "agent_1": "heuristic", "agent_2": "heuristic"}) as minds:
        episode = play_one(world.open(0), minds)
    assert episode.validity["agent_0"]["failures"] == 0


def test_weighed_it_decodes_far_above_chance() -> None:
    """Ten first turns of the embedding baseline: chance is one code in 24."""
    world, right = Decrypto(), 0
    with local.served() as address:
        weights = ServedWeights(address)
        for seed in range(10):
            minds = minds_for(world, dict.fromkeys(ROLES, "glove")) | {"bob": LikelihoodMind(weights)}
            first = play_one(Decrypto(turns=1).open(seed), minds).turns[0]
            right += list(first["bob"]) == list(first["code"])
        assert right >= 3
        # The probabilities are the model's own, whatever was forced: they sum to no more than one.
        text, words = AFTER_KEYWORD.format(word="river"), ("water", "stream", "flow", "boat", "the", "a", "river")
        assert 0 < sum(exp(weights.weigh(text, word)) for word in words) <= 1


def test_weighed_it_guesses_in_both_seats_by_name() -> None:
    world = Decrypto()
    names = {"alice": "glove", "bob": "likelihood", "eve": "likelihood"}
    episode = play_one(world.open(1), minds_for(world, names))
    assert all(one["failures"] == 0 for one in episode.validity.values())
