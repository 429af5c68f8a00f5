"""ToMi as a world: stories by preset or from files, put to one reader."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError, nearest
from otherminds.core.ledger import Evidence, Ledger
from otherminds.core.summary import grouped, probes_of
from otherminds.core.world import Anchors, Item, Played, World
from otherminds.worlds.tomi.draw import story_scene
from otherminds.worlds.tomi.files import items as lines
from otherminds.worlds.tomi.files import sources
from otherminds.worlds.tomi.files.items import by_story, items_of, start_of
from otherminds.worlds.tomi.ledger import Beliefs, ledger_of
from otherminds.worlds.tomi.notes import ORDERS, Note, iter_notes, note_of, notes_scores, plain
from otherminds.worlds.tomi.observe import READER
from otherminds.worlds.tomi.page import story_page
from otherminds.worlds.tomi.scores import score_answers
from otherminds.worlds.tomi.session import CONTAINERS, NoteSession, StorySession
from otherminds.worlds.tomi.stories.generate import iter_items
from otherminds.worlds.tomi.stories.presets import PRESETS, check_split
from otherminds.worlds.tomi.stories.presets import preset as knobs_of
from otherminds.worlds.tomi.timeline import Timeline, follow

Lines = tuple[lines.LabelledQuestion, ...]  # the questions of one story
NOTES = {"notes": ORDERS, **{f"notes-{order}": (order,) for order in ORDERS}}


class ToMi(World):
    """Stories of people, rooms and containers, with questions about who believes what.

    Args:
        preset: kind of generated stories: classic, easy, medium, hard, deep, long, asymmetric, or
            original/released, original/code, tom-easy, tom, which follow the papers.
        items: JSON-lines file of questions, folder of them by split, or ToMi file (.txt), instead of generated stories.
        split: train, val or test.
        size: families in a suite, stories in the original modes, questions of each kind in ToM-bAbI.
        seed: seed of the set that episodes are taken from: episode 7 is family 7.
        ambiguous: whether ambiguous questions are asked too.
        asked_order: only order of questions to ask; 0 for questions about the world.
        conventions: whether the reader is told what people see and believe.
        containers: what the conventions say about containers, open or closed; by default as in the stories.
        knobs: changes to the preset's knobs; see :class:`otherminds.worlds.tomi.stories.presets.Knobs`.

    Raises:
        UserError: if there is no such preset, file, split or knob.
    """

    id = "tomi-v0"
    seats = (READER,)
    anchors = Anchors("tracker", ceiling=1.0, chance=1 / 3)
    prompts = Path(__file__).parent / "prompts"
    default_mind = "tracker"

    def __init__(
        self,
        preset: str = "medium",
        items: str = "",
        split: str = "test",
        size: int = 100,
        seed: int = 0,
        ambiguous: bool = False,
        asked_order: int | None = None,
        conventions: bool = True,
        containers: str = "",
        **knobs: Any,
    ) -> None:
        if preset not in sources.sources():
            raise UserError(f"there is no preset {preset!r}{nearest(preset, sources.sources())}")
        if knobs and (items or preset not in PRESETS):
            raise UserError(f"{items or preset} has no parameter {next(iter(knobs))!r}; only presets have parameters")
        check_split(split)
        if containers not in ("", *CONTAINERS):
            raise UserError(f"containers is {containers!r}; expected {' or '.join(CONTAINERS)}")
        if size < 1:
            raise UserError(f"size is {size}; expected at least 1")
        if items:
            sources.check_source(items)
        if preset in PRESETS:
            knobs_of(preset, **knobs)
        self.preset, self.items, self.split, self.size, self.seed = preset, items, split, size, seed
        self.ambiguous, self.asked_order, self.knobs = ambiguous, asked_order, knobs
        self.conventions, self.containers = conventions, containers

    @classmethod
    def of(cls, episode: Episode) -> ToMi:
        """The world with the options that an episode was played with; its story is in the record."""
        return cls(**{name: value for name, value in episode.config.items() if name != "items"})

    @property
    def config(self) -> dict[str, Any]:
        """The options, as records have them."""
        plain = ("preset", "items", "split", "seed", "ambiguous", "asked_order", "conventions", "containers")
        return {name: getattr(self, name) for name in plain} | self.knobs

    def open(self, seed: int, item: Item | None = None, repeat: int = 0) -> StorySession:
        chosen = item or self._by_number(seed)
        note: Note | None = chosen.data if isinstance(chosen.data, Note) else None
        story: Lines = note.items if note else chosen.data
        start = start_of(story) | ({"note": plain(note)} if note else {})
        episode = Episode(f"tomi-{chosen.id}-{seed}-{repeat}", self.id, self.config, {}, seed, start)
        shown = self.containers or ("open" if story[0].is_open else "closed")
        conventions = shown if self.conventions else ""
        if note:
            return NoteSession(note, conventions, episode)
        clear = [item for item in story if self.ambiguous or not item.ambiguous]
        asked = [item for item in clear if self.asked_order in (None, item.order)]
        return StorySession(story, asked, conventions, episode)

    def suite(self, name: str = "standard", seed: int = 0) -> Iterator[Item]:
        """Stories in families: ``standard``, those of the world's options, or the name of another preset.

        In ``notes`` the reader acts; ``notes-1`` and ``notes-2`` are those of one order.
        """
        seed = seed or self.seed
        if name in NOTES:
            return map(suite_item, iter_notes(NOTES[name], self.size, seed, self.split))
        source = (self.items or self.preset) if name == "standard" else name
        if source in PRESETS:
            knobs = knobs_of(source, **(self.knobs if source == self.preset else {}))
            return stories(iter_items(knobs, source, self.size, seed, self.split))
        if name not in ("standard", *sources.sources()):
            raise UserError(f"there is no suite {name!r}{nearest(name, ('standard', *NOTES, *sources.sources()))}")
        return iter(_all_stories(source, self.split, self.size, seed))

    def item_of(self, episode: Episode) -> Item:
        return suite_item(note_of(episode.start) or items_of(episode.start))

    def replay(self, episode: Episode) -> Played:
        """The story step by step."""
        timeline = _timeline(items_of(episode.start))
        return Played(timeline, [timeline.until(step) for step in range(len(timeline.moments))])

    def ledger(self, episode: Episode, upto: int | None = None) -> Ledger[Evidence, Beliefs]:
        """Who saw what of which object, by names; ``upto`` counts the events of the story."""
        return ledger_of(_timeline(items_of(episode.start)), upto)

    def seen(self, played: Played, chain: Sequence[str], turn: int) -> dict[str, str]:
        timeline: Timeline = played.params
        for name in chain:
            if name not in (READER, *timeline.names.agents):
                raise UserError(
                    f"--chain names {name!r}, who is not in the story{nearest(name, timeline.names.agents)}"
                )
        return {str(thing): str(box) for thing, box in ledger_of(timeline, turn).belief(tuple(chain)).items()}

    def summary(self, episodes: Sequence[Episode]) -> dict[str, float | None]:
        """Accuracy and joint scores of all questions that were asked, beside what all worlds have."""
        ended = [episode for episode in episodes if episode.end]
        put = {probe["question"] for episode in ended for probe in probes_of(episode)}
        asked = [item for episode in ended for item in items_of(episode.start) if item.id in put]
        rates = score_answers(asked, _answers(ended), ambiguous=True).rates() if asked else {}
        own = {name: None if rate is None else rate.value for name, rate in rates.items()}
        return {**super().summary(episodes), **own, **notes_scores(episodes)}

    def terminal(self, state: Timeline, params: Any) -> str:
        return state.text()

    def scene(self, state: Timeline, params: Any) -> Any:
        return story_scene(state)

    def page(self, episode: Episode, *beside: Episode) -> str:
        """The story with everybody's beliefs, and the answers marked."""
        return story_page(items_of(episode.start), _answers([episode]))

    def mind(self, spec: str, seat: str | None = None) -> Any:
        """A trained reader from its run directory or file."""
        if not Path(spec).exists():
            return None
        from otherminds.worlds.tomi.minds.learned import load_reader

        return load_reader(spec)

    def _by_number(self, number: int) -> Item:
        """Family ``number`` of the set, by its base story; stories of files are counted round and round."""
        if not self.items and self.preset in PRESETS:
            made = iter_items(knobs_of(self.preset, **self.knobs), self.preset, 1, self.seed, self.split, number)
            return next(stories(made))
        known = _all_stories(self.items or self.preset, self.split, self.size, self.seed)
        return known[number % len(known)]


