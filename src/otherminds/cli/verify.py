"""``otherminds verify``: check records, items and worlds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from otherminds.cli.options import Json, Settings, open_world
from otherminds.cli.output import counted, print_json
from otherminds.cli.records import world_of
from otherminds.core.episodes import read_episodes
from otherminds.core.errors import UserError, nearest
from otherminds.core.registry import entries, split_version


class Verifier(NamedTuple):
    """The proofs that a world adds to the checks of every world. Registered as kind ``verifier``."""

    prove: Callable[..., list[dict[str, Any]]]  # proves items by name or file; each result says whether it ``holds``
    check: Callable[[list[str]], Any] = len  # refuses names that it does not know
    owns: Callable[[Path], int] = lambda _: 0  # how many fields of its items a file has; 0 if it cannot be one


def verify(
    target: Annotated[str, typer.Argument(help="World, file of episode records, or file of an item.")],
    set: Settings = None,
    items: Annotated[
        str,
        typer.Option("--items", help="Items whose claims to prove: names or files separated by commas, all, or none."),
    ] = "all",
    seconds: Annotated[float, typer.Option(help="Time limit for each query to a solver, in seconds.", min=0)] = 120.0,
    write: Annotated[bool, typer.Option("--write", help="Write new certificates into the item files.")] = False,
    judged: Annotated[
        bool,
        typer.Option(
            "--judge", help="Also check that every part of an item is needed (only in worlds with a formal judge)."
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Check records against the rules, claims about items against proofs, or a world against its contract."""
    worlds = [entry.name for entry in entries("world")]
    how: dict[str, Any] = {"seconds": seconds, "write": write, "judged": judged, "json": json}
    if target in worlds or target in [split_version(name)[0] for name in worlds]:
        _verify_world(target, set, items, how)
    elif Path(target).suffix in (".yaml", ".yml", ".json"):
        _verify_file(Path(target), how)
    elif Path(target).exists():
        _verify_record(Path(target), json)
    else:
        listed = [entry for kind in ("task", "scenario") for entry in entries(kind) if entry.name == target]
        advice = "".join(f"; run 'otherminds verify {item.world} --items {target}'" for item in listed)
        raise UserError(f"{target!r} is neither a file nor a world{advice or nearest(target, worlds)}")


def _verify_world(name: str, settings: list[str] | None, items: str, how: dict[str, Any]) -> None:
    from otherminds.testing import check_world

    world = open_world(name, settings)
    verifiers = [entry.load() for entry in entries("verifier", name)] if items != "none" else []
    names = [word.strip() for word in items.split(",") if word.strip()]
    for verifier in verifiers:
        verifier.check(names)  # before anything that takes long
    report = check_world(world, raises=False)
    if not how["json"]:
        typer.echo(report.to_text())
    proved = [item for verifier in verifiers for item in verifier.prove(names, **how)]
    if how["json"]:
        print_json({**report.to_dict(), "items": proved})
    if not report.passed or not all(item["holds"] for item in proved):
        raise typer.Exit(1)


def _verify_file(path: Path, how: dict[str, Any]) -> None:
    """The file of an item: the world whose items it resembles most proves it."""
    verifiers: list[Verifier] = [entry.load() for entry in entries("verifier")]
    owner = max(verifiers, key=lambda verifier: verifier.owns(path))
    if not owner.owns(path):
        raise UserError(f"{path} is neither a scenario file nor a task file; see docs/howto for the file formats")
    proved = owner.prove([str(path)], **how)
    if how["json"]:
        print_json({"items": proved})
    if not all(item["holds"] for item in proved):
        raise typer.Exit(1)


def count_fields(path: Path, names: Iterable[str]) -> int:
    """How many of some fields a YAML or JSON file has; it need not be valid, nor even readable as such."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return 0
    start = r"[{,]\s*" if text.lstrip().startswith("{") else "^"
    fields = re.findall(rf"""{start}["']?(\w+)["']?\s*:""", text, re.MULTILINE)
    return sum(name in fields for name in names)


def _verify_record(path: Path, json: bool) -> None:
    episodes = read_episodes(path)
    turns = sum(world_of(episode).check(episode) for episode in episodes)
    if json:
        print_json({"episodes": len(episodes), "turns": turns})
    else:
        typer.echo(f"{counted(len(episodes), 'episode')} ({counted(turns, 'turn')}): consistent with the rules")
