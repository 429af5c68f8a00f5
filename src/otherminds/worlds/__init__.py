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
for _name, _summary in {
    "zeroth": "own knowledge only, nothing about others",
    "conservative": "what was witnessed, nothing about what was not (CE)",
    "attentive": "conservative, and who says a piece knows it",
    "greedy": "unheard speakers said what fewest around them knew (GE)",
}.items():
    register(Entry("belief", _name, f"otherminds.worlds.symmtom.beliefs:{_name.upper()}", _summary, world="symmtom"))
