"""Maps of match-ups, and their pictures."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.worlds.decrypto.evals.figures import Best, draw_maps, heat_map
from otherminds.worlds.decrypto.evals.results import against
from tests.worlds.decrypto.evals.making import game, turn


def grid(*lengths: tuple[str, str, int]) -> list[Episode]:
    """Games of some length for two seeds of each cell, the second a turn longer."""
    return [
        game(seed, [turn(1)] * (length + seed), place={"pair": row, "eve": column}, env_seed=seed)
        for row, column, length in lengths
        for seed in (0, 1)
    ]


GRID = grid(("a", "x", 2), ("a", "y", 6), ("b", "x", 3), ("b", "y", 3))


def bold_cells(best: Best) -> set[tuple[str, str]]:
    return {(cell["pair"], cell["eve"]) for cell in heat_map(GRID, "turns", best)["cells"] if cell["bold"]}


def test_a_cell_is_the_mean_of_its_games_and_the_best_of_a_column_is_bold() -> None:
    found = heat_map(GRID, "turns", best="column")
    assert [list(cell.values())[:3] for cell in found["cells"]] == [
        ["a", "x", 2.5], ["a", "y", 6.5], ["b", "x", 3.5], ["b", "y", 3.5],
    ]  # fmt: skip
    # One standard error is 0.5 in every cell, so 2.5 and 3.5 just touch.
    assert bold_cells("column") == {("a", "x"), ("b", "x"), ("a", "y")}
    assert bold_cells("row") == {("a", "y"), ("b", "x"), ("b", "y")}


def test_what_is_no_map_is_refused() -> None:
    with pytest.raises(UserError, match="needs two axes; found none"):
        heat_map([game(0, [turn(1)])], "turns")
    with pytest.raises(UserError, match="needs two axes; found pair, eve, bob"):
        heat_map([game(0, [turn(1)], place={"pair": "a", "eve": "x", "bob": "y"})], "turns")


def test_two_casts_are_compared_on_the_games_that_both_have() -> None:
    first = [game(0, [turn(1)]), game(1, [turn(1)] * 2), game(5, [turn(1)] * 8)]
    second = [game(1, [turn(1)] * 5), game(0, [turn(1)] * 2)]
    compared = against(first, second)
    assert compared is not None
    assert compared["turns"]["value"] == 2.0
    assert against(first[:1], second[:1]) is None


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_maps_are_drawn_with_every_cell(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"map{suffix}"
    heats = draw_maps("competition", GRID, path)
    assert [heat["figure"] for heat in heats] == ["turns", "intercepts"]
    assert path.stat().st_size > 1000
    with pytest.raises(UserError, match="has no known suffix"):
        draw_maps("competition", GRID, tmp_path / "x.bmp")
