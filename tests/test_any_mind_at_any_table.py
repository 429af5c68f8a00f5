"""Any mind in any world: minds of every kind in the seats of all four worlds and of a plug-in, by the real command."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.plugin import ROOT, at_terminal, install_coin, invoke

LEARNED = ROOT / "results" / "symmtom" / "ppo-attentive" / "n3_w6_c3" / "seed0.safetensors"
WORLDS: dict[str, dict[str, object]] = {
    "symmtom": {
        "seat": "agent_0",
        "set": ["num_turns=5"],
        "scripted": "heuristic",
        "planner": "planner",
        "learned": str(LEARNED),
    },
    "tomi": {"seat": "reader", "set": ["preset=classic"], "scripted": "always-reality", "planner": "tracker"},
    "decrypto": {"seat": "alice", "set": ["turns=2"], "scripted": "glove", "planner": "rsa"},
    "enacttom": {"seat": "ann", "set": ["task=cup", "probes=true"], "scripted": "greedy", "planner": "tracker:depth=2"},
    "coin": {"seat": "ann", "set": ["turns=2"], "scripted": "egocentric", "planner": "tracker"},
}
KINDS = ("random", "scripted", "planner", "learned", "model", "person", "recorded", "mixed", "silent", "decoupled")
CASES = [(world, kind) for world, about in WORLDS.items() for kind in KINDS if kind != "learned" or "learned" in about]


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return install_coin(tmp_path_factory.mktemp("site"))


def answer(shown: str) -> str:
    """What a person types who does as little as possible."""
    asked = shown.replace("\r\n", "\n").rpartition("--- turn")[2]
    if "hints:" in asked:
        return "salt, pepper, sugar"
    if "guess:" in asked:
        return "1-2-3"
    if "move:" in asked:
        return "stay -"
    if containers := re.findall(r"(?:in|to) the (\w+)\.", asked):
        return str(containers[-1])
    if options := re.search(r"answer: one of ([^\]]+)\]", asked):
        return options[1].split(", ")[-1]
    return "wait" if "act: one of" in asked else "wait()"


@pytest.mark.parametrize(("world", "kind"), CASES)
def test_any_mind_sits_at_any_table(world: str, kind: str, env: dict[str, str], tmp_path: Path) -> None:
    about = WORLDS[world]
    seat, settings = str(about["seat"]), [word for pair in about["set"] for word in ("--set", str(pair))]  # type: ignore[attr-defined]
    words = ["play", world, *settings, "--episodes", "1", "--out", "e.jsonl", "--attempts", "2"]
    other = str(about["scripted"])
    if kind == "person":
        shown = at_terminal([*words, "--mind", other, "--seat", f"{seat}=human"], answer, env, tmp_path)
        assert "The episode is over" in shown
        name = "human"
    elif kind == "recorded":
        invoke("play", world, *settings, "--mind", "random", "--out", "old.jsonl", cwd=tmp_path)
        words += ["--mind", other, "--seat", f"{seat}=recorded:old.jsonl", "--json"]
        (result,) = json.loads(invoke(*words, cwd=tmp_path))
        name = "recorded:old.jsonl"
        assert result["validity"][seat]["failures"] == 0
    else:
        names = {"model": "mockllm/model", "mixed": "random"}
        name = str(about.get(kind) or names.get(kind, kind))
        is_alone = kind == "mixed" or name == "rsa"  # which cannot be Eve
        words += ["--mind", other if is_alone else name, "--seat", f"{seat}={name}", "--json"]
        (result,) = json.loads(invoke(*words, cwd=tmp_path))
        if kind == "learned":  # a trained agent has a name of its own
            name = result["minds"][seat]
        assert result["minds"][seat] == name
        failed = sum(counts["failures"] for counts in result["validity"].values())
        assert (failed > 0) == (kind in ("silent", "model")), result["validity"]
    (row,) = json.loads(invoke("score", "e.jsonl", "--json", cwd=tmp_path))["rows"]
    assert row["minds"][seat] == name
    assert row["summary"]["episodes"] == 1
    invoke("verify", "e.jsonl", cwd=tmp_path)
