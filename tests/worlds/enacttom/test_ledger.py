"""Who knows what: the classic cases, and what messages do."""

from typing import Any

from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.ledger import Labeller, chains_of
from otherminds.worlds.enacttom.messages import Act, Message
from otherminds.worlds.enacttom.record import play_again
from otherminds.worlds.enacttom.rules import WAIT, State, begin, step
from otherminds.worlds.enacttom.tasks.read import parse_task
from otherminds.worlds.enacttom.view.belief_view import beliefs_by_turn
from tests.worlds.enacttom.evals.making import played, says
from tests.worlds.enacttom.houses import chain, fetch, memo

ANN, BEN, CLEO = 0, 1, 2


class Run:
    """A run with its labels."""

    def __init__(self, house: Ground, world: tuple[int, ...]) -> None:
        self.house, self.state, self.labels = house, begin(house, world), Labeller(house, world)

    def do(self, *acts: Act) -> State:
        self.state, outcome = step(self.house, self.state, acts)
        assert not any(outcome.refused), outcome
        self.labels.follow(self.state, outcome)
        return self.state

    def thinks(self, who: tuple[int, ...], variable: str) -> str | None:
        at = self.house.index[variable]
        found = self.labels.believes(who, at)
        return None if found is None else self.house.domains[at][found]

    def knows(self, who: tuple[int, ...], variable: str) -> bool:
        return self.labels.knows(who, self.house.index[variable])


def nursery(**changes: Any) -> Ground:
    """Sally and Anne with a marble, a basket and a box, and a garden to go to."""
    content: dict[str, Any] = {
        "id": "marble",
        "title": "Sally and Anne",
        "category": "cooperative",
        "horizon": 9,
        "house": {
            "rooms": {"nursery": {}, "garden": {}},
            "doors": {"door": {"rooms": ["nursery", "garden"]}},
            "furniture": {
                "basket": {"kind": "surface", "room": "nursery"},
                "box": {"kind": "surface", "room": "nursery"},
            },
            "things": {"marble": {"place": "on basket"}},
        },
        "people": {"anne": {"room": "nursery"}, "sally": {"room": "nursery"}},
        "goal": "on(marble, box)",
    }
    return ground(parse_task({**content, **changes}))


def test_W10_sally_believes_what_she_last_saw() -> None:
    run = Run(nursery(), ())
    run.do(WAIT, "navigate(garden)")
    run.do("pick(marble)", WAIT)
    run.do("place(marble, on, box)", WAIT)
    assert run.thinks((BEN,), "place marble") == "on basket"
    assert not run.knows((BEN,), "place marble")  # stale
    assert run.knows((ANN,), "place marble")
    assert run.thinks((ANN, BEN), "place marble") == "on basket"  # Anne knows that Sally does not
    assert not run.knows((ANN, BEN), "place marble")
    run.do(WAIT, "navigate(nursery)")
    assert run.knows((BEN,), "place marble")
    assert run.knows((ANN, BEN, ANN), "place marble")


def test_second_order_false_belief() -> None:
    run = Run(nursery(), ())
    run.do("pick(marble)", "navigate(garden)")
    run.do("place(marble, on, box)", WAIT)
    run.do("navigate(garden)", "navigate(nursery)")  # they cross: Sally sees the box, Anne does not see that she does
    assert run.thinks((BEN,), "place marble") == "on box"
    assert run.thinks((ANN, BEN), "place marble") == "on basket"
    assert run.thinks((BEN, ANN), "place marble") == "on basket"  # last seen together there


def test_nobody_knows_what_nobody_saw() -> None:
    run = Run(ground(memo()), (0, 0, 0))
    assert run.knows((ANN,), "secret for_ben")
    assert run.knows((BEN,), "secret for_ben")  # the reader
    assert not run.knows((CLEO,), "secret for_cleo")
    assert not run.knows((ANN, BEN), "secret for_ben")  # nobody told her that he read it


def test_a_message_makes_both_know_that_both_know() -> None:
    run = Run(ground(memo()), (1, 0, 0))
    run.do(WAIT, Message(BEN, (ANN,), (("knows", "ben", "for_ben"),)), WAIT)
    assert run.knows((ANN, BEN), "secret for_ben")
    assert run.knows((BEN, ANN, BEN), "secret for_ben")
    run.do(Message(ANN, (CLEO,), (("value", "for_cleo", "cleo1"),)), WAIT, WAIT)
    assert run.knows((CLEO, ANN, CLEO), "secret for_cleo")
    assert not run.knows((BEN, CLEO), "secret for_cleo")


