"""The interfaces of minds, which reply to one ask at a time, and of policies, which act in many worlds at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from otherminds.core.world import Ask, Outcome


class CannotAnswer(Exception):
    """Raised by a mind that has no answer to this kind of ask. The world's default is used without another attempt."""


class Reply(NamedTuple):
    """A mind's reply to an ask. The last three fields are filled in by the match loop."""

    value: Any
    belief: Any = None  # what the mind believes of others, if it can show it
    thoughts: Any = None  # for records and pages
    attempts: int = 1
    complaints: tuple[str, ...] = ()  # about the attempts that were refused
    is_default: bool = False  # every attempt was refused, and the world's default is used


class Briefing(NamedTuple):
    """What a seat is told before the first turn: everything public about the episode, and nothing else."""

    world: str  # id with version
    seat: str
    seats: tuple[str, ...]
    setting: Any = None  # the world's own description of its options: rules, parameters, a household task
    rules: Callable[[], str] = str  # the rules in words, for this seat
    fields: Callable[[], dict[str, Any]] = (
        dict  # what the prompts of the world may fill in; ``others`` if it has no other seat
    )


@runtime_checkable
class Mind(Protocol):
    """Fills a seat, or several. ``begin`` starts a new episode and forgets the last one.

    A mind may also have:

    - ``replies(asks)``: replies to many asks at once, with a ``CannotAnswer`` in the place of one that it has no answer
      to. Such a mind may play several episodes at the same time.
    - ``sees_truth``: whether it is shown the hidden state, as ``ask.truth``; such a mind is for reference only.
    - ``end(outcome)``: called after the last turn.
    - ``begin(seat, briefing, seed)``: called before the first. The seed is the mind's own, never the episode's.
    """

    @property
    def name(self) -> str:
        """Name in records and tables."""

    def reply(self, ask: Ask) -> Reply:
        """Act, or say what it believes. Answering a probe must not change any later reply."""


class BaseMind:
    """A mind that needs no preparation. Derive from it and write ``reply``."""

    name: str
    sees_truth: bool = False

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        """Take a seat in a new episode."""

    def end(self, outcome: Outcome) -> None:
        """Learn how the episode ended."""


@runtime_checkable
class Policy(Protocol):
    """Acts for all seats of many worlds at once. Pure: everything it remembers is in its memory."""

    @property
    def name(self) -> str:
        """Name in records and tables."""

    @property
    def sees_truth(self) -> bool:
        """Whether it is shown what agents really know; such a policy is for reference only."""

    def __hash__(self) -> int:
        """Compiled rollouts are kept by policy."""

    def look(self, state: Any, params: Any) -> Any:
        """What it perceives of a state: only what the world's ``observe`` shows to its seats."""

    def begin(self, sight: Any, params: Any) -> Any:
        """The memory before the first turn."""

    def act(self, memory: Any, sight: Any, params: Any, key: Any) -> tuple[Any, Any]:
        """An action for every seat, and the new memory; ``sight`` is what it saw of the turn just played."""


@runtime_checkable
class Believing(Protocol):
    """A policy that can be asked what it believes, apart from what it does."""

    def believes(self, memory: Any, sight: Any, params: Any) -> Any:
        """How probable each fact is to each seat after ``sight``, given the memory after acting on it.

        ``None`` if it holds nothing that can be read.
        """


def replies_of(mind: Mind, asks: Sequence[Ask]) -> Sequence[Reply]:
    """Replies to many asks, at once where the mind can."""
    many = getattr(mind, "replies", None)
    return many(asks) if many is not None else [mind.reply(ask) for ask in asks]
