"""Finds agents by name, run directory or file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError
from otherminds.core.mind import Policy
from otherminds.core.registry import entries, find
from otherminds.minds.find import find_mind
from otherminds.minds.policy import PolicyMind
from otherminds.minds.specs import split_spec
from otherminds.worlds.symmtom.evals.runs import find_records
from otherminds.worlds.symmtom.minds import ACTOR, RENAMED, RESULT
from otherminds.worlds.symmtom.record import WORLD
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
    """Return the agents that names and paths stand for.

    Args:
        words: for each a registered policy, a run directory, an actor file, the record beside one, or a folder with
            several of those, which stands for all of them. ``:greedy=true`` or ``:greedy=false`` may follow.
        greedy: learned agents take their most likely actions, or draw them; by default each as it is meant to.
    """
    agents = [agent for word in words for agent in _agents(str(word), greedy)]
    if not agents:
        raise UserError("no agent was named; give a run directory, an actor file or a registered policy")
    # Where labels are equal, the setting tells agents apart, then a number.
    labels, seen = Counter(agent.label for agent in agents), Counter[str]()
    for place, agent in enumerate(agents):
        label = agent.label
        if labels[label] > 1 and agent.params:
            label = f"{label}/{agent.params.setting}"
        seen[label] += 1
        agents[place] = replace(agent, label=f"{label}#{seen[label]}" if seen[label] > 1 else label)
    return agents


def all_policies(specs: Sequence[str]) -> list[Agent] | None:
    """The agents that names stand for; ``None`` if one of them is a mind of another kind."""
    known = {entry.name for entry in entries("mind", "symmtom")}
    for spec in specs:
        is_registered = spec.partition(":")[0] in known
        if not (registered_policy(spec) if is_registered else _place(spec)[0].exists()):
            return None
    return find_agents(specs)


def load_policy(spec: str) -> Policy:
    """The registered policy of a name with its options, such as ``planner:order=1``."""
    policy = registered_policy(spec)
    if policy is None:
        raise UserError(
            f"mind {spec!r} cannot be used in this table, which plays many episodes at once; use 'otherminds play'"
        )
    return policy


def registered_policy(spec: str) -> Policy | None:
    """The policy of a name with its options; ``None`` if it is a registered mind of another kind."""
    world = find("world", WORLD).load()()
    name, _ = split_spec(spec, world)
    if any(entry.name == name for entry in entries("mind", world.id)) and find("mind", name, world.id).world is None:
        return None  # minds for any world play one seat at a time
    mind = find_mind(spec, world)
    return mind.policy if isinstance(mind, PolicyMind) else None


def trained_policy(spec: str) -> Policy | None:
    """A trained agent by run directory, actor file or the record beside one; ``None`` if the name is not one of these.

    ``:greedy=true`` takes the most likely actions, ``:greedy=false`` draws them. By default each does as it is meant
    to.
    """
    path, greedy = _place(spec)
    if path.exists():
        from otherminds.worlds.symmtom.minds.learned import load_agent

        agent = load_agent(path)
        return agent if greedy is None else agent.taking(greedy)
    if spec in RENAMED:
        raise UserError(f"mind {spec!r} is now called {RENAMED[spec]!r}")
    if path.suffix == ".safetensors" or len(path.parts) > 1:
        raise UserError(
            f"there is no file or folder {str(path)!r}; expected a run directory, an actor file or a registered mind"
        )
    return None


def unlike(params: Params, usual: Params) -> dict[str, str]:
    """How the rules of a world differ from those of another, whatever each shows of itself, as ``name=value``."""
    from otherminds.worlds.symmtom.minds.network_policy import VIEW

    here, there = params.to_dict(), usual.to_dict()
    names = [n for n in dict.fromkeys((*there, *here)) if n not in VIEW and there.get(n) != here.get(n)]
    return {name: f"{name}={here.get(name)}" for name in names}


def _agents(spec: str, greedy: bool | None) -> list[Agent]:
    path, chosen = _place(spec)
    greedy = greedy if chosen is None else chosen
    if not path.is_dir() or (path / ACTOR).is_file():
        return [_agent(str(path), greedy)]
    records = [record for record in find_records([path]) if record.actor is not None]
    if not records:
        raise UserError(f"{path} holds no trained agent; expected {ACTOR} of finished runs in it or below")
    return [_agent(str(record.actor), greedy, record.model) for record in records]


def _agent(spec: str, greedy: bool | None, model: str | None = None) -> Agent:
    policy: Any = load_policy(spec)
    if not hasattr(policy, "about"):  # registered
        return Agent(policy.name, policy.name, policy)
    policy = policy if greedy is None else policy.taking(greedy)
    name, seed = model or str(policy.about["name"]), int(policy.about.get("seed", 0))
    return Agent(f"{name}/seed{seed}", name, policy, policy.mind.params, seed)


def _place(spec: str) -> tuple[Path, bool | None]:
    """The path in a spec, for a record the actor beside it, and whether ``:greedy=true`` or ``=false`` follows it."""
    word, _, option = spec.rpartition(":")
    if not option.startswith("greedy="):
        word, option = spec, ""
    elif option not in ("greedy=true", "greedy=false"):
        value = option.removeprefix("greedy=")
        raise UserError(f"option 'greedy' of mind {spec!r} is {value!r}; expected true or false")
    path = Path(word)
    if path.is_file() and path.suffix == ".json":
        path = path.with_name(ACTOR) if path.name == RESULT else path.with_suffix(".safetensors")
    return path, option == "greedy=true" if option else None
