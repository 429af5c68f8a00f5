"""Reads files of word vectors: packed files, word2vec's binary format and GloVe's text format."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from otherminds.core.errors import UserError

Array = np.ndarray[Any, Any]


def read_vectors(path: Path) -> tuple[list[str], Array]:
    """Words in lower case and their vectors; the first of several spellings counts.

    Raises:
        UserError: if the file cannot be read in the format that its name says.
    """
    readers = {".npz": _packed, ".bin": _binary, ".txt": _text, ".vec": _text}
    if path.suffix not in readers:
        raise UserError(f"{path} is not a known kind of file; expected a name that ends in {', '.join(readers)}")
    try:
        words, vectors = readers[path.suffix](path)
    except UserError:
        raise
    except (OSError, ValueError, KeyError, IndexError, zipfile.BadZipFile) as error:
        raise UserError(f"{path} cannot be read as word vectors: {error}") from error
    if not words or vectors.ndim != 2 or len(vectors) != len(words) or not vectors.shape[1]:
        raise UserError(
            f"{path} has {len(words)} words and vectors of shape {vectors.shape}; expected one for each word"
        )
    if not np.isfinite(vectors).all():
        raise UserError(f"{path} has vectors that are not finite; expected finite numbers")
    first: dict[str, int] = {}
    for at, word in enumerate(words):
        first.setdefault(str(word).lower(), at)
    return list(first), vectors[list(first.values())]


def _packed(path: Path) -> tuple[list[str], Array]:
    with np.load(path) as archive:
        return archive["words"].tolist(), archive["vectors"].astype(np.float32)


def _binary(path: Path) -> tuple[list[str], Array]:
    data = path.read_bytes()
    head, _, _ = data.partition(b"\n")
    number, size = map(int, head.split())
    at, words, rows = len(head) + 1, [], []
    for _ in range(number):
        end = data.index(b" ", at)
        words.append(data[at:end].decode("utf-8", "replace").strip())
        rows.append(np.frombuffer(data, "<f4", size, end + 1))
        at = end + 1 + 4 * size
    return words, np.array(rows)


def _text(path: Path) -> tuple[list[str], Array]:
    words, rows = [], []
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            parts = line.rstrip().split(" ")
            if number == 1 and len(parts) == 2:
                continue  # word2vec's text format begins with its sizes
            words.append(parts[0])
            rows.append(np.array(parts[1:], dtype=np.float32))
            if len(rows[-1]) != len(rows[0]) or not len(rows[0]):
                raise UserError(f"{path}, line {number}: {len(rows[-1])} numbers; expected {len(rows[0])} as before")
    if not rows:
        raise UserError(f"{path} holds no vectors")
    return words, np.array(rows)
