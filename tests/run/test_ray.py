"""The Ray launcher: workers that die, jobs that fail and sweeps that are stopped, on a real Ray on this machine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from otherminds.core.errors import MissingExtra, UserError
from otherminds.run import Progress
from otherminds.run import ray as ray_launcher
from tests.run import toy
from tests.run.test_local import NUM_CORES, ROOT, is_alive, note, tries

LAUNCH = """
import json, sys
from pathlib import Path
from otherminds.run import ray
from tests.run import toy
folder = Path(sys.argv[1])
jobs = [toy.job(folder / name, "--gate", folder / "open") for name in sys.argv[2:]]
summary = ray.launch(jobs)
print(json.dumps([summary.finished, summary.stopped, summary.message]))
"""


@pytest.fixture
def own_ray(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A Ray that leaves no trace: its token, sessions and our claims on cores go to temporary folders."""
    pytest.importorskip("ray")
    # Short, because the names of sockets must be.
    with tempfile.TemporaryDirectory(prefix="ray", dir="/tmp", ignore_cleanup_errors=True) as short:
        monkeypatch.setenv("RAY_TMPDIR", short)
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)
        (tmp_path / "claims").mkdir()
        monkeypatch.setenv("TMPDIR", str(tmp_path / "claims"))
        yield


def test_without_ray_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"otherminds\[cluster\]"):
        ray_launcher.launch([toy.job(tmp_path / "a")])


def test_a_finished_sweep_needs_no_ray(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    toy.train(tmp_path / "a")
    assert ray_launcher.launch([toy.job(tmp_path / "a")]).finished == ("a",)


@pytest.mark.slow
@pytest.mark.usefixtures("own_ray")
def test_lost_workers_and_failed_jobs_are_tried_again_on_a_ray_that_is_left_running(tmp_path: Path) -> None:
    # The one Ray inside of this process: Ray remembers its first HOME. All others have processes of their own.
    ray = pytest.importorskip("ray")
    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
    jobs = [
        toy.job(tmp_path / "plain"),
        toy.job(tmp_path / "lost", "--kill-parent", 6),
        toy.job(tmp_path / "dies", "--die", 6),
        toy.job(tmp_path / "fails", "--exit", 1),
        toy.job(tmp_path / "mistaken", "--exit", 2),
    ]
    seen: list[Progress] = []
    try:
        summary = ray_launcher.launch(jobs, retries=1, on_change=seen.append)
        assert ray.is_initialized()
    finally:
        ray.shutdown()
    assert summary.finished == ("plain", "lost", "dies")
    assert {name: reason.splitlines()[0].split()[-3:] for name, reason in summary.failed.items()} == {
        "fails": ["exit", "code", "1"],
        "mistaken": ["exit", "code", "2"],
    }
    assert all("this job always fails" in reason for reason in summary.failed.values())
    assert [tries(job.directory) for job in jobs] == [1, 2, 2, 2, 1]
    toy.train(tmp_path / "whole")
    for name in summary.finished:
        assert toy.result(tmp_path / name) == toy.result(tmp_path / "whole")
        assert len(note(tmp_path / name)["cores"]) == min(NUM_CORES, 1)
    assert [job.status for job in seen[-1].jobs] == ["finished"] * 3 + ["failed"] * 2
    assert seen[-1].num_finished == 3


@pytest.mark.slow
@pytest.mark.usefixtures("own_ray")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_sweep_leaves_no_process_and_continues(tmp_path: Path, number: signal.Signals) -> None:
    command = [sys.executable, "-c", LAUNCH, str(tmp_path), "a", "b", "c", "d"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as launcher:
        toy.await_file(tmp_path / "a-notes" / "at-gate", launcher)
        launcher.send_signal(number)
        output, _ = launcher.communicate()
    finished, stopped, message = json.loads(output)
    assert (finished, stopped) == ([], ["a", "b", "c", "d"])
    assert "run the same command again to resume" in message
    assert not is_alive(note(tmp_path / "a")["pid"])
    # It was asked to end, not killed: the session is closed.
    assert json.loads((tmp_path / "a" / "manifest.json").read_text())["sessions"][0]["ended"] is not None
    (tmp_path / "open").touch()
    assert json.loads(subprocess.check_output(command, text=True))[0] == ["a", "b", "c", "d"]
    toy.train(tmp_path / "whole")
    assert toy.result(tmp_path / "a") == toy.result(tmp_path / "whole")


@pytest.mark.slow
@pytest.mark.usefixtures("own_ray")
def test_a_cluster_that_is_not_there_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot join a Ray cluster at 'auto'"):
        ray_launcher.launch([toy.job(tmp_path / "a")], address="auto")
