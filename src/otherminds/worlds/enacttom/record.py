"""Runs as records: the way back from a record to the house, turn by turn.

A record is replayed rather than trusted: what it says of each turn and of each answer must follow from what was done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, get_args

from otherminds.core import world as core
from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.match import give_again
from otherminds.worlds.enacttom.build import ground
from otherminds.worlds.enacttom.fields import Reader, every, items, number, one_of, text, wrong, yes_no
from otherminds.worlds.enacttom.formulas import is_reached, progress
from otherminds.worlds.enacttom.ground import Ground
from otherminds.worlds.enacttom.labels import Labeller
from otherminds.worlds.enacttom.messages import Act, act_of
from otherminds.worlds.enacttom.probes import Kind, Probe, goal_probes, options
from otherminds.worlds.enacttom.read import find_task, parse_task, read_task, task_names
from otherminds.worlds.enacttom.rules import begin, is_over, step
from otherminds.worlds.enacttom.session import DECISION, END, HouseSession, Moment, ask_id
from otherminds.worlds.enacttom.types import Task, World

_LENGTHS = {"value": (0,), "thinks": (1,), "knows": (1, 2)}  # of the chains of each kind of question
_DEEPER = {**_LENGTHS, "knows": tuple(range(1, 8))}  # a K-goal may go on for longer than what is asked in passing
_NOTES: dict[str, Reader] = {
    "team": text,
    "run": number,
    "tries": partial(number, least=1),
    "depth": lambda value, where: None if value is None else number(value, where),
    "grade": text,
    "split": text,
}


@dataclass(frozen=True)
class House:
    """What a run was played in."""

    ground: Ground
    world: World


@dataclass(frozen=True)
class Played(core.Played):
    """An episode played again from its record; ``states[t]`` is the house after turn t."""

    params: House
    states: list[Moment]

    @property
    def actions(self) -> list[tuple[Act, ...]]:
        """What everybody did, a turn each."""
        return [moment.outcome.acts for moment in self.states if moment.outcome]

    def labels(self, upto: int | None = None) -> Labeller:
        """Who knows what after a turn; after the last by default."""
        labels = Labeller(self.params.ground, self.params.world)
        for moment in self.states[1 : None if upto is None else upto + 1]:
            if moment.outcome:
                labels.follow(moment.state, moment.outcome)
        return labels


def play_again(episode: Episode) -> Played:
    """Every state of a recorded run.

    Raises:
        UserError: if the record cannot be read as a run, or says something else than follows from its acts.
    """
    where = f"episode {episode.id!r}"
    house = ground(task_of(episode))
    try:
        world = tuple(episode.start["world"])
        is_known = world in house.starts
    except (KeyError, TypeError) as error:
        raise UserError(f"{where} does not say which world it was played in ({error!r})") from error
    if not is_known:
        raise UserError(f"{where} was played in world {list(world)}, which task {house.task.id!r} does not have")
    _check_form(house.task, episode)
    moments = [Moment(begin(house, world), None, {})]
    for turn, line in enumerate(episode.turns, 1):
        before = moments[-1].state
        if is_over(house, before):
            raise UserError(f"{where}: turn {turn} was played after the run had ended")
        if line.get("turn") != turn:
            raise UserError(
                f"{where}: turn {turn} is recorded as turn {line.get('turn')!r}; lines are missing or moved"
            )
        after, outcome = step(house, before, _acts(house.task, line, f"{where}, turn {turn}"))
        for name, what, right in (
            ("values", "of the house", list(after.values)),
            ("refused", "as refused", list(outcome.refused)),
        ):
            if line.get(name) != right:
                raise UserError(f"{where}, turn {turn}: what is recorded {what} does not follow from what was done")
        moments.append(Moment(after, outcome, line))
    values, end = moments[-1].state.values, episode.end
    success = is_reached(house, values)
    score = dict.fromkeys(house.task.names, float(success))
    came_to = {"success": success, "outcome": {"success": success, "score": score}, "progress": progress(house, values)}
    for name, result in came_to.items():
        if end is not None and end.get(name) != result:
            raise UserError(f"{where} says {name} {end.get(name)!r}; by its turns it is {result}")
    return Played(House(house, world), moments)


def check_answers(played: Played, episode: Episode) -> None:
    """Refuse a record with an expected answer, a mark or a reached K-goal that does not follow from its turns.

    Raises:
        UserError: names the turn and the question.
    """
    if not has_probes(episode):
        return
    fresh = Episode(episode.id, episode.world, {}, {}, episode.seed, {})
    session = HouseSession(played.params.ground, played.params.world, fresh, has_probes=True)
    task, end = played.params.ground.task, episode.end
    if end is not None:
        goals = sum(task.applies(wish, played.params.world) for wish in task.wishes)
        _same(len(end.get("wishes", ())), goals, f"episode {episode.id!r}, end: the number of wishes")
    give_again(session, replies(episode))
    if end is not None and (missing := session.asks()):
        raise UserError(f"episode {episode.id!r} has no reply to {missing[0].id}; by what was done it was asked")
    for (line, _, where), (right, _, _) in zip(_lines(episode), _lines(fresh), strict=False):
        here = f"episode {episode.id!r}, {where}: "
        for name in ("probes", "wishes"):
            lines, others = line.get(name, ()), right.get(name, ())
            _same(len(lines), len(others), f"{here}the number of {name}")
            for at, (one, other) in enumerate(zip(lines, others, strict=True)):
                for field, value in other.items():
                    _same(one.get(field), value, f"{here}{name}[{at}].{field}")


def _same(given: Any, right: Any, where: str) -> None:
    if given != right:
        raise UserError(f"{where} is {given!r}; by what was done it is {right!r}")


def has_probes(episode: Episode) -> bool:
    """Whether anybody was asked anything in passing."""
    return any("probes" in line for line in (*episode.turns, episode.end or {}))


def replies(episode: Episode) -> dict[str, Any]:
    """The recorded replies by ask id; what another said whose answer was to be predicted is what was expected."""
    task, given = task_of(episode), dict[str, Any]()
    for line in (*episode.turns, episode.end or {}):
        when = line.get("turn", END)
        given |= {f"{when}/{name}": act for name, act in zip(task.names, line.get("acts", ()), strict=False)}
        for one in (*line.get("probes", ()), *line.get("wishes", ())):
            given[one["id"]] = one["given"]
        for one in line.get("wishes", ()):
            probe = probe_of(task, one, "a K-goal", _DEEPER)
            other = goal_probes((probe.asked, *probe.chain), probe.secret)[1]
            if other is not None:
                given[ask_id(when, task.names, other, one["about"], is_goal=True)] = one["expected"]
    return given


def task_of(episode: Episode) -> Task:
    """The task of a run: as the record has it, or that of its name that comes with the package.

    Raises:
        UserError: if there is none.
    """
    content = episode.start.get("task")
    if content is not None:
        return parse_task(content, f"episode {episode.id!r}: task")
    name = str(episode.config.get("task"))
    if name not in task_names():
        raise UserError(
            f"episode {episode.id!r} is of task {name!r}, which is neither in the record nor in the package"
        )
    return read_task(find_task(name))


def _acts(task: Task, line: Mapping[str, Any], where: str) -> tuple[Act, ...]:
    acts = line.get("acts")
    if not isinstance(acts, list) or len(acts) != len(task.people):
        raise UserError(f"{where}: acts are {acts!r}; expected one for each of {len(task.people)} people")
    return tuple(act_of(task, agent, act, where) for agent, act in enumerate(acts))


def check_header(episode: Episode) -> None:
    """Refuse players without names, and notes that are not what scores take them for.

    Raises:
        UserError: names the field.
    """
    where = f"episode {episode.id!r}"
    every(list(episode.minds.values()), f"{where}: minds", text)
    for field, read in _NOTES.items():
        if field in episode.notes:
            read(episode.notes[field], f"{where}: notes.{field}")


def _check_form(task: Task, episode: Episode) -> None:
    """Refuse a record whose players, notes or questions do not fit its task, whatever was done."""
    where = f"episode {episode.id!r}"
    check_header(episode)
    if len(episode.minds) != len(task.people):
        raise wrong(f"{where}: minds", list(episode.minds.values()), f"one for each of {len(task.people)} people")
    for here, world in items(episode.notes.get("worlds", []), f"{where}: notes.worlds"):
        if not isinstance(world, list) or tuple(world) not in task.worlds:
            raise wrong(here, world, "a world of the task")
    for line, moment, at in _lines(episode):
        for here, one in items(line.get("probes", []), f"{where}, {at}: probes"):
            known = options(task, probe_of(task, one, here))
            if one.get("options") != list(known):
                raise wrong(f"{here}.options", one.get("options"), f"{', '.join(known)}")
            one_of(one.get("moment"), f"{here}.moment", (moment,))
            one_of(one.get("expected"), f"{here}.expected", known)
            for field in ("is_needed", "is_scored"):
                yes_no(one.get(field), f"{here}.{field}")
        for here, wish in items(line.get("wishes", []), f"{where}, {at}: wishes"):
            probe_of(task, wish, here, _DEEPER)
            _words(wish, "expected", here)
            yes_no(wish.get("is_reached"), f"{here}.is_reached")


def _lines(episode: Episode) -> Iterator[tuple[Mapping[str, Any], str, str]]:
    """The lines of a record with the moment of their questions."""
    for turn, line in enumerate(episode.turns, 1):
        yield line, DECISION, f"turn {turn}"
    yield episode.end or {}, END, END


def probe_of(task: Task, one: Any, where: str, lengths: Mapping[str, tuple[int, ...]] = _LENGTHS) -> Probe:
    """The question of a record.

    Raises:
        UserError: if it is none, or not about the task.
    """
    if not isinstance(one, Mapping):
        raise wrong(where, one, "a question with seat, kind, chain and about")
    kind: Kind = one_of(one.get("kind"), f"{where}.kind", get_args(Kind))
    chain = every(one.get("chain"), f"{where}.chain", partial(one_of, known=task.names))
    if len(chain) not in lengths[kind]:
        raise wrong(f"{where}.chain", chain, f"{' or '.join(map(str, lengths[kind]))} people for {kind!r}")
    asked = _below(one.get("asked"), len(task.people), f"{where}.asked")
    secret = _below(one.get("secret"), len(task.secrets), f"{where}.secret")
    for field, right in (("seat", task.names[asked]), ("about", task.secrets[secret].name)):
        if one.get(field) != right:
            raise wrong(f"{where}.{field}", one.get(field), right)
    for field in ("id", "given"):
        _words(one, field, where)
    return Probe(asked, kind, task.numbers(chain), secret)


def _below(value: Any, count: int, where: str) -> int:
    if type(value) is not int or not 0 <= value < count:
        raise wrong(where, value, f"a number from 0 to {count - 1}")
    return value


def _words(one: Mapping[str, Any], field: str, where: str) -> None:
    if not isinstance(one.get(field), str):
        raise wrong(f"{where}.{field}", one.get(field), "words, empty if there was no answer")
