"""The task factory. ``otherminds/world`` is a task for any world; the worlds of the package have tasks by name.

``inspect eval otherminds/decrypto --model openai/gpt-5 -T seats=alice=glove,bob=glove -T episodes=32``. The mind
``model`` is the model of the seat's role (``--model-role eve=…``), or else the evaluated one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from inspect import Parameter, Signature, signature
from typing import Any

from inspect_ai import Epochs, Task, task
from inspect_ai.dataset import MemoryDataset

from otherminds.core.errors import UserError, nearest
from otherminds.core.registry import entries, split_version
from otherminds.core.world import Item, World, first_groups
from otherminds.llm.options import MODEL, ModelOptions, split_model
from otherminds.llm.prompts import hashes, load_prompts
from otherminds.llm.samples import digest_of, forget, is_model, make_samples, make_world, seats_of, suite_items
from otherminds.llm.scorer import every_episode, outcome
from otherminds.llm.solver import play_table
from otherminds.minds.find import minds_for

EPISODES = 10


def make_task(
    world: str,
    seats: str | dict[str, str] = MODEL,
    set: dict[str, Any] | None = None,
    suite: str = "",
    size: int | None = None,
    items: list[str] | None = None,
    episodes: int = EPISODES,
    seed: int = 0,
    attempts: int | None = None,
    **options: Any,
) -> Task:
    """Language models at tables of a world, with minds of any other kind.

    Args:
        world: Name of the world, such as decrypto.
        seats: Mind for each seat, as in ``alice=glove,eve=model:method=notes``; ``model`` by default.
        set: Options of the world.
        suite: Named set of test items to play instead of episodes by seed.
        size: Number of groups of the suite to play; all by default.
        items: Ids of the items of the suite to play; all by default.
        episodes: Number of episodes, with consecutive seeds.
        seed: Seed of the first episode, or of the suite.
        attempts: Attempts at each ask before the world's default is used; the world's own number by default.
        options: Options of :class:`otherminds.llm.options.ModelOptions`.

    Raises:
        UserError: if an option is not known, or a mind cannot sit in its seat.
    """
    usual = ModelOptions(**options)
    if attempts is not None and attempts < 1:
        raise UserError(f"attempts is {attempts}; expected at least 1")
    settings = set or {}
    forget()
    made = make_world(world, settings)
    who = seats_of(seats, made)
    used = _used_prompts(made, who, usual)
    chosen = _chosen(suite_items(made.id, settings, suite, seed).values(), size, items) if suite else None
    samples = make_samples(made, settings, who, suite=suite, items=chosen, episodes=episodes, seed=seed)
    if not samples:
        raise UserError(f"suite {suite!r} of {made.id} has no item left to play")
    return Task(
        dataset=MemoryDataset(samples, name=suite or made.id),
        solver=play_table(attempts, usual.changed()),
        scorer=outcome(),
        epochs=Epochs(1, every_episode()),
        version=digest_of(samples, used),
        metadata={"prompts": used, "seats": who},
    )


def _chosen(every: Iterable[Item], size: int | None, ids: Sequence[str] | None) -> list[Item]:
    """The items of the first ``size`` groups and of these ids, or all."""
    known = {item.id: item for item in first_groups(every, size)}
    for name in ids or ():
        if name not in known:
            raise UserError(f"the suite has no item {name!r}{nearest(name, known)}")
    return list(known.values()) if ids is None else [known[name] for name in ids]


def _used_prompts(world: World, seats: dict[str, str], options: ModelOptions) -> dict[str, str]:
    """The hashes of all prompts in use. Minds that cannot fill their seats are refused here, before any play."""
    minds_for(world, {seat: spec for seat, spec in seats.items() if not is_model(spec, world)})
    used: dict[str, str] = {}
    for spec in dict.fromkeys(seats.values()):
        if is_model(spec, world):
            _, how = split_model(spec, world, options)
            used |= hashes(load_prompts(world, how.prompts, how.phrasing).values(), [how.method])
    return used


def _task(name: str, **fixed: Any) -> Callable[..., Task]:
    """A task whose parameters are those of :func:`make_task` that are not fixed, and all options of models."""

    def named(**options: Any) -> Task:
        return make_task(**fixed, **options)

    named.__name__, named.__doc__ = name, make_task.__doc__
    made: Callable[..., Task] = task(with_model_options(named, make_task, fixed))
    return made


def with_model_options(
    named: Callable[..., Task], like: Callable[..., Task] | None = None, without: Iterable[str] = ()
) -> Callable[..., Task]:
    """A function that makes a task, with all options of models as parameters in place of its ``**options``.

    Inspect passes only parameters that a task has by name, but all of its own too if it takes any name.

    Args:
        named: Function that makes the task.
        like: Function whose parameters it has; its own by default.
        without: Names of parameters that it does not have.
    """
    own = [part for part in signature(like or named).parameters.values() if part.kind is not Parameter.VAR_KEYWORD]
    listed = [*own, *signature(ModelOptions).parameters.values()]
    named.__signature__ = Signature([free for free in listed if free.name not in without])  # type: ignore[attr-defined]
    return named


world = _task("world")
TASKS = {name: _task(name, world=name) for name in (split_version(entry.name)[0] for entry in entries("world"))}
