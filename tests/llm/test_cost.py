"""What an evaluation will take is told before it starts, and is near what it takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai")

from coin_in_the_box.world import Coin, CoinSession
from inspect_ai.model import ChatMessage

from otherminds.llm.cost import LETTERS_A_TOKEN, estimate
from otherminds.minds.play_all import play_all
from tests.llm.scripts import obedient, scripted
from tests.llm.table import played

SEATS = dict.fromkeys(Coin.seats, "mockllm/model")


@pytest.mark.parametrize("memory", [None, 0])
@pytest.mark.parametrize(("method", "form"), [("plain", "free"), ("notes", "structured")])
def test_the_estimate_is_near_what_is_asked(tmp_path: Path, memory: int | None, method: str, form: str) -> None:
    asked: list[int] = []

    def reply(messages: list[ChatMessage]) -> str:
        asked.append(sum(len(message.text) for message in messages))
        return "x" * 800 if "Do not answer yet" in messages[-1].text else obedient(messages)

    how: dict[str, Any] = {"memory": memory, "method": method, "form": form, "episodes": 2}
    expected = estimate(Coin(6), SEATS, **how)
    played(tmp_path, dict.fromkeys(Coin.seats, scripted(reply)), settings={"turns": 6}, **how)
    assert expected.requests == len(asked)
    assert 0.8 < expected.tokens_in / (sum(asked) / LETTERS_A_TOKEN) < 1.6
    assert expected.episodes == 2


def test_prices_are_for_a_million_tokens_and_only_models_cost() -> None:
    alone = estimate(Coin(3), {"ann": "mockllm/model", "ben": "tracker", "cas": "tracker"})
    assert alone.price(1.0, 10.0) == pytest.approx((alone.tokens_in + 10 * alone.tokens_out) / 1e6)
    assert alone.requests == 3
    every = estimate(Coin(3), SEATS, episodes=100)
    assert (every.episodes, every.price(None, None)) == (100, None)
    assert every.requests == 900


def test_a_recorded_file_says_how_many_episodes_are_played(tmp_path: Path) -> None:
    file = tmp_path / "e.jsonl"
    play_all(Coin(3), dict.fromkeys(Coin.seats, "tracker"), episodes=5, record=file)
    seats = {"ann": "mockllm/model", "ben": f"recorded:{file}", "cas": "tracker"}
    assert estimate(Coin(3), seats, episodes=1)[:2] == (5, 15)


def test_a_world_may_say_how_many_turns_there_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    short = estimate(Coin(3), SEATS)
    monkeypatch.setattr(CoinSession, "num_turns", 12)
    long = estimate(Coin(3), SEATS)
    assert long.requests == 3 * short.requests
    assert long.tokens_in > 3 * short.tokens_in
