"""The training loop, with a learner of a few numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from otherminds.core.errors import UserError
from otherminds.learn import loop
from otherminds.learn.loop import Chunk, Trained, train
from otherminds.run import RunDirectory
from otherminds.run.arrays import fill, flatten


class Training(NamedTuple):
    weights: dict[str, Any]
    memory: Any
    count: Any


class Toy:
    """Earns the given rewards in turn. A chunk takes its argument's memory over, as compiled learners do."""

    chunk_episodes = 10

    def __init__(self, rewards: list[float], dies_in: int | None = None) -> None:
        self._rewards, self._dies_in = rewards, dies_in
        self.num_chunks = len(rewards)
        self._next = jax.jit(self._step, donate_argnums=0)

    def _step(self, t: Training) -> Training:
        count = t.count + 1
        memory = t.memory.at[count % 2].set(count * 10)
        weights = {"w": t.weights["w"] * 1.5 + memory.sum()}
        return Training(weights, memory, count)

    def begin(self) -> Training:
        return Training({"w": jnp.ones(3)}, jnp.zeros(2), jnp.zeros((), jnp.int32))

    def chunk(self, state: Training) -> tuple[Training, dict[str, float]]:
        after = self._next(state)
        jax.tree.map(lambda leaf: leaf.delete(), state)  # so that whoever still looks at it fails
        if int(after.count) == self._dies_in:
            raise Death
        return after, {"reward": self._rewards[int(after.count) - 1]}

    def actor(self, state: Training) -> Any:
        return state.weights


class Spoilt(Toy):
    """Its actor is no good after a chunk."""

    def __init__(self, rewards: list[float], after: int) -> None:
        super().__init__(rewards)
        self._after = after

    def actor(self, state: Training) -> Any:
        weights = state.weights["w"]
        return {"w": jnp.where(state.count == self._after, weights.at[1].set(jnp.inf), weights)}


class Death(Exception):
    pass


def run(out: Path, learner: Toy, **options: Any) -> Trained:
    with RunDirectory.open(out, {"seed": 0}) as directory:
        return train(learner, directory, **options)


def assert_same(one: Trained, other: Trained) -> None:
    assert one.best_step == other.best_step
    assert np.array_equal(one.best["w"], other.best["w"])
    assert np.array_equal(one.last["w"], other.last["w"])


def weights_after(tmp_path: Path, chunks: int) -> Any:
    return run(tmp_path / f"after {chunks}", Toy([1.0] * chunks)).last["w"]


def test_the_actor_of_the_best_chunk_is_kept_and_the_first_of_equals(tmp_path: Path) -> None:
    trained = run(tmp_path / "run", Toy([1.0, 5.0, 2.0, 5.0]))
    assert trained.best_step == 2
    assert np.array_equal(trained.best["w"], weights_after(tmp_path, 2))
    assert np.array_equal(trained.last["w"], weights_after(tmp_path, 4))


def test_every_chunk_leaves_a_row_and_is_told_of(tmp_path: Path) -> None:
    told: list[Chunk] = []
    run(tmp_path, Toy([3.0, 4.0]), on_chunk=told.append)
    rows = RunDirectory.read(tmp_path).metrics
    assert rows == [
        {"step": 1, "episodes": 10, "progress": 0.5, "reward": 3.0},
        {"step": 2, "episodes": 20, "progress": 1.0, "reward": 4.0},
    ]
    assert [chunk.row for chunk in told] == rows
    assert told[-1].remaining == 0.0


@pytest.mark.parametrize("dies_in", range(1, 6))
def test_a_training_that_died_in_any_chunk_goes_on_as_if_nothing_had_happened(tmp_path: Path, dies_in: int) -> None:
    rewards = [1.0, 7.0, 2.0, 7.5, 3.0]
    whole = run(tmp_path / "whole", Toy(rewards))
    with pytest.raises(Death):
        run(tmp_path / "died", Toy(rewards, dies_in))
    told: list[Chunk] = []
    assert_same(run(tmp_path / "died", Toy(rewards), on_chunk=told.append), whole)
    assert [chunk.row["step"] for chunk in told] == list(range(dies_in, 6)), "chunks that were saved are not repeated"
    files = [(tmp_path / name / "metrics.jsonl").read_bytes() for name in ("whole", "died")]
    assert files[0] == files[1]


