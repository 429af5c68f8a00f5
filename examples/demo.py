"""The demo (``make demo``): scripted players beside the paper's heuristic row, then one episode to look at."""

from __future__ import annotations

import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

import otherminds
from otherminds.cli.output import progress
from otherminds.core.episodes import EpisodeWriter
from otherminds.core.files import write_whole
from otherminds.evals.symmtom_tables import Row, table_rows
from otherminds.players.symmtom.match import play_episode
from otherminds.view.shapes import save_gif, save_png
from otherminds.worlds.symmtom import draw
from otherminds.worlds.symmtom.page import replay_of, replay_page
from otherminds.worlds.symmtom.record import play_again
from otherminds.worlds.symmtom.types import Params

SETTINGS = ("n3_w6_c3", "n3_w6_c9", "n3_w12_c9", "n4_w6_c8", "n4_w12_c12")
PLAYERS = {
    "random": "no mind at all",
    "heuristic": "the paper's heuristic",
    "belief-zeroth": "knows itself only",
    "belief": "tracks what others know",
    "oracle": "is told what others know",
}
EPISODES = 5000
OUT = Path("out/demo")


def main() -> None:
    began = time.monotonic()
    console = Console(soft_wrap=True)
    console.print(
        "[bold]SymmToM[/bold]: everyone sees the board, nobody hears far. What is it worth to track what others know?"
    )
    with progress("playing", len(SETTINGS) * len(PLAYERS)) as advance:
        rows = table_rows(
            1, list(PLAYERS), SETTINGS, EPISODES, on_row=lambda row: advance(f"{row.player} in {row.setting}")
        )
    console.print(_table(rows))
    page, picture, animation, record = _episode()
    console.print(f"one episode of [bold]belief[/bold] players at n4_w12_c12, recorded in {record}:")
    console.print(f"  replay page  {page}   (open it in a browser: who believes what of whom, turn by turn)")
    console.print(f"  picture      {picture}")
    console.print(f"  animation    {animation}")
    console.print(
        f"[dim]{time.monotonic() - began:.0f} s. Next: .venv/bin/otherminds play symmtom --seat 0=human[/dim]"
    )


def _table(rows: list[Row]) -> Table:
    grid = Table(title=f"reward per agent, mean of {EPISODES} episodes", title_justify="left")
    grid.add_column("player", no_wrap=True)
    grid.add_column("")
    for setting in SETTINGS:
        grid.add_column(setting.replace("_", "\n"), justify="right", no_wrap=True, min_width=5)
    cells = {(row.player, row.setting): row for row in rows}
    for name, what in PLAYERS.items():
        grid.add_row(name, what, *(f"{cells[name, s].mean:.1f}" for s in SETTINGS))
        if name == "heuristic":
            published = (f"[cyan]{cells[name, s].paper:g}[/cyan]" for s in SETTINGS)
            grid.add_row("", "[cyan]as published[/cyan]", *published)
    return grid


def _episode() -> tuple[Path, Path, Path, Path]:
    OUT.mkdir(parents=True, exist_ok=True)
    record = OUT / "episodes.jsonl"
    record.unlink(missing_ok=True)
    params = Params.from_setting("n4_w12_c12")
    with EpisodeWriter(record) as writer:
        episode = play_episode(params, [otherminds.player("belief")] * params.num_agents, seed=1, writer=writer)
    states = play_again(episode).states
    page, picture, animation = OUT / "replay.html", OUT / "turn20.png", OUT / "episode.gif"
    write_whole(page, replay_page(replay_of(episode)))
    save_png(draw.scene(states[20], params), picture, scale=2)
    save_gif([draw.scene(state, params) for state in states], animation)
    return page, picture, animation, record


if __name__ == "__main__":
    main()
