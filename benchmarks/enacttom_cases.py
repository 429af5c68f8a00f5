"""Episodes of EnactToM told so that a stranger can judge them: the task, every turn, the end, and a guide to labels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.evals.episode_analysis import EpisodeAnalysis, Step
from otherminds.worlds.enacttom.formulas import holds, literal_of
from otherminds.worlds.enacttom.messages import DONE, WAIT, Act, Message, cost
from otherminds.worlds.enacttom.observe import first_look, perceive_all
from otherminds.worlds.enacttom.rules import State
from otherminds.worlds.enacttom.text.clauses import formula_words, in_words
from otherminds.worlds.enacttom.text.goal_shapes import parts_of
from otherminds.worlds.enacttom.text.names import lexicon, listed_words
from otherminds.worlds.enacttom.text.sentences import sentence
from otherminds.worlds.enacttom.text.task_text import message_words, note_words, percept_text, private_text, public_text

SPEC = Path(__file__).resolve().parents[1] / "docs" / "spec" / "enacttom.md"
_DEEDS = {
    "navigate": "goes to {0}",
    "open": "opens {0}",
    "close": "closes {0}",
    "toggle": "flips {0}",
    "pick": "picks up {0}",
    "place": "puts {0} {1} {2}",
}
_STANDING = ("You are ", "You see: ")  # lines of a percept that say how things are, not what happened
_SHOWN = ("at", "open", "locked", "power", "place", "flag")  # the kinds of variables that people can make sense of

GUIDE = """\
Each case file tells one episode in which people in a house did not reach their shared goal. Their private goals are
their own: a private goal can go against the shared one.
For each case, say which of the labels below apply. Any number of labels may apply to an episode, or none.
Judge by what the people did and could know, turn by turn. Everybody acts at the same time, and a message can be acted
on in the turn after it was sent. Everybody knows the public text; who knows more is told in the case.

Write your reading as one JSON file: {{"case-01": ["label", ...], "case-02": [], ...}}.

# Labels

{labels}

# Words

K-goals say who is to know what at the end, such as that Ann knows that Ben knows a secret. People are not told of them.
A *part* of the goal is one of the lines under "Goal". *Tokens* are what somebody knows for certain, by notes, signs,
messages, and what they saw others being told: the value of a secret, or that somebody knows it.

