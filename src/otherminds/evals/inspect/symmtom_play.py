"""Episodes and trials of SymmToM with a language model in one seat, and what they score.

The world's own runners are not asynchronous, so they run in a thread of their own and hand each question for the model
back to Inspect.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from math import nan
from typing import Any, cast

import anyio.from_thread
import anyio.to_thread
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    get_model,
)
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, mean, metric, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from otherminds.evals.inspect.held import held_to
from otherminds.evals.inspect.records import record_lines
from otherminds.evals.symmtom_agents import find_agents
from otherminds.evals.symmtom_battery import matters
from otherminds.evals.symmtom_scenario_replay import scenario_episode
from otherminds.players.symmtom.language import Form, LanguagePlayer, Message, OneSeat, Probed, Wanted, Words
from otherminds.players.symmtom.match import Seat, play_episode
from otherminds.worlds.symmtom.bits import pieces_of
from otherminds.worlds.symmtom.evidence import probe
from otherminds.worlds.symmtom.record import Played, play_again
from otherminds.worlds.symmtom.scenarios.read import find_scenario
from otherminds.worlds.symmtom.scenarios.solver.certify import pass_limit
from otherminds.worlds.symmtom.scenarios.stage import Staging
from otherminds.worlds.symmtom.types import Params

_DELAY = {1: "in the next turn", 2: "two turns later"}
_ROLES = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}


@solver
def play(prompts: dict[str, str], retries: int = 1, memory: int | None = None, form: Form = "free") -> Solver:
    """Play the sample's episode or trial, and keep its record and all that was asked in the store."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001 the protocol names it
        model = get_model()

        async def reply(conversation: Sequence[Message], wanted: Wanted | None) -> str:
            held = GenerateConfig(response_schema=held_to(wanted.fields, is_list=wanted.is_list) if wanted else None)
            output = await model.generate(_messages(conversation), config=held)
            state.output = output
            return output.completion

        def ask(conversation: Sequence[Message], wanted: Wanted | None) -> str:
            return anyio.from_thread.run(reply, conversation, wanted)

        seated = partial(LanguagePlayer, str(model), ask, retries=retries, memory=memory, form=form)
        run = _trial if "scenario" in state.metadata else _episode
        result = await anyio.to_thread.run_sync(run, state.metadata, seated, prompts)
        for name, value in result.items():
            state.store.set(name, value)
        return state

    return solve


def _episode(about: dict[str, Any], seated: Any, prompts: Mapping[str, str]) -> dict[str, Any]:
    """A whole episode, and the same one with the others' player in the model's seat."""
    params, seat, seed = Params.from_dict(about["params"]), about["seat"], about["seed"]
    policies = [agent.policy for agent in find_agents(about["others"])]
    player = seated(words=_words(prompts, params, seat, params.num_turns, "episode"), probes=_probes(about))
    seats: list[Seat] = [*policies[:seat], player, *policies[seat:]]
    episode = play_episode(params, seats, seed)
    seats[seat] = policies[0]
    reference = play_episode(params, seats, seed)
    claims = _claims(player.probed, play_again(episode), seat)
    return {
        "record": record_lines(episode),
        "asked": player.notes(),
        "score": {
            "reward": (episode.end or {})["scores"][seat],
            "reference": (reference.end or {})["scores"][seat],
            "literal": _share([says == truth for says, truth, _ in claims]),
            "supported": _share([says == could for says, _, could in claims]),
            **_validity(player),
        },
    }


def _trial(about: dict[str, Any], seated: Any, prompts: Mapping[str, str]) -> dict[str, Any]:
    """A trial of a scenario's case. What it says is right if it is in all that the test turns on."""
    scenario = find_scenario(about["file"] or about["scenario"])
    case, staging = scenario.case(about["case"]), Staging(about["symmetry"], tuple(about["seats"]))
    seats = staging.seats or tuple(range(scenario.params.num_agents))
    starts = len(case.history)
    words = _words(prompts, scenario.params, seats[0], starts + scenario.limit, "scenario")
    player = seated(words=words, probes=_probes(about), first_turn=starts)
    episode = scenario_episode(scenario, case, OneSeat(player, seats[0]), about["seed"], staging)
    turns, outcome = len(episode.turns) - starts, episode.notes["outcome"]
    knowledge = play_again(episode).states[starts].knowledge
    said = {probed.piece: probed.says for probed in player.probed}
    facts = [(seats[role], piece) for role, piece in matters(scenario)]
    right = [_claims_right(said[p], agent, p in pieces_of(knowledge[agent])) for agent, p in facts]
    return {
        "record": record_lines(episode),
        "asked": player.notes(),
        "score": {
            "success": float(outcome == "success"),
            "passed": float(outcome == "success" and turns <= pass_limit(case)),
            "failure": float(outcome == "failure"),
            "literal": nan if not right or None in right else float(all(right)),
            **_validity(player),
        },
    }


