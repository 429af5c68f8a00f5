"""Alice who models the others, and Bob who models her, against loops over the equations of spec 9."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product
from math import log
from typing import Any

import numpy as np
import pytest

from otherminds.core.errors import UserError
from otherminds.core.mind import CannotAnswer
from otherminds.core.seeds import Draw, child_seed
from otherminds.worlds.decrypto.minds.embedding import EmbeddingAlice, EmbeddingGuesser
from otherminds.worlds.decrypto.minds.rsa import RSAAlice, RSABob, rsa
from otherminds.worlds.decrypto.minds.rsa_search import Aims, Choices, Ears, Ensemble, Heard, ascend
from otherminds.worlds.decrypto.observe import RoleView, eve_as_seen_by, view
from otherminds.worlds.decrypto.types import Intervention, Turn
from otherminds.worlds.decrypto.world import Decrypto
from tests.worlds.decrypto.minds.asking import asked, minds, played, seated
from tests.worlds.decrypto.minds.test_bayes import belief_by_loops, codes_by_loops, s0
from tests.worlds.decrypto.minds.tiny import (
    HINTS,
    KEYWORDS,
    RULES,
    TURN,
    alice_view,
    bob_as_seen_by,
    bob_view,
    tiny_game,
    tiny_production,
)

CODES = tuple(permutations((1, 2, 3, 4), 3))
AIMS = Aims(lam=3.0, mu=0.4)


def value_by_loops(
    aims: Aims, seeds: tuple[int, ...], own: RoleView, hints: tuple[str, ...], code: tuple[int, ...]
) -> float:
    """Section 9's utility, the worst lexicon counting for each part."""
    clear, fear, caught, leaks = [], [], False, []
    for seed in seeds:
        literal = tiny_production(seed)
        clear.append(log(codes_by_loops(literal, bob_as_seen_by(own, hints))[code]))
        eve = codes_by_loops(literal, eve_as_seen_by(own, hints))
        fear.append(eve[code])
        caught = caught or eve[code] >= max(eve.values()) * (1 - 1e-6)
        leak = 0.0
        for hint, digit in zip(hints, code, strict=True):
            belief = belief_by_loops(literal, eve_as_seen_by(own, hints), digit - 1)
            said = {word: weight * s0(literal, hint, word) for word, weight in belief.items()}
            leak += log(said[KEYWORDS[digit - 1]] / sum(said.values()))
        leaks.append(leak)
    return min(clear) + aims.lam * (log(1 - max(fear)) - caught) - aims.mu * max(leaks)


def ensemble(*seeds: int) -> Ensemble:
    return Ensemble([tiny_production(seed) for seed in seeds])


def all_choices(own: RoleView, lexica: Ensemble, code: tuple[int, ...]) -> Choices:
    return Ears(own, lexica).choices([np.arange(len(HINTS))] * 3, code, leaks=True)


def every_value(choices: Choices, aims: Aims) -> Any:
    """The utility of all triples, ``[hint, hint, hint]``."""
    bob, eve = (
        part[0][:, :, None, None] * part[1][:, None, :, None] * part[2][:, None, None]
        for part in (choices.bob, choices.eve)
    )
    one, two, three = choices.leak
    leak = one[:, :, None, None] + two[:, None, :, None] + three[:, None, None]
    read, fear = (weights[..., choices.target] / weights.sum(axis=-1) for weights in (bob, eve))
    return aims.value(Heard(read, fear, eve[..., choices.target] >= eve.max(axis=-1), leak))


@pytest.mark.parametrize("seeds", [(0,), (0, 1)])
@pytest.mark.parametrize("turns", [(), (TURN,)])
def test_the_utility_is_section_9_in_loops(seeds: tuple[int, ...], turns: tuple[Turn, ...]) -> None:
    own, code = alice_view(*turns), (2, 3, 4)
    every = every_value(all_choices(own, ensemble(*seeds), code), AIMS)
    for picks in ((3, 6, 9), (4, 8, 0), (11, 1, 5)):
        hints = tuple(HINTS[pick] for pick in picks)
        found = float(every[picks])
        assert found == pytest.approx(value_by_loops(AIMS, seeds, own, hints, code), rel=1e-3)
        assert found != pytest.approx(value_by_loops(replace(AIMS, mu=0.5), seeds, own, hints, code), rel=1e-3)


@pytest.mark.parametrize("code", [(2, 3, 4), (4, 3, 1)])
def test_the_search_finds_the_best_of_all_hints(code: tuple[int, ...]) -> None:
    choices = all_choices(alice_view(TURN), ensemble(0), code)
    picks, value = ascend(choices, AIMS.value, Draw(0, "test"), restarts=50)
    every = every_value(choices, AIMS)
    for places in product(range(len(HINTS)), repeat=3):
        if len(set(places)) < 3:
            every[places] = -np.inf
    assert value == pytest.approx(every.max(), rel=1e-5)
    assert every[picks] == pytest.approx(value, rel=1e-5)


