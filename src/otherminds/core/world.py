"""The one interface: in every world, everything that happens is a seat being asked.

A :class:`World` opens a :class:`~otherminds.core.session.Session`, one episode in progress, and reads the record that
results: replay, ledger, summary, pictures.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from otherminds.core.episodes import Episode, read_episodes
from otherminds.core.errors import UserError, nearest
from otherminds.core.ledger import Ledger
from otherminds.core.replay import check_counts, check_replay, check_same, give_again
from otherminds.core.session import Ask, Outcome, Probe, Script, Session, View
from otherminds.core.summary import summary

__all__ = [
    "Anchors", "Ask", "Item", "Outcome", "Played", "Probe", "Script", "Session", "View", "World", "first_groups",
]  # fmt: skip


@dataclass(frozen=True)
class Item:
    """One test situation: a scenario, task, story, experiment arm or recorded start.

    Attributes:
        id: Stable name, a function of the content.
        data: Content in the world's own types, for ``World.open``.
        group: Name shared by items that are scored jointly (twins, a family, contrast worlds); empty for a single item.
        order: Proved order of the group; ``None`` where nothing is proved.
        labels: Labels to group results by.
    """

    id: str
    data: Any = None
    group: str = ""
    order: int | None = None
    labels: Mapping[str, Any] = field(default_factory=dict)


def first_groups(items: Iterable[Item], size: int | None) -> Iterator[Item]:
    """The items of the first ``size`` groups; all of them by default."""
    groups: set[str] = set()
    for item in items:
        groups.add(item.group or item.id)
        if size is not None and len(groups) > size:
            return
        yield item


@dataclass(frozen=True)
class Played:
    """An episode played again from its record; ``states[t]`` is the true state after turn t."""

    params: Any  # the setting of the world
    states: list[Any]
    ledger: Callable[[int], Ledger[Any, Any]] | None = field(default=None, kw_only=True)  # after a turn


class Anchors(NamedTuple):
    """Reference scores of a world."""

    perfect: str  # the mind that reaches the ceiling
    ceiling: float
    chance: float  # what a random mind scores
    measure: str = "score"  # as the world's summary calls it
    suite: str = ""  # that is played; episodes by seed if empty
    seats: tuple[str, ...] = ()  # of the perfect mind, all by default; random minds fill the others

    def minds(self, seats: tuple[str, ...]) -> dict[str, str]:
        """The mind in each seat if the perfect one sits where it can."""
        return {seat: self.perfect if seat in (self.seats or seats) else "random" for seat in seats}


class World(ABC):
    """A world with its options set. Derive from it, and register the class."""

    id: ClassVar[str]  # with version, such as "symmtom-v0"
    anchors: Anchors | None = None
    prompts: ClassVar[Path | None] = None  # folder of its prompts, one sub-folder per version
    default_mind: ClassVar[str] = "random"  # sits in seats for which no mind is named

    @property
    @abstractmethod
    def seats(self) -> tuple[str, ...]:
        """The names of the seats, in order."""

    def seats_of(self, item: Item | None) -> tuple[str, ...]:  # worlds override it
        """The seats of an item, which may differ from those of the world: a task may name its own people."""
        return self.seats

    @abstractmethod
    def open(self, seed: int, item: Item | None = None, repeat: int = 0) -> Session:
        """A new episode.

        Args:
            seed: Seed of everything that is left to chance.
            item: Test situation. Seats that it scripts are not asked.
            repeat: Number that distinguishes several episodes of one item and seed.
        """

    @classmethod
    def of(cls, episode: Episode) -> World:
        """The world with the options that an episode was played with."""
        known = inspect.signature(cls).parameters
        return cls(**{name: value for name, value in episode.config.items() if name in known})

    @property
    def sides(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The two groups of seats that a cross-play matrix fills: rows and columns."""
        return self.seats[:1], self.seats[1:]

    def suite(self, name: str = "standard", seed: int = 0) -> Iterable[Item]:
        """The items of a named set, in groups.

        Raises:
            UserError: if there is no such suite.
        """
        raise UserError(f"{self.id} has no suite {name!r}; leave out --suite to play episodes by seed")

    def replay(self, episode: Episode) -> Played:
        """Every state of a recorded episode, recomputed from its recorded replies.

        Raises:
            UserError: if the record does not follow from the rules.
        """
        session = self.reopen(episode)
        states = give_again(session, self.replies(episode))
        check_same(episode.start, session.episode.start, f"episode {episode.id!r}, start: ")
        check_replay(episode, session, self.replies(episode))
        return Played(session.briefing(self.seats[0]).setting, states, ledger=lambda turn: self.ledger(episode, turn))

    def reopen(self, episode: Episode) -> Session:
        """A new session of a recorded episode, with the same asks."""
        return self.open(episode.seed, self.item_of(episode))

    def replies(self, episode: Episode) -> dict[str, Any]:
        """The recorded replies by ask id."""
        return {ask: value for turn in episode.turns for ask, value in turn.get("replies", {}).items()}

    def item_of(self, episode: Episode) -> Item | None:
        """The item that opens a recorded episode again; ``None`` where the seed alone does."""
        return None

    def recorded(self, path: str | Path) -> list[Episode]:
        """The episodes of a file that were played in this world.

        Raises:
            UserError: if the file holds none, or one of another world.
        """
        episodes = read_episodes(path)
        for episode in episodes:
            if episode.world != self.id:
                raise UserError(f"{path}: episode {episode.id!r} belongs to {episode.world}; expected {self.id}")
        return episodes

    def ledger(self, episode: Episode, upto: int | None = None) -> Ledger[Any, Any]:
        """The belief ledger of an episode, up to a turn."""
        raise UserError(f"{self.id} has no ledger")

    def summary(self, episodes: Sequence[Episode]) -> dict[str, float | None]:
        """Measures of finished episodes, as shown in tables, by ``score`` and in Inspect's logs.

        Worlds add their own measures to these common ones.
        """
        return summary(episodes)

    def suited(self, minds: Sequence[str]) -> World:  # worlds with trained minds override it
        """The world to evaluate minds in: one whose options were not set may become the one they were trained in."""
        return self

    def batch(self, minds: Mapping[str, str], episodes: int, seed: int) -> dict[str, float | None] | None:
        """The measures of :meth:`summary` from a batch engine, over its own deals; ``None`` if it cannot play them.

        Args:
            minds: Name of a mind for each seat.
            episodes: Number of episodes.
            seed: Seed of the first episode.
        """
        return None

    def cross(self, minds: Sequence[str], episodes: int, seed: int) -> dict[str, Any] | None:
        """Cross-play matrix from a batch engine, without records; ``None`` if it cannot play the minds.

        The table has ``minds`` (their names), ``score`` (by row and column) and ``sees_truth`` (the names of minds that
        do), and whatever else the engine knows.
        """
        return None

    def seen(self, played: Played, chain: Sequence[str], turn: int) -> dict[str, str]:
        """What a chain of seats can know after a turn, by fact; the truth for the empty chain.

        Raises:
            UserError: if there is no such seat.
        """
        for seat in chain:
            if seat not in self.seats:
                raise UserError(f"--chain names {seat!r}, which is not a seat{nearest(seat, self.seats)}")
        if played.ledger is None:
            raise UserError(f"{self.id} has no ledger")
        belief = played.ledger(turn).belief(tuple(chain))
        facts = belief.items() if isinstance(belief, Mapping) else ((fact, "yes") for fact in sorted(belief))
        return {str(fact): str(value) for fact, value in facts}

    def doubts(self, items: Sequence[Item] | None = None) -> dict[str, str]:
        """Reasons to doubt results on the items of a suite, or on episodes by seed, for each item."""
        return {}

    def per_item(self, episodes: Sequence[Episode]) -> list[dict[str, Any]]:
        """The results of each item, as plain data; empty where a world has only a summary."""
        return []

    def terminal(self, state: Any, params: Any) -> str:
        """A state as plain text; a dataclass is shown with one field per line."""
        if not is_dataclass(state):
            return str(state)
        shown = {part.name: getattr(state, part.name) for part in fields(state)}
        sets = {
            name: ", ".join(sorted(map(str, value))) for name, value in shown.items() if isinstance(value, frozenset)
        }
        return "\n".join(f"{name}: {value}" for name, value in {**shown, **sets}.items())

    def scene(self, state: Any, params: Any) -> Any:
        """A state as a picture (:class:`otherminds.view.shapes.Scene`); ``None`` to have its text drawn."""
        return None

    def page(self, episode: Episode, *beside: Episode) -> str | None:
        """An episode as an HTML page; ``None`` for the default page of all worlds.

        Args:
            episode: Episode to show.
            beside: Other episodes of the same minds to compare with.
        """
        return None

    def beside(self, episode: Episode, episodes: Sequence[Episode]) -> list[Episode]:
        """Other episodes of a file that belong on the same page."""
        return []

    def check(self, episode: Episode) -> int:
        """Check that a record follows from the rules, expected answers included, and return its number of turns.

        Raises:
            UserError: if it does not.
        """
        replies, turns, session = self.replies(episode), len(self.replay(episode).states) - 1, self.reopen(episode)
        give_again(session, replies, episode.attempts, len(episode.turns) if episode.end else 0)
        check_replay(episode, session, replies)
        if episode.end is not None and episode.validity:
            check_counts(episode, session.episode)
        return turns

    def probing(self) -> World:
        """The same world with probes asked, for checks; itself where they are always asked."""
        return self

    def expected(self, episode: Episode, probe: Mapping[str, Any]) -> Any:
        """The right answer to a recorded probe, recomputed from the ledger; ``None`` where the ledger has none."""
        return None

    def alike(self, seed: int, seat: str) -> tuple[Session, Session] | None:
        """Two new episodes that differ only in what a seat cannot perceive, while every reply is the default.

        ``None`` if the seat perceives everything.
        """
        return None

    def mind(self, spec: str, seat: str | None = None) -> Any:
        """A mind of this world that no registry lists, such as a trained run; ``None`` if the name is not one."""
        return None
