"""What happens in a turn, mechanic by mechanic. Names begin with the weakness of the original that a test closes."""

from typing import Any

import pytest

from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.formulas import holds, is_reached, progress
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.messages import Act
from otherminds.worlds.enacttom.rules import DONE, WAIT, begin, is_over, possible, step
from tests.worlds.enacttom.flat import flat, run, value
from tests.worlds.enacttom.houses import chain, fetch, letter, memo

W1 = (0,)


def test_things_are_carried_from_place_to_place() -> None:
    house = flat()
    state = run(house, ("open(fridge)", "pick(cup)"), (WAIT, "place(cup, in, fridge)"))
    assert value(house, state, "place cup") == "in fridge"
    assert is_reached(house, state.values)


def test_W5_a_thing_is_in_one_place_and_not_picked_out_of_what_is_closed() -> None:
    house = flat()
    state = begin(house, ())
    assert "pick(egg)" not in possible(house, state, 0)
    _, outcome = step(house, state, ("pick(egg)", WAIT))
    assert "not possible" in outcome.refused[0]
    state = run(house, ("open(fridge)", WAIT), ("pick(egg)", WAIT), ("place(egg, on, table)", WAIT))
    assert not holds(house, "in(egg, fridge)", state.values)
    assert holds(house, "on(egg, table)", state.values)


def test_one_hand_holds_one_thing() -> None:
    house = flat()
    state = run(house, ("open(fridge)", WAIT), ("pick(egg)", WAIT))
    assert "pick(cup)" not in possible(house, state, 0)
    assert "pick(cup)" in possible(house, state, 1)


def test_two_who_pick_one_thing_both_fail() -> None:
    house = flat()
    state, outcome = step(house, begin(house, ()), ("pick(cup)", "pick(cup)"))
    assert value(house, state, "place cup") == "on table"
    assert all("contrary" in why for why in outcome.refused)


def test_what_one_opens_and_another_closes_stays() -> None:
    house = flat()
    state = run(house, ("toggle(lamp)", WAIT))
    assert value(house, state, "power lamp") == "yes"
    both, _ = step(house, state, ("toggle(lamp)", "toggle(lamp)"))
    assert value(house, both, "power lamp") == "no"  # they want the same


def test_all_is_judged_by_the_start_of_the_turn() -> None:
    house = flat()
    _, outcome = step(house, begin(house, ()), ("open(fridge)", "pick(egg)"))
    assert outcome.refused[0] == ""
    assert outcome.refused[1]


def test_W8_nobody_walks_through_a_closed_door() -> None:
    house = flat()
    assert "navigate(cellar)" not in possible(house, begin(house, ()), 0)
    state = run(house, ("navigate(hall)", WAIT), ("open(hatch)", WAIT))
    assert "navigate(cellar)" in possible(house, state, 1)  # from the kitchen, any distance in one turn


def test_W8_W11_nobody_crosses_a_room_that_it_is_barred_from() -> None:
    house = flat(
        mechanics=[{"kind": "room_restriction", "agents": ["ben"], "rooms": ["hall"]}],
        house={
            "rooms": {"kitchen": {}, "hall": {}, "cellar": {}},
            "doors": {"arch": {"rooms": ["kitchen", "hall"]}, "hatch": {"rooms": ["hall", "cellar"]}},
            "furniture": {"fridge": {"kind": "container", "room": "kitchen"}},
            "things": {"cup": {"place": "floor kitchen"}},
        },
    )
    start = begin(house, ())
    assert {"navigate(hall)", "navigate(cellar)"} <= set(possible(house, start, 0))
    assert not {"navigate(hall)", "navigate(cellar)"} & set(possible(house, start, 1))


def test_one_way_doors_lead_one_way() -> None:
    house = flat(
        house={
            "rooms": {"kitchen": {}, "hall": {}},
            "doors": {"slide": {"rooms": ["kitchen", "hall"], "one_way": True}},
            "furniture": {"fridge": {"kind": "container", "room": "kitchen"}},
            "things": {"cup": {"place": "floor kitchen"}},
        },
    )
    state = run(house, ("navigate(hall)", WAIT))
    assert "navigate(kitchen)" not in possible(house, state, 0)


# Mechanics


def test_W6_an_inverse_container_is_opened_by_closing_it() -> None:
    house = flat(mechanics=[{"kind": "inverse_state", "furniture": "fridge"}])
    start = begin(house, ())
    assert "open(fridge)" not in possible(house, start, 0)
    state = run(house, ("close(fridge)", WAIT))
    assert value(house, state, "open fridge") == "yes"
    state = run(house, ("close(fridge)", WAIT), ("open(fridge)", WAIT))
    assert value(house, state, "open fridge") == "no"


