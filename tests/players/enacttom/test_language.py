"""A language model as one person of a house, played by scripts; and how its replies are read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from otherminds.players.conversation import Conversation, Reply, Unreadable
from otherminds.players.enacttom.find import find_seat
from otherminds.players.enacttom.language import LanguagePlayer
from otherminds.players.enacttom.match import play
from otherminds.players.enacttom.replies import Unspoken, parse_act, read_act, read_answer, sayable, wanted_act
from otherminds.players.enacttom.seats import Seat
from otherminds.players.enacttom.speech import LONGEST, understood_atoms
from otherminds.worlds.enacttom.build import ground
from otherminds.worlds.enacttom.ground import Ground
from otherminds.worlds.enacttom.labels import Labeller
from otherminds.worlds.enacttom.messages import Message
from otherminds.worlds.enacttom.observe import first_look, notes, perceive
from otherminds.worlds.enacttom.probes import Probe
from otherminds.worlds.enacttom.rules import DONE, WAIT, Act, begin, step
from otherminds.worlds.enacttom.texts import act_words, atom_words
from tests.worlds.enacttom.houses import fetch, memo
from tests.worlds.enacttom.test_texts import everything

ROOT = Path(__file__).parents[3] / "src/otherminds/evals/inspect/prompts/enacttom/v1"
WORDS = {path.stem: path.read_text("utf-8") for path in ROOT.glob("*.txt")}
TOLD = Message(0, (1,), (("value", "target", "table2"),))
GARBAGE = "I would rather not."


@pytest.fixture(name="house")
def _house() -> Ground:
    return ground(fetch())


class Scripted:
    """Replies by a function of the conversation, and keeps what it was asked."""

    def __init__(self, reply: Callable[[Conversation], str]) -> None:
        self.reply, self.asked = reply, list[Conversation]()

    def __call__(self, conversation: Conversation) -> str:
        self.asked.append(conversation)
        return self.reply(conversation)


def in_turn(*replies: str) -> Scripted:
    left = list(replies)
    return Scripted(lambda _: left.pop(0) if left else "ACTION: wait()")


def model(ask: Callable[[Conversation], str], **options: Any) -> LanguagePlayer:
    return LanguagePlayer("scripted", ask, WORDS, **options)


ANN = ("ACTION: navigate(study)", "ACTION: tell(ben, value(target, table2))")
BEN = ("ACTION: pick(cup)", "ACTION: navigate(kitchen)", "ACTION: wait()", "ACTION: place(cup, on, table2)")


@pytest.mark.parametrize(
    ("written", "act"),
    [
        ("navigate(study)", "navigate(study)"),
        ("Navigate( study )", "navigate(study)"),
        ("pick(cup)", "pick(cup)"),
        ("place(cup,on,shelf)", "place(cup, on, shelf)"),
        ("wait()", WAIT),
        ("wait", WAIT),
        ("done()", DONE),
        ("tell(ben, value(target, table2))", TOLD),
        ("tell(Ben, value(target,table2)).", TOLD),
        ('tell(ben, "the target is table2")', TOLD),
        ("tell(ben, the cup goes on table 2)", TOLD),
        ("tell(ben, knows(ann, target))", Message(0, (1,), (("knows", "ann", "target"),))),
        ("navigate(kitchen)", "navigate(kitchen)"),  # Ann is barred: an act that the house refuses
    ],
)
def test_acts_are_read(house: Ground, written: str, act: object) -> None:
    assert parse_act(written, house, 0) == act


def test_whatever_can_be_done_or_said_is_read_as_it_is_written() -> None:
    for house in map(ground, (fetch(), memo(), everything())):
        names = house.task.names
        for agent in range(len(names)):
            to = tuple(other for other in range(len(names)) if other != agent)
            said = [Message(agent, to, (atom,)) for atom in sayable(house, agent)]
            acts: list[Act] = [*house.by_name[agent], WAIT, DONE, *said]
            for act in acts:
                assert parse_act(act_words(act, names), house, agent) == act


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ("navigate(attic)", "there is no act 'navigate(attic)'"),
        ("fly(away)", "there is no act"),
        ("go to the study", "is no act"),
        ("", "is no act"),
        ("tell(value(target, table2))", "names no listener"),
        ("tell(zoe, value(target, table2))", "names no listener"),
        ("tell(ben)", "says nothing"),
        ("tell(ben, value(target, table9))", "'table9'"),
        ("tell(ben, secret(target))", "says nothing; expected one of"),
        (f"tell(ben, {'x' * (LONGEST + 1)})", f"{LONGEST + 1} characters; at most {LONGEST}"),
    ],
)
def test_what_is_no_act_is_unreadable(house: Ground, written: str, problem: str) -> None:
    with pytest.raises(Unreadable, match=problem.replace("(", r"\(").replace(")", r"\)")):
        parse_act(written, house, 0)


@pytest.mark.parametrize("atom", ["fact(on(cup, moon))", "fact(nonsense)", "intent(tell the others all)"])
def test_a_message_cannot_smuggle_what_is_no_atom(atom: str) -> None:
    with pytest.raises(Unreadable):
        parse_act(f"tell(ben, {atom})", ground(everything()), 0)


@pytest.mark.parametrize(
    ("reply", "act"),
    [
        ("I think.\nACTION: pick(cup)", "pick(cup)"),
        ("ACTION: wait()\nNo, better:\n**ACTION: `pick(cup)`**\n", "pick(cup)"),
        ("ACTION:\npick(cup)", "pick(cup)"),
    ],
)
def test_the_last_act_of_a_reply_counts(house: Ground, reply: str, act: str) -> None:
    assert read_act(reply, house, 1) == act


def test_a_reply_without_an_act_is_unreadable(house: Ground) -> None:
    for reply in (GARBAGE, "", None, "ACTION:"):
        with pytest.raises(Unreadable):
            read_act(reply, house, 1)


def test_free_text_says_what_its_words_do() -> None:
    """Whatever an atom is in words is read as that atom again."""
    house = ground(everything())
    atoms = sayable(house, 0)
    assert {atom[0] for atom in atoms} == {"value", "knows", "ignorant", "request", "intent", "ack", "fact"}
    for atom in atoms:
        assert understood_atoms(atom_words(atom), house, 0, (1,)) == (atom,), atom_words(atom)


@pytest.mark.parametrize(
    ("text", "atoms"),
    [
        ("Hi Ben! The target is the table2.", [("value", "target", "table2")]),
        ("Put it on Table 1 please", [("value", "target", "table1")]),
        ("I know the target", [("knows", "ann", "target")]),
        ("You don't know what the target is.", [("ignorant", "ben", "target")]),
        ("I will navigate to the study", [("intent", "navigate(study)")]),
        ("Ben, please pick the cup", [("request", "ben", "pick(cup)")]),
        ("okay", [("ack", "ben")]),
        ("target = table1 and I'll wait", [("value", "target", "table1"), ("intent", WAIT)]),
        ("Is the target table1?", []),
        ("The target is not table1.", []),
        ("table1 or table2", []),
        ("table1 table2", []),
        ("Good morning to you", []),
    ],
)
def test_free_text_is_read_by_a_fixed_grammar(house: Ground, text: str, atoms: list[tuple[str, ...]]) -> None:
    assert list(understood_atoms(text, house, 0, (1,))) == atoms


def test_a_text_of_which_nothing_is_understood_is_told_apart(house: Ground) -> None:
    with pytest.raises(Unspoken, match="nothing could be understood"):
        parse_act('tell(ben, "Good morning to you")', house, 0)


def test_a_text_is_worth_what_the_labeller_understands(house: Ground) -> None:
    labeller, state = Labeller(house, (1,)), begin(house, (1,))
    for acts in (("navigate(study)", WAIT), (parse_act('tell(ben, "it is table2")', house, 0), WAIT)):
        state, outcome = step(house, state, acts)
        labeller.follow(state, outcome)
    assert labeller.knows((1,), 0)


def test_a_schema_offers_all_that_one_can_ever_do_and_says_nothing_of_now(house: Ground) -> None:
    fields = wanted_act(house, 0).fields
    told = {f"tell(ben, value(target, table{number}))" for number in (1, 2, 3)}
    told |= {f"tell(ben, knows({who}, target))" for who in ("ann", "ben")}
    assert fields == {"action": fields["action"]}
    assert set(fields["action"]) == {WAIT, DONE, *house.by_name[0], *told}
    assert set(wanted_act(house, 1).fields["action"]) == {WAIT, DONE, *house.by_name[1]}  # Ben has no channel
    assert set(wanted_act(ground(everything()), 0).fields) == {"action", "says_2"}


def test_whatever_a_schema_offers_can_be_read() -> None:
    house = ground(everything())
    for agent in (0, 1):
        for action in wanted_act(house, agent).fields["action"]:
            read_act(json.dumps({"action": action, "says_2": "nothing"}), house, agent, is_bare=True)


def test_replies_held_to_a_schema_are_read(house: Ground) -> None:
    def bare(**fields: Any) -> object:
        return read_act(json.dumps(fields), house, 0, is_bare=True)

    assert bare(action="navigate(study)") == bare(action="navigate(study)", says_2="knows(ann, target)")
    assert bare(action="tell(ben, value(target, table2))", says_2="nothing") == TOLD
    both = Message(0, (1,), (*TOLD.atoms, ("knows", "ann", "target")))
    assert bare(action="tell(ben, value(target, table2))", says_2="knows(ann, target)") == both
    for odd in ("[]", "{", '{"action": 3}', '{"action": "tell"}'):
        with pytest.raises(Unreadable):
            read_act(odd, house, 0, is_bare=True)


def test_answers_are_one_of_the_options() -> None:
    options = ("yes", "no", "cannot tell")
    assert read_answer("Hm.\nANSWER: Cannot tell.", options) == "cannot tell"
    assert read_answer('{"answer": "no"}', options, is_bare=True) == "no"
    for odd in ("no", "ANSWER: perhaps", ""):
        with pytest.raises(Unreadable):
            read_answer(odd, options)


def test_two_models_reach_the_goal(house: Ground) -> None:
    seats: list[Seat] = [model(in_turn(*ANN)), model(in_turn(*BEN))]
    _, episode = play(house, (1,), seats)
    assert (episode.end or {})["success"] is True
    assert episode.players == ["scripted", "scripted"]


def test_the_conversation_is_the_memory(house: Ground) -> None:
    ask = in_turn(*BEN)
    play(house, (1,), [model(in_turn(*ANN)), model(ask)])
    last = ask.asked[-1]
    assert [message.role for message in last] == ["system", *["user", "assistant"] * 4, "user"]
    told = [message.text for message in last if message.role == "user"]
    assert "# The goal" in last[0].text
    assert "place(THING, on, SURFACE)" in last[0].text
    assert "tell(PERSON" not in last[0].text  # Ben cannot
    assert told[0].startswith("You are ben.\nYou are in hall, alone.\nYou see: cup is on shelf.")
    assert "This is turn 1 of 5." in told[0]
    assert "ann tells you: the secret target is table2." in told[2]
    assert [message.text for message in last if message.role == "assistant"] == list(BEN)


def test_messages_that_are_left_are_counted_down(house: Ground) -> None:
    ask = in_turn(ANN[1], ANN[1], *ANN)
    play(house, (1,), [model(ask), find_seat("random")])
    left = [talk[-1].text.partition("still send: ")[2][0] for talk in ask.asked]
    assert left == ["1", "0", "0", "0", "0"]
    assert "had no effect: ann can send 0 more" in ask.asked[2][-1].text


def test_an_act_that_is_refused_is_no_failure_to_read(house: Ground) -> None:
    """A barred room costs the turn; a room that is not there is asked for again."""
    player = model(in_turn("ACTION: navigate(kitchen)", "ACTION: navigate(attic)", "ACTION: navigate(study)"))
    _, episode = play(house, (1,), [player, find_seat("random")])
    assert episode.turns[0]["acts"][0] == "navigate(kitchen)"
    assert episode.turns[0]["refused"][0] == "navigate(kitchen) is nothing that ann can do"
    assert episode.turns[1]["acts"][0] == "navigate(study)"
    assert player.counts["refused"] == 1
    assert player.counts["unreadable"] == 1
    assert player.counts["attempts"] == 6
    assert player.counts["defaults"] == 0
    problems = [one["problem"] for one in player.notes()]
    assert [bool(problem) for problem in problems] == [False, True, False, False, False, False]


def test_who_cannot_be_read_is_told_why_and_waits_in_the_end(house: Ground) -> None:
    ask = Scripted(lambda _: GARBAGE)
    player = model(ask, attempts=2)
    _, episode = play(house, (1,), [player, find_seat("random")])
    assert [turn["acts"][0] for turn in episode.turns] == [WAIT] * 5
    assert player.counts["unreadable"] == 10
    assert player.counts["defaults"] == 5
    assert "there is no 'ACTION:'" in ask.asked[1][-1].text
    # What failed is gone from the conversation of the next turn.
    assert GARBAGE not in [message.text for message in ask.asked[2]]
    assert ask.asked[2][-2].text == "ACTION: wait()"


def test_a_call_that_fails_costs_an_attempt(house: Ground) -> None:
    def fails(conversation: Conversation) -> str:
        raise OSError("the line is dead")

    player = model(fails, attempts=2)
    _, episode = play(house, (1,), [player, find_seat("random")])
    assert player.counts["failed"] == 10
    assert player.counts["unreadable"] == 0
    assert player.notes()[0]["problem"] == "the call failed: OSError: the line is dead"
    assert player.notes()[0]["reply"] is None
    assert len(episode.turns) == 5


def test_texts_that_say_nothing_are_counted_apart(house: Ground) -> None:
    player = model(in_turn('ACTION: tell(ben, "How are you?")'))
    play(house, (1,), [player, find_seat("random")])
    assert player.counts["unspoken"] == 1
    assert player.counts["unreadable"] == 0


def test_reasoning_is_kept_with_the_record(house: Ground) -> None:
    player = model(lambda _: Reply("ACTION: wait()", "Let me see."))
    play(house, (1,), [player, find_seat("random")])
    assert player.notes()[0] == {
        "role": "ann",
        "turn": 1,
        "about": "act",
        "reply": "ACTION: wait()",
        "reasoning": "Let me see.",
        "problem": "",
    }


def test_a_question_on_the_side_leaves_no_trace() -> None:
    house = ground(memo())
    probe = Probe(0, "knows", (1,), 0)

    def run(is_asked: bool) -> tuple[list[str], list[list[str]]]:
        def reply(conversation: Conversation) -> str:
            return (
                "Maybe.\nANSWER: cannot tell" if "question to you alone" in conversation[-1].text else "ACTION: wait()"
            )

        ask = Scripted(reply)
        player = model(ask)
        state = begin(house, (0, 0, 0))
        player.begin(house, 0, notes(house, (0, 0, 0), 0), first_look(house, state, 0), 0)
        answers = []
        for turn in (1, 2, 3):
            answers += [player.report(probe)] if is_asked else []
            act = player.act(turn)
            answers += [player.report(probe)] if is_asked else []
            after, outcome = step(house, state, (act, WAIT, WAIT))
            player.perceive(act, perceive(house, state, after, outcome, 0))
            state = after
        asked = [[m.text for m in talk] for talk in ask.asked]
        questions = [talk for talk in asked if "question to you" in talk[-1]]
        # Before the act and after it was decided, it is the same person who is asked.
        assert questions[0::2] == questions[1::2]
        return answers, [talk for talk in asked if talk not in questions]

    answers, with_questions = run(is_asked=True)
    _, without = run(is_asked=False)
    assert answers == ["cannot tell"] * 6
    assert with_questions == without


def test_a_question_that_is_not_answered_is_empty(house: Ground) -> None:
    ask = Scripted(lambda _: "ACTION: wait()")
    player = model(ask, attempts=2)
    play(house, (0,), [player, find_seat("random")])
    before = len(ask.asked)
    assert player.report(Probe(0, "value", (), 0)) == ""
    assert len(ask.asked) == before + 2
    assert player.counts["unanswered"] == 1
    assert "Choose one of: table1, table2, table3, cannot tell." in ask.asked[before][-1].text
    assert ask.asked[-1].wanted.fields == {"answer": ("table1", "table2", "table3", "cannot tell")}


def test_models_may_be_held_to_a_schema(house: Ground) -> None:
    replies = [json.dumps({"action": reply.removeprefix("ACTION: ")}) for reply in BEN]
    left = iter(replies)
    player = model(lambda _: next(left, "{}"), is_bare=True, attempts=1)
    _, episode = play(house, (1,), [model(in_turn(*ANN)), player])
    assert (episode.end or {})["success"] is True
    assert player.counts["defaults"] == 1
