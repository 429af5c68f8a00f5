"""Texts of a task: the public text, each person's private text, and percepts. All are generated.

The public text says everything about the task but the world that it is in, and can be read back (see ``understood``).
It states the goal, what each person can do and say, and what may be hidden. It gives no advice (spec 3.7). Several
phrasings of each sentence alternate from task to task.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from otherminds.worlds.enacttom.formulas import literal_of
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.mechanics import listed
from otherminds.worlds.enacttom.messages import FORMS_OF_ATOMS, Act, Atom, Message, act_words
from otherminds.worlds.enacttom.observe import Note, Percept, opening
from otherminds.worlds.enacttom.probes.questions import ProbeQuestion
from otherminds.worlds.enacttom.text.clauses import clause_of, formula_words, fronted, in_words, mentioned
from otherminds.worlds.enacttom.text.goal_shapes import parts_of
from otherminds.worlds.enacttom.text.house_text import house_text
from otherminds.worlds.enacttom.text.names import Lexicon, lexicon, listed_words
from otherminds.worlds.enacttom.text.people_text import people_text
from otherminds.worlds.enacttom.text.sentences import Voice, sentence
from otherminds.worlds.enacttom.text.statements import FORMS, NOBODY, NOTHING, RULES, TEXTS
from otherminds.worlds.enacttom.types import Mechanic, Task, World

AT_FIRST = "at first, "  # begins a sentence about a thing whose place is itself a secret
SETTLED = ("limited_bandwidth", "restricted_communication", "memo", "room_restriction")  # stated elsewhere
TITLES = ("House", "People", "Hidden", "Rules", "Goal")
TURNS = ("At the end of turn {}:", "After turn {}:")
_PAIR = 2
USUAL = {"value", "knows"}  # what messages can tell, unless a text says otherwise
SORTS = {"plain": ("is", "was"), "pair": ("is either", "was either")}  # of secrets about the house, about who was told
THESE = "one of these is on"
_IS = re.compile(" (?:is|are) ")


def public_text(task: Task, seed: int = 0) -> str:
    """The text for everybody: all about the task but the world that it is in.

    Args:
        task: the task.
        seed: another seed gives other phrasings.
    """
    voice = Voice(task, seed)
    parts = (
        "\n".join(house_text(voice)),
        " ".join(_people(voice)),
        " ".join(_hidden(voice)),
        " ".join(_mechanics(voice)),
        "\n".join(_goal(voice)),
    )
    return "\n\n".join(f"# {title}\n{text}" for title, text in zip(TITLES, parts, strict=True) if text)


def acts_text(ground: Ground, agent: int) -> str:
    """A line for each kind of act that a person can do."""
    task = ground.task
    verbs = dict.fromkeys(deed.verb for deed in ground.by_name[agent].values())
    tells = ["tell"] if task.names[agent] in task.speakers else []
    forms = listed_words((form for kind, form in FORMS_OF_ATOMS.items() if kind in task.talk.kinds), "or")
    return "\n".join(TEXTS["acts"][verb].format(forms=forms) for verb in (*verbs, *tells, "wait", "done"))


def private_text(ground: Ground, world: World, agent: int) -> str:
    """The text for one person in a world: its name, its notes, what it sees first, and its own wish."""
    return opening_text(ground, agent, *opening(ground, world, agent))


def opening_text(ground: Ground, agent: int, read: Sequence[Note], first: Percept) -> str:
    """The text for one person, from its notes and its first percept. What the public text says is not repeated."""
    task, name = ground.task, ground.task.names[agent]
    hidden = {f"place {thing.name}" for thing in task.things if thing.depends_on}
    seen = [
        (at, value)
        for at, value in first.seen
        if ground.variables[at].startswith("secret ") or ground.variables[at] in hidden
    ]
    told = f"You were told {listed_words(_notes_words(task, read))}."
    wish = _wish(formula_words(task.private[name], task)) if name in task.private else ""
    lines = (
        f"You are {lexicon(task).phrase(name)}.",
        told if read else "",
        *_around(ground, first._replace(seen=tuple(seen))),
        wish,
    )
    first_line, *others = filter(None, lines)
    return "\n".join((first_line, *(line.replace(f"{lexicon(task).phrase(name)}'s ", "your ") for line in others)))


def _wish(clause: str) -> str:
    """What somebody wants, as a sentence."""
    verbs = _IS.findall(clause)
    if len(verbs) == 1 and not clause.startswith("if "):
        subject, rest = _IS.split(clause)
        return f"You also want {subject} to be {rest} at the end."
    return f"You also want this to be so at the end: {clause}."


def _notes_words(task: Task, notes: Iterable[Note]) -> Iterator[str]:
    """Notes as clauses; a secret that was named in the one before is "it"."""
    last = ""
    for note in notes:
        words = f"that {note_words(task, note)}"
        secret = note[0] if note[0] in (hidden.name for hidden in task.secrets) else note[1]
        phrase = lexicon(task).known(secret)
        yield words.replace(f" knows {phrase}", " knows it") if secret == last else words
        last = secret


def note_words(task: Task, note: Note) -> str:
    """A note in words."""
    about, value = note
    if about in (secret.name for secret in task.secrets):
        return in_words(f"is({about}, {value})", task)
    knower = about.removesuffix(" knows").split(" knows that ")
    return _knows(task, knower, value)


def _knows(task: Task, knower: Sequence[str], secret: str) -> str:
    words = lexicon(task)
    return f"{' knows that '.join(map(words.phrase, knower))} knows {words.known(secret)}"


def percept_text(ground: Ground, own: Act, percept: Percept) -> str:
    """A percept in words: the result of the person's own act, and what it sees and hears."""
    task = ground.task
    names = [lexicon(task).phrase(name) for name in task.names]
    done = act_words(own, task.names)
    came = f"had no effect: {percept.refused}" if percept.refused else "was done"
    lines = [f"Your act {done} {came}."]
    lines += [f"{names[other]} did {act} here." for other, act in percept.deeds]
    lines += [f"{names[other]} came in." for other in percept.arrived]
    lines += [f"{names[other]} went out." for other in percept.left]
    lines += [f"You hear that {in_words(label, task)}." for label in percept.heard]
    lines += [f"{names[message.sender]} tells you: {message_words(message, task)}." for message in percept.messages]
    return "\n".join((*lines, *_around(ground, percept)))


