"""``check_env``: does a world keep the promises of a world, and of symmetric theory of mind?

    from otherminds.testing import check_env
    check_env(otherminds.make("symmtom-v0"))

It takes a world of ours, a world of your own with the methods of :class:`CheckableWorld`, or any PettingZoo
``ParallelEnv``, and runs every check that applies. A check that needs a method the world does not have is skipped,
and the report says which.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Protocol

import numpy as np

from otherminds.core.errors import UserError


class CheckableWorld(Protocol):
    """What a world offers to be checked. States and actions are pytrees of NumPy arrays with agents first."""

    id: str
    agents: Sequence[str]
    observation_shape: tuple[int, ...]
    num_turns: int

    def draw_reset(self, rng: np.random.Generator) -> Any:
        """The chance of a reset."""

    def draw_step(self, rng: np.random.Generator) -> Any:
        """The chance of a turn."""

    def reset_with(self, chance: Any) -> tuple[Any, Any]:
        """Observations and state, given the chance."""

    def step_with(self, chance: Any, state: Any, actions: Any) -> tuple[Any, Any, Any, Any, Any, dict[str, Any]]:
        """Observations, state, rewards, terminated, truncated, info, given the chance."""

    def draw_actions(self, rng: np.random.Generator, state: Any) -> Any:
        """Random actions for all agents."""

    def observe(self, state: Any) -> Any:
        """What every agent observes of a state."""


@dataclass(frozen=True)
class Check:
    """One promise, and whether it was kept."""

    name: str
    result: Literal["passed", "failed", "skipped"]
    detail: str = ""


@dataclass
class Report:
    """What was checked."""

    world: str
    checks: list[Check] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        return all(check.result != "failed" for check in self.checks)

    def to_dict(self) -> dict[str, Any]:
        return {"world": self.world, "passed": self.passed, "checks": [asdict(check) for check in self.checks]}

    def to_text(self) -> str:
        signs = {"passed": "ok     ", "failed": "FAILED ", "skipped": "skipped"}
        lines = [f"  {signs[c.result]}  {c.name}{f': {c.detail}' if c.detail else ''}" for c in self.checks]
        skipped = sum(check.result == "skipped" for check in self.checks)
        kept = f"{skipped} checks skipped, every other promise kept" if skipped else "every promise kept"
        return "\n".join([f"{self.world}: {kept if self.passed else 'promises broken'}", *lines])


class Skip(Exception):
    """A check does not apply; the message says why."""


def check_env(
    world: Any,
    *,
    seed: int = 0,
    episodes: int = 3,
    informed: Any = None,
    uninformed: Any = None,
    raises: bool = True,
) -> Report:
    """Check a world.

    Args:
        world: a world, or a PettingZoo ``ParallelEnv``.
        seed: for everything random in the checks.
        episodes: how many each check plays.
        informed: for the check of information seeking, a mind that models what others know: a policy for SymmToM
            (there is a default), else a function from a seed to the mean reward of that episode.
        uninformed: the same mind but for that.
        raises: raise on the first report with a failed check; otherwise return it.

    Raises:
        AssertionError: if a promise is broken; the message is the whole report.
        UserError: if the object is neither a world nor a ``ParallelEnv``.
    """
    from otherminds.testing import promises, symmetric

    report = Report(getattr(world, "id", type(world).__name__))
    if hasattr(world, "step_with"):
        play = (world, seed, episodes)
        checks: list[tuple[str, Callable[[], str]]] = [
            ("whole episodes repeat exactly, and the seed matters", lambda: promises.determinism(*play)),
            ("observations have the promised shape and lie in their space", lambda: promises.spaces(*play)),
            ("nobody observes what it cannot perceive", lambda: symmetric.no_leak(*play)),
            ("symmetric action space: agents can change places", lambda: symmetric.symmetry(*play)),
            ("imperfect information: nobody sees the whole state", lambda: symmetric.imperfect(*play)),
            ("observation of others: everyone sees something of everyone", lambda: symmetric.others(*play)),
            (
                "information seeking: knowing what others know pays",
                lambda: symmetric.information_seeking(world, seed, informed, uninformed),
            ),
            ("states survive being written and read", lambda: promises.round_trip(*play)),
            ("NumPy and JAX give the same bits", lambda: promises.engines_agree(*play)),
            ("PettingZoo's own tests", lambda: promises.pettingzoo(getattr(world, "parallel_env", None))),
        ]
    elif hasattr(world, "possible_agents") and hasattr(world, "step"):
        checks = [
            ("whole episodes repeat exactly, and the seed matters", lambda: promises.parallel_determinism(world, seed)),
            ("observations lie in their spaces", lambda: promises.parallel_spaces(world, seed)),
            ("PettingZoo's own tests", lambda: promises.pettingzoo(None, world)),
        ]
    else:
        raise UserError(
            f"{type(world).__name__} is neither a world nor a ParallelEnv; a world has the methods of "
            f"otherminds.testing.check.CheckableWorld (see CONTRIBUTING.md)"
        )
    for name, run in checks:
        report.checks.append(_run(name, run))
    if raises and not report.passed:
        raise AssertionError(report.to_text())
    return report


def _run(name: str, run: Callable[[], str]) -> Check:
    try:
        return Check(name, "passed", run())
    except Skip as reason:
        return Check(name, "skipped", str(reason))
    except AssertionError as broken:
        return Check(name, "failed", str(broken) or "an assertion without a message failed")
    except Exception as error:  # a world that cannot do what it promises has failed the check, whatever it raises
        return Check(name, "failed", f"{type(error).__name__}: {error}")
