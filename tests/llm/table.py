"""A table of the coin world at which scripts play language models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai")

from inspect_ai.log import EvalLog, read_eval_log

from otherminds.llm.run import Evaluated, evaluate

WORLD = "coin-v0"
SMALL: dict[str, Any] = {"turns": 3}


def played(tmp_path: Path, seats: dict[str, Any], **options: Any) -> tuple[Evaluated, EvalLog]:
    settings = options.pop("settings", SMALL)
    done = evaluate(WORLD, settings, seats, log_dir=tmp_path / "logs", **{"episodes": 2, "attempts": 2, **options})
    return done, read_eval_log(done.logs[0])
