"""Trials of scenarios as episode records, and beside the best play."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from otherminds.core.episodes import EpisodeWriter, read_episodes
from otherminds.evals.symmtom_battery import perform
from otherminds.evals.symmtom_scenario_replay import best_episode, comparison_page, scenario_episode
from otherminds.players.symmtom.learned import Learned
from otherminds.players.symmtom.planner import PLANNER_1, PLANNER_NONE
from otherminds.players.symmtom.scripted import RANDOM, STILL
from otherminds.worlds.symmtom.page import replay_of, replay_page
from otherminds.worlds.symmtom.record import play_again
from otherminds.worlds.symmtom.scenarios import find_scenario, scenario_names
from otherminds.worlds.symmtom.scenarios.conditions import any_holds
from otherminds.worlds.symmtom.scenarios.read import parse_scenario
from otherminds.worlds.symmtom.scenarios.stage import Staging, by_role, trial_state
from otherminds.worlds.symmtom.scenarios.types import Scenario
from tests.learn.making import make_mind, make_variables

ORDER_0 = find_scenario("order0_w6")
RIVAL = find_scenario("rival_w6")


def all_cases() -> list[tuple[str, str]]:
    return [(name, case.name) for name in scenario_names() for case in find_scenario(name).cases]


class Text(HTMLParser):
    """The tags of a page, and the values that it holds for its script."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(html)
        self.close()
        found = re.search(r'id="episode">(.*?)</script>', html, re.DOTALL)
        assert found
        self.data: Any = json.loads(found[1])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs


def test_a_trial_is_a_whole_record_that_plays_again_and_can_be_shown() -> None:
    case = ORDER_0.case("told")
    episode = scenario_episode(ORDER_0, case, STILL, seed=3)
    played = play_again(episode)
    turns = len(case.history) + ORDER_0.limit
    assert len(played.actions) == played.params.num_turns == turns
    assert episode.end is not None
    assert episode.end["truncated"]
    assert episode.players == ["still", "script of left", "script of top"]
    assert episode.notes == {
        "scenario": "order0_w6",
        "case": "told",
        "tested": 0,
        "trial_starts": 3,
        "outcome": "unfinished",
    }
    assert "What each believes" in replay_page(replay_of(episode))


@pytest.mark.parametrize("staging", [Staging(), Staging(5, (2, 0, 1)), Staging(3, (1, 2, 0))])
def test_the_history_is_forced_in_every_staging_and_the_trial_starts_after_it(staging: Staging) -> None:
    case = ORDER_0.case("told")
    episode = scenario_episode(ORDER_0, case, RANDOM, 0, staging)
    seats = list(staging.seats or range(3))
    assert episode.notes["tested"] == seats[0]
    assert episode.players[seats[0]] == "random"
    assert episode.players[seats[2]] == "script of top"
    state, truth = play_again(episode).states[episode.notes["trial_starts"]], trial_state(ORDER_0, case)
    assert state.knowledge[seats].tolist() == truth.knowledge.tolist()
    places = zip(truth.x.tolist(), truth.y.tolist(), strict=True)
    expected = [staging.cell(x, y, ORDER_0.params.width) for x, y in places]
    assert list(zip(state.x[seats].tolist(), state.y[seats].tolist(), strict=True)) == expected
    moves = np.asarray([action.move for action in play_again(episode).actions[episode.notes["trial_starts"] :]])
    assert moves.any(axis=0).tolist() == [seat == seats[0] for seat in range(3)], "only the tested one moves"


