"""Questions of ToMi made by hand."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from otherminds.worlds.tomi.files.items import LabelledQuestion, dump_items

BOX, BASKET = "red_box", "green_basket"
STORY = (
    "Nora entered the study.",
    "Omar entered the study.",
    "The lemon is in the red_box.",
    "Omar exited the study.",
    "Nora moved the lemon to the green_basket.",
)
TWIN = (*STORY[:3], STORY[4], STORY[3])


def make_item(id: str, **changes: Any) -> LabelledQuestion:
    """A question of a story in which Omar leaves before the lemon is moved."""
    usual = LabelledQuestion(
        id=id,
        story_id="s1",
        family_id="s1",
        variant="base",
        split="test",
        preset="hand",
        seed=0,
        version="hand",
        story=STORY,
        question="Where will Omar look for the lemon?",
        answer=BOX,
        choices=(BOX, BASKET),
        qtype="belief",
        order=1,
        chain=("Omar",),
        false_vs_reality=True,
        false_attribution=True,
        ambiguous=False,
        story_order=1,
        original_type="false_belief",
        n_agents=2,
        n_moves=1,
        n_statements=5,
    )
    return replace(usual, **changes)


def make_story(story_id: str, family_id: str | None = None, variant: str = "base") -> list[LabelledQuestion]:
    """Four questions; in the order twin Omar leaves after the move, so that all of them know where the lemon is."""
    is_false = variant != "order"
    shared: dict[str, Any] = {
        "story_id": story_id,
        "family_id": family_id or story_id,
        "variant": variant,
        "story": STORY if is_false else TWIN,
        "story_order": int(is_false),
    }
    belief = {**shared, "answer": BOX if is_false else BASKET, "false_vs_reality": is_false}
    return [
        make_item(
            f"{story_id}-memory",
            **{**shared, "false_vs_reality": False, "false_attribution": False},
            question="Where was the lemon at the beginning?",
            qtype="memory",
            order=0,
            chain=(),
        ),
        make_item(
            f"{story_id}-reality",
            **{**shared, "false_vs_reality": False, "false_attribution": False},
            question="Where is the lemon really?",
            answer=BASKET,
            qtype="reality",
            order=0,
            chain=(),
        ),
        make_item(f"{story_id}-first", **belief, false_attribution=is_false),
        make_item(
            f"{story_id}-second",
            **belief,
            false_attribution=False,
            question="Where does Nora think that Omar searches for the lemon?",
            order=2,
            chain=("Nora", "Omar"),
        ),
    ]


def make_set(families: int = 2) -> list[LabelledQuestion]:
    """Families of a base story and its order twin, eight questions each."""
    return [
        item
        for number in range(families)
        for variant in ("base", "order")
        for item in make_story(f"f{number}-{variant}", f"f{number}", variant)
    ]


def write_items(path: Path, items: Iterable[LabelledQuestion]) -> Path:
    path.write_text("".join(dump_items(items)), "utf-8")
    return path


def write_lines(path: Path, values: Iterable[Any]) -> Path:
    path.write_text("".join(f"{json.dumps(value)}\n" for value in values), "utf-8")
    return path
