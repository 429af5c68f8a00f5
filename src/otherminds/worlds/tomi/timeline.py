"""A story step by step: where everyone and everything is after each event, and what anyone believes by then.

Terminal, pictures and pages rest on it. It is read from the sentences alone, so it serves generated stories and files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

from otherminds.worlds.tomi.parse import ParsedStory, Parser
from otherminds.worlds.tomi.rules import History, Witnesses, is_false, perceived, simulate
from otherminds.worlds.tomi.types import Chain, Event, Names, Question

_MOST_PAIRED = 3  # with more people asked about, only the pairs that a question names are worth a row


@dataclass(frozen=True)
class Timeline:
    """A story with its state and beliefs at every step: step 0 is before the first event, step k after the k-th."""

    sentences: tuple[tuple[str, ...], ...]  # of each event
    parsed: ParsedStory
    questions: tuple[Question, ...]
    moments: tuple[History, ...]  # one more than there are events
    # Of each event, its witnesses (none without a place, such as remarks), and the containers that it shows.
    seen: tuple[tuple[Witnesses, Mapping[int, int]], ...]

    @property
    def events(self) -> tuple[Event, ...]:
        return self.parsed.story.events

    @property
    def names(self) -> Names:
        return self.parsed.names

    @property
    def things(self) -> tuple[int, ...]:
        """The objects that questions are about; all of them if there is no question."""
        asked = dict.fromkeys(question.object for question in self.questions)
        return tuple(asked) or tuple(range(len(self.names.objects)))

    @property
    def people(self) -> tuple[int, ...]:
        """People whose beliefs are asked for; everybody if no question names one."""
        asked = dict.fromkeys(agent for question in self.questions for agent in question.chain)
        return tuple(asked) or tuple(range(len(self.names.agents)))

    @property
    def chains(self) -> tuple[Chain, ...]:
        """The beliefs to show: of everyone asked about, of each about another, and deeper ones that are asked for."""
        asked = {question.chain for question in self.questions if question.kind == "belief"}
        pairs = [pair for pair in permutations(self.people, 2) if len(self.people) <= _MOST_PAIRED or pair in asked]
        deeper = sorted((chain for chain in asked if len(chain) > 2), key=lambda chain: (len(chain), chain))
        return (*((agent,) for agent in self.people), *pairs, *deeper)

    def number(self, event: int) -> str:
        """The numbers of the sentences that tell of an event, from 1: ``9`` or ``9-10``."""
        before, here = sum(map(len, self.sentences[:event])), len(self.sentences[event])
        return f"{before + 1}" if here == 1 else f"{before + 1}-{before + here}"

    def belief(self, chain: Chain, thing: int, step: int) -> int | None:
        """The container in which a chain expects an object at a step; ``None`` if it knows of none."""
        return self.moments[step].beliefs.belief(chain, thing)

    def is_false(self, chain: Chain, thing: int, step: int) -> bool:
        """Whether the first of a chain is wrong about the world or about what the rest believe."""
        history = self.moments[step]
        return history.beliefs.belief(chain, thing) is not None and is_false(chain, thing, history)

    def evidence(self, thing: int, step: int) -> Witnesses:
        """People who learn, or seem to learn, where an object is from the event that leads to a step."""
        witnesses, shown = self.seen[step - 1]
        return witnesses if thing in shown else Witnesses(0, 0)

    def text(self) -> str:
        """The story, where its objects are, and where those asked about expect them."""
        lines = [sentence for event in self.sentences for sentence in event]
        names, contents = self.names, self.moments[-1].contents
        for thing in self.things:
            if contents[thing] < 0:
                continue
            lines.append(f"[{names.objects[thing]}: {names.containers[contents[thing]]}]")
            for chain in self.chains:
                container = self.belief(chain, thing, -1)
                people = " > ".join(names.agents[agent] for agent in chain)
                lines.append(f"[{people}: {'-' if container is None else names.containers[container]}]")
        return "\n".join(lines)

    def until(self, step: int) -> Timeline:
        """The story as far as a step."""
        parsed = replace(self.parsed, story=self.parsed.story.told_as(self.events[:step]))
        return replace(self, sentences=self.sentences[:step], parsed=parsed, moments=self.moments[: step + 1])


def follow(sentences: Sequence[str], questions: Sequence[str] = (), *, is_open: bool = True) -> Timeline:
    """Read a story and play it through."""
    parser = Parser(sentences)
    asked = tuple(parser.question(question) for question in questions)
    parsed = parser.parsed(is_open=is_open)
    spoken: list[list[str]] = [[] for _ in parsed.story.events]
    for sentence, event in zip(sentences, parsed.origins, strict=True):
        spoken[event].append(sentence)
    moments = (simulate(parsed.story.told_as(parsed.story.events[:step])) for step in range(len(spoken) + 1))
    seen = ((witnesses, shown) for _, witnesses, shown in perceived(parsed.story))
    return Timeline(tuple(map(tuple, spoken)), parsed, asked, tuple(moments), tuple(seen))
