"""Houses on the command line."""

import json
from pathlib import Path

import pytest
import yaml

from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.houses.sample import sample_house
from tests.plugin import invoke


def test_a_house_is_printed_as_in_a_task_file(tmp_path: Path) -> None:
    printed = invoke("new", "house", "--seed", "4", cwd=tmp_path)
    assert printed == sample_house(Draw(4, "house")).text()
    assert invoke("new", "house", "--seed", "5", cwd=tmp_path) != printed
    content = json.loads(invoke("new", "house", "--seed", "4", "--json", cwd=tmp_path))
    assert {"house": content["house"]} == yaml.safe_load(printed)


def test_a_house_has_what_was_asked_for(tmp_path: Path) -> None:
    options = (
        "--rooms",
        "7",
        "--furniture",
        "15",
        "--things",
        "12",
        "--closed",
        "2",
        "--locked",
        "1",
        "--one-way",
        "1",
    )
    house = json.loads(invoke("new", "house", *options, "--json", cwd=tmp_path))["house"]
    assert [len(house[part]) for part in ("rooms", "furniture", "things")] == [7, 15, 12]
    doors = house["doors"].values()
    assert [sum(door[field] for door in doors) for field in ("locked", "one_way")] == [1, 1]
    assert sum(not door["open"] for door in doors) == 3


def test_a_house_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("PIL")
    for ending, start in (("svg", b"<svg"), ("png", b"\x89PNG"), ("yaml", b"house:")):
        assert "wrote" in invoke("new", "house", "--out", f"house.{ending}", cwd=tmp_path)
        assert (tmp_path / f"house.{ending}").read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--rooms", "3"), "a house cannot have 3 rooms; expected 5 to 10"),
        (("--out", "house.gif"), "--out is 'house.gif'; expected a name that ends in .yaml, .svg or .png"),
        (("--out", "old.yaml"), "old.yaml already exists; choose another name, or use --force"),
    ],
)
def test_a_wrong_option_is_refused(words: tuple[str, ...], message: str, tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from otherminds.cli.main import make_app

    (tmp_path / "old.yaml").touch()
    found = CliRunner().invoke(
        make_app("new"), ["new", "house", *(str(tmp_path / w) if "." in w else w for w in words)]
    )
    assert found.exit_code != 0
    assert message in str(found.exception).replace(f"{tmp_path}/", "")
