"""Evolution: a pool of items that a panel of minds fails, bred from fresh ones, each proved and played.

A world takes part with a :class:`Breeder`, registered as kind ``breeder``. The first items of a pool are fresh. Every
later step draws parents, most often among items that the panel failed, changes or crosses them, checks the result,
lets the panel play it and keeps it if the measured pass rate lies in the wanted band. No group of similar items may
take more of the pool than its share.

A pool is a folder: ``config.json``, ``steps.jsonl`` (a row for each step), the items of ``first/`` and ``evolved/``
with their lineage, and ``held_out.jsonl``. A step depends on the seed, its number and the files before it alone, so
that a run which was killed resumes to the same bytes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from otherminds.core.errors import UserError
from otherminds.core.files import remove_temporary, write_whole
from otherminds.core.json_lines import JsonLines, Row, read_rows, to_json
from otherminds.core.mind import Mind
from otherminds.core.seeds import Draw, child_seed
from otherminds.core.world import World
from otherminds.minds.find import is_spoken, minds_for, seated
from otherminds.minds.play_all import play_all
from otherminds.run.breeder import Breeder, Refused

C = TypeVar("C")
FRESH, CROSS = "fresh", "cross"  # the operators of every world, beside its own
CROSSES = 0.2  # share of children with two parents
PASSED = 0.5  # least pass rate of an item that counts as passed
_TINY = 1e-9  # shares are sums of fractions
SPARE = 2  # items by which a group of similar items may exceed its share, so that small pools can start
FIRST, EVOLVED = "first", "evolved"  # the two parts of a pool


@dataclass(frozen=True)
class Plan:
    """What a pool depends on, beside the world.

    Attributes:
        panel: Names of the minds that play every item.
        seed: Seed of everything that is left to chance.
        failures: Share of parents drawn from items that the panel failed.
        band: Lowest and highest pass rate of items that are kept.
        runs: Number of times that each mind plays an item.
        first: Number of fresh items.

    Raises:
        UserError: if a value is out of range.
    """

    panel: tuple[str, ...]
    seed: int = 0
    failures: float = 0.8
    band: tuple[float, float] = (0.0, 0.34)
    runs: int = 3
    first: int = 150

    def __post_init__(self) -> None:
        if not self.panel:
            raise UserError("the panel is empty; name at least one mind with --against")
        if not 0 <= self.failures <= 1:
            raise UserError(f"--failures is {self.failures}; expected a probability from 0 to 1")
        low, high = self.band
        if not 0 <= low <= high <= 1:
            raise UserError(f"--band is {low:g},{high:g}; expected two pass rates from 0 to 1, the lower one first")
        if self.runs < 1 or self.first < 1:
            raise UserError(f"runs is {self.runs} and first is {self.first}; expected at least 1")


class Member(NamedTuple):
    """An item of a pool."""

    name: str
    part: str  # first or evolved
    generation: int
    pass_rate: float


@dataclass
class Evolution(Generic[C]):
    """A pool in the making.

    Args:
        world: World of the items.
        breeder: Its breeder.
        plan: What the pool depends on.
        out: Folder of the pool.
        models: Options of language models; see :func:`otherminds.minds.find.seated`.

    Raises:
        UserError: if the folder holds something else, or a pool with another plan.
    """

    world: World
    breeder: Breeder[C]
    plan: Plan
    out: Path
    settings: Mapping[str, Any] = field(default_factory=dict)
    models: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rows: list[Row] = []
        self.members: list[Member] = []
        self._names: dict[str, str] = {}  # by key
        self._niches = Counter[tuple[str, str]]()  # by part and niche
        self._num_counted = 0  # members
        self._known: dict[str, C] = {}
        self._minds: dict[tuple[str, tuple[str, ...]], dict[str, Mind]] = {}
        config = json.loads(to_json({"world": self.world.id, "settings": self.settings, **asdict(self.plan)}))
        path = self.out / "config.json"
        if path.exists():
            _check_same(path, config)
        elif self.out.exists() and any(file for file in self.out.iterdir() if not file.name.startswith(".")):
            raise UserError(f"{self.out} exists and is not a pool; choose another --out")
        else:
            write_whole(path, to_json(config, indent=1) + "\n")

    def run(self, size: int, steps: int, on_step: Callable[[Row], None] = lambda _: None) -> None:
        """Take steps until the pool has so many evolved items, or the number of steps is reached.

        Args:
            size: Number of evolved items.
            steps: Most steps of the pool in all.
            on_step: Called with the row of each step, taken now or before.
        """
        with closing(JsonLines(self.out / "steps.jsonl", b'{"step":', "the record of a pool")) as log:
            for folder in (self.out, self.out / FIRST, self.out / EVOLVED):
                remove_temporary(folder)
            for row in read_rows(log.path)[len(self.rows) :]:
                self._take(row)
                on_step(row)
            while self.count(EVOLVED) < size and len(self.rows) < steps:
                row = self._step(len(self.rows) + 1)
                log.append(row)  # after the file of the item, so that every row has its file
                self._take(row)
                on_step(row)
            log.sync()

    def count(self, part: str) -> int:
        """The number of items of a part of the pool."""
        return sum(member.part == part for member in self.members)

    def of(self, part: str) -> list[Member]:
        """The items of a part of the pool."""
        return [member for member in self.members if member.part == part]

    def read(self, name: str) -> C:
        """An item of the pool, from its file."""
        if name not in self._known:
            self._known[name] = self.breeder.read(self.path(name))
        return self._known[name]

    def path(self, name: str) -> Path:
        """The file of an item."""
        return self.out / name.partition("-")[0] / f"{name}{self.breeder.suffix}"

    def make(self, step: int, operator: str, parents: Sequence[str]) -> C:
        """The item of a step, made again from the step, operator and parents of its lineage, with its proofs.

        Raises:
            Refused: if there is none.
        """
        return self.breeder.confirm(self.breeder.check(self._draw(step, operator, parents)))

    def _draw(self, step: int, operator: str, parents: Sequence[str]) -> C:
        """The candidate of a step, without proofs."""
        draw, given = Draw(self.plan.seed, f"evolve/{step}/make"), [self.read(name) for name in parents]
        if operator == FRESH:
            return self.breeder.fresh(draw)
        if operator == CROSS:
            return self.breeder.cross(given[0], given[1], draw)
        return self.breeder.mutate(given[0], operator, draw)

    def play(self, candidate: C, mind: str, label: str, most: float = 1.0) -> float:
        """The share of episodes that a mind passes, over all runs of an item. Another label gives other seeds.

        Once it exceeds ``most``, no further runs are played, and those that are left count as failed.
        """
        passed: list[bool] = []
        episodes = 0
        for run in range(self.plan.runs):
            items, seed = self.breeder.items(candidate, run), child_seed(self.plan.seed, f"evolve/{label}/{run}")
            specs = dict.fromkeys(self.world.seats_of(items[0]), mind)
            if is_spoken(mind, self.world):
                with seated(self.world, specs, **self.models) as minds:
                    played = play_all(self.world, specs, items, seed=seed, seating=lambda *_, m=minds: m)
            else:
                played = play_all(self.world, specs, items, seed=seed, seating=self._seated)
            passed += [bool(episode.end and episode.end["outcome"]["success"]) for episode in played]
            episodes = len(items) * self.plan.runs
            if sum(passed) / episodes > most + _TINY:
                break
        return sum(passed) / episodes

    def _seated(self, world: World, specs: Mapping[str, str]) -> dict[str, Mind]:
        """Minds that were made before, as trained ones take long to load."""
        known = next(iter(specs.values())), tuple(specs)
        if known not in self._minds:
            self._minds[known] = minds_for(world, specs)
        return self._minds[known]

    def _step(self, number: int) -> Row:
        operator, parents = self._choose(Draw(self.plan.seed, f"evolve/{number}/choose"))
        part = FIRST if operator == FRESH else EVOLVED
        generations = {member.name: member.generation for member in self.members}
        self._count_niches()
        row: Row = {"step": number, "operator": operator, "parents": parents, "name": ""}
        try:
            candidate = self._draw(number, operator, parents)
            for niche, share in self.breeder.niches(candidate).items():
                if self._niches[part, niche] >= share * (self.count(part) + 1) + SPARE:
                    raise Refused(f"the pool already has enough of {niche}")
            candidate = self.breeder.check(candidate)
            key = self.breeder.key(candidate)
            if part == EVOLVED and key in self._names:  # fresh items are a sample, so that none is left out
                raise Refused(f"a near-duplicate of {self._names[key]}")
        except Refused as refused:
            return {**row, "against": str(refused)}
        low, high = self.plan.band
        rates: dict[str, float] = {}
        rate = 0.0
        for mind in self.plan.panel:
            left = high * len(self.plan.panel) - sum(rates.values()) if part == EVOLVED else 1.0
            rates[mind] = self.play(candidate, mind, f"{number}/play", left)
            rate = sum(rates.values()) / len(self.plan.panel)
            if part == EVOLVED and rate > high:
                break  # it cannot fall again: a least rate is enough to refuse it
        row |= {"generation": max((generations[name] + 1 for name in parents), default=0)}
        row |= {"pass_rate": rate, "panel": rates, "key": key, "against": ""}
        if part == EVOLVED and not low <= rate <= high:
            return {**row, "against": f"pass rate outside the band {low:g} to {high:g}"}
        try:
            candidate = self.breeder.confirm(candidate)
        except Refused as refused:
            return {**row, "against": str(refused)}
        row["name"] = f"{part}-{self.count(part) + 1}"
        lineage = {name: row[name] for name in ("parents", "operator", "step", "generation", "pass_rate", "panel")}
        lineage["seed"] = self.plan.seed
        write_whole(self.path(row["name"]), self.breeder.text(candidate, row["name"], lineage))
        return row

    def _count_niches(self) -> None:
        """Count the groups of the items that have come since the last time."""
        for member in self.members[self._num_counted :]:
            self._niches.update((member.part, niche) for niche in self.breeder.niches(self.read(member.name)))
        self._num_counted = len(self.members)

    def _choose(self, draw: Draw) -> tuple[str, list[str]]:
        """The operator of a step and the names of the parents."""
        if self.count(FIRST) < self.plan.first:
            return FRESH, []
        failed = [member.name for member in self.members if member.pass_rate < PASSED]
        passed = [member.name for member in self.members if member.pass_rate >= PASSED]
        is_crossed = draw.happens(CROSSES) and len(self.members) > 1
        parents: list[str] = []
        for _ in range(1 + is_crossed):
            wanted, others = (failed, passed) if draw.happens(self.plan.failures) else (passed, failed)
            free = [[name for name in names if name not in parents] for names in (wanted, others)]
            parents.append(draw.pick(free[0] or free[1]))
        return (CROSS if is_crossed else draw.pick(self.breeder.operators)), parents

    def _take(self, row: Row) -> None:
        """Add a step to what is known of the pool."""
        self.rows.append(row)
        if name := row["name"]:
            self.members.append(Member(name, name.partition("-")[0], row["generation"], row["pass_rate"]))
            self._names.setdefault(row["key"], name)


def _check_same(path: Path, config: Mapping[str, Any]) -> None:
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UserError(f"cannot read {path} ({error}); choose another --out") from error
    for name, value in config.items():
        found = known.get(name) if isinstance(known, dict) else None
        if found != value:
            raise UserError(
                f"{path.parent} is a pool with {name} {found!r}, not {value!r}; run its original command to resume it, "
                f"or choose another --out"
            )
