"""Decrypto as a world among others: games of a bank, dealt by seed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError, nearest
from otherminds.worlds.decrypto.bank import keyword_bank
from otherminds.worlds.decrypto.rules import deal
from otherminds.worlds.decrypto.types import Game, Rules


class Decrypto:
    """Games with keywords of a bank, or of one kind of them.

    Args:
        bank: a file of keywords; ours without one.
        kind: all, concrete or abstract.
        rules: fields of :class:`Rules` that differ from the default.

    Raises:
        UserError: if there is no such rule, or the bank cannot be read.
    """

    def __init__(self, bank: str | Path | None = None, kind: str = "all", **rules: Any) -> None:
        for name in rules:
            if name not in Rules.__dataclass_fields__:
                raise UserError(f"Decrypto has no rule {name!r}{nearest(name, Rules.__dataclass_fields__)}")
        self.bank, self.rules = keyword_bank(bank), Rules(**rules)
        self.words = self.bank.of(kind)

    def deal(self, seed: int) -> Game:
        """The game of a seed: the same keywords and codes whoever plays it."""
        return deal(self.words, seed, self.rules)
