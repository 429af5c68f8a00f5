"""Reads a task's public text back into a task, so that text and task can be compared (criterion 4 of the judge)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom import texts
from otherminds.worlds.enacttom.build import ground
from otherminds.worlds.enacttom.formulas import split_literal
from otherminds.worlds.enacttom.mechanics import listed
from otherminds.worlds.enacttom.sentences import Fields, from_words, in_words, read_formula
from otherminds.worlds.enacttom.texts import ANYTHING, FORMS, GOAL, NOBODY, NOTHING, RULES, SAYING, SORTS, USE
from otherminds.worlds.enacttom.types import (
    Door,
    Formula,
    Furniture,
    Mechanic,
    Note,
    Person,
    Room,
    Secret,
    Talk,
    Task,
    Thing,
    World,
    every_world,
)  # fmt: skip

_LISTS = ("doors", "furniture", "things", "people", "notes", "mechanics", "never", "audible")


def understood(text: str) -> Task:
    """The task that a public text describes, as far as it is public; compare with :func:`public_part`.

    Raises:
        UserError: if a line of it says nothing that a task could be, or something is missing.
    """
    try:
        return _understood(text)
    except (KeyError, IndexError, ValueError) as error:
        if isinstance(error, UserError):
            raise
        raise UserError(f"the text does not describe a whole task: {error!r}") from error


def _understood(text: str) -> Task:
    parts: dict[str, list[Any]] = {}
    goal = []
    for line in text.splitlines():
        if re.match(r" *- ", line):
            goal.append(line)
        elif line in SAYING.values():
            parts.setdefault("kinds", []).append(line)
        elif line and not line.startswith("#") and line not in (*RULES, GOAL, NOBODY, NOTHING):
            part, one = _read_line(line)
            if part == "raises":
                before = parts["mechanics"].pop()
                if before.kind != "commit":
                    raise UserError(f"the line {line!r} does not follow what it is about")
                part, one = "mechanics", Mechanic(before.kind, {**before.fields, **one})
            parts.setdefault(part, []).append(one)
    secrets, private, speaking = (parts.get(name, []) for name in ("secrets", "private", "talk"))
    lists: dict[str, Any] = {name: tuple(parts.get(name, ())) for name in _LISTS}
    for part, is_needed in {"horizon": True, "rooms": True, "message": speaking, "worlds": secrets}.items():
        if is_needed and part not in parts:
            raise UserError(f"the text says nothing of {part}")
    ((fanout, atoms),) = parts.get("message", [(1, 1)])
    return Task(
        id="",
        title="",
        category="mixed" if private else "cooperative",
        horizon=parts["horizon"][0],
        rooms=tuple(Room(name) for name in parts["rooms"][0]),
        secrets=tuple(secrets),
        worlds=_worlds(secrets, parts.get("worlds", [])),
        goal=read_formula(goal),
        talk=Talk(
            {name: listeners for name, listeners, _ in speaking},
            {name: budget for name, _, budget in speaking},
            atoms,
            fanout,
            "each" if "cost" in parts else "one",
            dict(parts.get("windows", [])),
            tuple(kind for kind, sentence in SAYING.items() if sentence in parts.get("kinds", ())),
        ),
        private=dict.fromkeys(private, ""),
        **lists,
    )


def public_part(task: Task) -> Task:
    """A task without what is private or of no effect, and with one way of saying each thing."""
    can = task.speakers
    talk = task.talk
    said = Talk(
        {name: tuple(talk.channels[name]) for name in can},
        {name: talk.budgets[name] for name in can},
        talk.atoms if can else 1,
        talk.fanout if can else 1,
        talk.broadcast_cost if can and talk.fanout > 1 else "one",
        {name: turns for name, turns in talk.windows.items() if name in can},
        tuple(kind for kind in SAYING if kind in talk.kinds) if can else (),
    )
    limits = [
        Mechanic("room_restriction", {"agents": [name], "rooms": rooms})
        for name in task.names
        if (rooms := task.barred(name))
    ]
    moving = ground(task).index
    return replace(
        task,
        id="",
        title="",
        category="mixed" if task.private else "cooperative",
        rooms=tuple(Room(room.name) for room in task.rooms),
        doors=tuple(one if f"open {one.name}" in moving else replace(one, is_open=True) for one in task.doors),
        furniture=tuple(_as_kind(one) for one in task.furniture),
        worlds=tuple(sorted(task.worlds)),
        goal=_plain(task.goal),
        mechanics=(*limits, *(one for mechanic in task.mechanics for one in _as_said(mechanic))),
        talk=said,
        private=dict.fromkeys((name for name in task.names if name in task.private), ""),
        wishes=(),
        audible=tuple(_same(label) for label in task.audible),
        certificate={},
        provenance={},
    )


def _as_kind(one: Furniture) -> Furniture:
    """Without states that its kind does not have."""
    opens, switches = one.kind == "container", one.kind == "switch"
    return replace(one, is_open=one.is_open and opens, is_locked=one.is_locked and opens, is_on=one.is_on and switches)


def _same(literal: str) -> str:
    """A literal, spaced as it is read back."""
    return from_words(in_words(literal))


def _plain(formula: Formula) -> Formula:
    if isinstance(formula, str):
        return _same(formula)
    ((kind, parts),) = formula.items()
    return {kind: _plain(parts) if kind == "not" else [_plain(part) for part in parts]}


def _as_said(mechanic: Mechanic) -> list[Mechanic]:
    """A mechanic in the one form that it is read back in; none for those that are said elsewhere."""
    kind, fields = mechanic.kind, dict(mechanic.fields)
    if kind in texts.SETTLED:
        return []
    if kind == "remote_control":
        fields = {**fields, "delay": int(fields.get("delay", 0))}
    elif kind == "state_mirroring":
        fields = {"between": list(fields["between"]), "one_way": bool(fields.get("one_way", False))}
    elif kind != "inverse_state":
        for name in ("furniture", "verbs", "turns"):
            if name in fields:
                fields[name] = listed(fields[name])
        if kind == "commit":
            fields["furniture"] = fields["furniture"][0]
        for name in ("while", "when"):
            if name in fields:
                fields[name] = [_same(literal) for literal in listed(fields[name])]
        if not fields.get("when", True):
            fields.pop("when")
    return [Mechanic(kind, fields)]


Built = tuple[str, Any]  # which part of a task a sentence belongs to, and what it adds to it


def _door(said: Fields, one_way: bool = False) -> Built:
    is_open, is_locked = _state(said["state"])
    return "doors", Door(said["name"], (said["first"], said["second"]), is_open, is_locked, one_way)


def _state(words: str) -> tuple[bool, bool]:
    """Whether something is open, and locked."""
    return words.startswith(("open", "always open")), words.endswith("locked")


def _stateful(said: Fields) -> Built:
    name, room = said["name"], said["room"]
    if said["kind"] == "switch":
        return "furniture", Furniture(name, "switch", room, is_on=said["state"] == "on")
    is_open, is_locked = _state(said["state"])
    return "furniture", Furniture(name, "container", room, is_open, is_locked)


def _plain_furniture(said: Fields) -> Built:
    kind: Any = said["kind"]
    return "furniture", Furniture(said["name"], kind, said["room"])


def _place(words: str) -> tuple[str, str]:
    """A thing and its place, such as ``cup`` and ``on shelf``."""
    name, (thing, place) = split_literal(from_words(words))
    return thing, f"{name} {place}"


def _hidden(said: Fields) -> Built:
    places = [_place(part.partition(", ")[2])[1] for part in said["places"].split("; ")]
    return "things", Thing(said["thing"], places[0], said["secret"], tuple(places))


def _secret(said: Fields) -> Built:
    (sort,) = (sort for sort, words in SORTS.items() if words == said["sort"])
    return "secrets", Secret(said["name"], _split(said["values"]), sort)  # type: ignore[arg-type]


def _note(said: Fields) -> Built:
    *knower, about = said["what"].removeprefix("that ").split(" knows ")
    chain = tuple(one.removeprefix("that ") for one in knower)
    when = tuple(_values(said["when"])) if "when" in said else ()
    return "notes", Note(said["to"], about.removeprefix("what ").removesuffix(" is"), chain, when)


def _values(words: str) -> list[tuple[str, str]]:
    """Secrets with their values."""
    return [(secret, value) for secret, value in (split_literal(one)[1] for one in _literals(words))]


def _literals(words: str) -> list[str]:
    return [from_words(one) for one in words.split(" and ")]


def _control(said: Fields) -> Built:
    trigger = said["trigger"]
    trigger = f"${trigger[1:-1]}" if trigger.startswith("[") else trigger
    return "mechanics", Mechanic("remote_control", {**said, "trigger": trigger, "delay": int(said.get("delay", 0))})


def _mirror(said: Fields) -> Built:
    fields = {"between": [said["first"], said["second"]], "one_way": "first_again" in said}
    return "mechanics", Mechanic("state_mirroring", fields)


def _limit(kind: str, said: Fields) -> Built:
    """A window or an interlock."""
    furniture = list(_split(said["furniture"]))
    fields: dict[str, Any] = {} if furniture == [ANYTHING] else {"furniture": furniture}
    fields |= _verbs(said)
    fields |= (
        {"while": _literals(said["said"])} if "said" in said else {"turns": [int(said["first"]), int(said["last"])]}
    )
    return "mechanics", Mechanic(kind, fields)


def _verbs(said: Fields) -> dict[str, Any]:
    return {} if said["verbs"] == USE else {"verbs": list(_split(said["verbs"]))}


def _raises(said: Fields) -> Built:
    """What the last committing place does besides."""
    return "raises", {"raises": said["flag"], **({"when": _literals(said["said"])} if "said" in said else {})}


def _barred(said: Fields) -> Built:
    return "mechanics", Mechanic("room_restriction", {"agents": [said["name"]], "rooms": list(_split(said["rooms"]))})


# What each sentence adds to the task.
_READERS: dict[str, Callable[[Fields], Built]] = {
    "turns": lambda said: ("horizon", int(said["turns"])),
    "rooms": lambda said: ("rooms", _split(said["rooms"])),
    "door": _door,
    "one_way": lambda said: _door(said, one_way=True),
    "plain": _plain_furniture,
    "stateful": _stateful,
    "sign": lambda said: ("furniture", Furniture(said["name"], "sign", said["room"], shows=said["secret"])),
    "thing": lambda said: ("things", Thing(*_place(said["said"]))),
    "hidden": _hidden,
    "person": lambda said: ("people", Person(said["name"], said["room"], _split(said["verbs"]))),
    "barred": _barred,
    "talk": lambda said: ("talk", (said["name"], _split(said["listeners"]), int(said["budget"]))),
    "talk_window": lambda said: ("windows", (said["name"], (int(said["first"]), int(said["last"])))),
    "message": lambda said: ("message", (int(said["fanout"]), int(said["atoms"]))),
    "cost": lambda said: ("cost", "each"),  # noqa: ARG005
    "secret": _secret,
    "world": lambda said: ("worlds", dict(_values(said["said"]))),
    "worlds": lambda said: ("worlds", None),  # noqa: ARG005
    "note": _note,
    "note_when": _note,
    "remote_control": _control,
    "remote_later": _control,
    "mirror": _mirror,
    "mirror_one_way": _mirror,
    "inverse_state": lambda said: ("mechanics", Mechanic("inverse_state", dict(said))),
    "time_window": lambda said: _limit("time_window", said),
    "interlock": lambda said: _limit("interlock", said),
    "commit": lambda said: ("mechanics", Mechanic("commit", {"furniture": said["furniture"], **_verbs(said)})),
    "raises": _raises,
    "raises_when": _raises,
    "audible": lambda said: ("audible", from_words(said["said"])),
    "never": lambda said: ("never", said["flag"]),
    "private": lambda said: ("private", said["name"]),
}


def _read_line(line: str) -> Built:
    matches = [(name, said) for name, form in FORMS.items() if (said := form.read(line)) is not None]
    if len(matches) != 1:
        how = f"in several ways ({', '.join(name for name, _ in matches)})" if matches else "as nothing of a task"
        raise UserError(f"the line {line!r} can be read {how}")
    name, said = matches[0]
    return _READERS[name](said)


def _split(names: str) -> tuple[str, ...]:
    return tuple(names.split(", "))


def _worlds(secrets: Sequence[Secret], listed: Sequence[dict[str, str] | None]) -> tuple[World, ...]:
    """All combinations, or those that are listed."""
    if not listed or listed == [None]:
        return every_world(secrets)
    return tuple(
        tuple(secret.values.index(world[secret.name]) for secret in secrets) for world in listed if world is not None
    )
