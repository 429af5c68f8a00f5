"""One trial of a theory-of-mind test to look at: as an episode record, and on a page beside the best play."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from html import escape
from itertools import zip_longest
from typing import Literal, NamedTuple

import numpy as np

from otherminds.core.episodes import Episode, EpisodeWriter
from otherminds.core.players import Policy
from otherminds.core.seeds import generator
from otherminds.evals.symmtom_battery import Seated
from otherminds.view.page import Entry, Frame, Page, Panel, render
from otherminds.view.shapes import to_svg
from otherminds.worlds.symmtom import record
from otherminds.worlds.symmtom.chance import draw_coins
from otherminds.worlds.symmtom.scenarios.picture import (
    board_scene,
    in_words,
    role_colours,
    scenario_scene,
)
from otherminds.worlds.symmtom.scenarios.solver.shortest import shortest_play
from otherminds.worlds.symmtom.scenarios.stage import (
    Acts,
    Staging,
    action_of,
    by_role,
    no_coins,
    play_acts,
    put_on,
    trial_state,
    verdict,
)
from otherminds.worlds.symmtom.scenarios.types import Case, Deed, Scenario
from otherminds.worlds.symmtom.types import SILENT, Action, Array, State

BEST = "best play"
Outcome = Literal["success", "failure", "unfinished"]
_OUTCOMES: dict[int, Outcome] = {1: "success", -1: "failure", 0: "unfinished"}

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


def scenario_episode(
    scenario: Scenario,
    case: Case,
    policy: Policy,
    seed: int,
    staging: Staging | None = None,
    writer: EpisodeWriter | None = None,
) -> Episode:
    """A policy's trial of a case as an ordinary record: the history, then the trial until it is decided.

    Its notes say which scenario and case it is, whose seat is tested, after which turn the trial starts, and its
    outcome: success, failure or unfinished.
    """
    return _performed(scenario, case, policy, seed, staging or Staging(), writer)[0]


def trial_id(scenario: Scenario, case: Case, player: str, seed: int, staging: Staging | None = None) -> str:
    """The name of a trial's record: the same for the same trial, and another once the scenario's file has changed."""
    staging = staging or Staging()
    seats = "".join(map(str, staging.seats or range(len(scenario.agents))))
    what = (scenario.params, scenario.bases, scenario.hands, scenario.choices, scenario.script, scenario.limit, case)
    digest = hashlib.blake2b(repr(what).encode(), digest_size=4).hexdigest()
    return f"{scenario.name}-{case.name}-{player}-s{staging.symmetry}-{seats}-seed{seed}-{digest}"


def best_episode(scenario: Scenario, case: Case, writer: EpisodeWriter | None = None) -> Episode:
    """The record of a shortest successful play. Where cases look alike to the tested agent, it is one of hindsight."""
    play = shortest_play(scenario, case)
    acts = put_on(scenario, [(case, Staging())]).only()

    def choose(_: State, turn: int) -> Action:
        return action_of([play[max(0, turn)]] * len(scenario.agents))  # whoever else gets it follows its script

    trial = _play(scenario, case, acts, choose, lambda: no_coins(scenario.params))
    return _recorded(scenario, case, acts, trial, BEST, f"{scenario.name}-{case.name}-best", 0, writer)


def comparison_page(scenario: Scenario, case: Case, policy: Policy, seed: int) -> str:
    """The HTML text of a page with a policy's trial and a shortest successful one side by side, turn by turn."""
    episode, belief = _performed(scenario, case, policy, seed, Staging())
    both = (episode, best_episode(scenario, case))
    panels = [Panel("case", "The case", to_svg(scenario_scene(scenario, case.name)))]
    if belief is not None:
        name = scenario.agents[0]
        title = f"How probable it was to {name}, when the trial began, that each knows each piece"
        panels.append(Panel("beliefs", title, _belief_table(scenario, case, belief)))
    page = Page(
        title=f"{scenario.name}, {case.name}: {policy.name} and the best play",
        subtitle=scenario.about,
        frames=_frames(scenario, case, both),
        facts={
            "order": str(scenario.order),
            "seed": str(seed),
            "turns at best": f"{case.turns:g}",
            **({"reproduction only": scenario.reproduction} if scenario.reproduction else {}),
        },
        colours=role_colours(scenario),
        panels=tuple(panels),
        style=_STYLE,
    )
    return render(page)


class _Trial(NamedTuple):
    """A case as it was played."""

    choices: list[tuple[Action, Array]]  # with the coins of each turn, from the start of the history
    outcome: Outcome


class _Tested:
    """A policy in the tested seat. It lives through the history, as in ``symmtom_battery.perform``."""

    def __init__(self, scenario: Scenario, policy: Policy, acts: Acts, seed: int) -> None:
        self._seat = int(acts.seats[0])
        self._seated = Seated(policy, scenario.params, "numpy", generator(seed, f"policy/{policy.name}"))
        self._seated.begin(acts.start)
        self.belief: Array | None = None  # when the trial begins, [subject, piece]

    def __call__(self, state: State, turn: int) -> Action:
        action = self._seated.act(state)
        if turn == 0 and (likely := self._seated.believes(state)) is not None:
            self.belief = np.asarray(likely)[self._seat]
        return action


