"""Sessions: a story is put to the reader with all its questions at once, each independent of the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from otherminds.core.episodes import Episode
from otherminds.core.mind import Briefing, Reply
from otherminds.core.seeds import child_seed
from otherminds.core.world import Ask, Outcome, Script, Session
from otherminds.worlds.tomi.files.items import LabelledQuestion, matches
from otherminds.worlds.tomi.notes import Note
from otherminds.worlds.tomi.observe import READER, StoryView, Text, answer_form, ask_of

_TOLD: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("conventions.yaml").read_text("utf-8"))
CONTAINERS: dict[str, str] = _TOLD["containers"]


class StorySession(Session):
    """One story, with the questions that are ``asked``.

    ``containers`` is what the reader is told about them: open, closed, or nothing if it is empty.
    """

    attempts = 2  # a reply that cannot be read is asked for once more

    def __init__(
        self, items: Sequence[LabelledQuestion], asked: Sequence[LabelledQuestion], containers: str, episode: Episode
    ) -> None:
        self.items, self.asked, self.containers = items, asked, containers
        self.right: dict[str, bool] = {}
        super().__init__(episode)

    def script(self) -> Script:
        self._put = self._asks()
        self._finish((yield self._put) if self._put else {})

    def _asks(self) -> list[Ask]:
        numbered = [(number, item) for number, item in enumerate(self.items) if item in self.asked]
        return [ask_of(item, f"1/{READER}/{number}-{item.qtype}") for number, item in numbered]

    def leave(self) -> None:
        if self._given:
            self._record(self._given)

    def _finish(self, replies: Mapping[str, Reply]) -> None:
        self._record(replies)
        outcome = self.outcome()
        self.episode.end = {"outcome": {"success": outcome.success, "score": dict(outcome.score)}}

    def _record(self, replies: Mapping[str, Reply]) -> None:
        """Add the turn to the record, with the asks that were answered."""
        put = [ask for ask in self._put if ask.id in replies]
        items = {item.id: item for item in self.asked}
        probes = [self._probe(items[ask.view.data.id], ask, replies[ask.id]) for ask in put if ask.probe is not None]
        self.episode.turns.append(
            {"turn": 1, "replies": {ask.id: replies[ask.id].value for ask in put}, "probes": probes}
        )

    def _probe(self, item: LabelledQuestion, ask: Ask, reply: Reply) -> dict[str, Any]:
        """A probe for the record; an answer that counts as right is given in the words of the right one."""
        # What the form took is one of the choices, letter for letter.
        is_listed = reply.value is None or item.answer in item.choices
        is_right = reply.value == item.answer if is_listed else matches(reply.value, item)
        self.right[ask.id] = is_right
        return self.probe_line(ask, item.answer if is_right else reply.value, item.answer, question=item.id)

    def briefing(self, seat: str) -> Briefing:
        told = _TOLD["conventions"].format(containers=CONTAINERS[self.containers]) if self.containers else ""
        setting = {"containers": self.containers}
        return Briefing(
            "tomi-v0",
            seat,
            (READER,),
            setting,
            f"{_TOLD['task']}\n\n{told}".strip,
            lambda: {"conventions": told, "others": "the people of the story"},
        )

    def mind_seed(self, seat: str, name: str) -> int:
        """Another seed for every story: the episodes of a suite share theirs, and all ask the same ids."""
        return child_seed(self.episode.seed, f"mind/{seat}/{self.items[0].story_id}")

    def default(self, ask: Ask) -> None:
        """No answer, which is never right."""

    def outcome(self) -> Outcome:
        """Success means that every question was answered correctly; the score is the share of correct answers."""
        if not self.right:
            return Outcome(None, {READER: 0.0})
        return Outcome(all(self.right.values()), {READER: sum(self.right.values()) / len(self.right)})

    def truth(self) -> Mapping[str, str]:
        """The right answers by the ids of their questions."""
        return {item.id: item.answer for item in self.items}


class NoteSession(StorySession):
    """A story after which the reader may leave one note. Probes about the beliefs that decide it leave no trace."""

    def __init__(self, note: Note, containers: str, episode: Episode) -> None:
        self.note, self.is_success = note, False
        super().__init__(note.items, note.items, containers, episode)

    def script(self) -> Script:
        note, first = self.note, self.items[0]
        text = Text(first.story_id, first.story, note.question, note.choices, first.is_open, note.errands, note.object)
        act = Ask(f"1/{READER}", READER, 1, StoryView(text, first.story), answer_form("note", note.choices))
        self._put = [act, *self._asks()]
        replies = yield self._put
        self.is_success = replies[act.id].value == note.answer
        self._finish(replies)

    def outcome(self) -> Outcome:
        """Success means that the note went to the person whom it helps, or that none was left where none is needed."""
        return Outcome(self.is_success, {READER: float(self.is_success)})

    def _probe(self, item: LabelledQuestion, ask: Ask, reply: Reply) -> dict[str, Any]:
        return {**super()._probe(item, ask, reply), "is_needed": item.chain in self.note.errands}
