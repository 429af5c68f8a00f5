"""Sets of stories as files: the same bytes however they are made, whole or not at all, and read back the same."""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from otherminds.core.errors import MissingExtra, UserError
from otherminds.core.files import write_whole
from otherminds.worlds.tomi.files import export
from otherminds.worlds.tomi.files.babi_format import read_blocks
from otherminds.worlds.tomi.files.export import Set, write_set
from otherminds.worlds.tomi.files.items import read_items
from otherminds.worlds.tomi.stories.generate import make_items
from otherminds.worlds.tomi.stories.presets import preset


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "BLOCK", 2)


def wanted(number: int = 5, *, is_private: bool = False) -> Set:
    return Set(preset("asymmetric"), "asymmetric", 7, {"test": number}, is_private)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    write_set(wanted(), tmp_path / "set")
    found = list(read_items(tmp_path / "set" / "test.jsonl"))
    made = make_items("asymmetric", 5, seed=7)
    assert [(item.id, item.story, item.answer) for item in found] == [(i.id, i.story, i.answer) for i in made]
    assert all(len(item.events) <= item.n_statements and item.beliefs is not None for item in found)


def test_serial_and_parallel_make_the_same_bytes(tmp_path: Path) -> None:
    write_set(wanted(), tmp_path / "one")
    write_set(wanted(), tmp_path / "two", workers=2)
    assert (tmp_path / "one/test.jsonl").read_bytes() == (tmp_path / "two/test.jsonl").read_bytes()
    assert (tmp_path / "one/manifest.json").read_bytes() == (tmp_path / "two/manifest.json").read_bytes()


def test_a_set_that_was_stopped_goes_on_and_ends_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_set(wanted(), tmp_path / "whole")
    made: list[int] = []

    def stop() -> None:
        made.append(1)
        if len(made) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_set(wanted(), tmp_path / "set", on_block=stop)
    assert not (tmp_path / "set/test.jsonl").exists(), "nothing unfinished has its final name"
    real, calls = export._make_block, []

    def count(*args: object) -> None:
        calls.append(args)
        real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(export, "_make_block", count)
    write_set(wanted(), tmp_path / "set")
    assert len(calls) == 1, "two of three blocks were there"
    assert (tmp_path / "set/test.jsonl").read_bytes() == (tmp_path / "whole/test.jsonl").read_bytes()
    assert not (tmp_path / "set/.blocks").exists()


def test_blocks_of_another_set_are_not_used(tmp_path: Path) -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_set(wanted(), tmp_path / "set", on_block=stop)
    other = Set(preset("asymmetric"), "asymmetric", 8, {"test": 5})
    write_set(other, tmp_path / "set")
    assert {item.seed for item in read_items(tmp_path / "set/test.jsonl")} == {8}


def test_nothing_is_replaced_unless_forced(tmp_path: Path) -> None:
    write_set(wanted(2), tmp_path)
    before = (tmp_path / "test.jsonl").read_bytes()
    with pytest.raises(UserError, match=r"test\.jsonl already exists; choose another folder, or use --force"):
        write_set(wanted(3), tmp_path)
    assert (tmp_path / "test.jsonl").read_bytes() == before
    write_set(wanted(3), tmp_path, force=True)
    assert (tmp_path / "test.jsonl").read_bytes() != before


@pytest.mark.parametrize(("name", "formats"), [("test.jsonl", ("jsonl",)), ("README.md", ("parquet",))])
def test_no_file_of_a_user_is_replaced(tmp_path: Path, name: str, formats: tuple[str, ...]) -> None:
    (tmp_path / name).write_text("mine")
    with pytest.raises(UserError, match=f"{name} already exists"):
        write_set(wanted(2), tmp_path, formats)
    (tmp_path / "val.jsonl").write_text("mine")
    write_set(wanted(2), tmp_path, ("babi",), force=True)
    assert (tmp_path / name).read_text() == (tmp_path / "val.jsonl").read_text() == "mine", "not what was asked for"


