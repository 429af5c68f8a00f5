"""The statements of a public text: the sentence of each, and what it adds to a task when it is read back."""

from __future__ import annotations

from functools import partial
from typing import Any

from otherminds.worlds.enacttom.messages import FORMS_OF_ATOMS
from otherminds.worlds.enacttom.text.sentences import Form
from otherminds.worlds.enacttom.types import Door, Furniture, Mechanic, Note, Person, Secret, Thing

USE, ANYTHING = "use", "anything"  # any verb, any place
SORTS = {"the house": "objective", "who was told what": "informational"}


def _door(name: str, first: str, second: str, state: str, one_way: bool = False) -> Door:
    return Door(name, (first, second), *_state(state), one_way)


def _state(words: str) -> tuple[bool, bool]:
    """Whether something is open, and locked."""
    return words.startswith(("open", "always open")), words.endswith("locked")


def _stateful(name: str, kind: str, room: str, state: str) -> Furniture:
    if kind == "switch":
        return Furniture(name, "switch", room, is_on=state == "on")
    return Furniture(name, "container", room, *_state(state))


def _hidden(thing: str, depends_on: str, cases: str) -> Thing:
    places = tuple(CASE.read(case)["place"][1] for case in cases.split("; "))  # type: ignore[index]
    return Thing(thing, places[0], depends_on, places)


def _secret(name: str, sort: str, values: tuple[str, ...]) -> Secret:
    return Secret(name, values, SORTS[sort])  # type: ignore[arg-type]


def _note(to: str, what: tuple[tuple[str, ...], str], when: Any = ()) -> Note:
    return Note(to, what[1], what[0], tuple(when))


def _mechanic(kind: str, **fields: Any) -> Mechanic:
    used = {name: value for name, value in fields.items() if value not in ((USE,), (ANYTHING,))}
    return Mechanic(kind, {name: list(value) if isinstance(value, tuple) else value for name, value in used.items()})


def _rule(text: str, kind: str, **defaults: Any) -> Form:
    """A statement of a mechanic, with default values of fields that it does not mention."""
    return Form(text, "mechanics", lambda **fields: _mechanic(kind, **{**defaults, **fields}))


def _one_way(first: str, second: str, **_: str) -> Mechanic:
    return Mechanic("state_mirroring", {"between": [first, second], "one_way": True})


def _raised(verbs: Any, furniture: str, **fields: Any) -> dict[str, Any]:  # noqa: ARG001
    return fields


def _row(**fields: Any) -> tuple[Any, ...]:
    return tuple(fields.values())


def _only(**fields: Any) -> Any:
    return next(iter(fields.values()), None)


CASE = Form("if {value}, {place:place}")
FORMS = {
    "turns": Form("There are {turns:number} turns. It ends before that if all do done().", "horizon", _only),
    "rooms": Form("The rooms are {rooms:many}.", "rooms", _only),
    "door": Form("{name} is a door between {first} and {second}; it is {state:rest}.", "doors", _door),
    "one_way": Form(
        "{name} is a door from {first} to {second}, one way only; it is {state:rest}.",
        "doors",
        partial(_door, one_way=True),
    ),
    "plain": Form("{name} is a {kind} in {room}.", "furniture", Furniture),
    "stateful": Form("{name} is a {kind} in {room}; it is {state:rest}.", "furniture", _stateful),
    "sign": Form(
        "{name} is a sign in {room}; it shows the secret {shows}.", "furniture", partial(Furniture, kind="sign")
    ),
    "thing": Form("At first {place:place}.", "things", lambda place: Thing(*place)),
    "hidden": Form("Where {thing} is at first depends on the secret {depends_on}: {cases:rest}.", "things", _hidden),
    "person": Form("{name} begins in {room} and can {verbs:many}.", "people", Person),
    "barred": _rule("{agents:many} can neither enter nor cross {rooms:many}.", "room_restriction"),
    "talk": Form("{name} can send messages to {listeners:many}, in all {budget:number}.", "talk", _row),
    "talk_window": Form("{name} can send messages in turns {turns:turns} only.", "windows", _row),
    "message": Form(
        "Listeners of a message: at most {fanout:number}. Things that it says: at most {atoms:number}.", "message", _row
    ),
    "cost": Form("A message to several listeners counts once for each of them.", "cost", _only),
    "secret": Form("{name} is a secret about {sort:rest}: it is one of {values:many}.", "secrets", _secret),
    "world": Form("It may be that {values:values}.", "worlds", _only),
    "worlds": Form("All combinations of these are possible.", "worlds", _only),
    "note": Form("{to} is told {what:knowledge} before the first turn.", "notes", _note),
    "note_when": Form("If {when:values}, {to} is told {what:knowledge} before the first turn.", "notes", _note),
    "remote_control": _rule("Whenever {trigger} becomes {when}, {target} becomes {set}.", "remote_control", delay=0),
    "remote_later": _rule(
        "Whenever {trigger} becomes {when}, {target} becomes {set}, {delay:number} turns later.", "remote_control"
    ),
    "mirror": _rule("{between:pair} always change together.", "state_mirroring", one_way=False),
    "mirror_one_way": Form(
        "{second} changes with {first}, but {first_again} does not change with {second_again}.", "mechanics", _one_way
    ),
    "inverse_state": _rule(
        "{furniture} works the wrong way round: close opens it, and open closes it.", "inverse_state"
    ),
    "time_window": _rule("One can {verbs:many} {furniture:many} in turns {turns:turns} only.", "time_window"),
    "interlock": _rule("One can {verbs:many} {furniture:many} only while {while:literals}.", "interlock"),
    "commit": _rule("To {verbs:many} {furniture} is for good: it cannot be used any more after that.", "commit"),
    "raises": Form('To {verbs:many} {furniture} raises the flag "{raises:quoted}".', "raises", _raised),
    "raises_when": Form(
        'To {verbs:many} {furniture} raises the flag "{raises:quoted}" if {when:literals}.', "raises", _raised
    ),
    "audible": Form("The whole house hears it when it comes to be that {literal:literal}.", "audible", _only),
    "never": Form('The flag "{flag:quoted}" must not be raised.', "never", _only),
    "private": Form("{name} has a wish of its own besides, which others are not told.", "private", _only),
}
SAYING = {kind: f"A message may say {form}: {meaning}." for kind, (form, meaning) in FORMS_OF_ATOMS.items()}
