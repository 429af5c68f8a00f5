"""How language models are used: the one list of options that seats, tasks and commands share."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

from otherminds.core.errors import UserError, nearest
from otherminds.minds.language import Method

if TYPE_CHECKING:
    from otherminds.core.world import World

MODEL = "model"  # the seat of the model that Inspect evaluates, or of the one that has the seat's role
RECORD = "record"  # where a sample's store has the lines of its episode
Form = Literal["auto", "free", "structured"]
_LEAST = {"timeout": 0, "temperature": 0, "probe_temperature": 0, "max_tokens": 1, "memory": 0}


@dataclass(frozen=True)
class ModelOptions:
    """How a language model is asked.

    Args:
        method: how it is led to its answer: plain, stepwise, perspective or notes.
        timeout: seconds after which a call has failed and costs an attempt; 0 for no limit.
        temperature: of acts; the model's own by default.
        probe_temperature: of answers to probes; that of acts by default.
        max_tokens: most tokens in one reply; the model's own limit by default.
        prompts: version of the world's prompts, or a folder or file of your own; the newest version by default.
        phrasing: wording of the prompts, where the world has several.
        form: free for replies in words, structured for structured output, auto for what suits the model.
        memory: past turns that stay in the conversation; all by default.

    Raises:
        UserError: if a value is out of range.
    """

    method: Method = "plain"
    timeout: int = 120
    temperature: float | None = None
    probe_temperature: float | None = None
    max_tokens: int | None = None
    prompts: str = ""
    phrasing: str = ""
    form: Form = "auto"
    memory: int | None = None

    def __post_init__(self) -> None:
        for name, kind in (("method", Method), ("form", Form)):
            given, known = getattr(self, name), get_args(kind)
            if given not in known:
                raise UserError(f"{name} is {given!r}; expected {', '.join(known)}{nearest(str(given), known)}")
        for name, least in _LEAST.items():
            value = getattr(self, name)
            if value is not None and value < least:
                raise UserError(f"{name} is {value}; expected at least {least}")

    def given(self) -> dict[str, Any]:
        """The options that differ from the defaults."""
        usual = ModelOptions()
        return {name: value for name, value in asdict(self).items() if value != getattr(usual, name)}


def split_model(spec: str, world: World, options: ModelOptions) -> tuple[str, ModelOptions]:
    """The name of a model and how it is used: ``openai/gpt-5:method=notes,memory=3`` sets options for its seat alone.

    Raises:
        UserError: if there is no such option.
    """
    from otherminds.core.registry import entries
    from otherminds.minds.find import options_of, split_spec

    name, given = split_spec(spec, [entry.name for entry in entries("mind", world.id)])
    return name, replace(options, **options_of(ModelOptions, given, spec)) if given else options
