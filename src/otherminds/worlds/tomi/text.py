"""A story in words: events and names in, fields and sentences out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from otherminds.worlds.tomi import templates
from otherminds.worlds.tomi.types import (
    Announce,
    Enter,
    Event,
    Exit,
    Furnish,
    Move,
    Names,
    Question,
    Remark,
    Story,
    Tell,
    members,
)

Choose = Callable[[str], int]  # the kind of a statement to the number of its form


def original(_kind: str) -> int:
    """The forms of the original: the first of each."""
    return 0


def fields_of(event: Event, names: Names) -> tuple[str, dict[str, Any]]:
    """The kind of an event and the names in it, by the fields of its templates."""

    def about(thing: int, container: int) -> dict[str, str]:
        return {"object": names.objects[thing], "container": names.containers[container]}

    match event:
        case Enter(agent, room, is_already):
            return "already" if is_already else "enter", {"agent": names.agents[agent], "room": names.rooms[room]}
        case Exit(agent, room):
            return "exit", {"agent": names.agents[agent], "room": names.rooms[room]}
        case Furnish(room, containers):
            return "furnish", {"room": names.rooms[room], "containers": [names.containers[c] for c in containers]}
        case Announce(thing, container):
            return "announce", about(thing, container)
        case Move(agent, thing, container):
            return "move", {"agent": names.agents[agent], **about(thing, container)}
        case Tell(speaker, listener, thing, container, is_aloud):
            pair = {"agent": names.agents[speaker], "listener": names.agents[listener]}
            return "aloud" if is_aloud else "whisper", {**pair, **about(thing, container)}
        case Remark(agent, verb, word):
            return "remark", {"agent": names.agents[agent], "verb": verb, "thing": word}
    return "ring", {}


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
        if kind == "furnish":
            return [furnished(words["room"], words["containers"])]
        if "object" in words:
            thing = words["object"]
            words |= _SEVERAL if thing in self.plurals else _ONE
            if kind in ("announce", "move"):
                words["origin"] = self._contents.get(thing, "")
                self._contents[thing] = words["container"]
        said = [self._say(kind, words)]
        if isinstance(event, Move):
            for hidden, people in (("peek", event.peekers), ("distracted", event.distracted)):
                said += [self._say(hidden, {"agent": self.names.agents[agent]}) for agent in members(people)]
        return said

    def _say(self, kind: str, words: Mapping[str, str]) -> str:
        return templates.STATEMENTS[kind][self.choose(kind)].format_map(words)


def furnished(room: str, containers: Sequence[str]) -> str:
    """What stands in a room."""
    if len(containers) == 1:
        return templates.STATEMENTS["furnish"][1].format(container=containers[0], room=room)
    listed = ", the ".join(containers[:-1]) + f" and the {containers[-1]}"
    return templates.STATEMENTS["furnish"][0].format(containers=listed, room=room)


def with_pronouns(sentences: Sequence[str], pronouns: Mapping[str, str]) -> list[str]:
    """The same sentences, with a pronoun where one begins with the name with which the one before begins."""
    said, about = [], ""
    for sentence in sentences:
        name, _, rest = sentence.partition(" ")
        said.append(f"{pronouns[name].capitalize()} {rest}" if name == about and name in pronouns else sentence)
        about = name
    return said


def ask(question: Question, names: Names, plurals: Collection[str] = ()) -> str:
    """A question in words; verbs agree with the objects that are plural."""
    agents, thing = [names.agents[agent] for agent in question.chain], names.objects[question.object]
    words = {"object": thing, "agent": agents[0] if agents else ""}
    words |= {"is": "are", "was": "were"} if thing in plurals else {"is": "is", "was": "was"}
    if question.kind != "belief":
        return templates.QUESTIONS[question.kind].format_map(words)
    if len(agents) == 1:
        return templates.QUESTIONS["first"].format_map(words)
    if len(agents) == 2:
        return templates.QUESTIONS["second"].format(**words, other=agents[1])
    return templates.QUESTIONS["deeper"].format(**words, others=" thinks that ".join(agents[1:]))
