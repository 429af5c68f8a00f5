"""What people can rightly say of what they and others know: the classic cases, and two ways to work it out."""

from typing import Any

import pytest

from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.ledger import Labeller
from otherminds.worlds.enacttom.messages import Act, Message
from otherminds.worlds.enacttom.observe import first_look, notes, perceive
from otherminds.worlds.enacttom.probes.questions import (
    CANNOT_TELL,
    NO,
    YES,
    ProbeQuestion,
    answer,
    askable,
    candidates,
    options,
)
from otherminds.worlds.enacttom.rules import WAIT, begin, is_over, possible, step
from otherminds.worlds.enacttom.seat_view import SeatView, knows_at_first
from otherminds.worlds.enacttom.tasks.read import parse_task
from otherminds.worlds.enacttom.types import Task
from tests.worlds.enacttom.houses import chain, fetch, letter, memo

ANN, BEN, CLEO = 0, 1, 2


class Asked:
    """A run in which anybody can be asked."""

    def __init__(self, house: Ground, world: tuple[int, ...]) -> None:
        self.house, self.state, self.labels = house, begin(house, world), Labeller(house, world)
        self.views = [
            SeatView(house, who, notes(house, world, who), first_look(house, self.state, who))
            for who in range(len(house.task.people))
        ]

    def do(self, *acts: Act) -> None:
        after, outcome = step(self.house, self.state, acts)
        self.labels.follow(after, outcome)
        for who, view in enumerate(self.views):
            view.follow(acts[who], perceive(self.house, self.state, after, outcome, who))
        self.state = after

    def ask(self, who: int, kind: Any, *others: int, about: str) -> str:
        probe = ProbeQuestion(who, kind, others, self.house.task.secret(about))
        found = answer(self.views[who], probe, self.labels.ledger)
        assert found == answer(self.views[who], probe), "its own percepts say something else than the ledger"
        assert found in options(self.house.task, probe)
        return found


def tell(sender: int, to: int, *atom: str) -> Message:
    return Message(sender, (to,), (atom,))


def test_who_was_told_knows_and_the_teller_knows_that() -> None:
    run = Asked(ground(fetch()), (1,))
    assert run.ask(ANN, "value", about="target") == CANNOT_TELL
    run.do("navigate(study)", WAIT)
    assert run.ask(ANN, "value", about="target") == "table2"
    assert run.ask(ANN, "knows", BEN, about="target") == NO  # barred from the study, and nobody else could have told
    assert run.ask(BEN, "knows", ANN, about="target") == CANNOT_TELL  # he did not see where she went
    assert run.ask(ANN, "thinks", BEN, about="target") == CANNOT_TELL
    run.do(tell(ANN, BEN, "value", "target", "table2"), WAIT)
    assert run.ask(BEN, "value", about="target") == "table2"
    assert run.ask(ANN, "knows", BEN, about="target") == YES
    assert run.ask(ANN, "thinks", BEN, about="target") == "table2"
    assert run.ask(BEN, "knows", ANN, BEN, about="target") == YES


def test_who_stood_beside_one_all_the_time_has_read_no_sign() -> None:
    house = ground(fetch(mechanics=[{"kind": "room_restriction", "agents": ["ben"], "rooms": ["study"]}]))
    run = Asked(house, (0,))
    run.do("navigate(hall)", WAIT)
    assert run.ask(BEN, "knows", ANN, about="target") == NO  # she came straight from the porch
    run.do("navigate(porch)", WAIT)
    assert run.ask(BEN, "knows", ANN, about="target") == CANNOT_TELL  # or did she go to the study?
    assert run.ask(ANN, "knows", BEN, about="target") == NO


