"""Language models at a table that Inspect does not run: ``otherminds play``, and any mixed table with people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from otherminds.core.errors import MissingExtra
from otherminds.core.world import World
from otherminds.llm.options import ModelOptions, split_model

if TYPE_CHECKING:
    from otherminds.minds.language import LanguageMind


@contextmanager
def speaking(world: World, seats: Mapping[str, str], **options: Any) -> Iterator[dict[str, LanguageMind]]:
    """Language models as minds by seat, with whatever must run beside them, while a block lasts.

    Args:
        world: that they sit in.
        seats: the name of a model for each seat, such as ``local`` or ``openai/gpt-5:method=notes``.
        options: those of :class:`otherminds.llm.options.ModelOptions`; what a name says goes first.

    Raises:
        UserError: if there is no such model or option, or its package or key is missing.
    """
    need_inspect()
    from anyio.from_thread import start_blocking_portal

    from otherminds.llm.calls import language_mind
    from otherminds.llm.models import resolved_by_role

    usual = ModelOptions(**options)
    models = {seat: split_model(spec, world, usual)[0] for seat, spec in seats.items()}
    with resolved_by_role(models, {}) as found, start_blocking_portal() as portal:
        yield {seat: language_mind(spec, found[seat], world, usual, portal) for seat, spec in seats.items()}


def need_inspect() -> Any:
    """Inspect, if it is installed.

    Raises:
        MissingExtra: names the extra that brings it.
    """
    try:
        import inspect_ai
    except ModuleNotFoundError as error:
        raise MissingExtra(f"language models need {error.name}; install otherminds[llm]") from error
    return inspect_ai
