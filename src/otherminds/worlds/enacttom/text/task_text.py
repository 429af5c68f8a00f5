"""Texts of a task: the public text, each person's private text, and percepts. All are generated.

The public text says everything about the task but the world that it is in, and can be read back (see ``understood``).
It states the goal, what each person can do and say, and what may be hidden. It gives no advice (spec 3.7).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from otherminds.worlds.enacttom.formulas import literal_of
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.mechanics import listed
from otherminds.worlds.enacttom.messages import Act, Atom, Message, act_words
from otherminds.worlds.enacttom.observe import Note, Percept, opening
from otherminds.worlds.enacttom.probes.questions import Probe
from otherminds.worlds.enacttom.text.sentences import formula_lines, in_words
from otherminds.worlds.enacttom.text.statements import ANYTHING, CASE, FORMS, SAYING, SORTS, USE
from otherminds.worlds.enacttom.types import Door, Furniture, Mechanic, Task, World

RULES = (
    "All act at once, one act each turn. What cannot be done has no effect, and whoever tried is told so.",
    "People see what is in their own room: who is there, what others do there, and how everything stands.",
    "What is in a closed container is out of sight and out of reach. Whoever uses something must be in its room.",
    "Each can hold one thing. Going to any room takes one turn, if the way there is open.",
    "A message is heard at the end of its turn, by its listeners alone.",
    "In square brackets a secret stands for what it names: [x] is the value of the secret x.",
)
GOAL = "The goal of all, to be so at the end:"
# The acts.
DOING = {
    "navigate": "navigate(ROOM): go to a room",
    "open": "open(NAME): open a door or a container",
    "close": "close(NAME): close a door or a container",
    "toggle": "toggle(SWITCH): switch something on, or off if it is on",
    "pick": "pick(THING): take a thing into your hand",
    "place": "place(THING, on, SURFACE) or place(THING, in, CONTAINER): put down what you hold",
    "tell": (
        "tell(PERSON, CONTENT): send a message; the content is one of the forms above, such as value(SECRET, "
        "VALUE), or a short text of at most 160 characters in quotes"
    ),
    "wait": "wait(): do nothing this turn",
    "done": "done(): do nothing, and say that you are finished; the run ends early if all have",
}
NOBODY = "Nobody can send messages."
NOTHING = "Nothing is hidden."
SETTLED = (
    "limited_bandwidth",
    "restricted_communication",
    "memo",
    "room_restriction",
)  # stated elsewhere


def public_text(task: Task) -> str:
    """The text for everybody: all about the task but the world that it is in."""
    parts = (
        ("The house", _house(task)),
        ("The people", _people(task)),
        ("Messages", _talk(task)),
        ("What is hidden", _hidden(task)),
        ("How this house works", (*RULES, *_mechanics(task))),
        ("The goal", _goal(task)),
    )
    return "\n\n".join("\n".join((f"# {title}", *lines)) for title, lines in parts)


def acts_text(ground: Ground, agent: int) -> str:
    """A line for each kind of act that a person can do."""
    verbs = dict.fromkeys(deed.verb for deed in ground.by_name[agent].values())
    tells = ["tell"] if ground.task.names[agent] in ground.task.speakers else []
    return "\n".join(DOING[verb] for verb in (*verbs, *tells, "wait", "done"))


def private_text(ground: Ground, world: World, agent: int) -> str:
    """The text for one person in a world: its name, its notes, what it sees first, and its own wish."""
    return opening_text(ground, agent, *opening(ground, world, agent))


def opening_text(ground: Ground, agent: int, read: Sequence[Note], first: Percept) -> str:
    """The text for one person, from its notes and its first percept."""
    task, name = ground.task, ground.task.names[agent]
    wish = ["Your own wish, to be so at the end:", *formula_lines(task.private[name])] if name in task.private else []
    notes = [f"You were told that {note_words(ground.task, note)}." for note in read]
    return "\n".join((f"You are {name}.", *notes, *_around(ground, first), *wish))


def note_words(task: Task, note: Note) -> str:
    """A note in words."""
    about, value = note
    is_value = about in (secret.name for secret in task.secrets)
    return in_words(f"is({about}, {value})") if is_value else f"{about} what {value} is"


def percept_text(ground: Ground, own: Act, percept: Percept) -> str:
    """A percept in words: the result of the person's own act, and what it sees and hears."""
    names = ground.task.names
    done = act_words(own, names)
    came = f"had no effect: {percept.refused}" if percept.refused else "was done"
    lines = [f"Your act {done} {came}."]
    lines += [f"{names[other]} did {act} here." for other, act in percept.deeds]
    lines += [f"{names[other]} came in." for other in percept.arrived]
    lines += [f"{names[other]} went out." for other in percept.left]
    lines += [f"You hear that {in_words(label)}." for label in percept.heard]
    lines += [f"{names[message.sender]} tells you: {message_words(message)}." for message in percept.messages]
    return "\n".join((*lines, *_around(ground, percept)))


def message_words(message: Message) -> str:
    """The content of a message in words."""
    return "; ".join(map(atom_words, message.atoms))


def atom_words(atom: Atom) -> str:
    """An atom in words."""
    kind, *parts = atom
    if kind == "value":
        return in_words(f"is({parts[0]}, {parts[1]})")
    if kind == "fact":
        return in_words(parts[0])
    if kind == "knows":
        return " knows that ".join(parts[:-1]) + f" knows what {parts[-1]} is"
    return _ATOM_WORDS[kind].format(*parts)


