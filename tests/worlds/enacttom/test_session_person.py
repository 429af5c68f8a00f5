"""A person in a house: shown what it perceives, asked again, and free to leave."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from otherminds.minds.human import CLEAR, HumanMind, Quit, Terminal
from tests.worlds.enacttom.houses import fetch, memo
from tests.worlds.enacttom.playing import play

ANN = ("navigate(study)", 'tell(ben, "table2")', "wait", "wait", "wait")
BEN = ("pick(cup)", "navigate(kitchen)", "wait", "place(cup, on, table2)", "wait")


def terminal(typed: Iterable[str], people: int = 1) -> tuple[Terminal, list[str]]:
    left, shown = iter(typed), list[str]()

    def ask(prompt: str) -> str:
        shown.append(prompt)
        found = next(left, None)
        if found is None:
            raise EOFError
        return found

    return Terminal(people, ask, shown.append), shown


def person(desk: Terminal) -> HumanMind:
    return HumanMind(terminal=desk)


def test_two_people_share_a_terminal_and_reach_the_goal() -> None:
    """Whoever comes to the keyboard finds an empty screen."""
    typed = [line for pair in zip(ANN, BEN, strict=True) for act in pair for line in ("", act)]
    desk, shown = terminal(typed, people=2)
    episode = play(fetch(), (1,), [person(desk), person(desk)])
    assert (episode.end or {})["success"] is True
    assert shown.count(CLEAR) == 10
    assert any(line.startswith("Ben, your turn.") for line in shown)


def test_one_sees_ones_own_texts_alone_and_the_task_once() -> None:
    desk, shown = terminal(BEN)
    other, _ = terminal(ANN)
    play(fetch(), (1,), [person(other), person(desk)])
    told = "\n".join(shown)
    assert told.count("# Goal") == 1
    assert "You are Ben." in told
    assert "You are Ann." not in told
    assert "Ann tells you: the target is the table2." in told
    assert "You are in the study" not in told


def test_help_the_rules_and_another_try_cost_no_turn() -> None:
    desk, shown = terminal(("", "help", "rules", "navigate(attic)", "fly", *ANN))
    other, _ = terminal(BEN)
    episode = play(fetch(), (1,), [person(desk), person(other)])
    assert episode.turns[0]["acts"][0] == "navigate(study)"
    told = " ".join("\n".join(shown).split())
    assert told.count("Answer with an act: navigate(porch), navigate(study)") == 2
    assert "navigate(kitchen)," not in told  # Ann is barred
    assert "tell(ben, CONTENT)" in told
    assert told.count("# Goal") == 2
    assert told.count("Not accepted") == 2
    assert told.count("Messages that you can still send: 1.") == 2  # before it is sent


def test_help_lists_everybody_whom_one_can_tell_something() -> None:
    desk, shown = terminal(("help", "q"))
    with pytest.raises(Quit):
        play(memo(), memo().worlds[0], [person(desk), "random", "random"])
    told = " ".join("\n".join(shown).split())
    assert "tell(ben, CONTENT), tell(cleo, CONTENT); CONTENT is value(" in told
    wide = memo(talk={"channels": {"ann": ["ben", "cleo"]}, "budgets": {"ann": 1}, "fanout": 2})
    desk, shown = terminal(("help", "q"))
    with pytest.raises(Quit):
        play(wide, wide.worlds[0], [person(desk), "random", "random"])
    assert "or up to 2 of these listeners" in " ".join("\n".join(shown).split())


@pytest.mark.parametrize("typed", [(), ("q",), ("navigate(study)", "quit")])
def test_who_leaves_ends_the_episode(typed: tuple[str, ...]) -> None:
    desk, _ = terminal(typed)
    other, _ = terminal(BEN)
    with pytest.raises(Quit):
        play(fetch(), (1,), [person(desk), person(other)])


def test_probes_are_asked_until_answered() -> None:
    asked: list[str] = []

    def reply(prompt: str) -> str:
        """Plays Ben's part, and answers every probe wrongly at first."""
        page = next(line for line in reversed(shown) if line.startswith("---"))
        if "A question for you only" not in page:
            return BEN[int(page.split()[2].rstrip(",")) - 1]
        asked.append(page)
        return "perhaps" if len(asked) % 2 else "Cannot tell"

    shown: list[str] = []
    ben = HumanMind(terminal=Terminal(1, reply, shown.append))
    episode = play(fetch(), (1,), ["oracle", ben], probes=True)
    probes = [one for line in (*episode.turns, episode.end or {}) for one in line.get("probes", ())]
    assert {one["given"] for one in probes if one["seat"] == "ben"} == {"cannot tell"}
    assert any("What is the secret target?" in page for page in asked)
    assert any("answer is 'perhaps'; expected one of" in " ".join(line.split()) for line in shown)
