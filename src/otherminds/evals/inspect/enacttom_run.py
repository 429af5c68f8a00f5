"""Household tasks with language models from Python and the command line: who plays whom, what it takes, a run.

Each seat is a language model of Inspect (``local``, or a name with a provider such as ``openai/gpt-4o-mini``) or a
player of ours. Runs are those of :func:`otherminds.evals.inspect.run.run_tasks`: the same call goes on after a kill.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError
from otherminds.evals.inspect.models import is_language_model, resolved_by_role
from otherminds.evals.inspect.records import episodes_of
from otherminds.evals.inspect.run import (
    LETTERS_A_TOKEN,
    Takes,
    log_path,
    metrics_of,
    need_inspect,
    run_cast,
    tokens_used,
)
from otherminds.players.enacttom.seats import Seat

LANGUAGE = "model"
_RULES, _MESSAGE, _QUESTION = 1600, 500, 700  # letters of acts and forms, of a turn's message and of a question, about
_REPLY, _ASKED = 120, 3  # tokens, and questions of each person in a run, about


@dataclass(frozen=True)
class Evaluated:
    """A finished evaluation."""

    log: str  # the file
    runs: int
    tasks: int
    metrics: dict[str, float | None]
    tokens_in: int
    tokens_out: int

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def seats_and_models(seats: Sequence[Any]) -> tuple[str, dict[str, Any]]:
    """What the task is told of the seats, and the models by role.

    Args:
        seats: one player for all seats, or one for each: a model, its name, or a player of ours by name.

    Raises:
        UserError: if no seat has a language model.
    """
    from otherminds.evals.inspect.enacttom_play import role_of

    found = [LANGUAGE if not isinstance(one, str) or is_language_model(one) else one for one in seats]
    models = {role_of(at): one for at, one in enumerate(seats) if found[at] == LANGUAGE}
    if not models:
        raise UserError(
            "no seat has a language model; name one with its provider, such as openai/gpt-4o-mini, "
            "or leave out the model to score other players"
        )
    return ",".join(found), models


def takes(sample: Any) -> Takes:
    """What a run will take at most: no end before the last turn, and nothing asked twice."""
    from otherminds.worlds.enacttom.read import parse_task
    from otherminds.worlds.enacttom.texts import public_text

    about = sample.metadata or {}
    task = parse_task(about["content"])
    speaking = sum(one == LANGUAGE for one in about["seats"])
    asked = _ASKED if about["probes"] else 0
    rules = len(public_text(task)) + _RULES
    turn = _MESSAGE + _REPLY * LETTERS_A_TOKEN
    letters = sum(rules + at * turn + _MESSAGE for at in range(task.horizon))
    letters += asked * (rules + task.horizon * turn + _QUESTION)
    requests = speaking * (task.horizon + asked)
    return Takes(requests, speaking * letters // LETTERS_A_TOKEN, requests * _REPLY)


@contextmanager
def speaking(models: Mapping[int, str], timeout: int | None = None) -> Iterator[dict[int, Seat]]:
    """Language models as players by seat, for runs that Inspect does not make, while a block lasts."""
    need_inspect()
    from otherminds.evals.inspect.calls import calling
    from otherminds.evals.inspect.enacttom_play import is_held, schema_of
    from otherminds.evals.inspect.enacttom_words import load_words
    from otherminds.players.enacttom.language import LanguagePlayer

    words = {name: prompt.text for name, prompt in load_words().items()}
    with ExitStack() as stack:
        seats: dict[int, Seat] = {}
        for at, model in stack.enter_context(resolved_by_role(models, {})).items():
            is_bare = is_held("auto", model)
            ask = stack.enter_context(calling(model, timeout, schema_of(is_bare)))
            seats[at] = LanguagePlayer(models[at], ask, words, is_bare)
        yield seats


def evaluate_enacttom(
    model: Any = None,
    seats: Sequence[Any] | None = None,
    *,
    log_dir: str | Path = "logs",
    limit: int | None = None,
    display: str = "none",
    config: dict[str, Any] | None = None,
    **options: Any,
) -> Evaluated:
    """Play household tasks with language models. The same call after a kill goes on, and plays no run twice.

    Args:
        model: of all seats that name none: a name, or a model of Inspect.
        seats: a player for each seat: a model, its name, a player of ours by name, or ``model`` for the one above.
        log_dir: where logs are written and looked for.
        limit: at most so many runs.
        display: how Inspect shows progress: full, rich, plain or none.
        config: how the models generate, such as temperature.
        options: of the task ``otherminds/enacttom``.

    Raises:
        UserError: if a seat has no player, or the run did not finish.
    """
    need_inspect()
    from otherminds.evals.inspect.enacttom import enacttom

    players = [model if isinstance(one, str) and one == LANGUAGE else one for one in (seats or [LANGUAGE])]
    if any(one is None for one in players):
        raise UserError("nobody plays a seat; name a model for all seats, or a player for each")
    told, models = seats_and_models(players)
    main, *others = models.values()
    how: dict[str, Any] = {"log_dir": log_dir, "limit": limit, "display": display, "config": config}
    (log,) = run_cast([enacttom(seats=told, **options)], main, models if others else None, **how)
    return evaluated(log)


def evaluated(log: Any) -> Evaluated:
    """What a whole log of the household task comes to."""
    runs = episodes_of(log)
    tasks = {run.config["task"] for run in runs}
    return Evaluated(log_path(log), len(runs), len(tasks), metrics_of(log), *tokens_used(log))
