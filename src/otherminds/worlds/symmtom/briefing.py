"""What a seat of SymmToM is told before the first turn: the rules in words, and what prompts fill in."""

from __future__ import annotations

from typing import Any

from otherminds.worlds.symmtom.types import SIZES, Params

_DELAY = {1: "in the next turn", 2: "two turns later"}
_GOAL = "Your aim is to earn as much as you can"
_WATCHING = (
    "At first you only watch what happens and stay as you are told; you will be asked when it is your turn to choose."
)


def rule_fields(params: Params, agent: int, turns: int, is_trial: bool) -> dict[str, Any]:
    """What the prompt ``rules`` may fill in."""
    switches = [f"{name} = {value}" for name, value in params.to_dict().items() if name not in SIZES]
    return {
        "seat": agent,
        "agents": params.num_agents,
        "pieces": params.num_pieces,
        "last_piece": params.num_pieces - 1,
        "turns": turns,
        "hearing": params.hearing,
        "delay": _DELAY[params.speech_delay],
        "base_reward": f"{params.full_base_reward:g}",
        "switches": f"This world differs from the usual one in: {', '.join(switches)}." if switches else "",
        "goal": f"{_GOAL}, in as few turns as you can. {_WATCHING}" if is_trial else f"{_GOAL}.",
    }


def rules_in_words(params: Params, agent: int, turns: int, is_trial: bool) -> str:
    """The rules for a person."""
    told = rule_fields(params, agent, turns, is_trial)
    lines = (
        "You are agent {seat} of {agents}. There are {pieces} pieces of information and {turns} turns. Hearing a new "
        "piece earns 1; so does telling somebody a piece that is new to them.",
        "Whoever is within {hearing} of you on both axes hears you. A piece you heard can be said {delay}; choosing a "
        "piece that you cannot say is silence.",
        f"When you know every piece, step on your base (the letter {chr(ord('a') + agent)}): it earns {{base_reward}}, "
        "and you forget all but your first-hand pieces.",
        "Answer with a move (stay, right, left, up, down, or the first letter) and a piece (0 to {last_piece}, or - "
        "for silence), such as 'right 0'.",
        "{switches}",
        "{goal}",
    )
    return "\n".join(filter(None, (line.format(**told) for line in lines)))
