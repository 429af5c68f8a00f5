"""Small episodes made by hand: minds that do what they are told, and answer what they are told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.mind import BaseMind, Reply
from otherminds.core.world import Ask
from otherminds.minds.play_all import play_all
from otherminds.worlds.enacttom.evals.episode_analysis import analyse
from otherminds.worlds.enacttom.evals.scores import TaskRuns
from otherminds.worlds.enacttom.messages import Act, Message
from otherminds.worlds.enacttom.probes.questions import CANNOT_TELL
from otherminds.worlds.enacttom.rules import WAIT
from otherminds.worlds.enacttom.session import numbered
from otherminds.worlds.enacttom.tasks.suite import Entry, items_of
from otherminds.worlds.enacttom.types import Task, World
from otherminds.worlds.enacttom.world import EnactToM
from tests.worlds.enacttom.playing import play

ANN, BEN, CLEO = 0, 1, 2


@dataclass
class Told(BaseMind):
    """Does one act after the other, and then waits; answers by what is asked."""

    acts: list[Act]
    answers: dict[tuple[Any, ...], str] = field(default_factory=dict)  # by kind, chain and secret
    otherwise: str = CANNOT_TELL
    name: str = "told"

    def reply(self, ask: Ask) -> Reply:
        if ask.probe is None:
            return Reply(self.acts[ask.turn - 1] if ask.turn <= len(self.acts) else WAIT)
        probe = numbered(ask.view.data, ask.probe)
        return Reply(self.answers.get((probe.kind, probe.chain, probe.secret), self.otherwise))


def played(task: Task, world: World, *seats: Told | list[Act]) -> Episode:
    """An episode of what each is told to do; who is not named waits."""
    people = [seat if isinstance(seat, Told) else Told(seat) for seat in seats]
    people += [Told([]) for _ in range(len(task.people) - len(people))]
    return play(task, world, people, probes=True)


def says(sender: int, to: int, *atom: str) -> Message:
    return Message(sender, (to,), (atom,))


def placing(table: str, wait: int = 0) -> list[Act]:
    """What Ben does to put the cup somewhere."""
    return ["pick(cup)", "navigate(kitchen)", *[WAIT] * wait, f"place(cup, on, {table})"]


def run_minds(
    entries: Entry | Sequence[Entry], mind: str, folder: Path | None = None, seed: int = 0
) -> dict[str, list[Episode]]:
    """The episodes of one mind in all seats of tasks, in their contrast worlds, by task."""
    found = {}
    for entry in [entries] if isinstance(entries, Entry) else entries:
        world, items = EnactToM(entry.task), list(items_of(entry, seed=seed))
        where = folder / f"{mind}.jsonl" if folder else None
        found[entry.task.id] = play_all(world, dict.fromkeys(world.seats, mind), items, seed=seed, record=where)
    return found


def score_tasks(entries: Sequence[Entry], episodes: Mapping[str, Sequence[Episode]]) -> list[TaskRuns]:
    """The scored episodes of a team, task by task."""
    return [TaskRuns(entry, tuple(map(analyse, episodes[entry.task.id]))) for entry in entries]
