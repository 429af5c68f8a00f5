"""The logic program and the simulator have the same house: state and percepts, turn by turn, for any acts (9.2)."""

from typing import Any

import pytest

from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom import observe, rules
from otherminds.worlds.enacttom.grounded_task import Ground, Values
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.messages import Act, Message, forbids
from otherminds.worlds.enacttom.observe import Percept
from otherminds.worlds.enacttom.rules import WAIT, State
from otherminds.worlds.enacttom.types import Task
from otherminds.worlds.enacttom.verify import solver
from otherminds.worlds.enacttom.verify.task_facts import facts
from tests.worlds.enacttom.anyhouse import any_act, any_house
from tests.worlds.enacttom.houses import fetch, letter, memo

clingo: Any = pytest.importorskip("clingo")
FEW, MANY = 30, 400
Seen = frozenset[tuple[Any, ...]]
Run = tuple[list[list[Values]], list[list[list[Seen]]]]  # [world][moment], and [world][moment][person]


def simulated(house: Ground, joint: list[list[tuple[Act, ...]]]) -> Run:
    """What the simulator makes of the acts of each world."""
    states, percepts = [], []
    people = range(len(house.task.people))
    for world, turns in zip(house.task.worlds, joint, strict=True):
        state = rules.begin(house, world)
        values = [state.values]
        seen = [[_seen(house, observe.first_look(house, state, i)) for i in people]]
        for acts in turns:
            after, outcome = rules.step(house, state, acts)
            seen.append([_seen(house, observe.perceive(house, state, after, outcome, i)) for i in people])
            state = after
            values.append(state.values)
        states.append(values)
        percepts.append(seen)
    return states, percepts


def _seen(house: Ground, percept: Percept) -> Seen:
    number = {(deed.agent, deed.name): at for at, deed in enumerate(house.deeds)}
    labels = [label for label, _ in house.audible]
    return frozenset(
        [
            ("at", percept.room),
            *(("see", *pair) for pair in percept.seen),
            *(("with", other) for other in percept.people),
            *(("did", other, number[other, name]) for other, name in percept.deeds),
            *(("came", other) for other in percept.arrived),
            *(("left", other) for other in percept.left),
            *(("heard", labels.index(label)) for label in percept.heard),
            *(("told", one.sender, _content(house.task, one)) for one in percept.messages),
            *([("thwarted",) if "thwarted" in percept.refused else ("refused",)] if percept.refused else []),
        ]
    )


def _content(task: Task, message: Message) -> str:
    kind, *parts = message.atoms[0]
    if kind == "value":
        secret = task.secret(parts[0])
        return f"value({secret},{task.secrets[secret].values.index(parts[1])})"
    return f"{kind}({task.names.index(parts[0])},{task.secret(parts[1])})"


def derived(house: Ground, joint: list[list[tuple[Act, ...]]]) -> Run:
    """What the logic program derives from the same acts."""
    task = house.task
    control = clingo.Control(["--warn=none", "-c", f"horizon={task.horizon}"], logger=lambda *_: None)
    fixed = [
        f":- not act({i},{w},{t},{_option(house, i, act)})."
        for w, turns in enumerate(joint)
        for t, acts in enumerate(turns)
        for i, act in enumerate(acts)
    ]
    control.add("base", [], "\n".join([solver.rules("dynamics"), *facts(house), ":- required(_).", *fixed]))
    control.ground([("base", [])])
    states: list[list[list[set[int]]]] = [
        [[set() for _ in house.variables] for _ in range(task.horizon + 1)] for _ in task.worlds
    ]
    seen: list[list[list[set[tuple[Any, ...]]]]] = [
        [[set() for _ in task.people] for _ in range(task.horizon + 1)] for _ in task.worlds
    ]
    with control.solve(yield_=True) as handle:
        model = handle.model()
        assert model is not None, "the program has no run for these acts"
        for symbol in model.symbols(atoms=True):
            if symbol.name == "holds":
                w, t, variable, value = (part.number for part in symbol.arguments)
                states[w][t][variable].add(value)
            elif symbol.name == "percept":
                *at, what = symbol.arguments
                i, w, t = (part.number for part in at)
                if not (what.name == "did" and len(what.arguments) == 1):  # one's own act is known to all three
                    seen[w][t][i].add((what.name, *(_number(part) for part in what.arguments)))
            elif symbol.name == "told":
                j, w, t, said = symbol.arguments
                sender, content = said.arguments
                seen[w.number][t.number + 1][j.number].add(("told", sender.number, str(content)))
    # A variable without a value, or with several, has one that no simulator has.
    values = [[tuple(min(v) if len(v) == 1 else -1 for v in moment) for moment in run] for run in states]
    return values, [[[frozenset(mine) for mine in moment] for moment in run] for run in seen]


