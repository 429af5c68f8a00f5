"""A language model in seats of SymmToM, played by scripts: what it is told, and what becomes of its replies."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from otherminds.core.episodes import Episode
from otherminds.core.match import play_one
from otherminds.minds.find import minds_for
from otherminds.minds.language import Conversation, LanguageMind
from otherminds.worlds.symmtom.world import SymmToM

WORDS = {path.stem: path.read_text("utf-8") for path in (Path(str(SymmToM.prompts)) / "v1").glob("*.txt")}
SMALL = {"setting": "n3_w4_c3", "num_turns": 4}


class Scripted:
    """Keeps every conversation and replies by a function of it."""

    def __init__(self, reply: Callable[[Conversation], str]) -> None:
        self.reply, self.heard = reply, list[Conversation]()

    def __call__(self, conversation: Conversation) -> str:
        self.heard.append(conversation)
        return self.reply(conversation)


def is_probe(conversation: Conversation) -> bool:
    return conversation.ask is not None and conversation.ask.probe is not None


def played(call: Scripted, world: SymmToM, *seats: str, structured: bool = False) -> Episode:
    mind = LanguageMind("model", call, WORDS, is_structured=structured)
    others = minds_for(world, dict.fromkeys(world.seats, "heuristic"))
    return play_one(world.open(5), others | dict.fromkeys(seats, mind))


def test_a_model_is_told_rules_and_observations_and_keeps_its_past() -> None:
    call = Scripted(lambda _: "I go.\nAction: stay 0")
    episode = played(call, SymmToM(**SMALL), "agent_1")  # type: ignore[arg-type]
    assert [line["actions"][1] for line in episode.turns] == [[0, 0]] * 4
    first, *_, last = call.heard
    assert [message.role for message in first] == ["system", "user"]
    assert first[0].text.startswith("You are agent 1 of 3 (numbered from 0) on a square board.")
    assert first[0].text.endswith("Your aim is to earn as much as you can.")
    assert first[1].text.endswith("Reply with one line of the form\nAction: <move> <piece>")
    assert "0 to 2, or - for silence" in first[1].text
    assert [message.role for message in last] == ["system", *["user", "assistant"] * 3, "user"]
    assert episode.validity["agent_1"] == {"asks": 4, "attempts": 4, "failures": 0}


def test_two_seats_of_one_model_hold_conversations_of_their_own() -> None:
    call = Scripted(lambda _: "Action: stay -")
    played(call, SymmToM(**SMALL), "agent_0", "agent_2")  # type: ignore[arg-type]
    assert {heard[0].text.split(" of ")[0] for heard in call.heard} == {"You are agent 0", "You are agent 2"}


def test_a_question_on_the_side_is_answered_and_forgotten() -> None:
    call = Scripted(lambda heard: "Knows: 0 and 1" if is_probe(heard) else "Action: stay -")
    episode = played(call, SymmToM(**SMALL, probes=2), "agent_0")  # type: ignore[arg-type]
    asked = [probe for probe in episode.turns[2]["probes"] if probe["seat"] == "agent_0"]
    assert [probe["said"] for probe in asked] == [["0", "1"]] * 3
    (question, *_) = [heard for heard in call.heard if is_probe(heard)]
    assert "A question on the side, before you choose: which agents know piece 0" in question[-1].text
    assert "Knows: <numbers>" in question[-1].text
    assert not any("Knows" in message.text for message in call.heard[-1])


def test_structured_replies_are_objects() -> None:
    def reply(heard: Conversation) -> str:
        return json.dumps({"knows": [2]} if is_probe(heard) else {"move": "up", "piece": "-"})

    episode = played(Scripted(reply), SymmToM(**SMALL, probes=1), "agent_0", structured=True)  # type: ignore[arg-type]
    assert {tuple(line["actions"][0]) for line in episode.turns} == {(3, -1)}
    assert episode.turns[1]["probes"][0]["said"] == ["2"]


def test_an_unreadable_reply_is_asked_for_once_more_and_then_silence_on_the_spot() -> None:
    call = Scripted(lambda _: "I would rather not say.")
    episode = played(call, SymmToM(**SMALL), "agent_0")  # type: ignore[arg-type]
    assert {tuple(line["actions"][0]) for line in episode.turns} == {(0, -1)}
    assert episode.validity["agent_0"] == {"asks": 4, "attempts": 8, "failures": 4}
    assert call.heard[1][-1].text.startswith("That could not be read: the answer is 'I would rather not say")


@pytest.mark.parametrize("case", ["told", "untold"])
def test_a_model_is_told_the_history_that_it_watched(case: str) -> None:
    call = Scripted(lambda heard: "Knows: nobody" if is_probe(heard) else "Action: stay -")
    world = SymmToM()
    (item,) = world.suite(f"order0_w6:{case}")
    episode = play_one(world.open(0, item), {"agent_0": LanguageMind("model", call, WORDS)})
    assert episode.minds["agent_0"] == "model"
    assert "At first you only watch what happens" in call.heard[0][0].text
    assert call.heard[0][-1].text.count("(You cannot choose in this turn.)") == 3
    acts = [heard for heard in call.heard if not is_probe(heard)]
    assert acts[1][1].text.count("(You cannot choose in this turn.)") == 3, "it stays in the conversation"
    assert "(You cannot choose" not in acts[1][-1].text
