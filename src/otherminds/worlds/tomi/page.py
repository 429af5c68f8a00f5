"""A story as one HTML page: sentences, minds at every step, the timeline, and answers marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from otherminds.view.page import Frame, Page, Panel, render
from otherminds.view.shapes import to_svg
from otherminds.worlds.tomi.draw import FALSE, GRID, INK, PAPER, QUIET, colours_of, layout, story_scene, text_on
from otherminds.worlds.tomi.files.items import LabelledQuestion, matches, normalise
from otherminds.worlds.tomi.rules import answer
from otherminds.worlds.tomi.stories.original import type_by_belief
from otherminds.worlds.tomi.timeline import Timeline, follow
from otherminds.worlds.tomi.types import Enter, Exit, Tell, members

# The picture's colours in a dark page; those of rooms and containers stay.
_DARK = {PAPER: "#191c22", INK: "#e7e9ee", QUIET: "#9aa2af", GRID: "#333842"}
_DARK[FALSE] = "#ff7a70"


def story_page(items: Sequence[LabelledQuestion], answers: Mapping[str, str]) -> str:
    """The HTML text of a page about a story with all its questions, and a mind's answers by their ids."""
    first = items[0]
    timeline = follow(first.story, [item.question for item in items], is_open=first.is_open)
    names, (colours, _) = timeline.names, colours_of(timeline)
    objects = " and ".join(f"the {names.objects[thing]}" for thing in timeline.things)
    right = sum(item.id in answers and matches(answers[item.id], item) for item in items)
    page = Page(
        title=f"ToMi: story {first.story_id}",
        subtitle=f"{', '.join(names.agents)} come and go, and {objects} may be moved. Who would look where?",
        frames=[
            Frame("", "before the story"),
            *(Frame("", f"after {timeline.number(at)} of {len(first.story)}") for at in range(len(timeline.events))),
        ],
        facts={
            "set": first.preset,
            "split": first.split,
            "seed": str(first.seed),
            "type": type_by_belief(first.story_order).replace("_", " "),
            "answers right": f"{right} of {len(items)}",
        },
        panels=(
            Panel("story", "The story", _sentences(timeline)),
            Panel("beliefs", "What each person believes"),
            Panel("questions", "Questions", _questions(items, answers, timeline, colours)),
            Panel("timeline", "Timeline", to_svg(story_scene(timeline))),
        ),
        data=_data(timeline, colours),
        package=__package__,
        dark=_DARK,
    )
    return render(page)


def _sentences(timeline: Timeline) -> str:
    """The sentences, each with the step that it leads to."""
    lines = [
        f'<li data-step="{step}"><button type="button">{escape(sentence)}</button></li>'
        for step, spoken in enumerate(timeline.sentences, 1)
        for sentence in spoken
    ]
    return f"<ol>{''.join(lines)}</ol>"


def _data(timeline: Timeline, colours: Mapping[str, str]) -> dict[str, Any]:
    """State and beliefs at every step, by number; -1 means none. ``beliefs`` are [step][observer][subject]."""
    names, steps = timeline.names, range(len(timeline.moments))
    agents, plan, containers = range(len(names.agents)), layout(timeline), list(colours)

    def number(container: int | None) -> int:
        return -1 if container is None or container < 0 else containers.index(names.containers[container])

    return {
        "containers": [{"name": name, "style": _fill(colour)} for name, colour in colours.items()],
        "agents": names.agents,
        "asked": timeline.people,
        "rooms": names.rooms,
        "places": [timeline.moments[step].places for step in steps],
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
    event, (seen, _) = timeline.events[step - 1], timeline.seen[step - 1]

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


def _questions(
    items: Sequence[LabelledQuestion], answers: Mapping[str, str], timeline: Timeline, colours: Mapping[str, str]
) -> str:
    """A row for each question with its right answer and the mind's."""
    rows = []
    for item, question in zip(items, timeline.questions, strict=True):
        cell = _chip(item.answer, colours) + (" <small>ambiguous</small>" if item.ambiguous else "")
        computed = answer(question, timeline.moments[-1], timeline.names)
        if computed is not None and normalise(computed) != normalise(item.answer):
            cell += f" <small>the label; by the rules {_chip(computed, colours)}</small>"
        reply = answers.get(item.id)
        if reply is None:
            cell += '<div class="mark missing">no answer</div>'
        elif matches(reply, item):
            cell += '<div class="mark right">right</div>'
        else:
            cell += f'<div class="mark wrong">wrong: {_chip(reply, colours)}</div>'
        head = f"{escape(item.question)}<small>{escape(item.group)}</small>"
        rows.append(f'<tr><th scope="row">{head}</th><td>{cell}</td></tr>')
    heads = '<th scope="col">question</th><th scope="col">answer</th>'
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _chip(word: str, colours: Mapping[str, str]) -> str:
    """A container as a coloured word; anything else as it is."""
    for name, colour in colours.items():
        if normalise(name) == normalise(word):
            return f'<span class="chip" style="{_fill(colour)}">{escape(name)}</span>'
    return f"<q>{escape(word)}</q>"


def _fill(colour: str) -> str:
    """The style of a word on a colour."""
    return f"background:{colour};color:{text_on(colour)}"
