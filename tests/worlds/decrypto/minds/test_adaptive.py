"""Alice who learns whom she plays with."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from otherminds.core.errors import UserError
from otherminds.core.mind import CannotAnswer
from otherminds.worlds.decrypto.minds.adaptive import (
    LAPSE,
    AdaptiveAlice,
    Posterior,
    Type,
    TypedEars,
    adaptive,
    turns_to_come,
    types_of_bob,
    types_of_eve,
)
from otherminds.worlds.decrypto.minds.bayes import BayesianGuesser
from otherminds.worlds.decrypto.minds.embedding import EmbeddingGuesser
from otherminds.worlds.decrypto.minds.rsa_search import Ensemble
from otherminds.worlds.decrypto.observe import eve_as_seen_by, view
from otherminds.worlds.decrypto.rules import all_codes, reveal
from otherminds.worlds.decrypto.types import Rules, Turn
from tests.worlds.decrypto.minds.asking import asked, seated
from tests.worlds.decrypto.minds.test_bayes import codes_by_loops
from tests.worlds.decrypto.minds.tiny import (
    HINTS,
    RULES,
    TURN,
    alice_view,
    bob_as_seen_by,
    tiny_game,
    tiny_lexicon,
    tiny_production,
)


def ensemble() -> Ensemble:
    return Ensemble([tiny_production(0), tiny_production(1)])


def test_guesses_are_weighed_as_bayes_says() -> None:
    """Two types by hand: what one finds three times as likely becomes three times as likely, but for lapses."""
    found = Posterior([Type("a", ()), Type("b", (), prior=2.0)])
    assert found.chances == pytest.approx([1 / 3, 2 / 3])
    weights = np.array([[3.0, 1.0], [1.0, 3.0]])
    found.learn(weights, 0)
    likely, unlikely = ((1 - LAPSE) * share + LAPSE / 2 for share in (0.75, 0.25))
    assert found.chances == pytest.approx(np.array([likely, 2 * unlikely]) / (likely + 2 * unlikely))
    assert found.likeliest(1)[0][0] == "a"


def test_a_chance_is_the_mean_over_types_with_lapses() -> None:
    found = Posterior([Type("a", ()), Type("b", ())])
    assert found.chance(np.array([0.9, 0.1]), 24) == pytest.approx((1 - LAPSE) * 0.5 + LAPSE / 24)


def test_turns_to_come_by_hand() -> None:
    rules = Rules(turns=2)
    found = turns_to_come(rules, (0.5, 0.0))
    assert found[0, 0, 1] == 1, "the last turn is always played"
    assert found[1, 0, 0] == pytest.approx(1 + 0.5), "half the time there is a second turn"
    assert found[0, 0, 0] == pytest.approx(2), "one miscommunication does not end a game"
    assert (found[2] == 0).all()
    assert (found[:, 2] == 0).all()


def test_types_hear_what_players_of_that_kind_hear() -> None:
    """The types of a lexicon without doubt guess as its literal Bob, its Bayesian Eve and its embedding players do."""
    own, hints = alice_view(TURN), ("tail", "bread", "road")
    lexica = ensemble()
    bobs, eves = types_of_bob(["zero", "one"]), types_of_eve(["zero", "one"])
    of_bob, of_eve = (np.array([one.weights for one in types]) for types in (bobs, eves))
    ears = TypedEars(own, lexica, of_bob, of_eve)
    heard = [ears.both(np.array([HINTS.index(hint)])) for hint in hints]

    def posterior(names: list[str], part: int, name: str) -> np.ndarray:
        parts = [ears.spread(one[part][names.index(name)], position)[0] for position, one in enumerate(heard)]
        product = np.prod(parts, axis=0)
        return np.asarray(product / product.sum())

    bob_names, eve_names = [one.name for one in bobs], [one.name for one in eves]
    for at, name in enumerate(("zero", "one")):
        literal = tiny_production(at)
        expected = codes_by_loops(literal, bob_as_seen_by(own, hints))
        assert posterior(bob_names, 0, f"{name} literal") == pytest.approx(list(expected.values()), rel=1e-3)
        feared = codes_by_loops(literal, eve_as_seen_by(own, hints))
        assert posterior(eve_names, 1, f"bayes {name} x1") == pytest.approx(list(feared.values()), rel=1e-3)
        near = EmbeddingGuesser(tiny_lexicon(at), remembers_codes=True)
        found = ears.codes[int(posterior(bob_names, 0, f"{name} x24").argmax())]
        assert found == near.act(bob_as_seen_by(own, hints))
        found = ears.codes[int(posterior(eve_names, 1, f"embedding {name} x1").argmax())]
        assert found == near.act(eve_as_seen_by(own, hints))


@pytest.mark.parametrize("true", [0, 1])
def test_alice_finds_out_whose_lexicon_bob_has(true: int) -> None:
    """Over many turns, guesses of a Bob with one of the two lexica speak for it."""
    alice = AdaptiveAlice(ensemble())
    seated(alice, "alice", RULES)
    alice.bob = Posterior([replace(one, prior=1.0) for one in alice.bob.types])
    bob, game = BayesianGuesser(tiny_production(true)), tiny_game()
    said = [("sea", "fur", "oven"), ("paw", "bread", "road"), ("wheel", "flour", "sand"), ("engine", "wave", "tail")]
    game = replace(game, rules=replace(RULES, tokens=9))
    for hints in said:
        game = reveal(game, hints, bob.act(view(game, "bob", hints)), (1, 2, 3))
    alice._learn(view(game, "alice"))
    share = {
        name: sum(alice.bob.chances[at] for at, one in enumerate(alice.bob.types) if one.name.startswith(name))
        for name in ("tiny0", "tiny1")
    }
    assert share[f"tiny{true}"] > share[f"tiny{1 - true}"]


def test_tokens_change_what_alice_says() -> None:
    """With one miscommunication left she is clear; with one interception left she hides."""
    # What she thinks of Bob and Eve stays the same, so that only tokens differ.
    alice = AdaptiveAlice(Ensemble([tiny_production(0, 5.0, 1.2), tiny_production(1, 5.0, 1.2)]), adapts=False)
    seated(alice, "alice", RULES)
    clear, wary = alice_view(replace(TURN, bob=(1, 3, 2), eve=(1, 3, 2))), alice_view(TURN)
    assert clear.tokens == (1, 0)
    assert wary.tokens == (0, 1)
    said = [alice.act(clear), alice.act(wary)]
    fears = [asked(alice, wary, "chance", "eve", hints=hints) for hints in said]
    assert fears[1] <= fears[0]


def test_answers_and_thoughts_are_of_the_eve_in_mind() -> None:
    alice = AdaptiveAlice(ensemble())
    seated(alice, "alice", RULES)
    hints = alice.act(alice_view(TURN))
    chance = asked(alice, alice_view(TURN), "chance", "eve", hints=hints)
    assert alice.thoughts(alice_view(TURN))["interception"] == pytest.approx(chance, abs=1e-4)
    assert len(alice.thoughts(alice_view(TURN))["bob"]) == 3
    assert asked(alice, alice_view(TURN), "guess", "eve", hints=hints) in all_codes(RULES)
    for about, hinted in (("keywords", None), ("guess", None), ("guess", ("x", "y", "z"))):
        with pytest.raises(CannotAnswer):
            asked(alice, alice_view(TURN), about, "eve", hints=hinted)


def test_without_adapting_guesses_change_nothing() -> None:
    for adapts in (True, False):
        alice = AdaptiveAlice(ensemble(), adapts=adapts)
        seated(alice, "alice", RULES)
        before = alice.bob.chances
        alice.act(view(tiny_game(Turn((1, 2, 3), ("sea", "fur", "oven"), (4, 3, 1), (1, 2, 3))), "alice"))
        assert (not np.allclose(before, alice.bob.chances)) == adapts


def test_factories_refuse_what_makes_no_sense() -> None:
    with pytest.raises(UserError):
        adaptive("bob")
