"""A record is refused, in every world, if it states anything that its replies do not give."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.summary import probes_of
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
    with pytest.raises(UserError, match=rf"{field}.* is .*; by its replies it is "):
        again.check(episode)
