"""Relabelling: right answers, true types, and what was wrong with a file."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.tomi import second_solver
from otherminds.worlds.tomi.files.babi_format import write_blocks
from otherminds.worlds.tomi.files.items import read_items
from otherminds.worlds.tomi.files.relabel import CAUSES, Relabelled, relabel, summary, write
from otherminds.worlds.tomi.files.sources import load_items
from otherminds.worlds.tomi.stories.original import Mode, OriginalStory, stories
from otherminds.worlds.tomi.types import Enter
from tests.worlds.tomi.telling import QUESTIONS, block, good_blocks, tell, write_story

JAR, TIN = "jar", "tin"
CAME = "Cat entered the barn."


def write_set(path: Path, told: list[OriginalStory]) -> Path:
    path.write_text(write_blocks(lines for story in told for lines in story.blocks()), "utf-8")
    path.with_suffix(".trace").write_text("".join(f"{line}\n" for s in told for line in s.trace_lines()), "utf-8")
    return path


def found(report: list[Relabelled]) -> dict[str, tuple[int, int]]:
    """Causes that there are, with how many stories and questions."""
    return {cause: (n["stories"], n["questions"]) for cause, n in summary(report)["causes"].items() if n["stories"]}


def relabelled(
    path: Path, statements: list[str], labels: list[str], trace: list[str] | None = None
) -> list[Relabelled]:
    return relabel([write_story(path / "story.txt", statements, labels, trace or [])])


def answers(report: list[Relabelled]) -> list[str]:
    return [row.item.answer for row in report]


def trace(tokens: str, kind: str, swapped: bool = False) -> list[str]:
    one, other = ("1", "0") if swapped else ("0", "1")
    orders = [f"first_order_{one}", f"second_order_{one}", "", f"first_order_{other}", f"second_order_{other}"]
    classes = ["memory", *(f"{order}_no_tom" if order else "reality" for order in orders)]
    return [f"{tokens},{name},{kind}" for name in classes]


def test_a_hidden_discovery_is_a_second_order_false_belief(tmp_path: Path) -> None:
    """D1 and D3: Bob finds the fig moved after Ann has left; what Bob thinks of Ann is open."""
    report = relabelled(tmp_path, tell("X M Y R"), [JAR, TIN, TIN, TIN, TIN, TIN])
    assert answers(report) == [JAR, TIN, JAR, TIN, TIN, JAR]
    assert found(report) == {"D1": (1, 2), "D3": (1, 1)}
    assert summary(report)["changed_by_kind"] == {"second order": 2}
    assert len({row.story for row in report}) == 1
    assert [row.item.story_order for row in report] == [2] * 6
    assert [row.item.ambiguous for row in report] == [False] * 5 + [True]
    assert [row.item.false_vs_reality for row in report] == [False, False, True, False, False, True]
    assert [row.item.false_attribution for row in report] == [False, False, True, False, False, True]


@pytest.mark.parametrize("place", [0, 3, 5])
def test_a_third_agent_tells_nobody_anything(tmp_path: Path, place: int) -> None:
    """D2."""
    report = relabelled(tmp_path, tell("X M", {place: CAME}), [JAR, TIN, TIN, TIN, JAR, TIN])
    assert answers(report) == [JAR, TIN, JAR, TIN, JAR, JAR]
    assert found(report) == {"D2": (1, 2)}


def test_nobody_finds_an_object_where_it_is_not(tmp_path: Path) -> None:
    """D4: Bob in the loft, or Cat."""
    report = relabelled(tmp_path, tell("X M r"), [JAR, TIN, JAR, TIN, TIN, JAR])
    assert found(report) == {"D4": (1, 1)}
    assert summary(report)["changed_by_kind"] == {"first order": 1}
    report = relabelled(tmp_path, tell("X M", {0: "Cat entered the loft."}), [JAR, TIN, TIN, TIN, JAR, TIN])
    assert found(report) == {"D4": (1, 2)}


@pytest.mark.parametrize(
    "labels", [[TIN, TIN, JAR, TIN, JAR, JAR], [JAR, JAR, JAR, TIN, JAR, JAR], [JAR, TIN, JAR, "box", JAR, JAR]]
)
def test_a_label_that_no_defect_explains_is_put_right_all_the_same(tmp_path: Path, labels: list[str]) -> None:
    report = relabelled(tmp_path, tell("X M"), labels)
    assert answers(report) == [JAR, TIN, JAR, TIN, JAR, JAR]
    assert found(report) == {"other": (1, 1)}


def test_a_type_by_order_is_put_right_by_beliefs(tmp_path: Path) -> None:
    """D5: Bob comes back and sees the fig."""
    tokens = "enter_agent_0,enter_agent_1,agent_1_exits,agent_0_moves_obj,agent_1_reenters_loc"
    report = relabelled(tmp_path, tell("X M R"), [JAR, TIN, TIN, TIN, TIN, TIN], trace(tokens, "false_belief"))
    assert found(report) == {"D5": (1, 6)}
    assert summary(report)["types"] == [{"given": "false_belief", "true": "true_belief", "stories": 1}]
    assert [row.trace for row in report] == trace(tokens, "true_belief")


def test_a_trace_in_another_order_is_put_right(tmp_path: Path) -> None:
    """D6: Cat came before Bob left."""
    wrong = "enter_agent_0,enter_agent_1,agent_0_moves_obj,agent_2_enters,agent_1_exits"
    right = "enter_agent_0,enter_agent_1,agent_2_enters,agent_0_moves_obj,agent_1_exits"
    told, labels = tell("M X", {3: CAME}), [JAR, TIN, TIN, TIN, TIN, TIN]
    report = relabelled(tmp_path, told, labels, trace(wrong, "true_belief"))
    assert found(report) == {"D6": (1, 6)}
    assert [row.trace for row in report] == trace(right, "true_belief")
    assert not found(relabelled(tmp_path, told, labels, trace(right, "true_belief")))
    assert not found(relabelled(tmp_path, told, labels, trace("other,words", "true_belief")))


def test_agents_are_numbered_by_role_in_the_trace(tmp_path: Path) -> None:
    """D7."""
    tokens = "enter_agent_0,enter_agent_1,agent_0_moves_obj,agent_1_exits"
    report = relabelled(tmp_path, tell("M X"), [JAR, *[TIN] * 5], trace(tokens, "true_belief", swapped=True))
    assert found(report) == {"D7": (1, 4)}
    assert [row.trace for row in report] == trace(tokens, "true_belief")


@pytest.mark.parametrize("mode", ["released", "code"])
def test_a_set_of_the_originals_making_shows_all_of_its_defects(tmp_path: Path, mode: Mode) -> None:
    told = list(stories(mode, 300, seed=6))
    report = relabel([write_set(tmp_path / "fb_all_val.txt", told)])

    def comes(story: OriginalStory) -> bool:
        return any(isinstance(event, Enter) and event.agent == 2 and event.room == 0 for event in story.story.events)

    hidden = sum(story.skeleton == "X M Y R" for story in told)
    third = sum(
        comes(story) and story.skeleton in ("X r M", "X M", "X M r", *(["X M Y r"] if mode == "released" else []))
        for story in told
    )
    counts = summary(report)["causes"]
    assert counts["D1"]["stories"] == (hidden if mode == "released" else 0)
    assert (counts["D2"]["stories"], counts["D2"]["questions"]) == (third, 2 * third)
    assert counts["D3"]["questions"] == hidden
    assert counts["D4"]["stories"] == counts["other"]["stories"] == 0
    truths = Counter(story.items()[0].story_order for story in told)
    assert Counter({row.story: row.item.story_order for row in report}.values()) == truths
    assert summary(report)["wrong_stories"] == counts["D1"]["stories"] + third
    assert summary(report)["changed_by_kind"] == {"second order": 2 * summary(report)["wrong_stories"]}
    assert counts["D6"]["stories"] > 50
    assert (counts["D7"]["stories"] > 100) == (mode == "code")
    assert {item.split for item in read_items(write(report, tmp_path / "out")[2])} == {"val"}


def test_what_is_written_is_right_and_complete(tmp_path: Path) -> None:
    path = write_set(tmp_path / "set.txt", list(stories("released", 60, seed=7)))
    report = relabel([path])
    text, traces, lines = write(report, tmp_path / "out")
    again = relabel([text])
    assert set(found(again)) <= {"D3"}
    assert summary(again)["changed_by_kind"] == {}
    assert all(row["given"] == row["true"] for row in summary(again)["types"])
    assert len(traces.read_text("utf-8").splitlines()) == 360
    items = list(read_items(lines))
    assert [item.answer for item in items] == answers(report)
    assert [item.story for item in items] == [block.statements for block in good_blocks(text)]
    assert items[0].version == "set.txt"


def test_nothing_is_written_over_without_force(tmp_path: Path) -> None:
    report = relabelled(tmp_path, tell("X M"), [JAR, TIN, JAR, TIN, JAR, JAR])
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "story.jsonl").write_text("mine", "utf-8")
    with pytest.raises(UserError, match=r"story\.jsonl already exists; choose another folder, or use --force"):
        write(report, tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["story.jsonl"]
    assert len(write(report, tmp_path / "out", force=True)) == 3
    with pytest.raises(UserError, match=r"story\.txt would be replaced by its own correction"):
        write(report, tmp_path, force=True)


def test_two_files_of_one_name_are_not_mixed(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        write_story(tmp_path / folder / "story.txt", tell("X M"), [JAR] * 6)
    report = relabel([tmp_path / "one" / "story.txt", tmp_path / "two" / "story.txt"])
    assert (summary(report)["stories"], summary(report)["questions"]) == (2, 12)
    with pytest.raises(UserError, match=r"two files are called story\.txt"):
        write(report, tmp_path / "out")


def test_bad_blocks_stop_it(tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    good = block(tell("X M"), QUESTIONS[1], TIN)
    bad = block(tell("X M", {3: "Dan danced."}), QUESTIONS[1], TIN)
    unsaid = block(tell("X M", {3: CAME, 4: "Cat exited the barn."}), "Where will Eve look for the fig?", TIN)
    path.write_text(write_blocks([good, bad, good]), "utf-8")
    with pytest.raises(UserError, match=r"some\.txt, line 10: 'Dan danced\.' is not a sentence of a story"):
        relabel([path])
    path.write_text(write_blocks([good, unsaid]), "utf-8")
    with pytest.raises(UserError, match=r"line 14: the story does not say enough to answer 'Where will Eve look for"):
        relabel([path])


def test_an_impossible_story_is_named(tmp_path: Path) -> None:
    path = tmp_path / "story.txt"
    twice = [*tell("X M"), "The fig is in the sack."]
    path.write_text(write_blocks([block(twice, QUESTIONS[3], TIN)]), "utf-8")
    with pytest.raises(UserError, match=r"story\.txt, line 6: 'The fig is in the sack.' cannot happen .* said earlier"):
        relabel([path])


def test_questions_of_a_story_may_stand_apart(tmp_path: Path) -> None:
    told = list(stories("released", 6, 3))
    path = write_set(tmp_path / "story.txt", told)
    blocks = [lines for story in told for lines in story.blocks()]
    lines = path.with_suffix(".trace").read_text("utf-8").splitlines()
    mixed = sorted(range(len(blocks)), key=lambda at: (at % 6, at))
    path.write_text(write_blocks(blocks[at] for at in mixed), "utf-8")
    path.with_suffix(".trace").write_text("".join(f"{lines[at]}\n" for at in mixed), "utf-8")
    whole = relabel([write_set(tmp_path / "whole.txt", told)])
    report = relabel([path])
    assert summary(report)["stories"] == summary(whole)["stories"] == len(told)
    assert (summary(report)["changed_by_kind"], summary(report)["causes"], summary(report)["types"]) == (
        summary(whole)["changed_by_kind"],
        summary(whole)["causes"],
        summary(whole)["types"],
    )
    text, trace, items = write(report, tmp_path / "out")
    kept = write(whole, tmp_path / "out")
    for mine, other in zip((text, trace), kept, strict=False):
        assert sorted(mine.read_text("utf-8").splitlines()) == sorted(other.read_text("utf-8").splitlines())
    questions = [line for line in text.read_text("utf-8").splitlines() if "?" in line]
    assert [line.split("\t")[0] for line in questions] == [blocks[at][-1].split("\t")[0] for at in mixed]
    assert len({item.id for item in read_items(items)}) == len(blocks)
    assert len({item.id for item in load_items(str(path), "test", 0)}) == len(blocks)


def test_a_question_of_any_order_is_relabelled(tmp_path: Path) -> None:
    path = tmp_path / "deep.txt"
    deep = "Where does Ann think that Bob thinks that Ann thinks that Bob thinks that Ann will look for the fig?"
    path.write_text(write_blocks([block(tell("X M"), deep, TIN)]), "utf-8")
    (row,) = relabel([path])
    assert (row.item.answer, row.item.order) == (JAR, 5)
    assert "5th_order" in row.trace


def test_a_trace_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    lines = trace("enter_agent_0,enter_agent_1,agent_1_exits,agent_0_moves_obj", "false_belief")
    labels = [JAR, TIN, JAR, TIN, JAR, JAR]
    with pytest.raises(UserError, match=r"story\.trace: found 5 lines, expected 6, one for each question"):
        relabelled(tmp_path, tell("X M"), labels, lines[:-1])
    with pytest.raises(
        UserError, match=r"story\.trace, line 1: found a question of class 'reality', expected one such"
    ):
        relabelled(tmp_path, tell("X M"), labels, [lines[3], *lines[1:]])
    with pytest.raises(UserError, match=r"story\.trace, line 6: found a question of class ''"):
        relabelled(tmp_path, tell("X M"), labels, [*lines[:-1], "what"])


def test_closed_containers_hide_what_is_in_them(tmp_path: Path) -> None:
    """D10: whoever comes back learns nothing by looking."""
    path = write_story(tmp_path / "story.txt", tell("X M R"), [JAR, TIN, TIN, TIN, TIN, TIN])
    assert answers(relabel([path], is_open=False)) == [JAR, TIN, JAR, TIN, JAR, JAR]


def test_solvers_that_disagree_stop_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_solver, "believed", lambda *_: 0)
    with pytest.raises(RuntimeError, match=r"line 10: the ledger and the perspective solver disagree on tin"):
        relabelled(tmp_path, tell("M X")[:4], [JAR, TIN, TIN, TIN, TIN, TIN])


def test_every_cause_is_explained(tmp_path: Path) -> None:
    report = relabelled(tmp_path, tell("X M"), [JAR, TIN, JAR, TIN, JAR, JAR])
    assert set(summary(report)["causes"]) == set(CAUSES)
    assert not found(report)


@pytest.mark.skipif("OTHERMINDS_TOMI" not in os.environ, reason="OTHERMINDS_TOMI names no folder with ToMi's files")
@pytest.mark.parametrize(
    ("split", "changed", "hidden", "third", "order", "types"),
    [
        ("train", 522, 103, 158, 352, {0: 492, 1: 404, 2: 103}),
        ("val", 482, 98, 143, 365, {0: 505, 1: 396, 2: 98}),
        ("test", 464, 103, 129, 351, {0: 492, 1: 404, 2: 103}),
    ],
)
def test_the_released_files_are_wrong_as_often_as_was_counted(
    split: str, changed: int, hidden: int, third: int, order: int, types: dict[int, int]
) -> None:
    path = Path(os.environ["OTHERMINDS_TOMI"]) / f"fb_all_{split}.txt"
    if not path.exists():
        pytest.skip(f"no {path}")
    report = relabel([path])
    assert summary(report)["changed_by_kind"] == {"second order": changed}
    assert summary(report)["wrong_stories"] == changed // 2
    counts = summary(report)["causes"]
    assert (counts["D1"]["stories"], counts["D2"]["stories"], counts["D3"]["questions"]) == (hidden, third, hidden)
    assert (counts["D4"]["stories"], counts["D6"]["stories"], counts["D7"]["stories"]) == (0, order, 0)
    assert Counter({row.story: row.item.story_order for row in report}.values()) == types
