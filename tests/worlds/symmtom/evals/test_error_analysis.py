"""Tables 5 and 6 by what agents believed: a plain count over sets gives the same numbers."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from otherminds.worlds.symmtom import metrics
from otherminds.worlds.symmtom.beliefs import bayes
from otherminds.worlds.symmtom.evals.agents import find_agents
from otherminds.worlds.symmtom.evals.error_analysis import BreakdownWatch, ErrorBreakdown, count, split_row, watch_of
from otherminds.worlds.symmtom.minds.rollout import WatchedTurn, rollout_seats
from otherminds.worlds.symmtom.minds.scripted import BELIEF, HEURISTIC, ORACLE
from otherminds.worlds.symmtom.types import Action, Params
from tests.worlds.symmtom.evals.making import config_of, write_actor

PARAMS = Params.from_setting("n3_w4_c3", num_turns=20)
AGENTS = range(3)
LITERAL = "estimated, of itself too"
BELIEFS = ("none", "recurrent", "conservative", "oracle", "estimated", LITERAL, "bayesian")


class Spy:
    """Keeps every turn that a watch is shown; only where Python runs at every turn."""

    def __init__(self, watch: BreakdownWatch) -> None:
        self.watch, self.turns = watch, list[WatchedTurn]()

    def begin(self, state: Any, params: Params) -> Any:
        return self.watch.begin(state, params)

    def nothing(self, state: Any) -> Any:
        return self.watch.nothing(state)

    def turn(self, memory: Any, turn: WatchedTurn, params: Params) -> Any:
        self.turns.append(turn)
        return self.watch.turn(memory, turn, params)


def pieces(mask: Any) -> set[int]:
    return {p for p in range(3) if int(mask) >> p & 1}


class PlainBelief:
    """The conservative belief of one agent in one world, on sets (spec section 9.4)."""

    def __init__(self, me: int, first: list[set[int]]) -> None:
        self.me, self.first, self.knows = me, first, [set(own) for own in first]

    def take_in(self, cells: Any, bases: Any, said: list[set[int]]) -> None:
        def near(a: int, b: int) -> bool:
            return a != b and max(abs(cells[a][0] - cells[b][0]), abs(cells[a][1] - cells[b][1])) <= 1

        new = []
        for j in AGENTS:
            learned = set(self.knows[j])
            for speaker in AGENTS:
                if near(j, speaker) and (speaker == self.me or near(self.me, speaker)):
                    learned |= said[speaker]
            resets = len(self.knows[j]) == 3 and cells[j] == bases[j]
            new.append(set(self.first[j]) if resets else learned)
        self.knows = new


def plain_counts(turns: list[WatchedTurn], belief_kind: str) -> dict[str, Any]:
    """every count of a breakdown, agent by agent, world by world, turn by turn."""
    worlds = turns[0].before.turn.shape[0]
    found = {name: np.zeros((3, worlds), int) for name in ErrorBreakdown._fields}
    for w in range(worlds):
        first = [pieces(turns[0].before.first_hand[i, w]) for i in AGENTS]
        minds = [PlainBelief(i, first) for i in AGENTS]
        for t, turn in enumerate(turns):
            before, after = turn.before, turn.after
            cells = [(int(before.x[i, w]), int(before.y[i, w])) for i in AGENTS]
            new_cells = [(int(after.x[i, w]), int(after.y[i, w])) for i in AGENTS]
            bases = [(int(before.base_x[i, w]), int(before.base_y[i, w])) for i in AGENTS]
            if t > 0:
                for mind in minds:
                    mind.take_in(cells, bases, [pieces(before.utterance[i, w]) for i in AGENTS])
            truth = [pieces(before.knowledge[i, w]) for i in AGENTS]
            displayed = [pieces(before.previous_knowledge[i, w]) for i in AGENTS]

            def in_range(i: int, places: Any) -> list[int]:
                (x, y) = places[i]
                return [j for j in AGENTS if j != i and max(abs(places[j][0] - x), abs(places[j][1] - y)) <= 1]

            for i in AGENTS:
                knows = list(minds[i].knows)
                if belief_kind == "oracle":
                    knows = displayed
                if belief_kind in ("estimated", LITERAL):
                    others = [j for j in AGENTS if j != i]
                    for slot, j in enumerate([i, *others] if belief_kind == LITERAL else others):
                        estimate = np.asarray(turn.memories[0].carry)[i, slot, :, w]
                        knows[j] = {p for p in range(3) if estimate[p] > 0.5}
                if belief_kind == "bayesian":
                    likely = np.asarray(bayes.probability(turn.memories[0].belief, PARAMS))[i, :, :, w]
                    knows = [{p for p in range(3) if likely[j, p] > 0.5} for j in AGENTS]
                listeners = in_range(i, cells)
                real = in_range(i, new_cells)
                can_say, piece = displayed[i], int(turn.action.piece[i, w])
                has_use = any(p not in knows[j] for j in listeners for p in can_say)
                names = []
                if piece not in can_say:
                    why = "shown" if piece not in knows[i] else "delayed"
                    names += ["wrong", f"wrong_{why}_{'better' if has_use else 'idle'}"]
                    names += [] if listeners else ["wrong_alone"]
                elif all(piece in truth[j] for j in real) and any(p not in truth[j] for j in real for p in can_say):
                    seems_known = bool(listeners) and all(piece in knows[j] for j in listeners)
                    names += ["useless", "useless_unshown"] if not seems_known else ["useless"]
                    names += [f"useless_shown_{'better' if has_use else 'idle'}"] if seems_known else []
                    names += [] if listeners else ["useless_alone"]
                names += ["offered"] if has_use else []
                names += ["turns"] if listeners else []
                for name in names:
                    found[name][i, w] += 1
    return found


@pytest.fixture(scope="module")
def agents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("actors")
    for belief in BELIEFS:
        network = {"literal_guess": True} if belief == LITERAL else {}
        config = config_of(f"maddpg-{belief.split(',')[0]}", "n3_w4_c3", network=network)
        write_actor(folder / f"{belief}.safetensors", config)
    return {belief: find_agents([folder / f"{belief}.safetensors"])[0].policy for belief in BELIEFS}


@pytest.mark.parametrize("belief", BELIEFS)
def test_a_plain_count_gives_the_same_numbers(agents: dict[str, Any], belief: str) -> None:
    spy = Spy(watch_of(agents[belief])[1])
    found = rollout_seats(PARAMS, [agents[belief]], [0, 0, 0], 4, 12, "numpy", watch=spy)
    plain = plain_counts(spy.turns, belief)
    for name, expected in plain.items():
        np.testing.assert_array_equal(getattr(found.watched, name), expected, err_msg=name)
    for name in ("wrong_shown_idle", "wrong_shown_better", "useless", "offered"):
        assert plain[name].sum() > 0, f"{name} was never put to the test"


def test_numpy_and_jax_count_the_same(agents: dict[str, Any]) -> None:
    watch = watch_of(agents["estimated"])[1]
    spy = Spy(watch)
    rollout_seats(PARAMS, [agents["estimated"]], [0, 0, 0], 4, 12, "numpy", watch=spy)
    memory = watch.begin(spy.turns[0].before, PARAMS)
    traced, turned = jax.tree.map(jnp.asarray, memory), jax.jit(lambda memory, turn: watch.turn(memory, turn, PARAMS))
    for turn in spy.turns:
        memory, expected = watch.turn(memory, turn, PARAMS)
        traced, found = turned(traced, jax.tree.map(jnp.asarray, turn))
        for a, b in zip(found, expected, strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("policy", [HEURISTIC, BELIEF, ORACLE], ids=lambda p: p.name)
def test_parts_add_up_to_the_tables(policy: Any) -> None:
    params = Params.from_setting("n3_w6_c6")
    watch = watch_of(policy)[1]
    tally, split, _ = rollout_seats(params, [policy], [0, 0, 0], 1, 200, "numpy", watch=watch)
    wrong = split.wrong_shown_better + split.wrong_shown_idle + split.wrong_delayed_better + split.wrong_delayed_idle
    np.testing.assert_array_equal(wrong, tally.wrong_pieces)
    useless = split.useless_shown_better + split.useless_shown_idle + split.useless_unshown
    np.testing.assert_array_equal(useless, tally.useless_pieces)
    assert isinstance(tally, metrics.Tally)


def test_who_believes_is_not_shown_what_the_ignorant_is() -> None:
    """The script that says what others are thought to lack repeats what they know only where it cannot know better."""
    params = Params.from_setting("n3_w6_c6")
    believer, heuristic = (split_row(p.name, params, [p], {}, 300)["means"] for p in (BELIEF, HEURISTIC))
    assert believer["useless_shown_better"] < 0.05 * believer["useless"]
    assert heuristic["useless_shown_better"] > 0.3 * heuristic["useless"]


def test_who_is_shown_what_it_can_say_never_errs_by_the_delay(agents: dict[str, Any]) -> None:
    own = rollout_seats(PARAMS, [agents["oracle"]], [0, 0, 0], 1, 50, watch=watch_of(agents["oracle"])[1]).watched
    assert own.wrong_delayed_idle.sum() + own.wrong_delayed_better.sum() == 0


def test_whose_belief_is_taken_is_said(agents: dict[str, Any]) -> None:
    words = {name: watch_of(policy)[0] for name, policy in agents.items()}
    assert words["none"] == words["recurrent"] == "what the evidence supports (conservative), as it has no belief"
    assert words["conservative"] == "its rule (conservative)"
    assert words["oracle"] == "what it is shown"
    assert words["estimated"] == "its estimate above 1/2"
    assert words["bayesian"] == "its likelihoods above 1/2"


def test_silence_is_neither_wrong_nor_useless() -> None:
    spy = Spy(watch_of(HEURISTIC)[1])
    rollout_seats(PARAMS, [HEURISTIC], [0, 0, 0], 4, 5, "numpy", watch=spy)
    turn = spy.turns[10]
    mute = np.full_like(turn.action.piece, -1)
    after = turn.after._replace(utterance=np.zeros_like(turn.after.utterance))
    knows = np.zeros((3, 3, 5), np.uint32)
    found = count(knows, turn._replace(action=Action(turn.action.move, mute), after=after), PARAMS)
    assert found.wrong.sum() == found.useless.sum() == 0
