"""Language models in the household, played by scripts."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai")
pytest.importorskip("clingo")

import yaml
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import ChatMessage

from otherminds.core.errors import UserError
from otherminds.llm.cost import estimate
from otherminds.llm.run import Evaluated, evaluate
from otherminds.llm.task import TASKS
from otherminds.worlds.enacttom.tasks.read import find_task, read_task
from otherminds.worlds.enacttom.tasks.suite import enter
from otherminds.worlds.enacttom.world import EnactToM
from tests.llm.scripts import scripted

enacttom = TASKS["enacttom"]

GARBAGE = "I would rather not.\nReally."
CUP: dict[str, Any] = {"task": "cup"}
CONTRAST = enter(read_task(find_task("cup"))).worlds
TABLE = read_task(find_task("cup")).value(CONTRAST[0], "target")  # where who is stubborn puts the cup


def solve_cup(messages: list[ChatMessage]) -> str:
    """Does what reaches the goal of ``cup`` in any world, from either seat; and says what it knows."""
    told = "\n".join(message.text for message in messages[1:] if message.role == "user")
    learned = [None, *(f"{colour}_table" for colour in re.findall(r"the target table is the (\w+) table", told))][-1]
    if "question to you alone" in messages[-1].text:
        is_value = "the secret target is" not in messages[-1].text.partition("Does")[2]
        return f"ANSWER: {learned if is_value and learned else 'cannot tell'}"
    turn = int(re.findall(r"This is turn (\d+)", told)[-1])
    ann = {1: "navigate(study)", 2: f"tell(ben, value(target, {learned}))"}
    ben = {1: "pick(cup)", 2: "navigate(kitchen)", 3: f"place(cup, on, {learned})"}
    return f"I see.\nACTION: {(ann if 'You are Ann.' in told else ben).get(turn, 'wait()')}"


def stubborn(messages: list[ChatMessage]) -> str:
    return re.sub(r"place\(cup, on, \w+\)", f"place(cup, on, {TABLE})", solve_cup(messages))


def played(
    tmp_path: Path, reply: Callable[[list[ChatMessage]], str], settings: dict[str, Any] = CUP, **options: Any
) -> tuple[Evaluated, EvalLog]:
    how = {"suite": "task", "attempts": 2, **options}
    seats = how.pop("seats", None) or dict.fromkeys(("ann", "ben"), scripted(reply))
    done = evaluate("enacttom", settings, seats, log_dir=tmp_path / "logs", **how)
    return done, read_eval_log(done.logs[0])


def test_a_scripted_model_solves_cup_and_the_record_can_be_replayed(tmp_path: Path) -> None:
    done, log = played(tmp_path, solve_cup, record=tmp_path / "runs.jsonl")
    assert [sample.id for sample in log.samples or []] == ["cup-run0", "cup-run1", "cup-run2"]
    assert done.summary["functional"] == done.summary["progress"] == done.summary["success"] == 1.0
    assert done.summary["functional@3"] == done.summary["functional^3"] == 1.0
    assert done.summary["validity_rate"] == done.summary["attempts_per_ask"] == 1.0
    assert 0 < (done.summary["literal"] or 0) <= 1
    world = EnactToM("cup")
    for episode in world.recorded(tmp_path / "runs.jsonl"):
        assert world.replay(episode).states[-1].state.turn == len(episode.turns)
        assert list(episode.minds.values()) == ["mockllm/model"] * 2
        assert len(episode.exchanges) >= 10
        assert tuple(episode.start["world"]) in CONTRAST


def test_it_says_what_it_is_made_of_and_a_changed_task_is_another_version(tmp_path: Path) -> None:
    made = enacttom(set=CUP, suite="task")
    prompts = (made.metadata or {})["prompts"]
    assert {"enacttom/v2/rules", "enacttom/v2/turn", "enacttom/v2/probe"} <= set(prompts)
    assert all(re.fullmatch("[0-9a-f]{64}", one) for one in prompts.values())
    content = yaml.safe_load(find_task("cup").read_text("utf-8"))
    path = tmp_path / "cup.yaml"
    path.write_text(yaml.safe_dump({**content, "horizon": 6}), "utf-8")
    others: list[dict[str, Any]] = [
        {"set": CUP, "suite": "task", "seed": 1},
        {"set": {**CUP, "probes": False}, "suite": "task"},
        {"set": {"task": str(path)}, "suite": "task"},
    ]
    versions = {str(made.version), *(str(enacttom(**one).version) for one in others)}
    assert len(versions) == 4


def test_each_seat_may_have_a_model_of_its_own(tmp_path: Path) -> None:
    heard: dict[str, set[str]] = {"ann": set(), "ben": set()}

    def of(seat: str) -> Any:
        def reply(messages: list[ChatMessage]) -> str:
            heard[seat].add(messages[1].text.splitlines()[0])
            return solve_cup(messages)

        return scripted(reply)

    done, log = played(tmp_path, solve_cup, seats={"ann": of("ann"), "ben": of("ben")})
    assert heard == {"ann": {"You are Ann."}, "ben": {"You are Ben."}}
    assert done.summary["functional"] == 1.0
    assert set(log.eval.model_roles or {}) == {"ann", "ben"}


def test_a_model_plays_with_other_minds(tmp_path: Path) -> None:
    done, _ = played(
        tmp_path, solve_cup, seats={"ann": "greedy", "ben": scripted(solve_cup)}, settings={**CUP, "probes": False}
    )
    assert all(list(episode.minds.values()) == ["greedy", "mockllm/model"] for episode in done.episodes)
    assert {one["seat"] for episode in done.episodes for one in episode.exchanges} == {"ben"}
    assert done.summary["literal"] is None


def test_success_in_some_worlds_is_no_sweep(tmp_path: Path) -> None:
    """Success in some episodes of three: pass^3 is 0, not the cube of an average."""
    done, _ = played(tmp_path, stubborn, settings={**CUP, "probes": False})
    worlds = [tuple(episode.start["world"]) for episode in done.episodes]
    assert done.summary["functional"] == pytest.approx(worlds.count(CONTRAST[0]) / len(worlds))
    assert done.summary["functional@3"] == 1.0
    assert done.summary["functional^3"] == 0.0


@pytest.mark.parametrize("reply", [GARBAGE, "", "ACTION: fly()"], ids=["garbage", "nothing", "no act"])
def test_replies_that_cannot_be_read_are_counted_and_waited_out(tmp_path: Path, reply: str) -> None:
    done, log = played(tmp_path, lambda _: reply)
    assert done.summary["validity_rate"] == 0.0
    assert done.summary["attempts_per_ask"] == 2.0
    assert done.summary["refused"] == 0.0
    assert done.summary["answered"] == 0.0
    assert done.summary["functional"] == 0.0
    assert not any(sample.error for sample in log.samples or [])
    assert all(turn["acts"] == ["wait()", "wait()"] for episode in done.episodes for turn in episode.turns)


def test_acts_that_are_refused_are_no_failures_to_read(tmp_path: Path) -> None:
    done, _ = played(tmp_path, lambda _: "ACTION: navigate(kitchen)", settings={**CUP, "probes": False})
    assert done.summary["validity_rate"] == 1.0
    assert done.summary["refused"] == pytest.approx(9 / 10)  # Ben gets there once


def test_models_can_be_held_to_a_schema(tmp_path: Path) -> None:
    def bare(messages: list[ChatMessage]) -> str:
        return '{"answer": "cannot tell"}' if "question to you alone" in messages[-1].text else '{"action": "wait()"}'

    done, log = played(tmp_path, bare, form="structured")
    assert done.summary["validity_rate"] == 1.0
    events = [event for sample in log.samples or [] for event in sample.events if event.event == "model"]
    assert all(event.config.response_schema for event in events)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"form": "odd"}, "--form is 'odd'"),
        ({"seats": "ann=human"}, "cannot be evaluated; use: otherminds play"),
        ({"seats": "ann=nobody"}, "no mind 'nobody'"),
        ({"seats": "cleo=greedy"}, "no seat 'cleo'"),
        ({"set": {"task": "attic"}}, "no task 'attic'"),
        ({"prompts": "v9"}, "version 'v9'"),
    ],
)
def test_bad_options_are_refused_before_anybody_plays(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(UserError, match=problem):
        enacttom(**{"set": CUP, **options})


def test_what_it_takes_is_said_before() -> None:
    seats = dict.fromkeys(("ann", "ben"), "mockllm/model")
    without = estimate(EnactToM("cup", probes=False), seats, episodes=2)
    assert without.requests == 20
    assert without.tokens_in > 10_000
    assert estimate(EnactToM("cup", probes=True), seats, episodes=2).requests > 20


def test_a_suite_has_items_with_seats_of_their_own() -> None:
    made = enacttom(suite="classic", size=12)
    seats = {tuple((sample.metadata or {})["seats"]) for sample in made.dataset}
    assert len(seats) > 1
    with pytest.raises(UserError, match="has no mind; set one for every seat"):
        enacttom(suite="classic", seats="ann=greedy")
