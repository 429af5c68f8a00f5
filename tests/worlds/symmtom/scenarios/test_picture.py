"""Scenarios as pictures."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from xml.etree import ElementTree

import pytest

from otherminds.core.errors import UserError
from otherminds.view.shapes import Circle, Label, Rect, Scene, to_svg
from otherminds.worlds.symmtom import draw
from otherminds.worlds.symmtom.scenarios import find_scenario, scenario_names
from otherminds.worlds.symmtom.scenarios.picture import (
    RIGHT,
    WRONG,
    board_scene,
    in_words,
    role_colours,
    said,
    twins_scene,
)
from otherminds.worlds.symmtom.scenarios.read import parse_scenario
from otherminds.worlds.symmtom.scenarios.solver.plans import shortest_play
from otherminds.worlds.symmtom.scenarios.staging import trial_state
from otherminds.worlds.symmtom.scenarios.types import Deed, Scenario
from otherminds.worlds.symmtom.types import MOVE_NAMES

LETTER = 0.5  # mean width of a letter, in ems


def scenario_scene(scenario: Scenario, case: str) -> Scene:
    """The picture of one case."""
    return twins_scene(replace(scenario, cases=(scenario.case(case),)))


def texts(scene: Scene) -> list[str]:
    return [shape.text for shape in scene.shapes if isinstance(shape, Label)]


def badges(scene: Scene) -> list[str | None]:
    """The colours of ticks and crosses, in the order in which they are drawn."""
    return [s.fill for s in scene.shapes if isinstance(s, Circle) and s.fill in (RIGHT, WRONG)]


def box(label: Label) -> tuple[float, float, float, float]:
    width = LETTER * label.size * len(label.text)
    left = label.x - {"start": 0.0, "middle": width / 2, "end": width}[label.anchor]
    return left, label.y - label.size * 0.45, left + width, label.y + label.size * 0.45


def all_cases() -> list[tuple[str, str]]:
    return [(name, case.name) for name in scenario_names() for case in find_scenario(name).cases]


@pytest.mark.parametrize(("name", "case"), all_cases())
def test_every_case_has_a_picture_that_names_all_agents_and_what_is_right(name: str, case: str) -> None:
    scenario = find_scenario(name)
    scene = scenario_scene(scenario, case)
    svg = ElementTree.fromstring(to_svg(scene))
    shown = " | ".join(part.text or "" for part in svg.iter("{http://www.w3.org/2000/svg}text"))
    for agent in scenario.agents:
        assert agent in shown.split(" | "), "below its disc and beside its pieces"
    success = " or ".join(condition.to_text(scenario.agents) for condition in scenario.success(scenario.case(case)))
    assert f"right: {success}" in shown
    assert f"order {scenario.order}" in shown
    assert ("reproduction only" in shown) == bool(scenario.reproduction)
    assert badges(scene).count(RIGHT) == 2, "on the board and in the list"
    assert badges(scene).count(WRONG) == 2 * (len(scenario.choices) - 1)


@pytest.mark.parametrize(("name", "case"), all_cases())
def test_everything_is_inside_and_the_texts_around_the_board_are_apart(name: str, case: str) -> None:
    scenario = find_scenario(name)
    scene = scenario_scene(scenario, case)
    board = board_scene(scenario, trial_state(scenario, scenario.case(case)))
    labels = [shape for shape in scene.shapes if isinstance(shape, Label)]
    for label in labels:
        left, top, right, bottom = box(label)
        assert 0 <= left < right <= scene.width, label.text
        assert 0 <= top < bottom <= scene.height, label.text
    around = [box(label) for label in labels if not 70 < label.y < board.height + 70]
    for a, b in combinations(around, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], (a, b)
    assert scene.width <= 960


def test_twins_stand_side_by_side() -> None:
    scenario = find_scenario("order0_w6")
    scene = twins_scene(scenario)
    places = {text: [s.x for s in scene.shapes if isinstance(s, Label) and s.text == text] for text in texts(scene)}
    assert places["told"] < places["untold"]
    assert len(places["red"]) == 4, "on both boards and in both lists"
    assert badges(scene).count(RIGHT) == 4


def test_what_was_said_is_told_with_its_hearers_and_repetitions_once() -> None:
    assert said(find_scenario("order0_w6"), find_scenario("order0_w6").case("told")) == [
        "turn 1: left says 0, heard by red"
    ]
    scenario = find_scenario("order2_w12")
    assert said(scenario, scenario.cases[0]) == [
        "turn 1: red says 0, heard by grey",
        "turns 1 to 9: blue says 1, heard by nobody",
        "turn 1: grey says 2, heard by red",
    ]
    scenario = find_scenario("retroactive_heard_w6")
    assert "turn 3: blue says 0, heard by green and yellow" in said(scenario, scenario.case("first"))


def test_a_history_in_silence_says_so() -> None:
    assert "nothing" in texts(scenario_scene(find_scenario("order0_w6"), "untold"))


def test_agents_have_the_colours_they_are_called_by_and_all_differ() -> None:
    for name in scenario_names():
        scenario = find_scenario(name)
        colours = dict(zip(scenario.agents, role_colours(scenario), strict=True))
        assert len(set(colours.values())) == len(colours)
        assert colours["red"] == draw.COLOURS[0]
        assert colours.get("blue", draw.COLOURS[1]) == draw.COLOURS[1]
        assert colours.get("green", draw.COLOURS[3]) == draw.COLOURS[3]


def test_discs_bases_and_ranges_are_recoloured_together_and_their_numbers_stay_legible() -> None:
    scenario = find_scenario("retroactive_heard_w6")  # red, green, blue, yellow: not the order of the palette
    state = trial_state(scenario, scenario.cases[0])
    shapes = board_scene(scenario, state).shapes
    for role, colour in enumerate(role_colours(scenario)):
        places = [i for i, s in enumerate(shapes) if isinstance(s, Circle) and s.fill == colour]
        assert len(places) == 1
        number = shapes[places[0] + 1]
        assert isinstance(number, Label)
        assert number.text == str(role)
        assert number.fill == (draw.FIRST_HAND if scenario.agents[role] == "yellow" else draw.LIGHT)
        opacities = sorted(s.opacity for s in shapes if isinstance(s, Rect) and s.fill == colour)
        assert opacities == [0.2, 1.0], "the range and the base"


def test_pieces_keep_their_black_grey_and_white_under_new_colours() -> None:
    scenario = find_scenario("retroactive_heard_w6")
    scene = scenario_scene(scenario, "first")
    on_grey, on_black, on_white = draw.FIRST_HAND, draw.LIGHT, draw.QUIET
    for agent, inks in (
        ("green", [on_grey, on_black, on_white, on_white]),
        ("yellow", [on_grey, on_white, on_white, on_black]),
    ):
        (name,) = (s for s in scene.shapes if isinstance(s, Label) and s.text == agent and s.size == 13)
        row = [s for s in scene.shapes if isinstance(s, Label) and abs(s.y - name.y) < 1 and s.x > name.x]
        assert [(s.text, s.fill) for s in row] == [(str(piece), ink) for piece, ink in enumerate(inks)]


def test_the_shortest_play_is_as_long_as_the_file_says_and_silent_unless_it_has_to_speak() -> None:
    scenario = find_scenario("order0_w6")
    play = shortest_play(scenario, scenario.case("told"))
    assert len(play) == 3
    assert sorted(MOVE_NAMES[deed.move] for deed in play) == ["right", "up", "up"]
    assert all(deed.piece == -1 for deed in play)
    wrong = shortest_play(scenario, scenario.case("told"), "left")
    assert [MOVE_NAMES[deed.move] for deed in wrong] == ["left", "left"]
    scenario = find_scenario("retroactive_heard_w6")
    assert shortest_play(scenario, scenario.case("first")) == (Deed(0, 2),)
    assert shortest_play(scenario, scenario.case("second")) == (Deed(0, 0),)


OUT_OF_REACH = """
about: Blue is farther away than the trial is long.
order: 0
setting: n2_w6_c2
agents:
  red: {at: [0, 0], base: [1, 0], pieces: [0]}
  blue: {at: [5, 5], base: [4, 4], pieces: [1]}
