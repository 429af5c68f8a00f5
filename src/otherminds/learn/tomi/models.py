"""The models by name, each with the way it is trained: the public settings of ToM-bAbI's authors (spec 10)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

import flax.linen as nn
import jax.numpy as jnp

from otherminds.core.errors import UserError, check_like, nearest
from otherminds.learn.tomi.encode import PADDING
from otherminds.learn.tomi.entnet import EntNet
from otherminds.learn.tomi.memnn import MemNN
from otherminds.learn.tomi.relnet import RelNet
from otherminds.learn.tomi.transformer import Transformer


@dataclass(frozen=True)
class Recipe:
    """How a model is trained.

    The loss is summed over a batch, not averaged: that is what the published limits on gradients are made for.
    """

    epochs: int = 100
    batch: int = 32
    learning_rate: float = 0.01  # of Adam
    halve_every: int = 0  # epochs after which the learning rate is halved, again and again; 0: never
    warm_up: int = 0  # steps in which the learning rate rises from 0
    anneal: bool = False  # the learning rate falls to 0 towards the end, along a cosine
    clip: float = 40.0  # longest gradient
    gradient_noise: float = 0.0  # standard deviation of what is added to every entry of the gradient
    weight_decay: float = 0.0
    last: int = 50  # how many sentences of a story are read
    parts: int = 1  # of an epoch
    validate_every: int = 1  # so many parts, after which there is also a checkpoint

    def __post_init__(self) -> None:
        """Refuse a training whose end would not be validated."""
        if self.epochs * self.parts % self.validate_every:
            raise UserError(
                f"{self.epochs} epochs of {self.parts} parts each cannot be validated every {self.validate_every} "
                f"parts; choose other epochs, or another validate_every"
            )


@dataclass(frozen=True)
class Model:
    """A kind of network, and how it is trained unless told otherwise."""

    network: type[nn.Module]
    recipe: Recipe
    paper: str  # what the paper calls it; empty if it has none


# Published optimisers are kept. What differs: EntNet and RelNet get weight decay, without which both know the training
# stories by heart after ten epochs and answer others worse than "always reality"; EntNet then needs half of its 200
# epochs. RelNet's 2,256 steps lie between those at which the published one stops; it is at its best for a short time
# only, so it is validated twice an epoch. MemNN is validated every ten epochs, as public programs of it are.
MODELS: dict[str, Model] = {
    "memnn": Model(MemNN, Recipe(epochs=100, gradient_noise=1e-3, validate_every=10), "MemNN"),
    "entnet": Model(EntNet, Recipe(epochs=100, halve_every=25, weight_decay=0.3, last=70), "EntNet"),
    "relnet": Model(RelNet, Recipe(epochs=12, learning_rate=0.002, weight_decay=0.5, last=20, parts=2), "RelNet"),
    "transformer": Model(
        Transformer,
        Recipe(epochs=60, batch=64, learning_rate=1e-3, warm_up=200, anneal=True, weight_decay=0.01, last=70),
        "",
    ),
}


def find_model(name: str) -> Model:
    """The model of that name.

    Raises:
        UserError: if there is none.
    """
    if name not in MODELS:
        raise UserError(f"there is no model {name!r}{nearest(name, MODELS)}")
    return MODELS[name]


def network_fields(name: str, changes: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """All fields of a model's network, some of them changed.

    Raises:
        UserError: if a field is not known, or its value is not of its kind.
    """
    kind = find_model(name).network
    hidden = ("num_tokens", "parent", "name")
    usual: dict[str, Any] = {f.name: f.default for f in fields(kind) if f.name not in hidden}
    kinds = get_type_hints(kind)
    for key, value in (changes or {}).items():
        if key not in usual:
            raise UserError(f"{name} has no field {key!r} of its network{nearest(key, usual)}")
        what = f"{name}: {key}"
        if get_origin(kinds[key]) is Literal:
            if value not in get_args(kinds[key]):
                raise UserError(f"{what} is {value!r}{nearest(str(value), get_args(kinds[key]))}")
        elif isinstance(usual[key], tuple):
            if not isinstance(value, list | tuple) or not value:
                raise UserError(f"{what} is {value!r}; expected a list of widths, such as {list(usual[key])}")
            for each in value:
                check_like(what, each, usual[key][0])
        else:
            check_like(what, value, usual[key])
    chosen = usual | dict(changes or {})
    if name == "transformer" and chosen["width"] % chosen["heads"]:
        raise UserError(f"{name}: width {chosen['width']} cannot be split among {chosen['heads']} heads evenly")
    return {key: list(value) if isinstance(value, tuple) else value for key, value in chosen.items()}


def make_network(name: str, num_tokens: int, chosen: Mapping[str, Any]) -> nn.Module:
    """The network of that name and those fields."""
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in chosen.items()}
    return find_model(name).network(num_tokens=num_tokens, **values)


def best_answer(network: nn.Module, variables: Any, story: Any, question: Any) -> Any:
    """The likeliest answer to each question, ``int32 [question]``; padding is none."""
    logits: Any = network.apply(variables, story, question)
    return logits.at[:, PADDING].set(-jnp.inf).argmax(-1).astype(jnp.int32)
