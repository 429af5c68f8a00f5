"""Small records of Decrypto, made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.worlds.decrypto.types import Rules

KEYWORDS = ("lion", "piano", "honey", "winter")
CODE = [1, 2, 3]
WRONG = [3, 2, 1]


def turn(number: int, *, decoded: bool = True, caught: bool = False, **more: Any) -> dict[str, Any]:
    return {
        "turn": number,
        "code": CODE,
        "hints": ["mane", "keys", "bees"],
        "bob": CODE if decoded else WRONG,
        "eve": CODE if caught else WRONG,
        "attempts": {"alice": 1, "bob": 1, "eve": 1},
        "failures": [],
        **more,
    }


def said(name: str, answer: Any, role: str = "eve", shown: Sequence[str] = (), failed: bool = False) -> dict[str, Any]:
    """The record of a probe."""
    kept = {
        "id": f"2/{role}/{name}",
        "name": name,
        "seat": role,
        "kind": "keywords_now",
        "chain": [],
        "about": "keywords",
    }
    answered = {"expected": None, "given": answer, "attempts": 1, "failed": failed}
    return {**kept, **answered, **({"shown": list(shown)} if shown else {})}


def game(
    seed: int,
    turns: Sequence[dict[str, Any]],
    ending: str | None = "survived",
    players: Sequence[str] = "abc",
    **notes: Any,
) -> Episode:
    return Episode(
        id=f"decrypto-{seed}",
        world="decrypto-v0",
        config=asdict(Rules()),
        minds=dict(zip(("alice", "bob", "eve"), players, strict=True)),
        seed=seed,
        start={"keywords": list(KEYWORDS), "codes": [CODE] * 8},
        turns=list(turns),
        end=None if ending is None else {"ending": ending, "turns": len(turns)},
        notes=notes,
    )
