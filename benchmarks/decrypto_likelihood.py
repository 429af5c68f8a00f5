"""Which wording makes a weighed language model decode and intercept best? Needs the embedded model (make local-model).

    python benchmarks/decrypto_likelihood.py [GAMES]

For each wording: the share of codes found as Bob in first turns, and as Eve in fourth turns, of games whose hints are
the embedding baselines' (GloVe and MiniLM); chance is 1/24, and 1/21 in the fourth turn. The wordings were chosen on
seeds 0 and up; use others to report a mind's strength.
"""

from __future__ import annotations

import sys

from otherminds.core.world import Ask
from otherminds.llm.likelihood import LikelihoodMind, ServedWeights
from otherminds.llm.local import served
from otherminds.minds.find import find_mind
from otherminds.worlds.decrypto import text
from otherminds.worlds.decrypto.minds.scripted import ScriptedMind
from otherminds.worlds.decrypto.observe import view
from otherminds.worlds.decrypto.probes import guess_form
from otherminds.worlds.decrypto.rules import reveal
from otherminds.worlds.decrypto.types import Code, Game, Hints, Role
from otherminds.worlds.decrypto.world import Decrypto

BOB = (
    "Words related to {word}:",
    'The word "{word}" makes people think of',
    "Synonyms and associations of the word {word}:",
    "Category: {word}. Examples:",
)
EVE = (
    ("Words related to each other: {words},", "Words related to each other:"),
    ("Synonyms: {words},", "Synonyms:"),
    ("{words},", "Here are some words:"),
    ("Words of the same category: {words},", "Words of the same category:"),
)


def hinted(lexicon: str, seed: int, turns: int) -> tuple[Game, Hints]:
    """A game of the baseline after some turns, and the hints of the next."""
    world = Decrypto(stops_at_interceptions=False)
    session, alice = world.open(seed), find_mind(lexicon, world, "alice")
    assert isinstance(alice, ScriptedMind)
    alice.begin("alice", session.briefing("alice"), session.mind_seed("alice", lexicon))
    game = session.game
    for _ in range(turns):
        code = game.codes[len(game.turns)]
        game = reveal(game, alice.act(view(game, "alice")), code, (4, 3, 2))
    return game, alice.act(view(game, "alice"))


def guess(mind: LikelihoodMind, game: Game, role: Role, hints: Hints) -> Code:
    """The code that a weighed model takes for the likeliest."""
    seen = text.DecryptoView(view(game, role, hints))
    found: Code = mind.reply(Ask(role, role, len(game.turns) + 1, seen, guess_form(game.rules))).value
    return found


def main(games: int) -> None:
    seeds = [(lexicon, seed) for lexicon in ("glove", "minilm") for seed in range(games)]
    first = [hinted(lexicon, seed, 0) for lexicon, seed in seeds]
    fourth = [hinted(lexicon, seed, 3) for lexicon, seed in seeds]
    with served() as address:
        mind = LikelihoodMind(ServedWeights(address))
        for wording in BOB:
            text.AFTER_KEYWORD = wording
            right = sum(guess(mind, game, "bob", hints) == game.codes[0] for game, hints in first)
            print(f"Bob {right:3} of {len(first)}  {wording}", flush=True)
        for wording, empty in EVE:
            text.AFTER_HINTS, text.AFTER_NOTHING = wording, empty
            right = sum(guess(mind, game, "eve", hints) == game.codes[3] for game, hints in fourth)
            print(f"Eve {right:3} of {len(fourth)}  {wording}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
