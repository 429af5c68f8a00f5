"""The worlds, by name. Importing this registers them and imports none."""

from __future__ import annotations

from otherminds.core.registry import Entry, register

register(
    Entry(
        kind="world",
        name="symmtom-v0",
        target="otherminds.worlds.symmtom.world:SymmToM",
        summary="alike agents move, speak, hear and forget; who knows what?",
    )
)
