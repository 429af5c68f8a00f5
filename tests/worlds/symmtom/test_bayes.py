"""The Bayesian belief: exact where things are certain, and revised where evidence bears on the past."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.core.errors import UserError
from otherminds.worlds.symmtom import bayes, beliefs, chance, rules
from otherminds.worlds.symmtom.bayes import BAYES, BayesRule, Memory
from otherminds.worlds.symmtom.beliefs import CONSERVATIVE
from otherminds.worlds.symmtom.bits import unpack
from otherminds.worlds.symmtom.observe import perceive
from otherminds.worlds.symmtom.particles import shares
from otherminds.worlds.symmtom.speech import BABBLE, RECITE, TELL, Manner
from otherminds.worlds.symmtom.types import Params, State
from tests.reference.pairing import random_params
from tests.worlds.symmtom.playing import (
    DOWN,
    LEFT,
    RIGHT,
    STAY,
    UP,
    Cell,
    Played,
    huddle,
    knowing,
    play,
    recharges_in,
    start,
    turn,
)

SMALL = BayesRule(particles=16)
MANY = BayesRule(particles=256)
Choices = tuple[list[int], list[int]]  # moves and pieces of a turn
seeds = st.integers(0, 2**32 - 1)


def begin(state: State, params: Params, rule: BayesRule = BAYES) -> Memory:
    return bayes.begin(perceive(state, params), params, rule)


def follow(memory: Memory, state: State, params: Params, rule: BayesRule, key: Any, is_told: bool = True) -> Memory:
    reward = state.last_reward if is_told and params.competitive is None else None
    return bayes.update(memory, perceive(state, params), params, rule, key, reward)


def history(
    state: State,
    params: Params,
    turns: list[Choices],
    rule: BayesRule = MANY,
    is_told: bool = True,
    seed: int = 0,
) -> list[Any]:
    """Probabilities before the first turn and after each, ``[observer, subject, piece]``, of a scripted history."""
    rng, memory = np.random.default_rng(seed), begin(state, params, rule)
    found = [bayes.probability(memory, params)]
    for moves, pieces in turns:
        state, _ = turn(state, params, moves, pieces)
        memory = follow(memory, state, params, rule, rng, is_told)
        found.append(bayes.probability(memory, params))
    return found


def truth_of(state: State, params: Params) -> Any:
    return unpack(np, state.knowledge, params.num_pieces)


def covered_params(rng: np.random.Generator, **fixed: Any) -> Params:
    """A world of any rules this belief covers."""
    return random_params(rng, vision=None, decay=None, directions="realised", **fixed)


# What is certain


@given(seeds)
def test_everyone_knows_its_own_knowledge_under_any_options(seed: int) -> None:
    rng = np.random.default_rng(seed)
    params = covered_params(rng, num_turns=12)
    memory = None
    for played in play(params, rng, (3,)):
        memory = memory or begin(played.before, params, SMALL)
        memory = follow(memory, played.after, params, SMALL, rng)
        found, truth = bayes.probability(memory, params), truth_of(played.after, params)
        assert all(np.array_equal(found[i, i], truth[i]) for i in range(params.num_agents))


def surely(turns: list[Played], params: Params) -> Any:
    """By plain loops: after each turn, the pieces each observer can be sure that each agent has or cannot have.

    Sure is what an agent was heard to say, or heard along with the observer, and cannot have forgotten at its base.
    Impossible is what nobody in range of it could have said.
    """
    agents = range(params.num_agents)
    first = [{p for p in range(32) if int(f) >> p & 1} for f in turns[0].before.first_hand]
    sure = [[set(first[j]) for j in agents] for _ in agents]
    can = [[set(first[j]) for j in agents] for _ in agents]
    for played in turns:
        said, earshot = played.after.utterance, played.after.earshot
        before = [[set(pieces) for pieces in row] for row in can]
        for k in agents:
            for j in agents:
                proved = set()
                for s in agents:
                    is_audible = s == k or int(earshot[k]) >> s & 1
                    spoken = {p for p in range(32) if int(said[s]) >> p & 1} if is_audible else before[k][s]
                    if int(earshot[j]) >> s & 1:
                        can[k][j] |= spoken
                        proved |= spoken if is_audible else set()
                    elif s == j and j != k and is_audible:
                        proved |= spoken
                        can[k][j] |= spoken
                if played.after.uses_base[j] or played.before.uses_base[j]:
                    sure[k][j] = set(first[j])  # it may have forgotten, also what it has just said
                else:
                    sure[k][j] |= proved
        yield played, sure, can


def test_what_is_proved_has_probability_one_and_what_is_impossible_none() -> None:
    params, rng = Params(num_agents=4, num_pieces=4, num_turns=30), np.random.default_rng(0)
    proved = impossible = 0
    for _ in range(20):
        turns = list(play(params, rng))
        memory = begin(turns[0].before, params, SMALL)
        for played, sure, can in surely(turns, params):
            memory = follow(memory, played.after, params, SMALL, rng)
            found = bayes.probability(memory, params)
            for k, j, p in np.ndindex(4, 4, 4):
                if p in sure[k][j]:
                    assert found[k, j, p] == 1
                    proved += not int(played.after.first_hand[j]) >> p & 1
                elif p not in can[k][j]:
                    assert found[k, j, p] == 0
                    impossible += k != j
    assert proved > 1_000
    assert impossible > 1_000


@pytest.mark.parametrize(
    "switches", [{}, {"base": "proportional"}, {"base_pays_at_once": True}, {"interference": True}]
)
def test_whoever_always_hears_everyone_knows_what_everyone_knows(switches: dict[str, Any]) -> None:
    params, turns = huddle(25, 40, **switches)
    rng = np.random.default_rng(0)
    memory = begin(turns[0].before, params, SMALL)
    for played in turns:
        memory = follow(memory, played.after, params, SMALL, rng)
        truth = truth_of(played.after, params)
        assert np.array_equal(bayes.probability(memory, params), np.broadcast_to(truth, (4, *truth.shape)))
    assert recharges_in(turns) > 5


@given(seeds)
def test_a_belief_is_made_from_the_percepts_of_its_holder_alone(seed: int) -> None:
    """Percepts of others are scrambled; the observer's row stays."""
    rng = np.random.default_rng(seed)
    params = covered_params(rng, num_turns=6)
    turns = list(play(params, rng))
    memory = begin(turns[0].before, params, SMALL)
    k, other = rng.permutation(params.num_agents)[:2]
    for number, played in enumerate(turns):
        sight = perceive(played.after, params)
        scrambled = sight._replace(
            **{name: getattr(sight, name).copy() for name in ("utterance", "earshot", "uses_base")}
        )
        scrambled.utterance[other] = 1
        scrambled.earshot[other] = 0
        scrambled.uses_base[other] = (1 << params.num_agents) - 1
        expected, found = (
            bayes.update(memory, given, params, SMALL, np.random.default_rng(number)) for given in (sight, scrambled)
        )
        assert np.array_equal(bayes.probability(found, params)[k], bayes.probability(expected, params)[k])
        memory = expected


