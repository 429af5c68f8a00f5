"""Plays with a model that notes each call by its episode; run as a process of its own, it can be killed.

After some episodes nothing reaches the disk any more, as if the process were to die just before it does.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, ModelOutput, get_model

from otherminds.llm.run import evaluate
from tests.llm.killing import stall_after
from tests.llm.scripts import output_of

EPISODES = 8


def run(folder: Path) -> dict[str, Any]:
    """Play all episodes; the file of the log, and for each episode its keywords and turns."""

    async def outputs(input: list[ChatMessage], tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
        keywords = input[-1].text.partition("The keywords are:\n")[2].partition("\n\n")[0]
        with (folder / "calls").open("a", encoding="utf-8") as calls:
            calls.write(json.dumps(keywords) + "\n")
        return output_of('ANSWER: {"guess": "1-2-3"}')

    one = GenerateConfig(max_connections=1)
    model = get_model("mockllm/model", custom_outputs=outputs, config=one, memoize=False)
    seats = {"alice": "glove", "bob": model, "eve": "glove"}
    done = evaluate("decrypto", {}, seats, log_dir=folder / "logs", episodes=EPISODES)
    played = {episode.id: [episode.start["keywords"], episode.turns] for episode in done.episodes}
    return {"log": done.logs[0], "episodes": played}


if __name__ == "__main__":
    stall_after(int(sys.argv[2]), Path(sys.argv[1]))
    run(Path(sys.argv[1]))
