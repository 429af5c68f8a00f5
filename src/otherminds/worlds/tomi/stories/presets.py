"""Knobs of the story generator with their ranges, and presets (spec 15.5)."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from otherminds.core.errors import UserError, nearest

SPLITS = ("train", "val", "test")


def _number(default: float, least: float, most: float) -> Any:
    """A knob that takes numbers from the least to the most; whole ones if the default is whole."""
    return field(default=default, metadata={"least": least, "most": most})


@dataclass(frozen=True)
class Knobs:
    """One kind of story."""

    agents: int = _number(4, 2, 6)  # people whose beliefs are asked for
    rooms: int = _number(2, 2, 5)  # rooms in all; an object stays in its room
    containers: int = _number(3, 2, 8)  # containers in all; each room with an object has at least two
    objects: int = _number(1, 1, 3)  # objects that may be moved; the first is asked about
    moves: int = _number(3, 1, 5)  # maximum number of moves of all objects together, at least one
    # Approximate maximum number of comings and goings after the objects are announced, unless the story needs more.
    changes: int = _number(20, 0, 120)
    statements: int = _number(0, 0, 200)  # least number; further comings and goings fill a story up
    noise: int = _number(2, 0, 10)  # maximum number of sentences without meaning
    distractors: int = _number(0, 0, 3)  # further people, never asked about
    order: int = _number(2, 1, 4)  # deepest question
    peeks: float = _number(0.0, 0.0, 1.0)  # share of moves watched in secret, of those that can be
    distractions: float = _number(0.0, 0.0, 1.0)  # share missed by somebody in the room, of those that can be
    tells: float = _number(0.0, 0.0, 1.0)  # share of changes of place followed by a statement of where an object is
    is_open: bool = True  # people who enter a room see into its containers
    says_rooms: bool = True  # the story says which containers stand where
    variety: int = _number(0, 0, 3)  # forms a sentence may have beside the plainest
    names: Literal["common", "rare", "nonce"] = "common"  # or made-up words
    has_probes: bool = False  # also ask what was before the last move, who was there, and who knows
    has_twins: bool = True  # stories come in contrast families; else alone
    is_disjoint: bool = False  # splits also share no people

    def __post_init__(self) -> None:
        """Refuse values out of range, and combinations that no story can have."""
        for knob in fields(self):
            value, default = getattr(self, knob.name), knob.default
            if isinstance(default, bool):
                if not isinstance(value, bool):
                    raise UserError(f"{knob.name} is {value!r}; expected true or false")
            elif isinstance(default, int | float):
                least, most, is_whole = knob.metadata["least"], knob.metadata["most"], isinstance(default, int)
                kinds = int if is_whole else int | float
                if not isinstance(value, kinds) or isinstance(value, bool) or not least <= value <= most:
                    kind = "a whole number" if is_whole else "a number"
                    raise UserError(f"{knob.name} is {value!r}; expected {kind} from {least} to {most}")
        if self.names not in ("common", "rare", "nonce"):
            raise UserError(f"names is {self.names!r}; expected common, rare or nonce")
        furnished = min(self.objects, self.rooms)
        if self.containers < 2 * furnished:
            raise UserError(
                f"{self.containers} containers are too few for {self.objects} objects in {furnished} rooms; "
                f"expected at least {2 * furnished}"
            )
        if not self.is_open and self.order > 1 and not (self.peeks or self.tells):
            raise UserError(
                f"is_open is false with order {self.order}: people who missed a move learn of it only by "
                f"watching in secret or being told; set peeks or tells, or order to 1"
            )
        if self.order > self.agents:
            raise UserError(
                f"order is {self.order} with {self.agents} agents; expected at most one agent for each order"
            )
        if self.has_twins and self.changes < 3:
            raise UserError(f"changes is {self.changes}; twins need at least 3 (or set has_twins to false)")


PRESETS: dict[str, Knobs] = {
    "classic": Knobs(agents=2, distractors=1, containers=2, moves=1, changes=12),
    "easy": Knobs(agents=2, distractors=1, containers=2, moves=1, changes=12, noise=0, order=1),
    "medium": Knobs(),
    "hard": Knobs(agents=5, rooms=3, containers=6, objects=2, moves=4, noise=4, distractors=1, changes=40, variety=3),
    "deep": Knobs(agents=5, changes=60, order=4),
    "long": Knobs(
        agents=5, rooms=4, containers=6, objects=2, moves=5, statements=100, noise=10, distractors=1, variety=1
    ),
    "asymmetric": Knobs(peeks=0.6, distractions=0.3, tells=0.15),
}


def check_split(split: str) -> None:
    """Raise an error unless the name is a split."""
    if split not in SPLITS:
        raise UserError(f"there is no split {split!r}{nearest(split, SPLITS)}")


def preset(name: str, **changes: Any) -> Knobs:
    """A preset with some knobs changed."""
    if name not in PRESETS:
        raise UserError(f"there is no preset {name!r}{nearest(name, PRESETS)}")
    known = [field.name for field in fields(Knobs)]
    for knob in changes:
        if knob not in known:
            raise UserError(f"there is no parameter {knob!r}{nearest(knob, known)}")
    return replace(PRESETS[name], **changes)
