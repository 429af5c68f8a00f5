"""Models that reply by script, and one that solves the hand-made stories."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput, ModelUsage, get_model

from tests.evals.tomi_making import BASKET, BOX

Reply = Callable[[list[ChatMessage]], str]


def scripted(reply: Reply, **config: Any) -> Model:
    """A model that replies what a function makes of the conversation."""

    def outputs(input: list[ChatMessage], tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
        return output_of(reply(input))

    return get_model("mockllm/model", custom_outputs=outputs, config=GenerateConfig(**config), memoize=False)


def output_of(text: str) -> ModelOutput:
    output = ModelOutput.from_content("mockllm/model", text)
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # else it would count them online
    return output


def solve(messages: list[ChatMessage]) -> str:
    """The right answer to any question of ``tomi_making``."""
    prompt = messages[0].text
    if "at the beginning" in prompt:
        return BOX
    left_first = prompt.index("Omar exited") < prompt.index("Nora moved")
    return BOX if left_first and "really?" not in prompt else BASKET


def fail(messages: list[ChatMessage]) -> str:
    """The wrong answer."""
    return BASKET if solve(messages) == BOX else BOX
