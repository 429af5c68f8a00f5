"""The command as users give it."""

from __future__ import annotations

import json
import os
import sys
import tomllib
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from otherminds.cli import main
from otherminds.core.episodes import SCHEMA
from tests.plugin import Printed, invoked, otherminds

ROOT = Path(__file__).parent.parent.parent


def run(*words: str | Path, typed: str = "", expect: int = 0) -> Printed:
    """In this process: starting one for each of a hundred commands takes a minute."""
    return invoked(*map(str, words), cwd=Path.cwd(), typed=typed, expect=expect)


def answer(*words: str | Path) -> Any:
    return json.loads(run(*words, "--json").stdout)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "episodes.jsonl"
    run("play", "symmtom", "--mind", "belief", "--episodes", "2", "--out", path)
    return path


def test_list_shows_every_kind_with_versions() -> None:
    entries = answer("list")
    worlds = {e["name"] for e in entries if e["kind"] == "world"}
    assert worlds - {"coin-v0"} == {"decrypto-v0", "decrypto-duel-v0", "enacttom-v0", "symmtom-v0", "tomi-v0"}
    assert {"heuristic", "belief", "random", "still", "oracle", "human"} <= {
        e["name"] for e in entries if e["kind"] == "mind"
    }
    assert {"zeroth", "conservative", "greedy"} <= {e["name"] for e in entries if e["kind"] == "belief"}
    assert "scenarios" in run("list").stdout
    suites = {entry["name"] for entry in entries if (entry["kind"], entry["world"]) == ("suite", "decrypto")}
    assert suites > {entry["name"] for entry in entries if entry["kind"] == "experiment"}


def test_the_command_runs_in_a_process_of_its_own(tmp_path: Path) -> None:
    words = ("play", "symmtom", "--mind", "still")
    assert "recorded in episodes.jsonl" in otherminds(*words, env=dict(os.environ), cwd=tmp_path).stdout
    wrong = otherminds("play", "symtom", env=dict(os.environ), cwd=tmp_path, expect=2)
    assert wrong.stderr == "error: there is no world 'symtom'; did you mean 'symmtom-v0'?\n"


def test_play_records_and_the_same_command_repeats_nothing(tmp_path: Path) -> None:
    out = tmp_path / "e.jsonl"
    first = answer("play", "symmtom", "--mind", "heuristic", "--episodes", "2", "--out", out)
    written = out.read_bytes()
    assert answer("play", "symmtom", "--mind", "heuristic", "--episodes", "2", "--out", out) == first
    assert out.read_bytes() == written


