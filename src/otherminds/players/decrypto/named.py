"""Minds that are other minds under a name: the baseline of each lexicon, and one that acts apart from what it says."""

from __future__ import annotations

from functools import partial, update_wrapper

from otherminds.core.world import World
from otherminds.minds.find import find_mind
from otherminds.minds.simple import DecoupledMind
from otherminds.players.decrypto.embedding import embedding
from otherminds.worlds.decrypto.lexicon import SHIPPED
from otherminds.worlds.decrypto.types import role_of

LEXICA = {name: update_wrapper(partial(embedding, lexicon=name), embedding) for name in SHIPPED}


def decoupled(seat: str, world: World, acts: str = "glove", says: str = "") -> DecoupledMind:
    """Plays as the baseline, which models nobody, and answers as a mind that does.

    Args:
        seat: that it is to fill.
        world: that it plays in.
        acts: the mind that hints or guesses; write ``;`` for commas, as in ``acts=embedding:k=3;checks=false``.
        says: the mind that answers probes; rsa for Alice and bayes for the others by default.
    """
    usual = "rsa" if role_of(seat) == "alice" else "bayes"
    acting, saying = (find_mind(spec.replace(";", ","), world, seat) for spec in (acts, says or usual))
    return DecoupledMind(acting, saying)
