"""Decrypto as a world: games with keywords of a bank, dealt by seed, and the items of experiments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError, nearest
from otherminds.core.ledger import Ledger
from otherminds.core.world import Anchors, Item, Played, World
from otherminds.view.shapes import Scene
from otherminds.worlds.decrypto.draw import board, game_page, game_scene
from otherminds.worlds.decrypto.ledger import BeliefState, Sighting, ledger_of
from otherminds.worlds.decrypto.probes import Study
from otherminds.worlds.decrypto.record import WORLD, Recorded, dealt, game_dealt, play_again, read_games, replies_of
from otherminds.worlds.decrypto.rules import all_codes, deal
from otherminds.worlds.decrypto.session import SEATING, DecryptoSession
from otherminds.worlds.decrypto.text import PROMPTS
from otherminds.worlds.decrypto.types import ROLES, Game, Rules
from otherminds.worlds.decrypto.words.lexicon import keyword_bank

_STANDARD = 96  # games: 32 for each of three seeds, as published (spec 1.2)


@dataclass(frozen=True)
class Situation:
    """Content of an item: a game without turns, the study of an experiment, and notes for the record."""

    game: Game
    study: Study | None = None
    notes: Mapping[str, Any] = field(default_factory=dict)


class Decrypto(World):
    """Games of Alice, Bob and Eve.

    Args:
        bank: file of keywords; the shipped bank by default.
        experiment: experiment whose probes and interventions are part of every game: a registered name such as
            ``smarties``, or a file.
        arm: arm of the experiment; its first by default.
        rules: fields of :class:`Rules` that differ from the default.

    Raises:
        UserError: if a rule or the experiment does not exist, or the bank cannot be read.
    """

    id = WORLD
    prompts = PROMPTS
    default_mind = "glove"
    seats: tuple[str, ...] = ROLES

    def __init__(
        self, bank: str | Path | None = None, experiment: str | Path = "", arm: str = "", **rules: Any
    ) -> None:
        self.experiment: Any = _experiment(experiment) if experiment else None
        self.arm = arm
        if arm and self.experiment is None:
            raise UserError(f"arm is {arm!r} without an experiment; set experiment as well")
        known = [rule.name for rule in fields(Rules)]
        for name in rules:
            if name not in known:
                options = ["bank", "experiment", "arm", *known]
                raise UserError(f"Decrypto has no option {name!r}{nearest(name, options)}")
        self._set = rules
        self.words, self.rules = keyword_bank(bank), self._rules(self.experiment)
        self.anchors = Anchors("perfect", 1.0, 1 / len(all_codes(self.rules)), measure="decoded", seats=("bob",))
        if self.experiment:
            self.experiment.study(self.arm, 0, self.words)  # refuses an unknown arm

    @classmethod
    def of(cls, episode: Episode) -> Decrypto:
        """The world with the rules of an episode."""
        try:
            return cls(**episode.config)
        except (TypeError, UserError) as error:
            raise UserError(f"episode {episode.id!r} cannot be read as a game of Decrypto: {error}") from error

    @property
    def sides(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Alice by row and Bob by column, as in the paper's cross-play; Eve is set with ``--seat``."""
        return ROLES[:1], ROLES[1:2]

    def probing(self) -> Decrypto:
        return Decrypto(experiment="smarties", **self._set)

    def alike(self, seed: int, seat: str) -> tuple[DecryptoSession, DecryptoSession] | None:
        """Two games with the same codes and different keywords, which Eve cannot distinguish."""
        if seat != "eve":
            return None
        game, other = self.deal(seed), self.deal(seed + 1)
        games = (game, replace(game, keywords=other.keywords))
        first, second = (self.open(seed, Item(f"decrypto-{seed}", Situation(game))) for game in games)
        return first, second

    def deal(self, seed: int) -> Game:
        """The game of a seed: the same keywords and codes for all minds."""
        return deal(self.words, seed, self.rules)

    def open(self, seed: int, item: Item | None = None, repeat: int = 0) -> DecryptoSession:
        """A new episode. The game of an item determines the seed."""
        situation = item.data if item else self._situation(seed)
        game: Game = situation.game
        notes = dict(situation.notes)
        beside = "".join(f"-{part}" for part in (notes.get("arm"), repeat) if part)
        episode = Episode(
            id=item.id if item else f"decrypto-{game.seed}{beside}",
            world=self.id,
            config=game.rules.plain(),
            minds={},
            seed=game.seed,
            start=dealt(game),
            notes=notes,
        )
        return DecryptoSession(game, episode, situation.study, repeat)

    def suite(self, name: str = "standard", seed: int = 0) -> Iterator[Item]:
        """The games of an experiment, registered or in a file; ``standard`` asks no probes."""
        if name != "standard":
            experiment = _experiment(name)
            yield from self.items(experiment, range(seed, seed + experiment.games * len(experiment.seeds)))
            return
        for number in range(seed, seed + _STANDARD):
            yield Item(f"decrypto-{number}", Situation(self.deal(number)))

    def items(
        self, experiment: Any, seeds: Iterable[int], games: int | None = None, notes: Mapping[str, Any] | None = None
    ) -> Iterator[Item]:
        """The games of an experiment, each in every arm and the same for all minds (spec 1.2).

        ``games`` is their number for each seed of the environment, by default the experiment's; ``notes`` are added
        to the records.
        """
        for seed in seeds:
            game = deal(self.words, seed, self._rules(experiment))
            for arm in experiment.arms:
                env_seed = seed // (games or experiment.games)
                labels = {"experiment": experiment.name, "arm": arm, "env_seed": env_seed, **(notes or {})}
                situation = Situation(game, experiment.study(arm, seed, self.words), labels)
                name = f"decrypto-{seed}" + (f"-{arm}" if arm else "")
                yield Item(name, situation, f"{experiment.name}-{seed}", labels=labels)

    def replay(self, episode: Episode) -> Played:
        states = play_again(self, episode)
        return Played(states[0].rules, states, ledger=lambda turn: ledger_of(states[turn]))

    def replies(self, episode: Episode) -> dict[str, Any]:
        return replies_of((turn, SEATING) for turn in episode.turns)

    def reopen(self, episode: Episode) -> DecryptoSession:
        """The game of a record with the probes and interventions that it has, whatever experiment they are from."""
        situation = Situation(game_dealt(episode, episode.start), Recorded(episode))
        return self.open(episode.seed, Item(episode.id, situation))

    def item_of(self, episode: Episode) -> Item:
        """The game of a record, for playing it again with other minds in some seats.

        Hints and guesses are accepted as recorded, and the game ends with the recorded turns.
        """
        codes = tuple(tuple(turn["code"]) for turn in episode.turns)
        if not codes:
            raise UserError(f"episode {episode.id!r} has no turn to play again")
        keywords = tuple(episode.start["keywords"])
        turns = min(len(codes), self.rules.turns)
        rules = replace(
            self.rules, keywords=len(keywords), length=len(codes[0]), turns=turns, hints="report", guesses="lenient"
        )
        return Item(episode.id, Situation(Game(rules, episode.seed, keywords, codes)))

    def recorded(self, path: str | Path) -> list[Episode]:
        """The games of a record, or of a JSON file of games that people have played."""
        if Path(path).suffix == ".json":
            return read_games(Path(path))
        games = [episode for episode in super().recorded(path) if play_again(self, episode)[1:]]
        if not games:
            raise UserError(f"{path} has no Decrypto game with at least one turn")
        return games

    def ledger(self, episode: Episode, upto: int | None = None) -> Ledger[Sighting, BeliefState]:
        return ledger_of(play_again(self, episode)[-1 if upto is None else upto])

    def summary(self, episodes: Sequence[Episode]) -> dict[str, float | None]:
        """Length and endings of games, rates per turn, validity by seat, and the measures of an experiment."""
        from otherminds.worlds.decrypto.evals.results import figures

        ended = [episode for episode in episodes if episode.end is not None]
        turns = [turn for episode in ended for turn in episode.turns]
        thoughts = [thought for turn in turns for thought in turn.get("thoughts", {}).values()]
        words = {word for thought in thoughts for word in thought.get("unknown", ())}  # to at least one mind
        unknown = {"unknown_words": float(len(words))} if words else {}
        return {**super().summary(episodes), **figures(episodes), **unknown}

    def terminal(self, state: Game, params: Any) -> str:
        return board(state)

    def scene(self, state: Game, params: Any) -> Scene:
        return game_scene(state)

    def page(self, episode: Episode, *beside: Episode) -> str:
        return game_page(episode, play_again(self, episode))

    def _rules(self, experiment: Any) -> Rules:
        """The rules of an experiment, with those that were set explicitly."""
        return Rules(**{**(experiment.rules.plain() if experiment else {}), **self._set})

    def _situation(self, seed: int) -> Situation:
        if self.experiment is None:
            return Situation(self.deal(seed))
        arm = self.arm or next(iter(self.experiment.arms))
        notes = {"experiment": self.experiment.name, "arm": arm}
        return Situation(self.deal(seed), self.experiment.study(arm, seed, self.words), notes)


def _experiment(name: str | Path) -> Any:
    from otherminds.worlds.decrypto.evals.experiment_file import find_experiment

    return find_experiment(name)
