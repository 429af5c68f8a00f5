"""One session: a language model at a workbench, until its task is kept or its replies are used up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from inspect_ai.agent import Agent, AgentState, agent
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    ChatMessageUser,
    Model,
    execute_tools,
    get_model,
)
from inspect_ai.tool import ToolCall, ToolDef, ToolError, ToolParams
from inspect_ai.util import JSONSchema, store

from otherminds.core.errors import UserError
from otherminds.core.form import Choice, Form, Unreadable, Words
from otherminds.core.secrets import redact
from otherminds.llm.cost import LETTERS_A_TOKEN
from otherminds.llm.local import CONTEXT, LONG_REPLY, is_held_to_schemas
from otherminds.llm.model_calls import for_documents, in_thread, is_held, keep_secrets, request_config
from otherminds.llm.options import ModelOptions
from otherminds.llm.prompts import Prompt, load_folder
from otherminds.worlds.enacttom.author.council import objections, row_of, vote
from otherminds.worlds.enacttom.author.pool import Pool
from otherminds.worlds.enacttom.author.workbench import TOOLS, WRITING, Workbench
from otherminds.worlds.enacttom.verify.certify import claimed_certificate

AUTHOR = "author"  # the role of the model that writes
OUTCOME = "outcome"  # where a sample's store has what became of its session
_FOLDER = Path(__file__).parents[1] / "prompts" / "author"
_LONGEST = 20_000  # letters of a task
FORM = Form.of(Choice("tool", TOOLS), Words("content", longest=_LONGEST, least=0, keeps_lines=True))
_IDLE = "No tool was called."
_SPARE = 0.75  # share of a local model's context that is filled: a formula has fewer letters a token than prose


class Commission(NamedTuple):
    """What a session works with.

    Attributes:
        pool: Pool that receives the task.
        slot: Slot of the pool to fill.
        lineage: What is known of the task's origin before it is written.
        judges: Models of the council; none if it is not asked.
        prompts: Prompts of :func:`load_author`.
        rubric: Prompts of the council.
        options: How models are asked.
        replies: Maximum number of replies from the author.
        seconds: Time limit for each query to the solver.
    """

    pool: Pool
    slot: str
    lineage: Mapping[str, Any]
    judges: Sequence[Model]
    prompts: Mapping[str, Prompt]
    rubric: Mapping[str, Prompt]
    options: ModelOptions
    replies: int
    seconds: float


def load_author(version: str = "") -> dict[str, Prompt]:
    """The prompts of authors by name."""
    return load_folder(_FOLDER, "enacttom/author", version)


def author_of(session: Commission) -> Agent:
    """An agent that writes one task with the tools of a workbench."""

    async def execute(state: AgentState) -> AgentState:
        """Write one task."""
        model = get_model(role=AUTHOR)
        keep_secrets(model)
        bench = Workbench(session.pool, session.seconds)
        ended: dict[str, Any] = {"is_kept": False, "replies": 0}
        tools = [_tool(name, bench, session, ended) for name in TOOLS]
        options, held = for_documents(model, session.options), is_held(model, session.options)
        config = request_config(options, FORM.json_schema() if held else None)
        while not ended["is_kept"] and ended["replies"] < session.replies:
            shown = within(state.messages, options.memory, _letters(model))
            if held:
                state.output = await model.generate(_plain(shown), config=config)
                message, problem = _called(state.output.message, ended["replies"])
            else:
                state.output = await model.generate(shown, tools=tools, config=config)
                message, problem = state.output.message, _IDLE
            ended["replies"] += 1
            state.messages.append(message)
            if message.tool_calls:
                ran = await execute_tools(state.messages, tools)
                state.messages.extend(ran.messages)
            else:
                idle = session.prompts["idle"].text.format(problem=problem, tools=", ".join(TOOLS)).strip()
                state.messages.append(ChatMessageUser(content=idle))
            last = bench.faults[-1] if bench.faults else "no tool was used"
            told = {**ended, "calls": dict(bench.calls), "reason": "" if ended["is_kept"] else last}
            store().set(OUTCOME, redact(told))
        return state

    @agent
    def task_author() -> Agent:
        """Write one task with the tools of a workbench."""
        return execute

    return task_author()


def within(messages: Sequence[ChatMessage], memory: int | None, letters: int | None) -> list[ChatMessage]:
    """The conversation that is sent: rules, brief, and the last exchanges that fit.

    Args:
        messages: The whole conversation, beginning with rules and brief.
        memory: Number of exchanges that are kept; all if ``None``.
        letters: Number of letters that the model can read; no limit if ``None``.
    """
    first, rest = list(messages[:2]), list(messages[2:])
    starts = [at for at, message in enumerate(rest) if message.role == "assistant"]
    kept = starts if memory is None else starts[len(starts) - min(memory, len(starts)) :]
    for start in kept:
        size = sum(len(_text(message)) for message in (*first, *rest[start:]))
        if letters is None or size <= letters or start == kept[-1]:
            return first + rest[start:]
    return first


def _letters(model: Model) -> int | None:
    return int((CONTEXT - LONG_REPLY) * LETTERS_A_TOKEN * _SPARE) if is_held_to_schemas(model) else None


def _tool(name: str, bench: Workbench, session: Commission, ended: dict[str, Any]) -> ToolDef:
    """A tool of the workbench as one of Inspect's. The judge asks the council too, and keeps what passes."""

    async def use(content: str = "") -> str:
        try:
            answer = await in_thread(lambda: bench.use(name, content))
            if name == "judge":
                answer += await _kept(bench, session, ended)
            return str(redact(answer))
        except UserError as error:
            raise ToolError(redact(str(error))) from error

    text = session.prompts[f"tool_{name}"].text.strip()
    taken = ToolParams(properties={"content": JSONSchema(type="string", description=text)}, required=["content"])
    return ToolDef(use, name=name, description=text, parameters=taken if name in WRITING else ToolParams())


