"""Old names of options, for errors that give the new name."""

from __future__ import annotations

from collections.abc import Sequence

from otherminds.core.errors import nearest

_NEW = {
    "--players": "--mind NAME for all seats and --seat SEAT=NAME for one",
    "--seats": "--seat SEAT=NAME",
    "--team": "minds as arguments, as in: otherminds evaluate WORLD MIND…",
    "--teams": "minds as arguments, as in: otherminds evaluate WORLD MIND…",
    "--model": "--mind NAME, or minds as arguments of evaluate",
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
    "--scenarios": "--suite NAME, or --items NAMES of verify",
    "--replay": "--seat SEAT=recorded:FILE",
    "--retries": "--attempts, which counts the first attempt too",
    "--notes": "--seat SEAT=human:notes=true",
    "--rewatch": "--seat SEAT=human:rewatch=true",
    "--show": "otherminds replay FILE --text",
    "--log-dir": "--out",
    "--preset": "--set preset=NAME",
    "--contamination": "otherminds audit contamination MODEL",
    "--limit": "--episodes, or --size with --suite",
    "--order": "--set asked_order=N",
    "--probe-turns": "--set probes=TURNS",
    "--reader": "--mind NAME",
    "--sampled": "RUN:greedy=false",
    "--greedy": "RUN:greedy=true",
    "--ways": "--set ways=N",
    "--conventions": "--set conventions=true",
    "--no-conventions": "--set conventions=false",
    "--items": "--set items=FILE",
    "--split": "--set split=NAME",
    "--containers": "--set containers=NAME",
    "--first": "--seed",
}


def new_spelling(option: str, known: Sequence[str] | None) -> str:
    """A suffix for an error message: the new name of an option, or the nearest known one."""
    if option in _NEW:
        return f"; it is now {_NEW[option]}"
    return nearest(option, known or ())
