"""What a provider with structured output holds the replies of players of Decrypto to."""

from __future__ import annotations

from inspect_ai.model import ResponseSchema
from inspect_ai.util import JSONSchema

from otherminds.players.decrypto.replies import Wanted
from otherminds.worlds.decrypto.rules import all_codes
from otherminds.worlds.decrypto.types import Rules

_WORD = "[A-Za-z][A-Za-z'-]{1,19}"


def response_schema(wanted: Wanted) -> ResponseSchema:
    """What a provider with structured output holds a reply to. Schemas cannot count, so each word has a name."""
    inner: JSONSchema
    if wanted.kind == "guess":
        codes = all_codes(Rules(keywords=wanted.highest, length=wanted.number, turns=1))
        inner = JSONSchema(type="string", enum=["-".join(map(str, code)) for code in codes])
    elif wanted.kind == "chance":
        inner = JSONSchema(type="number", enum=[step / 20 for step in range(21)])
    else:
        word = JSONSchema(type="string", pattern=f"^{_WORD}( {_WORD})?$")
        inner = _object(dict.fromkeys(wanted.places, word))
    return ResponseSchema(name="reply", json_schema=_object({wanted.kind: inner}), strict=True)


def _object(properties: dict[str, JSONSchema]) -> JSONSchema:
    return JSONSchema(type="object", properties=properties, required=list(properties), additionalProperties=False)
