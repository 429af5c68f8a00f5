"""Minds by name, the same in every world and command.

``rsa:lam=4``, ``tracker:depth=2``, ``human``, ``recorded:FILE``, a run directory, or a language model such as
``openai/gpt-5``, ``local`` or ``local:FILE.gguf``. The options of a mind are the parameters of whatever makes it.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError, nearest
from otherminds.core.mind import Mind, Policy
from otherminds.core.registry import entries, find, split_version
from otherminds.core.world import Item, World
from otherminds.minds.specs import CONTEXT, options_of, split_spec


def find_mind(spec: str, world: World, seat: str | None = None) -> Mind:
    """A mind by name, for a seat of a world. Language models need :func:`seated`, which keeps them open.

    Raises:
        UserError: if there is no such mind or option, or it cannot fill the seat.
    """
    name, text = split_spec(spec, world)
    known = list(dict.fromkeys(entry.name for entry in entries("mind", world.id)))
    if name in known:
        mind = _made(find("mind", name, world.id).load(), spec, name, text, world, seat)
    else:
        mind = world.mind(spec, seat)
    if mind is None:
        hint = nearest(name, known)
        if not hint.endswith("?"):
            hint += ", or a language model with its provider, such as openai/gpt-5"
        raise UserError(f"there is no mind {spec!r} in {split_version(world.id)[0]}{hint}")
    if isinstance(mind, Policy) and not hasattr(mind, "reply"):
        from otherminds.minds.policy import PolicyMind

        mind = PolicyMind(mind)
    if not isinstance(getattr(type(mind), "name", None), property):
        mind.name = spec  # tables call it what was asked for
    result: Mind = mind
    return result


def minds_for(world: World, specs: Mapping[str, str]) -> dict[str, Mind]:
    """A mind for each seat. Seats that name the same policy share it, as it acts for all its seats at once."""
    shared: dict[str, Mind] = {}
    seated: dict[str, Mind] = {}
    for seat, spec in specs.items():
        mind = shared.get(spec) or find_mind(spec, world, seat)
        if getattr(mind, "is_shared", False):
            shared[spec] = mind
        seated[seat] = mind
    return seated


def _made(target: Any, spec: str, name: str, text: str, world: World, seat: str | None) -> Any:
    if isinstance(target, Policy):
        if text:
            raise UserError(f"mind {name!r} has no options; found {text!r}")
        return target
    options = options_of(target, text, spec)
    taken = inspect.signature(target).parameters
    context = {key: value for key, value in zip(CONTEXT, (seat, world), strict=True) if key in taken}
    try:
        return target(**context, **options)
    except TypeError as error:
        if "argument" not in str(error):
            raise
        raise UserError(f"mind {spec!r} cannot be created: {error}") from error


@contextmanager
def seated(world: World, specs: Mapping[str, str], **models: Any) -> Iterator[dict[str, Mind]]:
    """Minds of any kind by seat, for the duration of a block. Servers of local models run as long.

    Args:
        world: World of the seats.
        specs: Name of a mind for each seat.
        models: Options of language models; see :func:`otherminds.llm.models.speaking`.

    Raises:
        UserError: if a seat cannot be filled.
    """
    speaking = {seat: spec for seat, spec in specs.items() if is_spoken(spec, world)}
    with ExitStack() as stack:
        minds = minds_for(world, {seat: spec for seat, spec in specs.items() if seat not in speaking})
        if speaking:
            from otherminds.llm.models import speaking as speak

            minds |= stack.enter_context(speak(world, speaking, **models))
        humans = [mind for mind in minds.values() if hasattr(mind, "terminal")]
        for mind in humans:  # people share one terminal, which is cleared when it changes hands
            mind.terminal = humans[0].terminal
            mind.terminal.people = len(humans)
        yield {seat: minds[seat] for seat in specs}


def is_spoken(spec: str, world: World) -> bool:
    """Whether a name is the name of a language model."""
    from otherminds.llm.models import is_language_model

    name, _ = split_spec(spec, world)
    # A path may look like a provider and its model.
    return is_language_model(name) and not name.startswith((".", "/", "~")) and not Path(name).exists()


def check_minds(world: World, specs: Mapping[str, str]) -> None:
    """Refuse minds that cannot fill their seats, before anything that takes long.

    Raises:
        UserError: if a mind does not exist, or needs a terminal that an evaluation does not have.
    """
    for seat, spec in specs.items():
        if spec.partition(":")[0] == "human":
            raise UserError("human is a person and cannot be evaluated; use: otherminds play")
        if not is_spoken(spec, world):
            find_mind(spec, world, seat)


def sees_truth(spec: str, world: World, seat: str) -> bool:
    """Whether the mind of a name is shown the hidden state."""
    return not is_spoken(spec, world) and bool(getattr(find_mind(spec, world, seat), "sees_truth", False))


def seated_for(seats: Mapping[str, str], world: World, item: Item | None) -> dict[str, str]:
    """A mind by name for each seat of an item. Seats that only the item has are filled if one mind has all others.

    Raises:
        UserError: if a seat has no mind.
    """
    (name, *others) = dict.fromkeys(seats.values())
    specs = {seat: seats.get(seat, "" if others else name) for seat in world.seats_of(item)}
    for seat, spec in specs.items():
        if not spec:
            raise UserError(f"seat {seat!r} of {item.id if item else world.id} has no mind; set one for every seat")
    return specs