def test_nobody_knows_what_was_not_told() -> None:
    run = Asked(ground(memo()), (0, 0, 0))  # Ben has read his
    assert run.ask(ANN, "knows", BEN, about="for_ben") == CANNOT_TELL
    assert run.ask(BEN, "knows", ANN, about="for_ben") == YES  # she reads it in every world, and all know that
    assert run.ask(BEN, "knows", CLEO, ANN, about="for_ben") == YES
    assert run.ask(BEN, "knows", CLEO, about="for_cleo") == NO  # he is the reader, so she is not
    assert run.ask(CLEO, "knows", BEN, about="for_ben") == YES  # since she got no note, he did
    assert run.ask(CLEO, "knows", ANN, BEN, about="for_ben") == NO  # nobody has said anything yet
    assert run.ask(ANN, "knows", CLEO, about="for_cleo") == CANNOT_TELL
    run.do(WAIT, tell(BEN, ANN, "knows", "ben", "for_ben"), WAIT)
    assert run.ask(ANN, "knows", BEN, about="for_ben") == YES
    assert run.ask(ANN, "thinks", BEN, about="for_ben") == "ben1"  # she knows it, and that he does
    assert run.ask(BEN, "knows", ANN, BEN, about="for_ben") == YES
    assert run.ask(ANN, "knows", CLEO, about="for_cleo") == NO  # he could only have read it, and only one reads
    assert run.ask(CLEO, "knows", ANN, BEN, about="for_ben") == CANNOT_TELL


def test_second_order_questions_are_answered_from_notes() -> None:
    house = ground(chain())
    found = {
        house.task.value(world, "known"): Asked(house, world).ask(ANN, "knows", BEN, CLEO, about="right")
        for world in house.task.worlds
    }
    assert found == {"none": NO, "cleo": CANNOT_TELL, "ben": CANNOT_TELL, "ann": YES}


def test_a_false_belief_comes_out_as_such_for_who_saw_it_arise() -> None:
    """Sally and Anne with a secret: Sally has read the sign, Anne lies to Ben about it."""
    run = Asked(ground(fetch()), (1,))
    run.do("navigate(study)", WAIT)
    run.do(tell(ANN, BEN, "value", "target", "table1"), WAIT)
    assert run.ask(BEN, "value", about="target") == "table1"  # what he takes it to be
    assert run.ask(ANN, "value", about="target") == "table2"
    assert run.ask(ANN, "thinks", BEN, about="target") == "table1"
    assert run.ask(ANN, "knows", BEN, about="target") == NO
    assert run.ask(BEN, "thinks", ANN, about="target") == "table1"
    assert run.ask(BEN, "knows", ANN, about="target") == YES


def test_nobody_knows_that_another_knows_what_that_one_does_not() -> None:
    """Ann lies to Ben about it. Then Cleo tells her that Ben knows, and that she herself does: Ann knows better."""
    rooms = {"ann": "attic", "ben": "den", "cleo": "loft"}
    content: dict[str, Any] = {
        "id": "claims",
        "title": "Claims",
        "category": "cooperative",
        "horizon": 3,
        "house": {
            "rooms": {"attic": {}, "den": {}, "loft": {}},
            "furniture": {"lamp": {"kind": "switch", "room": "den"}},
        },
        "people": {name: {"room": room} for name, room in rooms.items()},
        "secrets": {"x": {"values": ["a", "b"]}, "y": {"values": ["a", "b"]}},
        "notes": [{"to": "ann", "about": "x"}],
        "talk": {"channels": {"ann": ["ben"], "cleo": ["ann"]}, "budgets": {"ann": 1, "cleo": 2}},
        "goal": "powered(lamp)",
    }
    run = Asked(ground(parse_task(content)), (0, 0))
    run.do(tell(ANN, BEN, "value", "x", "b"), WAIT, tell(CLEO, ANN, "knows", "ben", "x"))
    assert run.ask(ANN, "knows", BEN, about="x") == NO
    assert run.ask(ANN, "knows", CLEO, BEN, about="x") == NO
    run.do(WAIT, WAIT, tell(CLEO, ANN, "knows", "ann", "y"))
    assert run.ask(ANN, "value", about="y") == CANNOT_TELL
    assert run.ask(ANN, "knows", CLEO, ANN, about="y") == NO