choices:
  blue: red near blue
limit: 3
cases:
  only: {right: blue, turns: 2, history: [{}]}
"""


def test_a_choice_out_of_reach_is_reported_rather_than_drawn() -> None:
    scenario: Scenario = parse_scenario(OUT_OF_REACH, "far.yaml")
    with pytest.raises(UserError, match="'blue' cannot be reached"):
        scenario_scene(scenario, "only")


def test_only_turns_that_follow_each_other_are_told_as_one() -> None:
    history = "history: [{red: say 0}, {}, {red: say 0}, {red: say 0}]"
    scenario = parse_scenario(OUT_OF_REACH.replace("history: [{}]", history), "far.yaml")
    assert said(scenario, scenario.cases[0]) == [
        "turn 1: red says 0, heard by nobody",
        "turns 3 to 4: red says 0, heard by nobody",
    ]


@pytest.mark.parametrize("interferes", [False, True])
def test_who_is_spoken_to_by_two_hears_neither_where_voices_interfere(interferes: bool) -> None:
    text = OUT_OF_REACH.replace("n2_w6_c2", "n3_w6_c3").replace("[5, 5]", "[1, 1]").replace("near", "tells")
    text = text.replace("choices:", "  green: {at: [0, 1], base: [0, 5], pieces: [2]}\nchoices:")
    text = text.replace("history: [{}]", "history: [{blue: say 1, green: say 2}]")
    scenario = parse_scenario(f"{text}switches: {{interference: {str(interferes).lower()}}}\n", "near.yaml")
    whom = ("green", "blue") if interferes else ("red and green", "red and blue")
    assert said(scenario, scenario.cases[0]) == [
        f"turn 1: blue says 1, heard by {whom[0]}",
        f"turn 1: green says 2, heard by {whom[1]}",
    ]


def test_deeds_in_words() -> None:
    right, up = MOVE_NAMES.index("right"), MOVE_NAMES.index("up")
    assert in_words([Deed(right), Deed(right), Deed(up, 2)]) == "right 2 times, then up and say 2"
    assert in_words([Deed(), Deed(0, 1)]) == "stay, then say 1"
