"""The embedded model plays whole games of Decrypto: held to a schema, and weighed."""

from __future__ import annotations

from math import exp
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai")

from inspect_ai.log import read_eval_log

from otherminds.evals.inspect import decrypto_run as run
from otherminds.evals.inspect import local
from otherminds.evals.inspect.likelihood import ServedWeights
from otherminds.evals.inspect.records import episodes_of
from otherminds.players.decrypto.find import find_seat
from otherminds.players.decrypto.likelihood import LikelihoodGuesser, after_keyword
from otherminds.players.decrypto.match import play
from otherminds.worlds.decrypto.observe import view
from otherminds.worlds.decrypto.types import ROLES
from otherminds.worlds.decrypto.world import Decrypto

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not local.is_installed(), reason="the embedded model is not installed; make local-model"),
]


def test_it_plays_all_roles_of_a_whole_game_by_schema(tmp_path: Path) -> None:
    (done,) = run.evaluate_decrypto(model="local", log_dir=tmp_path / "logs", games=1, attempts=3)
    assert done.games == 1
    assert done.players == dict.fromkeys(ROLES, local.MODEL)
    assert [done.metrics[f"{role}_validity"] for role in ROLES] == [1.0] * 3
    assert done.tokens_in > 1000
    (episode,) = episodes_of(read_eval_log(done.log))
    assert (episode.end or {})["turns"] == len(episode.turns) >= 2


def test_it_answers_questions_on_the_side_by_schema(tmp_path: Path) -> None:
    (done,) = run.evaluate_decrypto(
        "local", "glove", "local", log_dir=tmp_path / "logs", games=1, attempts=3, experiment="three_mountains"
    )
    assert done.metrics["alice_answered"] == 1.0
    assert 0 <= (done.metrics["Brier"] or 0.0) <= 1


def test_weighed_it_decodes_far_above_chance() -> None:
    """Ten first turns of the embedding baseline: chance is one code in 24."""
    world, right = Decrypto(), 0
    with local.served() as address:
        weights = ServedWeights(address)
        for seed in range(10):
            game = world.deal(seed)
            alice, bob = find_seat("glove", "alice"), LikelihoodGuesser(weights)
            alice.begin("alice", game.rules, seed)
            right += bob.guess(view(game, "bob", alice.hint(view(game, "alice")))) == game.codes[0]
        assert right >= 3
        # The probabilities are the model's own, whatever was forced: they sum to no more than one.
        words = weights.likely(after_keyword("river"), 20)
        assert 0 < sum(exp(weights.weigh(after_keyword("river"), word)) for word in words) <= 1


def test_weighed_it_plays_every_role_by_name() -> None:
    seats = {role: find_seat("likelihood", role) for role in ROLES}
    _, episode = play(Decrypto().deal(1), seats)
    assert not any(turn["failures"] for turn in episode.turns)
    assert not any(turn.get("problems") for turn in episode.turns)
