"""The local launcher: real processes on cores of their own, that fail, die and are stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from otherminds.core.errors import UserError
from otherminds.run import Job, Progress, RunDirectory, local
from tests.run import toy

LAUNCH = """
import json, sys
from pathlib import Path
from otherminds.run import local
from tests.run import toy
folder = Path(sys.argv[1])
jobs = [toy.job(folder / name, "--gate", folder / "open") for name in sys.argv[2:]]
summary = local.launch(jobs, cores=1)
print(json.dumps([summary.finished, summary.stopped, summary.message]))
"""
ROOT = Path(__file__).parents[2]
NUM_CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0


@pytest.fixture(autouse=True)
def own_claims(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Claims on cores are kept in the temporary folder; with one of their own, tests do not meet real sweeps."""
    (tmp_path / "claims").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "claims"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)


def note(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((out.with_name(f"{out.name}-notes") / "note.json").read_text())
    return found


def tries(out: Path) -> int:
    return (out / "log.txt").read_text().count(f"--- {out}")


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return "State:\tZ" not in Path(f"/proc/{process}/status").read_text() if Path("/proc/self").exists() else True


def test_all_jobs_finish_and_a_second_launch_starts_none(tmp_path: Path) -> None:
    jobs = [toy.job(tmp_path / name, seed=seed) for seed, name in enumerate("abc")]
    seen: list[Progress] = []
    summary = local.launch(jobs, cores=1, on_change=seen.append)
    assert summary.finished == ("a", "b", "c")
    assert (summary.failed, summary.stopped) == ({}, ())
    for seed, name in enumerate("abc"):
        toy.train(tmp_path / "whole" / name, seed=seed)
        assert toy.result(tmp_path / name) == toy.result(tmp_path / "whole" / name)
    assert [job.status for job in seen[0].jobs] == ["running", "waiting", "waiting"]
    assert [job.status for job in seen[-1].jobs] == ["finished"] * 3
    assert seen[-1].percent == 100
    assert all(sum(job.status == "running" for job in progress.jobs) <= 1 for progress in seen)
    assert local.launch(jobs).finished == ("a", "b", "c")
    assert [tries(tmp_path / name) for name in "abc"] == [1, 1, 1]


@pytest.mark.skipif(NUM_CORES < 2, reason="needs two cores")
def test_jobs_that_run_at_once_have_a_core_each(tmp_path: Path) -> None:
    jobs = [toy.job(tmp_path / name, "--gate", tmp_path / "open") for name in "ab"]

    def open_gate(progress: Progress) -> None:
        if all((tmp_path / f"{name}-notes" / "at-gate").exists() for name in "ab"):
            (tmp_path / "open").touch()

    local.launch(jobs, cores=2, on_change=open_gate, refresh=0.05)
    a, b = note(tmp_path / "a"), note(tmp_path / "b")
    assert len(a["cores"]) == len(b["cores"]) == 1
    assert a["cores"] != b["cores"]


@pytest.mark.skipif(NUM_CORES == 0, reason="this system does not pin")
def test_when_no_core_is_free_a_process_stays_unpinned(tmp_path: Path) -> None:
    claim = "import os; from otherminds.run.one_core import claim_core; print(claim_core(), "
    claim += "len(os.sched_getaffinity(0)), flush=True); input()"
    command = [sys.executable, "-c", claim]
    cores, holders = sorted(os.sched_getaffinity(0)), []
    for core in cores:
        holders.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
        assert holders[-1].stdout
        assert holders[-1].stdout.readline() == f"{core} 1\n"
    assert subprocess.check_output(command, input="\n", text=True) == f"None {NUM_CORES}\n"
    for holder in holders:
        holder.kill()
        holder.communicate()
    assert subprocess.check_output(command, input="\n", text=True) == f"{cores[0]} 1\n"


def test_a_job_killed_in_the_middle_is_started_again_and_ends_the_same(tmp_path: Path) -> None:
    summary = local.launch([toy.job(tmp_path / "a", "--die", 6)])
    assert summary.finished == ("a",)
    assert tries(tmp_path / "a") == 2
    toy.train(tmp_path / "whole")
    assert toy.result(tmp_path / "a") == toy.result(tmp_path / "whole")


def test_a_job_that_keeps_failing_is_reported_with_its_log_and_the_others_finish(tmp_path: Path) -> None:
    jobs = [toy.job(tmp_path / "bad", "--exit", 1), toy.job(tmp_path / "good")]
    summary = local.launch(jobs, retries=1)
    assert summary.finished == ("good",)
    assert list(summary.failed) == ["bad"]
    assert "exit code 1 on attempt 2" in summary.failed["bad"]
    assert "this job always fails" in summary.failed["bad"]
    assert tries(tmp_path / "bad") == 2


def test_a_users_mistake_is_not_tried_again(tmp_path: Path) -> None:
    RunDirectory.open(tmp_path / "a", {"seed": 5, "steps": 10}).close()
    summary = local.launch([toy.job(tmp_path / "a")])
    assert "seed: recorded 5, now 0" in summary.failed["a"]
    assert tries(tmp_path / "a") == 1


def test_a_directory_that_cannot_be_made_fails_its_job_only(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    summary = local.launch([toy.job(tmp_path / "file" / "a"), toy.job(tmp_path / "b")])
    assert summary.finished == ("b",)
    assert "cannot start a" in summary.failed["a"]


def test_more_cores_than_there_are_is_refused() -> None:
    for cores in (0, 100_000):
        with pytest.raises(UserError, match="expected 1 to"):
            local.launch([], cores=cores)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_sweep_leaves_no_process_and_continues(tmp_path: Path, number: signal.Signals) -> None:
    command = [sys.executable, "-c", LAUNCH, str(tmp_path), "a", "b"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as launcher:
        toy.await_file(tmp_path / "a-notes" / "at-gate", launcher)
        launcher.send_signal(number)
        output, _ = launcher.communicate()
    finished, stopped, message = json.loads(output)
    assert (finished, stopped) == ([], ["a", "b"])
    assert "run the same command again to resume" in message
    assert not is_alive(note(tmp_path / "a")["pid"])
    # It was asked to end, not killed: the session is closed.
    assert RunDirectory.read(tmp_path / "a").manifest["sessions"][0]["ended"] is not None
    (tmp_path / "open").touch()
    finished, stopped, _ = json.loads(subprocess.check_output(command, text=True))
    assert (finished, stopped) == (["a", "b"], [])
    toy.train(tmp_path / "whole")
    assert toy.result(tmp_path / "a") == toy.result(tmp_path / "whole")


def test_jobs_end_when_their_launcher_is_killed_and_the_same_command_continues(tmp_path: Path) -> None:
    command = [sys.executable, "-c", LAUNCH, str(tmp_path), "a"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as launcher:
        toy.await_file(tmp_path / "a-notes" / "at-gate", launcher)
        orphan = note(tmp_path / "a")["pid"]
        launcher.kill()
    # The gate is still closed: the first training ends only because its launcher has.
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as launcher:
        while note(tmp_path / "a")["pid"] == orphan or is_alive(orphan):
            assert launcher.poll() is None
        (tmp_path / "open").touch()
        output, _ = launcher.communicate()
    assert json.loads(output)[0] == ["a"]
    assert note(tmp_path / "a")["patience"] > 0  # had the first needed long to end, the second would have waited
    toy.train(tmp_path / "whole")
    assert toy.result(tmp_path / "a") == toy.result(tmp_path / "whole")


def test_an_error_in_the_display_leaves_no_process_behind(tmp_path: Path) -> None:
    def fails(progress: Progress) -> None:
        if (tmp_path / "a-notes" / "at-gate").exists():
            raise RuntimeError("display")

    with pytest.raises(RuntimeError, match="display"):
        local.launch([toy.job(tmp_path / "a", "--gate", tmp_path / "open")], on_change=fails, refresh=0.05)
    assert not is_alive(note(tmp_path / "a")["pid"])


def test_by_default_a_job_is_an_otherminds_command(tmp_path: Path) -> None:
    summary = local.launch([Job("version", ("--version",), tmp_path / "a"), Job("bad", ("trian",), tmp_path / "b")])
    assert summary.finished == ("version",)
    assert "No such command 'trian'" in summary.failed["bad"]
    assert tries_of_command(tmp_path / "b", "trian") == 1


def tries_of_command(out: Path, command: str) -> int:
    return (out / "log.txt").read_text().count(f"--- {command}\n")


def test_signals_belong_to_the_caller_again_afterwards(tmp_path: Path) -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    local.launch([toy.job(tmp_path / "a")])
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before
