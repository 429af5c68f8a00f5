"""The questions of a page about stories: right answers, and a model's beside them with what they say of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from otherminds.worlds.tomi import palette
from otherminds.worlds.tomi.draw import colours_of
from otherminds.worlds.tomi.items import Item, is_valid, matches, normalise
from otherminds.worlds.tomi.rules import History, answer, container
from otherminds.worlds.tomi.timeline import Timeline
from otherminds.worlds.tomi.types import Names, Question

_TWINS = {
    "base": "base story",
    "order": "order twin: two statements swapped",
    "agent": "agent twin: two names swapped",
    "room": "room twin: one entry to another room",
}


@dataclass(frozen=True)
class Member:
    """One story of the page."""

    items: tuple[Item, ...]
    timeline: Timeline

    @property
    def name(self) -> str:
        """What it is to its family."""
        variant = self.items[0].variant
        return _TWINS.get(variant, variant).partition(":")[0]


class Look:
    """The colours that all stories of a page share."""

    def __init__(self, family: Sequence[Member]) -> None:
        known = [colours_of(member.timeline) for member in family]
        self.containers = palette.container_colours(name for containers, _ in known for name in containers)
        self.rooms = palette.room_colours(name for _, rooms in known for name in rooms)
        self.order = list(self.containers)

    def chip(self, word: str) -> str:
        """A container as a coloured word; anything else as it is."""
        for name, colour in self.containers.items():
            if normalise(name) == normalise(word):
                return f'<span class="chip" style="{fill(colour)}">{escape(name)}</span>'
        return f"<q>{escape(word)}</q>"


def tabs(family: Sequence[Member], answers: Mapping[str, str] | None) -> str:
    """Buttons that choose which story is shown."""
    buttons = []
    for number, member in enumerate(family):
        name, _, what = _TWINS.get(member.items[0].variant, member.items[0].variant).partition(": ")
        wrong = sum(item.id in (answers or {}) for item in member.items) - num_right(member, answers or {})
        count = f'<b class="count">{wrong} wrong</b>' if wrong else ""
        pressed = "true" if number == 0 else "false"
        buttons.append(
            f'<button type="button" data-tab="{number}" aria-pressed="{pressed}">'
            f"<span>{escape(name)} {count}</span><small>{escape(what or 'as it was made')}</small></button>"
        )
    return f'<div class="tabs">{"".join(buttons)}</div>'


def questions_table(family: Sequence[Member], answers: Mapping[str, str] | None, look: Look) -> str:
    """One row a question, one column a story."""
    asked = list(dict.fromkeys(item.question for member in family for item in member.items))
    names = [member.name for member in family] if len(family) > 1 else ["answer"]
    heads = "".join(f'<th scope="col" data-column="{i}">{name}</th>' for i, name in enumerate(names))
    rows = []
    for question in asked:
        cells, first = "", None
        for number, member in enumerate(family):
            place = next((i for i, item in enumerate(member.items) if item.question == question), None)
            if place is None:
                cells += f'<td data-column="{number}"></td>'
                continue
            item = member.items[place]
            first = first or item
            cell = _right(member, place, look)
            if item.answer != first.answer:
                cell = f'<span class="other" title="not as in the base story">{cell}</span>'
            if answers is not None:
                cell += _marked(member, place, answers.get(item.id), look, family)
            cells += f'<td data-column="{number}">{cell}</td>'
        group = first.group if first else ""
        rows.append(f'<tr><th scope="row">{escape(question)}<small>{escape(group)}</small></th>{cells}</tr>')
    return f'<table><thead><tr><th scope="col">question</th>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table>'


def _right(member: Member, place: int, look: Look) -> str:
    """The right answer, and what is to be said of it."""
    item, timeline = member.items[place], member.timeline
    computed = answer(timeline.questions[place], timeline.moments[-1], timeline.names)
    notes = ["ambiguous"] if item.ambiguous else []
    if computed is not None and normalise(computed) != normalise(item.answer):
        notes.append(f"the label; by the rules {look.chip(computed)}")
    return look.chip(item.answer) + "".join(f" <small>{note}</small>" for note in notes)


def _marked(member: Member, place: int, given: str | None, look: Look, family: Sequence[Member]) -> str:
    """A model's answer: right, or wrong and what it would have been right about."""
    item, timeline = member.items[place], member.timeline
    if given is None:
        return '<div class="mark missing">no answer</div>'
    if matches(given, item):
        return '<div class="mark right">right</div>'
    about = [] if given.strip() and is_valid(given, item) else ["none of the candidates"]
    about += right_about(given, timeline.questions[place], timeline.moments[-1], timeline.names)
    for other in family:
        twin = next((one for one in other.items if one.question == item.question), None)
        if other is not member and twin and normalise(given) == normalise(twin.answer):
            about.append(f"right in the {other.name}")
    reasons = f"<small>{escape('; '.join(about))}</small>" if about else ""
    return f'<div class="mark wrong">wrong: {look.chip(given)}{reasons}</div>'


def right_about(given: str, question: Question, history: History, names: Names) -> list[str]:
    """What a wrong answer says truly, other than what was asked, in words such as "where it really is"."""
    word = normalise(given)
    if question.kind not in ("memory", "reality", "before", "belief"):
        return []
    if word in {normalise(room) for room in names.rooms}:
        return ["the room, not the container"]
    thing, chain = question.object, question.chain
    readings = {
        "where it really is": Question("reality", thing),
        "where it was at the beginning": Question("memory", thing),
    }
    if len(history.trail[thing]) > 2:
        readings["where it was before the last move"] = Question("before", thing)
    for other in (chain[1:], chain[:1], chain[-1:], chain[::-1]) if len(chain) > 1 else ():
        people = " thinks ".join(names.agents[agent] for agent in other)
        readings[f"what {people} thinks"] = Question("belief", thing, other)
    right = {what: container(reading, history) for what, reading in readings.items() if reading != question}
    return [what for what, box in right.items() if box is not None and normalise(names.containers[box]) == word]


def num_right(member: Member, answers: Mapping[str, str]) -> int:
    """How many questions of a story are answered right."""
    return sum(item.id in answers and matches(answers[item.id], item) for item in member.items)


def fill(colour: str) -> str:
    """The style of a word on a colour."""
    return f"background:{colour};color:{palette.text_on(colour)}"