# What evidence says of the past (spec 12.5 and 12.6, from the turn of the unheard utterance)

RED, GREEN, BLUE, YELLOW = range(4)
BASES: list[Cell] = [(0, 5), (5, 5), (2, 5), (5, 0)]


def test_of_two_pieces_an_unheard_speaker_may_have_said_each_is_about_as_probable() -> None:
    params = Params()
    cells: list[Cell] = [(1, 2), (4, 3), (3, 2)]
    state = start(params, cells, [(0, 5), (5, 0), (0, 0)], ({0}, {1}, {0, 2}))
    for x in (0, 2):
        found = history(state, params, [([], [-1, -1, x])], BayesRule(256, (RECITE,)))[-1]
        assert 0.35 < found[RED, GREEN, 0] < 0.6
        assert 0.35 < found[RED, GREEN, 2] < 0.6
        assert 0.85 < found[RED, GREEN, 0] + found[RED, GREEN, 2] <= 1
        assert found[BLUE, GREEN, x] == 1


def retroactive(x: int, variant: str, is_told: bool = True) -> tuple[list[Any], State, Params]:
    """Blue says x to green and yellow; four turns later green betrays what it heard (H), or red's reward does (R).

    Others are taken to tell what is wanted whenever they can: the scripts are silent otherwise, and a mind that has to
    learn how others speak would suppose that blue, too, was silent.
    """
    params = Params(num_agents=4, num_pieces=4)
    state = start(params, [(1, 2), (4, 3), (3, 2), (4, 1)], BASES, ({0, 2}, {1}, {0, 2}, {3}))
    last = [-1, x] if variant == "H" else [0]
    turns: list[Choices] = [
        ([], [-1, -1, x]),
        ([UP, STAY, LEFT], []),
        ([RIGHT, STAY, DOWN], []),
        ([RIGHT, STAY, LEFT], []),
        ([STAY, STAY, LEFT], last),
    ]
    return history(state, params, turns, BayesRule(256, (TELL,)), is_told), state, params


