"""Our words: as many as the originals have, and none that makes an answer unclear."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from otherminds.worlds.tomi.stories import vocabulary
from otherminds.worlds.tomi.stories.vocabulary import Pools, code_pools, nonce_words, pools, released_pools


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
