"""A breeder in miniature: items are numbers, and the coin in the box is played where a mind must be seated.

As a script it evolves a pool and kills itself before a write: ``breeding.py OUT WRITE``.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from otherminds.core import files
from otherminds.core.json_lines import JsonLines
from otherminds.core.seeds import Draw
from otherminds.core.world import Item
from otherminds.run.breeder import Refused
from otherminds.run.evolve import Evolution, Plan

PLAN = Plan(("never", "luck"), seed=3, band=(0.0, 0.3), runs=2, first=3)
SIZE, STEPS = 4, 200


class Numbers:
    """Numbers below 1,000; the higher, the harder. Multiples of 7 are not proved."""

    operators = ("add", "double")
    suffix = ".json"

    def fresh(self, draw: Draw) -> int:
        return draw.below(300)

    def mutate(self, parent: int, operator: str, draw: Draw) -> int:
        return parent + 1 + draw.below(200) if operator == "add" else 2 * parent

    def cross(self, first: int, second: int, draw: Draw) -> int:
        return (first + second) // 2

    def niches(self, candidate: int) -> Mapping[str, float]:
        return {}

    def confirm(self, candidate: int) -> int:
        return candidate

    def check(self, candidate: int) -> int:
        if candidate % 7 == 0 or candidate >= 1000:
            raise Refused("not proved")
        return candidate

    def key(self, candidate: int) -> str:
        return str(candidate // 2)

    def items(self, candidate: int, run: int) -> Sequence[Item]:
        return [Item(f"{candidate}-{run}", candidate)]

    def text(self, candidate: int, name: str, lineage: Mapping[str, Any]) -> str:
        return json.dumps({"name": name, "number": candidate, "lineage": lineage}) + "\n"

    def read(self, path: Path) -> int:
        return int(json.loads(path.read_text("utf-8"))["number"])


class Pool(Evolution[int]):
    """A pool of numbers. A mind needs luck to pass one."""

    on_play: Callable[[], None] = staticmethod(lambda: None)

    def play(self, candidate: int, mind: str, label: str, most: float = 1.0) -> float:
        self.on_play()
        draw = Draw(self.plan.seed, f"{label}/{mind}")
        is_passed = [mind == "luck" and not draw.happens(candidate / 1000) for _ in range(self.plan.runs)]
        return sum(is_passed) / len(is_passed)


def pool(out: Path, plan: Plan = PLAN, breeder: Numbers | None = None) -> Pool:
    import coin_in_the_box
    from otherminds import make

    coin_in_the_box.register_all()
    return Pool(make("coin"), breeder or Numbers(), plan, out)


def contents(folder: Path) -> dict[str, bytes]:
    """The bytes of all files."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def die_before(write: int) -> None:
    """Kill this process before the write of that number, counted over items and rows."""
    count = 0

    def counted(do: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            nonlocal count
            count += 1
            if count == write:
                os.kill(os.getpid(), signal.SIGKILL)
            return do(*arguments)

        return call

    files.write_durably = counted(files.write_durably)
    JsonLines.append = counted(JsonLines.append)  # type: ignore[method-assign]


if __name__ == "__main__":
    die_before(int(sys.argv[2]))
    pool(Path(sys.argv[1])).run(SIZE, STEPS)
