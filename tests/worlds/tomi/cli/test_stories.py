"""ToMi's commands: generate, audit, table, verify, score."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from otherminds.cli.main import make_app
from otherminds.core.episodes import read_episodes
from otherminds.core.errors import UserError
from otherminds.worlds.tomi.files.babi_format import read_blocks
from otherminds.worlds.tomi.files.items import read_items


def run(*words: str) -> Result:
    result = CliRunner().invoke(make_app(), list(words))
    if isinstance(result.exception, UserError):
        raise result.exception
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture(scope="module")
def stories(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("stories") / "set"
    run("generate", "tomi", "classic", "--test", "6", "--train", "3", "--out", str(out), "--workers", "1")
    return out


def test_a_set_is_made_with_knobs_turned(stories: Path, tmp_path: Path) -> None:
    items = list(read_items(stories / "test.jsonl"))
    assert len({item.family_id for item in items}) == 6
    assert len({item.family_id for item in read_items(stories / "train.jsonl")}) == 3
    words = ("generate", "tomi", "easy", "--test", "2", "--set", "names=nonce", "--out", str(tmp_path), "--json")
    manifest = json.loads(run(*words, "--workers", "1").stdout)
    assert manifest["knobs"]["names"] == "nonce"
    assert manifest["counts"]["test"]["families"] == 2


def test_a_person_who_leaves_a_story_keeps_the_answers_given(stories: Path, tmp_path: Path) -> None:
    first = next(read_items(stories / "test.jsonl"))
    out = tmp_path / "mine.jsonl"
    words = ("play", "tomi", "--mind", "human", "--set", f"items={stories / 'test.jsonl'}", "--out", str(out))
    done = CliRunner().invoke(make_app(), list(words), input=f"{first.answer}\nq\n")
    assert done.exit_code == 0
    (episode,) = read_episodes(out)
    assert episode.end is None
    assert [(probe["question"], probe["given"]) for probe in episode.turns[0]["probes"]] == [(first.id, first.answer)]
    page = tmp_path / "page.html"
    run("replay", str(out), "--page", str(page))
    assert 'class="mark right"' in page.read_text("utf-8")


@pytest.mark.parametrize("mode", ["original/released", "original/code"])
def test_sets_like_the_originals_are_made_in_their_format(mode: str, tmp_path: Path) -> None:
    run("generate", "tomi", mode, "--val", "6", "--out", str(tmp_path))
    blocks = list(read_blocks(tmp_path / "val.txt"))
    assert len(blocks) == 36
    assert len((tmp_path / "val.trace").read_text().splitlines()) == 36
    with pytest.raises(UserError, match="already exists"):
        run("generate", "tomi", mode, "--val", "6", "--out", str(tmp_path))
    assert len(list(read_items(tmp_path / "val.jsonl"))) == 36


def test_what_to_do_next_is_told_of_files_that_are_there(tmp_path: Path) -> None:
    for formats, is_audited in (("jsonl", True), ("babi", False)):
        said = run("generate", "tomi", "easy", "--test", "2", "--formats", formats, "--out", str(tmp_path / formats))
        assert ("audit tomi" in said.stdout) == is_audited
        assert (tmp_path / formats / "test.jsonl").exists() == is_audited


@pytest.mark.parametrize("size", [2, 5])
def test_a_small_set_is_audited_without_a_verdict_that_chance_would_make(size: int) -> None:
    """Two families are halves of a set; with so few, a model that sees no story may well be far from a guess."""
    said = run("audit", "tomi", "easy", "--size", str(size)).stdout
    assert "Too few families" in said
    names = [line.split("│")[1].strip() for line in said.splitlines() if line.startswith("│")]
    assert {"algorithm-1", "algorithm-1-first", "algorithm-1-last", "always-reality"} <= set(names)


def test_an_audit_reports_every_mind(stories: Path, tmp_path: Path) -> None:
    words = ("audit", "tomi", str(stories / "test.jsonl"))
    found = json.loads(run(*words, "--out", str(tmp_path / "audit.json"), "--json").stdout)
    kept = json.loads((tmp_path / "audit.json").read_text())
    assert kept.pop("command").startswith("otherminds")
    assert kept.pop("version")
    assert kept == found
    scores = {row["name"]: row["family_joint"]["value"] for row in found["rows"]}
    assert scores.pop("tracker") == 1
    assert set(scores.values()) == {0}
    assert "algorithm-1" in run("audit", "tomi", str(stories / "test.jsonl")).stdout


def test_table_1_has_the_rules_measured_anew(tmp_path: Path) -> None:
    words = ("table", "tomi", "1", "--stories", "30", "--results", str(tmp_path))
    grid = json.loads(run(*words, "--json").stdout)
    rows = {row["name"]: [cell["ours"] for cell in row["cells"]] for row in grid["rows"]}
    assert rows["rules"][:2] == [100, 100]
    assert 55 < rows["rules"][2] < 90
    assert rows["tracker"][2] < 100, "the labels are the original's, wrong ones included"
    assert rows["memnn"] == [None] * 4
    assert "(36.5)" in run(*words).stdout


@pytest.mark.parametrize("number", ["2", "3"])
def test_tables_2_and_3_show_the_published_figures_where_nothing_is_trained(number: str, tmp_path: Path) -> None:
    out = tmp_path / "table.json"
    run("table", "tomi", number, "--results", str(tmp_path), "--out", str(out))
    grid = json.loads(out.read_text())
    assert all(cell["published"] for row in grid["rows"] for cell in row["cells"])


def test_a_table_is_the_mean_over_seeds(tmp_path: Path) -> None:
    for seed, value in enumerate((0.7, 0.9)):
        config = {"world": "tomi", "name": "memnn", "data": "original/released", "variant": "", "seed": seed}
        rate = {"value": value}
        beliefs = {f"{order} order, {kind} belief": rate for order in ("first", "second") for kind in ("true", "false")}
        evaluation = {
            "accuracy": rate,
            "story_joint": rate,
            "by_group": dict.fromkeys(("memory", "reality", "first order", "second order"), rate),
            "false_vs_reality": beliefs,
        }
        path = tmp_path / f"seed{seed}" / "result.json"
        path.parent.mkdir()
        path.write_text(json.dumps({"config": config, "evaluation": evaluation}))
    for number, row, column in ((1, 3, 2), (2, 0, 2), (3, 0, 0), (3, 4, 0)):
        words = ("table", "tomi", str(number), "--stories", "3", "--results", str(tmp_path), "--json")
        cell = json.loads(run(*words).stdout)["rows"][row]["cells"][column]
        assert cell["ours"] == pytest.approx(80)
        assert cell["spread"] == pytest.approx(14.142, abs=0.001)
        assert cell["seeds"] == 2


def test_both_solvers_are_held_to_each_other() -> None:
    assert json.loads(run("verify", "tomi", "--json").stdout)["items"][0]["disagreements"] == 0


def test_answers_from_anywhere_are_scored(stories: Path, tmp_path: Path) -> None:
    items = list(read_items(stories / "test.jsonl"))
    answers = tmp_path / "answers.jsonl"
    answers.write_text("".join(json.dumps({"id": item.id, "answer": item.answer}) + "\n" for item in items))
    found = json.loads(run("score-answers", str(answers), "--items", str(stories / "test.jsonl"), "--json").stdout)
    assert found["family_joint"]["value"] == 1
    assert json.loads(run("score-answers", str(answers), "--items", str(stories), "--json").stdout) == found


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("generate", "tomi", "mediun"), "there is no preset 'mediun'; did you mean 'medium'"),
        (("generate", "tomi", "."), "there is no preset '.'; expected one of"),
        (
            ("generate", "tomi", "medium", "--formats", ","),
            "no format is named; expected one or more of jsonl, babi, parquet",
        ),
        (("generate", "tomi", "medium", "--set", "agents=9"), "agents is 9"),
        (("generate", "tomi", "medium", "--set", "agents"), "not of the form KEY=VALUE"),
        (("generate", "tomi", "original/code", "--set", "agents=3"), "apply only to presets"),
        (
            ("audit", "tomi", "nothing.jsonl"),
            "there is no file or folder 'nothing.jsonl'; check the path, or name a preset: ",
        ),
        (("audit", "tomi", "easy", "--split", "tests"), "no split 'tests'; did you mean 'test'"),
        (("table", "tomi", "4"), "no table 4"),
        (("table", "tomi", "2", "--results", "nowhere"), "no folder nowhere"),
        (("table", "tomi", "1", "--source", "medium"), "not one of the paper's sets"),
    ],
)
def test_mistakes_are_told_in_a_line(
    words: tuple[str, ...], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match=why):
        run(*words)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_network_is_trained_kept_and_evaluated(stories: Path, tmp_path: Path) -> None:
    sizes = ("--train-size", "12", "--val-size", "6", "--test-size", "6")
    words = (
        "--models",
        "memnn",
        "--data",
        "original/released",
        "--seeds",
        "0",
        *sizes,
        "--option",
        "epochs=1",
        "--option",
        "validate_every=1",
    )
    folders = ("--out", str(tmp_path / "runs"), "--keep", str(tmp_path / "kept"), "--cores", "1")
    done = json.loads(run("sweep", "tomi", *words, *folders, "--json").stdout)
    assert len(done["finished"]) == 1
    (kept,) = (tmp_path / "kept").rglob("reader.safetensors")
    assert kept.with_name("result.json").exists()
    shutil.rmtree(tmp_path / "runs")
    again = run("sweep", "tomi", *words, *folders)
    assert "1 of 1 runs already have results in" in again.stderr
    assert not (tmp_path / "runs").exists()
    suite = ("--suite", "standard", "--set", f"items={stories / 'test.jsonl'}")
    found = json.loads(run("evaluate", "tomi", str(kept), *suite, "--json").stdout)
    assert found["rows"][0]["summary"]["family_joint"] < 1
