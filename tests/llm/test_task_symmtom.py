"""Language models in seats of SymmToM, played by scripts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai")

from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import ChatMessage

from otherminds.core.errors import UserError
from otherminds.llm.run import Evaluated, evaluate
from otherminds.llm.task import TASKS
from otherminds.worlds.symmtom.scenarios import find_scenario
from otherminds.worlds.symmtom.scenarios.solver.plans import shortest_play
from otherminds.worlds.symmtom.types import MOVE_NAMES
from otherminds.worlds.symmtom.world import SymmToM
from tests.llm.scripts import Reply, scripted

symmtom = TASKS["symmtom"]

SMALL: dict[str, Any] = {"setting": "n3_w4_c3", "num_turns": 4, "probes": "1,3"}
NOBODY = "Knows: nobody"


def played(
    reply: Reply, tmp_path: Path, settings: dict[str, Any] = SMALL, seat: str = "agent_0", **options: Any
) -> tuple[Evaluated, EvalLog]:
    seats = dict.fromkeys(("agent_0", "agent_1", "agent_2"), "heuristic") | {seat: scripted(reply)}
    how = {"episodes": 2, "seed": 5, **options}
    done = evaluate("symmtom", settings, seats, log_dir=tmp_path / "logs", **how)
    return done, read_eval_log(done.logs[0])


def is_probe(messages: list[ChatMessage]) -> bool:
    return "question on the side" in [m for m in messages if m.role == "user" and "could not" not in m.text][-1].text


def test_an_episode_is_played_probed_recorded_and_scored(tmp_path: Path) -> None:
    def reply(messages: list[ChatMessage]) -> str:
        return NOBODY if is_probe(messages) else "I go.\nAction: stay 0"

    played(reply, tmp_path, record=tmp_path / "episode.jsonl")
    world = SymmToM("n3_w4_c3", num_turns=4)
    (episode, _) = world.recorded(tmp_path / "episode.jsonl")
    again = world.replay(episode)
    assert list(episode.minds.values()) == ["mockllm/model", "heuristic", "heuristic"]
    assert [line["actions"][0] for line in episode.turns] == [[0, 0]] * 4
    assert (episode.end or {})["outcome"]["score"]["agent_0"] == again.tally().reward[0]
    # It was asked for three pieces at two turns and said that nobody knows them: right for all but those who did.
    said = [probe for line in episode.turns for probe in line.get("probes", ()) if probe["seat"] == "agent_0"]
    assert len(said) == 6
    known = sum(bin(int(k)).count("1") for turn in (1, 3) for k in again.states[turn].knowledge)
    assert sum(len(probe["true"]) for probe in said) == known
    assert episode.validity["agent_0"]["failures"] == 0


def test_an_unreadable_reply_is_silence_on_the_spot_and_recorded_as_such(tmp_path: Path) -> None:
    done, _ = played(lambda _: "I would rather\nnot say.", tmp_path, seat="agent_1", episodes=1, attempts=2)
    (episode,) = done.episodes
    assert [line["actions"][1] for line in episode.turns] == [[0, -1]] * 4
    counts = episode.validity["agent_1"]
    assert (counts["failures"], counts["attempts"]) == (counts["asks"], 2 * counts["asks"])


def test_the_conversation_keeps_past_turns_but_not_probes(tmp_path: Path) -> None:
    lengths: list[int] = []

    def reply(messages: list[ChatMessage]) -> str:
        lengths.append(len(messages))
        return NOBODY if is_probe(messages) else "Action: up 1"

    played(reply, tmp_path / "all", {**SMALL, "probes": 2}, episodes=1)
    assert lengths == [2, 4, 6, 6, 6, 6, 8]  # three probes before the third turn leave nothing behind
    lengths.clear()
    played(reply, tmp_path / "one", {**SMALL, "probes": ""}, episodes=1, memory=1)
    assert lengths == [2, 4, 4, 4]


def test_the_best_play_of_a_scenario_passes_both_twins(tmp_path: Path) -> None:
    scenario = find_scenario("contact_w6")
    plans = {case.name: shortest_play(scenario, case) for case in scenario.cases}

    def reply(messages: list[ChatMessage]) -> str:
        if is_probe(messages):
            return NOBODY
        turn = sum("Choose a move" in m.text for m in messages) - 1
        move, piece = plans[current[0]][min(turn, len(plans[current[0]]) - 1)]
        return f"Action: {MOVE_NAMES[move]} {'-' if piece < 0 else piece}"

    current: list[str] = []
    for case in scenario.cases:
        current[:] = [case.name]
        done, _ = played(reply, tmp_path / case.name, {}, suite=f"contact_w6:{case.name}")
        (episode,) = done.episodes
        assert episode.notes["case"] == case.name
        assert done.summary["passed"] == 1.0


def test_doing_nothing_passes_no_pair(tmp_path: Path) -> None:
    def reply(messages: list[ChatMessage]) -> str:
        return NOBODY if is_probe(messages) else "Action: stay -"

    done, log = played(reply, tmp_path, {"ways": 2}, suite="contact_w6")
    assert len({sample.id for sample in log.samples or []}) == 4
    assert done.summary["pair_joint"] == 0.0
    assert done.summary["success"] == 0.0


def test_by_schema_the_provider_is_told_what_a_reply_may_hold(tmp_path: Path) -> None:
    def reply(messages: list[ChatMessage]) -> str:
        assert "JSON object" in messages[-1].text
        return '{"knows": ["0"]}' if is_probe(messages) else '{"move": "left", "piece": "-"}'

    done, log = played(reply, tmp_path, {**SMALL, "probes": 1}, episodes=1, form="structured")
    assert done.episodes[0].validity["agent_0"]["failures"] == 0
    (sample,) = log.samples or []
    held = [event.config.response_schema for event in sample.events if isinstance(event, ModelEvent)]
    fields = [(one.json_schema.properties or {}) if one else {} for one in held]
    assert [list(one) for one in fields] == [["move", "piece"]] + [["knows"]] * 3 + [["move", "piece"]] * 3
    assert fields[0]["piece"].enum == ["0", "1", "2", "-"]
    assert fields[0]["move"].enum == list(MOVE_NAMES)
    assert fields[1]["knows"].items is not None
    assert fields[1]["knows"].items.enum == ["0", "1", "2"]


def test_models_may_sit_in_all_seats(tmp_path: Path) -> None:
    def reply(messages: list[ChatMessage]) -> str:
        return NOBODY if is_probe(messages) else "Action: stay -"

    seats = dict.fromkeys(("agent_0", "agent_1", "agent_2"), scripted(reply))
    done = evaluate("symmtom", SMALL, seats, episodes=1, log_dir=tmp_path / "logs")
    assert list(done.episodes[0].minds.values()) == ["mockllm/model"] * 3
    assert done.summary["validity_rate"] == 1.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seats": "agent_3=heuristic"}, "no seat 'agent_3'"),
        ({"seats": "agent_1=heuristics"}, "did you mean 'heuristic'"),
        ({"set": {"probes": "soon"}}, "soon"),
        ({"set": {"probes": "99"}}, "99"),
        ({"suite": "contact_w6", "set": {"ways": 100}}, "expected 1 to 48"),
        ({"form": "verse"}, "--form is 'verse'"),
        ({"prompts": "v9"}, "no prompts of version 'v9'"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        symmtom(**options)