def message_words(message: Message, task: Task) -> str:
    """The content of a message in words."""
    return "; ".join(atom_words(atom, task) for atom in message.atoms)


def atom_words(atom: Atom, task: Task) -> str:
    """An atom in words."""
    kind, *parts = atom
    if kind == "value":
        return in_words(f"is({parts[0]}, {parts[1]})", task)
    if kind == "fact":
        return in_words(parts[0], task)
    if kind == "knows":
        return _knows(task, parts[:-1], parts[-1])
    words = lexicon(task)
    secret = words.phrase(f"${parts[-1]}") if kind == "ignorant" else parts[-1]
    return _ATOM_WORDS[kind].format(words.phrase(parts[0]), secret)


_ATOM_WORDS = {
    "ignorant": "{0} has not learned {1}",
    "request": "{0}, please do {1}",
    "intent": "I am going to do {1}",
    "ack": "I have heard the message of {0}",
}


def probe_text(task: Task, probe: ProbeQuestion) -> str:
    """A probe in words. It mentions no value and no part of the goal (spec 6.3)."""
    secret, chain = task.secrets[probe.secret].name, [task.names[person] for person in probe.chain]
    if probe.kind == "value":
        return f"What is the secret {secret}?"
    if probe.kind == "thinks":
        return f"What does {chain[0]} think that the secret {secret} is?"
    return f"Does {' know that '.join(chain)} know{'s' if len(chain) > 1 else ''} what the secret {secret} is?"


def _around(ground: Ground, percept: Percept) -> Iterator[str]:
    """Sentences about a person's room, the others there, and what can be seen."""
    task, words = ground.task, lexicon(ground.task)
    with_whom = [words.phrase(task.names[other]) for other in percept.people]
    here = words.phrase(task.rooms[percept.room].name)
    yield f"You are in {here}" + (f" with {listed_words(with_whom)}." if with_whom else ", alone.")
    seen = [literal_of(ground.variables[at], ground.domains[at][value]) for at, value in percept.seen]
    shown = [in_words(literal, task) for literal in seen if not literal.startswith("unlocked(")]
    if shown:
        yield f"You see: {'; '.join(shown)}."


