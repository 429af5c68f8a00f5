"""The one training loop: chunk after chunk, each followed by a row of metrics and a checkpoint.

An algorithm is a :class:`Learner`; it knows nothing of files. The loop knows nothing of worlds. A run that is killed
and started again in the same run directory resumes from the last checkpoint and ends with the same result.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import jax
import jax.numpy as jnp
import numpy as np

from otherminds.core.errors import UserError
from otherminds.run.arrays import fill, flatten
from otherminds.run.directory import RunDirectory

# Saved on average: a learner with a large memory is saved less often, so that saving takes little of the time.
_BYTES_PER_CHUNK = 100_000_000


class Learner(Protocol):
    """A training algorithm: the state of a run, and the step from one chunk to the next."""

    num_chunks: int  # of a whole run
    chunk_episodes: int  # episodes in a chunk

    def begin(self) -> Any:
        """The state before the first chunk, a tree of arrays."""

    def chunk(self, state: Any) -> tuple[Any, dict[str, float]]:
        """The state after one more chunk, which may reuse the memory of the old one, and metrics such as ``reward``.

        The best actor is chosen by ``score`` if there is one, else by the reward.
        """

    def actor(self, state: Any) -> Any:
        """The variables of the network that acts, which are kept after training."""


@dataclass(frozen=True)
class Chunk:
    """One row of metrics, with times."""

    row: dict[str, Any]
    seconds: float  # duration of the chunk
    remaining: float  # estimated seconds until the end


@dataclass(frozen=True)
class Trained:
    """The result of a training."""

    best: Any  # the actor after the chunk with the highest reward, or score if there is one
    best_step: int
    last: Any


def train(
    learner: Learner,
    run: RunDirectory,
    on_chunk: Callable[[Chunk], None] | None = None,
    warn: Callable[[str], None] | None = None,
) -> Trained:
    """Train to the end, from the last checkpoint if there is one.

    Args:
        learner: the algorithm.
        run: where metrics and checkpoints go.
        on_chunk: called after every chunk.
        warn: called with a line about each damaged checkpoint.

    Raises:
        UserError: if training diverges. Values that are not finite are never saved.
    """
    saved = run.resume(warn)
    if saved is None:
        state = learner.begin()
        best, best_step, best_reward, first = _copy(learner.actor(state)), 0, -np.inf, 0
    else:
        # Only the shapes of a beginning: otherwise both memories would be held at once.
        try:
            tree = fill(jax.eval_shape(partial(_fresh, learner)), saved.arrays)
        except ValueError as error:
            raise UserError(
                f"the checkpoint does not fit this learner: {error}. It was written by another version of otherminds; "
                "resume with that version, or train again with another --out"
            ) from None
        state, best, first = tree["state"], tree["best"], saved.step
        best_step, best_reward = int(saved.metadata["best_step"]), float(saved.metadata["best_reward"])
    started, last_saved = time.perf_counter(), first
    size = sum(leaf.nbytes for leaf in jax.tree.leaves(state))
    for step in range(first + 1, learner.num_chunks + 1):
        before = time.perf_counter()
        state, metrics = learner.chunk(state)
        _refuse_divergence(learner, step, last_saved, metrics["reward"], learner.actor(state))
        if metrics.get("score", metrics["reward"]) > best_reward:
            best, best_step = _copy(learner.actor(state)), step
            best_reward = metrics.get("score", metrics["reward"])
        episodes, progress = step * learner.chunk_episodes, step / learner.num_chunks
        row = {"step": step, "episodes": episodes, "progress": progress, **metrics}
        run.append(row)
        if step % (1 + size // _BYTES_PER_CHUNK) == 0 or step == learner.num_chunks:
            facts = {"best_step": str(best_step), "best_reward": repr(best_reward)}
            run.save(step, flatten({"state": state, "best": best}), facts)
            last_saved = step
        if on_chunk:
            now = time.perf_counter()
            per_chunk = (now - started) / (step - first)
            on_chunk(Chunk(row, now - before, per_chunk * (learner.num_chunks - step)))
    return Trained(best, best_step, learner.actor(state))


def _fresh(learner: Learner) -> dict[str, Any]:
    """What a checkpoint before the first chunk would hold."""
    state = learner.begin()
    return {"state": state, "best": learner.actor(state)}


def _refuse_divergence(learner: Learner, step: int, last_saved: int, reward: float, actor: Any) -> None:
    """Stop before a state is saved that no further training can repair."""
    if not np.isfinite(reward):
        finding = f"the reward is {reward}"
    elif not all(np.isfinite(leaf).all() for leaf in jax.tree.leaves(actor)):
        finding = "the actor holds numbers that are not finite"
    else:
        return
    last = step * learner.chunk_episodes
    kept = (
        f"the checkpoint of chunk {last_saved}, the last good one, is kept" if last_saved else "nothing was saved yet"
    )
    raise UserError(
        f"training diverged in chunk {step} of {learner.num_chunks} (episodes {last - learner.chunk_episodes + 1} to "
        f"{last}): {finding}; {kept}. The same command would fail here again: try a lower "
        f"learning rate, with another --out"
    )


def _copy(tree: Any) -> Any:
    """Return a copy, since a chunk may take over the memory of its argument."""
    return jax.tree.map(jnp.copy, tree)
