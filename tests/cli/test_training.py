"""Trainings and sweeps on the command line: who stops one is told, and what finishes is kept at once."""

from __future__ import annotations

import errno
import json
import os
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest
import typer

from otherminds.cli.main import main
from otherminds.cli.training import run_sweep, sweep_board, training_bar
from otherminds.core.errors import UserError
from otherminds.run import Job, local
from otherminds.run.sweep import Progress
from tests.run import toy


def test_who_interrupts_a_training_is_told_that_it_can_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as stopped, training_bar("agents", str):
        raise KeyboardInterrupt
    assert stopped.value.exit_code == 130
    assert "run the same command again to resume" in capsys.readouterr().err


def test_a_disk_that_fails_ends_in_one_message(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With another exit code than a user's mistake: sweeps try such a run again."""

    fails = OSError(errno.EIO, os.strerror(errno.EIO), "run/metrics.jsonl")
    monkeypatch.setattr("otherminds.cli.main.make_app", Mock(side_effect=fails))
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    assert capsys.readouterr().err.startswith("error: Input/output error (run/metrics.jsonl); fix this")


def test_what_finishes_is_kept_while_others_run(tmp_path: Path) -> None:
    jobs = [toy.job(tmp_path / name) for name in "abc"]
    kept: list[str] = []
    seen: list[tuple[list[str], str]] = []

    def copy(job: Job) -> None:
        if job.name == "b":
            raise UserError("the disk is full")
        kept.append(job.name)

    with sweep_board(jobs, copy) as (show, failed):

        def on_change(progress: Progress) -> None:
            show(progress)
            seen.append((list(kept), progress.jobs[-1].status))

        local.launch(jobs, cores=1, on_change=on_change, refresh=0.05)
    assert kept == ["a", "c"], "each once, and the others although one is not"
    assert (["a"], "running") in seen
    assert failed == {"b": "results not kept: the disk is full"}


def test_what_had_finished_before_is_kept_too(tmp_path: Path) -> None:
    jobs = [toy.job(tmp_path / "a")]
    local.launch(jobs)
    kept: list[str] = []
    with sweep_board(jobs, lambda job: kept.append(job.name)) as (show, _):
        local.launch(jobs, on_change=show)
    assert kept == ["a"]


def test_what_is_kept_from_before_counts_as_finished_and_is_neither_run_nor_copied(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    jobs = [replace(toy.job(tmp_path / name), config={"name": name}) for name in "ab"]
    copied: list[str] = []
    run_sweep(
        jobs,
        True,
        lambda config, folder: folder / "a.json" if config["name"] == "a" else None,
        lambda job, folder: copied.append(job.name),
        keep=tmp_path,
    )
    shown = capsys.readouterr()
    assert "1 of 2 runs already have results in" in shown.err
    assert json.loads(shown.out)["finished"] == ["a", "b"]
    assert copied == ["b"]
    assert not (tmp_path / "a").exists()
