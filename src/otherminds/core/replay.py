"""Records played again: every reply is handed to a new session, and what the record states must follow from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.form_fields import short
from otherminds.core.match import Referee
from otherminds.core.mind import Reply
from otherminds.core.session import Session

_LATER = ("outcome", "attempts", "failures")  # fields that the oldest records do not have


def give_again(
    session: Session,
    recorded: Mapping[str, Any],
    attempts: Mapping[str, Mapping[str, int]] | None = None,
    whole: int = 0,
) -> list[Any]:
    """Hand the replies of a record to a new session of the same episode, and return the true state after each turn.

    Args:
        session: Session to fill.
        recorded: Replies by ask id.
        attempts: Attempts and failures by ask id (:class:`Episode`); a reply that equals the default is taken for it
            where the record does not have them.
        whole: Number of turns that the record has in full: a reply that is absent from them never came.

    Raises:
        UserError: if a reply does not fit its form or breaks a rule. Recorded defaults are accepted as they are.
    """
    states, referee = [session.truth()], Referee(session)
    while (asks := session.asks()) and all(ask.id in recorded or ask.turn <= whole for ask in asks):
        for ask in asks:
            default, tries = session.default(ask), (attempts or {}).get(ask.id, {"attempts": 1, "failures": 0})
            value = recorded.get(ask.id, default)
            if ask.id not in recorded or tries["failures"] or (attempts is None and value == default):
                referee.let_default_stand(ask, tries["attempts"] if tries["failures"] else 0)
                continue
            problem = ask.form.check(value) or session.problem(ask, ask.form.take(value))
            if problem:
                raise UserError(f"episode {session.episode.id!r}, ask {ask.id}: {problem}")
            referee.take(ask._replace(attempt=tries["attempts"]), Reply(value))
        if len(session.episode.turns) >= len(states):
            states.append(session.truth())
    return states


def check_replay(episode: Episode, session: Session, recorded: Mapping[str, Any]) -> None:
    """Refuse turns and an end that differ from those of a session that was given its replies."""
    right, place = session.episode, f"episode {episode.id!r}"
    unread = ("attempts",) if episode.attempts is None else ()
    for turn, (line, other) in enumerate(zip(episode.turns, right.turns, strict=False), 1):
        check_same(line, other, f"{place}, turn {turn}: ", unread=unread)
    if len(right.turns) < len(episode.turns) or (episode.end is not None and right.end is None):
        if asks := [ask for ask in session.asks() if ask.id not in recorded]:
            raise UserError(f"{place} has no reply to {asks[0].id}, although its earlier replies lead to it")
        raise UserError(f"{place}: turn {len(right.turns) + 1} was played after the episode had ended")
    if episode.end is not None:
        check_same(episode.end, right.end, f"{place}, end: ")


def check_counts(episode: Episode, right: Episode) -> None:
    """Refuse counts of attempts that differ from those of a session that was given the same replies.

    In a record without the attempts of single asks, a reply that equals the default may have been given, at any
    attempt.
    """
    counted, place = {seat: dict(counts) for seat, counts in right.validity.items()}, f"episode {episode.id!r}, end: "
    compared: list[tuple[str, Mapping[str, Any], Mapping[str, Any]]] = [("validity", episode.validity, counted)]
    if episode.attempts is not None:
        compared.append(("attempts", episode.attempts, right.attempts or {}))
    else:
        for seat, counts in counted.items():
            noted = episode.validity.get(seat, counts)
            if noted.keys() == counts.keys():
                counts["failures"] = min(max(noted["failures"], 0), counts["failures"])
                counts["attempts"] = max(noted["attempts"], counts["asks"] - counts["failures"])
    for name, recorded, given in compared:
        for part in {**given, **recorded}:
            check_same(recorded.get(part), given.get(part), f"{place}{name}", f".{part}")


def check_same(recorded: Any, right: Any, place: str, name: str = "", unread: Sequence[str] = ()) -> None:
    """Refuse a part of a record that differs from its replay. What only the record has, such as thoughts, is not read.

    Raises:
        UserError: names the field, what it is and what it should be.
    """
    is_line = not name or name.endswith("]")
    if (
        isinstance(recorded, Mapping)
        and isinstance(right, Mapping)
        and (is_line or any(map(_has_parts, right.values())))
    ):
        for part, value in right.items():
            if part not in unread and (part in recorded or part not in _LATER):
                check_same(recorded.get(part), value, place, f"{name}.{part}" if name else part, unread)
    elif _has_parts(recorded) and _has_parts(right) and len(recorded) == len(right) and isinstance(right, list):
        for at, (item, value) in enumerate(zip(recorded, right, strict=True)):
            check_same(item, value, place, f"{name}[{at}]", unread)
    elif recorded != right:
        raise UserError(f"{place}{name} is {short(recorded)}; according to its replies it is {short(right)}")


def _has_parts(value: Any) -> bool:
    return isinstance(value, Mapping) or (isinstance(value, list) and any(isinstance(item, Mapping) for item in value))
