"""The one interface: in every world, everything that happens is a seat being asked.

A :class:`World` opens a :class:`Session`, one episode in the making. The session holds the truth, shows each seat its
own view and lists the open asks. Whoever drives it hands in replies. A session is passive: it has no threads,
callbacks, clock or I/O, so that the same session serves the match loop, Inspect, a web server or a trainer.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

from otherminds.core.episodes import Episode, read_episodes
from otherminds.core.errors import UserError, nearest
from otherminds.core.form import Form
from otherminds.core.ledger import Ledger
from otherminds.core.mind import Briefing, Reply
from otherminds.core.seeds import child_seed

Source = Literal["ledger", "posterior", "reply", "none"]
LEDGER: Source = "ledger"


@dataclass(frozen=True, slots=True)
class Probe:
    """A question about belief. Its right answer never travels with it.

    Attributes:
        kind: what is asked: ``value``, ``knows``, ``thinks``, ``before``, ``predict``, …
        chain: the seats beyond the one asked: ``()`` what do you believe, ``("ben",)`` what does ben believe.
        about: what the question is about.
        shown: what the question reveals to the seat, placebos included.
        expected_from: where the right answer comes from: the ledger, the exact posterior of the world's solver, the
            reply to another ask, or nowhere.
        moment: when it is asked, for records.
    """

    kind: str
    chain: tuple[str, ...] = ()
    about: str = ""
    shown: Any = None
    expected_from: Source = LEDGER
    moment: str = ""

    @property
    def order(self) -> int:
        """How many other minds are in the chain."""
        return len(self.chain)


class View:
    """What a seat has perceived. Worlds derive from it and put it into words only when somebody reads them."""

    __slots__ = ("data", "log")

    def __init__(self, data: Any = None, log: tuple[Any, ...] = ()) -> None:
        self.data = data  # what the seat perceives now, in the world's own types
        self.log = log  # all it has perceived, oldest first, its own acts included

    def text(self) -> str:
        """What the seat perceives now, in words."""
        return "\n".join(map(str, self.log))

    def picture(self) -> str:
        """The same as a plain picture for a terminal; empty where there is none."""
        return ""

    def question(self, probe: Probe) -> str:
        """A probe in words."""
        return probe.about

    def fields(self) -> dict[str, Any]:
        """What the prompts of the world may fill in."""
        return {}


class Ask(NamedTuple):
    """One seat is asked for one decision: to act (``probe`` is ``None``) or to say what it believes."""

    id: str  # stable: the same episode asks the same ids; records, logs and resume are keyed by it
    seat: str
    turn: int  # from 1
    view: View
    form: Form
    probe: Probe | None = None
    attempt: int = 1
    complaint: str = ""  # why the last attempt was not taken
    truth: Any = None  # the hidden state, for minds with ``sees_truth`` only


class Outcome(NamedTuple):
    """How an episode ended."""

    success: bool | None  # None where the world has no notion of it
    score: Mapping[str, float]  # by seat


@dataclass(frozen=True)
class Item:
    """One test situation: a scenario, task, story, experiment arm or recorded start.

    Attributes:
        id: stable, a function of the content.
        data: in the world's own types; ``World.open`` understands it.
        group: items with the same group are scored jointly (twins, a family, contrast worlds); its own by default.
        order: the proved order of the group; ``None`` where nothing is proved.
        labels: anything to group results by.
    """

    id: str
    data: Any = None
    group: str = ""
    order: int | None = None
    labels: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Played:
    """An episode played again from its record; ``states[t]`` is the true state after turn t."""

    params: Any  # the setting of the world
    states: list[Any]
    ledger: Callable[[int], Ledger[Any, Any]] | None = field(default=None, kw_only=True)  # after a turn


class Anchors(NamedTuple):
    """What a world's scores are read against."""

    perfect: str  # the mind that reaches the ceiling
    ceiling: float
    chance: float  # what a random mind scores


Script = Generator[Sequence[Ask], Mapping[str, Reply], None]