def _answers(episodes: Iterable[Episode]) -> dict[str, str]:
    """Answers by the ids of their questions."""
    probes = (probe for episode in episodes for probe in probes_of(episode))
    return {probe["question"]: probe["given"] for probe in probes if probe["given"] is not None}


def suite_item(data: Lines | Note) -> Item:
    """A note, or the questions of a story, as one item; its group is the family."""
    first = data.items[0] if isinstance(data, Note) else data[0]
    order = data.order if isinstance(data, Note) else max(item.order for item in data)
    labels = {"preset": first.preset, "split": first.split, "variant": first.variant}
    return Item(first.story_id, data, first.family_id, order, labels)


def stories(items: Iterable[lines.LabelledQuestion]) -> Iterator[Item]:
    """Questions as items, one a story, as lazily as they come."""
    return (suite_item(tuple(story)) for story in by_story(items))


@lru_cache(maxsize=4)
def _all_stories(source: str, split: str, size: int, seed: int) -> tuple[Item, ...]:
    stories = grouped(sources.load_items(source, split, size, seed), lambda item: item.story_id)
    if not stories:
        raise UserError(f"{source} holds no question")
    return tuple(suite_item(tuple(story)) for story in stories.values())  # whose questions may stand apart in files


@lru_cache(maxsize=16)
def _timeline(story: Lines) -> Timeline:
    return follow(story[0].story, [item.question for item in story], is_open=story[0].is_open)
