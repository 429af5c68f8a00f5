"""The depth that tasks require, on the worked examples (spec 4.7)."""

import json
from dataclasses import replace
from typing import Any

import pytest

from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.formulas import is_reached
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.messages import Message, facts
from otherminds.worlds.enacttom.rules import DONE, WAIT, begin, is_over, step
from otherminds.worlds.enacttom.tasks.read import parse_task
from otherminds.worlds.enacttom.types import Task
from otherminds.worlds.enacttom.verify.certify import (
    certificate_content,
    certify,
    claimed_certificate,
    digest_of,
    fault_of,
    recheck,
    stored_certificate,
)
from otherminds.worlds.enacttom.verify.depth import check_policy, contrast_worlds, required_depth
from otherminds.worlds.enacttom.verify.joint_policy import Search, SearchResult
from otherminds.worlds.enacttom.verify.plans import calibrate
from otherminds.worlds.enacttom.verify.stakes import guards
from tests.worlds.enacttom.families.chain import one_link
from tests.worlds.enacttom.families.delegation import stale
from tests.worlds.enacttom.families.relay import handed_on
from tests.worlds.enacttom.houses import chain, fetch, letter, memo


def decorative() -> Task:
    """Anybody can open the fridge, whatever anybody knows of it (W1)."""
    changes: dict[str, Any] = {
        "goal": "open(fridge)",
        "house": {
            "rooms": {"hall": {}, "kitchen": {}},
            "doors": {"d": {"rooms": ["hall", "kitchen"]}},
            "furniture": {"fridge": {"kind": "container", "room": "kitchen"}},
            "things": {"cup": {"place": "floor hall"}},
        },
        "people": {"ann": {"room": "hall"}, "ben": {"room": "hall"}, "cleo": {"room": "hall"}},
        "secrets": {"mood": {"values": ["good", "bad"]}},
        "mechanics": [],
        "wishes": [{"chain": ["ann", "ben", "cleo"], "about": "mood"}],
    }
    return fetch(horizon=2, **changes)


@pytest.mark.parametrize(
    ("task", "depth", "of_secrets"),
    [
        pytest.param(fetch(), 1, 1, id="fetch and place"),
        pytest.param(decorative(), 0, 0, id="W1 decorative"),
        pytest.param(memo(), 2, 2, id="memo"),
        pytest.param(chain(), 3, 3, id="chain at once"),
        pytest.param(letter(), 3, 3, id="windowed chain", marks=pytest.mark.slow),
        pytest.param(letter(audible=False), 3, 3, id="windowed chain, unheard", marks=pytest.mark.slow),
        pytest.param(letter(windows=False), 2, 2, id="chain without windows", marks=pytest.mark.slow),
        pytest.param(memo(values=3), 2, 2, id="memo, three values", marks=pytest.mark.slow),
        pytest.param(fetch(values=10, horizon=6), 1, 1, id="fetch, ten tables", marks=pytest.mark.slow),
    ],
)
def test_W2_the_least_depth_is_proved(task: Task, depth: int, of_secrets: int) -> None:
    house = ground(task)
    found = required_depth(house)
    assert (found.is_solvable, found.depth) == (True, depth)
    assert found.refuted == depth
    assert check_policy(house, found.policy) == ""
    assert required_depth(house, secrets_only=True).depth == of_secrets


@pytest.mark.parametrize(
    ("task", "is_solvable"),
    [
        pytest.param(memo(acknowledge=False), False, id="memo without acknowledgement"),
        pytest.param(fetch(budget=0, horizon=4), False, id="W3 nobody was told"),
        pytest.param(fetch(budget=0, horizon=5), True, id="by signs alone"),
    ],
)
def test_W3_a_task_that_nobody_has_the_information_for_is_not_solvable(task: Task, is_solvable: bool) -> None:
    assert required_depth(ground(task)).is_solvable == is_solvable
    assert calibrate(ground(task), task.worlds[0]) is not None  # whoever knows everything could


def test_contrast_worlds_defeat_the_shallow_and_none_is_to_spare() -> None:
    house = ground(memo())
    shallow = Search(house, 1)
    worlds = contrast_worlds(house, shallow)
    assert len(worlds) == 8
    for world in worlds:
        assert shallow.find([one for one in worlds if one != world]).is_solvable
    assert len(required_depth(ground(fetch())).contrast) == 2
    with pytest.raises(UserError, match="not refuted"):
        contrast_worlds(house, Search(house, 2))


def test_the_seed_of_the_solver_changes_no_depth() -> None:
    assert {required_depth(ground(chain()), seed=seed).depth for seed in range(2)} == {3}


