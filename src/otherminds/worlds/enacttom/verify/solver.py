"""Runs logic programs with clingo, within time limits that hold for grounding too."""

from __future__ import annotations

import time
from collections.abc import Sequence
from importlib.resources import files
from itertools import count
from typing import Any, NamedTuple

from otherminds.core.errors import MissingExtra, UserError

SECONDS = 120.0  # default time limit for each query to the solver
_GLANCE = 0.05  # seconds between two looks at the clock while the solver runs
_QUICK = 500_000  # characters of a program times turns; smaller ones are grounded in a second or two
_RULES_A_LOOK = 4096  # ground rules between two looks at the clock


class OutOfTime(UserError):
    """A question that was not answered within the time limit."""


class Answer(NamedTuple):
    """What the solver says: ``is_satisfiable`` is ``None`` if time ran out."""

    is_satisfiable: bool | None
    symbols: Sequence[Any] = ()  # of the model
    core: Sequence[int] = ()  # literals of assumptions that cannot all hold


def grounded(program: Sequence[str], constants: dict[str, int], seconds: float, seed: int = 0) -> Any | None:
    """A program that is ready to be solved; ``None`` if grounding takes longer than a time limit.

    Raises:
        MissingExtra: without clingo.
    """
    try:
        import clingo
    except ModuleNotFoundError as error:
        raise MissingExtra(f"proofs need {error.name}; install otherminds[verify]") from error

    until, rules_seen = time.monotonic() + seconds, count()

    class Clock(clingo.Observer):
        """Ends grounding when time is up: clingo itself has no time limit for it."""

        def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
            if not next(rules_seen) % _RULES_A_LOOK and time.monotonic() > until:
                raise TimeoutError

    given = [part for name, value in constants.items() for part in ("-c", f"{name}={value}")]
    control = clingo.Control(["--warn=none", f"--seed={seed}", "--heuristic=Domain", *given], logger=lambda *_: None)
    text = "\n".join(program)
    if len(text) * constants["horizon"] > _QUICK:  # looking at the clock takes as long as grounding itself
        control.register_observer(Clock())
    control.add("base", [], text)
    try:
        control.ground([("base", [])])
    except TimeoutError:
        return None
    return None if time.monotonic() > until else control


def solve(control: Any, assumed: Sequence[Any], seconds: float) -> Answer:
    """Solve a program under assumptions, within a time limit."""
    until, shown = time.monotonic() + seconds, list[Any]()

    def keep(model: Any) -> None:
        shown[:] = model.symbols(shown=True)

    with control.solve(assumptions=[(symbol, True) for symbol in assumed], on_model=keep, async_=True) as handle:
        # A timed wait may wake up early, so that only the clock says when time is up.
        while not handle.wait(_GLANCE):
            if time.monotonic() > until:
                handle.cancel()
                break
        result = handle.get()
        core = handle.core() if result.satisfiable is False else []
    return Answer(result.satisfiable, shown, core)


def rules(name: str) -> str:
    """A logic program of this folder."""
    return files("otherminds.worlds.enacttom.verify").joinpath(f"{name}.lp").read_text(encoding="utf-8")