def test_a_record_cut_by_a_crash_is_continued_by_the_same_command(tmp_path: Path) -> None:
    out = tmp_path / "e.jsonl"
    command = ("play", "symmtom", "--mind", "belief", "--episodes", "3", "--out", out)
    whole = answer(*command)
    text = out.read_bytes()
    out.write_bytes(text[: len(text) // 2])
    assert answer(*command) == whole
    assert answer("verify", out)["episodes"] == 3


def test_replay_writes_page_picture_drawing_and_animation(recorded: Path, tmp_path: Path) -> None:
    page, png, svg, gif = (tmp_path / f"x.{kind}" for kind in ("html", "png", "svg", "gif"))
    run("replay", recorded, "--page", page, "--png", png, "--svg", svg, "--gif", gif, "--turn", "5")
    assert page.read_text("utf-8").startswith("<!doctype html>")
    assert png.read_bytes().startswith(b"\x89PNG")
    assert svg.read_text("utf-8").startswith("<svg")
    assert gif.read_bytes().startswith(b"GIF89a")


def test_replay_without_options_writes_a_page_beside_the_record(recorded: Path) -> None:
    assert answer("replay", recorded)["files"] == [str(recorded.with_suffix(".html"))]


def test_replay_asks_the_ledger_along_a_chain(recorded: Path) -> None:
    truth = answer("replay", recorded, "--chain", "", "--turn", "10")
    second = answer("replay", recorded, "--chain", "agent_0,agent_1", "--turn", "10")
    assert truth["supported"] == truth["truth"] == second["truth"]
    assert second["chain"] == ["agent_0", "agent_1"]


def test_replay_prints_text(recorded: Path) -> None:
    assert "turn 3" in run("replay", recorded, "--text", "--turn", "3").stdout.lower()


def test_a_record_cut_in_the_middle_replays_to_its_last_whole_turn(recorded: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.jsonl"
    lines = recorded.read_bytes().split(b"\n")
    cut.write_bytes(b"\n".join(lines[:8]) + b"\n" + lines[8][:50])
    assert answer("replay", cut, "--page", tmp_path / "c.html")["turns"] == 7


def test_score_sums_up_by_who_sat_where(recorded: Path) -> None:
    (row,) = answer("score", recorded)["rows"]
    assert (set(row["minds"].values()), row["summary"]["episodes"]) == ({"belief"}, 2)
    reward = row["summary"]["listening"] + row["summary"]["speaking"] + row["summary"]["base"]
    assert row["summary"]["score"] == pytest.approx(reward)


def test_score_says_who_sat_where_if_the_seats_differ(tmp_path: Path) -> None:
    out = tmp_path / "mixed.jsonl"
    run("play", "decrypto", "--mind", "glove", "--seat", "eve=uniform", "--out", out)
    assert "alice=glove,bob=glove,eve=uniform" in run("score", out).stdout


def test_the_title_counts_episodes_in_proper_english() -> None:
    assert "decrypto-v0, 1 episode each, seed 0" in run("evaluate", "decrypto", "glove", "--episodes", "1").stdout


def test_a_table_without_a_name_lists_the_tables() -> None:
    assert "Missing argument 'NAME'; expected one of sizes, competition" in run("table", "decrypto", expect=2).stderr


def test_table_gives_rows_beside_the_paper() -> None:
    rows = answer(
        "table", "symmtom", "1", "--mind", "heuristic,still", "--settings", "n3_w6_c3", "--episodes", "200",
        "--engine", "numpy", "--only", "scripted",
    )["rows"]  # fmt: skip
    assert {"player", "setting", "mean", "sd", "episodes", "paper"} <= set(rows[0])
    assert (rows[0]["player"], rows[0]["paper"], rows[0]["episodes"]) == ("heuristic", 39.0, 200)
    assert (rows[1]["mean"], rows[1]["paper"]) == (0.0, None)


def test_table_prints_for_people_too() -> None:
    out = run("table", "symmtom", "4", "--mind", "belief", "--settings", "n3_w6_c3", "--episodes", "50",
              "--engine", "numpy", "--only", "scripted").stdout  # fmt: skip
    assert "published, learned agents" in out
    assert "3.89" in out


def test_a_person_at_the_terminal_is_recorded_and_scored_beside_the_agents(tmp_path: Path) -> None:
    out = tmp_path / "me.jsonl"
    words = ("play", "symmtom", "--seat", "agent_0=human:notes=true,rewatch=true", "--set", "num_turns=3", "--out", out)
    done = run(*words, typed="n watch 2\nright 0\nb\nup 0\nstay -\n")
    assert "Your score" in done.stdout
    (row,) = answer("score", out)["rows"]
    assert set(row["minds"].values()) == {"human:notes=true,rewatch=true", "belief"}
    run(*words, typed="q\n")
    assert answer("score", out)["unfinished"] == 1


def test_verify_checks_a_record_and_a_world(recorded: Path) -> None:
    assert answer("verify", recorded) == {"episodes": 2, "turns": 60}
    assert answer("verify", "symmtom", "--set", "setting=n2_w4_c2", "--items", "none")["passed"] is True


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["play", "symmtom", "--mind", "beleif"], "did you mean 'belief'"),
        (["play", "symmtom", "--set", "setting=n3w6c3"], "did you mean 'n3_w6_c3'"),
        (["play", "symmtom", "--set", "vison=2"], "did you mean 'vision'"),
        (["play", "symmtom", "--set", "vision"], "KEY=VALUE"),
        (["play", "symmtom", "--set", "hearing=3"], "expected at most 2 on a board of width 6"),
        (["play", "symmtom", "--seat", "7=human"], "there is no seat '7'"),
        (["play", "symmtom", "--mind", "still,still"], "there is no mind 'still,still'"),
        (["play", "enacttom", "--set", "world=target=mars"], "target cannot be 'mars'; expected one of red_table"),
        (["play", "symmtom", "--out", "/proc/none/e.jsonl"], "choose another path"),
        (["table", "symmtom", "9"], "unknown table '9'; expected 1 to 7, claims, beliefs or battery"),
        (["table", "symmtom", "1", "--mind", "human"], "cannot be used in this table"),
        (["table", "symmtom", "1", "--episodes", "0"], "at least 1"),
        (["replay", "nowhere.jsonl"], "cannot read nowhere.jsonl: No such file or directory; check the path"),
        (["replay", "nowhere.jsonl", "--png", "x.gif"], "--png is 'x.gif'; expected a name that ends in .png"),
        (["replay", "nowhere.jsonl", "--gif", "x.png"], "--gif is 'x.png'; expected a name that ends in .gif"),
        (["play", "symmtom", "--episodes", "abc"], "--episodes is 'abc'; expected a whole number of at least 1"),
        (["play", "tomi", "--temperature", "-1"], "--temperature is '-1'; expected a number of at least 0"),
        (["play", "tomi", "--phrasing", "foo"], "tomi-v0 has no phrasing 'foo'"),
        (["evaluate", "tomi", "tracker", "--prompts", "nofile"], "tomi-v0 has no prompts of version 'nofile'"),
        (["verify", "symtom"], "did you mean 'symmtom-v0'"),
        (["table", "symmtom", "1", "--engine", "jxa"], "did you mean 'jax'"),
        (["table", "symmtom", "1", "--mind", ""], "no mind was named"),
        (["play", "symmtom", "--seat", "agent_0=human", "--json"], "a human seat needs the terminal"),
        (["list", "wrolds"], "did you mean 'worlds'"),
        (["plya"], "Did you mean 'play'"),
        (["generate", "symmtom"], "No such command 'symmtom'; available commands: enacttom, tomi"),
        (["replay", "nowhere.jsonl", "--png"], "Option '--png' requires an argument"),
    ],
)
def test_a_mistake_ends_in_one_clear_message(words: list[str], message: str, tmp_path: Path) -> None:
    if words[0] == "play" and "--out" not in words:
        words = [*words, "--out", str(tmp_path / "e.jsonl")]
    done = run(*words, expect=2)
    assert message in " ".join(done.stderr.split())


