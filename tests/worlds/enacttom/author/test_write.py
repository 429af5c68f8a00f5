"""Language models that write tasks, played by scripts that make every kind of mistake."""

from __future__ import annotations

import json
from contextlib import contextmanager
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai")
pytest.importorskip("clingo")

from inspect_ai.model import ChatMessage, ModelOutput, get_model
from typer.testing import CliRunner

from otherminds.cli.main import make_app
from otherminds.core.errors import UserError
from otherminds.core.registry import entries, find
from otherminds.llm import models
from otherminds.llm.options import ModelOptions
from otherminds.worlds.enacttom.author.pool import Pool
from otherminds.worlds.enacttom.author.session import load_author, within
from otherminds.worlds.enacttom.author.write import author, enacttom_author
from otherminds.worlds.enacttom.tasks.read import read_task
from otherminds.worlds.enacttom.verify.certify import fault_of
from tests.llm.scripts import output_of
from tests.llm.test_model_calls_faults import texts_in
from tests.worlds.enacttom.author.authoring import (
    FINISH,
    GOAL,
    GOOD,
    OTHER,
    STRAIGHT,
    Call,
    answers,
    author_by,
    author_of,
    log_of,
    written,
)


def test_the_hash_of_every_prompt_is_in_the_log(tmp_path: Path) -> None:
    log = log_of(written(tmp_path, author_of([]), replies=1))
    used = (log.eval.metadata or {})["prompts"]
    assert used == {prompt.name: prompt.sha256 for prompt in load_author().values()}
    assert "enacttom/author/v1/rules" in used


def test_a_task_that_was_changed_after_its_proof_is_not_judged(tmp_path: Path) -> None:
    script = [*STRAIGHT[:-1], ("write_task", GOOD.replace("horizon: 7", "horizon: 8")), ("judge", "")]
    done = written(tmp_path, author_of(script), replies=len(script))
    assert "the current task has not been verified" in answers(done)[-1]
    assert not done["tasks"]


def test_the_same_command_continues_with_another_brief_until_the_pool_is_full(tmp_path: Path) -> None:
    heard: list[str] = []

    def shy(messages: list[ChatMessage]) -> Call:
        heard.append(messages[1].text)
        return "", "I would rather not."

    first = written(tmp_path, author_by(shy), replies=1)
    assert [(one["session"], one["reason"]) for one in first["sessions"]] == [(1, "no tool was used")]
    second = written(tmp_path, author_by(shy), replies=1)
    assert [one["session"] for one in second["sessions"]] == [2]
    assert heard[0] != heard[1]
    third = written(tmp_path, author_of(STRAIGHT))
    assert [one["session"] for one in third["sessions"]] == [3]
    assert (third["found"], len(third["tasks"])) == (0, 1)
    fourth = written(tmp_path, author_by(shy))
    assert (fourth["found"], len(fourth["tasks"]), fourth["sessions"], fourth["logs"]) == (1, 1, [], [])
    assert len(heard) == 2


def test_a_pool_is_full_whichever_slots_its_tasks_have(tmp_path: Path) -> None:
    pool = Pool(tmp_path)
    assert pool.missing(2) == ["authored-1", "authored-2"]
    for name in ("authored-2", "authored-10", "other-1", "authored-x"):
        pool.file(name).touch()
    assert [path.stem for path in pool.files()] == ["authored-2", "authored-10"]
    assert pool.missing(2) == []
    assert pool.missing(4) == ["authored-1", "authored-3"]


def test_the_seed_decides_the_briefs() -> None:
    def briefs(seed: int) -> list[str]:
        return [sample.input[1].text for sample in enacttom_author(number=3, out="nowhere", seed=seed).dataset]  # type: ignore[union-attr]

    assert briefs(0) == briefs(0)
    assert len({*briefs(0), *briefs(1)}) == 6


def test_two_authors_cannot_write_the_same_task_into_a_pool(tmp_path: Path) -> None:
    done = written(tmp_path, author_of(STRAIGHT), 2, replies=len(STRAIGHT))
    assert len(done["tasks"]) == 1
    (lost,) = [one for one in done["sessions"] if not one["is_kept"]]
    assert "of the pool" in lost["reason"]


