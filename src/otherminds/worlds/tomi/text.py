"""A story in words: events and names in, sentences out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

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
    Ring,
    Story,
    Tell,
    members,
)

Choose = Callable[[str], int]  # the kind of a statement to the number of its form


def original(_kind: str) -> int:
    """The forms of the original: the first of each."""
    return 0


def plain(kind: str) -> int:
    """The original's words with a full stop at the end of every sentence."""
    return 1 if kind in ("remark", "ring") else 0


class Teller:
    """Makes sentences of events, one or more each."""

    def __init__(self, story: Story, names: Names, choose: Choose = plain, plurals: frozenset[str] = frozenset()):
        self.story, self.names, self.choose, self.plurals = story, names, choose, plurals
        self._contents: dict[int, int] = {}

    def statements(self) -> list[str]:
        """The whole story."""
        return [sentence for event in self.story.events for sentence in self.tell(event)]

    def tell(self, event: Event) -> list[str]:
        """One event; to be called in order."""
        names = self.names
        match event:
            case Enter(agent, room, is_already):
                kind = "already" if is_already else "enter"
                return [self._say(kind, {"agent": names.agents[agent], "room": names.rooms[room]})]
            case Exit(agent, room):
                return [self._say("exit", {"agent": names.agents[agent], "room": names.rooms[room]})]
            case Announce(thing, container):
                self._contents[thing] = container
                return [self._say("announce", self._about(thing, container))]
            case Move(agent, thing, container, peekers, distracted):
                origin = names.containers[self._contents[thing]]
                self._contents[thing] = container
                words = {"agent": names.agents[agent], "origin": origin, **self._about(thing, container)}
                said = [self._say("move", words)]
                said += [self._say("peek", {"agent": names.agents[who]}) for who in members(peekers)]
                return said + [self._say("distracted", {"agent": names.agents[who]}) for who in members(distracted)]
            case Tell(speaker, listener, thing, container, is_aloud):
                words = {"agent": names.agents[speaker], "listener": names.agents[listener]}
                return [self._say("aloud" if is_aloud else "whisper", {**words, **self._about(thing, container)})]
            case Furnish(room, containers):
                return [furnished(names.rooms[room], [names.containers[c] for c in containers])]
            case Remark(agent, verb, thing_word):
                return [self._say("remark", {"agent": names.agents[agent], "verb": verb, "thing": thing_word})]
            case Ring():
                return [self._say("ring", {})]

    def _about(self, thing: int, container: int) -> dict[str, str]:
        word = self.names.objects[thing]
        is_plural = word in self.plurals
        return {
            "object": word,
            "container": self.names.containers[container],
            "is": "are" if is_plural else "is",
            "it": "them" if is_plural else "it",
        }

    def _say(self, kind: str, words: Mapping[str, str]) -> str:
        return templates.STATEMENTS[kind][self.choose(kind)].format_map(words)


def furnished(room: str, containers: Sequence[str]) -> str:
    """What stands in a room."""
    if len(containers) == 1:
        return templates.FURNISH[1].format(container=containers[0], room=room)
    listed = ", the ".join(containers[:-1]) + f" and the {containers[-1]}"
    return templates.FURNISH[0].format(containers=listed, room=room)


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
        return templates.FIRST_ORDER.format_map(words)
    if len(agents) == 2:
        return templates.SECOND_ORDER.format(**words, other=agents[1])
    return templates.DEEPER.format(**words, others=" thinks that ".join(agents[1:]))
