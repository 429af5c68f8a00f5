"""Structured output: what a provider that can do so holds a reply to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from inspect_ai.model import ResponseSchema
from inspect_ai.util import JSONSchema


def held_to(fields: Mapping[str, Sequence[str]], *, is_list: bool = False) -> ResponseSchema:
    """An object with just these fields, each one of the given words, or a list of some of them."""
    words = {name: JSONSchema(type="string", enum=list(choices)) for name, choices in fields.items()}
    if is_list:
        words = {name: JSONSchema(type="array", items=word) for name, word in words.items()}
    whole = JSONSchema(type="object", properties=words, required=list(words), additionalProperties=False)
    return ResponseSchema(name="reply", json_schema=whole, strict=True)
