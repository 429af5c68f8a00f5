"""The transition of a turn. Everybody acts at once, and the state at the start of the turn decides (spec 3.2).

Contradictory settings of a variable cancel: two people who pick up one cup both fail, and opening what another closes
changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from otherminds.worlds.enacttom.grounded_task import Deed, Effect, Ground, Values
from otherminds.worlds.enacttom.messages import DONE, WAIT, Act, Message, cost, forbids
from otherminds.worlds.enacttom.types import World

__all__ = ["DONE", "WAIT", "State", "TurnResult", "begin", "is_over", "possible", "step"]


@dataclass(frozen=True, slots=True)
class State:
    """The house between two turns."""

    turn: int  # turns played
    values: Values
    budgets: tuple[int, ...]  # messages that each may still send
    done: tuple[bool, ...] = ()  # the people who have declared to be finished


@dataclass(frozen=True, slots=True)
class TurnResult:
    """The results of everybody's acts: ``refused`` holds the reason why an act had no effect, empty if it had one."""

    acts: tuple[Act, ...]
    refused: tuple[str, ...]
    events: tuple[str, ...]  # labels that were heard in the whole house

    @property
    def messages(self) -> list[Message]:
        """The messages that were sent."""
        tried = zip(self.acts, self.refused, strict=True)
        return [act for act, refused in tried if isinstance(act, Message) and not refused]


def begin(ground: Ground, world: World) -> State:
    """The house before the first turn, in a world."""
    task = ground.task
    budgets = tuple(task.talk.budgets.get(name, 0) for name in task.names)
    return State(0, ground.starts[world], budgets, done=(False,) * len(task.people))


def step(ground: Ground, state: State, acts: Sequence[Act]) -> tuple[State, TurnResult]:
    """The state after a turn, and the outcome of each act. An impossible act has no effect."""
    turn, values = state.turn + 1, state.values
    refused = [""] * len(acts)
    budgets, done = list(state.budgets), list(state.done)
    wanted: dict[int, set[int]] = {}
    by: list[tuple[int, Deed]] = []
    for agent, act in enumerate(acts):
        if isinstance(act, Message):
            refused[agent] = forbids(ground.task, agent, act, state.budgets[agent], turn)
            if not refused[agent]:
                budgets[agent] -= cost(ground.task, act)
        elif act == DONE:
            done[agent] = True
        elif act != WAIT:
            deed = ground.by_name[agent].get(act)
            if deed is None:
                refused[agent] = f"{act} is nothing that {ground.task.names[agent]} can do"
            elif not deed.is_possible(values, turn):
                refused[agent] = f"{act} is not possible now"
            else:
                by.append((agent, deed))
                _want(wanted, deed.effects, values)
    _want(wanted, ground.ticks, values)
    after = list(values)
    for variable, settings in wanted.items():
        if len(settings) == 1:
            after[variable] = next(iter(settings))
    for agent, deed in by:
        own: dict[int, set[int]] = {}
        _want(own, deed.effects, values)
        came = [len(wanted[variable]) == 1 for variable in own if variable not in ground.marks]
        if came and not any(came):
            refused[agent] = f"{deed.name} was thwarted: somebody else did the contrary"
    new = tuple(after)
    heard = tuple(label for label, test in ground.audible if test.holds(new) and not test.holds(values))
    return State(turn, new, tuple(budgets), tuple(done)), TurnResult(tuple(acts), tuple(refused), heard)


def _want(wanted: dict[int, set[int]], effects: Sequence[Effect], values: Values) -> None:
    for effect in effects:
        for test in effect.tests:
            if (values[test.variable] == test.value) != test.is_equal:
                break
        else:
            wanted.setdefault(effect.variable, set()).add(effect.value)


def possible(ground: Ground, state: State, agent: int) -> list[str]:
    """The deeds that are possible now, waiting included but not messages."""
    turn = state.turn + 1
    return [WAIT, *(n for n, deed in ground.by_name[agent].items() if deed.is_possible(state.values, turn))]


def is_over(ground: Ground, state: State) -> bool:
    """Whether the last turn is played, or everybody is finished and nothing happens by itself."""
    return state.turn >= ground.task.horizon or (all(state.done) and not ground.ticks)
