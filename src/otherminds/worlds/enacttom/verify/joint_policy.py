"""Searches for a joint policy of bounded depth that works in every world, with a logic program.

Under a fixed joint policy each world has one course of events, so this is a satisfiability problem. There are two kinds
of policy. *Any* policy may use silence, timing and prior agreement (theories.lp, spec 4.4): if there is none, no minds
can solve the task at that depth. A *plain* policy needs no agreement: every mind that commits itself knows, from what
it saw and was told, that it is right (tokens.lp, spec 4.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Any, NamedTuple

from otherminds.core.errors import MissingExtra
from otherminds.worlds.enacttom.formulas import literal_of
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.messages import Act, Message
from otherminds.worlds.enacttom.rules import WAIT
from otherminds.worlds.enacttom.types import World
from otherminds.worlds.enacttom.verify.guards import guards
from otherminds.worlds.enacttom.verify.task_facts import facts

Policy = tuple[tuple[tuple[Act, ...], ...], ...]  # [world][turn][person]
SECONDS = 120.0  # default time limit for each query to the solver


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
        seed: int = 0,
    ) -> None:
        try:
            import clingo
        except ModuleNotFoundError as error:
            raise MissingExtra(f"proofs need {error.name}; install otherminds[verify]") from error
        self._ground = ground
        constants = ["-c", f"horizon={ground.task.horizon}", "-c", f"depth={depth or 0}"]
        self._control = clingo.Control(
            ["--warn=none", f"--seed={seed}", "--heuristic=Domain", *constants], logger=lambda *_: None
        )
        program = [_rules("dynamics"), *facts(ground, secrets_only)]
        if is_plain:
            program += [_rules("tokens"), *guards(ground)]
        else:
            program += [_rules("theories"), "bounded." if depth is not None else ""]
        self._control.add("base", [], "\n".join(program))
        self._control.ground([("base", [])])
        self._required = {
            atom.symbol.arguments[0].number: atom for atom in self._control.symbolic_atoms.by_signature("required", 1)
        }

    def find(self, worlds: Sequence[World] | None = None, seconds: float = SECONDS) -> SearchResult:
        """A policy that reaches the goal in some worlds, by default in all; the other worlds stay possible."""
        all_worlds = self._ground.task.worlds
        required = all_worlds if worlds is None else worlds
        wanted = [(self._required[all_worlds.index(world)].symbol, True) for world in required]
        shown: list[Any] = []

        def keep(model: Any) -> None:
            shown[:] = model.symbols(shown=True)

        with self._control.solve(assumptions=wanted, on_model=keep, async_=True) as handle:
            if not handle.wait(seconds):
                handle.cancel()
            result = handle.get()
            core = handle.core() if result.satisfiable is False else []
        if result.satisfiable is None:
            return SearchResult(None)
        if result.satisfiable:
            return SearchResult(True, _policy(self._ground, shown))
        names = {atom.literal: number for number, atom in self._required.items()}
        return SearchResult(False, core=tuple(all_worlds[names[literal]] for literal in core if literal in names))


def _rules(name: str) -> str:
    return files("otherminds.worlds.enacttom.verify").joinpath(f"{name}.lp").read_text(encoding="utf-8")


def _policy(ground: Ground, symbols: Sequence[Any]) -> Policy:
    task, turns = ground.task, ground.task.horizon
    acts: dict[tuple[int, int, int], Act] = {}
    for symbol in symbols:
        i, w, t, act = symbol.arguments
        acts[w.number, t.number, i.number] = _act(ground, i.number, w.number, act)
    return tuple(
        tuple(tuple(acts[w, t, i] for i in range(len(task.people))) for t in range(turns))
        for w in range(len(task.worlds))
    )


def _act(ground: Ground, agent: int, world: int, act: Any) -> Act:
    task = ground.task
    if act.name == "wait":
        return WAIT
    if act.name == "d":
        number: int = act.arguments[0].number
        return ground.deeds[number].name
    listener, content = act.arguments
    if content.name == "value":
        secret = task.secrets[content.arguments[0].number]
        atom: tuple[str, ...] = ("value", secret.name, task.value(task.worlds[world], secret.name))
    elif content.name == "fact":
        variable, value = (argument.number for argument in content.arguments)
        atom = ("fact", literal_of(ground.variables[variable], ground.domains[variable][value]))
    elif content.name == "ack":
        atom = ("ack", task.names[listener.number])
    else:
        knower, about = (argument.number for argument in content.arguments)
        atom = (content.name, task.names[knower], task.secrets[about].name)
    return Message(agent, (listener.number,), (atom,))
