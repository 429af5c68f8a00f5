"""Reader of YAML files whose errors name the line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

import yaml

from otherminds.core.errors import UserError, nearest


@dataclass(frozen=True)
class YamlValue:
    """A value of a file. Every method that reads it names the line of a value that is not as expected."""

    name: str  # what errors call it
    source: str  # of the file
    node: yaml.Node

    @property
    def line(self) -> int:
        """Where it is written, from 1."""
        return int(self.node.start_mark.line) + 1

    def fail(self, problem: str) -> NoReturn:
        """Refuse the file for a problem on this line."""
        raise UserError(f"{self.source}, line {self.line}: {problem}")

    def entries(self, allowed: Iterable[str] | None = None, required: Iterable[str] = ()) -> dict[str, YamlValue]:
        """A mapping of names to values, in the order of the file."""
        if not isinstance(self.node, yaml.MappingNode):
            self.fail(f"{self.name} is {self._shown()}; expected names with values, such as 'name: value'")
        fields: dict[str, YamlValue] = {}
        for key, value in self.node.value:
            name = YamlValue("a name", self.source, key).text()
            here = YamlValue(name, self.source, value)
            if allowed is not None and name not in allowed:
                YamlValue(name, self.source, key).fail(f"unknown field {name!r} in {self.name}{nearest(name, allowed)}")
            fields[name] = here
        for name in required:
            if name not in fields:
                self.fail(f"{self.name} needs the field {name!r}")
        return fields

    def items(self) -> Iterator[YamlValue]:
        """The values of a list."""
        if not isinstance(self.node, yaml.SequenceNode):
            self.fail(f"{self.name} is {self._shown()}; expected a list")
        for number, value in enumerate(self.node.value, start=1):
            yield YamlValue(f"{self.name} {number}", self.source, value)

    def is_list(self) -> bool:
        """Whether the value is a list."""
        return isinstance(self.node, yaml.SequenceNode)

    def text(self) -> str:
        """A text."""
        if not isinstance(self.node, yaml.ScalarNode):
            self.fail(f"{self.name} is {self._shown()}; expected text")
        return str(self.node.value).strip()

    def whole(self, low: int, high: int) -> int:
        """A whole number from low to high."""
        value = self.value()
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            self.fail(f"{self.name} is {self._shown()}; expected a whole number from {low} to {high}")
        return value

    def number(self) -> float:
        """A positive number."""
        value = self.value()
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < float("inf"):
            self.fail(f"{self.name} is {self._shown()}; expected a positive number")
        return float(value)

    def one_of(self, known: Iterable[str]) -> str:
        """One of the known words."""
        word, choices = self.text(), list(known)
        if word not in choices:
            self.fail(f"{self.name} is {word!r}{nearest(word, choices)}")
        return word

    def value(self) -> Any:
        """The value as YAML reads it."""
        try:
            return _Loader("").construct_document(self.node)
        except (yaml.YAMLError, ValueError) as error:
            return self.fail(f"{self.name} cannot be read: {getattr(error, 'problem', None) or error}")

    def _shown(self) -> str:
        if isinstance(self.node, yaml.MappingNode):
            return "names with values"
        return "a list" if self.is_list() else repr(self.node.value)


def read_lines(text: str, source: str, kind: str = "scenario") -> YamlValue:
    """The content of a file of a kind that ``otherminds new`` makes.

    Raises:
        UserError: if the text is not YAML.
    """
    try:
        node = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise UserError(f"{source}{line}: not valid YAML: {error.problem}") from error
    except yaml.YAMLError as error:
        raise UserError(f"{source}: not valid YAML: {error}") from error
    if node is None:
        raise UserError(f"{source} is empty; 'otherminds new {kind}' writes a template")
    file = YamlValue(f"the {kind}", source, node)
    _check_nodes(file, ())
    return file


def line_of(file: YamlValue, path: str) -> int | None:
    """The line of the value that a path leads to, as far as it leads; ``None`` if its first step leads nowhere.

    Args:
        file: The whole file.
        path: Steps such as ``house.rooms.hall.box`` or ``notes[1].to``. Text may follow it, as in an error message;
            if the text quotes a name that is given there, the line is that of the name.
    """
    node, line, rest = file.node, None, path
    while step := _step(node, rest):
        named, node, rest = step
        line = named.start_mark.line + 1
    quoted = re.findall(r"'([^']*)'", rest)
    for key, _ in node.value if line and isinstance(node, yaml.MappingNode) else ():
        if key.value in quoted:
            return int(key.start_mark.line) + 1
    return line


def _step(node: yaml.Node, path: str) -> tuple[yaml.Node, yaml.Node, str] | None:
    """The first step of a path: what names the next value, the value itself, and the rest of the path."""
    if isinstance(node, yaml.SequenceNode):
        index = re.match(r"\[(\d+)\]\.?", path)
        if index is None or int(index[1]) >= len(node.value):
            return None
        item = node.value[int(index[1])]
        return item, item, path[index.end() :]
    steps = []
    for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
        name = str(key.value)
        if name and path.startswith(name) and path[len(name) : len(name) + 1] in ("", ".", "[", ":", " ", ";"):
            steps.append((key, value, path[len(name) :].removeprefix(".")))
    return max(steps, key=lambda step: len(step[0].value), default=None)


def _check_nodes(field: YamlValue, within: tuple[yaml.Node, ...]) -> None:
    """Refuse a value that contains itself, which could never be read to its end, and a name that is given twice."""
    node = field.node
    if not isinstance(node, yaml.CollectionNode):
        return
    if node in within:
        field.fail("this value contains itself through an alias (&, *); write it out instead")
    if isinstance(node, yaml.MappingNode):
        _check_names([YamlValue(field.name, field.source, key) for key, _ in node.value])
    for child in node.value:
        for part in child if isinstance(child, tuple) else (child,):
            _check_nodes(YamlValue(field.name, field.source, part), (*within, node))


def _check_names(names: Iterable[YamlValue]) -> None:
    """Refuse a name that a mapping gives twice: YAML keeps the last value and drops the first without a word."""
    lines: dict[str, int] = {}
    for name in names:
        if isinstance(name.node, yaml.ScalarNode):
            written = str(name.node.value)
            if written in lines:
                name.fail(f"{written!r} is given twice, first on line {lines[written]}; remove one of them")
            lines[written] = name.line


class _Loader(yaml.SafeLoader):
    """Plain values only."""
