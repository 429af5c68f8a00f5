"""Language models at the table of Decrypto through Inspect, played by scripts."""

from __future__ import annotations

import json
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import anyio
import anyio.to_thread
import pytest

pytest.importorskip("inspect_ai")

from inspect_ai import task_with
from inspect_ai._util.registry import registry_lookup
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import ChatMessage, ContentReasoning, ContentText, Model, ModelCall, ModelOutput, get_model

from otherminds.core.episodes import read_episodes
from otherminds.core.errors import UserError
from otherminds.evals.inspect import decrypto_run as run
from otherminds.evals.inspect.calls import caller
from otherminds.evals.inspect.decrypto import decrypto
from otherminds.evals.inspect.decrypto_schema import response_schema
from otherminds.evals.inspect.decrypto_words import phrasings
from otherminds.evals.inspect.records import episodes_of, write_records
from otherminds.evals.inspect.run import plan, run_tasks
from otherminds.evals.inspect.templates import FOLDER
from otherminds.players.conversation import Conversation, Message
from otherminds.players.decrypto.match import play
from otherminds.players.decrypto.replies import Wanted
from otherminds.worlds.decrypto.bank import keyword_bank
from otherminds.worlds.decrypto.record import play_again
from tests.evals.inspect.models import output_of, scripted

SMALL: dict[str, Any] = {"games": 2, "seed": 3, "attempts": 2}
GARBAGE = "I would rather not."


def guess(messages: list[ChatMessage]) -> str:
    """Any code that was not played yet; hints that say nothing; no belief."""
    told = messages[-1].text
    if '"hints"' in told:
        turn = sum(message.role == "assistant" for message in messages)
        return f'ANSWER: {{"hints": ["aa{"bcdefghi"[turn]}", "bb{"bcdefghi"[turn]}", "cc{"bcdefghi"[turn]}"]}}'
    if '"keywords"' in told:
        return 'ANSWER: {"keywords": ["a", "b", "c", "d"]}'
    return 'ANSWER: {"chance": 0.5}' if '"chance"' in told else 'ANSWER: {"guess": "1-2-3"}'


def played(tmp_path: Path, models: dict[str, Model], **options: Any) -> tuple[run.Evaluated, list[EvalSample], EvalLog]:
    seats = {role: models.get(role, options.pop(role, "glove")) for role in ("alice", "bob", "eve")}
    (done,) = run.evaluate_decrypto(**seats, log_dir=tmp_path / "logs", **{**SMALL, **options})
    log = read_eval_log(done.log)
    return done, log.samples or [], log


def test_a_game_is_played_recorded_and_scored(tmp_path: Path) -> None:
    done, samples, log = played(tmp_path, {"eve": scripted(guess)})
    assert [sample.id for sample in samples] == ["decrypto-3", "decrypto-4"]
    path = tmp_path / "games.jsonl"
    assert write_records([log], path) == 2
    assert write_records([log], path) == 0  # they are there
    episodes = read_episodes(path)
    assert episodes[0].players == ["glove", "glove", "mockllm/model"]
    states = [play_again(episode).states[-1] for episode in episodes]
    turns = sum(len(state.turns) for state in states)
    assert done.metrics["turns"] == turns / 2
    caught = sum(turn.is_intercepted for state in states for turn in state.turns)
    assert done.metrics["intercepted"] == pytest.approx(caught / turns)
    assert done.metrics["decoded"] == 1.0
    assert done.metrics["eve_validity"] == 1.0
    assert done.metrics["ended_by_miscommunication"] == 0.0
    assert done.metrics["hints_against_rules"] is not None
    exchanges = episodes[0].notes["exchanges"]
    assert [one["reply"] for one in exchanges] == ['ANSWER: {"guess": "1-2-3"}'] * len(episodes[0].turns)


def test_each_role_may_have_a_model_of_its_own(tmp_path: Path) -> None:
    heard: dict[str, list[str]] = {"alice": [], "bob": [], "eve": []}

    def of(role: str) -> Model:
        def reply(messages: list[ChatMessage]) -> str:
            heard[role].append(messages[0].text)
            return guess(messages)

        return scripted(reply)

    done, samples, log = played(tmp_path, {role: of(role) for role in heard})
    assert all(f"You are {role.capitalize()}" in text for role, texts in heard.items() for text in texts)
    assert all(heard.values())
    assert set(log.eval.model_roles or {}) == {"alice", "bob", "eve"}
    events = [event for sample in samples for event in sample.events if event.event == "model"]
    assert {event.role for event in events} == {"alice", "bob", "eve"}
    assert done.players == dict.fromkeys(heard, "mockllm/model")


