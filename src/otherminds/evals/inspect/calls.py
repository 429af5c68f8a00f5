"""How a language model of Inspect is asked by a player of any world, and what may go wrong without ending the game.

Players are not asynchronous, so games run in threads of their own and hand each question back to Inspect. A call that
hangs, fails or is refused costs one attempt. What stops the whole sample (it was cancelled, or a limit was reached)
must not be taken for that, so it is carried through the game as something that no player's fault can be.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import Any, TypeVar

import anyio
import anyio.from_thread
import anyio.lowlevel
import anyio.to_thread
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
from inspect_ai.util import LimitExceededError

from otherminds.players.conversation import Ask, Conversation, Reply

_ROLES = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)
_SHORTEST = 8  # letters of a secret: shorter values are words that may stand anywhere
_HIDDEN = "[hidden]"
Played = TypeVar("Played")
Schema = Callable[[Any], ResponseSchema]  # what a reply is held to, by what it must hold


class Stopped(BaseException):
    """The sample is to end; not an ``Exception``, which would be a player's fault. Its cause says why."""


async def in_thread(game: Callable[[], Played]) -> Played:
    """Play a whole game whose players ask models by :func:`caller`."""
    try:
        # A thread of its own: games that wait for models must not take those that the models' clients need.
        return await anyio.to_thread.run_sync(game, limiter=anyio.CapacityLimiter(1))
    except Stopped as stopped:
        await anyio.lowlevel.checkpoint()  # ends here if it was cancelled
        raise stopped.__cause__ or stopped from None


def caller(model: Model, timeout: int | None = None, schema: Schema | None = None) -> Ask:
    """What asks a model from within the thread of a game that Inspect runs; for the arguments see :func:`replier`."""
    reply = replier(model, timeout, schema)

    def ask(conversation: Conversation) -> str:
        try:
            return anyio.from_thread.run(reply, conversation)
        except (CancelledError, LimitExceededError) as error:
            raise Stopped from error

    return ask


@contextmanager
def calling(model: Model, timeout: int | None = None, schema: Schema | None = None) -> Iterator[Ask]:
    """What asks a model from anywhere, while a block lasts."""
    reply = replier(model, timeout, schema)
    with anyio.from_thread.start_blocking_portal() as portal:
        yield lambda conversation: portal.call(reply, conversation)


def replier(
    model: Model, timeout: int | None = None, schema: Schema | None = None
) -> Callable[[Conversation], Coroutine[Any, Any, str]]:
    """What asks a model.

    Args:
        model: of Inspect.
        timeout: seconds after which a call has failed; those that it waits for its turn do not count.
        schema: holds replies to a schema, if it is given.
    """
    keep_secrets(model)

    async def reply(conversation: Conversation) -> str:
        messages: list[ChatMessage] = [_ROLES[role](content=text) for role, text in conversation]
        held = schema(conversation.wanted) if schema else None
        # Without a limit of its own, a call that timed out would be repeated by Inspect for ever.
        config = GenerateConfig(attempt_timeout=timeout, timeout=timeout, response_schema=held)
        output = await model.generate(messages, config=config)
        return Reply(output.completion, _reasoning(output))

    return reply


def _reasoning(output: ModelOutput) -> str:
    """What a model that thinks apart from its reply lets others see of it."""
    content = output.choices[0].message.content if output.choices else ""
    parts = content if isinstance(content, list) else []
    return "\n".join(one.summary or one.reasoning for one in parts if isinstance(one, ContentReasoning)).strip()


def keep_secrets(model: Model) -> None:
    """Hide keys in what a provider's errors say, before anybody writes them down: some quote the key they refuse."""
    generate: Callable[..., Any] = model.api.generate
    if getattr(generate, "keeps_secrets", False):
        return

    async def careful(*args: Any, **kwargs: Any) -> Any:
        try:
            found = await generate(*args, **kwargs)
        except Exception as error:
            _hide_in(error, _secrets(model))
            raise
        parts = found if isinstance(found, tuple) else (found,)
        if any(isinstance(part, Exception) for part in parts):  # some providers return theirs, with what was sent
            for part in parts:
                _hide_in(part, _secrets(model))
        return found

    careful.keeps_secrets = True  # type: ignore[attr-defined]
    model.api.generate = careful  # type: ignore[method-assign]


def _secrets(model: Model) -> list[str]:
    named = [value for name, value in os.environ.items() if _SECRET.search(name)]
    return [one for one in (*named, getattr(model.api, "api_key", None)) if one and len(one) >= _SHORTEST]


def _hide_in(what: Any, secrets: list[str], depth: int = 5) -> None:
    """In place, because what kind of error it is decides whether a call is repeated."""
    if what is None or depth == 0:
        return
    for name, value in list(vars(what).items()):
        if isinstance(value, str | dict | list):
            setattr(what, name, _hide(value, secrets))
    if isinstance(what, BaseException):
        what.args = tuple(_hide(part, secrets) for part in what.args)
        _hide_in(what.__cause__, secrets, depth - 1)
        _hide_in(what.__context__, secrets, depth - 1)


def _hide(value: Any, secrets: list[str]) -> Any:
    if isinstance(value, dict):
        return {name: _hide(part, secrets) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_hide(part, secrets) for part in value)
    if not isinstance(value, str):
        text = str(value)
        return _hide(text, secrets) if any(one in text for one in secrets) else value
    for one in secrets:
        value = value.replace(one, _HIDDEN)
    return value
