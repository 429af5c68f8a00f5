"""Hints that people and language models give: what the lexica know beyond their tables, and that they say what not."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from otherminds.worlds.decrypto.minds.embedding import EmbeddingAlice, EmbeddingGuesser
from otherminds.worlds.decrypto.types import HIDDEN, NO_HINT
from otherminds.worlds.decrypto.words import lookup
from otherminds.worlds.decrypto.words.lexicon import SHIPPED, Lexicon, hint_words, keyword_bank, lexicon, unit
from otherminds.worlds.decrypto.words.lookup import WordPieces, encode
from tests.worlds.decrypto.minds.asking import named

# 160 words and 40 hints of two that anybody might give.
HINTS = (Path(__file__).parent / "everyday.txt").read_text(encoding="utf-8").splitlines()
needs_encoder = pytest.mark.skipif(lookup.encoder_folder() is None, reason=f"{lookup.ENCODER} is not installed")


@pytest.fixture
def no_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookup, "encoder_folder", lambda: None)


def test_glove_knows_what_people_say() -> None:
    assert len(set(HINTS)) == 200
    glove = lexicon("glove")
    assert len(glove.unknown(HINTS)) <= 0.03 * len(HINTS)
    table = replace(glove, beyond=None)
    assert sum(map(table.knows, HINTS)) < 0.5 * len(HINTS)  # so it is the larger table that knows them


def test_the_larger_table_is_large_and_small() -> None:
    assert lookup.HEARD.stat().st_size <= 5_000_000
    with np.load(lookup.HEARD) as found:
        words, vectors = found["words"].tolist(), found["vectors"]
    assert len(set(words)) == len(vectors) >= 40_000
    assert vectors.dtype == np.int8
    assert vectors.shape[1] == lexicon("glove").vectors.shape[1]
    assert not set(words) & set(lexicon("glove").words)


@pytest.mark.parametrize(
    ("word", "near", "far"),
    [("pizza", "restaurant", "engine"), ("snowman", "snow", "tax"), ("dentist", "doctor", "hill")],
)
def test_what_is_only_heard_is_near_what_it_means(word: str, near: str, far: str) -> None:
    nearness = lexicon("glove").cosines([word], [near, far])[0]
    assert nearness[0] > nearness[1] + 0.2


@pytest.mark.parametrize("name", SHIPPED)
def test_words_of_the_tables_keep_their_exact_vectors(name: str) -> None:
    with np.load(lookup.HEARD.parent / f"{name}.npz") as found:
        words, vectors = found["words"].tolist(), unit(found["vectors"].astype(np.float32))
    np.testing.assert_array_equal(lexicon(name).matrix(words), vectors)
    np.testing.assert_array_equal(lexicon(name).vector(words[7]), vectors[7])


def test_nothing_more_is_read_until_a_word_is_met_that_needs_it() -> None:
    script = """
import sys
from otherminds.worlds.decrypto.words.lexicon import hint_words
from otherminds.worlds.decrypto.words.lexicon import lexicon
from otherminds.worlds.decrypto.words import lookup
lexicon("glove").matrix(hint_words()), lexicon("minilm").matrix(hint_words())
assert lookup._heard.cache_info().currsize == 0 and "safetensors" not in sys.modules
lexicon("glove").vector("pizza")
assert lookup._heard.cache_info().currsize == 1
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_unknown_words_are_told_each_once() -> None:
    glove = lexicon("glove")
    assert glove.unknown(["river", "qwxzv", "qwxzv"]) == ["qwxzv"]
    assert glove.unknown(["purple Zxqvk", "Zxqvk qqqqz", "!!"]) == ["zxqvk", "Zxqvk qqqqz", "!!"]
    assert glove.unknown([HIDDEN, NO_HINT]) == []
    assert not any(map(glove.knows, (HIDDEN, NO_HINT, "qwxzv", "")))
    assert glove.unknown([*keyword_bank(), *hint_words()]) == []


def test_an_unknown_word_is_like_no_other() -> None:
    for name in ("glove", "glove~0.5"):
        assert not lexicon(name).vector("qwxzv").any()
    np.testing.assert_array_equal(lexicon("glove").cosines(["qwxzv"], ["king", "qwxzv"]), 0)


