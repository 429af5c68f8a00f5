"""Shortcut audit of a set of stories: can it be passed without theory of mind?

The thresholds are those of spec 15.9: no rule passes more than one family in a hundred, and no trained model that is
blind to the order of sentences more than five; a model that does not see the story is at chance; and a perfect tracker
passes all families.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from zlib import crc32

from otherminds.core.errors import UserError
from otherminds.core.registry import entries
from otherminds.minds.find import find_mind
from otherminds.results.table import Cell, Table
from otherminds.worlds.tomi.files.items import LabelledQuestion
from otherminds.worlds.tomi.observe import answers_of
from otherminds.worlds.tomi.scores import Scores, score_answers
from otherminds.worlds.tomi.world import ToMi

ORDER_BLIND = ("bag-of-words", "bag-of-events")
MOST_BY_RULE, MOST_BY_ORDER_BLIND, MOST_ABOVE_CHANCE = 0.01, 0.05, 0.02
# With fewer families, clustered standard errors are too rough to show whether a model is above chance.
FEWEST_FAMILIES = 30


def audit(items: Sequence[LabelledQuestion]) -> dict[str, Any]:
    """Let every shortcut answer a set, and return its scores, its limit and the limits that were broken.

    Where a mind learns, each half of the families is answered by a mind that was trained on the other half.
    """
    scored = [item for item in items if not item.ambiguous]
    if not scored:
        raise UserError("there are no questions to audit")
    chance, has_families = _chance(scored), any(item.variant != "base" for item in items)
    rows, failures = [], []
    for name in audited():
        answers = _answers(find_mind(name, ToMi()), items)
        scores = score_answers(items, answers)
        limit, is_kept = _limit(name, scores, chance, has_families)
        failures += [] if is_kept else [f"{name}: {limit}"]
        beliefs = [answers.get(item.id) == item.answer for item in scored if item.order]
        share = sum(beliefs) / max(len(beliefs), 1)
        rows.append({"name": name, "beliefs": share, "limit": limit, **scores.to_json()})
    belief_chance = _chance(item for item in scored if item.order)
    return {"chance": chance, "belief_chance": belief_chance, "failures": failures, "rows": rows}


def audited() -> list[str]:
    """Names of the shortcuts: ``random`` and all minds of ToMi but ``decoupled``, which answers as the tracker does."""
    own = [entry.name for entry in entries("mind", "tomi") if entry.world and entry.name != "decoupled"]
    return ["random", *own]


def as_table(record: Mapping[str, Any], source: str) -> Table:
    """An audit as a table for people."""
    rows, notes = [], []
    has_families = bool(record["rows"][0]["pair_joint"])
    for row in record["rows"]:
        family, *others = (row[name]["value"] for name in ("family_joint", "story_joint", "accuracy"))
        is_broken = f"{row['name']}: {row['limit']}" in record["failures"]
        verdict = ("fails" if is_broken else "ok") if row["limit"] else ""
        shares = [100 * family if has_families else None, *(100 * share for share in (*others, row["beliefs"]))]
        rows.append([row["name"], *map(Cell, shares), verdict])
    if record["rows"][0]["family_joint"]["count"] < FEWEST_FAMILIES:
        notes.append(
            f"Too few families to tell whether question-only is at chance; expected {FEWEST_FAMILIES} or more."
        )
    if not has_families:
        notes.append("These stories have no twins, so no shortcut can be held to a family-joint score.")
    notes += [f"fails {failure}" for failure in record["failures"]]
    title = f"{source}: what shortcuts score, percent (chance {100 * record['chance']:.1f})"
    heads = ("mind", "family-\njoint", "story-\njoint", "average", "belief\nquestions", "")
    return Table(title, heads, rows, notes)


def _answers(mind: Any, items: Sequence[LabelledQuestion]) -> dict[str, str]:
    if not hasattr(mind, "fit"):
        return answers_of(mind, items)
    # Split by a hash: neighbouring families have different orders of false belief.
    families = sorted({item.family_id for item in items}, key=lambda name: crc32(name.encode()))
    if len(families) < 2:
        raise UserError("the set has a single family; use a larger set, since some shortcuts learn from the others")
    first = set(families[: len(families) // 2])
    halves = [[item for item in items if (item.family_id in first) == is_first] for is_first in (True, False)]
    answers = answers_of(mind.fit(halves[1]), halves[0])
    return answers | answers_of(mind.fit(halves[0]), halves[1])


def _limit(name: str, scores: Scores, chance: float, has_families: bool) -> tuple[str, bool]:
    """The limit of a mind in words, empty if it has none, and whether it keeps to it."""
    family = scores.family_joint.value
    if name == "tracker":
        return f"family-joint {family:.1%}, expected 100%", family == 1
    if name == "question-only":
        if scores.family_joint.count < FEWEST_FAMILIES:
            return "", True
        share, most = scores.accuracy.value, chance + MOST_ABOVE_CHANCE
        slack = 2 * (scores.accuracy.stderr or 0.0)  # what a small set may show by chance
        return f"accuracy {share:.1%}, expected at most {most:.1%} (chance and 2 points)", share - slack <= most
    if not has_families:
        return "", True
    most = MOST_BY_ORDER_BLIND if name in ORDER_BLIND else MOST_BY_RULE
    return f"family-joint {family:.1%}, expected at most {most:.0%}", family <= most


def _chance(items: Iterable[LabelledQuestion]) -> float:
    shares = [1 / len(item.choices) for item in items if item.choices]
    return sum(shares) / len(shares) if shares else 0.0
