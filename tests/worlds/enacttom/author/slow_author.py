"""Writes two tasks with a model that notes each call by its brief; run as a process of its own, it can be killed.

After the first task is kept, the model does not answer any more, so that the process can be killed at a known point.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import anyio
from inspect_ai.model import ChatMessage, ModelOutput, get_model

from otherminds.worlds.enacttom.author.write import author
from tests.worlds.enacttom.author.authoring import FINISH, GOAL, GOOD, OTHER, call_of


def run(folder: Path, kept: int = 0) -> dict[str, Any]:
    """Fill the pool; with ``kept``, the model falls silent once that many tasks are in it."""

    async def outputs(input: list[ChatMessage], tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
        if kept and len(list((folder / "pool").glob("*.yaml"))) >= kept:
            (folder / "stalled").touch()
            await anyio.sleep_forever()
        with (folder / "calls").open("a", encoding="utf-8") as calls:
            calls.write(json.dumps(input[1].text) + "\n")
        made = sum(message.role == "assistant" for message in input)
        told = [message.error.message for message in input if message.role == "tool" and message.error]
        script = [("write_goal", GOAL), ("write_task", GOOD), *FINISH]
        if told:  # the other session was faster
            at = next(at for at, message in enumerate(input) if message.role == "tool" and message.error)
            made -= sum(message.role == "assistant" for message in input[:at])
            script = [("write_task", OTHER), *FINISH]
        return call_of(*script[made])

    model = get_model("mockllm/model", custom_outputs=outputs, memoize=False)
    return author(model, 2, out=folder / "pool")


if __name__ == "__main__":
    run(Path(sys.argv[1]), int(sys.argv[2]))
