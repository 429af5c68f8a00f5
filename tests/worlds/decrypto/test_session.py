"""What a session does with minds of all kinds, the broken ones above all."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pytest

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.match import Lineup, play, play_one
from otherminds.core.mind import BaseMind, Briefing, Reply
from otherminds.core.registry import entries
from otherminds.core.seeds import child_seed
from otherminds.core.world import Ask
from otherminds.minds.find import find_mind
from otherminds.worlds.decrypto.evals.results import validity
from otherminds.worlds.decrypto.probes import Asked, question
from otherminds.worlds.decrypto.types import ROLES, Game, Intervention, Rules
from otherminds.worlds.decrypto.world import Decrypto
from tests.worlds.decrypto.minds.asking import minds, named, opened, played

WORLD = Decrypto()


@dataclass
class Scripted(BaseMind):
    """Gives what it is told to, call by call, and then the last again; an exception is raised."""

    says: Sequence[Any]
    answers: Sequence[Any] = ()
    name: str = "scripted"
    asks: list[Ask] = field(default_factory=list)
    probes: list[Ask] = field(default_factory=list)

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self.asks.clear()

    def reply(self, ask: Ask) -> Reply:
        told, asks = (self.says, self.asks) if ask.probe is None else (self.answers, self.probes)
        asks.append(ask)
        found = told[min(len(asks), len(told)) - 1]
        if isinstance(found, Exception):
            raise found
        return Reply(found)


def test_a_game_is_played_to_its_end_and_recorded() -> None:
    game, episode = played(WORLD.deal(0), minds())
    score = {"alice": -1, "bob": -1, "eve": 1}
    assert episode.end == {
        "ending": "intercept",
        "turns": len(game.turns),
        "outcome": {"success": False, "score": score},
    }
    assert [turn["hints"] for turn in episode.turns] == [list(turn.hints) for turn in game.turns]
    assert list(episode.minds.values()) == ["glove"] * 3
    assert episode.start["keywords"] == list(game.keywords)
    assert all(turn["attempts"] == {"alice": 1, "bob": 1, "eve": 1} and not turn["failures"] for turn in episode.turns)


def test_the_same_seed_and_minds_give_the_same_record() -> None:
    assert played(WORLD.deal(5), minds()) == played(WORLD.deal(5), minds())
    assert played(WORLD.deal(5), minds()) != played(WORLD.deal(6), minds())


@pytest.mark.parametrize(
    "bad", [None, (), "1-2", (1, 2), (1, 1, 2), (7, 8, 9), ("a", "b", "c"), 4, ValueError("boom"), ((1,), 2, 3)]
)
def test_a_guesser_that_answers_nonsense_costs_its_own_turn_only(bad: Any) -> None:
    bob = Scripted([bad])
    game, episode = played(WORLD.deal(1), minds(bob=bob), attempts=3)
    assert [turn.bob for turn in game.turns] == [(0, 0, 0)] * 2
    assert episode.end is not None
    assert episode.end["ending"] == "miscomm"
    assert all(turn["failures"] == ["bob"] and turn["attempts"]["bob"] == 3 for turn in episode.turns)
    assert len(episode.turns[0]["complaints"]["bob"]) == 3


@pytest.mark.parametrize("bad", [None, "one two three", ("a", "b"), ("a", "b", " "), (1, 2, 3), RuntimeError("boom")])
def test_an_alice_that_answers_nonsense_gives_no_hint(bad: Any) -> None:
    game, episode = played(WORLD.deal(1), minds(alice=Scripted([bad])), attempts=2)
    assert game.turns[0].hints == ("no_hint",) * 3
    assert "alice" in episode.turns[0]["failures"]
    assert "problems" not in episode.turns[0], "what stands for an answer breaks no rule of hints"


def test_who_is_asked_again_is_told_why_and_may_mend_it() -> None:
    eve = Scripted([(1, 1, 2), ValueError("boom"), (1, 2, 3)])
    _, episode = played(WORLD.deal(1), minds(eve=eve, bob="perfect"))
    assert episode.turns[0]["eve"] == [1, 2, 3]
    assert episode.turns[0]["attempts"]["eve"] == 3
    assert not episode.turns[0]["failures"]
    told = [ask.complaint for ask in eve.asks[:3]]
    assert told == ["", "guess is (1, 1, 2); expected each option at most once", "ValueError: boom"]
    assert episode.turns[0]["complaints"]["eve"] == told[1:]
    assert episode.validity["eve"] == {"asks": 8, "attempts": 10, "failures": 0}


def test_a_mind_that_cannot_even_begin_is_only_itself_to_blame() -> None:
    class Stillborn(Scripted):
        def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
            raise OSError("no connection")

    _, episode = played(WORLD.deal(1), minds(eve=Stillborn([(1, 2, 3)])))
    assert episode.end is not None


def test_hints_that_break_the_rules_are_counted_or_asked_for_again() -> None:
    game = WORLD.deal(2)
    word = game.keywords[game.codes[0][0] - 1]
    bad, good = (word, "apple", "juice"), ("green", "apple", "juice")
    _, reported = played(game, minds(alice=Scripted([bad])))
    assert repr(word) in reported.turns[0]["problems"][0]
    strict = Decrypto(hints="strict").deal(2)
    _, mended = played(strict, minds(alice=Scripted([bad, good])))
    assert mended.turns[0]["hints"] == list(good)
    assert mended.turns[0]["attempts"]["alice"] == 2
    _, off = played(Decrypto(hints="off").deal(2), minds(alice=Scripted([bad])))
    assert "problems" not in off.turns[0]


def test_lenient_games_take_repeated_digits() -> None:
    _, episode = played(Decrypto(guesses="lenient").deal(2), minds(eve=Scripted([(1, 1, 2)])))
    assert episode.turns[0]["eve"] == [1, 1, 2]


@dataclass
class Curious:
    """Asks Eve for keywords before hints, and Alice for Eve's guess after them; shows a keyword from turn 2 on."""

    def interventions(self, game: Game) -> Sequence[Intervention]:
        return (Intervention("reveal", 1, 1, game.keywords[0]),) if game.turns else ()

    def probes(self, game: Game, when: str) -> Sequence[Asked]:
        if when == "before hints":
            return [Asked("A", "eve", question("keywords", shown=("x",) * 4))]
        return [Asked("P", "alice", question("guess", "eve", when="after hints"))]


