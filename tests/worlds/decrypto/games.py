"""Games in the middle, for tests."""

from collections.abc import Sequence

from otherminds.worlds.decrypto.rules import reveal
from otherminds.worlds.decrypto.types import Code, Game, Intervention, Rules

KEYWORDS = ("river", "doctor", "music", "winter")
CODES: tuple[Code, ...] = ((1, 2, 3), (4, 3, 2), (2, 1, 4), (3, 4, 1), (1, 4, 2), (2, 3, 4), (3, 1, 2), (4, 1, 3))
HINTS = (("boat", "nurse", "song"), ("snow", "piano", "clinic"), ("surgeon", "stream", "cold"), ("jazz", "ice", "dam"))
WRONG: Code = (2, 4, 1)  # never played


def played(
    turns: int = 2,
    bob: Sequence[Code] = (),
    eve: Sequence[Code] = (),
    interventions: tuple[Intervention, ...] = (),
    rules: Rules | None = None,
) -> Game:
    """A game of which some turns are played: Bob was right and Eve wrong, unless their guesses are given."""
    game = Game(rules or Rules(), 0, KEYWORDS, CODES, interventions=interventions)
    for at in range(turns):
        hints = HINTS[at] if at < len(HINTS) else (f"x{at}", f"y{at}", f"z{at}")
        game = reveal(game, hints, bob[at] if at < len(bob) else CODES[at], eve[at] if at < len(eve) else WRONG)
    return game