@pytest.mark.parametrize("variant", ["H", "R"])
@pytest.mark.parametrize("x", [0, 2])
def test_later_evidence_about_one_listener_tells_what_the_other_heard(x: int, variant: str) -> None:
    found, _, _ = retroactive(x, variant)
    other = 2 - x
    assert 0.35 < found[-2][RED, YELLOW, x] < 0.65
    assert 0.35 < found[-2][RED, YELLOW, other] < 0.65
    assert found[-1][RED, YELLOW, x] >= 0.95
    assert found[-1][RED, YELLOW, other] <= 0.05


@pytest.mark.parametrize("x", [0, 2])
def test_without_its_reward_red_cannot_tell(x: int) -> None:
    found, _, _ = retroactive(x, "R", is_told=False)
    assert 0.35 < found[-1][RED, YELLOW, 0] < 0.65
    assert 0.35 < found[-1][RED, YELLOW, 2] < 0.65


@pytest.mark.parametrize("x", [0, 2])
def test_the_reward_for_speaking_is_told_from_all_that_came_with_it(x: int) -> None:
    """Red speaks as it moves onto a base that pays, and hears something new in the same turn."""
    params = Params(num_agents=4, num_pieces=4, base="constant", base_reward=3.5, move_cost=0.75)
    bases: list[Cell] = [(3, 3), (5, 5), (2, 5), (5, 0)]
    state = start(params, [(1, 2), (4, 3), (3, 2), (4, 1)], bases, ({0, 2}, {1}, {0, 2}, {3}))
    turns: list[Choices] = [
        ([], [-1, -1, x]),
        ([UP, STAY, LEFT], []),
        ([RIGHT, STAY, DOWN], []),
        ([RIGHT, STAY, LEFT], [0, 1]),
    ]
    found = history(state, params, turns, BayesRule(256, (TELL,)))
    assert found[-1][RED, YELLOW, x] >= 0.95
    assert found[-1][RED, YELLOW, 2 - x] <= 0.05


@pytest.mark.parametrize("variant", ["H", "R"])
def test_a_conservative_mind_draws_no_such_conclusion(variant: str) -> None:
    _, state, params = retroactive(0, variant)
    belief = beliefs.begin(perceive(state, params), params, CONSERVATIVE)
    moves = [[], [UP, STAY, LEFT], [RIGHT, STAY, DOWN], [RIGHT, STAY, LEFT], [STAY, STAY, LEFT]]
    says = [[-1, -1, 0], [], [], [], [-1, 0] if variant == "H" else [0]]
    for choice, pieces in zip(moves, says, strict=True):
        state, _ = turn(state, params, choice, pieces)
        belief = beliefs.update(belief, perceive(state, params), params, CONSERVATIVE)
    assert belief.knows[RED, YELLOW] & 0b101 == 0


# Recharges and speech as evidence


def test_who_says_right_after_its_base_what_it_lacked_before_has_just_forgotten_it() -> None:
    """1 knows 0 and 1 and is told 2 out of 0's hearing, uses its base, and says 2 to 0 in the next turn."""
    params = Params()
    state = start(params, [(1, 1), (3, 1), (4, 1)], [(5, 5), (3, 1), (0, 5)], ({0}, {0, 1}, {2}))
    turns: list[Choices] = [([], [-1, -1, 2]), ([STAY, STAY, RIGHT], []), ([STAY, LEFT], [-1, 2])]
    for rule in (MANY, SMALL):
        found = history(state, params, turns, rule)
        assert 0 < found[1][0, 1, 2] < 1
        assert found[-1][0, 1, 2] == 0
        assert found[-1][0, 1, 1] == 1


