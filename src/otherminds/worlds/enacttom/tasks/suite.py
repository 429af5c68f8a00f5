"""Tasks as items of a suite: each is played in its contrast worlds, at least three times as published (spec 6.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError, nearest
from otherminds.core.seeds import Draw, child_seed
from otherminds.core.world import Item
from otherminds.worlds.enacttom.tasks.read import SHIPPED, read_task, suites, task_names
from otherminds.worlds.enacttom.types import Task, World
from otherminds.worlds.enacttom.verify.certify import REASONS, Certificate, certify, fault_of, stored_certificate
from otherminds.worlds.enacttom.verify.solver import SECONDS

TRIES = 3  # episodes of a task in the published table
OTHER = "other"  # the split of tasks that belong to neither split of the benchmark


@dataclass(frozen=True)
class Entry:
    """A task of the benchmark, its proof, the worlds to play it in, its split, and what speaks against its results."""

    task: Task
    proof: Certificate
    worlds: tuple[World, ...]
    split: str = OTHER
    doubt: str = ""


@dataclass(frozen=True)
class Sitting:
    """One episode of a task: the data of an item.

    Attributes:
        task: the task.
        world: the world that the episode is in.
        probes: whether to ask probes.
        number: the number of the episode of the task; ``None`` if the suite's seed is the episode's.
        notes: further facts about the task for the record.
    """

    task: Task
    world: World
    probes: bool = True
    number: int | None = None
    notes: tuple[tuple[str, Any], ...] = ()

    def seed(self, root: int, repeat: int = 0) -> int:
        """The seed of the episode, from that of the suite."""
        if self.number is None:
            return root
        return child_seed(root, f"enacttom/run/{self.task.id}/{self.number}" + (f"/{repeat}" if repeat else ""))


def tasks_of(suite: str, *, also: Sequence[str] = ()) -> Iterator[Task]:
    """The tasks of a suite of the package, or of the files in a folder, each read when it is asked for.

    Args:
        suite: name of the suite, or path of the folder.
        also: further names that are known; errors suggest them.

    Raises:
        UserError: if there are none.
    """
    if names := task_names(suite):
        return (SHIPPED[name] for name in names)
    files = sorted(Path(suite).glob("*.yaml"))
    if not files:
        hint = nearest(suite, (*suites(), *also))
        raise UserError(f"{suite!r} is neither a suite of EnactToM nor a folder of task files{hint}")
    return map(read_task, files)


def enter(task: Task, seconds: float = SECONDS) -> Entry:
    """A task with its proof, which is searched for if the task does not carry one that fits."""
    stored = stored_certificate(task)
    proof = stored or certify(task, seconds=seconds)
    doubt = _doubt(proof)
    if task.certificate and not stored and not doubt:
        doubt = f"{fault_of(task)}; it was proved again for this evaluation: depth {proof.depth}"
    return Entry(task, proof, contrast_of(task, proof), str(task.provenance.get("split", OTHER)), doubt)


def doubt_of(task: Task) -> str:
    """The reason to doubt results in a task, according to its certificate; empty if there is none."""
    if fault := fault_of(task):
        return f"{fault}; nothing is proved about it; run 'otherminds verify' on its file"
    proof = stored_certificate(task)
    return _doubt(proof) if proof else ""


def _doubt(proof: Certificate) -> str:
    return "" if proof.verdict == "solvable" else f"it is {proof.verdict}: {REASONS[proof.verdict]}"


def contrast_of(task: Task, proof: Certificate) -> tuple[World, ...]:
    """The worlds to score in: a set in which every shallower mind fails at least once.

    Where this is proved only for minds without conventions, all worlds are played: a guess must be right in each.
    """
    return proof.contrast if proof.is_tight and proof.contrast else task.worlds


def items_of(entry: Entry, tries: int = TRIES, seed: int = 0) -> Iterator[Item]:
    """Items for the contrast worlds of a task in a random order, repeated until there are enough episodes.

    Only the episodes that count in averages have probes.
    """
    task, proof, worlds = entry.task, entry.proof, list(entry.worlds)
    Draw(seed, f"enacttom/worlds/{task.id}").shuffle(worlds)
    noted = {"grade": proof.grade, "depth": proof.depth, "split": entry.split}
    about = {**noted, "category": task.category, "people": len(task.people)}
    for number in range(max(tries, len(worlds))):
        kept = {"run": number, "tries": tries, **noted, "worlds": [list(world) for world in entry.worlds]}
        kept |= {"doubt": entry.doubt} if entry.doubt else {}
        world = worlds[number % len(worlds)]
        data = Sitting(task, world, probes=number < tries, number=number, notes=tuple(kept.items()))
        yield Item(f"{task.id}-run{number}", data, task.id, proof.depth, about)
