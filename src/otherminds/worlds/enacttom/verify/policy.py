"""Is there a joint policy of bounded depth that works in every world? Answered by a logic program (4.4).

For a fixed joint policy each world has one run, so the question is plain satisfiability. No answer set means that *no*
policy of that depth works, whatever conventions it uses: that is the proof behind every depth.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from otherminds.core.errors import MissingExtra
from otherminds.worlds.enacttom.goals import shared
from otherminds.worlds.enacttom.ground import Deed, Ground
from otherminds.worlds.enacttom.mechanics import MANIPULATIONS
from otherminds.worlds.enacttom.messages import Message
from otherminds.worlds.enacttom.observe import notes
from otherminds.worlds.enacttom.rules import WAIT, Act
from otherminds.worlds.enacttom.types import World

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
        secrets_only: theories are about secrets, and not about the house as well.
        seed: of the solver, which changes nothing but the time it takes.

    Raises:
        MissingExtra: without clingo.
    """

    def __init__(
        self, ground: Ground, depth: int | None = UNBOUNDED, *, secrets_only: bool = False, seed: int = 0
    ) -> None:
        try:
            import clingo
        except ModuleNotFoundError as error:
            raise MissingExtra(f"proofs need {error.name}; install otherminds[verify]") from error
        self._ground, self._number = ground, clingo.Number
        constants = ["-c", f"horizon={ground.task.horizon}", "-c", f"depth={depth or 0}"]
        self._control = clingo.Control(["--warn=none", f"--seed={seed}", *constants], logger=lambda *_: None)
        rules = files("otherminds.worlds.enacttom.verify").joinpath("policy.lp").read_text(encoding="utf-8")
        bounded = ["bounded."] if depth is not None else []
        self._control.add("base", [], "\n".join([rules, *facts(ground, secrets_only), *bounded]))
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


def facts(ground: Ground, secrets_only: bool = False) -> Iterator[str]:
    """The task as facts of the logic program."""
    task = ground.task
    people, worlds = range(len(task.people)), range(len(task.worlds))
    yield from (f"agent({i})." for i in people)
    for w, world in enumerate(task.worlds):
        yield f"world({w})."
        yield from (f"start({w},{v},{x})." for v, x in enumerate(ground.starts[world]))
    yield from (f"where({i},{v})." for i, v in enumerate(ground.rooms_of))
    for s, secret in enumerate(task.secrets):
        yield f"secret({s},{ground.index[f'secret {secret.name}']})."
    for number, deed in enumerate(ground.deeds):
        name = f"d({number})"
        yield f"deed({name},{deed.agent}). option({deed.agent},{name})."
        if deed.verb in MANIPULATIONS:
            yield f"shows({name})."
        for k, way in enumerate(deed.ways):
            yield f"way({name},{k},{way.first},{way.last})."
            yield from (f"waytest({name},{k},{t.variable},{t.value},{int(t.is_equal)})." for t in way.tests)
        yield from _effects(deed.effects, name, f"{number}")
    yield from _effects(ground.ticks, "tick", "tick")
    for number, sight in enumerate(ground.sights):
        yield f"sight({number},{sight.room},{sight.variable},{sight.value})."
        yield from (f"sighttest({number},{t.variable},{t.value},{int(t.is_equal)})." for t in sight.tests)
    yield from (f"audible({n},{test.variable},{test.value})." for n, (_, test) in enumerate(ground.audible))
    yield from (f"option({i},wait)." for i in people)
    yield from _speech(ground)
    for i in people:
        views = [notes(ground, world, i) for world in task.worlds]
        yield from (f"note({i},{w},{u})." for w in worlds for u in worlds if views[w] != views[u])
    objective = [f"secret {secret.name}" for secret in task.secrets if secret.sort == "objective"]
    physical = [name for name in ground.variables if not name.startswith("secret ")]
    yield from (f"matters({ground.index[name]})." for name in (objective if secrets_only else [*objective, *physical]))
    yield from _formula(shared(ground))


def _effects(effects: Sequence[Any], name: str, prefix: str) -> Iterator[str]:
    for k, effect in enumerate(effects):
        yield f"effect(e({prefix},{k}),{name},{effect.variable},{effect.value})."
        yield from (f"efftest(e({prefix},{k}),{t.variable},{t.value},{int(t.is_equal)})." for t in effect.tests)


def _speech(ground: Ground) -> Iterator[str]:
    """What each can tell whom. One listener and one atom a message: more of either is not needed for a proof."""
    task = ground.task
    for i, name in enumerate(task.names):
        budget = task.talk.budgets.get(name, 0)
        first, last = task.talk.windows.get(name, (1, task.horizon))
        yield f"budget({i},{budget}). speech({i},{first},{last})."
        if not budget or "tell" not in task.people[i].verbs:
            continue
        for other in task.talk.channels.get(name, ()):
            j = task.names.index(other)
            for content in _contents(ground):
                yield f"option({i},tell({j},{content}))."
                if content.startswith("value"):
                    yield f"is_text({content},1)."
                else:
                    yield f"is_text({content},0)."


def _contents(ground: Ground) -> Iterator[str]:
    task = ground.task
    secrets = range(len(task.secrets))
    if "value" in task.talk.kinds:
        yield from (f"value({s})" for s in secrets)
    for kind in ("knows", "ignorant"):
        if kind in task.talk.kinds:
            yield from (f"{kind}({k},{s})" for k in range(len(task.people)) for s in secrets)
    if "ack" in task.talk.kinds:
        yield "ack"


def _formula(goal: Any) -> Iterator[str]:
    numbers = iter(range(1 << 30))

    def emit(formula: Any) -> tuple[int, list[str]]:
        kind, *rest = formula
        number = next(numbers)
        if kind == "is":
            return number, [f"formula({number},is,{rest[0]},{rest[1]})."]
        if kind == "not":
            inner, lines = emit(rest[0])
            return number, [f"formula({number},neg,{inner},0).", *lines]
        lines = [f"formula({number},{kind},0,0)."]
        for part in rest[0]:
            inner, more = emit(part)
            lines += [f"part({number},{inner}).", *more]
        return number, lines

    number, lines = emit(goal)
    yield from lines
    yield f"goal({number})."


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
    elif content.name == "ack":
        atom = ("ack", task.names[agent])
    else:
        knower, about = (argument.number for argument in content.arguments)
        atom = (content.name, task.names[knower], task.secrets[about].name)
    return Message(agent, (listener.number,), (atom,))
