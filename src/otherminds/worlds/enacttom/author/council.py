"""A council of judging models: each scores the quality of a task on eight criteria, against a written rubric.

A second opinion on what no proof decides, such as whether a task is plausible. It never replaces the formal judge.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageSystem, ChatMessageUser, Model

from otherminds.core.form import Form, Number, Unreadable, Words
from otherminds.core.secrets import redact
from otherminds.core.summary import mean
from otherminds.llm.model_calls import for_documents, is_held, keep_secrets, request_config
from otherminds.llm.options import ModelOptions
from otherminds.llm.prompts import Prompt, load_folder
from otherminds.results.statistics import kappa
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.text.task_text import private_text, public_text
from otherminds.worlds.enacttom.types import Task
from otherminds.worlds.enacttom.verify.certify import digest_of

CRITERIA = ("clarity", "plausibility", "need", "fairness", "focus", "temptation", "attribution", "freshness")
LEAST, LEAST_MEAN = 5, 6.5  # what each score, and the mean of a judge's scores, must reach
TIMEOUT = 600  # default number of seconds for one call: replies are long
ATTEMPTS = 2  # at a ballot that can be read
_HIGHEST = 10
_FOLDER = Path(__file__).parents[1] / "prompts" / "council"
_REASON = "{}_reason"
_LONGEST = 600  # letters of a reason
FORM = Form.of(
    *(
        part
        for name in CRITERIA
        for part in (Number(name, 0, _HIGHEST, is_whole=True), Words(_REASON.format(name), longest=_LONGEST))
    )
)


@dataclass(frozen=True)
class Ballot:
    """What one judge says of a task.

    Attributes:
        judge: Name of the model.
        scores: Score of each criterion; empty if no reply could be read.
        reasons: Reason for each score.
        problem: Why the last reply could not be read; empty if it could.
    """

    judge: str
    scores: dict[str, int] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    problem: str = ""

    @property
    def passes(self) -> bool:
        """Whether every score and their mean are high enough. A ballot that could not be read does not pass."""
        average = mean(self.scores.values())
        return average is not None and average >= LEAST_MEAN and min(self.scores.values()) >= LEAST

    def content(self) -> dict[str, Any]:
        """The ballot as plain data."""
        return {**asdict(self), "mean": mean(self.scores.values()), "passes": self.passes}

    @classmethod
    def from_content(cls, content: Mapping[str, Any]) -> Ballot:
        """A ballot from plain data."""
        return cls(**{name: content[name] for name in ("judge", "scores", "reasons", "problem")})


def load_rubric(version: str = "") -> dict[str, Prompt]:
    """The prompts of the council by name."""
    return load_folder(_FOLDER, "enacttom/council", version)


async def vote(
    task: Task, depth: int | None, judges: Sequence[Model], prompts: Mapping[str, Prompt], options: ModelOptions
) -> list[Ballot]:
    """The ballots of all judges on a task, each cast without knowledge of the others.

    Args:
        task: Task to assess.
        depth: Depth that was proved of it; ``None`` if none was.
        judges: Models that judge.
        prompts: Prompts of :func:`load_rubric`.
        options: How the models are asked.
    """
    return [await _ballot(judge, _question(task, depth, prompts), prompts, options) for judge in judges]


def row_of(task: Task, ballots: Iterable[Ballot]) -> dict[str, Any]:
    """A vote as plain data; it passes only if every judge agrees."""
    cast = list(ballots)
    return {
        "digest": digest_of(task),
        "passes": all(ballot.passes for ballot in cast),
        "ballots": [ballot.content() for ballot in cast],
    }


def objections(ballots: Iterable[Ballot]) -> list[str]:
    """Why a task does not pass, one line for each judge that objects."""
    lines = []
    for ballot in ballots:
        if ballot.problem:
            lines.append(f"{ballot.judge}: its scores could not be read")
        elif not ballot.passes:
            low = {name: score for name, score in ballot.scores.items() if score < LEAST} or ballot.scores
            worst = sorted(low, key=lambda name: low[name])[:3]
            shown = "; ".join(f"{name} {low[name]}: {ballot.reasons[name]}" for name in worst)
            lines.append(f"{ballot.judge}: mean {mean(ballot.scores.values()):.1f}; {shown}")
    return lines


def agreement(votes: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """How far judges agree: the mean of Cohen's kappa over all pairs of judges, on tasks that both have scored.

    Args:
        votes: Rows of :func:`row_of`.

    Returns:
        The number of ``votes`` and of ``unreadable`` ballots, ``pass_fail`` (kappa of passing) and ``scores`` (kappa of
        the scores, weighted by squared distance); the last two are ``None`` if nothing beyond chance can be told.
    """
    rows = [[Ballot.from_content(ballot) for ballot in row["ballots"]] for row in votes]
    of_passing, of_scores = [], []
    for one, other in combinations(dict.fromkeys(ballot.judge for row in rows for ballot in row), 2):
        both = [
            (cast[one], cast[other])
            for cast in ({ballot.judge: ballot for ballot in row if ballot.scores} for row in rows)
            if one in cast and other in cast
        ]
        sides = list(zip(*both, strict=True)) or [(), ()]
        of_passing.append(kappa(*([int(ballot.passes) for ballot in side] for side in sides)))
        scores = ([ballot.scores[name] for ballot in side for name in CRITERIA] for side in sides)
        of_scores.append(kappa(*scores, is_weighted=True))
    return {
        "votes": len(rows),
        "unreadable": sum(bool(ballot.problem) for row in rows for ballot in row),
        "pass_fail": mean(value for value in of_passing if value is not None),
        "scores": mean(value for value in of_scores if value is not None),
    }


def agreement_line(found: Mapping[str, Any]) -> str:
    """The agreement of judges in one line."""

    def shown(value: float | None) -> str:
        return "no better than chance" if value is None else f"{value:.2f}"

    unreadable = f"; {found['unreadable']} ballots could not be read" if found["unreadable"] else ""
    verdicts, scores = shown(found["pass_fail"]), shown(found["scores"])
    return (
        f"agreement of the judges over {found['votes']} votes (Cohen's kappa): pass or fail {verdicts}, "
        f"scores {scores} (quadratic weights){unreadable}"
    )


def _question(task: Task, depth: int | None, prompts: Mapping[str, Prompt]) -> str:
    house, world = ground(task), task.worlds[0]
    private = "\n\n".join(private_text(house, world, agent) for agent in range(len(task.names)))
    known = "not proved" if depth is None else depth
    return prompts["vote"].text.format(title=task.title, depth=known, public=public_text(task), private=private).strip()


async def _ballot(judge: Model, question: str, prompts: Mapping[str, Prompt], options: ModelOptions) -> Ballot:
    """One judge's ballot. A reply that cannot be read is asked for once more."""
    keep_secrets(judge)
    held = is_held(judge, options)
    config = request_config(for_documents(judge, options), FORM.json_schema() if held else None)
    form = prompts["format"].text.format(example=FORM.example(is_structured=held)).strip()
    messages: list[ChatMessage] = [
        ChatMessageSystem(content=prompts["rubric"].text.format(format=form).strip()),
        ChatMessageUser(content=question),
    ]
    problem = ""
    for _ in range(ATTEMPTS):
        reply = (await judge.generate(messages, config=config)).completion
        try:
            read = FORM.parse(reply, is_structured=True)
        except Unreadable as error:
            problem = str(error)
            complaint = prompts["complaint"].text.format(problem=problem, format=form).strip()
            messages += [ChatMessageAssistant(content=reply), ChatMessageUser(content=complaint)]
            continue
        scores = {name: int(read[name]) for name in CRITERIA}
        reasons = {name: redact(read[_REASON.format(name)]) for name in CRITERIA}
        return Ballot(str(judge), scores, reasons)
    return Ballot(str(judge), problem=redact(problem))
