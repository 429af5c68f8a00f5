"""Episode records on the command line: replay, score, verify."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.table import Table

from otherminds.cli.enacttom import is_task, verify_task
from otherminds.cli.output import console, print_json
from otherminds.core.episodes import Episode, read_episodes
from otherminds.core.errors import UserError, nearest
from otherminds.core.files import write_whole
from otherminds.core.registry import entries, find, split_version

File = Annotated[Path, typer.Argument(help="A record written by 'otherminds play', or a finished run directory.")]
Which = Annotated[str, typer.Option("--episode", help="An episode's name or number; the last by default.")]
Json = Annotated[bool, typer.Option("--json", help="Print for programs.")]


def replay(
    file: File,
    episode: Which = "",
    html: Annotated[Path | None, typer.Option(help="Write the replay page here (the default action).")] = None,
    gif: Annotated[Path | None, typer.Option(help="Write the episode as an animation.")] = None,
    png: Annotated[Path | None, typer.Option(help="Write one turn as a picture.")] = None,
    svg: Annotated[Path | None, typer.Option(help="Write one turn as a drawing.")] = None,
    turn: Annotated[int | None, typer.Option(help="Which turn to draw or to ask about; the last by default.")] = None,
    text: Annotated[bool, typer.Option("--text", help="Print every turn here instead.")] = False,
    chain: Annotated[
        str | None,
        typer.Option(
            help="Ask the ledger who knows what: '' the truth, '0' as agent 0 can tell, '0,1' as 0 can tell of 1, …; "
            "alice, bob and eve in Decrypto, people by name in EnactToM"
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Look at a recorded episode: page, animation, picture, text, or a question to the ledger."""
    file = _of_run(file)
    episodes = read_episodes(file)
    chosen = _pick(episodes, episode)
    world = _world(chosen)
    played = world.play_again(chosen)
    last = len(played.states) - 1
    if turn is not None and not 0 <= turn <= last:
        raise UserError(f"turn {turn} is not in the episode; expected 0 to {last}")
    state = played.states[last if turn is None else turn]
    if chain is not None:
        _ask(world, played, chain, last if turn is None else turn, json)
        return
    written: list[Path] = []
    if text:
        for each in played.states if turn is None else [state]:
            typer.echo(world.terminal(each, played.params) + "\n")
    if svg:
        from otherminds.view.shapes import to_svg

        write_whole(svg, to_svg(world.scene(state, played.params)))
        written.append(svg)
    if png:
        from otherminds.view.shapes import save_png

        save_png(world.scene(state, played.params), png, scale=2)
        written.append(png)
    if gif:
        from otherminds.view.shapes import save_gif

        save_gif([world.scene(each, played.params) for each in played.states], gif)
        written.append(gif)
    if html or not (text or written):
        page = html or file.with_suffix(".html")
        beside = world.beside(chosen, episodes) if hasattr(world, "beside") else ()
        write_whole(page, world.page(chosen, *beside))
        written.append(page)
    if json:
        print_json({"episode": chosen.id, "turns": last, "files": [str(path) for path in written]})
    else:
        for path in written:
            typer.echo(f"wrote {path}")
        if chosen.end is None:
            console(stderr=True).print(f"note: the record stops after turn {last} of {played.params.num_turns}")


def score(
    files: Annotated[list[Path], typer.Argument(help="Records written by 'otherminds play'.")],
    json: Json = False,
) -> None:
    """Sum up recorded episodes by player: reward and every metric, people beside agents."""
    rows: dict[tuple[str, str], list[dict[str, float]]] = {}
    cut = 0
    for path in files:
        for episode in read_episodes(path):
            if episode.end is None:
                cut += 1
                continue
            played = _world(episode).play_again(episode)
            if not hasattr(played, "tally"):
                name = split_version(episode.world)[0]
                raise UserError(f"{path} is a record of {name}; sum it up with: otherminds score {name} {path}")
            tally, setting = played.tally()._asdict(), played.params.setting
            for i, player in enumerate(episode.players):
                rows.setdefault((player, setting), []).append({name: float(v[i]) for name, v in tally.items()})
    summary = [
        {"player": player, "setting": setting, "seats": len(found)}
        | {name: float(np.mean([one[name] for one in found])) for name in found[0]}
        for (player, setting), found in rows.items()
    ]
    if json:
        print_json({"rows": summary, "unfinished": cut})
        return
    grid = Table(title="means per seat and episode", title_justify="left")
    grid.add_column("metric")
    for row in summary:
        grid.add_column(f"{row['player']}\n{row['setting']}\nseats: {row['seats']}", justify="right")
    for name in [name for name in (summary[0] if summary else {}) if name not in ("player", "setting", "seats")]:
        grid.add_row(name.replace("_", " "), *(f"{row[name]:.2f}" for row in summary))
    out = console()
    out.print(grid)
    if cut:
        out.print(f"{cut} unfinished episodes were left out")


