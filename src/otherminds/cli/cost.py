"""The cost estimate and the confirmation that commands with language models share."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

from otherminds.cli.output import console, counted
from otherminds.core.errors import UserError
from otherminds.core.world import Item, World

if TYPE_CHECKING:
    from otherminds.llm.cost import CostEstimate


def announce_tables(
    world: World,
    tables: Sequence[Mapping[str, str]],
    items: Sequence[Item] | None,
    episodes: int,
    seed: int,
    budget: Mapping[str, Any],
    models: Mapping[str, Any],
) -> None:
    """Announce the estimated cost of the language models at several tables, each of which plays all episodes."""
    from otherminds.llm.cost import CostEstimate, estimate
    from otherminds.minds.find import is_spoken

    parts = [estimate(world, seats, items=items, episodes=episodes, seed=seed, **models) for seats in tables]
    total = CostEstimate(*map(sum, zip(*parts, strict=True)))
    names = list(dict.fromkeys(spec for seats in tables for spec in seats.values() if is_spoken(spec, world)))
    requests = f"about {counted(total.requests, 'request')} to {', '.join(names)} (more if requests have to be retried)"
    announce(f"{counted(total.episodes, 'episode')}, {requests}", total, names, **budget)


def rounded(tokens: int) -> int:
    """An estimate to two digits, since more would promise too much."""
    return int(float(f"{tokens:.1e}"))


def announce(
    what: str,
    total: CostEstimate,
    models: Iterable[str],
    *,
    price_in: float | None,
    price_out: float | None,
    yes: bool,
) -> None:
    """Print the planned requests and their cost, and ask for confirmation unless all models are free."""
    cost = total.price(price_in, price_out)
    price = "" if cost is None else f", about {cost:.2f} at these prices"
    tokens = f"about {rounded(total.tokens_in):,} input and {rounded(total.tokens_out):,} output tokens"
    console(stderr=True).print(f"{what}: {tokens}{price}", soft_wrap=True)
    confirm(models, yes=yes)


def confirm(models: Iterable[str], *, yes: bool) -> None:
    """Ask for confirmation, unless it was given or all models are free.

    Raises:
        UserError: if the input is not a terminal, so that nobody can confirm.
    """
    from otherminds.llm.models import is_free

    if yes or all(map(is_free, models)):
        return
    if not sys.stdin.isatty():
        raise UserError(
            "standard input is not a terminal, so the run cannot be confirmed; use --yes to start without confirmation"
        )
    if not typer.confirm("Start?", err=True):
        raise typer.Exit(1)