def _number(part: Any) -> int:
    found: int = part.number if part.type == clingo.SymbolType.Number else part.arguments[0].number
    return found


def _option(house: Ground, agent: int, act: Act) -> str:
    if isinstance(act, Message):
        content = _content(house.task, act)
        kind, _, rest = content.partition("(")
        said = f"value({rest.split(',')[0]})" if kind == "value" else content
        return f"tell({act.to[0]},{said})"
    return "wait" if act == WAIT else f"d({house.deeds.index(house.by_name[agent][act])})"


def any_joint(house: Ground, seed: int) -> list[list[tuple[Act, ...]]]:
    """Acts for every world and turn, possible and not; messages that can be sent."""
    draw, found = Draw(seed, "enacttom/joint"), []
    for world in house.task.worlds:
        state, turns = rules.begin(house, world), []
        for _ in range(house.task.horizon):
            acts = tuple(_tame(house, state, world, agent, draw) for agent in range(len(house.task.people)))
            state, _ = rules.step(house, state, acts)
            turns.append(acts)
        found.append(turns)
    return found


def _tame(house: Ground, state: State, world: tuple[int, ...], agent: int, draw: Draw) -> Act:
    act = any_act(house, state, world, agent, draw, is_wild=False)
    if isinstance(act, Message) and forbids(house.task, agent, act, state.budgets[agent], state.turn + 1):
        return WAIT  # what cannot be sent is no option of the program
    return act


def compare(seeds: range, horizon: int = 3) -> None:
    for seed in seeds:
        house = ground(any_house(seed, horizon))
        joint = any_joint(house, seed)
        assert simulated(house, joint) == derived(house, joint), seed


def test_the_program_derives_what_the_simulator_does() -> None:
    compare(range(FEW))


@pytest.mark.parametrize("task", [fetch(), memo(), letter()])
def test_so_it_does_for_worked_tasks(task: Task) -> None:
    house = ground(task)
    for seed in range(3):
        joint = any_joint(house, seed)
        assert simulated(house, joint) == derived(house, joint)


@pytest.mark.slow
def test_the_program_derives_what_the_simulator_does_in_many_houses() -> None:
    compare(range(FEW, MANY), horizon=4)


NAMES = [
    *("fails", "blocked", "wants", "clash", "holds", "refused", "came", "thwarted"),
    *("told", "hidden", "percept", "own"),
]
# Rules of the program that say what happens and what is perceived: none can be left out unnoticed.
RULES = [
    line
    for line in solver.rules("dynamics").splitlines()
    if line.partition("(")[0]
    in (
        "fails",
        "blocked",
        "wants",
        "clash",
        "holds",
        "refused",
        "came",
        "thwarted",
        "told",
        "hidden",
        "percept",
        "own",
    )
    # Not one's own act, which both are given, nor what is seen only where something is not so: there is no such sight.
    and not line.startswith(("own(I,W,T+1,did(A))", "hidden(W,T,S) :- sighttest(S,V,X,0)"))
]
QUICK = RULES[:: max(1, len(RULES) // 6)]


def _is_noticed(monkeypatch: pytest.MonkeyPatch, rule: str, seeds: range) -> bool:
    text = solver.rules("dynamics")
    assert rule in text
    with monkeypatch.context() as patch:
        patch.setattr(solver, "rules", lambda _: text.replace(rule, ""))
        try:
            compare(seeds)
        except AssertionError:
            return True
    return False


@pytest.mark.parametrize("rule", QUICK)
def test_a_rule_that_the_program_lacks_is_noticed(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _is_noticed(monkeypatch, rule, range(FEW))


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_each_rule_that_the_program_lacks_is_noticed(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _is_noticed(monkeypatch, rule, range(MANY))


def test_a_simulator_that_sees_into_closed_containers_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def seeing(house: Ground, state: State, room: int) -> tuple[tuple[int, int], ...]:
        here = ((sight.variable, sight.value) for sight in house.sights if sight.room == room)
        return tuple(pair for pair in here if state.values[pair[0]] == pair[1])

    monkeypatch.setattr(observe, "visible", seeing)
    with pytest.raises(AssertionError):
        compare(range(FEW))


def test_a_simulator_in_which_nothing_is_ever_closed_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    real = rules._want
    monkeypatch.setattr(
        rules, "_want", lambda wanted, effects, values: real(wanted, [e for e in effects if e.value], values)
    )
    with pytest.raises(AssertionError):
        compare(range(FEW))
