"""What is perceived, read and said, and nothing else."""

import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.ledger import Labeller
from otherminds.worlds.enacttom.messages import Message, parse_atom, written
from otherminds.worlds.enacttom.observe import first_look, notes, perceive
from otherminds.worlds.enacttom.rules import WAIT, begin, step
from otherminds.worlds.enacttom.verify.task_facts import facts
from tests.worlds.enacttom.flat import flat, run
from tests.worlds.enacttom.houses import chain, fetch, letter, memo

W1 = (0,)


def test_W4_who_is_elsewhere_sees_nothing() -> None:
    house = ground(fetch())
    state = begin(house, (1,))
    assert first_look(house, state, 0).seen == ()
    after, outcome = step(house, state, ("navigate(study)", WAIT))
    assert (house.index["secret target"], 1) in perceive(house, state, after, outcome, 0).seen
    assert all(
        variable != house.index["secret target"] for variable, _ in perceive(house, state, after, outcome, 1).seen
    )


def test_deeds_arrivals_and_departures_are_seen_where_they_happen() -> None:
    house = flat()
    state = begin(house, ())
    after, outcome = step(house, state, ("pick(cup)", "navigate(hall)"))
    ann, ben = (perceive(house, state, after, outcome, agent) for agent in (0, 1))
    assert ann.left == (1,)
    assert ben.deeds == ()
    again, outcome = step(house, after, (WAIT, "navigate(kitchen)"))
    ann, ben = (perceive(house, after, again, outcome, agent) for agent in (0, 1))
    assert ann.arrived == (1,)
    held = house.test("place cup", "held ann")
    assert (held.variable, held.value) in ben.seen
    third, outcome = step(house, again, ("place(cup, on, shelf)", WAIT))
    assert perceive(house, again, third, outcome, 1).deeds == ((0, "place(cup, on, shelf)"),)


def test_what_is_in_a_closed_container_is_not_seen() -> None:
    house = flat()
    egg = house.index["place egg"]
    assert all(variable != egg for variable, _ in first_look(house, begin(house, ()), 0).seen)
    state = run(house, ("open(fridge)", WAIT))
    assert any(variable == egg for variable, _ in first_look(house, state, 1).seen)


def test_what_is_audible_is_heard_in_the_whole_house() -> None:
    house = ground(letter())
    state = begin(house, house.task.worlds[0])
    after, outcome = step(house, state, ("toggle(lever_a)", WAIT, WAIT))
    assert perceive(house, state, after, outcome, 2).heard == ("powered(lever_a)",)
    later, outcome = step(house, after, (WAIT, WAIT, WAIT))
    assert perceive(house, after, later, outcome, 2).heard == ()


def test_notes_depend_on_the_world() -> None:
    house = ground(chain())
    by_known = {house.task.value(world, "known"): world for world in house.task.worlds}
    assert notes(house, by_known["none"], 2) == ()
    assert notes(house, by_known["cleo"], 2) == (("right", "lamp3"),)
    assert notes(house, by_known["ann"], 0)[-1] == ("ben knows that cleo knows", "right")


# What is said


def said(
    sender: int = 0, to: tuple[int, ...] = (1,), text: str = "value(for_ben, ben1)", house: Ground | None = None
) -> Message:
    return Message(sender, to, (parse_atom(text, (house or ground(memo())).task),))


def test_a_message_arrives_in_its_turn_and_costs_a_unit() -> None:
    house = ground(memo())
    state = run(house, (WAIT, WAIT, WAIT), world=house.task.worlds[0])
    after, outcome = step(house, state, (said(), WAIT, WAIT))
    assert after.budgets == (0, 1, 1)
    assert perceive(house, state, after, outcome, 1).messages == (said(),)
    assert perceive(house, state, after, outcome, 2).messages == ()


