"""The only loop that plays anything: it puts open asks to minds and hands their replies to sessions.

A mind that raises an exception, replies nonsense or breaks a rule spoils no more than its own ask. It is asked again
with the complaint. After the last attempt the world's default is used, which is never right and is counted apart from
skill.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.form_fields import Unreadable, short
from otherminds.core.mind import CannotAnswer, Mind, Reply
from otherminds.core.secrets import redact
from otherminds.core.session import Ask, Session

_NOTED = 10  # most different complaints about a seat that a record keeps


class Referee:
    """Takes replies to the asks of one session.

    Args:
        session: Session of the episode.
        attempts: Attempts at each ask; the world's own number by default.
    """

    def __init__(self, session: Session, attempts: int | None = None) -> None:
        self.session = session
        self.attempts = session.attempts if attempts is None else attempts
        if self.attempts < 1:
            raise UserError(f"attempts is {attempts}; expected at least 1")
        self._complaints: dict[str, tuple[str, ...]] = {}
        self._counts = session.episode.validity
        if session.episode.attempts is None:
            session.episode.attempts = {}
        self._unusual = session.episode.attempts

    def take(self, ask: Ask, reply: Reply | Exception, *, is_patient: bool = False) -> Ask | None:
        """Hand a reply to the session, or return the ask with the complaint, to be asked again.

        A patient mind, such as a person, is asked until its reply is accepted.
        """
        if not isinstance(reply, Exception):
            try:
                value = ask.form.take(reply.value)
            except Unreadable as error:
                problem = str(error)
            else:
                problem = self.session.problem(ask, value)
                if not problem:
                    if value is not reply.value or ask.attempt > 1:
                        past = self._complaints.pop(ask.id, ())
                        reply = reply._replace(value=value, attempts=ask.attempt, complaints=past)
                    self._count(ask, ask.attempt, 0)
                    self.session.reply(ask.id, reply)
                    return None
        elif isinstance(reply, CannotAnswer):
            self.let_default_stand(ask)
            return None
        else:
            problem = str(reply) if isinstance(reply, Unreadable) else f"{type(reply).__name__}: {reply}"
        problem = redact(problem)
        complaints = (*self._complaints.get(ask.id, ()), problem)
        noted = self.session.episode.complaints.setdefault(ask.seat, [])
        if problem not in noted and len(noted) < _NOTED:
            noted.append(problem)
        if ask.attempt >= self.attempts and not is_patient:
            thoughts = getattr(reply, "thoughts", None)
            self.let_default_stand(ask, ask.attempt, complaints, thoughts)
            return None
        self._complaints[ask.id] = complaints
        return ask._replace(attempt=ask.attempt + 1, complaint=problem)

    def let_default_stand(
        self, ask: Ask, attempts: int = 0, complaints: tuple[str, ...] = (), thoughts: Any = None
    ) -> None:
        """Settle an ask with the world's default."""
        self._complaints.pop(ask.id, None)
        self._count(ask, attempts, 1)
        value = self.session.default(ask)
        reply = Reply(value, thoughts=thoughts, attempts=attempts, complaints=complaints, is_default=True)
        self.session.reply(ask.id, reply)

    def _count(self, ask: Ask, attempts: int, failures: int) -> None:
        """Count asks, attempts and failures of a seat, apart from skill, and note what took other than one attempt."""
        if attempts != 1 or failures:
            self._unusual[ask.id] = {"attempts": attempts, "failures": failures}
        counts = self._counts.get(ask.seat)
        if counts is None:
            counts = self._counts[ask.seat] = {"asks": 0, "attempts": 0, "failures": 0}
        counts["asks"] += 1
        counts["attempts"] += attempts
        counts["failures"] += failures


class Lineup(NamedTuple):
    """A session and the minds that fill its seats. One object may fill several seats."""

    session: Session
    minds: Mapping[str, Mind]


class _Seated(NamedTuple):
    """A mind and what it can do, looked up once for all asks of an episode."""

    mind: Any
    sees_truth: bool
    is_batched: bool
    is_patient: bool


class _Playing(NamedTuple):
    """A lineup whose minds have begun."""

    session: Session
    referee: Referee
    seated: Mapping[str, _Seated]


