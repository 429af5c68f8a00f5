"""How a model is asked a question of ToMi, how its reply is read, and what a read reply scores.

Reading is strict and apart from scoring. What cannot be read is asked again and then recorded as no answer; it is
never taken for a belief.
"""

from __future__ import annotations

import re
from dataclasses import asdict, fields
from string import ascii_uppercase
from typing import Any, Literal, get_args

from inspect_ai.model import ChatMessageUser, GenerateConfigArgs
from inspect_ai.scorer import CORRECT, INCORRECT, NOANSWER, Score, Scorer, Target, accuracy, grouped, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from otherminds.evals.inspect import tomi_metrics as metrics
from otherminds.evals.inspect.held import held_to
from otherminds.worlds.tomi.items import Item, find_choice, normalise
from otherminds.worlds.tomi.scores import mark

Form = Literal["free", "choices", "schema"]
FORMS: tuple[Form, ...] = get_args(Form)
_LABELLED = re.compile(r"^\W*answer\W*:\W*(.+)$", re.IGNORECASE | re.MULTILINE)
_OBJECT = re.compile(r'\{\s*"answer"\s*:\s*"([^"]*)"\s*\}')
_LETTER = re.compile(r"\(?([A-Za-z])(?:[).:]+\s*(.*))?")
_EXPECTED = {
    "knows": "yes or no",
    "knowers": "the names of people, separated by commas, or nobody",
    "present": "the names of people, separated by commas, or nobody",
}


def expected(item: Item, form: Form) -> str:
    """What a prompt says that the answer should be."""
    if form == "choices" and item.choices:
        return "the letter of one option"
    if form == "schema" and item.choices:
        return 'one of the options, as {"answer": <option>}'
    return _EXPECTED.get(item.qtype, "the name of a container")


def options(item: Item, form: Form) -> str:
    """The lettered choices, one a line; nothing for a free reply."""
    if form == "free" or not item.choices:
        return ""
    marks = [f"{letter}) " for letter in ascii_uppercase] if form == "choices" else ["- "] * len(item.choices)
    lines = [f"{mark}{choice}" for mark, choice in zip(marks, item.choices, strict=False)]
    return "\nOptions:\n" + "\n".join(lines) + "\n"


def read_answer(reply: str, choices: list[str], form: Form) -> str | None:
    """The answer in a reply: its last line ``Answer: …``, or its only line; ``None`` if that is no candidate.

    Without choices any such line is an answer. With lettered options the letter will do, and must fit the words
    beside it. By schema, the reply is an object of JSON.
    """
    labelled = _OBJECT.findall(reply) if form == "schema" else _LABELLED.findall(reply)
    lines = [line for line in reply.splitlines() if line.strip()]
    if not labelled and len(lines) != 1:
        return None
    given = (labelled[-1] if labelled else lines[0]).strip().strip("*_`\"'<>[] ")
    if not given:
        return None
    if not choices:
        return given
    if (named := find_choice(given, choices)) is not None:
        return named
    letter = _LETTER.fullmatch(given) if form == "choices" else None
    if letter is None or (at := ascii_uppercase.index(letter[1].upper())) >= len(choices):
        return None
    says_other = bool(letter[2]) and normalise(letter[2]) != normalise(choices[at])
    return None if says_other else choices[at]


@solver
def ask(again: str, retries: int = 1) -> Solver:
    """Ask, and ask again after a reply that cannot be read."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        about = state.metadata
        held: GenerateConfigArgs = {}
        if about["form"] == "schema" and about["choices"]:
            held = {"response_schema": held_to({"answer": about["choices"]})}
        replies = []
        for attempt in range(retries + 1):
            if attempt:
                wanted = expected(_item(about), about["form"])
                state.messages.append(ChatMessageUser(content=again.format(expected=wanted)))
            state = await generate(state, **held)
            replies.append(state.output.completion)
            if read_answer(replies[-1], list(about["choices"]), about["form"]) is not None:
                break
        state.store.set("replies", replies)
        return state

    return solve


@scorer(
    metrics=[
        accuracy(),
        stderr(cluster="family_id"),
        metrics.family_joint(),
        metrics.story_joint(),
        metrics.pair_joint(),
        metrics.validity_rate(),
        metrics.accuracy_of_valid(),
        metrics.reality_bias(),
        metrics.false_belief(),
        grouped(accuracy(), "question_type", all=False),
        grouped(accuracy(), "order", all=False, name_template="order {group_name}"),
    ]
)
def belief_answer() -> Scorer:
    """Right, wrong, or not readable, by the normalised words of the answer."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 the protocol names it
        about = state.metadata
        replies = state.store.get("replies", [state.output.completion])
        answer = read_answer(replies[-1], list(about["choices"]), about["form"])
        marked = mark(_item(about), answer, about["reality"])
        value = NOANSWER if not marked.is_valid else CORRECT if marked.is_right else INCORRECT
        why = None if marked.is_valid else f"none of {len(replies)} replies could be read"
        told = {metrics.MARK: asdict(marked), "replies": len(replies)}
        return Score(value=value, answer=answer, explanation=why, metadata=told)

    return score


def _item(about: dict[str, Any]) -> Item:
    """The question again from a sample's metadata; its story is in the prompt."""
    known = {field.name: about[field.name] for field in fields(Item) if field.name in about}
    lists = {name: tuple(about[name]) for name in ("choices", "chain")}
    return Item(**{**known, **lists, "story": ()})
