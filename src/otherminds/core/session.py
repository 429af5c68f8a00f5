"""One episode in progress: asks go out, replies come in.

A session holds the truth, shows each seat its own view and lists the open asks. Its driver hands in replies. It
is passive, with no threads, callbacks, clock or I/O, so that the same session serves the match loop, Inspect, a web
server or a trainer.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.form import Form
from otherminds.core.mind import Briefing, Reply
from otherminds.core.seeds import child_seed


@dataclass(frozen=True, slots=True)
class Probe:
    """A question about belief. It does not contain the right answer.

    Attributes:
        kind: Kind of question: ``value``, ``knows``, ``thinks``, ``before``, ``predict``, …
        chain: Seats beyond the one asked: ``()`` for what do you believe, ``("ben",)`` for what does ben believe.
        about: Subject of the question.
        shown: Information that the question reveals to the seat, placebos included.
        moment: Time of the question, for records.
    """

    kind: str
    chain: tuple[str, ...] = ()
    about: str = ""
    shown: Any = None
    moment: str = ""

    @property
    def order(self) -> int:
        """Number of other minds in the chain."""
        return len(self.chain)


class View:
    """What a seat has perceived. Worlds derive from it; its words are made only when they are read."""

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

    def continuations(self) -> Mapping[Any, Sequence[tuple[str, str]]]:
        """For each act, pairs of a text and the word that should follow it if the act is right.

        The mind ``likelihood`` scores acts by these words. If empty, it scores the words of the reply itself.
        """
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

    success: bool | None  # None if the world does not define success
    score: Mapping[str, float]  # by seat


Script = Generator[Sequence[Ask], Mapping[str, Reply], None]


class Session(ABC):
    """One episode in progress.

    A world writes :meth:`script` as a generator: it yields the asks that are open together and receives their replies
    by id when all are in, so that the course of an episode reads from top to bottom. An act that triggers probes is
    held simply by yielding the probes before the act is carried out.
    """

    scripted: Mapping[str, str] = {}  # seats that are never asked, with the names that records give them
    attempts: int = 3  # attempts at each ask before the default is used, as in the world's paper
    num_turns: int = 0  # largest possible number of turns, for cost estimates; 0 if unknown

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
        """The reply that is used if no valid one is given; never the right one."""

    @abstractmethod
    def outcome(self) -> Outcome:
        """How the episode ended, or its present score."""

    def truth(self) -> Any:
        """The true state now: for replays, for pictures, and for minds with ``sees_truth``."""
        return None

    def problem(self, ask: Ask, value: Any) -> str:  # worlds override it
        """The state-dependent rule that a value breaks, in words; empty if it breaks none."""
        return ""

    def mind_seed(self, seat: str, name: str) -> int:
        """The seed of the mind in a seat, derived from the episode's seed, which cannot be recovered from it.

        The seat is empty for a mind that fills all its seats as one (``is_shared``), such as a policy.
        """
        return child_seed(self.episode.seed, f"mind/{seat}")

    def asks(self) -> Sequence[Ask]:
        """All asks that are open now; empty when the episode is over."""
        if not self._given:
            return self._open
        return [ask for ask in self._open if ask.id not in self._given]

    def leave(self) -> None:  # noqa: B027  # worlds whose turns hold many asks override it
        """Record the replies to a turn that will not be finished. The record stays without an end."""

    def probe_line(self, ask: Ask, given: Any, expected: Any, **beside: Any) -> dict[str, Any]:
        """The record of an answered probe, the same in all worlds; ``beside`` holds the world's own fields."""
        assert ask.probe is not None
        probe = ask.probe
        line = {"id": ask.id, "seat": ask.seat, "kind": probe.kind, "chain": list(probe.chain), "about": probe.about}
        return {**line, "expected": expected, "given": given, "moment": probe.moment, **beside}

    def reply(self, ask_id: str, reply: Reply) -> None:
        """Accept a reply. The world moves on when all open asks are answered. Repeating an id changes nothing.

        Raises:
            UserError: if there is no such ask.
        """
        replies = self._given
        if ask_id in replies or ask_id in self._settled:
            return
        if ask_id not in self._awaited:
            open_now = ", ".join(ask.id for ask in self.asks()) or "no ask, because the episode is over"
            raise UserError(f"no ask {ask_id!r} is open; expected {open_now}")
        replies[ask_id] = reply
        if len(replies) == len(self._open):
            self._given = {}
            self._settled.update(replies)
            try:
                self._open = self._script.send(replies)
            except StopIteration:
                self._open = ()
            self._awaited = {ask.id for ask in self._open}
