"""Language models in the household through Inspect, played by scripts."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai")
pytest.importorskip("clingo")

import yaml
from inspect_ai import eval_set, task_with
from inspect_ai._util.registry import registry_lookup
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import ChatMessage, Model

from otherminds.core.episodes import read_episodes
from otherminds.core.errors import UserError
from otherminds.evals.enacttom.bench import schedule
from otherminds.evals.enacttom.scores import score_records
from otherminds.evals.inspect import enacttom_run as run
from otherminds.evals.inspect.enacttom import enacttom, entered
from otherminds.evals.inspect.enacttom_words import load_words
from otherminds.evals.inspect.records import episodes_of, write_records
from otherminds.evals.inspect.run import plan
from otherminds.worlds.enacttom.read import find_task, read_task
from otherminds.worlds.enacttom.record import play_again
from otherminds.worlds.enacttom.verify.certify import certificate_content, stored_certificate
from otherminds.worlds.enacttom.world import EnactToM
from tests.evals.inspect.models import scripted

GARBAGE = "I would rather not."
SMALL: dict[str, Any] = {"tasks": "cup", "attempts": 2}
CONTRAST = entered(read_task(find_task("cup"))).worlds
TABLE = read_task(find_task("cup")).value(CONTRAST[0], "target")  # where who is stubborn puts the cup


def solve_cup(messages: list[ChatMessage]) -> str:
    """Does what reaches the goal of ``cup`` in any world, from either seat; and says what it knows."""
    told = "\n".join(message.text for message in messages[1:] if message.role == "user")
    learned = [None, *re.findall(r"the secret target is (\w+)", told)][-1]
    if "question to you alone" in messages[-1].text:
        is_value = "the secret target is" not in messages[-1].text.partition("Does")[2]
        return f"ANSWER: {learned if is_value and learned else 'cannot tell'}"
    turn = int(re.findall(r"This is turn (\d+)", told)[-1])
    ann = {1: "navigate(study)", 2: f"tell(ben, value(target, {learned}))"}
    ben = {1: "pick(cup)", 2: "navigate(kitchen)", 3: f"place(cup, on, {learned})"}
    return f"I see.\nACTION: {(ann if 'You are ann.' in told else ben).get(turn, 'wait()')}"


def played(tmp_path: Path, reply: Callable[[list[ChatMessage]], str], **options: Any) -> tuple[run.Evaluated, EvalLog]:
    done = run.evaluate_enacttom(scripted(reply), log_dir=tmp_path / "logs", **{**SMALL, **options})
    return done, read_eval_log(done.log)


def test_a_scripted_model_solves_cup_and_the_record_can_be_replayed(tmp_path: Path) -> None:
    done, log = played(tmp_path, solve_cup)
    assert [sample.id for sample in log.samples or []] == ["cup-1", "cup-2", "cup-3"]
    assert (done.runs, done.tasks) == (3, 1)
    assert done.metrics["functional"] == done.metrics["progress"] == 1.0
    assert done.metrics["pass_at_3"] == done.metrics["pass_all_3"] == 1.0
    assert done.metrics["unreadable"] == done.metrics["refused"] == 0.0
    assert done.metrics["attempts"] == 1.0
    assert 0 < (done.metrics["probes_right"] or 0) <= 1
    assert done.metrics["probes_unanswered"] == 0.0
    path = tmp_path / "runs.jsonl"
    assert write_records([log], path) == 3
    assert write_records([log], path) == 0
    for episode in read_episodes(path):
        assert play_again(episode).states[-1].state.turn == len(episode.turns)
        assert episode.players == ["mockllm/model"] * 2
        assert len(episode.notes["exchanges"]) >= 10
    assert {tuple(one.start["world"]) for one in read_episodes(path)} == set(CONTRAST)


def test_it_is_found_by_its_name_and_says_what_it_is_made_of() -> None:
    assert registry_lookup("task", "otherminds/enacttom") is not None
    made = enacttom(**SMALL)
    assert made.metadata is not None
    prompts = made.metadata["prompts"]
    assert set(prompts) == {f"enacttom/v1/{name}" for name in load_words()}
    assert all(re.fullmatch("[0-9a-f]{64}", one) for one in prompts.values())
    versions = {
        str(enacttom(**{**SMALL, **more}).version) for more in ({}, {"seed": 1}, {"runs": 2}, {"probes": False})
    }
    assert len(versions) == 4
    assert str(enacttom(**SMALL).version) in versions


def test_a_changed_task_is_another_version(tmp_path: Path) -> None:
    content = yaml.safe_load(find_task("cup").read_text("utf-8"))
    path = tmp_path / "cup.yaml"
    path.write_text(yaml.safe_dump({**content, "horizon": 6}), "utf-8")
    assert enacttom(tasks=str(path)).version != enacttom(tasks="cup").version


def test_each_seat_may_have_a_model_of_its_own(tmp_path: Path) -> None:
    heard: dict[int, set[str]] = {0: set(), 1: set()}

    def of(seat: int) -> Model:
        def reply(messages: list[ChatMessage]) -> str:
            heard[seat].add(messages[1].text.splitlines()[0])
            return solve_cup(messages)

        return scripted(reply)

    done = run.evaluate_enacttom(seats=[of(0), of(1)], log_dir=tmp_path / "logs", runs=1, **SMALL)
    assert heard == {0: {"You are ann."}, 1: {"You are ben."}}
    assert done.metrics["functional"] == 1.0
    log = read_eval_log(done.log)
    assert set(log.eval.model_roles or {}) == {"seat1", "seat2"}
    events = [event for sample in log.samples or [] for event in sample.events if event.event == "model"]
    assert {event.role for event in events} == {"seat1", "seat2"}


def test_a_model_plays_with_players_of_ours(tmp_path: Path) -> None:
    done = run.evaluate_enacttom(
        seats=["greedy", scripted(solve_cup)], log_dir=tmp_path / "logs", runs=1, probes=False, **SMALL
    )
    (episode,) = episodes_of(read_eval_log(done.log))
    assert episode.players == ["greedy", "mockllm/model"]
    assert {one["role"] for one in episode.notes["exchanges"]} == {"ben"}
    assert done.metrics["literal"] is None


def test_epochs_go_on_through_the_worlds_and_every_run_counts(tmp_path: Path) -> None:
    """Success in some runs of three: pass^3 is 0, not the cube of an average."""

    def stubborn(messages: list[ChatMessage]) -> str:
        return re.sub(r"place\(cup, on, \w+\)", f"place(cup, on, {TABLE})", solve_cup(messages))

    done, log = played(tmp_path, stubborn, runs=1, epochs=3, probes=False)
    assert [(sample.id, sample.epoch) for sample in log.samples or []] == [("cup-1", epoch) for epoch in (1, 2, 3)]
    worlds = [episode.start["world"] for episode in episodes_of(log)]
    assert worlds == [list(world) for world, _ in schedule(entered(read_task(find_task("cup"))), 3)]
    assert done.metrics["functional"] == pytest.approx(worlds.count(list(CONTRAST[0])) / 3)
    assert done.metrics["pass_at_3"] == 1.0
    assert done.metrics["pass_all_3"] == 0.0


def test_epochs_asked_of_inspect_itself_count_the_same(tmp_path: Path) -> None:
    is_done, (header,) = eval_set(
        enacttom(runs=1, probes=False, **SMALL),
        log_dir=str(tmp_path / "logs"),
        model=scripted(solve_cup),
        epochs=3,
        display="none",
    )
    assert is_done
    assert run.evaluated(read_eval_log(header.location)).metrics["pass_all_3"] == 1.0


@pytest.mark.parametrize("reply", [GARBAGE, "", "ACTION: fly()"], ids=["garbage", "nothing", "no act"])
def test_replies_that_cannot_be_read_are_counted_and_waited_out(tmp_path: Path, reply: str) -> None:
    done, log = played(tmp_path, lambda _: reply, runs=1)
    assert done.metrics["unreadable"] == done.metrics["attempts"] == 2.0
    assert done.metrics["defaults"] == 1.0
    assert done.metrics["refused"] == 0.0
    assert done.metrics["probes_unanswered"] == 1.0
    assert done.metrics["literal"] == 0.0
    assert done.metrics["functional"] == 0.0
    assert not any(sample.error for sample in log.samples or [])
    (episode,) = episodes_of(log)
    assert all(turn["acts"] == ["wait()", "wait()"] for turn in episode.turns)


def test_acts_that_are_refused_are_no_failures_to_read(tmp_path: Path) -> None:
    done, _ = played(tmp_path, lambda _: "ACTION: navigate(kitchen)", runs=1, probes=False)
    assert done.metrics["unreadable"] == 0.0
    assert done.metrics["refused"] == pytest.approx(9 / 10)  # Ben gets there once


def test_scores_are_broken_down_by_depth(tmp_path: Path) -> None:
    """By the depth that a task's certificate has, and in its contrast worlds."""
    content = yaml.safe_load(find_task("cup").read_text("utf-8"))
    cup = stored_certificate(read_task(find_task("cup")))
    assert cup is not None
    for name, depth, contrast in (("shallow", 1, ((0,), (2,))), ("deep", 2, ((1,),))):
        proof = certificate_content(replace(cup, depth=depth, depth_any=depth, depth_secrets=depth, contrast=contrast))
        path = tmp_path / f"{name}.yaml"
        path.write_text(yaml.safe_dump({**content, "id": name, "certificate": proof}, sort_keys=False), "utf-8")
    files = f"{tmp_path / 'shallow.yaml'},{tmp_path / 'deep.yaml'}"

    def red(messages: list[ChatMessage]) -> str:
        return re.sub(r"place\(cup, on, \w+\)", "place(cup, on, blue_table)", solve_cup(messages))

    done, log = played(tmp_path, red, tasks=files, probes=False)
    worlds = {episode.id: episode.start["world"] for episode in episodes_of(log)}
    assert {tuple(world) for name, world in worlds.items() if name.startswith("deep")} == {(1,)}
    assert {tuple(world) for name, world in worlds.items() if name.startswith("shallow")} == {(0,), (2,)}
    assert done.metrics["depth_1_functional"] == 0.0
    assert done.metrics["depth_2_functional"] == done.metrics["depth_2_pass_all_3"] == 1.0
    assert len(enacttom(tasks=files, depth=2).dataset) == 3


