"""Trainings of ToMi's models: they learn, continue where they were killed, and keep the best by validation."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from otherminds.core.errors import UserError
from otherminds.run import RunDirectory
from otherminds.worlds.tomi.cli import train as tomi_learn
from otherminds.worlds.tomi.files.items import LabelledQuestion, dump_items, matches
from otherminds.worlds.tomi.files.sources import load_items, sources
from otherminds.worlds.tomi.learn.train import make_learner, place_of, plan, resolve, scored, train_tomi
from otherminds.worlds.tomi.minds import READER
from otherminds.worlds.tomi.minds.encode import Vocabulary
from otherminds.worlds.tomi.minds.learned import load_reader
from otherminds.worlds.tomi.minds.networks import NETWORKS
from tests.worlds.tomi.learn.stories import item, some_items
from tests.worlds.tomi.minds.asking import answers

FINAL = ("reader.safetensors", "metrics.jsonl", "result.json", "predictions.jsonl", "config.json")
SMALL: dict[str, dict[str, Any]] = {
    "memnn": {"width": 20, "hops": 2},
    "entnet": {"width": 24, "slots": 3},
    "relnet": {"word_width": 8, "width": 12, "relation": [32, 32], "answer": [32]},
}
EPOCHS = {"memnn": 30, "entnet": 30, "relnet": 40}
SPLITS: Mapping[str, Sequence[LabelledQuestion]] = {
    split: some_items(25 if split == "train" else 8, seed) for seed, split in enumerate(("train", "val", "test"))
}


class Killed(BaseException):
    """Ends a training as a signal would."""


def config_of(name: str = "memnn", seed: int = 0, **options: Any) -> dict[str, Any]:
    return resolve(name, seed=seed, options={"epochs": 4, "validate_every": 1, **options}, network=SMALL[name])


def kill_at(monkeypatch: pytest.MonkeyPatch, last: int) -> None:
    """Die when the metrics of that step are written and its checkpoint is not."""
    save = RunDirectory.save

    def save_or_die(self: RunDirectory, step: int, *rest: Any, **more: Any) -> None:
        if step == last:
            raise Killed
        save(self, step, *rest, **more)

    monkeypatch.setattr(RunDirectory, "save", save_or_die)


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FINAL}


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n == "memnn" else pytest.mark.slow) for n in NETWORKS])
def test_a_model_memorises_fifty_questions(name: str) -> None:
    train = SPLITS["train"]
    config = config_of(name, epochs=EPOCHS[name], learning_rate=0.01, batch=10, weight_decay=0.0)
    learner = make_learner(config, Vocabulary.of(train), {"train": train, "val": train})
    training, found = learner.begin(), [0.0]
    for _ in range(learner.num_chunks):
        training, metrics = learner.chunk(training)
        found.append(metrics["reward"])
    assert max(found) >= 0.9, "chance is a quarter"
    assert metrics["loss"] < 0.5


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing interrupts, validated twice an epoch and with noisy gradients."""
    out = tmp_path_factory.mktemp("whole") / "run"
    train_tomi(config_of(parts=2), out, splits=SPLITS)
    return out