def _performed(
    scenario: Scenario, case: Case, policy: Policy, seed: int, staging: Staging, writer: EpisodeWriter | None = None
) -> tuple[Episode, Array | None]:
    """The record, and what the policy believed when the trial began, if it says so."""
    acts = put_on(scenario, [(case, staging)]).only()
    tested, rng = _Tested(scenario, policy, acts, seed), generator(seed, "world")
    trial = _play(scenario, case, acts, tested, lambda: draw_coins(rng, scenario.params))
    name = trial_id(scenario, case, policy.name, seed, staging)
    return _recorded(scenario, case, acts, trial, policy.name, name, seed, writer), tested.belief


def _play(
    scenario: Scenario,
    case: Case,
    acts: Acts,
    choose: Callable[[State, int], Action],
    coins: Callable[[], Array],
) -> _Trial:
    """Play the history and then the trial, until it is decided."""
    choices: list[tuple[Action, Array]] = []
    for played in play_acts(scenario, acts, choose, coins):
        choices.append((played.action, played.coins))
        now = int(verdict(scenario, case, by_role(played.state, acts.seats))) if played.turn >= 0 else 0
        if now or (played.turn >= 0 and played.is_won):
            return _Trial(choices, _OUTCOMES[now])
    return _Trial(choices, "unfinished")


def _recorded(
    scenario: Scenario,
    case: Case,
    acts: Acts,
    trial: _Trial,
    player: str,
    id: str,
    seed: int,
    writer: EpisodeWriter | None,
) -> Episode:
    """The record of a trial, as an episode of just so many turns."""
    params, state = scenario.params.replace(num_turns=len(trial.choices)), acts.start
    tested = int(acts.seats[0])
    by_seat = np.argsort(acts.seats).tolist()
    episode = Episode(
        id=id,
        world=record.WORLD,
        config=params.to_dict(),
        players=[player if role == 0 else f"script of {scenario.agents[role]}" for role in by_seat],
        seed=seed,
        start=record.start_line(state),
        notes={
            "scenario": scenario.name,
            "case": case.name,
            "tested": tested,
            "trial_starts": len(case.history),
            "outcome": trial.outcome,
        },
    )
    recorder = record.Recorder(episode, params, state, writer)
    for action, coins in trial.choices:
        recorder.turn(action, coins)
    recorder.finish()
    return episode


def _frames(scenario: Scenario, case: Case, episodes: tuple[Episode, Episode]) -> list[Frame]:
    boards = [[_figure(scenario, case, e, state) for state in record.play_again(e).states] for e in episodes]
    length, frames = len(case.history), []
    last = [views[-1] for views in boards]
    for turn, views in enumerate(zip_longest(*boards)):
        shown = [view or rest for view, rest in zip(views, last, strict=True)]
        label = f"history {turn} of {length}" if turn <= length else f"trial, turn {turn - length}"
        frames.append(Frame(f'<div class="pair">{"".join(shown)}</div>', label, _log(scenario, episodes, turn)))
    return frames


def _figure(scenario: Scenario, case: Case, episode: Episode, state: State) -> str:
    turns = len(episode.turns) - len(case.history)
    caption = f"{episode.players[0]}: {episode.notes['outcome']} after {turns} turn{'' if turns == 1 else 's'}"
    return f"<figure><figcaption>{escape(caption)}</figcaption>{to_svg(board_scene(scenario, state))}</figure>"


def _log(scenario: Scenario, episodes: tuple[Episode, Episode], turn: int) -> tuple[Entry, ...]:
    """What everyone did, once where it is the same in both plays."""
    if turn == 0:
        return (Entry("The history begins."),)
    entries = []
    for role, name in enumerate(scenario.agents):
        deeds = [_did(episode, role, turn) for episode in episodes]
        if deeds[0] == deeds[1]:
            entries.append(Entry(f"{name}: {deeds[0]}", role))
        else:
            pairs = zip(episodes, deeds, strict=True)
            entries += [Entry(f"{name} ({e.players[0]}): {deed}", role) for e, deed in pairs if deed]
    return tuple(entries)


def _did(episode: Episode, role: int, turn: int) -> str:
    if turn > len(episode.turns):
        return ""
    line, before = episode.turns[turn - 1], episode.turns[turn - 2] if turn > 1 else episode.start
    move, said = line["actions"][role][0], line["said"][role]
    is_blocked = move != 0 and line["cells"][role] == before["cells"][role]
    return in_words([Deed(move, SILENT if said is None else said)]) + (" (blocked)" if is_blocked else "")


def _belief_table(scenario: Scenario, case: Case, belief: Array) -> str:
    knowledge = trial_state(scenario, case).knowledge
    pieces = range(scenario.params.num_pieces)
    head = "".join(f"<th>piece {piece}</th>" for piece in pieces)
    rows = []
    for role, name in enumerate(scenario.agents):
        cells = ""
        for piece in pieces:
            is_known, share = bool(int(knowledge[role]) >> piece & 1), float(belief[role, piece])
            look = "right" if is_known == (share > 0.5) else "wrong"
            cells += f'<td class="{look}">{share:.0%}, {"knows" if is_known else "does not"}</td>'
        rows.append(f"<tr><th>{escape(name)}</th>{cells}</tr>")
    return f'<table class="beliefs"><tr><th>probability, truth</th>{head}</tr>{"".join(rows)}</table>'
