"""What everything in a task is called in its texts: *the blue mug* for ``blue_mug``, *Ann* for ``ann``.

The reader of a text learns the names where they are introduced. A phrase from which the name cannot be told is
introduced with the name in brackets: *Ann's red switch (ann_red)*. A name that would spoil a sentence, such as one with
a space or an "and" in it, is written as it is, in backquotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.types import Furniture, Task

_PLAIN = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_SPOILERS = {"and", "or", "on", "in", "nothing", "is", "are", "the", "if"}
_NOUNS = {"switch": "switch", "surface": "spot", "container": "box"}  # for names that tell only whose and which
_FOR = re.compile(r"(?P<owner>.+)'s (?:switch|spot|box) for (?P<secrets>.+)")
_FOR_IN = re.compile(r"the (?:switch|spot|box) for (?P<secrets>.+) in (?P<room>.+)")
_DIGITS = ("one", "two", "three", "four", "five", "six")
_COLOURS = {
    *("red", "blue", "green", "white", "yellow", "black", "orange", "purple", "pink", "grey", "brown", "turquoise"),
}


_HISSING = ("s", "x", "ch", "sh")
_WHICH = "which one is "  # begins what is known of a secret about pieces of furniture that nobody owns
_OWNED, _WHOSE = re.compile(r"(.+(?:'s|s')) (\w+)"), re.compile(r"which (\w+) is (.+(?:'s|s'))")


def quoted(name: str) -> str:
    """A name as it is."""
    return f"`{name}`"


def is_plain(name: str) -> bool:
    """Whether a name can be written as words."""
    return bool(_PLAIN.fullmatch(name)) and not _SPOILERS.intersection(name.split("_"))


def in_plain_words(name: str) -> str:
    """A name as words, without an article."""
    return name.replace("_", " ") if is_plain(name) else quoted(name)


def name_in(phrase: str) -> str:
    """The name that a phrase shows by itself."""
    if re.fullmatch(r"`[^`]*`", phrase):
        return phrase[1:-1]
    return re.sub(r"^the ", "", phrase.lower()).replace(" ", "_")


def is_plural(phrase: str) -> bool:
    """Whether a phrase takes "are"."""
    return bool(re.search(r"(?<![sui])s$", phrase))


def plural(noun: str) -> str:
    """The plural of a phrase, such as *boxes* or *shelves*."""
    if noun.endswith("shelf"):
        return f"{noun[:-1]}ves"
    return f"{noun}es" if noun.endswith(_HISSING) else f"{noun}s"


def singular(noun: str) -> str:
    """The phrase of which this is the plural."""
    if noun.endswith("shelves"):
        return f"{noun[:-3]}f"
    return noun[:-2] if noun.endswith(tuple(f"{end}es" for end in _HISSING)) else noun.removesuffix("s")


def possessive(phrase: str) -> str:
    """Such as *Ann's* or *the slippers'*."""
    return f"{phrase}'" if is_plural(phrase) else f"{phrase}'s"


def listed_words(phrases: Iterable[str], word: str = "and") -> str:
    """Phrases as a list: *a, b and c*."""
    items = list(phrases)
    return f" {word} ".join(filter(None, (", ".join(items[:-1]), *items[-1:])))


def phrases_in(words: str, word: str = "and") -> list[str]:
    """The phrases of such a list; commas in brackets separate nothing."""
    start, _, last = words.rpartition(f" {word} ")
    return [*filter(None, re.split(r", (?![^()]*\))", start)), last]


def shared_article(phrases: Iterable[str]) -> list[str]:
    """Phrases of which only the first has the article, if all have it: *the hall, kitchen and study*."""
    items = list(phrases)
    if not all(item.startswith("the ") for item in items):
        return items
    return [*items[:1], *(item.removeprefix("the ") for item in items[1:])]


def with_article(phrase: str) -> str:
    """A phrase of such a list with its article."""
    has = phrase.startswith(("the ", "`")) or phrase != phrase.lower() or "'s " in phrase
    return phrase if has else f"the {phrase}"


def common_noun(values: Sequence[str]) -> str:
    """The last words that all values share, such as *table*; empty if there are none."""
    ends = [list(reversed(value.split("_")))[:-1] for value in values]
    shared: list[str] = []
    for words in zip(*ends, strict=False):
        if len(set(words)) > 1:
            break
        shared.insert(0, words[0])
    return " ".join(shared) if all(map(is_plain, values)) else ""


class Lexicon:
    """The phrases of a text and the names that they stand for. The name of a secret begins with ``$``."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}  # by phrase, in lower case
        self._phrases: dict[str, str] = {}
        self.people: set[str] = set()
        self.owned: dict[str, list[str]] = {}  # the switches of each owner
        self.values: dict[str, tuple[str, ...]] = {}  # of each secret
        self.told: set[str] = set()  # the secrets about who was told what
        self.pieces: set[str] = set()  # the secrets that are about pieces of furniture

    def add(self, name: str, phrase: str) -> None:
        """Introduce a name.

        Raises:
            UserError: if the phrase already stands for another.
        """
        if self._names.setdefault(phrase.lower(), name) != name:
            raise UserError(f"{phrase!r} is both {self._names[phrase.lower()]!r} and {name!r}")
        self._phrases[name] = phrase

    def add_switch(self, name: str) -> None:
        """Remember a switch as one of its owner's."""
        owner = name.partition("_")[0]
        if owner in self.people:
            self.owned.setdefault(owner, []).append(name)

    def has(self, phrase: str) -> bool:
        """Whether a phrase has been introduced."""
        return phrase.lower() in self._names

    def introduced(self, name: str) -> str:
        """The phrase of a name where it is first used, with the name in brackets if the phrase does not show it."""
        phrase = self._phrases[name]
        plain = name.removeprefix("$")
        return phrase if name_in(phrase) == plain else f"{phrase} ({plain})"

    def phrase(self, name: str) -> str:
        """The phrase of a name, of ``$secret``, or of a name with secrets in it."""
        if "{" in name:
            return self._template(name)
        return self._phrases.get(name) or quoted(name)

    def name(self, phrase: str) -> str:
        """The name of a phrase.

        Raises:
            UserError: if it is not the name of anything.
        """
        known = self._names.get(phrase.lower(), self._names.get(f"the {phrase.lower()}"))
        if known is not None:
            return known
        if phrase in self._phrases:
            return phrase
        if re.fullmatch(r"`[^`]*`", phrase):
            return phrase[1:-1]
        for form in (_FOR, _FOR_IN):
            if match := form.fullmatch(phrase):
                owner, *_ = [part for key, part in match.groupdict().items() if key != "secrets"]
                start = self._names.get(owner.lower())
                secrets = [self._names.get(part.lower(), "") for part in phrases_in(match["secrets"])]
                if start and all(secret.startswith("$") for secret in secrets):
                    return "_".join((start, *(f"{{{secret[1:]}}}" for secret in secrets)))
        raise UserError(f"{phrase!r} is not the name of anything mentioned before")

    @staticmethod
    def thing_phrase(name: str) -> str:
        """The phrase for a name that belongs to nobody."""
        return f"the {in_plain_words(name)}" if is_plain(name) else quoted(name)

    def _template(self, name: str) -> str:
        match = re.fullmatch(r"([^{}]+?)((?:_\{[^{}]+\})+)", name)
        secrets = [f"${secret}" for secret in re.findall(r"\{([^{}]+)\}", name)]
        if not match or match[1] not in self._phrases or not all(secret in self._phrases for secret in secrets):
            return quoted(name)
        told = listed_words(map(self.phrase, secrets))
        if match[1] in self.people:
            return f"{self.phrase(match[1])}'s switch for {told}"
        return f"the spot for {told} in {self.phrase(match[1])}"

    def known(self, secret: str) -> str:
        """What somebody knows who knows a secret: *the code*, *which shelf is the mug's*."""
        phrase = self.phrase(f"${secret}")
        if secret not in self.pieces:
            return phrase
        owned = _OWNED.fullmatch(phrase)
        return f"which {owned[2]} is {owned[1]}" if owned else f"{_WHICH}{phrase}"

    def secret(self, known: str) -> str:
        """The name of the secret that such words are about, with its ``$``."""
        owned = _WHOSE.fullmatch(known)
        return self.name(f"{owned[2]} {owned[1]}" if owned else known.removeprefix(_WHICH))

    def value(self, value: str) -> str:
        """A value of a secret in words."""
        return self._phrases.get(value) or in_plain_words(value)

    def value_of(self, words: str) -> str:
        """The value of such words."""
        known = self._names.get(words.lower(), "$")
        return name_in(words) if known.startswith("$") else known

    def listed_values(self, values: Iterable[str]) -> str:
        """Values of a secret as a list with "or"."""
        items = list(values)
        return (
            self.listed(items, "or")
            if self._phrases.keys() >= set(items)
            else listed_words(map(self.value, items), "or")
        )

    def values_in(self, text: str) -> tuple[str, ...]:
        """The values of such a list."""
        try:
            return tuple(self.names_in(text, "or"))
        except UserError:
            return tuple(self.value_of(value) for value in phrases_in(text, "or"))

    def listed(self, names: Iterable[str], word: str = "and") -> str:
        """Names as a list, as short as possible: *the red, blue and green tables*."""
        items = list(names)
        noun = common_noun(items) if len(items) > 1 else ""
        phrases = [self.phrase(item) for item in items]
        if noun and phrases == [f"the {in_plain_words(item)}" for item in items] and len(set(items)) == len(items):
            which = [phrase.removeprefix("the ").removesuffix(f" {noun}") for phrase in phrases]
            if not any(self.has(f"the {adjective}") for adjective in which[:-1]):
                return f"the {listed_words(which, word)} {plural(noun) if word == 'and' else noun}"
        return listed_words(shared_article(phrases), word)

    def names_in(self, text: str, word: str = "and") -> list[str]:
        """The names of such a list.

        Raises:
            UserError: if some phrase is not the name of anything.
        """
        phrases = phrases_in(text, word)
        try:
            return [self.name(phrase) for phrase in phrases]
        except UserError:
            *start, last = phrases
            words = (singular(last) if word == "and" else last).split(" ")
            for at in range(1, len(words)):
                noun = " ".join(words[at:])
                whole = [f"{phrase} {noun}" for phrase in (*start, " ".join(words[:at]))]
                if all(self.has(with_article(phrase)) for phrase in whole):
                    return [self.name(phrase) for phrase in whole]
            raise

    def switches(self, names: Sequence[str]) -> str:
        """Switches in words; all those of one owner are *Ann's switches*."""
        rest, phrases = list(names), []
        for owner, mine in self.owned.items():
            if len(mine) > 1 and set(mine) <= set(rest):
                phrases.append(f"{self.phrase(owner)}'s switches")
                rest = [name for name in rest if name not in mine]
        return listed_words([*phrases, *map(self.phrase, rest)]) if phrases else self.listed(rest)

    def switches_in(self, words: str) -> list[str]:
        """The switches of such words."""
        if "'s switches" not in words:
            return self.names_in(words)
        names: list[str] = []
        for phrase in phrases_in(words):
            owner = self._names.get(phrase.removesuffix("'s switches").lower(), "")
            names += (
                self.owned[owner] if phrase.endswith("'s switches") and owner in self.owned else [self.name(phrase)]
            )
        return names


