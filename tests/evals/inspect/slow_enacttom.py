"""Plays household runs with a model that notes each call by its run: run in a process of its own, to be killed.

After some runs nothing reaches the disk any more, as if the process were to die just before it does.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from inspect_ai.log import read_eval_log
from inspect_ai.model import ChatMessage, GenerateConfig, ModelOutput, get_model

from otherminds.evals.inspect.enacttom_run import evaluate_enacttom
from otherminds.evals.inspect.records import episodes_of
from tests.evals.inspect.models import output_of
from tests.evals.inspect.stalling import stall_after
from tests.evals.inspect.test_enacttom_task import solve_cup

RUNS = 8


def main(folder: Path, kept: int) -> None:
    if kept:
        stall_after(kept, folder)

    async def outputs(input: list[ChatMessage], tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
        with (folder / "calls").open("a", encoding="utf-8") as calls:
            calls.write(".\n")
        return output_of(solve_cup(input))

    one = GenerateConfig(max_connections=1)
    model = get_model("mockllm/model", custom_outputs=outputs, config=one, memoize=False)
    done = evaluate_enacttom(model, tasks="cup", runs=RUNS, probes=False, log_dir=folder / "logs")
    told = {episode.id: episode.turns for episode in episodes_of(read_eval_log(done.log))}
    sys.stdout.write(json.dumps({"games": done.runs, "log": done.log, "episodes": told}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
