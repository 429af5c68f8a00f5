import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.decrypto import words
from otherminds.worlds.decrypto.words.lexicon import (
    SHIPPED,
    Lexicon,
    hint_words,
    keyword_bank,
    lexicon,
    read_vectors,
    unit,
)

WORDS = Path(words.__file__).parent


def _stop_words() -> set[str]:
    lines = (WORDS / "stop.txt").read_text(encoding="utf-8").splitlines()
    return {word for line in lines if not line.startswith("#") for word in line.split()}


def test_keywords_are_many_and_clean() -> None:
    assert len(set(keyword_bank())) == 720
    assert not set(keyword_bank()) & _stop_words()


def test_hints_are_many_and_clean() -> None:
    hints = hint_words()
    assert len(set(hints)) == 4900
    assert not set(hints) & _stop_words()
    assert hint_words(3000) == hints[:3000]
    with pytest.raises(UserError, match="9999 hint words; expected 1 to 4900"):
        hint_words(9999)


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_vectors_know_what_is_alike(name: str) -> None:
    found = lexicon(name)
    known = {*keyword_bank(), *hint_words()} & set(found.words)
    assert len(known) >= 0.8 * 5218
    np.testing.assert_allclose(np.linalg.norm(found.vectors, axis=1), 1, atol=1e-5)
    near = found.cosines(["king", "ocean", "winter"], ["prince", "sea", "summer"])
    assert near.diagonal().min() > (near - np.eye(3)).max() + 0.1


def test_words_without_a_vector_are_all_alike_where_the_original_is_followed() -> None:
    tiny = Lexicon("tiny", ("up", "down"), unit(np.array([[1.0, 0.0], [-1.0, 1.0]])), neutral="ones")
    assert tiny.cosines(["qwx"], ["zzz"])[0, 0] == pytest.approx(1)
    np.testing.assert_allclose(tiny.vector("qwx"), [2**-0.5, 2**-0.5], rtol=1e-6)


def test_several_words_mean_the_direction_of_their_sum() -> None:
    tiny = Lexicon("tiny", ("east", "north"), unit(np.array([[1.0, 0.0], [0.0, 1.0]])))
    for text in ("east north", "North-East", "the east north"):
        np.testing.assert_allclose(tiny.vector(text), [2**-0.5, 2**-0.5], rtol=1e-6)
    np.testing.assert_allclose(tiny.matrix(["East", "unknown"])[0], [1, 0])


def test_noise_turns_vectors_as_far_as_one_likes() -> None:
    base = lexicon("glove")
    some = base.words[:200]
    alike = [float(np.mean(np.sum(base.matrix(some) * base.noisy(a).matrix(some), axis=1))) for a in (0, 0.5, 1, 2)]
    assert alike[0] == pytest.approx(1, abs=1e-5)
    assert alike == sorted(alike, reverse=True)
    assert alike[2] == pytest.approx(2**-0.5, abs=0.05)  # half of each
    assert lexicon("glove~0.5").name == "glove~0.5"
    np.testing.assert_array_equal(lexicon("glove~0.5").vectors, base.noisy(0.5).vectors)


def test_vectors_of_ones_own_are_read_from_the_usual_formats(tmp_path: Path) -> None:
    words, rows = ["Cat", "dog"], np.array([[3.0, 4.0], [0.0, 2.0]], "<f4")
    (tmp_path / "a.txt").write_text("Cat 3 4\ndog 0 2\n")
    (tmp_path / "b.vec").write_text("2 2\nCat 3 4\ndog 0 2\n")
    body = b"".join(word.encode() + b" " + row.tobytes() + b"\n" for word, row in zip(words, rows, strict=True))
    (tmp_path / "c.bin").write_bytes(b"2 2\n" + body)
    np.savez_compressed(tmp_path / "d.npz", words=np.array(["cat", "dog"]), vectors=unit(rows).astype(np.float16))
    for name in ("a.txt", "b.vec", "c.bin", "d.npz"):
        found = lexicon(str(tmp_path / name))
        assert found.words == ("cat", "dog")
        np.testing.assert_allclose(found.vector("cat"), [0.6, 0.8], atol=1e-3)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"cat 1 2\ndog 1\n", "line 2: 1 numbers; expected 2"),
        ("a.txt", b"cat one two\n", "cannot be read"),
        ("a.txt", b"", "no vectors"),
        ("a.bin", b"2 2\ncat ", "cannot be read"),
        ("a.bin", b"nonsense", "cannot be read"),
        ("a.bin", b"0 0\n", "0 words"),
        ("a.txt", b"cat nan 2\n", "not finite"),
        ("a.npz", b"nonsense", "cannot be read"),
        ("a.csv", b"cat,1", "a name that ends in"),
    ],
)
def test_a_file_that_holds_no_vectors_is_refused(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UserError, match=message):
        read_vectors(path)


@pytest.mark.parametrize(
    ("words", "vectors", "message"),
    [
        (["a", "b"], np.ones((3, 4)), "2 words and vectors of shape"),
        (["a", "b"], np.ones(2), "expected one for each"),
        (["a", "b"], np.full((2, 4), np.nan), "not finite"),
        (["a", "b"], np.ones((2, 0)), "expected one for each"),
    ],
)
def test_packed_vectors_that_do_not_fit_their_words_are_refused(
    tmp_path: Path, words: list[str], vectors: Any, message: str
) -> None:
    np.savez(tmp_path / "own.npz", words=np.array(words), vectors=vectors)
    with pytest.raises(UserError, match=message):
        lexicon(str(tmp_path / "own.npz"))


@pytest.mark.parametrize("noise", ["x", "nan", "inf", "-1"])
def test_noise_is_a_number_from_0(noise: str) -> None:
    with pytest.raises(UserError, match="expected a number of at least 0"):
        lexicon(f"glove~{noise}")


def test_an_unknown_lexicon_is_named() -> None:
    with pytest.raises(UserError, match="did you mean 'glove'"):
        lexicon("glvoe")
    with pytest.raises(UserError, match="expected a number of at least 0"):
        lexicon("glove~much")


def test_a_bank_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "plain.txt").write_text("Apple\nriver\n\n")
    assert keyword_bank(tmp_path / "plain.txt") == ("apple", "river")
    (tmp_path / "kinds.json").write_text(json.dumps({"concrete": ["apple"], "abstract": ["hope"]}))
    assert keyword_bank(tmp_path / "kinds.json") == ("apple", "hope")
    (tmp_path / "list.json").write_text(json.dumps(["apple", "hope"]))
    assert keyword_bank(tmp_path / "list.json") == ("apple", "hope")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", "apple\nApple\n", "apple more than once"),
        ("a.json", "{", "not a keyword bank"),
        ("a.json", "[1]", "not a keyword bank"),
        ("a.json", '{"concrete": "house"}', "not a keyword bank"),
    ],
)
def test_a_bank_that_cannot_be_used_is_refused(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(UserError, match=message):
        keyword_bank(tmp_path / name)
    with pytest.raises(UserError, match="cannot read"):
        keyword_bank(tmp_path / "none.txt")
