"""A state as a picture and as text."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from otherminds.view.pixels import save_gif, to_image
from otherminds.view.shapes import Circle, Label, Polygon, Rect, Scene, to_svg
from otherminds.worlds.symmtom import draw
from otherminds.worlds.symmtom.chance import draw_coins, draw_deal
from otherminds.worlds.symmtom.rules import deal, step
from otherminds.worlds.symmtom.types import Action, Params, State

PARAMS = Params(num_agents=2, width=5, num_pieces=4)


def state_of(params: Params = PARAMS, **changes: object) -> State:
    start = deal(draw_deal(np.random.default_rng(0), params), params)
    arrays = {name: np.asarray(value, dtype=getattr(start, name).dtype) for name, value in changes.items()}
    return start._replace(**arrays)


def diamonds(scene: Scene, params: Params = PARAMS) -> list[list[Polygon]]:
    """The diamonds beside the board, [agent][piece]; the bubbles' tails have three points, the legend comes last."""
    all_of_them = [shape for shape in scene.shapes if isinstance(shape, Polygon) and len(shape.points) == 4]
    c = params.num_pieces
    return [all_of_them[agent * c : (agent + 1) * c] for agent in range(params.num_agents)]


def centre(polygon: Polygon) -> tuple[float, float]:
    return sum(x for x, _ in polygon.points) / 4, sum(y for _, y in polygon.points) / 4


def test_pieces_are_black_first_hand_grey_second_hand_and_white_unknown() -> None:
    state = state_of(first_hand=[0b0011, 0b1100], knowledge=[0b0111, 0b1100])
    fills = [[piece.fill for piece in row] for row in diamonds(draw.scene(state, PARAMS))]
    black, grey, white = draw.FIRST_HAND, draw.SECOND_HAND, draw.UNKNOWN
    assert fills == [[black, black, grey, white], [white, white, black, black]]


def test_a_forgotten_first_hand_piece_is_not_drawn_as_known() -> None:
    state = state_of(first_hand=[0b0001, 0b0010], knowledge=[0b0000, 0b0010])
    assert diamonds(draw.scene(state, PARAMS))[0][0].fill == draw.UNKNOWN


def test_the_piece_being_said_has_a_black_circle_and_a_bubble() -> None:
    state = state_of(utterance=[0, 0b1000])
    scene = draw.scene(state, PARAMS)
    rings = [s for s in scene.shapes if isinstance(s, Circle) and s.fill is None and s.stroke == draw.FIRST_HAND]
    said = centre(diamonds(scene)[1][3])
    assert (rings[0].x, rings[0].y) == pytest.approx(said)
    assert len(rings) == 2, "one around the piece, one in the legend"
    bubbles = [s for s in draw.board(state, PARAMS).shapes if isinstance(s, Polygon)]
    assert len(bubbles) == 1


def test_y_points_up_and_x_to_the_right() -> None:
    state = state_of(x=[0, 4], y=[0, 4])
    discs = {s.fill: s for s in draw.board(state, PARAMS).shapes if isinstance(s, Circle)}
    first, second = discs[draw.COLOURS[0]], discs[draw.COLOURS[1]]
    assert first.x < second.x
    assert first.y > second.y


def test_hearing_ranges_are_clipped_to_the_board() -> None:
    state = state_of(x=[0, 4], y=[0, 4])
    shapes = draw.board(state, PARAMS).shapes
    ground = next(s for s in shapes if isinstance(s, Rect))
    for tint in (s for s in shapes if isinstance(s, Rect) and s.fill in draw.COLOURS and s.opacity < 1):
        assert tint.width == pytest.approx(2 * ground.width / 5)
        assert ground.x <= tint.x
        assert tint.x + tint.width <= ground.x + ground.width + 1e-6
        assert ground.y <= tint.y
        assert tint.y + tint.height <= ground.y + ground.height + 1e-6


