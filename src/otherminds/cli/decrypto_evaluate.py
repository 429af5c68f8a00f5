"""Decrypto with language models on the command line: who plays which role, what it takes, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from otherminds.cli.models import Asking, Connections, LogDir, PriceIn, PriceOut, Temperature, Yes
from otherminds.cli.output import console, print_json
from otherminds.core.errors import UserError
from otherminds.players.decrypto.stored import RECORDED
from otherminds.worlds.decrypto.types import ROLES

_GAMES = ("turns", "won", "ended_by_miscommunication", "ended_by_interception")
_TURNS = ("decoded", "intercepted")


def evaluate(
    model: Annotated[
        str | None, typer.Option(help="In all roles that name nobody: local, or any model of Inspect.")
    ] = None,
    alice: Annotated[str | None, typer.Option(help="A model, or a player such as glove or rsa.")] = None,
    bob: Annotated[str | None, typer.Option(help="The same; recorded in a replay does what was done.")] = None,
    eve: Annotated[str | None, typer.Option(help="The same.")] = None,
    games: Annotated[int, typer.Option(help="How many; the same seeds give everybody the same games.", min=1)] = 32,
    seed: Annotated[int, typer.Option(help="Of the first game.")] = 0,
    kind: Annotated[str, typer.Option(help="Of keywords: all, concrete, abstract, or several by commas.")] = "all",
    bank: Annotated[Path | None, typer.Option(help="A file of keywords instead of ours.")] = None,
    experiment: Annotated[
        str, typer.Option(help="Asks or intervenes: smarties, three_mountains, hide, falsify, reveal, or a file.")
    ] = "",
    arm: Annotated[str, typer.Option(help="Of the experiment; all if not given.")] = "",
    replay: Annotated[Path | None, typer.Option(help="Games that were played; other roles do what was done.")] = None,
    phrasing: Annotated[
        str, typer.Option(help="plain, friendly, spies, structured, terse, several by commas, or all.")
    ] = "plain",
    prompts: Annotated[str, typer.Option(help="Version of the prompts.")] = "v1",
    form: Annotated[str, typer.Option(help="free: in words; schema: structured output; auto: as suits.")] = "auto",
    attempts: Annotated[int, typer.Option(help="Before a default stands for an answer.", min=1)] = 10,
    timeout: Annotated[int, typer.Option(help="Seconds after which a call costs an attempt; 0: none.", min=0)] = 120,
    hints: Annotated[str, typer.Option(help="Against the rules: off, report or strict.")] = "report",
    guesses: Annotated[str, typer.Option(help="With a digit twice: lenient or strict.")] = "strict",
    record: Annotated[Path | None, typer.Option(help="Write the games' records to this file as well.")] = None,
    limit: Annotated[int | None, typer.Option(help="At most so many games of each phrasing.", min=1)] = None,
    max_tokens: Annotated[int | None, typer.Option(help="That a model may write in a reply.", min=1)] = None,
    connections: Connections = None,
    temperature: Temperature = None,
    log_dir: LogDir = Path("logs"),
    price_in: PriceIn = None,
    price_out: PriceOut = None,
    yes: Yes = False,
    json: Annotated[bool, typer.Option("--json", help="Print for programs.")] = False,
) -> None:
    """Play Decrypto with language models in any roles. The same command goes on where it was stopped."""
    from otherminds.evals.inspect import decrypto_run as run
    from otherminds.evals.inspect.models import is_free
    from otherminds.evals.inspect.records import write_records
    from otherminds.evals.inspect.run import run_cast

    players = _players({"alice": alice, "bob": bob, "eve": eve}, model, replay)
    seats, models = run.seats_and_models(players)
    options: dict[str, Any] = {
        **seats,
        "games": games,
        "seed": seed,
        "kind": kind,
        "bank": str(bank) if bank else None,
        "experiment": experiment,
        "arm": arm,
        "replay": str(replay) if replay else None,
        "prompts": prompts,
        "form": form,
        "attempts": attempts,
        "timeout": timeout,
        "hints": hints,
        "guesses": guesses,
    }
    who = ", ".join(f"{role} {player}" for role, player in players.items())
    goes_ahead = yes or all(map(is_free, models.values()))
    asking = Asking(who, connections, temperature, log_dir, price_in, price_out, goes_ahead, json, limit)
    main, *_ = models.values()
    runner = partial(run_cast, model=main, roles=models, max_tokens=max_tokens)
    expected, logs = asking.run(run.decrypto_tasks(phrasing, **options), run.takes, runner)
    done = [run.evaluated(log) for log in logs]
    if record:
        write_records(logs, record)
    if json:
        print_json({"players": players, "plan": expected, "results": [one.to_json() for one in done]})
        return
    out = console()
    for one in done:
        out.print(f"[dim]{one.tokens_in} tokens read, {one.tokens_out} written; log: {one.log}[/dim]", soft_wrap=True)
    out.print(scores_grid(f"Decrypto, {who}", done))
    if record:
        out.print(f"records in {record}; look at them with: otherminds replay {record}", soft_wrap=True)


def _players(given: dict[str, str | None], model: str | None, replay: Path | None) -> dict[str, str]:
    """Who plays each role; in a replay, those who are not named do what was done."""
    usual = model if not replay else RECORDED
    found = {role: player or usual for role, player in given.items()}
    if replay and model:
        raise UserError("a replay needs to know which role is replaced: name it with --bob or --eve, not with --model")
    for role, player in found.items():
        if player is None:
            raise UserError(f"nobody plays {role}; give --model for all roles, or --{role}")
    return {role: str(player) for role, player in found.items()}


def scores_grid(title: str, done: Sequence[Any]) -> Table:
    """Scores side by side, a column for each phrasing; validity apart from skill."""
    grid = Table(title=title, title_justify="left")
    grid.add_column("score", no_wrap=True)
    for one in done:
        grid.add_column(f"{one.phrasing}\nn = {one.games}", justify="right")
    names = list(dict.fromkeys(name for one in done for name in one.metrics if not name.endswith("_stderr")))
    valid = [name for name in names if name.partition("_")[0] in ROLES]
    skill = [name for name in (*_GAMES, *_TURNS) if name in names]
    other = [name for name in names if name not in (*skill, *valid)]
    for part in (skill, other, valid):
        for name in part:
            grid.add_row(name.replace("_", " "), *(_cell(one.metrics, name) for one in done))
        grid.add_section()
    return grid


def _cell(metrics: dict[str, float | None], name: str) -> str:
    value, error = metrics.get(name), metrics.get(f"{name}_stderr")
    if value is None:
        return "-"
    return f"{value:.2f}" + ("" if error is None else f" [dim]±{error:.2f}[/dim]")
