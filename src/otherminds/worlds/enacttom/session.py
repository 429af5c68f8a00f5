"""A session of one episode: everybody acts at once, and is asked in passing what it knows.

Acts are held while the probes before them are answered. An act that the house refuses is not asked for again.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from otherminds.core import world as core
from otherminds.core.episodes import Episode
from otherminds.core.mind import Briefing, Reply
from otherminds.core.seeds import child_seed
from otherminds.core.world import Ask, Outcome, Script, Session
from otherminds.worlds.enacttom import rules
from otherminds.worlds.enacttom.act_form import ActForm, answer_form
from otherminds.worlds.enacttom.formulas import is_reached, progress
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.messages import Message, act_content, cost
from otherminds.worlds.enacttom.observe import Note, Percept, opening, perceive_all
from otherminds.worlds.enacttom.probes.questions import ProbeQuestion, options
from otherminds.worlds.enacttom.probes.schedule import Asking, PosedQuestion
from otherminds.worlds.enacttom.rules import WAIT, State, begin, is_over, step
from otherminds.worlds.enacttom.text.task_text import acts_text, opening_text, percept_text, probe_text, public_text
from otherminds.worlds.enacttom.types import Task, World

WORLD = "enacttom-v0"
_GAP = "\n\n"  # between paragraphs
DECISION, END = "decision", "end"  # the moments of probes
_Lines = Generator[Sequence[Ask], Mapping[str, Reply], list[dict[str, Any]]]  # yields asks, returns lines of the record
_STREAMS = {"decoupled": "greedy"}  # decoupled minds act as greedy ones do, draw for draw


@dataclass(frozen=True)
class Moment:
    """The house after a turn, and the outcome of the turn; before the first turn there is none."""

    state: State
    outcome: rules.TurnResult | None
    line: Mapping[str, Any]  # the turn's line of the record


class Opening(NamedTuple):
    """What a person perceives before the first turn."""

    ground: Ground  # the task, whose possible worlds everybody knows
    agent: int  # the number of the person
    notes: tuple[Note, ...]
    first: Percept


class HouseView(core.View):
    """What a person has perceived: ``data`` is its :class:`Opening`, ``log`` its acts, each with its percept."""

    __slots__ = ()
    data: Opening

    def text(self) -> str:
        left = self.messages_left()
        return f"{self.news()}\nMessages that you can still send: {left}." if left else self.news()

    def question(self, probe: core.Probe) -> str:
        return probe_text(self.data.ground.task, numbered(self.data, probe))

    def fields(self) -> dict[str, Any]:
        turns = self.data.ground.task.horizon
        return {"news": self.news(), "turns": turns, "messages": self.messages_left()}

    def news(self) -> str:
        """The percept of the last turn in words; before the first turn, the opening."""
        ground, agent, read, first = self.data
        return percept_text(ground, *self.log[-1]) if self.log else opening_text(ground, agent, read, first)

    def messages_left(self) -> int:
        """The number of messages that the person can still send."""
        task, name = self.data.ground.task, self.data.ground.task.names[self.data.agent]
        sent = [cost(task, act) for act, percept in self.log if isinstance(act, Message) and not percept.refused]
        return task.talk.budgets.get(name, 0) - sum(sent) if name in task.speakers else 0


def numbered(opening: Opening, probe: core.Probe) -> ProbeQuestion:
    """A probe with people and secrets by number."""
    task = opening.ground.task
    return ProbeQuestion(opening.agent, probe.kind, task.numbers(probe.chain), task.secret(probe.about))  # type: ignore[arg-type]


@lru_cache(maxsize=256)
def _furnished(ground: Ground) -> tuple[tuple[ActForm, ...], tuple[tuple[str, ...], ...]]:
    """The form of each person's acts, and the ids of the asks of each turn: the same in all episodes of a task."""
    names = ground.task.names
    ids = tuple(tuple(f"{turn}/{name}" for name in names) for turn in range(ground.task.horizon + 1))
    return tuple(ActForm(ground, agent) for agent in range(len(names))), ids


def ask_id(when: int | str, task: Task, probe: ProbeQuestion, *, is_goal: bool = False) -> str:
    """The id of a probe: the turn, the seat and the question."""
    parts = [probe.kind, *(task.names[person] for person in probe.chain), task.secrets[probe.secret].name]
    return f"{when}/{task.names[probe.asked]}/{'goal-' if is_goal else ''}{'-'.join(parts)}"


@lru_cache(maxsize=1)
def _prompt() -> str:
    """The rules for any mind: the newest prompt. Its second paragraph says how every house works."""
    return (Path(__file__).parent / "prompts" / "v2" / "rules.txt").read_text("utf-8").rstrip()