@pytest.mark.parametrize(("one_way", "other"), [(False, "yes"), (True, "no")])
def test_W7_mirrors_work_both_ways_unless_they_say_otherwise(one_way: bool, other: str) -> None:
    house = flat(mechanics=[{"kind": "state_mirroring", "between": ["fridge", "box"], "one_way": one_way}])
    state = run(house, ("open(fridge)", WAIT))
    assert value(house, state, "open box") == "yes"
    state = run(house, ("navigate(hall)", WAIT), ("open(box)", WAIT))
    assert value(house, state, "open fridge") == other


def test_W7_mechanics_compose() -> None:
    house = flat(
        mechanics=[
            {"kind": "remote_control", "trigger": "lamp", "when": "on", "target": "fridge", "set": "open"},
            {"kind": "state_mirroring", "between": ["fridge", "box"]},
            {"kind": "remote_control", "trigger": "box", "when": "open", "target": "hatch", "set": "open"},
        ]
    )
    state = run(house, ("toggle(lamp)", WAIT))
    assert [value(house, state, f"open {name}") for name in ("fridge", "box", "hatch")] == ["yes"] * 3


def test_only_what_changes_leads_on() -> None:
    house = flat(
        mechanics=[
            {"kind": "remote_control", "trigger": "lamp", "when": "on", "target": "fridge", "set": "open"},
            {"kind": "remote_control", "trigger": "fridge", "when": "open", "target": "box", "set": "open"},
        ]
    )
    state = run(house, ("open(fridge)", WAIT), ("navigate(hall)", WAIT), ("close(box)", "toggle(lamp)"))
    assert value(house, state, "open box") == "no"  # the fridge was open already


@pytest.mark.parametrize("delay", [1, 2, 3])
def test_a_remote_control_may_take_its_time(delay: int) -> None:
    control = {
        "kind": "remote_control",
        "trigger": "lamp",
        "when": "on",
        "target": "fridge",
        "set": "open",
        "delay": delay,
    }
    house = flat(mechanics=[control])
    turns = [("toggle(lamp)", WAIT), *[(WAIT, WAIT)] * delay]
    assert value(house, run(house, *turns[:-1]), "open fridge") == "no"
    assert value(house, run(house, *turns), "open fridge") == "yes"


def test_what_is_locked_is_unlocked_from_afar() -> None:
    house = flat(
        house={
            "rooms": {"kitchen": {}},
            "furniture": {
                "fridge": {"kind": "container", "room": "kitchen", "locked": True},
                "lamp": {"kind": "switch", "room": "kitchen"},
            },
            "things": {"cup": {"place": "floor kitchen"}},
        },
        mechanics=[{"kind": "remote_control", "trigger": "lamp", "when": "on", "target": "fridge", "set": "unlocked"}],
    )
    assert "open(fridge)" not in possible(house, begin(house, ()), 0)
    assert "open(fridge)" in possible(house, run(house, ("toggle(lamp)", WAIT)), 0)


def test_a_window_opens_and_closes() -> None:
    house = flat(mechanics=[{"kind": "time_window", "furniture": "fridge", "turns": [2, 3]}])
    state, open_in = begin(house, ()), []
    for turn in range(1, 6):
        if "open(fridge)" in possible(house, state, 0):
            open_in.append(turn)
        state, _ = step(house, state, (WAIT, WAIT))
    assert open_in == [2, 3]


def test_an_interlock_holds_until_its_condition_does() -> None:
    house = flat(mechanics=[{"kind": "interlock", "furniture": "fridge", "while": ["powered(lamp)"]}])
    assert "open(fridge)" not in possible(house, begin(house, ()), 1)
    assert "open(fridge)" in possible(house, run(house, ("toggle(lamp)", WAIT)), 1)


def test_what_is_committed_is_never_undone() -> None:
    house = flat(mechanics=[{"kind": "commit", "furniture": "shelf"}])
    state = run(house, ("pick(cup)", WAIT), ("place(cup, on, shelf)", WAIT))
    assert "pick(cup)" not in possible(house, state, 0)
    assert "pick(cup)" in possible(house, begin(house, ()), 0)


def test_a_wrong_commitment_raises_a_flag_in_the_worlds_where_it_is_wrong() -> None:
    house = flat(
        secrets={"right": {"values": ["table", "shelf"]}},
        mechanics=[
            {
                "kind": "commit",
                "furniture": "shelf",
                "verbs": ["place"],
                "raises": "spoiled",
                "when": "is(right, table)",
            }
        ],
        goal="on(cup, $right)",
        never=["spoiled"],
    )
    turns: list[tuple[Act, ...]] = [("pick(cup)", WAIT), ("place(cup, on, shelf)", WAIT)]
    assert not is_reached(house, run(house, *turns, world=(0,)).values)
    assert value(house, run(house, *turns, world=(0,)), "flag spoiled") == "yes"
    assert is_reached(house, run(house, *turns, world=(1,)).values)


