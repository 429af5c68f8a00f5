"""Calls of Inspect's language models by minds, and failures that must not end the episode.

Minds are not asynchronous, so episodes run in threads of their own and hand each question back to Inspect. A call that
hangs, fails or is refused costs one attempt. What stops the whole sample (it was cancelled, or a limit was reached)
must not be taken for that, so it is carried through the episode as something that cannot be a mind's fault.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError
from dataclasses import replace
from typing import Any, TypeVar

import anyio
import anyio.from_thread
import anyio.lowlevel
import anyio.to_thread
from anyio.from_thread import BlockingPortal
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    ContentReasoning,
    GenerateConfig,
    Model,
    ModelOutput,
    ResponseSchema,
)
from inspect_ai.util import JSONSchema, LimitExceededError

from otherminds.core.secrets import redact, secrets
from otherminds.core.world import World
from otherminds.llm.local import LONG_REPLY, is_held_to_schemas
from otherminds.llm.options import MODEL, ModelOptions, split_model
from otherminds.llm.prompts import load_prompts, words_of
from otherminds.minds.language import Conversation, LanguageMind, Said

_ROLES = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
Result = TypeVar("Result")


class Stopped(BaseException):
    """The sample is to end; not an ``Exception``, which would be a mind's fault. Its cause says why."""


async def in_thread(episode: Callable[[], Result]) -> Result:
    """Play a whole episode whose minds ask models; see :func:`language_mind`."""
    try:
        # A separate thread: episodes that wait for models must not take those that the models' clients need.
        return await anyio.to_thread.run_sync(episode, limiter=anyio.CapacityLimiter(1))
    except Stopped as stopped:
        await anyio.lowlevel.checkpoint()  # ends here if it was cancelled
        raise stopped.__cause__ or stopped from None


def language_mind(
    spec: str, model: Model, world: World, usual: ModelOptions, portal: BlockingPortal | None = None
) -> LanguageMind:
    """A model as a mind.

    Args:
        spec: Name of the mind, with its own options.
        model: Model of Inspect.
        world: World whose prompts it is given.
        usual: Options that its name does not set.
        portal: Portal to the models' event loop; by default that of the thread that Inspect started.
    """
    name, options = split_model(spec, world, usual)
    words = words_of(load_prompts(world, options.prompts, options.phrasing))
    called = str(model) + spec.removeprefix(MODEL) if name == MODEL else spec
    held = is_held(model, options)
    keep_secrets(model)

    async def reply(conversation: Conversation) -> str:
        messages: list[ChatMessage] = [_ROLES[role](content=text) for role, text in conversation]
        temperature = options.temperature
        if conversation.is_probe and options.probe_temperature is not None:
            temperature = options.probe_temperature
        schema = conversation.ask.form.json_schema() if held and conversation.ask else None
        config = request_config(replace(options, temperature=temperature), schema)
        output = await model.generate(messages, config=config)
        return Said(output.completion, _reasoning(output))

    def call(conversation: Conversation) -> str:
        if portal is not None:
            return portal.call(reply, conversation)
        try:
            return anyio.from_thread.run(reply, conversation)
        except (CancelledError, LimitExceededError) as error:
            raise Stopped from error

    return LanguageMind(called, call, words, options.method, held, options.memory)


def is_held(model: Model, options: ModelOptions) -> bool:
    """Whether structured output enforces the form of a model's replies."""
    return options.form == "structured" or (options.form == "auto" and is_held_to_schemas(model))


def for_documents(model: Model, options: ModelOptions) -> ModelOptions:
    """The options of a model whose replies are whole documents: local models would cut them off."""
    if options.max_tokens is None and is_held_to_schemas(model):
        return replace(options, max_tokens=LONG_REPLY)
    return options


def request_config(options: ModelOptions, schema: Mapping[str, Any] | None = None) -> GenerateConfig:
    """How one request is made, and the schema that its reply is held to."""
    timeout = options.timeout or None
    return GenerateConfig(
        # Without a limit here, Inspect would repeat a call that timed out forever.
        attempt_timeout=timeout,
        timeout=timeout,
        temperature=options.temperature,
        max_tokens=options.max_tokens,
        response_schema=held_to(schema) if schema else None,
    )


def held_to(schema: Mapping[str, Any]) -> ResponseSchema:
    """The response schema that a provider with structured output enforces."""
    return ResponseSchema(name="reply", json_schema=JSONSchema.model_validate(schema), strict=True)


def _reasoning(output: ModelOutput) -> str:
    """The visible reasoning of a model that reasons apart from its reply."""
    content = output.choices[0].message.content if output.choices else ""
    parts = content if isinstance(content, list) else []
    return "\n".join(part.summary or part.reasoning for part in parts if isinstance(part, ContentReasoning)).strip()


def keep_secrets(model: Model) -> None:
    """Redact keys in a provider's errors before they are logged: some quote the key they refuse."""
    generate: Callable[..., Any] = model.api.generate
    if getattr(generate, "keeps_secrets", False):
        return

    async def careful(*args: Any, **kwargs: Any) -> Any:
        try:
            result = await generate(*args, **kwargs)
        except Exception as error:
            _hide_in(error, _secrets(model))
            raise
        parts = result if isinstance(result, tuple) else (result,)
        if any(isinstance(part, Exception) for part in parts):  # some providers return theirs, with what was sent
            for part in parts:
                _hide_in(part, _secrets(model))
        return result

    careful.keeps_secrets = True  # type: ignore[attr-defined]
    model.api.generate = careful  # type: ignore[method-assign]


def _secrets(model: Model) -> list[str]:
    return secrets(getattr(model.api, "api_key", None))


def _hide_in(target: Any, known: list[str], depth: int = 5) -> None:
    """Redact secrets in place: the type of an error must stay, as it decides whether a call is repeated."""
    if target is None or depth == 0 or not known:
        return
    for name, value in list(vars(target).items()):
        if isinstance(value, str | dict | list):
            setattr(target, name, redact(value, known))
    if isinstance(target, BaseException):
        target.args = tuple(redact(part, known) for part in target.args)
        _hide_in(target.__cause__, known, depth - 1)
        _hide_in(target.__context__, known, depth - 1)
