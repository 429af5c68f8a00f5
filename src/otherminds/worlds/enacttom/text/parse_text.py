"""Reads a task's public text back into a task, so that text and task can be compared (criterion 4 of the judge)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.formulas import shared
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.text.clauses import OWN, formula_in, mentioned
from otherminds.worlds.enacttom.text.house_text import HouseReader, is_moving
from otherminds.worlds.enacttom.text.names import Lexicon, name_in, phrases_in
from otherminds.worlds.enacttom.text.people_text import read_people
from otherminds.worlds.enacttom.text.statements import FORMS, NOBODY, NOTHING, RULES
from otherminds.worlds.enacttom.text.task_text import AT_FIRST, SORTS, THESE, TITLES, TURNS, USUAL, any_of
from otherminds.worlds.enacttom.types import Mechanic, Person, Room, Secret, Talk, Task, World, every_world

_SENTENCES = re.compile(r"(?<=\.) (?=[A-Z`])")
_VERBS = sorted((verb for verbs in SORTS.values() for verb in verbs), key=len, reverse=True)
_SECRET = re.compile(rf"(.+?)(?: \(([^()]+)\))? ({'|'.join(_VERBS)}) (.+)\.")
_TURNS = [re.compile(re.escape(text).replace(r"\{\}", r"(\d+)")) for text in TURNS]
_TALK = ("talk_in_all", "talk", "talk_each")
_SILENT = {"wait", "done", "tell"}  # verbs that are not mentioned with a person


def understood(text: str) -> Task:
    """The task that a public text describes, as far as it is public; compare by :func:`meaning`.

    Raises:
        UserError: if a line cannot be read as part of a task, or something is missing.
    """
    try:
        task = _Reader().read(text)
        ground(task)  # its parts must fit together
        return task
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, UserError):
            raise
        raise UserError(f"the text does not describe a whole task: {error!r}") from error


class _Reader:
    """Reads the sections of a text in their order, each with what the ones before it have introduced."""

    def __init__(self) -> None:
        self.words = Lexicon()
        self.house = HouseReader(self.words)
        self.people: list[Person] = []
        self.secrets: list[Secret] = []
        self.parts: dict[str, list[Any]] = {}
        self.mechanics: list[Mechanic] = []
        self.audible: tuple[str, ...] = ()
        self.goal: list[Any] = []
        self.horizon = 0

    def read(self, text: str) -> Task:
        sections: dict[str, list[str]] = {}
        lines: list[str] = []
        for line in filter(None, text.splitlines()):
            if line.startswith("# "):
                lines = sections.setdefault(line[2:], [])
            else:
                lines += [line] if line.startswith("- ") else _SENTENCES.split(line)
        readers = dict(zip(TITLES, (self._house, self._person, self._hidden, self._rule, self._goal_part), strict=True))
        if odd := sections.keys() - readers.keys():
            raise UserError(f"the section {sorted(odd)[0]!r} is not one of {', '.join(readers)}")
        for title, read in readers.items():
            for line in sections.get(title, ()):
                read(line)
            if title == TITLES[1]:
                for part in self.house.furniture:
                    if part.kind == "switch":
                        self.words.add_switch(part.name)
        return self._task()

    def _house(self, line: str) -> None:
        if not self.house.read(line):
            raise UserError(f"the sentence {line!r} cannot be read as part of a house")

    def _person(self, line: str) -> None:
        if (held := FORMS["held"].read(line, self.words)) is not None:
            self.house.thing(name_in(held["thing"]), f"held {held['person']}")
        elif people := read_people(line, self.words):
            self.people += people
        else:
            self._statement(line, ("barred", *_TALK, "window", "message", "capacity", "cost"), NOBODY)

    def _hidden(self, line: str) -> None:
        """A note, where a hidden thing is, or else a secret."""
        if line != NOTHING and not self._found(line, ("worlds", "note", "note_when")) and not self._placed(line):
            match = _SECRET.fullmatch(line)
            if not match:
                raise UserError(f"the sentence {line!r} cannot be read as part of a task")
            phrase = re.sub("^The ", "the ", match[1])
            name = match[2] or name_in(phrase)
            values = self.words.values_in(match[4])
            self.words.add(f"${name}", phrase)
            self.words.values[name] = values
            self.secrets.append(
                Secret(
                    name, values, "objective" if match[3] in {here for here, _ in SORTS.values()} else "informational"
                )
            )

    def _placed(self, line: str) -> bool:
        """Take a sentence about a thing whose place depends on a secret."""
        if match := re.fullmatch(rf"{AT_FIRST}(.+?) (?:is|are) (in|on) (.+)\.", line[:1].lower() + line[1:]):
            thing, how, place = name_in(match[1]), match[2], match[3]
            secret = f"place_of_{thing}" if OWN.fullmatch(place) else self.words.name(place)[1:]
            places = tuple(f"{how} {value}" for value in self.words.values[secret])
            self.house.thing(thing, places[0], secret, places)
            return True
        fields = FORMS["hidden"].read(line, self.words)
        if fields is None:
            return False
        secret = fields["depends_on"][1:]
        cases = [re.fullmatch(r"(.+) \(([^()]+)\)", case) for case in phrases_in(fields["places"], "or")]
        by_value = {self.words.value_of(case[2]): self._place(case[1]) for case in cases if case}
        places = tuple(by_value[value] for value in self.words.values[secret])
        self.house.thing(name_in(fields["thing"]), places[0], secret, places)
        return True

    def _place(self, text: str) -> str:
        for start, how in (("on the floor of", "floor"), ("held by", "held"), ("on", "on"), ("in", "in")):
            if text.startswith(f"{start} "):
                return f"{how} {self.words.name(text.removeprefix(f'{start} '))}"
        raise UserError(f"{text!r} is not a place")

    def _rule(self, line: str) -> None:
        for kind, form in RULES.items():
            fields = form.read(line, self.words)
            if fields is None:
                continue
            if kind == "audible":
                self.audible = tuple(fields["literals"])
            elif kind in ("raises", "raises_when"):
                before = self.mechanics.pop() if self.mechanics else None
                if before is None or before.kind != "commit":
                    raise UserError(f"the sentence {line!r} does not follow the one that it refers to")
                self.mechanics.append(Mechanic("commit", {**before.fields, **fields}))
            else:
                self.mechanics += form.make(**fields)
            return
        raise UserError(f"the sentence {line!r} cannot be read as part of a task")

    def _goal_part(self, line: str) -> None:
        if line.startswith("- "):
            clause = line[2].lower() + line[3:].removesuffix(".")
            before = [name for part in self.goal for name in mentioned(part)]
            self.goal.append(formula_in(clause.replace(THESE, any_of(before, self.words)), self.words))
        elif match := next(filter(None, (text.fullmatch(line) for text in _TURNS)), None):
            self.horizon = int(match[1])
        else:
            self._statement(line, ("private", "privates"))

    def _statement(self, line: str, kinds: tuple[str, ...], silent: str = "") -> None:
        if line != silent and not self._found(line, kinds):
            raise UserError(f"the sentence {line!r} cannot be read as part of a task")

    def _found(self, line: str, kinds: tuple[str, ...]) -> bool:
        for kind in kinds:
            fields = FORMS[kind].read(line, self.words)
            if fields is not None:
                values = {"values": self.words.values} if kind in ("note", "note_when") else {}
                self.parts.setdefault(kind, []).append(FORMS[kind].make(**fields, **values))
                return True
        return False

    def _task(self) -> Task:
        parts, house = self.parts, self.house
        if not self.horizon or not self.goal or not self.people:
            raise UserError("the text lacks the number of turns, a goal or people; expected all three")
        talks = [talk for kind in _TALK for talk in parts.get(kind, ())]
        lines = {name: talk for talk in talks for name in talk["names"]}
        shown = {sign: self.words.secret(phrase)[1:] for sign, phrase in house.shown.items()}
        capacity = parts.get("capacity", [{"atoms": 1, "fanout": 1}])[0]
        private = [name for kind in ("private", "privates") for part in parts.get(kind, ()) for name in part["names"]]
        return Task(
            id="",
            title="",
            category="mixed" if private else "cooperative",
            horizon=self.horizon,
            rooms=tuple(map(Room, house.rooms)),
            doors=tuple(house.doors),
            furniture=tuple(replace(part, shows=shown.get(part.name)) for part in house.furniture),
            things=tuple(house.things),
            people=tuple(
                replace(person, verbs=(*person.verbs, "tell")) if person.name in lines else person
                for person in self.people
            ),
            secrets=tuple(self.secrets),
            worlds=self._worlds(),
            notes=tuple(note for kind in ("note", "note_when") for told in parts.get(kind, ()) for note in told),
            mechanics=(*self.mechanics, *(mechanic for many in parts.get("barred", ()) for mechanic in many)),
            goal={"and": self.goal},
            talk=Talk(
                {name: tuple(talk["to"]) for name, talk in lines.items()},
                {name: talk["budget"] for name, talk in lines.items()},
                capacity["atoms"],
                capacity["fanout"],
                "each" if "cost" in parts else "one",
                {name: window["turns"] for window in parts.get("window", ()) for name in window["names"]},
                tuple(parts.get("message", [{"kinds": USUAL}])[0]["kinds"]),
            ),
            private=dict.fromkeys(private, ""),
            audible=self.audible,
        )

    def _worlds(self) -> tuple[World, ...]:
        """The listed worlds, or all combinations of values."""
        listed = self.parts.get("worlds")
        if not listed:
            return every_world(self.secrets)
        values = [{secret: value for secret, (value,) in world} for world in listed[0]["worlds"]]
        return tuple(tuple(secret.values.index(world[secret.name]) for secret in self.secrets) for world in values)


def meaning(task: Task) -> dict[str, Any]:
    """Everything public about a task, in a form that does not depend on how it is expressed."""
    house_parts = {part: _sorted(getattr(task, part)) for part in ("rooms", "doors", "furniture", "things")}
    task = replace(task, **house_parts)  # type: ignore[arg-type]
    house, talk, speakers = ground(task), task.talk, task.speakers
    return {
        "horizon": task.horizon,
        "people": [(person.name, person.room, set(person.verbs) - _SILENT) for person in task.people],
        "secrets": task.secrets,
        "notes": set(task.notes),
        "furniture": [(part.name, part.kind, part.shows) for part in task.furniture],
        "doors": {
            (
                door.name if is_moving(task, door) else "",
                door.rooms if door.one_way else frozenset(door.rooms),
                door.one_way,
            )
            for door in task.doors
        },
        "barred": list(map(task.barred, task.names)),
        "house": (house.variables, house.domains, house.ticks, house.sights),
        "deeds": {replace(deed, ways=frozenset(deed.ways), effects=frozenset(deed.effects)) for deed in house.deeds},  # type: ignore[arg-type]
        "starts": house.starts,
        "audible": {test for _, test in house.audible},
        "goal": _settled(shared(house), [len(domain) for domain in house.domains]),
        "private": set(task.private),
        "lines": {name: (set(talk.channels[name]), talk.budgets[name], talk.windows.get(name)) for name in speakers},
        "messages": (talk.atoms, talk.fanout, talk.fanout > 1 and talk.broadcast_cost, set(talk.kinds))
        if speakers
        else None,
    }


def _sorted(parts: Any) -> tuple[Any, ...]:
    return tuple(sorted(parts, key=lambda part: part.name))


def _settled(formula: Any, sizes: list[int], *, is_so: bool = True) -> Any:
    """A numbered formula in one of all its equivalent orders and nestings: negations inside, no copies."""
    kind, *rest = formula
    if kind == "not":
        return _settled(rest[0], sizes, is_so=not is_so)
    if kind == "is":
        variable, value = rest
        is_other = not is_so and sizes[variable] == 2  # not one of two values is the other
        return "is", variable, 1 - value if is_other else value, is_so or is_other
    kind = kind if is_so else {"and": "or", "or": "and"}[kind]
    parts = set[Any]()
    for part in rest[0]:
        inner = _settled(part, sizes, is_so=is_so)
        parts |= inner[1] if inner[0] == kind else {inner}
    return next(iter(parts)) if len(parts) == 1 else (kind, frozenset(parts))