class Session(ABC):
    """One episode in the making.

    A world writes :meth:`script` as a generator: it yields the asks that are open together and receives their replies
    by id when all are in, so that the course of an episode reads from top to bottom. An act that triggers probes is
    held simply by yielding the probes before the act is carried out.
    """

    scripted: Mapping[str, str] = {}  # seats that are never asked, and what records call them
    attempts: int = 3  # how often an ask is put before the default stands; the value of the world's paper
    num_turns: int = 0  # the most that there can be, where a world knows them; estimates go by it

    def __init__(self, episode: Episode) -> None:
        self.episode = episode
        self._given: dict[str, Reply] = {}
        self._settled: set[str] = set()
        self._script = self.script()
        self._open: Sequence[Ask] = next(self._script, ())
        self._awaited = {ask.id for ask in self._open}

    @abstractmethod
    def script(self) -> Script:
        """The course of the episode. It fills ``self.episode`` as it goes."""

    @abstractmethod
    def briefing(self, seat: str) -> Briefing:
        """What a seat is told before the first turn."""

    @abstractmethod
    def default(self, ask: Ask) -> Any:
        """What stands for an answer that never came; never the right one."""

    @abstractmethod
    def outcome(self) -> Outcome:
        """How the episode ended, or how it stands."""

    def truth(self) -> Any:
        """The true state now: for replays, for pictures, and for minds with ``sees_truth``."""
        return None

    def problem(self, ask: Ask, value: Any) -> str:  # worlds override it
        """Which rule that depends on the state a value breaks; empty if none."""
        return ""

    def mind_seed(self, seat: str, name: str) -> int:
        """The seed of the mind in a seat. It is derived from the episode's and cannot be turned back into it.

        The seat is empty for a mind that fills all its seats as one (``is_shared``), such as a policy.
        """
        return child_seed(self.episode.seed, f"mind/{seat}")

    def asks(self) -> Sequence[Ask]:
        """All asks that are open now; empty when the episode is over."""
        if not self._given:
            return self._open
        return [ask for ask in self._open if ask.id not in self._given]

    def probe_line(self, ask: Ask, given: Any, expected: Any, **beside: Any) -> dict[str, Any]:
        """What the record keeps of an answered probe, the same in all worlds; ``beside`` are a world's own fields."""
        assert ask.probe is not None
        probe = ask.probe
        line = {"id": ask.id, "seat": ask.seat, "kind": probe.kind, "chain": list(probe.chain), "about": probe.about}
        return {**line, "expected": expected, "given": given, "moment": probe.moment, **beside}

    def reply(self, ask_id: str, reply: Reply) -> None:
        """Take a reply. The world moves on when it has all that it needs. Repeating an id changes nothing.

        Raises:
            UserError: if there is no such ask.
        """
        given = self._given
        if ask_id in given or ask_id in self._settled:
            return
        if ask_id not in self._awaited:
            open_now = ", ".join(ask.id for ask in self.asks()) or "none: the episode is over"
            raise UserError(f"no ask {ask_id!r} is open; expected one of {open_now}")
        given[ask_id] = reply
        if len(given) == len(self._open):
            self._given = {}
            self._settled.update(given)
            try:
                self._open = self._script.send(given)
            except StopIteration:
                self._open = ()
            self._awaited = {ask.id for ask in self._open}


