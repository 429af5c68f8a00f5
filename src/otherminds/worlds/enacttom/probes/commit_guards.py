"""Decisive acts, and the knowledge that each requires (spec 4.3, 6.4).

The guards are those of the verifier. A deed that would be wrong in some worlds requires that these are ruled out. A
deed that breaks part of the goal unless another person follows requires knowing that the other knows enough to follow.
The last message that tells a value must leave no part of the goal without somebody who can see to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from otherminds.worlds.enacttom.formulas import is_true, shared
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.messages import Act, Message, cost, forbids
from otherminds.worlds.enacttom.probes.questions import YES, Probe
from otherminds.worlds.enacttom.rules import State
from otherminds.worlds.enacttom.seat_view import People
from otherminds.worlds.enacttom.types import World
from otherminds.worlds.enacttom.verify.guards import Stake, simple_parts, stakes


@dataclass
class Answers:
    """What a person knows, or says that it knows, by its answers to probes."""

    ground: Ground
    agent: int
    report: Callable[[Probe], str]

    def value(self, secret: int) -> int | None:
        """The value that it takes a secret to have."""
        values = self.ground.task.secrets[secret].values
        answer = self.report(Probe(self.agent, "value", (), secret))
        return values.index(answer) if answer in values else None

    def knows(self, chain: People, secret: int) -> bool:
        """Whether it can tell that the chain knows a secret."""
        return self.report(Probe(self.agent, "knows", chain, secret)) == YES


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


def is_simple(ground: Ground, part: int) -> bool:
    """Whether somebody can see to a part of the goal in every world without knowing any secret."""
    return part in simple_parts(ground)


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
    case = _Case(ground, ground.task.worlds.index(world), agent, mind)
    if isinstance(act, Message):
        facts = [(ground.task.secret(parts[0]), to) for kind, *parts in act.atoms if kind == "value" for to in act.to]
        if not facts or state.budgets[agent] > cost(ground.task, act):
            return Guard()
        open_parts = [part for part in range(len(shared(ground)[1])) if case.is_open(part, state, seen)]
        return Guard(is_others_met=_every([case.is_served(part, facts) for part in open_parts]))
    stake = stakes_by_name(ground)[agent].get(act)
    if stake is None:
        return Guard()
    known = {secret: mind.value(secret) for secret in stake.needs}
    worlds = [ground.task.worlds[w] for w in stake.wrong]
    is_own = all(any(x is not None and x != w[s] for s, x in known.items()) for w in worlds)
    owed = [part for part, w in stake.owes if w == case.at and not case.is_settled(part, state, seen)]
    return Guard(is_own, _every([case.is_relied_on(part) for part in owed]))


def _every(answers: list[bool]) -> bool:
    """Whether all hold. It takes a list, so that every answer is asked for: :func:`guard_probes` collects them."""
    return all(answers)


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


@dataclass
class _Case:
    """An act in a world, and the knowledge of the person who acts."""

    ground: Ground
    at: int  # the index of the world
    agent: int
    mind: Answers

    def _repairing(self, part: int) -> list[tuple[int, Stake]]:
        return [(self.ground.deeds[s.deed].agent, s) for s in stakes(self.ground) if (part, self.at) in s.repairs]

    def is_settled(self, part: int, state: State, seen: Mapping[int, int]) -> bool:
        """Whether a deed that repairs a part of the goal was seen, and has not been undone."""
        settings = ((v, x) for _, stake in self._repairing(part) for v, x in stake.sets)
        return any(seen.get(v) == x == state.values[v] for v, x in settings)

    def is_open(self, part: int, state: State, seen: Mapping[int, int]) -> bool:
        """Whether a part of the goal still needs attention: it does until it is seen to be done."""
        formula, start = shared(self.ground)[1][part], self.ground.starts[self.ground.task.worlds[self.at]]
        if not is_true(formula, state.values):
            return True
        return not is_true(formula, start) and not self.is_settled(part, state, seen)

    def _trusts(self, chain: People, stake: Stake) -> bool:
        return _every([self.mind.knows(chain, secret) for secret in stake.needs])

    def is_relied_on(self, part: int) -> bool:
        """Whether another person is known to be able to repair a part, together with those it relies on in turn."""
        helpers = [
            [
                self._trusts((who,), stake),
                *[self._is_followed(who, owed) for owed, w in stake.owes if w == self.at],
            ]
            for who, stake in self._repairing(part)
            if who != self.agent
        ]
        return any(all(answers) for answers in helpers)

    def _is_followed(self, who: int, part: int) -> bool:
        followers = [
            self._trusts((who, third), stake)
            for third, stake in self._repairing(part)
            if third != who and not any(w == self.at for _, w in stake.owes)
        ]
        return any(followers)

    def is_served(self, part: int, facts: list[tuple[int, int]]) -> bool:
        """Whether the message, the sender itself or somebody it trusts takes care of a part of the goal."""
        answers = [is_simple(self.ground, part)]
        for who, stake in self._repairing(part):
            if who == self.agent:
                answers.append(_every([self.mind.value(secret) is not None for secret in stake.needs]))
            else:
                answers.append(
                    any(s in stake.needs and who in passes_to(self.ground, to, self.agent) for s, to in facts)
                )
                answers.append(self._trusts((who,), stake))
        return any(answers)


def guard_probes(ground: Ground, world: World, state: State, agent: int, act: Act) -> list[Probe]:
    """The knowledge that an act requires, as questions to the person who acts."""
    probes: list[Probe] = []

    def note(probe: Probe) -> str:
        probes.append(probe)
        return ""

    guard(ground, world, state, agent, act, Answers(ground, agent, note), {})
    return list(dict.fromkeys(probes))
