"""Literal production and the Bayesian Eve, against loops over the equations of spec 9 and values worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import permutations
from math import exp, log

import numpy as np
import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.decrypto.minds.bayes import BayesianGuesser, KeywordBelief, Production, bayes, code_logs
from otherminds.worlds.decrypto.minds.embedding import Vocabulary
from otherminds.worlds.decrypto.observe import RoleView, view
from otherminds.worlds.decrypto.types import HIDDEN, Intervention, Rules, Turn
from otherminds.worlds.decrypto.words.lexicon import Lexicon
from tests.worlds.decrypto.minds.asking import asked
from tests.worlds.decrypto.minds.tiny import HINTS, KEYWORDS, TURN, bob_view, eve_view, tiny_game, tiny_production

SECOND = Turn((2, 3, 4), ("paw", "bread", "wheel"), (2, 3, 4), (1, 2, 3))


@cache
def s0(literal: Production, hint: str, word: str) -> float:
    """Section 9, in the plainest way."""

    def weight(other: str) -> float:
        if other == word:
            return 0.0
        cosine = float(literal.meaning.vector(other).astype(float) @ literal.meaning.vector(word).astype(float))
        return exp(literal.beta * cosine)

    return weight(hint) / sum(weight(other) for other in literal.hints.words)


def belief_by_loops(literal: Production, seen: RoleView, slot: int) -> dict[str, float]:
    shown = dict(seen.shown).get(slot + 1)
    if shown:
        return {shown: 1.0}
    found = {}
    for word in literal.words:
        found[word] = 1.0
        for hint in seen.hints_by_digit[slot]:
            if hint != HIDDEN:
                found[word] *= s0(literal, hint, word)
    total = sum(found.values())
    return {word: weight / total for word, weight in found.items()}


def codes_by_loops(literal: Production, seen: RoleView) -> dict[tuple[int, ...], float]:
    found = {}
    for code in permutations((1, 2, 3, 4), 3):
        if code in seen.used:
            continue
        found[code] = 1.0
        for digit, hint in zip(code, seen.hints, strict=True):
            if seen.keywords:
                found[code] *= s0(literal, hint, seen.keywords[digit - 1])
            else:
                belief = belief_by_loops(literal, seen, digit - 1)
                found[code] *= sum(weight * s0(literal, hint, word) for word, weight in belief.items())
    total = sum(found.values())
    return {code: weight / total for code, weight in found.items()}


def test_literal_production_of_two_hints_by_hand() -> None:
    """Cosines 1, 0.6 and 0 with beta = ln 4: weights 4, 4^0.6 and 1."""
    meaning = Lexicon("hand", ("near", "mid", "far", "key"), np.array([[1, 0], [0.6, 0.8], [0, 1], [1, 0]], np.float32))
    literal = Production(Vocabulary(meaning, ["near", "mid", "far"]), ["key", "far"], log(4))
    total = 4 + 4**0.6 + 1
    assert np.exp(literal.log_given("key")) == pytest.approx([4 / total, 4**0.6 / total, 1 / total], rel=1e-5)
    assert literal.table[:, 0] == pytest.approx([4 / total, 4**0.6 / total, 1 / total], rel=1e-5)
    assert literal.table[2, 1] == 0, "a keyword is never a hint for itself"
    assert literal.table[:, 1].sum() == pytest.approx(1, rel=1e-5)


@pytest.mark.parametrize("seed", [0, 1])
def test_the_table_is_section_9_in_loops(seed: int) -> None:
    literal = tiny_production(seed)
    for at, hint in enumerate(HINTS):
        for word in literal.words:
            assert literal.table[at, literal.index[word]] == pytest.approx(s0(literal, hint, word), rel=1e-4)
            assert literal.log_chances([hint], [word])[0, 0] == pytest.approx(
                log(s0(literal, hint, word)) if hint != word else -np.inf, rel=1e-4
            )


@pytest.mark.parametrize("turns", [(), (TURN,), (TURN, SECOND)])
@pytest.mark.parametrize("seed", [0, 1])
def test_eves_posteriors_are_section_9_in_loops(turns: tuple[Turn, ...], seed: int) -> None:
    literal = tiny_production(seed)
    seen = eve_view(("tail", "road", "flour"), *turns)
    belief = KeywordBelief(literal, seen.hints_by_digit, seen.shown)
    for slot in range(4):
        expected = belief_by_loops(literal, seen, slot)
        assert belief.weights[slot] == pytest.approx([expected[word] for word in literal.words], rel=1e-3, abs=1e-6)
    eve = BayesianGuesser(literal)
    codes = codes_by_loops(literal, seen)
    found = np.exp(eve.posterior(seen, ("tail", "road", "flour")))
    assert found[found > 0] == pytest.approx(list(codes.values()), rel=1e-3)
    assert codes[eve.act(seen)] == pytest.approx(max(codes.values()))


def test_the_loops_notice_another_lexicon() -> None:
    """The comparison above fails when either side is broken."""
    seen = eve_view(("tail", "road", "flour"), TURN)
    ours = np.exp(BayesianGuesser(tiny_production(0)).posterior(seen, ("tail", "road", "flour")))
    assert ours[ours > 0] != pytest.approx(list(codes_by_loops(tiny_production(1), seen).values()), rel=1e-3)


def test_codes_that_were_played_are_left_out() -> None:
    seen = eve_view(("sand", "tail", "flour"), TURN)
    logs = BayesianGuesser(tiny_production()).posterior(seen, ("sand", "tail", "flour"))
    assert np.isneginf(logs).sum() == 1
    assert BayesianGuesser(tiny_production()).act(seen) != (1, 2, 3)


def test_as_bob_it_reads_the_keywords() -> None:
    literal, seen = tiny_production(), bob_view(("paw", "bread", "road"))
    codes = codes_by_loops(literal, seen)
    found = np.exp(BayesianGuesser(literal).posterior(seen, ("paw", "bread", "road")))
    assert found == pytest.approx([codes[code] for code in permutations((1, 2, 3, 4), 3)], rel=1e-3)
    assert BayesianGuesser(literal).act(seen) == (2, 3, 4)


def test_a_hidden_hint_says_nothing_and_a_false_one_is_believed() -> None:
    literal = tiny_production()
    hidden = replace(tiny_game(TURN), interventions=(Intervention("hide", 1, 1),))
    false = replace(tiny_game(TURN), interventions=(Intervention("falsify", 1, 1, "wheel"),))
    plain = BayesianGuesser(literal).belief(view(tiny_game(TURN), "eve"))
    blotted = BayesianGuesser(literal).belief(view(hidden, "eve"))
    fooled = BayesianGuesser(literal).belief(view(false, "eve"))
    assert blotted.weights[0] == pytest.approx(np.full(len(literal.words), 1 / len(literal.words)))
    assert blotted.weights[1] == pytest.approx(plain.weights[1])
    expected = belief_by_loops(literal, view(false, "eve"), 0)
    assert fooled.weights[0] == pytest.approx([expected[word] for word in literal.words], rel=1e-3, abs=1e-6)


def test_a_keyword_that_is_shown_is_known_and_asked_for_before_it_is_not() -> None:
    literal = tiny_production()
    game = replace(tiny_game(TURN), interventions=(Intervention("reveal", 1, 4, "car"),))
    seen, eve = view(game, "eve"), BayesianGuesser(literal)
    assert asked(eve, seen, "keywords")[3] == "car"
    unaware = asked(eve, view(tiny_game(TURN), "eve"), "keywords")
    assert asked(eve, seen, "keywords", "before", KEYWORDS) == unaware
    assert asked(eve, seen, "keywords", "other", KEYWORDS) == unaware
    assert asked(eve, seen, "keywords", "now", KEYWORDS) == KEYWORDS
    heard = seen._replace(hints=("wheel", "paw", "sea"))
    codes = codes_by_loops(literal, heard)
    found = np.exp(eve.posterior(heard, ("wheel", "paw", "sea")))
    assert found[found > 0] == pytest.approx(list(codes.values()), rel=1e-3)
    eve.act(heard)
    assert eve.thoughts(heard)["keywords"][3] == [["car", 1.0]]


def test_who_was_told_of_a_reveal_knows_that_eve_knows_it() -> None:
    literal = tiny_production()
    told = replace(tiny_game(TURN), interventions=(Intervention("reveal", 1, 4, "car", told=("alice", "bob")),))
    untold = replace(told, interventions=(replace(told.interventions[0], told=()),))
    bob, heard = BayesianGuesser(literal), ("wheel", "paw", "sea")
    assert asked(bob, view(told, "bob", heard), "keywords", "eve")[3] == "car"
    unaware = asked(bob, view(tiny_game(TURN), "eve"), "keywords")
    assert asked(bob, view(untold, "bob", heard), "keywords", "eve") == unaware


def test_thoughts_are_the_likeliest_words() -> None:
    literal, seen = tiny_production(), eve_view(("tail", "road", "flour"), TURN)
    eve = BayesianGuesser(literal)
    eve.act(seen)
    first = eve.thoughts(seen)["keywords"][0]
    expected = sorted(belief_by_loops(literal, seen, 0).items(), key=lambda pair: -pair[1])[:5]
    assert [word for word, _ in first] == [word for word, _ in expected]
    assert [chance for _, chance in first] == pytest.approx([chance for _, chance in expected], abs=1e-3)


def test_strange_hints_do_no_harm() -> None:
    """Words from outside the vocabulary are heard, unknown ones say nothing, a keyword for a hint ends nothing."""
    literal = tiny_production()
    logs = literal.log_chances(["beach", "xyzzy", "sea sand"], KEYWORDS)
    assert np.isneginf(logs[0, 0])
    assert logs[1] == pytest.approx(np.zeros(4))
    assert logs[2, 0] == max(logs[2])
    assert len(set(literal.log_row("xyzzy"))) == 1
    guess = BayesianGuesser(literal).act(eve_view(("xyzzy", "no_hint", "no_hint"), TURN))
    assert guess == (1, 2, 4), "the first code that was not played"
    nothing = code_logs(np.full((3, 4), -np.inf), Rules(), [(1, 2, 3)])
    assert np.exp(nothing).sum() == pytest.approx(1)


def test_factories_refuse_what_makes_no_sense() -> None:
    for seat, lexicon in (("alice", "glove"), ("eve", "glove+moby")):
        with pytest.raises(UserError):
            bayes(seat, lexicon)