def test_an_author_starts_from_a_task_and_does_not_copy_it(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(f"id: mine\n{OTHER}goal: {GOAL}\n", "utf-8")
    script = [("write_goal", GOAL), ("write_task", OTHER), ("check", ""), ("write_task", GOOD), *FINISH]
    done = written(tmp_path, author_of(script), like=str(tmp_path / "mine.yaml"))
    assert "the task 'mine' that you started from" in answers(done)[2]
    (sample,) = log_of(done).samples or []
    assert "console: {kind: surface, room: landing}" in sample.messages[1].text
    assert done["tasks"][0]["lineage"]["parent"]["id"] == "mine"


def test_models_without_tools_are_held_to_a_form(tmp_path: Path) -> None:
    seen: list[tuple[list[ChatMessage], Any, Any]] = []
    script: list[str] = ["write_goal, of course", *(json.dumps({"tool": t, "content": c}) for t, c in STRAIGHT)]

    def outputs(input: list[ChatMessage], tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
        seen.append((input, tools, config.response_schema))
        return output_of(script[len(seen) - 1])

    model = get_model("mockllm/model", custom_outputs=outputs, memoize=False)
    done = written(tmp_path, model, form="structured")
    assert len(done["tasks"]) == 1
    assert all(not tools and schema is not None for _, tools, schema in seen)
    last = seen[-1][0]
    assert {message.role for message in last} == {"system", "user", "assistant"}
    assert "Reply with a JSON object" in last[0].text
    assert any("That could not be read: the reply is not JSON." in message.text for message in last)
    assert last[-1].text.startswith("It is solvable at depth 1")


def test_rules_and_brief_stay_when_the_conversation_is_cut() -> None:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

    rules, brief = ChatMessageSystem(content="rules"), ChatMessageUser(content="brief")
    talk = [
        part for at in range(4) for part in (ChatMessageAssistant(content=f"{at}" * 10), ChatMessageUser(content="ok"))
    ]
    whole = [rules, brief, *talk]
    assert within(whole, None, None) == whole
    assert within(whole, 2, None) == [rules, brief, *talk[-4:]]
    assert within(whole, 0, None) == [rules, brief]
    assert within(whole, None, 10 + 3 * 12) == [rules, brief, *talk[-6:]]
    assert within(whole, None, 1) == [rules, brief, *talk[-2:]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"number": 0}, "number is 0; expected at least 1"),
        ({"replies": 0}, "replies is 0"),
        ({"like": "cupp"}, "did you mean 'cup'"),
        ({"prompts": "v9"}, "no prompts of version 'v9'"),
        ({"form": "poem"}, "--form is 'poem'"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        enacttom_author(**{"out": "nowhere", **options})


def test_a_judge_who_is_named_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="named twice"):
        written(tmp_path, author_of([]), judges=["mockllm/a", "mockllm/a"])


def test_inspect_finds_the_tasks() -> None:
    names = [entry.name for entry in entries("inspect task", "enacttom")]
    assert names == ["enacttom_author", "enacttom_council"]
    for name in names:  # Inspect passes parameters by name, and its own too where any name is taken
        taken = signature(find("inspect task", name).load()).parameters.values()
        assert {"judges", "memory", "prompts"} <= {part.name for part in taken}
        assert all(part.kind is not Parameter.VAR_KEYWORD for part in taken)
    assert ModelOptions().timeout < 600  # authors have more time, since their replies are long


def run(*words: str | Path | int) -> Any:
    return CliRunner().invoke(make_app(), list(map(str, words)))


@contextmanager
def resolved_to(monkeypatch: pytest.MonkeyPatch, **scripts: Any) -> Any:
    @contextmanager
    def resolved(model: Any, config: Any) -> Any:
        yield scripts[model.partition("/")[2]]

    monkeypatch.setattr(models, "resolved", resolved)
    yield


def test_the_command_writes_and_reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = ("author", "enacttom", "--model", "mockllm/model", "--out", tmp_path / "pool", "--replies", 8)
    with resolved_to(monkeypatch, model=author_of(STRAIGHT)):
        done = run(*line, "--number", 2)
        again = run(*line, "--json")
    assert done.exit_code == 0, done.output
    assert "1 of 2 tasks in" in done.stdout
    assert "Run the same command again to continue." in done.stdout
    assert "not kept; replies used: 8; last problem:" in done.stdout
    assert "at most 16 requests" in done.stderr
    report = json.loads(again.stdout)
    assert (report["wanted"], report["found"], len(report["tasks"])) == (1, 1, 1)
    assert run("verify", report["tasks"][0]["file"]).exit_code == 0


def test_a_model_that_costs_something_is_confirmed(tmp_path: Path) -> None:
    found = run("author", "enacttom", "--model", "openai/gpt-5", "--out", tmp_path / "pool", "--price-in", 1)
    assert found.exit_code != 0
    assert "use --yes to start" in str(found.exception)
    assert "at these prices" in found.stderr


KEY = "sk-do-not-write-me-anywhere-0123456789"


def test_no_file_holds_a_key_that_a_provider_quotes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(messages: list[ChatMessage]) -> Call:
        if len(messages) < 3:
            return "write_goal", GOAL
        raise RuntimeError(f"401: the key {KEY} is not known")

    monkeypatch.setenv("SOME_PROVIDER_API_KEY", KEY)
    monkeypatch.chdir(tmp_path)
    with resolved_to(monkeypatch, model=author_by(refuses)):
        found = run("author", "enacttom", "--model", "mockllm/model", "--number", 2)
    assert "the key [hidden] is not known" in str(found.exception)
    texts = texts_in(tmp_path)
    assert any(b"401: the key [hidden] is not known" in text for text in texts)
    assert not any(KEY.encode() in text for text in texts)
    assert KEY not in found.stdout + found.stderr


def test_a_key_that_a_model_repeats_is_hidden_in_the_pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_PROVIDER_API_KEY", KEY)
    script = [("write_goal", GOAL), ("write_task", GOOD.replace("Medicine", KEY)), *FINISH]
    done = written(tmp_path, author_of(script))
    assert done["tasks"][0]["title"] == "[hidden] for the guest"
    assert fault_of(read_task(done["tasks"][0]["file"])) == ""
    failed = author("mockllm/model", out=tmp_path / "other", replies=1)
    assert not failed["tasks"]
    for path in (tmp_path / "pool").glob("*.*l"):
        assert KEY not in path.read_text("utf-8")
