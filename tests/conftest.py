"""What all tests share: how Hypothesis searches, how JAX compiles, and how to do without it."""

from __future__ import annotations

import os
from pathlib import Path

# Before JAX is imported, and for the processes that tests start. The cache is shared by all of them and by later runs.
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(Path(__file__).parents[1] / ".pytest_cache" / "jax"))
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0")

import pytest
from hypothesis import HealthCheck, settings

# No deadline and no health check on speed: no test depends on time.
settings.register_profile(
    "otherminds", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("otherminds")


@pytest.fixture
def numpy_unless_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The batch engine is NumPy where none is named: for a few scripted episodes, compiling is nearly all the work."""
    from otherminds.worlds.symmtom.minds import rollout

    pick_engine = rollout.pick_engine
    monkeypatch.setattr(rollout, "pick_engine", lambda engine: pick_engine("numpy" if engine is None else engine))
