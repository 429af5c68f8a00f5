"""The one task factory. ``otherminds/world`` is a task for any world; the four of the package have tasks by name.

``inspect eval otherminds/decrypto --model openai/gpt-5 -T seats=alice=glove,bob=glove -T episodes=32``. A seat that is
called ``model`` has the model of its role (``--model-role eve=…``), or the one that is evaluated.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from inspect_ai import Epochs, Task, task
from inspect_ai.dataset import MemoryDataset

from otherminds.core.errors import UserError, nearest
from otherminds.core.world import Item, World
from otherminds.llm.options import ModelOptions, split_model
from otherminds.llm.prompts import hashes, load_prompts
from otherminds.llm.samples import MODEL, digest_of, forget, is_model, make_samples, make_world, seats_of, suite_items
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
    repeats: int = 1,
    attempts: int | None = None,
    method: str = "plain",
    timeout: int = 120,
    temperature: float | None = None,
    probe_temperature: float | None = None,
    max_tokens: int | None = None,
    prompts: str = "",
    phrasing: str = "",
    form: str = "auto",
    memory: int | None = None,
) -> Task:
    """Language models at tables of a world, with minds of any other kind.

    Args:
        world: by name, such as decrypto.
        seats: minds by seat, as in ``alice=glove,eve=model:method=notes``; ``model`` sits where nobody is named.
        set: options of the world.
        suite: named set of test items to play instead of episodes by seed.
        size: number of groups of the suite to play; all by default.
        items: ids of the items of the suite to play; all by default.
        episodes: number of episodes, one seed after the other.
        seed: of the first episode, or of the suite.
        repeats: episodes of each item or seed.
        attempts: at each ask, before the world's default stands; the world's own number by default.
        method: how models are led to their answers: plain, stepwise, perspective or notes.
        timeout: seconds after which a call has failed and costs an attempt; 0 for no limit.
        temperature: of acts; the model's own by default.
        probe_temperature: of answers to probes; that of acts by default.
        max_tokens: most tokens in one reply; the model's own limit by default.
        prompts: version of the prompts, or a folder or file of your own; the newest version by default.
        phrasing: wording of the prompts, where the world has several.
        form: free for replies in words, structured for structured output, auto for what suits the model.
        memory: past turns that stay in the conversation; all by default.

    Raises:
        UserError: if an option is not known, or a mind cannot sit in its seat.
    """
    options = ModelOptions(
        method=method,  # type: ignore[arg-type]  # it checks them
        form=form,  # type: ignore[arg-type]
        timeout=timeout,
        temperature=temperature,
        probe_temperature=probe_temperature,
        max_tokens=max_tokens,
        prompts=prompts,
        phrasing=phrasing,
        memory=memory,
    )
    if attempts is not None and attempts < 1:
        raise UserError(f"attempts is {attempts}; expected at least 1")
    settings = set or {}
    forget()
    made = make_world(world, settings)
    who = seats_of(seats, made)
    used = _used_prompts(made, who, options)
    chosen = _chosen(list(suite_items(made.id, settings, suite, seed).values()), size, items) if suite else None
    samples = make_samples(
        made, settings, who, suite=suite, items=chosen, episodes=episodes, seed=seed, repeats=repeats
    )
    if not samples:
        raise UserError(f"suite {suite!r} of {made.id} has no item left to play")
    return Task(
        dataset=MemoryDataset(samples, name=suite or made.id),
        solver=play_table(attempts, options.given()),
        scorer=outcome(),
        epochs=Epochs(1, every_episode()),
        version=digest_of(samples, used),
        metadata={"prompts": used, "seats": who},
    )


def _chosen(every: Sequence[Item], size: int | None, ids: Sequence[str] | None) -> list[Item]:
    """The items of the first ``size`` groups and of these ids, or all."""
    groups = list(dict.fromkeys(item.group or item.id for item in every))[:size]
    known = {item.id: item for item in every if (item.group or item.id) in groups}
    for name in ids or ():
        if name not in known:
            raise UserError(f"the suite has no item {name!r}{nearest(name, known)}")
    return list(known.values()) if ids is None else [known[name] for name in ids]


def _used_prompts(world: World, seats: dict[str, str], options: ModelOptions) -> dict[str, str]:
    """The hashes of all prompts that the table uses. Whoever cannot sit there is refused before anybody plays."""
    minds_for(world, {seat: spec for seat, spec in seats.items() if not is_model(spec, world)})
    found: dict[str, str] = {}
    for spec in dict.fromkeys(seats.values()):
        if is_model(spec, world):
            _, how = split_model(spec, world, options)
            found |= hashes(load_prompts(world, how.prompts, how.phrasing).values(), [how.method])
    return found


def _for(name: str) -> Callable[..., Task]:
    """The task of a world under the world's name."""

    def named(**options: Any) -> Task:
        return make_task(name, **options)

    whole = inspect.signature(make_task)
    named.__name__, named.__doc__ = name, make_task.__doc__
    named.__signature__ = whole.replace(parameters=list(whole.parameters.values())[1:])  # type: ignore[attr-defined]
    made: Callable[..., Task] = task(named)
    return made


world = task(name="world")(make_task)
symmtom, tomi, decrypto, enacttom = map(_for, ("symmtom", "tomi", "decrypto", "enacttom"))
TASKS = {"symmtom": symmtom, "tomi": tomi, "decrypto": decrypto, "enacttom": enacttom}
