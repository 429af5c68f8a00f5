"""Fills a pool with tasks that a language model writes. The same call continues until the pool is full.

Each slot that is still empty gets one session. What is kept is written at once, so that a kill loses at most the
sessions that were under way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.agent import run
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser, Model, get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw
from otherminds.llm.model_calls import is_held
from otherminds.llm.options import ModelOptions
from otherminds.llm.prompts import Prompt, hashes
from otherminds.llm.run import log_path, run_task, tokens_used
from otherminds.llm.samples import digest_of
from otherminds.llm.task import with_model_options
from otherminds.worlds.enacttom.author.council import TIMEOUT, agreement, load_rubric
from otherminds.worlds.enacttom.author.pool import Pool
from otherminds.worlds.enacttom.author.session import AUTHOR, FORM, OUTCOME, Commission, author_of, load_author
from otherminds.worlds.enacttom.author.workbench import TOOLS
from otherminds.worlds.enacttom.houses.sample import sample_house, sample_people
from otherminds.worlds.enacttom.tasks.read import SHIPPED, read_task
from otherminds.worlds.enacttom.tasks.write import content_text, task_content
from otherminds.worlds.enacttom.types import Task as HouseholdTask
from otherminds.worlds.enacttom.verify.certify import digest_of as digest_of_task

REPLIES = 40
SECONDS = 60.0
JUDGE = "judge_{}"  # the role of a judge, with its number
_EXAMPLE = "cup"
_DEPTHS = (1, 2, 3)
_SHOWN = 6  # pieces of furniture and things that a brief suggests


def author(
    model: Any,
    number: int = 1,
    *,
    out: str | Path = "authored",
    judges: Sequence[Any] = (),
    like: str = "",
    connections: int | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Let a model write the tasks that a pool lacks, in one session each.

    Args:
        model: Model that writes: its name, or a model of Inspect.
        number: Target number of tasks in the pool.
        out: Folder of the pool.
        judges: Models of the council, all of which must agree; by default the formal judge decides alone.
        like: Name or file of a task to start from.
        connections: Number of requests at once.
        options: Further options of :func:`enacttom_author`.

    Returns:
        ``out``, ``wanted``, ``found`` (number of tasks before the call), ``tasks`` (each with ``task``, ``file``,
        ``depth``, ``grade``, ``title`` and ``lineage``), ``sessions`` of this call (each with ``slot``, ``is_kept``,
        ``replies``, ``calls`` and the last ``reason`` if not), ``agreement`` of the judges over all votes of the pool
        (``None`` without any), and ``logs``, ``tokens_in`` and ``tokens_out`` of this call.

    Raises:
        UserError: if an option is wrong, or the run did not finish; what was kept stays in the pool.
    """
    roles = roles_of(judges)
    pool = Pool(out, like)
    pool.open()
    written_before, before = len(pool.files()), len(pool.noted("sessions"))
    log = None
    if written_before < number:
        made = enacttom_author(number=number, out=str(out), like=like, judges=len(roles), **options)
        log = run_task(made, {AUTHOR: model, **roles}, log_dir=pool.folder / "logs", connections=connections)
    votes = pool.noted("votes")
    read, written = tokens_used(log) if log else (0, 0)
    return {
        "out": str(out),
        "wanted": number,
        "found": written_before,
        "tasks": list(map(_about, pool.files())),
        "sessions": pool.noted("sessions")[before:],
        "agreement": agreement(votes) if votes else None,
        "logs": [log_path(log)] if log else [],
        "tokens_in": read,
        "tokens_out": written,
    }


def roles_of(judges: Sequence[Any]) -> dict[str, Any]:
    """The models of a council by role.

    Raises:
        UserError: if one is named twice, since a model always agrees with itself.
    """
    names = list(map(str, judges))
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"the judge {name!r} is named twice; a council needs different models")
    return {JUDGE.format(at + 1): judge for at, judge in enumerate(judges)}


def council_of(judges: int) -> list[Model]:
    """The models that have the roles of :func:`roles_of`, in the running task."""
    return [get_model(role=JUDGE.format(at + 1), required=True) for at in range(judges)]


@task
@with_model_options
def enacttom_author(
    number: int = 1,
    out: str = "authored",
    seed: int = 0,
    like: str = "",
    judges: int = 0,
    replies: int = REPLIES,
    seconds: float = SECONDS,
    **options: Any,
) -> Task:
    """Write household tasks into a pool; one sample for each slot that is still empty.

    Args:
        number: Target number of tasks in the pool.
        out: Folder of the pool.
        seed: Seed of the briefs.
        like: Name or file of a task to start from.
        judges: Number of judges in the council; their models have the roles judge_1, judge_2, and so on.
        replies: Maximum number of model replies per task.
        seconds: Time limit for each query to the solver.
        options: Options of :class:`otherminds.llm.options.ModelOptions`.

    Raises:
        UserError: if the pool is full, or an option is wrong.
    """
    usual = ModelOptions(**{"timeout": TIMEOUT, **options})
    for name, value in {"number": number, "replies": replies}.items():
        if value < 1:
            raise UserError(f"{name} is {value}; expected at least 1")
    pool = Pool(out, like)
    prompts = load_author(usual.prompts)
    samples = list(_samples(pool, pool.missing(number), seed, prompts))
    if not samples:
        raise UserError(f"{out} already has {number} tasks; ask for more, or choose another folder")
    used = hashes([*prompts.values(), *(load_rubric().values() if judges else ())])
    return Task(
        dataset=MemoryDataset(samples, name="enacttom_author"),
        solver=author_session(out, like, judges, replies, seconds, usual.changed()),
        scorer=is_kept(),
        version=digest_of(samples, used, replies, seconds, usual.changed()),
        metadata={"prompts": used},
    )