@pytest.mark.parametrize(
    ("turn", "message", "why"),
    [
        (1, said(), "only in turns 2 to 2"),
        (2, said(1, (0,), "knows(ben, for_ben)"), "cannot speak as ben"),
        (2, said(0, (1, 2)), "must have 1 listener"),
        (2, said(0, ()), "needs at least one listener"),
        (2, said(0, (0,)), "not the sender"),
        (2, said(0, (1,), "ignorant(ben, for_ben)"), "cannot be said here"),
        (2, Message(0, (1,), said().atoms * 2), "must say 1 thing"),
    ],
)
def test_W12_what_cannot_be_said_is_refused_and_costs_nothing(turn: int, message: Message, why: str) -> None:
    house = ground(memo())
    state = begin(house, house.task.worlds[0])
    for _ in range(turn - 1):
        state, _ = step(house, state, (WAIT,) * 3)
    after, outcome = step(house, state, (message, WAIT, WAIT))
    assert why in outcome.refused[0]
    assert after.budgets == state.budgets


def test_a_budget_runs_out_and_channels_are_one_way() -> None:
    house = ground(fetch(values=3))
    state = run(house, (Message(0, (1,), (("value", "target", "table1"),)), WAIT), world=W1)
    _, outcome = step(house, state, (Message(0, (1,), (("value", "target", "table1"),)), WAIT))
    assert "can send 0 more" in outcome.refused[0]
    _, outcome = step(house, state, (WAIT, Message(1, (0,), (("value", "target", "table1"),))))
    assert "cannot reach ann" in outcome.refused[1]


@pytest.mark.parametrize(
    "text", ["value(for_ben, ben2)", "knows(ann, ben, for_ben)", "ignorant(ben, for_ben)", "ack(ben)"]
)
def test_atoms_are_read_as_they_are_written(text: str) -> None:
    assert written(parse_atom(text, memo())) == text


@pytest.mark.parametrize("text", ["request(ben, place(cup, on, table1))", "fact(on(cup, table1))", "intent(pick(cup))"])
def test_atoms_with_acts_and_literals_are_read_as_they_are_written(text: str) -> None:
    assert written(parse_atom(text, fetch())) == text


@pytest.mark.parametrize("text", ["request(ben, fly(moon))", "fact(on(cup, moon))", "intent(pick(moon))"])
def test_atoms_about_what_does_not_exist_are_refused(text: str) -> None:
    with pytest.raises(UserError):
        parse_atom(text, fetch())


def test_a_message_says_of_one_person_that_it_knows() -> None:
    house = ground(memo())
    state = begin(house, house.task.worlds[0])
    _, outcome = step(house, state, (WAIT, Message(1, (0,), (("knows", "ben", "cleo", "for_cleo"),)), WAIT))
    assert "only that one person knows" in outcome.refused[1]


def test_a_report_is_of_what_the_goal_speaks_of_and_is_believed() -> None:
    house = flat(talk={"channels": {"ann": ["ben"]}, "budgets": {"ann": 2}, "kinds": ["fact"]}, goal="in(cup, fridge)")
    state = begin(house, ())
    told = Message(0, (1,), (("fact", "in(cup, fridge)"),))
    other = Message(0, (1,), (("fact", "powered(lamp)"),))
    assert "cannot be reported" in step(house, state, (other, WAIT))[1].refused[0]
    labels = Labeller(house, ())
    after, outcome = step(house, state, (told, "navigate(hall)"))
    labels.follow(after, outcome)
    cup = house.index["place cup"]
    assert house.domains[cup][labels.believes((1,), cup) or 0] == "in fridge"  # a lie, and it is believed
    assert house.domains[cup][labels.believes((0,), cup) or 0] == "on table"


@pytest.mark.parametrize(("price", "left"), [("one", 1), ("each", 0)])
def test_W9_a_broadcast_costs_what_the_task_says(price: str, left: int) -> None:
    """One definition of the cost, so that nothing else can charge another; proofs refuse what they do not cover."""
    people = {name: {"room": "kitchen"} for name in ("ann", "ben", "cleo")}
    talk = {"channels": {"ann": ["ben", "cleo"]}, "budgets": {"ann": 2}, "fanout": 2, "broadcast_cost": price}
    secrets = {"what": {"values": ["this", "that"]}}
    house = flat(people=people, talk=talk, secrets=secrets)
    told = Message(0, (1, 2), (("value", "what", "this"),))
    after, outcome = step(house, begin(house, (0,)), (told, WAIT, WAIT))
    assert outcome.refused == ("", "", "")
    assert after.budgets[0] == left
    with pytest.raises(UserError, match="proofs cover"):
        list(facts(house))
