"""Minds whose scores are known beforehand: anchors (spec 3.1), and controls for the probes of experiments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np

from otherminds.core.errors import UserError
from otherminds.core.mind import Briefing, Reply
from otherminds.core.seeds import Draw, child_seed
from otherminds.core.world import Ask, World
from otherminds.minds.baselines import DecoupledMind
from otherminds.minds.find import find_mind
from otherminds.worlds.decrypto.duel import game_of
from otherminds.worlds.decrypto.minds.bayes import KeywordBelief, Production, bayes, production
from otherminds.worlds.decrypto.minds.embedding import EmbeddingGuesser, Vocabulary, embedding, vocabulary
from otherminds.worlds.decrypto.minds.rsa import rsa
from otherminds.worlds.decrypto.minds.scripted import ScriptedMind, check_seat
from otherminds.worlds.decrypto.observe import RoleView, eve_as_seen_by
from otherminds.worlds.decrypto.probes import Answer
from otherminds.worlds.decrypto.rules import all_codes, code_of
from otherminds.worlds.decrypto.types import HIDDEN, Code, Game, role_of
from otherminds.worlds.decrypto.words.lexicon import lexicon as find_lexicon


class Uniform(ScriptedMind):
    """Guesses a random code, or a random code that was not played yet."""

    def __init__(self, seat: str, remembers_codes: bool = False) -> None:
        check_seat("uniform", seat, "bob", "eve")
        self.remembers_codes = remembers_codes

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self._draw = Draw(seed)

    def act(self, view: RoleView) -> Code:
        codes = all_codes(view.rules)
        return self._draw.pick([code for code in codes if code not in view.used] if self.remembers_codes else codes)


class Perfect(Uniform):
    """Reads the code from the true state from a given turn on, and guesses at random before that."""

    sees_truth = True

    def __init__(self, seat: str, from_turn: int = 1) -> None:
        check_seat("perfect", seat, "bob", "eve")
        self.from_turn, self.remembers_codes = from_turn, False

    def reply(self, ask: Ask) -> Reply:
        if ask.probe is not None or ask.turn < self.from_turn:
            return super().reply(ask)
        return Reply(code_of(ask.truth if isinstance(ask.truth, Game) else game_of(ask.truth, ask.seat)))


Likely = list[tuple[str, float]]  # words with their chances, likeliest first; the rest is unlikely
Guess = Callable[[tuple[str, ...]], Likely]  # likely keywords for the hints of one digit
NUM_WORDS = 50  # likely keywords that are kept for a digit
SHARPNESS = 20.0  # of belief in near words; that of literal speakers (spec 9)
_MOST_KEPT = 1000  # sets of hints whose keywords are cached: several probes ask about each
NOTHING = "unknown"  # for a digit without a hint; comparison leaves the word out (spec 7)


def near_words(words: Vocabulary, hints: tuple[str, ...]) -> Likely:
    """Words near the mean of a digit's hints: what the embedding Eve knows.

    They come from the hint vocabulary, since Eve is never shown the bank.
    """
    mean = words.meaning.matrix(hints).mean(axis=0)
    if not mean.any():  # all hints are unknown words
        return [(NOTHING, 1.0)]
    nearness = np.einsum("ij,j->i", words.vectors, mean)
    nearness[[at for hint in hints if (at := words.index.get(hint)) is not None]] = -np.inf  # never its own keyword
    best = np.argsort(-nearness, kind="stable")[:NUM_WORDS]
    weights = np.exp(SHARPNESS * (nearness[best] - nearness[best[0]]))
    return [(words.words[at], float(chance)) for at, chance in zip(best, weights / weights.sum(), strict=True)]


def likely_words(literal: Production, hints: tuple[str, ...]) -> Likely:
    """The Bayesian posterior given a digit's hints, if Alice hints as a literal speaker does (spec 9)."""
    return KeywordBelief(literal, [hints]).best(NUM_WORDS)[0]


def keyword_guess(base: str, lexicon: str) -> Guess:
    """The way to guess keywords from hints by name: ``embedding`` or ``bayes``."""
    is_near = base == "embedding"
    guess = partial(near_words, vocabulary(lexicon)) if is_near else partial(likely_words, production(lexicon))
    return lru_cache(_MOST_KEPT)(guess)


def keyword_beliefs(guess: Guess, view: RoleView) -> list[Likely]:
    """Likely keywords for each digit, from what Eve sees."""
    beliefs, shown = [], dict(view.shown)
    for digit, hints in enumerate(view.hints_by_digit, 1):
        read = tuple(hint for hint in hints if hint != HIDDEN)
        if digit in shown:
            beliefs.append([(shown[digit], 1.0)])
        else:
            beliefs.append(guess(read) if read else [(NOTHING, 1.0)])
    return beliefs


