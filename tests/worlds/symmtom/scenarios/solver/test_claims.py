"""Claims of scenario files: twins that are twins, orders that are proved, certificates that are exact."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml

from otherminds.core.errors import UserError
from otherminds.worlds.symmtom.scenarios import Scenario, find_scenario
from otherminds.worlds.symmtom.scenarios.read import FOLDER, parse_scenario
from otherminds.worlds.symmtom.scenarios.read import TEMPLATE as TEMPLATE_FILE
from otherminds.worlds.symmtom.scenarios.solver.certify import certify, goals_of
from otherminds.worlds.symmtom.scenarios.solver.claims import (
    check_certificate,
    check_claims,
    is_best,
    is_order_proved,
    rounded,
    with_certificate,
)
from otherminds.worlds.symmtom.scenarios.solver.plans import first_acts, is_paired
from otherminds.worlds.symmtom.scenarios.staging import trial_state
from otherminds.worlds.symmtom.scenarios.types import Deed

TEMPLATE = TEMPLATE_FILE.read_text("utf-8")

CONTACT = find_scenario("contact_w6")


def shipped(name: str, *changes: tuple[str, str]) -> Scenario:
    """A shipped file with some words replaced."""
    return changed((FOLDER / f"{name}.yaml").read_text("utf-8"), *changes)


def changed(text: str, *changes: tuple[str, str]) -> Scenario:
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return parse_scenario(text, "mine.yaml", Path("mine.yaml"))


def line_of(text: str, words: str) -> int:
    return text[: text.index(words)].count("\n") + 1


def stated(scenario: Scenario) -> dict[str, Any]:
    """The certificate in the file."""
    assert scenario.certificate is not None
    return copy.deepcopy(dict(scenario.certificate))


# Twins

SAME = TEMPLATE[: TEMPLATE.index("  untold:")] + (
    "  chatty:\n    right: top\n    turns: 3\n    history:\n"
    "      - {left: say 0, red: say 2}\n      - {red: right}\n      - {red: right}\n"
)


def test_cases_that_look_different_and_ask_for_the_same_are_no_twins() -> None:
    scenario = changed(SAME)
    assert not is_paired(scenario)
    with pytest.raises(UserError, match=r"mine\.yaml, line 17: 'told' and 'chatty' are not twins"):
        certify(scenario)


def test_with_one_choice_twins_differ_in_the_act_that_is_best_first() -> None:
    scenario = find_scenario("retroactive_heard_w6")
    first, second = (first_acts(scenario, case) for case in scenario.cases)
    assert Deed(0, 2) in first
    assert Deed(0, 0) in second
    assert not first & second
    assert is_paired(scenario)
    # The second case, with something else heard that changes nothing, asks for what the first one asks for.
    turns = "{blue: right say 0}", "{blue: left, green: say 0}"
    same = shipped("retroactive_heard_w6", ("{blue: right say 2}", turns[0]), ("{blue: left, green: say 2}", turns[1]))
    loud = shipped(
        "retroactive_heard_w6",
        ("{blue: right say 2}", turns[0]),
        ("{blue: left, green: say 2}", "{blue: left, green: say 1}"),
    )
    assert not is_paired(same)
    assert not is_paired(loud)


def test_chance_must_not_pass_both_of_two_twins() -> None:
    found = stated(CONTACT)
    check_claims(CONTACT, found)
    for case in CONTACT.cases:
        found[case.name]["random_pass"] = 0.3
    with pytest.raises(UserError, match="a random mind passes all cases in 9% of trials, more than 5%"):
        check_claims(CONTACT, found)


ONE = TEMPLATE[: TEMPLATE.index("  untold:")]


def test_a_single_case_has_to_say_why_it_is_kept() -> None:
    with pytest.raises(UserError, match=r"mine\.yaml, line 17: with one case, .*; add a twin, or explain in"):
        certify(changed(ONE))


def test_a_single_case_that_says_why_is_held_to_its_order() -> None:
    kept = f"{ONE}reproduction only: an example\n"
    scenario = changed(kept)
    assert is_order_proved(scenario, certify(scenario))
    with pytest.raises(UserError, match=f"line {line_of(kept, 'order:')}: order 2 does not make the difference"):
        certify(changed(kept, ("order: 0", "order: 2")))


@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize("name", ["order2_w12", "probabilistic_w6", "graded_10_w6"])
def test_where_no_belief_makes_a_difference_the_order_is_not_said_to_be_proved(name: str, order: int) -> None:
    scenario = find_scenario(name)
    assert not is_order_proved(shipped(name, (f"order: {scenario.order}", f"order: {order}")), stated(scenario))


@pytest.mark.parametrize("name", ["order0_w6", "contact_w6", "retroactive_heard_w6", "order1and2_w6"])
def test_where_it_does_the_order_is_proved(name: str) -> None:
    assert is_order_proved(find_scenario(name), stated(find_scenario(name)))


@pytest.mark.parametrize(
    ("margins", "expected"),
    [([0.1, 0.0], True), ([0.1, 2.0], True), ([0.1, -0.1], False), ([0.0, 1.0], False), ([-0.1, 1.0], False)],
)
def test_the_best_choice_is_better_sooner_and_no_worse_in_the_end(margins: list[float], expected: bool) -> None:
    assert is_best(margins) == expected


def test_a_script_that_leads_away_from_what_is_best_is_refused() -> None:
    """Blue gains more from grey than from red, so nobody could foresee that it comes to red."""
    good = find_scenario("order2_w12")
    worth = goals_of(good, trial_state(good, good.cases[0]))["goals"]["blue"]
    assert worth["grey"][0] > worth["red"][0]
    bad = shipped(
        "order2_w12", ("down, down, down, down, down, say 1", "right, right, right, right, right, down, stay")
    )
    with pytest.raises(
        UserError, match=r"mine\.yaml, line \d+: the script leads blue to red, which is not the best agent"
    ):
        goals_of(bad, trial_state(bad, bad.cases[0]))


# What cannot be proved


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ("turns: 3 ", "turns: 4 ", "turns: 4", "case 'told': the file says 4 turns, the search finds 3"),
        (
            "# limit: 30",
            "limit: 2 #",
            "right: top",
            "'top' cannot be reached with certainty in the 2 turns of the trial",
        ),
        ("top: red near top", "top: left home", "right: top", "'top' cannot be reached with certainty in the 30 turns"),
        ("right: top", "right: left", "right: left", "case 'told': 'left' is not the best choice"),
        ("order: 0", "order: 1", "order: 1", "the file says order 1, the solver finds 0"),
    ],
)
def test_a_claim_that_does_not_hold_is_refused_on_its_line(old: str, new: str, place: str, message: str) -> None:
    text = TEMPLATE.replace(old, new, 1)
    if "limit" in new:
        text = text.replace("turns: 3 ", "turns: 2 ", 1)
    if new == "right: left":
        text = text.replace("turns: 3 ", "turns: 2 ", 1)
    with pytest.raises(UserError) as error:
        certify(changed(text))
    assert str(error.value).startswith(f"mine.yaml, line {line_of(text, place)}: "), error.value
    assert message in str(error.value)


@pytest.mark.parametrize("switch", ["decay: 40", "vision: 2", "hear_before_move: true"])
def test_a_rule_that_the_solver_does_not_cover_is_refused_on_its_line(switch: str) -> None:
    text = TEMPLATE.replace("# switches: {competitive: 2}", f"switches: {{{switch}}}")
    name = switch.partition(":")[0]
    with pytest.raises(UserError, match=rf"mine\.yaml, line 8: the solver does not support {name} = .*; remove that"):
        certify(changed(text))


def test_a_board_that_is_too_large_to_search_is_refused_rather_than_begun() -> None:
    text = TEMPLATE.replace("n3_w6_c3", "n3_w60_c32").replace("pieces: [2]", f"pieces: {[2, *range(3, 32)]}")
    with pytest.raises(UserError, match=r"mine\.yaml, line 7: the trial has more than .* states"):
        certify(changed(text))


# Certificates


def test_what_search_finds_is_compared_exactly() -> None:
    scenario = find_scenario("order2_w12")
    found = stated(scenario)
    check_certificate(scenario, found)
    found["drawn"]["random_pass"] = 0.019
    with pytest.raises(UserError, match=r"says drawn\.random_pass is 0\.0002688, the solver finds 0\.019"):
        check_certificate(scenario, found)


@pytest.mark.parametrize(("mind", "is_sampled"), [("1", True), ("2", True), ("evidence", False), ("0", False)])
def test_only_minds_that_sample_may_differ_a_little(mind: str, is_sampled: bool) -> None:
    found = stated(CONTACT)
    found["met"]["margins"][mind][0] *= 1.01
    if is_sampled:
        check_certificate(CONTACT, found)
        found["met"]["margins"][mind][0] *= 1.05
    with pytest.raises(UserError, match=rf"says met\.margins\.{mind}\.\[0\] is"):
        check_certificate(CONTACT, found)


@pytest.mark.parametrize("place", ["met", "margin", "turns"])
def test_a_certificate_says_no_more_and_no_less_than_what_is_proved(place: str) -> None:
    less = stated(CONTACT)
    less.pop(place) if place in less else less["met"].pop(place)
    with pytest.raises(UserError, match=f"{place}.* is .*, the solver finds nothing"):
        check_certificate(CONTACT, less)
    more = stated(CONTACT)
    more["met"]["luck"] = 1.0
    with pytest.raises(UserError, match=r"line \d+: the certificate says met\.luck is nothing, the solver finds 1"):
        check_certificate(CONTACT, more)


FOUND = {"told": {"turns": 3.0, "random_pass": 1e-05}, "untold": {"turns": 2.0}}


@pytest.mark.parametrize(
    "text",
    [
        "limit: 12\n",
        "limit: 12",
        "certificate:  # old\n  told: {turns: 4}\n  untold:\n    turns: 5\nlimit: 12  # mine\n# and a remark\n",
        "limit: 12\ncertificate: {told: {turns: 4},\n  untold: {turns: 5}}\nabout: none\n",
        "about: |\n  certificate: none\ncertificate:\n- 1\n- 2\nlimit: 12\n",
        "certificate:\n\n  told:\n    turns: 4\n\n\n# a remark\nlimit: 12\n",
    ],
)
def test_a_new_certificate_takes_the_place_of_the_old_one_and_of_nothing_else(text: str) -> None:
    new = with_certificate(text, FOUND)
    before, after = yaml.safe_load(text), yaml.safe_load(new)
    assert after.pop("certificate") == FOUND
    before.pop("certificate", None)
    assert after == before
    assert [word in new for word in ("# mine", "remark")] == [word in text for word in ("# mine", "remark")]
    assert new.count("turns: 4") == 0
    assert with_certificate(new, FOUND) == new


def test_a_file_that_leaves_no_line_for_a_certificate_is_refused() -> None:
    with pytest.raises(UserError, match="start every field of the file on a new line"):
        with_certificate("{limit: 12}\n", FOUND)


def test_numbers_are_kept_to_five_digits_and_within_bounds() -> None:
    assert [rounded(value) for value in (1 / 3, float("inf"), -float("inf"))] == [0.33333, 1e6, -1e6]
