"""Sweeps: which jobs are whose, which are left, and how far they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherminds.core.errors import UserError
from otherminds.run import Job, Progress, RunDirectory, Summary, pending, shard
from tests.run import toy

JOBS = [Job(str(number), (), Path(f"run-{number}")) for number in range(7)]


def test_shards_share_out_every_job_exactly_once() -> None:
    for count in (1, 2, 3, 7, 9):
        parts = [shard(JOBS, f"{index}/{count}") for index in range(1, count + 1)]
        assert sorted(job.name for part in parts for job in part) == [job.name for job in JOBS]
        assert max(map(len, parts)) - min(map(len, parts)) <= 1


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("3", "not of the form i/N"),
        ("a/2", "not of the form i/N"),
        ("-1/2", "not of the form i/N"),
        ("0/2", "expected 1/2 to 2/2"),
        ("3/2", "expected 1/2 to 2/2"),
        ("0/0", "no shard '0/0'; expected at least one part"),
    ],
)
def test_a_shard_that_is_none_is_refused(part: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        shard(JOBS, part)


def test_finished_jobs_are_not_pending_but_begun_ones_are(tmp_path: Path) -> None:
    jobs = [toy.job(tmp_path / name) for name in ("done", "begun", "new")]
    toy.train(tmp_path / "done")
    RunDirectory.open(tmp_path / "begun", {"seed": 0}).close()
    assert [job.name for job in pending(jobs)] == ["begun", "new"]


def test_a_finished_run_of_another_configuration_is_not_taken_for_the_jobs_own(tmp_path: Path) -> None:
    toy.train(tmp_path / "a", seed=1)
    with pytest.raises(UserError, match="seed: recorded 1, now 2"):
        pending([toy.job(tmp_path / "a", seed=2)])


def test_jobs_that_share_a_name_or_a_directory_are_refused(tmp_path: Path) -> None:
    one = toy.job(tmp_path / "a", name="a")
    for other in (toy.job(tmp_path / "b", name="a"), toy.job(tmp_path / "b" / ".." / "a", name="b")):
        with pytest.raises(UserError, match="2 jobs of the sweep share"):
            pending([one, other])


def test_progress_is_read_from_the_directories(tmp_path: Path) -> None:
    jobs = [toy.job(tmp_path / name) for name in ("done", "begun", "runs", "failed", "new")]
    toy.train(tmp_path / "done")
    for name, fraction in (("begun", 0.5), ("runs", 0.25), ("failed", 7)):
        with RunDirectory.open(tmp_path / name, {}) as run:
            run.append({"step": 1, "progress": 0.125})
            run.append({"step": 3, "progress": fraction, "loss": 0.1})
    with (tmp_path / "begun" / "metrics.jsonl").open("ab") as file:
        file.write(b'{"step": 4, "prog')
    progress = Progress.read(jobs, running=["runs"], failed=["failed", "done"])
    assert [(job.status, job.row.get("step"), job.fraction) for job in progress.jobs] == [
        ("finished", 10, 1.0),
        ("unfinished", 3, 0.5),
        ("running", 3, 0.25),
        ("failed", 3, 1.0),
        ("waiting", None, 0.0),
    ]
    assert progress.jobs[1].row == {"step": 3, "progress": 0.5, "loss": 0.1}
    assert progress.num_finished == 1
    assert progress.percent == pytest.approx(100 * 2.75 / 5)


def test_a_damaged_directory_does_not_stop_the_others_progress(tmp_path: Path) -> None:
    toy.train(tmp_path / "a")
    (tmp_path / "a" / "manifest.json").write_text("{")
    assert [job.status for job in Progress.read([toy.job(tmp_path / "a")]).jobs] == ["unfinished"]


def test_a_summary_says_how_to_go_on() -> None:
    assert Summary(("a", "b"), {}).message == "2 of 2 jobs finished"
    begun, end = (
        "1 of 3 jobs finished, 1 failed (b), 1 stopped; fix the failures and run",
        " the same command again to resume",
    )
    assert Summary(("a",), {"b": "why"}, ("c",)).message == begun + end
