"""A language model that is weighed in any world: the likeliest of the options that a form has."""

from __future__ import annotations

from pathlib import Path

import pytest
from coin_in_the_box.world import Coin

from otherminds.core.form import Form, Words
from otherminds.core.match import play_one
from otherminds.core.mind import CannotAnswer
from otherminds.llm import likelihood
from otherminds.llm.likelihood import LikelihoodMind
from otherminds.minds.find import minds_for


class Fake:
    """Finds short words likely by themselves, and what the seat has been asked for likelier still."""

    def weigh(self, text: str, word: str) -> float:
        is_wanted = word == ("no" if "Does" in text else "peek")
        return -len(word) + (3.0 if is_wanted and text != "Answer:" else 0.0)


def test_the_likeliest_option_is_given_whatever_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str]] = []

    def weights_of(address: str, model: str) -> Fake:
        asked.append((address, model))
        return Fake()

    monkeypatch.setattr(likelihood, "weights_of", weights_of)
    table = Coin(3)
    seats = {"ann": "likelihood:model=local:qwen-1.5b", "ben": "likelihood:address=http://x", "cas": "tracker"}
    episode = play_one(table.open(0), minds_for(table, seats))
    assert asked == [("", "local:qwen-1.5b"), ("http://x", "local")]
    assert [turn["replies"] for turn in episode.turns[:2]] == [{"1/ann": "peek"}, {"2/ben": "peek"}]
    assert episode.turns[3]["replies"]["probe/ann"] == "no"
    assert all(one["failures"] == 0 for one in episode.validity.values())


def test_what_has_no_options_is_left_to_the_default() -> None:
    mind = LikelihoodMind(Fake())
    session = Coin().open(0)
    mind.begin("ann", session.briefing("ann"), 0)
    (ask,) = session.asks()
    with pytest.raises(CannotAnswer, match="open"):
        mind.reply(ask._replace(form=Form.of(Words("hint"))))


@pytest.mark.slow
def test_the_embedded_model_can_be_weighed(tmp_path: Path) -> None:
    from tests.llm.scripts import is_installed

    if not is_installed():
        pytest.skip("the embedded model is not installed")
    table = Coin(1)
    episode = play_one(table.open(0), minds_for(table, dict.fromkeys(Coin.seats, "likelihood")))
    assert all(one["failures"] == 0 for one in episode.validity.values())
