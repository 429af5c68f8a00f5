"""Records of any world on the command line: replay and score."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from otherminds.cli.evaluate import summary_table
from otherminds.cli.options import Json, named_minds
from otherminds.cli.output import console, print_result, skipped_text
from otherminds.core.episodes import Episode, read_episodes, record_files
from otherminds.core.errors import UserError, nearest
from otherminds.core.files import write_whole
from otherminds.core.registry import find
from otherminds.core.world import World
from otherminds.results.table import Table
from otherminds.view import pixels, shapes
from otherminds.view.default_page import page_of, scene_of

File = Annotated[Path, typer.Argument(help="File of episode records, or a finished run directory.")]
Which = Annotated[str, typer.Option("--episode", help="Name of the episode, or its number from 0. [default: the last]")]


def replay(
    file: File,
    episode: Which = "",
    page: Annotated[
        Path | None,
        typer.Option("--page", help="File for the replay page (HTML). [default: FILE with the extension .html]"),
    ] = None,
    gif: Annotated[Path | None, typer.Option(help="File for an animation (GIF) of the episode.")] = None,
    png: Annotated[Path | None, typer.Option(help="File for a picture (PNG) of one turn; see --turn.")] = None,
    svg: Annotated[Path | None, typer.Option(help="File for a drawing (SVG) of one turn; see --turn.")] = None,
    turn: Annotated[
        int | None,
        typer.Option(help="Turn for --png, --svg, --text and --chain, from 0. [default: the last; for --text, all]"),
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="Print the states as text.")] = False,
    chain: Annotated[
        str | None,
        typer.Option(
            help="Print what the ledger says about a chain of seats: 'ann' for what ann can know, 'ann,ben' for "
            "what ann can know about what ben knows, '' for the truth."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show a recorded episode as a page, an animation, a picture or text, or query its belief ledger."""
    for flag, picture in (("gif", gif), ("png", png), ("svg", svg)):
        if picture and picture.suffix.lower() != f".{flag}":
            raise UserError(f"--{flag} is {str(picture)!r}; expected a name that ends in .{flag}")
    file = _of_run(file)
    episodes = read_episodes(file)
    chosen = _pick(episodes, episode)
    world = world_of(chosen)
    played = world.replay(chosen)
    last = len(played.states) - 1
    if turn is not None and not 0 <= turn <= last:
        raise UserError(f"--turn is {turn}; expected 0 to {last}")
    at = last if turn is None else turn
    state = played.states[at]
    if chain is not None:
        _ask(world, played, [name.strip() for name in chain.split(",") if name.strip()], at, json)
        return
    if text:
        for shown in played.states if turn is None else [state]:
            typer.echo(world.terminal(shown, played.params) + "\n")
    if page is None and not (text or svg or png or gif):
        page = file.with_suffix(".html")
    if svg:
        write_whole(svg, shapes.to_svg(scene_of(world, state, played.params)))
    if png:
        pixels.save_png(scene_of(world, state, played.params), png, scale=2)
    if gif:
        pixels.save_gif([scene_of(world, shown, played.params) for shown in played.states], gif)
    if page:
        write_whole(page, page_of(world, chosen, *world.beside(chosen, episodes)))
    files = [str(path) for path in (svg, png, gif, page) if path]
    content = {"episode": chosen.id, "world": chosen.world, "turns": last, "files": files}
    print_result(json, content, *(f"wrote {path}" for path in files))
    if chosen.end is None and not json:
        console(stderr=True).print(f"note: the record stops after turn {last}, before the episode ended")


def score(
    files: Annotated[list[Path], typer.Argument(help="Files of episode records, or folders of them.")],
    json: Json = False,
) -> None:
    """Summarise recorded episodes for each combination of minds."""
    groups: dict[tuple[str, ...], list[Episode]] = {}
    unfinished = 0
    records = record_files(files)
    if not records:
        raise UserError(f"there are no records in {', '.join(map(str, files))}; expected .jsonl files")
    for episode in (episode for path in records for episode in read_episodes(path)):
        if episode.end is None:
            unfinished += 1
            continue
        world_of(episode).check(episode)  # a record is replayed rather than trusted
        groups.setdefault((episode.world, *episode.minds.values()), []).append(episode)
    rows: list[dict[str, Any]] = []
    for (name, *minds), episodes in groups.items():
        world = world_of(episodes[0])
        seats = dict(zip(world.seats, minds, strict=False))
        rows.append({"world": name, "minds": seats, "summary": world.summary(episodes)})
    columns = {f"{row['world']}\n{named_minds(row['minds'])}": row["summary"] for row in rows}
    if not rows and not json:
        raise UserError(f"no episode in {', '.join(map(str, records))} is finished; nothing to summarise")
    notes = [skipped_text(unfinished)] if unfinished else []
    content = {"rows": rows, "unfinished": unfinished}
    print_result(json, content, summary_table(columns, "means over episodes", notes))


def world_of(episode: Episode) -> World:
    """The world that an episode was played in, with its options."""
    world: World = find("world", episode.world).load().of(episode)
    return world


def _of_run(path: Path) -> Path:
    """The newest record file of a run directory or an evaluation's folder, or the file itself."""
    if not path.is_dir():
        return path
    files = sorted((path / "episodes").glob("*.jsonl")) or sorted(path.glob("*.jsonl"))
    if not files:
        raise UserError(
            f"{path} contains no episodes; a run directory contains them in episodes/ once the run has finished"
        )
    return files[-1]


def _pick(episodes: list[Episode], wanted: str) -> Episode:
    if not wanted:
        return episodes[-1]
    if wanted.lstrip("-").isdecimal() and -len(episodes) <= int(wanted) < len(episodes):
        return episodes[int(wanted)]
    for episode in episodes:
        if episode.id == wanted:
            return episode
    numbers = "0" if len(episodes) == 1 else f"0 to {len(episodes) - 1}"
    hint = nearest(wanted, [episode.id for episode in episodes])
    hint = hint.replace("; expected one of ", f"; expected {numbers} or {'a name: ' * (len(episodes) > 1)}")
    raise UserError(f"there is no episode {wanted!r}{hint}")


def _ask(world: World, played: Any, chain: list[str], turn: int, json: bool) -> None:
    """Print what a chain of seats can know, beside the truth."""
    seen, truth = world.seen(played, chain, turn), world.seen(played, (), turn)
    who = " of what ".join(f"{seat} can know" for seat in chain) or "the truth"
    rows = [(name, seen.get(name, "-"), true) for name, true in truth.items()]
    table = Table(f"after turn {turn}: {who}", ["what", "supported", "true"], rows)
    print_result(json, {"chain": chain, "turn": turn, "supported": seen, "truth": truth}, table)
