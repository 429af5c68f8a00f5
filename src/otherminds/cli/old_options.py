"""Old names of options, for errors that give the new name."""

from __future__ import annotations

from collections.abc import Sequence

from otherminds.core.errors import nearest

_NEW = {  # alternatives, of which a command may accept one: an option, an argument in capitals, another command
    "--players": "--mind NAME for all seats and --seat SEAT=NAME for one",
    "--seats": "--seat SEAT=NAME",
    "--team": "MINDS or --mind NAME",
    "--teams": "MINDS or --mind NAME",
    "--model": "MINDS or --mind NAME",
    "--alice": "--seat alice=NAME",
    "--bob": "--seat bob=NAME",
    "--eve": "--seat eve=NAME",
    "--against": "otherminds play decrypto-duel",
    "--games": "--episodes",
    "--runs": "--episodes",
    "--record": "--out",
    "--html": "--page",
    "--setting": "--set setting=NAME",
    "--kind": "--set kind=NAME",
    "--bank": "--set bank=FILE",
    "--hints": "--set hints=NAME",
    "--guesses": "--set guesses=NAME",
    "--play-on": "--set stops_at_interceptions=false",
    "--world": "--set world=SECRET=VALUE",
    "--probes": "--set probes=true",
    "--experiment": "--set experiment=NAME",
    "--arm": "--set arm=NAME",
    "--scenario": "--suite NAME",
    "--scenarios": "--suite NAME or --items NAMES",
    "--replay": "--seat SEAT=recorded:FILE",
    "--retries": "--attempts, which counts the first attempt too",
    "--notes": "--seat SEAT=human:notes=true",
    "--rewatch": "--seat SEAT=human:rewatch=true",
    "--show": "otherminds replay FILE --text",
    "--log-dir": "--out",
    "--preset": "SOURCE or --set preset=NAME",
    "--contamination": "otherminds audit contamination MODEL",
    "--limit": "--episodes or --size",
    "--order": "--set asked_order=N",
    "--probe-turns": "--set probes=TURNS",
    "--reader": "--model NAME or MINDS or --mind NAME",
    "--sampled": "--seat SEAT=RUN:greedy=false",
    "--greedy": "--seat SEAT=RUN:greedy=true",
    "--ways": "--set ways=N",
    "--conventions": "--set conventions=true",
    "--no-conventions": "--set conventions=false",
    "--items": "SOURCE or --set items=FILE",
    "--split": "--set split=NAME",
    "--containers": "--set containers=NAME",
    "--first": "--seed",
    "--task": "--set task=NAME",
}
_ARGUMENTS = {
    "MINDS": "; pass minds as arguments instead: otherminds evaluate WORLD MIND…",
    "SOURCE": "; pass it as the argument SOURCE instead",
}


def new_spelling(option: str, known: Sequence[str] | None, accepted: Sequence[str]) -> str:
    """A suffix for an error message: the new name that the command accepts, or the nearest known one."""
    for advice in _NEW[option].split(" or ") if option in _NEW else ():
        first = advice.split()[0]
        is_of_world = first != "--set" or "WORLD" in accepted or "TARGET" in accepted  # elsewhere it sets other things
        if first == "otherminds" or (first in accepted and is_of_world):
            return _ARGUMENTS.get(first) or f"; it is now {advice}"
    return nearest(option, known or ())