class _Broken:
    """Sits where a mind could not begin, and fails at every ask with what went wrong."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def reply(self, ask: Ask) -> Reply:
        raise self._error


def play(
    lineups: Iterable[Lineup],
    *,
    attempts: int | None = None,
    at_once: int = 1,
    watch: Callable[[Session], None] | None = None,
) -> Iterator[Episode]:
    """Play sessions to their end and yield their records in the order in which they end.

    Args:
        lineups: Sessions with their minds, consumed lazily.
        attempts: Attempts at each ask before the default is used; the world's own number by default.
        at_once: Number of lineups played side by side. More than one helps minds with ``replies``, which then receive
            the open asks of all their lineups together; other minds may take part in one only.
        watch: Called with a session when it begins and after each round of replies.

    Raises:
        UserError: if a seat that is asked has no mind.
    """
    waiting, live = iter(lineups), list[_Playing]()
    watch = watch or (lambda _: None)
    while True:
        while len(live) < at_once and (lineup := next(waiting, None)) is not None:
            live.append(_begin(lineup, attempts))
            watch(lineup.session)
        if not live:
            return
        _round(live)
        for playing in live:
            watch(playing.session)
        finished = [playing for playing in live if not playing.session.asks()]
        if finished:
            live = [playing for playing in live if playing.session.asks()]
        for playing in finished:
            _end(playing)
            yield playing.session.episode


def play_one(session: Session, minds: Mapping[str, Mind], attempts: int | None = None) -> Episode:
    """Play one session to its end."""
    return next(play([Lineup(session, minds)], attempts=attempts))


def _begin(lineup: Lineup, attempts: int | None) -> _Playing:
    session, seated = lineup.session, dict[str, _Seated]()
    seats = session.briefing(next(iter(lineup.minds), "")).seats
    for seat, mind in lineup.minds.items():
        is_patient = getattr(mind, "is_patient", False)
        seated[seat] = _Seated(mind, getattr(mind, "sees_truth", False), hasattr(mind, "replies"), is_patient)
        if seat in seats and (begin := getattr(mind, "begin", None)) is not None:
            whose = "" if getattr(mind, "is_shared", False) else seat
            try:
                begin(seat, session.briefing(seat), session.mind_seed(whose, mind.name))
            except UserError:
                raise
            except Exception as error:  # only this mind's asks fail
                seated[seat] = _Seated(_Broken(error), False, False, False)
    names = {seat: mind.name for seat, mind in lineup.minds.items()} | dict(session.scripted)
    session.episode.minds = {seat: names.get(seat, "open") for seat in seats}
    return _Playing(session, Referee(session, attempts), seated)


def _end(playing: _Playing) -> None:
    outcome, episode = playing.session.outcome(), playing.session.episode
    exchanges = {}
    for seat, (mind, *_) in playing.seated.items():
        if seat in episode.minds and (end := getattr(mind, "end", None)) is not None:
            end(outcome)
        exchanges[id(mind)] = getattr(mind, "exchanges", ())
    episode.exchanges = [exchange.note() for of_mind in exchanges.values() for exchange in of_mind]


def _round(live: Sequence[_Playing]) -> None:
    """Put every open ask once, and again until each is settled."""
    batches: dict[int, list[tuple[_Playing, Ask]]] = {}
    for playing in live:
        for ask in playing.session.asks():
            if ask.seat not in playing.seated:
                raise UserError(f"seat {ask.seat!r} has no mind; set one with --seat {ask.seat}=NAME")
            mind, sees_truth, is_batched, is_patient = playing.seated[ask.seat]
            if sees_truth:
                ask = ask._replace(truth=playing.session.truth())  # noqa: PLW2901  # the same ask, with what it may see
            if is_batched:
                batches.setdefault(id(mind), []).append((playing, ask))
                continue
            again: Ask | None = ask
            while again is not None:
                again = playing.referee.take(again, _answer(mind, again), is_patient=is_patient)
    for batch in batches.values():
        mind, left = batch[0][0].seated[batch[0][1].seat].mind, batch
        while left:
            replies = _answers(mind, [ask for _, ask in left])
            taken = [(table, table.referee.take(ask, reply)) for (table, ask), reply in zip(left, replies, strict=True)]
            left = [(table, ask) for table, ask in taken if ask is not None]


def _answer(mind: Any, ask: Ask) -> Reply | Exception:
    """The reply of a mind, or what it raised: a fault of one mind must not end an episode, let alone a run."""
    try:
        return _checked(mind.reply(ask))
    except UserError:
        raise
    except Exception as error:
        return error


def _answers(mind: Any, asks: list[Ask]) -> Sequence[Reply | Exception]:
    try:
        replies: Any = mind.replies(asks)
    except UserError:
        raise
    except Exception as error:
        return [error] * len(asks)
    if not isinstance(replies, Sequence) or len(replies) != len(asks):
        replies = [replies] * len(asks)
    return [reply if isinstance(reply, Exception) else _checked(reply) for reply in replies]


def _checked(reply: Any) -> Reply | Exception:
    if isinstance(reply, Reply):
        return reply
    return Unreadable(f"the mind returned {short(reply)}; expected Reply(value)")
