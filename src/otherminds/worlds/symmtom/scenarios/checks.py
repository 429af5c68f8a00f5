"""What of a scenario is checked by playing it: histories and scripts that the rules allow, cases that look alike.

Others' scripts are played against a tested agent that stays and is silent.
"""

from __future__ import annotations

from itertools import pairwise

from otherminds.core.yaml_lines import Field
from otherminds.worlds.symmtom.rules import step
from otherminds.worlds.symmtom.scenarios.stage import action_of, by_role, history_of, no_coins, shown, trial_state
from otherminds.worlds.symmtom.scenarios.types import Scenario, Turn, any_holds
from otherminds.worlds.symmtom.types import MOVE_NAMES, MOVES, SILENT, State


def check_histories(scenario: Scenario, field: Field) -> None:
    """Refuse histories that the rules do not allow, and cases whose trials begin differently to the tested agent."""
    cases = field.entries()
    if not cases:
        field.fail("there are no cases; expected at least one")
    ends = []
    for case in scenario.cases:
        lines = list(cases[case.name].entries()["history"].items())
        states = history_of(scenario, case)
        for (before, after), turn, line in zip(pairwise(states), case.history, lines, strict=True):
            for role, name in enumerate(scenario.agents):
                if problem := _problem(before, after, turn, role):
                    line.fail(f"{name} {problem}")
        ends.append(states[-1])
        roles = by_role(states[-1])
        for name, conditions in scenario.choices.items():
            if any_holds(conditions, roles, scenario.params):
                lines[-1].fail(f"{name!r} holds before the trial begins; there is nothing left to choose")
    for case, end in zip(scenario.cases, ends, strict=True):
        _check_alike(scenario, case.name, len(case.history), (end, ends[0]), cases[case.name])


def _check_alike(scenario: Scenario, name: str, length: int, ends: tuple[State, State], field: Field) -> None:
    """Whoever remembers nothing must not be able to tell a case from the first one."""
    first = scenario.cases[0]
    if length != len(first.history):
        field.fail(
            f"{name!r} has {length} turns of history, {first.name!r} has {len(first.history)}; fill up with turns in "
            f"which nobody acts: '- {{}}'"
        )
    board, other = (list(zip(state.x.tolist(), state.y.tolist(), strict=True)) for state in ends)
    if board != other:
        field.fail(
            f"{name!r} leads to agents at {board}, {first.name!r} to {other}; all cases share the board of the trial"
        )
    mine, theirs = (shown(state, scenario.params) for state in ends)
    for fact, value in mine.items():
        if value != theirs[fact]:
            field.fail(
                f"{name!r} can be told from {first.name!r} without any memory: when the trial begins, "
                f"{scenario.agents[0]} sees {fact.replace('_', ' ')} {value} of the last turn, there {theirs[fact]}; "
                f"end all histories alike, such as with '- {{}}'"
            )


def check_script(scenario: Scenario, field: Field) -> None:
    """Refuse a script of the trial that the rules do not allow."""
    written = {name: list(entry.items()) for name, entry in field.entries().items()}
    for case in scenario.cases:
        state = trial_state(scenario, case)
        for number in range(scenario.limit):
            turn = scenario.deeds(number)
            before = state
            state, outcome = step(state, action_of(turn), no_coins(scenario.params), scenario.params)
            for role, name in enumerate(scenario.agents):
                problem = _problem(before, state, turn, role) if name in written else ""
                if problem and not _is_in_the_way(before, turn, role):
                    line = written[name][min(number, len(written[name]) - 1)]
                    again = "" if number < len(written[name]) else ", where its last deed is repeated; end with 'stay'"
                    line.fail(f"{name} {problem} (turn {number + 1} of the trial{again})")
            if outcome.terminated:
                break


def _is_in_the_way(state: State, turn: Turn, role: int) -> bool:
    """Whether the tested agent stands where a move leads: it may have left by then."""
    dx, dy = MOVES[turn[role].move]
    return bool(turn[role].move and state.x[role] + dx == state.x[0] and state.y[role] + dy == state.y[0])


def _problem(before: State, after: State, turn: Turn, role: int) -> str:
    """What an agent was to do in a turn and could not; empty if it did everything."""
    deed = turn[role]
    gone = (int(after.x[role] - before.x[role]), int(after.y[role] - before.y[role]))
    if gone != MOVES[deed.move]:
        return f"cannot go {MOVE_NAMES[deed.move]}: a wall or another agent is in its way"
    if deed.piece != SILENT and not int(after.utterance[role]):
        return f"cannot say {deed.piece} in this turn: it does not know it, or has not known it for long enough"
    return ""
