"""Views, probes and forms: what the reader of a story is shown, and how it answers.

The reader perceives everything that the story tells. It is never shown the right answer, the events behind the
sentences or anybody's beliefs. What the people in a story perceive is not decided here: :func:`rules.simulate` says who
witnesses each event, and who is thought to.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from otherminds.core.form import Choice, Field, Form, Words
from otherminds.core.mind import Briefing, Mind, replies_of
from otherminds.core.world import Ask, Probe, View
from otherminds.worlds.tomi.files.items import LabelledQuestion, find_choice
from otherminds.worlds.tomi.parse import NotUnderstood, Parser

READER = "reader"  # the only seat
NOBODY = "nobody"
_WANTED = {  # what an answer is; options are listed only where a prompt lists them
    "note": "the name of one person, or nobody",
    "knows": "yes or no",
    "knowers": "the names of people, separated by commas, or nobody",
    "present": "the names of people, separated by commas, or nobody",
}


class Text(NamedTuple):
    """Everything that a mind may look at."""

    id: str  # of the question, for chance
    story: tuple[str, ...]
    question: str
    choices: tuple[str, ...]
    is_open: bool = True  # whether people who enter a room see into its containers
    errands: tuple[tuple[str, ...], ...] = ()  # of a note: whose belief about whom each errand rests on
    about: str = ""  # of a note: the object that is fetched


class StoryView(View):
    """A story that has been read to its end."""

    __slots__ = ()
    data: Text

    def text(self) -> str:
        story = "\n".join(self.log)
        return f"{story}\n\n{self.data.question}" if self.data.errands else story

    def question(self, probe: Probe) -> str:
        return self.data.question

    def fields(self) -> dict[str, Any]:
        return {"story": "\n".join(self.log), "question": self.data.question}


@dataclass(frozen=True)
class Answer(Choice):
    """One of the choices, read with tolerance for articles, underscores, case and plural."""

    wanted: str = "the name of a container"

    def take(self, value: Any) -> Any:
        if value in self.options:
            return value
        choice = find_choice(str(value).strip("<>[]_ "), self.options)
        if choice is None:
            raise self._refuse(value)
        return choice

    def expected(self) -> str:
        return self.wanted


class AnswerForm(Form):
    """One answer, which needs no name."""

    def offer(self) -> str:
        return self.alternatives[0][0].expected()


@lru_cache(maxsize=1 << 12)
def answer_form(kind: str, choices: tuple[str, ...]) -> Form:
    """The form of an answer, or of a note: one of the choices, or words if there are none."""
    field: Field = Words("answer", suggestions=lambda: (NOBODY,))
    if choices:
        field = Answer("note" if kind == "note" else "answer", choices, _WANTED.get(kind, Answer.wanted))
    return AnswerForm.of(field, mark="Answer")


@lru_cache(maxsize=1 << 14)  # the stories of a family are asked the same questions
def probe_of(question: str, kind: str = "", chain: tuple[str, ...] = ()) -> Probe:
    """A question as a probe, by its words; as ``kind`` and ``chain`` say, and about nothing, where no template fits."""
    parser = Parser()
    try:
        asked = parser.question(question)
    except NotUnderstood:
        return Probe(kind, chain, moment="end")
    names = parser.names
    return Probe(asked.kind, tuple(names.agents[agent] for agent in asked.chain), names.objects[0], moment="end")


def ask_of(item: LabelledQuestion, ask_id: str = "") -> Ask:
    """The ask that puts a question to the reader; its id by default."""
    text = Text(item.id, item.story, item.question, item.choices, item.is_open)
    probe = probe_of(item.question, item.qtype, item.chain)
    return Ask(ask_id or item.id, READER, 1, StoryView(text, item.story), answer_form(probe.kind, item.choices), probe)


def answers_of(mind: Mind, items: Iterable[LabelledQuestion]) -> dict[str, str]:
    """The answers of a mind to questions, by their ids: all put at once, without a session, and with seed 0."""
    asks = [ask_of(item) for item in items]
    if (begin := getattr(mind, "begin", None)) is not None:
        begin(READER, Briefing("tomi-v0", READER, (READER,)), 0)
    return {ask.id: reply.value for ask, reply in zip(asks, replies_of(mind, asks), strict=True)}
