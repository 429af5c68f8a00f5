"""Agents by name, run directory or file, and their scores over fresh episodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from otherminds.core.errors import UserError
from otherminds.core.mind import Policy
from otherminds.evals.records import find_records
from otherminds.evals.symmtom_tables import load_policy
from otherminds.players.symmtom import ACTOR, EVALUATION_SEED, RESULT
from otherminds.players.symmtom.rollout import rollout, summed_up
from otherminds.worlds.symmtom.types import Params

DEFAULT_SETTING = "n3_w6_c3"


@dataclass(frozen=True)
class Agent:
    """A policy and where it comes from."""

    label: str  # unique among those asked for together
    model: str
    policy: Policy
    params: Params | None = None  # the world it was trained in; None for a registered player
    seed: int | None = None  # of its training


@dataclass(frozen=True)
class Score:
    """What an agent in all seats achieves."""

    agent: str
    setting: str
    mean: float  # reward per agent
    sd: float  # over episodes, of the mean over agents
    standard_error: float
    episodes: int
    seed: int
    metrics: dict[str, float]  # means per agent and episode of every count

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def find_agents(words: Sequence[str | Path], *, greedy: bool | None = None) -> list[Agent]:
    """Agents by what users call them.

    Args:
        words: for each a registered player, a run directory, an actor file, the record beside one, or a folder with
            several of those, which stands for all of them.
        greedy: learned agents take their most likely actions, or draw them; by default each as it is meant to.

    Raises:
        UserError: if there is no such agent.
    """
    agents = [agent for word in words for agent in _agents(word, greedy)]
    if not agents:
        raise UserError("no agent was named; give a run directory, an actor file or a registered player")
    return _unique(agents)


def world_of(agent: Agent, setting: str | None = None, switches: dict[str, Any] | None = None) -> Params:
    """The world to play an agent in: the one it was trained in, unless a setting says otherwise."""
    if setting is not None:
        return Params.from_setting(setting, **(switches or {}))
    base = agent.params or Params.from_setting(DEFAULT_SETTING)
    return base.replace(**(switches or {}))


def rules_of(params: Params) -> str:
    """A world by its setting and what differs from the paper's rules, whatever it shows of itself."""
    from otherminds.players.symmtom.mind import VIEW

    usual, here = Params.from_setting(params.setting).to_dict(), params.to_dict()
    names = [name for name in dict.fromkeys((*usual, *here)) if name not in VIEW and usual.get(name) != here.get(name)]
    return " ".join([params.setting, *(f"{name}={here.get(name)}" for name in names)])


def score_agent(
    agent: Agent, params: Params, num_episodes: int = 1000, seed: int = EVALUATION_SEED, engine: str | None = None
) -> Score:
    """Play an agent in all seats."""
    tally = rollout(params, agent.policy, seed, num_episodes, engine)
    means, sd = summed_up(tally)
    error = sd / float(np.sqrt(num_episodes))
    return Score(agent.label, params.setting, means["reward"], sd, error, num_episodes, seed, means)


def _agents(word: str | Path, greedy: bool | None) -> list[Agent]:
    path = Path(word)
    if path.is_dir() and not (path / ACTOR).is_file():
        records = [record for record in find_records([path]) if record.actor is not None]
        if not records:
            raise UserError(f"{path} holds no trained agent; expected {ACTOR} of finished runs in it or below")
        found = [(record.actor, record.model) for record in records]
        return [_learned(actor, greedy, model) for actor, model in found if actor is not None]
    if path.is_file() and path.suffix == ".json":
        path = path.with_name(ACTOR) if path.name == RESULT else path.with_suffix(".safetensors")
    if path.exists():
        return [_learned(path, greedy)]
    if path.suffix == ".safetensors" or len(path.parts) > 1:
        raise UserError(f"there is no {word}; expected a run directory, an actor file or a registered player")
    policy = load_policy(str(word))
    return [Agent(policy.name, policy.name, policy)]


def _learned(path: Path, greedy: bool | None, model: str | None = None) -> Agent:
    from otherminds.players.symmtom.learned import load_agent

    policy = load_agent(path)
    name = model or str(policy.about["name"])
    seed = int(policy.about.get("seed", 0))
    params = policy.mind.params
    if greedy is not None:
        policy = policy.greedy() if greedy else policy.sampled()
    return Agent(f"{name}/seed{seed}", name, policy, params, seed)


def _unique(agents: Sequence[Agent]) -> list[Agent]:
    """The same agents, with the setting in the labels where that is needed to tell them apart, then numbers."""
    labels = [agent.label for agent in agents]
    named = [
        replace(agent, label=f"{agent.label}/{agent.params.setting}")
        if labels.count(agent.label) > 1 and agent.params
        else agent
        for agent in agents
    ]
    seen: dict[str, int] = {}
    result = []
    for agent in named:
        seen[agent.label] = seen.get(agent.label, 0) + 1
        number = seen[agent.label]
        result.append(replace(agent, label=f"{agent.label}#{number}") if number > 1 else agent)
    return result
