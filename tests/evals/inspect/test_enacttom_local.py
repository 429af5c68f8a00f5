"""The embedded model is everybody in a house, held to a schema."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("inspect_ai")
pytest.importorskip("clingo")

from inspect_ai.log import read_eval_log

from otherminds.evals.inspect import local
from otherminds.evals.inspect.enacttom_run import evaluate_enacttom
from otherminds.evals.inspect.records import episodes_of
from otherminds.worlds.enacttom.record import play_again

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not local.is_installed(), reason="the embedded model is not installed; make local-model"),
]


def test_it_plays_a_run_and_answers_questions_by_schema(tmp_path: Path) -> None:
    done = evaluate_enacttom("local", tasks="cup", runs=1, log_dir=tmp_path / "logs", attempts=2)
    assert done.runs == 1
    assert done.metrics["unreadable"] == done.metrics["failed"] == done.metrics["probes_unanswered"] == 0.0
    assert done.tokens_in > 1000
    (episode,) = episodes_of(read_eval_log(done.log))
    assert episode.players == [local.MODEL] * 2
    assert len(play_again(episode).actions) == len(episode.turns)
