"""What goes wrong with language models at the table of Decrypto: it costs an attempt, and tells no secrets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import anyio
import anyio.to_thread
import pytest

pytest.importorskip("inspect_ai")

from inspect_ai import task_with
from inspect_ai.model import ChatMessage, ModelCall, ModelOutput, get_model

from otherminds.evals.inspect import decrypto_run as run
from otherminds.evals.inspect.calls import caller
from otherminds.evals.inspect.decrypto import decrypto
from otherminds.evals.inspect.records import episodes_of, write_records
from otherminds.evals.inspect.run import run_tasks
from otherminds.players.conversation import Conversation, Message
from otherminds.players.decrypto.replies import Wanted
from tests.evals.inspect.models import output_of, scripted
from tests.evals.inspect.table import GARBAGE, guess, played


@pytest.mark.parametrize(
    "reply", [GARBAGE, "", 'ANSWER: {"hints": ["a", "b", "c"]}'], ids=["garbage", "nothing", "wrong kind"]
)
def test_a_model_that_does_not_answer_costs_its_turns_and_is_counted(tmp_path: Path, reply: str) -> None:
    done, samples, _ = played(tmp_path, {"bob": scripted(lambda messages: reply)})
    assert done.metrics["bob_validity"] == 0.0
    assert done.metrics["bob_attempts"] == 2.0
    assert done.metrics["eve_validity"] == done.metrics["alice_validity"] == 1.0
    assert done.metrics["turns"] == 2.0
    assert done.metrics["ended_by_miscommunication"] == 1.0
    assert not any(sample.error for sample in samples)


def test_an_alice_who_says_nothing_breaks_no_rule_of_hints(tmp_path: Path) -> None:
    done, _, _ = played(tmp_path, {"alice": scripted(lambda messages: GARBAGE)}, games=1)
    assert done.metrics["alice_validity"] == 0.0
    assert done.metrics["hints_against_rules"] is None


def test_an_exception_in_a_call_costs_the_attempt(tmp_path: Path) -> None:
    calls = []

    def fails(messages: list[ChatMessage]) -> str:
        calls.append(1)
        if len(calls) % 2:
            raise RuntimeError("the line is dead")
        return guess(messages)

    done, samples, _ = played(tmp_path, {"eve": scripted(fails)}, games=1)
    assert done.metrics["eve_validity"] == 1.0
    assert done.metrics["eve_attempts"] == 2.0
    (problem, *_) = [one["problem"] for one in samples[0].store["record"][0]["notes"]["exchanges"] if one["problem"]]
    assert "RuntimeError: the line is dead" in problem


def test_a_model_that_hangs_costs_the_attempt(tmp_path: Path) -> None:
    asked = []

    async def hangs(input: list[ChatMessage], tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
        asked.append(1)
        if len(asked) == 1:
            await anyio.sleep_forever()
        return output_of(guess(input))

    model = get_model("mockllm/model", custom_outputs=hangs, memoize=False)
    done, samples, _ = played(tmp_path, {"eve": model}, games=1, timeout=1)
    record = samples[0].store["record"]
    assert record[1]["attempts"]["eve"] == 2
    assert record[0]["notes"]["exchanges"][0]["reply"] is None
    assert "the call failed" in record[0]["notes"]["exchanges"][0]["problem"]
    assert done.metrics["eve_validity"] == 1.0


def test_keys_are_never_written_even_if_an_error_quotes_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = "sk-do-not-write-me-anywhere-0123456789"
    monkeypatch.setenv("SOME_PROVIDER_API_KEY", key)

    def refuses(messages: list[ChatMessage]) -> str:
        try:
            raise ValueError({"header": f"Bearer {key}"})
        except ValueError as error:
            raise RuntimeError(f"401: the key {key} is not known") from error

    done, _, log = played(tmp_path, {"eve": scripted(refuses)}, games=1)
    write_records([log], tmp_path / "games.jsonl")
    texts = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    for path in tmp_path.rglob("*.eval"):
        with ZipFile(path) as log_file:
            texts += [log_file.read(name) for name in log_file.namelist()]
    assert any(b"401: the key [hidden] is not known" in text for text in texts)
    assert not any(key.encode() in text for text in texts)
    assert key not in json.dumps(done.to_json())


def test_keys_are_hidden_where_a_provider_returns_its_error_with_what_was_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "sk-do-not-write-me-anywhere-9876543210"
    monkeypatch.setenv("SOME_PROVIDER_TOKEN", key)
    model = scripted(guess)

    async def refuses(*args: Any, **kwargs: Any) -> Any:
        return RuntimeError(f"no {key}"), ModelCall(request={"headers": [{"key": key}]}, response={"error": key})

    monkeypatch.setattr(model.api, "generate", refuses)
    _, samples, _ = played(tmp_path, {"eve": model}, games=1, attempts=1)
    assert "[hidden]" in samples[0].model_dump_json()
    assert key not in samples[0].model_dump_json()


def test_a_limit_ends_the_game_and_is_no_players_fault(tmp_path: Path) -> None:
    task = task_with(decrypto(games=1), token_limit=5)
    (log,) = run_tasks([task], scripted(guess), log_dir=tmp_path / "logs")
    (sample,) = log.samples or []
    assert sample.limit is not None
    assert not sample.store.get("record")
    assert episodes_of(log) == []
    assert run.evaluated(log).games == 0


def test_a_cancelled_game_stops_at_once() -> None:
    """Were it taken for a fault of the model, the game would go on with defaults after it was cancelled."""
    seen: list[str] = []

    async def hangs(input: list[ChatMessage], tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
        started.set()
        await anyio.sleep_forever()
        raise AssertionError

    def game() -> None:
        try:
            ask(Conversation([Message("user", "?")], Wanted("guess", 3, 4)))
        except Exception:
            seen.append("a fault")
        except BaseException:
            seen.append("stopped")
            raise

    async def main() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(anyio.to_thread.run_sync, game)
            await started.wait()
            group.cancel_scope.cancel()

    started = anyio.Event()
    ask = caller(get_model("mockllm/model", custom_outputs=hangs, memoize=False))
    anyio.run(main)
    assert seen == ["stopped"]
