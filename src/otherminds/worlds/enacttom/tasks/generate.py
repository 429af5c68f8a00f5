"""Generates certified tasks: furnishes skeletons, proves and judges the result, and keeps what is new (spec 8).

A slot is a place in the set, for a task of one skeleton. Candidates are drawn for it one by one until one is kept. They
depend on the seed and the slot alone, so that an interrupted command can be run again to resume.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from otherminds.core.errors import UserError, either
from otherminds.core.files import write_whole
from otherminds.core.seeds import Draw, child_seed
from otherminds.core.world import Item
from otherminds.minds.play_all import play_all
from otherminds.worlds.enacttom.tasks.canonical import canonical
from otherminds.worlds.enacttom.tasks.read import read_task
from otherminds.worlds.enacttom.tasks.skeletons.furnish import furnish
from otherminds.worlds.enacttom.tasks.skeletons.plots import Blueprint, blueprint, blueprints
from otherminds.worlds.enacttom.tasks.skeletons.scene import Unfit
from otherminds.worlds.enacttom.tasks.suite import Sitting, contrast_of
from otherminds.worlds.enacttom.tasks.write import task_text
from otherminds.worlds.enacttom.types import Task, World
from otherminds.worlds.enacttom.verify.certify import certificate_content, certify, stored_certificate
from otherminds.worlds.enacttom.verify.judge import Judge
from otherminds.worlds.enacttom.world import EnactToM

SECONDS = 60.0  # the time limit of each question to the solver
CANDIDATES = 10  # the most that are drawn for one slot
DEPTHS = (1, 2, 3)
_MIXED = 3  # one task of so many has private goals
_VALUES = (2, 3, 4)  # how many values the secret of a job may have
_SHALLOW = "greedy"  # must fail tasks of depth 2 and more
_DEEP = 2
_GUESSES = 5  # how often it may try, with other guesses


@dataclass(frozen=True)
class Slot:
    """A place in a set, for a task of a skeleton; ``is_mixed`` if somebody has a private goal."""

    name: str
    skeleton: Blueprint
    is_mixed: bool = False


@dataclass(frozen=True)
class Candidate:
    """A task that was drawn for a slot, and the reason why it is not kept; empty if it is kept."""

    slot: str
    number: int
    task: Task | None  # ``None`` if the house that was drawn has no place for the skeleton
    against: str = ""


class Filled(NamedTuple):
    """What became of a slot: whether its file was there before, and the candidates that were drawn if it was not."""

    slot: Slot
    was_there: bool
    tries: tuple[Candidate, ...] = ()

    @property
    def is_written(self) -> bool:
        """Whether the last candidate was kept and written."""
        return bool(self.tries) and not self.tries[-1].against


def slots(
    number: int, seed: int = 0, *, name: str = "task", depths: Sequence[int] = DEPTHS, skeletons: Sequence[str] = ()
) -> list[Slot]:
    """The slots of a set: depths in turn, and of each depth all skeletons in turn, in an order drawn by the seed.

    Args:
        number: how many tasks.
        seed: of the set.
        name: the beginning of the names of its tasks.
        depths: the depths that the skeletons are meant to have.
        skeletons: names of skeletons, or of plots, which stand for all their skeletons. [default: all]

    Raises:
        UserError: if there is no such skeleton or depth.
    """
    known = [plan for name in skeletons for plan in _named(name)] if skeletons else blueprints()
    queues: dict[int, list[Blueprint]] = {}
    for depth in depths:
        mine = [plan for plan in known if plan.depth == depth]
        if not mine and not skeletons:
            raise UserError(f"there is no skeleton of depth {depth}; expected {either(DEPTHS)}")
        if mine:
            queues[depth] = Draw(seed, f"enacttom/order/{depth}").some(mine, len(mine))
    wanted = []
    for at in range(number):
        depth = list(queues)[at % len(queues)]
        queue = queues[depth]
        plan = queue[at // len(queues) % len(queue)]
        wanted.append(Slot(f"{name}-{at + 1:03}", plan, is_mixed=at // len(queues) % _MIXED == 0))
    return wanted


def _named(name: str) -> list[Blueprint]:
    return [plan for plan in blueprints() if plan.plot == name] or [blueprint(name)]


def candidates(slot: Slot, seed: int, known: Mapping[str, str], seconds: float = SECONDS) -> Iterator[Candidate]:
    """Draw candidates for a slot until one is kept, which is the last one yielded.

    Args:
        slot: the slot.
        seed: the seed of the whole set.
        known: the names of the tasks in the set so far, by their canonical form; copies of them are not kept.
        seconds: the time limit of each question to the solver.
    """
    for number in range(1, CANDIDATES + 1):
        draw = Draw(seed, f"enacttom/{slot.name}/{number}")
        values = draw.pick(_VALUES)
        try:
            task = furnish(slot.skeleton, draw, slot.name, values=values, is_mixed=slot.is_mixed)
        except Unfit as error:
            yield Candidate(slot.name, number, None, str(error))
            continue
        if (same := canonical(task)) in known:
            yield Candidate(slot.name, number, task, f"the same as {known[same]} except for names and order")
            continue
        about = {"skeleton": slot.skeleton.name, "seed": seed, "candidate": number, "values": values}
        examined = examine(replace(task, provenance=about), slot.skeleton.depth, seconds)
        yield Candidate(slot.name, number, *examined)
        if not examined[1]:
            return


def examine(task: Task, depth: int, seconds: float = SECONDS) -> tuple[Task, str]:
    """The task with its certificate and verdicts, and the reason why it is not kept; empty if it is."""
    proved, against = prove(task, depth, seconds)
    return (proved, against) if against else judge(proved, seconds)


def prove(task: Task, depth: int, seconds: float = SECONDS) -> tuple[Task, str]:
    """The task with its certificate, and what speaks against it; empty if nothing does."""
    swept = f"{_SHALLOW}, which has no theory of mind, solves every contrast world"
    if depth >= _DEEP and _is_swept(task, task.worlds):
        return task, swept
    try:
        proved = certify(task, seconds=seconds)
    except UserError as error:
        return task, str(error)
    task = replace(task, certificate=certificate_content(proved))
    if proved.depth != depth:
        return task, f"depth {proved.depth} ({proved.grade}) instead of {depth}"
    if proved.is_tight and proved.depth >= _DEEP and _is_swept(task, contrast_of(task, proved)):
        return task, swept
    return task, ""


def judge(task: Task, seconds: float = SECONDS) -> tuple[Task, str]:
    """A proved task with the verdicts of the judge, and the first verdict against it; empty if there is none."""
    proved = stored_certificate(task)
    if proved is None:
        raise UserError(f"task {task.id!r} has no valid certificate; prove it with 'otherminds verify'")
    verdicts = []
    for verdict in Judge(task, proved, seconds).verdicts():
        if not verdict.is_met:
            return task, f"{verdict.criterion}: {verdict.reason}"
        verdicts.append(verdict._asdict())
    return replace(task, provenance={**task.provenance, "judged": verdicts}), ""


def _is_swept(task: Task, worlds: Sequence[World]) -> bool:
    """Whether a mind without theory of mind solves all of some worlds, with one of a few seeds."""
    items = [Item(str(at), Sitting(task, world, probes=False, number=at)) for at, world in enumerate(worlds)]
    specs = dict.fromkeys(task.names, _SHALLOW)
    return any(
        all(
            episode.end and episode.end["outcome"]["success"]
            for item in items
            for episode in play_all(EnactToM(task), specs, [item], seed=child_seed(seed, item.id))
        )
        for seed in range(_GUESSES)
    )


def fill(folder: Path, wanted: Sequence[Slot], seed: int, seconds: float = SECONDS) -> Iterator[Filled]:
    """Fill slots with tasks, one file each, and skip slots whose file exists.

    Raises:
        UserError: if the folder holds a task of another seed or skeleton.
    """
    known: dict[str, str] = {}
    for slot in wanted:
        path = folder / f"{slot.name}.yaml"
        if path.exists():
            task = read_task(path)
            made = {"seed": seed, "skeleton": slot.skeleton.name}
            for field, value in made.items():
                if task.provenance.get(field) != value:
                    other = task.provenance.get(field)
                    raise UserError(f"{path} was made with {field} {other!r}, not {value!r}; choose another folder")
            known.setdefault(canonical(task), slot.name)
    for slot in wanted:
        path = folder / f"{slot.name}.yaml"
        if path.exists():
            yield Filled(slot, was_there=True)
            continue
        filled = Filled(slot, False, tuple(candidates(slot, seed, known, seconds)))
        if filled.is_written and (kept := filled.tries[-1].task):
            known[canonical(kept)] = slot.name
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(path, task_text(kept))
        yield filled
