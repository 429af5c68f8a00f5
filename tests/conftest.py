"""What all tests share: how Hypothesis searches, how JAX compiles, and which engine plays when none is named."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
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


@pytest.fixture(scope="session", autouse=True)
def _numpy_unless_named() -> Iterator[None]:
    """SymmToM's batch engine is NumPy where a test names none: for a few episodes, compiling is nearly all the work.

    Tests of the JAX engine ask for it by name. The function that picks is ``pick_engine.__wrapped__``.
    """
    from otherminds.worlds.symmtom.evals import battery
    from otherminds.worlds.symmtom.minds import rollout

    @functools.wraps(rollout.pick_engine)
    def pick_engine(engine: str | None) -> str:
        return pick_engine.__wrapped__("numpy" if engine is None else engine)

    with pytest.MonkeyPatch.context() as patch:
        for module in (rollout, battery):
            patch.setattr(module, "pick_engine", pick_engine)
        yield
