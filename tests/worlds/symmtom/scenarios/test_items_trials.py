"""Trials of scenarios as items, sessions and records."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from otherminds.core.episodes import EpisodeWriter, read_episodes
from otherminds.core.errors import UserError
from otherminds.core.mind import Reply
from otherminds.worlds.symmtom.evals.battery import perform, score
from otherminds.worlds.symmtom.minds.planner import Planner
from otherminds.worlds.symmtom.minds.scripted import NEAREST, RANDOM, STILL
from otherminds.worlds.symmtom.page import episode_page
from otherminds.worlds.symmtom.record import play_again
from otherminds.worlds.symmtom.scenarios import find_scenario, scenario_names
from otherminds.worlds.symmtom.scenarios.items import PAPER_TESTS, Trial
from otherminds.worlds.symmtom.scenarios.read import parse_scenario
from otherminds.worlds.symmtom.scenarios.solver.plans import shortest_play
from otherminds.worlds.symmtom.scenarios.staging import Staging, play_turns, spread_stagings, trial_state
from otherminds.worlds.symmtom.scenarios.types import any_holds
from otherminds.worlds.symmtom.seat_view import Did
from otherminds.worlds.symmtom.summary import outcome_of
from otherminds.worlds.symmtom.world import SymmToM
from tests.worlds.symmtom.scenarios.trials import trial_episode

_OUTCOMES = {"success": 1, "failure": -1, "unfinished": 0}
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
    episode = trial_episode(ORDER_0, case, STILL, seed=3)
    played = play_again(episode)
    turns = len(case.history) + ORDER_0.limit
    assert len(played.actions) == played.params.num_turns == turns
    assert episode.end is not None
    assert episode.end["truncated"]
    assert episode.end["trial"] == "unfinished"
    assert episode.end["outcome"] == {"success": False, "score": {"agent_0": 0.0}}
    assert list(episode.minds.values()) == ["still", "script of left", "script of top"]
    assert episode.notes == {
        "scenario": "order0_w6",
        "case": "told",
        "symmetry": 0,
        "seats": [0, 1, 2],
        "tested": 0,
        "trial_starts": 3,
        "group": "order0_w6-s0-012",
    }
    assert "What each believes" in episode_page(episode)


@pytest.mark.parametrize("staging", [Staging(), Staging(5, (2, 0, 1)), Staging(3, (1, 2, 0))])
def test_the_history_is_forced_in_every_staging_and_the_trial_starts_after_it(staging: Staging) -> None:
    case = ORDER_0.case("told")
    episode = trial_episode(ORDER_0, case, RANDOM, 0, staging)
    seats = list(staging.seats or range(3))
    assert episode.notes["tested"] == seats[0]
    assert list(episode.minds.values())[seats[0]] == "random"
    assert list(episode.minds.values())[seats[2]] == "script of top"
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
            episode = trial_episode(scenario, case, RANDOM, seed)
            played, start = play_again(episode), len(case.history)
            ways = (scenario.success(case), scenario.failure(case))
            decided = [
                [bool(any_holds(conditions, state, scenario.params)) for conditions in ways]
                for state in played.states[start:]
            ]
            assert not np.any(decided[:-1])
            outcome = "success" if decided[-1][0] else "failure" if decided[-1][1] else "unfinished"
            assert outcome_of(episode) == outcome
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
    episode = trial_episode(scenario, scenario.cases[0], STILL, 0)
    assert play_again(episode).states[-1].correct_uses.tolist() == [0, 2, 0]
    assert episode.end is not None
    assert episode.end["terminated"]
    assert outcome_of(episode) == "unfinished"
    assert len(episode.turns) < scenario.limit


def test_the_seed_decides_a_trial() -> None:
    case = ORDER_0.case("told")
    first, again, other = (trial_episode(ORDER_0, case, RANDOM, seed).turns for seed in (0, 0, 1))
    assert first == again
    assert first != other


def test_a_trial_goes_as_in_the_battery() -> None:
    """The planner leaves nothing to chance here, so that one trial is like all of the batch."""
    trials = perform(ORDER_0, Planner("1"), episodes=1, engine="numpy")  # the first is staged as in the file
    for row, case in enumerate(ORDER_0.cases):
        episode = trial_episode(ORDER_0, case, Planner("1"), 0)
        outcome = {"success": 1, "failure": -1, "unfinished": 0}[outcome_of(episode)]
        assert outcome == trials.outcome[row, 0]
        assert len(episode.turns) - len(case.history) == trials.turns[row, 0]


def test_ids_tell_trials_apart() -> None:
    ids = {
        trial_episode(ORDER_0, case, STILL, seed, staging).id
        for case in ORDER_0.cases
        for seed in (0, 1)
        for staging in (Staging(), Staging(1), Staging(0, (1, 0, 2)))
    }
    assert len(ids) == 2 * 2 * 3


def test_a_record_of_a_trial_is_read_again_with_its_item(tmp_path: Path) -> None:
    case, staging = RIVAL.case("armed"), Staging(3, (2, 0, 1))
    episode = trial_episode(RIVAL, case, RANDOM, 1, staging)
    with EpisodeWriter(tmp_path / "trials.jsonl") as writer:
        writer.whole(episode)
    assert read_episodes(tmp_path / "trials.jsonl") == [episode]
    item = SymmToM().item_of(episode)
    assert item is not None
    assert item.data == Trial(RIVAL, case, staging)


def test_suites_are_items_in_groups_with_their_order() -> None:
    world = SymmToM(ways=2)
    items = list(world.suite("contact_w6"))
    assert [item.labels["case"] for item in items] == ["met", "apart"] * 2
    assert len({item.group for item in items}) == 2
    assert {item.order for item in items} == {1}
    assert len({item.id for item in items}) == 4
    assert [item.id for item in items] == [item.id for item in world.suite("contact_w6")]
    usual = SymmToM()
    assert {item.labels["scenario"] for item in usual.suite("battery")} == set(scenario_names())
    assert {item.labels["scenario"] for item in usual.suite("paper")} == set(PAPER_TESTS)
    assert [item.labels["case"] for item in usual.suite("contact_w6:apart,order0_w6:told")] == ["apart", "told"]
    with pytest.raises(UserError, match="did you mean 'contact_w6'"):
        usual.suite("kontact_w6")
    with pytest.raises(UserError, match="expected 1 to 48"):
        SymmToM(ways=49).suite("contact_w6")
    assert {item.data.seats[0] for item in SymmToM(ways=96).suite("order1and2_w6")} == {0, 1, 2}, "as many as there are"


def test_the_tested_seat_watches_the_history_and_is_then_asked() -> None:
    case = ORDER_0.case("told")
    session = SymmToM().open(0, Trial(ORDER_0, case, Staging(0, (1, 0, 2))).item())
    (probe, *_) = session.asks()
    assert probe.probe is not None
    assert (probe.id, probe.seat) == ("4/agent_1/knows-0", "agent_1")
    deeds = [entry for entry in probe.view.log if isinstance(entry, Did)]
    assert len(deeds) == len(case.history) == 3
    assert all(deed.is_scripted for deed in deeds)
    assert probe.view.text().count("(You cannot choose in this turn.)") == 3
    for ask in session.asks():
        session.reply(ask.id, Reply(()))
    (act,) = session.asks()
    assert act.id == "4/agent_1"
    session.reply(act.id, Reply({"move": "stay", "piece": "-"}))
    (following,) = session.asks()
    assert "(You cannot choose" not in following.view.text()
    assert [entry.is_scripted for entry in following.view.log if isinstance(entry, Did)] == [True] * 3 + [False]


@pytest.mark.parametrize("name", ["contact_w6", "order0_w6", "hearsay_w6"])
def test_sessions_give_what_the_batch_of_the_battery_gives(name: str) -> None:
    """Every rate of a policy that leaves nothing to chance, over the same stagings: by records and by the batch."""
    scenario, ways = find_scenario(name), 6
    for policy in (Planner("evidence"), Planner("none"), NEAREST):
        trials = perform(scenario, policy, episodes=ways, engine="numpy")
        episodes = []
        for at, staging in enumerate(spread_stagings(scenario.params.num_agents, ways)):
            for row, case in enumerate(scenario.cases):
                episode = trial_episode(scenario, case, policy, 0, staging)
                assert _OUTCOMES[outcome_of(episode)] == trials.outcome[row, at]
                assert len(episode.turns) - len(case.history) == trials.turns[row, at]
                episodes.append(episode)
        batch, found = score(trials), SymmToM().summary(episodes)
        assert found["success"] == pytest.approx(batch.success)
        assert found["failure"] == pytest.approx(batch.failure)
        assert found["pair_joint"] == pytest.approx(batch.pair_joint)
        assert found["knew"] == (None if batch.literal is None else pytest.approx(batch.literal))
        assert found["ratso"] == (None if batch.ratso is None else pytest.approx(batch.ratso))
        assert found["passed"] == pytest.approx(trials.passed.mean())


@pytest.mark.parametrize(("name", "case_name"), all_cases())
def test_the_best_play_succeeds_in_the_turns_the_file_says(name: str, case_name: str) -> None:
    scenario = find_scenario(name)
    case = scenario.case(case_name)
    play = shortest_play(scenario, case)
    turns = [(deed, *scenario.deeds(number)[1:]) for number, deed in enumerate(play)]
    *before, last = play_turns(scenario, trial_state(scenario, case), turns)
    trial = Trial(scenario, case)
    assert {trial.verdict(state) for state in before} == {"unfinished"}
    assert trial.verdict(last) == "success"
    if case.turns == int(case.turns):
        assert len(play) == case.turns
    else:
        assert len(play) <= case.turns, "hindsight is no worse than what can be known"
