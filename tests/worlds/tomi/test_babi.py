"""ToM-bAbI: three chapters, four questions, and files as they were released."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.tomi import perspective
from otherminds.worlds.tomi.babi import CHAPTERS, QUESTIONS, BabiStory, Task, held_out, training, write
from otherminds.worlds.tomi.rules import answer, simulate
from otherminds.worlds.tomi.types import Enter
from otherminds.worlds.tomi.vocabulary import Pools
from tests.worlds.tomi.telling import good_blocks


def texts(story: BabiStory) -> list[str]:
    return [line.partition(" ")[2].partition("\t")[0] for line in story.lines()]


def test_an_easy_set_has_every_chapter_with_every_question_as_often() -> None:
    items = [item for story in training("easy", each=20) for item in story.items()]
    counts = Counter((item.original_type, item.group) for item in items)
    assert len(counts) == 12
    assert set(counts.values()) == {20}
    lengths = {item.original_type: item.n_statements for item in items}
    assert lengths == {"true_belief": 4, "false_belief": 5, "second_order_false_belief": 7}


def test_a_full_set_groups_the_same_pairs_by_five() -> None:
    easy = [(item.original_type, item.group) for story in training("easy", each=5) for item in story.items()]
    grouped = list(training("full", each=5))
    assert len(grouped) == 12
    assert [(item.original_type, item.group) for story in grouped for item in story.items()] == easy


@pytest.mark.parametrize(("chapter", "length"), [("tb", 17), ("fb", 21), ("sofb", 29)])
def test_a_full_story_to_test_on_has_four_chapters_and_a_question_at_the_end(chapter: str, length: int) -> None:
    for story in held_out("full", "test", chapter, "search", number=5, noise=0):
        assert len(story.lines()) == length
        assert [text.endswith("?") for text in texts(story)] == [False] * (length - 1) + [True]


@pytest.mark.parametrize("task", ["easy", "full"])
@pytest.mark.parametrize("chapter", CHAPTERS)
@pytest.mark.parametrize("asks", QUESTIONS)
def test_the_table_of_answers_is_what_both_solvers_find(tmp_path: Path, task: Task, chapter: str, asks: str) -> None:
    """Also where an object is announced again in a later chapter."""
    path = tmp_path / "set.txt"
    lines = [line for story in held_out(task, "val", chapter, asks, number=40) for line in story.lines()]
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    for block in good_blocks(path):
        story, names = block.told.story, block.told.names
        assert answer(block.asked, simulate(story), names) == block.answer
        if block.asked.kind == "belief":
            believed = perspective.believed(story, block.asked.chain, block.asked.object)
            assert believed is not None
            assert names.containers[believed] == block.answer


def test_the_beginning_is_that_of_the_whole_story() -> None:
    """In some stories an object is moved in more than one chapter."""
    repeated = 0
    for story in held_out("full", "val", "tb", "memory", number=300, noise=0):
        (item,) = story.items()
        word = item.question.split()[3]
        said = [text for text in item.story if text.startswith(f"The {word} is in the ")]
        assert item.answer == said[0].split()[-1].rstrip(".")
        repeated += said[0] != said[-1]
    assert repeated > 10


def test_whoever_is_still_there_is_in_the_room_instead_of_entering() -> None:
    already = [
        sum(isinstance(part, Enter) and part.is_already for part in story.script)
        for story in held_out("full", "val", "tb", "reality", number=100)
    ]
    assert sum(already) > 10
    assert not any(
        isinstance(part, Enter) and part.is_already for story in training("easy", each=5) for part in story.script
    )


def test_statements_carry_the_numbers_of_those_present() -> None:
    (story,) = held_out("easy", "test", "sofb", "belief", number=1, noise=0)
    mover, other = story.script[-1].pair  # type: ignore[union-attr]
    one, two = str(mover + 1), str(other + 1)
    both = " ".join(sorted((one, two)))
    notes = [line.split("\t")[1:] for line in story.lines()]
    assert notes[:-1] == [[one], [both], [both], [both], [one], [one], [two]]
    assert notes[-1][1:] == ["1"]


def test_the_phone_rings_before_a_tenth_of_the_lines() -> None:
    told = list(held_out("easy", "test", "fb", "reality", number=500))
    lines = [text for story in told for text in texts(story)]
    rings = lines.count("Phone rang.")
    assert 0.08 < rings / (len(lines) - rings) < 0.12
    assert all(line.endswith("Phone rang.\t") for story in told for line in story.lines() if "Phone" in line)
    assert any(texts(story)[-2] == "Phone rang." for story in told)
    assert not any("Phone" in text for story in training("easy", each=5) for text in texts(story))
    assert any("Phone" in text for story in training("easy", each=5, noise=0.1) for text in texts(story))


def test_files_are_named_as_the_released_ones_and_never_written_over(tmp_path: Path) -> None:
    paths = write(tmp_path / "easy", "easy", each=5)
    assert len(paths) == 25
    assert sorted(path.name for path in paths)[:2] == ["fb_belief_test_test.txt", "fb_belief_val_test.txt"]
    assert (tmp_path / "easy" / "qa21_task_AB_train.txt").read_text("utf-8").count("?\t") == 60
    assert all(len(good_blocks(path)) == 5 for path in paths if path.name != "qa21_task_AB_train.txt")
    with pytest.raises(UserError, match="exists already; choose another folder"):
        write(tmp_path / "easy", "easy", each=5, seed=1)
    before = paths[3].read_bytes()
    write(tmp_path / "easy", "easy", each=5, force=True)
    assert paths[3].read_bytes() == before
    write(tmp_path / "easy", "easy", each=5, seed=1, force=True)
    assert paths[3].read_bytes() != before


def test_the_same_seed_gives_the_same_stories_and_another_others() -> None:
    lines = [story.lines() for story in training("full", seed=4, each=5, noise=0.1)]
    assert lines == [story.lines() for story in training("full", seed=4, each=5, noise=0.1)]
    assert not [one for one in training("full", seed=5, each=5, noise=0.1) if one.lines() in lines]


def test_what_cannot_be_made_is_refused() -> None:
    with pytest.raises(UserError, match="36 chapters do not fill stories of 5"):
        next(training("full", each=3))
    with pytest.raises(UserError, match="found 3 agents to draw from, expected at least 4"):
        next(training("easy", pools=Pools(("Ann", "Bob", "Cat"), (), (), ())))