def test_names_change_no_depth() -> None:
    task = chain()
    people = (task.people[2], task.people[0], task.people[1])
    assert required_depth(ground(replace(task, people=people))).depth == 3


def test_more_messages_never_ask_for_more_depth() -> None:
    more = memo(talk={"channels": {"ann": ["ben", "cleo"]}, "budgets": {"ann": 2}, "windows": {"ann": [1, 2]}})
    assert required_depth(ground(more)).depth == 1


def test_a_solver_that_runs_out_of_time_says_that_it_does_not_know() -> None:
    found = required_depth(ground(memo(values=3)), seconds=0.0)
    assert (found.is_solvable, found.depth, found.refuted) == (None, None, 0)


def test_a_policy_that_breaks_its_word_is_found_out() -> None:
    house = ground(fetch())
    policy = required_depth(house).policy
    lazy = tuple(tuple((WAIT, WAIT) for _ in run) for run in policy)
    assert "not reached in world 0" in check_policy(house, lazy)
    psychic = tuple(
        ((WAIT, "pick(cup)"), (WAIT, "navigate(kitchen)"), (WAIT, f"place(cup, on, table{w + 1})"), *[(WAIT, WAIT)] * 2)
        for w in range(3)
    )
    assert "ben does two things after the same history, in turn 3" in check_policy(house, psychic)


# What a team can do that has agreed on nothing


@pytest.mark.parametrize(
    ("task", "depth"),
    [
        pytest.param(decorative(), 0, id="W1 decorative"),
        pytest.param(fetch(), 1, id="fetch and place"),
        pytest.param(fetch(values=10, horizon=6), 1, id="fetch, ten tables", marks=pytest.mark.slow),
        pytest.param(fetch(budget=0), None, id="fetch by signs"),
        pytest.param(memo(), 2, id="memo"),
        pytest.param(memo(values=3), 2, id="memo, three values", marks=pytest.mark.slow),
        pytest.param(memo(acknowledge=False), None, id="memo without acknowledgement"),
        pytest.param(chain(), 3, id="chain at once"),
        pytest.param(letter(), 3, id="windowed chain"),
        pytest.param(letter(windows=False), 3, id="chain without windows"),
    ],
)
def test_the_depth_without_conventions(task: Task, depth: int | None) -> None:
    house = ground(task)
    found = {deep: Search(house, deep, is_plain=True).find() for deep in range(4)}
    assert next((deep for deep, one in found.items() if one.is_solvable), None) == depth
    if depth is not None:
        assert check_policy(house, found[depth].policy) == ""
        assert all(found[deep].is_solvable for deep in range(depth, 4))  # whoever can look deeper can do it too


def test_a_large_house_that_takes_an_agreement_is_not_said_to_be_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """All depths are refuted; only whether signals would help is not proved."""
    monkeypatch.setattr("otherminds.worlds.enacttom.verify.certify.LARGEST", 0)
    assert certify(fetch(budget=0)).grade == "signalling-at-best"
    assert certify(fetch()).grade == "solvable"
    assert certify(memo(), seconds=0.0).grade == "unknown"


def test_a_certificate_says_all_that_was_proved() -> None:
    found = certify(fetch())
    assert (found.grade, found.depth, found.depth_any, found.depth_secrets) == ("solvable", 1, 1, 1)
    assert found.is_tight
    assert found.fewest_turns == 3
    assert certify(fetch(budget=0)).grade == "signalling-only"
    assert certify(fetch(budget=0, horizon=4)).grade == "unsolvable"
    assert certify(fetch(horizon=2)).impossible == (0,)
    assert certify(memo(), seconds=0.0).grade == "unknown"


def test_a_certificate_is_of_its_task() -> None:
    assert digest_of(fetch()) == digest_of(replace(fetch(), title="Another", certificate={"depth": 3}))
    assert digest_of(fetch()) != digest_of(fetch(horizon=6))
    assert digest_of(fetch()) != digest_of(fetch(wishes=[{"chain": ["ben"], "about": "target"}]))
    mixed = [fetch(category="mixed", private={"ann": f"on(cup, {table})"}) for table in ("table1", "table2")]
    assert digest_of(mixed[0]) != digest_of(mixed[1])


# What can be done by whoever knows everything


@pytest.mark.parametrize(
    ("task", "turns"), [(fetch(), 3), (memo(), 3), (decorative(), 2)], ids=lambda x: getattr(x, "id", x)
)
def test_the_shortest_plan(task: Task, turns: int) -> None:
    house = ground(task)
    for world in task.worlds:
        plan = calibrate(house, world)
        assert plan is not None
        assert len(plan) == turns


