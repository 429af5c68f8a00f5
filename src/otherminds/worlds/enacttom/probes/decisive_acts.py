"""Decisive acts, and the knowledge that each requires (spec 4.3, 6.4).

The guards are those of the verifier. A deed that would be wrong in some worlds requires that these are ruled out. A
deed that breaks part of the goal unless another person follows requires knowing that the other knows enough to follow.
The last message that tells a value must leave no part of the goal without somebody who can see to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from otherminds.worlds.enacttom.formulas import is_true, shared
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.messages import Act, Message, cost, forbids
from otherminds.worlds.enacttom.probes.questions import YES, ProbeQuestion
from otherminds.worlds.enacttom.rules import State
from otherminds.worlds.enacttom.seat_view import People
from otherminds.worlds.enacttom.types import World
from otherminds.worlds.enacttom.verify.stakes import Stake, simple_parts, stakes


@dataclass
class Answers:
    """What a person knows, or says that it knows, by its answers to probes."""

    ground: Ground
    agent: int
    report: Callable[[ProbeQuestion], str]

    def value(self, secret: int) -> int | None:
        """The value that it takes a secret to have."""
        values = self.ground.task.secrets[secret].values
        answer = self.report(ProbeQuestion(self.agent, "value", (), secret))
        return values.index(answer) if answer in values else None

    def knows(self, chain: People, secret: int) -> bool:
        """Whether it can tell that the chain knows a secret."""
        return self.report(ProbeQuestion(self.agent, "knows", chain, secret)) == YES


@dataclass(frozen=True)
class Guard:
    """Whether a person knows what an act requires: of the world, and of the minds that it relies on."""

    is_own_met: bool = True
    is_others_met: bool = True

    @property
    def is_met(self) -> bool:
        """Whether both hold."""
        return self.is_own_met and self.is_others_met


@lru_cache(maxsize=256)
def stakes_by_name(ground: Ground) -> tuple[dict[str, Stake], ...]:
    """The stakes of each person's deeds, by name of the deed."""
    by_name: tuple[dict[str, Stake], ...] = tuple({} for _ in ground.task.people)
    for stake in stakes(ground):
        deed = ground.deeds[stake.deed]
        by_name[deed.agent][deed.name] = stake
    return by_name


def is_decisive(ground: Ground, state: State, agent: int, act: Act) -> bool:
    """Whether an act touches the goal, is irreversible, or spends the last message; refused acts are not decisive."""
    if isinstance(act, Message):
        left = state.budgets[agent]
        return not forbids(ground.task, agent, act, left, state.turn + 1) and left == cost(ground.task, act)
    deed = ground.by_name[agent].get(act)
    if deed is None or not deed.is_possible(state.values, state.turn + 1):
        return False
    is_final = any(ground.variables[effect.variable].startswith("flag ") for effect in deed.effects)
    return is_final or act in stakes_by_name(ground)[agent]


@lru_cache(maxsize=1024)
def passes_to(ground: Ground, listener: int, sender: int) -> frozenset[int]:
    """The people whom a value told to a listener can reach: itself and those it can pass it on to, but the sender."""
    task, reached, new = ground.task, {listener}, [listener]
    while new:
        name = task.names[new.pop()]
        can_tell = task.talk.budgets.get(name, 0) and "tell" in task.people[task.names.index(name)].verbs
        reach = {task.names.index(to) for to in task.talk.channels.get(name, ())} if can_tell else set()
        new += reach - reached - {sender}
        reached |= reach - {sender}
    return frozenset(reached)


class Trust(NamedTuple):
    """The need to know that a chain of others knows some secrets; without others, to know the values oneself."""

    chain: People
    secrets: tuple[int, ...]


Need = bool | Trust | tuple[str, list[Any]]  # ("all" | "any", needs)


