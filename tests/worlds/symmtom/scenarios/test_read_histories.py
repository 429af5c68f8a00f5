"""Scenario files: what histories and scripts may say, and what is refused where it stands."""

from __future__ import annotations

import pytest

from otherminds.worlds.symmtom.scenarios import find_scenario, scenario_names
from otherminds.worlds.symmtom.scenarios.staging import shown, trial_state
from tests.worlds.symmtom.scenarios.writing import GOOD, changed, check_refused, parse, refusal


@pytest.mark.parametrize("new", ["jump", "say", "say 3", "say nothing", "right right", "right 0", "say 0 right"])
def test_what_is_nothing_to_do_is_refused(new: str) -> None:
    check_refused("- {red: right}", f"- {{red: {new}}}", 17, f"{new!r} is not an act; expected stay, right, left")


def test_a_move_into_a_wall_is_refused() -> None:
    new = "- {red: down}\n      - {red: down}"
    check_refused("- {red: right}", new, 18, "red cannot go down: a wall or another agent is in its way")


def test_a_move_onto_another_agent_is_refused() -> None:
    new = "- {red: up}\n      - {red: left}"
    check_refused("- {red: right}", new, 18, "red cannot go left: a wall or another agent is in its way")


def test_a_move_in_which_chance_would_decide_is_refused() -> None:
    """Red and blue both want the cell between them."""
    check_refused("- {red: right}", "- {red: left, blue: down}", 17, "cannot go")


def test_a_piece_heard_a_turn_ago_cannot_be_said_yet() -> None:
    check_refused("- {red: right}", "- {red: right say 1}", 17, "red cannot say 1 in this turn")


def test_a_piece_heard_two_turns_ago_can_be_said() -> None:
    scenario = parse(changed("{red: right, green: down say 2}", "{red: right say 1, green: down say 2}"))
    assert scenario.cases[0].history[2][0].piece == 1


def test_a_piece_never_heard_cannot_be_said() -> None:
    check_refused("green: down say 2", "green: down say 0", 18, "green cannot say 0 in this turn")


def test_a_history_longer_than_that_of_the_first_case_is_refused_at_the_case() -> None:
    new = "      - {}\n      - {}\n"
    check_refused("      - {}\n", new, 22, "'apart' has 6 turns of history, 'met' has 5; add turns")


def test_a_history_shorter_than_that_of_the_first_case_is_refused_at_the_case() -> None:
    check_refused("      - {}\n", "", 22, "'apart' has 4 turns of history, 'met' has 5; add turns")


def test_cases_that_lead_to_different_boards_are_refused_at_the_case() -> None:
    check_refused("- {}", "- {green: right}", 22, "'apart' leads to agents at [(4, 1), (1, 2), (2, 4)], 'met' to")


@pytest.mark.parametrize(
    ("new", "fact"),
    [
        ("      - {}\n      - {green: up}", "direction y [0, 0, 0] of the last turn, not [0, 0, 1]"),
        ("      - {green: up}\n      - {red: say 0}", "utterance [0, 0, 0] of the last turn, not [1, 0, 0]"),
    ],
)
def test_cases_that_can_be_told_apart_without_memory_are_refused_at_the_case(new: str, fact: str) -> None:
    """They end on the same board, and yet the tested agent is shown another last turn."""
    check_refused("      - {green: up}\n      - {red: stay}", new, 22, fact)


@pytest.mark.parametrize("name", scenario_names())
def test_no_shipped_case_can_be_told_from_another_without_memory(name: str) -> None:
    scenario = find_scenario(name)
    last = [shown(trial_state(scenario, case), scenario.params) for case in scenario.cases]
    assert all(facts == last[0] for facts in last)


@pytest.mark.parametrize("name", ["''", "'a:b'", "a/b", "'a b'"])
def test_a_case_whose_name_no_command_could_hold_is_refused(name: str) -> None:
    check_refused("  met:", f"  {name}:", 13, "is not a name for a case; expected letters, digits")


def test_more_turns_than_the_trial_has_are_refused() -> None:
    check_refused("turns: 2", "turns: 1000000000", 14, "turns is 1e+09, but the trial ends after 30; see 'limit'")


def test_a_piece_that_nobody_owns_is_refused() -> None:
    check_refused("pieces: [1]", "pieces: []", 5, "no agent owns 1 of the 3 pieces; give each to an agent")


def test_an_empty_history_is_refused() -> None:
    turns = GOOD[GOOD.index("\n      - {red") : GOOD.index("\n  apart:")]
    check_refused(turns, " []", 15, "the history is empty; expected at least one turn")


def test_cases_are_needed() -> None:
    text = GOOD[: GOOD.index("cases:")] + "cases: {}\n"
    assert refusal(text).startswith("mine.yaml, line 11: cases is empty")


def test_the_tested_agent_has_no_script_in_the_trial() -> None:
    check_refused("cases:", "trial: {red: [right]}\ncases:", 11, "unknown field 'red' in trial")


def test_an_empty_script_is_refused() -> None:
    check_refused("cases:", "trial: {blue: []}\ncases:", 11, "the script of an agent is empty")


@pytest.mark.parametrize(
    ("script", "line", "message"),
    [
        (
            "blue: [left, left, stay]",
            12,
            "blue cannot go left: a wall or another agent is in its way (turn 2 of the trial)",
        ),
        ("blue: [left]", 12, "(turn 2 of the trial, where its last act is repeated; end with 'stay')"),
        ("green: [down, down, stay]", 12, "green cannot go down: a wall or another agent is in its way (turn 2"),
        ("green: [say 0]", 12, "green cannot say 0 in this turn: it does not know the piece"),
    ],
)
def test_a_script_that_the_rules_do_not_allow_is_refused(script: str, line: int, message: str) -> None:
    check_refused("cases:", f"trial:\n  {script}\ncases:", line, message)


def test_a_script_may_lead_to_where_the_tested_agent_is_when_it_begins() -> None:
    text = changed("cases:", "trial:\n  blue: [right, right, down, right, stay]\ncases:")  # red begins at (4, 1)
    assert len(parse(text).script) == 5
