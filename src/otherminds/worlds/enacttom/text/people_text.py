"""Where people start and what they can do, in prose; and back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.text.names import Lexicon, listed_words, name_in, phrases_in
from otherminds.worlds.enacttom.text.sentences import Voice
from otherminds.worlds.enacttom.text.statements import ABILITIES, abilities, verbs_of
from otherminds.worlds.enacttom.types import VERBS, Person

_WALKS, _STAYS = ("starts", "begins"), ("stays", "remains")
_WALK = "walk about"
_WHOLE = [words for words in abilities(VERBS) if words != _WALK]
_TALK, _WATCH = "talk", "watch"
_PERSON = re.compile(r"(.+?)(?:(?: and|; they) can only (.+))?\.")


def people_text(voice: Voice) -> Iterator[str]:
    """Sentences about people, in the order of their seats. People with the same abilities share a sentence."""
    walks, stays = voice.pick("walks", _WALKS), voice.pick("stays", _STAYS)
    for can, group in groupby(voice.task.people, lambda person: abilities(person.verbs)):
        people = list(group)
        verb = walks if _WALK in can else stays
        rest = [words for words in can if words != _WALK]
        tail = ""
        if rest != _WHOLE:
            idle = _TALK if {person.name for person in people} <= set(voice.task.speakers) else _WATCH
            told = listed_words(rest) if rest else _WALK if _WALK in can else idle
            tail = f"{'; they' if len(people) > 1 else ' and'} can only {told}"
        names = [voice.words.introduced(person.name) for person in people]
        rooms = [voice.words.phrase(person.room) for person in people]
        if len(people) > 1 and len(set(rooms)) == 1:
            yield f"{listed_words(names)} {verb.removesuffix('s')} in {rooms[0]}{tail}."
        else:
            first, *others = map(" in ".join, zip(names, rooms, strict=True))
            yield f"{listed_words([first.replace(' in ', f' {verb} in ', 1), *others])}{tail}."


def read_people(line: str, words: Lexicon) -> list[Person]:
    """The people of a sentence, who are introduced; none if it is not about where people start.

    Raises:
        UserError: if it says something that people cannot do.
    """
    match = _PERSON.fullmatch(line)
    verb = re.search(rf" ({'|'.join(f'{verb}?' for verb in (*_WALKS, *_STAYS))}) in ", line)
    if not match or not verb:
        return []
    told = match[2]
    can = _WHOLE if told is None else [] if told in (_TALK, _WATCH, _WALK) else _phrases(told)
    verbs = verbs_of([*([_WALK] if verb[1].removesuffix("s") in (walks[:-1] for walks in _WALKS) else []), *can])
    people = []
    start, _, room = match[1].partition(verb[0])
    is_one_room = not verb[1].endswith("s")
    places = [f"{name} in {room}" for name in phrases_in(start)] if is_one_room else phrases_in(f"{start} in {room}")
    for placed in places:
        phrase, _, room = placed.partition(" in ")
        named = re.fullmatch(r"(.+) \(([^()]+)\)", phrase)
        name = named[2] if named else name_in(phrase)
        words.add(name, named[1] if named else phrase)
        words.people.add(name)
        people.append(Person(name, words.name(room), verbs))
    return people


def _phrases(told: str) -> list[str]:
    """The abilities in a list; some have an "and" of their own."""
    known = [words for words in ABILITIES if words in told]
    known = [words for words in known if not any(words != other and words in other for other in known)]
    if sorted(listed_words(known)) != sorted(told):
        raise UserError(f"{told!r} is not something that people can do")
    return known
