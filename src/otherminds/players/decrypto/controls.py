"""Minds whose theory of mind is known by construction: they show what the probes measure (spec 10).

An Eve that lets what she is shown leak into what she says she thought before must be caught at exactly her rate; one
that keeps the two apart must pass everything. Alices likewise predict the code itself, or simulate Eve.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from otherminds.core.errors import UserError
from otherminds.core.mind import Briefing
from otherminds.core.seeds import Draw, child_seed
from otherminds.core.world import Ask, World
from otherminds.minds.find import find_mind
from otherminds.minds.simple import DecoupledMind
from otherminds.players.decrypto.keywords import KeywordMind, Likely, keyword_mind
from otherminds.players.decrypto.seats import Guesser, Hinter, check_seat
from otherminds.worlds.decrypto.observe import View, eve_as_seen_by
from otherminds.worlds.decrypto.questions import Answer
from otherminds.worlds.decrypto.types import Code, Hints, role_of


@dataclass
class ControlEve(Guesser):
    """Plays as another guesser does, and answers questions about keywords in a way that is known.

    Args:
        acts: guesses for her.
        aside: the same mind again, asked for a guess by probes, so that nothing of it is felt in the game.
        mind: what she thinks the keywords are.
        leak: the chance that a word she is shown takes the place of one she thought of otherwise: 0 keeps them apart
            (simulating), 1 says what she is shown (reality-biased).
        resamples: whether she draws from her belief each time she is asked, instead of naming the likeliest words.
    """

    acts: Guesser
    aside: Guesser
    mind: KeywordMind
    leak: float
    resamples: bool

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self.acts.begin(seat, briefing, seed)
        self._seat, self._briefing, self._seed = seat, briefing, seed

    def guess(self, view: View) -> Code:
        return self.acts.guess(view)

    def answer(self, ask: Ask) -> Answer:
        """What she says. The stream is that of the ask alone, so that nothing is felt in the game."""
        view, probe = ask.view.data, ask.probe
        assert probe is not None
        if probe.about == "guess":
            self.aside.begin(self._seat, self._briefing, child_seed(self._seed, ask.id))
            return self.aside.guess(view)
        if probe.about == "chance":
            return 0.5
        draw = Draw(self._seed, ask.id)
        thought = [_drawn(draw, words) if self.resamples else words[0][0] for words in self.mind.beliefs(view)]
        if probe.shown is not None:
            # A word that she thought of anyway cannot leak; drawing for it all the same keeps slots apart.
            leaks = [draw.happens(self.leak) for _ in thought]
            thought = [shown if leaked else own for own, shown, leaked in zip(thought, probe.shown, leaks, strict=True)]
        return tuple(thought)


def _drawn(draw: Draw, words: Likely) -> str:
    """A word, as often as it is believed."""
    left = sum(chance for _, chance in words)
    for word, chance in words[:-1]:
        if draw.happens(chance / max(left, chance) if chance else 0.0):
            return word
        left -= chance
    return words[-1][0]


@dataclass
class ControlAlice(Hinter):
    """Gives hints as another does, and predicts Eve in a way that is known.

    Args:
        acts: hints for her.
        eve: whom she takes Eve for, and asks in her mind; without one she predicts that Eve says the code.
    """

    acts: Hinter
    eve: Guesser | None = None

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self.acts.begin(seat, briefing, seed)
        self._briefing, self._seed = briefing, seed

    def hint(self, view: View) -> Hints:
        return self.acts.hint(view)

    def answer(self, ask: Ask) -> Answer:
        view, probe = ask.view.data, ask.probe
        assert probe is not None
        if probe.about == "keywords":
            return tuple(view.keywords)
        guess = view.code
        if self.eve is not None:
            self.eve.begin("eve", self._briefing, child_seed(self._seed, ask.id))  # so that nothing stays in her mind
            guess = self.eve.guess(eve_as_seen_by(view))
        return guess if probe.about == "guess" else float(guess == view.code)


def leaky(
    seat: str, world: World, q: float = 0.5, base: str = "embedding", lexicon: str = "glove", acts: str = ""
) -> ControlEve:
    """An Eve who lets each word that she is shown take the place of her own with probability q."""
    if not 0 <= q <= 1:
        raise UserError(f"q is {q:g}; expected a probability from 0 to 1")
    return _eve("leaky", seat, world, base, lexicon, acts, leak=float(q))


def reality_biased(
    seat: str, world: World, base: str = "embedding", lexicon: str = "glove", acts: str = ""
) -> ControlEve:
    """An Eve who says what she is shown, whatever she thought before: the floor."""
    return _eve("reality-biased", seat, world, base, lexicon, acts, leak=1.0)


def resampling(seat: str, world: World, base: str = "embedding", lexicon: str = "glove", acts: str = "") -> ControlEve:
    """An Eve who draws from her belief each time she is asked: inconsistent, and without any leak."""
    return _eve("resampling", seat, world, base, lexicon, acts, resamples=True)


def simulating(
    seat: str, world: World, base: str = "", lexicon: str = "glove", acts: str = "", eve: str = ""
) -> ControlEve | ControlAlice:
    """The ceiling: an Eve who answers as if she had not been shown anything, or an Alice who asks an Eve in her mind.

    Args:
        seat: alice or eve.
        world: that it plays in.
        base: how Eve thinks of keywords: embedding or bayes.
        lexicon: of the mind, and of who acts unless that is named.
        acts: who hints or guesses; write ``;`` for commas, as in ``acts=rsa:lexicon=glove;lam=4``.
        eve: whom Alice takes Eve for; the embedding baseline with the lexicon if it is not said.
    """
    check_seat("simulating", seat, "alice", "eve")
    if role_of(seat) == "eve":
        if eve:
            raise UserError("an Eve simulates only herself; eve=… is for an Alice")
        return _eve("simulating", seat, world, base or "embedding", lexicon, acts)
    if base:
        raise UserError("an Alice has no base of keywords; name whom she takes Eve for: simulating:eve=glove")
    return ControlAlice(_mind(acts or "glove", world, "alice"), _mind(eve or lexicon, world, "eve"))


def egocentric(seat: str, world: World, acts: str = "glove") -> ControlAlice:
    """An Alice who takes Eve to know what she knows, and predicts the code: the floor."""
    check_seat("egocentric", seat, "alice")
    return ControlAlice(_mind(acts, world, "alice"))


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


def _eve(
    name: str, seat: str, world: World, base: str, lexicon: str, acts: str, leak: float = 0.0, resamples: bool = False
) -> ControlEve:
    check_seat(name, seat, "eve")
    acting, aside = (_mind(acts or lexicon, world, "eve") for _ in range(2))
    return ControlEve(acting, aside, keyword_mind(base, lexicon), leak, resamples)


def _mind(spec: str, world: World, role: str) -> Any:
    """A mind within another. Its options are told apart from those of the outer one by their sign.

    Raises:
        UserError: if it goes by something else than views.
    """
    found = find_mind(spec.replace(";", ","), world, role)
    if not isinstance(found, Hinter if role == "alice" else Guesser):
        raise UserError(f"mind {spec!r} cannot act for a control; expected a scripted one, such as glove")
    return found