@pytest.mark.parametrize("lam", [0.0, 3.0])
def test_bob_inverts_alice(lam: float) -> None:
    """With many draws his estimate of Z comes near the sum over all hints."""
    aims, seen = Aims(lam), bob_view(("paw", "bread", "road"), TURN)
    bob = RSABob(ensemble(0), aims, samples=5_000)
    seated(bob, "bob", RULES, child_seed(0, "decrypto/bob"))
    codes, logs = bob.posterior(seen)
    literal, exact = tiny_production(0), []
    said = tuple(HINTS.index(hint) for hint in seen.hints)
    for code in codes:
        one, two, three = (np.exp(literal.log_given(KEYWORDS[digit - 1])) for digit in code)
        worth = np.exp(every_value(all_choices(seen, ensemble(0), code), aims))
        weights = one[:, None, None] * two[:, None] * three * worth
        exact.append(float(weights[said] / weights.sum()))
    expected = np.array(exact) / sum(exact)
    assert np.exp(logs) == pytest.approx(expected, abs=0.02)
    assert codes[int(np.argmax(logs))] == bob.act(seen)


def test_alice_gives_new_hints_within_the_rules() -> None:
    world = Decrypto(hints="strict")
    game, episode = played(world.deal(3), minds(alice="rsa:candidates=30", bob="rsa"))
    hints = [hint for turn in game.turns for hint in turn.hints]
    assert len(set(hints)) == len(hints)
    assert all(turn["attempts"] == {"alice": 1, "bob": 1, "eve": 1} for turn in episode.turns)
    assert all(turn.is_decoded for turn in game.turns)
    assert 0 <= episode.turns[-1]["thoughts"]["alice"]["interception"] <= 1


def test_alice_reckons_with_what_she_was_told_of_eve() -> None:
    """A keyword shown to Eve makes hints for it dangerous: told of it, Alice fears more; untold, nothing changes."""
    alice = RSAAlice(ensemble(0))
    seated(alice, "alice", RULES)
    shown = Intervention("reveal", 1, 2, "cat")
    told = view(replace(tiny_game(TURN), interventions=(shown,)), "alice")
    untold = view(replace(tiny_game(TURN), interventions=(replace(shown, told=()),)), "alice")
    unchanged = view(tiny_game(TURN), "alice")
    hints = ("tail", "bread", "road")
    fears = [asked(alice, seen, "chance", "eve", hints=hints) for seen in (told, untold, unchanged)]
    assert fears[0] > fears[1] == fears[2]


def test_alice_predicts_the_eve_that_she_models() -> None:
    own, hints = alice_view(TURN), ("tail", "bread", "road")
    alice = RSAAlice(ensemble(0))
    seated(alice, "alice", RULES)
    codes = codes_by_loops(tiny_production(0), eve_as_seen_by(own, hints))
    assert asked(alice, own, "guess", "eve", hints=hints) == max(codes, key=lambda code: codes[code])
    assert asked(alice, own, "chance", "eve", hints=hints) == pytest.approx(codes[(2, 3, 4)], rel=1e-3)


def test_the_baseline_predicts_an_eve_with_her_own_lexicon() -> None:
    own, hints, literal = alice_view(TURN), ("tail", "bread", "road"), tiny_production(0)
    alice = EmbeddingAlice(literal.hints)
    guess = EmbeddingGuesser(literal.meaning).act(eve_as_seen_by(own, hints))
    assert asked(alice, own, "guess", "eve", hints=hints) == guess
    assert asked(alice, own, "chance", "eve", hints=hints) == float(guess == own.code)
    with pytest.raises(CannotAnswer):
        asked(alice, own, "guess", "eve")


def test_modelling_eve_changes_hints_and_repeats_with_the_seed() -> None:
    world = Decrypto(hints="off")

    def hints(spec: str) -> list[tuple[str, ...]]:
        return [turn.hints for turn in played(world.deal(5), minds(alice=spec, bob="bayes", eve="bayes"))[0].turns]

    assert hints("rsa:candidates=40") == hints("rsa:candidates=40")
    assert hints("rsa:candidates=40") != hints("rsa:candidates=40,lam=0")


def test_factories_refuse_what_makes_no_sense() -> None:
    for wrong in ({"seat": "eve"}, {"seat": "alice", "candidates": 0}, {"seat": "bob", "order": 3}):
        with pytest.raises(UserError):
            rsa(**wrong)
    with pytest.raises(UserError):
        rsa("alice", fears="nobody")
    with pytest.raises(UserError):
        rsa("alice", lexicon="glove+")
