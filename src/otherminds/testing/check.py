"""``check_world``: does a world keep the promises of a world?

    from otherminds.testing import check_world
    check_world(otherminds.make("symmtom-v0"))

It takes a world of ours or of your own, and runs every check that applies. A check that needs something the world does
not have is skipped, and the report says which.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from otherminds.core.errors import UserError
from otherminds.core.world import World


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


def check_world(world: World, *, seed: int = 0, episodes: int = 3, raises: bool = True) -> Report:
    """Check a world.

    Args:
        world: to check.
        seed: for everything random in the checks.
        episodes: how many each check plays.
        raises: raise on the first report with a failed check; otherwise return it.

    Raises:
        AssertionError: if a promise is broken; the message is the whole report.
        UserError: if the object is not a world.
    """
    from otherminds.testing import arrays, sessions, symmetric

    if not isinstance(world, World):
        raise UserError(
            f"{type(world).__name__} is not a world; derive it from otherminds.core.world.World (see CONTRIBUTING.md)"
        )
    report, play = Report(world.id), (world, seed, episodes)
    checks: list[tuple[str, Callable[[], str]]] = [
        ("whole episodes repeat exactly, and the seed matters", lambda: sessions.determinism(*play)),
        ("a record replays to the same episode", lambda: sessions.replays(*play)),
        ("forms accept every sampled reply, as data, as JSON and as text", lambda: sessions.forms(*play)),
        ("nobody is shown what it cannot perceive", lambda: sessions.no_leak(*play)),
        ("probes leave no trace", lambda: sessions.no_trace(*play)),
        ("no mind is given the episode's seed", lambda: sessions.own_seeds(*play)),
        ("expected answers are the ledger's", lambda: sessions.ledger_agrees(*play)),
        ("a perfect mind reaches the ceiling, a random one the floor", lambda: sessions.anchors(*play)),
    ]
    if hasattr(world, "step_with"):
        checks += [
            ("states repeat exactly turn by turn, and the seed matters", lambda: arrays.determinism(*play)),
            ("observations have the promised shape and lie in their space", lambda: arrays.spaces(*play)),
            ("observations hold nothing that an agent cannot perceive", lambda: symmetric.no_leak(*play)),
            ("symmetric action space: agents can change places", lambda: symmetric.symmetry(*play)),
            ("imperfect information: nobody sees the whole state", lambda: symmetric.imperfect(*play)),
            ("observation of others: everyone sees something of everyone", lambda: symmetric.others(*play)),
            (
                "information seeking: knowing what others know pays",
                lambda: symmetric.information_seeking(world, seed),
            ),
            ("states survive being written and read", lambda: arrays.round_trip(*play)),
            ("NumPy and JAX give the same bits", lambda: arrays.engines_agree(*play)),
            ("PettingZoo's own tests", lambda: arrays.pettingzoo(world)),
        ]
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
