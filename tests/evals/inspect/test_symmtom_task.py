"""A language model in a seat of SymmToM, played by scripts."""

from __future__ import annotations

import json
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("inspect_ai")

from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import ChatMessage

from otherminds.core.episodes import read_episodes
from otherminds.core.errors import UserError
from otherminds.evals.inspect.run import run_tasks
from otherminds.evals.inspect.symmtom import symmtom
from otherminds.evals.symmtom_agents import find_agents
from otherminds.players.symmtom.language import Form, LanguagePlayer, Words
from otherminds.players.symmtom.match import play_episode
from otherminds.worlds.symmtom.record import play_again
from otherminds.worlds.symmtom.scenarios import find_scenario
from otherminds.worlds.symmtom.scenarios.solver.shortest import shortest_play
from otherminds.worlds.symmtom.types import MOVE_NAMES, Params
from tests.evals.inspect.models import Reply, scripted

SMALL: dict[str, Any] = {"setting": "n3_w4_c3", "episodes": 2, "switches": {"num_turns": 4}, "seed": 5}
NOBODY = "Knows: nobody"


def played(reply: Reply, tmp_path: Path, **options: Any) -> tuple[EvalLog, list[EvalSample]]:
    (log,) = run_tasks([symmtom(**options)], scripted(reply), log_dir=tmp_path / "logs")
    return log, log.samples or []


def is_probe(messages: list[ChatMessage]) -> bool:
    return "question on the side" in [m for m in messages if m.role == "user" and "could not" not in m.text][-1].text


def metric(log: EvalLog, score: str, name: str = "mean") -> float:
    assert log.results is not None
    return next(one.metrics[name].value for one in log.results.scores if one.name == score)


def test_an_episode_is_played_probed_recorded_and_scored(tmp_path: Path) -> None:
    def reply(messages: list[ChatMessage]) -> str:
        return NOBODY if is_probe(messages) else "I go.\nAction: stay 0"

    log, samples = played(reply, tmp_path, **SMALL, probe_turns="1,3")
    assert [sample.id for sample in samples] == ["n3_w4_c3-seat0-seed5", "n3_w4_c3-seat0-seed6"]
    sample = samples[0]
    path = tmp_path / "episode.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in sample.store["record"]), "utf-8")
    (episode,) = read_episodes(path)
    again = play_again(episode)
    assert episode.players == ["mockllm/model", "heuristic", "heuristic"]
    assert [line["actions"][0] for line in episode.turns] == [[0, 0]] * 4
    value = (sample.scores or {})["episode_score"].as_dict()
    assert value["reward"] == again.tally().reward[0]
    # It was asked for three pieces at two turns and said that nobody knows them: right for all but those who did.
    known = sum(bin(int(k)).count("1") for turn in (1, 3) for k in again.states[turn].knowledge)
    assert value["literal"] == pytest.approx(1 - known / 18)
    assert value["validity"] == value["probe_validity"] == 1.0
    assert metric(log, "validity") == 1.0
    assert metric(log, "reference") >= 0.0


def test_the_reference_is_the_others_player_in_the_same_seat(tmp_path: Path) -> None:
    params = Params.from_setting("n3_w4_c3", num_turns=12)
    (heuristic,) = find_agents(["heuristic"])
    alike = play_episode(params, [heuristic.policy] * 3, 5)
    options = {**SMALL, "episodes": 1, "switches": {"num_turns": 12}, "probe_turns": "", "seat": 1}
    log, _ = played(lambda _: "Action: stay -", tmp_path, **options)
    assert metric(log, "reference") == (alike.end or {})["scores"][1]
    assert metric(log, "reward") < metric(log, "reference")