def test_questions_are_asked_at_their_moment_and_leave_the_game_alone() -> None:
    eve, alice = (
        Scripted([(1, 2, 3)], [("a", "b", "c", "d")]),
        Scripted([("sun", "moon", "sky")], [(9, 9, 9), (3, 2, 1)]),
    )
    bare = minds(alice=Scripted([("sun", "moon", "sky")]), eve=Scripted([(1, 2, 3)]))
    game, episode = played(WORLD.deal(1), minds(alice=alice, eve=eve), Curious())
    without, _ = played(WORLD.deal(1), bare)
    assert game.turns == without.turns
    first = {probe["name"]: probe for probe in episode.turns[0]["probes"]}
    assert first["A"]["given"] == ["a", "b", "c", "d"]
    assert (first["A"]["id"], first["A"]["kind"], first["A"]["expected"]) == ("1/eve/A", "keywords_now", None)
    assert first["A"]["shown"] == ["x"] * 4
    assert (first["P"]["given"], first["P"]["attempts"], first["P"]["failed"]) == ([3, 2, 1], 2, False)
    assert (first["P"]["chain"], first["P"]["expected"]) == (["eve"], [1, 2, 3])  # what Eve then guessed
    assert eve.probes[0].view.data.hints == ()  # the hints of the turn are not out yet
    assert alice.probes[0].view.data.hints == ("sun", "moon", "sky")
    assert eve.probes[1].view.data.shown == ((1, game.keywords[0]),)
    assert episode.turns[1]["interventions"][0]["kind"] == "reveal"