def test_W5_W8_what_is_physically_impossible_has_no_plan() -> None:
    two_places = fetch(goal={"and": ["on(cup, table1)", "on(cup, table2)"]})
    assert calibrate(ground(two_places), (0,)) is None
    barred = fetch(mechanics=[{"kind": "room_restriction", "agents": ["ann", "ben"], "rooms": ["kitchen"]}])
    assert calibrate(ground(barred), (0,)) is None


def test_a_search_for_plans_that_takes_too_long_is_refused() -> None:
    with pytest.raises(UserError, match="no plan with full information was found within 0 seconds"):
        calibrate(ground(fetch(values=9, horizon=300)), (0,), seconds=0)


@pytest.mark.parametrize("talk", [{"fanout": 2}, {"atoms": 2}, {"kinds": ["value", "request"]}])
def test_what_proofs_do_not_cover_is_refused(talk: dict[str, Any]) -> None:
    base = {"channels": {"ann": ["ben"]}, "budgets": {"ann": 1}}
    with pytest.raises(UserError, match="proofs cover messages of one atom"):
        certify(fetch(talk={**base, **talk}))


def test_a_message_to_who_can_pass_it_on_serves_the_goal() -> None:
    task = parse_task({"id": "relay", **handed_on(Draw(0, "relay"), relays=2)})
    assert certify(task).depth == 1
    cut = replace(task, talk=replace(task.talk, channels={task.names[0]: (task.names[1],)}))
    assert certify(cut).grade == "unsolvable"  # the actor sees nobody who could signal


def test_the_last_message_relies_on_what_its_sender_has_seen_done_not_on_what_is_done() -> None:
    """Whoever overheard it may act at once, out of sight; the sender still has to know that it knows."""
    task = parse_task({"id": "stale", **stale(Draw(0, "stale"), says_so=False)})
    proved = certify(task)
    assert (proved.depth, proved.depth_any) == (2, 1)


def test_contrast_worlds_of_a_task_that_is_not_tight_are_those_of_teams_without_conventions_too() -> None:
    task = parse_task({"id": "link", **one_link(Draw(0, "link"), is_witnessed=False)})
    proved = certify(task)
    assert (proved.depth, proved.depth_any) == (2, 1)
    assert proved.contrast_plain
    assert Search(ground(task), 1, is_plain=True).find(proved.contrast_plain).is_solvable is False
    assert set(proved.contrasts) == {*proved.contrast, *proved.contrast_plain}
    assert certify(fetch()).contrast_plain == ()


def test_certificates_are_stored_and_read_back() -> None:
    proved = certify(fetch())
    task = replace(fetch(), certificate=json.loads(json.dumps(certificate_content(proved))))
    assert stored_certificate(task) == proved
    assert stored_certificate(fetch()) is None
    assert stored_certificate(replace(task, horizon=4)) is None
    relabelled = replace(task, certificate={**task.certificate, "depth": 2})
    assert fault_of(relabelled) == "its certificate was edited"
    assert stored_certificate(relabelled) is None
    broken = {**task.certificate, "contrast": 3}
    with pytest.raises(UserError, match="contrast is 3"):
        claimed_certificate(replace(task, certificate=broken))


def test_secrets_that_decide_only_together_are_all_needed() -> None:
    """No two worlds differ in one secret alone, so that each of them tells whether a deed is wrong."""
    worlds = [{"target": f"table{n}", "hint": f"h{n}"} for n in (1, 2, 3)]
    secrets = {"target": {"values": ["table1", "table2", "table3"]}, "hint": {"values": ["h1", "h2", "h3"]}}
    house = ground(fetch(secrets=secrets, worlds=worlds))
    needed = {fact for fact in guards(house) if fact.startswith("need(")}
    deed = next(at for at, one in enumerate(house.deeds) if one.name == "place(cup, on, table1)")
    assert {f"need(d({deed}),0).", f"need(d({deed}),1)."} <= needed


@pytest.mark.parametrize(("turns", "any_team"), [(2, 2), pytest.param(4, 1, marks=pytest.mark.slow)])
def test_a_chain_in_free_order_is_shallow_for_teams_that_agree_when_to_act(turns: int, any_team: int) -> None:
    """Whoever just waits long enough says something by it, without secrets being any better known."""
    proved = certify(chain(horizon=turns))
    assert (proved.depth, proved.depth_any, proved.depth_secrets) == (3, any_team, 3)


@pytest.mark.slow
def test_a_chain_with_reports_of_what_was_done_takes_depth_1() -> None:
    proved = certify(reporting_chain(5))
    assert (proved.depth, proved.depth_any) == (1, 1)


