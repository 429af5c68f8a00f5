"""Do two independent readers find the failures in EnactToM's episodes that the rules find (spec 6.5)?

``sample`` writes failed episodes in plain words, without labels, for readers; ``compare`` says how far their readings
agree with each other and with the rules, as they were then or, with ``--relabel``, as they are now.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

# Run as a script, it would only find its neighbours.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.enacttom_cases import case_text, guide_text
from otherminds.core.errors import UserError, nearest
from otherminds.core.files import read_text, write_whole
from otherminds.core.json_lines import read_rows, to_json
from otherminds.core.match import play_one
from otherminds.core.mind import Mind
from otherminds.core.seeds import Draw, child_seed
from otherminds.core.summary import mean
from otherminds.minds.find import find_mind
from otherminds.results.statistics import kappa
from otherminds.results.table import Table
from otherminds.worlds.enacttom.act_form import sayable
from otherminds.worlds.enacttom.evals.episode_analysis import EpisodeAnalysis, analyse
from otherminds.worlds.enacttom.evals.failures import LABELS, failures
from otherminds.worlds.enacttom.messages import WAIT, Act, Message
from otherminds.worlds.enacttom.minds.base import Resident
from otherminds.worlds.enacttom.observe import Percept
from otherminds.worlds.enacttom.probes.questions import CANNOT_TELL, ProbeQuestion
from otherminds.worlds.enacttom.session import Opening
from otherminds.worlds.enacttom.tasks.read import task_names
from otherminds.worlds.enacttom.world import EnactToM

CARELESS = "careless"
MINDS = (
    "greedy",
    "random",
    "selfish:depth=2",
    "discloser:depth=2",
    "bounded:depth=2,memory=2,lookahead=3,slip=0.3",
    "tracker:depth=1",
    "decoupled",
    CARELESS,
)
POOL, LARGEST = 8, 32  # failed episodes to choose from for each case; more than the first if a label is rare
ROUNDS = 100  # most episodes of a task that are played to find them
LEAST = 3  # occurrences of a label that counts in the mean
PAIRS = ("between readings", "reading 1 and rules", "reading 2 and rules", "both readings and rules")
Labels = Mapping[str, Sequence[str]]  # by case


class Careless(Resident):
    """Acts at random, repeats what was refused, and speaks to people out of its reach.

    No other mind here makes these faults, but language models do.
    """

    name = CARELESS

    def start(self, opening: Opening) -> None:
        self._refused: Act = ""
        self._others = [other for other in range(len(opening.ground.task.people)) if other != opening.agent]

    def follow(self, own: Act, percept: Percept) -> None:
        self._refused = own if percept.refused else ""

    def act(self, turn: int) -> Act:
        draw, atoms = Draw(self._seed, f"{CARELESS}/{turn}"), sayable(self._ground, self._agent)
        if self._refused and draw.happens(0.7):
            return self._refused
        if atoms and draw.happens(0.3):
            return Message(self._agent, (draw.pick(self._others),), (draw.pick(atoms),))
        return draw.pick([WAIT, *self._ground.by_name[self._agent]])

    def report(self, probe: ProbeQuestion) -> str:
        return CANNOT_TELL


@dataclass(frozen=True)
class Found:
    """A failed episode and its labels by the rules."""

    analysis: EpisodeAnalysis
    labels: tuple[str, ...]

    @property
    def task(self) -> str:
        """The name of its task."""
        return self.analysis.ground.task.id


def failed(seed: int, tasks: Sequence[str]) -> Iterator[Found]:
    """Failed episodes of all tasks in turn, none twice. At least half of the teams are of one mind."""
    told: set[Any] = set()
    for turn in range(ROUNDS):
        for name in Draw(seed, f"tasks/{turn}").some(tasks, len(tasks)):
            world, draw = EnactToM(name), Draw(seed, f"team/{name}/{turn}")
            alike = draw.pick(MINDS) if draw.happens(0.5) else ""
            minds = {seat: alike or draw.pick(MINDS) for seat in world.seats}
            analysis = _play(world, child_seed(seed, f"{name}/{turn}"), minds)
            key = (name, analysis.world, *(step.outcome.acts for step in analysis.steps))
            if not analysis.is_success and key not in told:
                told.add(key)
                yield Found(analysis, failures(analysis))


def _play(world: EnactToM, seed: int, minds: Mapping[str, str]) -> EpisodeAnalysis:
    return analyse(play_one(world.open(seed), {seat: _mind(spec, world, seat) for seat, spec in minds.items()}))


def _mind(spec: str, world: EnactToM, seat: str) -> Mind:
    return Careless() if spec == CARELESS else find_mind(spec, world, seat)


def relabelled(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The labels that the rules give now to a case of a sample, played again.

    Raises:
        UserError: if it is played in another world.
    """
    analysis = _play(EnactToM(row["task"]), row["seed"], row["minds"])
    if list(analysis.world) != row["world"]:
        raise UserError(f"{row['case']} now has the world {list(analysis.world)}; expected {row['world']}: sample anew")
    return failures(analysis)