{guards}
"""


def guide_text() -> str:
    """The definitions of the labels and of the guards, as the specification words them.

    Raises:
        UserError: if the specification has no such sections.
    """
    text = SPEC.read_text(encoding="utf-8")
    labels = re.search(r"### 6\.5 [^\n]*\n\n(.*?)\n\n##", text, re.DOTALL)
    guards = re.search(r"(What an act \*stakes\* .*?)\n\nAll worlds", text, re.DOTALL)
    if not labels or not guards:
        raise UserError(f"{SPEC} lacks section 6.5, or the guards in section 4.3; expected the definitions of labels")
    return GUIDE.format(labels=labels[1], guards=guards[1])


def case_text(case: str, analysis: EpisodeAnalysis) -> str:
    """An episode in words. It says neither which minds played nor what the rules find wrong with it."""
    task = analysis.ground.task
    truth = [in_words(f"is({secret.name}, {task.value(analysis.world, secret.name)})", task) for secret in task.secrets]
    sections = {
        "What everybody reads": [public_text(task)],
        "What is so in this episode, though not everybody is told": [f"- {sentence(clause)}." for clause in truth],
        "What each person reads before the first turn": list(_people(analysis)),
        "What happens": list(_turns(analysis)),
        f"The end, after turn {analysis.end.turn} of {task.horizon}": list(_end(analysis)),
    }
    told = (f"=== {title} ===\n\n" + "\n".join(lines) for title, lines in sections.items())
    return "\n\n".join((case, *told)) + "\n"


def _people(analysis: EpisodeAnalysis) -> Iterator[str]:
    task, words = analysis.ground.task, lexicon(analysis.ground.task)
    for agent, name in enumerate(task.names):
        reach = listed_words((words.phrase(to) for to in task.talk.channels.get(name, ())), "or")
        budget = task.talk.budgets.get(name, 0)
        line = f"can send {_number(budget)} in all, to {reach}" if name in task.speakers else "can send no messages"
        yield f"{words.phrase(name)} ({line}):"
        yield from (f"  {read}" for read in private_text(analysis.ground, analysis.world, agent).splitlines()[1:])


def _turns(analysis: EpisodeAnalysis) -> Iterator[str]:
    ground, names = analysis.ground, [lexicon(analysis.ground.task).phrase(name) for name in analysis.ground.task.names]
    # What each saw last: a line is told again only when it changes.
    looks = [first_look(ground, analysis.steps[0].before, agent) for agent in range(len(names))]
    standing = [percept_text(ground, WAIT, look).splitlines() for look in looks]
    for step in analysis.steps:
        yield f"Turn {step.after.turn}:"
        for agent, name in enumerate(names):
            yield f"- {name} {_act(analysis, step, agent)}"
        percepts = perceive_all(ground, step.before, step.after, step.outcome)
        for agent, percept in enumerate(percepts):
            seen = percept_text(ground, step.outcome.acts[agent], percept._replace(messages=())).splitlines()[1:]
            new = [line for line in seen if not line.startswith(_STANDING) or line not in standing[agent]]
            standing[agent] = seen
            if new:
                yield f"  {names[agent]} perceives: {' '.join(new)}"


def _act(analysis: EpisodeAnalysis, step: Step, agent: int) -> str:
    """What a person does in a turn, and what comes of it."""
    ground, act, refused = analysis.ground, step.outcome.acts[agent], step.outcome.refused[agent]
    done = _act_words(analysis, act)
    if refused:
        return f"tries this: {done}. It has no effect: {refused}."
    if isinstance(act, Message):
        left = step.before.budgets[agent] - cost(ground.task, act)
        return f"{done} ({_number(left)} left)"
    if act.startswith("toggle("):
        is_on = holds(ground, f"powered({act.removeprefix('toggle(')}", step.after.values)
        return f"{done}, which is now {'on' if is_on else 'off'}."
    return f"{done}."


def _act_words(analysis: EpisodeAnalysis, act: Act) -> str:
    task, words = analysis.ground.task, lexicon(analysis.ground.task)
    if isinstance(act, Message):
        return f'tells {listed_words(words.phrase(task.names[to]) for to in act.to)}: "{message_words(act, task)}"'
    if act in (WAIT, DONE):
        return "does nothing" if act == WAIT else "does nothing, and says that this was all"
    verb, _, rest = act.removesuffix(")").partition("(")
    parts = [part.strip() for part in rest.split(",")]
    return _DEEDS[verb].format(*(part if part in ("on", "in") else words.phrase(part) for part in parts))


def _end(analysis: EpisodeAnalysis) -> Iterator[str]:
    task, end = analysis.ground.task, analysis.end
    yield "What is not as it was at the start:"
    yield from [f"- {sentence(clause)}." for clause in _changes(analysis, analysis.steps[0].before)] or ["- nothing"]
    yield "Messages that could still be sent:"
    yield from (f"- {lexicon(task).phrase(n)}: {left}" for n, left in zip(task.names, end.budgets, strict=True))
    yield "The shared goal, which is not reached:" if not analysis.is_success else "The shared goal, which is reached:"
    flags = [{"not": f"flag({name})"} for name in task.never]
    for part in parts_of({"and": [task.goal, *flags]}, task):
        yield _verdict(formula_words(part, task), is_so=holds(analysis.ground, part, end.values))
    wishes = [wish for wish in task.wishes if task.applies(wish, analysis.world)]
    if wishes:
        yield "K-goals:"
    for wish, is_so in zip(wishes, analysis.wishes, strict=True):
        yield _verdict(note_words(task, (f"{' knows that '.join(wish.chain)} knows", wish.about)), is_so=is_so)
    if analysis.private:
        yield "Private goals:"
    for name, is_so in analysis.private.items():
        words = f"{lexicon(task).phrase(name)} wants this: {formula_words(task.private[name], task)}"
        yield _verdict(words, is_so=is_so)


def _changes(analysis: EpisodeAnalysis, start: State) -> Sequence[str]:
    ground = analysis.ground
    changed = [
        literal_of(variable, domain[now])
        for variable, domain, was, now in zip(
            ground.variables, ground.domains, start.values, analysis.end.values, strict=True
        )
        if was != now and variable.partition(" ")[0] in _SHOWN
    ]
    return [in_words(literal, ground.task) for literal in changed]


def _verdict(clause: str, *, is_so: bool) -> str:
    return f"- {'HOLDS' if is_so else 'FAILS'}: {sentence(clause)}."


def _number(messages: int) -> str:
    return f"{messages} message{'' if messages == 1 else 's'}"