def test_saying_the_truth_is_literal_knowledge(tmp_path: Path) -> None:
    """Before the first turn everyone owns its piece and all can see that."""

    def reply(messages: list[ChatMessage]) -> str:
        if not is_probe(messages):
            return "Action: stay -"
        told = messages[-1].text
        piece = told.split("know piece ")[1].split(" ")[0]
        owner = next((line for line in told.splitlines() if f"owns piece {piece}." in line), "Agent 0")
        return f"Knows: {owner.split('Agent ')[1][0]}"

    log, _ = played(reply, tmp_path, **SMALL, probe_turns=0)
    assert (metric(log, "literal"), metric(log, "supported")) == (1.0, 1.0)


def test_an_unreadable_reply_is_silence_on_the_spot_and_recorded_as_such(tmp_path: Path) -> None:
    log, samples = played(lambda _: "I would rather not say.", tmp_path, **SMALL, others="still", seat=1)
    record, asked = samples[0].store["record"], samples[0].store["asked"]
    assert [line["actions"][1] for line in record if line["kind"] == "turn"] == [[0, -1]] * 4
    assert [(choice["is_valid"], choice["tries"]) for choice in asked["choices"]] == [(False, 2)] * 4
    assert [probe["says"] for probe in asked["probes"]] == [None] * 3
    assert metric(log, "validity") == metric(log, "probe_validity") == 0.0
    assert isnan(metric(log, "literal"))  # what it believes is not known


def test_the_conversation_keeps_past_turns_but_not_probes(tmp_path: Path) -> None:
    lengths: list[int] = []

    def reply(messages: list[ChatMessage]) -> str:
        lengths.append(len(messages))
        return NOBODY if is_probe(messages) else "Action: up 1"

    played(reply, tmp_path / "all", **{**SMALL, "episodes": 1}, probe_turns=2)
    assert lengths == [2, 4, 6, 6, 6, 6, 8]  # three probes before the third turn leave nothing behind
    lengths.clear()
    played(reply, tmp_path / "one", **{**SMALL, "episodes": 1}, probe_turns="", memory=1)
    assert lengths == [2, 4, 4, 4]


def test_the_best_play_of_a_scenario_passes_both_twins(tmp_path: Path) -> None:
    scenario = find_scenario("contact_w6")
    plans = {case.name: shortest_play(scenario, case) for case in scenario.cases}

    def reply(messages: list[ChatMessage]) -> str:
        if is_probe(messages):
            return NOBODY
        case = current[0]
        turn = sum("Choose a move" in m.text for m in messages) - 1
        move, piece = plans[case][min(turn, len(plans[case]) - 1)]
        return f"Action: {MOVE_NAMES[move]} {'-' if piece < 0 else piece}"

    current: list[str] = []
    outcomes = []
    for case in scenario.cases:
        current[:] = [case.name]
        log, samples = played(reply, tmp_path / case.name, scenario="contact_w6")
        mine = next(s for s in samples if (s.metadata or {})["case"] == case.name)
        outcomes.append((mine.scores or {})["trial_score"].as_dict()["passed"])
        notes = mine.store["record"][0]["notes"]
        assert (notes["case"], notes["outcome"]) == (case.name, "success")
        asked = mine.store["asked"]
        assert asked["choices"][0]["turn"] == len(case.history)  # it only watched before
        assert {probe["turn"] for probe in asked["probes"]} == {len(case.history)}
        assert 0.0 <= metric(log, "trial_score", "pair_joint") < 1.0
    assert outcomes == [1.0] * len(scenario.cases)


