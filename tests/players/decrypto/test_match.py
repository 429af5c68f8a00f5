"""What a match does with players of all kinds, the broken ones above all."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from otherminds.core.errors import UserError
from otherminds.players.decrypto.embedding import EmbeddingAlice, Vocabulary, mean_hints
from otherminds.players.decrypto.find import find_seat
from otherminds.players.decrypto.match import Asked, failures, play
from otherminds.worlds.decrypto.lexicon import Lexicon, lexicon, unit
from otherminds.worlds.decrypto.observe import View, view
from otherminds.worlds.decrypto.questions import Answer, Question
from otherminds.worlds.decrypto.types import Game, Intervention, Role, Rules, Turn
from otherminds.worlds.decrypto.world import Decrypto

WORLD = Decrypto()
ROLES: tuple[Role, ...] = ("alice", "bob", "eve")


@dataclass
class Scripted:
    """Gives what it is told to, call by call, and then the last again; an exception is raised."""

    says: Sequence[Any]
    answers: Sequence[Any] = ()
    name: str = "scripted"
    views: list[View] = field(default_factory=list)
    asked: list[tuple[View, Question]] = field(default_factory=list)

    def begin(self, role: Role, rules: Rules, seed: int) -> None:
        self.views.clear()

    def hint(self, view: View) -> Any:
        return self._next(view)

    guess = hint

    def _next(self, view: View) -> Any:
        self.views.append(view)
        found = self.says[min(len(self.views), len(self.says)) - 1]
        if isinstance(found, Exception):
            raise found
        return found

    def answer(self, view: View, question: Question) -> Answer:
        self.asked.append((view, question))
        found = self.answers[min(len(self.asked), len(self.answers)) - 1]
        if isinstance(found, Exception):
            raise found
        return found  # type: ignore[no-any-return]


def seats(**given: Any) -> dict[Role, Any]:
    return {role: given.get(role) or find_seat("glove", role) for role in ROLES}


def test_a_game_is_played_to_its_end_and_recorded() -> None:
    game, episode = play(WORLD.deal(0), seats())
    assert episode.end == {"ending": "intercept", "turns": len(game.turns)}
    assert [turn["hints"] for turn in episode.turns] == [list(turn.hints) for turn in game.turns]
    assert episode.players == ["glove"] * 3
    assert episode.start["keywords"] == list(game.keywords)
    assert all(turn["attempts"] == {"alice": 1, "bob": 1, "eve": 1} and not turn["failures"] for turn in episode.turns)


def test_the_same_seed_and_players_give_the_same_record() -> None:
    assert play(WORLD.deal(5), seats()) == play(WORLD.deal(5), seats())


@pytest.mark.parametrize(
    "bad", [None, (), "1-2-3", (1, 2), (1, 1, 2), (7, 8, 9), ("a", "b", "c"), 4, ValueError("boom"), ((1,), 2, 3)]
)
def test_a_guesser_that_answers_nonsense_costs_its_own_turn_only(bad: Any) -> None:
    bob = Scripted([bad])
    game, episode = play(WORLD.deal(1), seats(bob=bob), attempts=3)
    assert [turn.bob for turn in game.turns] == [(0, 0, 0)] * 2
    assert episode.end == {"ending": "miscomm", "turns": 2}
    assert all(turn["failures"] == ["bob"] and turn["attempts"]["bob"] == 3 for turn in episode.turns)
    assert len(episode.turns[0]["complaints"]["bob"]) == 3


@pytest.mark.parametrize("bad", [None, "one two three", ("a", "b"), ("a", "b", " "), (1, 2, 3), RuntimeError("boom")])
def test_an_alice_that_answers_nonsense_gives_no_hint(bad: Any) -> None:
    game, episode = play(WORLD.deal(1), seats(alice=Scripted([bad])), attempts=2)
    assert game.turns[0].hints == ("no_hint",) * 3
    assert "alice" in episode.turns[0]["failures"]
    assert "problems" not in episode.turns[0], "what stands for an answer breaks no rule of hints"


def test_who_is_asked_again_is_told_why_and_may_mend_it() -> None:
    eve = Scripted([(1, 1, 2), ValueError("boom"), (1, 2, 3)])
    _, episode = play(WORLD.deal(1), seats(eve=eve, bob=find_seat("perfect", "bob")))
    assert episode.turns[0]["eve"] == [1, 2, 3]
    assert episode.turns[0]["attempts"]["eve"] == 3
    assert not episode.turns[0]["failures"]
    assert [view.complaint for view in eve.views[:3]] == [
        "",
        "repeats a digit; the digits of a code differ",
        "ValueError: boom",
    ]


def test_a_player_that_cannot_even_begin_is_only_itself_to_blame() -> None:
    class Stillborn(Scripted):
        def begin(self, role: Role, rules: Rules, seed: int) -> None:
            raise OSError("no connection")

    _, episode = play(WORLD.deal(1), seats(eve=Stillborn([(1, 2, 3)])))
    assert episode.end is not None


def test_hints_that_break_the_rules_are_counted_or_asked_for_again() -> None:
    game = WORLD.deal(2)
    word = game.keywords[game.codes[0][0] - 1]
    bad, good = (word, "apple", "juice"), ("green", "apple", "juice")
    _, reported = play(game, seats(alice=Scripted([bad])))
    assert repr(word) in reported.turns[0]["problems"][0]
    strict = Decrypto(hints="strict").deal(2)
    _, mended = play(strict, seats(alice=Scripted([bad, good])))
    assert mended.turns[0]["hints"] == list(good)
    assert mended.turns[0]["attempts"]["alice"] == 2
    _, off = play(Decrypto(hints="off").deal(2), seats(alice=Scripted([bad])))
    assert "problems" not in off.turns[0]


def test_lenient_games_take_repeated_digits() -> None:
    _, episode = play(Decrypto(guesses="lenient").deal(2), seats(eve=Scripted([(1, 1, 2)])))
    assert episode.turns[0]["eve"] == [1, 1, 2]


@dataclass
class Curious:
    """Asks Eve for keywords before hints, and Alice for Eve's guess after them; shows a keyword from turn 2 on."""

    def interventions(self, game: Game) -> Sequence[Intervention]:
        return (Intervention("reveal", 1, 1, game.keywords[0]),) if game.turns else ()

    def before_hints(self, game: Game) -> Sequence[Asked]:
        return [Asked("A", "eve", Question("keywords", shown=("x",) * 4))]

    def after_hints(self, game: Game, hints: tuple[str, ...]) -> Sequence[Asked]:
        return [Asked("P", "alice", Question("guess", "eve", hints=hints))]


