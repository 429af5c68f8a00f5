"""Models by name, with the servers they need, and language models as minds outside Inspect's runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from rich.text import Text

from otherminds.core.errors import UserError, need
from otherminds.core.world import World
from otherminds.llm.options import ModelOptions, split_model

if TYPE_CHECKING:
    from otherminds.minds.language import LanguageMind

# Inspect repeats a request that failed for ever, so a server that is not there would hang the evaluation in silence.
# It waits 3 seconds, then twice as long each time: about three minutes in all. The same command then resumes.
_REQUEST_RETRIES = 6
_MOCK = "mockllm/"


@contextmanager
def speaking(world: World, seats: Mapping[str, str], **options: Any) -> Iterator[dict[str, LanguageMind]]:
    """Language models as minds by seat, for the duration of a block. Servers of local models run as long.

    Args:
        world: World of the seats.
        seats: Name of a model for each seat, such as ``local`` or ``openai/gpt-5:method=notes``.
        options: Options of :class:`otherminds.llm.options.ModelOptions`; those in a name take precedence.

    Raises:
        UserError: if there is no such model or option, or its package or key is missing.
    """
    need_inspect()
    from anyio.from_thread import start_blocking_portal

    from otherminds.llm.model_calls import language_mind

    usual = ModelOptions(**options)
    models = {seat: split_model(spec, world, usual)[0] for seat, spec in seats.items()}
    with resolved_by_role(models, {}) as resolved, start_blocking_portal() as portal:
        yield {seat: language_mind(spec, resolved[seat], world, usual, portal) for seat, spec in seats.items()}


def is_free(model: str) -> bool:
    """Whether a model costs nothing and may be used without confirmation."""
    from otherminds.llm.local import is_local

    return is_local(model) or model.startswith(_MOCK)


def is_language_model(spec: str) -> bool:
    """Whether a mind by name is a language model: a local one, or a name with a provider before a slash."""
    from otherminds.llm.local import is_local

    return is_local(spec) or "/" in spec.partition(":")[0]


@contextmanager
def resolved_by_role(models: Mapping[Any, Any], config: dict[str, Any]) -> Iterator[dict[Any, Any]]:
    """The models by role. A name that several roles share is resolved, and served, once."""
    with ExitStack() as stack:
        known: dict[str, Any] = {}
        by_role = {}
        for role, model in models.items():
            name = model if isinstance(model, str) else f"{role}:{id(model)}"
            if name not in known:
                known[name] = stack.enter_context(resolved(model, config))
            by_role[role] = known[name]
        yield by_role


@contextmanager
def resolved(model: Any, config: dict[str, Any]) -> Iterator[Any]:
    """A model by name, for the duration of a block.

    Args:
        model: ``local``, ``local:qwen-1.5b``, ``local:FILE.gguf``, the name of any model of Inspect, or one of its
            models.
        config: how it generates.

    Raises:
        UserError: if there is no such provider or local model, or its package, file or key is missing.
    """
    from inspect_ai.model import GenerateConfig, get_model

    from otherminds.llm.local import is_local, local_model

    if isinstance(model, str) and is_local(model):
        with local_model(model, **config) as served:
            yield served
    elif isinstance(model, str) and model.startswith(_MOCK):
        # Left to itself the mock model counts tokens, for which it would fetch a file from the network.
        yield get_model(model, custom_outputs=_mocked, config=GenerateConfig(**config), memoize=False)
    elif isinstance(model, str):
        try:
            named = get_model(model, config=GenerateConfig(**{"max_retries": _REQUEST_RETRIES, **config}))
        except Exception as error:
            why = str(error) if isinstance(error, ImportError | ValueError) else refusal(error)
            if why is None:
                raise
            raise UserError(f"model {model!r} cannot be used: {why}") from error
        yield named
    else:
        yield model


def need_inspect() -> Any:
    """Inspect, if it is installed."""
    return need("inspect_ai", "language models need inspect_ai", "llm")


def refusal(error: Exception) -> str | None:
    """The message of an error that the user can fix, in one line; ``None`` for any other error.

    A missing package or key, or a name it does not know, is its ``PrerequisiteError``. No public module exports that
    class, so it is known here by its name and its message, which may hold marks of colour.
    """
    if type(error).__name__ != "PrerequisiteError":
        return None
    return " ".join(Text.from_markup(str(getattr(error, "message", error))).plain.split())


def _mocked(_input: Any, _tools: Any, _choice: Any, _config: Any) -> Any:
    from inspect_ai.model import ModelOutput, ModelUsage

    output = ModelOutput.from_content("mockllm/model", "Default output from mockllm/model")
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output