def test_moby_knows_its_thesaurus_only_and_reads_the_rest_as_the_original_does() -> None:
    moby = lexicon("moby")
    assert moby.unknown(["cavalry", "river"]) == ["cavalry"]
    np.testing.assert_allclose(moby.vector("cavalry"), 0.1, rtol=1e-6)


@pytest.mark.parametrize(
    ("word", "same"),
    [
        ("zebras", "zebra"), ("Tiger's", "tiger"), ("tiger’s", "tiger"), ("ponies", "pony"), ("wolves", "wolf"),
        ("hugging", "hug"), ("baking", "bake"), ("tígér", "tiger"), ("tigerish", "tiger"), ("(tiger!)", "tiger"),
        ("the tiger", "tiger"), ("tiger-pony", "pony tiger"), ("tigerzebra", "tiger zebra"),
    ],
)  # fmt: skip
def test_other_forms_of_a_word_are_traced_back_to_it(word: str, same: str) -> None:
    words = ("zebra", "tiger", "pony", "wolf", "hug", "bake")
    open_table = Lexicon("open", words, np.eye(6, dtype=np.float32), lookup.nothing)
    assert open_table.unknown([word]) == []
    np.testing.assert_allclose(open_table.vector(word), open_table.vector(same), atol=1e-6)


def test_words_do_not_fall_into_small_pieces() -> None:
    table = Lexicon("open", ("hog", "warts", "the"), np.eye(3, dtype=np.float32), lookup.nothing)
    assert table.unknown(["hogwarts", "ass", "of"]) == ["hogwarts", "ass", "of"]
    assert table.knows("the")  # by itself it is a word like others


def test_noise_turns_words_beyond_the_table_too() -> None:
    base, noisy = lexicon("glove"), lexicon("glove~1")
    alike = [float(base.vector(word) @ noisy.vector(word)) for word in HINTS[:50]]
    assert 0.6 < np.mean(alike) < 0.8
    np.testing.assert_array_equal(noisy.vector("pizza"), base.noisy(1).vector("pizza"))


@needs_encoder
def test_minilm_reads_any_text_with_the_encoder() -> None:
    minilm = lexicon("minilm")
    assert minilm.unknown(HINTS) == []
    nearness = minilm.cosines(["hot dog", "selfie"], ["sausage", "camera", "winter"])
    assert nearness[0].argmax() == 0
    assert nearness[1].argmax() == 1
    assert minilm.unknown(["…", "☃"]) == ["…", "☃"]


@needs_encoder
def test_the_encoder_and_the_table_agree() -> None:
    minilm, folder = lexicon("minilm"), lookup.encoder_folder()
    assert folder
    words = minilm.words[::500]
    np.testing.assert_allclose(encode(words, folder), minilm.matrix(words), atol=5e-4)


@pytest.mark.usefixtures("no_encoder")
def test_without_the_encoder_minilm_knows_its_table_and_says_so() -> None:
    minilm = lexicon("minilm")
    assert minilm.unknown(["river", "rivers", "qwxzv", "selfie"]) == ["qwxzv", "selfie"]


def test_word_pieces_are_the_longest_there_are() -> None:
    pieces = ("[CLS]", "[SEP]", "[UNK]", "snow", "##man", "##m", "man", "-", "e")
    reader = WordPieces({piece: at for at, piece in enumerate(pieces)})
    assert reader.encode("Snowman snow-man é") == [0, 3, 4, 3, 7, 6, 8, 1]
    assert reader.encode("snowcat") == [0, 2, 1]
    assert reader.encode("man" * 40) == [0, 2, 1]
    assert [reader.can_read(text) for text in ("snowman", "snowcat", "-", "")] == [True, False, False, False]


@pytest.mark.parametrize(("spec", "neutral"), [("glove", "nothing"), ("moby", "ones")])
def test_unknown_words_are_read_as_in_the_original_by_moby_alone(spec: str, neutral: str) -> None:
    bob, alice = named(spec, "bob"), named(spec, "alice")
    assert isinstance(bob, EmbeddingGuesser)
    assert isinstance(alice, EmbeddingAlice)
    assert bob.meaning.neutral == alice.words.meaning.neutral == neutral
    assert set(alice.words.words) <= set(hint_words())
