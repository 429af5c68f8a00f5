"""Many episodes with the same minds: which situations are played, and a run that resumes from its file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from otherminds.core.episodes import Episode, EpisodeWriter, check_resumed, recorded_in
from otherminds.core.errors import UserError
from otherminds.core.match import Lineup, play
from otherminds.core.mind import Mind
from otherminds.core.session import Session
from otherminds.core.world import Item, World
from otherminds.minds.baselines import RecordedMind
from otherminds.minds.find import minds_for, seated_for

AT_ONCE = 256  # lineups side by side, for minds that reply to many asks at once


def play_all(
    world: World,
    specs: Mapping[str, str],
    items: Sequence[Item] | None = None,
    episodes: int = 100,
    seed: int = 0,
    attempts: int | None = None,
    record: Path | None = None,
    seating: Callable[[World, Mapping[str, str]], dict[str, Mind]] = minds_for,
    on_episode: Callable[[Episode], None] | None = None,
    named: Callable[[str, Mapping[str, str], Mapping[str, Episode]], str] | None = None,
) -> list[Episode]:
    """Play every item, or episodes by seed, and return the records.

    Args:
        world: World to play.
        specs: Name of a mind for each seat.
        items: Items of a suite. Without them, episodes are played by seed.
        episodes: Number of episodes, with consecutive seeds.
        seed: Seed of the first episode, or of the suite.
        attempts: Attempts at each ask before the world's default stands; the world's own number by default.
        record: File for the records. Episodes that it holds already are not played again.
        seating: Makes the minds from their names.
        on_episode: Called with each episode, played or recorded.
        named: Renames each episode, given its id, its minds by seat and the recorded episodes. Each turn is then
            written as soon as it is played.

    Raises:
        UserError: if the file holds episodes of the same names with other options.
    """
    seated: dict[tuple[str, ...], dict[str, Mind]] = {}  # minds are made once for all episodes with the same seats
    done: list[Episode] = []

    def minds_of(seats: Mapping[str, str]) -> dict[str, Mind]:
        if tuple(seats) not in seated:
            seated[tuple(seats)] = seating(world, seats)
        return seated[tuple(seats)]

    last_opened: list[Session] = []

    def finish(episode: Episode) -> None:
        done.append(episode)
        if on_episode:
            on_episode(episode)

    every = minds_of(seated_for(specs, world, items[0] if items else None)).values()

    def lineups(recorded: Mapping[str, Episode]) -> Iterator[Lineup]:
        for number, item in situations(world, every, items, episodes, seed):
            session, seats = world.open(number, item), seated_for(specs, world, item)
            if named is not None:
                session.episode.id = named(session.episode.id, seats, recorded)
            known = recorded.get(session.episode.id)
            if known is not None:
                check_resumed(known, session.episode, record or "")
            if known is not None and known.end is not None:
                finish(known)
            else:
                last_opened[:] = [session]
                yield Lineup(session, minds_of(seats))

    is_batched = all(hasattr(mind, "replies") and not hasattr(mind, "is_shared") for mind in every)
    with EpisodeWriter(record) if record else nullcontext() as writer:

        def follow(session: Session) -> None:
            if writer is not None and named is not None:
                writer.follow(session.episode)

        at_once = AT_ONCE if is_batched and named is None else 1
        recorded = recorded_in(record, whole=False) if record else {}
        try:
            for episode in play(lineups(recorded), attempts=attempts, at_once=at_once, watch=follow):
                if writer is not None:
                    writer.whole(episode)
                finish(episode)
        except KeyboardInterrupt:  # a person who leaves raises one, and keeps what was answered
            for session in last_opened:
                session.leave()
                follow(session)
            raise
    return done


def situations(
    world: World, minds: Iterable[Any], items: Sequence[Item] | None, episodes: int, seed: int
) -> Iterator[tuple[int, Item | None]]:
    """The seed and the item of each episode to play: those of a suite, those of a recorded file, or by seed.

    Read it lazily: recorded minds are turned to each episode just before it is played.

    Raises:
        UserError: if a suite is given as well as a recorded file.
    """
    recorded = [mind for mind in minds if isinstance(mind, RecordedMind)]
    if recorded and items is not None:
        raise UserError("--suite has no effect with recorded:FILE, whose episodes are played again; leave it out")
    if recorded:
        for number, episode in enumerate(recorded[0].episodes):
            for mind in recorded:
                mind.turn_to(number)
            yield episode.seed, world.item_of(episode)
    elif items is not None:
        yield from ((seed, item) for item in items)
    else:
        yield from ((number, None) for number in range(seed, seed + episodes))
