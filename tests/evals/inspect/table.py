"""A table of Decrypto at which scripts play language models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai")

from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import ChatMessage, Model

from otherminds.evals.inspect import decrypto_run as run

SMALL: dict[str, Any] = {"games": 2, "seed": 3, "attempts": 2}
GARBAGE = "I would rather not."


def guess(messages: list[ChatMessage]) -> str:
    """Any code that was not played yet; hints that say nothing; no belief."""
    told = messages[-1].text
    if '"hints"' in told:
        turn = sum(message.role == "assistant" for message in messages)
        return f'ANSWER: {{"hints": ["aa{"bcdefghi"[turn]}", "bb{"bcdefghi"[turn]}", "cc{"bcdefghi"[turn]}"]}}'
    if '"keywords"' in told:
        return 'ANSWER: {"keywords": ["a", "b", "c", "d"]}'
    return 'ANSWER: {"chance": 0.5}' if '"chance"' in told else 'ANSWER: {"guess": "1-2-3"}'


def played(tmp_path: Path, models: dict[str, Model], **options: Any) -> tuple[run.Evaluated, list[EvalSample], EvalLog]:
    seats = {role: models.get(role, options.pop(role, "glove")) for role in ("alice", "bob", "eve")}
    (done,) = run.evaluate_decrypto(**seats, log_dir=tmp_path / "logs", **{**SMALL, **options})
    log = read_eval_log(done.log)
    return done, log.samples or [], log
