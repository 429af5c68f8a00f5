"""Language models as the reader of ToMi, played by scripts."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai")

from inspect_ai.log import read_eval_log
from inspect_ai.model import ChatMessage

from otherminds.core.errors import UserError
from otherminds.llm.cost import estimate
from otherminds.llm.prompts import phrasings
from otherminds.llm.run import Evaluated, evaluate
from otherminds.llm.task import TASKS
from otherminds.worlds.tomi.evals.contamination import evaluate_contamination
from otherminds.worlds.tomi.world import ToMi
from tests.llm.scripts import Reply, scripted
from tests.worlds.tomi.evals.trained_runs import BASKET, BOX, STORY, make_set, write_items

tomi = TASKS["tomi"]


def solve(messages: list[ChatMessage]) -> str:
    """The right answer to any question of ``tomi_making``."""
    prompt = messages[1].text
    if "at the beginning" in prompt:
        return BOX
    left_first = prompt.index("Omar exited") < prompt.index("Nora moved")
    return BOX if left_first and "really?" not in prompt else BASKET


def fail(messages: list[ChatMessage]) -> str:
    """The wrong answer."""
    return BASKET if solve(messages) == BOX else BOX


@pytest.fixture
def items(tmp_path: Path) -> Path:
    return write_items(tmp_path / "items.jsonl", make_set())


def evaluated(reply: Reply, items: Path, settings: dict[str, Any] | None = None, **options: Any) -> Evaluated:
    how: dict[str, Any] = {"suite": "standard", "log_dir": items.parent / "logs", **options}
    return evaluate("tomi", {"items": str(items), **(settings or {})}, {"reader": scripted(reply)}, **how)


def test_notes_are_taken_once_a_story_where_everything_is_a_probe(items: Path) -> None:
    asked: list[str] = []

    def reply(messages: list[ChatMessage]) -> str:
        asked.append(messages[-1].text)
        return "Omar saw it all." if "Do not answer yet" in asked[-1] else solve(messages)

    done = evaluated(reply, items, method="notes")
    assert all(sum(one["about"] == "notes" for one in episode.exchanges) == 1 for episode in done.episodes)
    assert all(("Do not answer yet" in text) != ("Omar saw it all." in text) for text in asked)
    assert all("(the people of the story)" in text for text in asked if "Do not answer yet" in text)  # no other seats


def test_a_model_that_is_always_right_has_every_score(items: Path) -> None:
    done = evaluated(solve, items)
    assert len(done.episodes) == 4
    assert done.tokens_out == 16
    wanted = ("accuracy", "family_joint", "story_joint", "pair_joint_order", "validity_rate", "second_order", "literal")
    assert [done.summary[name] for name in wanted] == [1.0] * len(wanted)
    assert done.summary["reality_bias"] is None


def test_a_model_that_is_always_wrong_is_valid_and_has_none(items: Path) -> None:
    done = evaluated(fail, items)
    wanted = ("accuracy", "family_joint", "story_joint", "pair_joint_order", "memory", "literal_order_2")
    assert [done.summary[name] for name in wanted] == [0.0] * len(wanted)
    assert done.summary["validity_rate"] == 1.0
    assert done.summary["reality_bias"] == 1.0  # there are but two containers


def test_an_unreadable_reply_is_asked_for_again(items: Path) -> None:
    def hesitant(messages: list[ChatMessage]) -> str:
        return solve(messages) if len(messages) > 2 else "Well.\nIt depends."

    done = evaluated(hesitant, items)
    assert (done.summary["accuracy"], done.summary["validity_rate"]) == (1.0, 1.0)
    assert done.summary["attempts_per_ask"] == 2.0


def test_what_stays_unreadable_is_no_belief(items: Path) -> None:
    def mumbling(messages: list[ChatMessage]) -> str:
        return "no\nidea" if "Omar look" in messages[1].text else solve(messages)

    done = evaluated(mumbling, items, attempts=1)
    assert done.summary["validity"] == 12 / 16
    assert done.summary["accuracy_of_valid"] == 1.0
    assert done.summary["reality_bias"] is None
    given = [
        probe["given"] for one in done.episodes for probe in one.turns[0]["probes"] if "first" in probe["question"]
    ]
    assert given == [None] * 4


def test_questions_leave_no_trace_on_each_other(items: Path) -> None:
    lengths: list[int] = []

    def reply(messages: list[ChatMessage]) -> str:
        lengths.append(len(messages))
        return solve(messages)

    evaluated(reply, items)
    assert lengths == [2] * 16


def test_all_phrasings_are_told_apart_and_answered(items: Path) -> None:
    names = phrasings(ToMi())
    assert {"plain", "reader", "stepwise"} <= set(names)
    heard: dict[str, str] = {}
    for name in ("plain", "reader", "stepwise"):

        def reply(messages: list[ChatMessage], name: str = name) -> str:
            heard.setdefault(name, messages[-1].text)
            return f"So.\nAnswer: {solve(messages)}"

        assert evaluated(reply, items, phrasing=name, size=1).summary["validity_rate"] == 1.0
    assert len(set(heard.values())) == 3


def test_a_schema_holds_the_reply_to_the_choices(items: Path) -> None:
    done = evaluated(lambda messages: json.dumps({"answer": solve(messages)}), items, form="structured")
    assert done.summary["accuracy"] == 1.0
    event = next(e for e in (read_eval_log(done.logs[0]).samples or [])[0].events if e.event == "model")
    wanted = event.config.response_schema
    assert wanted is not None
    assert (wanted.json_schema.properties or {})["answer"].enum == [BOX, BASKET]


def test_a_finished_evaluation_is_not_run_again_and_changed_questions_are_another(items: Path) -> None:
    calls = []

    def counted(messages: list[ChatMessage]) -> str:
        calls.append(1)
        return solve(messages)

    first, again = evaluated(counted, items), evaluated(counted, items)
    assert len(calls) == 16
    assert first.logs == again.logs
    evaluated(counted, items, {"conventions": False})
    assert len(calls) == 32
    changed = items.with_name("changed.jsonl")
    write_items(changed, [replace(item, story=(*item.story, "Ann likes the fig.")) for item in make_set()])
    versions = {tomi(set={"items": str(path)}, suite="standard").version for path in (items, changed)}
    assert len(versions) == 2


def test_conventions_are_a_switch(items: Path) -> None:
    heard: list[str] = []

    def reply(messages: list[ChatMessage]) -> str:
        heard.append(messages[0].text)
        return solve(messages)

    for settings in ({}, {"conventions": False}, {"containers": "closed"}):
        evaluated(reply, items, settings, size=1)
    told = list(dict.fromkeys(heard))
    assert ["Containers stand open" in one for one in told] == [True, False, False]
    assert ["Containers are shut" in one for one in told] == [False, False, True]
    assert "watches in secret or is distracted" in told[0]


def test_stories_can_be_completed_instead(items: Path) -> None:
    """Whoever knows the story scores 1; a reply in other words scores nothing."""

    def knows(messages: list[ChatMessage]) -> str:
        return "Omar exited the study.\nNora moved the lemon to the green_basket."

    done = evaluate_contamination(scripted(knows), {"items": str(items)}, log_dir=items.parent / "logs")
    assert done["stories"] == 4
    assert done["reproduced"] == 0.5  # the base stories end so, their order twins the other way round
    prompts = (read_eval_log(done["log"]).eval.metadata or {})["prompts"]
    assert set(prompts) == {"tomi/v1/complete"}


def test_the_estimate_counts_every_question(items: Path) -> None:
    world = ToMi(items=str(items))
    expected = estimate(world, {"reader": "mockllm/model"}, items=list(world.suite()))
    assert (expected.episodes, expected.requests) == (4, 16)
    assert 16 * 150 < expected.tokens_in < 16 * 400
    assert expected.price(1.0, None) == pytest.approx(expected.tokens_in / 1e6)


def test_questions_can_be_those_of_a_folder_or_of_a_tomi_file(tmp_path: Path) -> None:
    write_items(tmp_path / "val.jsonl", make_set(1))
    assert len(tomi(set={"items": str(tmp_path), "split": "val"}, suite="standard").dataset) == 2
    lines = [f"{number} {sentence}" for number, sentence in enumerate(STORY, 1)]
    (tmp_path / "own.txt").write_text("\n".join([*lines, f"6 Where is the lemon really?\t{BASKET}\t1\n"]), "utf-8")
    assert len(tomi(set={"items": str(tmp_path / "own.txt")}, suite="standard").dataset) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"phrasing": "plane"}, "no phrasing 'plane' in version v1; did you mean 'plain'"),
        ({"prompts": "v9"}, "no prompts of version 'v9'; expected v1"),
        ({"set": {"containers": "ajar"}}, "containers is 'ajar'; expected open or closed"),
        ({"form": "speech"}, "--form is 'speech'"),
        ({"prompts": "none.txt"}, r"cannot read the prompt none\.txt"),
        ({"set": {"preset": "esay"}}, "no preset 'esay'"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        tomi(**{"suite": "standard", **options})


def test_a_prompt_of_ones_own_is_used_and_hashed(items: Path) -> None:
    own = items.with_name("probe.txt")
    own.write_text("{view}\nTell me: {question}", "utf-8")
    heard: list[str] = []

    def reply(messages: list[ChatMessage]) -> str:
        heard.append(messages[-1].text)
        return solve(messages)

    done = evaluated(reply, items, prompts=str(own), size=1)
    assert any(text.endswith("Tell me: Where was the lemon at the beginning?") for text in heard)
    assert str(own) in (read_eval_log(done.logs[0]).eval.metadata or {})["prompts"]