class World(ABC):
    """A world with its options set. Derive from it, and register the class."""

    id: ClassVar[str]  # with version, such as "symmtom-v0"
    anchors: ClassVar[Anchors | None] = None
    prompts: ClassVar[Path | None] = None  # the folder of its prompts, one sub-folder a version
    default_mind: ClassVar[str] = "random"  # who sits where nobody is named

    @property
    @abstractmethod
    def seats(self) -> tuple[str, ...]:
        """The names of the seats, in order."""

    def seats_of(self, item: Item | None) -> tuple[str, ...]:  # worlds override it
        """The seats of an item, where they are not those of the world: a task may have people of its own."""
        return self.seats

    @abstractmethod
    def open(self, seed: int, item: Item | None = None, repeat: int = 0) -> Session:
        """A new episode.

        Args:
            seed: decides everything that is left to chance.
            item: a test situation; seats that it scripts are not asked.
            repeat: tells apart several episodes of one item and seed.
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
        """Every state of a recorded episode, by giving every recorded reply again.

        Raises:
            UserError: if the record does not follow from the rules.
        """
        from otherminds.core.match import give_again

        session = self.open(episode.seed, self.item_of(episode))
        states = give_again(session, self.replies(episode))
        replayed = session.episode
        if (replayed.start, replayed.turns[: len(episode.turns)]) != (episode.start, episode.turns):
            raise UserError(f"episode {episode.id!r} does not follow from the rules: replaying it gives other turns")
        if episode.end is not None and replayed.end != episode.end:
            raise UserError(f"episode {episode.id!r} says that it ended as {episode.end}; by its turns, {replayed.end}")
        return Played(session.briefing(self.seats[0]).setting, states, ledger=lambda turn: self.ledger(episode, turn))

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
                raise UserError(f"{path}: episode {episode.id!r} is of {episode.world}; expected {self.id}")
        return episodes

    def ledger(self, episode: Episode, upto: int | None = None) -> Ledger[Any, Any]:
        """The belief ledger of an episode, up to a turn."""
        raise UserError(f"{self.id} keeps no ledger")

    def summary(self, episodes: Sequence[Episode]) -> dict[str, float | None]:
        """What finished episodes come to: the numbers of tables, of ``score`` and of Inspect's logs.

        Worlds add their own measures to these, which all worlds have.
        """
        from otherminds.core.summary import summary

        return summary(episodes)

    def batch(self, minds: Mapping[str, str], episodes: int, seed: int) -> dict[str, float | None] | None:
        """The measures of :meth:`summary` from a batch engine, over deals of its own; ``None`` if it cannot.

        Args:
            minds: the name of a mind for each seat.
            episodes: how many to play.
            seed: of the first.
        """
        return None

    def cross(self, minds: Sequence[str], episodes: int, seed: int) -> dict[str, Any] | None:
        """Everyone with everyone from a batch engine, without records; ``None`` if it cannot.

        The table has ``minds`` (their names) and ``score`` (by row and column), and whatever else the engine knows.
        """
        return None

    def seen(self, played: Played, chain: Sequence[str], turn: int) -> dict[str, str]:
        """What a chain of seats can tell after a turn, by name; the truth for the empty chain.

        Raises:
            UserError: if there is no such seat.
        """
        for seat in chain:
            if seat not in self.seats:
                raise UserError(f"there is no seat {seat!r} in a chain{nearest(seat, self.seats)}")
        if played.ledger is None:
            raise UserError(f"{self.id} has no ledger to ask")
        belief = played.ledger(turn).belief(tuple(chain))
        facts = belief.items() if isinstance(belief, Mapping) else ((fact, "yes") for fact in sorted(belief))
        return {str(fact): str(value) for fact, value in facts}

    def terminal(self, state: Any, params: Any) -> str:
        """A state as plain text; fields of a dataclass one a line."""
        if not is_dataclass(state):
            return str(state)
        shown = {each.name: getattr(state, each.name) for each in fields(state)}
        sets = {
            name: ", ".join(sorted(map(str, value))) for name, value in shown.items() if isinstance(value, frozenset)
        }
        return "\n".join(f"{name}: {value}" for name, value in {**shown, **sets}.items())

    def scene(self, state: Any, params: Any) -> Any:
        """A state as a picture (:class:`otherminds.view.shapes.Scene`)."""
        from otherminds.view.plain import text_scene

        return text_scene(self.terminal(state, params))

    def page(self, episode: Episode, *beside: Episode) -> str:
        """An episode as a page to look at; ``beside`` are other episodes of the same minds to compare with."""
        from otherminds.view.plain import plain_page

        return plain_page(self, episode)

    def beside(self, episode: Episode, episodes: Sequence[Episode]) -> list[Episode]:
        """Other episodes of a file that belong on the same page."""
        return []

    def check(self, episode: Episode) -> int:
        """The number of turns of a record that follows from the rules, expected answers included.

        Raises:
            UserError: if it does not.
        """
        return len(self.replay(episode).states) - 1

    def probing(self) -> World:
        """The same world with probes asked, for checks; itself where they are always asked."""
        return self

    def expected(self, episode: Episode, probe: Mapping[str, Any]) -> Any:
        """The right answer to a recorded probe, worked out anew from the ledger; ``None`` where nothing says so."""
        return None

    def alike(self, seed: int, seat: str) -> tuple[Session, Session] | None:
        """Two new episodes that differ only in what a seat cannot perceive, as long as everybody gives the defaults.

        ``None`` where the seat perceives everything.
        """
        return None

    def mind(self, spec: str, seat: str | None = None) -> Any:
        """A mind of this world that no registry lists, such as a trained run; ``None`` if the name is not one."""
        return None
