"""``check_world``: check that a world keeps the contract of all worlds.

    from otherminds.testing import check_world
    check_world(otherminds.make("symmtom-v0"))

It takes a world of ours or of your own, and runs every check that applies. A check that needs something the world does
not have is skipped, and the report says which.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal

from otherminds.core.errors import UserError
from otherminds.core.world import World
from otherminds.testing.skip import Skip


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
    checks: list[Check]

    @property
    def passed(self) -> bool:
        return all(check.result != "failed" for check in self.checks)

    def to_dict(self) -> dict[str, Any]:
        return {"world": self.world, "passed": self.passed, "checks": [asdict(check) for check in self.checks]}

    def to_text(self) -> str:
        signs = {"passed": "ok     ", "failed": "FAILED ", "skipped": "skipped"}
        lines = [f"  {signs[c.result]}  {c.name}{f': {c.detail}' if c.detail else ''}" for c in self.checks]
        skipped = sum(check.result == "skipped" for check in self.checks)
        kept = f"all checks passed{f' ({skipped} skipped)' if skipped else ''}"
        return "\n".join([f"{self.world}: {kept if self.passed else 'checks failed'}", *lines])


def check_world(world: World, *, seed: int = 0, episodes: int = 3, raises: bool = True) -> Report:
    """Check a world.

    Args:
        world: World to check.
        seed: Seed of everything random in the checks.
        episodes: Number of episodes that each check plays.
        raises: Whether to raise an error if a check fails, instead of returning the report.

    Raises:
        AssertionError: if a promise is broken; the message is the whole report.
        UserError: if the object is not a world.
    """
    from otherminds.testing import array_checks, session_checks

    if not isinstance(world, World):
        raise UserError(
            f"{type(world).__name__} is not a world; derive it from otherminds.core.world.World (see CONTRIBUTING.md)"
        )
    checks: list[tuple[str, Callable[[Any, int, int], str]]] = [
        ("whole episodes repeat exactly, and the seed matters", session_checks.determinism),
        ("a record replays to the same episode", session_checks.replays),
        ("forms accept every sampled reply, as data, as JSON and as text", session_checks.forms),
        ("no seat is shown what it cannot perceive", session_checks.no_leak),
        ("probes leave no trace", session_checks.no_trace),
        ("no mind is given the episode's seed", session_checks.own_seeds),
        ("expected answers agree with the ledger", session_checks.ledger_agrees),
        ("a perfect mind reaches the ceiling, a random one the floor", session_checks.anchors),
    ]
    if hasattr(world, "step_with"):
        checks += [
            ("states repeat exactly turn by turn, and the seed matters", array_checks.determinism),
            ("observations have the promised shape and lie in their space", array_checks.spaces),
            ("observations hold nothing that an agent cannot perceive", array_checks.no_leak),
            ("symmetric action space: agents can change places", array_checks.symmetry),
            ("imperfect information: nobody sees the whole state", array_checks.imperfect),
            ("observation of others: everyone sees something of everyone", array_checks.others),
            ("information seeking: knowing what others know pays off", array_checks.information_seeking),
            ("NumPy and JAX give identical results", array_checks.engines_agree),
            ("PettingZoo's own tests", array_checks.pettingzoo),
        ]
    report = Report(world.id, [_run(name, check, world, seed, episodes) for name, check in checks])
    if raises and not report.passed:
        raise AssertionError(report.to_text())
    return report


def _run(name: str, check: Callable[[Any, int, int], str], world: World, seed: int, episodes: int) -> Check:
    try:
        return Check(name, "passed", check(world, seed, episodes))
    except Skip as reason:
        return Check(name, "skipped", str(reason))
    except AssertionError as broken:
        return Check(name, "failed", str(broken) or "an assertion without a message failed")
    except Exception as error:  # a world that cannot do what it promises has failed the check, whatever it raises
        return Check(name, "failed", f"{type(error).__name__}: {error}")
