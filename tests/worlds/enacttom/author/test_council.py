"""Councils of judging models, played by scripts: they agree, disagree, or cannot be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai")
pytest.importorskip("clingo")

from inspect_ai.log import read_eval_log
from inspect_ai.model import ChatMessage

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.author.assess import assess, enacttom_council
from otherminds.worlds.enacttom.author.council import (
    CRITERIA,
    LEAST,
    LEAST_MEAN,
    Ballot,
    agreement,
    agreement_line,
    ballot,
    load_rubric,
    objections,
)
from otherminds.worlds.enacttom.author.write import author
from otherminds.worlds.enacttom.tasks.read import read_task
from tests.plugin import ROOT
from tests.worlds.enacttom.author.authoring import FINISH, OTHER, STRAIGHT, author_of, ballot_of, judge_by
from tests.worlds.enacttom.author.test_write import resolved_to, run

MILD = judge_by(lambda _: ballot_of(8), "mild")


def cast(judge: str, score: int, **others: int) -> Ballot:
    scores = {name: others.get(name, score) for name in CRITERIA}
    return ballot(judge, scores, dict.fromkeys(CRITERIA, "so"))


def votes(*rows: tuple[Ballot, ...]) -> list[dict[str, Any]]:
    return [{"ballots": list(row)} for row in rows]


@pytest.mark.parametrize(
    ("one", "passes"),
    [
        (cast("a", 7), True),
        (cast("a", 10, focus=LEAST), True),
        (cast("a", 10, focus=LEAST - 1), False),
        (cast("a", 6), False),  # every score is high enough, and the mean is not
        (cast("a", 6, need=10), True),
        (ballot("a", problem="not JSON"), False),
    ],
)
def test_a_judge_passes_a_task_by_its_lowest_score_and_their_mean(one: Ballot, passes: bool) -> None:
    assert one["passes"] is passes
    assert LEAST_MEAN == (6 * 7 + 10) / 8


def test_agreement_is_beyond_chance_over_both_verdicts_and_scores() -> None:
    good, bad = (cast("a", 8), cast("b", 8)), (cast("a", 2), cast("b", 2))
    assert agreement(votes(good, bad)) == {"votes": 2, "unreadable": 0, "pass_fail": 1.0, "scores": 1.0}
    opposed = votes((cast("a", 8), cast("b", 2)), (cast("a", 2), cast("b", 8)))
    assert agreement(opposed)["pass_fail"] == agreement(opposed)["scores"] == -1.0
    near = agreement(votes((cast("a", 8), cast("b", 7)), (cast("a", 2), cast("b", 3))))
    assert near["pass_fail"] == 1.0
    assert 0.8 < near["scores"] < 1.0
    one = agreement(votes(good))
    assert one["pass_fail"] is None
    assert "no better than chance" in agreement_line(one)


def test_ballots_that_cannot_be_read_count_neither_for_nor_against_agreement() -> None:
    good, bad = (cast("a", 8), cast("b", 8)), (cast("a", 2), cast("b", 2))
    torn = (cast("a", 8), ballot("b", problem="not JSON"))
    found = agreement(votes(good, bad, torn))
    assert found == {"votes": 3, "unreadable": 1, "pass_fail": 1.0, "scores": 1.0}
    assert objections(torn) == ["b: its scores could not be read"]


def test_with_three_judges_agreement_is_the_mean_over_pairs() -> None:
    rows = [(cast("a", s), cast("b", s), cast("c", 10 - s)) for s in (8, 2)]
    assert agreement(votes(*rows))["pass_fail"] == pytest.approx((1 - 1 - 1) / 3)


def test_a_task_is_kept_only_when_all_judges_agree(tmp_path: Path) -> None:
    """The strict judge objects to the first task; the author changes it and both agree."""

    def strict(messages: list[ChatMessage]) -> str:
        return ballot_of(9) if "console" in messages[1].text else ballot_of(9, freshness=3)

    script = [*STRAIGHT, ("write_task", OTHER), *FINISH]
    done = author(author_of(script), out=tmp_path / "pool", judges=[MILD, judge_by(strict, "strict")])
    (sample,) = read_eval_log(done["logs"][0]).samples or []
    told = [message.error.message for message in sample.messages if message.role == "tool" and message.error]
    assert told == [
        "the council does not agree to keep the task; change it\nmockllm/strict: mean 8.2; freshness 3: freshness is 3."
    ]
    council = read_task(done["tasks"][0]["file"]).provenance["authored"]["council"]
    assert [(ballot["judge"], ballot["passes"]) for ballot in council] == [
        ("mockllm/mild", True),
        ("mockllm/strict", True),
    ]
    rows = [json.loads(line) for line in (tmp_path / "pool" / "votes.jsonl").read_text("utf-8").splitlines()]
    assert [row["passes"] for row in rows] == [False, True]
    assert done["agreement"] is not None
    assert (done["agreement"]["votes"], done["agreement"]["pass_fail"]) == (2, 0.0)


def test_the_council_never_replaces_the_formal_judge(tmp_path: Path) -> None:
    asked: list[str] = []

    def eager(messages: list[ChatMessage]) -> str:
        asked.append(messages[1].text)
        return ballot_of(10)

    idle = [(tool, text.replace("horizon: 7", "horizon: 4")) for tool, text in STRAIGHT]
    done = author(author_of(idle), out=tmp_path / "pool", judges=[judge_by(eager, "eager")], replies=len(idle))
    assert not done["tasks"]
    assert not asked
    assert "NOT MET: formal quality" in done["sessions"][0]["reason"]


def test_scores_that_cannot_be_read_are_asked_for_once_more(tmp_path: Path) -> None:
    heard: list[str] = []

    def mumbling(messages: list[ChatMessage]) -> str:
        heard.append(messages[-1].text)
        return "Rather good, I think.\nReally." if len(heard) == 1 else ballot_of(8)

    found = assess(["cup"], [judge_by(mumbling, "mumbling")], log_dir=tmp_path)
    assert found["tasks"][0]["passes"]
    assert len(heard) == 2
    assert "That could not be read: the reply is not JSON. Please score once more." in heard[1]


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("ten out of ten", "the reply is not JSON"),
        (ballot_of(11), "clarity is 11; expected a whole number from 0 to 10"),
        (json.dumps(dict.fromkeys(CRITERIA, 5)), "expected clarity and clarity_reason"),
        ("{}", "the reply has nothing"),
    ],
)
def test_a_judge_that_cannot_be_read_does_not_pass_a_task(tmp_path: Path, reply: str, problem: str) -> None:
    found = assess(["cup"], [MILD, judge_by(lambda _: reply, "odd")], log_dir=tmp_path)
    (one,) = found["tasks"]
    assert not one["passes"]
    assert [bool(ballot["problem"]) for ballot in one["ballots"]] == [False, True]
    assert problem in one["ballots"][1]["problem"]
    assert found["agreement"]["unreadable"] == 1


def test_judges_see_the_task_as_people_do_and_not_its_solution(tmp_path: Path) -> None:
    heard: list[list[ChatMessage]] = []

    def curious(messages: list[ChatMessage]) -> str:
        heard.append(messages)
        return ballot_of(7)

    assess(["cup"], [judge_by(curious, "curious")], log_dir=tmp_path)
    rubric, question = (message.text for message in heard[0][:2])
    assert all(f"\n{name}: " in rubric for name in CRITERIA)
    assert "Proved depth: 1" in question
    assert "You are Ann." in question
    assert "# Goal" in question
    assert "policy" not in question


def test_votes_on_files_are_resumed_and_nothing_is_asked_twice(tmp_path: Path) -> None:
    asked: list[str] = []

    def counting(messages: list[ChatMessage]) -> str:
        asked.append(messages[1].text)
        return ballot_of(8)

    for _ in range(2):
        found = assess(["cup", "message-1"], [judge_by(counting, "one")], log_dir=tmp_path)
        assert [one["task"] for one in found["tasks"]] == ["cup", "message-1"]
    assert len(asked) == 2


def test_the_command_prints_scores_and_agreement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hard = judge_by(lambda messages: ballot_of(3 if "message" in messages[1].text else 9), "hard")
    line = ("audit", "tasks", "cup", "message-1", "--judges", "mockllm/mild,mockllm/hard", "--out", tmp_path)
    with resolved_to(monkeypatch, mild=MILD, hard=hard):
        shown, plain = run(*line), run(*line, "--json")
    assert shown.exit_code == 0, shown.output
    assert "passed by every judge" in shown.stdout
    assert "agreement of the judges over 2 votes (Cohen's kappa)" in shown.stdout
    found = json.loads(plain.stdout)
    assert set(found) == {"tasks", "agreement", "log", "tokens_in", "tokens_out"}


@pytest.mark.parametrize(
    ("tasks", "judges", "message"),
    [
        (["cup"], 0, "no judge"),
        (["cup", "cup"], 1, "listed twice"),
        ([], 1, "no task"),
        (["cpu"], 1, "did you mean 'cup'"),
    ],
)
def test_wrong_councils_are_refused(tasks: list[str], judges: int, message: str) -> None:
    with pytest.raises(UserError, match=message):
        enacttom_council(tasks, judges)


def test_the_documentation_shows_the_rubric_that_is_used() -> None:
    page = (ROOT / "docs" / "howto" / "author_tasks.md").read_text("utf-8")
    rubric = load_rubric()["rubric"].text
    lines = [line for line in rubric.splitlines() if line.partition(":")[0] in CRITERIA]
    assert [line.partition(":")[0] for line in lines] == list(CRITERIA)
    for line in lines:
        name, _, text = line.partition(": ")
        assert f"| {name} | {text} |" in page
    assert f"at least {LEAST}" in page
    assert f"at least {LEAST_MEAN}" in page
