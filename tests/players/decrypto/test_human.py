"""A person at the table: shown what the role may see, asked again, and free to leave."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from otherminds.minds.terminal import CLEAR, Quit, Terminal
from otherminds.players.decrypto.find import find_seat
from otherminds.players.decrypto.human import Human, page, read_code
from otherminds.players.decrypto.match import play
from otherminds.players.decrypto.seats import Seat
from otherminds.worlds.decrypto.observe import view
from otherminds.worlds.decrypto.questions import Question
from otherminds.worlds.decrypto.rules import reveal
from otherminds.worlds.decrypto.types import Code, Game, Role, Rules

CODES: tuple[Code, ...] = ((1, 2, 3), (2, 3, 4), (3, 4, 1))
KEYWORDS = ("river", "piano", "winter", "doctor")


def game(**rules: Any) -> Game:
    return Game(Rules(turns=3, **rules), 0, KEYWORDS, CODES)


def person(typed: Iterable[str], people: int = 1) -> tuple[Human, list[str]]:
    shown: list[str] = []
    return Human(terminal=terminal(typed, shown, people)), shown


def terminal(typed: Iterable[str], shown: list[str], people: int = 1) -> Terminal:
    left = iter(typed)

    def ask(prompt: str) -> str:
        shown.append(prompt)
        found = next(left, None)
        if found is None:
            raise EOFError
        return found

    return Terminal(people, ask, shown.append)


def hint(typed: Sequence[str], **rules: Any) -> tuple[tuple[str, ...], str]:
    human, shown = person(typed)
    human.begin("alice", game(**rules).rules, 0)
    return human.hint(view(game(**rules), "alice")), "\n".join(shown)


def guess(typed: Sequence[str], now: Game | None = None, role: Role = "bob") -> tuple[Code, str]:
    human, shown = person(typed)
    human.begin(role, game().rules, 0)
    return human.guess(view(now or game(), role, ("wet", "keys", "snow"))), "\n".join(shown)


def test_it_is_found_by_name_for_any_role() -> None:
    for role in ("alice", "bob", "eve"):
        assert isinstance(find_seat("human", role), Seat)


def test_hints_are_typed_by_commas_and_confirmed() -> None:
    hints, shown = hint(["wet, black  keys ,snow", "n", "flow,keys,snow", ""])
    assert hints == ("flow", "keys", "snow")
    assert "You say wet, black keys, snow. Right?" in shown
    assert "The code: 1-2-3 (river, piano, winter)" in shown


def test_too_few_hints_are_asked_for_again() -> None:
    hints, shown = hint(["wet, keys", "wet,,snow", "", "wet,keys,snow", "y"])
    assert hints == ("wet", "keys", "snow")
    assert "That is 2 hints; expected 3" in shown


def test_hints_against_the_rules_are_named_and_may_be_said_where_the_game_goes_on() -> None:
    hints, shown = hint(["rivers,keys,snow", "", "river,keys,snow", "y"])
    assert hints == ("river", "keys", "snow")
    assert "too near the keyword 'river'" in shown
    hints, _ = hint(["river,keys,snow", "wet,keys,snow", ""], hints="strict")
    assert hints == ("wet", "keys", "snow")
    hints, shown = hint(["river,keys,snow", ""], hints="off")
    assert "Against" not in shown


@pytest.mark.parametrize("typed", ["2-1-4", "2,1,4", "2 1 4", "214", "2, 1, 4"])
def test_codes_are_typed_in_many_ways(typed: str) -> None:
    assert guess([typed, ""])[0] == (2, 1, 4)


def test_a_wrong_code_is_asked_for_again() -> None:
    code, shown = guess(["", "x", "1-2", "1-2-5", "1-1-2", "4-2-1", "n", "4-3-1", ""])
    assert code == (4, 3, 1)
    assert all(text in shown for text in ("is no code", "has 2 digits", "other than 1 to 4", "repeats a digit"))


def test_a_code_that_was_played_cannot_come_again() -> None:
    now = reveal(game(), ("a", "b", "c"), (1, 2, 3), (4, 3, 2))
    code, shown = guess(["1-2-3", "2-3-4", ""], now)
    assert code == (2, 3, 4)
    assert "was played before" in shown


def test_each_role_sees_its_own_page() -> None:
    now = reveal(game(), ("wet", "keys", "snow"), (1, 2, 3), (4, 3, 2))
    pages = {role: page(view(now, role, ("a", "b", "c"))) for role in ("alice", "bob", "eve")}
    assert "The code: 2-3-4" in pages["alice"]
    assert "The code: " not in pages["bob"] + pages["eve"]
    assert not any(word in pages["eve"] for word in KEYWORDS)
    assert all("1: wet" in text and "Codes so far: 1-2-3" in text for text in pages.values())


@pytest.mark.parametrize("typed", [[], ["q"], ["Quit"], ["wet, keys, snow", "q"]])
def test_leaving_is_no_fault_that_the_game_goes_on_after(typed: list[str]) -> None:
    human, _ = person(typed)
    seats: dict[Role, Seat] = {"alice": human, "bob": find_seat("glove", "bob"), "eve": find_seat("uniform", "eve")}
    with pytest.raises(Quit):
        play(game(), seats)


def test_the_screen_is_cleared_when_it_changes_hands() -> None:
    shown: list[str] = []
    shared = terminal(["", "wet,keys,snow", "", "", "1-2-3", "", "", "cold,ill,ice", "", "q"], shown, people=2)
    seats: dict[Role, Seat] = {
        "alice": Human(terminal=shared),
        "bob": Human(terminal=shared),
        "eve": find_seat("uniform", "eve"),
    }
    with pytest.raises(Quit):
        play(game(), seats)
    assert shown.count(CLEAR) == 4
    bobs = shown[shown.index("Bob, take the keyboard; the others look away. Enter shows your page> ") :]
    assert "The code: 1-2-3" not in "\n".join(bobs[:4])
    alone, seen = person(["wet,keys,snow", ""])
    alone.begin("alice", game().rules, 0)
    alone.hint(view(game(), "alice"))
    assert CLEAR not in seen


def test_the_alice_of_one_team_does_not_see_what_the_other_teams_saw() -> None:
    """They have the same role, and the screen must be cleared between them all the same."""
    shown: list[str] = []
    shared = terminal(["", "wet,keys,snow", "", "", "q"], shown, people=2)
    first, second = Human(terminal=shared), Human(terminal=shared)
    for one in (first, second):
        one.begin("alice", game().rules, 0)
    first.hint(view(game(), "alice"))
    with pytest.raises(Quit):
        second.hint(view(game(), "alice"))
    assert shown.count(CLEAR) == 2


def test_a_person_can_be_asked_on_the_side() -> None:
    human, shown = person(["a,b,c", "a, b, c, d", "often", "0.25", "4-3-2"])
    human.begin("eve", game().rules, 0)
    seen = view(game(), "eve", ("wet", "keys", "snow"))
    assert human.answer(seen, Question("keywords", "before", KEYWORDS)) == ("a", "b", "c", "d")
    assert human.answer(seen, Question("chance", "eve")) == 0.25
    assert human.answer(seen, Question("guess", "eve", hints=("x", "y", "z"))) == (4, 3, 2)
    assert any("1 = river" in text for text in shown)


def test_what_is_no_code_has_no_digits() -> None:
    assert [read_code(text) for text in ("", "1-", "a1b2c3", "1.2.3")] == [()] * 4
