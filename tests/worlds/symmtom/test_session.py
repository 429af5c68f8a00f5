"""Minds of any kind at one table of SymmToM, and the record they leave."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from otherminds.core.episodes import EpisodeWriter, read_episodes
from otherminds.core.errors import UserError
from otherminds.core.match import play_one
from otherminds.core.mind import BaseMind, Briefing, Reply
from otherminds.core.registry import entries
from otherminds.core.summary import probes_of
from otherminds.core.world import Ask, Item, Outcome
from otherminds.minds.baselines import RecordedMind
from otherminds.minds.find import find_mind, minds_for
from otherminds.worlds.symmtom import observe, record, text
from otherminds.worlds.symmtom.ledger import probe
from otherminds.worlds.symmtom.minds import scripted
from otherminds.worlds.symmtom.seat_view import Did, Seen, SymmToMView
from otherminds.worlds.symmtom.types import Params
from otherminds.worlds.symmtom.world import SymmToM
from tests.worlds.symmtom.tables import PARAMS, WORLD, played

PROBED = SymmToM(params=PARAMS, probes="2,4")
GOLDEN = sorted((Path(__file__).parents[2] / "golden").glob("symmtom_*.jsonl"))
STAY = {"move": "stay", "piece": "-"}
_NEED_MORE = ("human", "recorded", "silent", "likelihood")  # somebody, a file, answers or a model
OPTIONS = ["planner:order=1", "planner:order=0", "planner:order=none", "planner:order=evidence"]
OPTIONS += ["belief:rule=zeroth", "belief:rule=greedy"]
MINDS = [entry.name for entry in entries("mind", "symmtom") if entry.name not in _NEED_MORE] + OPTIONS


class Watcher(BaseMind):
    """Keeps what it is shown, and stays."""

    name = "watcher"

    def __init__(self, choice: Any = STAY) -> None:
        self.choice, self.asks, self.seed = choice, list[Ask](), -1
        self.score: float | None = None

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self.asks, self.seat, self.seed = [], seat, seed

    def reply(self, ask: Ask) -> Reply:
        self.asks.append(ask)
        return Reply(self.choice)

    def end(self, outcome: Outcome) -> None:
        self.score = outcome.score[self.seat]


def test_a_mind_is_shown_its_own_observation_and_nothing_else() -> None:
    watcher = Watcher()
    episode = played(scripted.BELIEF, watcher, scripted.HEURISTIC, seed=4)
    states = record.play_again(episode).states
    for ask, state in zip(watcher.asks, states, strict=False):
        vector = observe.observe(state, PARAMS)[1]
        assert np.array_equal(ask.view.data.observation, vector)
        assert ask.view.text() == text.describe(vector, PARAMS, 1)
        assert ask.view.picture() == text.board(vector, PARAMS, 1)
        assert ask.view.data.mask is None
        assert ask.truth is None
    assert [ask.id for ask in watcher.asks] == [f"{turn}/agent_1" for turn in range(1, 7)]
    assert episode.end is not None
    assert watcher.score == episode.end["scores"][1] == episode.end["outcome"]["score"]["agent_1"]


def test_the_log_grows_and_holds_every_observation_and_own_act() -> None:
    watcher = Watcher({"move": "right", "piece": "1"})
    played(scripted.BELIEF, watcher, scripted.HEURISTIC)
    logs = [ask.view.log for ask in watcher.asks]
    for shorter, longer in pairwise(logs):
        assert [type(entry) for entry in longer[: len(shorter)]] == [type(entry) for entry in shorter]
        assert longer[-2] == Did(len(longer) // 2, "right", "1", False)
        assert isinstance(longer[-1], Seen)
        assert np.array_equal(longer[-1].observation, watcher.asks[len(longer) // 2].view.data.observation)


def test_a_mask_is_shown_where_the_world_shows_masks() -> None:
    watcher, world = Watcher(), SymmToM(params=PARAMS.replace(mask_actions=True))
    played(watcher, scripted.STILL, scripted.STILL, world=world)
    mask = watcher.asks[0].view.data.mask
    assert {name: values.shape for name, values in mask.items()} == {"move": (5,), "piece": (3,)}


def test_the_same_seed_gives_the_same_record_byte_for_byte(tmp_path: Path) -> None:
    for name in ("a", "b"):
        with EpisodeWriter(tmp_path / name) as writer:
            writer.whole(played(scripted.BELIEF, scripted.RANDOM, scripted.ORACLE, seed=7, world=PROBED))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert played(*[scripted.RANDOM] * 3, seed=7).turns != played(*[scripted.RANDOM] * 3, seed=8).turns
    repeated = WORLD.open(7, repeat=1)
    assert repeated.episode.id != WORLD.open(7).episode.id
    assert repeated.episode.start == WORLD.open(repeated.episode.seed).episode.start


def test_a_seat_plays_the_same_whoever_else_shares_its_policy() -> None:
    """A policy acts for all seats at once; only the rows of its own seats may count."""
    alone = played(scripted.HEURISTIC, scripted.STILL, scripted.STILL, seed=3)
    shared = played(scripted.HEURISTIC, scripted.STILL, scripted.HEURISTIC, seed=3)
    assert alone.turns[0]["actions"][0] == shared.turns[0]["actions"][0]
    assert all(turn["actions"][1] == [0, -1] for turn in shared.turns)


def test_what_is_recorded_is_what_was_played(tmp_path: Path) -> None:
    episode = played(*[scripted.BELIEF] * 3, seed=1, world=PROBED)
    with EpisodeWriter(tmp_path / "e.jsonl") as writer:
        writer.whole(episode)
    (read,) = PROBED.recorded(tmp_path / "e.jsonl")
    assert read == episode
    again = PROBED.replay(read)
    assert read.end is not None
    assert [float(r) for r in again.tally().reward] == read.end["scores"]
    assert len(again.states) == 7


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: str(path.stem))
def test_the_replies_of_a_golden_record_give_its_turns_again(path: Path) -> None:
    (golden,) = read_episodes(path)
    world = SymmToM(params=Params.from_dict(golden.config))
    minds = {seat: RecordedMind(world, [golden], "recorded") for seat in world.seats}
    again = play_one(world.open(golden.seed, world.item_of(golden)), minds)
    assert (again.start, again.turns) == (golden.start, golden.turns)
    assert again.end is not None
    assert golden.end is not None
    assert {name: again.end[name] for name in golden.end} == golden.end
    assert not any(counts["failures"] for counts in again.validity.values())


@pytest.mark.parametrize("world", [WORLD, PROBED], ids=["unprobed", "probed"])
def test_recorded_replies_play_an_episode_again(world: SymmToM) -> None:
    first = played(*[scripted.BELIEF] * 3, seed=5, world=world)
    minds = {seat: RecordedMind(world, [first], "recorded") for seat in world.seats}
    again = play_one(world.open(5), minds)
    for line in (line for episode in (first, again) for line in episode.turns):
        for asked in line.get("probes", ()):
            asked.pop("likely", None)  # what a mind held cannot be seen from its replies
    assert (again.turns, again.end) == (first.turns, first.end)


@pytest.mark.parametrize("choice", [(7, 0), {"move": "up", "piece": "99"}, {"move": "up"}, "up", None])
def test_nonsense_costs_a_turn_in_silence_and_is_counted(choice: Any) -> None:
    watcher = Watcher(choice)
    episode = played(watcher, scripted.STILL, scripted.STILL)
    assert all(turn["actions"][0] == [0, -1] for turn in episode.turns)
    assert episode.validity["agent_0"] == {"asks": 6, "attempts": 12, "failures": 6}
    assert "expected" in watcher.asks[1].complaint


def test_an_episode_can_start_from_a_board_set_by_hand() -> None:
    start = {"cells": [[0, 0], [1, 1], [2, 2]], "bases": [[3, 3], [4, 4], [0, 4]], "first_hand": [[0], [1], [2]]}
    episode = played(*[scripted.STILL] * 3, item=Item("board", start))
    assert episode.start == start
    item = WORLD.item_of(episode)
    assert item is not None
    assert item.data == start
    assert WORLD.item_of(played(*[scripted.STILL] * 3)) is None
    with pytest.raises(UserError, match="different free cells"):
        WORLD.open(0, Item("board", {**start, "cells": [[0, 0]] * 3}))
    with pytest.raises(UserError, match="expected a trial or a start"):
        WORLD.open(0, Item("story", "Sally puts the marble into the basket."))


# Chance


def seeds_of(session: Any, name: str) -> list[int]:
    return [session.mind_seed(seat, name) for seat in ("", *WORLD.seats)]


def test_no_mind_gets_the_seed_of_the_episode() -> None:
    for seed in range(20):
        given = seeds_of(WORLD.open(seed), "belief")
        assert len(set(given)) == 4
        assert seed not in given
    watcher = Watcher()
    played(watcher, scripted.STILL, scripted.STILL, seed=3)
    assert watcher.seed == WORLD.open(3).mind_seed("agent_0", "watcher") != 3


def test_several_minds_of_one_kind_draw_apart() -> None:
    """Seats that are filled one by one must not do the same by chance."""
    from otherminds.minds.baselines import RandomMind

    minds = {seat: RandomMind() for seat in WORLD.seats}
    actions = [turn["actions"] for turn in play_one(WORLD.open(0), minds).turns]
    assert any(turn[0] != turn[1] for turn in actions)


# Probes


@pytest.mark.parametrize("name", MINDS)
def test_probes_leave_no_trace(name: str) -> None:
    plain, probed = (play_one(w.open(2), minds_for(w, dict.fromkeys(w.seats, name))) for w in (WORLD, PROBED))
    assert len(list(probes_of(probed))) == 2 * 3 * 3
    for line in probed.turns:
        line.pop("probes", None)
    assert plain.turns == probed.turns


def test_a_probe_expects_what_the_evidence_of_the_seat_supports() -> None:
    episode = played(*[scripted.BELIEF] * 3, seed=1, world=PROBED)
    states = PROBED.replay(episode).states
    for turn in (2, 4):
        for asked in episode.turns[turn]["probes"]:
            agent, piece = int(asked["seat"][-1]), int(asked["about"].removeprefix("piece "))
            held = probe(PARAMS, states, (agent,), turn, credit_speaker=True)
            assert asked["expected"] == [str(i) for i in range(3) if piece in held[i]]
            truth = probe(PARAMS, states, (), turn)
            assert asked["true"] == [str(i) for i in range(3) if piece in truth[i]]
            assert asked["id"] == f"{turn + 1}/agent_{agent}/knows-{piece}"
            assert asked["given"] == asked["said"] == asked["expected"], "its belief is the attentive one"
    ledger = PROBED.ledger(episode, 4)
    assert ledger.belief(("agent_0",)).knows == probe(PARAMS, states, (0,), 4, credit_speaker=True)
    assert ledger.belief(("agent_0", "agent_1")).knows == probe(PARAMS, states, (0, 1), 4, credit_speaker=True)


def test_who_holds_no_belief_has_not_said_anything() -> None:
    episode = played(*[scripted.HEURISTIC] * 3, world=PROBED)
    assert {(asked["said"], asked["given"]) for asked in probes_of(episode)} == {(None, None)}
    found = PROBED.summary([episode])
    assert found["literal"] is None
    assert "claims_true" not in found


def test_the_reference_that_is_told_says_the_truth() -> None:
    episode = played(*[scripted.ORACLE] * 3, world=PROBED)
    assert all(asked["said"] == asked["true"] for asked in probes_of(episode))
    assert PROBED.summary([episode])["claims_true"] == 1.0
    session = WORLD.open(0)
    mind = find_mind("oracle", WORLD)
    mind.begin("agent_0", session.briefing("agent_0"), 0)  # type: ignore[attr-defined]
    with pytest.raises(UserError, match="needs the hidden state"):
        mind.reply(session.asks()[0])


def test_decoupled_says_what_the_planner_believes_and_does_what_the_heuristic_does() -> None:
    world = SymmToM(params=PARAMS, probes=3)
    minds = minds_for(world, dict.fromkeys(world.seats, "decoupled"))
    episode = play_one(world.open(6), minds)
    greedy = play_one(world.open(6), minds_for(world, dict.fromkeys(world.seats, "heuristic")))
    assert [line["actions"] for line in episode.turns] == [line["actions"] for line in greedy.turns]
    assert all(asked["said"] is not None for asked in probes_of(episode))


@pytest.mark.parametrize(
    ("given", "message"), [("7", "expected 0 to 5"), ("soon", "turns separated by commas"), ([-1], "cannot be probed")]
)
def test_turns_that_cannot_be_probed_are_refused(given: Any, message: str) -> None:
    with pytest.raises(UserError, match=message):
        SymmToM(params=PARAMS, probes=given)


# Sums


def test_a_summary_gives_every_metric_by_mind() -> None:
    episodes = [played(scripted.BELIEF, scripted.STILL, scripted.BELIEF, seed=seed) for seed in range(3)]
    found = WORLD.summary(episodes)
    tallies = [record.play_again(episode).tally() for episode in episodes]
    assert found["still/reward"] == np.mean([tally.reward[1] for tally in tallies])
    assert found["belief/useless_pieces"] == np.mean([tally.useless_pieces[[0, 2]] for tally in tallies])
    assert found["score"] == found["reward"] == pytest.approx(np.mean([tally.reward for tally in tallies]))
    assert found["reward"] == found["listening"] + found["speaking"] + found["base"]  # type: ignore[operator]
    assert (found["episodes"], found["validity_rate"]) == (3.0, 1.0)


def test_what_a_chain_of_seats_can_tell_is_named() -> None:
    again = WORLD.replay(played(*[scripted.BELIEF] * 3))
    assert WORLD.seen(again, (), 0) == {
        f"agent_{i}": " ".join(map(str, sorted(own))) for i, own in enumerate(probe(PARAMS, again.states, (), 0))
    }
    assert WORLD.seen(again, ("agent_0", "agent_1"), 5) == WORLD.seen(again, ("0", "1"), 5)
    with pytest.raises(UserError, match="did you mean 'agent_0'"):
        WORLD.seen(again, ("agnet_0",), 5)


def rounds(session: Any) -> Iterator[Sequence[Ask]]:
    while asks := session.asks():
        yield asks


def test_a_session_is_driven_from_outside_too() -> None:
    session = WORLD.open(0)
    for asks in rounds(session):
        assert [ask.seat for ask in asks] == list(WORLD.seats)
        assert all(isinstance(ask.view, SymmToMView) for ask in asks)
        for ask in asks:
            session.reply(ask.id, Reply(STAY))
            session.reply(ask.id, Reply({"move": "up", "piece": "0"}))  # a repeated id changes nothing
    assert session.episode.turns == played(*[scripted.STILL] * 3).turns
