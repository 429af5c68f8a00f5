"""The networks that read stories, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

import flax.linen as nn
import jax.numpy as jnp

from otherminds.core.errors import UserError, check_like, nearest
from otherminds.worlds.tomi.minds.encode import PADDING
from otherminds.worlds.tomi.minds.networks.paper import EntNet, MemNN, RelNet

NETWORKS: dict[str, type[nn.Module]] = {"memnn": MemNN, "entnet": EntNet, "relnet": RelNet}


def find_network(name: str) -> type[nn.Module]:
    """The kind of network of that name."""
    if name not in NETWORKS:
        raise UserError(f"there is no model {name!r}{nearest(name, NETWORKS)}")
    return NETWORKS[name]


def network_fields(name: str, changes: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """All fields of a model's network, some of them changed."""
    kind = find_network(name)
    hidden = ("num_tokens", "parent", "name")
    usual: dict[str, Any] = {f.name: f.default for f in fields(kind) if f.name not in hidden}
    kinds = get_type_hints(kind)
    for key, value in (changes or {}).items():
        if key not in usual:
            raise UserError(f"{name} has no field {key!r} of its network{nearest(key, usual)}")
        label = f"{name}: {key}"
        if get_origin(kinds[key]) is Literal:
            if value not in get_args(kinds[key]):
                raise UserError(f"{label} is {value!r}{nearest(str(value), get_args(kinds[key]))}")
        elif isinstance(usual[key], tuple):
            if not isinstance(value, list | tuple) or not value:
                raise UserError(f"{label} is {value!r}; expected a list of widths, such as {list(usual[key])}")
            for width in value:
                check_like(label, width, usual[key][0])
        else:
            check_like(label, value, usual[key])
    chosen = usual | dict(changes or {})
    return {key: list(value) if isinstance(value, tuple) else value for key, value in chosen.items()}


def make_network(name: str, num_tokens: int, chosen: Mapping[str, Any]) -> nn.Module:
    """The network of that name and those fields."""
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in chosen.items()}
    return find_network(name)(num_tokens=num_tokens, **values)


def best_answer(network: nn.Module, variables: Any, story: Any, question: Any) -> Any:
    """The likeliest answer to each question, ``int32 [question]``; padding is none."""
    logits: Any = network.apply(variables, story, question)
    return logits.at[:, PADDING].set(-jnp.inf).argmax(-1).astype(jnp.int32)