@pytest.mark.parametrize("name", ["order0_w6", "order2_w12", "rival_w6", "probabilistic_w6"])
def test_a_trial_ends_in_the_turn_that_decides_it_and_others_keep_to_the_script(name: str) -> None:
    scenario = find_scenario(name)
    for case in scenario.cases:
        for seed in range(5):
            episode = scenario_episode(scenario, case, RANDOM, seed)
            played, start = play_again(episode), len(case.history)
            ways = (scenario.success(case), scenario.failure(case))
            decided = [
                [bool(any_holds(conditions, by_role(state), scenario.params)) for conditions in ways]
                for state in played.states[start:]
            ]
            assert not np.any(decided[:-1])
            outcome = "success" if decided[-1][0] else "failure" if decided[-1][1] else "unfinished"
            assert episode.notes["outcome"] == outcome
            if outcome == "unfinished":
                assert len(played.actions) - start == scenario.limit
            for turn, action in enumerate(played.actions[start:]):
                script = scenario.deeds(turn)[1:]
                assert list(zip(action.move[1:], action.piece[1:], strict=True)) == [tuple(deed) for deed in script]


WON_BY_ANOTHER = """
about: Green makes blue win while red does nothing.
order: 0
setting: n3_w6_c2
switches: {competitive: 2}
agents:
  red: {at: [0, 0], base: [1, 5], pieces: []}
  blue: {at: [4, 4], base: [4, 4], pieces: [0]}
  green: {at: [5, 4], base: [0, 5], pieces: [1]}
choices:
  green: red near green
trial:
  green: [say 1]
cases:
  only: {right: green, turns: 7, history: [{}]}
"""


def test_a_trial_that_another_wins_ends_undecided() -> None:
    scenario = parse_scenario(WON_BY_ANOTHER, "won.yaml")
    episode = scenario_episode(scenario, scenario.cases[0], STILL, 0)
    assert play_again(episode).states[-1].correct_uses.tolist() == [0, 2, 0]
    assert episode.end is not None
    assert episode.end["terminated"]
    assert episode.notes["outcome"] == "unfinished"
    assert len(episode.turns) < scenario.limit


def test_the_seed_decides_a_trial() -> None:
    case = ORDER_0.case("told")
    first, again, other = (scenario_episode(ORDER_0, case, RANDOM, seed).turns for seed in (0, 0, 1))
    assert first == again
    assert first != other


def test_a_trial_goes_as_in_the_battery() -> None:
    """The planner leaves nothing to chance here, so that one trial is like all of the batch."""
    trials = perform(ORDER_0, PLANNER_1, episodes=1, engine="numpy")  # the first is staged as in the file
    for row, case in enumerate(ORDER_0.cases):
        episode = scenario_episode(ORDER_0, case, PLANNER_1, 0)
        outcome = {"success": 1, "failure": -1, "unfinished": 0}[episode.notes["outcome"]]
        assert outcome == trials.outcome[row, 0]
        assert len(episode.turns) - len(case.history) == trials.turns[row, 0]


def test_ids_tell_trials_apart() -> None:
    ids = {
        scenario_episode(ORDER_0, case, policy, seed, staging).id
        for case in ORDER_0.cases
        for policy in (STILL, RANDOM)
        for seed in (0, 1)
        for staging in (Staging(), Staging(1), Staging(0, (1, 0, 2)))
    }
    assert len(ids) == 2 * 2 * 2 * 3


def test_a_writer_gets_the_same_record(tmp_path: Path) -> None:
    case = RIVAL.case("armed")
    with EpisodeWriter(tmp_path / "trials.jsonl") as writer:
        written = [scenario_episode(RIVAL, case, RANDOM, 1, writer=writer), best_episode(RIVAL, case, writer)]
    assert read_episodes(tmp_path / "trials.jsonl") == written
    assert written == [scenario_episode(RIVAL, case, RANDOM, 1), best_episode(RIVAL, case)]


@pytest.mark.parametrize(("name", "case_name"), all_cases())
def test_the_best_play_succeeds_in_the_turns_the_file_says(name: str, case_name: str) -> None:
    scenario = find_scenario(name)
    case = scenario.case(case_name)
    episode = best_episode(scenario, case)
    played = play_again(episode)
    assert episode.notes["outcome"] == "success"
    turns = len(played.actions) - len(case.history)
    if case.turns == int(case.turns):
        assert turns == case.turns
    else:
        assert turns <= case.turns, "hindsight is no worse than what can be known"


