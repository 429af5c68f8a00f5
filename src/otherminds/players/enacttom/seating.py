"""Who plays whom, as it is written: ``ann=human,ben=greedy``, one player for all, or one for each in their order."""

from __future__ import annotations

from collections.abc import Sequence

from otherminds.core.errors import UserError, nearest


def who_plays(seats: str, people: Sequence[str], usual: str | None = None) -> list[str]:
    """The player of each person.

    Args:
        seats: by commas: ``person=player``, and a player alone for the seats that are not named; or players alone,
            as many as there are people.
        people: in their order.
        usual: who fills the seats that nobody is named for; if there is none, somebody must be.

    Raises:
        UserError: if a person is not there, is seated twice, or has nobody.
    """
    parts = [part.strip() for part in seats.split(",") if part.strip()]
    named = [_split(part) for part in parts]
    if len(parts) == len(people) > 1 and not any(person for person, _ in named):
        return parts
    given: dict[str, str] = {}
    for person, player in named:
        if person and person not in people:
            raise UserError(f"seats: there is no {person!r} in this house{nearest(person, people)}")
        if person in given or not player:
            raise UserError(
                f"seats {seats!r} is not a player for each of {', '.join(people)}; write {people[0]}=human,greedy, "
                f"one for all, or one for each"
            )
        given[person] = player
    others = given.get("", usual)
    found = [given.get(person, others) for person in people]
    if None in found:
        raise UserError(f"seats {seats!r}: nobody plays {people[found.index(None)]}")
    return [str(player) for player in found]


def _split(part: str) -> tuple[str, str]:
    """Person and player; no person in ``greedy``, nor in ``tracker:depth=1``."""
    person, mark, player = part.partition("=")
    return ("", part) if not mark or ":" in person else (person.strip(), player.strip())
