"""A council of judging models: each scores the quality of a task on eight criteria, against a written rubric.

A second opinion on what no proof decides, such as whether a task is plausible. It never replaces the formal judge.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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


Ballot = dict[str, Any]  # what one judge says of a task, as :func:`ballot` makes it


def ballot(
    judge: str, scores: Mapping[str, int] | None = None, reasons: Mapping[str, str] | None = None, problem: str = ""
) -> Ballot:
    """What one judge says of a task, and whether the task passes: every score and their mean must be high enough.

    Args:
        judge: Name of the model.
        scores: Score of each criterion; none if no reply could be read, which does not pass.
        reasons: Reason for each score.
        problem: Why the last reply could not be read; empty if it could.
    """
    scores = dict(scores or {})
    average = mean(scores.values())
    passes = average is not None and average >= LEAST_MEAN and min(scores.values()) >= LEAST
    whole = {"judge": judge, "scores": scores, "reasons": dict(reasons or {}), "problem": problem}
    return {**whole, "mean": average, "passes": passes}


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


def row_of(task: Task, ballots: Sequence[Ballot]) -> dict[str, Any]:
    """A vote as plain data; it passes only if every judge agrees."""
    return {"digest": digest_of(task), "passes": all(cast["passes"] for cast in ballots), "ballots": list(ballots)}


def objections(ballots: Iterable[Ballot]) -> list[str]:
    """Why a task does not pass, one line for each judge that objects."""
    lines = []
    for cast in ballots:
        if cast["problem"]:
            lines.append(f"{cast['judge']}: its scores could not be read")
        elif not cast["passes"]:
            scores = cast["scores"]
            low = {name: score for name, score in scores.items() if score < LEAST} or scores
            worst = sorted(low, key=lambda name: low[name])[:3]
            shown = "; ".join(f"{name} {low[name]}: {cast['reasons'][name]}" for name in worst)
            lines.append(f"{cast['judge']}: mean {cast['mean']:.1f}; {shown}")
    return lines


def agreement(votes: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """How far judges agree: the mean of Cohen's kappa over all pairs of judges, on tasks that both have scored.

    Args:
        votes: Rows of :func:`row_of`.

    Returns:
        The number of ``votes`` and of ``unreadable`` ballots, ``pass_fail`` (kappa of passing) and ``scores`` (kappa of
        the scores, weighted by squared distance); the last two are ``None`` if nothing beyond chance can be told.
    """
    rows = [row["ballots"] for row in votes]
    of_passing, of_scores = [], []
    for first, second in combinations(dict.fromkeys(cast["judge"] for row in rows for cast in row), 2):
        both = [
            (by_judge[first], by_judge[second])
            for by_judge in ({cast["judge"]: cast for cast in row if cast["scores"]} for row in rows)
            if first in by_judge and second in by_judge
        ]
        sides = list(zip(*both, strict=True)) or [(), ()]
        of_passing.append(kappa(*([int(cast["passes"]) for cast in side] for side in sides)))
        scores = ([cast["scores"][name] for cast in side for name in CRITERIA] for side in sides)
        of_scores.append(kappa(*scores, is_weighted=True))
    return {
        "votes": len(rows),
        "unreadable": sum(bool(cast["problem"]) for row in rows for cast in row),
        "pass_fail": mean(value for value in of_passing if value is not None),
        "scores": mean(value for value in of_scores if value is not None),
    }


def agreement_line(agreed: Mapping[str, Any]) -> str:
    """The agreement of judges in one line."""

    def shown(value: float | None) -> str:
        return "no better than chance" if value is None else f"{value:.2f}"

    unreadable = f"; {agreed['unreadable']} ballots could not be read" if agreed["unreadable"] else ""
    verdicts, scores = shown(agreed["pass_fail"]), shown(agreed["scores"])
    return (
        f"agreement of the judges over {agreed['votes']} votes (Cohen's kappa): pass or fail {verdicts}, "
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
        return ballot(str(judge), scores, reasons)
    return ballot(str(judge), problem=redact(problem))
