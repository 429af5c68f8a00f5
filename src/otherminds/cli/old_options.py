"""Old names of options, for errors that give the new name."""

from __future__ import annotations

from collections.abc import Sequence

from otherminds.core.errors import nearest

_SETTINGS = {
    "NAME": "setting kind hints guesses experiment arm split containers task",
    "FILE": "bank",
    "N": "ways",
    "true": "conventions",
}
_NEW = {  # alternatives, of which a command may accept one: an option, an argument in capitals, another command
    **dict.fromkeys(("--team", "--teams", "--model"), "MINDS or --mind NAME"),
    **{f"--{seat}": f"--seat {seat}=NAME" for seat in ("alice", "bob", "eve")},
    **{f"--{name}": f"--seat SEAT=human:{name}=true" for name in ("notes", "rewatch")},
    **dict.fromkeys(("--games", "--runs"), "--episodes"),
    **dict.fromkeys(("--record", "--log-dir"), "--out"),
    **{f"--{name}": f"--set {name}={value}" for value, names in _SETTINGS.items() for name in names.split()},
    "--no-conventions": "--set conventions=false",
    "--sampled": "--seat SEAT=RUN:greedy=false",
    "--greedy": "--seat SEAT=RUN:greedy=true",
    "--scenario": "--suite NAME",
    "--first": "--seed",
    "--players": "--mind NAME for all seats and --seat SEAT=NAME for one",
    "--seats": "--seat SEAT=NAME",
    "--against": "otherminds play decrypto-duel",
    "--html": "--page",
    "--play-on": "--set stops_at_interceptions=false",
    "--world": "--set world=SECRET=VALUE",
    "--probes": "--set probes=true",
    "--scenarios": "--suite NAME or --items NAMES",
    "--replay": "--seat SEAT=recorded:FILE",
    "--retries": "--attempts, which counts the first attempt too",
    "--show": "otherminds replay FILE --text",
    "--preset": "SOURCE or --set preset=NAME",
    "--contamination": "otherminds audit contamination MODEL",
    "--limit": "--episodes or --size",
    "--order": "--set asked_order=N",
    "--probe-turns": "--set probes=TURNS",
    "--reader": "--model NAME or MINDS or --mind NAME",
    "--items": "SOURCE or --set items=FILE",
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