@lru_cache(maxsize=256)
def lexicon(task: Task) -> Lexicon:
    """What everything in a task is called."""
    words = Lexicon()
    words.people = set(task.names)
    values = {value for secret in task.secrets for value in secret.values}
    phrases = {name: in_plain_words(name).title() if is_plain(name) else quoted(name) for name in task.names}
    for name in [part.name for many in (task.rooms, task.doors, task.things) for part in many]:
        phrases[name] = words.thing_phrase(name)
    for door in task.doors:
        if door.name == "-".join(door.rooms) and all(map(is_plain, door.rooms)):
            phrases[door.name] = f"the {'-'.join(map(in_plain_words, door.rooms))} door"
    for furniture in task.furniture:
        phrases[furniture.name] = _furniture(furniture, task, values)
    for secret in task.secrets:
        phrases[f"${secret.name}"] = _secret(secret.name, secret.values, task)
    taken: dict[str, str] = {}
    for name, phrase in phrases.items():
        if taken.setdefault(phrase.lower(), name) != name:
            plain = name.removeprefix("$")
            words.add(name, f"the secret {in_plain_words(plain)}" if name != plain else quoted(plain))
        else:
            words.add(name, phrase)
    for furniture in task.furniture:
        if furniture.kind == "switch":
            words.add_switch(furniture.name)
    words.values = {secret.name: secret.values for secret in task.secrets}
    pieces = {part.name for part in task.furniture}
    words.pieces = {secret.name for secret in task.secrets if pieces.issuperset(secret.values)}
    words.told = {secret.name for secret in task.secrets if secret.sort == "informational"}
    return words


