"""What a task is worth: can it be solved, how deep must a mind look, and is that proved for every team? (spec 4.1, 4.9)

Three grades: *solvable* by a team that has agreed on nothing; *signalling-only*, where silence, timing or a place to
stand must mean something that was agreed beforehand; *unsolvable* by any team. Only the first is fit for a benchmark.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import sha256
from typing import Any, Literal, get_args

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.build import ground
from otherminds.worlds.enacttom.fields import Reader, anything, every, items, number, one_of, record, wrong
from otherminds.worlds.enacttom.leaks import leaks
from otherminds.worlds.enacttom.messages import Act, act_content, act_of
from otherminds.worlds.enacttom.types import Task, World
from otherminds.worlds.enacttom.verify.depth import DEEPEST, Policy, calibrate, check_policy, required_depth
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
        contrast_plain: worlds of which every team without conventions of a depth below ``depth`` fails one; none if
            that is ``depth_any``, for then ``contrast`` does for all teams.
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
    contrast_plain: tuple[World, ...] = ()
    policy: Policy = ()
    impossible: World | None = None
    digest: str = ""

    @property
    def is_tight(self) -> bool:
        """Whether conventions do not make it any shallower: then the depth is a bound for every team."""
        return self.depth is not None and self.depth == self.depth_any

    @property
    def contrasts(self) -> tuple[World, ...]:
        """All contrast worlds: a team without conventions that looks less deep fails one of them."""
        return tuple(sorted({*self.contrast, *self.contrast_plain}))


def certify(
    task: Task, *, seconds: float = SECONDS, seed: int = 0, on_step: Callable[[str], None] = lambda _: None
) -> Certificate:
    """Prove what can be proved of a task.

    Args:
        task: to look at.
        seconds: for each question to the solver.
        seed: of the solver, which changes nothing but the time it takes.
        on_step: is told what is being looked for.

    Raises:
        UserError: if its texts say what they must not.
    """
    house, digest = ground(task), digest_of(task)
    if why := leaks(house):
        raise UserError(f"task {task.id!r}: {why}")
    on_step("the fewest turns")
    plans = {world: calibrate(house, world) for world in task.worlds}
    for world, plan in plans.items():
        if plan is None:
            return Certificate("unsolvable", impossible=world, digest=digest)
    fewest = max(len(plan or ()) for plan in plans.values())
    any_team = required_depth(house, seconds=seconds, seed=seed, on_step=on_step)
    if not any_team.is_solvable:
        return Certificate("unknown" if any_team.is_solvable is None else "unsolvable", fewest, digest=digest)
    if any_team.depth is None and len(any_team.refuted) <= DEEPEST:  # that some policy exists says little
        return Certificate("unknown", fewest, digest=digest)
    plain = required_depth(house, is_plain=True, known=any_team.depth, seconds=seconds, seed=seed, on_step=on_step)
    for proved in (any_team, plain):
        if proved.policy and (wrong := check_policy(house, proved.policy)):
            raise UserError(f"solver and simulator disagree on task {task.id!r} ({wrong}); please report this")
    grade: Grade = "solvable"
    if plain.depth is None:
        grade = "unknown" if len(plain.refuted) <= DEEPEST else "signalling-only"
    on_step("what secrets alone ask for")
    secrets = required_depth(house, secrets_only=True, seconds=seconds, seed=seed)
    return Certificate(
        grade,
        fewest,
        plain.depth,
        any_team.depth,
        secrets.depth,
        any_team.contrast,
        plain.contrast,
        plain.policy,
        digest=digest,
    )


def recheck(task: Task, claimed: Certificate, proved: Certificate, seconds: float = SECONDS) -> str:
    """What does not hold of a certificate, by another that was just proved; empty if all of it does.

    Contrast worlds need not be the same, for there may be several such sets, but shallower teams must fail these too;
    and the policy is played in every world.
    """
    for name in ("grade", "fewest_turns", "depth", "depth_any", "depth_secrets"):
        if name == "depth_secrets" and proved.depth_secrets is None:
            continue  # time ran out
        if getattr(claimed, name) != getattr(proved, name):
            return f"{name} is {getattr(claimed, name)!r} there; what is proved is {getattr(proved, name)!r}"
    house = ground(task)
    if claimed.grade == "solvable" and (wrong := check_policy(house, claimed.policy)):
        return f"its policy fails: {wrong}"
    for name, depth, is_plain in (("contrast", claimed.depth_any, False), ("contrast_plain", claimed.depth, True)):
        if not depth or (is_plain and claimed.is_tight):
            continue
        found = Search(house, depth - 1, is_plain=is_plain).find(getattr(claimed, name), seconds)
        if found.is_solvable is not False:
            return f"its worlds in {name} are not refuted for depth {depth - 1}"
    return ""


def digest_of(task: Task) -> str:
    """A hash of all that matters for a proof; the texts and the certificate itself do not."""
    content: dict[str, Any] = asdict(task)
    for name in ("id", "title", "certificate", "provenance", "private", "wishes"):
        content.pop(name)
    return sha256(repr(sorted(content.items())).encode()).hexdigest()[:16]


def certificate_content(proved: Certificate) -> dict[str, Any]:
    """A certificate as a task's file has it."""
    return {
        "grade": proved.grade,
        "fewest_turns": proved.fewest_turns,
        "depth": proved.depth,
        "depth_any": proved.depth_any,
        "depth_secrets": proved.depth_secrets,
        "contrast": [list(world) for world in proved.contrast],
        "contrast_plain": [list(world) for world in proved.contrast_plain],
        "policy": [[[act_content(act) for act in turn] for turn in turns] for turns in proved.policy],
        "digest": proved.digest,
    }


def stored_certificate(task: Task) -> Certificate | None:
    """The certificate that a task carries; ``None`` if there is none, or the task was changed since.

    Raises:
        UserError: if it cannot be read.
    """
    found = task.certificate
    if found.get("digest") != digest_of(task):
        return None
    where = f"task {task.id!r}: certificate"
    try:
        return _read(task, found, where)
    except UserError as error:
        raise UserError(f"{error}; prove it again with 'otherminds verify --write'") from error


def _read(task: Task, content: Mapping[str, Any], where: str) -> Certificate:
    """A certificate from plain data, each field of it as it must be."""

    def count(value: Any, at: str) -> int | None:
        return None if value is None else number(value, at)

    def world(value: Any, at: str) -> World:
        if not isinstance(value, list) or tuple(value) not in task.worlds:
            raise wrong(at, value, "a world of the task")
        return tuple(value)

    def acts(value: Any, at: str) -> tuple[Act, ...]:
        return tuple(act_of(task, agent, act, here) for agent, (here, act) in enumerate(items(value, at)))

    readers: dict[str, Reader] = {
        "grade": partial(one_of, known=get_args(Grade)),
        **dict.fromkeys(("fewest_turns", "depth", "depth_any", "depth_secrets"), count),
        **dict.fromkeys(("contrast", "contrast_plain"), partial(every, read=world)),
        "policy": partial(every, read=partial(every, read=acts)),
        "digest": anything,
    }
    found = Certificate(**record(content, where, readers))
    is_whole = len(found.policy) == len(task.worlds) and all(
        len(turns) == task.horizon and all(len(turn) == len(task.people) for turn in turns) for turns in found.policy
    )
    if (found.policy or found.grade == "solvable") and not is_whole:
        raise UserError(
            f"{where}.policy is not for {len(task.worlds)} worlds, {task.horizon} turns and {len(task.people)} people"
        )
    if found.grade == "solvable" and found.depth is None:
        raise wrong(f"{where}.depth", None, "a whole number for what is solvable")
    return found
