"""Notes: acting on beliefs. The reader may leave one note for one person, or none, before everybody sets out.

Of order 1, everyone fetches the object, and at most one would look in the wrong place. Of order 2, everyone asks the
next of a circle to fetch it, everyone knows where it is, and at most one would walk over to show the way for nothing,
not knowing that the other knows. The note is for that person. Every member of a family lists the same errands, and
exactly one of its three stories needs no note.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw
from otherminds.core.summary import grouped, mean
from otherminds.worlds.tomi import second_solver
from otherminds.worlds.tomi.files.items import LabelledQuestion, items_of
from otherminds.worlds.tomi.files.make_items import Source
from otherminds.worlds.tomi.observe import NOBODY
from otherminds.worlds.tomi.rules import simulate
from otherminds.worlds.tomi.stories.generate import tell
from otherminds.worlds.tomi.stories.presets import Knobs
from otherminds.worlds.tomi.stories.skeletons import Cast, Scribe, Skeleton, add_noise, come_and_go, open_story
from otherminds.worlds.tomi.stories.twins import Member, Variant, candidates
from otherminds.worlds.tomi.stories.vocabulary import Wording
from otherminds.worlds.tomi.types import NOWHERE, Chain, Question

PRESET = "notes"
VERSION = "1"  # any change to the stories of a number makes a new version
ORDERS = (1, 2)
KNOBS = Knobs(agents=4, moves=3, containers=3, peeks=0.3, distractions=0.2)
_MOST_DRAWS = 20_000
_VARIANTS: tuple[Variant, ...] = ("order", "room")


@dataclass(frozen=True)
class Note:
    """A story after which one note may be left, and what the reader is asked about the beliefs that decide it."""

    items: tuple[LabelledQuestion, ...]
    object: str
    errands: tuple[tuple[str, ...], ...]
    answer: str

    @property
    def order(self) -> int:
        """1 if the note depends on beliefs about the world, 2 if on beliefs about beliefs."""
        return len(self.errands[0])

    @property
    def question(self) -> str:
        """The errands, in words that name no belief."""
        if self.order == 1:
            *others, last = (errand[0] for errand in self.errands)
            people = f"{', '.join(others)} and {last}"
            asks = f"{people} will now fetch the {self.object}, each on their own."
            return f"{asks} You may leave one note that says where the {self.object} can be found, or none. {_WHOM}"
        asks = " ".join(f"{sender} will ask {other} to fetch the {self.object}." for sender, other in self.errands)
        walk = "Whoever asks somebody who would not find it alone first walks over to show the way."
        return f"{asks} {walk} You may leave one note that spares somebody a needless walk, or none. {_WHOM}"

    @property
    def choices(self) -> tuple[str, ...]:
        """Possible recipients in alphabetical order, and nobody."""
        return (*sorted(errand[0] for errand in self.errands), NOBODY)


_WHOM = "Whom do you leave it for?"


def iter_notes(orders: Sequence[int], size: int, seed: int = 0, split: str = "test") -> Iterator[Note]:
    """Yield ``size`` families of each order story by story, the orders taking turns."""
    for index in range(size):
        for order in orders:
            yield from make_notes(order, index, seed, split)


def make_notes(order: int, index: int, seed: int = 0, split: str = "test") -> list[Note]:
    """One family: a base story and two twins, an event apart."""
    if order not in ORDERS:
        raise UserError(f"there are no notes of order {order}; expected {' or '.join(map(str, ORDERS))}")
    draw = Draw(seed, f"tomi/notes/{VERSION}/{order}/{split}/{index}")
    for _ in range(_MOST_DRAWS):
        base = _skeleton(draw, order)
        errands = _errands(draw, order)
        members = _family(base, errands, draw)
        if members:
            return _notes(members, errands, draw, seed, split)
    raise UserError(f"no family of notes of order {order} found in {_MOST_DRAWS} draws")


def _skeleton(draw: Draw, order: int) -> Skeleton:
    """Comings, goings and moves; after the last move everybody comes in once more, of order 1 all but a few."""
    scribe = Scribe(KNOBS, draw)
    everyone = list(range(KNOBS.agents))
    open_story(scribe, Cast(everyone, [], NOWHERE))
    start = len(scribe.events)
    come_and_go(scribe, KNOBS.moves, NOWHERE)
    for agent in draw.some(everyone, len(everyone)):
        for other in draw.some(everyone, len(everyone)):
            if scribe.places[other] == 0 and draw.happens(0.4):
                scribe.exit(other)
        if scribe.places[agent] != 0 and (order > 1 or draw.happens(0.7)):
            scribe.go(agent, 0)
    for agent in draw.some(everyone, len(everyone)):
        if scribe.places[agent] == 0 and draw.happens(0.8):
            scribe.exit(agent)
    start += add_noise(scribe, start)
    return Skeleton(scribe.story(), start, tuple(everyone))


def _errands(draw: Draw, order: int) -> list[Chain]:
    """Everyone once as the first of a chain: around a circle, in random order."""
    circle = draw.some(range(KNOBS.agents), KNOBS.agents)
    chains = [tuple((circle + circle)[at : at + order]) for at in range(len(circle))]
    draw.shuffle(chains)
    return chains


def _family(base: Skeleton, errands: Sequence[Chain], draw: Draw) -> dict[int, Member]:
    """A story that needs no note, and two twins in which one and another person does, by that person.

    Empty if the base needs a note, or a twin is missing.
    """
    first = Member("base", base.story, simulate(base.story))
    if _needy(first, errands) != NOWHERE:
        return {}
    members = {NOWHERE: first}
    for variant in _VARIANTS:
        for twin in candidates(base, variant, draw):
            person = _needy(twin, errands)
            if person is not None and person not in members:
                members[person] = twin
                break
        else:
            return {}
    return members


def _needy(member: Member, errands: Sequence[Chain]) -> int | None:
    """The person who needs the note, or -1 for nobody; ``None`` if several do, or a shorter chain is wrong too."""
    real = member.history.contents[0]
    for chain in errands:
        for size in range(1, len(chain)):
            if any(member.belief(part) != real for part in combinations(chain, size)):
                return None
    wrong = [chain for chain in errands if member.belief(chain) != real]
    if len(wrong) > 1 or any(member.is_open(chain) for chain in errands):
        return None
    if any(second_solver.believed(member.story, chain, 0) != member.belief(chain) for chain in errands):
        raise AssertionError("the two solvers disagree")  # pragma: no cover
    return wrong[0][0] if wrong else NOWHERE


def _notes(members: Mapping[int, Member], errands: Sequence[Chain], draw: Draw, seed: int, split: str) -> list[Note]:
    wording = Wording(members[NOWHERE].story, KNOBS, seed, split, draw)
    names = wording.names
    questions = [Question("reality", 0), *(Question("belief", 0, chain) for chain in errands)]
    stories = tell(members.values(), wording, questions, Source(split, PRESET, seed, VERSION))
    named = tuple(tuple(names.agents[agent] for agent in chain) for chain in errands)
    return [
        Note(tuple(items), names.objects[0], named, NOBODY if who == NOWHERE else names.agents[who])
        for items, who in zip(stories, members, strict=True)
    ]


def plain(note: Note) -> dict[str, Any]:
    """The note as plain data, for the first line of a record."""
    errands = [list(errand) for errand in note.errands]
    return {"object": note.object, "errands": errands, "answer": note.answer, "order": note.order}


def note_of(start: Mapping[str, Any]) -> Note | None:
    """The note in the first line of a record; ``None`` if it has none."""
    if "note" not in start:
        return None
    kept = start["note"]
    return Note(items_of(start), kept["object"], tuple(tuple(errand) for errand in kept["errands"]), kept["answer"])


def notes_scores(episodes: Sequence[Episode]) -> dict[str, float | None]:
    """Share of right notes, and of families with all notes right, by order."""
    rights = [
        (episode.start["note"]["order"], episode.start["family_id"], episode.end["outcome"]["success"])
        for episode in episodes
        if episode.end and "note" in episode.start
    ]
    scores = {}
    for order, notes in grouped(rights, lambda right: right[0]).items():
        families = grouped(notes, lambda note: note[1]).values()
        scores[f"notes_joint_order_{order}"] = mean(all(right for *_, right in family) for family in families)
        scores[f"notes_order_{order}"] = mean(right for *_, right in notes)
    return dict(sorted(scores.items()))
