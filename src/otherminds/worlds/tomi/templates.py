"""Every sentence a story can have. What is rendered from these is parsed by these, so the two cannot drift apart.

The first form of each is the original's wording; the others are ours, for variety. ``{is}`` agrees with the object.
"""

from __future__ import annotations

import re
from functools import cache

ENTER = (
    "{agent} entered the {room}.",
    "{agent} walked into the {room}.",
    "{agent} came into the {room}.",
    "{agent} stepped into the {room}.",
)
ALREADY = ("{agent} is in the {room}.",)
EXIT = (
    "{agent} exited the {room}.",
    "{agent} left the {room}.",
    "{agent} walked out of the {room}.",
    "{agent} stepped out of the {room}.",
)
ANNOUNCE = (
    "The {object} {is} in the {container}.",
    "The {object} {is} kept in the {container}.",
    "The {object} {is} lying in the {container}.",
    "The {object} {is} stored in the {container}.",
)
MOVE = (
    "{agent} moved the {object} to the {container}.",
    "{agent} put the {object} into the {container}.",
    "{agent} took the {object} out of the {origin} and placed {it} in the {container}.",
    "{agent} shifted the {object} from the {origin} to the {container}.",
)
PEEK = (
    "{agent} watched this in secret.",
    "Nobody knew that {agent} was watching.",
    "Hidden from everyone, {agent} saw it happen.",
    "Without anyone noticing, {agent} looked on.",
)
DISTRACTED = (
    "{agent} was distracted and missed this, which nobody noticed.",
    "Nobody noticed that {agent} was looking away.",
    "{agent} saw nothing of it, as {agent} was lost in thought, which escaped everyone.",
    "Unnoticed by all, {agent} was daydreaming and did not see this.",
)
WHISPER = (
    "{agent} whispered to {listener} that the {object} {is} in the {container}.",
    "{agent} told only {listener} that the {object} {is} in the {container}.",
    "{agent} took {listener} aside and said that the {object} {is} in the {container}.",
    "Out of everyone else's hearing, {agent} told {listener} that the {object} {is} in the {container}.",
)
ALOUD = (
    "{agent} told {listener} aloud that the {object} {is} in the {container}.",
    "{agent} said to {listener}, for all in the room to hear, that the {object} {is} in the {container}.",
    "{agent} called out to {listener} that the {object} {is} in the {container}.",
    "{agent} announced to {listener} and the whole room that the {object} {is} in the {container}.",
)
FURNISH = ("The {containers} are in the {room}.", "There stands only the {container} in the {room}.")
REMARK = ("{agent} {verb} the {thing}", "{agent} {verb} the {thing}.")
RING = ("Phone rang.", "The phone rang.")

STATEMENTS: dict[str, tuple[str, ...]] = {
    "ring": RING,
    "peek": PEEK,
    "distracted": DISTRACTED,
    "whisper": WHISPER,
    "aloud": ALOUD,
    "furnish": FURNISH,
    "announce": ANNOUNCE,
    "enter": ENTER,
    "exit": EXIT,
    "already": ALREADY,
    "move": MOVE,
    "remark": REMARK,
}

MEMORY = "Where {was} the {object} at the beginning?"
REALITY = "Where {is} the {object} really?"
BEFORE = "Where {was} the {object} before the last move?"
FIRST_ORDER = "Where will {agent} look for the {object}?"
SECOND_ORDER = "Where does {agent} think that {other} searches for the {object}?"
DEEPER = "Where does {agent} think that {others} will look for the {object}?"
KNOWS = "Does {agent} know where the {object} {is}?"
KNOWERS = "Who knows where the {object} {is}?"
PRESENT = "Who was in the room when the story first said where the {object} {was}?"

QUESTIONS: dict[str, str] = {
    "memory": MEMORY,
    "reality": REALITY,
    "before": BEFORE,
    "first": FIRST_ORDER,
    "deeper": DEEPER,
    "second": SECOND_ORDER,
    "knows": KNOWS,
    "knowers": KNOWERS,
    "present": PRESENT,
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