def verify(
    target: Annotated[str, typer.Argument(help="A record, a scenario's or a task's file, or a world such as symmtom.")],
    scenarios: Annotated[
        str, typer.Option(help="Of a world: which tests to prove, by commas; all, twins, paper or none.")
    ] = "all",
    write: Annotated[bool, typer.Option("--write", help="Put new certificates into the files.")] = False,
    judged: Annotated[bool, typer.Option("--judge", help="Of a task: say if everything in it matters.")] = False,
    seconds: Annotated[float, typer.Option(help="Of a task: time for each question to the solver.", min=0)] = 120.0,
    setting: Annotated[str, typer.Option(help="The setting of the world.")] = "n3_w6_c3",
    set: Annotated[list[str] | None, typer.Option("--set", help="A parameter of the world, name=value.")] = None,
    json: Json = False,
) -> None:
    """Check that a record follows from the rules, that scenarios and tasks hold, or that a world keeps its promises."""
    worlds = [entry.name for entry in entries("world")]
    is_world = target in worlds or target in [split_version(name)[0] for name in worlds]
    if not is_world and is_task(target):
        verify_task(Path(target), seconds, write, judged, json)
        return
    if not is_world and Path(target).suffix == ".yaml":
        _prove([target], write, json)
        return
    if not is_world and Path(target).exists():
        found = read_episodes(target)
        turns = sum(map(_follows, found))
        if json:
            print_json({"episodes": len(found), "turns": turns})
        else:
            typer.echo(f"episodes: {len(found)}, turns: {turns}; every one follows from the rules")
        return
    if not is_world:
        raise UserError(f"{target!r} is neither a file nor a world{nearest(target, worlds)}")
    name = split_version(target)[0]
    if name == "tomi":
        _agree(json)
        return
    if name == "enacttom":
        from otherminds.worlds.enacttom.read import find_task, task_names

        fails = []
        for task in task_names():
            try:
                verify_task(find_task(task), seconds, write, judged, json)
            except typer.Exit:
                fails.append(task)
        if fails:
            raise UserError(f"not all is well with {', '.join(fails)}")
        return
    if name == "decrypto":
        raise UserError("decrypto is no environment with promises to check; verify a record of its games instead")
    from otherminds import make
    from otherminds.cli.symmtom import parse_names, parse_switches
    from otherminds.testing import check_env

    names = parse_names(scenarios)
    if names != ["none"]:
        from otherminds.worlds.symmtom.scenarios.items import find_scenarios

        find_scenarios(names)  # before anything that takes long
    report = check_env(make(target, setting=setting, **parse_switches(set or [])), raises=False)
    if not json:
        typer.echo(report.to_text())
    proved = _proofs(names, write, json) if names != ["none"] else []
    if json:
        print_json({**report.to_dict(), "scenarios": proved})
    if not report.passed:
        raise typer.Exit(1)


def _agree(json: bool, number: int = 3000) -> None:
    """Both solvers of ToMi on fresh stories."""
    from otherminds.worlds.tomi.world import disagreements

    found = disagreements(0, number)
    if json:
        print_json({"stories": number, "disagreements": found})
    else:
        typer.echo(f"{number:,} stories to order 4: ledger and perspectives disagree {found} times")
    if found:
        raise typer.Exit(1)


def _prove(names: list[str], write: bool, json: bool) -> None:
    proved = _proofs(names, write, json)
    if json:
        print_json({"scenarios": proved})


def _proofs(names: list[str], write: bool, json: bool) -> list[dict[str, Any]]:
    from otherminds.cli.symmtom_scenarios import verify_scenarios

    return verify_scenarios(names, write=write, json=json)


def _follows(episode: Episode) -> int:
    """The turns of a record that follows from the rules, answers that it expects included."""
    world = _world(episode)
    played = world.play_again(episode)
    if hasattr(world, "check_answers"):
        world.check_answers(played, episode)
    return len(played.actions)


def _of_run(path: Path) -> Path:
    """The episodes of a run directory, or the file itself."""
    if not path.is_dir():
        return path
    found = sorted((path / "episodes").glob("*.jsonl"))
    if not found:
        raise UserError(f"{path} holds no episodes; a run directory has them in episodes/ when it has finished")
    return found[-1]


def _world(episode: Episode) -> Any:
    return find("world", episode.world).load()


def _pick(episodes: list[Episode], wanted: str) -> Episode:
    if not wanted:
        return episodes[-1]
    if wanted.lstrip("-").isdecimal() and -len(episodes) <= int(wanted) < len(episodes):
        return episodes[int(wanted)]
    for episode in episodes:
        if episode.id == wanted:
            return episode
    raise UserError(
        f"there is no episode {wanted!r} among {len(episodes)}{nearest(wanted, [episode.id for episode in episodes])}"
    )


def _ask(world: Any, played: Any, chain: str, turn: int, json: bool) -> None:
    if hasattr(world, "seen"):
        _ask_seen(world, played, [name.strip() for name in chain.split(",") if name.strip()], turn, json)
        return
    try:
        agents = [int(name) for name in chain.split(",") if name.strip()]
    except ValueError as error:
        raise UserError(f"--chain {chain!r} is not a list of agents by commas, such as 0 or 0,1") from error
    supported, truth = (world.probe(played, along, turn) for along in (agents, ()))
    if json:
        print_json({"chain": agents, "turn": turn, "supported": supported, "truth": truth})
        return
    who = " of what ".join(f"agent {a} can tell" for a in agents) or "the truth"
    grid = Table("agent", "supported", "true", title=f"who knows what after turn {turn}: {who}", title_justify="left")
    for i, (believed, true) in enumerate(zip(supported, truth, strict=True)):
        grid.add_row(str(i), " ".join(map(str, believed)) or "-", " ".join(map(str, true)) or "-")
    console().print(grid)


def _ask_seen(world: Any, played: Any, roles: list[str], turn: int, json: bool) -> None:
    """The same where the ledger keeps what was seen, by name."""
    seen, truth = world.seen(played, roles, turn), world.seen(played, (), turn)
    if json:
        print_json({"chain": roles, "turn": turn, "supported": seen, "truth": truth})
        return
    who = " of what ".join(f"{role} has seen" for role in roles) or "the truth"
    grid = Table("what", "seen", "true", title=f"after turn {turn}: {who}", title_justify="left")
    for name, true in truth.items():
        grid.add_row(name, seen.get(name, "-"), true)
    console().print(grid)