def test_who_spent_its_message_on_me_has_told_nobody_else() -> None:
    talk = {"channels": {"ann": ["ben", "cleo"]}, "budgets": {"ann": 1}, "kinds": ["value"]}
    run = Asked(ground(memo(talk=talk, mechanics=[])), (0, 0, 1))
    run.do(WAIT, WAIT, WAIT)
    assert run.ask(BEN, "knows", ANN, CLEO, about="for_cleo") == CANNOT_TELL
    run = Asked(ground(memo(talk=talk, mechanics=[])), (0, 0, 1))
    run.do(tell(ANN, BEN, "value", "for_ben", "ben1"), WAIT, WAIT)
    assert run.ask(BEN, "knows", ANN, CLEO, about="for_cleo") == NO


@pytest.mark.parametrize("task", [fetch(), memo(), chain(), letter()], ids=lambda task: str(task.id))
def test_the_ledger_of_the_run_and_what_each_perceives_agree(task: Task) -> None:
    """Random play, lies included: the truth of a probe is what its asked could work out, to every depth."""
    house, asked = ground(task), 0
    for seed in range(16):
        is_honest = seed % 4 > 0
        draw = Draw(seed, "test/probes")
        world = draw.pick(task.worlds)
        run = Asked(house, world)
        while not is_over(house, run.state):
            run.do(*(_anything(run, who, draw, is_honest) for who in range(len(task.people))))
        for who in range(len(task.people)):
            for probe in candidates(house, who):
                expected = run.ask(who, probe.kind, *probe.chain, about=task.secrets[probe.secret].name)
                chain = (who, *probe.chain)
                held = run.labels.believes((who,), probe.secret)
                if probe.kind == "value":
                    values = task.secrets[probe.secret].values
                    assert expected == (CANNOT_TELL if held is None else values[held])
                elif probe.kind == "knows" and is_honest:
                    is_so = _knows(run, world, probe.chain, probe.secret)
                    assert expected == YES or not _knows(run, world, chain, probe.secret)
                    assert expected != YES or is_so, "it was taken for granted"
                    assert expected != NO or not is_so, "it was ruled out"
                asked += 1
    assert asked > 100


def _knows(run: Asked, world: tuple[int, ...], chain: tuple[int, ...], secret: int) -> bool:
    return run.labels.knows(chain, secret) or knows_at_first(run.house, world, chain, secret)


def _anything(run: Asked, who: int, draw: Draw, is_honest: bool) -> Act:
    task = run.house.task
    reach = task.talk.channels.get(task.names[who], ())
    if reach and draw.happens(0.5):
        secret, person = draw.pick(task.secrets), draw.below(len(task.people))
        at, to = task.secret(secret.name), task.names.index(draw.pick(reach))
        if draw.happens(0.5):
            value = run.labels.believes((who,), at) if is_honest else draw.below(len(secret.values))
            return WAIT if value is None else tell(who, to, "value", secret.name, secret.values[value])
        if not is_honest or run.labels.knows((who,) if person == who else (who, person), at):
            return tell(who, to, "knows", task.names[person], secret.name)
    return draw.pick(possible(run.house, run.state, who))


def test_what_can_be_worked_out_otherwise_is_not_asked() -> None:
    names = {task.id: [task.secrets[s].name for s in askable(ground(task))] for task in (fetch(), memo(), letter())}
    assert names == {"fetch": ["target"], "memo": ["for_ben", "for_cleo"], "letter": ["right"]}
    worlds = [{"target": "table1"}, {"target": "table2"}]
    assert askable(ground(fetch(worlds=worlds))) == (0,)
    content = fetch(
        house={
            "rooms": {"hall": {}},
            "furniture": {name: {"kind": "surface", "room": "hall"} for name in ("shelf", *fetch().secrets[0].values)},
            "things": {"cup": {"place": ["on shelf", "on table1", "on table2"], "depends_on": "target"}},
        },
        people={"ann": {"room": "hall"}, "ben": {"room": "hall"}},
        mechanics=[],
    )
    assert askable(ground(content)) == ()  # where the cup stands gives it away
