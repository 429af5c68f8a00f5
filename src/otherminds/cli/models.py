"""The cost estimate that commands with language models share, and the contamination test."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from otherminds.cli import options
from otherminds.cli.output import console, print_json
from otherminds.core.errors import UserError
from otherminds.core.world import Item, World


def announce(
    world: World,
    tables: Sequence[Mapping[str, str]],
    items: Sequence[Item] | None,
    episodes: int,
    seed: int,
    *,
    price_in: float | None,
    price_out: float | None,
    yes: bool,
    **how: Any,
) -> None:
    """Print the estimated cost of the language models, and ask for confirmation unless they are free.

    Raises:
        UserError: if the input is not a terminal, so that nobody can confirm.
    """
    from otherminds.llm.cost import CostEstimate, estimate
    from otherminds.llm.models import is_free
    from otherminds.minds.find import is_spoken

    parts = [estimate(world, seats, items=items, episodes=episodes, seed=seed, **how) for seats in tables]
    total = CostEstimate(*map(sum, zip(*parts, strict=True)))
    cost = total.price(price_in, price_out)
    names = dict.fromkeys(spec for seats in tables for spec in seats.values() if is_spoken(spec, world))
    price = "" if cost is None else f", about {cost:.2f} at these prices"
    console(stderr=True).print(
        f"{total.episodes} episodes with up to {total.requests:,} requests to {', '.join(names)}: about "
        f"{total.tokens_in:,} tokens to read and {total.tokens_out:,} to write{price}",
        soft_wrap=True,
    )
    _confirm(yes or all(map(is_free, names)))


def contamination(
    model: Annotated[str, typer.Argument(help="Language model, such as openai/gpt-5 or local.")],
    set: options.Settings = None,
    suite: options.Suite = "standard",
    out: Annotated[
        Path, typer.Option("--out", help="Folder for the logs. Run the same command again to resume.")
    ] = Path("logs"),
    connections: options.Connections = None,
    yes: options.Yes = False,
    json: options.Json = False,
) -> None:
    """Let a model complete stories of ToMi from their first halves: one that reproduces a public set has seen it."""
    from otherminds.llm.contamination import evaluate_contamination
    from otherminds.llm.models import is_free

    _confirm(yes or is_free(model))
    found = evaluate_contamination(
        model, options.parse_settings(set), suite=suite, log_dir=out, connections=connections
    )
    if json:
        print_json(found)
        return
    share, stories = found["reproduced"], found["stories"]
    console().print(f"{share:.1%} of the held-back sentences of {stories} stories were reproduced word for word")


def _confirm(goes_ahead: bool) -> None:
    """Ask for confirmation, unless it was given."""
    if goes_ahead:
        return
    if not sys.stdin.isatty():
        raise UserError("standard input is not a terminal, so nobody can confirm; start with --yes")
    if not typer.confirm("Start?", err=True):
        raise typer.Exit(1)
