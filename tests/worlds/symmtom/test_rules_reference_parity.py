"""The engine against the independent reference world, turn by turn; and seeded bugs, which the comparison sees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from otherminds.core.errors import UserError
from otherminds.worlds.symmtom import chance, metrics, observe, rules
from otherminds.worlds.symmtom.beliefs import belief_rules
from otherminds.worlds.symmtom.beliefs.belief_rules import ATTENTIVE, CONSERVATIVE, GREEDY, BeliefRule
from otherminds.worlds.symmtom.types import Action, Params
from tests.reference import symmtom as reference
from tests.reference.pairing import SWITCHES, Pairing, random_params
from tests.reference.symmtom import ReferenceBelief, ReferenceWorld

OPTIONS: dict[str, tuple[Any, ...]] = SWITCHES | {"hearing": (0, 2), "num_turns": (7,)}
COMPANIONS: dict[str, dict[str, Any]] = {
    # What an option needs beside it to show.
    "bonus": {"competitive": 2},
    "displayed_knowledge": {"oracle": True},
    "hearing": {"width": 6},
}
SINGLE = [(name, value) for name, values in OPTIONS.items() for value in values]
RULES = (CONSERVATIVE, GREEDY, ATTENTIVE)
CROWD: dict[str, Any] = {"num_agents": 4, "width": 4, "num_pieces": 3}


def compare(
    params: Params,
    rng: np.random.Generator,
    *,
    worlds: int = 4,
    rule: BeliefRule | None = CONSERVATIVE,
    reference_params: Params | None = None,
) -> int:
    """Play whole episodes on both sides; gives the number of turns on which they agreed."""
    state = rules.deal(chance.draw_deal(rng, params, (worlds,)), params)
    pairing = Pairing.of(state, params, rule, reference_params)
    turns = 0
    while not pairing.is_over:
        turns += pairing.step(pairing.random_action(rng), chance.draw_coins(rng, params, (worlds,)))
    return turns


def compare_many(rng: np.random.Generator, turns: int, make: Callable[[np.random.Generator], Params]) -> None:
    done, episode = 0, 0
    while done < turns:
        done += compare(make(rng), rng, rule=RULES[episode % len(RULES)])
        episode += 1


def params_with(rng: np.random.Generator, name: str, value: Any) -> Params:
    """A small crowded world with one thing changed, and what that needs to show."""
    size = {
        "num_agents": int(rng.integers(2, 6)),
        "width": int(rng.integers(4, 7)),
        "num_pieces": int(rng.integers(1, 5)),
    }
    if name == "owners":
        size["num_agents"] = max(3, size["num_agents"])
    return Params(**size | {"num_turns": 30} | COMPANIONS.get(name, {}) | {name: value})


def mixed_params(rng: np.random.Generator) -> Params:
    """Any mixture of options that is allowed."""
    while True:
        extra = {"hearing": int(rng.integers(0, 3)), "width": 6} if rng.random() < 0.2 else {}
        try:
            return random_params(rng, **extra)
        except UserError:
            continue


def random_rule(rng: np.random.Generator) -> BeliefRule:
    base = GREEDY if rng.random() < 0.6 else CONSERVATIVE
    return replace(base, credit_speaker=bool(rng.random() < 0.5))


@pytest.mark.parametrize(("name", "value"), SINGLE)
def test_engine_and_reference_agree_with_one_option_set(name: str, value: Any) -> None:
    compare_many(np.random.default_rng(1), 350, lambda rng: params_with(rng, name, value))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), [("num_agents", 3), *SINGLE])
def test_engine_and_reference_agree_with_one_option_set_for_ten_thousand_turns(name: str, value: Any) -> None:
    compare_many(np.random.default_rng(2), 10_000, lambda rng: params_with(rng, name, value))


def test_engine_and_reference_agree_with_options_mixed() -> None:
    compare_many(np.random.default_rng(3), 4_000, mixed_params)


@pytest.mark.slow
def test_engine_and_reference_agree_with_options_mixed_for_a_hundred_thousand_turns() -> None:
    compare_many(np.random.default_rng(4), 100_000, mixed_params)


@pytest.mark.parametrize("episodes", [pytest.param(40), pytest.param(1_500, marks=pytest.mark.slow)])
def test_engine_and_reference_agree_on_beliefs_under_any_reading(episodes: int) -> None:
    rng = np.random.default_rng(5)
    for _ in range(episodes):
        compare(mixed_params(rng), rng, worlds=2, rule=random_rule(rng))


@pytest.mark.parametrize(
    ("size", "switches"),
    [
        ("n10_w4_c32", {}),
        ("n10_w6_c7", {"swaps": False, "random_collisions": False}),
        ("n9_w4_c32", {"interference": True, "decay": 3}),
        ("n2_w64_c1", {}),
        ("n10_w64_c32", {"vision": 20, "hearing": 20}),
    ],
)
def test_engine_and_reference_agree_at_the_largest_sizes(size: str, switches: dict[str, Any]) -> None:
    params = Params.from_setting(size, num_turns=20, **switches)
    assert compare(params, np.random.default_rng(6), rule=GREEDY) == 80


def moves_on_a_crowded_board(rng: np.random.Generator, switches: dict[str, Any], worlds: int) -> None:
    params = Params(num_agents=10, width=4, num_pieces=1, **switches)
    state = rules.deal(chance.draw_deal(rng, params, (worlds,)), params)
    choice = rng.integers(0, 5, state.x.shape, dtype=np.int32)
    coins = chance.draw_coins(rng, params, (worlds,))
    x, y = rules.move(state, choice, coins, params)
    for w, world in enumerate(Pairing.of(state, params).references):
        flips = {pair: int(coins[q // 32, w]) >> (q % 32) & 1 for q, pair in enumerate(params.pairs)}
        assert list(zip(x[:, w], y[:, w], strict=True)) == world._resolve(choice[:, w].tolist(), flips)


@pytest.mark.parametrize(
    "switches", [{}, {"swaps": False}, {"random_collisions": False}, {"middle_block": True}], ids=str
)
@pytest.mark.parametrize("worlds", [pytest.param(1_000), pytest.param(50_000, marks=pytest.mark.slow)])
def test_queues_rings_and_crashes_of_ten_agents_end_alike(switches: dict[str, Any], worlds: int) -> None:
    moves_on_a_crowded_board(np.random.default_rng(7), switches, worlds)


# Hypothesis: parameters, start, actions and coins of its choice.


@st.composite
def small_params(draw: st.DrawFn) -> Params:
    chosen = {name: draw(st.sampled_from(values)) for name, values in SWITCHES.items() if draw(st.integers(0, 5)) == 5}
    size = {
        "num_agents": draw(st.integers(2, 4)),
        "width": draw(st.integers(2, 5)),
        "num_pieces": draw(st.integers(1, 4)),
    }
    hearing = draw(st.integers(0, (size["width"] - 2) // 2))
    try:
        return Params(**chosen | size | {"hearing": hearing, "num_turns": 8})
    except UserError:
        assume(False)
        raise


@st.composite
def deals(draw: st.DrawFn, params: Params) -> chance.Deal:
    def places(first: int, last: int, room: int) -> Any:
        return np.asarray([[draw(st.integers(i, room - 1))] for i in range(first, last)], dtype=np.int32)

    n, c, room = params.num_agents, params.num_pieces, len(params.free_cells)
    first = 0 if params.start_on_base else n
    return chance.Deal(places(0, n, room), places(first, first + n, room), places(0, c, c), places(0, n, n))


@st.composite
def actions(draw: st.DrawFn, params: Params) -> Action:
    n = params.num_agents
    moves = draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    pieces = draw(st.lists(st.integers(-1, params.num_pieces - 1), min_size=n, max_size=n))
    return Action(np.asarray(moves, np.int32)[:, None], np.asarray(pieces, np.int32)[:, None])


def play_what_hypothesis_draws(data: st.DataObject) -> None:
    params = data.draw(small_params())
    state = rules.deal(data.draw(deals(params)), params)
    pairing = Pairing.of(state, params, data.draw(st.sampled_from(RULES)))
    for _ in range(data.draw(st.integers(1, params.num_turns))):
        coins = data.draw(st.integers(0, 2 ** len(params.pairs) - 1))
        pairing.step(data.draw(actions(params)), np.asarray([[coins]], dtype=np.uint32))


@given(st.data())
@settings(max_examples=40)
def test_no_episode_is_found_on_which_they_differ(data: st.DataObject) -> None:
    play_what_hypothesis_draws(data)


@pytest.mark.slow
@given(st.data())
@settings(max_examples=5_000)
def test_no_episode_is_found_in_a_long_search_on_which_they_differ(data: st.DataObject) -> None:
    play_what_hypothesis_draws(data)


# Seeded bugs: a comparison that cannot fail shows nothing.

Patch = Callable[[pytest.MonkeyPatch], None]


def is_caught(patch: Patch, monkeypatch: pytest.MonkeyPatch, **switches: Any) -> bool:
    """Whether a few hundred turns are enough to see a bug, which they do not see without it."""
    params = Params(**CROWD | {"num_turns": 30} | switches)
    compare(params, np.random.default_rng(8), rule=GREEDY)
    patch(monkeypatch)
    try:
        for seed in range(6):
            compare(params, np.random.default_rng(seed), rule=GREEDY)
    except AssertionError:
        return True
    return False


def instead(owner: Any, name: str, make: Callable[[Callable[..., Any]], Callable[..., Any]]) -> Patch:
    """Replace a function by one made from it."""
    right = getattr(owner, name)
    return lambda monkeypatch: monkeypatch.setattr(owner, name, make(right))


def with_params(owner: Any, name: str, position: int, **changes: Any) -> Patch:
    """A function that follows other rules."""

    def make(right: Callable[..., Any]) -> Callable[..., Any]:
        def wrong(*args: Any) -> Any:
            return right(*args[:position], args[position].replace(**changes), *args[position + 1 :])

        return wrong

    return instead(owner, name, make)


def nearby(x: Any, y: Any, params: Params) -> Any:
    """Hearing range by Manhattan instead of Chebyshev distance."""
    n = params.num_agents
    near = [(abs(x - x[j]) + abs(y - y[j]) <= params.hearing) & (np.arange(n)[:, None] != j) for j in range(n)]
    return sum(claim.astype(np.uint32) << np.uint32(j) for j, claim in enumerate(near))


ENGINE_BUGS: dict[str, tuple[Patch, dict[str, Any]]] = {
    "speech without delay": (instead(rules, "speakable", lambda _: lambda state, params: state.knowledge), {}),
    "forgotten pieces cannot be said": (with_params(rules, "speakable", 1, speak_forgotten=False), {}),
    "a duplicate counts once": (with_params(rules, "exchange", 3, count_duplicates=False), {}),
    "interference is ignored": (with_params(rules, "exchange", 3, interference=False), {"interference": True}),
    "a speaker earns nothing": (with_params(rules, "exchange", 3, speaking_reward=False), {}),
    "recharging forgets nothing": (instead(rules, "forgets_all", lambda _: lambda uses, _c, _p: uses & ~uses), {}),
    "any base use forgets": (instead(rules, "forgets_all", lambda _: lambda uses, _c, _p: uses), {}),
    "recharging pays n times c": (with_params(rules, "base_reward", 4, base_reward=12.0), {}),
    "the other one yields": (instead(rules, "stayers", lambda f: lambda c, w, coins, p: f(c, w, ~coins, p)), {}),
    "queues do not stop": (instead(rules, "repeat", lambda _: lambda body, times, value: value), {}),
    "queues of three do not stop": (instead(rules, "repeat", lambda _: lambda body, times, value: body(value)), {}),
    "no swaps": (with_params(rules, "stayers", 3, swaps=False), {}),
    "hearing one cell farther": (with_params(rules, "earshot", 2, hearing=2, width=6), {}),
    "hearing by Manhattan distance": (instead(rules, "earshot", lambda _: nearby), {}),
    "up is down": (instead(rules, "displacement", lambda f: lambda xp, c: (f(xp, c)[0], -f(xp, c)[1])), {}),
    "the block is no wall": (with_params(rules, "_is_free", 2, middle_block=False), {"middle_block": True}),
    "memories last a turn longer": (
        instead(rules, "decay", lambda f: lambda *args: f(*args[:-1], args[-1] + 1)),
        {"decay": 2},
    ),
    "losers lose nothing": (
        instead(rules, "_competition", lambda f: lambda *args: (np.maximum(f(*args)[0], 0), f(*args)[1])),
        {"competitive": 2, "num_pieces": 1},
    ),
    "everyone hears everything": (
        instead(observe, "_other_speech", lambda _: lambda xp, state: observe.others(xp, state.utterance)),
        {},
    ),
    "knowledge is shown as it is": (
        instead(observe, "displayed_knowledge", lambda _: lambda state, params: state.knowledge),
        {"oracle": True},
    ),
    "wrong pieces by current knowledge": (
        instead(metrics, "speakable", lambda _: lambda state, params: state.knowledge),
        {},
    ),
    "distances to new cells": (
        instead(metrics, "_leaves_all", lambda f: lambda xp, a, b, reading, p: f(xp, a, b, "after", p)),
        {},
    ),
    "beliefs never reset": (instead(belief_rules, "forgets_all", lambda _: lambda uses, _c, _p: uses & ~uses), {}),
    "beliefs reset on any base": (instead(belief_rules, "forgets_all", lambda _: lambda uses, _c, _p: uses), {}),
    "no guesses": (instead(belief_rules, "_guess", lambda f: lambda *args: f(*args) & np.uint32(0)), {}),
}


@pytest.mark.parametrize("bug", ENGINE_BUGS)
def test_a_bug_in_the_engine_is_caught(bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    patch, switches = ENGINE_BUGS[bug]
    assert is_caught(patch, monkeypatch, **switches)


def deaf(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, a, b: abs(a[0] - b[0]) + abs(a[1] - b[1]) <= 1


def once(right: Callable[..., Any]) -> Callable[..., Any]:
    def exchange(self: ReferenceWorld, old_knowledge: list[set[int]], rewards: list[Any]) -> None:
        right(self, old_knowledge, rewards)
        for reward in rewards:
            reward.listening = min(reward.listening, 1)

    return exchange


def longer(right: Callable[..., Any]) -> Callable[..., Any]:
    def remember(self: ReferenceWorld, agent: Any, learned: set[int], *, resets: bool) -> set[int]:
        known: set[int] = right(self, agent, learned, resets=resets)
        return known | (agent.knowledge if not resets else set())

    return remember


REFERENCE_BUGS: dict[str, tuple[Patch, dict[str, Any]]] = {
    "speech without delay": (
        instead(ReferenceWorld, "speakable", lambda _: lambda self, i: set(self.agents[i].knowledge)),
        {},
    ),
    "a listener earns once": (instead(ReferenceWorld, "_exchange", once), {}),
    "recharging forgets nothing": (
        instead(ReferenceWorld, "_resets", lambda _: lambda self, agent, correct: False),
        {},
    ),
    "any base use forgets": (
        instead(ReferenceWorld, "_resets", lambda _: lambda self, agent, correct: agent.uses_base),
        {},
    ),
    "the other one yields": (
        instead(ReferenceWorld, "_resolve", lambda f: lambda self, m, c: f(self, m, {k: 1 - v for k, v in c.items()})),
        {},
    ),
    "hearing by Manhattan distance": (instead(ReferenceWorld, "_in_range", deaf), {}),
    "interference is ignored": (
        instead(ReferenceWorld, "_is_jammed", lambda _: lambda self, listener: False),
        {"interference": True},
    ),
    "memories do not fade": (instead(ReferenceWorld, "_remember", longer), {"decay": 2}),
    "nobody wins": (
        instead(ReferenceWorld, "_compete", lambda _: lambda self, correct, rewards: None),
        {"competitive": 2, "num_pieces": 1},
    ),
    "no middle block": (
        instead(ReferenceWorld, "is_free", lambda _: lambda self, c: 0 <= min(c) <= max(c) < self.params.width),
        {"middle_block": True},
    ),
    "an entry of the vector is off": (
        instead(reference, "observe", lambda f: lambda world, i: [*f(world, i)[:-1], 1 - f(world, i)[-1]]),
        {},
    ),
    "moves are never useless": (
        instead(reference, "measure", lambda f: lambda *args: {**f(*args), "useless_moves": 0}),
        {},
    ),
    "beliefs never reset": (instead(ReferenceBelief, "_resets", lambda _: lambda self, world, j, sources: False), {}),
    "no guesses": (instead(ReferenceBelief, "_guesses", lambda _: lambda self, world: {}), {}),
}


@pytest.mark.parametrize("bug", REFERENCE_BUGS)
def test_a_bug_in_the_reference_is_caught(bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    patch, switches = REFERENCE_BUGS[bug]
    assert is_caught(patch, monkeypatch, **switches)


# These only change how worlds are dealt (see test_engines) or, like a bonus, what another option does.
DEALT = {"start_on_base", "owners"}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, value in SINGLE if name not in DEALT])
def test_an_option_that_the_engine_ignored_would_be_caught(name: str, value: Any) -> None:
    switches = CROWD | {"num_turns": 30} | COMPANIONS.get(name, {})
    if name in ("competitive", "bonus"):
        switches |= {"num_pieces": 1}
    ignoring, right = Params(**switches), Params(**switches | {name: value})
    # Vectors of different sizes cannot even be compared.
    is_longer = observe.observation_size(ignoring) != observe.observation_size(right)
    with pytest.raises(ValueError if is_longer else AssertionError):
        compare(ignoring, np.random.default_rng(0), worlds=24, reference_params=right)