def test_who_cannot_be_asked_has_failed_and_plays_on() -> None:
    _, episode = played(WORLD.deal(1), minds(eve="uniform"), Curious())
    probe = episode.turns[0]["probes"][0]
    assert (probe["failed"], probe["given"], probe["attempts"]) == (True, ["no_keyword"] * 4, 0)


def test_validity_is_summed_up_apart_from_skill() -> None:
    _, episode = played(WORLD.deal(1), minds(bob=Scripted([None])), attempts=2)
    found = validity([episode])
    assert len(episode.turns) == 2
    assert found["bob"] == {"valid": 0.0, "attempts": 2.0}
    assert found["eve"]["valid"] == 1.0


# What every session and mind must keep to.

MINDS = sorted(
    {entry.name for entry in entries("mind", "decrypto")}
    - {"human", "recorded", "likelihood", "silent", "reality-biased"}
)


class Nosy:
    """Asks everybody everything, before and after the hints."""

    def interventions(self, game: Game) -> Sequence[Intervention]:
        return ()

    def probes(self, game: Game, when: str) -> Sequence[Asked]:
        if when == "after hints":
            about: list[Any] = ["keywords", "guess", "chance"]
            return [
                Asked(f"{one}-{whose}", role, question(one, whose))
                for role in ROLES
                for one in about
                for whose in WHOSE
            ]
        shown = {"alice": None, "bob": None, "eve": game.keywords}
        return [
            Asked(f"K-{whose}", role, question("keywords", whose, shown[role])) for role in ROLES for whose in WHOSE
        ]


WHOSE: tuple[Any, ...] = ("now", "before", "other", "eve")


def acts_of(episode: Any) -> list[Any]:
    return [[turn[name] for name in ("hints", "bob", "eve")] for turn in episode.turns]


@pytest.mark.parametrize("name", [*MINDS, "simulating:eve=uniform"])
def test_probes_leave_no_trace_in_what_a_mind_does_and_thinks(name: str) -> None:
    """With every question there is and with none, the same is done and thought, turn by turn."""
    found = []
    for study in (None, Nosy()):
        seats = minds(**{seat: name for seat in ROLES if can_be(name, seat)})
        _, episode = played(Decrypto(turns=4, tokens=9).deal(11), seats, study)
        thoughts = [turn.get("thoughts") for turn in episode.turns]
        found.append((acts_of(episode), thoughts))
    assert found[0] == found[1]


def can_be(name: str, seat: str) -> bool:
    try:
        named(name, seat)
    except UserError:
        return False
    return True


def test_no_mind_is_given_the_seed_of_the_episode() -> None:
    given: dict[str, int] = {}

    class Listening(Scripted):
        def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
            given[seat] = seed
            assert briefing.setting == Rules()

    session = WORLD.open(7)
    play_one(session, {seat: Listening([("a", "b", "c") if seat == "alice" else (1, 2, 3)]) for seat in ROLES})
    assert given == {seat: child_seed(7, f"decrypto/{seat}") for seat in ROLES}
    assert 7 not in given.values()
    again = WORLD.open(7, repeat=1)
    assert again.mind_seed("eve", "") != given["eve"]


def test_the_log_of_a_seat_grows_and_is_never_rewritten() -> None:
    """It holds the hints and the turns, and nothing else."""
    logs: dict[str, list[tuple[Any, ...]]] = {seat: [] for seat in ROLES}

    class Watching(Scripted):
        def reply(self, ask: Ask) -> Reply:
            logs[ask.seat].append(ask.view.log)
            return super().reply(ask)

    seats = {seat: Watching([("a", "b", "c")] if seat == "alice" else [(1, 2, 3)], [0.5]) for seat in WORLD.seats}
    game, _ = played(Decrypto(turns=4, tokens=9).deal(2), seats, Nosy())
    for seen in logs.values():
        for before, after in pairwise(seen):
            assert after[: len(before)] == before
    assert logs["alice"][-1][1::2] == game.turns[:3]