@scorer(
    metrics={
        "reward": [mean(), stderr()],
        "reference": [mean()],
        "literal": [mean(), stderr()],
        "supported": [mean()],
        "validity": [mean()],
        "probe_validity": [mean()],
    }
)
def episode_score() -> Scorer:
    """The reward of the seat, that of the others' player in it, and how much of what it said of others was true."""
    return _stored


@metric
def pair_joint() -> Metric:
    """Stagings of which all twins were passed: success in at most 1.5 times the best number of turns."""

    def measure(scores: list[SampleScore]) -> Value:
        pairs: dict[str, list[bool]] = {}
        for one in scores:
            pairs.setdefault((one.sample_metadata or {})["pair"], []).append(one.score.as_dict()["passed"] == 1)
        return _share([all(passed) for passed in pairs.values()])

    return measure


@scorer(
    metrics=[
        pair_joint(),
        {
            "success": [mean(), stderr(cluster="pair")],  # twins are not independent
            "passed": [mean()],
            "failure": [mean()],
            "literal": [mean(), stderr(cluster="pair")],
            "validity": [mean()],
            "probe_validity": [mean()],
        },
    ]
)
def trial_score() -> Scorer:
    """How the trial ended, and whether what it said when it began was right in all that mattered."""
    return _stored


async def _stored(state: TaskState, target: Target) -> Score:  # noqa: ARG001 the protocol names it
    value = cast(dict[str, float], state.store.get("score"))
    return Score(value=dict(value), answer=state.output.completion)


def _words(prompts: Mapping[str, str], params: Params, seat: int, turns: int, goal: str) -> Words:
    usual = {"num_agents", "width", "num_pieces", "num_turns"}
    switches = [f"{name} = {value}" for name, value in params.to_dict().items() if name not in usual]
    rules = prompts["rules"].format(
        seat=seat,
        agents=params.num_agents,
        pieces=params.num_pieces,
        last_piece=params.num_pieces - 1,
        turns=turns,
        hearing=params.hearing,
        delay=_DELAY[params.speech_delay],
        base_reward=f"{params.full_base_reward:g}",
        switches=f"This world differs from the usual one in: {', '.join(switches)}." if switches else "",
        goal=prompts[f"goal_{goal}"].strip(),
    )
    return Words(rules.strip(), *(prompts[name].strip() for name in ("turn", "watched", "probe", "again")))


def _messages(conversation: Sequence[Message]) -> list[ChatMessage]:
    return [_ROLES[role](content=text) for role, text in conversation]


def _probes(about: dict[str, Any]) -> dict[int, Collection[int]]:
    return {int(turn): pieces for turn, pieces in about["probes"].items()}


def _claims(probed: Sequence[Probed], played: Played, seat: int) -> list[tuple[bool, bool, bool]]:
    """For every agent and piece it was asked about: what it said, what was true, and what evidence supported."""
    claims = []
    for one in probed:
        if one.says is None:
            continue
        truth = [pieces_of(known) for known in played.states[one.turn].knowledge]
        could = probe(played.params, played.states, (seat,), one.turn, credit_speaker=True)
        for agent in range(played.params.num_agents):
            claims.append((agent in one.says, one.piece in truth[agent], one.piece in could[agent]))
    return claims


def _claims_right(says: tuple[int, ...] | None, agent: int, truth: bool) -> bool | None:
    return None if says is None else (agent in says) == truth


def _validity(player: LanguagePlayer) -> dict[str, float]:
    return {"validity": player.validity, "probe_validity": _share([one.says is not None for one in player.probed])}


def _share(claims: Sequence[bool]) -> float:
    return sum(claims) / len(claims) if claims else nan
