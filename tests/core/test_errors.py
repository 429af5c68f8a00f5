"""Messages that help."""

from __future__ import annotations

import pytest

from otherminds.core.errors import MissingExtra, UserError, nearest


@pytest.mark.parametrize(("name", "match"), [("symtom", "symmtom"), ("symmtom-v1", "symmtom-v0"), ("tomy", "tomi")])
def test_the_nearest_name_is_suggested(name: str, match: str) -> None:
    assert nearest(name, ["tomi", match, "decrypto"]) == f"; did you mean {match!r}?"


def test_the_beginning_of_a_long_name_is_enough() -> None:
    assert nearest("rgb", ["human", "rgb_array"]) == "; did you mean 'rgb_array'?"


def test_all_names_are_listed_when_none_is_near() -> None:
    assert nearest("xyz", ["symmtom", "tomi"]) == "; expected one of symmtom, tomi"
    assert nearest("--alice", ["--size", "--seat"]) == "; expected one of --size, --seat"


def test_nothing_is_suggested_when_nothing_is_known() -> None:
    assert nearest("xyz", []) == ""


def test_names_may_come_from_anything_that_can_be_counted_through() -> None:
    assert nearest("tomi", (name for name in ("symmtom", "tomi"))) == "; did you mean 'tomi'?"


def test_a_users_error_is_a_value_error_and_a_missing_extra_an_import_error_too() -> None:
    assert issubclass(UserError, ValueError)
    assert issubclass(MissingExtra, UserError)
    assert issubclass(MissingExtra, ImportError)


def test_a_long_list_of_known_names_is_cut() -> None:
    assert nearest("xyz", [f"{number:03}" for number in range(100)]).endswith("022, 023 and 76 more")