def chosen(pool: Sequence[Found], number: int) -> list[Found]:
    """So many episodes of a pool, from as many tasks as possible.

    Each label that occurs is in at least a tenth of them where the pool allows it, and none in more than half.

    Raises:
        UserError: if the pool has too few.
    """
    left, kept = list(pool), list[Found]()
    in_pool = Counter(label for found in pool for label in found.labels)
    while len(kept) < number:
        times = Counter(label for found in kept for label in found.labels)
        free = [found for found in left if all(times[label] < max(1, number // 2) for label in found.labels)]
        if not free:
            raise UserError(f"only {len(kept)} of {len(pool)} episodes fit the sample; expected {number}: lower it")
        # Rare labels go first: episodes with common ones are left for later.
        short = [label for label in in_pool if times[label] < _quota(number)]
        for label in sorted(short, key=lambda one: in_pool[one]):
            if fitting := [found for found in free if label in found.labels]:
                free = fitting
                break
        tasks = Counter(found.task for found in kept)
        kept.append(min(free, key=lambda found: tasks[found.task]))  # the first of the least used task
        left.remove(kept[-1])
    return kept


def _quota(number: int) -> int:
    """How many cases are to have each label, if they can be found."""
    return max(1, number // 10)


def sample(folder: Path, number: int, seed: int, tasks: Sequence[str]) -> list[dict[str, Any]]:
    """Write a sample of failed episodes for readers, and the labels that the rules give them; the rows of the latter.

    Raises:
        UserError: if there are cases in the folder, there are too few failures, or the files cannot be written.
    """
    if number < 1:
        raise UserError(f"the number of cases is {number}; expected at least 1")
    if (folder / "cases.jsonl").exists():
        raise UserError(f"{folder} holds a sample already; choose another folder or remove it")
    pool: list[Found] = []
    times: Counter[str] = Counter()
    for found in islice(failed(seed, tasks), LARGEST * number):
        pool.append(found)
        times.update(found.labels)
        if len(pool) % number == 0:
            print(f"{len(pool)} failed episodes of {POOL * number} to {LARGEST * number}", file=sys.stderr)
        if len(pool) >= POOL * number and min(times.values(), default=0) >= _quota(number):
            break
    cases = chosen(pool, number)
    Draw(seed, "order").shuffle(cases)
    rows = []
    for at, found in enumerate(cases, 1):
        case, episode = f"case-{at:02}", found.analysis.episode
        write_whole(folder / f"{case}.txt", case_text(case, found.analysis))
        about = {"task": found.task, "world": list(found.analysis.world), "seed": episode.seed, "minds": episode.minds}
        rows.append({"case": case, **about, "labels": list(found.labels)})
    write_whole(folder / "guide.txt", guide_text())
    write_whole(folder / "cases.jsonl", "".join(f"{to_json(row)}\n" for row in rows))
    return rows


def read_reading(path: Path, cases: Sequence[str]) -> dict[str, list[str]]:
    """The labels of each case by a reader.

    Raises:
        UserError: if the file does not give known labels to exactly these cases.
    """
    expected = 'an object such as {"case-01": ["guess"], "case-02": []}'
    try:
        reading = json.loads(read_text(path, expected))
    except json.JSONDecodeError as error:
        raise UserError(f"{path} is not JSON ({error}); expected {expected}") from None
    if not isinstance(reading, dict) or not all(isinstance(labels, list) for labels in reading.values()):
        raise UserError(f"{path} holds something else; expected {expected}")
    if reading.keys() != set(cases):
        wrong = ", ".join(sorted(reading.keys() ^ set(cases)))
        raise UserError(f"{path} lacks these cases, or they are not in the sample: {wrong}; expected each case once")
    for case, labels in reading.items():
        for label in labels:
            if label not in LABELS:
                raise UserError(f"{path}: {case} has the label {label!r}, which is not known{nearest(label, LABELS)}")
    return reading


def compare(rules: Labels, first: Labels, second: Labels) -> dict[str, Any]:
    """How far two readings and the rules agree on each label, by Cohen's kappa, with the disagreements by case.

    Returns:
        ``labels``: for each label, how often the rules and the readings give it, and kappa of each pair. The last pair
        sets the rules against what both readings say, on the cases where these say the same (``agreed``). ``mean``:
        the mean of each kappa over the labels that the rules or a reading give to at least three cases.
        ``disagreements``: for each case, the sources of each label that not all three give.
    """
    sources = {"rules": rules, "reading 1": first, "reading 2": second}
    found: dict[str, dict[str, Any]] = {}
    for label in LABELS:
        is_so = {name: [int(label in labels[case]) for case in rules] for name, labels in sources.items()}
        rated, one, two = is_so.values()
        both = [(rule, said) for rule, said, other in zip(rated, one, two, strict=True) if said == other]
        pairs = ((one, two), (one, rated), (two, rated), ([said for _, said in both], [rule for rule, _ in both]))
        kappas = {name: kappa(*pair) for name, pair in zip(PAIRS, pairs, strict=True)}
        found[label] = {"counts": {name: sum(said) for name, said in is_so.items()}, "agreed": len(both), **kappas}
    frequent = [row for row in found.values() if max(row["counts"].values()) >= LEAST]
    disagreements = {}
    for case in rules:
        given = {label: [name for name, labels in sources.items() if label in labels[case]] for label in LABELS}
        if split := {label: by for label, by in given.items() if 0 < len(by) < len(sources)}:
            disagreements[case] = split
    return {
        "cases": len(rules),
        "labels": found,
        "mean": {pair: mean(row[pair] for row in frequent if row[pair] is not None) for pair in PAIRS},
        "disagreements": disagreements,
    }


def report(found: Mapping[str, Any]) -> str:
    """A comparison for people."""
    rows = [
        {"label": label, **row["counts"], "agreed": row["agreed"], **{pair: row[pair] for pair in PAIRS}}
        for label, row in found["labels"].items()
    ]
    average = {"label": f"mean of labels given at least {LEAST} times", **found["mean"]}
    lines = [
        f"Cohen's kappa over {found['cases']} cases. 'agreed': cases where both readings say the same of the label;",
        "the last column is of these alone.",
        Table.of("Cohen's kappa", [*rows, average]).to_markdown(),
        "Labels that not all three give:",
    ]
    for case, split in found["disagreements"].items():
        lines.append(f"{case}: " + "; ".join(f"{label} (only {' and '.join(by)})" for label, by in split.items()))
    return "\n".join(lines)


def main() -> None:
    """Write a sample, or compare readings of one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    sampling = commands.add_parser("sample", help="write failed episodes for readers")
    sampling.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="new folder of the sample")
    sampling.add_argument("--number", type=int, default=40, help="of cases [default: 40]")
    sampling.add_argument("--seed", type=int, default=0, help="[default: 0]")
    sampling.add_argument("--tasks", nargs="+", default=task_names(), metavar="TASK", help="[default: all shipped]")
    sampling.set_defaults(run=_sample)
    comparing = commands.add_parser("compare", help="compare two readings with each other and with the rules")
    comparing.add_argument("folder", type=Path, metavar="FOLDER", help="folder of the sample")
    comparing.add_argument("readings", type=Path, nargs=2, metavar="READING", help="JSON file of a reader's labels")
    comparing.add_argument("--relabel", action="store_true", help="play the cases again, and label by the rules of now")
    comparing.add_argument("--record", type=Path, metavar="FILE", help="file for the figures")
    comparing.set_defaults(run=_compare)
    given = parser.parse_args()
    run: Callable[[argparse.Namespace], None] = given.run
    try:
        run(given)
    except UserError as error:
        parser.error(str(error))


def _sample(given: argparse.Namespace) -> None:
    rows = sample(given.out, given.number, given.seed, given.tasks)
    times = Counter(label for row in rows for label in row["labels"] or ["none"])
    print(f"{len(rows)} cases in {given.out}")
    print("\n".join(f"{label}: {times[label]}" for label in (*LABELS, "none")))


def _compare(given: argparse.Namespace) -> None:
    rows = read_rows(given.folder / "cases.jsonl")
    rules = {row["case"]: relabelled(row) if given.relabel else row["labels"] for row in rows}
    if not rules:
        raise UserError(f"{given.folder} has no cases.jsonl; expected the folder that 'sample' wrote")
    found = compare(rules, *(read_reading(path, list(rules)) for path in given.readings))
    print(report(found))
    if given.record:
        command = f"benchmarks/enacttom_labels.py compare FOLDER READING READING{' --relabel' * given.relabel}"
        write_whole(given.record, to_json({"command": command, **found}, 1) + "\n")


if __name__ == "__main__":
    main()
