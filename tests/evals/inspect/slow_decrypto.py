"""Plays with a Bob who notes each call by its game: run in a process of its own, to be killed.

After some games nothing reaches the disk any more, as if the process were to die just before it does.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from inspect_ai.log import read_eval_log
from inspect_ai.model import ChatMessage, GenerateConfig, ModelOutput, get_model

from otherminds.evals.inspect.decrypto_run import evaluate_decrypto
from otherminds.evals.inspect.records import episodes_of
from tests.evals.inspect.models import output_of
from tests.evals.inspect.stalling import stall_after

GAMES = 8


def main(folder: Path, kept: int) -> None:
    if kept:
        stall_after(kept, folder)

    async def outputs(input: list[ChatMessage], tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
        keywords = input[-1].text.partition("The keywords are:\n")[2].partition("\n\n")[0]
        with (folder / "calls").open("a", encoding="utf-8") as calls:
            calls.write(json.dumps(keywords) + "\n")
        return output_of('ANSWER: {"guess": "1-2-3"}')

    one = GenerateConfig(max_connections=1)
    model = get_model("mockllm/model", custom_outputs=outputs, config=one, memoize=False)
    (done,) = evaluate_decrypto("glove", model, "glove", log_dir=folder / "logs", games=GAMES)
    episodes = episodes_of(read_eval_log(done.log))
    told = {episode.id: [episode.start["keywords"], episode.turns] for episode in episodes}
    sys.stdout.write(json.dumps({"games": done.games, "log": done.log, "episodes": told}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
