"""Decrypto as a world: episodes with keywords of a bank, dealt by seed, and the experiments with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError, nearest
from otherminds.core.ledger import Ledger
from otherminds.core.world import Item, Played, World
from otherminds.worlds.decrypto.bank import keyword_bank
from otherminds.worlds.decrypto.ledger import Fact, Mind, Sighting, ledger_of
from otherminds.worlds.decrypto.questions import Study
from otherminds.worlds.decrypto.record import WORLD, dealt, play_again, turn_replies
from otherminds.worlds.decrypto.rules import deal
from otherminds.worlds.decrypto.session import SEATING, DecryptoSession
from otherminds.worlds.decrypto.telling import PROMPTS
from otherminds.worlds.decrypto.text import board
from otherminds.worlds.decrypto.types import ROLES, Game, Rules, dashed

if TYPE_CHECKING:
    from otherminds.view.shapes import Scene

_STANDARD = 96  # games: 32 of each of three seeds, as published (spec 1.2)


@dataclass(frozen=True)
class Situation:
    """What an item opens: a game that is dealt, and what is asked and changed in it.

    Attributes:
        game: with no turn played.
        study: what an experiment asks and changes.
        notes: for the record: the name of the experiment, its arm, and more.
    """

    game: Game
    study: Study | None = None
    notes: tuple[tuple[str, Any], ...] = ()


class Decrypto(World):
    """Games with keywords of a bank, or of one kind of them.

    Args:
        bank: a file of keywords; ours without one.
        kind: all, concrete or abstract.
        experiment: asks and changes something in every game: a shipped one such as ``smarties``, or a file.
        arm: of the experiment; its first if it is not set.
        rules: fields of :class:`Rules` that differ from the default.

    Raises:
        UserError: if there is no such rule or experiment, or the bank cannot be read.
    """

    id = WORLD
    prompts = PROMPTS
    default_mind = "glove"
    seats: tuple[str, ...] = ROLES

    def __init__(
        self,
        bank: str | Path | None = None,
        kind: str = "all",
        experiment: str | Path = "",
        arm: str = "",
        **rules: Any,
    ) -> None:
        self.experiment: Any = _experiment(experiment) if experiment else None
        self.arm = arm
        if arm and self.experiment is None:
            raise UserError(f"arm is {arm!r}, but there is no experiment; set experiment as well")
        known = [field.name for field in fields(Rules)]
        for name in rules:
            if name not in known:
                options = ["bank", "kind", "experiment", "arm", *known]
                raise UserError(f"Decrypto has no option {name!r}{nearest(name, options)}")
        self._set = rules
        self.bank, self.rules = keyword_bank(bank), self._rules(self.experiment)
        self.words = self.bank.of(kind)
        if self.experiment:
            self.experiment.study(self.arm, 0, self.words)  # refuse an arm that is not there

    @classmethod
    def of(cls, episode: Episode) -> Decrypto:
        """The world with the rules that an episode was played by."""
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
        """Two games with the same codes and other keywords, which Eve cannot tell apart."""
        if seat != "eve":
            return None
        game, other = self.deal(seed), self.deal(seed + 1)
        games = (game, replace(game, keywords=other.keywords))
        one, another = (self.open(seed, Item(f"decrypto-{seed}", Situation(each))) for each in games)
        return one, another

    def deal(self, seed: int) -> Game:
        """The game of a seed: the same keywords and codes whoever plays it."""
        return deal(self.words, seed, self.rules)

    def open(self, seed: int, item: Item | None = None, repeat: int = 0) -> DecryptoSession:
        """A new episode; an item brings its own game, and with it the seed."""
        situation = item.data if item else self._situation(seed)
        game: Game = situation.game
        notes = dict(situation.notes)
        beside = "".join(f"-{part}" for part in (notes.get("arm"), repeat) if part)
        episode = Episode(
            id=item.id if item else f"decrypto-{game.seed}{beside}",
            world=self.id,
            config=dict(_config(game.rules)),
            minds={},
            seed=game.seed,
            start=dealt(game),
            notes=notes,
        )
        return DecryptoSession(game, episode, situation.study, repeat)

    def suite(self, name: str = "standard", seed: int = 0) -> Iterator[Item]:
        """The games of an experiment, those of all its arms in one group; ``standard`` asks nothing.

        Args:
            name: ``standard``, an experiment, or the file of one.
            seed: of the first game.
        """
        if name == "standard":
            for number in range(seed, seed + _STANDARD):
                yield Item(f"decrypto-{number}", Situation(deal(self.words, number, self.rules)))
            return
        experiment = _experiment(name)
        numbers = range(seed, seed + experiment.games * len(experiment.seeds))
        yield from self._items(experiment, numbers, experiment.games)

    def items(
        self, experiment: Any, seeds: Sequence[int] | None = None, games: int | None = None, **notes: Any
    ) -> Iterator[Item]:
        """The games of an experiment: each for all its arms, the same for whoever plays (spec 1.2).

        Args:
            experiment: that is played.
            seeds: of environments; as the experiment says if left out.
            games: for each seed; as the experiment says if left out.
            notes: for the records.
        """
        games = games or experiment.games
        chosen = experiment.seeds if seeds is None else seeds
        numbers = [index + env_seed * games for env_seed in chosen for index in range(games)]
        return self._items(experiment, numbers, games, **notes)

    def _items(self, experiment: Any, numbers: Iterable[int], games: int, **beside: Any) -> Iterator[Item]:
        for number in numbers:
            game = deal(self.words, number, self._rules(experiment))
            for arm in experiment.arms:
                notes = {"experiment": experiment.name, "arm": arm, "env_seed": number // games, **beside}
                situation = Situation(game, experiment.study(arm, number, self.words), tuple(notes.items()))
                name = f"decrypto-{number}" + (f"-{arm}" if arm else "")
                yield Item(name, situation, f"{experiment.name}-{number}", labels=notes)

    def replay(self, episode: Episode) -> Played:
        """See :func:`otherminds.worlds.decrypto.record.play_again`."""
        return play_again(episode)

    def replies(self, episode: Episode) -> dict[str, Any]:
        """The recorded replies by ask id; those that never came are left out."""
        return {ask: value for turn in episode.turns for ask, value in turn_replies(turn, SEATING).items()}

    def item_of(self, episode: Episode) -> Item:
        """The game of a record, to be played again with other minds in some seats.

        Guesses and hints are taken as they were given, and the game ends when the recorded turns do.
        """
        codes = tuple(tuple(turn["code"]) for turn in episode.turns)
        if not codes:
            raise UserError(f"episode {episode.id!r} has no turn to be played again")
        keywords = tuple(episode.start["keywords"])
        turns = min(len(codes), self.rules.turns)
        rules = replace(
            self.rules, keywords=len(keywords), length=len(codes[0]), turns=turns, hints="report", guesses="lenient"
        )
        return Item(episode.id, Situation(Game(rules, episode.seed, keywords, codes)))

    def recorded(self, path: str | Path) -> list[Episode]:
        """The games of a file of episodes, or of a JSON file of games that people have played."""
        from otherminds.worlds.decrypto.people import read_games

        if Path(path).suffix == ".json":
            return read_games(Path(path))
        games = [episode for episode in super().recorded(path) if play_again(episode).states[1:]]
        if not games:
            raise UserError(f"{path} holds no game of Decrypto with a turn in it")
        return games

    def ledger(self, episode: Episode, upto: int | None = None) -> Ledger[Sighting, Mind]:
        states = play_again(episode).states
        return ledger_of(states[-1 if upto is None else upto])

    def summary(self, episodes: Sequence[Episode]) -> dict[str, float | None]:
        """Length and ends of games, rates per turn, validity by seat, and an experiment's measures."""
        from otherminds.evals.decrypto.results import figures, kind_rates

        ended = [episode for episode in episodes if episode.end is not None]
        thoughts = [thought for one in ended for turn in one.turns for thought in turn.get("thoughts", {}).values()]
        words = {word for thought in thoughts for word in thought.get("unknown", ())}  # that some mind could not place
        unknown = {"unknown_words": float(len(words))} if words else {}
        return {**super().summary(episodes), **figures(episodes), **kind_rates(ended, self.bank.kinds), **unknown}

    def seen(self, played: Played, chain: Sequence[str], turn: int) -> dict[str, str]:
        for seat in chain:
            if seat not in ROLES:
                raise UserError(f"there is no seat {seat!r} in a chain{nearest(seat, ROLES)}")
        mind = ledger_of(played.states[turn]).belief(tuple(chain))
        return {_named(fact): value if isinstance(value, str) else dashed(value) for fact, value in mind.items()}

    def terminal(self, state: Game, params: Any) -> str:
        return board(state)

    def scene(self, state: Game, params: Any) -> Scene:
        from otherminds.worlds.decrypto.draw import game_scene

        return game_scene(state)

    def page(self, episode: Episode, *beside: Episode) -> str:
        from otherminds.worlds.decrypto.page import game_page

        return game_page(episode)

    def mind(self, spec: str, seat: str | None = None) -> Any:
        """The embedding baseline with a noisy lexicon, such as ``glove~0.5`` or ``glove~0.5:k=60``."""
        return noisy_baseline(spec, self, seat)

    def _rules(self, experiment: Any) -> Rules:
        """The rules of an experiment, unless they were set otherwise."""
        return Rules(**{**(asdict(experiment.rules) if experiment else {}), **self._set})

    def _situation(self, seed: int) -> Situation:
        if self.experiment is None:
            return Situation(self.deal(seed))
        arm = self.arm or next(iter(self.experiment.arms))
        notes = (("experiment", self.experiment.name), ("arm", arm))
        return Situation(self.deal(seed), self.experiment.study(arm, seed, self.words), notes)


def noisy_baseline(spec: str, world: World, seat: str | None) -> Any:
    """The embedding baseline of a lexicon with noise; ``None`` if that is not what the name says."""
    from otherminds.minds.find import find_mind
    from otherminds.worlds.decrypto.lexicon import SHIPPED

    name, _, given = spec.partition(":")
    if name.partition("~")[0] not in SHIPPED or "~" not in name:
        return None
    return find_mind(",".join(filter(None, (f"embedding:lexicon={name}", given))), world, seat)


@cache
def _config(rules: Rules) -> dict[str, Any]:
    return asdict(rules)


def _experiment(name: str | Path) -> Any:
    from otherminds.evals.decrypto.read import find_experiment

    return find_experiment(name)


def _named(fact: Fact) -> str:
    kind, turn, digit = fact
    return f"keyword {digit}" if kind == "keyword" else f"turn {turn}, {kind}{f' for {digit}' if digit else ''}"
