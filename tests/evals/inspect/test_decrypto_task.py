"""Language models at the table of Decrypto through Inspect, played by scripts."""

from __future__ import annotations

from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai")

from inspect_ai._util.registry import registry_lookup
from inspect_ai.log import read_eval_log
from inspect_ai.model import ChatMessage, ContentReasoning, ContentText, Model, ModelOutput, get_model

from otherminds.core.episodes import read_episodes
from otherminds.core.errors import UserError
from otherminds.evals.inspect import decrypto_run as run
from otherminds.evals.inspect.decrypto import decrypto
from otherminds.evals.inspect.decrypto_schema import response_schema
from otherminds.evals.inspect.decrypto_words import phrasings
from otherminds.evals.inspect.records import episodes_of, write_records
from otherminds.evals.inspect.run import plan, run_tasks
from otherminds.evals.inspect.templates import FOLDER
from otherminds.players.decrypto.match import play
from otherminds.players.decrypto.replies import Wanted
from otherminds.worlds.decrypto.bank import keyword_bank
from otherminds.worlds.decrypto.record import play_again
from tests.evals.inspect.models import output_of, scripted
from tests.evals.inspect.table import GARBAGE, guess, played


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
