"""The belief ledger: the general fold, and the fast path for evidence."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.core.ledger import Evidence, EvidenceTable, Ledger, evidence_ledger

PEOPLE = ("a", "b", "c", "d")
THINGS = ("ball", "box")
Chain = tuple[str, ...]


def seen_by(value: str, real: str, apparent: str | None = None, about: str = "ball") -> Evidence:
    """Evidence perceived by the people named by the letters of ``real``, and thought to be by those of ``apparent``."""
    return Evidence(about, value, frozenset(real), frozenset(real if apparent is None else apparent))


class Table(EvidenceTable[object]):
    """The fast path, with people as letters."""

    def __init__(self, events: Iterable[Evidence] = ()) -> None:
        super().__init__()
        for event in events:
            self.add(event)

    def add(self, event: Evidence) -> None:
        self.record(event.about, event.value, _mask(event.real), _mask(event.apparent))

    def held(self, chain: Chain, about: str) -> object:
        return self.belief(tuple(PEOPLE.index(person) for person in chain), about)


def _mask(people: Iterable[object]) -> int:
    return sum(1 << PEOPLE.index(str(person)) for person in people)


def chains(most: int, people: tuple[str, ...] = PEOPLE) -> list[Chain]:
    return [chain for length in range(most + 1) for chain in product(people, repeat=length)]


def by_definition(events: list[Evidence], chain: Chain, about: str) -> object:
    """Spec tomi 5.2: the latest value the first really perceived and all others apparently did."""
    value: object = None
    for event in events:
        if event.about == about and (not chain or chain[0] in event.real) and set(chain[1:]) <= event.apparent:
            value = event.value
    return value


def evidence() -> st.SearchStrategy[Evidence]:
    """Any evidence: peeks and distractions are differences between the two sets."""
    groups = st.frozensets(st.sampled_from(PEOPLE))
    return st.builds(Evidence, st.sampled_from(THINGS), st.integers(0, 3), groups, groups)


def path_ledger() -> Ledger[str, tuple[str, ...]]:
    """A ledger whose events note who looked at them, in order; nobody sees what is marked as hidden from it."""

    def appears(event: str, observer: object) -> str | None:
        return None if f"-{observer}" in event else f"{event}>{observer}"

    return Ledger(appears, lambda mind, event: (*mind, event), ())


def test_the_empty_chain_gives_the_events_as_they_are() -> None:
    ledger = path_ledger()
    ledger.record("one-a", "two")
    assert ledger.belief() == ("one-a", "two")
    assert list(ledger.view(())) == ledger.events


@pytest.mark.parametrize("chain", [("a",), ("a", "b"), ("b", "a"), ("a", "b", "a", "c"), tuple("abcabcabcabc")])
def test_a_chain_of_any_order_sees_through_each_of_its_members_in_turn(chain: Chain) -> None:
    ledger = path_ledger()
    ledger.record("one")
    assert ledger.belief(chain) == (">".join(("one", *chain)),)


@pytest.mark.parametrize("chain", [("a",), ("b", "a"), ("a", "b"), ("b", "c", "a", "b")])
def test_what_one_member_does_not_see_reaches_nobody_behind_it(chain: Chain) -> None:
    ledger = path_ledger()
    ledger.record("secret-a", "news")
    assert all(event.startswith("news") for event in ledger.belief(chain))
    assert len(ledger.belief(chain)) == 1


def test_asking_does_not_change_what_has_happened() -> None:
    ledger = path_ledger()
    ledger.record("one", "two")
    first = [ledger.belief(chain) for chain in chains(2)]
    assert ledger.events == ["one", "two"]
    assert [ledger.belief(chain) for chain in chains(2)] == first


@given(st.lists(st.sampled_from(["one", "two-a", "three-b", "four-a-b"])), st.sampled_from(chains(3, PEOPLE[:3])))
def test_beliefs_give_the_belief_after_each_event(events: list[str], chain: Chain) -> None:
    ledger = path_ledger()
    ledger.record(*events)
    assert list(ledger.beliefs(chain)) == [ledger.belief(chain, upto=t) for t in range(1, len(events) + 1)]


def test_before_any_event_there_is_nothing_to_believe() -> None:
    assert evidence_ledger().belief(("a", "b")) == {}
    assert Table().held(("a", "b"), "ball") is None
    assert Table().held((), "ball") is None


@settings(max_examples=300)
@given(st.lists(evidence(), max_size=12), st.lists(st.sampled_from(PEOPLE), max_size=4), st.sampled_from(THINGS))
def test_table_and_general_fold_both_follow_the_definition(
    events: list[Evidence], names: list[str], about: str
) -> None:
    chain = tuple(names)
    expected = by_definition(events, chain, about)
    assert evidence_ledger(events).belief(chain).get(about) == expected
    assert Table(events).held(chain, about) == expected


@given(st.lists(evidence(), max_size=8))
def test_every_chain_up_to_fourth_order_is_the_same_in_table_and_fold(events: list[Evidence]) -> None:
    table, ledger = Table(events), evidence_ledger(events)
    for chain in chains(4, PEOPLE[:3]):
        mind = ledger.belief(chain)
        assert [table.held(chain, about) for about in THINGS] == [mind.get(about) for about in THINGS]


@settings(max_examples=200)
@given(st.lists(st.tuples(evidence(), st.lists(st.sampled_from(chains(4, PEOPLE[:3])), max_size=4)), max_size=12))
def test_looking_up_between_records_changes_no_answer(steps: list[tuple[Evidence, list[Chain]]]) -> None:
    table, events = Table(), list[Evidence]()
    for event, asked in steps:
        table.add(event)
        events.append(event)
        for chain, about in product(asked, THINGS):
            assert table.held(chain, about) == by_definition(events, chain, about)


def test_a_story_can_be_about_third_order_belief_alone() -> None:
    """Spec tomi 5.2: all see C1, nobody sees the move, then each pair meets in the room, never all three."""
    events = [seen_by("C1", "abcd"), seen_by("C2", "d"), *(seen_by("C2", pair) for pair in ("ab", "bc", "ac"))]
    table, ledger = Table(events), evidence_ledger(events)
    for order, value in ((1, "C2"), (2, "C2"), (3, "C1")):
        for chain in permutations("abc", order):
            assert table.held(chain, "ball") == ledger.belief(chain)["ball"] == value


def test_a_peek_is_known_to_the_peeker_alone() -> None:
    """Spec tomi 5.2: c secretly watches a move the ball."""
    events = [seen_by("C1", "ac"), seen_by("C2", "ac", apparent="a")]
    table, ledger = Table(events), evidence_ledger(events)
    expected = {("c",): "C2", ("c", "a"): "C2", ("a", "c"): "C1", ("c", "a", "c"): "C1", (): "C2"}
    for chain, value in expected.items():
        assert table.held(chain, "ball") == ledger.belief(chain)["ball"] == value


def test_a_distraction_is_missed_by_the_distracted_alone() -> None:
    events = [seen_by("C1", "ad"), seen_by("C2", "a", apparent="ad")]
    table = Table(events)
    assert [table.held(chain, "ball") for chain in (("d",), ("a", "d"), ("a",))] == ["C1", "C2", "C2"]


@given(st.lists(st.builds(seen_by, st.sampled_from(["C1", "C2"]), st.sampled_from(["", "a", "ab", "abc", "bc"]))))
def test_without_peeks_and_distractions_only_the_set_of_people_matters(events: list[Evidence]) -> None:
    table = Table(events)
    for chain in chains(3, PEOPLE[:3])[1:]:
        assert table.held(chain, "ball") == table.held(tuple(sorted(set(chain))), "ball")


def test_things_are_believed_apart_from_each_other() -> None:
    table = Table([seen_by("C1", "ab"), seen_by("C9", "b", about="box")])
    assert (table.held(("a",), "ball"), table.held(("a",), "box"), table.held(("b",), "box")) == (
        "C1",
        None,
        "C9",
    )
