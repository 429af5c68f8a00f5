"""Matrices of games: the same games for all, killed and continued, nothing lost and nothing twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from otherminds.core.episodes import read_episodes, record_files, recorded_in
from otherminds.core.errors import UserError
from otherminds.worlds.decrypto.evals.experiment_file import find_experiment, parse_experiment
from otherminds.worlds.decrypto.evals.play_experiment import record_of, run
from otherminds.worlds.decrypto.world import Decrypto

CROSS = find_experiment("cross_play")
CASTS = CROSS.casts(dict.fromkeys(("alice", "bob"), ("glove", "moby")))
PAIR = "about: x\ncast: {alice: glove, bob: glove, eve: uniform}\narms: {one: [], two: []}\n"


def test_all_casts_see_the_same_games_and_seeds_do_not_overlap() -> None:
    found = list(Decrypto().items(CROSS, range(15), games=5))
    assert [item.data.game.seed for item in found] == list(range(15))
    assert {item.labels["env_seed"] for item in found[5:10]} == {1}


def test_records_say_where_they_belong_and_are_those_of_the_game(tmp_path: Path) -> None:
    found = run(CROSS, CASTS, tmp_path, games=2, seeds=(3,))
    assert len(found) == 4
    for cast, episodes in found.items():
        assert [episode.seed for episode in episodes] == [6, 7]
        assert read_episodes(record_of(tmp_path, cast)) == episodes
        assert list(episodes[0].minds.values()) == list(cast.minds)
        assert episodes[0].notes["place"] == dict(cast.place)
        assert episodes[0].notes["env_seed"] == 3
    assert sum(len(recorded_in(file)) for file in record_files([tmp_path])) == 8


def test_what_is_recorded_is_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run(CROSS, CASTS[:1], tmp_path, games=2, seeds=(0,))
    monkeypatch.setattr("otherminds.core.match._round", lambda *_: pytest.fail("it was played again"))
    assert run(CROSS, CASTS[:1], tmp_path, games=2, seeds=(0,)) == first


def test_parts_are_disjoint_and_together_everything(tmp_path: Path) -> None:
    parts = [set(run(CROSS, CASTS, tmp_path, 1, (0,), part=f"{i}/3")) for i in (1, 2, 3)]
    assert set.union(*parts) == set(CASTS)
    assert sum(map(len, parts)) == 4
    with pytest.raises(UserError, match="nothing to play in shard 5/5"):
        run(CROSS, CASTS, tmp_path, 1, (0,), part="5/5")


def test_arms_are_played_on_the_same_game(tmp_path: Path) -> None:
    experiment = parse_experiment(PAIR, "pair.yaml")
    (episodes,) = run(experiment, experiment.casts(), tmp_path, games=2, seeds=(0,)).values()
    assert [(episode.seed, episode.notes["arm"]) for episode in episodes] == [
        (0, "one"), (0, "two"), (1, "one"), (1, "two"),
    ]  # fmt: skip
    assert episodes[0].turns == episodes[1].turns


def test_records_of_something_else_are_refused(tmp_path: Path) -> None:
    run(CROSS, CASTS[:1], tmp_path, games=2, seeds=(0, 1))
    with pytest.raises(UserError, match="experiment 'cross_play'; this command has 'competition'"):
        run(find_experiment("competition"), CASTS, tmp_path)
    (tmp_path / "cross_play.yaml").write_text(PAIR, "utf-8")
    with pytest.raises(UserError, match="a different experiment"):
        run(CROSS, CASTS, tmp_path)
    (tmp_path / "cross_play.yaml").unlink()
    with pytest.raises(UserError, match="seed of the environment 1; this command has 0"):
        run(CROSS, CASTS[:1], tmp_path, games=4, seeds=(0,))
    (tmp_path / "bank.txt").write_text("river\nmusic\nhoney\ndoctor\n", "utf-8")
    with pytest.raises(UserError, match="already has an episode 'decrypto-0'"):
        run(CROSS, CASTS[:1], tmp_path, games=2, seeds=(0,), world=Decrypto(tmp_path / "bank.txt"))


def test_records_of_minds_who_were_told_otherwise_are_refused(tmp_path: Path) -> None:
    """What was said without prompts must not be reported as what came through them."""
    spoken = tmp_path / "spoken"
    run(CROSS, CASTS[:1], tmp_path, games=1, seeds=(0,))
    run(CROSS, CASTS[:1], spoken, games=1, seeds=(0,), phrasing="plain")
    with pytest.raises(UserError, match="wording ''; this command has 'plain'"):
        run(CROSS, CASTS[:1], tmp_path, games=1, seeds=(0,), phrasing="plain")
    with pytest.raises(UserError, match="wording 'plain'; this command has 'terse'"):
        run(CROSS, CASTS[:1], spoken, games=1, seeds=(0,), phrasing="terse")


def test_the_experiment_is_kept_beside_its_records_whatever_yaml_lies_there(tmp_path: Path) -> None:
    (tmp_path / "compose.yaml").write_text("services: {}\n", "utf-8")
    run(CROSS, CASTS[:1], tmp_path, games=1, seeds=(0,))
    assert (tmp_path / "cross_play.yaml").read_text("utf-8") == CROSS.text


def test_a_mind_that_is_not_there_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    casts = CROSS.casts({"bob": ("glove", "glave")})
    with pytest.raises(UserError, match="glave"):
        run(CROSS, casts, tmp_path)
    assert not list(tmp_path.iterdir())


SLOW = """
import sys, time
from pathlib import Path
from otherminds.worlds.decrypto.evals.play_experiment import run
from otherminds.worlds.decrypto.evals.experiment_file import find_experiment
e = find_experiment("cross_play")
casts = e.casts(dict.fromkeys(("alice", "bob"), ("glove", "moby")))
run(e, casts, Path(sys.argv[1]), games=3, seeds=(0, 1), on_game=lambda _: time.sleep(0.05))
"""


def test_killed_at_any_moment_it_goes_on_and_ends_as_if_never_stopped(tmp_path: Path) -> None:
    folder, whole = tmp_path / "killed", tmp_path / "whole"
    expected = run(CROSS, CASTS, whole, games=3, seeds=(0, 1))
    for wanted in (2, 9, 17):
        child = subprocess.Popen([sys.executable, "-c", SLOW, str(folder)], env={**os.environ, "OMP_NUM_THREADS": "1"})
        while child.poll() is None and _lines(folder) < wanted:
            time.sleep(0.01)
        child.send_signal(signal.SIGKILL)
        child.wait()
    _tear(folder)
    found = run(CROSS, CASTS, folder, games=3, seeds=(0, 1))
    assert found == expected
    for cast in CASTS:
        recorded = [episode for episode in read_episodes(record_of(folder, cast)) if episode.end is not None]
        assert sorted(recorded, key=lambda episode: episode.seed) == expected[cast]


def _lines(folder: Path) -> int:
    """Games that have ended."""
    return sum(path.read_text("utf-8").count('"kind":"end"') for path in folder.glob("*.jsonl"))


def _tear(folder: Path) -> Any:
    """Cut the last file in the middle of a line, as a kill within a write would."""
    last = sorted(folder.glob("*.jsonl"))[-1]
    last.write_bytes(last.read_bytes()[:-30])
