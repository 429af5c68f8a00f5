"""A game in plain text, for a terminal."""

from __future__ import annotations

from otherminds.worlds.decrypto.draw import ENDINGS
from otherminds.worlds.decrypto.rules import ending, hints_by_digit, tokens
from otherminds.worlds.decrypto.types import Game, dashed


def board(game: Game) -> str:
    """The keywords with their hints, the last turn and the tokens."""
    lines = [f"turn {len(game.turns)} of {game.rules.turns}"]
    for digit, (word, hints) in enumerate(
        zip(game.keywords, hints_by_digit(game.turns, game.rules.keywords), strict=True), 1
    ):
        lines.append(f"  {digit} {word:<12} {', '.join(hints)}".rstrip())
    if game.turns:
        turn = game.turns[-1]
        bob, eve = ("right" if right else "wrong" for right in (turn.is_decoded, turn.is_intercepted))
        lines.append(
            f"  code {dashed(turn.code)} ({', '.join(turn.hints)}): Bob {dashed(turn.bob)} {bob}, "
            f"Eve {dashed(turn.eve)} {eve}"
        )
    missed, caught = tokens(game.turns)
    lines.append(f"  miscommunications {missed}, interceptions {caught}")
    found = ending(game)
    return "\n".join([*lines, *([f"  {ENDINGS[found]}"] if found else [])])
