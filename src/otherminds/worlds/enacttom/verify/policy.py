"""Is there a joint policy of bounded depth that works in every world? Answered by a logic program.

For a fixed joint policy each world has one run, so this is a question of satisfiability. There are two kinds of policy.
*Any* policy may use silence, timing and what its members agreed on (theories.lp, spec 4.4): if none exists, no team
whatever can do it at that depth. A *plain* policy needs no agreement: whoever commits itself knows, by what was seen
and said, that it is right (tokens.lp, spec 4.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from otherminds.core.errors import MissingExtra
from otherminds.worlds.enacttom.formulas import literal_of
from otherminds.worlds.enacttom.ground import Deed, Ground
from otherminds.worlds.enacttom.messages import Act, Message
from otherminds.worlds.enacttom.rules import WAIT
from otherminds.worlds.enacttom.types import World
from otherminds.worlds.enacttom.verify.facts import facts
from otherminds.worlds.enacttom.verify.guards import guards

UNBOUNDED = None
SECONDS = 120.0


@dataclass(frozen=True)
class Found:
    """An answer.

    Attributes:
        is_solvable: ``None`` if time ran out: then nothing is known.
        policy: the act of each person in each world and turn, ``[world][turn][person]``.
        core: if there is none, worlds that cannot all be solved.
    """

    is_solvable: bool | None
    policy: tuple[tuple[tuple[Act, ...], ...], ...] = ()
    core: tuple[World, ...] = ()


class Search:
    """The question whether policies of a depth exist, put to the solver once and asked for any worlds.

    Args:
        ground: the task.
        depth: how deep each may look; any if ``None``.
        is_plain: without conventions; a depth must be given then.
        secrets_only: theories are about secrets, and not about the house as well.
        seed: of the solver, which changes nothing but the time it takes.

    Raises:
        MissingExtra: without clingo.
    """

    def __init__(
        self,
        ground: Ground,
        depth: int | None = UNBOUNDED,
        *,
        is_plain: bool = False,
        secrets_only: bool = False,
        seed: int = 0,
    ) -> None:
        try:
            import clingo
        except ModuleNotFoundError as error:
            raise MissingExtra(f"proofs need {error.name}; install otherminds[verify]") from error
        self._ground, self._number = ground, clingo.Number
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

    def find(self, worlds: Sequence[World] | None = None, seconds: float = SECONDS) -> Found:
        """A policy that reaches the goal in these worlds, all of them by default; the others exist all the same."""
        every = self._ground.task.worlds
        wanted = [(self._required[every.index(world)].symbol, True) for world in (every if worlds is None else worlds)]
        shown: list[Any] = []

        def keep(model: Any) -> None:
            shown[:] = model.symbols(shown=True)

        with self._control.solve(assumptions=wanted, on_model=keep, async_=True) as handle:
            if not handle.wait(seconds):
                handle.cancel()
            result = handle.get()
            core = handle.core() if result.satisfiable is False else []
        if result.satisfiable is None:
            return Found(None)
        if result.satisfiable:
            return Found(True, _policy(self._ground, shown))
        names = {atom.literal: number for number, atom in self._required.items()}
        return Found(False, core=tuple(every[names[literal]] for literal in core if literal in names))


def _rules(name: str) -> str:
    return files("otherminds.worlds.enacttom.verify").joinpath(f"{name}.lp").read_text(encoding="utf-8")


def _policy(ground: Ground, symbols: Sequence[Any]) -> tuple[tuple[tuple[Act, ...], ...], ...]:
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
        deed: Deed = ground.deeds[act.arguments[0].number]
        return deed.name
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
