"""Tasks are furnished from skeletons, proved, judged and kept once."""

from pathlib import Path

import pytest

pytest.importorskip("clingo")

from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.tasks import generate
from otherminds.worlds.enacttom.tasks.canonical import canonical
from otherminds.worlds.enacttom.tasks.generate import Slot, candidates, examine, fill, slots
from otherminds.worlds.enacttom.tasks.read import parse_task, read_task
from otherminds.worlds.enacttom.tasks.skeletons.bars import BARS
from otherminds.worlds.enacttom.tasks.skeletons.furnish import WITH_ERRANDS, furnish
from otherminds.worlds.enacttom.tasks.skeletons.plots import PLOTS, blueprint, blueprints
from otherminds.worlds.enacttom.tasks.skeletons.scene import Unfit
from otherminds.worlds.enacttom.tasks.write import task_content
from otherminds.worlds.enacttom.types import Task
from otherminds.worlds.enacttom.verify.errands import is_solvable
from otherminds.worlds.enacttom.verify.slice import slice_of
from tests.worlds.enacttom.families.chain import two_links

QUICK = "link-told-switch-none"


def furnished(name: str, is_mixed: bool = False) -> Task:
    for seed in range(20):
        try:
            return furnish(blueprint(name), Draw(seed, name), values=2, is_mixed=is_mixed)
        except Unfit:
            continue
    raise AssertionError(f"no house of twenty has a place for {name}")


def test_there_are_enough_skeletons_of_each_depth() -> None:
    names = [plan.name for plan in blueprints()]
    assert len(names) == len(set(names)) >= 60
    assert all(sum(plan.depth == depth for plan in blueprints()) >= 15 for depth in (1, 2, 3))
    assert {plan.plot for plan in blueprints()} == set(PLOTS)
    assert {plan.bar for plan in blueprints()} == set(BARS)


# One skeleton of every plot but the one whose proof takes longest, and among the slow tests every skeleton.
SAMPLE = [
    f"{plot}-{made.sources[0]}-{made.jobs[-1] if plot == 'lookout' else 'switch'}-none"
    for plot, made in PLOTS.items()
    if plot != "rounds"
]


@pytest.mark.parametrize("name", SAMPLE)
def test_a_furnished_skeleton_has_the_depth_it_is_meant_to_have(name: str) -> None:
    task = furnished(name)
    depth = blueprint(name).depth
    assert is_solvable(task, depth - 1) is False
    assert is_solvable(task, depth) is True
    assert len(task.things) >= 16
    carried = len(slice_of(ground(task)).ground.task.things)
    assert carried == 2 or len(task.worlds) > WITH_ERRANDS


@pytest.mark.slow
@pytest.mark.parametrize("name", [plan.name for plan in blueprints()])
def test_every_skeleton_has_the_depth_it_is_meant_to_have(name: str) -> None:
    task, depth = furnished(name), blueprint(name).depth
    assert is_solvable(task, depth - 1) is False
    assert is_solvable(task, depth) is True


def test_one_draw_gives_one_task_and_another_draw_another() -> None:
    plan = blueprint(QUICK)
    one, same, other = (furnish(plan, Draw(seed, "house")) for seed in (1, 1, 2))
    assert task_content(one) == task_content(same)
    assert canonical(one) != canonical(other)


def test_a_mixed_task_tempts_the_person_who_has_the_job() -> None:
    task = furnished(QUICK, is_mixed=True)
    assert task.category == "mixed"
    (wish,) = task.private.values()
    assert wish.startswith("powered(")


def test_a_candidate_of_another_depth_or_with_something_idle_is_not_kept() -> None:
    content = {"id": "made", **two_links(Draw(0, "examined"))}
    assert "depth 3" in examine(parse_task(content), 2)[1]
    assert examine(parse_task(content), 3)[1] == ""
    content["goal"]["and"].append({"not": f"at({next(iter(content['people']))}, nowhere)"})
    content["house"]["rooms"]["nowhere"] = {"box": [0, 8, 5, 4]}
    assert "part 4 of the goal is not needed" in examine(parse_task(content), 3)[1]


def test_slots_take_depths_in_turn_and_every_skeleton_once() -> None:
    wanted = slots(60, seed=1)
    assert [slot.skeleton.depth for slot in wanted[:6]] == [1, 2, 3, 1, 2, 3]
    assert len({slot.skeleton.name for slot in wanted}) == 60
    assert sum(slot.is_mixed for slot in wanted) == 21
    assert wanted == slots(60, seed=1) != slots(60, seed=2)
    assert wanted[:9] == slots(9, seed=1)


@pytest.fixture
def unproved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every candidate is kept, without proofs, which take long."""
    monkeypatch.setattr(generate, "examine", lambda task, depth, seconds: (task, ""))


@pytest.mark.usefixtures("unproved")
def test_slots_are_filled_once_and_in_the_same_way(tmp_path: Path) -> None:
    wanted = slots(2, 3, name="mine", skeletons=[QUICK])
    assert all(filled.is_written and not filled.was_there for filled in fill(tmp_path, wanted, seed=3))
    texts = {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()}
    assert sorted(texts) == ["mine-001.yaml", "mine-002.yaml"]
    again = list(fill(tmp_path, wanted, seed=3))
    assert all(filled.was_there and not filled.tries for filled in again)
    (tmp_path / "mine-002.yaml").unlink()  # as if it had been killed
    assert list(fill(tmp_path, wanted, seed=3))
    assert {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()} == texts
    one, two = (read_task(path) for path in sorted(tmp_path.iterdir()))
    assert canonical(one) != canonical(two)
    with pytest.raises(UserError, match="seed 3, not 4"):
        list(fill(tmp_path, wanted, seed=4))


@pytest.mark.usefixtures("unproved")
def test_what_is_known_is_not_drawn_again() -> None:
    slot = Slot("mine-001", blueprint(QUICK))
    *_, kept = candidates(slot, 0, {})
    assert kept.task is not None
    first = next(candidates(slot, 0, {canonical(kept.task): "mine-000"}))
    assert kept.number == 1
    assert first.against == "the same as mine-000 except for names and order"


def test_unknown_skeletons_and_depths_are_refused() -> None:
    with pytest.raises(UserError, match="no skeleton 'massage'"):
        slots(1, skeletons=["massage"])
    with pytest.raises(UserError, match="no skeleton of depth 4"):
        slots(1, depths=[4])
