"""Names and what they stand for."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from otherminds.core import registry
from otherminds.core.errors import MissingExtra, UserError
from otherminds.core.registry import KINDS, Entry, entries, find, register

HEAVY = ("jax", "jaxlib", "gymnasium", "pettingzoo", "scipy", "matplotlib", "PIL")


@pytest.fixture
def shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test registers is gone after it."""
    entries()
    monkeypatch.setattr(registry, "_entries", dict(registry._entries))


def entry(name: str = "toy-v0", **changes: object) -> Entry:
    toy = Entry("world", name, "otherminds.core.errors:UserError", "a toy")
    return replace(toy, **changes)  # type: ignore[arg-type]


def run_python(code: str) -> str:
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("found", entries(), ids=lambda e: f"{e.kind}-{e.name}")
def test_every_registered_name_leads_to_something(found: Entry) -> None:
    assert found.load() is not None
    assert found.kind in KINDS
    assert found.summary


def test_listing_imports_nothing_heavy() -> None:
    code = f"""
import sys
from otherminds.core.registry import entries
assert entries("world") and entries("belief")
print([name for name in {HEAVY!r} if name in sys.modules])
"""
    assert run_python(code).strip() == "[]"


def test_importing_the_package_is_cheap() -> None:
    code = f"""
import sys, otherminds
print([name for name in {("numpy", *HEAVY)!r} if name in sys.modules])
"""
    assert run_python(code).strip() == "[]"


@pytest.mark.parametrize(
    ("kind", "name", "hint"),
    [("world", "symtom", "symmtom-v0"), ("world", "symmtom-v9", "symmtom-v0"), ("belief", "gredy", "greedy")],
)
def test_an_unknown_name_suggests_the_nearest(kind: registry.Kind, name: str, hint: str) -> None:
    with pytest.raises(UserError, match=rf"there is no {kind} '{name}'; did you mean '{hint}'\?"):
        find(kind, name)


def test_a_name_unlike_any_other_lists_what_there_is() -> None:
    with pytest.raises(UserError, match=r"expected one of .*symmtom-v0"):
        find("world", "q")


@pytest.mark.usefixtures("shelf")
def test_a_world_named_without_version_is_its_newest() -> None:
    for version in (9, 10, 2):
        register(entry(f"toy-v{version}"))
    assert find("world", "toy").name == "toy-v10"
    assert find("world", "toy-v9").name == "toy-v9"


@pytest.mark.usefixtures("shelf")
def test_a_name_may_itself_hold_the_mark_of_a_version() -> None:
    register(entry("two-villages-v1"))
    assert find("world", "two-villages").name == "two-villages-v1"
    with pytest.raises(UserError, match="there is no world 'two'"):
        find("world", "two")


@pytest.mark.usefixtures("shelf")
def test_a_second_entry_of_the_same_name_is_refused() -> None:
    register(entry())
    register(entry())  # the very same is no second one
    with pytest.raises(UserError, match=r"'toy-v0' is already registered \(otherminds.core.errors:UserError\)"):
        register(entry(target="otherminds.core.errors:nearest"))


@pytest.mark.usefixtures("shelf")
def test_worlds_may_use_the_same_name_for_their_own_players() -> None:
    register(entry("random", kind="mind", world="toy"))
    register(entry("random", kind="mind", world="other", target="otherminds.core.errors:nearest"))
    assert find("mind", "random", "toy-v0").target.endswith(":UserError")
    assert find("mind", "random", "other").target.endswith(":nearest")


@pytest.mark.usefixtures("shelf")
def test_a_kind_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UserError, match="'wrld' cannot be registered; did you mean 'world'"):
        register(entry(kind="wrld"))


@pytest.mark.usefixtures("shelf")
def test_entries_can_be_asked_for_by_kind_and_world() -> None:
    register(entry("sly", kind="belief", world="toy"))
    assert {e.kind for e in entries("belief")} == {"belief"}
    assert [e.name for e in entries("belief", "toy-v0")] == ["sly"]
    assert "sly" not in [e.name for e in entries("belief", "symmtom")]


@pytest.mark.usefixtures("shelf")
def test_a_missing_package_is_reported_with_the_extra_that_brings_it() -> None:
    with pytest.raises(MissingExtra, match=r"needs no_such_package; install otherminds\[jax\]"):
        entry(target="no_such_package:Thing", extra="jax").load()


def test_a_missing_module_of_our_own_is_no_missing_extra() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"otherminds\.no_such"):
        entry(target="otherminds.no_such:Thing", extra="jax").load()


@pytest.mark.parametrize("registered", entries(), ids=lambda entry: f"{entry.kind}-{entry.world}-{entry.name}")
def test_what_is_listed_can_be_loaded(registered: Entry) -> None:
    assert registered.load() is not None
