"""A language model in a seat of SymmToM: it is told what the seat may see and replies with a move and a piece.

How the model is called is not known here: ``ask`` takes a conversation, and what a structured reply may hold, and gives
the reply. Reading replies is strict; one that cannot be read is asked for again and then counts as staying still in
silence, and is recorded as such.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, NamedTuple, TypeVar, get_args

import numpy as np

from otherminds.core.players import Glimpse
from otherminds.worlds.symmtom import text
from otherminds.worlds.symmtom.env import action_mask
from otherminds.worlds.symmtom.observe import observe
from otherminds.worlds.symmtom.types import MOVE_NAMES, SILENT, Action, Params, State

Found = TypeVar("Found")
_ACTION = re.compile(r"^\W*action\W*:\W*([a-z]+)[ ,]+(?:piece )?(\d+|-)\W*$", re.IGNORECASE | re.MULTILINE)
_KNOWS = re.compile(r"^\W*knows\W*:\s*(.+)$", re.IGNORECASE | re.MULTILINE)
_NOBODY = ("nobody", "none", "no one", "-")
_QUIET = "-"
Form = Literal["free", "schema"]
FORMS: tuple[Form, ...] = get_args(Form)
_EXAMPLES: dict[Form, tuple[str, str]] = {
    "free": ("Action: right 0", "Knows: 0, 1"),
    "schema": ('{"move": "right", "piece": "0"}', '{"knows": ["0", "1"]}'),
}


class Message(NamedTuple):
    """One part of a conversation."""

    role: Literal["system", "user", "assistant"]
    text: str


class Wanted(NamedTuple):
    """What a structured reply is held to: an object with these fields, each one of these words or a list of them."""

    fields: dict[str, list[str]]
    is_list: bool = False


@dataclass(frozen=True)
class Words:
    """What the model is told, with fields to be filled (see the prompts of the evaluation)."""

    rules: str  # filled already
    turn: str  # {observation}, {last_piece}
    watched: str  # {observation}: a turn in which it cannot choose
    probe: str  # {piece}
    again: str  # {example}


@dataclass(frozen=True)
class Chosen:
    """A choice, and how it came about."""

    turn: int
    reply: str
    is_valid: bool
    tries: int
    move: int
    piece: int


@dataclass(frozen=True)
class Probed:
    """What it said of who knows a piece before a turn; ``None`` if that could not be read."""

    turn: int
    piece: int
    reply: str
    says: tuple[int, ...] | None


@dataclass
class LanguagePlayer:
    """Fills a seat with whatever answers.

    Args:
        name: what records call it.
        ask: gives the reply to a conversation; it is also told what the reply is held to, if it is by schema.
        words: what it is told.
        retries: how often to ask again after a reply that cannot be read.
        memory: how many past turns stay in the conversation; all by default.
        probes: which pieces to ask about on the side, by turn.
        first_turn: it only watches before this turn.
        form: free for replies of a line, schema for objects of JSON that the model's provider enforces.
    """

    name: str
    ask: Callable[[Sequence[Message], Wanted | None], str]
    words: Words
    retries: int = 1
    memory: int | None = None
    probes: dict[int, Collection[int]] = field(default_factory=dict)
    first_turn: int = 0
    form: Form = "free"
    choices: list[Chosen] = field(default_factory=list)
    probed: list[Probed] = field(default_factory=list)
    _past: list[list[Message]] = field(default_factory=list)

    def begin(self, seat: int, params: Params, rng: np.random.Generator) -> None:
        self._params = params
        self.choices, self.probed, self._past = [], [], []

    def act(self, glimpse: Glimpse) -> tuple[int, int]:
        last = self._params.num_pieces - 1
        for piece in self.probes.get(glimpse.turn, ()):
            self._probe(glimpse, piece)
        if glimpse.turn < self.first_turn:
            self._remember(Message("user", self.words.watched.format(observation=glimpse.text)))
            return 0, SILENT
        told = self.words.turn.format(observation=glimpse.text, last_piece=last)
        pieces = [*map(str, range(last + 1)), _QUIET]
        wanted = Wanted({"move": list(MOVE_NAMES), "piece": pieces})
        said, choice, tries = self._asked(told, self._read, wanted, _EXAMPLES[self.form][0])
        move, piece = choice or (0, SILENT)
        self.choices.append(Chosen(glimpse.turn, said, choice is not None, tries, move, piece))
        self._remember(Message("user", told), Message("assistant", said))
        return move, piece

    def end(self, score: float) -> None:
        """It learns nothing from that."""

    @property
    def validity(self) -> float:
        """The share of its choices that could be read."""
        return sum(choice.is_valid for choice in self.choices) / max(1, len(self.choices))

    def notes(self) -> dict[str, Any]:
        """All that it was asked and replied, to be kept beside the record."""
        return {"choices": [asdict(c) for c in self.choices], "probes": [asdict(p) for p in self.probed]}

    def _probe(self, glimpse: Glimpse, piece: int) -> None:
        """A question on the side; it leaves no trace in the conversation."""
        asked = f"{glimpse.text}\n\n{self.words.probe.format(piece=piece)}"
        wanted = Wanted({"knows": [*map(str, range(self._params.num_agents))]}, is_list=True)
        said, agents, _ = self._asked(asked, self._read_agents, wanted, _EXAMPLES[self.form][1])
        self.probed.append(Probed(glimpse.turn, piece, said, agents))

    def _asked(
        self, told: str, read: Callable[[str], Found | None], wanted: Wanted, example: str
    ) -> tuple[str, Found | None, int]:
        conversation = [Message("system", self.words.rules), *self._recent(), Message("user", told)]
        said = ""
        for tries in range(1, self.retries + 2):
            said = self.ask(conversation, wanted if self.form == "schema" else None)
            found = read(said)
            if found is not None:
                return said, found, tries
            again = self.words.again.format(example=example)
            conversation = [*conversation, Message("assistant", said), Message("user", again)]
        return said, None, self.retries + 1

    def _remember(self, *messages: Message) -> None:
        self._past.append(list(messages))

    def _recent(self) -> list[Message]:
        past = self._past if self.memory is None else self._past[len(self._past) - self.memory :]
        return [message for turn in past for message in turn]

    def _read(self, reply: str) -> tuple[int, int] | None:
        if self.form == "schema":
            given = _object(reply)
            found = [(str(given.get("move")), str(given.get("piece")))]
        else:
            found = _ACTION.findall(reply)
        if not found or found[-1][0].lower() not in MOVE_NAMES:
            return None
        move, piece = MOVE_NAMES.index(found[-1][0].lower()), found[-1][1]
        if piece == _QUIET:
            return move, SILENT
        return (move, int(piece)) if piece.isdecimal() and int(piece) < self._params.num_pieces else None

    def _read_agents(self, reply: str) -> tuple[int, ...] | None:
        if self.form == "schema":
            given = _object(reply).get("knows")
            return self._agents([str(one) for one in given]) if isinstance(given, list) else None
        found = _KNOWS.findall(reply)
        if not found:
            return None
        listed = found[-1].strip().strip(".*[]").lower()
        if listed in _NOBODY:
            return ()
        return self._agents(re.split(r"[,\s]+(?:and\s+)?", listed.replace("agents", "").replace("agent", "").strip()))

    def _agents(self, parts: Sequence[str]) -> tuple[int, ...] | None:
        if not all(part.isdecimal() and int(part) < self._params.num_agents for part in parts):
            return None
        return tuple(sorted({int(part) for part in parts}))


def _object(reply: str) -> dict[str, Any]:
    """The object of JSON that a reply is, perhaps in a fence; an empty one if it is none."""
    try:
        found = json.loads(reply.strip().removeprefix("```json").strip("`\n "))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def glimpse_of(state: State, params: Params, seat: int) -> Glimpse:
    """What one seat is given of a state of a single world."""
    observation = observe(state, params)[seat]
    mask = action_mask(state, params)
    return Glimpse(
        seat=seat,
        turn=int(state.turn),
        observation=observation,
        action_mask={name: values[seat] for name, values in mask.items()} if params.mask_actions else None,
        text=text.describe(observation, params, seat),
        board=text.board(observation, params, seat),
    )


@dataclass(frozen=True, eq=False)
class OneSeat:
    """A player as a policy of a single world, for those who seat policies only: it chooses for its seat, nobody else.

    ``look`` takes the whole state in and ``act`` shows the player what its seat may see of it.
    """

    player: LanguagePlayer
    seat: int
    sees_truth: bool = False

    @property
    def name(self) -> str:
        return self.player.name

    def look(self, state: State, params: Params) -> Glimpse:
        return glimpse_of(state, params, self.seat)

    def begin(self, sight: Glimpse, params: Params) -> tuple[()]:
        self.player.begin(self.seat, params, np.random.default_rng(0))
        return ()

    def act(self, memory: tuple[()], sight: Glimpse, params: Params, key: Any) -> tuple[Action, tuple[()]]:
        action = Action(np.zeros(params.num_agents, np.int32), np.full(params.num_agents, SILENT, np.int32))
        action.move[self.seat], action.piece[self.seat] = self.player.act(sight)
        return action, memory
