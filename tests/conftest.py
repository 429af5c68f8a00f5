"""What all tests share: how Hypothesis searches, and that programs are compiled quickly rather than well."""

from __future__ import annotations

import os

# Before JAX is imported, and for the processes that tests start.
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")

from hypothesis import HealthCheck, settings

# No deadline and no health check on speed: no test depends on time.
settings.register_profile(
    "otherminds", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("otherminds")
