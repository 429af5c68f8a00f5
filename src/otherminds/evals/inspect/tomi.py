"""ToMi as an Inspect task: every question one sample, exact answers, joint scores over stories and families."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from hashlib import sha256
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample

from otherminds.core.errors import UserError
from otherminds.evals.inspect.contamination import complete, completion_samples, reproduced
from otherminds.evals.inspect.templates import Prompt, hashes, load_prompt, prompt_names
from otherminds.evals.inspect.tomi_answers import FORMS, Form, ask, belief_answer, expected, options
from otherminds.worlds.tomi import sets
from otherminds.worlds.tomi.items import Item
from otherminds.worlds.tomi.scores import realities, reality_of

PHRASING = "plain"
VERSION = "v1"
CONTAINERS = ("open", "closed")
_UNTOLD = ("story", "events", "beliefs")  # long, and not needed for scoring
_FIELDS = ("preamble", "story", "question", "options", "expected")


@task
def tomi(
    items: str | None = None,
    preset: str = "classic",
    size: int = 20,
    seed: int = 0,
    split: str = "test",
    prompts: str = VERSION,
    phrasing: str = PHRASING,
    conventions: bool = True,
    containers: str = "",
    form: Form = "free",
    order: int | None = None,
    ambiguous: bool = False,
    retries: int = 1,
    contamination: bool = False,
    knobs: dict[str, Any] | None = None,
) -> Task:
    """Where will she look? Memory, reality and belief questions of any order on stories whose answers are proved.

    Args:
        items: a JSON-lines file of questions, a folder of them by split, or a ToMi file (.txt); without one they are
            generated.
        preset: what generated stories are like; or original/released, original/code, tom-easy, tom.
        size: how many families of stories to generate, or stories, or questions of each kind of ToM-bAbI.
        seed: of the generator; keep it to yourself for a private test set.
        split: train, val or test.
        prompts: version of the prompts.
        phrasing: plain, reader, stepwise, or a file of your own.
        conventions: state before each story what people see and believe (spec 5.1).
        containers: open or closed, for the conventions to say; by default as the stories were made.
        form: free for a reply in words, choices for one of listed options by letter, schema for one that the provider's
            structured output enforces.
        order: only questions of this order; 0 for those about the world.
        ambiguous: ask and score ambiguous questions too.
        retries: how often to ask again after a reply that cannot be read.
        contamination: instead of asking, have each story completed from its first half.
        knobs: of the preset, turned.
    """
    every = load_items(items, preset, size, seed, split, knobs or {})
    if contamination:
        prompt = load_prompt("tomi", prompts, "complete", must=("story", "count"))
        stories = completion_samples(every, prompt)
        return Task(
            dataset=MemoryDataset(stories, name=_name(items, preset)),
            solver=complete(),
            scorer=reproduced(),
            version=_digest(every, [prompt]),
            metadata={"prompts": hashes([prompt])},
        )
    asked = load_prompt("tomi", prompts, phrasing, _FIELDS, must=("story", "question"))
    again = load_prompt("tomi", prompts, "again", may=("expected",))
    chosen = select(every, order, ambiguous)
    kinds = [_containers(item, containers) for item in chosen]
    preambles = {
        kind: load_prompt("tomi", prompts, f"conventions_{kind}") for kind in dict.fromkeys(kinds) if conventions
    }
    used = [asked, again, *preambles.values()]
    stated = [preambles[kind].text if conventions else "" for kind in kinds]
    samples = list(question_samples(chosen, every, asked, stated, form))
    return Task(
        dataset=MemoryDataset(samples, name=_name(items, preset)),
        solver=ask(again.text, retries),
        scorer=belief_answer(),
        version=_digest(chosen, used),
        metadata={"prompts": hashes(used), "left_out": len(select(every, order, True)) - len(chosen)},
    )


def phrasings(version: str = VERSION) -> list[str]:
    """The names of all phrasings of a version."""
    every = [load_prompt("tomi", version, n, {*_FIELDS, "count"}) for n in prompt_names("tomi", version)]
    return [prompt.name.rpartition("/")[2] for prompt in every if "question" in prompt.fields]


def load_items(
    items: str | None, preset: str, size: int, seed: int, split: str, knobs: Mapping[str, Any]
) -> list[Item]:
    """The questions of a file or folder, or generated ones.

    Raises:
        UserError: if there is none.
    """
    if items is not None and knobs:
        raise UserError("knobs turn what is generated; leave them out with items")
    if items is None:
        found = sets.load_items(preset, split, size, seed, **knobs)
    else:
        found = sets.read_files(Path(items), split)
    if not found:
        raise UserError(f"{items or preset} holds no question")
    return found


def select(items: Sequence[Item], order: int | None = None, ambiguous: bool = False) -> list[Item]:
    """The questions to ask.

    Raises:
        UserError: if none is left.
    """
    found = [item for item in items if (order is None or item.order == order) and (ambiguous or not item.ambiguous)]
    if not found:
        orders = ", ".join(map(str, sorted({item.order for item in items})))
        raise UserError(f"no question of order {order} is left to ask; there are orders {orders}")
    return found


def question_samples(
    items: Sequence[Item], every: Iterable[Item], prompt: Prompt, preambles: Sequence[str], form: Form
) -> Iterator[Sample]:
    """Each question as a sample that has its id; ``every`` holds the questions that say what is real."""
    if form not in FORMS:
        raise UserError(f"form {form!r} is not known; expected {' or '.join(FORMS)}")
    real = realities(every)
    for item, preamble in zip(items, preambles, strict=True):
        text = prompt.fill(
            preamble=preamble,
            story="\n".join(item.story),
            question=item.question,
            options=options(item, form),
            expected=expected(item, form),
        )
        known = {field.name: getattr(item, field.name) for field in fields(item) if field.name not in _UNTOLD}
        yield Sample(
            id=item.id,
            input=text,
            target=item.answer,
            choices=list(item.choices) or None,
            metadata={**known, "question_type": item.group, "reality": reality_of(item, real), "form": form},
        )


def _containers(item: Item, wanted: str) -> str:
    """Open or closed, as is wanted or, if nothing is, as a story was made."""
    if wanted not in ("", *CONTAINERS):
        raise UserError(f"containers is {wanted!r}; expected {' or '.join(CONTAINERS)}")
    return wanted or ("open" if item.is_open else "closed")


def _name(items: str | None, preset: str) -> str:
    return items or f"tomi {preset}"


def _digest(items: Sequence[Item], prompts: Sequence[Prompt]) -> str:
    """What is asked, in a word: a run is resumed only if nothing of it has changed."""
    whole: list[Any] = [[(i.id, i.story, i.question, i.answer) for i in items], hashes(prompts)]
    return sha256(repr(whole).encode()).hexdigest()[:12]
