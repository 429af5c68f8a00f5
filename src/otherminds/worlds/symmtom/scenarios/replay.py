"""The replay page of a trial, with the best play beside it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import zip_longest
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.match import play_one
from otherminds.core.mind import BaseMind, CannotAnswer, Reply
from otherminds.core.summary import probes_of
from otherminds.core.world import Ask
from otherminds.view.page import Entry, Frame, Page, Panel, render
from otherminds.view.shapes import to_svg
from otherminds.worlds.symmtom.record import play_again
from otherminds.worlds.symmtom.scenarios.items import Trial, trial_of
from otherminds.worlds.symmtom.scenarios.picture import board_scene, in_words, role_colours, scenario_scene
from otherminds.worlds.symmtom.scenarios.solver.plans import shortest_play
from otherminds.worlds.symmtom.scenarios.types import Deed
from otherminds.worlds.symmtom.summary import outcome_of
from otherminds.worlds.symmtom.types import SILENT
from otherminds.worlds.symmtom.views import in_reply
from otherminds.worlds.symmtom.world import SymmToM

BEST = "best play"

_STYLE = """
main { grid-template-columns: minmax(0, 1fr); }
main > .column { display: contents; }
#panel-case { order: -1; }
#panel-case svg { display: block; max-width: 100%; height: auto; margin: 0 auto; }
.pair { display: flex; flex-wrap: wrap; gap: 14px; justify-content: center; }
.pair figure { flex: 1 1 300px; max-width: 560px; margin: 0; }
.pair figcaption { margin-bottom: 6px; text-align: center; }
.beliefs th, .beliefs td { padding: 3px 12px; text-align: right; font-weight: 400; font-variant-numeric: tabular-nums; }
.beliefs th:first-child { text-align: left; }
.beliefs .wrong { font-weight: 700; }
"""


class BestPlay(BaseMind):
    """Plays a shortest success. Where cases look alike to the tested agent, this takes hindsight."""

    name = BEST

    def __init__(self, trial: Trial) -> None:
        self.trial, self._deeds = trial, shortest_play(trial.scenario, trial.case)

    def reply(self, ask: Ask) -> Reply:
        if ask.probe is not None:
            raise CannotAnswer
        move, piece = self._deeds[ask.turn - 1 - self.trial.starts]
        return Reply(in_reply(self.trial.staging.move(move), piece))


def best_episode(trial: Trial) -> Episode:
    """The record of a shortest success."""
    session = SymmToM(params=trial.scenario.params).open(0, trial.item())
    return play_one(session, {f"agent_{trial.seats[0]}": BestPlay(trial)})


def trial_page(episode: Episode) -> str:
    """The HTML of a page with a recorded trial and a shortest success side by side."""
    trial = trial_of(episode.notes)
    scenario, both = trial.scenario, (episode, best_episode(trial))
    panels = [Panel("case", "The case", to_svg(scenario_scene(scenario, trial.case.name)))]
    probes = [probe for probe in probes_of(episode) if probe["said"] is not None]
    if probes:
        title = f"What {scenario.agents[0]} believed about who knows which piece when the trial began"
        panels.append(Panel("beliefs", title, _belief_table(trial, probes)))
    page = Page(
        title=f"{scenario.name}, {trial.case.name}: {_mind(trial, episode)} and the best play",
        subtitle=scenario.about,
        frames=_frames(trial, both),
        facts={
            "order": str(scenario.order),
            "seed": str(episode.seed),
            "turns at best": f"{trial.case.turns:g}",
            **({"reproduction only": scenario.reproduction} if scenario.reproduction else {}),
        },
        colours=role_colours(scenario),
        panels=tuple(panels),
        style=_STYLE,
    )
    return render(page)


def _frames(trial: Trial, episodes: Sequence[Episode]) -> list[Frame]:
    boards = [_figures(trial, episode) for episode in episodes]
    length, frames = trial.starts, []
    last = [views[-1] for views in boards]
    for turn, views in enumerate(zip_longest(*boards)):
        shown = [view or rest for view, rest in zip(views, last, strict=True)]
        label = f"history {turn} of {length}" if turn <= length else f"trial, turn {turn - length}"
        frames.append(Frame(f'<div class="pair">{"".join(shown)}</div>', label, _log(trial, episodes, turn)))
    return frames


def _figures(trial: Trial, episode: Episode) -> list[str]:
    played = play_again(episode)
    turns, world = len(episode.turns) - trial.starts, SymmToM(params=played.params)
    outcome = f"{outcome_of(episode)} after" if episode.end is not None else "after"
    caption = escape(f"{_mind(trial, episode)}: {outcome} {turns} turn{'' if turns == 1 else 's'}")
    boards = (to_svg(board_scene(trial.scenario, world.permute(state, trial.seats))) for state in played.states)
    return [f"<figure><figcaption>{caption}</figcaption>{board}</figure>" for board in boards]


def _log(trial: Trial, episodes: Sequence[Episode], turn: int) -> tuple[Entry, ...]:
    """The deeds of all agents, once where they are the same in all plays."""
    if turn == 0:
        return (Entry("The history begins."),)
    entries = []
    for role, name in enumerate(trial.scenario.agents):
        deeds = [_did(episode, trial.seats[role], turn) for episode in episodes]
        if len(set(deeds)) == 1:
            entries.append(Entry(f"{name}: {deeds[0]}", role))
        else:
            pairs = zip(episodes, deeds, strict=True)
            entries += [Entry(f"{name} ({_mind(trial, e)}): {deed}", role) for e, deed in pairs if deed]
    return tuple(entries)


def _did(episode: Episode, agent: int, turn: int) -> str:
    if turn > len(episode.turns):
        return ""
    line, before = episode.turns[turn - 1], episode.turns[turn - 2] if turn > 1 else episode.start
    move, said = line["actions"][agent][0], line["said"][agent]
    is_blocked = move != 0 and line["cells"][agent] == before["cells"][agent]
    return in_words([Deed(move, SILENT if said is None else said)]) + (" (blocked)" if is_blocked else "")


def _mind(trial: Trial, episode: Episode) -> str:
    return list(episode.minds.values())[trial.seats[0]]


def _belief_table(trial: Trial, probes: Sequence[dict[str, Any]]) -> str:
    head = "".join(f"<th>{escape(probe['about'])}</th>" for probe in probes)
    rows = []
    for role, name in enumerate(trial.scenario.agents):
        cells = ""
        for probe in probes:
            agent = trial.seats[role]
            is_known, thought = str(agent) in probe["true"], str(agent) in probe["said"]
            held = f"{probe['likely'][agent]:.0%}" if "likely" in probe else "knows" if thought else "does not"
            look = "right" if is_known == thought else "wrong"
            cells += f'<td class="{look}">{held}, {"knows" if is_known else "does not"}</td>'
        rows.append(f"<tr><th>{escape(name)}</th>{cells}</tr>")
    return f'<table class="beliefs"><tr><th>held, truth</th>{head}</tr>{"".join(rows)}</table>'
