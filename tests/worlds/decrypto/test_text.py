"""What seats are told in words: language models by the prompts of Decrypto, people at the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from string import Formatter
from typing import Any, cast

import pytest

from otherminds.core.episodes import Episode
from otherminds.core.mind import BaseMind, Reply
from otherminds.core.world import Ask
from otherminds.llm.prompts import load_prompts, phrasings, words_of
from otherminds.minds.human import CLEAR, HumanMind, Quit, Terminal
from otherminds.minds.language import Conversation, LanguageMind, Message
from otherminds.worlds.decrypto.duel import DecryptoDuel
from otherminds.worlds.decrypto.observe import view
from otherminds.worlds.decrypto.probes import Asked, guess_form, hints_form, question
from otherminds.worlds.decrypto.session import brief
from otherminds.worlds.decrypto.text import DecryptoView, page, rule_fields
from otherminds.worlds.decrypto.types import ROLES, Code, Game, Intervention, Rules, Turn
from otherminds.worlds.decrypto.world import Decrypto
from tests.worlds.decrypto.minds.asking import minds, played

WORLD = Decrypto()
CODES: tuple[Code, ...] = ((1, 2, 3), (2, 3, 4), (3, 4, 1), (4, 1, 2))
KEYWORDS = ("river", "piano", "winter", "doctor")
WORDS = words_of(load_prompts(WORLD))
Script = Callable[[Conversation], str]


def game(turns: int = 3, **rules: Any) -> Game:
    return Game(Rules(turns=turns, **rules), 0, KEYWORDS, CODES[:turns])


class Told(BaseMind):
    """Says new hints each turn, or guesses right or wrong."""

    def __init__(self, name: str) -> None:
        self.name = name

    def reply(self, ask: Ask) -> Reply:
        hints = tuple(f"word{'abcd'[ask.turn]}{'xyz'[at]}" for at in range(3))
        return Reply({"alice": hints, "right": CODES[ask.turn - 1], "wrong": (4, 3, 2)}[self.name])


class Scripted:
    """A model that replies by script, and remembers what it was asked."""

    def __init__(self, reply: Script) -> None:
        self.reply, self.asked = reply, list[Conversation]()

    def __call__(self, conversation: Conversation) -> str:
        self.asked.append(conversation)
        return self.reply(conversation)


def model(reply: Script, words: Any = WORDS, **options: Any) -> tuple[LanguageMind, Scripted]:
    call = Scripted(reply)
    return LanguageMind("model", call, words, **options), call


def wanted(conversation: Conversation) -> str:
    assert conversation.ask is not None
    return conversation.ask.form.alternatives[0][0].name


def right(conversation: Conversation) -> str:
    turn = sum(message.role == "assistant" for message in conversation)
    return {
        "hints": f'ANSWER: {{"hints": ["h{turn}a", "h{turn}b", "h{turn}c"]}}',
        "guess": f'It fits.\nANSWER: {{"guess": "{"-".join(map(str, CODES[turn]))}"}}',
        "chance": 'ANSWER: {"chance": 0.5}',
        "keywords": 'ANSWER: {"keywords": ["a", "b", "c", "d"]}',
    }[wanted(conversation)]


def sat(mind: Any, *seats: str) -> dict[str, Any]:
    usual = {"alice": Told("alice"), "bob": Told("right"), "eve": Told("wrong")}
    return {**usual, **dict.fromkeys(seats, mind)}


def episode_of(mind: Any, *seats: str, attempts: int = 3, turns: int = 3, study: Any = None, **rules: Any) -> Episode:
    return played(game(turns, **rules), sat(mind, *seats), study, attempts)[1]


def roles(conversation: Sequence[Message]) -> str:
    return "".join(message.role[0] for message in conversation)


@pytest.mark.parametrize("seat", ROLES)
def test_one_conversation_a_seat_with_the_system_text_once(seat: str) -> None:
    mind, call = model(right)
    episode = episode_of(mind, seat)
    assert [roles(one) for one in call.asked][:2] == ["su", "suau"]
    assert all(turn["attempts"][seat] == 1 for turn in episode.turns)
    assert not any(turn["failures"] for turn in episode.turns)
    assert len(episode.exchanges) == len(episode.turns)
    again = episode_of(mind, seat)  # a new episode begins a new conversation
    assert call.asked[len(episode.turns)] == call.asked[0]
    assert again.turns == episode.turns


def test_a_turn_tells_alice_the_code_bob_the_hints_and_eve_no_keyword() -> None:
    told = {}
    for seat in ROLES:
        mind, call = model(right)
        episode_of(mind, seat)
        told[seat] = "\n".join(message.text for message in call.asked[0])
    assert "1-2-3, which means the keywords river, piano, winter" in told["alice"]
    assert all(word in told["bob"] for word in (*KEYWORDS, "a) wordbx", "c) wordbz"))
    assert not any(word in told["eve"] for word in KEYWORDS)
    assert "a) wordbx" in told["eve"]
    assert "1-2-3, which means" not in told["bob"] + told["eve"]
    assert all("Nothing has been played yet" in text for text in told.values())
    assert 'ANSWER: {"guess": "d-d-d"}' in told["eve"]


def test_later_turns_open_with_what_became_public() -> None:
    mind, call = model(right)
    episode_of(mind, "bob")
    text = call.asked[1][-1].text
    assert "number 1: the code was 1-2-3, the hints were wordbx, wordby, wordbz" in text
    assert "Bob guessed 1-2-3, Eve guessed 4-3-2. This brought nothing." in text
    assert "1: wordbx\n2: wordby\n3: wordbz\n4: -" in text
    assert "Codes so far: 1-2-3" in text


def test_a_failed_exchange_is_answered_with_a_complaint_and_gone_once_another_succeeds() -> None:
    def stumbles(conversation: Conversation) -> str:
        done = [m for m in conversation if m.role != "assistant" or "ANSWER" in m.text]
        is_first = roles(conversation) == "su"
        return "Hm,\n1-2-3?" if is_first else right(Conversation(done, cast(Ask, conversation.ask)))

    mind, call = model(stumbles)
    episode = episode_of(mind, "bob")
    assert episode.turns[0]["attempts"]["bob"] == 2
    assert roles(call.asked[1]) == "suau"
    assert "begins with 'ANSWER:'" in call.asked[1][3].text
    later = call.asked[2]
    assert roles(later) == "suau"
    assert not any("Hm," in message.text or "could not be taken" in message.text for message in later)
    assert episode.turns[0]["thoughts"]["bob"]["reasoning"] == "It fits."


def test_what_breaks_a_rule_is_complained_about_by_the_rule() -> None:
    def repeats(conversation: Conversation) -> str:
        is_first = roles(conversation) == "su"
        return 'ANSWER: {"hints": ["rivers", "b", "c"]}' if is_first else right(conversation)

    mind, call = model(repeats)
    episode = episode_of(mind, "alice", turns=1, hints="strict")
    assert "too close to the keyword 'river'" in call.asked[1][-1].text
    assert episode.turns[0]["attempts"]["alice"] == 3  # h1a holds a digit too
    assert episode.turns[0]["failures"] == ["alice"]


class Curious:
    """Asks Eve before the hints, and Alice after them."""

    def interventions(self, game: Game) -> Sequence[Intervention]:
        return ()

    def probes(self, game: Game, when: str) -> Sequence[Asked]:
        if when == "after hints":
            return [Asked("P", "alice", question("guess", "eve", when="after hints"))]
        return [Asked("A", "eve", question("keywords")), Asked("B", "eve", question("keywords", "before", KEYWORDS))]


def test_probes_leave_no_trace_in_the_conversation() -> None:
    quiet, without = model(right)
    episode_of(quiet, "eve")
    mind, call = model(right)
    episode = episode_of(mind, "eve", study=Curious())
    assert [one for one in call.asked if wanted(one) == "guess"] == without.asked
    probes = [one for one in call.asked if wanted(one) == "keywords"]
    assert len(probes) == 4  # she intercepts twice
    assert "shown to you. They are:\n1 = river" in probes[1][-1].text
    assert "river" not in probes[0][-1].text
    assert episode.turns[1]["probes"][0]["given"] == ["a", "b", "c", "d"]


def test_alice_is_asked_with_her_hints_before_her() -> None:
    mind, call = model(right)
    episode_of(mind, "alice", turns=1, study=Curious())
    probe = call.asked[-1]
    assert roles(probe) == "suau"
    assert '"h0a"' in probe[2].text
    assert "a) h0a" in probe[-1].text


def test_one_mind_may_fill_two_seats_with_a_conversation_for_each() -> None:
    mind, call = model(right)
    episode_of(mind, "bob", "eve", turns=2, attempts=2)
    assert [roles(one) for one in call.asked] == ["su", "su", "suau", "suau"]
    assert call.asked[0][0] != call.asked[1][0]


def test_what_somebody_did_to_the_hints_is_told_to_those_who_may_know() -> None:
    changes = (
        Intervention("hide", 1, 1),
        Intervention("falsify", 1, 2, "moon"),
        Intervention("reveal", 1, 3, "winter"),
    )
    turn = Turn(CODES[0], ("wet", "keys", "snow"), CODES[0], CODES[1])
    now = replace(game(), turns=(turn,), interventions=changes)
    for seat, form, hints in (("alice", hints_form(now.rules), ()), ("eve", guess_form(now.rules), ("a", "b", "c"))):
        mind, call = model(right)
        mind.begin(seat, brief("decrypto-v0", seat, ROLES, now.rules), 0)
        seen = view(now, seat, hints)  # type: ignore[arg-type]
        mind.reply(Ask(f"2/{seat}", seat, 2, DecryptoView(seen), form))
        text = call.asked[0][-1].text
        if seat == "alice":
            assert 'the hint "wet" for digit 1 in turn 1 was blotted out for Eve' in text
            assert 'was "keys", Eve was shown "moon" instead' in text
            assert 'Eve was shown "winter" as the keyword of digit 3' in text
        else:
            assert "1: ?\n2: moon" in text
            assert "written as ? was blotted out" in text
            assert 'keyword of digit 3 is "winter"' in text
            assert "keys" not in text
            assert "You are told" not in text


@pytest.mark.parametrize("phrasing", phrasings(WORLD))
def test_phrasings_change_the_teams_words_and_never_eves(phrasing: str) -> None:
    for seat in ROLES:
        asked = []
        for words in (words_of(load_prompts(WORLD, phrasing=phrasing)), WORDS):
            mind, call = model(right, words)
            episode_of(mind, seat, turns=1)
            asked.append(call.asked)
        assert (asked[0] == asked[1]) == (seat == "eve" or phrasing == "plain")
        assert "{" not in asked[0][0][0].text


def test_there_are_five_phrasings_and_eve_has_the_plain_rules() -> None:
    assert len(phrasings(WORLD)) == 5
    assert len({words_of(load_prompts(WORLD, phrasing=name))["rules"] for name in phrasings(WORLD)}) == 5
    assert WORDS["rules_eve"] == WORDS["rules"]


def test_every_field_of_every_prompt_is_known() -> None:
    seen = DecryptoView(view(game(), "alice"), question("keywords"))
    last = ("last_turn", "last_code", "last_hints", "last_bob", "last_eve", "last_tokens")
    fields = {*seen.fields(), *rule_fields(Rules()), *last, "view", "rules", "question", "options", "shown_keywords"}
    fields |= {"format", "example", "mark", "offer", "problem", "blot", "digit", "word", "hint"}
    for phrasing in phrasings(WORLD):
        for name, text in words_of(load_prompts(WORLD, phrasing=phrasing)).items():
            assert {field for _, field, _, _ in Formatter().parse(text) if field} <= fields, name


def test_a_seat_of_a_duel_is_told_what_its_role_is() -> None:
    world = DecryptoDuel()
    mind, call = model(right)
    session = world.open(0)
    mind.begin("second.alice", session.briefing("second.alice"), 0)
    (ask,) = [ask for ask in session.asks() if ask.seat == "second.alice"]
    mind.reply(ask)
    assert "You are Alice. Each turn you are told the code" in call.asked[0][0].text
    assert "You are Alice. The keywords are:" in call.asked[0][1].text


# People.


def terminal(typed: Iterable[str], shown: list[str], people: int = 1) -> Terminal:
    left = iter(typed)

    def ask(prompt: str) -> str:
        shown.append(prompt)
        found = next(left, None)
        if found is None:
            raise EOFError
        return found

    return Terminal(people, ask, shown.append)


def person(typed: Iterable[str], people: int = 1) -> tuple[HumanMind, list[str]]:
    shown: list[str] = []
    return HumanMind(terminal=terminal(typed, shown, people)), shown


def test_a_person_types_hints_and_is_asked_again_by_the_rules() -> None:
    human, shown = person(["wet, keys", "rivers,keys,snow", "wet, black  keys ,snow"])
    _, episode = played(game(1, hints="strict"), sat(human, "alice"))
    text = "\n".join(shown)
    assert episode.turns[0]["hints"] == ["wet", "black keys", "snow"]
    assert "The code: 1-2-3 (river, piano, winter)" in text
    assert "expected 3 texts" in text
    assert "too close to the keyword 'river'" in text


def test_each_seat_sees_its_own_page() -> None:
    now = replace(game(), turns=(Turn((1, 2, 3), ("wet", "keys", "snow"), (1, 2, 3), (4, 3, 2)),))
    pages = {role: page(view(now, role, ("a", "b", "c"))) for role in ROLES}
    assert "The code: 2-3-4" in pages["alice"]
    assert "The code: " not in pages["bob"] + pages["eve"]
    assert not any(word in pages["eve"] for word in KEYWORDS)
    assert all("1: wet" in text and "Codes so far: 1-2-3" in text for text in pages.values())


@pytest.mark.parametrize("typed", [[], ["q"], ["Quit"]])
def test_leaving_is_no_fault_that_the_game_goes_on_after(typed: list[str]) -> None:
    human, _ = person(typed)
    with pytest.raises(Quit):
        played(game(), sat(human, "alice"))


def test_the_screen_is_cleared_when_it_changes_hands() -> None:
    shown: list[str] = []
    shared = terminal(["", "wet,keys,snow", "", "1-2-3", "", "cold,ill,ice", "q"], shown, people=2)
    seats = {**minds(eve="uniform"), "alice": HumanMind(terminal=shared), "bob": HumanMind(terminal=shared)}
    with pytest.raises(Quit):
        played(game(), seats)
    assert shown.count(CLEAR) == 4
    bobs = shown[shown.index("Bob, your turn. Others, please look away. Press Enter to continue> ") :]
    assert "The code: 1-2-3" not in "\n".join(bobs[:4])


def test_a_person_can_be_asked_on_the_side() -> None:
    human, shown = person(["a,b,c", "a, b, c, d", "e, f, g, h", "4-3-2"])
    episode = episode_of(human, "eve", turns=1, study=Curious())
    assert [one["given"] for one in episode.turns[0]["probes"][:2]] == [list("abcd"), list("efgh")]
    assert any("1 = river" in text and "before the keywords were shown" in text for text in shown)
