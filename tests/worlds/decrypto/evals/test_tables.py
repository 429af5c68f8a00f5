"""Tables of Decrypto, and the exact anchors of spec 3.1."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from otherminds.cli.main import make_app
from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.match import Lineup, play, play_one
from otherminds.worlds.decrypto.evals.tables import Match, TablePlan, cell, make, plans, small_world
from otherminds.worlds.decrypto.minds.embedding import EmbeddingAlice
from otherminds.worlds.decrypto.minds.scripted import ScriptedMind
from otherminds.worlds.decrypto.observe import RoleView
from otherminds.worlds.decrypto.types import ROLES, Hints
from otherminds.worlds.decrypto.world import Decrypto
from tests.worlds.decrypto.evals.making import game, turn
from tests.worlds.decrypto.minds.asking import minds, named


def chain(missed: float, caught: list[float]) -> tuple[float, float]:
    """Expected turns and survival, exactly, from how often Bob fails and Eve succeeds in each turn."""
    states, turns, survived = {(0, 0): 1.0}, 0.0, 0.0
    for rate in caught:
        turns += sum(states.values())
        later: dict[tuple[int, int], float] = {}
        for (m, i), weight in states.items():
            for dm, pm in ((0, 1 - missed), (1, missed)):
                for di, pi in ((0, 1 - rate), (1, rate)):
                    if m + dm < 2 and i + di < 2:
                        later[m + dm, i + di] = later.get((m + dm, i + di), 0) + weight * pm * pi
        states = later
    survived = sum(states.values())
    return turns, survived


ANCHORS = {
    "uniform Eve": (("perfect", "uniform"), chain(0, [1 / 24] * 8), (7.9124, 0.9589)),
    "Eve who leaves out played codes": (
        ("perfect", "uniform:remembers_codes=true"),
        chain(0, [1 / (24 - turn) for turn in range(8)]),
        (7.8923, 0.9440),
    ),
    "Eve who knows from turn 2": (("perfect", "perfect:from_turn=2"), chain(0, [1 / 24] + [1.0] * 7), (2.9583, 0.0)),
    "uniform Bob and Eve": (("uniform", "uniform"), chain(23 / 24, [1 / 24] * 8), (2.0868, None)),
}


class Mute(ScriptedMind):
    """Says nothing, at no cost."""

    name = "mute"

    def act(self, view: RoleView) -> Hints:
        return ("a", "b", "c")


@pytest.mark.parametrize("name", list(ANCHORS))
def test_exact_anchors_hold_over_2000_games(name: str) -> None:
    """Within 3 standard errors; the chain gives the published values, so that it is a check of its own."""
    (bob, eve), (turns, survived), known = ANCHORS[name]
    assert turns == pytest.approx(known[0], abs=2e-4)
    assert known[1] is None or survived == pytest.approx(known[1], abs=2e-4)
    world = Decrypto(hints="off")
    seats = minds(alice=Mute(), bob=bob, eve=eve)
    found = list(play(Lineup(world.open(seed), seats) for seed in range(2000)))
    played = np.array([len(episode.turns) for episode in found], float)
    error = played.std(ddof=1) / np.sqrt(len(played))
    assert abs(played.mean() - turns) <= 3 * error + 1e-9
    won = np.mean([(episode.end or {})["ending"] == "survived" for episode in found])
    assert abs(won - survived) <= 3 * np.sqrt(survived * (1 - survived) / len(found)) + 1e-9


def ended(turns: int, missed: int, caught: int, how: str, failures: int = 0) -> Episode:
    """A game with so many miscommunications, interceptions and failures, in its first turns."""
    lines = [turn(at, decoded=at > missed, caught=at <= caught) for at in range(1, turns + 1)]
    lines[0]["failures"] = ["bob"] * failures
    return game(0, lines, how)


def test_a_cell_sums_games_up_and_pairs_them() -> None:
    ours = [ended(8, 0, 1, "survived"), ended(4, 2, 0, "miscomm", 1), ended(6, 1, 2, "intercept")]
    base = [ended(6, 0, 2, "intercept"), ended(4, 1, 2, "intercept"), ended(2, 2, 0, "miscomm")]
    found = cell(Match({"alice": "a", "bob": "b", "eve": "e"}, 5.0), ours, base)
    assert found["turns"] == pytest.approx(6)
    assert found["error"] == pytest.approx(2 / np.sqrt(3))
    assert (found["missed"], found["intercepted"]) == pytest.approx((3 / 18, 3 / 18))
    assert (found["won"], found["ended_by_miscommunication"], found["ended_by_interception"]) == pytest.approx(
        (1 / 3,) * 3
    )
    assert found["difference"] == pytest.approx(2)
    assert found["difference_error"] == pytest.approx(2 / np.sqrt(3))
    assert (found["failures"], found["reference"]) == (1, 5.0)


def test_every_mind_of_our_tables_exists() -> None:
    for plan in plans().values():
        for row in plan.rows.values():
            assert len(row) == len(plan.columns)
            for match in row:
                for seat, name in match.minds.items():
                    assert named(name, seat).name == name


def test_a_table_is_played_on_the_same_games_and_repeats() -> None:
    rows = {alice: [Match({"alice": alice, "bob": "glove", "eve": "uniform"})] for alice in ("glove", "moby")}
    plan = TablePlan("two", ("x",), rows, 5, is_compared=True)
    found = make(plan, 6)
    assert found["against"] == "glove"
    assert found["seeds"] == [5, 10]
    first, second = (row["cells"][0] for row in found["rows"])
    assert first["difference"] is None
    assert second["difference"] == pytest.approx(second["turns"] - first["turns"])
    assert found == make(plan, 6)
    with pytest.raises(UserError):
        make(plan, 0)


def test_same_vectors_without_fallback_never_miss() -> None:
    """Spec 3: the chosen hint is nearest to its own keyword, so Bob cannot fail."""
    world, checked = Decrypto(hints="off"), 0
    alice = named("glove", "alice")
    assert isinstance(alice, EmbeddingAlice)
    for seed in range(60):
        episode = play_one(world.open(seed), minds(alice=alice, eve="uniform"))
        if not alice.fallbacks:
            checked += 1
            assert all(turn["bob"] == turn["code"] for turn in episode.turns)
    assert checked > 40
    seats = minds(alice=alice, bob="minilm", eve="uniform")
    others = [turn for seed in range(5) for turn in play_one(world.open(seed), seats).turns]
    assert not all(turn["bob"] == turn["code"] for turn in others), "another Bob does miss"


def test_the_command_writes_a_record_with_the_command_inside(tmp_path: Path) -> None:
    path = tmp_path / "small.json"
    result = CliRunner().invoke(make_app(), ["table", "decrypto", "small", "--episodes", "3", "--out", str(path)])
    assert result.exit_code == 0, result.output
    record = json.loads(path.read_text())
    assert record["command"] == "otherminds table decrypto small --episodes 3"
    assert record["rows"] == small_world(3)["rows"]
    assert all(row["least_gain"] >= -1e-12 for row in record["rows"])
    played = CliRunner().invoke(make_app(), ["table", "decrypto", "used-codes", "--episodes", "2", "--json"])
    assert json.loads(played.stdout)["games"] == 2
    wrong = CliRunner().invoke(make_app(), ["table", "decrypto", "nothing"])
    assert isinstance(wrong.exception, UserError)


@pytest.mark.parametrize("name", ["used_codes", "crossplay"])
def test_published_figures_come_out_to_the_last_digit(name: str) -> None:
    """Nothing that minds draw may move; the other tables take minutes, and are played with the command inside them."""
    record = json.loads((Path(__file__).parents[4] / "results" / f"decrypto_{name}.json").read_text("utf-8"))
    row = record["rows"][0]
    cell_of = row["cells"][0]
    match = Match({role: cell_of[role] for role in ROLES}, cell_of["reference"])
    plan = TablePlan("one", ("x",), {"a": [match]})
    found = make(plan, record["games"], record["seeds"][0])
    assert found["rows"][0]["cells"][0] == cell_of