async def _kept(bench: Workbench, session: Commission, ended: dict[str, Any]) -> str:
    """Put a task that passed the formal judge to the council, and into the pool if all agree."""
    task = bench.proved()
    lineage = {**session.lineage, "calls": dict(bench.calls), "judged": [v._asdict() for v in bench.verdicts]}
    if session.judges:
        proved = claimed_certificate(task)
        ballots = await vote(task, proved.depth if proved else None, session.judges, session.rubric, session.options)
        row = row_of(task, ballots)
        session.pool.note("votes", {"slot": session.slot, "session": session.lineage["session"], **row})
        lineage["council"] = row["ballots"]
        if not row["passes"]:
            problem = "\n".join(("the council does not agree to keep the task; change it", *objections(ballots)))
            bench.faults.append(f"judge: {problem}")
            raise UserError(problem)
    # Another session may have kept the same task meanwhile. Nothing runs between this look and the writing.
    if copied := session.pool.copy_of(task):
        bench.faults.append(f"judge: this is {copied}")
        raise UserError(
            f"this is {copied}, which was added in the meantime; change who knows what or who must act on it"
        )
    session.pool.add(session.slot, task, lineage)
    ended["is_kept"] = True
    return f"\nThe task is kept as {session.slot}. You are finished."


def _called(message: ChatMessageAssistant, number: int) -> tuple[ChatMessageAssistant, str]:
    """A reply that is held to a form, as a call of the tool that it names; or what is wrong with it."""
    try:
        read = FORM.parse(message.text, is_structured=True)
    except Unreadable as error:
        return message, f"That could not be read: {error}."
    arguments = {"content": read["content"]} if read["tool"] in WRITING else {}
    call = ToolCall(id=f"call_{number}", function=read["tool"], arguments=arguments)
    return message.model_copy(update={"tool_calls": [call]}), ""


def _plain(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """A conversation for models that are held to a form: calls and their results as plain messages."""
    plain: list[ChatMessage] = []
    for message in messages:
        if isinstance(message, ChatMessageTool):
            plain.append(ChatMessageUser(content=_text(message)))
        elif isinstance(message, ChatMessageAssistant):
            plain.append(ChatMessageAssistant(content=message.text))
        else:
            plain.append(message)
    return plain


def _text(message: ChatMessage) -> str:
    """What a message says, the errors of tools and the arguments of calls included."""
    if isinstance(message, ChatMessageTool) and message.error is not None:
        return message.error.message
    if isinstance(message, ChatMessageAssistant) and message.tool_calls:
        return message.text + "".join(str(call.arguments.get("content", "")) for call in message.tool_calls)
    return message.text