def test_who_says_a_piece_long_after_its_base_has_not_forgotten_it() -> None:
    """As above, but 1 was told after it had used its base."""
    params = Params()
    state = start(params, [(1, 1), (3, 1), (4, 1)], [(5, 5), (4, 2), (0, 5)], ({0}, {0, 1}, {2}))
    turns: list[Choices] = [
        ([], [-1, -1, 2]),
        ([STAY, STAY, RIGHT], []),
        ([STAY, STAY, RIGHT], []),
        ([RIGHT], [-1, 2]),
    ]
    found = history(state, params, turns, MANY)
    assert 0 < found[1][0, 1, 2] < 1
    assert found[-1][0, 1, 2] == 1


def standing_by(pieces: list[int], manner: Manner) -> float:
    """How probable 0 holds it that 1 knows 2, when 2 may have told it and 1 then says this in 0's hearing."""
    params = Params(num_pieces=4)
    state = start(params, [(1, 1), (3, 1), (4, 1)], [(5, 5), (0, 5), (5, 0)], ({0}, {1, 3}, {2}))
    turns: list[Choices] = [([], []), ([STAY, STAY, RIGHT], []), ([RIGHT], pieces)]
    return float(history(state, params, turns, BayesRule(256, (manner,)))[-1][0, 1, 2])


def test_silence_tells_that_somebody_has_little_to_say() -> None:
    """A babbler that knew one piece more would be silent less often; any piece it has is as good to it."""
    assert standing_by([-1, -1], BABBLE) < standing_by([-1, 1], BABBLE) - 0.05


def test_choosing_another_piece_tells_against_having_a_wanted_one() -> None:
    """2 has told 1 its piece with odds of 8 to 4. If it has, 1 says with 1 in 13 what 0 knows; if not, with 1 in 5."""
    params, manner = Params(), Manner(greed=8.0, silence=4.0)
    state = start(params, [(1, 1), (3, 1), (4, 1)], [(5, 5), (0, 5), (5, 0)], ({0, 1}, {1}, {2}))
    turns: list[Choices] = [([], []), ([STAY, STAY, RIGHT], []), ([RIGHT], [-1, 1])]
    found = history(state, params, turns, BayesRule(1024, (manner,)))
    assert found[2][0, 1, 2] == pytest.approx(2 / 3, abs=0.05)
    assert found[3][0, 1, 2] == pytest.approx((2 / 3 / 13) / (2 / 3 / 13 + 1 / 3 / 5), abs=0.05)


def test_the_manner_of_others_is_learned() -> None:
    """Two agents side by side: 1 is silent in half of its turns, although it can always speak."""
    params = Params(num_agents=2, num_pieces=4, width=4, num_turns=30)
    state = start(params, [(0, 0), (1, 0)], [(3, 3), (0, 3)], ({0, 1}, {2, 3}))
    rng, memory = np.random.default_rng(0), begin(state, params)
    for number in range(12):
        state, _ = turn(state, params, pieces=[-1, 2 if number % 2 else -1])
        memory = follow(memory, state, params, BAYES, rng)
    babbles = shares(memory.weight, [memory.manner == 0])[0, 1, 0]
    assert babbles > 0.95


def test_evidence_that_no_possible_world_foresaw_is_believed_all_the_same() -> None:
    """1 has secretly known 2 all along."""
    params = Params()
    state = knowing(start(params, [(1, 1), (2, 1), (5, 5)]), {0}, {1, 2}, {2})
    found = history(state, params, [([], []), ([], [-1, 2]), ([], [])], SMALL)
    assert [float(p[0, 1, 2]) for p in found] == [0, 0, 1, 1]


# Private first-hand pieces


