"""Prompts are files that a world lays over those for any world, and a user over both."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import get_args

import pytest
from coin_in_the_box.world import Coin

from otherminds.core.errors import UserError
from otherminds.llm.prompts import ANY, hashes, load_prompts, phrasings
from otherminds.minds.language import METHODS, Method


@pytest.fixture
def worded(tmp_path: Path) -> Coin:
    """A world with prompts of its own in two versions, the second with a phrasing."""
    for name, text in {
        "v1/turn": "one",
        "v2/turn": "two {format}",
        "v2/role_ann": "You begin.",
        "v2/brief/turn": "2 {format}",
    }.items():
        path = tmp_path / "prompts" / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    class Worded(Coin):
        prompts = tmp_path / "prompts"

    return Worded()


def test_a_world_without_prompts_has_those_for_any_world() -> None:
    found = load_prompts(Coin())
    assert {"rules", "turn", "probe", "format", "format_structured", "complaint"} <= set(found)
    assert found["rules"].name == "any/v1/rules"


def test_the_newest_version_and_the_phrasing_are_laid_over_them(worded: Coin) -> None:
    assert load_prompts(worded)["turn"].text == "two {format}"
    assert load_prompts(worded, "v1")["turn"].text == "one"
    assert load_prompts(worded, phrasing="brief")["turn"].text == "2 {format}"
    assert load_prompts(worded)["rules"].name == "any/v1/rules"
    assert phrasings(worded) == ["plain", "brief"]


def test_a_users_own_file_or_folder_goes_over_all(worded: Coin, tmp_path: Path) -> None:
    own = tmp_path / "own" / "turn.txt"
    own.parent.mkdir()
    own.write_text("three", "utf-8")
    for given in (own, own.parent):
        found = load_prompts(worded, str(given))
        assert found["turn"].text == "three"
        assert hashes(found.values())[str(own)] == sha256(b"three").hexdigest()


def test_hashes_are_those_of_the_files() -> None:
    found = hashes(load_prompts(Coin()).values(), get_args(Method))
    for name, digest in found.items():
        path = METHODS if name.startswith("methods") else ANY
        assert digest == sha256((path.parents[1] / f"{name}.txt").read_bytes()).hexdigest()
    assert {name for name in found if name.startswith("methods")} == {
        "methods/v1/stepwise",
        "methods/v1/perspective",
        "methods/v1/notes",
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{view} {", "write {{ and }} for braces"),
        ("{view:d}", r"\{view\} has a format specification"),
        ("{view!r}", r"\{view\} has a format specification"),
    ],
)
def test_a_faulty_prompt_is_refused(tmp_path: Path, text: str, message: str) -> None:
    own = tmp_path / "turn.txt"
    own.write_text(text, "utf-8")
    with pytest.raises(UserError, match=message):
        load_prompts(Coin(), str(own))


def test_what_is_not_there_is_named(worded: Coin) -> None:
    with pytest.raises(UserError, match="no prompts of version 'v9'"):
        load_prompts(worded, "v9")
    with pytest.raises(UserError, match="no phrasing 'brif' in version v2; did you mean 'brief'"):
        load_prompts(worded, phrasing="brif")
    with pytest.raises(UserError, match="no phrasing 'brief'"):
        load_prompts(Coin(), phrasing="brief")
    with pytest.raises(UserError, match=r"cannot read the prompt none\.txt"):
        load_prompts(Coin(), "none.txt")