def test_a_set_that_was_stopped_while_files_are_put_in_place_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    formats = ("jsonl", "babi")
    write_set(wanted(), tmp_path / "whole", formats)
    with monkeypatch.context() as patch:
        patch.setattr(export, "write_whole", _stop_at_the_manifest)
        with pytest.raises(KeyboardInterrupt):
            write_set(wanted(), tmp_path / "set", formats)
    assert (tmp_path / "set/test.trace").exists()
    assert not (tmp_path / "set/manifest.json").exists()
    with pytest.raises(UserError, match="already exists"):
        write_set(wanted(4), tmp_path / "set", formats)
    write_set(wanted(), tmp_path / "set", formats)
    for path in (tmp_path / "whole").iterdir():
        assert path.read_bytes() == (tmp_path / "set" / path.name).read_bytes()
    assert {path.name for path in (tmp_path / "set").iterdir()} == {
        path.name for path in (tmp_path / "whole").iterdir()
    }


def _stop_at_the_manifest(path: Path, text: str) -> None:
    if path.name == "manifest.json":
        raise KeyboardInterrupt
    write_whole(path, text)


def test_what_could_not_be_finished_is_not_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MissingExtra, match=r"install otherminds\[data\]"):
        write_set(wanted(), tmp_path / "set", ("parquet",))
    assert not (tmp_path / "set").exists()


def test_the_manifest_says_what_the_files_are(tmp_path: Path) -> None:
    manifest = write_set(wanted(3), tmp_path, ("jsonl", "babi"))
    assert json.loads((tmp_path / "manifest.json").read_text()) == manifest
    assert set(manifest["sha256"]) == {"test.jsonl", "test.txt", "test.trace"}
    for name, digest in manifest["sha256"].items():
        assert sha256((tmp_path / name).read_bytes()).hexdigest() == digest
    assert manifest["counts"]["test"]["families"] == 3
    assert manifest["counts"]["test"]["stories"] == 12
    assert "canary" in manifest["canary"]


def test_text_files_are_understood_by_the_reader_of_tomi_files(tmp_path: Path) -> None:
    write_set(wanted(3), tmp_path, ("jsonl", "babi"))
    items = list(read_items(tmp_path / "test.jsonl"))
    blocks = list(read_blocks(tmp_path / "test.txt"))
    assert [(block.question, block.answer) for block in blocks] == [(item.question, item.answer) for item in items]
    assert len((tmp_path / "test.trace").read_text().splitlines()) == len(items)


def test_parquet_holds_the_same_questions_and_comes_with_a_card(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    write_set(wanted(3), tmp_path, ("jsonl", "parquet"))
    rows = polars.read_parquet(tmp_path / "test.parquet").to_dicts()
    items = list(read_items(tmp_path / "test.jsonl"))
    assert [(row["id"], tuple(row["story"]), row["answer"]) for row in rows] == [
        (item.id, item.story, item.answer) for item in items
    ]
    card = (tmp_path / "README.md").read_text()
    assert card.startswith("---\nconfigs:\n")
    assert "path: test.parquet" in card
    assert "canary" in card


def test_a_private_set_does_not_tell_its_seed(tmp_path: Path) -> None:
    manifest = write_set(wanted(2, is_private=True), tmp_path)
    assert "seed" not in manifest
    assert len(manifest["seed_sha256"]) == 64
    assert {item.seed for item in read_items(tmp_path / "test.jsonl")} == {-1}


@pytest.mark.parametrize(
    ("sizes", "formats", "why"),
    [
        ({"tset": 3}, ("jsonl",), "no split 'tset'; did you mean 'test'"),
        ({"test": 0}, ("jsonl",), "expected at least 1 family"),
        ({"test": 3}, ("json",), "no format 'json'; did you mean 'jsonl'"),
    ],
)
def test_what_cannot_be_made_is_refused(
    sizes: dict[str, int], formats: tuple[str, ...], why: str, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=why):
        write_set(Set(preset("easy"), "easy", 0, sizes), tmp_path / "set", formats)
    assert not (tmp_path / "set").exists()
