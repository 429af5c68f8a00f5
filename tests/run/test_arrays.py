"""Arrays in files: exact, the same bytes every time, and nothing that could run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from otherminds.core.errors import MissingExtra, UserError
from otherminds.run import read_arrays, write_arrays
from otherminds.run.arrays import pack, unpack

GRID = np.arange(12, dtype=np.float32).reshape(3, 4)


@pytest.mark.parametrize(
    "array",
    [
        GRID,
        GRID.T,
        GRID[:, ::2],
        GRID[::-1],
        np.asfortranarray(GRID),
        np.array(2.5),
        np.zeros((0, 4), np.uint8),
        np.array([True, False]),
        np.array([2**32 - 1], np.uint32),
        np.array([np.nan, -np.inf, -0.0]),
        np.array([1, 2], ">i4"),
    ],
    ids=["dense", "transposed", "strided", "reversed", "fortran", "scalar", "empty", "bool", "uint32", "nan", "endian"],
)
def test_an_array_comes_back_exactly(array: np.ndarray) -> None:
    loaded = unpack(pack({"x": array})).arrays["x"]
    assert loaded.shape == array.shape
    assert loaded.dtype == array.dtype.newbyteorder("=")
    np.testing.assert_array_equal(loaded, array)
    loaded[...] = 0  # and may be written to


def test_metadata_comes_back(tmp_path: Path) -> None:
    metadata = {"belief": "Zoë “7”\n", "a": ""}
    write_arrays(tmp_path / "deep" / "x.safetensors", {"x": GRID}, metadata)
    assert read_arrays(tmp_path / "deep" / "x.safetensors").metadata == metadata


def test_the_bytes_depend_neither_on_the_process_nor_on_the_order_of_names() -> None:
    script = """
import hashlib, numpy as np
from otherminds.run.arrays import pack
names = {order}
print(hashlib.sha256(pack({{n: np.arange(3) for n in names}}, {{n: n for n in names}})).hexdigest())
"""
    orders = [list("abcdefgh"), list("hgfedcba"), list("abcdefgh")]
    commands = [[sys.executable, "-c", script.format(order=order)] for order in orders]
    assert len({subprocess.check_output(command) for command in commands}) == 1


def test_objects_are_refused() -> None:
    with pytest.raises(UserError, match="object"):
        pack({"x": np.array([print])})


def test_a_file_of_another_kind_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "x.safetensors").write_bytes(b"something else entirely")
    with pytest.raises(UserError, match=r"x\.safetensors is not a safetensors file"):
        read_arrays(tmp_path / "x.safetensors")
    with pytest.raises(UserError, match="cannot read"):
        read_arrays(tmp_path / "missing.safetensors")


def test_without_safetensors_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "safetensors.numpy", None)
    with pytest.raises(MissingExtra, match=r"otherminds\[train\]"):
        pack({"x": GRID})
