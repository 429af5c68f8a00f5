"""Scores of answers to ToMi's questions: accuracies, joint scores and reality bias (spec 7).

Validity is separate from accuracy: a reply that names no candidate lowers ``validity`` and is not read as a belief.
``accuracy`` counts it as wrong, ``accuracy_of_valid`` leaves it out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

from otherminds.core.errors import UserError, nearest
from otherminds.core.summary import grouped
from otherminds.worlds.tomi.files.items import LabelledQuestion, is_valid, json_lines, matches, normalise
from otherminds.worlds.tomi.observe import probe_of


class Mark(NamedTuple):
    """One answer, marked."""

    item: LabelledQuestion
    is_valid: bool
    is_right: bool
    names_reality: bool | None  # whether it names the real container; None where that is not known


@dataclass(frozen=True)
class Rate:
    """A share from 0 to 1 and its standard error, clustered by family; ``None`` for a single family."""

    value: float
    stderr: float | None
    count: int  # of questions, stories, pairs or families that it is a share of


@dataclass(frozen=True)
class Scores:
    """Scores of a set of answers. The headline is ``family_joint``."""

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
    reality_bias: Rate | None  # share of wrong answers to false-belief questions that name the real one
    missing: int = 0  # questions without any answer; they count as not valid
    left_out: int = 0  # ambiguous questions

    def to_json(self) -> dict[str, Any]:
        """All scores as plain data."""
        return asdict(self)

    def rates(self) -> dict[str, Rate | None]:
        """All shares by name, in the order in which they are shown."""
        named: dict[str, Rate | None] = {
            "family_joint": self.family_joint,
            "story_joint": self.story_joint,
            **{f"pair_joint_{name}": rate for name, rate in self.pair_joint.items()},
            "accuracy": self.accuracy,
            "accuracy_of_valid": self.accuracy_of_valid,
            "validity": self.validity,
            **self.by_group,
            **{f"{name} attributed": rate for name, rate in self.false_attribution.items()},
            **{f"{name} vs reality": rate for name, rate in self.false_vs_reality.items()},
            "reality_bias": self.reality_bias,
        }
        return {name.replace(",", "").replace(" ", "_"): rate for name, rate in named.items()}


def score_answers(items: Iterable[LabelledQuestion], answers: Mapping[str, str], *, ambiguous: bool = False) -> Scores:
    """Score answers by the ids of their questions; a question without one counts as missing and not valid.

    Ambiguous questions (spec 5.3) are left out by default.
    """
    every = list(items)
    kept = [item for item in every if ambiguous or not item.ambiguous]
    if not kept:
        why = f"; all {len(every)} questions are ambiguous (use --ambiguous to score them)" if every else ""
        raise UserError(f"there is no answer to score{why}")
    real = {_place(item): item.answer for item in every if item.qtype == "reality"}
    marks = [_mark(item, answers.get(item.id, ""), real.get(_place(item))) for item in kept]
    valid = [mark for mark in marks if mark.is_valid]
    beliefs = [mark for mark in marks if mark.item.order > 0]
    misled = [mark for mark in beliefs if mark.is_valid and mark.item.false_vs_reality and not mark.is_right]
    biased = [(mark.item.family_id, mark.names_reality) for mark in misled if mark.names_reality is not None]
    stories = grouped(marks, lambda mark: mark.item.story_id)
    return Scores(
        accuracy=_accuracy(marks),
        accuracy_of_valid=_accuracy(valid) if valid else None,
        validity=_rate([(mark.item.family_id, mark.is_valid) for mark in marks]),
        story_joint=_joint(stories.values()),
        family_joint=_joint(grouped(marks, lambda mark: mark.item.family_id).values()),
        pair_joint=_pairs(stories),
        by_group=_accuracies(marks, lambda item: item.group),
        by_order=_accuracies(marks, lambda item: str(item.order)),
        false_vs_reality=_accuracies(beliefs, lambda item: _split(item.group, item.false_vs_reality)),
        false_attribution=_accuracies(beliefs, lambda item: _split(item.group, item.false_attribution)),
        reality_bias=_rate(biased) if biased else None,
        missing=sum(item.id not in answers for item in kept),
        left_out=len(every) - len(kept),
    )


def _mark(item: LabelledQuestion, answer: str, reality: str | None) -> Mark:
    if not answer.strip() or not is_valid(answer, item):
        return Mark(item, is_valid=False, is_right=False, names_reality=None)
    names_reality = None if reality is None else normalise(answer) == normalise(reality)
    return Mark(item, True, matches(answer, item), names_reality)


def clustered_error(values: Sequence[float], clusters: Sequence[str]) -> float | None:
    """The standard error of a mean of values that are correlated in clusters; ``None`` for a single cluster.

    Deviations are summed within each cluster before they are squared, with the usual correction for few clusters.
    """
    centre = sum(values) / len(values)
    sums: dict[str, float] = {}
    for value, cluster in zip(values, clusters, strict=True):
        sums[cluster] = sums.get(cluster, 0.0) + value - centre
    if len(sums) < 2:
        return None
    return sqrt(sum(total * total for total in sums.values()) * len(sums) / (len(sums) - 1)) / len(values)


def read_predictions(path: str | Path, items: Iterable[LabelledQuestion]) -> dict[str, str]:
    """The answers of a JSON-lines file, ``{"id": …, "answer": …}`` a line; other fields are ignored.

    Questions without a line are not an error; scoring counts them as ``missing``.
    """
    known = {item.id for item in items}
    answers: dict[str, str] = {}
    places: dict[str, str] = {}
    for place, value in json_lines(path, "an object with id and answer"):
        for field in ("id", "answer"):
            if not isinstance(value, dict) or field not in value:
                raise UserError(f"{place}: field {field!r} is missing; expected an object with id and answer")
            if not isinstance(value[field], str):
                raise UserError(f"{place}: {field} is {value[field]!r}; expected text")
        name = value["id"]
        if name not in known:
            similar = nearest(name, sorted(known)) if len(known) < 12 else f" among {len(known)}"
            raise UserError(f"{place}: there is no question {name!r}{similar}")
        if name in places:
            raise UserError(f"{place}: a second answer to {name!r}; the first is in {places[name]}")
        places[name], answers[name] = place, value["answer"]
    if not answers:
        raise UserError(f"{path} holds no answer; expected JSON lines with id and answer")
    return answers


def _place(item: LabelledQuestion) -> tuple[str, str]:
    """The story of a question, and the object it is about."""
    return item.story_id, probe_of(item.question).about


def _split(group: str, is_false: bool) -> str:
    return f"{group}, {'false' if is_false else 'true'} belief"


def _accuracy(marks: Iterable[Mark]) -> Rate:
    return _joint([mark] for mark in marks)


def _accuracies(marks: Iterable[Mark], key: Callable[[LabelledQuestion], str]) -> dict[str, Rate]:
    groups = grouped(marks, lambda mark: key(mark.item))
    return {name: _accuracy(groups[name]) for name in sorted(groups)}


def _joint(parts: Iterable[Sequence[Mark]]) -> Rate:
    return _rate([(part[0].item.family_id, all(mark.is_right for mark in part)) for part in parts])


def _pairs(stories: Mapping[str, Sequence[Mark]]) -> dict[str, Rate]:
    """Every twin with the base story of its family, by kind."""
    by_variant = grouped(stories.values(), lambda marks: marks[0].item.variant)
    bases = {marks[0].item.family_id: marks for marks in by_variant.pop("base", ())}
    pairs: dict[str, list[list[Mark]]] = {}
    for variant, twins in sorted(by_variant.items()):
        for marks in twins:
            if (family := marks[0].item.family_id) in bases:
                pairs.setdefault(variant, []).append([*bases[family], *marks])
    return {variant: _joint(joined) for variant, joined in pairs.items()}


def _rate(claims: Sequence[tuple[str, bool]]) -> Rate:
    values = [float(claim) for _, claim in claims]
    error = clustered_error(values, [family for family, _ in claims])
    return Rate(sum(values) / len(values), error, len(values))