@pytest.mark.parametrize(("num_pieces", "owners"), [(4, 1), (8, 1), (6, 2), (5, 3), (7, 1)])
def test_supposed_hands_are_balanced_and_leave_no_piece_out(num_pieces: int, owners: int) -> None:
    params = Params(num_agents=4, num_pieces=num_pieces, owners=owners, private_first_hand=True)
    state = rules.deal(chance.draw_deal(np.random.default_rng(0), params, (20,)), params)
    hands = begin(state, params).first_hand  # [agent, observer, particle, world]
    has = np.stack([(hands >> p) & 1 for p in range(num_pieces)])
    assert np.all(has.sum(axis=1) == owners)
    sizes = has.sum(axis=0)
    assert np.all(sizes.max(axis=0) - sizes.min(axis=0) <= 1)
    for k in range(4):
        assert np.all(hands[k, k] == state.first_hand[k])
    assert all(len(np.unique(hands[(k + 1) % 4, k, :, 0])) > 2 for k in range(4))


def test_a_private_piece_heard_belongs_to_nobody_else() -> None:
    params = Params(private_first_hand=True)
    state = start(params, [(1, 1), (2, 1), (5, 5)])
    found = history(state, params, [([], [-1, 1])])
    assert 0.3 < found[0][0, 1, 1] < 0.7
    assert 0.3 < found[0][0, 2, 1] < 0.7
    assert found[1][0, 1, 1] == 1
    assert found[1][0, 2, 1] < 0.01
    assert found[1][0, 2, 2] > 0.99


def test_pieces_that_nobody_was_supposed_to_own_find_their_owner() -> None:
    """With so many pieces, none of a few possible worlds has the right hand for 1, which says all of it."""
    params = Params(num_agents=4, num_pieces=16, private_first_hand=True)
    hands = ({0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15})
    state = start(params, [(1, 1), (2, 1), (5, 5), (0, 5)], BASES, hands)
    rng, memory = np.random.default_rng(0), begin(state, params, SMALL)
    for piece in hands[1]:
        state, _ = turn(state, params, pieces=[-1, piece])
        memory = follow(memory, state, params, SMALL, rng)
    mine = memory.first_hand[:, 0]  # [agent, particle], as 0 supposes
    assert np.all(mine[1] & 0xF0 == 0xF0)
    assert np.all(mine[2:] & 0xF0 == 0)
    assert np.all(mine[0] == 0x0F)


def test_whoever_is_supposed_to_own_a_piece_is_supposed_to_know_it() -> None:
    params, rng = Params(num_pieces=6, private_first_hand=True), np.random.default_rng(0)
    memory = None
    for played in play(params, rng, (20,)):
        memory = memory or begin(played.before, params)
        memory = follow(memory, played.after, params, BAYES, rng)
        assert np.all(memory.first_hand & ~memory.knowledge == 0)


# Refusals


@pytest.mark.parametrize("switches", [{"vision": 2}, {"decay": 3}])
def test_worlds_it_does_not_cover_are_refused(switches: dict[str, Any]) -> None:
    params = Params(**switches)
    state = start(params, [(0, 0), (1, 1), (2, 2)])
    name, value = next(iter(switches.items()))
    with pytest.raises(UserError, match=f"does not cover {name}={value}"):
        begin(state, params)


@pytest.mark.parametrize(
    ("switches", "reason"),
    [({"competitive": 2}, "holds a bonus"), ({"move_cost": 0.5, "directions": "intended"}, "what moving cost it")],
)
def test_rewards_that_say_too_little_are_refused(switches: dict[str, Any], reason: str) -> None:
    params = Params(**switches)
    state = start(params, [(0, 0), (1, 1), (2, 2)])
    memory, sight, rng = begin(state, params), perceive(state, params), np.random.default_rng(0)
    bayes.update(memory, sight, params, BAYES, rng)
    with pytest.raises(UserError, match=reason):
        bayes.update(memory, sight, params, BAYES, rng, state.last_reward)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"particles": 48}, "particles is 48; expected a power of two"),
        ({"particles": 2048}, "particles is 2048; expected a power of two from 2 to 1024"),
        ({"manners": ()}, "manners is empty"),
        ({"miss": 0.0}, "miss is 0.0; expected a share"),
    ],
)
def test_rules_that_cannot_work_are_refused(values: dict[str, Any], reason: str) -> None:
    with pytest.raises(UserError, match=reason):
        BayesRule(**values)
