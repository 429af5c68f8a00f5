"""An episode as one HTML page: the house as each person knows it, acts and messages, and who knows what.

Where a record has the same minds in several worlds of the task, the page can switch between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.view.page import Entry, Frame, Page, Panel, frames_data, render
from otherminds.view.shapes import to_svg
from otherminds.worlds.enacttom.formulas import holds, literal_of
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.ledger import chains_of
from otherminds.worlds.enacttom.mechanics import STATE_WORDS
from otherminds.worlds.enacttom.messages import Message
from otherminds.worlds.enacttom.observe import notes, perceive
from otherminds.worlds.enacttom.record import Played, TaskInWorld, play_again, probe_of
from otherminds.worlds.enacttom.session import Moment
from otherminds.worlds.enacttom.text.clauses import formula_words, in_words
from otherminds.worlds.enacttom.text.goal_shapes import parts_of
from otherminds.worlds.enacttom.text.task_text import message_words, note_words, percept_text, private_text, probe_text
from otherminds.worlds.enacttom.types import Task
from otherminds.worlds.enacttom.view.belief_view import BeliefsByTurn, beliefs_by_turn, key_variables
from otherminds.worlds.enacttom.view.draw import (
    CHIP_FILL,
    FLOOR,
    FOG,
    INK,
    PAPER,
    PEOPLE,
    QUIET,
    RULE,
    WALL,
    house_scene,
)
from otherminds.worlds.enacttom.view.floor_plan import plan_of

# The colours of the picture on a dark page; those of people and lamps do not change.
_DARK = {
    PAPER: "#191c22", FLOOR: "#20242c", FOG: "#15171c", WALL: "#8b93a1", INK: "#e7e9ee", QUIET: "#9aa2af",
    RULE: "#3a404b", CHIP_FILL: "#4a3c16",
}  # fmt: skip
_VERDICTS = ("unknown", "wrong", "knows")
_STATES = STATE_WORDS | {("flag", "yes"): "raised", ("flag", "no"): "not raised"}


def episode_page(episode: Episode, *beside: Episode) -> str:
    """The HTML of a page about an episode, and about others of the same minds in other worlds.

    Raises:
        UserError: if a record cannot be replayed.
    """
    replays = [(record, play_again(record)) for record in (episode, *beside)]
    longest = max(len(played.states) for _, played in replays)
    boards: dict[str, int] = {}  # each picture once, with its number
    drawn = [_frames(record, played, longest, boards) for record, played in replays]
    ground = replays[0][1].params.ground
    task = ground.task
    is_asked = any(_asked(record, turn) for record, played in replays for turn in range(len(played.states)))
    depth = episode.notes.get("depth")
    proved = {} if depth is None else {"proved depth": str(depth)}
    page = Page(
        title=task.title,
        subtitle=f"{task.category}, {len(task.people)} people, {len(task.worlds)} possible worlds",
        frames=drawn[0],
        facts={"task": task.id, "seed": str(episode.seed), **proved},
        colours=PEOPLE[: len(task.people)],
        first_number=1,
        panels=(
            Panel("look", "Point of view", _people(task, episode)),
            Panel("knowledge", "Who knows what"),
            Panel("goal", "The goal"),
            *([Panel("probes", "Probes")] if is_asked else []),
        ),
        data={
            "people": task.names,
            "columns": [_column(ground, variable) for variable in key_variables(ground)],
            "chains": chains_of(len(task.people)),
            "boards": list(boards),
            "worlds": [_world(played) for _, played in replays],
            "others": [frames_data(frames) for frames in drawn[1:]],
        },
        package=__package__,
        style=f"#board svg {{ max-width: {1.3 * plan_of(task).width:.0f}px; }}\n",
        dark=_DARK,
    )
    return render(page)


def _frames(episode: Episode, played: Played, length: int, boards: dict[str, int]) -> list[Frame]:
    """One frame for each turn; the last one is repeated up to the length of the longest episode."""
    minds = beliefs_by_turn(played)
    frames = [_frame(episode, played, minds, turn, boards) for turn in range(len(played.states))]
    return [*frames, *([frames[-1]] * (length - len(frames)))]


def _frame(episode: Episode, played: Played, minds: BeliefsByTurn, turn: int, boards: dict[str, int]) -> Frame:
    house, moment = played.params, played.states[turn]
    is_last = episode.end is not None and turn == len(played.states) - 1
    views = [None, *minds.looks[turn]]
    pictures = [to_svg(house_scene(moment, house, look)) for look in views]
    return Frame(
        board="",
        label=f"turn {turn} of {house.ground.task.horizon}",
        log=tuple(_log(played, turn, is_last)),
        panels={"goal": _goal(house.ground, moment), **_probes(house.ground.task, episode, turn)},
        data={
            "boards": [boards.setdefault(picture, len(boards)) for picture in pictures],
            "budgets": moment.state.budgets,
            "perceived": [_perceived(played, turn, agent) for agent in range(len(house.ground.task.people))],
            "cells": [
                [
                    [_VERDICTS.index(cell.verdict), _held(house.ground, variable, cell.value)]
                    for variable, cell in zip(key_variables(house.ground), minds.cells[turn][chain], strict=True)
                ]
                for chain in chains_of(len(house.ground.task.people))
            ],
        },
    )


def _log(played: Played, turn: int, is_last: bool) -> Iterator[Entry]:
    ground, moment = played.params.ground, played.states[turn]
    task = ground.task
    if moment.outcome is None:
        for agent, name in enumerate(task.names):
            for note in notes(ground, played.params.world, agent):
                yield Entry(f"{name} was told that {note_words(task, note)}.", agent)
        return
    for agent, (name, act, refused) in enumerate(
        zip(task.names, moment.outcome.acts, moment.outcome.refused, strict=True)
    ):
        yield Entry(_deed(task, name, act, refused), agent)
    for label in moment.outcome.events:
        yield Entry(f"Everybody heard that {in_words(label, task)}.")
    if is_last:
        yield Entry(
            "The goal is reached." if holds(ground, task.goal, moment.state.values) else "The goal is not reached."
        )


def _perceived(played: Played, turn: int, agent: int) -> list[str]:
    """What one person perceived of the turn, in the words that a mind is shown."""
    ground, moment = played.params.ground, played.states[turn]
    if moment.outcome is None:
        return private_text(ground, played.params.world, agent).splitlines()
    percept = perceive(ground, played.states[turn - 1].state, moment.state, moment.outcome, agent)
    return percept_text(ground, moment.outcome.acts[agent], percept).splitlines()


def moment_text(moment: Moment, house: TaskInWorld) -> str:
    """A turn in plain text: the acts, and the house after them."""
    ground, values = house.ground, moment.state.values
    task = ground.task
    lines = [f"turn {moment.state.turn} of {task.horizon}"]
    if moment.outcome:
        acts = zip(task.names, moment.outcome.acts, moment.outcome.refused, strict=True)
        lines += [f"  {_deed(task, name, act, refused)}" for name, act, refused in acts]
    shown = [
        literal_of(ground.variables[at], ground.domains[at][value])
        for at, value in enumerate(values)
        if _is_told(ground, at, value)
    ]
    return "\n".join([*lines, f"  {'; '.join(in_words(literal, task) for literal in shown)}"])


def _is_told(ground: Ground, variable: int, value: int) -> bool:
    """Whether a value is worth showing: timers, open locks and lowered flags are not."""
    kind = ground.variables[variable].partition(" ")[0]
    return kind != "timer" and not (kind in ("flag", "locked") and ground.domains[variable][value] == "no")


def _deed(task: Task, name: str, act: Any, refused: str) -> str:
    if isinstance(act, Message):
        deed = f"{name} told {' and '.join(task.names[listener] for listener in act.to)}: {message_words(act, task)}"
    else:
        deed = {"wait()": f"{name} waited", "done()": f"{name} declared that it was done"}.get(act, f"{name} did {act}")
    return f"{deed}: refused, {refused}." if refused else f"{deed}."


def _goal(ground: Ground, moment: Moment) -> str:
    """The parts of the goal, the flags and the private goals, each ticked if it holds now."""
    task, values = ground.task, moment.state.values
    rows = [(formula_words(part, task), holds(ground, part, values)) for part in parts_of(task.goal, task)]
    rows += [(f"the flag {name} is not raised", not holds(ground, f"flag({name})", values)) for name in task.never]
    rows += [
        (f"{name} alone: {formula_words(wish, task)}", holds(ground, wish, values))
        for name, wish in task.private.items()
    ]
    items = "".join(
        f'<li class="{"met" if is_met else "unmet"}"><span class="tick" role="img" '
        f'aria-label="{"holds" if is_met else "does not hold"}">{"✓" if is_met else "·"}</span>'
        f"<span>{escape(text)}</span></li>"
        for text, is_met in rows
    )
    return f'<ul class="goal">{items}</ul>'


def _asked(episode: Episode, turn: int) -> list[Mapping[str, Any]]:
    """The answers to probes before the acts of a turn; with the last turn, those at the end too."""
    answers = list(episode.turns[turn - 1].get("probes", ())) if turn else []
    return answers + (list((episode.end or {}).get("probes", ())) if turn == len(episode.turns) else [])


def _probes(task: Task, episode: Episode, turn: int) -> dict[str, str]:
    """The panel of questions and answers; nothing if the episode has none."""
    if not any(_asked(episode, number) for number in range(len(episode.turns) + 1)):
        return {}
    rows = "".join(
        f'<tr class="{"met" if is_right else "unmet"}"><td class="tick">{"✓" if is_right else "✗"}</td>'
        f"<td><b>{escape(task.names[answer['asked']])}</b> {escape(probe_text(task, probe_of(task, answer)))}</td>"
        f"<td>{escape(str(answer['given'] or 'no answer'))}</td><td>{escape(str(answer['expected']))}</td></tr>"
        for answer in _asked(episode, turn)
        for is_right in [answer["given"] == answer["expected"]]
    )
    head = "<tr><th></th><th>question</th><th>answer</th><th>expected</th></tr>"
    empty = '<p class="quiet">No questions were asked in this turn.</p>'
    return {"probes": f'<table class="asked"><thead>{head}</thead><tbody>{rows}</tbody></table>' if rows else empty}


def _people(task: Task, episode: Episode) -> str:
    """The choice of a view: everybody, or one person, with its mind and the messages it can still send."""
    every = '<label><input type="radio" name="look" value="0" checked> everybody <kbd>0</kbd></label>'
    people = "".join(
        f'<label><input type="radio" name="look" value="{at}"> '
        f'<span class="token" style="background:{PEOPLE[at - 1]}">{at}</span> '
        f'<span class="who"><b>{escape(person.name)}</b> <span class="quiet">{escape(str(player))}</span></span>'
        f"{left if task.talk.budgets.get(person.name) else ''}</label>"
        for at, (person, player) in enumerate(zip(task.people, episode.minds.values(), strict=True), 1)
        for left in [f'<span class="left" data-agent="{at - 1}"></span>']
    )
    world = '<label class="worlds">world <select id="world"></select></label>'
    return f'<div class="choice">{every}{people}</div>{world}'


def _column(ground: Ground, variable: int) -> str:
    kind, _, name = ground.variables[variable].partition(" ")
    words = {
        "place": f"where {name} is",
        "at": f"where {name} is",
        "flag": f"flag: {name}",
        "locked": f"lock of {name}",
    }
    return words.get(kind, name).replace("_", " ")


def _held(ground: Ground, variable: int, value: str) -> str:
    """A value in words, for the table of beliefs."""
    kind = ground.variables[variable].partition(" ")[0]
    return _STATES.get((kind, value), value).replace("_", " ")


def _world(played: Played) -> str:
    task = played.params.ground.task
    reached = holds(played.params.ground, task.goal, played.states[-1].state.values)
    return f"{task.describe(played.params.world) or 'the only one'} ({'reached' if reached else 'not reached'})"
