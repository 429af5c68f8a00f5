"""How every benchmark here measures a compiled rollout, so that figures of different environments compare.

It needs nothing but JAX, because the script that measures JaxMARL runs it in another Python environment.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any, NamedTuple

TURNS = 120  # whole episodes of every world measured: 30 and 60 turns, and 100 of the coin game and a reset
MOST_TURNS = 100 * TURNS


class Rate(NamedTuple):
    """The best of several timed calls of one compiled rollout."""

    worlds: int
    turns: int
    steps_per_second: float  # of the wall clock; one step of one world is one step, however many agents act in it
    compile_seconds: float  # tracing, lowering and compiling
    busy_cores: float  # processor time over wall time of the best call
    steps_per_cpu_second: float  # of processor time: what ratios compare, since other work may take a core away


def turns_for(worlds: int, steps: int) -> int:
    """Turns that make about so many steps in all, in multiples of ``TURNS`` to include resets."""
    return min(MOST_TURNS, TURNS * max(1, round(steps / (TURNS * worlds))))


def time_rollout(rollout: Callable[[Any], Any], worlds: int, turns: int, repeats: int) -> Rate:
    """Compile ``rollout(key)`` and time it with several keys; a first call, on fresh memory, is not counted."""
    import jax

    finish: Any = jax.block_until_ready  # it has no types

    keys = jax.random.split(jax.random.key(0), repeats + 1)
    begin = time.perf_counter()
    compiled = jax.jit(rollout).lower(keys[0]).compile()
    compile_seconds = time.perf_counter() - begin
    finish(compiled(keys[0]))
    calls: list[tuple[float, float]] = []
    for key in keys[1:]:
        wall, processor = time.perf_counter(), time.process_time()
        finish(compiled(key))
        calls.append((time.perf_counter() - wall, time.process_time() - processor))
    seconds, processor_seconds = min(calls)
    least = min(processor for _, processor in calls)
    steps = worlds * turns
    return Rate(worlds, turns, steps / seconds, compile_seconds, processor_seconds / seconds, steps / least)


def versions(packages: Sequence[str]) -> dict[str, str]:
    """Versions of Python and of these installed packages."""
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}
