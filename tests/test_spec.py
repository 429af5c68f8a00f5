"""Every citation of a specification in the code leads to a section, and every module that is named exists."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "otherminds"
SPEC = ROOT / "docs" / "spec"
WORLDS = ("symmtom", "tomi", "decrypto", "enacttom")
NUMBERED = {"enacttom": ("W", "1.17"), "tomi": ("D", "12")}  # rows that are cited by a letter, and their section

_NUMBER = r"\d{1,2}(?:\.\d{1,2})*"
_CITATION = re.compile(
    rf"(?:docs/spec/(?P<page>\w+)\.md|\b[Ss]pec(?:ification)?(?: sections?)?) "
    rf"(?P<sections>{_NUMBER}(?:(?:, | and | to |-){_NUMBER})*)(?:, rows? (?P<row>\d+))?"
)
_ROW = re.compile(r"\(row (\d+)\)")
_HEADING = re.compile(rf"^(#{{2,3}}) ({_NUMBER})\.? (.+)$", re.MULTILINE)
# A number that does not say whose section it is, unless specification or paper is named near it.
_BARE = re.compile(r"\(\d{1,2}\.\d{1,2}[),-]|\b[Ss]ections? \d")
_WHOSE = re.compile(r"\b(?:[Ss]pec|paper)\b")


class Remark(NamedTuple):
    """A comment or a string, on one line."""

    text: str
    is_prose: bool = True  # a comment or a docstring


class Citation(NamedTuple):
    """A section of a page, or a row of the table in it."""

    page: str
    section: str
    row: str = ""


@cache
def sections(page: str) -> dict[str, str]:
    """What each section of a page says, those below it included."""
    text = (SPEC / f"{page}.md").read_text("utf-8")
    headings = list(_HEADING.finditer(text))
    found = {}
    for at, heading in enumerate(headings):
        higher = (one.start() for one in headings[at + 1 :] if len(one[1]) <= len(heading[1]))
        end = next(higher, len(text))
        assert heading[2] not in found, f"{page} has two sections {heading[2]}"
        found[heading[2]] = text[heading.end() : end]
    return found


def resolves(citation: Citation) -> bool:
    """Whether a page has that section, and its table that row."""
    if citation.page not in WORLDS or citation.section not in sections(citation.page):
        return False
    rows = re.findall(r"^\| (\w+) \|", sections(citation.page)[citation.section], re.MULTILINE)
    return not citation.row or citation.row in rows


def world_of(path: Path) -> str:
    """The world that a file belongs to by its path; empty if it belongs to none."""
    named = [world for world in WORLDS if world in str(path.relative_to(ROOT))]
    return named[0] if len(named) == 1 else ""


@cache
def remarks(path: Path) -> tuple[Remark, ...]:
    """Comments and strings of a file; comments that follow each other are one."""
    if path.suffix != ".py":
        sign = "%" if path.suffix == ".lp" else "#"
        lines = [line.partition(sign)[2] for line in path.read_text("utf-8").splitlines() if sign in line]
        return (Remark(" ".join(" ".join(lines).split())),)
    found: list[Remark] = []
    block: list[str] = []
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type == tokenize.COMMENT:
                block.append(token.string.lstrip("# "))
            elif token.string.strip():
                if block:
                    found.append(Remark(" ".join(block)))
                    block = []
                if token.type == tokenize.STRING:
                    found.append(Remark(" ".join(token.string.split()), '"""' in token.string[:4]))
    return tuple(found)


def citations(text: str, world: str, before: str = "") -> Iterator[Citation]:
    """What a remark cites; ``before`` is the section whose rows were cited last."""
    for match in _CITATION.finditer(text):
        page = match["page"] or world
        listed = re.findall(_NUMBER, match["sections"])
        for section in listed:
            yield Citation(page, section, match["row"] or "" if section == listed[-1] else "")
    for row in _ROW.findall(text):
        yield Citation(world, before, row)
    if world in NUMBERED:
        letter, section = NUMBERED[world]
        for number in re.findall(rf"\b{letter}\d{{1,2}}\b", text):
            yield Citation(world, section, number)


def sources() -> list[Path]:
    return [path for kind in ("py", "yaml", "lp") for path in sorted(SOURCE.rglob(f"*.{kind}"))]


