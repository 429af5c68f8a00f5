"""Probes of Decrypto (spec 7, 8), and the forms of all replies.

An answer never reaches the game: nobody sees it, and the seat acts as if it had not been asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Literal, NamedTuple, Protocol

from otherminds.core.errors import UserError
from otherminds.core.form import Form, Number, Several, Words
from otherminds.core.world import Probe
from otherminds.worlds.decrypto.types import NO_DIGIT, NO_HINT, NO_KEYWORD, Code, Game, Intervention, Role, Rules
from otherminds.worlds.decrypto.words.lexicon import hint_words

_WORD = "[A-Za-z][A-Za-z'-]{1,19}"
_PATTERN = f"^{_WORD}( {_WORD})?$"  # one or two words, in structured output
About = Literal["keywords", "guess", "chance"]
Whose = Literal["now", "before", "other", "eve"]
When = Literal["before hints", "after hints"]
ABOUT: tuple[About, ...] = ("keywords", "guess", "chance")
WHOSE: tuple[Whose, ...] = ("now", "before", "other", "eve")
Answer = tuple[str, ...] | Code | float


class Asked(NamedTuple):
    """A probe for a role, and its name in the record."""

    name: str
    role: Role
    probe: Probe


class Study(Protocol):
    """The probes and interventions of an experiment in one episode."""

    def interventions(self, game: Game) -> tuple[Intervention, ...]:
        """Changes to what Eve has seen before the turn to be played."""

    def probes(self, game: Game, when: When) -> Sequence[Asked]:
        """Probes before Alice speaks, or after she has spoken and before anybody guesses."""


def question(
    about: About, whose: Whose = "now", shown: tuple[str, ...] | None = None, when: When = "before hints"
) -> Probe:
    """A probe of Decrypto. Its kind is ``keywords_now``, ``keywords_before``, ``guess_eve``, ``chance_eve``, …

    Args:
        about: the ``keywords`` in the order of their digits, a ``guess`` at the code, or the ``chance`` from 0 to 1
            that Eve will guess it.
        whose: the view asked for: the seat's own ``now``; its own ``before`` the keywords were shown to it; that of
            an ``other`` interceptor, who has seen the hints and no keyword; or that of ``eve``.
        shown: what the seat is shown as the keywords before it answers; wrong ones are a placebo.
        when: before or after Alice has given the hints of the turn.

    Raises:
        UserError: if there is no such probe.
    """
    if about not in ABOUT or whose not in WHOSE:
        raise UserError(
            f"no probe is about {about!r} as seen by {whose!r}; expected {', '.join(ABOUT)} and {', '.join(WHOSE)}"
        )
    chain = ("eve",) if whose in ("other", "eve") else ()
    return Probe(f"{about}_{whose}", chain, about, shown, when)


def whose_view(kind: str) -> Whose:
    """The view that a kind of probe asks for, one of :data:`WHOSE`."""
    return kind.rpartition("_")[2]  # type: ignore[return-value]


@cache
def hints_form(rules: Rules) -> Form:
    """The form of hints: one for each digit of the code."""
    return Form.of(Words("hints", rules.length, suggestions=hint_words, pattern=_PATTERN))


@cache
def guess_form(rules: Rules) -> Form:
    """The form of a guess at the code."""
    digits = tuple(range(1, rules.keywords + 1))
    return Form.of(Several("guess", digits, rules.length, rules.length, is_distinct=rules.guesses == "strict"))


@cache
def answer_form(about: str, rules: Rules) -> Form:
    """The form of an answer to a probe."""
    if about == "guess":
        return guess_form(rules)
    if about == "chance":
        return Form.of(Number("chance"))
    return Form.of(Words("keywords", rules.keywords, suggestions=hint_words, slots="123456789", pattern=_PATTERN))


def no_answer(about: str, rules: Rules) -> Answer:
    """The default for an answer that never came; it is never right."""
    absent: dict[str, Answer] = {
        "chance": 0.5,
        "guess": (NO_DIGIT,) * rules.length,
        "keywords": (NO_KEYWORD,) * rules.keywords,
        "hints": (NO_HINT,) * rules.length,
    }
    return absent[about]
