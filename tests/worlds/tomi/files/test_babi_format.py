"""Files of ToMi: read exactly, and refused line by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.tomi.files.babi_format import read_blocks, write_blocks
from otherminds.worlds.tomi.files.sources import file_items
from otherminds.worlds.tomi.stories.original import stories
from tests.worlds.tomi.telling import QUESTIONS, block, good_blocks, tell, write_story

STORY = tell("X M")


def write(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def test_what_is_read_is_written_again_byte_by_byte(tmp_path: Path) -> None:
    path = tmp_path / "set.txt"
    path.write_text(write_blocks(lines for story in stories("released", 30) for lines in story.blocks()), "utf-8")
    blocks = good_blocks(path)
    assert len(blocks) == 180
    assert write_blocks(one.lines(one.answer) for one in blocks) == path.read_text("utf-8")
    assert [one.line for one in blocks[:2]] == [1, len(blocks[0].lines("")) + 1]


def test_a_block_can_be_written_with_another_answer(tmp_path: Path) -> None:
    one, *_ = good_blocks(write_story(tmp_path / "one.txt", STORY, ["jar"] * 6))
    assert one.lines("tin") == block(STORY, QUESTIONS[0], "tin")


@pytest.mark.parametrize(
    ("lines", "line", "why"),
    [
        (["Ann entered the barn."], 1, "found 'Ann entered the barn.', expected a line that begins with '1 '"),
        (["1 Ann entered the barn.", "3 Bob entered the barn."], 2, "expected a line that begins with '2 '"),
        (["1 Ann entered the barn.", ""], 1, "the block has no question"),
        (["1 Ann entered the barn.", "2 Ann sang."], 2, "the block has no question"),
        (
            ["1 Ann entered the barn.", "2 Ann sang.", "3 Where is the fig really?\tjar\t1"],
            2,
            "'Ann sang.' is not a sentence",
        ),
        (["1 Ann entered the barn.", "2 Where is the fig really?"], 2, "expected a question, a tab and its answer"),
        (
            ["1 Ann entered the barn.", "2 Where is the fig really?\t\t1"],
            2,
            "expected a question, a tab and its answer",
        ),
        (["1 Ann entered the barn.", "2 Why is the fig there?\tjar\t1"], 2, "is not a question; expected one such as"),
        ([*block(STORY, QUESTIONS[0], "jar"), "7 Ann exited the barn."], 7, "expected a line that begins with '1 '"),
    ],
)
def test_what_is_wrong_is_named_by_its_line_and_what_was_expected(
    tmp_path: Path, lines: list[str], line: int, why: str
) -> None:
    path = write(tmp_path / "bad.txt", *lines)
    with pytest.raises(UserError) as last:
        list(read_blocks(path))
    assert str(last.value).startswith(f"{path}, line {line}: ")
    assert why in str(last.value)


def test_a_mark_of_byte_order_and_foreign_line_ends_are_no_part_of_a_story(tmp_path: Path) -> None:
    path = tmp_path / "windows.txt"
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join([*block(STORY, QUESTIONS[0], "jar"), ""]).encode())
    assert [block.statements for block in read_blocks(path)] == [tuple(STORY)]


def test_a_question_about_what_the_story_never_mentions_is_named_by_its_line(tmp_path: Path) -> None:
    path = write(tmp_path / "odd.txt", *block(["Ann entered the barn."], "Where will Ann look for the fig?", "jar"))
    with pytest.raises(
        UserError, match=r"odd\.txt, line 1: a question asks about the fig, but the story never says where it is"
    ):
        list(file_items(path))


@pytest.mark.parametrize(("content", "why"), [(b" \n\n", "is empty"), (b"\xff\xfe\x00", "is not a text file")])
def test_files_of_another_kind_are_refused(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "other.txt"
    path.write_bytes(content)
    with pytest.raises(UserError, match=why):
        list(read_blocks(path))
    with pytest.raises(UserError, match=r"cannot read .*none\.txt: No such file"):
        list(read_blocks(tmp_path / "none.txt"))