def test_help_names_what_to_write_rather_than_types_of_python() -> None:
    shown = " ".join(run("play", "--help").stdout.split())
    assert "--episodes NUMBER (at least 1) Number of episodes" in shown
    assert "--json Print the result as JSON" in shown
    assert "<" not in shown
    assert "FILES Files in ToMi's format" in " ".join(run("relabel", "--help").stdout.split())


def test_what_is_not_installed_is_named_with_what_brings_it(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """Whatever a command imports."""
    monkeypatch.setattr(sys, "argv", ["otherminds", "list"])
    for name, wanted in (("jax", "train"), ("flax.linen", "train"), ("matplotlib", "figures")):
        monkeypatch.setattr(main, "make_app", Mock(side_effect=ModuleNotFoundError(name=name)))
        with pytest.raises(SystemExit) as stopped:
            main.main()
        assert stopped.value.code == 2
        assert capsys.readouterr().err == f"error: this command needs {name}; install otherminds[{wanted}]\n"
    monkeypatch.setattr(main, "make_app", Mock(side_effect=ModuleNotFoundError(name="otherminds.nothing")))
    with pytest.raises(ModuleNotFoundError):
        main.main()


def test_every_package_that_may_be_missing_is_one_of_an_extra() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    brought = {"PIL": "pillow"}
    for package, extra in main.EXTRAS.items():
        names = " ".join((*extras[extra], *extras["jax"])).replace("-", "_")
        assert brought.get(package, package) in names


def test_a_record_torn_in_its_first_line_is_begun_again(tmp_path: Path) -> None:
    out = tmp_path / "torn.jsonl"
    out.write_bytes(b'{"kind":"episode","epis')
    assert len(answer("play", "symmtom", "--mind", "still", "--out", out)) == 1


def test_names_with_brackets_and_colons_are_printed_as_they_are(tmp_path: Path) -> None:
    out = tmp_path / "[red]:x:.jsonl"
    assert "[red]:x:" in run("play", "symmtom", "--mind", "still", "--out", out).stdout
    assert "[red]:x:.html" in run("replay", out).stdout


def test_a_folder_named_like_a_world_does_not_hide_the_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tomi").mkdir()
    monkeypatch.chdir(tmp_path)
    assert answer("verify", "tomi", "--items", "none")["passed"] is True


def test_other_bad_records_say_what_is_wrong(recorded: Path, tmp_path: Path) -> None:
    lines = recorded.read_text("utf-8").splitlines()
    later = tmp_path / "later.jsonl"
    later.write_text("\n".join(line.replace(f'"schema":{SCHEMA}', '"schema":99') for line in lines), "utf-8")
    assert "schema version 99" in run("replay", later, expect=2).stderr
    other = tmp_path / "other.jsonl"
    other.write_text("\n".join(line.replace("symmtom-v0", "symmtom-v9") for line in lines), "utf-8")
    assert "symmtom-v9" in run("replay", other, expect=2).stderr
    noise = tmp_path / "noise.jsonl"
    noise.write_text("hello\nworld\n", "utf-8")
    assert "line 1" in run("replay", noise, expect=2).stderr
    assert "--turn is 99; expected 0 to" in run("replay", recorded, "--turn", "99", expect=2).stderr
    assert "there is no seat '5'" in run("replay", recorded, "--chain", "5", expect=2).stderr