def frames_of(scenario: Scenario, case: str, policy: Any) -> Text:
    return Text(comparison_page(scenario, scenario.case(case), policy, 0))


def test_the_page_shows_both_plays_turn_by_turn_until_the_longer_one_ends() -> None:
    page = comparison_page(ORDER_0, ORDER_0.case("told"), STILL, 0)
    frames = Text(page).data["frames"]
    assert len(frames) == 1 + 3 + ORDER_0.limit
    for frame in frames:
        assert frame["board"].count("<svg") == 2
        assert "still: unfinished after 30 turns" in frame["board"]
        assert "best play: success after 3 turns" in frame["board"]
    assert [frame["label"] for frame in frames[:5]] == [
        *(f"history {turn} of 3" for turn in range(4)),
        "trial, turn 1",
    ]
    best = [frame["board"].split("<figure>")[2] for frame in frames]
    assert all(a != b for a, b in pairwise(best[3:7])), "the best play moves"
    assert len(set(best[6:])) == 1, "and rests when it has succeeded"


def test_the_log_tells_the_plays_apart_only_where_they_differ() -> None:
    frames = frames_of(ORDER_0, "told", STILL).data["frames"]
    assert frames[1]["log"] == [[0, "red: stay"], [1, "left: say 0"], [2, "top: stay"]]
    assert frames[4]["log"][0] == [0, "red (still): stay"]
    assert frames[4]["log"][1][1].startswith("red (best play): ")
    assert frames[-1]["log"] == [[0, "red (still): stay"], [1, "left (still): stay"], [2, "top (still): stay"]]


def test_the_page_shows_the_case_and_needs_nothing_else() -> None:
    page = comparison_page(RIVAL, RIVAL.case("armed"), RANDOM, 0)
    found = Text(page)
    assert "svg" in found.tags, "the picture of the case stands in the page itself"
    assert 'id="panel-case"' in page
    assert "right: red home" in page
    assert not [value for name, value in found.attributes if name in ("src", "href")]
    assert 'id="panel-beliefs"' not in page, "a random player believes nothing"


def test_the_page_shows_what_was_believed_beside_the_truth() -> None:
    told = comparison_page(ORDER_0, ORDER_0.case("told"), PLANNER_1, 0)
    forgetful = comparison_page(ORDER_0, ORDER_0.case("told"), PLANNER_NONE, 0)
    row = r"<tr><th>{}</th>(.*?)</tr>"

    def cells(page: str, name: str) -> list[str]:
        found = re.search(row.format(name), page)
        assert found
        return re.findall(r"<td[^>]*>(.*?)</td>", found[1])

    assert cells(told, "red") == ["100%, knows", "0%, does not", "100%, knows"]
    assert cells(told, "left")[0] == "100%, knows"
    assert cells(told, "top")[1] == "100%, knows"
    assert "best play: success" in told
    assert "planner-1: success after 3 turns" in told
    assert cells(forgetful, "red") != cells(told, "red"), "without memory it does not know what it was told"
    assert 'class="wrong"' in forgetful
    met = find_scenario("contact_w6")
    guessed = cells(comparison_page(met, met.case("met"), PLANNER_1, 0), "blue")
    assert guessed[1] == "100%, knows"
    assert 50 < int(guessed[2].split("%")[0]) < 100, "red did not hear what green told blue"


def test_an_agent_without_a_belief_has_a_page_without_one() -> None:
    scenario = find_scenario("order0_w6")
    mind = make_mind(width=6, num_turns=30)
    agent = Learned("plain", mind, make_variables(mind))
    assert 'id="panel-beliefs"' not in comparison_page(scenario, scenario.cases[0], agent, 0)
