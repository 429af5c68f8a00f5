"""Can a set of stories be passed without theory of mind? Every shortcut answers it, and the set fails if one gets far.

The thresholds are those of spec 15.9: no rule passes more than one family in a hundred, nor a trained model that does
not see the order of sentences more than five; a model that does not see the story is at chance; and a perfect tracker
passes all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from otherminds.core.errors import UserError
from otherminds.core.mind import Mind
from otherminds.core.registry import entries
from otherminds.minds.find import find_mind
from otherminds.worlds.tomi.items import Item
from otherminds.worlds.tomi.observe import answers_of
from otherminds.worlds.tomi.scores import Scores, score_answers
from otherminds.worlds.tomi.world import ToMi

ORDER_BLIND = ("bag-of-words", "bag-of-events")
MOST_BY_RULE, MOST_BY_ORDER_BLIND, MOST_ABOVE_CHANCE = 0.01, 0.05, 0.02
# Below this, standard errors clustered by family are too rough to tell a model at chance from one above it.
FEWEST_FAMILIES = 30


@dataclass(frozen=True)
class Row:
    """How one mind fares."""

    name: str
    scores: Scores
    beliefs: float  # accuracy on belief questions
    limit: str  # what it must keep to; empty if nothing
    is_kept: bool


@dataclass(frozen=True)
class Audit:
    """All minds on one set."""

    rows: list[Row]
    chance: float  # of a guess among the choices
    belief_chance: float  # of a guess at belief questions
    has_families: bool

    @property
    def failures(self) -> list[str]:
        """What the set fails by, in words."""
        return [f"{row.name}: {row.limit}" for row in self.rows if not row.is_kept]

    def to_json(self) -> dict[str, Any]:
        """All numbers, for programs."""
        return {
            "chance": self.chance,
            "belief_chance": self.belief_chance,
            "failures": self.failures,
            "rows": [
                {"name": row.name, "beliefs": row.beliefs, "limit": row.limit, **row.scores.to_json()}
                for row in self.rows
            ],
        }


def audit(items: Sequence[Item], train: Sequence[Item] = (), further: Sequence[Mind] = ()) -> Audit:
    """Let every shortcut answer a set.

    Args:
        items: the set.
        train: what trained minds learn from. Without it, each half of the families is answered by what was learned
            from the other half.
        further: other minds to report, such as trained readers.

    Raises:
        UserError: if there is nothing to score.
    """
    scored = [item for item in items if not item.ambiguous]
    if not scored:
        raise UserError("there is no question to audit")
    has_families = any(item.variant != "base" for item in items)
    chance, belief_chance = _chance(scored), _chance([item for item in scored if item.order])
    rows = []
    for name in audited():
        answers = _answers(name, items, train)
        scores = score_answers(items, answers)
        limit, is_kept = _verdict(name, scores, chance, has_families)
        rows.append(Row(name, scores, _on_beliefs(scored, answers), limit, is_kept))
    for reader in further:
        answers = answers_of(reader, items)
        rows.append(Row(reader.name, score_answers(items, answers), _on_beliefs(scored, answers), "", True))
    return Audit(rows, chance, belief_chance, has_families)


def audited() -> list[str]:
    """The names of the minds that answer: ToMi's own. The decoupled one says what the tracker says."""
    return [entry.name for entry in entries("mind", "tomi") if entry.world and entry.name != "decoupled"]


def _answers(name: str, items: Sequence[Item], train: Sequence[Item]) -> dict[str, str]:
    made: Any = find_mind(name, ToMi())
    if not hasattr(made, "fit"):
        return answers_of(made, items)
    if train:
        return answers_of(made.fit(train), items)
    # By a hash and not by turns: neighbouring families have other orders of false belief.
    families = sorted({item.family_id for item in items}, key=lambda name: crc32(name.encode()))
    if len(families) < 2:
        raise UserError("the set has a single family; give a training set too, or a larger set")
    first = set(families[: len(families) // 2])
    halves = [[item for item in items if (item.family_id in first) == is_first] for is_first in (True, False)]
    found = answers_of(made.fit(halves[1]), halves[0])
    return found | answers_of(made.fit(halves[0]), halves[1])


def _verdict(name: str, scores: Scores, chance: float, has_families: bool) -> tuple[str, bool]:
    family = scores.family_joint.value
    if name == "tracker":
        return f"family-joint {family:.1%}, expected 100%", family == 1
    if name == "question-only":
        if scores.family_joint.count < FEWEST_FAMILIES:
            return "", True
        found, most = scores.accuracy.value, chance + MOST_ABOVE_CHANCE
        slack = 2 * (scores.accuracy.stderr or 0.0)  # what a small set may show by luck
        return f"accuracy {found:.1%}, expected at most {most:.1%} (chance and 2 points)", found - slack <= most
    if not has_families:
        return "", True
    if name in ORDER_BLIND:
        return f"family-joint {family:.1%}, expected at most {MOST_BY_ORDER_BLIND:.0%}", family <= MOST_BY_ORDER_BLIND
    return f"family-joint {family:.1%}, expected at most {MOST_BY_RULE:.0%}", family <= MOST_BY_RULE


def _chance(items: Iterable[Item]) -> float:
    shares = [1 / len(item.choices) for item in items if item.choices]
    return sum(shares) / len(shares) if shares else 0.0


def _on_beliefs(items: Iterable[Item], answers: dict[str, str]) -> float:
    beliefs = [item for item in items if item.order]
    return sum(answers.get(item.id) == item.answer for item in beliefs) / max(len(beliefs), 1)
