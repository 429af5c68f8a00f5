"""Plays with a Bob who takes his time, noting each call by its game: run in a process of its own, to be killed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import anyio
from inspect_ai.log import read_eval_log
from inspect_ai.model import ChatMessage, GenerateConfig, ModelOutput, get_model

from otherminds.evals.inspect.decrypto_records import episodes_of
from otherminds.evals.inspect.decrypto_run import evaluate_decrypto
from tests.evals.inspect.models import output_of

GAMES = 8


def main(folder: Path, seconds: float) -> None:
    async def outputs(input: list[ChatMessage], tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
        await anyio.sleep(seconds)
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
    main(Path(sys.argv[1]), float(sys.argv[2]))
