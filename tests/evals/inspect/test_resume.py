"""A killed evaluation goes on with the same command."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai")

from inspect_ai.model import ChatMessage

from otherminds.core.errors import UserError
from otherminds.evals.inspect.tomi_run import evaluate_tomi
from tests.evals.inspect.models import scripted, solve
from tests.evals.tomi_making import make_set, write_items

ROOT = Path(__file__).parents[3]


def start(folder: Path, seconds: float) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.evals.inspect.slow_model", str(folder), str(seconds)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "XDG_DATA_HOME": str(folder / "data")},
    )


def calls(folder: Path) -> int:
    path = folder / "calls"
    return len(path.read_text("utf-8").splitlines()) if path.exists() else 0


@pytest.mark.slow
def test_after_a_kill_the_same_command_finishes_and_repeats_no_sample(tmp_path: Path) -> None:
    write_items(tmp_path / "items.jsonl", make_set())
    child = start(tmp_path, 0.2)
    deadline = time.monotonic() + 120
    while calls(tmp_path) < 6:
        assert child.poll() is None, child.communicate()[1]
        assert time.monotonic() < deadline, "it never began"
        time.sleep(0.02)
    child.send_signal(signal.SIGKILL)
    child.communicate()
    before = calls(tmp_path)
    assert before < 16

    again = start(tmp_path, 0.0)
    out, err = again.communicate(timeout=120)
    assert again.returncode == 0, err
    done = json.loads(out)
    assert done["samples"] == 16
    assert done["scores"]["family_joint"]["value"] == 1.0
    # The sample that was being answered or written when the process died may be asked once more.
    assert calls(tmp_path) <= 16 + 1

    def unasked(_: list[ChatMessage]) -> str:
        raise AssertionError("everything was answered")

    model = scripted(unasked, max_connections=1)
    (finished,) = evaluate_tomi(model, log_dir=tmp_path / "logs", items=tmp_path / "items.jsonl")
    assert finished.log == done["log"]


def test_what_was_answered_before_an_error_is_kept_and_the_error_named(tmp_path: Path) -> None:
    write_items(tmp_path / "items.jsonl", make_set(1))
    asked: list[str] = []

    def failing(messages: list[ChatMessage]) -> str:
        if len(asked) > 2 and not is_mended:
            raise RuntimeError("the line is dead")
        asked.append(messages[0].text)
        return solve(messages)

    is_mended = False
    model = scripted(failing, max_connections=1)
    with pytest.raises(UserError, match=r"the line is dead.*the same command goes on"):
        evaluate_tomi(model, log_dir=tmp_path / "logs", items=tmp_path / "items.jsonl")
    is_mended = True
    (done,) = evaluate_tomi(model, log_dir=tmp_path / "logs", items=tmp_path / "items.jsonl")
    assert done.metrics["accuracy"] == 1.0
    assert len(asked) == len(set(asked)) == 8
