"""The models' papers as loops: one question at a time, in plain NumPy with double precision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

Vector = Any
Weights = Mapping[str, Any]


def softmax(values: Sequence[float]) -> Vector:
    powers = np.exp(np.asarray(values, np.float64) - np.max(values))
    return powers / powers.sum()


def sigmoid(value: Any) -> Any:
    return 1 / (1 + np.exp(-np.asarray(value, np.float64)))


def sentences(story: Any) -> list[tuple[int, list[int]]]:
    """The rows that hold something, with their numbers."""
    found = [(row, [int(word) for word in words if word]) for row, words in enumerate(story)]
    return [(row, words) for row, words in found if words]


def memnn(w: Weights, story: Any, question: Any, hops: int) -> Vector:
    width = w["transition"].shape[0]

    def bag(table: Any, words: list[int]) -> Vector:
        total = np.zeros(width)
        for j, word in enumerate(words, 1):
            for k in range(1, width + 1):
                share = j / len(words)
                total[k - 1] += ((1 - share) - (k / width) * (1 - 2 * share)) * table[word, k - 1]
        return total

    state = bag(w["asked"], [int(word) for word in question if word])
    read = sentences(story)
    for _ in range(hops):
        memory = [bag(w["inward"], words) + w["inward_age"][row] for row, words in read]
        output = [bag(w["outward"], words) + w["outward_age"][row] for row, words in read]
        shares = softmax([float(state @ each) for each in memory])
        found = sum(share * each for share, each in zip(shares, output, strict=True))
        state = np.maximum(state @ w["transition"] + found, 0)
    return state @ w["answer"]


def entnet(w: Weights, story: Any, question: Any) -> Vector:
    def prelu(values: Vector) -> Vector:
        return np.array([v if v >= 0 else s * v for v, s in zip(values, w["slope"], strict=True)])

    def bag(words: list[int], mask: Any) -> Vector:
        return sum((w["words"][word] * mask[place] for place, word in enumerate(words)), np.zeros(w["slope"].shape))

    asked = bag([int(word) for word in question if word], w["asked_mask"])
    slots = [np.array(key, np.float64) for key in w["keys"]]
    for _, words in sentences(story):
        said = bag(words, w["said_mask"])
        for j, key in enumerate(w["keys"]):
            gate = sigmoid(said @ slots[j] + said @ key + w["bias"][j])
            change = prelu(slots[j] @ w["state"] + key @ w["key"] + said @ w["sentence"])
            moved = slots[j] + gate * change
            slots[j] = moved / np.linalg.norm(moved)
    shares = softmax([float(asked @ slot) for slot in slots])
    found = sum(share * slot for share, slot in zip(shares, slots, strict=True))
    return prelu(asked + found @ w["hop"]) @ w["answer"]


def relnet(w: Weights, story: Any, question: Any) -> Vector:
    def dense(name: str, values: Vector) -> Vector:
        return values @ w[name]["kernel"] + w[name].get("bias", 0.0)

    def lstm(cell: Weights, words: list[int]) -> Vector:
        out = state = np.zeros(cell["hi"]["bias"].shape)
        for word in words:
            entry = w["words"][word]
            i, f, g, o = (
                entry @ cell[f"i{gate}"]["kernel"] + out @ cell[f"h{gate}"]["kernel"] + cell[f"h{gate}"]["bias"]
                for gate in "ifgo"
            )
            state = sigmoid(f) * state + sigmoid(i) * np.tanh(g)
            out = sigmoid(o) * np.tanh(state)
        return out

    asked = lstm(w["asked"], [int(word) for word in question if word])
    objects = [np.concatenate([lstm(w["said"], words), np.eye(len(story))[row]]) for row, words in sentences(story)]
    total = np.zeros(w["g_1"]["bias"].shape)
    for i, one in enumerate(objects):
        for other in objects[i:]:
            hidden = dense("g_first", one) + dense("g_second", other) + dense("g_asked", asked)
            total += np.maximum(dense("g_1", np.maximum(hidden, 0)), 0)
    hidden = np.maximum(dense("f_0", total), 0)
    return dense("f_out", hidden)