class Case:
    """What acts require of those who do them, in one world of a task.

    Attributes:
        at: the index of the world.
        repairs: for each part of the goal, the stakes of the deeds that repair it, with the people who can do them.
        was_so: for each part of the goal, whether it holds at the start.
    """

    def __init__(self, ground: Ground, world: World) -> None:
        self._ground, self.at, parts = ground, ground.task.worlds.index(world), shared(ground)[1]
        self.was_so = [is_true(part, ground.starts[world]) for part in parts]
        self.repairs = [
            [(ground.deeds[s.deed].agent, s) for s in stakes(ground) if (part, self.at) in s.repairs]
            for part in range(len(parts))
        ]

    def relied_on(self, agent: int, part: int) -> Need:
        """Another person is known to be able to repair a part, together with those it relies on in turn."""
        helpers = [(who, stake) for who, stake in self.repairs[part] if who != agent]
        return "any", [
            ("all", [Trust((who,), stake.needs), *(self._followed(who, owed) for owed in self._owed(stake))])
            for who, stake in helpers
        ]

    def _followed(self, who: int, part: int) -> Need:
        thirds = [(third, stake) for third, stake in self.repairs[part] if third != who and not self._owed(stake)]
        return "any", [Trust((who, third), stake.needs) for third, stake in thirds]

    def _owed(self, stake: Stake) -> list[int]:
        """The parts of the goal that a deed breaks in this world."""
        return [part for part, w in stake.owes if w == self.at]

    def served(self, agent: int, part: int, message: Message) -> Need:
        """A message, its sender or somebody whom the sender trusts takes care of a part of the goal."""
        task = self._ground.task
        so = {("value", s.name, s.values[x]) for s, x in zip(task.secrets, task.worlds[self.at], strict=True)}
        told = {task.secret(atom[1]) for atom in message.atoms if atom in so}  # a lie informs nobody
        reached = {who for listener in message.to for who in passes_to(self._ground, listener, agent)}
        needs: list[Need] = [part in simple_parts(self._ground)]
        for who, stake in self.repairs[part]:
            needs.append(who in reached and bool(told.intersection(stake.needs)))
            needs.append(Trust(() if who == agent else (who,), stake.needs))
        return "any", needs


@lru_cache(maxsize=2048)
def case_of(ground: Ground, world: World) -> Case:
    """What acts require in a world."""
    return Case(ground, world)


def guard(
    ground: Ground, world: World, state: State, agent: int, act: Act, mind: Answers, seen: Mapping[int, int]
) -> Guard:
    """Whether a person knows what an act requires.

    Args:
        ground: the task.
        world: the world of the episode.
        state: the state before the act.
        agent: the person who acts.
        act: the act.
        mind: the person's knowledge, or what it says that it knows.
        seen: the variables and values that the person saw last.
    """
    case = case_of(ground, world)

    def is_settled(part: int) -> bool:
        """Whether a deed that repairs a part of the goal was seen, and has not been undone."""
        settings = ((v, x) for _, stake in case.repairs[part] for v, x in stake.sets)
        return any(seen.get(v) == x == state.values[v] for v, x in settings)

    if isinstance(act, Message):
        if not any(kind == "value" for kind, *_ in act.atoms) or state.budgets[agent] > cost(ground.task, act):
            return Guard()
        needs = [
            case.served(agent, part, act)
            for part, formula in enumerate(shared(ground)[1])
            if not is_true(formula, state.values) or not (case.was_so[part] or is_settled(part))
        ]
        return Guard(is_others_met=_is_met(("all", needs), mind))
    stake = stakes_by_name(ground)[agent].get(act)
    if stake is None:
        return Guard()
    known = {secret: mind.value(secret) for secret in stake.needs}
    worlds = [ground.task.worlds[w] for w in stake.wrong]
    is_own = all(any(x is not None and x != w[s] for s, x in known.items()) for w in worlds)
    owed = [part for part, w in stake.owes if w == case.at and not is_settled(part)]
    return Guard(is_own, _is_met(("all", [case.relied_on(agent, part) for part in owed]), mind))


def _is_met(need: Need, mind: Answers) -> bool:
    """Whether a need is met. Every answer is asked for, whatever the others are: :func:`guard_probes` collects them."""
    if isinstance(need, bool):
        return need
    if isinstance(need, Trust):
        is_all = True
        answers = [mind.knows(need.chain, s) if need.chain else mind.value(s) is not None for s in need.secrets]
    else:
        is_all = need[0] == "all"
        answers = [_is_met(part, mind) for part in need[1]]
    return all(answers) if is_all else any(answers)


def guard_probes(ground: Ground, world: World, state: State, agent: int, act: Act) -> list[ProbeQuestion]:
    """The knowledge that an act requires, as questions to the person who acts."""
    probes: list[ProbeQuestion] = []

    def note(probe: ProbeQuestion) -> str:
        probes.append(probe)
        return ""

    guard(ground, world, state, agent, act, Answers(ground, agent, note), {})
    return list(dict.fromkeys(probes))
