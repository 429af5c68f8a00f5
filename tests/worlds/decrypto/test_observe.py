from dataclasses import replace

import pytest

from otherminds.worlds.decrypto.ledger import Fact, ledger_of
from otherminds.worlds.decrypto.observe import eve_as_seen_by, view
from otherminds.worlds.decrypto.types import HIDDEN, ROLES, Intervention, Role, dashed
from tests.worlds.decrypto.games import CODES, HINTS, KEYWORDS, played

NOW = ("opera", "frost", "bridge")
HIDE = Intervention("hide", 1, 2)
FALSIFY = Intervention("falsify", 2, 4, "desert")
REVEAL = Intervention("reveal", 2, 3, "music")


def test_only_alice_sees_the_code_and_eve_no_keyword() -> None:
    game = played(2)
    alice, bob, eve = view(game, "alice"), view(game, "bob", NOW), view(game, "eve", NOW)
    assert alice.code == CODES[2]
    assert bob.code == ()
    assert eve.code == ()
    assert alice.keywords == bob.keywords == KEYWORDS
    assert eve.keywords == ()
    assert alice.hints == ()
    assert bob.hints == eve.hints == NOW


def test_nothing_in_eves_view_depends_on_keywords_or_codes_to_come() -> None:
    game = played(2)
    other = replace(game, keywords=("a", "b", "c", "d"), codes=(*CODES[:2], *reversed(CODES[2:])), seed=99)
    assert view(game, "eve", NOW) == view(other, "eve", NOW)


def test_nothing_in_bobs_view_depends_on_this_turns_code() -> None:
    game = played(2)
    other = replace(game, codes=(*CODES[:2], *reversed(CODES[2:])), seed=99)
    assert view(game, "bob", NOW) == view(other, "bob", NOW)


def test_the_past_is_public() -> None:
    game = played(2, eve=[CODES[0]])
    for role in ROLES:
        seen = view(game, role, NOW)
        assert seen.past == game.turns
        assert seen.used == CODES[:2]
        assert (seen.tokens, seen.turn) == ((0, 1), 3)


def test_what_is_hidden_falsified_or_shown_changes_eves_view_alone() -> None:
    game = played(3, interventions=(HIDE, FALSIFY, REVEAL))
    eve = view(game, "eve", NOW)
    assert eve.past[0].hints == ("boat", HIDDEN, "song")
    assert eve.past[1].hints == ("desert", "piano", "clinic")
    assert eve.hints_by_digit[3] == ("desert", "cold")
    assert eve.shown == ((3, "music"),)
    for role in ("alice", "bob"):
        assert view(game, role, NOW).past == game.turns


def test_an_intervention_shows_when_its_turn_is_past() -> None:
    assert view(played(1, interventions=(REVEAL, FALSIFY)), "eve", NOW).shown == ()
    assert view(played(1, interventions=(REVEAL, FALSIFY)), "alice").notices == ()
    assert view(played(2, interventions=(REVEAL,)), "alice").notices == (REVEAL,)


@pytest.mark.parametrize("change", [HIDE, FALSIFY, REVEAL])
def test_who_is_told_sees_eve_as_she_is_and_others_as_if_nothing_had_happened(change: Intervention) -> None:
    game = played(3, interventions=(change,))
    assert eve_as_seen_by(view(game, "alice"), NOW) == view(game, "eve", NOW)
    untold = replace(game, interventions=(replace(change, told=()),))
    assert view(untold, "eve", NOW) == view(game, "eve", NOW)
    assert eve_as_seen_by(view(untold, "alice"), NOW) == view(played(3), "eve", NOW)


@pytest.mark.parametrize("told", [(), ("alice",), ("alice", "bob")])
@pytest.mark.parametrize("changes", [(), (HIDE,), (FALSIFY,), (REVEAL,), (HIDE, FALSIFY, REVEAL)])
def test_views_and_ledger_agree(changes: tuple[Intervention, ...], told: tuple[Role, ...]) -> None:
    game = played(3, interventions=tuple(replace(one, told=told) for one in changes))
    ledger = ledger_of(game)
    eve, thought = view(game, "eve", NOW), eve_as_seen_by(view(game, "alice"), NOW)
    for chain, seen in ((("eve",), eve), (("alice", "eve"), thought)):
        mind = ledger.belief(chain)
        for number, turn in enumerate(seen.past, 1):
            assert mind[Fact("code", number, 0)] == dashed(turn.code)
            for digit, hint in zip(turn.code, turn.hints, strict=True):
                assert mind.get(Fact("hint", number, digit), HIDDEN) == hint
        shown = {digit: word for (kind, _, digit), word in mind.items() if kind == "keyword"}
        assert shown == dict(seen.shown)


def test_the_ledger_knows_who_is_mistaken_about_whom() -> None:
    game = played(3, interventions=(replace(FALSIFY, told=("alice",)),))
    ledger, fact = ledger_of(game), Fact("hint", 2, 4)
    assert ledger.belief()[fact] == ledger.belief(("bob",))[fact] == "snow"
    assert ledger.belief(("eve",))[fact] == ledger.belief(("alice", "eve"))[fact] == "desert"
    assert ledger.belief(("bob", "eve"))[fact] == "snow"  # nobody told him
    assert ledger.belief(("eve", "alice"))[fact] == "desert"  # she cannot know that it is false
    assert Fact("keyword", 0, 1) not in ledger.belief(("alice", "eve"))
    assert Fact("keyword", 0, 1) not in ledger.belief(("eve", "alice"))
    assert ledger.belief(("bob", "alice"))[Fact("keyword", 0, 1)] == "river"


def test_the_history_of_a_game_is_the_games() -> None:
    assert [turn.hints for turn in view(played(4), "eve", NOW).past] == list(HINTS)
