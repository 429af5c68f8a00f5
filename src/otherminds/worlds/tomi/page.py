"""A story, or a family of twins, as one HTML page: sentences, minds at every step, the timeline, and answers marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from otherminds.core.errors import UserError
from otherminds.view.page import Frame, Page, Panel, render
from otherminds.view.shapes import to_svg
from otherminds.worlds.tomi import palette
from otherminds.worlds.tomi.draw import layout, story_scene
from otherminds.worlds.tomi.items import Item
from otherminds.worlds.tomi.page_answers import Look, Member, fill, num_right, questions_table, tabs
from otherminds.worlds.tomi.timeline import Timeline, follow
from otherminds.worlds.tomi.types import Enter, Exit, Tell, members

_ORDERS = ("true belief", "false belief", "second-order false belief")
# The picture's colours in a dark page; those of rooms and containers stay.
_DARK = {palette.PAPER: "#191c22", palette.INK: "#e7e9ee", palette.QUIET: "#9aa2af", palette.GRID: "#333842"}
_DARK[palette.FALSE] = "#ff7a70"


def story_page(
    items: Sequence[Item], answers: Mapping[str, str] | None = None, title: str = "", *, is_open: bool = True
) -> str:
    """The HTML text of a page about one story or one family.

    Args:
        items: all its questions; those of twins belong to one family.
        answers: a model's, by the ids of the questions.
        title: the heading; by default the story's or the family's name.
        is_open: whoever enters a room sees into its containers, as everywhere unless a set says otherwise.

    Raises:
        UserError: if there is no question, they are of several families, or a story cannot be understood.
    """
    stories: dict[str, list[Item]] = {}
    for item in items:
        stories.setdefault(item.story_id, []).append(item)
    families = list(dict.fromkeys(item.family_id for item in items))
    if len(families) != 1:
        found = f"{len(families)} families" if families else "no question"
        raise UserError(f"a page shows one story or one family, found {found}; choose one")
    family = [
        Member(tuple(asked), follow(asked[0].story, [item.question for item in asked], is_open=is_open))
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
        title=title or f"ToMi: {kind} {families[0]}",
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
    """What is seen only while its story is shown; at first, that is the base."""
    hidden = " hidden" if number else ""
    return f'<div class="pane" data-member="{number}"{hidden}>{html}</div>'


def _data(family: Sequence[Member], look: Look) -> dict[str, Any]:
    return {
        "containers": [{"name": name, "style": fill(colour)} for name, colour in look.containers.items()],
        "members": [_mind(member.timeline, look) for member in family],
    }


def _mind(timeline: Timeline, look: Look) -> dict[str, Any]:
    """Everything at every step, by number; -1 stands for none. ``beliefs`` are [step][observer][subject]."""
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