@dataclass
class ControlEve(ScriptedMind):
    """Eve who plays as the embedding baseline does, and answers probes about keywords in a known way."""

    acts: EmbeddingGuesser
    guess: Guess  # her way to guess keywords from hints
    leak: float = 0.0  # probability that a word she is shown replaces her own: 0 is simulating, 1 reality-biased
    resamples: bool = False  # draws from her belief for each probe instead of naming the likeliest words

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self._seed = seed

    def act(self, view: RoleView) -> Any:
        return self.acts.act(view)

    def answer(self, ask: Ask) -> Answer:
        """Her answer. Its random stream depends on the ask alone, so that it leaves no trace in the game."""
        view, probe = ask.view.data, ask.probe
        assert probe is not None
        if probe.about == "guess":
            return self.acts.act(view)
        if probe.about == "chance":
            return 0.5
        draw = Draw(self._seed, ask.id)
        beliefs = keyword_beliefs(self.guess, view)
        thought = [_drawn(draw, words) if self.resamples else words[0][0] for words in beliefs]
        if probe.shown is not None:
            # A word that she thought of anyway cannot leak; drawing for it all the same keeps slots independent.
            leaks = [draw.happens(self.leak) for _ in thought]
            thought = [shown if leaked else own for own, shown, leaked in zip(thought, probe.shown, leaks, strict=True)]
        return tuple(thought)


def _drawn(draw: Draw, words: Likely) -> str:
    """A word drawn by its chance."""
    left = sum(chance for _, chance in words)
    for word, chance in words[:-1]:
        if draw.happens(chance / max(left, chance) if chance else 0.0):
            return word
        left -= chance
    return words[-1][0]


@dataclass
class ControlAlice(ScriptedMind):
    """Alice who hints as another mind does, and predicts Eve in a known way."""

    acts: ScriptedMind
    eve: ScriptedMind | None = None  # that she simulates; without one she predicts that Eve guesses the code

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self.acts.begin(seat, briefing, seed)
        self._briefing, self._seed = briefing, seed

    def act(self, view: RoleView) -> Any:
        return self.acts.act(view)

    def answer(self, ask: Ask) -> Answer:
        view, probe = ask.view.data, ask.probe
        assert probe is not None
        if probe.about == "keywords":
            return tuple(view.keywords)
        guess = view.code
        if self.eve is not None:
            self.eve.begin("eve", self._briefing, child_seed(self._seed, ask.id))  # so that probes leave no trace
            guess = self.eve.act(eve_as_seen_by(view))
        return guess if probe.about == "guess" else float(guess == view.code)


def leaky(seat: str, q: float = 0.5, base: str = "embedding", lexicon: str = "glove") -> ControlEve:
    """An Eve who lets each word that she is shown replace her own with probability q."""
    if not 0 <= q <= 1:
        raise UserError(f"option 'q' of mind 'leaky' is {q:g}; expected a probability from 0 to 1")
    return _eve("leaky", seat, base, lexicon, leak=float(q))


def reality_biased(seat: str, base: str = "embedding", lexicon: str = "glove") -> ControlEve:
    """The floor of Smarties: an Eve who says what she is shown, whatever she thought before."""
    return _eve("reality-biased", seat, base, lexicon, leak=1.0)


def resampling(seat: str, base: str = "embedding", lexicon: str = "glove") -> ControlEve:
    """An Eve who draws from her belief for each probe: inconsistent, but without any leak."""
    return _eve("resampling", seat, base, lexicon, resamples=True)


def simulating(
    seat: str, world: World, base: str = "", lexicon: str = "glove", acts: str = "", eve: str = ""
) -> ControlEve | ControlAlice:
    """The ceiling: an Eve who answers as if she had not been shown anything, or an Alice who simulates an Eve.

    Args:
        seat: alice or eve.
        world: the world that it plays in.
        base: how Eve guesses keywords: embedding or bayes.
        lexicon: lexicon of Eve.
        acts: mind that hints for Alice; write ``;`` for commas, as in ``acts=rsa:lexicon=glove;lam=4``.
        eve: mind that Alice simulates; the embedding baseline with the lexicon by default.
    """
    check_seat("simulating", seat, "alice", "eve")
    if role_of(seat) == "eve":
        if acts or eve:
            raise UserError("options 'acts' and 'eve' of mind 'simulating' apply only to Alice; leave them out for Eve")
        return _eve("simulating", seat, base or "embedding", lexicon)
    if base:
        raise UserError(
            "option 'base' of mind 'simulating' applies only to Eve; for Alice, name the Eve that she simulates, as in "
            "simulating:eve=glove"
        )
    return ControlAlice(_mind(acts or "glove", world, "alice"), _mind(eve or lexicon, world, "eve"))


def egocentric(seat: str, world: World, acts: str = "glove") -> ControlAlice:
    """The floor of three mountains: an Alice who takes Eve to know what she knows, and predicts the code."""
    check_seat("egocentric", seat, "alice")
    return ControlAlice(_mind(acts, world, "alice"))


def decoupled(seat: str) -> DecoupledMind:
    """A mind that plays as the baseline, which models nobody, and answers probes as a mind that does."""
    return DecoupledMind(embedding(seat), rsa(seat) if role_of(seat) == "alice" else bayes(seat))


def _eve(name: str, seat: str, base: str, lexicon: str, **answers: Any) -> ControlEve:
    check_seat(name, seat, "eve")
    if base not in ("embedding", "bayes"):
        raise UserError(f"option 'base' of mind {name!r} is {base!r}; expected embedding or bayes")
    return ControlEve(EmbeddingGuesser(find_lexicon(lexicon)), keyword_guess(base, lexicon), **answers)


def _mind(spec: str, world: World, role: str) -> ScriptedMind:
    """A mind within another, whose options are separated by ``;`` instead of commas.

    Raises:
        UserError: if it is not a scripted mind.
    """
    mind = find_mind(spec.replace(";", ","), world, role)
    if not isinstance(mind, ScriptedMind):
        raise UserError(f"mind {spec!r} cannot choose a control's acts; expected a scripted mind, such as glove")
    return mind
