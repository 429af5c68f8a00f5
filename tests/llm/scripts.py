"""Models that reply by script."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput, ModelUsage, get_model

from otherminds.core.errors import UserError
from otherminds.llm.local import find_weights

Reply = Callable[[list[ChatMessage]], str]
THOUGHT = "Ben has seen nothing."


def scripted(reply: Reply, **config: Any) -> Model:
    """A model that replies what a function makes of the conversation."""

    def outputs(input: list[ChatMessage], tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
        return output_of(reply(input))

    return get_model("mockllm/model", custom_outputs=outputs, config=GenerateConfig(**config), memoize=False)


def output_of(text: str) -> ModelOutput:
    output = ModelOutput.from_content("mockllm/model", text)
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # else it would count them online
    return output


def obedient(messages: list[ChatMessage]) -> str:
    """The first option that is offered, in the form that is asked for; a thought where none is."""
    told = messages[-1].text
    if "Do not answer yet" in told:
        return THOUGHT
    option = re.findall(r"(\w+): one of ([^,.]+)", told)[-1]
    return f'{{"{option[0]}": "{option[1]}"}}' if "JSON" in told else f"I think so.\nANSWER: {option[1]}"


def is_installed(name: str = "local") -> bool:
    """Whether the engine and the weights of a local model are there."""
    try:
        return find_spec("xllamacpp") is not None and find_weights(name).path.exists()
    except UserError:
        return False