def _people(voice: Voice) -> Iterator[str]:
    task = voice.task
    yield from people_text(voice)
    for thing in task.things:
        if thing.place.startswith("held ") and not thing.depends_on:
            person, phrase = thing.place.removeprefix("held "), voice.words.phrase(thing.name)
            yield FORMS["held"].write(voice, person=person, thing=phrase)
    for rooms, agents in _grouped((person.name, tuple(task.barred(person.name))) for person in task.people):
        if rooms:
            yield FORMS["barred"].write(voice, agents=agents, rooms=rooms)
    yield from _talk(voice)


def _grouped(pairs: Iterable[tuple[Any, Any]]) -> list[tuple[Any, list[Any]]]:
    """The first members of pairs by the second, in order."""
    groups: dict[Any, list[Any]] = {}
    for first, second in pairs:
        groups.setdefault(second, []).append(first)
    return list(groups.items())


def _talk(voice: Voice) -> Iterator[str]:
    talk, can = voice.task.talk, voice.task.speakers
    if not can:
        yield NOBODY
        return
    for (to, budget), names in _grouped((name, (tuple(talk.channels[name]), talk.budgets[name])) for name in can):
        in_all = "talk_in_all" if len(to) > 1 and budget > 1 else "talk"
        yield FORMS["talk_each" if len(names) > 1 else in_all].write(voice, names=names, to=to, budget=budget)
    for turns, names in _grouped((name, tuple(talk.windows[name])) for name in can if name in talk.windows):
        yield FORMS["window"].write(voice, names=names, turns=turns)
    kinds = [kind for kind in FORMS_OF_ATOMS if kind in talk.kinds]
    if set(kinds) != USUAL:
        yield FORMS["message"].write(voice, kinds=kinds)
    if (talk.atoms, talk.fanout) != (1, 1):
        yield FORMS["capacity"].write(voice, atoms=talk.atoms, fanout=talk.fanout)
    if talk.fanout > 1 and talk.broadcast_cost == "each":
        yield FORMS["cost"].write(voice)


def _hidden(voice: Voice) -> Iterator[str]:
    task, words = voice.task, voice.words
    for secret in task.secrets:
        verb = SORTS["pair" if len(secret.values) == _PAIR else "plain"][secret.sort == "informational"]
        yield sentence(f"{words.introduced(f'${secret.name}')} {verb} {words.listed_values(secret.values)}.")
    if not task.secrets:
        yield NOTHING
    if not task.is_product:
        worlds = [[(s.name, [task.value(world, s.name)]) for s in task.secrets] for world in task.worlds]
        yield FORMS["worlds"].write(voice, worlds=worlds)
    for thing in task.things:
        if thing.depends_on:
            values = task.secrets[task.secret(thing.depends_on)].values
            how = thing.places[0].partition(" ")[0]
            if thing.places == tuple(f"{how} {value}" for value in values):  # the secret is where it is
                clause = clause_of(f"{how}({thing.name}, ${thing.depends_on})", words, task)
                yield sentence(f"{AT_FIRST}{clause}.")
                continue
            places = [
                f"{_place(place, voice)} ({words.value(v)})" for v, place in zip(values, thing.places, strict=True)
            ]
            fields = {"thing": words.phrase(thing.name), "depends_on": f"${thing.depends_on}"}
            yield FORMS["hidden"].write(voice, **fields, places=listed_words(places, "or"))
    for when, told in _notes(task):
        form = FORMS["note_when" if when else "note"]
        yield form.write(voice, told=told, when=when)


def _place(place: str, voice: Voice) -> str:
    how, _, name = place.partition(" ")
    start = {"floor": "on the floor of", "held": "held by"}.get(how, how)
    return f"{start} {voice.words.phrase(name)}"


def _notes(task: Task) -> Iterator[tuple[Any, Any]]:
    """Notes by the worlds in which they are given: the condition, and who is told what."""
    whens: dict[Any, list[Any]] = {}
    for note in task.notes:
        whens.setdefault((note.to, note.knower, note.about), []).append(note.when)
    by_when: dict[Any, list[Any]] = {}
    for note, cases in _named(whens, task).items():
        for when in _merged(list(dict.fromkeys(cases))):
            by_when.setdefault(when, []).append(note)
    for when, notes in by_when.items():
        readers = _grouped((to, (knower, about)) for to, knower, about in notes)
        yield when, _by_readers(readers)


