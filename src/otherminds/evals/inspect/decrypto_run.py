"""Games of Decrypto with language models from Python and the command line: who plays what, what it takes, a run.

Each role is a language model of Inspect (``local``, or a name with a provider such as ``openai/gpt-4o-mini``) or a
player of ours. Runs are those of :func:`otherminds.evals.inspect.run.run_tasks`: the same call goes on after a kill.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
from otherminds.players.decrypto.seats import Seat
from otherminds.worlds.decrypto.types import ROLES, Role

ALL, LANGUAGE = "all", "model"
_SYSTEM, _MESSAGE, _QUESTION = 3000, 900, 1200  # letters of the rules, of a turn's message and of a question, about
_REPLY = 150  # tokens


@dataclass(frozen=True)
class Evaluated:
    """One finished task."""

    phrasing: str
    log: str  # the file
    games: int
    players: dict[str, str]
    metrics: dict[str, float | None]
    tokens_in: int
    tokens_out: int

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def decrypto_tasks(phrasing: str = "plain", **options: Any) -> list[Any]:
    """The task for each phrasing: one by name, several by commas, or ``all``; options are those of the task."""
    need_inspect()
    from otherminds.evals.inspect.decrypto import decrypto
    from otherminds.evals.inspect.decrypto_words import VERSION, phrasings

    names = list(dict.fromkeys(name.strip() for name in phrasing.split(",") if name.strip()))
    if phrasing == ALL:
        names = phrasings(options.get("prompts", VERSION))
    if not names:
        raise UserError(f"phrasing is {phrasing!r}; expected {', '.join(phrasings())}, or {ALL}")
    return [decrypto(phrasing=name, **options) for name in names]


def seats_and_models(players: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, Any]]:
    """What the task is told of each role, and the models by role.

    Raises:
        UserError: if no role is played by a language model.
    """
    models = {role: one for role, one in players.items() if not isinstance(one, str) or is_language_model(one)}
    if not models:
        raise UserError(
            "no role is played by a language model; name one with its provider, such as --eve openai/gpt-4o-mini, "
            "or try 'otherminds play decrypto' for other players"
        )
    return {role: LANGUAGE if role in models else str(one) for role, one in players.items()}, models


def takes(sample: Any) -> Takes:
    """What a game will take at most: no end before the last turn, and nothing asked twice."""
    about = sample.metadata or {}
    turns, questions = int(about["rules"]["turns"]), _questions(about)
    requests = letters = 0
    for role in ROLES:
        if about["seats"][role] != LANGUAGE:
            continue
        for turn in range(turns):
            before = _SYSTEM + turn * (_MESSAGE + _REPLY * LETTERS_A_TOKEN)
            asked = questions.get(role, 0)
            letters += before + _MESSAGE + asked * (before + _QUESTION)
            requests += 1 + asked
    return Takes(requests, letters // LETTERS_A_TOKEN, requests * _REPLY)


def _questions(about: Mapping[str, Any]) -> dict[str, int]:
    if not about["experiment"]:
        return {}
    from otherminds.evals.decrypto.read import find_experiment

    found: dict[str, int] = {}
    for ask in find_experiment(about["experiment"]).asks:
        found[ask.role] = found.get(ask.role, 0) + 1
    return found


@contextmanager
def speaking(models: Mapping[Role, str], timeout: int | None = None) -> Iterator[dict[Role, Seat]]:
    """Language models as players, for games that Inspect does not run, while a block lasts."""
    need_inspect()
    from otherminds.evals.inspect.calls import calling
    from otherminds.evals.inspect.decrypto_schema import response_schema
    from otherminds.evals.inspect.decrypto_words import load_words
    from otherminds.evals.inspect.local import MODEL
    from otherminds.players.decrypto.language import LanguagePlayer

    words = {name: prompt.text for name, prompt in load_words().items()}
    with ExitStack() as stack:
        found = stack.enter_context(resolved_by_role(models, {}))
        seats: dict[Role, Seat] = {}
        for role, model in found.items():
            is_bare = str(model) == MODEL
            ask = stack.enter_context(calling(model, timeout, response_schema if is_bare else None))
            seats[role] = LanguagePlayer(models[role], ask, words, is_bare)
        yield seats


def evaluate_decrypto(
    alice: Any = LANGUAGE,
    bob: Any = LANGUAGE,
    eve: Any = LANGUAGE,
    *,
    model: Any = None,
    log_dir: str | Path = "logs",
    phrasing: str = "plain",
    limit: int | None = None,
    display: str = "none",
    config: dict[str, Any] | None = None,
    **options: Any,
) -> list[Evaluated]:
    """Play games with language models in some roles. The same call after a kill goes on, and plays no game twice.

    Args:
        alice: a model, a player of ours by name, or ``model`` for the one of all roles.
        bob: the same.
        eve: the same.
        model: of all roles that name none: a name, or a model of Inspect.
        log_dir: where logs are written and looked for.
        phrasing: of the prompts; several by commas, or ``all``.
        limit: at most so many games of each phrasing.
        display: how Inspect shows progress: full, rich, plain or none.
        config: how the models generate, such as temperature.
        options: of the task ``otherminds/decrypto``.

    Raises:
        UserError: if a role has no player, or the run did not finish.
    """
    given = {"alice": alice, "bob": bob, "eve": eve}
    players = {role: model if one == LANGUAGE else one for role, one in given.items()}
    for role, one in players.items():
        if one is None:
            raise UserError(f"nobody plays {role}; name a model for all roles, or a player for this one")
    seats, models = seats_and_models(players)
    tasks = decrypto_tasks(phrasing, **seats, **options)
    main, *_ = models.values()
    logs = run_cast(tasks, main, models, log_dir=log_dir, limit=limit, display=display, config=config)
    return [evaluated(log) for log in logs]


def evaluated(log: Any) -> Evaluated:
    """What a whole log of the Decrypto task comes to."""
    games = episodes_of(log)
    return Evaluated(
        str(log.eval.task_args.get("phrasing", "")),
        log_path(log),
        len(games),
        dict(zip(ROLES, games[0].players, strict=True)) if games else {},
        metrics_of(log),
        *tokens_used(log),
    )