def test_a_switch_that_a_secret_names_is_the_one_that_works() -> None:
    house = flat(
        secrets={"which": {"values": ["lamp", "bell"]}},
        house={
            "rooms": {"kitchen": {}},
            "furniture": {
                "fridge": {"kind": "container", "room": "kitchen"},
                "lamp": {"kind": "switch", "room": "kitchen"},
                "bell": {"kind": "switch", "room": "kitchen"},
            },
            "things": {"cup": {"place": "floor kitchen"}},
        },
        mechanics=[{"kind": "remote_control", "trigger": "$which", "when": "on", "target": "fridge", "set": "open"}],
    )
    for world, expected in (((0,), "yes"), ((1,), "no")):
        assert value(house, run(house, ("toggle(lamp)", WAIT), world=world), "open fridge") == expected


def test_W16_goals_are_judged_at_the_end() -> None:
    house = flat()
    state = run(house, ("open(fridge)", "pick(cup)"), (WAIT, "place(cup, in, fridge)"), ("pick(cup)", WAIT))
    assert not is_reached(house, state.values)


def test_progress_is_the_share_of_parts_that_hold() -> None:
    house = flat(goal={"and": ["in(cup, fridge)", "powered(lamp)", {"not": "open(box)"}, "open(fridge)"]})
    assert progress(house, begin(house, ()).values) == 0.25
    assert progress(house, run(house, ("toggle(lamp)", WAIT)).values) == 0.5


def test_a_run_ends_with_the_horizon_or_when_all_are_done() -> None:
    house = flat(horizon=3)
    assert not is_over(house, run(house, (WAIT, WAIT), (WAIT, DONE)))
    assert is_over(house, run(house, (DONE, WAIT), (WAIT, DONE)))
    assert is_over(house, run(house, *[(WAIT, WAIT)] * 3))


@pytest.mark.parametrize("task", [fetch(), memo(), chain(), letter()], ids=lambda task: task.id)
def test_anything_may_be_tried_and_nothing_impossible_comes_of_it(task: Any) -> None:
    house = ground(task)
    for seed in range(200):
        draw = Draw(seed, "enacttom/test")
        world = draw.pick(task.worlds)
        state, again = begin(house, world), begin(house, world)
        while not is_over(house, state):
            acts = tuple(draw.pick([WAIT, *house.by_name[agent]]) for agent in range(len(task.people)))
            (state, _), (again, _) = step(house, state, acts), step(house, again, acts)
            assert hash(state) == hash(again)
            assert all(0 <= x < len(domain) for x, domain in zip(state.values, house.domains, strict=True))
            assert state.values[: len(task.secrets)] == world  # secrets stay
            assert all(budget >= 0 for budget in state.budgets)


def test_what_is_out_of_reach_for_ever_is_no_deed() -> None:
    house = flat(people={"ann": {"room": "kitchen"}, "ben": {"room": "hall", "verbs": ["toggle", "open"]}})
    assert "toggle(lamp)" in house.by_name[0]
    assert set(house.by_name[1]) == {"open(box)", "open(hatch)"}
    barred = [{"kind": "room_restriction", "agents": ["ann"], "rooms": ["hall"]}]
    assert "open(box)" not in flat(mechanics=barred).by_name[0]
    assert "navigate(cellar)" not in flat(mechanics=barred).by_name[0]  # it lies behind the hall


def test_who_may_only_close_opens_an_inverse_container() -> None:
    house = flat(
        people={"ann": {"room": "kitchen", "verbs": ["close"]}, "ben": {"room": "kitchen", "verbs": ["open"]}},
        mechanics=[{"kind": "inverse_state", "furniture": "fridge"}],
    )
    assert value(house, run(house, ("close(fridge)", WAIT)), "open fridge") == "yes"
    assert set(house.by_name[1]) == {"open(fridge)"}


def test_who_is_thwarted_in_a_consequence_has_done_its_deed_all_the_same() -> None:
    mechanics = [{"kind": "remote_control", "trigger": "lamp", "when": "on", "target": "fridge", "set": "closed"}]
    house = flat(mechanics=mechanics)
    state, outcome = step(house, begin(house, ()), ("toggle(lamp)", "open(fridge)"))
    assert value(house, state, "power lamp") == "yes"
    assert value(house, state, "open fridge") == "no"
    assert outcome.refused[0] == ""
    assert "thwarted" in outcome.refused[1]