def test_what_can_be_reported_is_what_the_goal_speaks_of() -> None:
    house = ground(reporting_chain(3))
    found = Search(house, 2, is_plain=True).find()
    assert found.is_solvable
    assert check_policy(house, found.policy) == ""
    assert Search(house, 1, is_plain=True).find().is_solvable is False
    said = {
        atom
        for turns in found.policy
        for acts in turns
        for act in acts
        if not isinstance(act, str)
        for atom in act.atoms
    }
    assert said <= {("fact", fact) for fact in facts(house.task)}
    assert "powered(lever_b)" in facts(house.task)


def reporting_chain(turns: int) -> Task:
    rooms = {"ann": "one", "ben": "two", "cleo": "three"}
    return chain(
        horizon=turns,
        people={name: {"room": room, "verbs": ["toggle", "tell", "wait"]} for name, room in rooms.items()},
        talk={"channels": {"cleo": ["ben"], "ben": ["ann"]}, "budgets": {"cleo": 1, "ben": 1}, "kinds": ["fact"]},
    )


@pytest.mark.slow
def test_one_message_with_nothing_but_rooms_between_takes_depth_1() -> None:
    """The informed one switches its lamp, and then reports that; whoever counts secrets alone needs depth 2."""
    proved = certify(memo(horizon=5, mechanics=[], talk=REPORTS))
    assert (proved.depth, proved.depth_any, proved.depth_secrets) == (1, 1, 2)


REPORTS = {
    "channels": {"ann": ["ben", "cleo"], "ben": ["ann"], "cleo": ["ann"]},
    "budgets": {"ann": 1, "ben": 1, "cleo": 1},
    "kinds": ["value", "fact"],
}


def test_W1_a_nested_wish_over_what_anybody_can_do_takes_no_depth() -> None:
    task = decorative()
    assert max(len(wish.chain) for wish in task.wishes) == 3  # what is written
    assert (certify(task).depth, certify(task).depth_any) == (0, 0)


def test_an_acknowledgement_has_one_form_so_that_it_says_no_more_than_in_a_proof() -> None:
    talk = {"channels": {"ann": ["ben"]}, "budgets": {"ann": 1}, "kinds": ["ack"]}
    house = ground(fetch(talk=talk))
    state = begin(house, house.task.worlds[0])
    for name, is_refused in (("ben", False), ("ann", True)):
        _, outcome = step(house, state, (Message(0, (1,), (("ack", name),)), WAIT))
        assert bool(outcome.refused[0]) == is_refused


def test_a_run_does_not_end_before_what_happens_by_itself() -> None:
    """Whoever stops in time must not get round what a timer would have done: proofs play to the last turn."""
    timed = fetch(
        house={
            **HOUSE,
            "furniture": {"lamp": {"kind": "switch", "room": "hall"}, "box": {"kind": "container", "room": "hall"}},
            "things": {},
        },
        secrets={},
        goal={"and": ["powered(lamp)", "open(box)"]},
        mechanics=[
            {"kind": "remote_control", "trigger": "lamp", "when": "on", "target": "box", "set": "closed", "delay": 2},
            {"kind": "time_window", "furniture": ["box"], "turns": [1, 1]},
            {"kind": "time_window", "furniture": ["lamp"], "turns": [1, 2]},
        ],
        horizon=4,
    )
    assert certify(timed).grade == "unsolvable"
    house = ground(timed)
    state = begin(house, ())
    for acts in ((WAIT, "open(box)"), (WAIT, "toggle(lamp)"), (DONE, DONE)):
        state, _ = step(house, state, acts)
    assert is_reached(house, state.values)
    assert not is_over(house, state)
    state, _ = step(house, state, (WAIT, WAIT))
    assert is_over(house, state)
    assert not is_reached(house, state.values)


HOUSE: dict[str, Any] = {
    "rooms": {"porch": {}, "hall": {}},
    "doors": {"d": {"rooms": ["porch", "hall"]}},
}


def test_what_time_did_not_allow_to_refute_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Search.find

    def slow(self: Search, *arguments: Any, **options: Any) -> SearchResult:
        found = real(self, *arguments, **options)
        return found if found.is_solvable else SearchResult(None)

    monkeypatch.setattr(Search, "find", slow)
    assert certify(fetch()).grade == "unknown"


@pytest.mark.parametrize("change", [{"contrast": ()}, {"policy": ()}])
def test_a_certificate_that_lacks_its_proof_does_not_hold(change: dict[str, Any]) -> None:
    proved = certify(fetch())
    assert recheck(fetch(), proved, proved) == ""
    assert recheck(fetch(), replace(proved, **change), proved)


def test_contrast_worlds_that_are_too_few_are_noticed() -> None:
    proved = certify(fetch())
    less = replace(proved, contrast=proved.contrast[:1])
    assert "depth 0 is not refuted in its contrast worlds" in recheck(fetch(), less, proved)
