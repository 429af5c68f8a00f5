"""Skeletons: why a task is deep. Start with ``plots``, which lists the mechanisms; ``scene`` furnishes them."""
