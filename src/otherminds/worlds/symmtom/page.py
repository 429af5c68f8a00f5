"""The replay page of a SymmToM episode: knowledge, beliefs about the knowledge of others, and their errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.view.page import Entry, Frame, Page, Panel, render
from otherminds.view.shapes import to_svg
from otherminds.worlds.symmtom import draw
from otherminds.worlds.symmtom.beliefs import belief_rules as beliefs
from otherminds.worlds.symmtom.bits import first_piece, pieces_of
from otherminds.worlds.symmtom.observe import perceive
from otherminds.worlds.symmtom.record import Played, play_again
from otherminds.worlds.symmtom.text import listing
from otherminds.worlds.symmtom.types import MOVE_NAMES, MOVES, SILENT, SIZES, Action, Params, State

# Masks of pieces, [turn][observer][subject].
Beliefs = Sequence[Sequence[Sequence[int]]]

# Colours of the board on a dark page. The colours of agents stay the same.
_DARK = {
    draw.PAPER: "#191c22",
    draw.UNKNOWN: "#20242c",
    draw.GRID: "#363c47",
    draw.QUIET: "#9aa2af",
    draw.WALL: "#596070",
}
_RULES = {"conservative": beliefs.CONSERVATIVE, "attentive": beliefs.ATTENTIVE, "greedy": beliefs.GREEDY}


def episode_page(episode: Episode) -> str:
    """The HTML of a page that replays a recorded episode, with the beliefs by each belief rule."""
    played = play_again(episode)
    facts = {
        "setting": played.params.setting,
        "seed": str(episode.seed),
        "turns": f"{len(played.actions)} of {played.params.num_turns}",
        "mean reward": f"{float(played.tally().reward.mean()):.1f}",
    }
    facts |= {k.replace("_", " "): str(v) for k, v in episode.config.items() if k not in SIZES}
    believed = {name: _believed(played, rule) for name, rule in _RULES.items()}
    return played_page(played, list(episode.minds.values()), believed, facts)


def played_page(
    played: Played, players: Sequence[str], believed: Mapping[str, Beliefs], facts: Mapping[str, str]
) -> str:
    """The HTML of a page for replayed states; ``believed`` maps names of belief rules to beliefs."""
    params, states = played.params, played.states
    rewards = [tuple(state.last_reward.tolist()) for state in states]
    scores = accumulate(rewards, lambda total, now: tuple(map(sum, zip(total, now, strict=True))))
    frames = [
        Frame(
            board=to_svg(draw.board(state, params)),
            log=_log(played, turn),
            rewards=rewards[turn],
            scores=score,
            data={"knowledge": _masks(state.knowledge), "said": [_said(mask) for mask in state.utterance]},
        )
        for turn, (state, score) in enumerate(zip(states, scores, strict=True))
    ]
    data = {
        "pieces": params.num_pieces,
        "firstHand": _masks(states[0].first_hand),
        "beliefs": believed,
        "wrong": {name: wrong_beliefs(states, belief) for name, belief in believed.items()},
    }
    page = Page(
        title=f"SymmToM: {', '.join(dict.fromkeys(players))}",
        subtitle=_subtitle(params),
        frames=frames,
        facts=facts,
        minds=tuple(players),
        colours=draw.COLOURS[: params.num_agents],
        knowledge_title="knows",
        panels=(Panel("beliefs", "What each believes the others know"),) if believed else (),
        data=data,
        package=__package__,
        dark=_DARK,
    )
    return render(page)


def _believed(played: Played, rule: beliefs.BeliefRule) -> Beliefs:
    sights = [perceive(state, played.params) for state in played.states]
    belief = beliefs.begin(sights[0], played.params, rule)
    turns = [belief.knows]
    for sight in sights[1:]:
        belief = beliefs.update(belief, sight, played.params, rule)
        turns.append(belief.knows)
    return [[_masks(row) for row in knows] for knows in turns]


def wrong_beliefs(states: Sequence[State], beliefs: Beliefs) -> list[tuple[int, int]]:
    """For each turn, the numbers of false positives and false negatives in beliefs about others."""
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


def _said(mask: Any) -> int:
    piece = first_piece(mask)
    return SILENT if piece is None else piece


def _subtitle(params: Params) -> str:
    def some(number: int, noun: str) -> str:
        return f"{number} {noun}" if number == 1 else f"{number} {noun}s"

    sees = (
        "Everybody sees the board"
        if params.vision is None
        else f"Nobody sees farther than {some(params.vision, 'cell')}"
    )
    return (
        f"{params.num_agents} agents on a board of {params.width} by {params.width} cells trade "
        f"{some(params.num_pieces, 'piece')} of information. {sees}; nobody hears farther than "
        f"{some(params.hearing, 'cell')}."
    )


def _log(played: Played, turn: int) -> tuple[Entry, ...]:
    if turn == 0:
        return (Entry("The pieces are dealt. Everybody knows its own pieces first-hand, and nothing else."),)
    before, after = played.states[turn - 1], played.states[turn]
    agents = range(played.params.num_agents)
    return tuple(Entry(_deeds(before, played.actions[turn - 1], after, i, played.params), i) for i in agents)


def _deeds(before: State, action: Action, after: State, agent: int, params: Params) -> str:
    move, choice, said = int(action.move[agent]), int(action.piece[agent]), first_piece(after.utterance[agent])
    gone = (int(after.x[agent]) - int(before.x[agent]), int(after.y[agent]) - int(before.y[agent]))
    went = f"Moved {MOVE_NAMES[move]}" if gone == MOVES[move] else f"Tried to go {MOVE_NAMES[move]} but was blocked"
    if said is not None:
        clear, jammed = draw.hearers(after, agent, params)
        fresh = [i for i in clear if not int(after.previous_knowledge[i]) >> said & 1]
        groups = (("news to", fresh), ("known to", [i for i in clear if i not in fresh]), ("drowned out for", jammed))
        heard = ", ".join(f"{effect} {listing(agents)}" for effect, agents in groups if agents)
        speech = f"said {said}: {heard or 'nobody was near'}"
    else:
        speech = "was silent" if choice == SILENT else f"could not say {choice}, so was silent"
    text = f"{went if move else 'Stayed'}, {speech}."
    learned = int(after.knowledge[agent]) & ~int(before.knowledge[agent])
    forgotten = int(before.knowledge[agent]) & ~int(after.knowledge[agent])
    if learned:
        text += f" Learned {listing(pieces_of(learned))}."
    if int(after.correct_uses[agent]) > int(before.correct_uses[agent]):
        text += " Recharged with complete knowledge."
    elif bool(after.uses_base[agent]):
        text += " Used its base." if params.base != "complete" else " On its base, but knew too little to recharge."
    return f"{text} Forgot {listing(pieces_of(forgotten))}." if forgotten else text
