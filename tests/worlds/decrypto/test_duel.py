import json
from typing import Any

import pytest

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.match import play_one
from otherminds.core.mind import Reply
from otherminds.core.seeds import child_seed
from otherminds.minds.find import minds_for
from otherminds.worlds.decrypto.duel import DecryptoDuel, Duel, deal_duel, is_over, points, winner
from otherminds.worlds.decrypto.types import Code
from otherminds.worlds.decrypto.words.lexicon import keyword_bank
from tests.worlds.decrypto.games import CODES, WRONG, played

BANK = keyword_bank()
OK: list[Code] = []
WORLD = DecryptoDuel()


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


def duelled(seed: int = 4, world: DecryptoDuel = WORLD, **others: str) -> Any:
    """A duel of the baseline, with other minds in some seats: ``second_eve="uniform"``."""
    named = {seat: others.get(seat.replace(".", "_"), "glove") for seat in world.seats}
    session = world.open(seed)
    return session, play_one(session, minds_for(world, named))


def test_teams_play_in_step_and_listen_to_each_other() -> None:
    session, record = duelled(second_eve="uniform")
    first, second = session.duel.games
    assert len(first.turns) == len(second.turns) == len(record.turns)
    assert list(record.minds.values()) == ["glove"] * 5 + ["uniform"]
    assert record.turns[0]["first"]["hints"] == list(first.turns[0].hints)
    assert record.end["winner"] == winner(session.duel) == "first"  # the second team's Eve only guesses
    assert record.end["outcome"]["score"]["first.alice"] == 1
    assert record.end["outcome"]["score"]["second.eve"] == -1


def test_each_eve_hears_the_other_teams_hints_and_no_keyword() -> None:
    session = WORLD.open(4)
    for ask in session.asks():
        assert ask.view.data.role == "alice"
        session.reply(ask.id, Reply((f"{ask.seat} a", "b", "c")))
    seen = {ask.seat: ask.view.data for ask in session.asks()}
    assert sorted(seen) == ["first.bob", "first.eve", "second.bob", "second.eve"]
    assert seen["first.eve"].hints[0] == seen["second.bob"].hints[0] == "second.alice a"
    assert seen["first.eve"].keywords == ()
    assert seen["first.bob"].keywords == session.duel.games[0].keywords


def test_who_sees_the_truth_reads_its_own_game() -> None:
    _, record = duelled(second_eve="perfect", first_bob="perfect", second_bob="perfect", first_eve="uniform")
    assert all(turn["first"]["eve"] == turn["first"]["code"] for turn in record.turns)  # the second team's Eve hears it
    assert record.end["winner"] == "second"


def test_a_duel_replays_and_contradictions_are_refused() -> None:
    session, record = duelled()
    record = Episode(**json.loads(json.dumps(vars(record))))
    assert WORLD.replay(record).states[-1] == session.duel
    assert DecryptoDuel.of(record).rules == WORLD.rules
    assert "second team" in WORLD.terminal(session.duel, None)
    assert WORLD.replies(record)["1/second.eve"] == record.turns[0]["first"]["eve"]
    record.end["winner"] = "nobody"  # type: ignore[index]
    with pytest.raises(UserError, match="winner is 'nobody'; according to its replies"):
        WORLD.replay(record)
    record.turns[0].pop("second")
    with pytest.raises(UserError, match="cannot be read as a game of Decrypto: KeyError 'second'"):
        WORLD.replay(record)


def test_the_same_seed_repeats_a_duel_and_no_two_seats_share_a_stream() -> None:
    assert vars(duelled()[1]) == vars(duelled()[1])
    session = WORLD.open(4)
    seeds = {session.mind_seed(seat, "") for seat in WORLD.seats}
    assert len(seeds) == 6
    assert child_seed(4, "decrypto/first.alice") in seeds


def test_duels_are_summed_up_by_team() -> None:
    found = WORLD.summary([duelled(seed, second_eve="uniform")[1] for seed in range(3)])
    assert found["first_won"] == 1.0
    assert found["episodes"] == 3.0


def test_two_teams_play_for_interceptions() -> None:
    with pytest.raises(UserError, match="leave out stops_at_interceptions"):
        DecryptoDuel(stops_at_interceptions=False)
