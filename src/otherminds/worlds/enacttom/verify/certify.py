"""Certificates of tasks: whether a task can be solved, and the depth that it requires (spec 4.1, 4.9).

Three grades: *solvable* without prior agreement; *signalling-only*, where silence, timing or places must have an agreed
meaning; *unsolvable* by any minds. Only the first is fit for a benchmark. Which of the others holds is not proved of
large houses (*signalling-at-best*).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import sha256
from json import dumps
from typing import Any, Literal, get_args

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.leaks import leaks
from otherminds.worlds.enacttom.messages import Act, act_content, act_of
from otherminds.worlds.enacttom.tasks.fields import Reader, anything, every, items, number, one_of, record, wrong
from otherminds.worlds.enacttom.types import Task, World
from otherminds.worlds.enacttom.verify.depth import DEEPEST, Depth, check_policy, required_depth
from otherminds.worlds.enacttom.verify.errands import plain_depth, two_parts
from otherminds.worlds.enacttom.verify.joint_policy import Policy, Search
from otherminds.worlds.enacttom.verify.plans import fewest_turns
from otherminds.worlds.enacttom.verify.slice import Slice, slice_of
from otherminds.worlds.enacttom.verify.solver import SECONDS, OutOfTime

LARGEST = 8_000  # size of a house whose depth for minds with conventions is proved
Grade = Literal["solvable", "signalling-only", "signalling-at-best", "unsolvable", "unknown"]
REASONS = {  # why tasks with these verdicts are not fit for a benchmark
    "unsolvable": "no minds can solve it in every world, whatever they agree on beforehand",
    "unknown": "the solver ran out of time; raise the limit with --seconds",
    "signalling-only": "minds must agree beforehand on what silence, timing or places mean",
    "signalling-at-best": "it cannot be solved without signals agreed beforehand; the house is too large to prove "
    "whether it can be solved with them",
    "trivial": "the goal holds in every world before anybody acts, so there is nothing to do",
}


@dataclass(frozen=True)
class Certificate:
    """What was proved of a task. The field ``depth`` is its official label.

    Attributes:
        grade: see above; ``unknown`` if the solver ran out of time.
        fewest_turns: needed with full information, in the worst world; ``None`` if the task is impossible even so.
        depth: required of minds without conventions (D_ic).
        depth_any: required of any minds, conventions included (D_conv); ``None`` if the house is too large to prove it.
        depth_secrets: like ``depth_any``, with theories about secrets alone.
        contrast: worlds of which all minds shallower than ``depth_any`` fail one.
        contrast_plain: worlds of which all minds without conventions that are shallower than ``depth`` fail one; empty
            if the two depths are equal, since ``contrast`` then covers all minds.
        policy: of minds without conventions.
        impossible: a world that cannot be solved even with full information.
        digest: of the certified task.
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
        """Whether conventions make the task no shallower, so that the depth is a bound for all minds."""
        return self.depth is not None and self.depth == self.depth_any

    @property
    def verdict(self) -> str:
        """The grade; ``trivial`` if the goal holds in every world before anybody acts."""
        return "trivial" if self.fewest_turns == 0 else self.grade

    @property
    def contrasts(self) -> tuple[World, ...]:
        """All contrast worlds: shallower minds without conventions fail at least one of them."""
        return tuple(sorted({*self.contrast, *self.contrast_plain}))


def certify(task: Task, *, seconds: float = SECONDS, seed: int = 0) -> Certificate:
    """The certificate of a task, proved anew.

    Args:
        task: to certify.
        seconds: time limit for each query to the solver.
        seed: of the solver; affects nothing but its running time.

    Raises:
        UserError: if its texts leak secrets.
    """
    house, digest = ground(task), digest_of(task)
    if why := leaks(house):
        raise UserError(f"task {task.id!r}: {why}")
    part = slice_of(house)
    try:
        turns = {world: fewest_turns(part.ground, world, seconds) for world in part.ground.task.worlds}
    except OutOfTime:
        return Certificate("unknown", digest=digest)
    for world, needed in turns.items():
        if needed is None:
            return Certificate("unsolvable", impossible=part.lift_worlds([world])[0], digest=digest)
    fewest = max(needed or 0 for needed in turns.values())
    free = _any_minds(part, seconds, seed)
    if free.is_solvable is False:
        return Certificate("unsolvable", fewest, digest=digest)
    plain = plain_depth(task, known=free.depth, seconds=seconds, seed=seed)
    if plain.policy and (fault := check_policy(house, plain.policy)):
        raise UserError(f"solver and simulator disagree on task {task.id!r} ({fault}); please report this")
    grade: Grade = "solvable"
    if plain.depth is None:
        grade = "unknown"
        if plain.refuted > DEEPEST:
            grade = "signalling-only" if free.is_solvable else "signalling-at-best"
    secrets = None
    if free.depth is not None:
        secrets = required_depth(_for_any(part), secrets_only=True, seconds=seconds, seed=seed).depth
    contrast = part.lift_worlds(free.contrast)
    return Certificate(
        grade, fewest, plain.depth, free.depth, secrets, contrast, plain.contrast, plain.policy, digest=digest
    )


def _any_minds(part: Slice, seconds: float, seed: int) -> Depth:
    """What minds with any conventions need; nothing is claimed of houses that are too large to be proved whole."""
    house = _for_any(part)
    return Depth(None) if _size(house) > LARGEST else required_depth(house, seconds=seconds, seed=seed)


