"""Experiments with Decrypto on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from otherminds.cli.main import make_app
from otherminds.core.errors import UserError
from otherminds.worlds.decrypto.cli import several
from otherminds.worlds.decrypto.world import Decrypto
from tests.worlds.decrypto.evals.making import game, turn

AXES = ("--axis", "pair=glove,moby", "--axis", "eve=glove,moby")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands write into the folder they are called in."""
    monkeypatch.chdir(tmp_path)


def otherminds(*words: str) -> str:
    """What a command prints."""
    done = CliRunner(env={"COLUMNS": "100"}).invoke(make_app(), words)
    if done.exception is not None:
        raise done.exception
    return done.stdout


def result(*words: str) -> Any:
    return json.loads(otherminds(*words, "--json"))


def test_minds_are_split_by_commas_and_their_options_kept() -> None:
    assert several("glove, rsa:lam=4,mu=1,moby") == ("glove", "rsa:lam=4,mu=1", "moby")
    assert several("leaky:q=0.3,base=bayes,leaky:q=1") == ("leaky:q=0.3,base=bayes", "leaky:q=1")
    with pytest.raises(UserError, match="needs at least one"):
        several(" , ")


def test_a_matrix_is_played_scored_and_drawn_and_the_same_command_plays_nothing_again(tmp_path: Path) -> None:
    command = (
        "sweep",
        "decrypto",
        "--experiment",
        "competition",
        "--episodes",
        "2",
        "--seeds",
        "0-1",
        "--out",
        "it",
        *AXES,
    )
    first = result(*command)
    assert [cell["place"] for cell in first["cells"]] == [
        {"pair": pair, "eve": eve} for pair in ("glove", "moby") for eve in ("glove", "moby")
    ]
    assert all(cell["arms"][""]["games"] == 4 for cell in first["cells"])
    written = {path: path.read_bytes() for path in (tmp_path / "it").iterdir()}
    assert result(*command) == first
    assert {path: path.read_bytes() for path in (tmp_path / "it").iterdir()} == written
    drawn = result("figure", "decrypto", "competition", "it", "--out", "map.svg")
    assert [panel["figure"] for panel in drawn["drawn"]] == ["turns", "intercepts"]
    assert (tmp_path / "map.svg").read_text("utf-8").count("<svg") == 1


def test_smarties_is_one_command() -> None:
    found = result(
        *("sweep", "decrypto", "--experiment", "smarties", "--seat", "eve=reality-biased,simulating"),
        *("--episodes", "2", "--seeds", "0", "--spoken", "--out", "it"),
    )
    weak = [cell["arms"][""]["measures"]["weak RC"]["estimate"]["value"] for cell in found["cells"]]
    assert weak == [0.0, 1.0]
    shown = otherminds(
        *("sweep", "decrypto", "--experiment", "smarties", "--seat", "eve=reality-biased,simulating"),
        *("--episodes", "2", "--seeds", "0", "--spoken", "--out", "it"),
    )
    assert "leakage RC" in shown


def test_a_new_experiment_is_a_file_that_runs_as_it_is() -> None:
    assert "wrote mine.yaml" in otherminds("new", "experiment", "mine")
    found = result("sweep", "decrypto", "--experiment", "mine.yaml", "--episodes", "1", "--out", "it")
    assert found["experiment"] == "mine"
    assert set(found["cells"][0]["differences"]["told minus untold"]) >= {"weak", "leakage", "hints changed"}
    with pytest.raises(UserError, match="already exists"):
        otherminds("new", "experiment", "mine")


def test_records_of_others_are_summed_up_without_any_experiment() -> None:
    ended = [turn(1), turn(2, caught=True), turn(3, caught=True)]
    found = Decrypto().summary([game(seed, ended, "intercept", players=("ann", "ben", "eva")) for seed in range(4)])
    assert (found["turns"], found["intercepts"], found["decoded"]) == (3.0, 1.0, 1.0)
    assert found["intercepted"] == pytest.approx(2 / 3)
    assert found["eve_valid"] == 1.0


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("sweep", "decrypto", "--experiment", "smartys"), "did you mean 'smarties'"),
        (("table", "decrypto", "size"), "did you mean 'sizes'"),
        (("sweep", "decrypto", "--seat", "eve=glave"), "did you mean 'glove'"),
        (("sweep", "decrypto", "--axis", "mind"), "write it as NAME=glove,moby"),
        (("sweep", "decrypto", "--axis", "eve=glove"), "no axis 'eve'"),
        (("sweep", "decrypto", "--seeds", "x"), "expected numbers separated by commas"),
        (("sweep", "decrypto", "--shard", "5/4"), "no shard '5/4'"),
        (("sweep", "decrypto", "--seat", "carol=glove"), "no seat 'carol'"),
        (("sweep", "decrypto", "--set", "bnak=x"), "did you mean 'bank'"),
        (("figure", "decrypto", "competition", "nothing"), "cannot read nothing"),
        (("figure", "decrypto", "competition", "."), "no complete episode"),
        (("figure", "decrypto", "competitoin", "."), "did you mean 'competition'"),
        (("new", "experiment", "smarties"), "is the name of a registered experiment"),
        (("new", "experiment", "mine.txt"), "should end in .yaml"),
    ],
)
def test_mistakes_end_in_one_line(words: tuple[str, ...], why: str, tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        otherminds(*words)
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.rglob("*.jsonl"))


def test_a_mistake_in_a_file_is_named_by_its_line() -> None:
    cast = "cast: {alice: glove, bob: glove, eve: glove}"
    Path("bad.yaml").write_text(f"about: x\n{cast}\nask:\n  A: {{who: eve}}\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"bad\.yaml, line 4: A needs the field 'about'"):
        otherminds("sweep", "decrypto", "--experiment", "bad.yaml")


def test_a_folder_played_without_words_does_not_pass_for_one_with_words() -> None:
    command = ("sweep", "decrypto", "--episodes", "1", "--seeds", "0", "--out", "run")
    otherminds(*command)
    with pytest.raises(UserError, match="wording ''; this command has 'plain'"):
        otherminds(*command, "--spoken")
