import pytest

from otherminds.core.errors import UserError
from otherminds.players.decrypto.find import find_seat
from otherminds.players.decrypto.match import play_duel
from otherminds.worlds.decrypto.bank import keyword_bank
from otherminds.worlds.decrypto.duel import Duel, deal_duel, is_over, points, winner
from otherminds.worlds.decrypto.record import play_again
from otherminds.worlds.decrypto.types import Code, Role, Rules
from tests.worlds.decrypto.games import CODES, WRONG, played

BANK = keyword_bank().words
OK: list[Code] = []
ROLES: tuple[Role, ...] = ("alice", "bob", "eve")


def test_no_keyword_is_dealt_to_both_teams() -> None:
    for seed in range(100):
        first, second = deal_duel(BANK[:10], seed).games
        assert not set(first.keywords) & set(second.keywords)
        assert first.codes != second.codes
    with pytest.raises(UserError, match="two teams need 8"):
        deal_duel(BANK[:7], 0)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        # (turns, Bob's guesses, the other team's Eve's) of each team's game
        ((2, OK, OK), (2, OK, OK), None),
        ((2, OK, OK), (2, OK, CODES[:2]), "first"),  # the first team intercepted twice
        ((2, OK, CODES[:2]), (2, OK, OK), "second"),
        ((2, [WRONG, WRONG], OK), (2, OK, OK), "second"),
        ((2, OK, CODES[:2]), (2, OK, CODES[:2]), "draw"),
        ((2, [WRONG], CODES[:2]), (2, OK, CODES[:2]), "second"),  # both intercepted twice; points
        ((8, OK, OK), (8, OK, OK), "draw"),
        ((8, OK, OK), (8, [WRONG], OK), "first"),
        ((2, [WRONG, WRONG], OK), (2, OK, CODES[:2]), "draw"),  # it won and lost at once; points are level
    ],
)
def test_who_wins(
    first: tuple[int, list[Code], list[Code]], second: tuple[int, list[Code], list[Code]], expected: str | None
) -> None:
    duel = Duel((played(*first), played(*second)))
    assert winner(duel) == expected
    assert is_over(duel) == (expected is not None)
    assert winner(Duel((duel.games[1], duel.games[0]))) == {"first": "second", "second": "first"}.get(
        expected or "", expected
    )


def test_points_count_interceptions_made_and_own_mistakes() -> None:
    assert points(Duel((played(2, [WRONG]), played(2, OK, [CODES[0]])))) == (0, 0)
    assert points(Duel((played(2), played(2, [WRONG], [CODES[0]])))) == (1, -1)


def test_teams_play_in_step_and_listen_to_each_other() -> None:
    def team(eve: str) -> dict[Role, object]:
        return {role: find_seat("glove" if role != "eve" else eve, role) for role in ROLES}

    duel = deal_duel(BANK, 4, Rules())
    done, records = play_duel(duel, (team("glove"), team("uniform")))  # type: ignore[arg-type]
    assert len(done.games[0].turns) == len(done.games[1].turns)
    assert records[0].players == ["glove", "glove", "uniform"]  # the second team's Eve hears the first
    assert records[1].players == ["glove", "glove", "glove"]
    assert winner(done) == "first"
    assert records[0].end is not None
    assert records[0].end["winner"] == "first"
    for game, record in zip(done.games, records, strict=True):
        assert play_again(record).states[-1] == game
