"""Labels of what went wrong in an episode, found by rule from its record and what everybody knew (spec 6.5, 1.15).

An episode can have several labels, or none. All but *repetition*, *spiral*, *guess* and *disclosure* are given to
failed episodes only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from otherminds.worlds.enacttom.evals.episode_analysis import EpisodeAnalysis, Step
from otherminds.worlds.enacttom.evals.requirements import Known, backing, helpful, is_backed
from otherminds.worlds.enacttom.formulas import holds, is_true, literals, named, normal, shared, variables
from otherminds.worlds.enacttom.messages import Atom, Message, forbids
from otherminds.worlds.enacttom.probes.decisive_acts import passes_to, stakes_by_name
from otherminds.worlds.enacttom.rules import DONE, WAIT
from otherminds.worlds.enacttom.verify.stakes import Stake

_ALWAYS = ("disclosure", "spiral", "repetition", "guess")  # labels of successful episodes too
_REPEATS = 3  # of a refused act


def failures(analysis: EpisodeAnalysis) -> tuple[str, ...]:
    """The labels of an episode."""
    return tuple(
        label for label, is_so in _RULES.items() if (label in _ALWAYS or not analysis.is_success) and is_so(analysis)
    )


class _Lack(NamedTuple):
    """What a person did not know by the turn in which it needed it: a secret, or that a chain of others knows it."""

    who: int
    known: Known
    turn: int


def _lacking(analysis: EpisodeAnalysis) -> Iterator[_Lack]:
    """What people lacked who decided wrongly without it, or had not done their part and lacked it still at the end."""
    ground = analysis.ground
    for step in analysis.steps:
        for decision in step.decisions:
            if decision.is_wrong and isinstance(decision.act, str):
                for secret in stakes_by_name(ground)[decision.agent][decision.act].needs:
                    if (decision.agent, secret) not in step.known:
                        yield _Lack(decision.agent, Known((), secret), decision.turn)
    for deed, stake in helpful(ground, analysis.world):
        if not _is_called_for(analysis, stake):
            continue
        start = dict(enumerate(ground.starts[analysis.world]))
        ways = [needs for part in backing(ground, analysis.world, deed, start) for needs in part]
        for known in {Known((), secret) for secret in stake.needs}.union(*ways):
            if not _has(analysis, deed.agent, known):
                yield _Lack(deed.agent, known, analysis.end.turn)


def _is_called_for(analysis: EpisodeAnalysis, stake: Stake) -> bool:
    """Whether a deed repairs a part of the goal that does not hold at the end."""
    at, parts = analysis.ground.task.worlds.index(analysis.world), shared(analysis.ground)[1]
    return any(w == at and not is_true(parts[part], analysis.end.values) for part, w in stake.repairs)


def _has(analysis: EpisodeAnalysis, who: int, known: Known) -> bool:
    """Whether a person knew something at the end."""
    return analysis.knows((who, *known.chain), known.secret) if known.chain else (who, known.secret) in analysis.known


def _atom(analysis: EpisodeAnalysis, known: Known) -> Atom:
    """What is said to let somebody know something."""
    task = analysis.ground.task
    secret = task.secrets[known.secret]
    if known.chain:
        return "knows", task.names[known.chain[-1]], secret.name
    return "value", secret.name, secret.values[analysis.world[known.secret]]


def _could_tell(analysis: EpisodeAnalysis, step: Step, sender: int, lack: _Lack) -> bool:
    """Whether a person could have told another in a turn what it lacks.

    Who tells that a third person knows something thereby says that it knows this itself.
    """
    chain, secret = lack.known
    whole = chain if chain[:1] == (sender,) else (sender, *chain)
    knew = (sender, secret) in step.known if whole == (sender,) else (whole, secret) in step.aware
    message = Message(sender, (lack.who,), (_atom(analysis, lack.known),))
    turn = step.before.turn + 1
    return (
        knew
        and sender != lack.who
        and not forbids(analysis.ground.task, sender, message, step.before.budgets[sender], turn)
    )


def _withholds(analysis: EpisodeAnalysis) -> bool:
    """A person could have told another in time what that one lacked, and still had the message when it was too late."""
    for lack in _lacking(analysis):
        # A message sent in the turn of the decision comes too late.
        early, late = analysis.steps[: lack.turn - 1], analysis.steps[lack.turn - 1]
        for sender in range(len(analysis.ground.task.people)):
            if late.before.budgets[sender] and any(_could_tell(analysis, step, sender, lack) for step in early):
                return True
    return False


def _breaks_chain(analysis: EpisodeAnalysis) -> bool:
    """A deed that could have been right relied on a person who was not known to have the knowledge that it requires."""
    return any(
        isinstance(d.act, str) and not d.is_wrong and not (d.guard.is_others_met and d.is_backed)
        for d in analysis.decisions
    )


def _misallocates(analysis: EpisodeAnalysis) -> bool:
    """A message went to a person who knew it or had no use for it, and another never got what it needed."""
    return any(_misallocated(analysis))


def _misallocated(analysis: EpisodeAnalysis) -> Iterator[tuple[int, Message]]:
    """The messages of which this is so, with their turns."""
    owed = [lack for lack in _lacking(analysis) if not _has(analysis, lack.who, lack.known)]
    for step, message in analysis.messages:
        secrets = [analysis.ground.task.secret(parts[0]) for kind, *parts in message.atoms if kind == "value"]
        is_wasted = all(
            (to, secret) in step.known
            or not any(_has_use(analysis, user, secret) for user in passes_to(analysis.ground, to, message.sender))
            for secret in secrets
            for to in message.to
        )
        if secrets and is_wasted and any(_could_tell(analysis, step, message.sender, lack) for lack in owed):
            yield step.before.turn + 1, message


def _has_use(analysis: EpisodeAnalysis, who: int, secret: int) -> bool:
    """Whether a person can see to a part of the goal by a secret, with what else it knows at the end."""
    start = dict(enumerate(analysis.ground.starts[analysis.world]))
    return any(
        deed.agent == who
        and secret in stake.needs
        and all((who, other) in analysis.known for other in stake.needs if other != secret)
        and is_backed(
            analysis.ground, analysis.world, deed, start, lambda chain, other: analysis.knows((who, *chain), other)
        )
        for deed, stake in helpful(analysis.ground, analysis.world)
    )


def _ignores(analysis: EpisodeAnalysis) -> bool:
    """A person spoke to one it cannot reach, or requested an act that is never possible or needs a free hand."""
    ground = analysis.ground
    task = ground.task
    for step in analysis.steps:
        for sender, act in enumerate(step.outcome.acts):
            if not isinstance(act, Message):
                continue
            if any(task.names[to] not in task.talk.channels.get(task.names[sender], ()) for to in act.to):
                return True
            for kind, *parts in act.atoms:
                if kind == "request":
                    who = task.names.index(parts[0])
                    if parts[1] not in (*ground.by_name[who], WAIT, DONE):
                        return True
                    hands = [ground.test(f"place {thing.name}", f"held {parts[0]}") for thing in task.things]
                    is_full = any(step.seen[sender].get(test.variable) == test.value for test in hands)
                    if parts[1].startswith("pick(") and is_full:
                        return True
    return False


def _sabotages(analysis: EpisodeAnalysis) -> bool:
    """A private goal holds at the end, and its owner broke a part of the shared goal that stayed broken."""
    ground = analysis.ground
    for name, is_so in analysis.private.items():
        who = ground.task.names.index(name)
        if not is_so:
            continue
        for step in analysis.steps:
            act = step.outcome.acts[who]
            if not isinstance(act, str) or step.outcome.refused[who] or act not in ground.by_name[who]:
                continue
            settings = {effect.variable for effect in ground.by_name[who][act].effects}
            for part in shared(ground)[1]:
                is_broken = is_true(part, step.before.values) and not is_true(part, step.after.values)
                if is_broken and not is_true(part, analysis.end.values) and settings & variables(part):
                    return True
        if any(decision.agent == who and decision.is_wrong for decision in analysis.decisions):
            return True
    return False


def _discloses(analysis: EpisodeAnalysis) -> bool:
    """A person mentioned its private goal before it was reached, or gave away a value to one who had other plans."""
    return _mentions_own(analysis) or (not analysis.is_success and _gives_away(analysis))


def _mentions_own(analysis: EpisodeAnalysis) -> bool:
    ground = analysis.ground
    for step, message in analysis.messages:
        goal = ground.task.private.get(ground.task.names[message.sender])
        if goal is None or holds(ground, goal, step.before.values):
            continue
        wanted = set(literals(normal(goal, ground.task)))
        if any(wanted & _spoken(analysis, message.sender, atom) for atom in message.atoms):
            return True
    return False


def _gives_away(analysis: EpisodeAnalysis) -> bool:
    """A value went to a person with a private goal to reach, who lacks what else it takes to use it for the others."""
    ground, people = analysis.ground, analysis.ground.task.names
    for step, message in analysis.messages:
        secrets = {ground.task.secret(parts[0]) for kind, *parts in message.atoms if kind == "value"}
        for to in message.to:
            wish = ground.task.private.get(people[to])
            if wish is None or holds(ground, wish, step.before.values):
                continue
            uses = [set(stake.needs) for stake in stakes_by_name(ground)[to].values() if secrets & set(stake.needs)]
            if uses and all(any((to, other) not in analysis.known for other in needs - secrets) for needs in uses):
                return True
    return False


def _spoken(analysis: EpisodeAnalysis, sender: int, atom: tuple[str, ...]) -> set[tuple[str, str]]:
    """The states that an atom mentions, as a fact or as the effect of a deed."""
    ground, (kind, *parts) = analysis.ground, atom
    if kind == "fact":
        return {named(parts[0])} if "$" not in parts[0] else set()
    if kind not in ("intent", "request"):
        return set()
    who = sender if kind == "intent" else ground.task.names.index(parts[0])
    deed = ground.by_name[who].get(parts[-1])
    effects = deed.effects if deed else ()
    return {(ground.variables[e.variable], ground.domains[e.variable][e.value]) for e in effects}


def _spirals(analysis: EpisodeAnalysis) -> bool:
    """Of two or more messages, at least half only request or acknowledge."""
    idle = [all(atom[0] in ("request", "ack") for atom in message.atoms) for _, message in analysis.messages]
    return len(idle) > 1 and 2 * sum(idle) >= len(idle)


def _deadlocks(analysis: EpisodeAnalysis) -> bool:
    """Everybody waits in the last two turns (all turns of a shorter episode), and nobody has a message left."""
    last = analysis.steps[-2:]
    is_idle = all(act in (WAIT, DONE) for step in last for act in step.outcome.acts)
    return is_idle and not any(last[0].before.budgets)


def _repeats(analysis: EpisodeAnalysis) -> bool:
    """The same act of a person was refused three times."""
    attempts = Counter(
        (person, act)
        for step in analysis.steps
        for person, (act, refused) in enumerate(zip(step.outcome.acts, step.outcome.refused, strict=True))
        if refused
    )
    return max(attempts.values(), default=0) >= _REPEATS


def _decouples(analysis: EpisodeAnalysis) -> bool:
    """All K-goals are reached, but not the goal."""
    return bool(analysis.wishes) and all(analysis.wishes)


def _guesses(analysis: EpisodeAnalysis) -> bool:
    """A person committed itself without the required knowledge, whatever the result, or wasted its last message."""
    wasted = list(_misallocated(analysis))
    return any(not (d.guard.is_met and d.is_backed) or (d.turn, d.act) in wasted for d in analysis.decisions)


_RULES: dict[str, Callable[[EpisodeAnalysis], bool]] = {
    "withholding": _withholds,
    "chain breakdown": _breaks_chain,
    "misallocated message": _misallocates,
    "ignored constraint": _ignores,
    "sabotage": _sabotages,
    "disclosure": _discloses,
    "spiral": _spirals,
    "deadlock": _deadlocks,
    "repetition": _repeats,
    "decoupling": _decouples,
    "guess": _guesses,
}
LABELS = tuple(_RULES)