class HouseSession(Session):
    """One episode.

    Args:
        ground: the task.
        world: the world that the episode is in.
        episode: the record, without turns.
        has_probes: whether to ask probes.
    """

    def __init__(self, ground: Ground, world: World, episode: Episode, has_probes: bool = False) -> None:
        self.ground, self.world, self.has_probes = ground, world, has_probes
        self.state = begin(ground, world)
        self._happened: rules.TurnResult | None = None  # in the last turn
        people = range(len(ground.task.people))
        self._openings = tuple(Opening(ground, agent, *opening(ground, world, agent)) for agent in people)
        self._logs: list[tuple[Any, ...]] = [()] * len(people)
        super().__init__(episode)

    def script(self) -> Script:
        ground, state, turns = self.ground, self.state, self.episode.turns
        names, people = ground.task.names, range(len(ground.task.people))
        forms, ids = _furnished(ground)
        asking = Asking(ground, self.world, self.episode.seed) if self.has_probes else None
        while not is_over(ground, state):
            turn = state.turn + 1
            views = list(map(HouseView, self._openings, self._logs))
            replies = yield [Ask(ids[turn][i], names[i], turn, views[i], forms[i]) for i in people]
            acts = tuple([replies[ask].value for ask in ids[turn]])
            probes = yield from self._answers(asking.decide(state, acts), DECISION) if asking else ()
            after, outcome = step(ground, state, acts)
            percepts = perceive_all(ground, state, after, outcome)
            self._logs = [(*self._logs[i], (acts[i], percepts[i])) for i in people]
            if asking:
                asking.follow(after, outcome, percepts)
            line: dict[str, Any] = {
                "turn": turn,
                "acts": [act if type(act) is str else act_content(act) for act in acts],
                "refused": list(outcome.refused),
                "values": list(after.values),
            }
            if probes:
                line["probes"] = probes
            self.state, self._happened = after, outcome
            state = after
            turns.append(line)
        end: dict[str, Any] = {"success": is_reached(ground, state.values), "progress": progress(ground, state.values)}
        if asking:
            end["probes"] = yield from self._answers(asking.end(), END)
            end["wishes"] = yield from self._answers(asking.goals(), END, is_goal=True)
        self.episode.end = {**end, "outcome": self.outcome()._asdict()}

    def briefing(self, seat: str) -> Briefing:
        ground = self.ground

        def fields() -> dict[str, Any]:
            house, acts = public_text(ground.task), acts_text(ground, ground.task.names.index(seat))
            return {"house": house, "task": f"{_prompt().split(_GAP)[1]}{_GAP}{house}", "acts": acts}

        def rules() -> str:
            return _prompt().format(**fields())

        return Briefing(WORLD, seat, ground.task.names, ground, rules, fields)

    def default(self, ask: Ask) -> str:
        return WAIT if ask.probe is None else ""

    def outcome(self) -> Outcome:
        success = is_reached(self.ground, self.state.values)
        return Outcome(success, dict.fromkeys(self.ground.task.names, float(success)))

    def truth(self) -> Moment:
        return Moment(self.state, self._happened, self.episode.turns[-1] if self.episode.turns else {})

    def mind_seed(self, seat: str, name: str) -> int:
        kind = name.partition(":")[0]
        return child_seed(
            self.episode.seed, f"enacttom/{_STREAMS.get(kind, kind)}/{self.ground.task.names.index(seat)}"
        )

    def _ask(self, probe: ProbeQuestion, moment: str, *, is_goal: bool = False) -> Ask:
        task = self.ground.task
        about, chain = task.secrets[probe.secret].name, tuple(task.names[person] for person in probe.chain)
        return Ask(
            ask_id(END if moment == END else self.state.turn + 1, task, probe, is_goal=is_goal),
            task.names[probe.asked],
            self.state.turn + 1,
            HouseView(self._openings[probe.asked], self._logs[probe.asked]),
            answer_form(options(task, probe)),
            core.Probe(probe.kind, chain, about, moment=moment),
        )

    def _answers(self, questions: Iterable[PosedQuestion], moment: str, *, is_goal: bool = False) -> _Lines:
        """Ask questions, and return the lines of the record about the answers."""
        asks, asked = dict[str, Ask](), list[tuple[Ask, str, PosedQuestion]]()
        for question in questions:
            ask = self._ask(question.probe, moment, is_goal=is_goal)
            asks[ask.id], predicted = ask, ""
            if question.other is not None:
                other = self._ask(question.other, moment, is_goal=is_goal)
                predicted = asks.setdefault(other.id, other).id
            asked.append((ask, predicted, question))
        if not asks:
            return []
        replies = yield list(asks.values())
        return [
            self.probe_line(
                ask,
                replies[ask.id].value,
                replies[predicted].value if predicted else question.expected,
                asked=question.probe.asked,
                secret=question.probe.secret,
                **question.notes,
            )
            for ask, predicted, question in asked
        ]
