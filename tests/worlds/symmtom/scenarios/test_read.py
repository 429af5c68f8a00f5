"""Scenario files: the shipped ones load, and every mistake is refused with the file and the line it stands on."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.symmtom.scenarios import find_scenario, load_scenario, scenario_names
from otherminds.worlds.symmtom.scenarios.staging import trial_state
from otherminds.worlds.symmtom.scenarios.types import Deed
from otherminds.worlds.symmtom.types import MOVE_NAMES
from tests.worlds.symmtom.scenarios.writing import GOOD, changed, check_refused, parse, refusal


def test_a_good_file_loads_as_it_is_written() -> None:
    scenario = parse()
    assert (scenario.name, scenario.order, scenario.params.setting) == ("mine", 1, "n3_w6_c3")
    assert scenario.agents == ("red", "blue", "green")
    assert scenario.bases == ((2, 0), (0, 2), (4, 4))
    assert scenario.hands == ((0,), (1,), (2,))
    assert scenario.limit == 30
    met = scenario.case("met")
    assert met.cells == ((2, 1), (1, 2), (1, 4))
    assert met.history[2] == (Deed(MOVE_NAMES.index("right")), Deed(), Deed(MOVE_NAMES.index("down"), 2))
    assert [condition.to_text(scenario.agents) for condition in scenario.success(met)] == ["red near blue"]
    assert [condition.to_text(scenario.agents) for condition in scenario.failure(met)] == ["red near green"]


@pytest.mark.parametrize("name", scenario_names())
def test_every_shipped_file_loads_and_its_cases_share_the_board_of_the_trial(name: str) -> None:
    scenario = find_scenario(name)
    assert scenario.name == name
    assert len({len(case.history) for case in scenario.cases}) == 1
    states = [trial_state(scenario, case) for case in scenario.cases]
    assert len({(*state.x.tolist(), *state.y.tolist()) for state in states}) == 1


def test_an_unknown_scenario_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(UserError, match="no scenario 'contact_6'; did you mean 'contact_w6'"):
        find_scenario("contact_6")


def test_a_file_of_ones_own_is_found_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "my_test.yaml"
    path.write_text(GOOD, encoding="utf-8")
    assert find_scenario(path).name == "my_test"


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"cannot read .*missing\.yaml"):
        load_scenario(tmp_path / "missing.yaml")


# Fields


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("order: 1", "ordr: 1", 2, "unknown field 'ordr' in the scenario; did you mean 'order'?"),
        ("base: [2, 0]", "bas: [2, 0]", 5, "unknown field 'bas' in red; did you mean 'base'?"),
        ("    turns: 2", "    turn: 2", 14, "unknown field 'turn' in met; did you mean 'turns'?"),
        ("{red: right}", "{rad: right}", 17, "unknown field 'rad' in history 2; did you mean 'red'?"),
    ],
)
def test_an_unknown_field_is_refused_with_the_nearest_known_one(old: str, new: str, line: int, message: str) -> None:
    check_refused(old, new, line, message)


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("order: 1\n", "", 1, "the scenario needs the field 'order'"),
        (", base: [0, 2]", "", 6, "blue needs the field 'base'"),
        ("    turns: 2\n", "", 13, "met needs the field 'turns'"),
    ],
)
def test_a_missing_field_is_refused_where_it_is_missing(old: str, new: str, line: int, message: str) -> None:
    check_refused(old, new, line, message)


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("order: 1\n", "order: 1\norder: 2\n", 3, "'order' is given twice"),
        ("base: [2, 0]", "base: [2, 0], base: [3, 0]", 5, "'base' is given twice"),
        ("  apart:", "  met:", 21, "'met' is given twice"),
    ],
)
def test_a_field_that_is_given_twice_is_refused(old: str, new: str, line: int, message: str) -> None:
    check_refused(old, new, line, message)


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("order: 1", "order: 3", 2, "order is '3'; expected a whole number from 0 to 2"),
        ("order: 1", "order: true", 2, "order is 'true'; expected a whole number"),
        ("setting: n3_w6_c3", "setting: n3_w6", 3, "setting 'n3_w6' is not of the form"),
        ("setting: n3_w6_c3", "setting: n3_w6_c3\nswitches: {competitiv: 2}", 4, "did you mean 'competitive'?"),
        ("cases:", "horizon: encountr\ncases:", 11, "horizon is 'encountr'; did you mean 'encounter'?"),
        ("cases:", "limit: 0\ncases:", 11, "limit is '0'; expected a whole number from 1 to 1000"),
        ("right: blue", "right: blu", 13, "right is 'blu'; did you mean 'blue'?"),
        ("turns: 2", "turns: 0", 14, "turns is '0'; expected a positive number"),
        ("turns: 2", "turns: soon", 14, "turns is 'soon'; expected a positive number"),
        ("pieces: [1]", "pieces: [3]", 6, "pieces 1 is '3'; expected a whole number from 0 to 2"),
        ("pieces: [1]", "pieces: 1", 6, "pieces is '1'; expected a list"),
        ("{at: [2, 1], base: [2, 0], pieces: [0]}", "[2, 1]", 5, "red is a list; expected names with values"),
    ],
)
def test_a_value_out_of_bounds_is_refused(old: str, new: str, line: int, message: str) -> None:
    check_refused(old, new, line, message)


# The board


@pytest.mark.parametrize(
    ("new", "message"),
    [
        ("at: [6, 2]", "at 1 is '6'; expected a whole number from 0 to 5"),
        ("at: [1, -1]", "at 2 is '-1'; expected a whole number from 0 to 5"),
        ("at: [1, 2.5]", "at 2 is '2.5'; expected a whole number from 0 to 5"),
        ("at: [1]", "at has 1 numbers; expected a cell [x, y]"),
        ("at: [1, 2, 3]", "at has 3 numbers; expected a cell [x, y]"),
        ("at: here", "at is 'here'; expected a list"),
    ],
)
def test_what_is_no_cell_of_the_board_is_refused(new: str, message: str) -> None:
    check_refused("at: [1, 2]", new, 6, message)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("at: [1, 2]", "at: [2, 1]", "two agents have at [2, 1]; expected different cells"),
        ("base: [0, 2]", "base: [2, 0]", "two agents have base [2, 0]; expected different cells"),
    ],
)
def test_two_agents_on_one_cell_are_refused_where_agents_are_listed(old: str, new: str, message: str) -> None:
    check_refused(old, new, 5, message)


def test_an_agent_in_a_wall_is_refused() -> None:
    new = "setting: n3_w6_c3\nswitches: {middle_block: true}"
    check_refused("setting: n3_w6_c3", new, 6, "at [2, 1] is a wall")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("  green: {at: [1, 4], base: [4, 4], pieces: [2]}\n", "", "the file has 2 agents; n3_w6_c3 has 3"),
        (
            "choices:",
            "  grey: {at: [5, 5], base: [5, 4], pieces: []}\nchoices:",
            "the file has 4 agents; n3_w6_c3 has 3",
        ),
    ],
)
def test_a_wrong_number_of_agents_is_refused(old: str, new: str, message: str) -> None:
    check_refused(old, new, 5, message)


def test_an_agent_whose_name_no_condition_could_hold_is_refused() -> None:
    check_refused("  blue: {", "  dark blue: {", 5, "'dark blue' is not a name for an agent")


# Conditions


@pytest.mark.parametrize(
    ("new", "message"),
    [
        ("red sees blue", "'red sees blue' is not a condition; expected 'red near green'"),
        ("red near", "'red near' is not a condition"),
        ("red home blue", "'red home blue' is not a condition"),
        ("red near blu", "unknown agent 'blu'; did you mean 'blue'?"),
        ("rod near blue", "unknown agent 'rod'; did you mean 'red'?"),
        ("red near blue green", "names 2 agents; write a condition for each"),
        ("red near red", "names the same agent twice; name two agents"),
        ("red tells red", "names the same agent twice; name two agents"),
        ("blue knows 3", "'3' is not a piece; expected 0 to 2"),
        ("blue knows red", "'red' is not a piece; expected 0 to 2"),
        ("''", "is not a condition"),
    ],
)
def test_what_is_no_condition_is_refused(new: str, message: str) -> None:
    check_refused("blue: red near blue", f"blue: {new}", 9, message)


def test_a_bad_condition_in_a_list_is_refused_on_its_own_line() -> None:
    new = "blue:\n    - red near blue\n    - red near blu"
    check_refused("blue: red near blue", new, 11, "unknown agent 'blu'")


@pytest.mark.parametrize(
    ("new", "choice"), [("red knows 0", "blue"), ("red knows 0 1", "blue"), ("green knows 2", "blue")]
)
def test_a_choice_that_is_decided_before_the_trial_is_refused_at_the_last_turn(new: str, choice: str) -> None:
    check_refused("blue: red near blue", f"blue: {new}", 20, f"{choice!r} holds before the trial begins")


def test_choices_are_needed() -> None:
    text = changed("choices:\n  blue: red near blue\n  green: red near green\n", "choices: {}\n")
    assert refusal(text).startswith("mine.yaml, line 8: choices is empty")


# Files that cannot be read at all


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("about: [a test\norder: 1\n", "mine.yaml, line 2: not valid YAML"),
        ("about: a test\norder: 1: 2\n", "mine.yaml, line 2: not valid YAML"),
        ("about: a test\n---\norder: 1\n", "mine.yaml, line 2: not valid YAML"),
        ("about: \x00\n", "mine.yaml: not valid YAML"),
    ],
)
def test_what_is_no_yaml_is_refused(text: str, start: str) -> None:
    assert refusal(text).startswith(start)


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing but a remark\n"])
def test_an_empty_file_is_refused_with_the_way_to_a_template(text: str) -> None:
    assert refusal(text) == "mine.yaml is empty; 'otherminds new scenario' writes a template"


@pytest.mark.parametrize("text", ["- red\n- blue\n", "red\n"])
def test_a_file_without_fields_is_refused(text: str) -> None:
    assert refusal(text).startswith("mine.yaml, line 1: the scenario is")


@pytest.mark.parametrize("value", ["&a [*a]", "&a {b: [1, {c: *a}]}"])
def test_a_value_that_holds_itself_is_refused(value: str) -> None:
    assert "mine.yaml, line 2: this value contains itself" in refusal(changed("order: 1", f"certificate: {value}"))


def test_a_value_may_be_used_twice_by_an_alias() -> None:
    text = changed("  met:\n", "  met: &a\n")
    text = text.replace("      - {red: say 0, blue: say 1}", "      - &b {red: say 0, blue: say 1}", 1)
    assert parse(text.replace("      - {red: say 0, blue: say 1}", "      - *b")) == parse()


@pytest.mark.parametrize(("old", "new"), [("order: 1", "order: !mine 1"), ("turns: 2", "turns: 2001-99-99")])
def test_a_value_that_yaml_cannot_make_is_refused(old: str, new: str) -> None:
    assert refusal(changed(old, new)).startswith("mine.yaml, line ")
