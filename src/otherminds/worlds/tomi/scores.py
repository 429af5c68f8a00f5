"""Answers to ToMi's questions, marked and summed up: averages, joint scores and what wrong answers look like (spec 7).

Whether an answer can be read is one thing, whether it is right another: a reply that names no candidate counts in
``validity`` and is no belief at all. ``accuracy`` counts it as not right, ``accuracy_of_valid`` leaves it out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError, nearest
from otherminds.worlds.tomi.items import Item, is_valid, matches, normalise
from otherminds.worlds.tomi.templates import QUESTIONS, pattern


@dataclass(frozen=True)
class Mark:
    """One answer and all that scores need to know of its question."""

    id: str
    story_id: str
    family_id: str
    variant: str
    group: str
    order: int
    false_vs_reality: bool
    false_attribution: bool
    is_valid: bool
    is_right: bool
    names_reality: bool | None  # whether it names the real container; None where that is not known


@dataclass(frozen=True)
class Rate:
    """A share from 0 to 1 and its standard error, clustered by family; none of a single family."""

    value: float
    stderr: float | None
    count: int  # of questions, stories, pairs or families that it is a share of


@dataclass(frozen=True)
class Scores:
    """What a set of answers comes to. The headline is ``family_joint``."""

    accuracy: Rate
    accuracy_of_valid: Rate | None
    validity: Rate
    story_joint: Rate  # all questions of a story right
    family_joint: Rate  # all questions of a story and its twins right; of stories without twins, as story_joint
    pair_joint: dict[str, Rate]  # all of a base story and its twin right, by kind of twin
    by_group: dict[str, Rate]
    by_order: dict[str, Rate]
    false_vs_reality: dict[str, Rate]  # belief questions by whether the answer differs from reality, as the paper
    false_attribution: dict[str, Rate]  # by whether somebody is truly misjudged
    reality_bias: Rate | None  # of wrong answers to false-belief questions, how many name the real container
    missing: int = 0  # questions without any answer; they count as not valid
    left_out: int = 0  # ambiguous questions

    def to_json(self) -> dict[str, Any]:
        """All numbers, for programs."""
        return asdict(self)


def score_answers(items: Iterable[Item], answers: Mapping[str, str], *, ambiguous: bool = False) -> Scores:
    """Score answers by the ids of their questions; a question without one counts as missing and not valid.

    Args:
        items: the questions.
        answers: by id.
        ambiguous: score ambiguous questions too (spec 5.3).

    Raises:
        UserError: if there is nothing to score.
    """
    every = list(items)
    kept = [item for item in every if ambiguous or not item.ambiguous]
    real = realities(every)
    marks = [mark(item, answers.get(item.id), reality_of(item, real)) for item in kept]
    missing = sum(item.id not in answers for item in kept)
    return sum_up(marks, missing=missing, left_out=len(every) - len(kept))


def mark(item: Item, answer: str | None, reality: str | None = None) -> Mark:
    """Mark one answer; ``None`` if there was none that could be read."""
    can_be_read = answer is not None and bool(answer.strip()) and is_valid(answer, item)
    return Mark(
        id=item.id,
        story_id=item.story_id,
        family_id=item.family_id,
        variant=item.variant,
        group=item.group,
        order=item.order,
        false_vs_reality=item.false_vs_reality,
        false_attribution=item.false_attribution,
        is_valid=can_be_read,
        is_right=can_be_read and matches(answer or "", item),
        names_reality=None if reality is None or not can_be_read else normalise(answer or "") == normalise(reality),
    )


def realities(items: Iterable[Item]) -> dict[tuple[str, str], str]:
    """Where each object of each story really is, as far as its questions ask for it: by story and object."""
    return {_place(item): item.answer for item in items if item.qtype == "reality"}


def reality_of(item: Item, real: Mapping[tuple[str, str], str]) -> str | None:
    """Where the object that a question is about really is; ``None`` if no question of its story says so."""
    return real.get(_place(item))


def sum_up(marks: Sequence[Mark], *, missing: int = 0, left_out: int = 0) -> Scores:
    """All scores of marked answers.

    Raises:
        UserError: if there is none.
    """
    if not marks:
        why = f"; all {left_out} questions are ambiguous, which are scored only when asked for" if left_out else ""
        raise UserError(f"there is no answer to score{why}")
    valid = [one for one in marks if one.is_valid]
    beliefs = [one for one in marks if one.order > 0]
    misled = [one for one in valid if one.order > 0 and one.false_vs_reality and not one.is_right]
    biased = [one for one in misled if one.names_reality is not None]
    stories = _grouped(marks, lambda one: one.story_id)
    return Scores(
        accuracy=_share(marks, lambda one: one.is_right),
        accuracy_of_valid=_share(valid, lambda one: one.is_right) if valid else None,
        validity=_share(marks, lambda one: one.is_valid),
        story_joint=_joint(stories.values()),
        family_joint=_joint(_grouped(marks, lambda one: one.family_id).values()),
        pair_joint=_pairs(stories),
        by_group=_shares(marks, lambda one: one.group),
        by_order=_shares(marks, lambda one: str(one.order)),
        false_vs_reality=_shares(beliefs, lambda one: _split(one.group, one.false_vs_reality)),
        false_attribution=_shares(beliefs, lambda one: _split(one.group, one.false_attribution)),
        reality_bias=_share(biased, lambda one: bool(one.names_reality)) if biased else None,
        missing=missing,
        left_out=left_out,
    )


def flat(scores: Scores) -> dict[str, float | None]:
    """The shares by name, as the summary of a world has them."""
    rates: dict[str, Rate | None] = {
        "family_joint": scores.family_joint,
        "story_joint": scores.story_joint,
        **{f"pair_joint_{name}": rate for name, rate in scores.pair_joint.items()},
        "accuracy": scores.accuracy,
        "accuracy_of_valid": scores.accuracy_of_valid,
        "validity": scores.validity,
        **scores.by_group,
        **{f"{name} attributed": rate for name, rate in scores.false_attribution.items()},
        **{f"{name} vs reality": rate for name, rate in scores.false_vs_reality.items()},
        "reality_bias": scores.reality_bias,
    }
    return {
        name.replace(",", "").replace(" ", "_"): None if rate is None else rate.value for name, rate in rates.items()
    }


def clustered_error(values: Sequence[float], clusters: Sequence[str]) -> float | None:
    """The standard error of a mean whose values hang together in clusters; ``None`` for a single cluster.

    Deviations are summed within each cluster before they are squared, with the usual correction for few clusters.
    """
    centre = sum(values) / len(values)
    sums: dict[str, float] = {}
    for value, cluster in zip(values, clusters, strict=True):
        sums[cluster] = sums.get(cluster, 0.0) + value - centre
    if len(sums) < 2:
        return None
    return sqrt(sum(total * total for total in sums.values()) * len(sums) / (len(sums) - 1)) / len(values)


def read_predictions(path: str | Path, items: Iterable[Item]) -> dict[str, str]:
    """The answers of a JSON-lines file, ``{"id": …, "answer": …}`` a line; other fields are ignored.

    Questions without a line are no error: they are counted as ``missing`` where answers are scored.

    Raises:
        UserError: names the line that is no prediction, is of no question, or is of one a second time.
    """
    known = {item.id for item in items}
    found: dict[str, str] = {}
    seen: dict[str, int] = {}
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError:
        raise UserError(f"{path} is not a text file; expected JSON lines with id and answer") from None
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        name, answer = _prediction(line, where)
        if name not in known:
            raise UserError(f"{where}: there is no question {name!r} among the items{_similar(name, known)}")
        if name in seen:
            raise UserError(f"{where}: a second answer to {name!r}; the first is in line {seen[name]}")
        seen[name], found[name] = number, answer
    if not found:
        raise UserError(f"{path} holds no answer; expected JSON lines with id and answer")
    return found


def _prediction(line: str, where: str) -> tuple[str, str]:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise UserError(f"{where}: not JSON ({error}); expected an object with id and answer") from None
    for name in ("id", "answer"):
        if not isinstance(value, dict) or name not in value:
            raise UserError(f"{where}: {name} missing; expected an object with id and answer")
        if not isinstance(value[name], str):
            raise UserError(f"{where}: {name} is {value[name]!r}; expected text")
    return value["id"], value["answer"]


def _similar(name: str, known: set[str]) -> str:
    """A suggestion, where there are few enough to look through."""
    return nearest(name, sorted(known)) if len(known) < 12 else f"; it has {len(known)} questions with other ids"


def _place(item: Item) -> tuple[str, str]:
    """Which story a question belongs to, and which object it is about."""
    found = (pattern(form).fullmatch(item.question) for form in QUESTIONS.values())
    return item.story_id, next((match["object"] for match in found if match), "")


def _split(group: str, is_false: bool) -> str:
    return f"{group}, {'false' if is_false else 'true'} belief"


def _grouped(marks: Iterable[Mark], key: Callable[[Mark], str]) -> dict[str, list[Mark]]:
    groups: dict[str, list[Mark]] = {}
    for one in marks:
        groups.setdefault(key(one), []).append(one)
    return groups


def _share(marks: Sequence[Mark], claim: Callable[[Mark], bool]) -> Rate:
    return _rate([(one.family_id, claim(one)) for one in marks])


def _shares(marks: Iterable[Mark], key: Callable[[Mark], str]) -> dict[str, Rate]:
    return {name: _share(mine, lambda one: one.is_right) for name, mine in sorted(_grouped(marks, key).items())}


def _joint(parts: Iterable[Sequence[Mark]]) -> Rate:
    return _rate([(part[0].family_id, all(one.is_right for one in part)) for part in parts])


def _pairs(stories: Mapping[str, Sequence[Mark]]) -> dict[str, Rate]:
    """Every twin with the base story of its family, by kind."""
    bases = {marks[0].family_id: marks for marks in stories.values() if marks[0].variant == "base"}
    pairs: dict[str, list[Sequence[Mark]]] = {}
    for marks in stories.values():
        family, variant = marks[0].family_id, marks[0].variant
        if variant != "base" and family in bases:
            pairs.setdefault(variant, []).append([*bases[family], *marks])
    return {variant: _joint(found) for variant, found in sorted(pairs.items())}


def _rate(claims: Sequence[tuple[str, bool]]) -> Rate:
    values = [float(claim) for _, claim in claims]
    error = clustered_error(values, [family for family, _ in claims])
    return Rate(sum(values) / len(values), error, len(values))
