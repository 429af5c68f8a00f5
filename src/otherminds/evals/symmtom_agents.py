"""Agents by name, run directory or file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from otherminds.core.errors import UserError
from otherminds.core.mind import Policy
from otherminds.evals.records import find_records
from otherminds.evals.symmtom_tables import load_policy
from otherminds.players.symmtom import ACTOR, RESULT
from otherminds.worlds.symmtom.types import Params


@dataclass(frozen=True)
class Agent:
    """A policy and where it comes from."""

    label: str  # unique among those asked for together
    model: str
    policy: Policy
    params: Params | None = None  # the world it was trained in; None for a registered policy
    seed: int | None = None  # of its training


def find_agents(words: Sequence[str | Path], *, greedy: bool | None = None) -> list[Agent]:
    """Agents by what users call them.

    Args:
        words: for each a registered policy, a run directory, an actor file, the record beside one, or a folder with
            several of those, which stands for all of them. ``:greedy=true`` or ``:greedy=false`` may follow.
        greedy: learned agents take their most likely actions, or draw them; by default each as it is meant to.

    Raises:
        UserError: if there is no such agent.
    """
    agents = [agent for word in words for agent in _agents(word, greedy)]
    if not agents:
        raise UserError("no agent was named; give a run directory, an actor file or a registered policy")
    return _unique(agents)


def rules_of(params: Params) -> str:
    """A world by its setting and what differs from the paper's rules, whatever it shows of itself."""
    from otherminds.players.symmtom.mind import VIEW

    usual, here = Params.from_setting(params.setting).to_dict(), params.to_dict()
    names = [name for name in dict.fromkeys((*usual, *here)) if name not in VIEW and usual.get(name) != here.get(name)]
    return " ".join([params.setting, *(f"{name}={here.get(name)}" for name in names)])


def split_greedy(spec: str) -> tuple[str, bool | None]:
    """A path, and whether ``:greedy=true`` or ``:greedy=false`` follows it.

    Raises:
        UserError: if another value follows.
    """
    path, _, option = spec.rpartition(":")
    if not option.startswith("greedy="):
        return spec, None
    value = option.removeprefix("greedy=")
    if value not in ("true", "false"):
        raise UserError(f"option 'greedy' of mind {spec!r} is {value!r}; expected true or false")
    return path, value == "true"


def _agents(word: str | Path, greedy: bool | None) -> list[Agent]:
    word, chosen = split_greedy(str(word))
    greedy, path = greedy if chosen is None else chosen, Path(word)
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
        raise UserError(f"there is no {word}; expected a run directory, an actor file or a registered policy")
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
