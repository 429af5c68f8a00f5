"""How language models are used: the one list of options that seats, tasks and commands share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from otherminds.core.errors import UserError, either
from otherminds.core.world import World
from otherminds.minds.language import Method
from otherminds.minds.specs import options_of, split_spec

MODEL = "model"  # the seat of the model that Inspect evaluates, or of the one that has the seat's role
RECORD = "record"  # where a sample's store has the lines of its episode
Form = Literal["auto", "free", "structured"]


class Shown(NamedTuple):
    """How an option of language models is shown on the command line."""

    help: str
    least: float | None = None


@dataclass(frozen=True)
class ModelOptions:
    """How a language model is asked.

    Raises:
        UserError: if a value is out of range.
    """

    method: Annotated[Method, Shown("Prompting method: plain, stepwise, perspective or notes.")] = "plain"
    timeout: Annotated[int, Shown("Time limit for one call, in seconds. 0 means no limit.", 0)] = 120
    temperature: Annotated[float | None, Shown("Sampling temperature. [default: the model's default]", 0)] = None
    probe_temperature: Annotated[
        float | None, Shown("Sampling temperature for answers to probes. [default: same as --temperature]", 0)
    ] = None
    max_tokens: Annotated[int | None, Shown("Maximum tokens per reply. [default: the model's limit]", 1)] = None
    form: Annotated[
        Form, Shown("Format of replies: free (text), structured (format enforced by the provider) or auto.")
    ] = "auto"
    prompts: Annotated[
        str, Shown("Version of the world's prompts, or a folder or file of your own. [default: the newest version]")
    ] = ""
    phrasing: Annotated[str, Shown("Wording of the prompts, in worlds that offer more than one. [default: plain]")] = ""
    memory: Annotated[int | None, Shown("Number of past turns kept in the conversation. [default: all]", 0)] = None

    def __post_init__(self) -> None:
        for name, (kind, shown) in OPTIONS.items():
            value, known = getattr(self, name), get_args(kind)
            if get_origin(kind) is Literal and value not in known:
                raise UserError(f"{_flag(name)} is {value!r}; expected {either(known)}")
            if shown.least is not None and value is not None and value < shown.least:
                raise UserError(f"{_flag(name)} is {value}; expected at least {shown.least}")

    def changed(self) -> dict[str, Any]:
        """The options that differ from the defaults."""
        return {name: value for name, value in vars(self).items() if value != getattr(ModelOptions, name)}


def _flag(name: str) -> str:
    """What errors call an option; ``method`` is an option of single minds."""
    return name if name == "method" else f"--{name.replace('_', '-')}"


OPTIONS: dict[str, tuple[Any, Shown]] = {
    name: get_args(hint) for name, hint in get_type_hints(ModelOptions, include_extras=True).items()
}


def split_model(spec: str, world: World, options: ModelOptions) -> tuple[str, ModelOptions]:
    """The name of a model and how it is used: ``openai/gpt-5:method=notes,memory=3`` sets options for its seat alone.

    Raises:
        UserError: if there is no such option.
    """
    name, text = split_spec(spec, world)
    return name, replace(options, **options_of(ModelOptions, text, spec)) if text else options
