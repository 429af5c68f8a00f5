"""A killed evaluation resumes with the same command: no episode is lost, and none played twice."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai")

from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage

from otherminds.core.errors import UserError
from otherminds.llm.run import run_task
from otherminds.worlds.tomi.evals.contamination import evaluate_contamination
from tests.llm import slow_table
from tests.llm.killing import calls, kill_once_stalled
from tests.llm.scripts import scripted
from tests.llm.slow_table import EPISODES
from tests.worlds.tomi.evals.trained_runs import make_set, write_items

IN_FLIGHT = 2  # episodes that are played at once with one connection
KEPT = 4  # episodes that reach the disk before the kill


def test_after_a_kill_no_episode_is_lost_or_played_twice(tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    whole = slow_table.run(tmp_path / "whole")
    needed = Counter(calls(tmp_path / "whole"))
    assert len(needed) == EPISODES

    folder = tmp_path / "killed"
    kill_once_stalled(slow_table.__name__, folder, KEPT)
    before = Counter(calls(folder))
    played = [game for game, number in before.items() if number == needed[game]]
    assert KEPT < len(played) < EPISODES  # one at least was played to its end, and is not on disk

    again = slow_table.run(folder)
    assert again["episodes"] == whole["episodes"]
    # Only the episodes that were not on disk when the process died are begun anew.
    repeated = [game for game, number in Counter(calls(folder)).items() if number > needed[game]]
    assert len(repeated) <= IN_FLIGHT
    assert len(set(played) - set(repeated)) >= KEPT

    known = len(calls(folder))
    assert slow_table.run(folder)["log"] == again["log"]
    assert len(calls(folder)) == known


def test_what_was_answered_before_an_error_is_kept_and_the_error_named(tmp_path: Path) -> None:
    """An error that is not a mind's: here in a task that asks once."""
    items = write_items(tmp_path / "items.jsonl", make_set(4))
    asked: list[str] = []

    def failing(messages: list[ChatMessage]) -> str:
        if len(asked) > 2 and not is_fixed:
            raise RuntimeError("the line is dead")
        asked.append(messages[0].text)
        return f"story {len(asked)}"

    is_fixed = False
    model = scripted(failing, max_connections=1)
    with pytest.raises(UserError, match=r"the line is dead.*Run the same command again to resume"):
        evaluate_contamination(model, {"items": str(items)}, log_dir=tmp_path / "logs")
    is_fixed = True
    done = evaluate_contamination(model, {"items": str(items)}, log_dir=tmp_path / "logs")
    assert done["stories"] == len(asked) == 8


def test_what_inspect_refuses_is_told_in_a_line(tmp_path: Path) -> None:
    twice = Task(dataset=[Sample(id="a", input="x"), Sample(id="a", input="y")])
    with pytest.raises(UserError, match=r"cannot start: .*duplicate sample ids"):
        run_task(twice, {"ann": "mockllm/model"}, log_dir=tmp_path / "logs")