def _samples(pool: Pool, slots: Sequence[str], seed: int, prompts: Mapping[str, Prompt]) -> Iterator[Sample]:
    """A session for each slot. Every session has a brief of its own, so that a second one is not the first again."""
    rules = prompts["rules"].text.format(example=_yaml(SHIPPED[_EXAMPLE], without=("id", "goal"))).strip()
    past = [row["slot"] for row in pool.noted("sessions")]
    for slot in slots:
        session = past.count(slot) + 1
        depth, brief = _brief(Draw(seed, f"enacttom/author/{slot}/{session}"), pool, prompts)
        parent = {"id": pool.parent.id, "digest": digest_of_task(pool.parent)} if pool.parent else None
        lineage = {"seed": seed, "session": session, "depth_asked": depth, "parent": parent, "prompts": _short(prompts)}
        messages: list[ChatMessage] = [ChatMessageSystem(content=rules), ChatMessageUser(content=brief)]
        yield Sample(id=f"{slot}-session{session}", input=messages, metadata={"slot": slot, "lineage": lineage})


def _brief(draw: Draw, pool: Pool, prompts: Mapping[str, Prompt]) -> tuple[int, str]:
    """The depth that is asked for and the brief of a session."""
    depth, house = draw.pick(_DEPTHS), sample_house(draw)
    parent = prompts["parent"].text.format(task=_yaml(pool.parent)) if pool.parent else ""
    text = prompts["brief"].text.format(
        depth=depth,
        rooms=", ".join(room.name for room in house.rooms),
        furniture=", ".join(part.name for part in draw.some(house.furniture, _SHOWN)),
        things=", ".join(thing.name for thing in draw.some(house.things, _SHOWN)),
        people=", ".join(sample_people(draw)),
        parent=parent,
    )
    return depth, "\n".join(filter(str.strip, text.splitlines()))


def _yaml(household: HouseholdTask, without: Sequence[str] = ()) -> str:
    content = task_content(household, is_bare=True)
    return content_text({name: value for name, value in content.items() if name not in without})


def _short(prompts: Mapping[str, Prompt]) -> dict[str, Any]:
    """The version of prompts for the lineage of a task; the log has the hash of each file."""
    used = hashes(prompts.values())
    versions = sorted({str(Path(name).parent) for name in used})
    return {"versions": versions, "digest": sha256(repr(sorted(used.items())).encode()).hexdigest()[:12]}


@solver
def author_session(
    out: str, like: str, judges: int, replies: int, seconds: float, options: dict[str, Any] | None = None
) -> Solver:
    """Let a model write the task of one slot; see :func:`enacttom_author`."""
    usual = ModelOptions(**(options or {}))

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001 the protocol names it
        model, slot, prompts = get_model(role=AUTHOR), state.metadata["slot"], load_author(usual.prompts)
        lineage = {"model": str(model), **state.metadata["lineage"]}
        session = Commission(
            Pool(out, like), slot, lineage, council_of(judges), prompts, load_rubric(), usual, replies, seconds
        )
        messages = list(state.messages)
        if is_held(model, usual):
            form = prompts["structured"].text.format(example=FORM.example(is_structured=True), tools=", ".join(TOOLS))
            messages[0] = ChatMessageSystem(content=f"{messages[0].text}\n\n{form.strip()}")
        ended = await run(author_of(session), messages)
        state.messages, state.output = ended.messages, ended.output
        outcome: dict[str, Any] = state.store.get(OUTCOME, {})
        session.pool.note("sessions", {"slot": slot, "session": lineage["session"], "model": str(model), **outcome})
        return state

    return solve


@scorer(metrics=[mean()])
def is_kept() -> Scorer:
    """Whether the session ended with a task in the pool."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 the protocol names it
        outcome: dict[str, Any] = state.store.get(OUTCOME, {})
        return Score(value=float(outcome.get("is_kept", False)), explanation=outcome.get("reason"))

    return score


def _about(path: Path) -> dict[str, Any]:
    made = read_task(path)
    lineage = {name: value for name, value in made.provenance.get("authored", {}).items() if name != "judged"}
    proved = {name: made.certificate.get(name) for name in ("depth", "grade")}
    return {"task": made.id, "file": str(path), "title": made.title, **proved, "lineage": lineage}