def test_runs_are_those_of_other_teams(tmp_path: Path) -> None:
    """The same worlds in the same order and the same seeds, so that models and players of ours can be compared."""
    entry = entered(read_task(find_task("cup")))
    expected = schedule(entry, 4, seed=7)
    _, log = played(tmp_path, lambda _: GARBAGE, runs=4, seed=7, probes=False, attempts=1)
    assert [(tuple(one.start["world"]), one.seed) for one in episodes_of(log)] == expected


def test_a_sweep_plays_the_contrast_worlds_that_the_runs_leave_out(tmp_path: Path) -> None:
    def stubborn(messages: list[ChatMessage]) -> str:
        return re.sub(r"place\(cup, on, \w+\)", f"place(cup, on, {TABLE})", solve_cup(messages))

    done, log = played(tmp_path, stubborn, runs=1, sweep=True)
    assert len(episodes_of(log)) == len(CONTRAST) > 1
    ((task,),) = score_records(episodes_of(log)).values()
    assert (len(task.headline), len(task.runs)) == (1, len(CONTRAST))
    assert sum(run.is_success for run in task.runs) == 1
    assert task.has_swept is False
    # Averages are over the headline run alone, as in scores of records.
    (first,) = task.headline
    assert done.metrics["depth_1_functional"] == float(first.is_success)
    assert done.metrics["literal"] == done.metrics["depth_1_literal"] == float(first.is_literal or 0)
    right = [probe["given"] == probe["expected"] for probe in first.probes]
    assert done.metrics["probes_right"] == pytest.approx(sum(right) / len(right))


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"form": "odd"}, "form 'odd' is not known"),
        ({"runs": 0}, "runs is 0"),
        ({"seats": "model,greedy,greedy"}, "is not a player for each of ann, ben"),
        ({"seats": "human"}, "plays in the terminal"),
        ({"seats": "nobody"}, "no player 'nobody'"),
        ({"tasks": "attic"}, "no task 'attic'"),
        ({"tasks": "cup", "depth": 9}, "of depth 9"),
        ({"prompts": "v9"}, "version 'v9'"),
    ],
)
def test_bad_options_are_refused_before_anybody_plays(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(UserError, match=problem):
        enacttom(**{**SMALL, **options})


def test_seats_need_players(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nobody plays a seat"):
        run.evaluate_enacttom(log_dir=tmp_path)
    with pytest.raises(UserError, match="no seat has a language model"):
        run.evaluate_enacttom("greedy", log_dir=tmp_path)


def test_what_it_takes_is_said_before(tmp_path: Path) -> None:
    done, _ = played(tmp_path, solve_cup, runs=2)
    expected = plan([enacttom(runs=2, **SMALL)], run.takes)
    assert expected.samples == 2
    assert expected.requests is not None
    assert done.tokens_out <= 2 * expected.requests  # a token for each reply of the script
    assert expected.tokens_in > 10_000
    without = plan([enacttom(runs=2, probes=False, **SMALL)], run.takes)
    assert without.requests == 20


def test_models_can_be_held_to_a_schema(tmp_path: Path) -> None:
    """Every field is one of some words, which say nothing of what is possible now."""
    done, log = played(tmp_path, lambda _: '{"action": "wait()", "answer": "cannot tell"}', form="schema", runs=1)
    assert done.metrics["unreadable"] == done.metrics["probes_unanswered"] == 0.0
    events = [event for sample in log.samples or [] for event in sample.events if event.event == "model"]
    schemas = [event.config.response_schema for event in events]
    assert all(schemas)
    fields = [set(one.json_schema.properties or {}) for one in schemas if one]
    assert {"action"} in fields
    assert {"answer"} in fields
    house = EnactToM("cup").ground
    acts = [(one.json_schema.properties or {})["action"].enum for one in schemas if one and "action" in str(one)]
    assert all("pick(cup)" in (some or []) for some in acts)
    assert len(acts[0] or []) == len(house.by_name[0]) + 2 + 3 + 2  # wait and done, values, and who knows


def test_tasks_can_be_given_other_models_later(tmp_path: Path) -> None:
    """As ``inspect eval otherminds/enacttom --model-role seat2=…`` does it."""
    made = task_with(enacttom(runs=1, probes=False, **SMALL), model_roles={"seat2": scripted(lambda _: GARBAGE)})
    is_done, (header,) = eval_set(made, log_dir=str(tmp_path / "logs"), model=scripted(solve_cup), display="none")
    assert is_done
    assert run.evaluated(read_eval_log(header.location)).metrics["defaults"] == 0.5