_ATOM_WORDS = {
    "ignorant": "{0} has not learned what {1} is",
    "request": "{0}, please do {1}",
    "intent": "I am going to do {0}",
    "ack": "I have heard the message of {0}",
}


def probe_text(task: Task, probe: Probe) -> str:
    """A probe in words. It mentions no value and no part of the goal (spec 6.3)."""
    secret, chain = task.secrets[probe.secret].name, [task.names[person] for person in probe.chain]
    if probe.kind == "value":
        return f"What is the secret {secret}?"
    if probe.kind == "thinks":
        return f"What does {chain[0]} think that the secret {secret} is?"
    return f"Does {' know that '.join(chain)} know{'s' if len(chain) > 1 else ''} what the secret {secret} is?"


def _around(ground: Ground, percept: Percept) -> Iterator[str]:
    """Sentences about a person's room, the others there, and what can be seen."""
    task = ground.task
    with_whom = [task.names[other] for other in percept.people]
    yield f"You are in {task.rooms[percept.room].name}" + (f" with {_and(with_whom)}." if with_whom else ", alone.")
    seen = [literal_of(ground.variables[at], ground.domains[at][value]) for at, value in percept.seen]
    shown = [in_words(literal) for literal in seen if not literal.startswith("unlocked(")]
    if shown:
        yield f"You see: {'; '.join(shown)}."


def _and(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _house(task: Task) -> Iterator[str]:
    yield FORMS["turns"].write(turns=task.horizon)
    yield FORMS["rooms"].write(rooms=[room.name for room in task.rooms])
    moving = ground(task).index
    for door in task.doors:
        first, second = door.rooms
        state = door_state(door) if f"open {door.name}" in moving else "always open"
        form = FORMS["one_way" if door.one_way else "door"]
        yield form.write(name=door.name, first=first, second=second, state=state)
    for furniture in task.furniture:
        state = ("on" if furniture.is_on else "off") if furniture.kind == "switch" else door_state(furniture)
        kind = {"sign": "sign", "container": "stateful", "switch": "stateful"}.get(furniture.kind, "plain")
        yield FORMS[kind].write(**vars(furniture), state=state)
    for thing in task.things:
        if thing.depends_on is None:
            yield FORMS["thing"].write(place=(thing.name, thing.place))
            continue
        values = task.secrets[task.secret(thing.depends_on)].values
        cases = [CASE.write(value=v, place=(thing.name, p)) for v, p in zip(values, thing.places, strict=True)]
        yield FORMS["hidden"].write(thing=thing.name, depends_on=thing.depends_on, cases="; ".join(cases))


def door_state(part: Door | Furniture) -> str:
    """The state of a door or a container in words."""
    return ("open" if part.is_open else "closed") + (" and locked" if part.is_locked else "")


def _people(task: Task) -> Iterator[str]:
    for person in task.people:
        yield FORMS["person"].write(**vars(person))
        if rooms := task.barred(person.name):
            yield FORMS["barred"].write(agents=person.name, rooms=rooms)


def _talk(task: Task) -> Iterator[str]:
    talk, can = task.talk, task.speakers
    for name in can:
        yield FORMS["talk"].write(name=name, listeners=talk.channels[name], budget=talk.budgets[name])
        if name in talk.windows:
            yield FORMS["talk_window"].write(name=name, turns=talk.windows[name])
    if not can:
        yield NOBODY
        return
    yield FORMS["message"].write(**vars(talk))
    if talk.fanout > 1 and talk.broadcast_cost == "each":
        yield FORMS["cost"].write()
    yield from (sentence for kind, sentence in SAYING.items() if kind in talk.kinds)


def _hidden(task: Task) -> Iterator[str]:
    sorts = {sort: words for words, sort in SORTS.items()}
    for secret in task.secrets:
        yield FORMS["secret"].write(name=secret.name, sort=sorts[secret.sort], values=secret.values)
    if not task.secrets:
        yield NOTHING
    elif task.is_product:
        yield FORMS["worlds"].write()
    else:
        for world in task.worlds:
            yield FORMS["world"].write(values=[(s.name, task.value(world, s.name)) for s in task.secrets])
    for note in task.notes:
        form = FORMS["note_when" if note.when else "note"]
        yield form.write(to=note.to, what=(note.knower, note.about), when=note.when)


def _mechanics(task: Task) -> Iterator[str]:
    for mechanic in task.mechanics:
        if mechanic.kind not in SETTLED:
            yield from _mechanic(mechanic)
    yield from (FORMS["audible"].write(literal=literal) for literal in task.audible)


def _mechanic(mechanic: Mechanic) -> Iterator[str]:
    kind, fields = mechanic.kind, {"verbs": USE, "furniture": ANYTHING, **mechanic.fields}
    if kind == "state_mirroring" and fields.get("one_way"):
        first, second = fields["between"]
        yield FORMS["mirror_one_way"].write(first=first, second=second, first_again=first, second_again=second)
        return
    forms = {"state_mirroring": "mirror", "remote_control": "remote_later" if fields.get("delay") else kind}
    yield FORMS[forms.get(kind, kind)].write(**fields)
    if "raises" in fields:
        when = listed(fields.get("when", ()))
        yield FORMS["raises_when" if when else "raises"].write(**{**fields, "when": when})


def _goal(task: Task) -> Iterator[str]:
    yield GOAL
    yield from formula_lines(task.goal)
    for flag in task.never:
        yield FORMS["never"].write(flag=flag)
    for name in task.names:
        if name in task.private:
            yield FORMS["private"].write(name=name)
