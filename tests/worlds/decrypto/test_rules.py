from typing import Any

import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.decrypto.rules import (
    all_codes,
    code_of,
    deal,
    ending,
    hints_by_digit,
    reveal,
    rewards,
    tokens,
)
from otherminds.worlds.decrypto.types import Game, Intervention, Rules
from otherminds.worlds.decrypto.words.lexicon import keyword_bank
from otherminds.worlds.decrypto.world import Decrypto
from tests.worlds.decrypto.games import CODES, HINTS, KEYWORDS, WRONG, played

BANK = keyword_bank()


def test_there_are_24_codes_of_three_different_digits() -> None:
    codes = all_codes(Rules())
    assert len(codes) == len(set(codes)) == 24
    assert all(len(set(code)) == 3 and set(code) <= {1, 2, 3, 4} for code in codes)


def test_a_seed_deals_the_same_game_and_another_seed_another() -> None:
    assert deal(BANK, 7) == deal(BANK, 7)
    assert deal(BANK, 7) != deal(BANK, 8)


def test_keywords_and_codes_of_a_game_differ_from_each_other() -> None:
    for seed in range(200):
        game = deal(BANK, seed)
        assert len(set(game.keywords)) == 4
        assert len(set(game.codes)) == 8
        assert set(game.keywords) <= set(BANK)


def test_every_code_and_every_keyword_comes_as_often() -> None:
    first = [deal(BANK[:12], seed) for seed in range(2400)]
    for code in all_codes(Rules()):
        assert 60 < sum(game.codes[0] == code for game in first) < 145  # 100 expected, 4.6 standard deviations
    for word in BANK[:12]:
        assert 690 < sum(word in game.keywords for game in first) < 910  # 800 expected


@pytest.mark.parametrize(
    ("bob", "eve", "expected"),
    [
        ([], [], None),
        ([WRONG], [CODES[0]], None),
        ([WRONG, WRONG], [], "miscomm"),
        ([], CODES[:2], "intercept"),
        ([WRONG, WRONG], CODES[:2], "both"),
    ],
)
def test_two_tokens_of_a_kind_end_a_game(
    bob: list[tuple[int, ...]], eve: list[tuple[int, ...]], expected: str | None
) -> None:
    game = played(2, bob, eve)
    assert ending(game) == expected
    sign = 0 if expected is None else -1
    assert rewards(game) == {"alice": sign, "bob": sign, "eve": -sign}


def test_who_survives_eight_turns_wins() -> None:
    assert ending(played(7)) is None
    game = played(8)
    assert ending(game) == "survived"
    assert rewards(game) == {"alice": 1, "bob": 1, "eve": -1}


def test_a_second_token_in_the_last_turn_still_loses() -> None:
    bob = [WRONG, *CODES[1:7], WRONG]
    assert ending(played(8, bob)) == "miscomm"


def test_both_tokens_of_one_turn_count_and_parts_of_a_guess_do_not() -> None:
    game = played(1, [WRONG], [CODES[0]])
    assert tokens(game.turns) == (1, 1)
    assert tokens(played(1, eve=[(1, 2, 4)]).turns) == (0, 0)


def test_peoples_games_go_on_after_two_interceptions() -> None:
    game = played(3, eve=CODES[:3], rules=Rules(stops_at_interceptions=False))
    assert ending(game) is None
    assert ending(played(2, [WRONG, WRONG], rules=Rules(stops_at_interceptions=False))) == "miscomm"


def test_a_game_that_is_over_takes_no_turn() -> None:
    with pytest.raises(UserError, match="over"):
        reveal(played(8), HINTS[0], WRONG, WRONG)


def test_hints_go_to_their_true_digit_whatever_was_guessed() -> None:
    game = played(2, bob=[WRONG])
    assert hints_by_digit(game.turns, 4) == (("boat",), ("nurse", "clinic"), ("song", "piano"), ("snow",))


def test_codes_are_played_in_their_order() -> None:
    game = played(2)
    assert tuple(turn.code for turn in game.turns) == CODES[:2]
    assert code_of(game) == CODES[2]


@pytest.mark.parametrize(
    "changes",
    [
        {"length": 5},
        {"length": 0},
        {"turns": 0},
        {"tokens": 0},
        {"hints": "loose"},
        {"guesses": "off"},
        {"keywords": 10},
        {"keywords": 4.0},
        {"tokens": True},
        {"turns": "8"},
        {"stops_at_interceptions": "maybe"},
    ],
)
def test_a_game_that_cannot_be_played_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(UserError, match="expected"):
        Rules(**changes)


def test_too_few_words_or_codes_are_refused() -> None:
    with pytest.raises(UserError, match="bank has 3"):
        deal(["a", "b", "c", "a"], 0)
    with pytest.raises(UserError, match="24 codes for 25 turns"):
        deal(BANK, 0, Rules(turns=25))


@pytest.mark.parametrize(
    ("kind", "turn", "digit", "word"), [("show", 1, 1, "a"), ("reveal", 1, 1, ""), ("hide", 0, 1, "")]
)
def test_an_intervention_that_says_nothing_is_refused(kind: str, turn: int, digit: int, word: str) -> None:
    with pytest.raises(UserError, match="intervention"):
        Intervention(kind, turn, digit, word)  # type: ignore[arg-type]


def test_a_world_deals_by_its_rules() -> None:
    assert len(Decrypto(turns=4).deal(3).codes) == 4
    with pytest.raises(UserError, match="did you mean 'turns'"):
        Decrypto(turn=4)


def test_a_game_is_a_value() -> None:
    assert played(2) == played(2)
    assert hash(Game(Rules(), 0, KEYWORDS, CODES)) == hash(Game(Rules(), 0, KEYWORDS, CODES))
