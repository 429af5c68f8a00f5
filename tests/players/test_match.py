"""Players of any kind at one table, and the record they leave."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from otherminds.core.episodes import EpisodeWriter, read_episodes
from otherminds.core.errors import UserError
from otherminds.core.players import Glimpse
from otherminds.players.symmtom import scripted
from otherminds.players.symmtom.human import Human, Quit
from otherminds.players.symmtom.match import play_episode
from otherminds.worlds.symmtom import observe, record, text
from otherminds.worlds.symmtom.types import Params

PARAMS = Params(num_agents=3, width=5, num_pieces=3, num_turns=6)


class Watcher:
    """Keeps what it is shown, and stays."""

    name = "watcher"

    def __init__(self) -> None:
        self.seen: list[Glimpse] = []
        self.score: float | None = None

    def begin(self, seat: int, params: Params, rng: np.random.Generator) -> None:
        self.seen = []

    def act(self, glimpse: Glimpse) -> tuple[int, int]:
        self.seen.append(glimpse)
        return 0, -1

    def end(self, score: float) -> None:
        self.score = score


def person(*answers: str, **options: Any) -> tuple[Human, list[str]]:
    shown: list[str] = []
    replies = iter(answers)

    def ask(prompt: str) -> str:
        try:
            return next(replies)
        except StopIteration:
            raise EOFError from None

    return Human(ask=ask, show=shown.append, **options), shown


def test_a_player_is_shown_its_own_observation_and_nothing_else() -> None:
    watcher = Watcher()
    episode = play_episode(PARAMS, [scripted.BELIEF, watcher, scripted.HEURISTIC], seed=4)
    states = record.play_again(episode).states
    for glimpse, state in zip(watcher.seen, states, strict=False):
        vector = observe.observe(state, PARAMS)[1]
        assert np.array_equal(glimpse.observation, vector)
        assert glimpse.text == text.describe(vector, PARAMS, 1)
        assert glimpse.board == text.board(vector, PARAMS, 1)
        assert glimpse.action_mask is None
    assert len(watcher.seen) == PARAMS.num_turns
    assert episode.end is not None
    assert watcher.score == episode.end["scores"][1]


def test_the_same_seed_gives_the_same_record_byte_for_byte(tmp_path: Path) -> None:
    for name in ("a", "b"):
        with EpisodeWriter(tmp_path / name) as writer:
            play_episode(PARAMS, [scripted.BELIEF, scripted.RANDOM, scripted.ORACLE], 7, writer)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_seat_plays_the_same_whoever_else_shares_its_policy() -> None:
    """A policy acts for all seats at once; only the rows of its own seats may count."""
    alone = play_episode(PARAMS, [scripted.HEURISTIC, scripted.STILL, scripted.STILL], 3)
    shared = play_episode(PARAMS, [scripted.HEURISTIC, scripted.STILL, scripted.HEURISTIC], 3)
    assert alone.turns[0]["actions"][0] == shared.turns[0]["actions"][0]
    assert all(turn["actions"][1] == [0, -1] for turn in shared.turns)


def test_what_is_recorded_is_what_was_played(tmp_path: Path) -> None:
    with EpisodeWriter(tmp_path / "e.jsonl") as writer:
        episode = play_episode(PARAMS, [scripted.BELIEF] * 3, 1, writer)
    (read,) = read_episodes(tmp_path / "e.jsonl")
    assert read == episode
    played = record.play_again(read)
    assert read.end is not None
    assert [float(r) for r in played.tally().reward] == read.end["scores"]


def test_the_wrong_number_of_players_is_refused() -> None:
    with pytest.raises(UserError, match="2 players for 3 seats"):
        play_episode(PARAMS, [scripted.STILL] * 2, 0)


@pytest.mark.parametrize("choice", [(7, 0), (0, 99), (0.5, 1), "up", None])
def test_a_player_that_chooses_nonsense_is_named(choice: Any) -> None:
    watcher = Watcher()
    watcher.act = lambda glimpse: choice  # type: ignore[method-assign]
    with pytest.raises(UserError, match="player 'watcher' chose"):
        play_episode(PARAMS, [watcher, scripted.STILL, scripted.STILL], 0)


def test_an_episode_can_start_from_a_board_set_by_hand() -> None:
    start = {"cells": [[0, 0], [1, 1], [2, 2]], "bases": [[3, 3], [4, 4], [0, 4]], "first_hand": [[0], [1], [2]]}
    episode = play_episode(PARAMS, [scripted.STILL] * 3, 0, start=start)
    assert episode.start == start


def test_a_person_plays_by_words_and_letters_and_is_asked_again_after_a_slip() -> None:
    human, shown = person("sideways 0", "right 9", "right 0", "s -", *["stay 0"] * 4)
    episode = play_episode(PARAMS, [human, scripted.STILL, scripted.STILL], 0)
    assert [turn["actions"][0] for turn in episode.turns[:2]] == [[1, 0], [0, -1]]
    assert sum("was not understood" in line for line in shown) == 2
    assert "Your reward" in shown[-1]


def test_notes_are_shown_on_every_later_turn_and_only_if_asked_for() -> None:
    human, shown = person("n blue knows 2", *["stay 0"] * 6, notes=True)
    play_episode(PARAMS, [human, scripted.STILL, scripted.STILL], 0)
    assert sum("blue knows 2" in page for page in shown) == 5
    bare, _ = person("n blue knows 2", *["stay 0"] * 6)
    play_episode(PARAMS, [bare, scripted.STILL, scripted.STILL], 0)
    assert not bare._pad


def test_a_person_can_page_back_through_its_own_turns() -> None:
    human, shown = person("up 0", "b", "f", "stay 0", *["stay 0"] * 4, rewatch=True)
    play_episode(PARAMS, [human, scripted.STILL, scripted.STILL], 0)
    pages = [page for page in shown if "before turn 1 " in page]
    assert len(pages) == 2
    assert "You chose: up, piece 0" in pages[1]


def test_a_person_who_leaves_loses_no_turn(tmp_path: Path) -> None:
    human, _ = person("right 0", "left 0", "q")
    with EpisodeWriter(tmp_path / "e.jsonl") as writer, pytest.raises(Quit):
        play_episode(PARAMS, [human, scripted.STILL, scripted.STILL], 0, writer)
    (episode,) = read_episodes(tmp_path / "e.jsonl")
    assert len(record.play_again(episode).actions) == 2
    assert episode.end is None
