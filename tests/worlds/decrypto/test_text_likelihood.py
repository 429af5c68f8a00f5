"""A language model that is weighed: what is likeliest after keywords and past hints."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from otherminds.core.errors import MissingExtra, UserError
from otherminds.core.mind import Reply
from otherminds.core.registry import find
from otherminds.core.world import Ask
from otherminds.llm import likelihood as served
from otherminds.llm.likelihood import LikelihoodMind
from otherminds.worlds.decrypto.observe import view
from otherminds.worlds.decrypto.probes import guess_form
from otherminds.worlds.decrypto.rules import reveal
from otherminds.worlds.decrypto.text import DecryptoView
from otherminds.worlds.decrypto.types import HIDDEN, Code, Game, Hints, Intervention, Role, Rules
from tests.worlds.decrypto.minds.asking import named, seated

CODES: tuple[Code, ...] = ((1, 2, 3), (4, 3, 1), (2, 1, 4), (3, 4, 2))
KEYWORDS = ("river", "piano", "winter", "doctor")
NEAR = {
    "river": ("water", "flow", "bank", "boat"),
    "piano": ("music", "keys", "concert", "tune"),
    "winter": ("snow", "cold", "ice", "frost"),
    "doctor": ("nurse", "health", "medicine", "illness"),
}


class Fake:
    """Finds words of one family likely after each other."""

    def weigh(self, text: str, word: str) -> float:
        family = next((f for f in NEAR if f == word or word in NEAR[f]), "")
        return -1.0 if family and any(one in text for one in (family, *NEAR[family])) else -5.0


def game() -> Game:
    return Game(Rules(turns=4), 0, KEYWORDS, CODES)


def reply(weights: Any, game: Game, role: Role, hints: Hints) -> Reply:
    """What a model says that is weighed as Bob or Eve."""
    asked = Ask(role, role, len(game.turns) + 1, DecryptoView(view(game, role, hints)), guess_form(game.rules))
    return seated(LikelihoodMind(weights), role).reply(asked)  # type: ignore[no-any-return]


class Listening(Fake):
    """Keeps what it weighs."""

    def __init__(self) -> None:
        self.weighed: set[tuple[str, str]] = set()

    def weigh(self, text: str, word: str) -> float:
        self.weighed.add((text, word))
        return super().weigh(text, word)


def test_bob_takes_the_code_under_which_the_hints_are_likeliest() -> None:
    said = reply(Fake(), game(), "bob", ("snow", "keys", "nurse"))
    assert said.value == (3, 2, 4)
    assert said.thoughts["scores"]["(3, 2, 4)"] == -3.0
    assert said.thoughts["scores"]["(3, 2, 1)"] == -7.0
    assert len(said.thoughts["scores"]) == 24


def test_eve_goes_by_past_hints_and_knows_that_codes_do_not_return() -> None:
    now = reveal(game(), ("water", "music", "snow"), CODES[0], (4, 3, 2))
    assert reply(Fake(), now, "eve", ("ice", "flow", "tune")).value == (3, 1, 2)
    assert reply(Fake(), now, "eve", ("flow", "tune", "ice")).value != CODES[0]


def test_every_hint_is_weighed_after_every_keyword_and_for_eve_after_the_past_hints_of_every_digit() -> None:
    hints, bob, eve = ("ice", "flow", "tune"), Listening(), Listening()
    now = reveal(game(), ("water", "music", "snow"), CODES[0], (4, 3, 2))
    now = reveal(now, ("nurse", "frost", "boat"), CODES[1], (4, 3, 2))
    after_keywords = [f"Words related to {word}:" for word in KEYWORDS]
    reply(bob, now, "bob", hints)
    assert bob.weighed == {(text, hint) for text in after_keywords for hint in hints}
    after_hints = ["Synonyms: water, boat,", "Synonyms: music,", "Synonyms: snow, frost,", "Synonyms: nurse,"]
    reply(eve, now, "eve", hints)
    assert eve.weighed == {(text, hint) for text in after_hints for hint in hints}
    first = Listening()
    reply(first, game(), "eve", hints)
    assert first.weighed == {("Synonyms:", hint) for hint in hints}


def test_a_hint_that_was_blotted_out_is_not_read_by_eves_model() -> None:
    eve = Listening()
    now = reveal(game(), ("water", "music", "snow"), CODES[0], (4, 3, 2))
    reply(eve, replace(now, interventions=(Intervention("hide", 1, 1),)), "eve", ("ice", "flow", "tune"))
    told = [text for text, _ in eve.weighed]
    assert any("music" in text for text in told)
    assert not any("water" in text or HIDDEN in text for text in told)


@pytest.fixture
def server() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A server that speaks as llama.cpp does: tokens are letters, each with a log-probability of minus its place."""
    asked: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append({"path": self.path, **body})
            if self.path == "/tokenize":
                reply: dict[str, Any] = {"tokens": [ord(letter) for letter in body["content"]]}
            else:
                token = body["logit_bias"][0][0]
                reply = {"completion_probabilities": [{"id": token, "logprob": -float(len(body["prompt"]))}]}
            data = json.dumps(reply).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: Any) -> None:
            pass

    found = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=found.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{found.server_port}/v1", asked
    found.shutdown()
    thread.join()
    found.server_close()


def test_each_token_of_a_word_is_forced_and_its_own_probability_summed(server: Any) -> None:
    address, asked = server
    weights = served.ServedWeights(address)
    assert weights.weigh("ab", "cd") == -(2 + 3 + 4)  # " cd" after "ab": three tokens
    forced = [one for one in asked if one["path"] == "/completion"]
    assert [one["prompt"] for one in forced] == [[97, 98], [97, 98, 32], [97, 98, 32, 99]]
    assert [one["logit_bias"][0][0] for one in forced] == [32, 99, 100]
    number = len(asked)
    assert weights.weigh("ab", "cd") == -9
    assert len(asked) == number


def test_it_is_found_by_name_with_the_address_of_a_server(server: Any) -> None:
    bob = named(f"likelihood:address={server[0]}", "bob")
    assert len(set(reply(bob.weights, game(), "bob", ("a", "b", "c")).value)) == 3


def test_a_server_that_is_not_there_costs_a_turn_and_is_named() -> None:
    weights = served.ServedWeights("http://127.0.0.1:9")
    with pytest.raises(UserError, match=r"127\.0\.0\.1:9/tokenize returned no log-probabilities"):
        weights.weigh("a", "b")


def test_without_the_embedded_model_the_command_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    from otherminds.llm import local

    monkeypatch.setattr(local, "find_spec", lambda name: None)
    served.weights_of.cache_clear()
    with pytest.raises(MissingExtra, match="make local-model"):
        find("mind", "likelihood", "decrypto").load()()
