"""Generates certified tasks: draws candidates from families, proves and judges them, and keeps new ones (spec 8).

A slot is a place in the set, for one kind of task. Candidates are drawn for it one by one until one is kept. They
depend on the seed and the slot alone, so that an interrupted command can be run again to resume.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from otherminds.core.errors import UserError
from otherminds.core.files import write_whole
from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom import TASKS
from otherminds.worlds.enacttom.tasks.canonical import canonical
from otherminds.worlds.enacttom.tasks.families.chain import one_link, two_links
from otherminds.worlds.enacttom.tasks.families.delegation import able, informed, message, stale
from otherminds.worlds.enacttom.tasks.families.mixed import mixed
from otherminds.worlds.enacttom.tasks.families.parts import Content
from otherminds.worlds.enacttom.tasks.families.placement import placement
from otherminds.worlds.enacttom.tasks.families.relay import handed_on, trusted
from otherminds.worlds.enacttom.tasks.read import parse_task, read_task
from otherminds.worlds.enacttom.tasks.write import plain, task_text
from otherminds.worlds.enacttom.types import Task
from otherminds.worlds.enacttom.verify.certify import certificate_content, certify
from otherminds.worlds.enacttom.verify.judge import Judge

SECONDS = 60.0  # the time limit of each question to the solver
CANDIDATES = 12  # the most that are drawn for one slot


@dataclass(frozen=True)
class Kind:
    """A kind of task.

    Attributes:
        family: the name of its family, one of F1 to F7.
        depth: the depth that its tasks must have; others are not kept.
        make: a function that draws a task.
        choices: the possible values of each parameter of ``make``.
    """

    family: str
    depth: int
    make: Callable[..., Content]
    choices: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    def parameters(self) -> list[dict[str, Any]]:
        """All combinations of parameters."""
        return [dict(zip(self.choices, chosen, strict=True)) for chosen in product(*self.choices.values())]


_BOOLS = (False, True)
_HEARD = [(), ("near",), ("far",), ("near", "far")]
KINDS: dict[str, Kind] = {
    "placement": Kind("placement", 1, placement, {"gate": ["none"], "values": [3, 4, 5], "is_noted": _BOOLS}),
    "lock": Kind("placement", 1, placement, {"gate": ["lock"], "values": [3, 4]}),
    "mirror": Kind("placement", 1, placement, {"gate": ["mirror"], "values": [3, 4]}),
    "able": Kind("delegation", 1, able, {"values": [2, 3, 4], "helpers": [2, 3]}),
    "informed": Kind("delegation", 2, informed, {"values": [3], "is_noted": _BOOLS}),
    "message": Kind("message", 2, message, {"values": [(2, 2), (2, 3), (3, 2), (3, 3), (2, 4)], "says_so": _BOOLS}),
    "handed_on": Kind("relay", 1, handed_on, {"values": [3, 4, 5], "relays": [1, 2], "is_noted": _BOOLS}),
    "trusted": Kind("relay", 3, trusted, {"values": [2, 3], "is_later": _BOOLS}),
    "one_link": Kind("chain", 2, one_link, {"values": [2, 3, 4], "is_witnessed": _BOOLS, "is_heard": _BOOLS}),
    "two_links": Kind("chain", 3, two_links, {"values": [2, 3, 4], "heard": _HEARD, "in_turn": _BOOLS}),
    "stale": Kind("stale", 2, stale, {"values": [2, 3], "says_so": _BOOLS, "has_box": _BOOLS}),
    "mixed_1": Kind("mixed", 1, mixed, {"base": ["placement", "able"], "values": [3, 4]}),
    "mixed_2": Kind("mixed", 2, mixed, {"base": ["one_link", "informed"], "values": [2, 3]}),
    "mixed_3": Kind("mixed", 3, mixed, {"base": ["two_links", "trusted"], "values": [2, 3]}),
}
# The first benchmark: 61 tasks, no family more than a quarter of them.
FIRST = {kind: TASKS[kind][0] for kind in KINDS}


@dataclass(frozen=True)
class Candidate:
    """A task that was drawn for a slot, and the reason why it is not kept; empty if it is kept."""

    slot: str
    number: int
    task: Task
    against: str = ""
    is_copy: bool = False  # of a task in the set


class Filled(NamedTuple):
    """What became of a slot: whether its file was there before, and the candidates that were drawn if it was not."""

    slot: str
    kind: str
    was_there: bool
    tries: tuple[Candidate, ...] = ()

    @property
    def is_written(self) -> bool:
        """Whether the last candidate was kept and written."""
        return bool(self.tries) and not self.tries[-1].against


def slots(counts: Mapping[str, int] = FIRST) -> list[tuple[str, str]]:
    """The slots of a set, each by its name and kind.

    Raises:
        UserError: if there is no such kind.
    """
    for kind in counts:
        if kind not in KINDS:
            raise UserError(f"there is no kind of task {kind!r}; expected {', '.join(KINDS)}")
    return [(f"{kind}-{number + 1}", kind) for kind, count in counts.items() for number in range(count)]


def candidates(
    slot: str, kind: str, seed: int, known: Mapping[str, str], seconds: float = SECONDS
) -> Iterator[Candidate]:
    """Draw candidates for a slot until one is kept, which is the last one yielded.

    Args:
        slot: the name of the slot.
        kind: the kind of task.
        seed: the seed of the whole set.
        known: the names of the tasks in the set so far, by their canonical form; copies of them are not kept.
        seconds: the time limit of each question to the solver.
    """
    draw = Draw(seed, f"enacttom/slot/{slot}")
    order = KINDS[kind].parameters()
    draw.shuffle(order)
    tried = 0
    for number, parameters in enumerate(order, start=1):
        task = parse_task({"id": slot, **KINDS[kind].make(draw, **parameters)})
        if (same := canonical(task)) in known:
            yield Candidate(slot, number, task, f"the same as {known[same]} but for names and order", is_copy=True)
            continue
        if tried == CANDIDATES:
            return
        tried += 1
        about = {"family": KINDS[kind].family, "kind": kind, "seed": seed, "parameters": plain(parameters)}
        examined = examine(replace(task, provenance=about), KINDS[kind].depth, seconds)
        yield Candidate(slot, number, *examined)
        if not examined[1]:
            return


def examine(task: Task, depth: int, seconds: float = SECONDS) -> tuple[Task, str]:
    """The task with its certificate and verdicts, and the reason why it is not kept; empty if it is."""
    try:
        proved = certify(task, seconds=seconds)
    except UserError as error:
        return task, str(error)
    task = replace(task, certificate=certificate_content(proved))
    if proved.depth != depth:
        return task, f"depth {proved.depth} ({proved.grade}) instead of {depth}"
    verdicts = []
    for verdict in Judge(task, proved, seconds).verdicts():
        if not verdict.is_met:
            return task, f"{verdict.criterion}: {verdict.reason}"
        verdicts.append(verdict._asdict())
    return replace(task, provenance={**task.provenance, "judged": verdicts}), ""


def fill(folder: Path, wanted: Sequence[tuple[str, str]], seed: int, seconds: float = SECONDS) -> Iterator[Filled]:
    """Fill slots with tasks, one file each, and skip slots whose file exists.

    Raises:
        UserError: if the folder holds a task of another seed.
    """
    known: dict[str, str] = {}
    for slot, _ in wanted:
        path = folder / f"{slot}.yaml"
        if path.exists():
            task = read_task(path)
            if task.provenance.get("seed") != seed:
                other = task.provenance.get("seed")
                raise UserError(f"{path} was made with seed {other}, not {seed}; choose another folder")
            known.setdefault(canonical(task), slot)
    for slot, kind in wanted:
        path = folder / f"{slot}.yaml"
        if path.exists():
            yield Filled(slot, kind, was_there=True)
            continue
        filled = Filled(slot, kind, False, tuple(candidates(slot, kind, seed, known, seconds)))
        if filled.is_written:
            task = filled.tries[-1].task
            known[canonical(task)] = slot
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(path, task_text(task))
        yield filled
