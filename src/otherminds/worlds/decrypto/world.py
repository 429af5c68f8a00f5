"""Decrypto as a world among others: games of a bank, dealt by seed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError, nearest
from otherminds.worlds.decrypto.bank import keyword_bank
from otherminds.worlds.decrypto.ledger import Fact, ledger_of
from otherminds.worlds.decrypto.record import WORLD, Played, play_again
from otherminds.worlds.decrypto.rules import deal
from otherminds.worlds.decrypto.text import board
from otherminds.worlds.decrypto.types import ROLES, Game, Rules, dashed

if TYPE_CHECKING:
    from otherminds.view.shapes import Scene


class Decrypto:
    """Games with keywords of a bank, or of one kind of them.

    Args:
        bank: a file of keywords; ours without one.
        kind: all, concrete or abstract.
        rules: fields of :class:`Rules` that differ from the default.

    Raises:
        UserError: if there is no such rule, or the bank cannot be read.
    """

    id = WORLD

    def __init__(self, bank: str | Path | None = None, kind: str = "all", **rules: Any) -> None:
        for name in rules:
            if name not in Rules.__dataclass_fields__:
                raise UserError(f"Decrypto has no rule {name!r}{nearest(name, Rules.__dataclass_fields__)}")
        self.bank, self.rules = keyword_bank(bank), Rules(**rules)
        self.words = self.bank.of(kind)

    def deal(self, seed: int) -> Game:
        """The game of a seed: the same keywords and codes whoever plays it."""
        return deal(self.words, seed, self.rules)

    @staticmethod
    def play_again(episode: Episode) -> Played:
        """See :func:`otherminds.worlds.decrypto.record.play_again`."""
        return play_again(episode)

    @staticmethod
    def terminal(state: Game, params: Rules) -> str:  # noqa: ARG004  # worlds are asked alike
        """The game in plain text."""
        return board(state)

    @staticmethod
    def scene(state: Game, params: Rules) -> Scene:  # noqa: ARG004
        """The game as a picture."""
        from otherminds.worlds.decrypto.draw import game_scene

        return game_scene(state)

    @staticmethod
    def page(episode: Episode) -> str:
        """The game as a page to read."""
        from otherminds.worlds.decrypto.page import game_page

        return game_page(episode)

    @staticmethod
    def seen(played: Played, chain: Sequence[str], turn: int) -> dict[str, str]:
        """What a chain of roles has seen after a turn, by name; the truth for no role.

        Raises:
            UserError: if there is no such role.
        """
        for role in chain:
            if role not in ROLES:
                raise UserError(f"there is no role {role!r} in a chain{nearest(role, ROLES)}")
        mind = ledger_of(played.states[turn]).belief(tuple(chain))
        return {_named(fact): value if isinstance(value, str) else dashed(value) for fact, value in mind.items()}


def _named(fact: Fact) -> str:
    kind, turn, digit = fact
    return f"keyword {digit}" if kind == "keyword" else f"turn {turn}, {kind}{f' for {digit}' if digit else ''}"