def test_notes_reach_the_third_order() -> None:
    house = ground(chain())
    by_known = {house.task.value(world, "known"): world for world in house.task.worlds}
    deepest = {known: Run(house, world).knows((ANN, BEN, CLEO), "secret right") for known, world in by_known.items()}
    assert deepest == {"none": False, "cleo": False, "ben": False, "ann": True}
    assert Run(house, by_known["cleo"]).knows((ANN, CLEO), "secret right")
    assert Run(house, by_known["ann"]).knows((BEN, CLEO), "secret right")
    assert not Run(house, by_known["ann"]).knows((ANN, BEN), "secret right")  # Ben knows that she knows, not what


def test_a_lie_is_believed_by_the_listener_alone() -> None:
    run = Run(ground(memo()), (1, 0, 0))
    run.do(WAIT, WAIT, WAIT)
    run.do(Message(ANN, (BEN,), (("value", "for_ben", "ben1"),)), WAIT, WAIT)  # it is ben2
    assert run.thinks((BEN,), "secret for_ben") == "ben1"
    assert not run.knows((BEN,), "secret for_ben")
    assert run.thinks((ANN,), "secret for_ben") == "ben2"
    assert run.thinks((ANN, BEN), "secret for_ben") == "ben1"
    assert run.thinks((BEN, ANN), "secret for_ben") == "ben1"
    assert run.thinks((ANN, BEN, ANN), "secret for_ben") == "ben1"


def test_who_is_told_that_another_knows_knows_it_only_if_it_is_so() -> None:
    """Ann says that Cleo has read her note, and makes that up: Ben believes it, wrongly, until Cleo does know."""
    talk = {"channels": {"ann": ["ben", "cleo"], "ben": ["ann"]}, "budgets": {"ann": 2, "ben": 1}}
    house = ground(memo(talk=talk, mechanics=[]))
    for reader, is_so in ((0, False), (1, True)):
        run = Run(house, (0, 0, reader))
        about = house.index["secret for_cleo"]
        run.do(Message(ANN, (BEN,), (("knows", "cleo", "for_cleo"),)), WAIT, WAIT)
        assert run.knows((CLEO,), "secret for_cleo") is is_so
        assert run.knows((BEN, CLEO), "secret for_cleo") is is_so
        assert run.labels.supposes((BEN, CLEO), about)
        assert not run.labels.supposes((ANN, CLEO), about)  # she does not believe herself
        assert not run.knows((ANN, BEN, CLEO), "secret for_cleo")
        # He passes it on in good faith, which is no lie.
        run.do(WAIT, Message(BEN, (ANN,), (("knows", "cleo", "for_cleo"),)), WAIT)
        assert run.labels.supposes((BEN, CLEO), about)
        assert run.knows((ANN, BEN, CLEO), "secret for_cleo") is is_so
    run = Run(house, (0, 0, 0))
    run.do(Message(ANN, (BEN,), (("knows", "cleo", "for_cleo"),)), WAIT, WAIT)
    run.do(Message(ANN, (CLEO,), (("value", "for_cleo", "cleo1"),)), WAIT, WAIT)
    assert run.knows((BEN, CLEO), "secret for_cleo")


def test_a_value_told_by_who_does_not_know_it_is_not_known_to_be_known() -> None:
    """Ann has not read the board, and happens to be right: Ben takes her to know, and she knows of nobody."""
    run = Run(ground(fetch()), (1,))
    run.do(Message(ANN, (BEN,), (("value", "target", "table2"),)), WAIT)
    assert run.knows((BEN,), "secret target")
    assert run.labels.supposes((BEN, ANN), run.house.index["secret target"])
    assert not run.knows((BEN, ANN), "secret target")
    assert not run.knows((ANN, BEN), "secret target")


def test_the_page_shows_a_wrong_belief_about_another_mind() -> None:
    talk = {"channels": {"ann": ["ben"]}, "budgets": {"ann": 1}}
    task = memo(talk=talk, mechanics=[])
    episode = played(task, (0, 0, 0), [says(ANN, BEN, "knows", "cleo", "for_cleo")])
    cells = beliefs_by_turn(play_again(episode)).cells[1]
    at = task.secret("for_cleo")
    assert [cells[who][at].verdict for who in ((BEN, CLEO), (CLEO,), (ANN, CLEO))] == ["wrong", "unknown", "unknown"]


def test_what_each_chain_knows_at_first() -> None:
    run = Run(ground(memo()), (0, 0, 0))
    secret = run.house.index["secret for_ben"]
    found = {chain: run.labels.knows(chain, secret) for chain in chains_of(3)}
    assert len(found) == 3 + 6 + 12
    assert [who for who, is_known in found.items() if is_known] == [(ANN,), (BEN,)]
