"""Finds agents by name, run directory or file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from otherminds.core.errors import UserError
from otherminds.core.mind import Policy
from otherminds.worlds.symmtom.evals.runs import find_records
from otherminds.worlds.symmtom.evals.tables import load_policy
from otherminds.worlds.symmtom.minds import ACTOR, RESULT
from otherminds.worlds.symmtom.types import Params

if TYPE_CHECKING:
    from otherminds.worlds.symmtom.minds.learned import Learned


@dataclass(frozen=True)
class Agent:
    """A policy and where it comes from."""

    label: str  # unique among those asked for together
    model: str
    policy: Policy
    params: Params | None = None  # the world it was trained in; None for a registered policy
    seed: int | None = None  # of its training


def find_agents(words: Sequence[str | Path], *, greedy: bool | None = None) -> list[Agent]:
    """Return the agents that names and paths stand for.

    Args:
        words: for each a registered policy, a run directory, an actor file, the record beside one, or a folder with
            several of those, which stands for all of them. ``:greedy=true`` or ``:greedy=false`` may follow.
        greedy: learned agents take their most likely actions, or draw them; by default each as it is meant to.
    """
    agents = [agent for word in words for agent in _agents(str(word), greedy)]
    if not agents:
        raise UserError("no agent was named; give a run directory, an actor file or a registered policy")
    return _unique(agents)


def rules_of(params: Params) -> str:
    """A world by its setting and what differs from the paper's rules, whatever it shows of itself."""
    from otherminds.worlds.symmtom.minds.network_policy import VIEW

    usual, here = Params.from_setting(params.setting).to_dict(), params.to_dict()
    names = [name for name in dict.fromkeys((*usual, *here)) if name not in VIEW and usual.get(name) != here.get(name)]
    return " ".join([params.setting, *(f"{name}={here.get(name)}" for name in names)])


def trained_policy(spec: str) -> Policy | None:
    """A trained agent by run directory, actor file or the record beside one; ``None`` if the name is not one of these.

    Args:
        spec: the path; ``:greedy=true`` takes the most likely actions, ``:greedy=false`` draws them. By default each
            agent does as it is meant to.
    """
    word, greedy = split_greedy(spec)
    path = _actor_file(word)
    if path.exists():
        return _load(path, greedy)
    if path.suffix == ".safetensors":
        raise UserError(f"there is no {word}; expected a run directory, an actor file or a registered mind")
    return None


def split_greedy(spec: str) -> tuple[str, bool | None]:
    """A path, and whether ``:greedy=true`` or ``:greedy=false`` follows it."""
    path, _, option = spec.rpartition(":")
    if not option.startswith("greedy="):
        return spec, None
    value = option.removeprefix("greedy=")
    if value not in ("true", "false"):
        raise UserError(f"option 'greedy' of mind {spec!r} is {value!r}; expected true or false")
    return path, value == "true"


def _agents(spec: str, greedy: bool | None) -> list[Agent]:
    word, chosen = split_greedy(spec)
    greedy, path = greedy if chosen is None else chosen, _actor_file(word)
    if path.is_dir() and not (path / ACTOR).is_file():
        records = [record for record in find_records([path]) if record.actor is not None]
        if not records:
            raise UserError(f"{path} holds no trained agent; expected {ACTOR} of finished runs in it or below")
        return [_learned(record.actor, greedy, record.model) for record in records if record.actor]
    if path.exists():
        return [_learned(path, greedy)]
    if path.suffix == ".safetensors" or len(path.parts) > 1:
        raise UserError(f"there is no {word}; expected a run directory, an actor file or a registered policy")
    policy = load_policy(word)
    return [Agent(policy.name, policy.name, policy)]


def _actor_file(word: str) -> Path:
    """The actor beside a record; any other path as it is."""
    path = Path(word)
    if path.is_file() and path.suffix == ".json":
        return path.with_name(ACTOR) if path.name == RESULT else path.with_suffix(".safetensors")
    return path


def _load(path: Path, greedy: bool | None) -> Learned:
    from otherminds.worlds.symmtom.minds.learned import load_agent

    policy = load_agent(path)
    if greedy is None:
        return policy
    return policy.greedy() if greedy else policy.sampled()


def _learned(path: Path, greedy: bool | None, model: str | None = None) -> Agent:
    policy = _load(path, greedy)
    name, seed = model or str(policy.about["name"]), int(policy.about.get("seed", 0))
    return Agent(f"{name}/seed{seed}", name, policy, policy.mind.params, seed)


def _unique(agents: Sequence[Agent]) -> list[Agent]:
    """The same agents, with the setting in the labels where that is needed to tell them apart, then numbers."""
    labels, seen, result = Counter(agent.label for agent in agents), Counter[str](), []
    for agent in agents:
        label = agent.label
        if labels[label] > 1 and agent.params:
            label = f"{label}/{agent.params.setting}"
        seen[label] += 1
        result.append(replace(agent, label=f"{label}#{seen[label]}" if seen[label] > 1 else label))
    return result
