"""Small stories for the tests of ToMi's learners."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from otherminds.worlds.tomi.files.items import LabelledQuestion

NAMES, BOXES, THINGS = ("Ann", "Bob", "Cy"), ("box", "jar", "tin", "crate"), ("fig", "plum")


def item(story: Sequence[str], question: str, answer: str, number: int = 0, **changes: object) -> LabelledQuestion:
    """A question with a story, and nothing special about it."""
    fields: dict[str, object] = {
        "id": f"{number}/{question}", "story_id": str(number), "family_id": str(number), "variant": "base",
        "split": "train", "preset": "test", "seed": 0, "version": "0", "story": tuple(story), "question": question,
        "answer": answer, "choices": (), "qtype": "reality", "order": 0, "chain": (), "false_vs_reality": False,
        "false_attribution": False, "ambiguous": False, "story_order": 0, "original_type": "", "n_agents": 1,
        "n_moves": 1, "n_statements": len(story),
    }  # fmt: skip
    return LabelledQuestion(**(fields | changes))  # type: ignore[arg-type]


def some_items(count: int, seed: int) -> list[LabelledQuestion]:
    """Two questions about each of so many stories: where the thing was, and where it is."""
    rng, found = np.random.default_rng(seed), []
    for number in range(count):
        name, thing = rng.choice(NAMES), rng.choice(THINGS)
        first, second = rng.choice(BOXES, 2, replace=False)
        story = [f"The {thing} is in the {first}.", f"{name} moved the {thing} to the {second}."]
        if rng.random() < 0.5:
            story.insert(int(rng.integers(3)), f"{name} likes the {rng.choice(THINGS)}")
        found.append(item(story, f"Where was the {thing} at the beginning?", str(first), number, qtype="memory"))
        found.append(item(story, f"Where is the {thing} really?", str(second), number))
    return found
