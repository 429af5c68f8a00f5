"""Questions on the side: what a player is asked to say, apart from what it does (spec 7, 8).

An answer never reaches the game: nobody sees it, and the player acts as if it had not been asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from otherminds.core.errors import UserError
from otherminds.worlds.decrypto.types import NO_DIGIT, NO_KEYWORD, Code, Hints, Rules

About = Literal["keywords", "guess", "chance"]
Whose = Literal["now", "before", "other", "eve"]
ABOUT: tuple[About, ...] = ("keywords", "guess", "chance")
WHOSE: tuple[Whose, ...] = ("now", "before", "other", "eve")
Answer = tuple[str, ...] | Code | float


@dataclass(frozen=True, slots=True)
class Question:
    """One question to one player.

    Attributes:
        about: the ``keywords`` in the order of their digits, a ``guess`` at the code, or the ``chance`` from 0 to 1
            that Eve will guess it.
        whose: the view asked for: the player's own ``now``; its own ``before`` the keywords were shown to it; that of
            an ``other`` interceptor, who has seen the hints and no keyword; or that of ``eve``.
        shown: what the player is shown as the keywords before it answers; wrong ones are a placebo.
        hints: of this turn, if it has heard or given them.
    """

    about: About
    whose: Whose = "now"
    shown: tuple[str, ...] | None = None
    hints: Hints | None = None

    def __post_init__(self) -> None:
        """Refuse a question that nobody can answer."""
        if self.about not in ABOUT or self.whose not in WHOSE:
            raise UserError(
                f"a question about {self.about!r} of {self.whose!r}; expected {', '.join(ABOUT)} and {', '.join(WHOSE)}"
            )


def no_answer(question: Question, rules: Rules) -> Answer:
    """What stands for an answer that never came; it is never right."""
    if question.about == "keywords":
        return (NO_KEYWORD,) * rules.keywords
    return (NO_DIGIT,) * rules.length if question.about == "guess" else 0.5


def answer_problem(answer: Answer, question: Question, rules: Rules) -> str:
    """What is wrong with an answer; empty if nothing is."""
    if question.about == "chance":
        is_chance = isinstance(answer, int | float) and not isinstance(answer, bool) and 0 <= answer <= 1
        return "" if is_chance else f"is {answer!r}; expected a number from 0 to 1"
    if not isinstance(answer, tuple):
        return f"is {answer!r}; expected {question.about}"
    if question.about == "guess":
        from otherminds.worlds.decrypto.hints import guess_problem

        return guess_problem(tuple(int(digit) for digit in answer), rules)
    if len(answer) != rules.keywords or not all(isinstance(word, str) and word.strip() for word in answer):
        return f"is {answer!r}; expected {rules.keywords} words"
    return ""
