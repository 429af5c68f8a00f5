"""The cost estimate and the confirmation that commands with language models share."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

from otherminds.cli.output import console, counted
from otherminds.core.errors import UserError
from otherminds.core.world import Item, World

if TYPE_CHECKING:
    from otherminds.llm.cost import CostEstimate


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
    from otherminds.minds.find import is_spoken

    parts = [estimate(world, seats, items=items, episodes=episodes, seed=seed, **how) for seats in tables]
    total = CostEstimate(*map(sum, zip(*parts, strict=True)))
    names = list(dict.fromkeys(spec for seats in tables for spec in seats.values() if is_spoken(spec, world)))
    requests = f"about {counted(total.requests, 'request')} to {', '.join(names)} (more if replies must be repeated)"
    announce_cost(
        f"{counted(total.episodes, 'episode')}, {requests}", total, names,
        price_in=price_in, price_out=price_out, yes=yes,
    )  # fmt: skip


def announce_cost(
    what: str,
    total: CostEstimate,
    models: Sequence[str],
    *,
    price_in: float | None,
    price_out: float | None,
    yes: bool,
) -> None:
    """Print what is going to be asked and its cost, and ask for confirmation unless all models are free.

    Raises:
        UserError: if the input is not a terminal, so that nobody can confirm.
    """
    from otherminds.llm.models import is_free

    cost = total.price(price_in, price_out)
    price = "" if cost is None else f", about {cost:.2f} at these prices"
    tokens = f"about {total.tokens_in:,} input and {total.tokens_out:,} output tokens"
    console(stderr=True).print(f"{what}: {tokens}{price}", soft_wrap=True)
    confirm(yes or all(map(is_free, models)))


def confirm(goes_ahead: bool) -> None:
    """Ask for confirmation, unless it was given."""
    if goes_ahead:
        return
    if not sys.stdin.isatty():
        raise UserError(
            "standard input is not a terminal, so the run cannot be confirmed; use --yes to start without confirmation"
        )
    if not typer.confirm("Start?", err=True):
        raise typer.Exit(1)
