"""What a task is worth: can it be solved, how deep must a mind look, and is that proved for every team? (4.1, 4.9)

Three grades: *solvable* by a team that has agreed on nothing; *signalling-only*, where silence, timing or a place to
stand must mean something that was agreed beforehand; *unsolvable* by any team. Only the first is fit for a benchmark.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any, Literal

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.build import ground
from otherminds.worlds.enacttom.types import Task, World
from otherminds.worlds.enacttom.verify.calibrate import calibrate
from otherminds.worlds.enacttom.verify.depth import DEEPEST, Policy, check_policy, required_depth
from otherminds.worlds.enacttom.verify.policy import SECONDS, Search

Grade = Literal["solvable", "signalling-only", "unsolvable", "unknown"]


@dataclass(frozen=True)
class Certificate:
    """What was proved of a task.

    Attributes:
        grade: see above; ``unknown`` if the solver ran out of time.
        fewest_turns: for who knows everything, in the worst world; ``None`` if even that is impossible.
        depth: that a team without conventions needs: the official label (D_ic).
        depth_any: that any team needs, conventions included (D_conv).
        depth_secrets: the same if theories are about secrets alone.
        contrast: worlds of which every team of a depth below ``depth_any`` fails one.
        policy: of a team without conventions, ``[world][turn][person]``.
        impossible: a world that cannot be done even by who knows everything.
        digest: of the task that this was proved of.
    """

    grade: Grade
    fewest_turns: int | None = None
    depth: int | None = None
    depth_any: int | None = None
    depth_secrets: int | None = None
    contrast: tuple[World, ...] = ()
    policy: Policy = ()
    impossible: World | None = None
    digest: str = ""

    @property
    def is_tight(self) -> bool:
        """Whether conventions do not make it any shallower: then the depth is a bound for every team."""
        return self.depth is not None and self.depth == self.depth_any


def certify(
    task: Task, *, seconds: float = SECONDS, seed: int = 0, on_step: Callable[[str], None] = lambda _: None
) -> Certificate:
    """Prove what can be proved of a task.

    Args:
        task: to look at.
        seconds: for each question to the solver.
        seed: of the solver, which changes nothing but the time it takes.
        on_step: is told what is being looked for.
    """
    house, digest = ground(task), digest_of(task)
    on_step("the fewest turns")
    plans = {world: calibrate(house, world) for world in task.worlds}
    for world, plan in plans.items():
        if plan is None:
            return Certificate("unsolvable", impossible=world, digest=digest)
    fewest = max(len(plan or ()) for plan in plans.values())
    found = required_depth(house, seconds=seconds, seed=seed, on_step=on_step)
    if not found.is_solvable:
        return Certificate("unknown" if found.is_solvable is None else "unsolvable", fewest, digest=digest)
    grade: Grade = "signalling-only"
    depth: int | None = None
    policy: Policy = ()
    for deep in range(DEEPEST + 1):
        on_step(f"a policy of depth {deep} without conventions")
        plain = Search(house, deep, is_plain=True, seed=seed).find(seconds=seconds)
        if plain.is_solvable is None:
            grade = "unknown"
            break
        if plain.is_solvable:
            wrong = check_policy(house, plain.policy)
            if wrong:
                raise UserError(f"solver and simulator disagree on task {task.id!r} ({wrong}); please report this")
            grade, depth, policy = "solvable", deep, plain.policy
            break
    on_step("what secrets alone ask for")
    secrets = required_depth(house, secrets_only=True, seconds=seconds, seed=seed)
    return Certificate(grade, fewest, depth, found.depth, secrets.depth, found.contrast, policy, None, digest)


def digest_of(task: Task) -> str:
    """A hash of all that matters for a proof; the texts and the certificate itself do not."""
    content: dict[str, Any] = asdict(task)
    for name in ("id", "title", "certificate", "provenance"):
        content.pop(name)
    return sha256(repr(sorted(content.items())).encode()).hexdigest()[:16]
