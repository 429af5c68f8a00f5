"""What all tests share: how Hypothesis searches."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# No deadline and no health check on speed: no test depends on time.
settings.register_profile(
    "otherminds", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("otherminds")
