"""A task written as plain data is the task again when it is read."""

import json

import pytest

from otherminds.worlds.enacttom.tasks.read import find_task, parse_task, read_task
from otherminds.worlds.enacttom.tasks.write import task_content
from otherminds.worlds.enacttom.types import Task
from otherminds.worlds.enacttom.verify.certify import digest_of
from tests.worlds.enacttom.houses import chain, fetch, letter, memo
from tests.worlds.enacttom.verify.test_depth_by_brute_force import small

MEMOS = fetch(
    mechanics=[{"kind": "memo", "about": "target", "to": ["ann", "ben"]}],
    worlds=[{"target": "table1"}, {"target": "table3"}],
)


@pytest.mark.parametrize("task", [fetch(), memo(), chain(), letter(), MEMOS, read_task(find_task("cup"))])
def test_a_task_is_the_same_after_it_was_written_and_read(task: Task) -> None:
    again = parse_task(json.loads(json.dumps(task_content(task))))
    assert again == task
    assert digest_of(again) == digest_of(task)


def test_drawn_tasks_are_the_same_too() -> None:
    for seed in range(40):
        task = small(seed)
        assert parse_task(task_content(task)) == task
