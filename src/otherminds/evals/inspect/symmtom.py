"""SymmToM as an Inspect task: a language model in a seat of whole episodes, or in the tested seat of scenarios.

What it does (functional) and what it says of others' knowledge when asked on the side (literal) are scored side by
side. The record of each episode is in the sample's store, line by line as in a file of records.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample

from otherminds.core.errors import UserError
from otherminds.evals.inspect.symmtom_play import episode_score, play, trial_score
from otherminds.evals.inspect.templates import Prompt, hashes, load_prompt
from otherminds.evals.symmtom_agents import find_agents
from otherminds.evals.symmtom_battery import matters
from otherminds.evals.symmtom_tests import find_scenarios
from otherminds.players.symmtom import EVALUATION_SEED
from otherminds.players.symmtom.language import FORMS, Form
from otherminds.worlds.symmtom.scenarios.stage import Staging, stagings
from otherminds.worlds.symmtom.scenarios.types import Scenario
from otherminds.worlds.symmtom.types import Params

VERSION = "v1"
_PARTS: dict[str, tuple[str, ...]] = {
    "rules": ("seat", "agents", "pieces", "last_piece", "turns", "hearing", "delay", "base_reward", "goal", "switches"),
    "turn": ("observation", "last_piece"),
    "watched": ("observation",),
    "probe": ("piece",),
    "again": ("example",),
    "goal_episode": (),
    "goal_scenario": (),
}
_FORMED = ("turn", "probe")  # those that say what a reply looks like


@task
def symmtom(
    setting: str = "n3_w6_c3",
    seat: int = 0,
    others: str | list[str] = "heuristic",
    episodes: int = 10,
    seed: int = EVALUATION_SEED,
    switches: dict[str, Any] | None = None,
    scenario: str | list[str] = "",
    ways: int = 1,
    probe_turns: int | str | list[int] | None = None,
    memory: int | None = None,
    retries: int = 1,
    form: Form = "free",
    prompts: str = VERSION,
) -> Task:
    """Does it know what others know, and does it act on it? A language model among other agents on a grid.

    Args:
        setting: agents, width and pieces.
        seat: the model's, from 0.
        others: who fills the other seats: players by name, run directories or actor files; one for all, or one each.
        episodes: how many.
        seed: of the first episode; each further one has the next.
        switches: parameters of the world.
        scenario: theory-of-mind tests instead of episodes: names, files, all, twins or paper, by commas.
        ways: in how many stagings (turned, mirrored, seats swapped) each case of a scenario is played.
        probe_turns: before which turns of an episode to ask who knows what; half-way by default. Scenarios are probed
            when the trial begins, about the pieces that matter.
        memory: how many past turns stay in the conversation; all by default.
        retries: how often to ask again after a reply that cannot be read.
        form: free for a reply of one line, schema for one that the provider's structured output enforces.
        prompts: version of the prompts.
    """
    if form not in FORMS:
        raise UserError(f"form {form!r} is not known; expected {' or '.join(FORMS)}")
    parts = {
        name: load_prompt("symmtom", prompts, f"{name}_{form}" if name in _FORMED and form != "free" else name, fields)
        for name, fields in _PARTS.items()
    }
    words = [scenario] if isinstance(scenario, str) else scenario
    names = [name.strip() for word in words for name in word.split(",") if name.strip()]
    if names:
        samples = [sample for test in find_scenarios(names) for sample in _trials(test, ways, seed)]
    else:
        params = Params.from_setting(setting, **(switches or {}))
        seats = _others(others, seat, params)
        turns = _turns(probe_turns, params)
        samples = [_episode(params, seat, seats, turns, seed + number) for number in range(episodes)]
    return Task(
        dataset=MemoryDataset(samples, name=",".join(names) or setting),
        solver=play({name: prompt.text for name, prompt in parts.items()}, retries, memory, form),
        scorer=trial_score() if names else episode_score(),
        version=_digest(samples, parts),
        metadata={"prompts": hashes(parts.values())},
    )


def _episode(params: Params, seat: int, others: Sequence[str], probe_turns: Sequence[int], seed: int) -> Sample:
    return Sample(
        id=f"{params.setting}-seat{seat}-seed{seed}",
        input=f"An episode of {params.setting} with seed {seed}, in seat {seat} among {', '.join(others)}.",
        metadata={
            "params": params.to_dict(),
            "seat": seat,
            "others": list(others),
            "seed": seed,
            "turns": [0, params.num_turns],
            "probes": {str(turn): list(range(params.num_pieces)) for turn in probe_turns},
        },
    )


def _trials(scenario: Scenario, ways: int, seed: int) -> list[Sample]:
    known = stagings(scenario.params.num_agents)
    if not 1 <= ways <= len(known):
        raise UserError(f"ways is {ways}; expected 1 to {len(known)} for {scenario.params.num_agents} agents")
    # Spread over all of them, the one of the file first.
    chosen = [known[at * len(known) // ways] for at in range(ways)]
    pieces = sorted({piece for _, piece in matters(scenario)})
    return [
        Sample(
            id=f"{scenario.name}-{case.name}-{_way(staging)}",
            input=f"The scenario {scenario.name}, case {case.name}, staged as {_way(staging)}: {scenario.about}",
            metadata={
                "scenario": scenario.name,
                "file": str(scenario.path) if scenario.path else "",
                "case": case.name,
                "order": scenario.order,
                "symmetry": staging.symmetry,
                "seats": list(staging.seats),
                "pair": f"{scenario.name}-{_way(staging)}",
                "seed": seed,
                "turns": [len(case.history), len(case.history) + scenario.limit],
                "probes": {str(len(case.history)): pieces},
            },
        )
        for staging in chosen
        for case in scenario.cases
    ]


def _way(staging: Staging) -> str:
    return f"s{staging.symmetry}-{''.join(map(str, staging.seats))}"


def _others(others: str | list[str], seat: int, params: Params) -> list[str]:
    """A name for every other seat.

    Raises:
        UserError: if there are too few or too many, or one is not known.
    """
    if not 0 <= seat < params.num_agents:
        raise UserError(f"there is no seat {seat} in {params.setting}; expected 0 to {params.num_agents - 1}")
    names = [name.strip() for name in (others.split(",") if isinstance(others, str) else others)]
    names = names * (params.num_agents - 1) if len(names) == 1 else names
    if len(names) != params.num_agents - 1:
        raise UserError(f"{len(names)} others for {params.num_agents - 1} seats; name one for all or one for each")
    find_agents(names)
    return names


def _turns(given: int | str | list[int] | None, params: Params) -> list[int]:
    if given is None:
        return [params.num_turns // 2]
    words = given.split(",") if isinstance(given, str) else [given] if isinstance(given, int) else given
    try:
        turns = [int(word) for word in words if str(word).strip()]
    except ValueError:
        raise UserError(f"probe_turns is {given!r}; expected turns by commas, such as 5,10") from None
    for turn in turns:
        if not 0 <= turn < params.num_turns:
            raise UserError(f"turn {turn} cannot be probed; expected 0 to {params.num_turns - 1}")
    return turns


def _digest(samples: Sequence[Sample], parts: dict[str, Prompt]) -> str:
    """What is played, in a word: a run is resumed only if nothing of it has changed."""
    whole = [[(sample.id, sample.metadata) for sample in samples], hashes(parts.values())]
    return sha256(repr(whole).encode()).hexdigest()[:12]