def test_an_agent_on_a_base_can_be_told_from_the_base() -> None:
    state = state_of(x=[2, 4], y=[2, 4], base_x=[2, 0], base_y=[2, 0])
    on_base = to_image(draw.board(state, PARAMS))
    empty = to_image(draw.board(state._replace(x=state.x + np.array([1, 0], dtype=np.int32)), PARAMS))
    cells = [np.asarray(image.crop((180, 180, 232, 232))) for image in (on_base, empty)]
    is_changed = np.any(cells[0] != cells[1], axis=-1)
    assert np.mean(is_changed) > 0.02
    assert np.all(cells[0][is_changed] == 255, axis=-1).any(), "a white ring sets the disc apart"


def test_the_middle_block_is_drawn_as_wall() -> None:
    params = Params(num_agents=2, width=6, num_pieces=2, middle_block=True)
    walls = [s for s in draw.board(state_of(params), params).shapes if isinstance(s, Rect) and s.fill == draw.WALL]
    assert len(walls) == 1
    assert not [s for s in draw.board(state_of(), PARAMS).shapes if isinstance(s, Rect) and s.fill == draw.WALL]


def test_the_turn_is_written() -> None:
    scene = draw.scene(state_of(turn=7), PARAMS)
    assert "turn 7 of 25" in [s.text for s in scene.shapes if isinstance(s, Label)]


@pytest.mark.parametrize(("n", "w", "c"), [(2, 4, 1), (2, 2, 1), (10, 4, 32), (10, 64, 32), (3, 24, 17), (4, 12, 12)])
def test_every_size_of_world_fits_into_its_picture(n: int, w: int, c: int) -> None:
    params = Params(num_agents=n, width=w, num_pieces=c, hearing=0 if w == 2 else 1)
    state = state_of(params, utterance=[1 << (c - 1)] * n)
    scene = draw.scene(state, params)
    ElementTree.fromstring(to_svg(scene))
    rows = diamonds(scene, params)
    assert [len(row) for row in rows] == [c] * n
    assert len({centre(piece) for row in rows for piece in row}) == n * c
    for shape in scene.shapes:
        points = shape.points if isinstance(shape, Polygon) else ()
        if isinstance(shape, Circle):
            points = (
                (shape.x - shape.radius, shape.y - shape.radius),
                (shape.x + shape.radius, shape.y + shape.radius),
            )
        for x, y in points:
            assert 0 <= x <= scene.width
            assert 0 <= y <= scene.height


def test_all_turns_have_pictures_of_one_size_and_make_a_gif(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    states = [state_of()]
    for _ in range(6):
        action = Action(rng.integers(0, 5, 2).astype(np.int32), rng.integers(-1, 4, 2).astype(np.int32))
        states.append(step(states[-1], action, draw_coins(rng, PARAMS), PARAMS)[0])
    save_gif([draw.scene(state, PARAMS) for state in states], tmp_path / "a.gif", 0.1)
    with Image.open(tmp_path / "a.gif") as gif:
        assert getattr(gif, "n_frames", 1) == len(states)


def test_the_terminal_board_shows_agents_bases_walls_and_knowledge() -> None:
    params = Params(num_agents=2, width=6, num_pieces=4, middle_block=True)
    state = state_of(
        params,
        x=[0, 5],
        y=[0, 5],
        base_x=[0, 1],
        base_y=[0, 5],
        first_hand=[0b0011, 0b1100],
        knowledge=[0b0111, 0b1100],
        utterance=[0, 0b0100],
        turn=3,
    )
    assert draw.terminal(state, params).splitlines() == [
        "turn 3 of 30",
        " .  b  .  .  .  1",
        " .  .  .  .  .  .",
        " .  #  #  #  .  .",
        " .  #  #  #  .  .",
        " .  #  #  #  .  .",
        " 0a .  .  .  .  .",
        "0 ◆◆◈◇  silent",
        "1 ◇◇◆◆  says 2",
        "0-9 agents, a-j their bases, # wall; ◆ first-hand ◈ second-hand ◇ not known",
    ]