def test_a_learner_with_a_large_memory_saves_it_less_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rewards = [1.0, 7.0, 2.0, 7.5, 3.0]
    whole = run(tmp_path / "whole", Toy(rewards))
    monkeypatch.setattr(loop, "_BYTES_PER_CHUNK", 16)  # the toy's state has 24 bytes, so every second chunk is saved
    with pytest.raises(Death):
        run(tmp_path / "died", Toy(rewards, dies_in=4))
    told: list[Chunk] = []
    assert_same(run(tmp_path / "died", Toy(rewards), on_chunk=told.append), whole)
    assert [chunk.row["step"] for chunk in told] == [3, 4, 5]


@pytest.mark.parametrize("diverges_in", [1, 3])
@pytest.mark.parametrize("what", ["reward", "actor"])
def test_a_training_that_diverges_stops_and_saves_nothing_bad(tmp_path: Path, diverges_in: int, what: str) -> None:
    rewards = [1.0, 2.0, 3.0, 4.0]
    if what == "reward":
        rewards[diverges_in - 1] = float("nan")
    learner = Toy(rewards) if what == "reward" else Spoilt(rewards, diverges_in)
    for _ in range(2):  # and again when it is continued
        with pytest.raises(UserError) as caught:
            run(tmp_path, learner)
        first = 10 * diverges_in - 9
        kept = "nothing was saved yet" if diverges_in == 1 else "checkpoint of chunk 2, the last good one, is kept"
        for part in (f"in chunk {diverges_in} of 4 (episodes {first} to {first + 9})", what, kept, "learning rate"):
            assert part in str(caught.value)
        with RunDirectory.open(tmp_path, {"seed": 0}) as directory:
            saved = directory.resume()
            assert (saved.step if saved else 0) == diverges_in - 1
            assert [row["step"] for row in directory.metrics()] == list(range(1, diverges_in))


def test_a_tree_comes_back_from_named_arrays() -> None:
    tree = Training(
        {"w": jnp.arange(3.0), "nested": {"b": jnp.ones((2, 0))}}, (jnp.zeros(2), [jnp.int32(4)]), jnp.ones(())
    )
    arrays = flatten(tree)
    assert all(isinstance(array, np.ndarray) for array in arrays.values())
    assert len(arrays) == len(jax.tree.leaves(tree))
    found = fill(jax.tree.map(jnp.zeros_like, tree), arrays)
    assert str(jax.tree.structure(found)) == str(jax.tree.structure(tree))
    for ours, theirs in zip(jax.tree.leaves(tree), jax.tree.leaves(found), strict=True):
        assert ours.dtype == theirs.dtype
        assert np.array_equal(ours, theirs)


def test_arrays_of_another_tree_are_refused() -> None:
    tree = {"w": jnp.ones(3)}
    for other, words in (
        ({"v": jnp.ones(3)}, r"w is missing; expected the shape \(3,\)"),
        ({"w": jnp.ones(2)}, r"w has the shape \(2,\)"),
    ):
        with pytest.raises(ValueError, match=words):
            fill(tree, flatten(other))


def test_going_on_does_not_begin_anew(tmp_path: Path) -> None:
    """A beginning would hold a memory of its own beside the one that is read."""
    with RunDirectory.open(tmp_path, {"seed": 1}) as run, pytest.raises(Death):
        train(Toy([1.0, 2.0, 3.0], dies_in=3), run)
    learner, begun = Toy([1.0, 2.0, 3.0]), []

    def begin() -> Training:
        begun.append(Toy.begin(learner))
        return begun[-1]

    learner.begin = begin  # type: ignore[method-assign]
    with RunDirectory.open(tmp_path, {"seed": 1}) as run:
        train(learner, run)
    assert all(isinstance(leaf, jax.core.Tracer) for state in begun for leaf in jax.tree.leaves(state))