def test_a_session_can_be_driven_by_hand_and_repeats_itself() -> None:
    def drive() -> Any:
        session = WORLD.open(4)
        while asks := session.asks():
            for ask in asks:
                value = ("a", "b", "c") if ask.seat == "alice" else (4, 3, 2)
                session.reply(ask.id, Reply(value))
        return session.episode

    first = drive()
    assert [turn["eve"] for turn in first.turns] == [[4, 3, 2]] * len(first.turns)
    assert vars(first) == vars(drive())
    assert [ask.id for ask in WORLD.open(4).asks()] == ["1/alice"]
    session = WORLD.open(4)
    session.reply("1/alice", Reply(("a", "b", "c")))
    assert [ask.id for ask in session.asks()] == ["1/bob", "1/eve"]


def test_records_replay_and_give_their_replies_again() -> None:
    seats = minds(alice="simulating", eve="leaky")
    _, episode = played(WORLD.deal(3), seats, Curious())
    assert WORLD.replay(episode).states[-1].turns
    replies = WORLD.replies(episode)
    assert replies["1/alice"] == episode.turns[0]["hints"]
    assert replies["2/eve/A"] == episode.turns[1]["probes"][0]["given"]
    session = opened(WORLD.deal(3), Curious())
    while asks := session.asks():
        for ask in asks:
            assert ask.form.check(replies[ask.id]) == ""
            session.reply(ask.id, Reply(ask.form.take(replies[ask.id])))
    assert acts_of(session.episode) == acts_of(episode)
    assert session.episode.end == episode.end


@pytest.mark.parametrize("name", ["smarties", "three_mountains", "hide"])
def test_a_suite_is_the_games_of_an_experiment(name: str) -> None:
    items = list(WORLD.suite(name))
    assert len({item.id for item in items}) == len(items)
    groups = {item.group for item in items}
    assert len(groups) == 96
    assert len(items) == 96 * (2 if name == "hide" else 1)
    tables = (Lineup(WORLD.open(0, item), minds(eve="simulating", alice="simulating")) for item in items[:2])
    for episode in play(tables):
        assert episode.notes["experiment"] == name
        assert set(WORLD.summary([episode])) >= {"turns", "decoded", "eve_valid"}


def test_the_experiment_is_an_option_of_the_world() -> None:
    world = Decrypto(experiment="hide", arm="told")
    assert world.rules.turns == 4
    episode = play_one(world.open(0), minds())
    assert episode.turns[3]["interventions"][0]["told"] == ["alice"]
    assert world.summary([episode])["value"] is not None
    assert Decrypto.of(episode).check(Episode.from_lines(json.loads(json.dumps(episode.lines())))) == len(episode.turns)
    for wrong, why in (
        ({"experiment": "hidden"}, "did you mean 'hide'"),
        ({"experiment": "hide", "arm": "tolt"}, "did you mean 'told'"),
        ({"arm": "told"}, "without an experiment"),
        ({"turn": 3}, "did you mean 'turns'"),
    ):
        with pytest.raises(UserError, match=why):
            Decrypto(**wrong)


def test_decoupled_acts_as_the_baseline_and_says_what_a_modeller_says() -> None:
    decoupled, plain, modeller = (
        played(WORLD.deal(3), minds(eve=eve), Curious())[1] for eve in ("decoupled", "glove", "bayes")
    )
    assert acts_of(decoupled) == acts_of(plain)
    assert decoupled.turns[0]["probes"][0]["given"] == modeller.turns[0]["probes"][0]["given"]


def test_generic_minds_sit_in_any_seat() -> None:
    seats = {seat: find_mind("random", WORLD, seat) for seat in WORLD.seats}
    episode = play_one(WORLD.open(1), seats)
    assert all(counts["failures"] == 0 for counts in episode.validity.values())
    silent = play_one(WORLD.open(1), {seat: find_mind("silent", WORLD, seat) for seat in WORLD.seats})
    assert silent.turns[0]["hints"] == ["no_hint"] * 3
    assert (silent.end or {})["ending"] == "miscomm"
