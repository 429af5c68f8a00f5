"""The judge: eight criteria, each with a task that fails it and says why."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import takewhile
from typing import Any

import pytest

pytest.importorskip("clingo")

from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.tasks.read import parse_task
from otherminds.worlds.enacttom.types import Task
from otherminds.worlds.enacttom.verify import judge as module
from otherminds.worlds.enacttom.verify.certify import Certificate, certify
from otherminds.worlds.enacttom.verify.joint_policy import Search, SearchResult
from otherminds.worlds.enacttom.verify.judge import Judge, Verdict
from tests.worlds.enacttom.families.chain import one_link, two_links
from tests.worlds.enacttom.families.mixed import mixed
from tests.worlds.enacttom.families.placement import placement
from tests.worlds.enacttom.houses import fetch, memo


def judge(task: Task, proved: Certificate) -> list[Verdict]:
    return list(Judge(task, proved).verdicts())


class Verdicts(Mapping[str, str]):
    """What is against a task, by criterion; the judge is asked no further than a test looks."""

    def __init__(self, task: Task) -> None:
        self._rest, self._found = Judge(task, certify(task)).verdicts(), dict[str, str]()

    def _read(self, upto: str = "") -> dict[str, str]:
        while upto not in self._found and (one := next(self._rest, None)):
            self._found[one.criterion] = "" if one.is_met else one.reason
        return self._found

    def __getitem__(self, criterion: str) -> str:
        return self._read(criterion)[criterion]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())


verdicts = Verdicts


def made(content: dict[str, Any], **changes: Any) -> Task:
    return parse_task({"id": "made", **content, **changes})


def base(**changes: Any) -> Task:
    return made(placement(Draw(0, "judge")), **changes)


def test_a_good_task_meets_all_eight() -> None:
    found = verdicts(base())
    assert len(found) == 8
    assert not any(found.values())


def test_what_cannot_be_solved_or_asks_for_nothing_is_looked_at_no_further() -> None:
    assert list(verdicts(fetch(budget=0))) == ["formal quality"]
    assert "nobody has to know anything" in verdicts(fetch(goal="on(cup, table1)"))["formal quality"]


def test_too_few_turns() -> None:
    found = Judge(base(), replace(certify(base()), fewest_turns=4)).verdicts()
    assert "too few" in next(found).reason


def test_somebody_who_is_not_needed() -> None:
    content = placement(Draw(0, "judge"))
    room = next(iter(content["house"]["rooms"]))
    content["people"]["guest"] = {"room": room, "verbs": ["navigate", "pick", "wait"]}
    assert "guest is not needed" in verdicts(made(content))["people"]
    content["people"]["guest"] = {"room": room, "verbs": ["navigate", "wait"]}  # cannot matter, so it is dressing
    assert verdicts(made(content))["people"] == ""


def test_a_note_that_is_not_needed() -> None:
    content = one_link(Draw(0, "judge"))
    teller = next(iter(content["people"]))
    content["mechanics"].append({"kind": "memo", "to": teller, "about": "letter"})
    assert "is not needed" in verdicts(made(content))["secrets"]


def test_what_only_makes_conventions_useless_matters_too() -> None:
    """That the actor knows is told to the first only so that no agreement makes up for depth 3."""
    assert not verdicts(made(two_links(Draw(0, "judge"))))["secrets"]


def test_a_part_of_the_goal_that_is_not_needed() -> None:
    content = one_link(Draw(0, "judge"))
    content["goal"]["and"].append({"not": f"at({next(iter(content['people']))}, nowhere)"})
    content["house"]["rooms"]["nowhere"] = {"box": [0, 8, 5, 4]}
    assert "part 3 of the goal is not needed" in verdicts(made(content))["goal"]


def test_a_mechanic_that_is_not_needed() -> None:
    content = placement(Draw(0, "judge"))
    content["mechanics"].append({"kind": "time_window", "turns": [1, 5]})
    assert "mechanics[2] (time_window) is not needed" in verdicts(made(content))["mechanics"]


def test_what_can_be_done_without_a_word() -> None:
    content = placement(Draw(0, "judge"))
    reader = next(iter(content["people"]))
    content["mechanics"] = [one for one in content["mechanics"] if reader not in one["agents"]]
    assert "without messages" in verdicts(made(content))["interdependence"]


def test_wishes_that_are_granted_or_never_in_the_way() -> None:
    content = mixed(Draw(0, "judge"))
    assert not verdicts(made(content))["motives"]
    (actor,) = content["private"]
    thing = next(iter(content["house"]["things"]))
    assert "from the start" in verdicts(made(content, private={actor: f"on({thing}, shelf)"}))["motives"]
    reader, (study, _) = next(iter(content["people"])), list(content["house"]["rooms"])[1:3]
    assert "never conflicts" in verdicts(made(content, private={reader: f"at({reader}, {study})"}))["motives"]
    barred = f"at({actor}, {study})"  # it can be had neither with the shared goal nor without
    assert "never conflicts" in verdicts(made(content, private={actor: barred}))["motives"]
    with pytest.raises(UserError, match="nobody has a private goal"):
        made(content, private={})


def test_texts_that_leak_or_say_another_task(monkeypatch: pytest.MonkeyPatch) -> None:
    task = base()
    proved = certify(task)
    monkeypatch.setattr(module, "leaks", lambda house: f"{house.task.id} leaks")
    assert {one.criterion: one.reason for one in judge(task, proved)}["public and private"] == "made leaks"
    monkeypatch.undo()
    monkeypatch.setattr(module, "public_text", lambda task: module_text(fetch()))
    assert "a different task" in {one.criterion: one.reason for one in judge(task, proved)}["narrative"]


def module_text(task: Task) -> str:
    from otherminds.worlds.enacttom.text.task_text import public_text

    return public_text(task)


def test_what_the_solver_cannot_decide_counts_against_a_task(monkeypatch: pytest.MonkeyPatch) -> None:
    task = memo()
    proved = certify(task)
    monkeypatch.setattr(Search, "find", lambda *_, **__: SearchResult(None))
    verdicts = takewhile(lambda verdict: verdict.criterion != "mechanics", Judge(task, proved).verdicts())
    found = {verdict.criterion: verdict.is_met for verdict in verdicts}
    assert not any(found[name] for name in ("people", "secrets", "goal"))


def test_a_certificate_of_another_task_is_refused() -> None:
    with pytest.raises(UserError, match="changed after it was proved"):
        judge(base(), Certificate("solvable", digest="other"))
