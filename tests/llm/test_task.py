"""The one task: tables of the coin world through Inspect, with scripts for models."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai")

from coin_in_the_box.world import Coin
from inspect_ai import eval_set, task_with
from inspect_ai._util.registry import registry_lookup
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import ChatMessage, ContentReasoning, ContentText, Model, ModelOutput, get_model

from otherminds.core.episodes import read_episodes
from otherminds.core.errors import UserError
from otherminds.core.match import play_one
from otherminds.llm.run import episodes_of, evaluate, run_task, write_records
from otherminds.llm.samples import seats_of
from otherminds.llm.task import make_task, world
from otherminds.minds.find import minds_for
from tests.llm.scripts import obedient, output_of, scripted
from tests.llm.table import SMALL, WORLD, played

OTHERS = {"ben": "tracker", "cas": "tracker"}


def metrics(log: EvalLog) -> dict[str, float]:
    assert log.results is not None
    return {f"{score.name}/{name}": one.value for score in log.results.scores for name, one in score.metrics.items()}


def test_episodes_are_played_recorded_and_measured(tmp_path: Path) -> None:
    done, log = played(tmp_path, {"ann": scripted(obedient), **OTHERS}, record=tmp_path / "coin.jsonl")
    samples = log.samples or []
    assert [sample.id for sample in samples] == ["coin-0", "coin-1"]
    assert all(list(episode.minds.values()) == ["mockllm/model", "tracker", "tracker"] for episode in done.episodes)
    assert (done.tokens_in, done.tokens_out) == (6, 6)
    recorded = read_episodes(tmp_path / "coin.jsonl")
    for episode, kept in zip(done.episodes, recorded, strict=True):
        assert (episode.turns, episode.end, episode.exchanges) == (kept.turns, kept.end, kept.exchanges)
        assert len(Coin(3).replay(kept).states) == len(kept.turns) + 1
    found = metrics(log)
    assert done.summary == Coin(3).summary(recorded)
    for name, value in done.summary.items():
        assert value is None or found[f"outcome/{name}"] == value
    assert found["success/mean"] == done.summary["success"]
    assert found["score/mean"] == pytest.approx(done.summary["score"])
    assert (log.eval.metadata or {})["seats"] == {"ann": "mockllm/model", **OTHERS}
    assert write_records(log, tmp_path / "coin.jsonl") == 0


def test_an_evaluation_that_is_extended_writes_each_episode_once(tmp_path: Path) -> None:
    file, seats = tmp_path / "coin.jsonl", {"ann": scripted(obedient), **OTHERS}
    for episodes in (1, 2, 2):
        played(tmp_path, seats, record=file, episodes=episodes)
        assert [episode.seed for episode in read_episodes(file)] == list(range(episodes))
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:-1]))  # killed before the end of the last episode was written
    played(tmp_path, seats, record=file)
    assert [episode.end is not None for episode in read_episodes(file)] == [True, True]
    for other in ({"attempts": 1}, {"method": "stepwise"}, {"settings": {"turns": 4}}):
        before = len(read_episodes(file))
        played(tmp_path, seats, record=file, **other)
        assert len(read_episodes(file)) == before + 2, other
    played(tmp_path, {**seats, "cas": "random"}, record=file)
    assert len(read_episodes(file)) == before + 4


def test_models_play_themselves_and_each_seat_may_have_its_own(tmp_path: Path) -> None:
    heard: dict[str, set[str]] = {seat: set() for seat in Coin.seats}

    def of(seat: str) -> Model:
        def reply(messages: list[ChatMessage]) -> str:
            heard[seat].add(messages[0].text.split(",")[0])
            return obedient(messages)

        return scripted(reply)

    done, log = played(tmp_path, {seat: of(seat) for seat in Coin.seats})
    assert heard == {seat: {f"You are {seat}"} for seat in Coin.seats}
    events = [event for sample in log.samples or [] for event in sample.events if event.event == "model"]
    assert {event.role for event in events} == set(log.eval.model_roles or {}) == set(Coin.seats)
    assert done.summary["validity_rate"] == 1.0


def test_the_same_seeds_open_the_same_episodes_as_without_models(tmp_path: Path) -> None:
    done, _ = played(tmp_path, {"ann": scripted(lambda _: "ANSWER: peek secretly"), **OTHERS}, seed=4, episodes=1)
    table = Coin(3)
    alone = play_one(table.open(4), minds_for(table, dict.fromkeys(Coin.seats, "tracker")))
    assert done.episodes[0].start == alone.start
    assert done.episodes[0].turns[0] == alone.turns[0]


def test_the_evaluated_model_sits_where_nobody_is_named(tmp_path: Path) -> None:
    """As ``inspect eval otherminds/world -T world=coin-v0 --model-role cas=…`` does it."""
    made = task_with(
        world(world=WORLD, seats="ben=tracker,ann=model:method=notes", set=SMALL, episodes=1),
        model_roles={"cas": scripted(lambda _: "no idea\nat all")},
    )
    is_done, (header,) = eval_set(made, log_dir=str(tmp_path / "logs"), model=scripted(obedient), display="none")
    assert is_done
    (episode,) = episodes_of(read_eval_log(header.location))
    assert list(episode.minds.values()) == ["mockllm/model:method=notes", "tracker", "mockllm/model"]
    assert episode.validity["cas"]["failures"] == 3
    assert {"ann": 0, "ben": 0}.items() <= {seat: one["failures"] for seat, one in episode.validity.items()}.items()


def test_epochs_of_inspect_are_further_repeats_and_all_count(tmp_path: Path) -> None:
    made = make_task(WORLD, "ben=tracker,cas=tracker", SMALL, episodes=2)
    _, (header,) = eval_set(made, log_dir=str(tmp_path / "logs"), model=scripted(obedient), epochs=3, display="none")
    log = read_eval_log(header.location)
    names = sorted(episode.id for episode in episodes_of(log))
    assert len(set(names)) == 6
    assert metrics(log)["outcome/episodes"] == 6


def test_recorded_seats_play_again_what_was_recorded(tmp_path: Path) -> None:
    file = tmp_path / "coin.jsonl"
    first, _ = played(tmp_path, {"ann": scripted(obedient), **OTHERS}, record=file)
    again, _ = played(tmp_path, {"ann": f"recorded:{file}", "ben": "tracker", "cas": scripted(obedient)})
    assert len(again.episodes) == 2
    for old, new in zip(first.episodes, again.episodes, strict=True):
        assert new.start == old.start
        assert new.turns[0] == old.turns[0]


def test_structured_output_is_asked_for_and_read(tmp_path: Path) -> None:
    done, log = played(tmp_path, {"ann": scripted(obedient), **OTHERS}, form="structured", episodes=1)
    assert done.summary["validity_rate"] == 1.0
    held = [event.config.response_schema for event in (log.samples or [])[0].events if event.event == "model"]
    fields = [(one.json_schema.properties or {}) if one else {} for one in held]
    assert [list(one) for one in fields] == [["act"], ["answer"], ["answer"]]
    assert fields[1]["answer"].enum == ["yes", "no"]


def test_reasoning_that_comes_apart_from_the_reply_is_kept(tmp_path: Path) -> None:
    def outputs(input: list[ChatMessage], tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
        output = output_of(obedient(input))
        text = ContentText(text=obedient(input))
        output.choices[0].message.content = [ContentReasoning(reasoning="It smells of copper."), text]
        return output

    model = get_model("mockllm/model", custom_outputs=outputs, memoize=False)
    done, _ = played(tmp_path, {"ann": model, **OTHERS}, episodes=1)
    assert done.episodes[0].exchanges[0]["reasoning"] == "It smells of copper."


def test_a_finished_run_is_not_played_again_and_another_table_is_another_run(tmp_path: Path) -> None:
    calls = []

    def counted(messages: list[ChatMessage]) -> str:
        calls.append(1)
        return obedient(messages)

    first, _ = played(tmp_path, {"ann": scripted(counted), **OTHERS})
    number = len(calls)
    again, _ = played(tmp_path, {"ann": scripted(counted), **OTHERS})
    assert (again.logs, len(calls)) == (first.logs, number)
    others = [
        played(tmp_path, {"ann": scripted(counted), "ben": "egocentric", "cas": "tracker"})[0],
        played(tmp_path, {"ann": scripted(counted), **OTHERS}, seed=1)[0],
        played(tmp_path, {"ann": scripted(counted), **OTHERS}, settings={"turns": 4})[0],
        played(tmp_path, {"ann": scripted(counted), **OTHERS}, temperature=0.5)[0],
    ]
    assert len({one.logs for one in (first, *others)}) == 5


def test_other_words_make_another_version_and_are_hashed(tmp_path: Path) -> None:
    own = tmp_path / "turn.txt"
    versions = []
    for text in ("{view} {format}", "{view} Now: {format}"):
        own.write_text(text, "utf-8")
        made = make_task(WORLD, "ben=tracker,cas=tracker", prompts=str(own))
        versions.append(made.version)
        assert str(own) in (made.metadata or {})["prompts"]
    assert len(set(versions)) == 2
    led = make_task(WORLD, "ann=model:method=stepwise,ben=tracker,cas=tracker")
    assert "methods/v1/stepwise" in (led.metadata or {})["prompts"]


def test_seats_are_read_from_one_line() -> None:
    table = Coin()
    assert seats_of("tracker", table) == dict.fromkeys(Coin.seats, "tracker")
    assert seats_of("ann=model:method=notes,memory=3,cas=tracker", table) == {
        "ann": "model:method=notes,memory=3",
        "ben": "model",
        "cas": "tracker",
    }
    assert seats_of("model:method=notes", table) == dict.fromkeys(Coin.seats, "model:method=notes")
    with pytest.raises(UserError, match="no seat 'dan'"):
        seats_of("dan=tracker", table)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"phrasing": "plane"}, "no phrasing 'plane'"),
        ({"prompts": "v9"}, "no prompts of version 'v9'"),
        ({"form": "speech"}, "--form is 'speech'"),
        ({"method": "guess"}, "method is 'guess'"),
        ({"episodes": 0}, "episodes is 0"),
        ({"attempts": 0}, "attempts is 0"),
        ({"timeout": -1}, "timeout is -1"),
        ({"seats": "ann=trackers"}, "no mind 'trackers' in coin; did you mean 'tracker'"),
        ({"seats": "ann=human"}, "cannot be evaluated; use: otherminds play coin"),
        ({"suite": "hard"}, "no suite 'hard'"),
        ({"set": {"turns": 0}}, "turns is 0"),
        ({"seats": "ann=recorded:nowhere.jsonl"}, r"cannot read nowhere\.jsonl"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        make_task(WORLD, **options)


def test_a_table_without_a_language_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no seat has a language model"):
        evaluate(WORLD, {}, dict.fromkeys(Coin.seats, "tracker"), log_dir=tmp_path)


def test_the_result_is_plain_data(tmp_path: Path) -> None:
    done, _ = played(tmp_path, {"ann": scripted(obedient), **OTHERS})
    told = json.loads(json.dumps({"summary": done.summary, **done.extra()}))
    assert told["summary"]["episodes"] == 2
    assert told["logs"] == list(done.logs)


@pytest.mark.parametrize("name", ["symmtom", "tomi", "decrypto", "enacttom", "world"])
def test_tasks_are_found_by_name(name: str) -> None:
    import_module("otherminds.llm._registry")
    assert registry_lookup("task", f"otherminds/{name}") is not None


def test_logs_that_cannot_be_written_are_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(UserError, match="cannot write logs to"):
        run_task(make_task(WORLD), {"ann": scripted(obedient)}, log_dir=file)
