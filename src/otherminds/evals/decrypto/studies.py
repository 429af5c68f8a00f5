"""Experiments at work: what is asked and changed in a game, turn by turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from otherminds.core.errors import UserError, nearest
from otherminds.core.seeds import Draw
from otherminds.evals.decrypto.experiment import Ask, Change, Experiment
from otherminds.evals.decrypto.read import find_experiment
from otherminds.worlds.decrypto.bank import hint_words, keyword_bank
from otherminds.worlds.decrypto.questions import Asked, Study, question
from otherminds.worlds.decrypto.types import Game, Hints, Intervention


@dataclass(frozen=True)
class FileStudy:
    """One arm of an experiment in one game.

    Args:
        experiment: what its file says.
        arm: which changes are made.
        seed: of the game; placebos are drawn from streams of it, so that both arms of a pair have the same.
        bank: that placebo keywords are drawn from.
    """

    experiment: Experiment
    arm: str
    seed: int
    bank: tuple[str, ...]

    def interventions(self, game: Game) -> Sequence[Intervention]:
        """All changes made so far, and those before the turn to be played.

        They follow from the turns that were played before each was made, so nothing need be remembered.
        """
        coming = len(game.turns) + 1
        changes = self.experiment.arms[self.arm]
        return tuple(one for change in changes if change.before <= coming for one in self._made(change, game))

    def before_hints(self, game: Game) -> Sequence[Asked]:
        return [self._asked(ask, game) for ask in self._due("before hints", game)]

    def after_hints(self, game: Game, hints: Hints) -> Sequence[Asked]:
        return [self._asked(ask, game) for ask in self._due("after hints", game)]

    def _due(self, when: str, game: Game) -> list[Ask]:
        return [ask for ask in self.experiment.asks if ask.when == when and len(game.turns) + 1 >= ask.from_turn]

    def _asked(self, ask: Ask, game: Game) -> Asked:
        shown = {"true": game.keywords, "placebo": self.placebo(game.keywords), "none": None}[ask.shown]
        return Asked(ask.name, ask.role, question(ask.about, ask.whose, shown, ask.when))

    def placebo(self, keywords: Sequence[str]) -> tuple[str, ...]:
        """Keywords that are all wrong, the same throughout the game."""
        others = [word for word in self.bank if word not in keywords]
        if len(others) < len(keywords):
            raise UserError(f"the bank has {len(others)} words besides the keywords; a placebo needs {len(keywords)}")
        return tuple(Draw(self.seed, "decrypto/placebo").some(others, len(keywords)))

    def _made(self, change: Change, game: Game) -> Iterator[Intervention]:
        digit = game.codes[change.before - 1][0] if change.digit == "next" else change.digit
        if change.kind == "reveal":
            word = (game.keywords if change.word == "true" else self.placebo(game.keywords))[digit - 1]
            yield Intervention("reveal", change.before - 1, digit, word, change.told)
            return
        hinted = [at for at, turn in enumerate(game.turns[: change.before - 1], 1) if digit in turn.code]
        chosen = {"all": hinted, "last": hinted[-1:]}.get(
            str(change.turns), [at for at in hinted if at == change.turns]
        )
        for at in chosen:
            word = "" if change.kind == "hide" else self._false_hint(game, at, digit)
            yield Intervention(change.kind, at, digit, word, change.told)

    def _false_hint(self, game: Game, at: int, digit: int) -> str:
        """A hint for a wrong keyword: any word of the vocabulary that was not given."""
        given = {hint for turn in game.turns for hint in turn.hints} | set(game.keywords)
        draw = Draw(self.seed, f"decrypto/false/{at}/{digit}")
        while (word := draw.pick(hint_words())) in given:
            pass
        return word


def find_study(name: str | Path, arm: str = "", bank: Sequence[str] = ()) -> Callable[[int], Study]:
    """What makes the study of a game from its seed.

    Args:
        name: of a shipped experiment, or a file.
        arm: one of the experiment's; the first if it is not said.
        bank: that games are dealt from; ours without one.

    Raises:
        UserError: if there is no such experiment or arm, or the file has a mistake.
    """
    return study_maker(find_experiment(name), arm, bank)


def study_maker(experiment: Experiment, arm: str = "", bank: Sequence[str] = ()) -> Callable[[int], Study]:
    """The same for an experiment that was read."""
    chosen = arm or next(iter(experiment.arms))
    if chosen not in experiment.arms:
        raise UserError(f"experiment {experiment.name!r} has no arm {arm!r}{nearest(arm, experiment.arms)}")
    words = tuple(bank) or keyword_bank().words
    return lambda seed: FileStudy(experiment, chosen, seed, words)
