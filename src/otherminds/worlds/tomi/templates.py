"""Every sentence a story can have. What is rendered from these is parsed by these, so the two cannot drift apart.

The first form of each is the original's wording; the others are ours, for variety. ``{is}`` agrees with the object.
"""

from __future__ import annotations

import re
from functools import cache

STATEMENTS: dict[str, tuple[str, ...]] = {
    "ring": ("Phone rang.", "The phone rang."),
    "peek": (
        "{agent} watched this in secret.",
        "Nobody knew that {agent} was watching.",
        "Hidden from everyone, {agent} saw it happen.",
        "Without anyone noticing, {agent} looked on.",
    ),
    "distracted": (
        "{agent} was distracted and missed this, which nobody noticed.",
        "Nobody noticed that {agent} was looking away.",
        "{agent} saw nothing of it, as {agent} was lost in thought, which escaped everyone.",
        "Unnoticed by all, {agent} was daydreaming and did not see this.",
    ),
    "whisper": (
        "{agent} whispered to {listener} that the {object} {is} in the {container}.",
        "{agent} told only {listener} that the {object} {is} in the {container}.",
        "{agent} took {listener} aside and said that the {object} {is} in the {container}.",
        "Out of everyone else's hearing, {agent} told {listener} that the {object} {is} in the {container}.",
    ),
    "aloud": (
        "{agent} told {listener} aloud that the {object} {is} in the {container}.",
        "{agent} said to {listener}, for all in the room to hear, that the {object} {is} in the {container}.",
        "{agent} called out to {listener} that the {object} {is} in the {container}.",
        "{agent} announced to {listener} and the whole room that the {object} {is} in the {container}.",
    ),
    "furnish": ("The {containers} are in the {room}.", "There stands only the {container} in the {room}."),
    "announce": (
        "The {object} {is} in the {container}.",
        "The {object} {is} kept in the {container}.",
        "The {object} {is} lying in the {container}.",
        "The {object} {is} stored in the {container}.",
    ),
    "enter": (
        "{agent} entered the {room}.",
        "{agent} walked into the {room}.",
        "{agent} came into the {room}.",
        "{agent} stepped into the {room}.",
    ),
    "exit": (
        "{agent} exited the {room}.",
        "{agent} left the {room}.",
        "{agent} walked out of the {room}.",
        "{agent} stepped out of the {room}.",
    ),
    "already": ("{agent} is in the {room}.",),
    "move": (
        "{agent} moved the {object} to the {container}.",
        "{agent} put the {object} into the {container}.",
        "{agent} took the {object} out of the {origin} and placed {it} in the {container}.",
        "{agent} shifted the {object} from the {origin} to the {container}.",
    ),
    "remark": ("{agent} {verb} the {thing}", "{agent} {verb} the {thing}."),
}

QUESTIONS: dict[str, str] = {
    "memory": "Where {was} the {object} at the beginning?",
    "reality": "Where {is} the {object} really?",
    "before": "Where {was} the {object} before the last move?",
    "first": "Where will {agent} look for the {object}?",
    "deeper": "Where does {agent} think that {others} will look for the {object}?",
    "second": "Where does {agent} think that {other} searches for the {object}?",
    "knows": "Does {agent} know where the {object} {is}?",
    "knowers": "Who knows where the {object} {is}?",
    "present": "Who was in the room when the story first said where the {object} {was}?",
}

PRONOUNS = ("she", "he")  # for whom the sentence before is about
VERBS = ("likes", "dislikes", "loves", "hates")
_NAME = r"[A-Za-z][\w'-]*(?: [a-z][\w'-]*)*"
_WORD = r"[\w'-]+"
_FIELDS = {
    "agent": _WORD,
    "other": _WORD,
    "listener": _WORD,
    "others": r".+",
    "containers": r".+ and the .+",
    "verb": "|".join(VERBS),
    "is": "is|are",
    "was": "was|were",
    "it": "it|them",
}


@cache
def pattern(template: str) -> re.Pattern[str]:
    """What matches a sentence made from a template; a field that occurs twice must be the same word."""
    seen: set[str] = set()

    def field(match: re.Match[str]) -> str:
        name = match[1]
        if name in seen:
            return f"(?P={name})"
        seen.add(name)
        return f"(?P<{name}>{_FIELDS.get(name, _NAME)})"

    escaped = re.escape(template).replace(r"\{", "{").replace(r"\}", "}")
    return re.compile(re.sub(r"\{(\w+)\}", field, escaped))
