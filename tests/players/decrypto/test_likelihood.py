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
from otherminds.core.registry import find
from otherminds.llm import likelihood as served
from otherminds.players.decrypto.likelihood import LikelihoodGuesser, after, likelihood
from otherminds.worlds.decrypto.observe import view
from otherminds.worlds.decrypto.rules import reveal
from otherminds.worlds.decrypto.types import HIDDEN, Code, Game, Intervention, Rules
from tests.players.decrypto.asking import named, seated

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


def test_bob_takes_the_code_under_which_the_hints_are_likeliest() -> None:
    bob = LikelihoodGuesser(Fake())
    seated(bob, "bob")
    seen = view(game(), "bob", ("snow", "keys", "nurse"))
    assert bob.guess(seen) == (3, 2, 4)
    assert bob.thoughts(seen)["scores"][0] == [-5.0, -5.0, -1.0, -5.0]


def test_eve_goes_by_past_hints_and_knows_that_codes_do_not_return() -> None:
    eve = LikelihoodGuesser(Fake())
    seated(eve)
    now = reveal(game(), ("water", "music", "snow"), CODES[0], (4, 3, 2))
    assert eve.guess(view(now, "eve", ("ice", "flow", "tune"))) == (3, 1, 2)
    assert eve.guess(view(now, "eve", ("flow", "tune", "ice"))) != CODES[0]
    assert after(()) != after(("x",))


def test_a_hint_that_was_blotted_out_is_not_read_by_eves_model() -> None:
    told: list[str] = []

    class Listening(Fake):
        def weigh(self, text: str, word: str) -> float:
            told.append(text)
            return super().weigh(text, word)

    eve = LikelihoodGuesser(Listening())
    seated(eve)
    now = reveal(game(), ("water", "music", "snow"), CODES[0], (4, 3, 2))
    eve.guess(view(replace(now, interventions=(Intervention("hide", 1, 1),)), "eve", ("ice", "flow", "tune")))
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
    bob = seated(named(f"likelihood:address={server[0]}", "bob"), "bob")
    assert len(set(bob.guess(view(game(), "bob", ("a", "b", "c"))))) == 3


def test_a_server_that_is_not_there_costs_a_turn_and_is_named() -> None:
    weights = served.ServedWeights("http://127.0.0.1:9")
    with pytest.raises(UserError, match=r"127\.0\.0\.1:9/tokenize gives no log-probabilities"):
        weights.weigh("a", "b")


def test_without_the_embedded_model_the_command_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    from otherminds.llm import local

    monkeypatch.setattr(local, "find_spec", lambda name: None)
    served.weights_of.cache_clear()
    with pytest.raises(MissingExtra, match="make local-model"):
        find("mind", "likelihood", "decrypto").load()("bob")
    with pytest.raises(UserError, match="made to be bob or eve; it cannot be alice"):
        likelihood("alice")