def test_a_training_killed_in_the_middle_continues_to_the_same_bytes(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = config_of(parts=2)
    with monkeypatch.context() as patch:
        kill_at(patch, 6)
        with pytest.raises(Killed):
            train_tomi(config, tmp_path / "run", splits=SPLITS)
    assert [row["step"] for row in RunDirectory.read(tmp_path / "run").metrics] == [1, 2, 3, 4, 5, 6]
    steps: list[int] = []
    train_tomi(config, tmp_path / "run", on_chunk=lambda chunk: steps.append(chunk.row["step"]), splits=SPLITS)
    assert steps == [6, 7, 8]
    assert contents(tmp_path / "run") == contents(whole)
    assert list((tmp_path / "run" / "checkpoints").iterdir()) == []


def test_a_finished_training_is_not_repeated(whole: Path) -> None:
    before, steps = contents(whole), list[int]()
    result = train_tomi(config_of(parts=2), whole, on_chunk=lambda chunk: steps.append(chunk.row["step"]))
    assert steps == []
    assert result == json.loads(before["result.json"])
    assert contents(whole) == before


@pytest.mark.slow
def test_validating_less_often_changes_nothing_but_the_rows(whole: Path, tmp_path: Path) -> None:
    train_tomi(config_of(parts=2, validate_every=4), tmp_path / "run", splits=SPLITS)
    rows, all_rows = (RunDirectory.read(run).metrics for run in (tmp_path / "run", whole))
    assert [row["reward"] for row in rows] == [row["reward"] for row in all_rows[3::4]]
    assert [row["episodes"] for row in rows] == [row["episodes"] for row in all_rows[3::4]]


def test_another_seed_gives_another_reader(whole: Path, tmp_path: Path) -> None:
    train_tomi(config_of(seed=1, parts=2), tmp_path / "run", splits=SPLITS)
    assert contents(tmp_path / "run")[READER] != contents(whole)[READER]


def test_another_configuration_is_refused(whole: Path) -> None:
    with pytest.raises(UserError, match="different configuration"):
        train_tomi(config_of(parts=2, batch=16), whole, splits=SPLITS)


def test_the_reader_that_is_kept_is_the_best_on_validation(whole: Path) -> None:
    result = json.loads((whole / "result.json").read_text())
    curve = [row["reward"] for row in RunDirectory.read(whole).metrics]
    assert result["best_step"] == 1 + curve.index(max(curve))
    assert result["validation"] == max(curve)
    given = answers(load_reader(whole), SPLITS["val"])
    right = sum(matches(answer, one) for answer, one in zip(given, SPLITS["val"], strict=True))
    assert right / len(SPLITS["val"]) == pytest.approx(max(curve))


def test_scores_are_those_of_the_test_questions(whole: Path) -> None:
    result = json.loads((whole / "result.json").read_text())
    lines = [json.loads(line) for line in (whole / "predictions.jsonl").read_text().splitlines()]
    right = [matches(line["answer"], one) for line, one in zip(lines, SPLITS["test"], strict=True)]
    assert result["evaluation"]["accuracy"]["value"] == pytest.approx(sum(right) / len(right))
    joint = [all(right[k : k + 2]) for k in range(0, len(right), 2)]
    assert result["evaluation"]["story_joint"]["value"] == pytest.approx(sum(joint) / len(joint))
    assert set(result["evaluation"]["by_group"]) == {"memory", "reality"}


def test_a_reader_answers_any_number_of_questions_and_words_it_never_saw(whole: Path) -> None:
    reader = load_reader(whole / READER)
    assert reader.name.startswith("memnn@")
    assert answers(reader, []) == []
    strange = item(["The kiwi is in the bin."], "Where is the kiwi really?", "bin")
    known = list(SPLITS["test"])
    assert answers(reader, [*known, strange])[:-1] == answers(reader, known)
    assert len(answers(reader, [strange])) == 1
    hidden = [replace(one, answer="?", choices=(), chain=()) for one in known]
    assert answers(reader, hidden) == answers(reader, known), "it looks at story and question alone"


def test_a_damaged_reader_is_a_clear_error(whole: Path, tmp_path: Path) -> None:
    content = bytearray((whole / READER).read_bytes())
    content[-1] ^= 1
    (tmp_path / "damaged.safetensors").write_bytes(content)
    with pytest.raises(UserError, match="is damaged"):
        load_reader(tmp_path / "damaged.safetensors")
    (tmp_path / "other.safetensors").write_bytes(b"x")
    with pytest.raises(UserError, match="not a safetensors file"):
        load_reader(tmp_path / "other.safetensors")
    with pytest.raises(UserError, match="holds no trained reader; expected reader"):
        load_reader(tmp_path)


def test_ambiguous_questions_count_in_the_papers_sets_alone() -> None:
    doubtful = [replace(one, ambiguous=at % 2 == 0) for at, one in enumerate(SPLITS["test"])]
    assert scored(doubtful, "original/released") == doubtful
    assert scored(doubtful, "medium") == doubtful[1::2]


def test_exported_questions_can_be_learned_from(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    with pytest.raises(UserError, match=r"has no train\.jsonl; expected a folder with"):
        resolve("memnn", str(folder))
    for split, items in SPLITS.items():
        (folder / f"{split}.jsonl").write_text("".join(dump_items(items)))
    assert load_items(str(folder), "val", 0, 0) == SPLITS["val"]
    config = resolve("memnn", str(folder), options={"epochs": 10})
    assert place_of(config) == Path("memnn", "set,epochs=10", "seed0")
    (folder / "val.jsonl").write_text("")
    assert resolve("memnn", str(folder), options={"epochs": 10}) != config, "a run is not continued with others"
    with pytest.raises(UserError, match="the validation set has no questions"):
        train_tomi(config, tmp_path / "run")
    with pytest.raises(UserError, match="all questions are read; leave out the size of val"):
        resolve("memnn", str(folder), sizes={"val": 3})


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"model": "entne"}, "there is no model 'entne'; did you mean 'entnet'"),
        (
            {"data": "original/relased"},
            "there is no file or folder 'original/relased'; check the path, or did you mean 'original/released'",
        ),
        ({"options": {"epoch": 3}}, "memnn has no option 'epoch'; did you mean 'epochs'"),
        ({"options": {"epochs": 0}}, "memnn: epochs is 0; expected a whole number of at least 1, such as 100"),
        ({"options": {"learning_rate": "x"}}, "learning_rate is 'x'; expected a number"),
        ({"options": {"epochs": 15}}, "15 epochs of 1 parts each cannot be validated every 10 parts"),
        ({"sizes": {"vall": 3}}, "there is no split 'vall'; did you mean 'val'"),
        ({"sizes": {"val": 0}}, "the size of val is 0; expected a whole number of at least 1"),
        ({"network": {"widht": 3}}, "memnn has no field 'widht' of its network; did you mean 'width'"),
    ],
)
def test_bad_input_is_refused_before_anything_begins(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        resolve(**({"model": "memnn"} | asked))


def test_a_configuration_says_everything_and_resolves_to_itself() -> None:
    config = resolve("relnet", "tom-easy", 3, 1, {"val": 60}, {"epochs": 2}, {"relation": [8, 8]})
    assert json.loads(json.dumps(config)) == config
    again = resolve("relnet", config["data"], 3, 1, config["sizes"], config["options"], config["network"])
    assert again == config
    assert place_of(config) == Path("relnet", "tom-easy,data_seed=1,epochs=2,relation=[8+8],val=60", "seed3")


def test_a_sweep_is_one_job_for_each_model_set_and_seed(tmp_path: Path) -> None:
    jobs = plan("paper", "original/released", "0-1", tmp_path, options={"epochs": 20}, sizes={"train": 9})
    assert len(jobs) == 6
    assert jobs[0].argv[:6] == ["train", "tomi", "--model", "memnn", "--data", "original/released"]
    assert {"--train-size=9", "epochs=20"} <= set(jobs[0].argv)
    assert len({job.directory for job in jobs}) == 6


def test_every_generator_is_known_by_name() -> None:
    assert {"original/released", "original/code", "tom-easy", "tom", "classic", "medium"} <= set(sources())
    with pytest.raises(UserError, match="there is no split 'dev'"):
        load_items("tom", "dev", 1, 0)


def test_the_command_trains_on_generated_stories_and_says_how_well_it_went(tmp_path: Path) -> None:
    app = typer.Typer()
    app.command()(tomi_learn.train)
    words = ["--model", "memnn", "--train-size", "6", "--val-size", "3", "--test-size", "3", "--option", "epochs=1"]
    words += ["--option", "validate_every=1", "--network", "hops=1", "--network", "width=4", "--out", str(tmp_path)]
    done = CliRunner().invoke(app, words, catch_exceptions=False)
    assert done.exit_code == 0
    assert "of 18 test questions right" in done.stdout
    assert "% of 3 stories; best after chunk 1 of 1" in done.stdout
    assert "of validation questions right, loss" in done.stderr


@pytest.mark.parametrize(("source", "count"), [("original/code", 18), ("tom-easy", 60), ("tom", 60), ("medium", 1)])
def test_generators_make_the_same_questions_again(source: str, count: int) -> None:
    size = {"original/code": 3, "medium": 1}.get(source, 5)
    train = load_items(source, "train", size, 0)
    assert len(train) >= count
    assert train == load_items(source, "train", size, 0)
    assert {one.id for one in train}.isdisjoint(one.id for one in load_items(source, "test", size, 0))
    assert Vocabulary.of(train).encode(train).answer.min() > 0
