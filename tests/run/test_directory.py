"""Run directories: one run, one configuration, one process at a time, and nothing lost."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from otherminds.core.errors import UserError
from otherminds.run import RunDirectory, checkpoint

CONFIG = {"seed": 3, "setting": "n3_w6_c3", "learn": {"rate": 0.001, "sizes": (64, 64)}}
NEEDED = ("status", "config_sha256", "files", "sessions")
HOLD = """
import sys
from otherminds.run import RunDirectory
with RunDirectory.open(sys.argv[1], {"seed": 1}) as run:
    run.append({"step": 1})
    print("open", flush=True)
    sys.stdin.read()
"""


def open_run(path: Path, **changes: Any) -> RunDirectory:
    return RunDirectory.open(path, CONFIG | changes, command=["otherminds", "train"])


def content(path: Path) -> dict[str, bytes]:
    return {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()}


def test_a_new_run_describes_itself(tmp_path: Path) -> None:
    with open_run(tmp_path / "run") as run:
        assert (tmp_path / "run" / "episodes").is_dir()
        assert run.checkpoints.is_dir()
    record = RunDirectory.read(tmp_path / "run")
    assert record.config == json.loads(json.dumps(CONFIG))
    manifest = record.manifest
    assert (manifest["seed"], manifest["status"], manifest["finished"]) == (3, "running", None)
    assert manifest["command"] == ["otherminds", "train"]
    assert manifest["versions"]["numpy"] == np.__version__
    assert {"otherminds", "python"} <= set(manifest["versions"])
    assert "torch" not in manifest["versions"]
    assert manifest["platform"]
    assert record.metrics == []


def test_the_same_configuration_continues(tmp_path: Path) -> None:
    with open_run(tmp_path) as run:
        run.append({"step": 1, "loss": 0.5})
    with open_run(tmp_path) as run:
        run.append({"step": 2, "loss": 0.25})
        assert run.metrics() == [{"step": 1, "loss": 0.5}, {"step": 2, "loss": 0.25}]


def test_a_changed_configuration_is_refused_key_by_key(tmp_path: Path) -> None:
    with open_run(tmp_path) as run:
        run.append({"step": 1})
    before = content(tmp_path)
    with pytest.raises(UserError) as caught:
        open_run(tmp_path, seed=4, learn={"rate": 0.01, "sizes": [64, 64]}, extra=True)
    message = str(caught.value)
    for part in ("extra: recorded absent, now true", "learn.rate: recorded 0.001, now 0.01", "seed: recorded 3, now 4"):
        assert part in message
    assert "another --out" in message
    assert "remove that folder" in message
    assert "sizes" not in message
    assert "setting" not in message
    assert content(tmp_path) == before
    open_run(tmp_path).close()  # and the refusal holds no lock


def test_a_configuration_edited_by_hand_is_noticed(tmp_path: Path) -> None:
    open_run(tmp_path).close()
    config = json.loads((tmp_path / "config.json").read_text()) | {"seed": 9}
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(UserError, match="edited after the run began"):
        open_run(tmp_path, seed=9)


def test_two_processes_never_hold_one_run_and_a_killed_one_lets_go(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path / "run")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == b"open\n"
        with pytest.raises(UserError, match=rf"in use by another process \(process {holder.pid} on "):
            RunDirectory.open(tmp_path / "run", {"seed": 1})
        assert RunDirectory.read(tmp_path / "run").metrics == [{"step": 1}]  # readers need no lock
        holder.kill()
    with RunDirectory.open(tmp_path / "run", {"seed": 1}) as run:
        assert run.metrics() == [{"step": 1}]


def test_with_patience_a_run_is_opened_once_its_holder_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path / "run")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        assert holder.stdin
        holder.stdout.readline()
        monkeypatch.setenv("OTHERMINDS_PATIENCE", "600")
        holder.stdin.close()  # it ends, at some time
        with RunDirectory.open(tmp_path / "run", {"seed": 1}):
            pass


@pytest.mark.parametrize("torn", [b'{"step":3,"lo', b'{"step"', b"\0\0\0", b"3"])
def test_a_torn_last_row_is_cut_off(tmp_path: Path, torn: bytes) -> None:
    with open_run(tmp_path) as run:
        run.append({"step": 1})
        run.append({"step": 2})
    with (tmp_path / "metrics.jsonl").open("ab") as file:
        file.write(torn)
    assert RunDirectory.read(tmp_path).metrics == [{"step": 1}, {"step": 2}]
    with open_run(tmp_path) as run:
        run.append({"step": 3})
    assert (tmp_path / "metrics.jsonl").read_bytes() == b'{"step":1}\n{"step":2}\n{"step":3}\n'


def test_a_last_row_that_only_lacks_its_line_end_is_kept(tmp_path: Path) -> None:
    with open_run(tmp_path) as run:
        run.append({"step": 1})
    (tmp_path / "metrics.jsonl").write_bytes(b'{"step":1}')
    with open_run(tmp_path) as run:
        run.append({"step": 2})
    assert (tmp_path / "metrics.jsonl").read_bytes() == b'{"step":1}\n{"step":2}\n'


def test_damage_in_the_middle_of_the_metrics_is_an_error_with_its_line(tmp_path: Path) -> None:
    open_run(tmp_path).close()
    (tmp_path / "metrics.jsonl").write_bytes(b'{"step":1}\n{"st\n{"step":3}\n')
    for reading in (open_run, RunDirectory.read):
        with pytest.raises(UserError, match=r"metrics\.jsonl, line 2: .* restore the file .* choose another --out"):
            reading(tmp_path)


def test_resuming_rewinds_to_the_checkpoint_or_to_the_start(tmp_path: Path) -> None:
    with open_run(tmp_path) as run:
        run.append({"step": 1})
        run.save(1, {"w": np.ones(1)}, {})
        run.append({"step": 2})
        saved = run.resume()
        assert saved is not None
        assert saved.step == 1
        assert run.metrics() == [{"step": 1}]
    for path in (tmp_path / "checkpoints").iterdir():
        path.write_bytes(b"")
    with open_run(tmp_path) as run:
        with pytest.raises(UserError, match=r"no checkpoint .* is intact .*, or remove .* to start again"):
            run.resume()
        assert run.metrics() == [{"step": 1}]
        checkpoint.tidy(tmp_path / "checkpoints")
        assert run.resume() is None
        assert run.metrics() == []


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ([4, 5], "no rows for steps 1, 2, 3;"),
        ([1, 2, 4, 5, 6], "no rows for steps 3;"),
        ([], "no rows for steps 1, 2, 3, 4, 5;"),
        ([1, 2, 3, 3, 4, 5], "duplicate or unordered rows;"),
    ],
)
def test_resuming_with_rows_missing_before_the_checkpoint_is_refused(
    tmp_path: Path, steps: list[int], words: str
) -> None:
    with open_run(tmp_path) as run:
        for step in range(1, 6):
            run.append({"step": step})
        run.save(5, {"w": np.ones(1)}, {})
    rows = "".join(f'{{"step":{step}}}\n' for step in steps)
    (tmp_path / "metrics.jsonl").write_text(rows)
    with open_run(tmp_path) as run, pytest.raises(UserError) as caught:
        run.resume()
    for part in ("metrics.jsonl", words, "steps 1 to 5", "Restore the file", "another --out"):
        assert part in str(caught.value)
    assert (tmp_path / "metrics.jsonl").read_text() == rows
    (tmp_path / "metrics.jsonl").write_text("".join(f'{{"step":{step}}}\n' for step in (1, 2, 3, 4, 5, 5, 6)))
    with open_run(tmp_path) as run:  # once it is restored; what was written after the checkpoint is dropped
        assert run.resume() is not None
        assert [row["step"] for row in run.metrics()] == [1, 2, 3, 4, 5]


def test_rows_hold_numpy_values_and_no_value_that_json_lacks(tmp_path: Path) -> None:
    with open_run(tmp_path) as run:
        run.append({"step": np.int64(1), "a": np.float32(0.5), "b": np.arange(2), "c": float("nan"), "d": -np.inf})
        assert run.metrics() == [{"step": 1, "a": 0.5, "b": [0, 1], "c": None, "d": None}]
        with pytest.raises(ValueError, match="'step'"):
            run.append({"loss": 1.0})


def test_a_row_on_a_full_disk_leaves_the_rows_before_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    with open_run(tmp_path) as run:
        run.append({"step": 1})
        for writes in (lambda file, data: real(file, data[:5]), _no_space):
            with monkeypatch.context() as patch:
                patch.setattr(os, "write", writes)
                with pytest.raises(UserError, match="the disk is full"):
                    run.append({"step": 2})
        run.append({"step": 2})
        assert run.metrics() == [{"step": 1}, {"step": 2}]


def _no_space(*_: object) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_finished_run_is_hashed_and_closed_to_changes(tmp_path: Path) -> None:
    with open_run(tmp_path) as run:
        run.append({"step": 1})
        (tmp_path / "policy.safetensors").write_bytes(b"weights")
        assert not run.is_finished
        run.finish(["policy.safetensors"])
    record = RunDirectory.read(tmp_path)
    assert record.is_finished
    assert set(record.manifest["files"]) == {"config.json", "metrics.jsonl", "policy.safetensors"}
    assert record.changed_files() == []
    manifest = (tmp_path / "manifest.json").read_bytes()
    with open_run(tmp_path) as run:
        assert run.is_finished
        for change in (
            lambda: run.append({"step": 2}),
            run.resume,
            lambda: run.save(1, {}, {}),
            run.finish,
        ):
            with pytest.raises(ValueError, match="has finished"):
                change()
    assert (tmp_path / "manifest.json").read_bytes() == manifest
    assert RunDirectory.read(tmp_path).metrics == [{"step": 1}]


def test_final_files_that_changed_or_vanished_are_named(tmp_path: Path) -> None:
    with open_run(tmp_path) as run:
        for name in ("a", "b", "c"):
            (tmp_path / name).write_text(name)
        run.finish(["a", "b", "c"])
    (tmp_path / "a").write_text("other")
    (tmp_path / "b").unlink()
    assert RunDirectory.read(tmp_path).changed_files() == ["a", "b"]


def test_the_result_of_a_finished_run_is_read_only_as_it_was_written(tmp_path: Path) -> None:
    with open_run(tmp_path) as run:
        (tmp_path / "result.json").write_text('{"reward": 1}')
        run.finish(["result.json"])
    with open_run(tmp_path) as run:
        assert run.result("result.json") == {"reward": 1}
        for damaged in ('{"rew', "", '{"reward": 2}', None):
            (tmp_path / "result.json").unlink()
            if damaged is not None:
                (tmp_path / "result.json").write_text(damaged)
            finding = "is missing" if damaged is None else "was changed"
            with pytest.raises(UserError, match=rf"result\.json {finding}.*restore it .*another --out"):
                run.result("result.json")


def test_a_run_is_not_finished_while_a_final_file_is_missing(tmp_path: Path) -> None:
    with open_run(tmp_path) as run, pytest.raises(FileNotFoundError):
        run.finish(["policy.safetensors"])
    assert not RunDirectory.read(tmp_path).is_finished


def test_each_session_notes_its_versions_and_time_adds_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = 100.0
    monkeypatch.setattr("otherminds.run._manifest.time.monotonic", lambda: clock)
    with open_run(tmp_path) as run:
        clock += 7
        run.save(1, {}, {})
        clock += 1000  # lost: the process is killed before it saves again
        (tmp_path / "kept.json").write_bytes((tmp_path / "manifest.json").read_bytes())
    (tmp_path / "kept.json").replace(tmp_path / "manifest.json")
    monkeypatch.setattr("otherminds.run._manifest.versions", lambda: {"jax": "99"})
    with open_run(tmp_path) as run:
        clock += 5
        run.finish()
    manifest = RunDirectory.read(tmp_path).manifest
    assert manifest["seconds"] == 12
    assert [session["seconds"] for session in manifest["sessions"]] == [7, 5]
    assert [session["versions"].get("jax") == "99" for session in manifest["sessions"]] == [False, True]
    assert [session["ended"] is None for session in manifest["sessions"]] == [True, False]
    assert manifest["versions"] == manifest["sessions"][0]["versions"]


def test_a_run_killed_at_its_very_beginning_is_continued(tmp_path: Path) -> None:
    open_run(tmp_path).close()
    (tmp_path / "manifest.json").unlink()
    (tmp_path / "metrics.jsonl").unlink()
    assert RunDirectory.read(tmp_path).manifest == {}
    open_run(tmp_path).close()
    assert RunDirectory.read(tmp_path).manifest["status"] == "running"
    (tmp_path / "config.json").unlink()
    (tmp_path / "manifest.json").unlink()
    (tmp_path / "metrics.jsonl").unlink()
    (tmp_path / ".config.json.tmp").write_text("{")
    (tmp_path / "log.txt").write_text("a launcher's")
    open_run(tmp_path).close()


def test_a_damaged_manifest_says_what_to_do(tmp_path: Path) -> None:
    open_run(tmp_path).close()
    whole = json.loads((tmp_path / "manifest.json").read_text())
    for damaged, finding in (
        ("{", "Expecting"),
        ("[]", "it contains no JSON object"),
        ("{}", "it has no 'schema'"),
        ('{"schema": 1}', "it has no 'status'"),
        *((json.dumps({key: whole[key] for key in whole if key != name}), f"it has no '{name}'") for name in NEEDED),
        (json.dumps(whole | {"sessions": "none"}), "its 'sessions' is 'none'"),
        (json.dumps(whole | {"sessions": [1]}), "a session is 1"),
        (json.dumps(whole | {"sessions": [{"seconds": None}]}), "a session's 'seconds' is None"),
        (json.dumps(whole | {"sessions": [{"seconds": 1.0}]}), "it has no 'cpu_seconds'"),
    ):
        (tmp_path / "manifest.json").write_text(damaged)
        with pytest.raises(UserError, match=rf"manifest\.json is damaged: {finding}.*remove that file to continue"):
            open_run(tmp_path)
        assert (tmp_path / "manifest.json").read_text() == damaged
    (tmp_path / "manifest.json").unlink()
    open_run(tmp_path).close()


def test_other_peoples_folders_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(UserError, match=r"it holds thesis\.tex"):
        open_run(tmp_path)
    assert content(tmp_path) == {"thesis.tex": b"x"}
    with pytest.raises(UserError, match="it is a file"):
        open_run(tmp_path / "thesis.tex")


def test_reading_says_what_was_found_instead_of_a_run(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for path, finding in (
        (tmp_path / "missing", "there is no such folder"),
        (tmp_path / "empty", "it is empty"),
        (tmp_path, "it holds empty"),
    ):
        with pytest.raises(UserError, match=f"is not a run directory: {finding}"):
            RunDirectory.read(path)


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="cannot make the run directory"):
        open_run(tmp_path / "file" / "run")


def test_importing_the_package_imports_nothing_heavy() -> None:
    script = """
import sys
import otherminds.run, otherminds.run.local, otherminds.run.ray, otherminds.run.one_core
print([name for name in ("numpy", "jax", "safetensors", "ray") if name in sys.modules])
"""
    assert subprocess.check_output([sys.executable, "-c", script], text=True) == "[]\n"
