"""Our words: as many as the originals have, and none that makes an answer unclear."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.tomi import vocabulary
from otherminds.worlds.tomi.files import write_blocks
from otherminds.worlds.tomi.original import stories
from otherminds.worlds.tomi.vocabulary import Pools, code_pools, nonce_words, pools, released_pools


def lists(words: Pools) -> tuple[tuple[str, ...], ...]:
    return words.agents, words.rooms, words.containers, words.objects


def sizes(words: Pools) -> tuple[int, ...]:
    return tuple(len(words) for words in lists(words))


def test_the_lists_are_of_the_originals_sizes() -> None:
    assert sizes(pools()) == sizes(pools("rare")) == sizes(pools("nonce")) == (40, 30, 39, 66)
    assert sizes(released_pools()) == (30, 30, 30, 30)
    assert sizes(code_pools()) == (40, 30, 13, 66)
    assert len(vocabulary._words()["produce"]) == 37
    assert len(vocabulary._words()["clothing"]) == 29


@pytest.mark.parametrize("words", [pools(), pools("rare"), pools("nonce"), released_pools(), code_pools()])
def test_every_name_is_one_token_and_names_one_thing(words: Pools) -> None:
    for kind in lists(words):
        assert len(set(kind)) == len(kind)
        assert all(re.fullmatch(r"\w+", word) for word in kind)
    for one, other in combinations(lists(words), 2):
        assert not {word.lower() for word in one} & {word.lower() for word in other}
    assert words.plurals <= set(words.objects)
    assert all(agent[0].isupper() for agent in words.agents)


def test_made_up_words_follow_from_the_seed_and_are_none_of_ours() -> None:
    words = nonce_words(3, 200)
    assert words == nonce_words(3, 200)
    assert words != nonce_words(4, 200)
    assert len(set(words)) == 200
    assert not set(words) & vocabulary._every_word()
    assert pools("nonce", 1) != pools("nonce", 2)


def test_the_small_world_is_drawn_once_from_the_large_one() -> None:
    small, large = released_pools(), pools()
    for some, every in zip(lists(small), lists(large), strict=True):
        assert set(some) <= set(every)
    assert released_pools(1) != small


def test_words_are_taken_from_files_that_a_user_points_to(tmp_path: Path) -> None:
    told = list(stories("released", 60, seed=5))
    files = []
    for name, part in (("one.txt", told[:30]), ("two.txt", told[30:])):
        files.append(tmp_path / name)
        files[-1].write_text(write_blocks(block for story in part for block in story.blocks()), "utf-8")
    found = vocabulary.pools_from_files(files)
    for some, every in zip(lists(found), lists(released_pools()), strict=True):
        assert len(some) > 20
        assert set(some) <= set(every)
        assert list(some) == sorted(some)
    assert next(stories("released", 3, pools=found)).names.agents[0] in found.agents


def test_a_file_that_cannot_be_read_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("1 Ann entered the barn.\n2 Ann danced.\n3 Where is the fig really?\tjar\t1\n", "utf-8")
    with pytest.raises(UserError, match=r"bad\.txt, line 2: 'Ann danced\.'"):
        vocabulary.pools_from_files([path])


def test_too_few_words_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "few.txt"
    path.write_text("1 Ann entered the barn.\n2 The fig is in the jar.\n3 Where is the fig really?\tjar\t1\n", "utf-8")
    with pytest.raises(UserError, match=r"few\.txt: found 1 agents to draw from, expected at least 3"):
        vocabulary.pools_from_files([path])
    with pytest.raises(UserError, match="no file: found 0 agents"):
        vocabulary.pools_from_files([])