def _for_any(part: Slice) -> Ground:
    """The house for proofs about minds with conventions, to whom all that two people could perceive may be a signal."""
    return part.ground if part.hides_the_rest else part.whole


def _size(house: Ground) -> int:
    """How much a solver has to compare: pairs of worlds, in every turn, by everything that can be done."""
    return len(house.task.worlds) ** 2 * house.task.horizon * len(house.deeds)


def recheck(task: Task, claimed: Certificate, proved: Certificate, seconds: float = SECONDS) -> str:
    """What is wrong with a certificate, compared with one that was just proved; empty if nothing is.

    Contrast worlds may differ, since there may be several minimal sets, but shallower minds must fail the claimed ones
    too. The claimed policy is played in every world.
    """
    for name in ("grade", "fewest_turns", "depth", "depth_any", "depth_secrets"):
        if name == "depth_secrets" and proved.depth_secrets is None:
            continue  # time ran out
        if getattr(claimed, name) != getattr(proved, name):
            return f"{name} is {getattr(claimed, name)!r}; the proof gives {getattr(proved, name)!r}"
    part = slice_of(ground(task))
    if claimed.grade == "solvable" and (fault := check_policy(part.whole, claimed.policy)):
        return f"its policy fails: {fault}"
    if claimed.depth_any and not _is_refuted(_for_any(part), claimed.depth_any - 1, claimed.contrast, False, seconds):
        return f"depth {claimed.depth_any - 1} is not refuted in its contrast worlds"
    if parts := two_parts(task):
        part = slice_of(ground(parts.core))  # what minds fail in the core, they fail in the task
    worlds = tuple(dict.fromkeys(map(part.world, claimed.contrast_plain)))
    is_proved = claimed.is_tight or not claimed.depth
    if not is_proved and not _is_refuted(part.ground, (claimed.depth or 0) - 1, worlds, True, seconds):
        return f"depth {(claimed.depth or 0) - 1} is not refuted in its contrast_plain worlds"
    return ""


def _is_refuted(house: Ground, depth: int, worlds: Sequence[World], is_plain: bool, seconds: float) -> bool:
    """Whether no minds of a depth solve all of some worlds."""
    search = Search(house, depth, is_plain=is_plain, seconds=seconds)
    return search.find([world for world in house.task.worlds if world in worlds], seconds).is_solvable is False


def digest_of(task: Task) -> str:
    """A hash of everything that is played or scored; only names, certificate and provenance are left out."""
    content: dict[str, Any] = asdict(task)
    for name in ("id", "title", "certificate", "provenance"):
        content.pop(name)
    return sha256(repr(sorted(content.items())).encode()).hexdigest()[:16]


def certificate_content(proved: Certificate) -> dict[str, Any]:
    """A certificate as plain data, for the task's file."""
    content = {name: value for name, value in vars(proved).items() if name != "impossible"}
    content |= {name: [list(world) for world in content[name]] for name in ("contrast", "contrast_plain")}
    content |= {"policy": [[[act_content(act) for act in turn] for turn in turns] for turns in proved.policy]}
    return content | {"seal": _seal(content)}


def _seal(content: Mapping[str, Any]) -> str:
    """A hash of a certificate, so that an edited label is noticed."""
    plain = {name: value for name, value in content.items() if name != "seal"}
    return sha256(dumps(plain, sort_keys=True, default=str).encode()).hexdigest()[:16]


def fault_of(task: Task) -> str:
    """Why the certificate in a task's file cannot be used, found without a proof; empty if it can."""
    if not task.certificate:
        return "it has no certificate"
    if task.certificate.get("digest") != digest_of(task):
        return "it was changed after it was certified"
    return "" if task.certificate.get("seal") == _seal(task.certificate) else "its certificate was edited"


def stored_certificate(task: Task) -> Certificate | None:
    """The certificate in a task's file; ``None`` if there is none, or task or certificate were changed since.

    Raises:
        UserError: if it cannot be read.
    """
    return None if fault_of(task) else claimed_certificate(task)


def claimed_certificate(task: Task) -> Certificate | None:
    """What the certificate in a task's file claims, even if it was edited or is of another task; ``None`` if none.

    Raises:
        UserError: if it cannot be read.
    """
    if not task.certificate:
        return None
    content = {name: value for name, value in task.certificate.items() if name != "seal"}
    try:
        return _read(task, content, f"task {task.id!r}: certificate")
    except UserError as error:
        raise UserError(f"{error}; prove it again with 'otherminds verify --write'") from error


def _read(task: Task, content: Mapping[str, Any], path: str) -> Certificate:
    """A certificate from plain data, with every field checked."""

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
    stored = Certificate(**record(content, path, readers))
    worlds, people = len(task.worlds), len(task.people)
    is_whole = len(stored.policy) == worlds and all(
        len(turns) == task.horizon and all(len(turn) == people for turn in turns) for turns in stored.policy
    )
    if (stored.policy or stored.grade == "solvable") and not is_whole:
        raise UserError(f"{path}.policy does not have {worlds} worlds, {task.horizon} turns and {people} people")
    if stored.grade == "solvable" and stored.depth is None:
        raise wrong(f"{path}.depth", None, "a whole number for a solvable task")
    return stored
