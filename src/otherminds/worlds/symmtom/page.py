"""A SymmToM episode as a replay page: what everyone knows, what each believes others know, and where it is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.view.page import Entry, Frame, Page, Panel, render
from otherminds.view.shapes import to_svg
from otherminds.worlds.symmtom import beliefs, draw
from otherminds.worlds.symmtom.observe import perceive
from otherminds.worlds.symmtom.record import Played, play_again
from otherminds.worlds.symmtom.types import MOVE_NAMES, MOVES, SILENT, Action, Params, State

# Masks of pieces, [turn][observer][subject].
Beliefs = Sequence[Sequence[Sequence[int]]]

# The board's colours in a dark page; all others are agents' own and stay.
_DARK = {
    draw.PAPER: "#191c22",
    draw.UNKNOWN: "#20242c",
    draw.GRID: "#363c47",
    draw.QUIET: "#9aa2af",
    draw.WALL: "#596070",
}


@dataclass(frozen=True)
class Replay:
    """One episode. Turn 0 is the start, so there is one state more than there are actions.

    ``beliefs`` maps the name of a way of believing to ``[turn][observer][subject]`` bit masks of pieces, from turn 0.
    """

    params: Params
    players: tuple[str, ...]
    states: tuple[State, ...]  # T + 1
    actions: tuple[Action, ...]  # T
    rewards: tuple[tuple[float, ...], ...]  # [turn - 1][agent]
    beliefs: Mapping[str, Beliefs] = field(default_factory=dict)
    title: str = "SymmToM"
    facts: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        turns = len(self.states) - 1
        found = {"actions": len(self.actions), "rewards": len(self.rewards)}
        found |= {f"beliefs {name!r}": len(belief) - 1 for name, belief in self.beliefs.items()}
        for what, length in found.items():
            if length != turns:
                raise ValueError(f"{what} cover {length} turns, but there are states for {turns}")
        if len(self.players) != self.params.num_agents:
            raise ValueError(f"{len(self.players)} players for {self.params.num_agents} agents")


def replay_of(episode: Episode) -> Replay:
    """Everything the page shows, from a record: states by the rules, and beliefs by each way of believing."""
    played = play_again(episode)
    scores = played.tally().reward
    facts = {
        "setting": played.params.setting,
        "seed": str(episode.seed),
        "turns": f"{len(played.actions)} of {played.params.num_turns}",
        "mean reward": f"{float(scores.mean()):.1f}",
    }
    facts |= {k.replace("_", " "): str(v) for k, v in episode.config.items() if k not in _IN_SETTING}
    return Replay(
        params=played.params,
        players=tuple(episode.players),
        states=tuple(played.states),
        actions=tuple(played.actions),
        rewards=tuple(tuple(float(r) for r in outcome.rewards) for outcome in played.outcomes),
        beliefs={name: _believed(played, rule) for name, rule in _RULES.items()},
        title=f"SymmToM: {', '.join(dict.fromkeys(episode.players))}",
        facts=facts,
    )


_IN_SETTING = ("num_agents", "width", "num_pieces", "num_turns")
_RULES = {"conservative": beliefs.CONSERVATIVE, "attentive": beliefs.ATTENTIVE, "greedy": beliefs.GREEDY}


def _believed(played: Played, rule: beliefs.BeliefRule) -> Beliefs:
    belief = beliefs.begin(perceive(played.states[0], played.params), played.params, rule)
    turns = [belief.knows]
    for state in played.states[1:]:
        belief = beliefs.update(belief, perceive(state, played.params), played.params, rule)
        turns.append(belief.knows)
    return [[_masks(row) for row in knows] for knows in turns]


def replay_page(replay: Replay) -> str:
    """The HTML text of a page that plays the episode; see ``view.page.render``."""
    params, num_agents = replay.params, replay.params.num_agents
    zero = (0.0,) * num_agents
    scores = list(
        accumulate(replay.rewards, lambda total, now: tuple(map(sum, zip(total, now, strict=True))), initial=zero)
    )
    frames = [
        Frame(
            board=to_svg(draw.board(state, params)),
            log=_log(replay, turn),
            rewards=replay.rewards[turn - 1] if turn else zero,
            scores=scores[turn],
            data={"knowledge": _masks(state.knowledge), "said": [_said(state, agent) for agent in range(num_agents)]},
        )
        for turn, state in enumerate(replay.states)
    ]
    data = {
        "pieces": params.num_pieces,
        "firstHand": _masks(replay.states[0].first_hand),
        "beliefs": replay.beliefs,
        "wrong": {name: wrong_beliefs(replay.states, belief) for name, belief in replay.beliefs.items()},
    }
    page = Page(
        title=replay.title,
        subtitle=_subtitle(params),
        frames=frames,
        facts=replay.facts,
        players=replay.players,
        colours=draw.COLOURS[:num_agents],
        knowledge_title="knows",
        panels=(Panel("beliefs", "What each believes the others know"),) if replay.beliefs else (),
        data=data,
        package=__package__,
        dark=_DARK,
    )
    return render(page)


def wrong_beliefs(states: Sequence[State], beliefs: Beliefs) -> list[tuple[int, int]]:
    """For each turn, how many entries are believed but false and how many true but not believed, of others' minds."""
    counts = []
    for state, belief in zip(states, beliefs, strict=True):
        truth = _masks(state.knowledge)
        pairs = [
            (believed, truth[subject])
            for observer, row in enumerate(belief)
            for subject, believed in enumerate(row)
            if subject != observer
        ]
        counts.append((sum((b & ~t).bit_count() for b, t in pairs), sum((t & ~b).bit_count() for b, t in pairs)))
    return counts


