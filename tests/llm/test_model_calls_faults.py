"""What goes wrong with language models at a table: it costs an attempt, and tells no secrets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import anyio
import anyio.to_thread
import pytest

pytest.importorskip("inspect_ai")

from coin_in_the_box.world import Coin
from inspect_ai import task_with
from inspect_ai.model import ChatMessage, ModelCall, ModelOutput, get_model

from otherminds.core.errors import UserError
from otherminds.llm.model_calls import language_mind
from otherminds.llm.options import ModelOptions
from otherminds.llm.run import episodes_of, run_task
from otherminds.llm.task import make_task
from otherminds.minds.language import NO_ANSWER, Conversation, Message
from tests.llm.scripts import obedient, output_of, scripted
from tests.llm.table import SMALL, WORLD, played

OTHERS = {"ben": "tracker", "cas": "tracker"}
GARBAGE = "I would rather not.\nReally."


@pytest.mark.parametrize("reply", [GARBAGE, "", "ANSWER: leap"], ids=["garbage", "nothing", "not an option"])
def test_a_model_that_does_not_answer_costs_its_turns_and_is_counted(tmp_path: Path, reply: str) -> None:
    done, log = played(tmp_path, {"ann": scripted(lambda _: reply), **OTHERS}, episodes=1)
    (episode,) = done.episodes
    assert episode.validity["ann"] == {"asks": 3, "attempts": 6, "failures": 3}
    assert episode.validity["ben"]["failures"] == 0
    assert not any(sample.error for sample in log.samples or [])
    assert all(one["problem"] for one in episode.exchanges)


def test_a_complaint_says_what_was_wrong_and_a_mended_exchange_is_forgotten(tmp_path: Path) -> None:
    heard: list[list[str]] = []

    def hesitant(messages: list[ChatMessage]) -> str:
        heard.append([message.text for message in messages])
        return obedient(messages) if len(heard) % 2 == 0 else "ANSWER: leap"

    done, _ = played(tmp_path, {"ann": scripted(hesitant), **OTHERS}, episodes=1)
    assert done.episodes[0].validity["ann"] == {"asks": 3, "attempts": 6, "failures": 0}
    assert len(heard[1]) == 4
    assert "'leap'" in heard[1][-1]
    assert not any("leap" in text for text in heard[2])


def test_what_was_told_stays_where_no_answer_was_taken(tmp_path: Path) -> None:
    """The next message may tell only the news."""
    heard: list[list[str]] = []

    def silent(messages: list[ChatMessage]) -> str:
        heard.append([message.text for message in messages])
        return GARBAGE

    played(tmp_path, {"ann": scripted(silent), **OTHERS}, episodes=1)
    act, probe = heard[0], heard[2]
    assert probe[1:3] == [act[1], NO_ANSWER]
    assert len(probe) == 4


def test_an_exception_in_a_call_costs_the_attempt(tmp_path: Path) -> None:
    calls = []

    def fails(messages: list[ChatMessage]) -> str:
        calls.append(1)
        if len(calls) % 2:
            raise RuntimeError("the line is dead")
        return obedient(messages)

    done, _ = played(tmp_path, {"ann": scripted(fails), **OTHERS}, episodes=1)
    assert done.episodes[0].validity["ann"] == {"asks": 3, "attempts": 6, "failures": 0}
    problems = [one["problem"] for one in done.episodes[0].exchanges if "problem" in one]
    assert "RuntimeError: the line is dead" in problems[0]


def test_a_model_that_hangs_costs_the_attempt(tmp_path: Path) -> None:
    asked = []

    async def hangs(input: list[ChatMessage], tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
        asked.append(1)
        if len(asked) == 1:
            await anyio.sleep_forever()
        return output_of(obedient(input))

    model = get_model("mockllm/model", custom_outputs=hangs, memoize=False)
    done, _ = played(tmp_path, {"ann": model, **OTHERS}, episodes=1, timeout=1)
    (episode,) = done.episodes
    assert episode.validity["ann"] == {"asks": 3, "attempts": 4, "failures": 0}
    assert episode.exchanges[0]["reply"] is None
    assert "the call failed" in episode.exchanges[0]["problem"]


def texts_in(folder: Path) -> list[bytes]:
    """All that is written below a folder, logs unpacked."""
    texts = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
    for path in folder.rglob("*.eval"):
        with ZipFile(path) as log_file:
            texts += [log_file.read(name) for name in log_file.namelist()]
    return texts


def test_keys_are_never_written_even_if_an_error_quotes_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = "sk-do-not-write-me-anywhere-0123456789"
    monkeypatch.setenv("SOME_PROVIDER_API_KEY", key)

    def refuses(messages: list[ChatMessage]) -> str:
        try:
            raise ValueError({"header": f"Bearer {key}"})
        except ValueError as error:
            raise RuntimeError(f"401: the key {key} is not known") from error

    seats = {"ann": scripted(refuses), "ben": scripted(refuses), "cas": "tracker"}
    done, _ = played(tmp_path, seats, episodes=1, method="notes", record=tmp_path / "coin.jsonl")
    texts = texts_in(tmp_path)
    assert any(b"401: the key [hidden] is not known" in text for text in texts)
    assert not any(key.encode() in text for text in texts)
    assert key not in json.dumps([done.summary, done.extra()])


def test_keys_are_hidden_where_a_provider_returns_its_error_with_what_was_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "sk-do-not-write-me-anywhere-9876543210"
    monkeypatch.setenv("SOME_PROVIDER_TOKEN", key)
    model = scripted(obedient)

    async def refuses(*args: Any, **kwargs: Any) -> Any:
        return RuntimeError(f"no {key}"), ModelCall(request={"headers": [{"key": key}]}, response={"error": key})

    monkeypatch.setattr(model.api, "generate", refuses)
    _, log = played(tmp_path, {"ann": model, **OTHERS}, episodes=1, attempts=1)
    assert "[hidden]" in (log.samples or [])[0].model_dump_json()
    assert not any(key.encode() in text for text in texts_in(tmp_path))


def test_a_limit_ends_the_episode_and_is_nobodys_fault(tmp_path: Path) -> None:
    task = task_with(make_task(WORLD, set=SMALL, episodes=1), token_limit=5)
    log = run_task(task, dict.fromkeys(Coin.seats, scripted(obedient)), log_dir=tmp_path / "logs")
    (sample,) = log.samples or []
    assert sample.limit is not None
    assert not sample.store.get("record")
    assert episodes_of(log) == []


def test_a_faulty_prompt_stops_the_run_and_is_named(tmp_path: Path) -> None:
    own = tmp_path / "turn.txt"
    own.write_text("{veiw} {format}", "utf-8")
    with pytest.raises(UserError, match=r"did not finish \(.*has the unknown field \{veiw\}"):
        played(tmp_path, {"ann": scripted(obedient), **OTHERS}, prompts=str(own))


def test_a_cancelled_episode_stops_at_once() -> None:
    """Were it taken for a fault of the model, the episode would go on with defaults after it was cancelled."""
    seen: list[str] = []

    async def hangs(input: list[ChatMessage], tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
        started.set()
        await anyio.sleep_forever()
        raise AssertionError

    def episode() -> None:
        try:
            ask(Conversation([Message("user", "?")], first))
        except Exception:
            seen.append("a fault")
        except BaseException:
            seen.append("stopped")
            raise

    async def main() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(anyio.to_thread.run_sync, episode)
            await started.wait()
            group.cancel_scope.cancel()

    (first,) = Coin().open(0).asks()
    started = anyio.Event()
    model = get_model("mockllm/model", custom_outputs=hangs, memoize=False)
    ask = language_mind("mockllm/model", model, Coin(), ModelOptions()).call
    anyio.run(main)
    assert seen == ["stopped"]
