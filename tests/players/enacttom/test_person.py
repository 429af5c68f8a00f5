"""A person in a house: shown what it perceives, asked again, and free to leave."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from otherminds.minds.terminal import CLEAR, Quit, Terminal
from otherminds.players.enacttom.match import play
from otherminds.players.enacttom.person import Person
from otherminds.worlds.enacttom.build import ground
from otherminds.worlds.enacttom.observe import first_look, notes
from otherminds.worlds.enacttom.probes import Probe
from otherminds.worlds.enacttom.rules import begin
from tests.worlds.enacttom.houses import fetch

ANN = ("navigate(study)", 'tell(ben, "table2")', "wait", "wait", "wait")
BEN = ("pick(cup)", "navigate(kitchen)", "wait", "place(cup, on, table2)", "wait")


def terminal(typed: Iterable[str], people: int = 1) -> tuple[Terminal, list[str]]:
    left, shown = iter(typed), list[str]()

    def ask(prompt: str) -> str:
        shown.append(prompt)
        found = next(left, None)
        if found is None:
            raise EOFError
        return found

    return Terminal(people, ask, shown.append), shown


def test_two_people_share_a_terminal_and_reach_the_goal() -> None:
    """Whoever comes to the keyboard finds an empty screen."""
    typed = [line for pair in zip(ANN, BEN, strict=True) for act in pair for line in ("", act)]
    desk, shown = terminal(typed, people=2)
    _, episode = play(ground(fetch()), (1,), [Person(terminal=desk), Person(terminal=desk)])
    assert (episode.end or {})["success"] is True
    assert shown.count(CLEAR) == 10
    assert any(line.startswith("Ben, take the keyboard") for line in shown)


def test_one_sees_ones_own_texts_alone_and_the_task_once() -> None:
    desk, shown = terminal(BEN)
    other, _ = terminal(ANN)
    play(ground(fetch()), (1,), [Person(terminal=other), Person(terminal=desk)])
    told = "\n".join(shown)
    assert told.count("# The goal") == 1
    assert "You are ben." in told
    assert "You are ann." not in told
    assert "ann tells you: the secret target is table2." in told
    assert "You are in study" not in told


def test_help_the_task_and_another_try_cost_no_turn() -> None:
    desk, shown = terminal(("", "help", "task", "navigate(attic)", "fly", *ANN))
    other, _ = terminal(BEN)
    _, episode = play(ground(fetch()), (1,), [Person(terminal=desk), Person(terminal=other)])
    assert episode.turns[0]["acts"][0] == "navigate(study)"
    told = "\n".join(shown)
    assert told.count("You can do: navigate(porch), navigate(study)") == 2
    assert "navigate(kitchen)," not in told  # Ann is barred
    assert "You can tell(ben, CONTENT)." in told
    assert told.count("# The goal") == 2
    assert told.count("That was not taken") == 2
    assert told.count("Messages that you can still send: 1.") == 2  # before it is sent


@pytest.mark.parametrize("typed", [(), ("q",), ("navigate(study)", "quit")])
def test_who_leaves_ends_the_run(typed: tuple[str, ...]) -> None:
    desk, _ = terminal(typed)
    other, _ = terminal(BEN)
    with pytest.raises(Quit):
        play(ground(fetch()), (1,), [Person(terminal=desk), Person(terminal=other)])


def test_questions_on_the_side_are_asked_until_answered() -> None:
    house = ground(fetch())
    desk, shown = terminal(("perhaps", "", "Table1", "cannot tell"))
    person = Person(terminal=desk)
    person.begin(house, 1, notes(house, (0,), 1), first_look(house, begin(house, (0,)), 1), 0)
    assert person.report(Probe(1, "value", (), 0)) == "table1"
    assert person.report(Probe(1, "knows", (0,), 0)) == "cannot tell"
    assert shown.count("That is none of the answers.") == 2
    assert any("Does ann know what the secret target is?" in line for line in shown)
