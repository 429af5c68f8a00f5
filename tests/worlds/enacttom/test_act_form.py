"""A language model as one person of a house, played by scripts; and how its replies are read."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from otherminds.core.form import Unreadable
from otherminds.core.match import play_one
from otherminds.minds.language import NO_ANSWER, Conversation, LanguageMind, Said
from otherminds.worlds.enacttom.act_form import ActForm, Unspoken, answer_form, parse_act, sayable
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.ledger import Labeller
from otherminds.worlds.enacttom.messages import Act, Message, act_words
from otherminds.worlds.enacttom.rules import DONE, WAIT, begin, step
from otherminds.worlds.enacttom.text.message_grammar import LONGEST, understood_atoms
from otherminds.worlds.enacttom.text.task_text import atom_words
from otherminds.worlds.enacttom.world import EnactToM
from tests.worlds.enacttom.houses import fetch, memo
from tests.worlds.enacttom.playing import opened, play, seated
from tests.worlds.enacttom.text.test_task_text import everything

assert EnactToM.prompts is not None
WORDS = {path.stem: path.read_text("utf-8") for path in (EnactToM.prompts / "v2").glob("*.txt")}
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


def model(ask: Callable[[Conversation], str], **options: Any) -> LanguageMind:
    return LanguageMind("scripted", ask, WORDS, **options)


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
        ("go to the study", "is not an act"),
        ("", "is not an act"),
        ("tell(value(target, table2))", "names no listener"),
        ("tell(zoe, value(target, table2))", "names no listener"),
        ("tell(ben)", "has no content"),
        ("tell(ben, value(target, table9))", "'table9'"),
        ("tell(ben, secret(target))", "cannot be said; expected one of"),
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
    assert ActForm(house, 1).parse(reply) == act


def test_a_reply_without_an_act_is_unreadable(house: Ground) -> None:
    for reply in (GARBAGE, "", None, "ACTION:"):
        with pytest.raises(Unreadable):
            ActForm(house, 1).parse(reply)


def test_free_text_says_what_its_words_do() -> None:
    """Whatever an atom is in words is read as that atom again."""
    house = ground(everything())
    atoms = sayable(house, 0)
    assert {atom[0] for atom in atoms} == {"value", "knows", "ignorant", "request", "intent", "ack", "fact"}
    for atom in atoms:
        assert understood_atoms(atom_words(atom, house.task), house, 0, (1,)) == (atom,), atom


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
    with pytest.raises(Unspoken, match="could not be understood"):
        parse_act('tell(ben, "Good morning to you")', house, 0)


def test_a_text_is_worth_what_the_labeller_understands(house: Ground) -> None:
    labeller, state = Labeller(house, (1,)), begin(house, (1,))
    for acts in (("navigate(study)", WAIT), (parse_act('tell(ben, "it is table2")', house, 0), WAIT)):
        state, outcome = step(house, state, acts)
        labeller.follow(state, outcome)
    assert labeller.knows((1,), 0)


def offered(house: Ground, agent: int) -> dict[str, list[str]]:
    """What the schema of an act allows, by field."""
    fields = ActForm(house, agent).json_schema()["properties"]
    return {name: schema["enum"] for name, schema in fields.items()}


def test_a_schema_offers_all_that_one_can_ever_do_and_says_nothing_of_now(house: Ground) -> None:
    fields = offered(house, 0)
    told = {f"tell(ben, value(target, table{number}))" for number in (1, 2, 3)}
    told |= {f"tell(ben, knows({who}, target))" for who in ("ann", "ben")}
    assert fields == {"action": fields["action"]}
    assert set(fields["action"]) == {WAIT, DONE, *house.by_name[0], *told}
    assert set(offered(house, 1)["action"]) == {WAIT, DONE, *house.by_name[1]}  # Ben has no channel
    assert set(offered(ground(everything()), 0)) == {"action", "says_2"}


def test_whatever_a_schema_offers_can_be_read() -> None:
    house = ground(everything())
    for agent in (0, 1):
        form = ActForm(house, agent)
        for action in offered(house, agent)["action"]:
            form.parse(json.dumps({"action": action, "says_2": "nothing"}), is_structured=True)


def test_replies_held_to_a_schema_are_read(house: Ground) -> None:
    def bare(**fields: Any) -> object:
        return ActForm(house, 0).parse(json.dumps(fields), is_structured=True)

    assert bare(action="navigate(study)") == bare(action="navigate(study)", says_2="knows(ann, target)")
    assert bare(action="tell(ben, value(target, table2))", says_2="nothing") == TOLD
    both = Message(0, (1,), (*TOLD.atoms, ("knows", "ann", "target")))
    assert bare(action="tell(ben, value(target, table2))", says_2="knows(ann, target)") == both
    for odd in ("[]", "{", '{"action": 3}', '{"action": "tell"}'):
        with pytest.raises(Unreadable):
            ActForm(house, 0).parse(odd, is_structured=True)


def test_answers_are_one_of_the_options() -> None:
    form = answer_form(("yes", "no", "cannot tell"))
    assert form.parse("Hm.\nANSWER: Cannot tell.") == "cannot tell"
    assert form.parse('{"answer": "no"}', is_structured=True) == "no"
    for odd in ("Well,\nno", "ANSWER: perhaps", ""):
        with pytest.raises(Unreadable):
            form.parse(odd)


def test_two_models_reach_the_goal() -> None:
    episode = play(fetch(), (1,), [model(in_turn(*ANN)), model(in_turn(*BEN))])
    assert (episode.end or {})["success"] is True
    assert list(episode.minds.values()) == ["scripted", "scripted"]


def test_the_conversation_is_the_memory() -> None:
    ask = in_turn(*BEN)
    play(fetch(), (1,), [model(in_turn(*ANN)), model(ask)])
    last = ask.asked[-1]
    assert [message.role for message in last] == ["system", *["user", "assistant"] * 4, "user"]
    told = [message.text for message in last if message.role == "user"]
    assert "# Goal" in last[0].text
    assert "place(THING, on, SURFACE)" in last[0].text
    assert "tell(PERSON" not in last[0].text  # Ben cannot
    assert told[0].startswith("You are Ben.\nYou are in the hall, alone.")
    assert "This is turn 1 of 5." in told[0]
    assert "Ann tells you: the target is the table2." in told[2]
    assert [message.text for message in last if message.role == "assistant"] == list(BEN)


def test_messages_that_are_left_are_counted_down() -> None:
    ask = in_turn(ANN[1], ANN[1], *ANN)
    play(fetch(), (1,), [model(ask), "random"])
    left = [talk[-1].text.partition("still send: ")[2][0] for talk in ask.asked]
    assert left == ["1", "0", "0", "0", "0"]
    assert "had no effect: ann can send 0 more" in ask.asked[2][-1].text


def test_an_act_that_is_refused_is_no_failure_to_read() -> None:
    """A barred room costs the turn; a room that is not there is asked for again."""
    mind = model(in_turn("ACTION: navigate(kitchen)", "ACTION: navigate(attic)", "ACTION: navigate(study)"))
    episode = play(fetch(), (1,), [mind, "random"])
    assert episode.turns[0]["acts"][0] == "navigate(kitchen)"
    assert episode.turns[0]["refused"][0] == "navigate(kitchen) is nothing that ann can do"
    assert episode.turns[1]["acts"][0] == "navigate(study)"
    assert episode.validity["ann"] == {"asks": 5, "attempts": 6, "failures": 0}
    problems = [one.get("problem", "") for one in episode.exchanges]
    assert [bool(problem) for problem in problems] == [False, True, False, False, False, False]


def test_who_cannot_be_read_is_told_why_and_waits_in_the_end() -> None:
    ask = Scripted(lambda _: GARBAGE)
    episode = play_one(opened(fetch(), (1,)), seated(fetch(), [model(ask), "random"]), attempts=2)
    assert [turn["acts"][0] for turn in episode.turns] == [WAIT] * 5
    assert episode.validity["ann"] == {"asks": 5, "attempts": 10, "failures": 5}
    assert "is not an act" in ask.asked[1][-1].text
    # What failed is gone from the conversation of the next turn; what was told stays.
    assert GARBAGE not in [message.text for message in ask.asked[2]]
    assert ask.asked[2][-2].text == NO_ANSWER
    assert ask.asked[2][-3].text == ask.asked[0][-1].text


def test_a_call_that_fails_costs_an_attempt() -> None:
    def fails(conversation: Conversation) -> str:
        raise OSError("the line is dead")

    episode = play(fetch(), (1,), [model(fails), "random"])
    assert episode.validity["ann"] == {"asks": 5, "attempts": 15, "failures": 5}
    assert episode.exchanges[0]["problem"] == "the call failed: OSError: the line is dead"
    assert episode.exchanges[0]["reply"] is None
    assert len(episode.turns) == 5


def test_reasoning_is_kept_with_the_record() -> None:
    episode = play(fetch(), (1,), [model(lambda _: Said("ACTION: wait()", "Let me see.")), "random"])
    assert episode.exchanges[0] == {
        "ask": "1/ann",
        "seat": "ann",
        "turn": 1,
        "about": "act",
        "reply": "ACTION: wait()",
        "reasoning": "Let me see.",
    }


def test_a_probe_leaves_no_trace() -> None:
    """Asked or not, the model is told the same before every act."""

    def run(probes: bool) -> tuple[list[list[str]], list[list[str]]]:
        acts = iter(BEN)

        def reply(talk: Conversation) -> str:
            is_probe = "question to you alone" in talk[-1].text
            return "Maybe.\nANSWER: cannot tell" if is_probe else next(acts, "ACTION: wait()")

        ask = Scripted(reply)
        play(fetch(), (1,), ["oracle", model(ask)], probes=probes)
        asked = [[message.text for message in talk] for talk in ask.asked]
        return tuple([t for t in asked if ("question to you" in t[-1]) == is_one] for is_one in (True, False))  # type: ignore[return-value]

    questions, with_questions = run(probes=True)
    none, without = run(probes=False)
    assert with_questions == without
    assert questions
    assert not none
    # Asked before the act, by what was perceived before it: neither the act nor its coming is in the conversation.
    held = next(talk for talk in questions if "What is the secret target?" in talk[-1])
    assert BEN[3] not in held
    assert held[:-1] == next(talk for talk in with_questions if "This is turn 4" in talk[-1])[:-1]


def test_a_probe_that_is_not_answered_is_empty() -> None:
    ask = Scripted(lambda _: "ACTION: wait()")
    episode = play(fetch(), (0,), [model(ask), model(ask)], probes=True)
    asked = (episode.end or {})["probes"]
    assert asked
    assert {one["given"] for one in asked} == {""}
    value = [talk[-1].text for talk in ask.asked if "What is the secret" in talk[-1].text]
    assert all("Choose one of: table1, table2, table3, cannot tell." in told for told in value)


def test_models_may_be_held_to_a_schema() -> None:
    replies = [json.dumps({"action": reply.removeprefix("ACTION: ")}) for reply in BEN]
    left = iter(replies)
    mind = model(lambda _: next(left, "{}"), is_structured=True)
    episode = play(fetch(), (1,), [model(in_turn(*ANN)), mind])
    assert (episode.end or {})["success"] is True
    assert episode.validity["ben"]["failures"] == 1
