"""Players whose theory of mind is known by construction: they show what the probes measure (spec 10).

An Eve that lets what she is shown leak into what she says she thought before must be caught at exactly her rate; one
that keeps the two apart must pass everything. Alices likewise predict the code itself, or simulate Eve.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw
from otherminds.players.decrypto.find import find_seat
from otherminds.players.decrypto.keywords import KeywordMind, find_mind
from otherminds.players.decrypto.seats import Guesser, Hinter, Seat
from otherminds.worlds.decrypto.observe import View, eve_as_seen_by
from otherminds.worlds.decrypto.questions import Answer, Question
from otherminds.worlds.decrypto.types import Code, Hints, Role, Rules


@dataclass
class ControlEve(Guesser):
    """Plays as another guesser does, and answers questions about keywords in a way that is known.

    Args:
        player: guesses for her.
        mind: what she thinks the keywords are.
        leak: the chance that a word she is shown takes the place of one she thought of otherwise: 0 keeps them apart
            (simulating), 1 says what she is shown (reality-biased).
        resamples: whether she draws from her belief each time she is asked, instead of naming the likeliest words.
        name: what records call her.
    """

    player: Seat
    mind: KeywordMind
    leak: float = 0.0
    resamples: bool = False
    name: str = "control"
    _asked: int = field(default=0, init=False)

    def begin(self, role: Role, rules: Rules, seed: int) -> None:
        self.player.begin(role, rules, seed)
        self._seed, self._role, self._asked = seed, role, 0

    def guess(self, view: View) -> Code:
        return self.player.guess(view)

    def answer(self, view: View, question: Question) -> Answer:
        """What she says. The stream is that of the question alone, so that nothing is felt in the game."""
        draw = Draw(self._seed, f"decrypto/{self._role}/question/{self._asked}")
        self._asked += 1
        if question.about == "guess":
            return self.player.guess(replace(view, hints=question.hints or view.hints))
        if question.about == "chance":
            return 0.5
        thought = [_drawn(draw, words) if self.resamples else words[0][0] for words in self.mind.beliefs(view)]
        if question.shown is not None:
            # A word that she thought of anyway cannot leak; drawing for it all the same keeps slots apart.
            leaks = [draw.happens(self.leak) for _ in thought]
            thought = [
                shown if leaked else own for own, shown, leaked in zip(thought, question.shown, leaks, strict=True)
            ]
        return tuple(thought)


def _drawn(draw: Draw, words: list[tuple[str, float]]) -> str:
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
        player: hints for her.
        eve: whom she takes Eve for, and asks in her mind; without one she predicts that Eve says the code.
        name: what records call her.
    """

    player: Seat
    eve: Seat | None = None
    name: str = "control"

    def begin(self, role: Role, rules: Rules, seed: int) -> None:
        self.player.begin(role, rules, seed)
        if self.eve is not None:
            self.eve.begin("eve", rules, seed)

    def hint(self, view: View) -> Hints:
        return self.player.hint(view)

    def answer(self, view: View, question: Question) -> Answer:
        assert view.code is not None
        assert view.keywords is not None
        if question.about == "keywords":
            return view.keywords
        guess = view.code if self.eve is None else self.eve.guess(eve_as_seen_by(view, question.hints))
        return guess if question.about == "guess" else float(guess == view.code)


def leaky(role: Role, q: float = 0.5, base: str = "embedding", lexicon: str = "glove", player: str = "") -> ControlEve:
    """An Eve who lets each word that she is shown take the place of her own with probability q."""
    _only("eve", role, "leaky")
    if not 0 <= q <= 1:
        raise UserError(f"q is {q:g}; expected a probability from 0 to 1")
    return _eve(base, lexicon, player, leak=float(q))


def reality_biased(role: Role, base: str = "embedding", lexicon: str = "glove", player: str = "") -> ControlEve:
    """An Eve who says what she is shown, whatever she thought before: the floor."""
    _only("eve", role, "reality-biased")
    return _eve(base, lexicon, player, leak=1.0)


def resampling(role: Role, base: str = "embedding", lexicon: str = "glove", player: str = "") -> ControlEve:
    """An Eve who draws from her belief each time she is asked: inconsistent, and without any leak."""
    _only("eve", role, "resampling")
    return _eve(base, lexicon, player, resamples=True)


def simulating(
    role: Role, base: str = "", lexicon: str = "glove", player: str = "", eve: str = ""
) -> ControlEve | ControlAlice:
    """The ceiling: an Eve who answers as if she had not been shown anything, or an Alice who asks an Eve in her mind.

    Args:
        role: alice or eve.
        base: how Eve thinks of keywords: embedding or bayes.
        lexicon: of the mind, and of the player unless that is named.
        player: who hints or guesses; write ``;`` for commas, as in ``player=rsa:lexicon=glove;lam=4``.
        eve: whom Alice takes Eve for; the embedding baseline with the lexicon if it is not said.
    """
    if role == "alice":
        if base:
            raise UserError("an Alice has no base of keywords; name whom she takes Eve for: simulating:eve=glove")
        return ControlAlice(_seat(player or "glove", "alice"), _seat(eve or lexicon, "eve"))
    _only("eve", role, "simulating")
    if eve:
        raise UserError("an Eve simulates only herself; eve=… is for an Alice")
    return _eve(base or "embedding", lexicon, player)


def egocentric(role: Role, player: str = "glove") -> ControlAlice:
    """An Alice who takes Eve to know what she knows, and predicts the code: the floor."""
    _only("alice", role, "egocentric")
    return ControlAlice(_seat(player, "alice"))


def _eve(base: str, lexicon: str, player: str, leak: float = 0.0, resamples: bool = False) -> ControlEve:
    return ControlEve(_seat(player or lexicon, "eve"), find_mind(base, lexicon), leak, resamples)


def _seat(spec: str, role: Role) -> Seat:
    # Options of the player within are told apart from our own by their sign.
    return find_seat(spec.replace(";", ","), role)


def _only(role: str, given: Role, name: str) -> None:
    if given != role:
        raise UserError(f"player {name!r} is made to be {role}; it cannot be {given}")
