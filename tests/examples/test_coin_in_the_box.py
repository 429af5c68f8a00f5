"""The fifth world: a plug-in of at most 250 lines that every command takes, without a changed line elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.plugin import COIN, at_terminal, install_coin, invoked, otherminds


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return install_coin(tmp_path / "site")


def test_the_package_has_at_most_250_lines() -> None:
    assert sum(len(path.read_text("utf-8").splitlines()) for path in COIN.rglob("*.py")) <= 250


def test_it_is_listed(env: dict[str, str], tmp_path: Path) -> None:
    listed = otherminds("list", "--json", env=env, cwd=tmp_path).stdout
    names = {(entry["kind"], entry["name"]) for entry in json.loads(listed)}
    assert {("world", "coin-v0"), ("mind", "tracker"), ("mind", "egocentric")} <= names


def test_it_is_played_recorded_resumed_replayed_scored_and_verified(tmp_path: Path) -> None:
    words = ("play", "coin", "--mind", "tracker", "--seat", "ben=random", "--episodes", "3", "--out", "e.jsonl")
    first = json.loads(invoked(*words, "--json", cwd=tmp_path).stdout)
    assert [result["minds"] for result in first] == [{"ann": "tracker", "ben": "random", "cas": "tracker"}] * 3
    before = (tmp_path / "e.jsonl").read_bytes()
    assert json.loads(invoked(*words, "--json", cwd=tmp_path).stdout) == first
    assert (tmp_path / "e.jsonl").read_bytes() == before
    invoked("replay", "e.jsonl", "--page", "e.html", "--svg", "e.svg", cwd=tmp_path)
    assert "coin-v0" in (tmp_path / "e.html").read_text("utf-8")
    assert "knowers" in invoked("replay", "e.jsonl", "--text", cwd=tmp_path).stdout
    asked = invoked("replay", "e.jsonl", "--chain", "ann,ben", "--json", cwd=tmp_path).stdout
    assert json.loads(asked)["chain"] == ["ann", "ben"]
    (row,) = json.loads(invoked("score", "e.jsonl", "--json", cwd=tmp_path).stdout)["rows"]
    assert row["summary"]["episodes"] == 3
    assert "consistent with the rules" in invoked("verify", "e.jsonl", cwd=tmp_path).stdout
    assert "all checks passed" in invoked("verify", "coin", cwd=tmp_path).stdout


def test_a_changed_record_is_refused(tmp_path: Path) -> None:
    invoked("play", "coin", "--out", "e.jsonl", cwd=tmp_path)
    text = (tmp_path / "e.jsonl").read_text("utf-8")
    (tmp_path / "e.jsonl").write_text(text.replace('"success":false', '"success":true'), "utf-8")
    done = invoked("verify", "e.jsonl", cwd=tmp_path, expect=2)
    assert "outcome.success is True; according to its replies it is False" in done.stderr


def test_it_is_evaluated_alone_and_crossed(tmp_path: Path) -> None:
    words = ("evaluate", "coin", "tracker", "random", "decoupled", "--episodes", "20", "--json")
    rows = json.loads(invoked(*words, cwd=tmp_path).stdout)["rows"]
    tracker, random, decoupled = (row["summary"] for row in rows)
    assert (tracker["score"], tracker["literal"]) == (1.0, 1.0)
    assert 0.2 < random["score"] < 0.8
    assert (decoupled["score"], decoupled["literal"]) == (0.0, 1.0)
    crossed = json.loads(invoked(*words, "--cross", "--out", "x", cwd=tmp_path).stdout)
    assert len(crossed["rows"]) == 9
    kept = json.loads((tmp_path / "x" / "summary.json").read_text("utf-8"))
    assert kept.items() >= crossed.items()
    assert kept["command"].startswith("otherminds evaluate coin")


def test_a_person_plays_it_at_a_terminal(env: dict[str, str], tmp_path: Path) -> None:
    words = ["play", "coin", "--set", "turns=1", "--mind", "tracker", "--seat", "ann=human", "--out", "e.jsonl"]
    answers = iter(["rules", "peek", "peek", "yes", "no"])  # the third is no answer to a probe
    shown = at_terminal(words, lambda _: next(answers, "no"), env, tmp_path)
    assert "You are ann" in shown
    assert "Not accepted: answer is 'peek'; expected one of yes, no" in shown
    (row,) = json.loads(invoked("score", "e.jsonl", "--json", cwd=tmp_path).stdout)["rows"]
    assert row["minds"]["ann"] == "human"


def test_her_record_can_be_played_against_others(tmp_path: Path) -> None:
    invoked("play", "coin", "--episodes", "2", "--out", "people.jsonl", cwd=tmp_path)
    words = ("play", "coin", "--mind", "tracker", "--seat", "ann=recorded:people.jsonl", "--out", "e.jsonl", "--json")
    played = json.loads(invoked(*words, cwd=tmp_path).stdout)
    assert [result["minds"]["ann"] for result in played] == ["recorded:people.jsonl"] * 2
    lines = [json.loads(line) for line in (tmp_path / "e.jsonl").read_text("utf-8").splitlines()]
    old = [json.loads(line) for line in (tmp_path / "people.jsonl").read_text("utf-8").splitlines()]
    assert [line["replies"]["1/ann"] for line in lines if line.get("turn") == 1] == [
        line["replies"]["1/ann"] for line in old if line.get("turn") == 1
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("play", "coin", "--set", "turn=3"), "coin has no option 'turn'; did you mean 'turns'?"),
        (("play", "coin", "--set", "turns=0"), "turns is 0; expected a whole number of at least 1"),
        (("play", "coin", "--mind", "trakcer"), "there is no mind 'trakcer' in coin; did you mean 'tracker'?"),
        (("play", "coin", "--seat", "dan=random"), "there is no seat 'dan'; did you mean 'ann'?"),
        (("play", "coin", "--seat", "ann"), "--seat 'ann' is not of the form SEAT=MIND"),
        (("play", "coin", "--mind", "tracker:depth=3"), "mind 'tracker' has no option 'depth'"),
        (("play", "coin", "--players", "tracker"), "there is no option '--players'"),
        (("play", "coin", "--suite", "standard"), "coin-v0 has no suite 'standard'"),
        (("evaluate", "coin", "human"), "human is a person and cannot be evaluated; use: otherminds play"),
        (("play", "coin", "--seat", "ann=human", "--json"), "a human seat needs the terminal that --json writes to"),
        (("play", "coin", "--mind", "recorded:no.jsonl"), "cannot read no.jsonl"),
    ],
)
def test_mistakes_end_in_one_clear_line(words: tuple[str, ...], message: str, tmp_path: Path) -> None:
    done = invoked(*words, cwd=tmp_path, expect=2)
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
