"""Write the API reference as Markdown, from the docstrings of the public names.

A name is public if the ``__all__`` of ``otherminds``, of ``otherminds.api`` or of a sub-package lists it. ``make docs``
runs this before it builds the site; the pages are not committed.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

OUT = Path(__file__).parent / "reference" / "api"
_SECTION = re.compile(r"^(Args|Returns|Raises|Yields|Attributes):$")
_ENTRY = re.compile(r"^    (\*{0,2}[\w.]+): (.*)$")
_FIELD = re.compile(r"^    (\w+): .*?(?:  # (.*))?$")


def main() -> None:
    """Write both pages."""
    OUT.mkdir(parents=True, exist_ok=True)
    api = importlib.import_module("otherminds.api")
    top = importlib.import_module("otherminds")
    write("otherminds.md", "Python API", [top, api], by_origin=True)
    write("packages.md", "Packages", list(packages()), by_origin=False)


def packages() -> Iterator[ModuleType]:
    """The sub-packages that list public names."""
    top = importlib.import_module("otherminds")
    for found in pkgutil.walk_packages(top.__path__, "otherminds."):
        if found.ispkg and not found.name.rpartition(".")[2].startswith("_"):
            package = importlib.import_module(found.name)
            if hasattr(package, "__all__"):
                yield package


def write(name: str, title: str, modules: list[ModuleType], *, by_origin: bool) -> None:
    """Write one page; with ``by_origin``, names are grouped by the module that defines them."""
    lines = [f"# {title}", "", "This page is generated from docstrings.", ""]
    for module in modules:
        lines += [f"## `{module.__name__}`", "", *prose(module), ""]
        last = ""
        for public in sorted(set(module.__all__), key=lambda public: (origin(module, public), public)):
            if public.startswith("__"):
                continue
            if by_origin and (here := origin(module, public)) != last and here != module.__name__:
                last = here
                lines += [f"*Defined in `{here}`:*", ""]
            lines += [*entry(public, getattr(module, public)), ""]
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"
    (OUT / name).write_text(text, "utf-8")


def origin(module: ModuleType, name: str) -> str:
    """The module that defines a name."""
    return getattr(getattr(module, name), "__module__", None) or module.__name__


def entry(name: str, thing: Any) -> list[str]:
    """One public name: signature, docstring, and for a class its fields and methods."""
    if inspect.isclass(thing):
        lines = [f"### `{name}`", "", *code(f"class {name}{signature(thing)}"), *prose(thing), ""]
        lines += fields(thing)
        for method, function in methods(thing):
            is_property = isinstance(vars(thing)[method], property)
            head = signature(function).replace("() ->", ":") if is_property else signature(function)
            lines += [f"#### `{name}.{method}`", "", *code(f"{method}{head}"), *prose(function), ""]
        return lines
    if isinstance(thing, FunctionType):
        return [f"### `{name}`", "", *code(f"{name}{signature(thing)}"), *prose(thing), ""]
    return [f"### `{name}`", "", *code(f"{name} = {shown(thing)}".replace("collections.abc.", ""))]


def fields(cls: type) -> list[str]:
    """The fields of a dataclass or named tuple as a table, with the comment beside each."""
    names = [field.name for field in dataclasses.fields(cls)] if dataclasses.is_dataclass(cls) else []
    names = names or list(getattr(cls, "_fields", ()))
    if not names:
        return []
    comments = {match[1]: match[2] for line in source(cls) if (match := _FIELD.match(line))}
    rows = [f"| `{name}` | {_cell(comments[name] or '')} |" for name in names if comments.get(name)]
    if not rows:
        return []
    return ["| Field | Meaning |", "|---|---|", *rows, ""]


def methods(cls: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties that the class itself defines and documents."""
    for name, member in vars(cls).items():
        function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
        if not name.startswith("_") and isinstance(function, FunctionType) and function.__doc__:
            yield name, function


def signature(thing: Any) -> str:
    """The signature as it stands in the source, one parameter a line if it is long."""
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return ""
    if inspect.isclass(thing) and str(found) in ("()", "(*args, **kwargs)"):
        return ""  # a protocol, or a base class
    parameters = [parameter(p) for p in found.parameters.values() if p.name != "self"]
    returns = found.return_annotation
    arrow = "" if returns is found.empty or inspect.isclass(thing) else f" -> {annotation(returns)}"
    whole = f"({', '.join(parameters)}){arrow}"
    return whole if len(whole) <= 90 else "(\n    " + ",\n    ".join(parameters) + f",\n){arrow}"


def parameter(found: inspect.Parameter) -> str:
    """One parameter with its type and default."""
    stars = "*" if found.kind == found.VAR_POSITIONAL else "**" if found.kind == found.VAR_KEYWORD else ""
    text = stars + found.name
    if found.annotation is not found.empty:
        text += f": {annotation(found.annotation)}"
    if found.default is not found.empty:
        text += f" = {shown(found.default)}".replace("<factory>", "...")
    return text


def annotation(found: Any) -> str:
    """A type as the source has it."""
    found = getattr(found, "__forward_arg__", found)  # of named tuples
    return found if isinstance(found, str) else str(inspect.formatannotation(found))


def prose(thing: Any) -> list[str]:
    """The docstring as Markdown: sections of arguments and errors become lists."""
    text = inspect.getdoc(thing) or ""
    if inspect.isclass(thing) and text.startswith(f"{thing.__name__}("):
        text = ""  # what a dataclass writes for itself
    lines: list[str] = []
    section = False
    for line in re.sub(r"``(.+?)``", r"`\1`", text).splitlines():
        if match := _SECTION.match(line):
            section = True
            lines += ["", f"**{match[1]}**", ""]
        elif section and (match := _ENTRY.match(line)):
            lines.append(f"- `{match[1]}`: {match[2]}")
        elif section and line.strip():
            lines.append(f"  {line.strip()}")
        else:
            section = section and not line.strip()
            lines.append(line)
    return lines


def code(text: str) -> list[str]:
    """A block of Python that is shown and not run."""
    return ["```py", text, "```", ""]


def shown(value: Any) -> str:
    """A value in at most one line."""
    value = list(value) if isinstance(value, Mapping) else value  # the names are what a reader needs
    text = re.sub(r" at 0x[0-9a-f]+", "", repr(value))
    return text if len(text) <= 100 else f"{text[:97]}..."


def source(cls: type) -> list[str]:
    """The lines of a class, or none if they cannot be had."""
    try:
        return inspect.getsource(cls).splitlines()
    except (OSError, TypeError):
        return []


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    main()