def test_the_same_seeds_deal_the_same_games_as_without_models(tmp_path: Path) -> None:
    from otherminds.players.decrypto.find import find_seat
    from otherminds.worlds.decrypto.world import Decrypto

    _, _, log = played(tmp_path, {"eve": scripted(lambda messages: GARBAGE)})
    seats = {role: find_seat("glove" if role != "eve" else "uniform", role) for role in ("alice", "bob", "eve")}
    _, episode = play(Decrypto().deal(3), seats)  # type: ignore[arg-type]
    (first, _) = episodes_of(log)
    assert first.start == episode.start
    assert first.turns[0]["hints"] == episode.turns[0]["hints"]


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


def test_all_phrasings_are_played_and_told_apart_and_hashed(tmp_path: Path) -> None:
    eve_heard, bob_heard = [], []

    def eve(messages: list[ChatMessage]) -> str:
        eve_heard.append(messages[0].text)
        return guess(messages)

    def bob(messages: list[ChatMessage]) -> str:
        bob_heard.append(messages[0].text)
        return guess(messages)

    done = run.evaluate_decrypto(
        "glove", scripted(bob), scripted(eve), log_dir=tmp_path / "logs", phrasing="all", games=1, attempts=1
    )
    assert [one.phrasing for one in done] == phrasings()
    assert len(set(bob_heard)) == len(phrasings())
    assert len(set(eve_heard)) == 1
    prompts = (read_eval_log(done[1].log, header_only=True).eval.metadata or {})["prompts"]
    assert f"decrypto/v1/rules_{phrasings()[1]}" in prompts
    for name, digest in prompts.items():
        assert digest == sha256((FOLDER / f"{name}.txt").read_bytes()).hexdigest()


def test_a_finished_run_is_not_played_again_and_another_eve_is_another_run(tmp_path: Path) -> None:
    calls = []

    def counted(messages: list[ChatMessage]) -> str:
        calls.append(1)
        return guess(messages)

    first, *_ = played(tmp_path, {"bob": scripted(counted)})
    number = len(calls)
    again, *_ = played(tmp_path, {"bob": scripted(counted)})
    assert (again.log, len(calls)) == (first.log, number)
    other, *_ = played(tmp_path, {"bob": scripted(counted)}, eve="minilm")
    assert other.log != first.log


def test_a_bank_that_was_edited_is_another_run(tmp_path: Path) -> None:
    """Going on would mix games with the old words and the new."""
    bank = tmp_path / "bank.txt"
    versions = []
    for last in ("doctor", "winter"):
        bank.write_text(f"river\nmusic\nhoney\n{last}\n", "utf-8")
        keyword_bank.cache_clear()
        versions.append(decrypto(games=1, bank=str(bank)).version)
    assert versions[0] != versions[1]


def test_concrete_and_abstract_games_are_told_apart(tmp_path: Path) -> None:
    done, samples, _ = played(tmp_path, {"eve": scripted(guess)}, kind="concrete,abstract", games=1)
    kinds = {sample.id: sample.metadata["keyword_kind"] for sample in samples}
    assert kinds == {"decrypto-concrete-3": "concrete", "decrypto-abstract-3": "abstract"}
    lengths = {sample.metadata["keyword_kind"]: len(sample.store["record"]) - 2 for sample in samples}
    assert done.metrics["concrete_turns"] == lengths["concrete"]
    assert done.metrics["abstract_turns"] == lengths["abstract"]


def test_hints_are_told_apart_by_the_kind_of_their_keyword(tmp_path: Path) -> None:
    done, samples, _ = played(tmp_path, {"eve": scripted(guess)}, games=4)
    placed: dict[str, list[bool]] = {}
    for sample in samples:
        for turn in sample.store["record"][1:-1]:
            for digit, eve in zip(turn["code"], turn["eve"], strict=True):
                placed.setdefault(sample.metadata["keyword_kinds"][digit - 1], []).append(digit == eve)
    assert set(placed) == {"concrete", "abstract"}
    for kind, right in placed.items():
        assert done.metrics[f"{kind}_hints_intercepted"] == pytest.approx(sum(right) / len(right))
        assert done.metrics[f"{kind}_hints_decoded"] == 1.0


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


