"""Has a model seen these stories? It is given the first half of each and completes it from memory.

Fresh stories cannot be known, so what is reproduced of them by chance is the yardstick for a public set.
"""

from __future__ import annotations

from collections.abc import Sequence

from inspect_ai.dataset import Sample
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from otherminds.evals.inspect.templates import Prompt
from otherminds.worlds.tomi.items import Item, normalise


def completion_samples(items: Sequence[Item], prompt: Prompt) -> list[Sample]:
    """One sample for each story: its first half in the prompt, the rest as target."""
    stories = {item.story_id: item for item in items if len(item.story) > 1}
    samples = []
    for item in stories.values():
        shown = (len(item.story) + 1) // 2
        rest = item.story[shown:]
        samples.append(
            Sample(
                id=f"{item.story_id}-complete",
                input=prompt.fill(story="\n".join(item.story[:shown]), count=len(rest)),
                target="\n".join(rest),
                metadata={"story_id": item.story_id, "family_id": item.family_id, "sentences": len(rest)},
            )
        )
    return samples


@solver
def complete() -> Solver:
    """Ask once: there is no wrong form of a continuation."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        return await generate(state)

    return solve


@scorer(metrics=[mean(), stderr(cluster="family_id")])
def reproduced() -> Scorer:
    """The share of held-back sentences that the reply has word for word, each in its place."""

    async def score(state: TaskState, target: Target) -> Score:
        wanted = target.text.splitlines()
        lines = [line for line in state.output.completion.splitlines() if line.strip()]
        hits = sum(normalise(given) == normalise(line) for given, line in zip(lines, wanted, strict=False))
        return Score(value=hits / len(wanted), answer="\n".join(lines))

    return score
