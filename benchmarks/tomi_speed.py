"""How fast stories are made, as a ratio to a plain tracker with dense tables in the same run.

The original keeps, for every pair of agents and every object, a table of beliefs, and copies it at each event; the
reference here does the same in plain Python for the smallest world that holds a story. Ours makes, checks, balances and
words whole families of twins meanwhile.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from otherminds.core.match import Lineup, play
from otherminds.core.seeds import Draw
from otherminds.core.world import Item
from otherminds.minds.find import find_mind
from otherminds.worlds.tomi.files.items import dump_items
from otherminds.worlds.tomi.observe import READER
from otherminds.worlds.tomi.stories.generate import iter_items, make_family
from otherminds.worlds.tomi.stories.original import stories as original_stories
from otherminds.worlds.tomi.stories.presets import PRESETS, preset
from otherminds.worlds.tomi.stories.vocabulary import Wording
from otherminds.worlds.tomi.types import Announce, Enter, Exit, Move, Story
from otherminds.worlds.tomi.world import ToMi

PEOPLE, THINGS = 40, 66  # of the original's world; its tables hold a value for each pair of people and thing


def finished(name: str, families: int) -> int:
    """Make families with all their words; how many stories they have."""
    knobs, stories = preset(name), 0
    for index in range(families):
        family = make_family(knobs, 0, "train", index, name)
        wording = Wording(family.members[0].story, knobs, 0, "train", family.draw)
        for member in family.members:
            stories += bool(wording.statements(member.story, member.variant))
    return stories


def asked(name: str, families: int) -> int:
    """The same with all questions, answers and choices, as models are asked them."""
    return len({item.story_id for item in iter_items(preset(name), name, families, split="train")})


def exported(name: str, families: int) -> int:
    """The same with all events and beliefs too, as lines of JSON, as ``otherminds generate`` writes them."""
    items = list(iter_items(preset(name), name, families, split="train", is_full=True))
    assert sum(map(len, dump_items(items)))
    return len({item.story_id for item in items})


def played(world: ToMi, items: Sequence[Item]) -> int:
    """The tracker answers all questions of some stories, on record; how many they are."""
    mind = find_mind("tracker", world)
    tables = (Lineup(world.open(0, item), {READER: mind}) for item in items)
    return sum(len(episode.turns[0]["probes"]) for episode in play(tables, at_once=256))


def dense(stories: list[Story]) -> int:
    """Track beliefs as the original does: a table a pair of people, copied at each event."""
    for story in stories:
        table = [[[-1] * THINGS for _ in range(PEOPLE)] for _ in range(PEOPLE)]
        places: dict[int, int] = {}
        contents: dict[int, int] = {}
        for event in story.events:
            table = [[row[:] for row in plane] for plane in table]
            if isinstance(event, Enter):
                places[event.agent] = event.room
            elif isinstance(event, Exit):
                places.pop(event.agent, None)
            elif isinstance(event, Announce | Move):
                contents[event.object] = event.container
            for a, room in places.items():
                for b, other in places.items():
                    if room == other:
                        for thing, container in contents.items():
                            if story.homes[container] == room:
                                table[a][b][thing] = container
    return len(stories)


def rate(work: Callable[[], int]) -> float:
    """Stories, or questions, a second of one core's time."""
    started = time.process_time()
    done = work()
    return done / (time.process_time() - started)


def main() -> None:
    """Print the rates, and keep them with ``--record``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--families", type=int, default=200)
    parser.add_argument("--record", type=Path)
    given = parser.parse_args()
    Draw(0, "warm")
    plain = [story.story for story in original_stories("code", 30)]
    reference = rate(lambda: dense(plain))
    print(f"dense tables, tracking alone: {reference:8.1f} stories a second")
    rows = {}
    for name in PRESETS:
        rows[name] = rate(partial(finished, name, given.families))
        print(f"{name:12} finished stories: {rows[name]:8.1f} a second, {rows[name] / reference:6.1f} times that")
    questions = {name: rate(partial(asked, name, given.families)) for name in ("classic", "medium")}
    for name, found in questions.items():
        print(f"{name:12} with all questions: {found:8.1f} stories a second")
    files = rate(partial(exported, "medium", given.families))
    print(f"medium as files of questions: {files:8.1f} stories a second")
    world = ToMi(size=given.families, ambiguous=True)
    stories = list(world.suite())
    answered = rate(partial(played, world, stories))
    print(f"medium played by the tracker: {answered:8.1f} questions a second")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {memory:.0f} MB")
    if given.record:
        record = {
            "dense": reference,
            "finished": rows,
            "asked": questions,
            "exported": {"medium": files},
            "played": {"medium": answered},
            "command": f"benchmarks/tomi_speed.py --families {given.families}",
        }
        given.record.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
