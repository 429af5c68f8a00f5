"""Authors that write tasks by script, and judges that score them by script."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput, ModelUsage, get_model

from otherminds.worlds.enacttom.author.council import CRITERIA
from otherminds.worlds.enacttom.author.write import author
from tests.llm.scripts import output_of

Call = tuple[str, str]  # a tool and its content; no tool at all is a remark
GOAL = "in(pills, $dose)"
GOOD = """\
title: Medicine for the guest
category: cooperative
horizon: 7
house:
  rooms: {study: {}, landing: {}, bathroom: {}}
  doors:
    study_door: {rooms: [study, landing]}
    bathroom_door: {rooms: [landing, bathroom]}
  furniture:
    prescription: {kind: sign, room: study, shows: dose}
    white_cabinet: {kind: container, room: bathroom}
    steel_cabinet: {kind: container, room: bathroom}
  things:
    pills: {place: held omar}
people:
  lena: {room: study}
  omar: {room: landing}
secrets:
  dose: {values: [white_cabinet, steel_cabinet]}
mechanics:
  - {kind: room_restriction, agents: [lena], rooms: [bathroom]}
  - {kind: room_restriction, agents: [omar], rooms: [study]}
talk: {channels: {lena: [omar]}, budgets: {lena: 1}}
"""
OTHER = GOOD.replace("{place: held omar}", "{place: on console}").replace(
    "    steel_cabinet:", "    console: {kind: surface, room: landing}\n    steel_cabinet:"
)
FINISH: list[Call] = [("check", ""), ("calibrate", ""), ("verify", ""), ("judge", "")]
STRAIGHT: list[Call] = [("write_goal", GOAL), ("write_task", GOOD), *FINISH]


def call_of(tool: str, content: str) -> ModelOutput:
    """A reply that calls a tool, or a remark without one."""
    if not tool:
        return output_of(content)
    arguments = {"content": content} if content else {}
    output = ModelOutput.for_tool_call("mockllm/model", tool, arguments)
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output


def author_by(choose: Callable[[list[ChatMessage]], Call], name: str = "model", **config: Any) -> Model:
    """An author whose next call is a function of the conversation."""

    def outputs(input: list[ChatMessage], tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
        return call_of(*choose(input))

    return get_model(f"mockllm/{name}", custom_outputs=outputs, config=GenerateConfig(**config), memoize=False)


def author_of(calls: Sequence[Call]) -> Model:
    """An author that makes these calls in turn, and then only talks."""

    def choose(messages: list[ChatMessage]) -> Call:
        made = sum(message.role == "assistant" for message in messages)
        return calls[made] if made < len(calls) else ("", "I am done.")

    return author_by(choose)


def ballot_of(score: int, **others: int) -> str:
    """The reply of a judge that gives one score to all criteria but some."""
    scores = {name: others.get(name, score) for name in CRITERIA}
    return json.dumps({**scores, **{f"{name}_reason": f"{name} is {value}." for name, value in scores.items()}})


def judge_by(reply: Callable[[list[ChatMessage]], str], name: str) -> Model:
    """A judge whose reply is a function of the conversation."""

    def outputs(input: list[ChatMessage], tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
        return output_of(reply(input))

    return get_model(f"mockllm/{name}", custom_outputs=outputs, memoize=False)


def written(tmp_path: Path, model: Any, number: int = 1, **options: Any) -> dict[str, Any]:
    return author(model, number, out=tmp_path / "pool", **options)


def log_of(done: dict[str, Any]) -> EvalLog:
    return read_eval_log(done["logs"][0])


def answers(done: dict[str, Any]) -> list[str]:
    """What the author is told after each of its replies."""
    (sample,) = log_of(done).samples or []
    after = [message for message in sample.messages[2:] if message.role in ("tool", "user")]
    return [message.error.message if message.role == "tool" and message.error else message.text for message in after]
