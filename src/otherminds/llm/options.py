"""How language models are used: the one list of options that seats, tasks and commands share."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

from otherminds.core.errors import UserError, either
from otherminds.minds.language import Method

if TYPE_CHECKING:
    from otherminds.core.world import World

MODEL = "model"  # the seat of the model that Inspect evaluates, or of the one that has the seat's role
RECORD = "record"  # where a sample's store has the lines of its episode
Form = Literal["auto", "free", "structured"]


OPTIONS: dict[str, tuple[str, float | None]] = {  # help text and least value of each
    "method": ("Prompting method: plain, stepwise, perspective or notes.", None),
    "timeout": ("Time limit for one call, in seconds; exceeding it costs an attempt. 0 means no limit.", 0),
    "temperature": ("Sampling temperature. [default: the model's own]", 0),
    "probe_temperature": ("Sampling temperature for answers to probes. [default: same as --temperature]", 0),
    "max_tokens": ("Maximum number of tokens per reply. [default: the model's limit]", 1),
    "form": ("Format of replies: free (text), structured (format enforced by the provider) or auto.", None),
    "prompts": ("Version of the world's prompts, or a folder or file of your own. [default: the newest version]", None),
    "phrasing": ("Wording of the prompts, in worlds that offer more than one. [default: plain]", None),
    "memory": ("Number of past turns kept in the conversation. [default: all]", 0),
}


@dataclass(frozen=True)
class ModelOptions:
    """How a language model is asked; see :data:`OPTIONS`.

    Raises:
        UserError: if a value is out of range.
    """

    method: Method = "plain"
    timeout: int = 120
    temperature: float | None = None
    probe_temperature: float | None = None
    max_tokens: int | None = None
    form: Form = "auto"
    prompts: str = ""
    phrasing: str = ""
    memory: int | None = None

    def __post_init__(self) -> None:
        for name, kind in (("method", Method), ("form", Form)):
            value, known = getattr(self, name), get_args(kind)
            if value not in known:
                raise UserError(f"{name} is {value!r}; expected {either(known)}")
        for name, (_, least) in OPTIONS.items():
            value = getattr(self, name)
            if least is not None and value is not None and value < least:
                raise UserError(f"{name} is {value}; expected at least {least}")

    def changed(self) -> dict[str, Any]:
        """The options that differ from the defaults."""
        usual = ModelOptions()
        return {name: value for name, value in asdict(self).items() if value != getattr(usual, name)}


def split_model(spec: str, world: World, options: ModelOptions) -> tuple[str, ModelOptions]:
    """The name of a model and how it is used: ``openai/gpt-5:method=notes,memory=3`` sets options for its seat alone.

    Raises:
        UserError: if there is no such option.
    """
    from otherminds.minds.find import options_of, split_spec

    name, text = split_spec(spec, world)
    return name, replace(options, **options_of(ModelOptions, text, spec)) if text else options
