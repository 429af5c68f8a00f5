"""The form of a reply: the one description from which everything about replies is derived.

A form lists alternatives, each a tuple of fields. From it come the strict parser with its complaint, the JSON schema
for structured output, what a terminal or a page offers, and a random reply.

The *value* of a reply is plain data. Where the chosen alternative has one field, it is that field's value; where it has
several, a dictionary by field name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from otherminds.core.errors import nearest
from otherminds.core.form_fields import Choice, Field, Number, Reading, Several, Unreadable, Words, short

if TYPE_CHECKING:
    from otherminds.core.seeds import Draw

__all__ = ["Choice", "Field", "Form", "Number", "Several", "Unreadable", "Words"]

_FENCE = re.compile(r"^```(?:json)?\s*(.*?)\s*```$", re.DOTALL)


@dataclass(frozen=True)
class Form(Reading):
    """The alternatives of a reply.

    Attributes:
        alternatives: Alternatives to choose from, each a tuple of fields.
        mark: Word before the answer in a free-text reply, as in ``ANSWER: box``.
        reader: Parser of plain-text answers in the world's own notation, which raises :class:`Unreadable`. Without
            one, fields are read in order.
    """

    alternatives: tuple[tuple[Field, ...], ...]
    mark: str = "ANSWER"
    reader: Callable[[str], Any] | None = None

    @classmethod
    def of(cls, *fields: Field, mark: str = "ANSWER", reader: Callable[[str], Any] | None = None) -> Form:
        """A form with one alternative."""
        return cls((fields,), mark, reader)

    def take(self, value: Any) -> Any:
        if self._only is not None and type(value) is tuple:
            return self._only.take(value)
        alternative, parts = self._match(value)
        if len(alternative) == 1:
            return alternative[0].take(parts[0])
        return {field.name: field.take(part) for field, part in zip(alternative, parts, strict=True)}

    def plain(self, value: Any) -> Any:
        """A value as JSON data; :meth:`take` converts it back."""
        if isinstance(value, Mapping):
            return {name: self.plain(part) for name, part in value.items()}
        return [self.plain(part) for part in value] if isinstance(value, tuple | list) else value

    def parse(self, text: object, *, is_structured: bool = False) -> Any:
        """The value in a reply as a language model or a person gave it.

        Args:
            text: Reply: a JSON object, text that ends in ``MARK: answer``, or a single line.
            is_structured: Whether the reply must be a JSON object and nothing else, as in structured output.

        Raises:
            Unreadable: says what was found and what was expected.
        """
        if not isinstance(text, str) or not text.strip():
            raise Unreadable("there was no reply")
        bare = _FENCE.sub(r"\1", text.strip())
        if is_structured:
            return self.take(_object(bare, "the reply"))
        marked = self._marks.split(text)
        if len(marked) > 1:
            return self._plain(marked[-1])
        lines = [line for line in bare.splitlines() if line.strip()]
        if not (bare.startswith("{") and bare.endswith("}")) and len(lines) != 1:
            raise Unreadable(f"there is no line that begins with {self.mark + ':'!r}")
        return self._plain(bare)

    def json_schema(self) -> dict[str, Any]:
        """The JSON schema for structured output.

        It is one object, as some providers require: where there are alternatives, fields of the others are null.
        """
        properties: dict[str, Any] = {}
        for field in (field for fields in self.alternatives for field in fields):
            is_always = all(field.name in [other.name for other in fields] for fields in self.alternatives)
            schema = field.json_schema()
            properties.setdefault(field.name, schema if is_always else {"anyOf": [schema, {"type": "null"}]})
        return {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }

    def sample(self, draw: Draw) -> Any:
        """A random value."""
        alternative = draw.pick(self.alternatives) if len(self.alternatives) > 1 else self.alternatives[0]
        if len(alternative) == 1:
            return alternative[0].sample(draw)
        return {field.name: field.sample(draw) for field in alternative}

    def example(self, *, is_structured: bool = False) -> str:
        """What a reply looks like, with nothing in it that could be copied as an answer."""
        shown = [{field.name: field.placeholder(is_structured) for field in fields} for fields in self.alternatives]
        return " or ".join(json.dumps(alternative, ensure_ascii=False) for alternative in shown)

    def offer(self) -> str:
        """What can be answered, in one line for a person."""
        options = (", ".join(f"{field.name}: {field.expected()}" for field in fields) for fields in self.alternatives)
        return "; or ".join(options)

    def closed(self) -> tuple[Any, ...] | None:
        """All values of a form that is a single choice; ``None`` for any other form."""
        return self._only.options if isinstance(self._only, Choice) else None

    @cached_property
    def _only(self) -> Field | None:
        """The one field of the only alternative; ``None`` if there are more."""
        return self.alternatives[0][0] if len(self.alternatives) == len(self.alternatives[0]) == 1 else None

    @cached_property
    def _marks(self) -> re.Pattern[str]:
        return re.compile(rf"^[\W_]*{re.escape(self.mark)}[\s*_]*:[*_]*", re.IGNORECASE | re.MULTILINE)

    def _match(self, value: Any) -> tuple[tuple[Field, ...], Sequence[Any]]:
        """The alternative that a value belongs to, and its parts."""
        if isinstance(value, Mapping):
            parts = {name: part for name, part in value.items() if part is not None}
            for alternative in self.alternatives:
                if parts.keys() == {field.name for field in alternative}:
                    return alternative, [parts[field.name] for field in alternative]
            for alternative in self.alternatives:  # slots of a single field, as structured output names them
                if len(alternative) == 1 and alternative[0].has_slots(parts):
                    return alternative, [parts]
            known = [" and ".join(field.name for field in fields) for fields in self.alternatives]
            every = [field.name for fields in self.alternatives for field in fields]
            odd = next((name for name in parts if name not in every), None)
            hint = "" if odd is None else nearest(odd, every)
            raise Unreadable(f"the reply has {', '.join(parts) or 'nothing'}; expected {' or '.join(known)}{hint}")
        single = [fields for fields in self.alternatives if len(fields) == 1]
        if not single:
            names = ", ".join(field.name for field in self.alternatives[0])
            raise Unreadable(f"the reply is {short(value)}; expected an object with {names}")
        if len(single) > 1:
            for alternative in single:
                if not alternative[0].check(value):
                    return alternative, [value]
        return single[0], [value]

    def _plain(self, text: str) -> Any:
        """The value of an answer without its mark: an object, the world's own notation, or fields in order."""
        answer = text.strip().strip("`*").strip()
        if answer.startswith("{") and "}" in answer:
            return self.take(_object(answer[: answer.rindex("}") + 1], f"what follows {self.mark + ':'!r}"))
        line = next((line.strip(" \t`*\"'") for line in answer.splitlines() if line.strip(" \t`*\"'")), "")
        if not line:
            raise Unreadable(f"nothing follows {self.mark + ':'!r}")
        if self.reader is not None:
            return self.reader(line)
        problem: Unreadable | None = None
        for alternative in self.alternatives:
            try:
                return self._in_order(alternative, line)
            except Unreadable as refused:
                problem = problem or refused
        assert problem is not None
        raise problem

    def _in_order(self, fields: tuple[Field, ...], line: str) -> Any:
        if len(fields) == 1:
            return fields[0].read(line)
        parts = re.split(r"[\s,;]+", line, maxsplit=len(fields) - 1)
        if len(parts) != len(fields):
            names = ", ".join(field.name for field in fields)
            raise Unreadable(f"the answer is {short(line)}; expected {names}, separated by spaces")
        return {field.name: field.read(part) for field, part in zip(fields, parts, strict=True)}


def _object(text: str, name: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise Unreadable(f"{name} is not JSON") from None
    if not isinstance(value, dict):
        raise Unreadable(f"{name} is not a JSON object")
    return value
