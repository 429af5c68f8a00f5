"""Many episodes of one table: which situations are played, and a run that resumes from its file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from otherminds.core.episodes import Episode, EpisodeWriter, check_resumed, recorded_in
from otherminds.core.errors import UserError
from otherminds.core.match import Table, play
from otherminds.core.mind import Mind
from otherminds.core.world import Item, World
from otherminds.minds.find import minds_for, seated_for
from otherminds.minds.recorded import RecordedMind

AT_ONCE = 256  # tables side by side, for minds that reply to many asks at once


def play_all(
    world: World,
    specs: Mapping[str, str],
    items: Sequence[Item] | None = None,
    episodes: int = 100,
    seed: int = 0,
    attempts: int | None = None,
    where: Path | None = None,
    seating: Callable[[World, Mapping[str, str]], dict[str, Mind]] = minds_for,
    on_episode: Callable[[Episode], None] | None = None,
) -> list[Episode]:
    """Play every item, or episodes by seed, and return the records.

    Args:
        world: that is played.
        specs: the name of a mind for each seat.
        items: of a suite; episodes by seed without them.
        episodes: number of episodes, one seed after the other.
        seed: of the first, or of the suite.
        attempts: at each ask, before the world's default stands; the world's own number by default.
        where: a file for the records. What it holds already is not played again.
        seating: makes the minds from their names.
        on_episode: is called with each episode, played or recorded.

    Raises:
        UserError: if the file holds episodes of the same names with other options.
    """
    known = recorded_in(where) if where else {}
    seated: dict[tuple[str, ...], dict[str, Mind]] = {}  # minds are made once for all episodes with the same seats
    done: list[Episode] = []

    def minds_of(item: Item | None) -> dict[str, Mind]:
        seats = seated_for(specs, world, item)
        if tuple(seats) not in seated:
            seated[tuple(seats)] = seating(world, seats)
        return seated[tuple(seats)]

    def finish(episode: Episode) -> None:
        done.append(episode)
        if on_episode:
            on_episode(episode)

    every = minds_of(items[0] if items else None).values()

    def tables() -> Iterator[Table]:
        for number, item in situations(world, every, items, episodes, seed):
            session = world.open(number, item)
            recorded = known.get(session.episode.id)
            if recorded is None:
                yield Table(session, minds_of(item))
            else:
                check_resumed(recorded, session.episode, where or "")
                finish(recorded)

    is_batched = all(hasattr(mind, "replies") and not hasattr(mind, "is_shared") for mind in every)
    played = play(tables(), attempts=attempts, at_once=AT_ONCE if is_batched else 1)
    with EpisodeWriter(where) if where else nullcontext() as writer:
        for episode in played:
            if writer is not None:
                writer.whole(episode)
            finish(episode)
    return done


def situations(
    world: World, minds: Iterable[Any], items: Sequence[Item] | None, episodes: int, seed: int
) -> Iterator[tuple[int, Item | None]]:
    """The seed and the item of each episode to play: those of a suite, those of a recorded file, or by seed.

    Recorded minds are turned to the episode that is about to be played, so that this is to be read lazily.

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
