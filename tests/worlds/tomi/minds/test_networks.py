"""Each model against its paper as a loop; padding never matters."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import jax
import numpy as np
import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.tomi.learn.learner import RECIPES
from otherminds.worlds.tomi.minds.networks import NETWORKS, best_answer, make_network, network_fields
from tests.worlds.symmtom.learn.making import compiled, random_tree
from tests.worlds.tomi.minds import by_hand

TOKENS = 9
SMALL: dict[str, dict[str, Any]] = {
    "memnn": {"width": 4, "hops": 2},
    "entnet": {"width": 4, "slots": 3},
    "relnet": {"word_width": 3, "width": 4, "relation": [5, 6], "answer": [7]},
}
# Stories of three rows and four words; the second has one sentence, in the last row.
STORY = np.array([[[1, 2, 3, 0], [4, 5, 0, 0], [6, 7, 8, 2]], [[0] * 4, [0] * 4, [5, 6, 7, 0]]], np.int32)
QUESTION = np.array([[3, 4, 0], [2, 8, 1]], np.int32)


def network_of(name: str, **changes: Any) -> Any:
    return make_network(name, TOKENS, network_fields(name, SMALL[name] | changes))


@cache
def variables_of(name: str) -> Any:
    shapes = jax.eval_shape(network_of(name).init, jax.random.key(0), STORY, QUESTION)
    return random_tree(shapes, seed=3, scale=0.7)


@cache
def program_of(name: str) -> Any:
    return compiled(network_of(name).apply)


def logits_of(name: str, story: Any = STORY, question: Any = QUESTION) -> Any:
    return np.asarray(program_of(name)(variables_of(name), story, question))


def loop(name: str, story: Any, question: Any) -> Any:
    weights = jax.tree.map(lambda leaf: np.asarray(leaf, np.float64), variables_of(name)["params"])
    if name == "memnn":
        return by_hand.memnn(weights, story, question, SMALL[name]["hops"])
    return {"entnet": by_hand.entnet, "relnet": by_hand.relnet}[name](weights, story, question)


@pytest.mark.parametrize("name", NETWORKS)
def test_a_model_computes_what_its_paper_says(name: str) -> None:
    for row in range(len(STORY)):
        expected = loop(name, STORY[row], QUESTION[row])
        np.testing.assert_allclose(logits_of(name)[row], expected, rtol=1e-4, atol=1e-4)
    assert logits_of(name).std() > 0.01, "the case says something"


@pytest.mark.parametrize("name", NETWORKS)
def test_what_stands_for_padding_never_matters(name: str) -> None:
    """Nor do other words that do not occur: only those that do can change the answer."""
    tables = ["inward", "outward", "asked"] if name == "memnn" else ["words"]
    occurs = set(STORY[1].ravel().tolist()) | set(QUESTION[1].tolist())
    for word in range(TOKENS):
        weights = dict(variables_of(name)["params"])
        for table in tables:
            weights[table] = weights[table].at[word].add(1.0)
        change = np.abs(np.asarray(program_of(name)({"params": weights}, STORY, QUESTION))[1] - logits_of(name)[1])
        assert (change.max() > 1e-6) == (word in occurs - {0}), word


@pytest.mark.parametrize("name", NETWORKS)
def test_a_question_is_answered_by_itself_whatever_else_is_in_the_batch(name: str) -> None:
    turned = logits_of(name, STORY[::-1], QUESTION[::-1])
    np.testing.assert_allclose(turned[::-1], logits_of(name), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", NETWORKS)
def test_the_order_of_sentences_matters(name: str) -> None:
    turned = logits_of(name, STORY[:, ::-1])
    assert np.abs(turned[0] - logits_of(name)[0]).max() > 1e-3


def test_padding_is_never_the_answer() -> None:
    network, variables = network_of("memnn"), variables_of("memnn")
    weights = {**variables["params"], "answer": variables["params"]["answer"].at[:, 0].set(100.0)}
    answer = compiled(partial(best_answer, network))
    assert (np.asarray(answer({"params": weights}, STORY, QUESTION)) > 0).all()


def test_layer_norm_is_an_option_of_relation_networks() -> None:
    shapes = jax.eval_shape(network_of("relnet", norm="layer").init, jax.random.key(0), STORY, QUESTION)
    assert any(name.startswith("LayerNorm") for name in shapes["params"])


def test_the_defaults_are_the_published_settings() -> None:
    assert network_fields("memnn") == {"width": 10, "hops": 5}
    assert network_fields("entnet") == {"width": 100, "slots": 20}
    assert network_fields("relnet")["relation"] == [256] * 4
    assert network_fields("relnet")["answer"] == [256, 512]
    rates = {name: (recipe.learning_rate, recipe.batch) for name, recipe in RECIPES.items()}
    assert (rates["memnn"], rates["entnet"], rates["relnet"]) == ((0.01, 32), (0.01, 32), (0.002, 32))


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("memn", {}, "there is no model 'memn'; did you mean 'memnn'"),
        ("memnn", {"hop": 3}, "memnn has no field 'hop' of its network; did you mean 'hops'"),
        ("memnn", {"hops": 0}, "memnn: hops is 0; expected a whole number of at least 1"),
        ("relnet", {"norm": "batch"}, "relnet: norm is 'batch'"),
        ("relnet", {"relation": 256}, r"relation is 256; expected a list of widths, such as \[256, 256"),
        ("relnet", {"answer": [0]}, "answer is 0; expected a whole number"),
        ("entnet", {"num_tokens": 3}, "entnet has no field 'num_tokens'"),
    ],
)
def test_bad_input_is_refused(name: str, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        network_fields(name, changes)


def test_every_network_has_a_way_to_train_it() -> None:
    assert RECIPES.keys() == NETWORKS.keys()
