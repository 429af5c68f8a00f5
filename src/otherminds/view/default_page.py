"""Pictures and pages for worlds that draw nothing themselves: their text, turn by turn."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from otherminds.core.summary import is_right
from otherminds.view.layout import column, moved, text
from otherminds.view.page import Entry, Frame, Page, Panel, render
from otherminds.view.shapes import Rect, Scene, to_svg

if TYPE_CHECKING:
    from otherminds.core.episodes import Episode
    from otherminds.core.world import World

_WIDTH, _SIZE, _MARGIN, _INK, _PAPER = 420.0, 14.0, 16.0, "#222222", "#fbfaf7"


def scene_of(world: World, state: Any, params: Any) -> Scene:
    """A state as a picture: the world's own, or its text."""
    own: Scene | None = world.scene(state, params)
    if own is not None:
        return own
    shown = text(world.terminal(state, params).splitlines() or [" "], _WIDTH, _SIZE, _INK)
    width, height = shown.width + 2 * _MARGIN, shown.height + 2 * _MARGIN
    paper = Rect(0, 0, width, height, fill=_PAPER)
    return Scene(width, height, (paper, *moved(column(shown, gap=0).shapes, _MARGIN, _MARGIN)))


def page_of(world: World, episode: Episode, *beside: Episode) -> str:
    """The replay page of an episode: the world's own, or states as pictures, replies as a log, probes as a table."""
    own = world.page(episode, *beside)
    if own is not None:
        return own
    played = world.replay(episode)
    frames = [
        Frame(
            board=to_svg(scene_of(world, state, played.params)),
            log=tuple(Entry(f"{ask}: {value}") for ask, value in turn.get("replies", {}).items()),
            panels={"probes": probe_table(turn)},
        )
        for turn, state in zip(({}, *episode.turns), played.states, strict=False)
    ]
    outcome = (episode.end or {}).get("outcome", {})
    facts = {"success": str(outcome.get("success")), "score": ", ".join(map(str, outcome.get("score", {}).values()))}
    seats = tuple(f"{seat}: {mind}" for seat, mind in zip(world.seats, episode.minds.values(), strict=False))
    title = f"{episode.world}, {episode.id}"
    return render(Page(title, frames, ", ".join(seats), facts, panels=_PANELS, style=_STYLE))


_STYLE = "#panel-probes td, #panel-probes th { padding: 0.1em 1em 0.1em 0; text-align: left; }"
_PANELS = (Panel("probes", "Questions, answers and right answers"),)


def probe_table(turn: Mapping[str, Any]) -> str:
    """The probes of a recorded turn as an HTML table; empty if there are none."""
    rows = []
    for probe in turn.get("probes", ()):
        mark = {True: "right", False: "wrong", None: ""}[is_right(probe)]
        chain = " → ".join([probe["seat"], *probe.get("chain", ())])
        cells = (chain, probe["kind"], probe.get("about", ""), probe.get("expected", ""), probe["given"], mark)
        rows.append("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in cells) + "</tr>")
    if not rows:
        return ""
    head = "".join(f"<th>{name}</th>" for name in ("whose belief", "kind", "about", "expected", "given", ""))
    return f"<table><tr>{head}</tr>{''.join(rows)}</table>"
