"""A language model at the table: what it is told, what stays in its conversation, and what a fault costs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.evals.inspect.decrypto_words import load_words, phrasings
from otherminds.players.conversation import Conversation, Message, Unreadable
from otherminds.players.decrypto.language import LanguagePlayer
from otherminds.players.decrypto.match import Asked, play
from otherminds.players.decrypto.seats import Answering, Guesser, Hinter, Seat, Thinking
from otherminds.worlds.decrypto.observe import view
from otherminds.worlds.decrypto.questions import ABOUT, WHOSE, Question
from otherminds.worlds.decrypto.types import Code, Game, Hints, Intervention, Role, Rules, Turn

CODES: tuple[Code, ...] = ((1, 2, 3), (2, 3, 4), (3, 4, 1), (4, 1, 2))
KEYWORDS = ("river", "piano", "winter", "doctor")
WORDS = {name: prompt.text for name, prompt in load_words().items()}
Script = Callable[[Conversation], str]


def game(turns: int = 3, **rules: Any) -> Game:
    return Game(Rules(turns=turns, **rules), 0, KEYWORDS, CODES[:turns])


class Alice(Hinter):
    name = "alice"

    def begin(self, role: Role, rules: Rules, seed: int) -> None:
        self.turn = 0

    def hint(self, seen: Any) -> Hints:
        self.turn += 1
        return tuple(f"word{'abcd'[self.turn]}{'xyz'[at]}" for at in range(3))


class Wrong(Guesser):
    """Guesses what is never the code."""

    name = "wrong"

    def begin(self, role: Role, rules: Rules, seed: int) -> None:
        pass

    def guess(self, seen: Any) -> Code:
        return (4, 3, 2)


class Right(Wrong):
    def guess(self, seen: Any) -> Code:
        return CODES[seen.turn - 1]


class Scripted:
    """A model that replies by script, and remembers what it was asked."""

    def __init__(self, reply: Script) -> None:
        self.reply, self.asked = reply, list[Conversation]()

    def __call__(self, conversation: Conversation) -> str:
        self.asked.append(conversation)
        return self.reply(conversation)


def model(reply: Script, **options: Any) -> tuple[LanguagePlayer, Scripted]:
    ask = Scripted(reply)
    return LanguagePlayer("model", ask, WORDS, **options), ask


def right(conversation: Conversation) -> str:
    kind = conversation.wanted.kind
    turn = sum(message.role == "assistant" for message in conversation)
    if kind == "hints":
        return f'ANSWER: {{"hints": ["h{turn}a", "h{turn}b", "h{turn}c"]}}'
    if kind == "guess":
        return f'It fits.\nANSWER: {{"guess": "{"-".join(map(str, CODES[turn]))}"}}'
    return 'ANSWER: {"chance": 0.5}' if kind == "chance" else 'ANSWER: {"keywords": ["a", "b", "c", "d"]}'


def seated(player: Seat, role: Role) -> dict[Role, Seat]:
    usual: dict[Role, Seat] = {"alice": Alice(), "bob": Right(), "eve": Wrong()}
    return {**usual, role: player}


def played(player: Seat, role: Role, attempts: int = 3, turns: int = 3, **rules: Any) -> Episode:
    return play(game(turns, **rules), seated(player, role), attempts=attempts)[1]


def roles(conversation: Sequence[Message]) -> str:
    return "".join(message.role[0] for message in conversation)


def test_it_is_a_player_that_answers_and_shows_its_thoughts() -> None:
    player, _ = model(right)
    assert isinstance(player, Seat)
    assert isinstance(player, Answering)
    assert isinstance(player, Thinking)


@pytest.mark.parametrize("role", ["alice", "bob", "eve"])
def test_one_conversation_a_role_with_the_system_text_once(role: Role) -> None:
    player, ask = model(right)
    episode = played(player, role)
    assert [roles(one) for one in ask.asked][:2] == ["su", "suau"]
    assert all(turn["attempts"][role] == 1 for turn in episode.turns)
    assert not any(turn["failures"] for turn in episode.turns)
    again = played(player, role)  # a new game begins a new conversation
    first = ask.asked[len(episode.turns)]
    assert roles(first) == "su"
    assert first == ask.asked[0]
    assert again.turns == episode.turns


def test_a_turn_tells_alice_the_code_bob_the_hints_and_eve_no_keyword() -> None:
    told: dict[Role, str] = {}
    for role in ("alice", "bob", "eve"):
        player, ask = model(right)
        played(player, role)
        told[role] = "\n".join(message.text for message in ask.asked[0])
    assert "1-2-3, which means the keywords river, piano, winter" in told["alice"]
    assert all(word in told["bob"] for word in (*KEYWORDS, "a) wordbx", "c) wordbz"))
    assert not any(word in told["eve"] for word in KEYWORDS)
    assert "a) wordbx" in told["eve"]
    assert "1-2-3, which means" not in told["bob"] + told["eve"]
    assert all("Nothing has been played yet" in text for text in told.values())


def test_later_turns_open_with_what_became_public() -> None:
    player, ask = model(right)
    played(player, "bob")
    text = ask.asked[1][-1].text
    assert "number 1: the code was 1-2-3, the hints were wordbx, wordby, wordbz" in text
    assert "Bob guessed 1-2-3, Eve guessed 4-3-2. This brought nothing." in text
    assert "1: wordbx\n2: wordby\n3: wordbz\n4: -" in text
    assert "Codes so far: 1-2-3" in text


def test_a_failed_exchange_is_answered_with_a_complaint_and_gone_once_another_succeeds() -> None:
    def stumbles(conversation: Conversation) -> str:
        return "Hm, 1-2-3?" if roles(conversation) == "su" else right(trimmed(conversation))

    def trimmed(conversation: Conversation) -> Conversation:
        done = [m for m in conversation if m.role != "assistant" or "ANSWER" in m.text]
        return Conversation(done, conversation.wanted)

    player, ask = model(stumbles)
    episode = played(player, "bob")
    assert episode.turns[0]["attempts"]["bob"] == 2
    assert roles(ask.asked[1]) == "suau"
    assert ask.asked[1][2].text == "Hm, 1-2-3?"
    assert "no 'ANSWER:'" in ask.asked[1][3].text
    later = ask.asked[2]
    assert roles(later) == "suau"
    assert not any("Hm, 1-2-3?" in message.text or "could not be taken" in message.text for message in later)
    assert episode.turns[0]["thoughts"]["bob"] == {
        "reasoning": "It fits.",
        "replies": ["Hm, 1-2-3?", 'It fits.\nANSWER: {"guess": "1-2-3"}'],
    }


def test_what_breaks_a_rule_is_complained_about_by_the_rule() -> None:
    def repeats(conversation: Conversation) -> str:
        return 'ANSWER: {"guess": "1-1-2"}' if roles(conversation) == "su" else right(conversation)

    player, ask = model(repeats)
    episode = played(player, "bob", turns=1)
    assert "repeats a digit" in ask.asked[1][-1].text
    assert episode.turns[0]["attempts"]["bob"] == 2


@pytest.mark.parametrize(
    "reply",
    ["", "I will not play.", 'ANSWER: {"hints": ["a", "b", "c"]}', None, "raise", 'ANSWER: {"guess": "1-1-1"}'],
    ids=["nothing", "garbage", "wrong kind", "no text", "exception", "broken rule"],
)
def test_a_model_that_never_answers_costs_its_own_turns_and_the_game_goes_on(reply: str | None) -> None:
    def stubborn(conversation: Conversation) -> str:
        if reply == "raise":
            raise RuntimeError("the line is dead")
        return reply  # type: ignore[return-value]

    player, ask = model(stubborn)
    episode = played(player, "eve", attempts=3)
    assert len(episode.turns) == 3
    assert (episode.end or {})["ending"] == "survived"
    for turn in episode.turns:
        assert turn["eve"] == [0, 0, 0]
        assert turn["failures"] == ["eve"]
        assert turn["attempts"]["eve"] == 3
        assert len(turn["complaints"]["eve"]) == 3
    assert len(player.notes()) == len(ask.asked) == 9
    assert all(one["problem"] for one in player.notes()[:2])
    # Nothing of a turn without an answer stays: the next begins as if it had been the first message.
    assert roles(ask.asked[3]) == "su"


def test_a_call_that_failed_is_repeated_as_it_was() -> None:
    calls = []

    def fails_once(conversation: Conversation) -> str:
        calls.append(conversation)
        if len(calls) == 1:
            raise TimeoutError("no reply in time")
        return right(conversation)

    player, ask = model(fails_once)
    played(player, "bob", turns=1)
    assert ask.asked[0] == ask.asked[1]
    assert player.notes()[0] == {
        "role": "bob",
        "turn": 1,
        "about": "guess",
        "reply": None,
        "problem": "the call failed: TimeoutError: no reply in time",
    }


def test_an_empty_reply_is_complained_about_without_an_empty_message() -> None:
    player, ask = model(lambda conversation: "" if len(ask.asked) == 1 else right(conversation))
    played(player, "bob", turns=1)
    assert roles(ask.asked[1]) == "su"
    assert "there was no reply" in ask.asked[1][-1].text


class Curious:
    """Asks every question that there are words for."""

    def interventions(self, game: Game) -> Sequence[Intervention]:
        return ()

    def before_hints(self, game: Game) -> Sequence[Asked]:
        return [Asked("A", "eve", Question("keywords")), Asked("B", "eve", Question("keywords", "before", KEYWORDS))]

    def after_hints(self, game: Game, hints: Hints) -> Sequence[Asked]:
        return [Asked("P", "alice", Question("guess", "eve", hints=hints))]


def test_questions_on_the_side_leave_no_trace() -> None:
    quiet, without = model(right)
    played(quiet, "eve")
    player, ask = model(right)
    _, episode = play(game(), seated(player, "eve"), Curious(), attempts=3)
    acts = [one for one in ask.asked if one.wanted.kind == "guess"]
    assert acts == without.asked
    probes = [one for one in ask.asked if one.wanted.kind == "keywords"]
    assert len(probes) == 4  # she intercepts twice
    assert "shown to you. They are:\n1 = river" in probes[1][-1].text
    assert "river" not in probes[0][-1].text
    assert episode.turns[1]["answers"][0]["answer"] == ["a", "b", "c", "d"]


def test_alice_is_asked_with_her_hints_before_her() -> None:
    player, ask = model(right)
    play(game(turns=1), seated(player, "alice"), Curious(), attempts=3)
    probe = ask.asked[-1]
    assert roles(probe) == "suau"
    assert '"h0a"' in probe[2].text
    assert "a) h0a" in probe[-1].text


def test_a_question_is_asked_again_with_the_complaint() -> None:
    def once(conversation: Conversation) -> str:
        is_first = conversation.wanted.kind == "keywords" and "could not be taken" not in conversation[-1].text
        return "I wonder." if is_first else right(conversation)

    player, ask = model(once)
    _, episode = play(game(turns=1), seated(player, "eve"), Curious(), attempts=3)
    probes = [one for one in ask.asked if one.wanted.kind == "keywords"]
    assert [roles(one) for one in probes] == ["su", "suau", "su", "suau"]
    assert [one["attempts"] for one in episode.turns[0]["answers"] if one["role"] == "eve"] == [2, 2]
    assert [one["about"] for one in player.notes()][:2] == ["keywords of now"] * 2


def test_one_player_may_fill_two_roles_with_a_conversation_for_each() -> None:
    player, ask = model(right)
    seats = {**seated(player, "bob"), "eve": player}
    play(game(turns=2), seats, attempts=2)
    assert [roles(one) for one in ask.asked] == ["su", "su", "suau", "suau"]
    assert ask.asked[0][0] != ask.asked[1][0]


def test_what_somebody_did_to_the_hints_is_told_to_those_who_may_know() -> None:
    changes = (
        Intervention("hide", 1, 1),
        Intervention("falsify", 1, 2, "moon"),
        Intervention("reveal", 1, 3, "winter"),
    )
    turn = Turn(CODES[0], ("wet", "keys", "snow"), CODES[0], CODES[1])
    now = replace(game(), turns=(turn,), interventions=changes)
    alice, ask_alice = model(right)
    alice.begin("alice", now.rules, 0)
    alice.hint(view(now, "alice"))
    text = ask_alice.asked[0][-1].text
    assert 'the hint "wet" for digit 1 in turn 1 was blotted out for Eve' in text
    assert 'was "keys", Eve was shown "moon" instead' in text
    assert 'Eve was shown "winter" as the keyword of digit 3' in text
    eve, ask_eve = model(right)
    eve.begin("eve", now.rules, 0)
    eve.guess(view(now, "eve", ("a", "b", "c")))
    text = ask_eve.asked[0][-1].text
    assert "1: ?\n2: moon" in text
    assert "written as ? was blotted out" in text
    assert 'keyword of digit 3 is "winter"' in text
    assert "keys" not in text
    assert "You are told" not in text


def test_every_question_has_words_or_is_refused_by_name() -> None:
    asked = [Question(about, whose, hints=("a", "b", "c")) for about in ABOUT for whose in WHOSE]
    player, _ = model(right)
    player.begin("alice", Rules(), 0)
    known = [one for one in asked if f"probe_{one.about}_{one.whose}" in WORDS]
    assert len(known) == 7
    for question in asked:
        if question in known:
            player.answer(view(game(), "alice"), question)
        else:
            with pytest.raises(UserError, match="there are no words for 'probe_"):
                player.answer(view(game(), "alice"), question)


@pytest.mark.parametrize("phrasing", phrasings())
def test_phrasings_change_the_teams_words_and_never_eves(phrasing: str) -> None:
    words = {name: prompt.text for name, prompt in load_words(phrasing).items()}
    for role in ("alice", "bob", "eve"):
        ask = Scripted(right)
        player = LanguagePlayer("model", ask, words)
        played(player, role, turns=1)
        plain, ask_plain = model(right)
        played(plain, role, turns=1)
        is_same = ask.asked == ask_plain.asked
        assert is_same == (role == "eve" or phrasing == "plain")
        assert "{" not in ask.asked[0][0].text


def test_there_are_at_least_four_phrasings_besides_each_other() -> None:
    assert len(phrasings()) >= 5
    assert phrasings()[0] == "plain"
    texts = {load_words(name)["rules"].text for name in phrasings()}
    assert len(texts) == len(phrasings())


def test_an_unreadable_reply_is_told_apart_from_a_failed_call() -> None:
    player, _ = model(lambda conversation: "x")
    player.begin("bob", Rules(), 0)
    with pytest.raises(Unreadable):
        player.guess(view(game(), "bob", ("a", "b", "c")))
