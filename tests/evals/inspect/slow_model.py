"""Evaluates a model that takes its time, noting each call: run in a process of its own, to be killed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import anyio
from inspect_ai.model import ChatMessage, GenerateConfig, ModelOutput, get_model

from otherminds.evals.inspect.tomi_run import evaluate_tomi
from tests.evals.inspect.models import output_of, solve


def main(folder: Path, seconds: float) -> None:
    async def outputs(input: list[ChatMessage], tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
        await anyio.sleep(seconds)
        with (folder / "calls").open("a", encoding="utf-8") as calls:
            calls.write("call\n")
        return output_of(solve(input))

    one = GenerateConfig(max_connections=1)
    model = get_model("mockllm/model", custom_outputs=outputs, config=one, memoize=False)
    (done,) = evaluate_tomi(model, log_dir=folder / "logs", items=folder / "items.jsonl")
    sys.stdout.write(json.dumps(done.to_json()))


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]))
