"""A story, or a family of twins, as one HTML page: sentences, minds at every step, the timeline, and answers marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from otherminds.core.errors import UserError
from otherminds.view.page import Frame, Page, Panel, render
from otherminds.view.shapes import to_svg
from otherminds.worlds.tomi.draw import (
    FALSE,
    GRID,
    INK,
    PAPER,
    QUIET,
    colours_of,
    container_colours,
    layout,
    room_colours,
    story_scene,
    text_on,
)
from otherminds.worlds.tomi.items import Item, grouped, is_valid, matches, normalise
from otherminds.worlds.tomi.rules import History, answer, container
from otherminds.worlds.tomi.timeline import Timeline, follow
from otherminds.worlds.tomi.types import Enter, Exit, Names, Question, Tell, members

_ORDERS = ("true belief", "false belief", "second-order false belief")
# The picture's colours in a dark page; those of rooms and containers stay.
_DARK = {PAPER: "#191c22", INK: "#e7e9ee", QUIET: "#9aa2af", GRID: "#333842"}
_DARK[FALSE] = "#ff7a70"


def story_page(items: Sequence[Item], answers: Mapping[str, str] | None = None) -> str:
    """The HTML text of a page about one story or one family.

    Args:
        items: all its questions; those of twins belong to one family.
        answers: a model's, by the ids of the questions.

    Raises:
        UserError: if there is no question, they are of several families, or a story cannot be understood.
    """
    stories = grouped(items, lambda item: item.story_id)
    families = list(dict.fromkeys(item.family_id for item in items))
    if len(families) != 1:
        found = f"{len(families)} families" if families else "no question"
        raise UserError(f"a page shows one story or one family, found {found}; choose one")
    family = [
        Member(tuple(asked), follow(asked[0].story, [item.question for item in asked], is_open=asked[0].is_open))
        for asked in sorted(stories.values(), key=lambda asked: asked[0].variant != "base")
    ]
    look = Look(family)
    base = family[0]
    kind = "family" if len(family) > 1 else "story"
    panels = [
        Panel("story", "The story", "".join(_pane(i, _sentences(m, base)) for i, m in enumerate(family))),
        Panel("beliefs", "What each believes"),
        Panel("questions", "Questions", questions_table(family, answers, look)),
        Panel("timeline", "Timeline", "".join(_pane(i, _picture(m, look)) for i, m in enumerate(family))),
    ]
    if len(family) > 1:
        panels.insert(0, Panel("members", "Stories of the family", tabs(family, answers)))
    longest = max((member.timeline for member in family), key=lambda timeline: len(timeline.events))
    page = Page(
        title=f"ToMi: {kind} {families[0]}",
        subtitle=_subtitle(base),
        frames=[Frame("", _label(longest, step)) for step in range(len(longest.moments))],
        facts=_facts(family, answers),
        panels=tuple(panels),
        data=_data(family, look),
        package=__package__,
        dark=_DARK,
    )
    return render(page)


def _sentences(member: Member, base: Member) -> str:
    """The sentences, each with the step that it leads to; what a twin tells otherwise is marked."""
    timeline, original = member.timeline, base.items[0].story
    lines, number = [], 0
    for event, spoken in enumerate(timeline.sentences):
        for sentence in spoken:
            before = original[number] if len(original) == len(member.items[0].story) else None
            is_changed = sentence != before if before is not None else sentence not in original
            note = f"<small>base: {escape(before)}</small>" if is_changed and before is not None else ""
            look = ' class="changed"' if is_changed else ""
            lines.append(
                f'<li{look} data-step="{event + 1}"><button type="button">{escape(sentence)}</button>{note}</li>'
            )
            number += 1
    return f"<ol>{''.join(lines)}</ol>"


def _picture(member: Member, look: Look) -> str:
    return to_svg(story_scene(member.timeline, containers=look.containers, rooms=look.rooms))


def _pane(number: int, html: str) -> str:
    """HTML that is visible only while its story is shown, at first the base."""
    hidden = " hidden" if number else ""
    return f'<div class="pane" data-member="{number}"{hidden}>{html}</div>'


def _data(family: Sequence[Member], look: Look) -> dict[str, Any]:
    return {
        "containers": [{"name": name, "style": fill(colour)} for name, colour in look.containers.items()],
        "members": [_mind(member.timeline, look) for member in family],
    }


def _mind(timeline: Timeline, look: Look) -> dict[str, Any]:
    """State and beliefs at every step, by number; -1 stands for none. ``beliefs`` are [step][observer][subject]."""
    names, steps = timeline.names, range(len(timeline.moments))
    agents, plan = range(len(names.agents)), layout(timeline)

    def number(container: int | None) -> int:
        return -1 if container is None or container < 0 else look.order.index(names.containers[container])

    return {
        "agents": names.agents,
        "asked": timeline.people,
        "rooms": names.rooms,
        "places": [timeline.moments[step].places for step in steps],
        "labels": [_label(timeline, step) for step in steps],
        "told": ["", *(" ".join(spoken) for spoken in timeline.sentences)],
        "seen": [[], *(list(_seen(timeline, step)) for step in steps[1:])],
        "boxes": [plan.box(event) for event in range(len(timeline.events))],
        "things": [
            {
                "name": names.objects[thing],
                "at": [number(timeline.moments[step].contents[thing]) for step in steps],
                "beliefs": [
                    [[number(timeline.belief((o,) if o == s else (o, s), thing, step)) for s in agents] for o in agents]
                    for step in steps
                ],
            }
            for thing in timeline.things
        ],
    }


def _seen(timeline: Timeline, step: int) -> Iterator[str]:
    """Who perceives the event that leads to a step, in a few words each."""
    event, seen = timeline.events[step - 1], timeline.witnesses(step)

    def people(mask: int) -> str:
        return ", ".join(timeline.names.agents[agent] for agent in members(mask))

    openly, hidden, missed = seen.real & seen.apparent, seen.real & ~seen.apparent, seen.apparent & ~seen.real
    if not seen.real | seen.apparent:
        yield "tells nobody where anything is"
    if openly:
        yield f"{'heard' if isinstance(event, Tell) else 'seen'} by {people(openly)}"
    if hidden:
        yield f"in secret also by {people(hidden)}"
    if missed:
        yield f"unnoticed, missed by {people(missed)}"
    if isinstance(event, Enter | Exit):
        for thing in timeline.things:
            if timeline.evidence(thing, step).real:
                yield f"which shows where to find the {timeline.names.objects[thing]}"


def _label(timeline: Timeline, step: int) -> str:
    total = sum(map(len, timeline.sentences))
    return f"after {timeline.number(step - 1)} of {total}" if step else "before the story"


def _facts(family: Sequence[Member], answers: Mapping[str, str] | None) -> dict[str, str]:
    first = family[0].items[0]
    orders = dict.fromkeys(_order(member.items[0].story_order) for member in family)
    facts = {"set": first.preset, "split": first.split, "seed": str(first.seed), "types": ", ".join(orders)}
    if answers is not None:
        right, total = sum(num_right(m, answers) for m in family), sum(len(m.items) for m in family)
        facts["answers right"] = f"{right} of {total}"
    return facts


def _order(order: int) -> str:
    return _ORDERS[order] if order < len(_ORDERS) else f"false belief of order {order}"


def _subtitle(base: Member) -> str:
    names, things = base.timeline.names, base.timeline.things
    objects = " and ".join(f"the {names.objects[thing]}" for thing in things)
    return f"{', '.join(names.agents)} come and go, and {objects} may be moved. Who would look where?"


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
        """Its part in the family, such as "order twin"."""
        variant = self.items[0].variant
        return _TWINS.get(variant, variant).partition(":")[0]


class Look:
    """The colours that all stories of a page share."""

    def __init__(self, family: Sequence[Member]) -> None:
        known = [colours_of(member.timeline) for member in family]
        self.containers = container_colours(name for containers, _ in known for name in containers)
        self.rooms = room_colours(name for _, rooms in known for name in rooms)
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
    """Whether a model's answer is right, and otherwise which other question it would answer."""
    item, timeline = member.items[place], member.timeline
    if given is None:
        return '<div class="mark missing">no answer</div>'
    if matches(given, item):
        return '<div class="mark right">right</div>'
    about = [] if given.strip() and is_valid(given, item) else ["not one of the candidates"]
    about += right_about(given, timeline.questions[place], timeline.moments[-1], timeline.names)
    for other in family:
        twin = next((one for one in other.items if one.question == item.question), None)
        if other is not member and twin and normalise(given) == normalise(twin.answer):
            about.append(f"right in the {other.name}")
    reasons = f"<small>{escape('; '.join(about))}</small>" if about else ""
    return f'<div class="mark wrong">wrong: {look.chip(given)}{reasons}</div>'


def right_about(given: str, question: Question, history: History, names: Names) -> list[str]:
    """Other questions that a wrong answer would be right about, in words such as "where it really is"."""
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
    right = {words: container(reading, history) for words, reading in readings.items() if reading != question}
    return [words for words, box in right.items() if box is not None and normalise(names.containers[box]) == word]


def num_right(member: Member, answers: Mapping[str, str]) -> int:
    """Number of right answers to the questions of a story."""
    return sum(item.id in answers and matches(answers[item.id], item) for item in member.items)


def fill(colour: str) -> str:
    """The style of a word on a colour."""
    return f"background:{colour};color:{text_on(colour)}"
