"""The demo (``make demo``): an agent learns to track what others know, overtakes the paper, and is played back."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from otherminds.cli.output import progress
from otherminds.core.episodes import read_episodes
from otherminds.core.files import write_whole
from otherminds.view.pixels import save_gif, save_png
from otherminds.worlds.symmtom import draw
from otherminds.worlds.symmtom.evals.tables import paper_tables, table_rows
from otherminds.worlds.symmtom.learn.train import EPISODES as RECORDED
from otherminds.worlds.symmtom.learn.train import resolve, run_training
from otherminds.worlds.symmtom.minds.learned import load_agent
from otherminds.worlds.symmtom.page import episode_page
from otherminds.worlds.symmtom.record import play_again

SETTING = "n3_w6_c3"
TRAINING_EPISODES = 30_720
PLAYERS = {
    "random": "no mind at all",
    "heuristic": "the paper's heuristic",
    "belief:rule=zeroth": "a script that knows itself only",
    "belief": "a script that tracks what others know",
    "oracle": "a script that is told what others know",
}
EPISODES = 5000
OUT = Path("out/demo")


def main() -> None:
    began = time.monotonic()
    console = Console(soft_wrap=True)
    console.print(
        f"[bold]SymmToM[/bold], {SETTING}: everyone sees the board, nobody hears far. "
        "What is it worth to track what others know?"
    )
    with progress("playing", len(PLAYERS)) as advance:
        rows = table_rows(1, list(PLAYERS), [SETTING], EPISODES, advance=advance)
    scripted = {row["player"]: row["mean"] for row in rows}
    published = {model: cells[SETTING]["value"] for model, cells in paper_tables()["table1"]["models"].items()}
    marks = {
        "the paper's MADDPG": published["MADDPG"],
        "the paper's Oracle": published["MADDPG-Oracle"],
        **{PLAYERS[name]: scripted[name] for name in ("heuristic", "belief", "oracle")},
    }
    score = _train(console, marks)["evaluation"]["reward"]
    console.print(_table(published, scripted, score))
    page, picture, animation = _pictures()
    console.print("an episode of the trained agents:")
    console.print(f"  replay page  {page}   (open it in a browser: who believes what of whom, turn by turn)")
    console.print(f"  picture      {picture}")
    console.print(f"  animation    {animation}")
    console.print(
        f"[dim]{time.monotonic() - began:.0f} s. Next: "
        f".venv/bin/otherminds play symmtom --mind {OUT / 'run'} --seat agent_0=human[/dim]"
    )


def _train(console: Console, marks: dict[str, float]) -> dict[str, Any]:
    """Train with a line for every few chunks, and one whenever a mark is passed."""
    console.print(
        "\nlearning from scratch: PPO with attentive beliefs, each agent by its own percepts (about 2 minutes)"
    )
    shutil.rmtree(OUT / "run", ignore_errors=True)
    ahead = dict(sorted(marks.items(), key=lambda mark: mark[1]))
    start = time.monotonic()

    def show(chunk: Any) -> None:
        reward, step = chunk.row["reward"], chunk.row["step"]
        passed = [name for name, value in ahead.items() if reward > value]
        for name in passed:
            console.print(f"  [green]{reward:5.1f}  above {name} ({ahead.pop(name):.0f})[/green]")
        if not passed and step % 5 == 0:
            bar = "█" * round(reward / 3)
            note = f"{chunk.row['episodes']:>6,} episodes, {time.monotonic() - start:3.0f} s"
            console.print(f"  [dim]{reward:5.1f}  {bar} {note}[/dim]")

    config = resolve(SETTING, "ppo", "attentive", options={"episodes": TRAINING_EPISODES})
    return run_training(config, OUT / "run", on_chunk=show)


def _table(published: dict[str, float], scripted: dict[str, float], score: float) -> Table:
    grid = Table("who plays", "reward per agent", title=f"{SETTING}, mean over fresh episodes", title_justify="left")
    grid.columns[1].justify = "right"
    for model, value in published.items():
        if model != "Heuristic":
            grid.add_row(f"[cyan]{model}, as published[/cyan]", f"[cyan]{value:g}[/cyan]")
    for name, what in PLAYERS.items():
        grid.add_row(what, f"{scripted[name]:.1f}")
    grid.add_row("[bold]what was just trained[/bold]", f"[bold]{score:.1f}[/bold]")
    return grid


def _pictures() -> tuple[Path, Path, Path]:
    agent = load_agent(OUT / "run")
    episode = read_episodes(OUT / "run" / RECORDED)[-1]
    states, params = play_again(episode).states, agent.mind.params
    page, picture, animation = OUT / "replay.html", OUT / "turn20.png", OUT / "episode.gif"
    write_whole(page, episode_page(episode))
    save_png(draw.scene(states[20], params), picture, scale=2)
    save_gif([draw.scene(state, params) for state in states], animation)
    return page, picture, animation


if __name__ == "__main__":
    main()