def _named(whens: dict[Any, list[Any]], task: Task) -> dict[Any, list[Any]]:
    """Notes to the person named by a secret, such as *the witness*, count as one note."""
    kept: dict[Any, list[Any]] = {}
    for (to, knower, about), cases in whens.items():
        ((secret, value), *more), *others = cases[0] or (("", ""),), *cases[1:]
        secret = secret if value == to and not more and not others else ""
        kept.setdefault((f"${secret}" if secret else to, knower, about), []).extend(cases)
    merged: dict[Any, list[Any]] = {}
    for (to, knower, about), cases in kept.items():
        if not to.startswith("$"):
            merged[to, knower, about] = cases
        elif len(cases) == 1:
            merged[cases[0][0][1], knower, about] = cases
        else:
            is_always = len(cases) == len(task.secrets[task.secret(to[1:])].values)
            merged[to, knower, about] = [()] if is_always else cases
    return merged


def _by_readers(readers: Iterable[tuple[Any, list[str]]]) -> list[tuple[list[str], list[Any]]]:
    return [(list(people), what) for people, what in _grouped((what, tuple(people)) for what, people in readers)]


def _merged(cases: list[Any]) -> list[Any]:
    """Conditions that differ in the value of one secret are one condition."""
    if len({tuple(secret for secret, _ in when) for when in cases}) == 1 and len(cases[0]) == 1:
        return [((cases[0][0][0], tuple(value for ((_, value),) in cases)),)]
    return [tuple((secret, (value,)) for secret, value in when) for when in cases]


def _mechanics(voice: Voice) -> Iterator[str]:
    mechanics = [mechanic for mechanic in voice.task.mechanics if mechanic.kind not in SETTLED]
    for _, same in groupby(mechanics, _key):
        yield from _mechanic(list(same), voice)
    if voice.task.audible:
        yield RULES["audible"].write(voice, literals=voice.task.audible)


def _key(mechanic: Mechanic) -> Any:
    """Neighbouring mechanics with the same key share a sentence."""
    kind, fields = mechanic.kind, mechanic.fields
    if kind == "remote_control":
        return kind, fields["trigger"], fields["when"], fields["target"], fields.get("delay", 0)
    if kind == "inverse_state" or (kind == "state_mirroring" and not fields.get("one_way")):
        return kind
    if kind == "commit" and "raises" not in fields:
        return kind, tuple(fields.get("verbs", ()))
    return id(mechanic)


def _mechanic(same: Sequence[Mechanic], voice: Voice) -> Iterator[str]:
    kind, fields = same[0].kind, dict(same[0].fields)
    if kind == "remote_control":
        form = "remote_later" if fields.get("delay") else kind
        sets = [mechanic.fields["set"] for mechanic in same]
        yield RULES[form].write(voice, **{**fields, "sets": sets, "when": [fields["when"]]})
    elif kind == "state_mirroring" and fields.get("one_way"):
        first, second = fields["between"]
        yield RULES["mirror_one_way"].write(voice, first=first, second=second)
    elif kind == "state_mirroring":
        yield RULES["mirror"].write(voice, pairs=[mechanic.fields["between"] for mechanic in same])
    elif kind in ("inverse_state", "commit"):
        names = [mechanic.fields["furniture"] for mechanic in same]
        rule = RULES[kind if len(names) == 1 else f"{kind}s"]
        yield rule.write(voice, furniture=names, verbs=fields.get("verbs", ()))
        if "raises" in fields:
            when = listed(fields.get("when", ()))
            yield RULES["raises_when" if when else "raises"].write(voice, raises=fields["raises"], when=when)
    else:
        given = {**fields, "furniture": listed(fields.get("furniture", ())), "verbs": fields.get("verbs", ())}
        is_all = kind == "time_window" and not given["furniture"]
        yield RULES[f"{kind}_all" if is_all else kind].write(voice, **given)


def any_of(names: Sequence[str], words: Lexicon) -> str:
    """The words for switches that were mentioned before, for which a goal says "any of these"."""
    return f"any of {words.switches(names)} is on"


def _goal(voice: Voice) -> Iterator[str]:
    task = voice.task
    yield voice.pick("turns", TURNS).format(task.horizon)
    flags = [{"not": f"flag({name})"} for name in task.never]
    before: list[str] = []
    for part in parts_of({"and": [task.goal, *flags]}, task):
        clause = clause_of(part, voice.words, task).replace(any_of(before, voice.words), THESE)
        before += mentioned(part)
        yield f"- {sentence(clause if ' or ' in clause else fronted(clause))}."
    if private := [name for name in task.names if name in task.private]:
        yield FORMS["privates" if len(private) > 1 else "private"].write(voice, names=private)
