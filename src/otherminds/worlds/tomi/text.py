"""Text of stories and questions. ``sentences.yaml`` serves both for writing and for parsing: the two cannot differ."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from otherminds.worlds.tomi.types import (
    EVENTS,
    Enter,
    Event,
    Furnish,
    Move,
    Names,
    Question,
    Remark,
    Story,
    Tell,
    members,
)

_SENTENCES: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("sentences.yaml").read_text("utf-8"))
STATEMENTS: dict[str, list[str]] = _SENTENCES["statements"]  # the forms of each kind
QUESTIONS: dict[str, str] = _SENTENCES["questions"]
VERBS = ("likes", "dislikes", "loves", "hates")
_NAME = r"[A-Za-z][\w'-]*(?: [a-z][\w'-]*)*"
_WORD = r"[\w'-]+"
_FIELDS = {
    "agent": _WORD,
    "listener": _WORD,
    "others": r".+",
    "containers": r".+ and the .+",
    "verb": "|".join(VERBS),
    "is": "is|are",
    "was": "was|were",
    "it": "it|them",
}


@cache
def pattern(template: str) -> re.Pattern[str]:
    """Pattern of the sentences of a template; a field that occurs twice must be the same word."""
    seen: set[str] = set()

    def field(match: re.Match[str]) -> str:
        name = match[1]
        if name in seen:
            return f"(?P={name})"
        seen.add(name)
        return f"(?P<{name}>{_FIELDS.get(name, _NAME)})"

    escaped = re.escape(template).replace(r"\{", "{").replace(r"\}", "}")
    return re.compile(re.sub(r"\{(\w+)\}", field, escaped))


Choose = Callable[[str], int]  # the kind of a statement to the number of its form


def original(_kind: str) -> int:
    """The forms of the original: the first of each."""
    return 0


_KINDS = {made: kind for kind, made in reversed(EVENTS.items())}  # the first of each
_LISTS = {"agent": "agents", "listener": "agents", "room": "rooms", "object": "objects", "container": "containers"}
_NAMED: dict[type, list[str]] = {
    made: [field for field in made.__match_args__ if field in _LISTS] for made in EVENTS.values()
}


def fields_of(event: Event, names: Names) -> tuple[str, dict[str, Any]]:
    """The kind of an event and the names in it, by the fields of its templates."""
    kind = _KINDS[type(event)]
    words = {field: getattr(names, _LISTS[field])[getattr(event, field)] for field in _NAMED[type(event)]}
    if isinstance(event, Enter):
        kind = "already" if event.is_already else kind
    elif isinstance(event, Tell):
        kind = "aloud" if event.is_aloud else kind
    elif isinstance(event, Furnish):
        words["containers"] = [names.containers[container] for container in event.containers]
    elif isinstance(event, Remark):
        words |= {"verb": event.verb, "thing": event.thing}
    return kind, words


_ONE, _SEVERAL = {"is": "is", "it": "it"}, {"is": "are", "it": "them"}


class Teller:
    """Makes sentences of events, one or more each."""

    def __init__(self, story: Story, names: Names, choose: Choose, plurals: frozenset[str] = frozenset()):
        self.story, self.names, self.choose, self.plurals = story, names, choose, plurals
        self._contents: dict[str, str] = {}

    def statements(self) -> list[str]:
        """The whole story."""
        return [sentence for event in self.story.events for sentence in self.tell(event)]

    def tell(self, event: Event) -> list[str]:
        """One event; to be called in order."""
        kind, words = fields_of(event, self.names)
        if isinstance(event, Furnish):
            *others, words["container"] = words["containers"]
            words["containers"] = f"{', the '.join(others)} and the {words['container']}"
            return [STATEMENTS["furnish"][not others].format_map(words)]
        if "object" in words:
            thing = words["object"]
            words |= _SEVERAL if thing in self.plurals else _ONE
            if kind in ("announce", "move"):
                words["origin"] = self._contents.get(thing, "")
                self._contents[thing] = words["container"]
        sentences = [self._say(kind, words)]
        if isinstance(event, Move):
            for hidden, people in (("peek", event.peekers), ("distracted", event.distracted)):
                sentences += [self._say(hidden, {"agent": self.names.agents[agent]}) for agent in members(people)]
        return sentences

    def _say(self, kind: str, words: Mapping[str, str]) -> str:
        return STATEMENTS[kind][self.choose(kind)].format_map(words)


def ask(question: Question, names: Names, plurals: Collection[str] = ()) -> str:
    """A question in words; verbs agree with the objects that are plural."""
    agents, thing = [names.agents[agent] for agent in question.chain], names.objects[question.object]
    words = {"object": thing, "agent": "".join(agents[:1]), "others": " thinks that ".join(agents[1:])}
    words |= {"is": "are", "was": "were"} if thing in plurals else {"is": "is", "was": "was"}
    kind = question.kind if question.kind != "belief" else ("first", "second", "deeper")[min(len(agents), 3) - 1]
    return QUESTIONS[kind].format_map(words)
