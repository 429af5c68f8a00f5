"""The one loop: retries with the complaint, defaults, faults of minds, truth, and many tables at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.form import Choice, Form
from otherminds.core.match import Lineup, Referee, play, play_one
from otherminds.core.mind import BaseMind, Briefing, CannotAnswer, Reply
from otherminds.core.world import Ask, Outcome, Probe, Script, Session, View

SIDES = Form.of(Choice("side", ("left", "right")))


class Toy(Session):
    """Two turns: both say a side, and a is asked what b will say. A side may not be said twice by a."""

    attempts = 3

    def __init__(self, seed: int = 0) -> None:
        self.past: list[str] = []
        super().__init__(Episode(f"toy-{seed}", "toy-v0", {}, {}, seed, {}))

    def script(self) -> Script:
        for turn in (1, 2):
            asks = [Ask(f"{turn}/{seat}", seat, turn, View(turn, tuple(self.past)), SIDES) for seat in "ab"]
            probe = Ask(f"{turn}/a/b", "a", turn, View(turn, tuple(self.past)), SIDES, Probe("predict", ("b",)))
            replies = dict((yield asks))
            replies |= yield [probe]
            self.past.append(replies[asks[0].id].value)
            self.episode.turns.append({"replies": {ask: tuple(reply) for ask, reply in replies.items()}})
        self.episode.end = {"outcome": {"success": True, "score": {}}}

    def problem(self, ask: Ask, value: Any) -> str:
        return f"{value} was said before" if ask.seat == "a" and ask.probe is None and value in self.past else ""

    def briefing(self, seat: str) -> Briefing:
        return Briefing("toy-v0", seat, ("a", "b"))

    def default(self, ask: Ask) -> str:
        return "nothing"

    def outcome(self) -> Outcome:
        return Outcome(True, {"a": 1.0})

    def truth(self) -> str:
        return "the truth"


class Says(BaseMind):
    """Says what it is told to, one after the other; an exception is raised."""

    def __init__(self, *replies: Any, name: str = "says") -> None:
        self.left, self.name, self.asked = list(replies), name, list[Ask]()

    def reply(self, ask: Ask) -> Reply:
        self.asked.append(ask)
        reply = self.left.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return Reply(reply)


def replies(episode: Episode) -> dict[str, Reply]:
    return {ask: Reply(*given) for turn in episode.turns for ask, given in turn["replies"].items()}


def test_an_illegal_reply_is_asked_for_again_with_the_complaint() -> None:
    a, b = Says("up", "left", "right", "left", "right", "left"), Says("left", "right")
    given = replies(play_one(Toy(), {"a": a, "b": b}))
    assert [ask.attempt for ask in a.asked] == [1, 2, 1, 1, 2, 1]
    assert a.asked[1].complaint == "side is 'up'; expected one of left, right"
    assert a.asked[4].complaint == "left was said before"
    assert given["1/a"] == Reply("left", attempts=2, complaints=("side is 'up'; expected one of left, right",))


def test_after_the_last_attempt_the_default_stands_and_is_counted_apart() -> None:
    a, b = Says(*["up"] * 9, *["left"] * 9), Says("left", "right")
    episode = play_one(Toy(), {"a": a, "b": b}, attempts=2)
    given = replies(episode)
    assert given["1/a"].value == "nothing"
    assert given["1/a"].is_default
    assert episode.validity["a"] == {"asks": 4, "attempts": 8, "failures": 4}
    assert episode.validity["b"] == {"asks": 2, "attempts": 2, "failures": 0}


def test_a_fault_of_a_mind_costs_an_attempt_and_never_the_episode() -> None:
    a, b = Says(RuntimeError("no"), "left", "right", "right", "left"), Says("left", "right")
    given = replies(play_one(Toy(), {"a": a, "b": b}))
    assert given["1/a"].complaints == ("RuntimeError: no",)


def test_users_mistakes_and_people_who_leave_end_it() -> None:
    with pytest.raises(UserError, match="no file"):
        play_one(Toy(), {"a": Says(UserError("no file")), "b": Says("left")})

    class Leaves(BaseMind):
        name = "leaves"

        def reply(self, ask: Ask) -> Reply:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_one(Toy(), {"a": Leaves(), "b": Says("left")})


def test_who_cannot_answer_is_not_asked_again() -> None:
    a, b = Says("left", CannotAnswer(), "right", CannotAnswer()), Says("left", "right")
    given = replies(play_one(Toy(), {"a": a, "b": b}))
    assert (given["1/a/b"].value, given["1/a/b"].attempts, len(a.asked)) == ("nothing", 0, 4)


def test_truth_is_shown_to_minds_that_say_so_and_to_no_others() -> None:
    class Sees(Says):
        sees_truth = True

    a, b = Sees("left", "left", "right", "right"), Says("left", "right")
    play_one(Toy(), {"a": a, "b": b})
    assert {ask.truth for ask in a.asked} == {"the truth"}
    assert {ask.truth for ask in b.asked} == {None}


def test_no_mind_gets_the_seed_of_the_episode_and_all_get_their_own() -> None:
    seeds: list[int] = []

    class Keeps(Says):
        def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
            seeds.append(seed)

    play_one(Toy(7), {"a": Keeps("left", "left", "right", "right"), "b": Keeps("left", "right")})
    assert len({*seeds, 7}) == 3


def test_an_empty_seat_is_named() -> None:
    with pytest.raises(UserError, match="seat 'b' has no mind; set one with --seat b=NAME"):
        play_one(Toy(), {"a": Says("left")})


def test_minds_that_reply_to_many_asks_get_those_of_all_tables_together() -> None:
    sizes: list[int] = []

    class Many(BaseMind):
        name = "many"

        def reply(self, ask: Ask) -> Reply:
            raise AssertionError("asked alone")

        def replies(self, asks: Sequence[Ask]) -> list[Reply]:
            sizes.append(len(asks))
            return [Reply("right" if "left" in ask.view.log else "left") for ask in asks]

    mind = Many()
    episodes = list(play([Lineup(Toy(seed), {"a": mind, "b": mind}) for seed in range(5)], at_once=3))
    assert [episode.id for episode in episodes] == [f"toy-{seed}" for seed in range(5)]
    assert max(sizes) == 6
    assert all(episode.end for episode in episodes)


def test_sessions_take_replies_from_anywhere_in_any_order_and_repeating_one_changes_nothing() -> None:
    session = Toy()
    assert [ask.id for ask in session.asks()] == ["1/a", "1/b"]
    session.reply("1/b", Reply("left"))
    session.reply("1/b", Reply("right"))
    assert [ask.id for ask in session.asks()] == ["1/a"]
    session.reply("1/a", Reply("left"))
    session.reply("1/a", Reply("right"))
    assert [ask.id for ask in session.asks()] == ["1/a/b"]
    with pytest.raises(UserError, match=r"no ask '2/a' is open; expected 1/a/b"):
        session.reply("2/a", Reply("left"))


def test_keys_never_reach_a_complaint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOY_API_KEY", "sk-very-secret-key")
    session = Toy()
    again = Referee(session).take(session.asks()[0], RuntimeError("refused sk-very-secret-key"))
    assert again is not None
    assert again.complaint == "RuntimeError: refused [hidden]"


def test_attempts_must_be_positive() -> None:
    with pytest.raises(UserError, match="attempts is 0; expected at least 1"):
        play_one(Toy(), {"a": Says("left")}, attempts=0)


def test_a_mind_that_returns_no_reply_is_told_what_was_expected() -> None:
    class Bare(BaseMind):
        name = "bare"

        def reply(self, ask: Ask) -> Any:
            return "left"

    class Short(Bare):
        def replies(self, asks: Sequence[Ask]) -> Any:
            return []

    for mind in (Bare(), Short()):
        episode = play_one(Toy(), {"a": mind, "b": Says("left", "right")})
        assert episode.complaints["a"][0].endswith("expected Reply(value)")
        assert episode.validity["a"]["failures"] == 4


def test_a_mind_that_cannot_begin_fails_with_its_own_words() -> None:
    class Breaks(Says):
        def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
            raise RuntimeError("boom")

    episode = play_one(Toy(), {"a": Breaks("left"), "b": Says("left", "right")})
    assert episode.complaints == {"a": ["RuntimeError: boom"]}
    assert episode.validity["b"]["failures"] == 0
