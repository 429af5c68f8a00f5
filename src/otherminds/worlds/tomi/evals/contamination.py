"""Contamination test: a model completes stories from their first halves, which it can only do if it has seen them.

Fresh stories cannot be known, so the share that is reproduced of them by chance is the baseline for a public set.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from otherminds.core.world import Item
from otherminds.llm.model_calls import keep_secrets
from otherminds.llm.prompts import hashes, load_prompts
from otherminds.llm.run import log_path, run_task, tokens_used
from otherminds.llm.samples import digest_of, make_world
from otherminds.worlds.tomi.files.items import normalise

_ROLE = "reader"


@task
def tomi_contamination(
    set: dict[str, Any] | None = None, suite: str = "standard", seed: int = 0, prompts: str = ""
) -> Task:
    """Complete stories of ToMi from memory.

    Args:
        set: Options of the world, such as the file of the stories (items).
        suite: Named set of stories.
        seed: Seed of the suite.
        prompts: Version of the prompts, or a folder or file of your own; the newest version by default.
    """
    world = make_world("tomi", set or {})
    prompt = load_prompts(world, prompts)["complete"]
    samples = completion_samples(world.suite(suite, seed), prompt.text)
    versions = hashes([prompt])
    return Task(
        dataset=MemoryDataset(samples, name="tomi_contamination"),
        solver=complete(),
        scorer=reproduced(),
        version=digest_of(samples, versions),
        metadata={"prompts": versions},
    )


def evaluate_contamination(
    model: Any,
    settings: Mapping[str, Any] | None = None,
    *,
    suite: str = "standard",
    log_dir: str | Path = "logs",
    connections: int | None = None,
) -> dict[str, Any]:
    """The share of held-back sentences that a model reproduces, with the number of stories and the log."""
    made = tomi_contamination(set=dict(settings or {}), suite=suite)
    log = run_task(made, {_ROLE: model}, log_dir=log_dir, connections=connections)
    share = log.results.scores[0].metrics["mean"].value
    read, written = tokens_used(log)
    stories = len(log.samples or [])
    return {"reproduced": share, "stories": stories, "log": log_path(log), "tokens_in": read, "tokens_out": written}


def completion_samples(stories: Iterable[Item], prompt: str) -> list[Sample]:
    """One sample for each story: its first half in the prompt, the rest as target."""
    samples = []
    for item in stories:
        story = item.data[0].story
        shown = (len(story) + 1) // 2
        if rest := story[shown:]:
            text = prompt.format(story="\n".join(story[:shown]), count=len(rest)).strip()
            about = {"story_id": item.id, "family_id": item.group, "sentences": len(rest)}
            samples.append(Sample(id=f"{item.id}-complete", input=text, target="\n".join(rest), metadata=about))
    return samples


@solver
def complete() -> Solver:
    """Ask once: a continuation can have any form."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        from inspect_ai.model import get_model

        keep_secrets(get_model())
        return await generate(state)

    return solve


@scorer(metrics=[mean(), stderr(cluster="family_id")])
def reproduced() -> Scorer:
    """The share of held-back sentences that the reply has word for word, each in its place."""

    async def score(state: TaskState, target: Target) -> Score:
        wanted = target.text.splitlines()
        lines = [line for line in state.output.completion.splitlines() if line.strip()]
        hits = sum(normalise(line) == normalise(original) for line, original in zip(lines, wanted, strict=False))
        return Score(value=hits / len(wanted), answer="\n".join(lines))

    return score
