"""Language models at the table of Decrypto, played by scripts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai")

from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import ChatMessage

from otherminds.core.episodes import read_episodes
from otherminds.core.errors import UserError
from otherminds.core.match import play_one
from otherminds.llm.cost import estimate
from otherminds.llm.model_calls import held_to
from otherminds.llm.prompts import load_prompts, phrasings
from otherminds.llm.run import Evaluated, evaluate
from otherminds.llm.task import TASKS
from otherminds.minds.find import minds_for
from otherminds.worlds.decrypto.words.lexicon import keyword_bank
from otherminds.worlds.decrypto.world import Decrypto
from tests.llm.scripts import scripted

decrypto = TASKS["decrypto"]

GARBAGE = "I would rather not.\nReally."
ROLES = ("alice", "bob", "eve")


def guess(messages: list[ChatMessage]) -> str:
    """Any code that was not played yet; hints that say nothing; no belief."""
    told = messages[-1].text
    if '"hints"' in told:
        turn = sum(message.role == "assistant" for message in messages)
        return f'ANSWER: {{"hints": ["aa{"bcdefghi"[turn]}", "bb{"bcdefghi"[turn]}", "cc{"bcdefghi"[turn]}"]}}'
    if '"keywords"' in told:
        return 'ANSWER: {"keywords": ["a", "b", "c", "d"]}'
    return 'ANSWER: {"chance": 0.5}' if '"chance"' in told else 'ANSWER: {"guess": "1-2-3"}'


def played(tmp_path: Path, models: dict[str, Any], **options: Any) -> tuple[Evaluated, EvalLog]:
    seats = {role: models.get(role, "glove") for role in ROLES}
    settings = options.pop("settings", {})
    how = {"episodes": 2, "seed": 3, "attempts": 2, **options}
    done = evaluate("decrypto", settings, seats, log_dir=tmp_path / "logs", **how)
    return done, read_eval_log(done.logs[0])


def test_a_game_is_played_recorded_and_scored(tmp_path: Path) -> None:
    done, log = played(tmp_path, {"eve": scripted(guess)}, record=tmp_path / "games.jsonl")
    assert [sample.id for sample in log.samples or []] == ["decrypto-3", "decrypto-4"]
    assert log.eval.task == "otherminds/decrypto"
    episodes = read_episodes(tmp_path / "games.jsonl")
    assert list(episodes[0].minds.values()) == ["glove", "glove", "mockllm/model"]
    states = [Decrypto().replay(episode).states[-1] for episode in episodes]
    turns = sum(len(state.turns) for state in states)
    assert done.summary["turns"] == turns / 2
    caught = sum(turn.is_intercepted for state in states for turn in state.turns)
    assert done.summary["intercepted"] == pytest.approx(caught / turns)
    assert done.summary["decoded"] == 1.0
    assert done.summary["eve_valid"] == 1.0
    assert done.summary["miscommunications"] == 0.0
    assert done.summary["alice_hints_within_rules"] is not None
    replies = [one["reply"] for one in episodes[0].exchanges]
    assert replies == ['ANSWER: {"guess": "1-2-3"}'] * len(episodes[0].turns)


def test_the_same_seeds_deal_the_same_games_as_without_models(tmp_path: Path) -> None:
    done, _ = played(tmp_path, {"eve": scripted(lambda _: GARBAGE)}, episodes=1)
    world = Decrypto()
    alone = play_one(world.open(3), minds_for(world, dict.fromkeys(ROLES, "glove")))
    assert done.episodes[0].start == alone.start
    assert done.episodes[0].turns[0]["hints"] == alone.turns[0]["hints"]


def test_phrasings_are_told_apart_and_eve_s_never_changes() -> None:
    world = Decrypto()
    names = phrasings(world)
    assert names[0] == "plain"
    assert len(names) == 5
    words = [load_prompts(world, phrasing=name) for name in names]
    for role in ("rules", "role_alice", "role_bob"):
        assert len({one[role].text for one in words}) == len(names)
    for role in ("rules_eve", "role_eve"):
        assert len({one[role].text for one in words}) == 1
    made = [decrypto(seats="alice=glove,bob=glove", episodes=1, phrasing=name) for name in names]
    assert len({one.version for one in made}) == len(names)
    assert "decrypto/v1/spies/rules" in (made[names.index("spies")].metadata or {})["prompts"]


def test_a_bank_that_was_edited_is_another_run(tmp_path: Path) -> None:
    """Going on would mix games with the old words and the new."""
    bank = tmp_path / "bank.txt"
    versions = []
    for last in ("doctor", "winter"):
        bank.write_text(f"river\nmusic\nhoney\n{last}\n", "utf-8")
        keyword_bank.cache_clear()
        versions.append(decrypto(episodes=1, set={"bank": str(bank)}).version)
    assert versions[0] != versions[1]


@pytest.mark.parametrize("reply", [GARBAGE, 'ANSWER: {"hints": ["a", "b", "c"]}'], ids=["garbage", "wrong kind"])
def test_a_bob_who_does_not_answer_loses_and_is_counted(tmp_path: Path, reply: str) -> None:
    done, log = played(tmp_path, {"bob": scripted(lambda _: reply)}, episodes=1)
    assert done.summary["bob_valid"] == 0.0
    assert done.summary["bob_attempts"] == 2.0
    assert done.summary["eve_valid"] == done.summary["alice_valid"] == 1.0
    assert done.summary["turns"] == 2.0
    assert done.summary["miscommunications"] == 1.0
    assert not any(sample.error for sample in log.samples or [])


def test_forms_leave_room_for_valid_answers_only() -> None:
    world = Decrypto(experiment="three_mountains")
    session = world.open(0)
    held = {}
    minds = minds_for(world, dict.fromkeys(ROLES, "glove"))

    class Watching:
        def __init__(self, mind: Any) -> None:
            self.mind, self.name = mind, "watching"

        def begin(self, *args: Any) -> None:
            self.mind.begin(*args)

        def reply(self, ask: Any) -> Any:
            held.update(held_to(ask.form.json_schema()).json_schema.properties or {})
            return self.mind.reply(ask)

    play_one(session, {role: Watching(mind) for role, mind in minds.items()})
    assert {"hints", "guess", "chance"} <= set(held)
    assert len(held["guess"].enum or []) == 24
    assert list(held["hints"].properties or {}) == held["hints"].required == ["a", "b", "c"]
    assert (held["hints"].properties or {})["a"].pattern


def test_structured_output_is_asked_for_and_read(tmp_path: Path) -> None:
    schemas = []

    def bare(messages: list[ChatMessage]) -> str:
        schemas.append("ANSWER" in messages[-1].text)
        return '{"guess": "1-2-3"}'

    done, log = played(tmp_path, {"eve": scripted(bare)}, form="structured", episodes=1)
    assert done.summary["eve_valid"] == 1.0
    event = next(event for event in (log.samples or [])[0].events if event.event == "model")
    assert event.config.response_schema is not None
    assert not any(schemas)


def test_what_a_run_takes_is_counted_before_it_starts() -> None:
    seats = {"alice": "mockllm/model", "bob": "glove", "eve": "mockllm/model"}
    expected = estimate(Decrypto(), seats, episodes=4)
    assert (expected.episodes, expected.requests) == (4, 4 * 2 * 8)
    assert expected.tokens_in > expected.tokens_out > 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"phrasing": "plane"}, "no phrasing 'plane' in version v1; did you mean 'plain'"),
        ({"prompts": "v9"}, "no prompts of version 'v9'"),
        ({"set": {"hints": "rude"}}, "'rude'"),
        ({"seats": "bob=gloves"}, "no mind 'gloves'"),
        ({"seats": "alice=uniform"}, "cannot play alice"),
        ({"seats": "alice=human"}, "otherminds play decrypto"),
        ({"set": {"experiment": "smartie"}}, "smartie"),
        ({"set": {"experiment": "hide", "arm": "tolled"}}, "tolled"),
        ({"set": {"arm": "told"}}, "without an experiment"),
        ({"seats": "alice=recorded:nowhere.json"}, r"nowhere\.json"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        decrypto(**options)


def test_smarties_runs_with_a_language_model(tmp_path: Path) -> None:
    """It answers the same to all questions: whatever it says, it says before and after the reveal."""
    done, _ = played(tmp_path, {"eve": scripted(guess)}, settings={"experiment": "smarties"}, episodes=1)
    probes = done.episodes[0].turns[1]["probes"]
    assert {one["name"] for one in probes} >= {"A", "B", "C"}
    assert all(list(one["given"]) == ["a", "b", "c", "d"] for one in probes)
    assert (done.summary["strong RC"], done.summary["strong FB"], done.summary["weak RC"]) == (1.0, 1.0, 1.0)
    assert done.summary["eve_answered"] == 1.0


def test_three_mountains_runs_with_a_language_model(tmp_path: Path) -> None:
    done, _ = played(tmp_path, {"alice": scripted(guess)}, settings={"experiment": "three_mountains"}, episodes=1)
    assert done.summary["predicts the code"] is not None
    assert done.summary["Brier"] == 0.25


def test_interventions_are_told_to_a_language_model_in_one_arm(tmp_path: Path) -> None:
    told: list[str] = []

    def alice(messages: list[ChatMessage]) -> str:
        told.append(messages[-1].text)
        return guess(messages)

    items = list(Decrypto().suite("hide", 3))[:2]
    done, log = played(tmp_path, {"alice": scripted(alice)}, suite="hide", items=items)
    assert {sample.id for sample in log.samples or []} == {"decrypto-3-untold", "decrypto-3-told"}
    blotted = [text for text in told if "was blotted out for Eve" in text]
    assert len(blotted) == 1
    assert all(episode.turns[3].get("interventions") for episode in done.episodes)


def test_stored_games_are_played_again_with_one_seat_replaced(tmp_path: Path) -> None:
    codes = [[1, 2, 3], [2, 3, 4], [4, 3, 1]]
    turns = [{"code": code, "hints": ["x", "y", "z"], "bob": code, "eve": [4, 2, 1]} for code in codes]
    path = tmp_path / "people.json"
    path.write_text(json.dumps([{"keywords": ["river", "piano", "winter", "doctor"], "turns": turns}]), "utf-8")
    heard: list[str] = []

    def bob(messages: list[ChatMessage]) -> str:
        heard.append(messages[-1].text)
        return guess(messages)

    seats = {"bob": scripted(bob), "alice": f"recorded:{path}", "eve": f"recorded:{path}"}
    done, log = played(tmp_path, seats, episodes=1)
    assert [sample.id for sample in log.samples or []] == ["recorded-game-1"]
    (episode,) = done.episodes
    assert [turn["code"] for turn in episode.turns] == codes[: len(episode.turns)]
    assert all(list(turn["eve"]) == [4, 2, 1] for turn in episode.turns)
    # The defect of the original: from the third turn on, its history has codes that were never played.
    assert "Codes so far: 1-2-3, 2-3-4" in heard[2]
    assert done.summary["decoded"] == pytest.approx(1 / 3)
    assert done.summary["wins"] == 0.0
