"""What an act takes to know: guards of the verifier, asked of people."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

pytest.importorskip("clingo")

from otherminds.worlds.enacttom.evals.episode_analysis import analyse
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.messages import Message
from otherminds.worlds.enacttom.probes.decisive_acts import Answers, Guard, guard, guard_probes, is_decisive, passes_to
from otherminds.worlds.enacttom.probes.questions import ProbeQuestion
from otherminds.worlds.enacttom.rules import WAIT, begin, step
from otherminds.worlds.enacttom.tasks.read import find_task, read_task
from otherminds.worlds.enacttom.types import World
from tests.worlds.enacttom.houses import chain, fetch, memo
from tests.worlds.enacttom.playing import play

ANN, BEN, CLEO = 0, 1, 2


class Knows(Answers):
    """Knows some values, and that some chains know some secrets."""

    def __init__(self, values: Mapping[int, int] | None = None, *known: tuple[tuple[int, ...], int]) -> None:
        self.values, self.known = dict(values or {}), set(known)

    def value(self, secret: int) -> int | None:
        return self.values.get(secret)

    def knows(self, chain: tuple[int, ...], secret: int) -> bool:
        return (chain, secret) in self.known


def test_a_deed_that_may_be_wrong_takes_to_know_where_it_is_not() -> None:
    house = ground(fetch())
    state, act = begin(house, (1,)), "place(cup, on, table2)"
    assert guard(house, (1,), state, BEN, act, Knows({0: 1}), {}).is_met
    assert not guard(house, (1,), state, BEN, act, Knows(), {}).is_met
    assert not guard(house, (1,), state, BEN, act, Knows({0: 2}), {}).is_met  # what it takes for true forbids it
    assert guard_probes(house, (1,), state, BEN, act) == [ProbeQuestion(BEN, "value", (), 0)]
    assert guard(house, (1,), state, BEN, "navigate(kitchen)", Knows(), {}) == Guard()


@pytest.mark.parametrize("last", [True, False])
def test_a_deed_that_relies_on_others_takes_to_know_that_they_know(last: bool) -> None:
    """Ann relies on Ben, who relies on Cleo."""
    house, world = ground(chain()), (0, 3)
    state = begin(house, world)
    right = house.task.secret("right")
    known = [((BEN,), right), ((BEN, CLEO), right)] if last else [((BEN,), right)]
    found = guard(house, world, state, ANN, "toggle(lever_a)", Knows({}, *known), {})
    assert (found.is_own_met, found.is_others_met) == (True, last)
    asked = guard_probes(house, world, state, ANN, "toggle(lever_a)")
    assert ProbeQuestion(ANN, "knows", (BEN, CLEO), right) in asked


def test_what_is_done_already_and_seen_needs_no_trust() -> None:
    house, world = ground(chain(horizon=3)), (0, 1)
    state, _ = step(house, begin(house, world), (WAIT, WAIT, "toggle(lamp1)"))
    act, power = "toggle(lever_b)", house.index["power lamp1"]
    assert not guard(house, world, state, BEN, act, Knows(), {}).is_others_met
    seen = {house.index[f"power lamp{n}"]: state.values[house.index[f"power lamp{n}"]] for n in (1, 2, 3)}
    assert seen[power] == 1
    assert guard(house, world, state, BEN, act, Knows(), seen).is_others_met


def test_the_last_message_leaves_nobody_in_the_dark() -> None:
    house, world = ground(memo()), (0, 0, 1)
    state = begin(house, world)
    tells = Message(ANN, (BEN,), (("value", "for_ben", "ben1"),))
    cleo = house.task.secret("for_cleo")
    assert guard(house, world, state, ANN, tells, Knows({}, ((CLEO,), cleo)), {}).is_met
    assert not guard(house, world, state, ANN, tells, Knows(), {}).is_met
    spare = ground(memo(talk={"channels": {"ann": ["ben", "cleo"]}, "budgets": {"ann": 2}, "kinds": ["value"]}))
    assert guard(spare, world, begin(spare, world), ANN, tells, Knows(), {}).is_met  # one is left for Cleo


def test_what_is_decisive() -> None:
    house, world = ground(memo()), (0, 0, 0)
    state = begin(house, world)
    tells = Message(ANN, (BEN,), (("value", "for_ben", "ben1"),))
    assert not is_decisive(house, state, ANN, tells)  # not before turn 2
    state, _ = step(house, state, (WAIT,) * 3)
    assert is_decisive(house, state, ANN, tells)
    assert not is_decisive(house, state, BEN, "toggle(ben1)")  # the lamps do not work yet
    state, _ = step(house, state, (tells, WAIT, WAIT))
    assert is_decisive(house, state, BEN, "toggle(ben1)")
    assert not is_decisive(house, state, BEN, WAIT)


def test_values_are_passed_on_along_channels_with_budget() -> None:
    def house(budgets: dict[str, int]) -> World:
        channels = {"ann": ["ben"], "ben": ["cleo", "ann"], "cleo": []}
        found = ground(memo(talk={"channels": channels, "budgets": budgets, "kinds": ["value"]}))
        return tuple(sorted(passes_to(found, BEN, ANN)))

    assert house({"ann": 1, "ben": 1}) == (BEN, CLEO)
    assert house({"ann": 1}) == (BEN,)


@pytest.mark.parametrize(
    "name", ["placement-1", "lock-1", "message-1", "stale-4", "one_link-1", "two_links-1", "trusted-1"]
)
def test_whatever_the_solver_lets_people_do_meets_the_guards_of_a_run(name: str) -> None:
    """The guards are written twice, for the solver and for runs: they must not part."""
    task = read_task(find_task(name))
    decided = 0
    for world in task.worlds:
        episode = play(task, world, "oracle")
        decisions = [one for turn in analyse(episode).steps for one in turn.decisions]
        decided += len(decisions)
        assert all(one.guard.is_met for one in decisions), (world, decisions)
    assert decided


def test_what_was_done_out_of_sight_is_still_open_to_who_speaks_last() -> None:
    """The solver's rule, in a run: the listener has lit its lamp already, and the mover cannot know."""
    task = read_task(find_task("stale-4"))
    house, mover = ground(task), task.names[0]
    listener = task.value(task.worlds[0], "listener")
    at = task.names.index(listener)
    other = next(i for i, name in enumerate(task.names) if name not in (mover, listener))
    home = next(one.room for one in task.furniture if one.name.startswith(f"{listener}_"))
    right = task.value(task.worlds[0], "target")
    state = begin(house, task.worlds[0])
    for act in (f"navigate({home})", f"toggle({listener}_{right})"):
        state, outcome = step(house, state, [act if i == at else WAIT for i in range(3)])
        assert outcome.refused == ("", "", "")
    last = Message(0, (other,), (("value", "target", right),))
    own = dict(enumerate(task.worlds[0]))
    shallow, deep = Knows(own), Knows(own, ((at,), task.secret("target")))
    assert guard(house, task.worlds[0], state, 0, last, deep, {}).is_met
    assert not guard(house, task.worlds[0], state, 0, last, shallow, {}).is_met
    lamp = house.index[f"power {listener}_{right}"]
    thing = house.index[f"place {task.things[0].name}"]
    placed = tuple(house.domains[thing].index(f"on {right}") if v == thing else x for v, x in enumerate(state.values))
    done = replace(state, values=placed)  # the mover has done its own part, and has seen both
    seen = {lamp: done.values[lamp], thing: done.values[thing]}
    assert guard(house, task.worlds[0], done, 0, last, shallow, seen).is_met
