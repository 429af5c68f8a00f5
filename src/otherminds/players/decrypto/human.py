"""A person at the table of Decrypto, in any role, at the terminal.

The person sees what the role may see and nothing more. Where several people share a terminal, the screen is cleared
whenever it changes hands.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from otherminds.minds.terminal import Terminal
from otherminds.players.decrypto.telling import lettered, numbered, turn_fields, view_fields
from otherminds.worlds.decrypto.hints import guess_problem, hint_problems
from otherminds.worlds.decrypto.observe import View
from otherminds.worlds.decrypto.questions import Answer, Question, answer_problem
from otherminds.worlds.decrypto.types import Code, Hints, Role, Rules, dashed

_RULES = (
    "Alice and Bob share {num_keywords} keywords, numbered from 1; Eve does not know them. Each turn Alice is given a "
    "code of {length} different digits and says a hint for each, in order: one or two words on the meaning of the "
    "keyword. Bob and Eve guess the code, then it is shown. {tokens} wrong guesses of Bob or {tokens} right ones of "
    "Eve lose the game for Alice and Bob; {turns} turns win it. No code comes twice."
)
_ROLE = {
    "alice": "You are Alice: be clear to Bob and dark to Eve, who remembers all hints of each digit.",
    "bob": "You are Bob: find the keyword that each hint is for.",
    "eve": "You are Eve: find the digit that each hint is for, by the hints of earlier turns.",
}
_ASKED = {
    "keywords": "what are the keywords, in the order of their digits, by commas",
    "guess": "what is the code",
    "chance": "how likely is it that Eve guesses the code, from 0 to 1",
}
_WHOSE = {
    "now": "As you see it",
    "before": "As you saw it before you were shown the keywords",
    "other": "As another interceptor sees it, who has seen the hints and no keyword",
    "eve": "As Eve sees it",
}


@dataclass
class Human:
    """Asks a person for every hint and guess."""

    name: str = "human"
    terminal: Terminal = field(default_factory=Terminal)

    def begin(self, role: Role, rules: Rules, seed: int) -> None:
        numbers = {"num_keywords": rules.keywords, "length": rules.length, "tokens": rules.tokens, "turns": rules.turns}
        self._rules: str | None = f"{_RULES.format(**numbers)}\n{_ROLE[role]}\n'q' leaves; what was played is kept."

    def hint(self, view: View) -> Hints:
        self._page(view)
        code, words = view.code or (), view.keywords or ()
        wanted = ", ".join(words[digit - 1] for digit in code)
        used = [hint for turn in view.past for hint in turn.hints]
        while True:
            typed = self.terminal.line(f"hints for {wanted}, by commas> ")
            hints = tuple(" ".join(part.split()) for part in typed.split(","))
            if len(hints) != len(code) or not all(hints):
                self.terminal.say(f"That is {sum(map(bool, hints))} hints; expected {len(code)}, by commas.")
                continue
            problems = [] if view.rules.hints == "off" else hint_problems(hints, words, used)
            if problems:
                self.terminal.say("Against the rules: " + "; ".join(problems) + ".")
                if view.rules.hints == "strict" or not self.terminal.agrees("Say it nevertheless?", False):
                    continue
            elif not self.terminal.agrees(f"You say {', '.join(hints)}. Right?", True):
                continue
            return hints

    def guess(self, view: View) -> Code:
        self._page(view)
        while True:
            code = read_code(self.terminal.line(f"code, such as {dashed(_sample(view.rules))}> "))
            problem = guess_problem(code, view.rules) if code else "is no code"
            if not problem and code in view.used:
                problem = "was played before; no code comes twice"
            if problem:
                self.terminal.say(f"That {problem}. Type {view.rules.length} digits from 1 to {view.rules.keywords}.")
            elif self.terminal.agrees(f"You guess {dashed(code)}. Right?", True):
                return code

    def answer(self, view: View, question: Question) -> Answer:
        self._page(view)
        if question.hints:
            self.terminal.say(f"The hints:\n{lettered(question.hints)}")
        if question.shown:
            self.terminal.say(f"You are now shown the keywords:\n{numbered(question.shown)}")
        while True:
            typed = self.terminal.line(f"{_WHOSE[question.whose]}: {_ASKED[question.about]}> ")
            answer = _read(typed, question)
            problem = answer_problem(answer, question, view.rules)
            if not problem:
                return answer
            self.terminal.say(f"That {problem}.")

    def _page(self, view: View) -> None:
        self.terminal.hand_to(self, view.role)
        if self._rules:
            self.terminal.say(self._rules)
            self._rules = None
        if view.complaint:
            self.terminal.say(f"That was not taken: {view.complaint}.")
        self.terminal.say(page(view))


def page(view: View) -> str:
    """All that a role sees before it acts."""
    told = view_fields(view)
    parts = [f"--- turn {view.turn} of {view.rules.turns}, {view.role.capitalize()} ---"]
    if view.past:
        last = turn_fields(view.past[-1], len(view.past))
        parts.append(
            "Last turn: the code was {last_code} ({last_hints}). Bob guessed {last_bob}, Eve {last_eve}. "
            "This brought {last_tokens}.".format(**last)
        )
        parts.append(f"Hints by digit:\n{told['by_digit']}\nCodes so far: {told['codes']}")
    parts.append(f"Miscommunications: {view.miscommunications}, interceptions: {view.interceptions}")
    if view.keywords:
        parts.append(f"Keywords:\n{told['keywords']}")
    parts += [f"You have been shown that keyword {digit} is {word}." for digit, word in view.shown]
    parts += [_notice(one.kind, one.turn, one.digit, one.word) for one in view.notices]
    if view.code:
        parts.append(f"The code: {told['code']} ({told['spelled']})")
    if view.hints:
        parts.append(f"Alice's hints:\n{told['hints']}")
    return "\n".join(parts)


def _notice(kind: str, turn: int, digit: int, word: str) -> str:
    if kind == "reveal":
        return f"After turn {turn}, Eve was shown {word!r} as keyword {digit}."
    seen = "could not read" if kind == "hide" else f"was shown {word!r} as"
    return f"In turn {turn}, Eve {seen} the hint for digit {digit}."


def read_code(typed: str) -> Code:
    """The digits of ``1-2-3``, ``1, 2, 3``, ``1 2 3`` or ``123``; none if it is something else."""
    if not re.fullmatch(r"\d(?:[\s,-]*\d)*", typed):
        return ()
    return tuple(int(digit) for digit in re.findall(r"\d", typed))


def _read(typed: str, question: Question) -> Answer:
    if question.about == "guess":
        return read_code(typed)
    if question.about == "keywords":
        return tuple(" ".join(part.split()) for part in typed.split(","))
    try:
        return float(typed)
    except ValueError:
        return -1.0


def _sample(rules: Rules) -> Code:
    return tuple(range(rules.keywords, rules.keywords - rules.length, -1))


def human(role: Role) -> Human:  # noqa: ARG001 players are made for a role
    """A person in any role."""
    return Human()
