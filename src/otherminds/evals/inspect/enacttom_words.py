"""The words that language models are told in a house: files of a version. The task itself is told by ``texts``."""

from __future__ import annotations

from otherminds.evals.inspect.templates import Prompt, load_prompt
from otherminds.worlds.enacttom.types import VERBS

WORLD, VERSION = "enacttom", "v1"
_PARTS: dict[str, tuple[str, ...]] = {
    "rules": ("task", "acts"),
    "turn": ("news", "turn", "turns", "messages", "format"),
    "probe": ("news", "question", "options", "format"),
    "complaint": ("problem", "format"),
    "format_act": ("mark", "fields"),
    "format_act_bare": ("mark", "fields"),
    "format_probe": ("mark", "fields"),
    "format_probe_bare": ("mark", "fields"),
    **{f"verb_{verb}": () for verb in VERBS},
}


def load_words(version: str = VERSION) -> dict[str, Prompt]:
    """What a player is told, by name.

    Raises:
        UserError: if there is no such version, or a file has a field that nothing is known for.
    """
    return {name: load_prompt(WORLD, version, name, may=fields) for name, fields in _PARTS.items()}