def test_reasoning_that_comes_apart_from_the_reply_is_kept(tmp_path: Path) -> None:
    def outputs(input: list[ChatMessage], tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
        output = output_of(guess(input))
        text = ContentText(text=guess(input))
        output.choices[0].message.content = [ContentReasoning(reasoning="It smells of rivers."), text]
        return output

    model = get_model("mockllm/model", custom_outputs=outputs, memoize=False)
    _, samples, _ = played(tmp_path, {"eve": model}, games=1)
    record = samples[0].store["record"]
    assert record[1]["thoughts"]["eve"]["reasoning"] == "It smells of rivers."
    assert record[0]["notes"]["exchanges"][0]["reasoning"] == "It smells of rivers."


def test_smarties_runs_with_a_language_model(tmp_path: Path) -> None:
    """It answers the same to all questions: whatever it says, it says before and after the reveal."""
    done, samples, _ = played(tmp_path, {"eve": scripted(guess)}, experiment="smarties", games=1)
    answers = samples[0].store["record"][2]["answers"]
    assert {one["name"] for one in answers} >= {"A", "B", "C"}
    assert all(one["answer"] == ["a", "b", "c", "d"] for one in answers)
    assert (done.metrics["strong RC"], done.metrics["strong FB"], done.metrics["weak RC"]) == (1.0, 1.0, 1.0)
    assert done.metrics["eve_answered"] == 1.0


def test_three_mountains_runs_with_a_language_model(tmp_path: Path) -> None:
    done, samples, _ = played(tmp_path, {"alice": scripted(guess)}, experiment="three_mountains", games=1)
    turns = samples[0].store["record"][1:-1]
    said = [list(turn["answers"][0]["answer"]) == turn["code"] for turn in turns]
    assert done.metrics["predicts the code"] == sum(said) / len(said)
    assert done.metrics["Brier"] == 0.25


def test_interventions_are_told_to_a_language_model_in_one_arm(tmp_path: Path) -> None:
    told: list[str] = []

    def alice(messages: list[ChatMessage]) -> str:
        told.append(messages[-1].text)
        return guess(messages)

    _, samples, _ = played(tmp_path, {"alice": scripted(alice)}, experiment="hide", games=1)
    assert {sample.id for sample in samples} == {"decrypto-3-untold", "decrypto-3-told"}
    blotted = [text for text in told if "was blotted out for Eve" in text]
    assert len(blotted) == 1
    assert all(sample.store["record"][4].get("interventions") for sample in samples)


def test_a_record_names_its_experiment_and_not_where_its_file_lies(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("about: x\ncast: {alice: glove, bob: glove, eve: glove}\nrules: {turns: 1}\n", "utf-8")
    _, _, log = played(tmp_path, {"eve": scripted(guess)}, games=1, experiment=str(mine))
    (episode,) = episodes_of(log)
    assert episode.notes["experiment"] == "mine"


def test_what_is_asked_for_goes_before_the_experiments_rules() -> None:
    usual, strict = decrypto(experiment="hide", games=1), decrypto(experiment="hide", games=1, hints="strict")
    rules = [(task.dataset[0].metadata or {})["rules"] for task in (usual, strict)]
    assert [(one["turns"], one["tokens"], one["hints"]) for one in rules] == [(4, 9, "report"), (4, 9, "strict")]


def test_stored_games_are_replayed_with_one_role_replaced(tmp_path: Path) -> None:
    codes = [[1, 2, 3], [2, 3, 4], [4, 3, 1]]
    turns = [{"code": code, "hints": ["x", "y", "z"], "bob": code, "eve": [4, 2, 1]} for code in codes]
    path = tmp_path / "people.json"
    path.write_text(json.dumps([{"keywords": ["river", "piano", "winter", "doctor"], "turns": turns}]), "utf-8")
    heard: list[str] = []

    def bob(messages: list[ChatMessage]) -> str:
        heard.append(messages[-1].text)
        return guess(messages)

    done, samples, _ = played(
        tmp_path, {"bob": scripted(bob)}, alice="recorded", eve="recorded", replay=str(path), games=1
    )
    assert [sample.id for sample in samples] == ["replay-game-1"]
    record = samples[0].store["record"]
    assert [turn["code"] for turn in record[1:-1]] == codes
    assert [turn["eve"] for turn in record[1:-1]] == [[4, 2, 1]] * 3
    assert record[0]["notes"]["replayed"] == "people.json"
    # The defect of the original: from the third turn on, its history has codes that were never played.
    assert "Codes so far: 1-2-3, 2-3-4" in heard[2]
    assert done.metrics["decoded"] == pytest.approx(1 / 3)
    assert done.metrics["won"] == 0.0


def test_a_schema_leaves_room_for_valid_answers_only() -> None:
    guesses = response_schema(Wanted("guess", 3, 4)).json_schema.properties or {}
    assert len(guesses["guess"].enum or []) == 24
    hints = (response_schema(Wanted("hints", 3)).json_schema.properties or {})["hints"]
    assert list(hints.properties or {}) == hints.required == ["a", "b", "c"]
    chance = (response_schema(Wanted("chance")).json_schema.properties or {})["chance"]
    assert (chance.enum or [])[0] == 0.0
    assert (chance.enum or [])[-1] == 1.0


def test_structured_output_is_asked_for_and_read(tmp_path: Path) -> None:
    def bare(messages: list[ChatMessage]) -> str:
        return '{"guess": "1-2-3"}'

    done, samples, _ = played(tmp_path, {"eve": scripted(bare)}, form="schema", games=1)
    assert done.metrics["eve_validity"] == 1.0
    event = next(event for event in samples[0].events if event.event == "model")
    assert event.config.response_schema is not None
    assert "ANSWER" not in event.input[-1].text


def test_what_a_run_takes_is_counted_before_it_starts() -> None:
    tasks = run.decrypto_tasks("plain,terse", bob="glove", games=4)
    expected = plan(tasks, run.takes, price_in=1.0, price_out=10.0)
    assert (expected.samples, expected.requests) == (8, 8 * 2 * 8)
    assert expected.tokens_in > expected.tokens_out > 0
    asked = plan(run.decrypto_tasks(bob="glove", games=4, experiment="smarties"), run.takes)
    assert asked.requests == 4 * 8 * (2 + 6)
    assert plan(tasks, run.takes, limit=1).samples == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"phrasing": "plane"}, "no phrasing 'plane' in version v1; did you mean 'plain'"),
        ({"prompts": "v9"}, "no prompts of version 'v9'"),
        ({"kind": ","}, "kind is ','; expected all"),
        ({"form": "speech"}, "form 'speech' is not known"),
        ({"games": 0}, "games is 0"),
        ({"attempts": 0}, "attempts is 0"),
        ({"timeout": -1}, "timeout is -1"),
        ({"hints": "rude"}, "hints 'rude'"),
        ({"bob": "gloves"}, "no player 'gloves'"),
        ({"alice": "uniform"}, "cannot be alice"),
        ({"alice": "human"}, "otherminds play decrypto"),
        ({"kind": "solid"}, "no 'solid' keywords"),
        ({"experiment": "smartie"}, "smartie"),
        ({"experiment": "hide", "arm": "tolled"}, "tolled"),
        ({"arm": "told"}, "belongs to no experiment"),
        ({"replay": "nowhere.json"}, "cannot read the games of nowhere.json"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        decrypto(**options)


def test_a_kind_that_is_named_twice_is_played_once() -> None:
    assert [sample.id for sample in decrypto(games=1, kind="concrete, concrete").dataset] == ["decrypto-concrete-0"]


def test_a_table_without_a_language_model_is_refused() -> None:
    with pytest.raises(UserError, match="no role is played by a language model"):
        run.evaluate_decrypto("glove", "glove", "glove")
    with pytest.raises(UserError, match="nobody plays bob"):
        run.evaluate_decrypto("glove", eve="mockllm/model")


def test_the_evaluated_model_fills_roles_without_one(tmp_path: Path) -> None:
    """As ``inspect eval otherminds/decrypto --model …`` does."""
    (log,) = run_tasks([decrypto(games=1, attempts=1)], scripted(guess), log_dir=tmp_path / "logs")
    (episode,) = episodes_of(log)
    assert episode.players == ["mockllm/model"] * 3
    import_module("otherminds.evals.inspect._registry")
    assert registry_lookup("task", "otherminds/decrypto") is not None
