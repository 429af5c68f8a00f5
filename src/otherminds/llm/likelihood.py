"""A mind that chooses by a language model's log-probabilities, from a local or any other llama.cpp server.

The server gives log-probabilities of what it generates, not of what it is given. So it is made to generate the word in
question: each of its tokens in turn is biased until nothing else can be drawn. What is reported is the probability
before any bias, the model's own.
"""

from __future__ import annotations

import atexit
import json
from contextlib import ExitStack
from functools import cache
from typing import Any, Protocol
from urllib.error import URLError
from urllib.request import Request, urlopen

from otherminds.core.errors import UserError
from otherminds.core.mind import BaseMind, Briefing, CannotAnswer, Reply
from otherminds.core.world import Ask
from otherminds.llm.local import LOCAL, served

_ANSWER = "Answer:"
_CERTAIN = 1000.0  # a bias that decides
_SECONDS = 120  # for one request


class Weights(Protocol):
    """Source of log-probabilities."""

    def weigh(self, text: str, word: str) -> float:
        """The log-probability of a word after a text."""


class ServedWeights:
    """Log-probabilities from a served model, cached.

    Args:
        address: Address of a llama.cpp server, such as ``http://127.0.0.1:8080``.
    """

    def __init__(self, address: str) -> None:
        self._address = address.rstrip("/").removesuffix("/v1")
        self._tokens: dict[str, list[int]] = {}
        self._known: dict[tuple[str, str], float] = {}

    def weigh(self, text: str, word: str) -> float:
        """The log-probability of a word after a text."""
        if (text, word) not in self._known:
            before, total = list(self._tokens_of(text)), 0.0
            for token in self._tokens_of(f" {word}"):
                bias = [[token, _CERTAIN]]
                (drawn,) = self._generated({"prompt": before, "n_probs": 1, "logit_bias": bias})
                if drawn["id"] != token:
                    raise UserError(f"{self._address} drew token {drawn['id']}; expected {token}, forced by the bias")
                total += float(drawn["logprob"])
                before.append(token)
            self._known[text, word] = total
        return self._known[text, word]

    def _tokens_of(self, text: str) -> list[int]:
        if text not in self._tokens:
            self._tokens[text] = [int(token) for token in self._post("/tokenize", {"content": text})["tokens"]]
        return self._tokens[text]

    def _generated(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        usual = {"n_predict": 1, "temperature": -1.0, "cache_prompt": True}  # below 0: the likeliest, of plain softmax
        tokens: list[dict[str, Any]] = self._post("/completion", {**usual, **body})["completion_probabilities"]
        return tokens

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        # A connection that is kept would outlive the server.
        headers = {"Content-Type": "application/json", "Connection": "close"}
        request = Request(f"{self._address}{path}", json.dumps(body).encode(), headers)
        try:
            with urlopen(request, timeout=_SECONDS) as reply:
                answer: dict[str, Any] = json.load(reply)
        except (URLError, ValueError) as error:
            raise UserError(
                f"{self._address}{path} returned no log-probabilities ({error}); expected a llama.cpp server"
            ) from error
        return answer


@cache
def weights_of(address: str = "", model: str = LOCAL) -> ServedWeights:
    """The model at an address; without one a local model, which is then served until the process ends.

    Raises:
        UserError: if there is no address, and the local model is not installed.
    """
    if not address:
        stack = ExitStack()
        address = stack.enter_context(served(model))
        atexit.register(stack.close)
    return ServedWeights(address)


class LikelihoodMind(BaseMind):
    """Gives the option that the model finds likeliest after what the seat perceives, more than after nothing.

    What an option's words weigh by themselves is taken off, or short and common ones would always win. Worlds in which
    other words tell more give those (:meth:`otherminds.core.session.View.continuations`): a small model cannot follow
    the rules of a game, but it knows which words go together. Other asks whose form is open are left to the world's
    default.

    Args:
        weights: Source of log-probabilities.
        name: Name in records.
    """

    def __init__(self, weights: Weights, name: str = "likelihood") -> None:
        self.weights, self.name = weights, name

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self._rules = briefing.rules()

    def reply(self, ask: Ask) -> Reply:
        scores = self._scores(ask)
        best = max(scores, key=scores.__getitem__)
        return Reply(best, thoughts={"scores": {str(option): round(score, 2) for option, score in scores.items()}})

    def _scores(self, ask: Ask) -> dict[Any, float]:
        weigh = self.weights.weigh
        if ask.probe is None and (following := ask.view.continuations()):
            return {value: sum(weigh(text, word) for text, word in pairs) for value, pairs in following.items()}
        options = ask.form.closed()
        if not options:
            raise CannotAnswer("this ask has an open form, so there are no options to compare")
        question = ask.view.question(ask.probe) if ask.probe else "What do you do now?"
        offered = f"Options: {', '.join(map(str, options))}."
        text = "\n\n".join([self._rules, ask.view.text(), question, offered, _ANSWER])
        return {option: weigh(text, str(option)) - weigh(_ANSWER, str(option)) for option in options}


def likelihood(address: str = "", model: str = LOCAL) -> LikelihoodMind:
    """A mind that chooses the reply with the highest likelihood, in any world whose replies can be listed.

    Args:
        address: Address of a llama.cpp server.
        model: Local model to serve without an address, such as local:qwen-1.5b.
    """
    return LikelihoodMind(weights_of(address, model))
