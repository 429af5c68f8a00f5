"""What a record carries besides its turns, checked once before anything is made of it: players, notes, questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, get_args

from otherminds.core.episodes import Episode
from otherminds.worlds.enacttom.fields import items, number, one_of, text, wrong, yes_no
from otherminds.worlds.enacttom.probes import Kind, Probe, options
from otherminds.worlds.enacttom.types import Task

_LENGTHS = {"value": (0,), "thinks": (1,), "knows": (1, 2)}  # of the chains of each kind of question
_NOTES: dict[str, Callable[[Any, str], Any]] = {
    "team": text,
    "run": lambda value, where: number(value, where, 0),
    "tries": lambda value, where: number(value, where, 1),
    "depth": lambda value, where: None if value is None else number(value, where, 0),
    "grade": text,
    "split": text,
}


def check_header(episode: Episode) -> None:
    """Refuse players without names, and notes that are not what scores take them for.

    Raises:
        UserError: names the field.
    """
    where = f"episode {episode.id!r}"
    for here, player in items(episode.players, f"{where}: players"):
        text(player, here)
    for field, read in _NOTES.items():
        if field in episode.notes:
            read(episode.notes[field], f"{where}: notes.{field}")


def check_carried(task: Task, episode: Episode) -> None:
    """Refuse a record whose players, notes or questions do not fit its task.

    Raises:
        UserError: names the turn and the field.
    """
    where = f"episode {episode.id!r}"
    check_header(episode)
    if len(episode.players) != len(task.people):
        raise wrong(f"{where}: players", episode.players, f"one for each of {len(task.people)} people")
    for here, world in items(episode.notes.get("worlds", []), f"{where}: notes.worlds"):
        if not isinstance(world, list) or tuple(world) not in task.worlds:
            raise wrong(here, world, "a world of the task")
    for number_, line in enumerate(episode.turns, 1):
        _check_probes(task, line, f"{where}, turn {number_}: probes", "decision")
    end = episode.end or {}
    _check_probes(task, end, f"{where}, end: probes", "end")
    for here, wish in items(end.get("wishes", []), f"{where}, end: wishes"):
        probe_of(task, wish, here, DEEPER)
        for field in ("given", "expected" if "expected" in wish else "wanted"):  # its name in older records
            _said(wish, field, here)
        yes_no(wish.get("is_reached"), f"{here}.is_reached")


DEEPER = {**_LENGTHS, "knows": tuple(range(1, 8))}  # a K-goal may go on for longer than what is asked in passing


def _check_probes(task: Task, line: Mapping[str, Any], where: str, moment: str) -> None:
    for here, one in items(line.get("probes", []), where):
        probe = probe_of(task, one, here)
        known = options(task, probe)
        if one.get("options") != list(known):
            raise wrong(f"{here}.options", one.get("options"), f"{', '.join(known)}")
        one_of(one.get("moment"), (moment,), f"{here}.moment")
        one_of(one.get("expected"), known, f"{here}.expected")
        _said(one, "given", here)
        for field in ("is_needed", "is_scored"):
            yes_no(one.get(field), f"{here}.{field}")


def probe_of(task: Task, one: Any, where: str, lengths: Mapping[str, tuple[int, ...]] = _LENGTHS) -> Probe:
    """The question of a record.

    Raises:
        UserError: if it is none, or not about the task.
    """
    if not isinstance(one, Mapping):
        raise wrong(where, one, "a question with asked, kind, chain and secret")
    kind: Kind = one_of(one.get("kind"), get_args(Kind), f"{where}.kind")
    chain = [_person(task, who, at) for at, who in items(one.get("chain"), f"{where}.chain")]
    if len(chain) not in lengths[kind]:
        raise wrong(f"{where}.chain", chain, f"{' or '.join(map(str, lengths[kind]))} people for {kind!r}")
    asked = _below(one.get("asked"), len(task.people), f"{where}.asked")
    secret = _below(one.get("secret"), len(task.secrets), f"{where}.secret")
    for field, right in (("seat", task.names[asked]), ("about", task.secrets[secret].name)):  # older records lack them
        if one.get(field, right) != right:
            raise wrong(f"{where}.{field}", one[field], right)
    return Probe(asked, kind, tuple(chain), secret)


def wanted_of(wish: Mapping[str, Any]) -> Any:
    """The right answer for a K-goal, which older records call wanted."""
    return wish["expected"] if "expected" in wish else wish["wanted"]


def _person(task: Task, who: Any, where: str) -> int:
    """A person of a chain, by name or, in older records, by number."""
    if isinstance(who, str):
        return task.names.index(one_of(who, task.names, where))
    return _below(who, len(task.people), where)


def _below(value: Any, count: int, where: str) -> int:
    if type(value) is not int or not 0 <= value < count:
        raise wrong(where, value, f"a number from 0 to {count - 1}")
    return value


def _said(one: Mapping[str, Any], field: str, where: str) -> None:
    if not isinstance(one.get(field), str):
        raise wrong(f"{where}.{field}", one.get(field), "an answer in words, empty if there was none")
