"""A record is refused, in every world, if it states anything that its replies do not give."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.match import play_one
from otherminds.core.mind import Reply
from otherminds.core.summary import probes_of
from otherminds.core.world import Ask, World
from otherminds.minds.baselines import RandomMind
from otherminds.minds.play_all import play_all
from otherminds.worlds.decrypto.duel import DecryptoDuel
from otherminds.worlds.decrypto.world import Decrypto
from otherminds.worlds.enacttom.world import EnactToM
from otherminds.worlds.symmtom.world import SymmToM
from otherminds.worlds.tomi.world import ToMi

WORLDS = {type_.id: type_ for type_ in (Decrypto, DecryptoDuel, EnactToM, SymmToM, ToMi)}


def _score(episode: Any) -> None:
    seat = next(iter(episode.end["outcome"]["score"]))
    episode.end["outcome"]["score"][seat] += 7


def _success(episode: Any) -> None:
    episode.end["outcome"]["success"] = not episode.end["outcome"]["success"]


def _asks(episode: Any) -> None:
    next(iter(episode.validity.values()))["asks"] += 1


def _attempts(episode: Any) -> None:
    next(iter(episode.validity.values()))["attempts"] += 1


def _all_attempts(episode: Any) -> None:
    """As many attempts more, without any ask that took them."""
    _attempts(episode)
    episode.attempts["no such ask"] = {"attempts": 2, "failures": 0}


def _failures(episode: Any) -> None:
    counts = next(iter(episode.validity.values()))
    counts["failures"] = counts["asks"] + 1


def _expected(episode: Any) -> None:
    probe = next(probe for probe in probes_of(episode) if probe["expected"] is not None)
    probe["expected"] = "something else"


@pytest.mark.parametrize(
    ("spoil", "field"),
    [
        (_score, "outcome.score"),
        (_success, "outcome.success"),
        (_asks, "validity"),
        (_attempts, "validity"),
        (_all_attempts, "validity"),
        (_failures, "validity"),
        (_expected, "expected"),
    ],
)
@pytest.mark.parametrize("name", WORLDS)
def test_a_falsified_record_is_refused(name: str, spoil: Callable[[Any], None], field: str) -> None:
    if (name, field) == (DecryptoDuel.id, "expected"):
        pytest.skip("a duel asks no probe")
    world = WORLDS[name]().probing()
    (played,) = play_all(world, dict.fromkeys(world.seats, "random"), episodes=1, seed=3)
    episode = Episode.from_lines(json.loads(json.dumps(played.lines())))
    again = world.of(episode)
    assert again.check(copy.deepcopy(episode)) >= 1
    spoil(episode)
    with pytest.raises(UserError, match=rf"{field}.* is .*; according to its replies it is "):
        again.check(episode)


class Hesitant(RandomMind):
    """Answers at the second attempt, and never in the second turn."""

    name = "hesitant"

    def reply(self, ask: Ask) -> Reply:
        return Reply(None) if ask.attempt == 1 or ask.turn == 2 else super().reply(ask)


def _hesitant(name: str) -> tuple[World, Episode]:
    world = WORLDS[name]().probing()
    played = play_one(world.open(3), {seat: Hesitant() for seat in world.seats}, attempts=3)
    return world, Episode.from_lines(json.loads(json.dumps(played.lines())))


@pytest.mark.parametrize("name", WORLDS)
def test_a_record_holds_the_attempts_of_every_ask_that_took_other_than_one(name: str) -> None:
    world, episode = _hesitant(name)
    assert world.of(episode).check(copy.deepcopy(episode)) >= 1
    assert episode.attempts is not None
    assert len(episode.attempts) == sum(counts["asks"] for counts in episode.validity.values())
    (late,) = {tuple(counts.values()) for counts in episode.attempts.values() if not counts["failures"]}
    assert late == (2, 0)
    ask = next(ask for ask, counts in episode.attempts.items() if not counts["failures"])
    episode.attempts[ask]["attempts"] = 1
    with pytest.raises(UserError, match=r"(validity|attempts).* is .*; according to its replies it is "):
        world.of(episode).check(episode)


@pytest.mark.parametrize("name", WORLDS)
def test_a_record_that_only_counts_attempts_is_accepted(name: str) -> None:
    world, episode = _hesitant(name)
    episode.attempts = None
    assert world.of(episode).check(episode) >= 1


@pytest.mark.parametrize("spoilt", [7, {"1/a": 2}, {"1/a": {"attempts": 0, "failures": 0}}])
def test_attempts_of_another_form_are_refused(spoilt: Any) -> None:
    lines = play_one(SymmToM().open(0), {seat: RandomMind() for seat in SymmToM().seats}).lines()
    lines[-1]["attempts"] = spoilt
    with pytest.raises(UserError, match="expected the attempts and failures of each ask"):
        Episode.from_lines(lines)