def test_questions_are_asked_at_their_moment_and_leave_the_game_alone() -> None:
    eve, alice = (
        Scripted([(1, 2, 3)], [("a", "b", "c", "d")]),
        Scripted([("sun", "moon", "sky")], [(9, 9, 9), (3, 2, 1)]),
    )
    bare = seats(alice=Scripted([("sun", "moon", "sky")]), eve=Scripted([(1, 2, 3)]))
    game, episode = play(WORLD.deal(1), seats(alice=alice, eve=eve), Curious())
    without, _ = play(WORLD.deal(1), bare)
    assert game.turns == without.turns
    first = {answer["name"]: answer for answer in episode.turns[0]["answers"]}
    assert first["A"]["answer"] == ["a", "b", "c", "d"]
    assert first["A"]["shown"] == ["x"] * 4
    assert (first["P"]["answer"], first["P"]["attempts"], first["P"]["failed"]) == ([3, 2, 1], 2, False)
    assert eve.asked[0][0].hints is None  # the hints of the turn are not out yet
    assert eve.asked[1][0].shown == ((1, game.keywords[0]),)
    assert episode.turns[1]["interventions"][0]["kind"] == "reveal"


def test_who_cannot_be_asked_has_failed_and_plays_on() -> None:
    _, episode = play(WORLD.deal(1), seats(eve=find_seat("uniform", "eve")), Curious())
    answer = episode.turns[0]["answers"][0]
    assert (answer["failed"], answer["answer"]) == (True, ["no_keyword"] * 4)


def test_validity_is_summed_up_apart_from_skill() -> None:
    _, episode = play(WORLD.deal(1), seats(bob=Scripted([None])), attempts=2)
    found = failures([episode])
    assert found["bob"] == {"acts": 2, "attempts": 4, "failures": 2}
    assert found["eve"]["failures"] == 0


# Players by name.


def test_a_lexicon_alone_is_the_baseline_with_it() -> None:
    assert find_seat("moby", "bob").meaning.name == "moby"  # type: ignore[attr-defined]
    alice = find_seat("embedding:lexicon=glove,k=60,vocabulary_size=3000", "alice")
    assert alice.k == 60  # type: ignore[attr-defined]
    assert alice.name == "embedding:lexicon=glove,k=60,vocabulary_size=3000"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("golve", "did you mean 'glove'"),
        ("glove:kk=3", "no option 'kk'; did you mean 'k'"),
        ("glove:k", "no value"),
        ("glove:k=0", "at least 1"),
        ("glove:assigns=best", "global or greedy"),
        ("uniform", "cannot be alice"),
        ("embedding:lexicon=none", "no lexicon"),
    ],
)
def test_a_player_that_cannot_be_had_is_named(spec: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        find_seat(spec, "alice")


def test_there_are_three_roles() -> None:
    with pytest.raises(UserError, match="no role 'carol'"):
        find_seat("glove", "carol")  # type: ignore[arg-type]


def test_an_embedding_eve_makes_nothing_of_a_hint_that_she_could_not_read() -> None:
    """A blot is no word: it must not count as one that the lexicon does not know."""
    hinted = Turn((1, 2, 3), ("boat", "piano", "snow"), (1, 2, 3), (1, 2, 3))
    game = Game(Rules(), 0, ("river", "music", "winter", "doctor"), ((1, 2, 3), (2, 1, 4)), (hinted,))
    blots = tuple(Intervention("hide", 1, digit) for digit in (1, 2))
    means = mean_hints(lexicon("glove"), view(replace(game, interventions=blots), "eve", ("a", "b", "c")))
    assert not means[0].any()
    assert not means[1].any()
    assert means[2].any()


def test_alice_looks_at_one_word_more_each_time_a_keyword_is_hinted_at() -> None:
    """With k = 1 she says the nearest word, then the next nearest, and never has to fall back (spec 3)."""
    angles = {"sun": 0, "near": 5, "middle": 10, "far": 15, "moon": 90, "dark": 95}
    rows = np.array([[np.cos(np.radians(angle)), np.sin(np.radians(angle))] for angle in angles.values()])
    words = Vocabulary(Lexicon("tiny", tuple(angles), unit(rows)), ("far", "near", "dark", "middle"))
    rules = Rules(keywords=2, length=1, turns=2)
    alice = EmbeddingAlice(words, k=1)
    alice.begin("alice", rules, 0)
    seen = view(Game(rules, 0, ("sun", "moon"), ((1,), (2,))), "alice")
    assert [alice.hint(seen) for _ in range(3)] == [("near",), ("middle",), ("far",)]
    assert alice.fallbacks == 0
