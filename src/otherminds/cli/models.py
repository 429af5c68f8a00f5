"""What the commands that evaluate language models share: their options, the estimate before the start, and the run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from otherminds.cli.output import console
from otherminds.core.errors import UserError
from otherminds.core.world import Item, World

_PANEL = "Language model"


def option(*names: str, help: str, **kind: Any) -> Any:
    """An option of the command that is about language models, shown apart from the others."""
    return typer.Option(*names, help=help, rich_help_panel=_PANEL, **kind)


Retries = Annotated[int, option(help="How often to ask again after a reply that cannot be read.", min=0)]
Connections = Annotated[int | None, option(help="Requests at once.", min=1)]
Temperature = Annotated[float | None, option(help="The model's; its own default if not given.", min=0)]
LogDir = Annotated[Path, option(help="Where logs go and unfinished ones are looked for.")]
PriceIn = Annotated[float | None, option(help="Price of a million tokens that are read.", min=0)]
PriceOut = Annotated[float | None, option(help="Price of a million tokens that are written.", min=0)]
Yes = Annotated[bool, option("--yes", "-y", help="Start without asking.")]


@dataclass(frozen=True)
class Asking:
    """How a model is used, whatever it is asked."""

    model: str
    connections: int | None
    temperature: float | None
    log_dir: Path
    price_in: float | None
    price_out: float | None
    yes: bool
    json: bool
    limit: int | None = None

    def run(
        self, tasks: Sequence[Any], takes: Callable[[Any], Any], runner: Callable[..., list[Any]] | None = None
    ) -> tuple[dict[str, Any], list[Any]]:
        """Say what tasks will take, run them or go on with them, and give the estimate and their logs.

        ``runner`` takes the tasks and how to run them, where they need more than one model.
        """
        from otherminds.evals.inspect.models import is_free
        from otherminds.evals.inspect.run import plan, run_tasks

        expected = plan(tasks, takes, self.price_in, self.price_out, self.limit)
        _announce(expected, self.model, self.yes or is_free(self.model))
        config = {"max_connections": self.connections, "temperature": self.temperature}
        logs = (runner or partial(run_tasks, model=self.model))(
            tasks,
            log_dir=self.log_dir,
            limit=self.limit,
            display="rich" if sys.stderr.isatty() and not self.json else "none",
            config={name: value for name, value in config.items() if value is not None},
        )
        return expected.to_json(), logs


def announce(
    world: World,
    tables: Sequence[Mapping[str, str]],
    items: Sequence[Item] | None,
    episodes: int,
    seed: int,
    *,
    yes: bool,
    **how: Any,
) -> None:
    """Say what the language models at some tables will take, and ask whether to start where that may cost something.

    Raises:
        UserError: if nobody is there to confirm.
    """
    from otherminds.evals.inspect.models import is_free
    from otherminds.llm.cost import estimate
    from otherminds.minds.find import is_spoken

    parts = [estimate(world, seats, items=items, episodes=episodes, seed=seed, **how) for seats in tables]
    total = sum(parts[1:], parts[0])
    names = dict.fromkeys(spec for seats in tables for spec in seats.values() if is_spoken(spec, world))
    price = "" if total.price is None else f", about {total.price:.2f} at these prices"
    console(stderr=True).print(
        f"{total.episodes} episodes with {total.requests:,} requests for {', '.join(names)}: about "
        f"{total.tokens_in:,} tokens to read and {total.tokens_out:,} to write{price}",
        soft_wrap=True,
    )
    if yes or all(map(is_free, names)):
        return
    if not sys.stdin.isatty():
        raise UserError("nobody is there to confirm; start with --yes")
    if not typer.confirm("Start?", err=True):
        raise typer.Exit(1)


def _announce(expected: Any, model: str, goes_ahead: bool) -> None:
    """Say what it will take, and ask whether to start where that may cost something."""
    price = "" if expected.price is None else f", about {expected.price:.2f} at these prices"
    requests = "" if expected.requests in (None, expected.samples) else f" with {expected.requests:,} requests"
    console(stderr=True).print(
        f"{expected.samples} samples{requests} for {model}: about {expected.tokens_in:,} tokens to read and "
        f"{expected.tokens_out:,} to write{price}",
        soft_wrap=True,
    )
    if goes_ahead:
        return
    if not sys.stdin.isatty():
        raise UserError("nobody is there to confirm; start with --yes")
    if not typer.confirm("Start?", err=True):
        raise typer.Exit(1)


def announce(
    world: Any,
    teams: Sequence[Mapping[str, str]],
    items: Sequence[Any] | None,
    episodes: int,
    *,
    yes: bool = False,
    connections: int | None = None,  # noqa: ARG001  # it changes how long it takes, not what
    price_in: float | None = None,
    price_out: float | None = None,
    **models: Any,
) -> Any:
    """Print what the language models of all tables will take, and ask whether to start where that may cost something.

    Args:
        world: that is played.
        teams: minds by seat, for each table with a language model.
        items: to play; without them, episodes by seed.
        episodes: number of episodes, without items.
        yes: start without asking.
        connections: requests at once.
        price_in: of a million tokens that are read.
        price_out: of a million tokens that are written.
        models: how language models are used, see :class:`otherminds.llm.options.ModelOptions`.

    Raises:
        UserError: if somebody must be asked and nobody is there.
    """
    from otherminds.evals.inspect.models import is_free
    from otherminds.llm.cost import estimate
    from otherminds.minds.find import is_spoken

    prices = {"price_in": price_in, "price_out": price_out}
    costs = [estimate(world, seats, items=items, episodes=episodes, **prices, **models) for seats in teams]
    total = sum(costs[1:], costs[0])
    names = list(dict.fromkeys(spec for seats in teams for spec in seats.values() if is_spoken(spec, world)))
    price = "" if total.price is None else f", about {total.price:.2f} at these prices"
    console(stderr=True).print(
        f"{total.episodes} episodes with up to {total.requests:,} requests to {', '.join(names)}: about "
        f"{total.tokens_in:,} tokens to read and {total.tokens_out:,} to write{price}",
        soft_wrap=True,
    )
    if yes or all(map(is_free, names)):
        return total
    if not sys.stdin.isatty():
        raise UserError("nobody is there to confirm; start with --yes")
    if not typer.confirm("Start?", err=True):
        raise typer.Exit(1)
    return total
