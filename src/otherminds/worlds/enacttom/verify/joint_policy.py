"""Searches for a joint policy of bounded depth that works in every world, with a logic program.

Under a fixed joint policy each world has one course of events, so this is a satisfiability problem. There are two kinds
of policy. *Any* policy may use silence, timing and prior agreement (theories.lp, spec 4.4): if there is none, no minds
can solve the task at that depth. A *plain* policy needs no agreement: every mind that commits itself knows, from what
it saw and was told, that it is right (tokens.lp, spec 4.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from otherminds.worlds.enacttom.formulas import literal_of
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.messages import Act, Message
from otherminds.worlds.enacttom.rules import WAIT
from otherminds.worlds.enacttom.types import World
from otherminds.worlds.enacttom.verify.solver import SECONDS, grounded, rules, solve
from otherminds.worlds.enacttom.verify.stakes import guards
from otherminds.worlds.enacttom.verify.task_facts import facts

Policy = tuple[tuple[tuple[Act, ...], ...], ...]  # [world][turn][person]


class SearchResult(NamedTuple):
    """The answer of the solver.

    Attributes:
        is_solvable: ``None`` if time ran out.
        policy: the act of each person in each world and turn, if there is one.
        core: worlds that cannot all be solved, if there is none.
    """

    is_solvable: bool | None
    policy: Policy = ()
    core: tuple[World, ...] = ()


class Search:
    """A search for policies of a depth, grounded once, that can be solved for any set of worlds.

    Args:
        ground: the task.
        depth: largest depth of each mind; ``None`` for any.
        is_plain: without conventions; requires a depth.
        secrets_only: whether theories are about secrets alone instead of secrets and the house.
        worlds: the worlds that are possible; all by default. If no plain policy solves some of the worlds, none solves
            all of them; of policies with conventions this does not hold.
        seconds: time limit for grounding.
        seed: of the solver; affects nothing but its running time.

    Raises:
        MissingExtra: without clingo.
    """

    def __init__(
        self,
        ground: Ground,
        depth: int | None = None,
        *,
        is_plain: bool = False,
        secrets_only: bool = False,
        worlds: Sequence[World] | None = None,
        seconds: float = SECONDS,
        seed: int = 0,
    ) -> None:
        self._ground = ground
        self._worlds = ground.task.worlds if worlds is None else tuple(worlds)
        program = [rules("dynamics"), *facts(ground, self._worlds, secrets_only)]
        if is_plain:
            program += [rules("tokens"), *guards(ground, self._worlds)]
        else:
            program += [rules("theories"), "bounded." if depth is not None else ""]
        self._control = grounded(program, {"horizon": ground.task.horizon, "depth": depth or 0}, seconds, seed)
        atoms = self._control.symbolic_atoms.by_signature("required", 1) if self._control else ()
        self._required = {atom.symbol.arguments[0].number: atom for atom in atoms}
        smooth = self._control.symbolic_atoms.by_signature("smooth", 0) if self._control else ()
        self._smooth = [atom.symbol for atom in smooth]

    def find(self, worlds: Sequence[World] | None = None, seconds: float = SECONDS) -> SearchResult:
        """A policy that reaches the goal in some worlds, by default in all; the other worlds stay possible."""
        if self._control is None:
            return SearchResult(None)
        required = self._worlds if worlds is None else worlds
        wanted = [self._required[self._worlds.index(world)].symbol for world in required]
        answer = solve(self._control, wanted, seconds)
        if answer.is_satisfiable is None:
            return SearchResult(None)
        if answer.is_satisfiable:
            if self._smooth:  # rather a policy in which nobody tries what is not possible
                smoother = solve(self._control, [*wanted, *self._smooth], seconds)
                answer = smoother if smoother.is_satisfiable else answer
            return SearchResult(True, _policy(self._ground, self._worlds, answer.symbols))
        names = {atom.literal: number for number, atom in self._required.items()}
        return SearchResult(False, core=tuple(self._worlds[names[at]] for at in answer.core if at in names))


def _policy(ground: Ground, worlds: Sequence[World], symbols: Sequence[Any]) -> Policy:
    task, turns = ground.task, ground.task.horizon
    acts: dict[tuple[int, int, int], Act] = {}
    for symbol in symbols:
        i, w, t, act = symbol.arguments
        acts[w.number, t.number, i.number] = act_of(ground, i.number, worlds[w.number], act)
    return tuple(
        tuple(tuple(acts[w, t, i] for i in range(len(task.people))) for t in range(turns)) for w in range(len(worlds))
    )


def act_of(ground: Ground, agent: int, world: World, act: Any) -> Act:
    """An act of the logic program as the simulator has it."""
    task = ground.task
    if act.name == "wait":
        return WAIT
    if act.name == "d":
        number: int = act.arguments[0].number
        return ground.deeds[number].name
    listener, content = act.arguments
    if content.name == "value":
        secret = task.secrets[content.arguments[0].number]
        atom: tuple[str, ...] = ("value", secret.name, task.value(world, secret.name))
    elif content.name == "fact":
        variable, value = (argument.number for argument in content.arguments)
        atom = ("fact", literal_of(ground.variables[variable], ground.domains[variable][value]))
    elif content.name == "ack":
        atom = ("ack", task.names[listener.number])
    else:
        knower, about = (argument.number for argument in content.arguments)
        atom = (content.name, task.names[knower], task.secrets[about].name)
    return Message(agent, (listener.number,), (atom,))
