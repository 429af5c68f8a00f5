"""A language model that makes every kind of mistake in a task, and is told each."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("inspect_ai")
pytest.importorskip("clingo")

from otherminds.worlds.enacttom.tasks.read import find_task, read_task
from otherminds.worlds.enacttom.verify.certify import certify, fault_of
from tests.worlds.enacttom.author.authoring import GOAL, GOOD, Call, answers, author_of, written

CUP = find_task("cup").read_text("utf-8").partition("certificate:")[0].partition("talk:")
RENAMED = f"{CUP[0]}talk: {{channels: {{ann: [ben]}}, budgets: {{ann: 1}}}}".replace("ben", "tom").replace(
    "hall", "loft"
)
# Each mistake with what the tool must say of it; a remark is answered by a reminder.
MISTAKES: list[tuple[Call, str]] = [
    (("check", ""), "there is no goal yet; write it first with write_goal"),
    (("write_task", GOOD), "write_task is refused: there is no goal yet"),
    (("write_goal", "put the pills away"), "expected a condition such as on(cup, table)"),
    (("write_goal", "and: [in(pills, $dose)]"), "inside [ ] put every literal into quotes"),
    (("write_goal", "inside(pills, $dose)"), "unknown predicate 'inside'; expected one of"),
    (("write_goal", "and: []"), "the goal has no literal"),
    (("write_goal", GOAL), "The goal can be read: in(pills, $dose)."),
    (("", "Let me think."), "No tool was called. Go on with one of the tools: write_goal, write_task, check"),
    (("check", ""), "there is no task yet; write it with write_task"),
    (("judge", ""), "the current task has not been verified; use verify first"),
    (("write_task", "title: [The"), "task, line 1: not valid YAML"),
    (("write_task", "a story about pills"), "expected fields such as title, house and people"),
    (("write_task", f"{GOOD}goal: at(lena, study)"), "a different goal from the one you wrote"),
    (("write_task", f"{GOOD}certificate: {{depth: 3}}"), "the field 'certificate', which is added for you"),
    (("write_task", GOOD.replace("omar: {room: landing}", "omar: {room: lnding}")), "The task has 23 lines."),
    (("check", ""), "people.omar.room is 'lnding'; did you mean 'landing'? (line 17)"),
    (("write_task", GOOD.replace("shows: dose", "shwos: dose")), "The task has 23 lines."),
    (("calibrate", ""), "unknown field 'shwos'; did you mean 'shows'? (line 10)"),
    (
        ("write_task", GOOD.replace("dose: {values", "amount: {values").replace("shows: dose", "shows: amount")),
        "lines.",
    ),
    (("check", ""), "task: goal: 'in(pills, $dose)' names the secret 'dose', which is not defined"),
    (("write_task", GOOD.replace("Medicine for the guest", "Tell omar which cabinet")), "lines."),
    (("check", ""), "the title says 'tell omar which cabinet', which gives advice"),
    (("write_goal", "on(cup, $target)"), "can be read"),
    (("write_task", RENAMED), "lines."),
    (("check", ""), "this is the known task 'cup' with other names"),
    (("write_goal", "held(pills, omar)"), "can be read"),
    (("write_task", GOOD), "lines."),
    (("calibrate", ""), "the task is trivial: the goal holds in every world before anybody acts"),
    (("write_goal", GOAL), "can be read"),
    (("write_task", GOOD.replace("horizon: 7", "horizon: 2")), "lines."),
    (("calibrate", ""), "impossible where dose = white_cabinet: even people who know every secret cannot"),
    (("verify", ""), "it is unsolvable"),
    (("write_task", GOOD.replace("sign, room: study", "sign, room: landing")), "lines."),
    (("verify", ""), "It is solvable at depth 1 and no less"),
    (("judge", ""), "NOT MET: interdependence: it can be solved without messages"),
    (("write_goal", "in(pills, white_cabinet)"), "can be read"),
    (("verify", ""), "it has depth 0: nobody has to know anything"),
    (("write_goal", GOAL), "can be read"),
    (("write_task", GOOD.replace("{lena: 1}", "{lena: 0}")), "lines."),
    (("verify", ""), "it is signalling-only"),
    (("judge", ""), "the current task has not been verified"),
    (("write_task", GOOD.replace("horizon: 7", "horizon: 4")), "lines."),
    (("verify", ""), "It is solvable at depth 1 and no less"),
    (("judge", ""), "1 of the criteria are not met; change the task\nNOT MET: formal quality: 4 turns are too few"),
    (("write_task", f"```yaml\n{GOOD}```"), "The task has 23 lines."),
    (("check", ""), "The task can be read: 2 people, 2 worlds, 7 turns."),
    (("calibrate", ""), "With every secret public, 3 turns are enough in every world."),
    (("verify", ""), "Shallower people fail in one of these worlds: dose ="),
    (("judge", ""), "The task is kept as authored-1. You are finished."),
]


def test_every_mistake_is_named_and_can_be_mended(tmp_path: Path) -> None:
    done = written(tmp_path, author_of([call for call, _ in MISTAKES]), replies=len(MISTAKES))
    for (call, expected), told in zip(MISTAKES, answers(done), strict=True):
        assert expected in told, f"{call}\n{told}"
    (about,), (session,) = done["tasks"], done["sessions"]
    assert (about["depth"], about["grade"], about["title"]) == (1, "solvable", "Medicine for the guest")
    assert (session["is_kept"], session["replies"]) == (True, len(MISTAKES))

    task = read_task(about["file"])
    assert fault_of(task) == ""
    assert certify(task).depth == 1
    lineage = task.provenance["authored"]
    assert lineage["model"] == "mockllm/model"
    assert lineage["calls"]["write_goal"] == sum(call[0] == "write_goal" for call, _ in MISTAKES)
    assert (lineage["seed"], lineage["session"], lineage["parent"]) == (0, 1, None)
    assert lineage["prompts"]["versions"] == ["enacttom/author/v1"]
    assert [verdict["is_met"] for verdict in lineage["judged"]] == [True] * 8
