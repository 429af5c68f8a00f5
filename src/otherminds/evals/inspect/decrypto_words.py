"""The words that language models are told at the table of Decrypto: files of a version, in several phrasings.

Phrasings differ in the rules and in what Alice and Bob are told of their roles. Eve always has the plain ones, so that
a change in the result is due to the team's words (spec 2.2).
"""

from __future__ import annotations

from otherminds.core.errors import UserError, nearest
from otherminds.evals.inspect.templates import Prompt, load_prompt, prompt_names

WORLD, VERSION, PLAIN = "decrypto", "v1", "plain"
_RULES = ("num_keywords", "length", "turns", "tokens")
_VIEW = (
    *_RULES,
    *("turn", "miscommunications", "interceptions", "keywords", "code", "spelled", "hints", "by_digit", "codes"),
)
_LAST = ("last_turn", "last_code", "last_hints", "last_bob", "last_eve", "last_tokens")
_CHANGE = ("turn", "digit", "hint", "word")
_TURN = (*_VIEW, "past", "told", "format")
_PROBE = (*_TURN, "shown")
_PARTS: dict[str, tuple[str, ...]] = {
    "first": _VIEW,
    "past": (*_VIEW, *_LAST),
    "turn_alice": _TURN,
    "turn_bob": _TURN,
    "turn_eve": _TURN,
    "told_hide": _CHANGE,
    "told_falsify": _CHANGE,
    "told_reveal": _CHANGE,
    "told_keyword": ("digit", "word"),
    "told_blot": ("blot",),
    "shown": ("shown_keywords",),
    "complaint": ("problem", "format"),
    "format": ("example",),
    "format_bare": ("example",),
}


def phrasings(version: str = VERSION) -> list[str]:
    """The names of all phrasings of a version, the plain one first."""
    found = [name.removeprefix("rules_") for name in prompt_names(WORLD, version) if name.startswith("rules_")]
    return sorted(found, key=lambda name: (name != PLAIN, name))


def load_words(phrasing: str = PLAIN, version: str = VERSION) -> dict[str, Prompt]:
    """What a player is told, by name; a name that ends in a role is for that role only.

    Raises:
        UserError: if there is no such phrasing or version, or a file has a field that nothing is known for.
    """
    known = phrasings(version)
    if phrasing not in known:
        raise UserError(f"Decrypto has no phrasing {phrasing!r} in version {version}{nearest(phrasing, known)}")
    probes = {name: _PROBE for name in prompt_names(WORLD, version) if name.startswith("probe_")}
    found = {name: load_prompt(WORLD, version, name, may=fields) for name, fields in {**_PARTS, **probes}.items()}
    team = {
        "rules": f"rules_{phrasing}",
        "rules_eve": f"rules_{PLAIN}",
        "role_alice": f"alice_{phrasing}",
        "role_bob": f"bob_{phrasing}",
        "role_eve": "eve",
    }
    return found | {part: load_prompt(WORLD, version, name, may=_RULES) for part, name in team.items()}
