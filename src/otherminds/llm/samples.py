"""Samples of Inspect: each is one episode, given by world, settings, item or seed, and the mind in each seat.

Its metadata holds all of that as plain data, so that a log says what was played and any process can open it again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any

from inspect_ai.dataset import Sample

import otherminds
from otherminds.core.errors import UserError, nearest
from otherminds.core.registry import split_version
from otherminds.core.world import Item, Session, World
from otherminds.llm.options import MODEL
from otherminds.minds.baselines import recorded
from otherminds.minds.find import is_spoken, seated_for
from otherminds.minds.play_all import situations

_HUMAN, _RECORDED = "human", "recorded"


def make_world(name: str, settings: Mapping[str, Any]) -> World:
    """A world by name with its options set. Samples of one task share it."""
    return _world(name, json.dumps(settings, sort_keys=True))


def is_model(spec: str, world: World) -> bool:
    """Whether a mind by name is a language model; ``model`` is one that Inspect names."""
    return spec.partition(":")[0] == MODEL or is_spoken(spec, world)


def seats_of(seats: str | Mapping[str, str], world: World) -> dict[str, str]:
    """A mind by name for each seat.

    Args:
        seats: one name for all, or several as in ``alice=glove,eve=model:method=notes`` or a mapping; ``model`` sits
            where nobody is named.
        world: whose seats they are.

    Raises:
        UserError: if there is no such seat.
    """
    if not isinstance(seats, str):
        return {seat: str(spec) for seat, spec in seats.items()} or dict.fromkeys(world.seats, MODEL)
    specs = _read_seats(seats, world)
    for seat in specs:
        if seat not in world.seats:
            raise UserError(f"{world.id} has no seat {seat!r}{nearest(seat, world.seats)}")
    return {seat: str(specs.get(seat, MODEL)) for seat in world.seats}


def make_samples(
    world: World,
    settings: Mapping[str, Any],
    seats: Mapping[str, str],
    *,
    suite: str = "",
    items: Sequence[Item] | None = None,
    episodes: int = 1,
    seed: int = 0,
) -> list[Sample]:
    """The samples of a task: items of a suite, or episodes by seed.

    Raises:
        UserError: if a number is out of range, or a mind cannot sit in a task.
    """
    for name, value, least in (("episodes", episodes, 1), ("seed", seed, 0)):
        if value < least:
            raise UserError(f"{name} is {value}; expected at least {least}")
    if any(spec.partition(":")[0] == _HUMAN for spec in seats.values()):
        name = split_version(world.id)[0]
        raise UserError(f"human is a person and cannot be evaluated; use: otherminds play {name}")
    samples = []
    for situation, item in _situations(world, seats, suite, items, episodes, seed):
        name, here = situation["id"], seated_for(seats, world, item)
        content = _content(world.open(situation["seed"], item))
        whole = {"world": world.id, "settings": dict(settings), "seats": here, **situation, "content": content}
        who = ", ".join(f"{spec} as {seat}" for seat, spec in here.items())
        samples.append(Sample(id=name, input=f"{name} in {world.id}: {who}.", metadata=whole))
    return samples


def open_sample(about: Mapping[str, Any], epoch: int = 1) -> tuple[World, Session]:
    """The world of a sample and a new session of its episode. Each epoch of Inspect is another repeat."""
    world = make_world(about["world"], about["settings"])
    return world, world.open(about["seed"], item_of(about), epoch - 1)


def item_of(about: Mapping[str, Any]) -> Item | None:
    """The item of a sample; ``None`` where the seed alone opens the episode."""
    world = make_world(about["world"], about["settings"])
    if about["recorded"] is not None:
        path, number = about["recorded"]
        return world.item_of(world.recorded(path)[number])
    if about["item"] is None:
        return None
    return suite_items(about["world"], about["settings"], about["suite"], about["seed"])[about["item"]]


def suite_items(world: str, settings: Mapping[str, Any], suite: str, seed: int) -> Mapping[str, Item]:
    """The items of a suite by id. Samples of one task share them."""
    return _items(world, json.dumps(settings, sort_keys=True), suite, seed)


def forget() -> None:
    """Clear the caches of worlds and suites, whose files may have changed since the last task was made."""
    _world.cache_clear()
    _items.cache_clear()


def digest_of(samples: Sequence[Sample], *beside: Any) -> str:
    """A hash of the samples: a run is resumed only if nothing in them has changed."""
    whole = [[(sample.id, sample.metadata) for sample in samples], *beside]
    return sha256(json.dumps(whole, sort_keys=True, default=str).encode()).hexdigest()[:12]


def _situations(
    world: World,
    seats: Mapping[str, str],
    suite: str,
    items: Sequence[Item] | None,
    episodes: int,
    seed: int,
) -> Iterator[tuple[dict[str, Any], Item | None]]:
    """The metadata and the item of each episode to play."""
    files = {spec.partition(":")[2] for spec in seats.values() if spec.partition(":")[0] == _RECORDED}
    if len(files) > 1:
        raise UserError(
            f"the seats use different recorded files ({', '.join(sorted(files))}); use one file for all of them"
        )
    minds = [recorded(world, file) for file in files]
    items = list(world.suite(suite, seed)) if suite and items is None else items
    for number, (its_seed, item) in enumerate(situations(world, minds, items, episodes, seed)):
        about: dict[str, Any] = {"suite": suite, "item": None, "seed": its_seed, "recorded": None}
        if minds:
            name = minds[0].episodes[number].id
            about |= {"id": f"recorded-{name}", "group": name, "recorded": [*files, number]}
        elif item is not None:
            about |= {"id": item.id, "group": item.group or item.id, "item": item.id}
            about |= {"order": item.order, "labels": dict(item.labels)}
        else:
            about |= {"id": f"{split_version(world.id)[0]}-{its_seed}", "group": str(its_seed)}
        yield about, item


def _content(session: Session) -> str:
    """A hash of the start of an episode, which does not reveal it."""
    asks = [(ask.id, ask.view.text(), ask.view.question(ask.probe) if ask.probe else "") for ask in session.asks()]
    return sha256(json.dumps([session.episode.header(), asks], sort_keys=True, default=str).encode()).hexdigest()[:12]


def _read_seats(text: str, world: World) -> dict[str, str]:
    """``alice=rsa:lam=4,depth=2,eve=model`` by seat: what begins with no seat belongs to the name before it."""
    specs: dict[str, str] = {}
    last = ""
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        head, equals, name = part.partition("=")
        if equals and ":" not in head and (head in world.seats or not last):
            last = head
            specs[head] = name
        elif last:
            specs[last] += f",{part}"
        else:
            return dict.fromkeys(world.seats, text)
    return specs


@lru_cache(maxsize=8)
def _world(name: str, settings: str) -> World:
    made: World = otherminds.make(name, **json.loads(settings))
    return made


@lru_cache(maxsize=8)
def _items(name: str, settings: str, suite: str, seed: int) -> dict[str, Item]:
    return {item.id: item for item in _world(name, settings).suite(suite, seed)}
