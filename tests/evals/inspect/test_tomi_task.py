"""The ToMi task against scripted models."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai")

from inspect_ai.log import read_eval_log
from inspect_ai.model import ChatMessage

from otherminds.core.errors import UserError
from otherminds.evals.inspect import tomi_run as run
from otherminds.evals.inspect.run import plan
from otherminds.evals.inspect.templates import FOLDER
from otherminds.evals.inspect.tomi import phrasings, tomi
from otherminds.evals.inspect.tomi_answers import read_answer
from tests.evals.inspect.models import Reply, fail, scripted, solve
from tests.evals.tomi_making import BASKET, BOX, STORY, make_item, make_set, write_items


@pytest.fixture
def items(tmp_path: Path) -> Path:
    return write_items(tmp_path / "items.jsonl", make_set())


def evaluated(reply: Reply, items: Path, **options: Any) -> run.Evaluated:
    (done,) = run.evaluate_tomi(scripted(reply), log_dir=items.parent / "logs", items=str(items), **options)
    return done


def test_a_model_that_is_always_right_has_every_score(items: Path) -> None:
    done = evaluated(solve, items)
    assert done.samples == 16
    wanted = ("accuracy", "family_joint", "story_joint", "order pair", "validity_rate", "second order", "order 1")
    assert [done.metrics[name] for name in wanted] == [1.0] * len(wanted)
    assert done.metrics["reality_bias"] is None
    assert done.scores is not None
    assert (done.scores.family_joint.value, done.scores.family_joint.count) == (1.0, 2)


def test_a_model_that_is_always_wrong_is_valid_and_has_none(items: Path) -> None:
    done = evaluated(fail, items)
    wanted = ("accuracy", "family_joint", "story_joint", "order pair", "memory", "order 2")
    assert [done.metrics[name] for name in wanted] == [0.0] * len(wanted)
    assert done.metrics["validity_rate"] == 1.0
    assert done.metrics["reality_bias"] == 1.0  # there are but two containers


def test_an_unreadable_reply_is_asked_for_again(items: Path) -> None:
    def hesitant(messages: list[ChatMessage]) -> str:
        return solve(messages) if len(messages) > 1 else "Well.\nIt depends."

    done = evaluated(hesitant, items)
    assert (done.metrics["accuracy"], done.metrics["validity_rate"]) == (1.0, 1.0)
    sample = (read_eval_log(done.log).samples or [])[0]
    assert len(sample.store["replies"]) == 2
    assert "could not read" in sample.messages[2].text


def test_what_stays_unreadable_is_no_belief(items: Path) -> None:
    def mumbling(messages: list[ChatMessage]) -> str:
        return "no idea" if "Omar look" in messages[0].text else solve(messages)

    done = evaluated(mumbling, items, retries=0)
    assert done.metrics["validity_rate"] == 12 / 16
    assert done.metrics["accuracy_of_valid"] == 1.0
    assert done.metrics["reality_bias"] is None
    sample = next(s for s in read_eval_log(done.log).samples or [] if s.id == "f0-base-first")
    score = (sample.scores or {})["belief_answer"]
    assert (score.value, score.answer) == ("N", None)


def test_samples_have_the_ids_and_choices_of_their_questions(items: Path) -> None:
    first, again = tomi(items=str(items)), tomi(items=str(items), phrasing="reader")
    assert [sample.id for sample in first.dataset] == [item.id for item in make_set()]
    assert [sample.id for sample in first.dataset] == [sample.id for sample in again.dataset]
    assert first.dataset[0].choices == [BOX, BASKET]
    assert first.dataset[0].target == BOX


def test_the_log_has_the_hash_of_every_prompt(items: Path) -> None:
    log = read_eval_log(evaluated(solve, items).log, header_only=True)
    found = (log.eval.metadata or {})["prompts"]
    assert set(found) == {"tomi/v1/plain", "tomi/v1/again", "tomi/v1/conventions_open"}
    for name, digest in found.items():
        assert digest == sha256((FOLDER / f"{name}.txt").read_bytes()).hexdigest()


def test_all_phrasings_are_run_and_told_apart(items: Path) -> None:
    names = phrasings()
    assert len(names) >= 3
    done = run.evaluate_tomi(
        scripted(solve), log_dir=items.parent / "logs", phrasing="all", items=str(items), order=1, limit=2
    )
    assert [one.phrasing for one in done] == names
    assert [one.metrics["accuracy"] for one in done] == [1.0] * len(names)
    prompts = {(read_eval_log(one.log).samples or [])[0].messages[0].text for one in done}
    assert len(prompts) == len(names)


def test_a_finished_evaluation_is_not_run_again(items: Path) -> None:
    calls = []

    def counted(messages: list[ChatMessage]) -> str:
        calls.append(1)
        return solve(messages)

    first, again = evaluated(counted, items), evaluated(counted, items)
    assert len(calls) == 16
    assert first.log == again.log
    evaluated(counted, items, conventions=False)
    assert len(calls) == 32


def test_changed_questions_under_the_same_name_are_another_evaluation(items: Path) -> None:
    first = evaluated(solve, items)
    write_items(items, [replace(item, story=(*item.story, "The phone rang.")) for item in make_set()])
    assert evaluated(solve, items).log != first.log


def test_conventions_order_and_ambiguity_are_switches(tmp_path: Path) -> None:
    path = write_items(tmp_path / "items.jsonl", [*make_set(1), make_item("odd", ambiguous=True)])
    with_them, without = tomi(items=str(path)), tomi(items=str(path), conventions=False)
    assert "Containers stand open" in str(with_them.dataset[0].input)
    assert "Containers" not in str(without.dataset[0].input)
    assert "Containers are shut" in str(tomi(items=str(path), containers="closed").dataset[0].input)
    shut = write_items(tmp_path / "shut.jsonl", [replace(item, is_open=False) for item in make_set(1)])
    assert "Containers are shut" in str(tomi(items=str(shut)).dataset[0].input)
    assert "Containers stand open" in str(tomi(items=str(shut), containers="open").dataset[0].input)
    assert len(with_them.dataset) == 8
    assert len(tomi(items=str(path), ambiguous=True).dataset) == 9
    second = tomi(items=str(path), order=2)
    assert [sample.id for sample in second.dataset] == ["f0-base-second", "f0-order-second"]
    assert (second.dataset[0].metadata or {})["reality"] == BASKET  # known although it is not asked for


def test_choices_are_lettered_and_a_letter_will_do(items: Path) -> None:
    done = evaluated(lambda messages: f"({'AB'[solve(messages) == BASKET]})", items, form="choices")
    assert done.metrics["accuracy"] == 1.0


def test_a_schema_holds_the_reply_to_the_choices(items: Path) -> None:
    done = evaluated(lambda messages: json.dumps({"answer": solve(messages)}), items, form="schema")
    assert done.metrics["accuracy"] == 1.0
    event = next(e for e in (read_eval_log(done.log).samples or [])[0].events if e.event == "model")
    wanted = event.config.response_schema
    assert wanted is not None
    assert (wanted.json_schema.properties or {})["answer"].enum == [BOX, BASKET]


def test_stories_can_be_completed_instead(items: Path) -> None:
    """Whoever knows the story scores 1; a reply in other words scores nothing."""

    def knows(messages: list[ChatMessage]) -> str:
        return "Omar exited the study.\nNora moved the lemon to the green_basket."

    done = evaluated(knows, items, contamination=True)
    assert done.samples == 4
    assert done.metrics["mean"] == 0.5  # the base stories end so, their order twins the other way round
    assert done.scores is None


@pytest.mark.parametrize(
    ("reply", "form", "answer"),
    [
        ("red_box", "free", BOX),
        ("The red box.", "free", BOX),
        ("**Answer:** the green basket", "free", BASKET),
        ("First the red_box.\nAnswer: red_box\nNo.\nAnswer: green_basket", "free", BASKET),
        ("Omar left.\nSo it is the red_box", "free", None),
        ("He looks in the red_box", "free", None),
        ("Answer: in the attic", "free", None),
        ("", "free", None),
        ("A", "free", None),
        ("b)", "choices", BASKET),
        ("Answer: (B) green_basket", "choices", BASKET),
        ("Answer: A) green_basket", "choices", None),
        ("C", "choices", None),
        ("green_basket", "choices", BASKET),
        ('{"answer": "red_box"}', "schema", BOX),
        ('{"answer": "attic"}', "schema", None),
    ],
)
def test_replies_are_read_strictly(reply: str, form: Any, answer: str | None) -> None:
    assert read_answer(reply, [BOX, BASKET], form) == answer


def test_without_choices_any_single_line_is_an_answer() -> None:
    assert read_answer("Answer: Nora, Omar", [], "free") == "Nora, Omar"


def test_the_plan_counts_samples_tokens_and_price(items: Path) -> None:
    tasks = run.tomi_tasks("plain,stepwise", items=str(items))
    expected = plan(tasks, run.takes, price_in=1.0, price_out=10.0)
    assert expected.samples == 32
    assert 16 * 2 * 150 < expected.tokens_in < 16 * 2 * 400
    assert expected.price == pytest.approx((expected.tokens_in + 10 * expected.tokens_out) / 1e6)
    assert plan(tasks, run.takes).price is None
    assert plan(tasks, run.takes, limit=3).samples == 6


@pytest.mark.parametrize("phrasing", ["", " , "])
def test_at_least_one_phrasing_is_named(items: Path, phrasing: str) -> None:
    with pytest.raises(UserError, match="expected plain, reader, stepwise, a file, or all"):
        run.tomi_tasks(phrasing, items=str(items))


@pytest.mark.parametrize("phrasing", ["plane", "complete", "plain,plane"])
def test_a_phrasing_that_is_none_is_named(items: Path, phrasing: str) -> None:
    """Prompts that put no question are no phrasings."""
    with pytest.raises(UserError, match=f"there is no phrasing '{phrasing.rsplit(',', maxsplit=1)[-1]}'.*plain"):
        run.tomi_tasks(phrasing, items=str(items))


def test_completing_a_story_is_estimated_by_what_is_to_be_written(items: Path) -> None:
    (task,) = run.tomi_tasks(items=str(items), contamination=True)
    letters = sum(len(str(sample.target)) for sample in task.dataset)
    assert letters / 5 < plan([task], run.takes).tokens_out < letters / 3


@pytest.mark.parametrize(("name", "kind"), [("original/released", "original/released"), ("tom-easy", "babi/easy")])
def test_sets_of_the_papers_are_asked_by_name(name: str, kind: str) -> None:
    made = tomi(preset=name, size=3, seed=4, ambiguous=True)
    assert {(sample.metadata or {})["preset"] for sample in made.dataset} == {kind}
    assert len(made.dataset) >= 18


def test_a_file_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"there is no .*medium; expected a file of questions \(\.jsonl\)"):
        run.tomi_tasks(items=str(tmp_path / "medium"))


def test_conventions_leave_room_for_secrets(items: Path) -> None:
    for containers in ("open", "closed"):
        said = str(tomi(items=str(items), containers=containers).dataset[0].input)
        assert "watches in secret or is distracted" in said


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"phrasing": "plane"}, "no prompt 'plane' in version v1; did you mean 'plain'"),
        ({"prompts": "v9"}, "no prompts of version 'v9'; did you mean 'v1'"),
        ({"containers": "ajar"}, "containers is 'ajar'; expected open or closed"),
        ({"form": "speech"}, "form 'speech' is not known"),
        ({"order": 7}, "no question of order 7 is left to ask; there are orders 0, 1, 2"),
        ({"phrasing": "none.txt"}, "cannot read the prompt none.txt"),
    ],
)
def test_a_wrong_option_is_named(items: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        tomi(items=str(items), **options)


def test_fresh_questions_can_be_of_turned_knobs(items: Path) -> None:
    made = tomi(preset="easy", size=1, knobs={"is_open": False, "distractors": 2})
    assert {(sample.metadata or {})["n_agents"] for sample in made.dataset} == {4}
    assert "Containers are shut" in str(made.dataset[0].input)
    with pytest.raises(UserError, match="leave them out with items"):
        tomi(items=str(items), knobs={"agents": 3})


def test_questions_can_be_those_of_a_folder_or_of_a_tomi_file(tmp_path: Path) -> None:
    write_items(tmp_path / "val.jsonl", make_set(1))
    assert len(tomi(items=str(tmp_path), split="val").dataset) == 8
    lines = [f"{number} {sentence}" for number, sentence in enumerate(STORY, 1)]
    (tmp_path / "own.txt").write_text("\n".join([*lines, f"6 Where is the lemon really?\t{BASKET}\t1\n"]), "utf-8")
    (sample,) = tomi(items=str(tmp_path / "own.txt")).dataset
    assert (sample.target, sample.choices) == (BASKET, [BASKET, BOX])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{story} {questoin}", r"nothing is known for \{questoin\}; did you mean 'question'"),
        ("{story}", r"\{question\} is missing"),
        ("{story} {question} {", "write {{ and }} for braces"),
        ("{story:d} {question}", r"\{story\} asks for a form of its own"),
        ("{story} {question!r}", r"\{question\} asks for a form of its own"),
    ],
)
def test_a_faulty_prompt_of_ones_own_is_refused(items: Path, text: str, message: str) -> None:
    own = items.with_name("own.txt")
    own.write_text(text, "utf-8")
    with pytest.raises(UserError, match=message):
        tomi(items=str(items), phrasing=str(own))


def test_a_prompt_of_ones_own_is_used_and_hashed(items: Path) -> None:
    own = items.with_name("own.txt")
    own.write_text("{story}\nTell me: {question}", "utf-8")
    made = tomi(items=str(items), phrasing=str(own))
    assert str(made.dataset[0].input).endswith("Tell me: Where was the lemon at the beginning?")
    assert (made.metadata or {})["prompts"][str(own)] == sha256(own.read_bytes()).hexdigest()


def test_other_words_or_questions_make_another_version(items: Path) -> None:
    """A run is continued only if nothing of what is asked has changed."""
    own = items.with_name("own.txt")
    versions = []
    for text in ("{story}\n{question}", "{story}\nNow: {question}"):
        own.write_text(text, "utf-8")
        versions.append(tomi(items=str(items), phrasing=str(own)).version)
    versions.append(tomi(items=str(items), phrasing=str(own), order=1).version)
    assert len(set(versions)) == 3
