"""The house in prose: its doors, and room by room the furniture with what is on and in it; and back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.grounding import HOLDS, ground
from otherminds.worlds.enacttom.text.names import (
    Lexicon,
    in_plain_words,
    listed_words,
    name_in,
    phrases_in,
    plural,
    shared_article,
    singular,
    with_article,
)
from otherminds.worlds.enacttom.text.sentences import Voice
from otherminds.worlds.enacttom.text.statements import HOUSE
from otherminds.worlds.enacttom.types import Door, Furniture, Task, Thing

NO_DOORS = "No doors join the rooms."
FLOOR = "the floor"
_SWITCHES, _ALSO = " to switch on", "also "
_SWITCH = re.compile(r"[^(]*\bswitch\b")
_STATES = ("open", "locked", "on")
_MANY = 3  # items with the same noun that have a list of their own
_FEW = 5  # with more rooms there are no articles
_ITEM = re.compile(r"(.+?)(?: \(([^()]+)\))?")


def house_text(voice: Voice) -> Iterator[str]:
    """Sentences about doors, and then one about each room."""
    task, words = voice.task, voice.words
    moving = [door for door in task.doors if is_moving(task, door)]
    fixed = {frozenset(door.rooms): door for door in task.doors if door not in moving and not door.one_way}
    while fixed:
        ends = [room for pair in fixed for room in pair]
        hub = max((room.name for room in task.rooms), key=ends.count)
        others = [room.name for room in task.rooms if frozenset((hub, room.name)) in fixed]
        listed = listed_words(shared_article(map(words.phrase, others)))
        yield HOUSE["leads"].write(voice, room=words.phrase(hub), others=listed)
        fixed = {pair: door for pair, door in fixed.items() if hub not in pair}
    for door in task.doors:
        first, second = map(words.phrase, door.rooms)
        if door in moving:
            form = HOUSE["door_one_way" if door.one_way else "door"]
            state = ("open" if door.is_open else "closed") + (" and locked" if door.is_locked else "")
            yield form.write(voice, door=words.introduced(door.name), room=first, other=second, state=state)
        elif door.one_way:
            yield HOUSE["one_way"].write(voice, room=first, others=second)
    if not task.doors and len(task.rooms) > 1:
        yield NO_DOORS
    for room in task.rooms:
        content = "; ".join(_content(voice, room.name))
        form = HOUSE["room" if content else "empty"]
        text = voice.pick("room", form.texts if len(task.rooms) <= _FEW or not content else form.texts[1:])
        named = {"room": words.phrase(room.name), "bare": in_plain_words(room.name)}
        yield form.filled(text, words, **named, content=content)


def is_moving(task: Task, door: Door) -> bool:
    """Whether a door can ever change."""
    return f"open {door.name}" in ground(task).index


def _content(voice: Voice, room: str) -> Iterator[str]:
    """What is in a room, by kind of furniture."""
    task, words = voice.task, voice.words

    def bare(text: str) -> str:
        return text if len(task.rooms) <= _FEW else text.removeprefix("the ")

    here = [part for part in task.furniture if part.room == room]
    things = {
        part.name: [t.name for t in task.things if _place(t) == f"{HOLDS.get(part.kind)} {part.name}"] for part in here
    }
    for kind, how in HOLDS.items():
        parts = [part for part in here if part.kind == kind]
        for part in parts:
            if things[part.name]:
                yield f"{listed_words(map(in_plain_words, things[part.name]))} {how} {bare(_item(part, words))}"
        empty = [_item(part, words) for part in parts if not things[part.name]]
        for items in _by_noun(empty):
            yield f"nothing {how} {bare(_listed(items, 'or'))}"
    if floor := [thing.name for thing in task.things if _place(thing) == f"floor {room}"]:
        yield f"{listed_words(map(in_plain_words, floor))} on {FLOOR}"
    switches = [_item(part, words) for part in here if part.kind == "switch"]
    for is_clear in (True, False):  # some are called switches
        for items in _by_noun([item for item in switches if bool(_SWITCH.match(item)) is is_clear]):
            yield bare(_listed(items)) + ("" if is_clear else _SWITCHES)
    if fixtures := [_item(part, words) for part in here if part.kind == "fixture"]:
        yield f"{_ALSO}{bare(_listed(fixtures))}"
    for part in here:
        if part.kind == "sign":
            yield f"{bare(_item(part, words))}, which shows {words.known(part.shows or '')}"


def _noun(item: str) -> str:
    """The words of an item after its first one, such as *wall lamp*; empty if it has a name or state in brackets."""
    words = item.removeprefix("the ").split(" ")
    return " ".join(words[1:]) if item.startswith("the ") and "(" not in item else ""


def _by_noun(items: list[str]) -> list[list[str]]:
    """Items in lists: many with the same noun have a list of their own."""
    nouns = [_noun(item) for item in items]
    own = {noun for noun in nouns if noun and nouns.count(noun) >= _MANY}
    lists = [[item for item, noun in zip(items, nouns, strict=True) if noun not in own]]
    lists += [[item for item in items if _noun(item) == noun] for noun in dict.fromkeys(nouns) if noun in own]
    return [some for some in lists if some]


def _listed(items: list[str], word: str = "and") -> str:
    """Items as a list; a noun that all share is said once: *the red, blue and green wall lamps*."""
    noun = _noun(items[0])
    if len(items) > 1 and noun and all(_noun(item) == noun for item in items):
        which = [item.removesuffix(f" {noun}") for item in items]
        return f"{listed_words(shared_article(which), word)} {plural(noun) if word == 'and' else noun}"
    if _is_shared(items):  # it would be read as such a list
        items = [items[-1], *items[:-1]]
    return listed_words(shared_article(items), word)


def _is_shared(items: list[str]) -> bool:
    """Whether only the last item has more than one word."""
    *start, last = (item.removeprefix("the ") for item in items)
    return bool(start) and " " in last and not any(" " in item for item in start)


def _items(text: str, word: str = "and") -> list[str]:
    """The items of a list."""
    items = phrases_in(text, word)
    if not _is_shared(items):
        return items
    first, _, noun = items[-1].partition(" ")
    noun = singular(noun) if word == "and" else noun
    return [f"{item} {noun}" for item in (*items[:-1], first)]


def _place(thing: Thing) -> str:
    return "" if thing.depends_on else thing.place


def _item(part: Furniture, words: Lexicon) -> str:
    """Furniture with its name, if the phrase does not show it, and its state, if it is not closed, unlocked or off."""
    phrase = words.phrase(part.name)
    marks = [] if name_in(phrase) == part.name else [part.name]
    marks += [state for state in _STATES if getattr(part, f"is_{state}")]
    return f"{phrase} ({', '.join(marks)})" if marks else phrase


class HouseReader:
    """Collects the parts of a house from the sentences of its text, and what they are called."""

    def __init__(self, words: Lexicon) -> None:
        self.words = words
        self.rooms: dict[str, None] = {}
        self.doors: list[Door] = []
        self.furniture: list[Furniture] = []
        self.things: list[Thing] = []
        self.shown: dict[str, str] = {}  # the phrase of what each sign shows

    def read(self, line: str) -> bool:
        """Take a sentence; false if it is not about the house.

        Raises:
            UserError: if it is not well-formed.
        """
        takers: dict[str, Callable[..., Any]] = {
            "empty": self.room,
            "leads": self._leads,
            "one_way": self._one_way,
            "room": self._room,
        }
        for kind, form in HOUSE.items():
            if (fields := form.read(line, self.words)) is not None:
                takers.get(kind, partial(self._door, kind == "door_one_way"))(**fields)
                return True
        return line == NO_DOORS

    def room(self, room: str) -> str:
        """The name of a room, which is introduced by its mention."""
        name = name_in(room)
        self.rooms.setdefault(name)
        self.words.add(name, room if room.startswith("`") else f"the {in_plain_words(name)}")
        return name

    def _leads(self, room: str, others: str) -> None:
        hub = self.room(room)
        self.doors += [Door(f"{hub}-{other}", (hub, other)) for other in map(self.room, phrases_in(others))]

    def _one_way(self, room: str, others: str) -> None:
        first, second = self.room(room), self.room(others)
        self.doors.append(Door(f"{first}-{second}", (first, second), one_way=True))

    def _door(self, one_way: bool, door: str, room: str, other: str, state: str) -> None:
        name, marks = self._introduced(door)
        if marks or state.removesuffix(" and locked") not in ("open", "closed"):
            raise UserError(f"{state!r} is not the state of a door")
        rooms = self.room(room), self.room(other)
        self.doors.append(Door(name, rooms, state.startswith("open"), state.endswith("locked"), one_way))

    def _introduced(self, item: str) -> tuple[str, list[str]]:
        """The name of an item, which is introduced, and its states."""
        match = _ITEM.fullmatch(item)
        assert match  # any text fits
        phrase, marks = match[1], match[2].split(", ") if match[2] else []
        names = [mark for mark in marks if mark not in _STATES]
        phrase = with_article(f"the {phrase[4:]}" if phrase.startswith("The ") else phrase)
        name = names[0] if names else name_in(phrase)
        self.words.add(name, phrase)
        return name, [mark for mark in marks if mark in _STATES]

    def _room(self, content: str, room: str = "", bare: str = "") -> None:
        here = self.room(room or bare)
        for part in content.split("; "):
            self._segment(part, here)

    def _segment(self, text: str, room: str) -> None:
        if text.startswith(_ALSO):
            for item in _items(text.removeprefix(_ALSO)):
                self._add(item, "fixture", room)
            return
        switches = text.removesuffix(_SWITCHES) if text.endswith(_SWITCHES) else ""
        if switches or all(map(_SWITCH.match, phrases_in(text))):
            for item in _items(switches or text):
                self._add(item, "switch", room)
            return
        if match := re.fullmatch(r"(.+), which shows (.+)", text):
            self.shown[self._add(match[1], "sign", room)] = match[2]
            return
        match = re.fullmatch(r"(.+?) (on|in) (.+)", text)
        if not match:
            raise UserError(f"{text!r} says nothing about {room}")
        if match[3] == FLOOR:
            self._put(match[1], f"floor {room}")
        elif match[1] == "nothing":
            for item in _items(match[3], "or"):
                self._add(item, "surface" if match[2] == "on" else "container", room)
        else:
            name = self._add(match[3], "surface" if match[2] == "on" else "container", room)
            self._put(match[1], f"{match[2]} {name}")

    def _add(self, item: str, kind: Any, room: str) -> str:
        name, states = self._introduced(item)
        is_open, is_locked, is_on = (state in states for state in _STATES)
        self.furniture.append(Furniture(name, kind, room, is_open, is_locked, is_on))
        return name

    def _put(self, things: str, place: str) -> None:
        for phrase in phrases_in(things):
            self.thing(name_in(phrase), place)

    def thing(self, name: str, place: str, depends_on: str | None = None, places: tuple[str, ...] = ()) -> None:
        """Add a thing."""
        self.words.add(name, self.words.thing_phrase(name))
        self.things.append(Thing(name, place, depends_on, places))