def _furniture(part: Furniture, task: Task, values: set[str]) -> str:
    """Such as *the blue table*; *Ann's red switch* or *the red spot in the attic* if it is named after its owner."""
    owner, _, rest = part.name.partition("_")
    if not is_plain(part.name):
        return quoted(part.name)
    if rest and owner in task.names:
        if not any(rest == value or rest.startswith(f"{value}_") for value in values):
            return f"{owner.title()}'s {in_plain_words(rest)}"
        start, _, last = rest.rpartition("_")
        if last not in _DIGITS:
            start, last = rest, ""
        words = f"{owner.title()}'s", start.replace("_", "-"), _NOUNS.get(part.kind, "piece"), last
        return " ".join(filter(None, words))
    if part.name.startswith(f"{part.room}_") and (rest := part.name.removeprefix(f"{part.room}_")) in values:
        return f"the {in_plain_words(rest)} {_NOUNS.get(part.kind, 'piece')} in the {in_plain_words(part.room)}"
    return f"the {in_plain_words(part.name)}"


def _secret(name: str, values: Sequence[str], task: Task) -> str:
    """Such as *the target table*, *the mug's shelf* (``place_of_mug``), *Ann's lamp* (``ann_switch``)."""
    if not is_plain(name):
        return quoted(name)
    noun = common_noun(values).rpartition(" ")[2]
    sort = noun or ("colour" if set(values) <= _COLOURS else "value")
    start, _, rest = name.partition("_")
    if name.startswith("place_of_") and name.removeprefix("place_of_") in {thing.name for thing in task.things}:
        owner = f"the {in_plain_words(name.removeprefix('place_of_'))}"
        return f"{possessive(owner)} {noun or 'place'}"
    if name.startswith("switch_of_") and name.removeprefix("switch_of_") in {door.name for door in task.doors}:
        return f"the {possessive(in_plain_words(name.removeprefix('switch_of_')))} {noun or 'switch'}"
    if start == "for" and rest in task.names:
        return f"{rest.title()}'s {sort}"
    if start in task.names and rest:
        return f"{start.title()}'s {noun if rest == 'switch' and noun else in_plain_words(rest)}"
    if name in ("right", "target") and (noun or name == "right"):
        return f"the {name} {sort}"
    return f"the {in_plain_words(name)}"
