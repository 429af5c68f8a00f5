"""Episodes as records: played again by the rules, and not trusted beyond them."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from otherminds.core.episodes import Episode, EpisodeWriter, read_episodes
from otherminds.core.errors import UserError
from otherminds.worlds.symmtom import record, rules
from otherminds.worlds.symmtom.types import Params
from tests.reference.pairing import random_params
from tests.worlds.symmtom.playing import play, recorded, states_of

PARAMS = Params(num_pieces=4)
Change = Callable[[Episode], object]


def an_episode(params: Params = PARAMS, seed: int = 0) -> Episode:
    return recorded(list(play(params, np.random.default_rng(seed))), params)


def through_a_file(episode: Episode, path: Path) -> Episode:
    with EpisodeWriter(path) as writer:
        if episode.end is None:
            writer.follow(episode)
        else:
            writer.whole(episode)
    (found,) = read_episodes(path)
    return found


def test_a_record_read_from_a_file_gives_every_state_again(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    for number in range(20):
        params = random_params(rng, competitive=None)
        turns = list(play(params, rng, (1,)))
        episode = through_a_file(recorded(turns, params, 0), tmp_path / f"{number}.jsonl")
        played = record.play_again(episode)
        assert played.params == params
        for one, other in zip(played.states, states_of(turns, 0), strict=True):
            for a, b in zip(one, other, strict=True):
                assert np.array_equal(a, b)
        assert [a.move.tolist() for a in played.actions] == [t.action.move[:, 0].tolist() for t in turns]


def test_a_record_is_plain_json_that_spells_everything_out() -> None:
    episode = an_episode()
    line = json.loads(json.dumps(episode.turns[0]))
    assert line == episode.turns[0]
    assert set(line) == {
        "turn", "actions", "coins", "cells", "said", "in_range", "knowledge", "uses_base", "rewards",
    }  # fmt: skip
    assert set(episode.start) == {"cells", "bases", "first_hand"}
    assert episode.end is not None
    assert episode.end["truncated"]
    assert len(episode.end["scores"]) == 3


def test_a_record_that_stops_early_is_played_to_its_last_turn() -> None:
    episode = an_episode()
    del episode.turns[12:]
    episode.end = None
    played = record.play_again(episode)
    assert len(played.states) == 13
    assert int(played.states[-1].turn) == 12
    assert len(played.tally().reward) == 3


def test_a_record_without_turns_is_its_start() -> None:
    episode = an_episode()
    episode.turns, episode.end = [], None
    played = record.play_again(episode)
    assert record.start_line(played.states[0]) == episode.start


def set_turn(name: str, value: Any, number: int = 4) -> Change:
    return lambda episode: episode.turns[number].update({name: value})


TAMPERED: dict[str, tuple[Change, str]] = {
    "cells": (set_turn("cells", [[0, 0], [0, 1], [0, 2]]), "turn 5: cells is"),
    "speech": (set_turn("said", [3, 3, 3]), "turn 5: said is"),
    "ranges": (set_turn("in_range", [[1], [], []]), "turn 5: in_range is"),
    "knowledge": (set_turn("knowledge", [[], [], []]), "turn 5: knowledge is"),
    "base use": (set_turn("uses_base", [True, True, True]), "turn 5: uses_base is"),
    "rewards": (set_turn("rewards", [100.0, 0.0, 0.0]), "turn 5: rewards is"),
    "a missing value": (lambda episode: episode.turns[4].pop("rewards"), "turn 5: rewards is None"),
    "the number of a turn": (set_turn("turn", 9), "turn 5: turn is 9"),
    "a turn left out": (lambda episode: episode.turns.pop(4), "turn 5: turn is 6"),
    "a turn twice": (lambda episode: episode.turns.insert(4, dict(episode.turns[4])), "turn 6: turn is"),
    "no actions": (lambda episode: episode.turns[4].pop("actions"), "turn 5: expected 3 actions"),
    "no coins": (lambda episode: episode.turns[4].pop("coins"), "turn 5: expected 3 actions and coins"),
    "two actions": (set_turn("actions", [[0, 0], [0, 0]]), "turn 5: expected 3 actions"),
    "actions in words": (set_turn("actions", "stay"), "turn 5: expected 3 actions"),
    "coins out of range": (set_turn("coins", [-1]), "turn 5: expected 3 actions and coins"),
    "the world": (lambda episode: setattr(episode, "world", "tomi-v0"), "is of world 'tomi-v0', expected 'symmtom-v0'"),
    "the rules": (lambda episode: episode.config.update(hearing=2), "according to its replies it is"),
    "a rule that does not exist": (lambda episode: episode.config.update(hering=2), "did you mean 'hearing'"),
    "a rule that cannot be": (lambda episode: episode.config.update(hearing=3), "expected at most"),
    "start cells": (lambda episode: episode.start.update(cells=[[0, 0], [0, 0], [1, 1]]), "different free cells"),
    "start off the board": (lambda episode: episode.start.update(cells=[[0, 0], [9, 0], [1, 1]]), "free cells"),
    "start of two": (
        lambda episode: episode.start.update(cells=[[0, 0], [1, 1]]),
        "cells of the start is .* expected a list of 3",
    ),
    "no bases": (lambda episode: episode.start.pop("bases"), "bases of the start is None; expected a list of 3"),
    "a piece too many": (lambda episode: episode.start.update(first_hand=[[0], [1], [4]]), "pieces 0 to 3"),
    "cells in one row": (lambda episode: episode.start.update(cells=[0, 1, 2]), "cells"),
    "a hand that is a number": (lambda episode: episode.start.update(first_hand=[0, 1, 2]), "first_hand"),
    "a hand of words": (lambda episode: episode.start.update(first_hand=["a", "b", "c"]), "first_hand"),
    "scores at the end": (lambda episode: (episode.end or {}).update(scores=[99.0, 99.0, 99.0]), "scores"),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_a_record_that_says_something_else_than_the_rules_is_refused(what: str) -> None:
    change, reason = TAMPERED[what]
    episode = copy.deepcopy(an_episode())
    record.play_again(episode)
    change(episode)
    with pytest.raises(UserError, match=reason):
        record.play_again(episode)


def change_action(episode: Episode, place: int, old: Callable[[int], bool], new: Callable[[int], int]) -> None:
    """Change an action in a way that the rules, if they do not look closely, play as before."""
    for line in episode.turns:
        for action, said in zip(line["actions"], line["said"], strict=True):
            if old(action[place]) and (place == 0 or said is not None):
                action[place] = new(action[place])
                return
    raise AssertionError("no such action in the episode")


@pytest.mark.parametrize(
    ("place", "old", "new"),
    [(0, lambda move: move == 0, lambda _: 9), (1, lambda piece: piece >= 0, lambda piece: piece + 32)],
    ids=["a move", "a piece"],
)
def test_an_action_that_does_not_exist_is_refused(place: int, old: Any, new: Any) -> None:
    episode = an_episode()
    change_action(episode, place, old, new)
    with pytest.raises(UserError, match="action"):
        record.play_again(episode)


def test_turns_after_the_last_one_are_refused() -> None:
    """The rules themselves could go on."""
    turns = list(play(PARAMS, np.random.default_rng(0)))
    episode, last = recorded(turns, PARAMS), turns[-1]
    after, outcome = rules.step(last.after, last.action, last.coins, PARAMS)
    episode.turns.append(record.turn_line(last.action, last.coins, after, outcome))
    with pytest.raises(UserError, match="31"):
        record.play_again(episode)


def test_a_piece_listed_twice_in_a_hand_is_one_piece_or_refused() -> None:
    start: dict[str, Any] = an_episode().start | {"first_hand": [[0, 0], [1], [2, 3]]}
    try:
        state = record.start_state(PARAMS, start)
    except UserError:
        return
    assert state.first_hand.tolist() == [0b0001, 0b0010, 0b1100]


def test_a_start_line_gives_its_state_again() -> None:
    for params in (PARAMS, Params(middle_block=True, owners=2), Params(num_agents=10, num_pieces=32, decay=2)):
        first = next(play(params, np.random.default_rng(3))).before
        again = record.start_state(params, record.start_line(first))
        for a, b in zip(again, first, strict=True):
            assert np.array_equal(a, b)
            assert a.dtype == b.dtype