def cited(path: Path) -> list[Citation]:
    found: list[Citation] = []
    for text, _ in remarks(path):
        before = next((one.section for one in reversed(found) if one.row), "")
        found += citations(text, world_of(path), before)
    return found


def test_every_citation_in_the_code_leads_to_a_section() -> None:
    every = {path: cited(path) for path in sources()}
    wrong = [f"{path.relative_to(ROOT)}: {one}" for path, found in every.items() for one in found if not resolves(one)]
    assert not wrong, "\n".join(wrong)
    assert sum(map(len, every.values())) > 150, "the citations are no longer found"


def test_every_citation_says_whose_section_it_is() -> None:
    """``(4.3)`` or ``(section 8)`` alone could be the paper's or ours."""
    wrong = []
    for path in sources():
        for text in (remark.text for remark in remarks(path) if remark.is_prose):
            for match in _BARE.finditer(text):
                around = text[max(0, match.start() - 60) : match.end() + 20]
                wrong += [] if _WHOSE.search(around) else [f"{path.relative_to(ROOT)}: {around}"]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("page", WORLDS)
def test_no_section_is_empty(page: str) -> None:
    found = sections(page)
    assert len(found) > 20
    for section, text in found.items():
        said = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
        assert said, f"section {section} of {page} says nothing"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("as the original does (spec 2.3)", [("decrypto", "2.3", "")]),
        ("(spec 9 and 13)", [("decrypto", "9", ""), ("decrypto", "13", "")]),
        ("(spec 6.2-6.4, W12)", [("decrypto", "6.2", ""), ("decrypto", "6.4", "")]),
        ("see docs/spec/symmtom.md 13, row 22", [("symmtom", "13", "22")]),
        ("spec section 13, row 34", [("decrypto", "13", "34")]),
    ],
)
def test_citations_are_found(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert [tuple(one) for one in citations(text, "decrypto")] == expected


@pytest.mark.parametrize(
    "wrong",
    [
        Citation("decrypto", "2.9"),
        Citation("symmtom", "13", "99"),
        Citation("symmtom", "12.3", "22"),
        Citation("", "1"),
        Citation("enacttom", "1.17", "W21"),
    ],
)
def test_a_wrong_number_is_noticed(wrong: Citation) -> None:
    assert not resolves(wrong)


_MODULE = re.compile(r"``([a-z_][a-z_.]*)``|:mod:`([\w.]+)`")
# What docstrings of packages set in the same letters and is no module.
_NO_MODULES = {"minds": {"random", "human", "recorded", "silent"}, "houses": {"house", "catalogue.json"}}


def modules_named(package: Path) -> list[str]:
    """The modules that the docstring of a package names."""
    docstring = ast.get_docstring(ast.parse(package.read_text("utf-8"))) or ""
    names = [short or whole for short, whole in _MODULE.findall(docstring)]
    return [name for name in names if name not in _NO_MODULES.get(package.parent.name, set()) | {"otherminds"}]


def is_module(name: str, folder: Path) -> bool:
    """Whether a module, a package, or a name in a module exists, in a folder or by its full name."""
    base = SOURCE.parent if name.startswith("otherminds.") else folder
    path = base.joinpath(*name.removesuffix(".py").split("."))
    if path.is_dir() or path.with_suffix(".py").is_file():
        return True
    module = path.parent.with_suffix(".py")
    return module.is_file() and re.search(rf"^(def|class) {path.name}\b", module.read_text("utf-8"), re.M) is not None


def test_every_module_that_the_docstring_of_a_package_names_exists() -> None:
    packages = sorted(SOURCE.rglob("__init__.py"))
    named = {package: modules_named(package) for package in packages}
    wrong = [
        f"{p.relative_to(ROOT)}: {name}"
        for p, names in named.items()
        for name in names
        if not is_module(name, p.parent)
    ]
    assert not wrong, "\n".join(wrong)
    assert sum(map(len, named.values())) > 50, "the names are no longer found"


@pytest.mark.parametrize("page", WORLDS)
def test_every_module_that_a_specification_names_exists(page: str) -> None:
    names = re.findall(r"`(?:src/otherminds/)?([\w/]+\.(?:py|lp))`", (SPEC / f"{page}.md").read_text("utf-8"))
    wrong = [name for name in names if not any(SOURCE.rglob(name)) and not any(ROOT.glob(name))]
    assert not wrong, ", ".join(wrong)
