"""``otherminds audit contamination``: has a model memorised a set of stories?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from otherminds.cli import options
from otherminds.cli.cost import confirm
from otherminds.cli.output import print_result


def contamination(
    model: Annotated[str, typer.Argument(help="Language model, such as openai/gpt-5 or local.")],
    set: options.Settings = None,
    suite: options.Suite = "standard",
    out: options.LogFolder = Path("logs"),
    connections: options.Connections = None,
    yes: options.Yes = False,
    json: options.Json = False,
) -> None:
    """Let a model complete stories of ToMi from their first halves: one that reproduces a public set has seen it."""
    from otherminds.worlds.tomi.evals.contamination import evaluate_contamination

    confirm([model], yes=yes)
    result = evaluate_contamination(
        model, options.parse_settings(set), suite=suite, log_dir=out, connections=connections
    )
    share, stories = result["reproduced"], result["stories"]
    line = f"{share:.1%} of the held-back sentences of {stories} stories were reproduced word for word"
    print_result(json, result, line)
