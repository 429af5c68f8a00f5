"""Language models at a table of the coin world, outside Inspect's evaluations."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai")

from coin_in_the_box.world import ANSWER, Coin
from inspect_ai.model import ChatMessage, ModelOutput, get_model

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.match import play_one
from otherminds.core.world import Probe
from otherminds.llm import models
from otherminds.llm.models import speaking
from otherminds.llm.prompts import load_prompts, words_of
from otherminds.minds.find import seated
from otherminds.minds.language import Conversation, LanguageMind
from tests.llm.scripts import THOUGHT, obedient, output_of

SEATS = dict.fromkeys(Coin.seats, "mockllm/model")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[ChatMessage], Any]]:
    """What a model is asked, with the configuration of each call; every model is the scripted one."""
    found: list[tuple[list[ChatMessage], Any]] = []

    def outputs(input: list[ChatMessage], tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
        found.append((input, config))
        return output_of(obedient(input))

    @contextmanager
    def resolved(model: Any, config: Any) -> Any:
        yield get_model("mockllm/model", custom_outputs=outputs, memoize=False)

    monkeypatch.setattr(models, "resolved", resolved)
    return found


def played(seats: dict[str, str], turns: int = 3, **options: Any) -> Episode:
    world = Coin(turns)
    with seated(world, seats, **options) as minds:
        return play_one(world.open(1), minds)


@pytest.mark.parametrize("form", ["free", "structured"])
@pytest.mark.parametrize("method", ["plain", "stepwise", "perspective", "notes"])
def test_every_method_speaks_in_every_form(asked: list[Any], method: str, form: str) -> None:
    episode = played(dict.fromkeys(Coin.seats, f"mockllm/model:method={method}"), form=form)
    assert list(episode.minds.values()) == [f"mockllm/model:method={method}"] * 3
    assert all(seat["failures"] == 0 and seat["attempts"] == seat["asks"] for seat in episode.validity.values())
    asks = 3 + 3 + 3  # acts, probes, bets
    thoughts = {"plain": 0, "stepwise": asks, "perspective": asks, "notes": 6}[method]  # probes only read the notes
    assert len(asked) == len(episode.exchanges) == asks + thoughts
    assert sum(one["about"] == method for one in episode.exchanges) == thoughts
    for messages, config in asked:
        thinks = "Do not answer yet" in messages[-1].text
        assert (config.response_schema is not None) is (form == "structured" and not thinks)
    answers = [messages[-1].text for messages, _ in asked if "Do not answer yet" not in messages[-1].text]
    assert all((THOUGHT in text) is (method != "plain") for text in answers[-3:])  # the bets


def test_probes_leave_no_trace(asked: list[Any]) -> None:
    played(SEATS)
    lengths = [len(messages) for messages, _ in asked]
    assert lengths == [2, 2, 2, 4, 4, 4, 4, 4, 4]  # one act each, three probes, three bets
    bet, probe = asked[6][0], asked[3][0]
    assert [m.text for m in bet[:-1]] == [m.text for m in probe[:-1]]


def test_notes_for_a_probe_are_taken_once_and_acts_never_read_them() -> None:
    sent: list[Conversation] = []

    def call(conversation: Conversation) -> str:
        sent.append(conversation)
        if conversation.ask is None:
            return f"note {len(sent)}"
        return f"ANSWER: {next(iter(conversation.ask.form.closed() or ()))}"

    world = Coin(3)
    session = world.open(1)
    act = session.asks()[0]
    mind = LanguageMind("model", call, words_of(load_prompts(world)), method="notes")
    mind.begin("ann", session.briefing("ann"), 0)
    probe = act._replace(id="probe", form=ANSWER, probe=Probe("knows", ("ben",), "cas"))
    for ask in (probe, probe, act, probe):
        mind.reply(ask)
    texts = [conversation[-1].text for conversation in sent]
    assert [conversation.ask is None for conversation in sent] == [True, False, False, True, False, False]
    assert ["note 1" in text for text in texts] == [False, True, True, False, False, False]
    assert ["note 4" in text for text in texts] == [False] * 4 + [True, True]
    assert "(none yet)" in texts[3]  # the notes of the act start from nothing


def test_acts_and_probes_have_temperatures_of_their_own(asked: list[Any]) -> None:
    played(SEATS, temperature=0.6, probe_temperature=0.0, max_tokens=750, timeout=7)
    assert [config.temperature for _, config in asked] == [0.6] * 3 + [0.0] * 3 + [0.6] * 3
    assert {(config.max_tokens, config.timeout) for _, config in asked} == {(750, 7)}
    asked.clear()
    played(SEATS, temperature=0.6, timeout=0)
    assert {(config.temperature, config.timeout) for _, config in asked} == {(0.6, None)}


def test_models_sit_with_other_minds_and_each_has_options_of_its_own(asked: list[Any]) -> None:
    episode = played({"ann": "mockllm/model:memory=0,form=structured", "ben": "tracker", "cas": "mockllm/model"}, 6)
    assert list(episode.minds.values()) == ["mockllm/model:memory=0,form=structured", "tracker", "mockllm/model"]
    lengths = {("JSON" in messages[-1].text, len(messages)) for messages, _ in asked}
    assert lengths == {(True, 2), (False, 2), (False, 4), (False, 6)}
    assert {one["seat"] for one in episode.exchanges} == {"ann", "cas"}


@pytest.mark.parametrize(
    ("seats", "options", "message"),
    [
        ({"ann": "mockllm/model:method=noted"}, {}, "'noted'.*plain"),
        ({"ann": "mockllm/model:methods=notes"}, {}, "no option 'methods'; did you mean 'method'"),
        ({"ann": "mockllm/model"}, {"form": "speech"}, "--form is 'speech'; expected auto, free or structured"),
        ({"ann": "mockllm/model"}, {"temperature": -1}, "temperature is -1; expected at least 0"),
        ({"ann": "mockllm/model"}, {"prompts": "v9"}, "no prompts of version 'v9'"),
        ({"ann": "nobody/nothing"}, {}, "'nobody/nothing' cannot be used"),
    ],
)
def test_what_cannot_be_is_refused(seats: dict[str, str], options: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message), speaking(Coin(), seats, **options):
        pass


def test_a_field_that_is_not_known_ends_the_episode_and_is_named(asked: list[Any], tmp_path: Path) -> None:
    own = tmp_path / "turn.txt"
    own.write_text("{veiw} {format}", "utf-8")
    with pytest.raises(UserError, match=r"'turn' has the unknown field \{veiw\}; did you mean 'view'"):
        played(SEATS, prompts=str(own))
