"""Numbers of few bits side by side in words."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from otherminds.worlds.symmtom.learn.codec import Bitfields

layouts = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 32)), min_size=1, max_size=6).filter(
    lambda fields: any(size and bits for size, bits in fields)
)


@given(layouts, st.integers(0, 2**32 - 1))
def test_what_is_packed_comes_out_again(fields: list[tuple[int, int]], seed: int) -> None:
    rng = np.random.default_rng(seed)
    layout = Bitfields({f"field {i}": field for i, field in enumerate(fields)})
    values = {
        name: rng.integers(0, 1 << bits, (size, 3), dtype=np.uint64).astype(np.uint32)
        for name, (size, bits) in layout.fields.items()
    }
    words = layout.pack(values)
    assert words.shape == (3, layout.num_words)
    found = layout.unpack(words)
    assert found.keys() == values.keys()
    for name, expected in values.items():
        assert np.array_equal(found[name], expected)


def test_the_largest_values_do_not_run_into_their_neighbours() -> None:
    layout = Bitfields({"a": (3, 7), "b": (2, 13), "c": (1, 32), "d": (5, 1)})
    full = {name: np.full((size, 1), (1 << bits) - 1, np.uint32) for name, (size, bits) in layout.fields.items()}
    for name in full:
        alone = {other: values if other == name else values * 0 for other, values in full.items()}
        found = layout.unpack(layout.pack(alone))
        assert all(np.array_equal(found[other], alone[other]) for other in full)


def test_small_values_fill_the_gaps_that_wide_ones_leave() -> None:
    assert Bitfields({"flags": (16, 1), "wide": (2, 24)}).num_words == 2


def test_a_field_without_bits_takes_no_room_and_reads_as_zero() -> None:
    layout = Bitfields({"nothing": (4, 0), "x": (1, 3)})
    assert layout.num_words == 1
    found = layout.unpack(layout.pack({"nothing": np.ones((4, 2), np.uint32), "x": np.ones((1, 2), np.uint32)}))
    assert np.array_equal(found["nothing"], np.zeros((4, 2)))