def _masks(sets: Any) -> list[int]:
    return [int(mask) for mask in sets]


def _said(state: State, agent: int) -> int:
    piece = draw.spoken(state, agent)
    return SILENT if piece is None else piece


def _subtitle(params: Params) -> str:
    sight = (
        "Everybody sees the board"
        if params.vision is None
        else f"Nobody sees farther than {_some(params.vision, 'cell')}"
    )
    return (
        f"{params.num_agents} agents on a board of {params.width} by {params.width} cells trade "
        f"{_some(params.num_pieces, 'piece')} of information. "
        f"{sight}; nobody hears farther than {_some(params.hearing, 'cell')}."
    )


def _some(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _log(replay: Replay, turn: int) -> tuple[Entry, ...]:
    if turn == 0:
        return (Entry("The pieces are dealt. Everybody knows its own pieces first-hand, and nothing else."),)
    before, after = replay.states[turn - 1], replay.states[turn]
    return tuple(
        Entry(_deeds(before, replay.actions[turn - 1], after, agent, replay.params), agent)
        for agent in range(replay.params.num_agents)
    )


def _deeds(before: State, action: Action, after: State, agent: int, params: Params) -> str:
    """What an agent did in a turn and what came of it, in a sentence or more."""
    told = f"{_movement(before, action, after, agent)}, {_speech(action, after, agent, params)}."
    learned = int(after.knowledge[agent]) & ~int(before.knowledge[agent])
    forgotten = int(before.knowledge[agent]) & ~int(after.knowledge[agent])
    if learned:
        told += f" Learned {_pieces(learned)}."
    if int(after.correct_uses[agent]) > int(before.correct_uses[agent]):
        told += " Recharged with complete knowledge."
    elif bool(after.uses_base[agent]):
        told += " Used its base." if params.base != "complete" else " On its base, but knew too little to recharge."
    if forgotten:
        told += f" Forgot {_pieces(forgotten)}."
    return told


def _movement(before: State, action: Action, after: State, agent: int) -> str:
    choice = int(action.move[agent])
    moved = (int(after.x[agent]) - int(before.x[agent]), int(after.y[agent]) - int(before.y[agent]))
    if choice == 0:
        return "Stayed"
    return f"Moved {MOVE_NAMES[choice]}" if moved == MOVES[choice] else f"Was blocked going {MOVE_NAMES[choice]}"


def _speech(action: Action, after: State, agent: int, params: Params) -> str:
    choice, said = int(action.piece[agent]), draw.spoken(after, agent)
    if said is None:
        return "was silent" if choice == SILENT else f"could not say {choice}, so was silent"
    hearers = [i for i in range(params.num_agents) if i != agent and int(after.earshot[agent]) >> i & 1]
    jammed = [i for i in hearers if params.interference and _voices(after, i, params) > 1]
    clear = [i for i in hearers if i not in jammed]
    fresh = [i for i in clear if not int(after.previous_knowledge[i]) >> said & 1]
    groups = (("news to", fresh), ("known to", [i for i in clear if i not in fresh]), ("drowned out for", jammed))
    heard = ", ".join(f"{what} {_join(map(str, who))}" for what, who in groups if who)
    return f"said {said}: {heard or 'nobody was near'}"


def _voices(state: State, listener: int, params: Params) -> int:
    others = (j for j in range(params.num_agents) if j != listener)
    return sum(1 for j in others if int(state.earshot[listener]) >> j & 1 and int(state.utterance[j]))


def _pieces(mask: int) -> str:
    return _join(str(p) for p in range(mask.bit_length()) if mask >> p & 1)


def _join(words: Any) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else str(last)