def test_doing_nothing_passes_no_pair(tmp_path: Path) -> None:
    log, samples = played(
        lambda m: NOBODY if is_probe(m) else "Action: stay -", tmp_path, scenario="contact_w6", ways=2
    )
    assert len({sample.id for sample in samples}) == 4
    assert metric(log, "trial_score", "pair_joint") == 0.0
    assert metric(log, "success") == 0.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seat": 3}, "no seat 3"),
        ({"others": "heuristic,random,still"}, "3 others for 2 seats"),
        ({"others": "heuristics"}, "did you mean 'heuristic'"),
        ({"probe_turns": "soon"}, "expected turns by commas"),
        ({"probe_turns": [99]}, "turn 99 cannot be probed"),
        ({"scenario": "contact_w6", "ways": 100}, "expected 1 to 48"),
        ({"form": "verse"}, "form 'verse' is not known; expected free or schema"),
        ({"prompts": "v9"}, "no prompts of version 'v9'"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        symmtom(**options)


@pytest.mark.parametrize(
    ("reply", "choice"),
    [
        ("Action: right 0", (1, 0)),
        ("I will go.\n**Action:** Stay -", (0, -1)),
        ("Action: up 1\nAction: down, piece 2.", (4, 2)),
        ("action: left 3", None),  # there are three pieces, from 0
        ("Action: jump 0", None),
        ("Action: right", None),
        ("right 0", None),
        ("", None),
    ],
)
def test_actions_are_read_strictly(reply: str, choice: tuple[int, int] | None) -> None:
    assert seated(reply)._read(reply) == choice


@pytest.mark.parametrize(
    ("reply", "agents"),
    [
        ("Knows: 0, 2", (0, 2)),
        ("**Knows:** agents 1 and 2.", (1, 2)),
        ("Knows: nobody", ()),
        ("Knows: 7", None),
        ("Knows: perhaps 1", None),
        ("0, 2", None),
    ],
)
def test_probes_are_read_strictly(reply: str, agents: tuple[int, ...] | None) -> None:
    assert seated(reply)._read_agents(reply) == agents


@pytest.mark.parametrize(
    ("reply", "choice", "agents"),
    [
        ('{"move": "right", "piece": "0"}', (1, 0), None),
        ('```json\n{"move": "stay", "piece": "-"}\n```', (0, -1), None),
        ('{"move": "up", "piece": "3"}', None, None),  # there are three pieces, from 0
        ('{"move": "jump", "piece": "0"}', None, None),
        ('{"move": "right"}', None, None),
        ("Action: right 0", None, None),
        ('{"knows": ["2", "0"]}', None, (0, 2)),
        ('{"knows": []}', None, ()),
        ('{"knows": ["7"]}', None, None),
        ('{"knows": "0"}', None, None),
        ("[]", None, None),
    ],
)
def test_structured_replies_are_read_strictly(
    reply: str, choice: tuple[int, int] | None, agents: tuple[int, ...] | None
) -> None:
    player = seated(reply, "schema")
    assert player._read(reply) == choice
    assert player._read_agents(reply) == agents


def test_by_schema_the_provider_is_told_what_a_reply_may_hold(tmp_path: Path) -> None:
    def reply(messages: list[ChatMessage]) -> str:
        assert "JSON object" in messages[-1].text
        return '{"knows": ["0"]}' if is_probe(messages) else '{"move": "left", "piece": "-"}'

    options = {**SMALL, "episodes": 1, "form": "schema", "probe_turns": 1}
    log, (sample,) = played(reply, tmp_path, **options)
    assert metric(log, "validity") == metric(log, "probe_validity") == 1.0
    held = [event.config.response_schema for event in sample.events if isinstance(event, ModelEvent)]
    fields = [(one.json_schema.properties or {}) if one else {} for one in held]
    assert [list(one) for one in fields] == [["move", "piece"]] + [["knows"]] * 3 + [["move", "piece"]] * 3
    assert fields[0]["piece"].enum == ["0", "1", "2", "-"]
    assert fields[0]["move"].enum == list(MOVE_NAMES)
    assert fields[1]["knows"].items is not None
    assert fields[1]["knows"].items.enum == ["0", "1", "2"]


def seated(reply: str, form: Form = "free") -> LanguagePlayer:
    player = LanguagePlayer("model", lambda *_: reply, Words("", "", "", "", ""), form=form)
    player.begin(0, Params.from_setting("n3_w4_c3"), np.random.default_rng(0))
    return player
