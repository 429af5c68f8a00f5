"""Named arrays in a file, as safetensors: equal arrays give equal bytes, and nothing in it can run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from otherminds.core.errors import UserError, need
from otherminds.core.files import unreadable, write_whole

if TYPE_CHECKING:
    import numpy as np

Arrays = dict[str, "np.ndarray[Any, Any]"]


class Unpacked(NamedTuple):
    """The content of a file."""

    arrays: Arrays
    metadata: dict[str, str]


def write_arrays(path: str | Path, arrays: Mapping[str, Any], metadata: Mapping[str, str] | None = None) -> None:
    """Write arrays so that a reader finds all of them or no file, creating its folder if necessary.

    Args:
        path: usually ends in ``.safetensors``.
        arrays: NumPy arrays, or anything NumPy can read without pickling, such as JAX arrays.
        metadata: names and values in words.

    Raises:
        UserError: if the file cannot be written.
    """
    write_whole(path, pack(arrays, metadata))


def read_arrays(path: str | Path) -> Unpacked:
    """The arrays and the metadata of a file.

    Raises:
        UserError: if it cannot be read or is damaged.
    """
    library = _safetensors()
    try:
        return unpack(Path(path).read_bytes())
    except OSError as error:
        raise unreadable(path, error) from error
    except (library.SafetensorError, ValueError) as error:
        raise UserError(f"{path} is not a safetensors file, or is damaged: {error}") from error


def pack(arrays: Mapping[str, Any], metadata: Mapping[str, str] | None = None) -> bytes:
    """The content of a file; the same for the same arrays and metadata, whatever the order of their names.

    Raises:
        UserError: if an array is of a kind that safetensors cannot hold.
    """
    import numpy as np

    library = _safetensors()
    # safetensors copies the memory as it lies and would store a transposed or strided array wrongly.
    dense = {name: np.asarray(arrays[name], order="C") for name in sorted(arrays)}
    try:
        content = library.numpy.save(dense, dict(metadata or {}) or None)  # none and empty differ for safetensors
    except library.SafetensorError as error:
        raise UserError(f"an array cannot be saved: {error}") from error
    return _with_sorted_metadata(content)


def unpack(content: bytes) -> Unpacked:
    """The inverse of ``pack``. The arrays may be written to."""
    return Unpacked(_safetensors().numpy.load(content), dict(_header(content)[0].get("__metadata__", {})))


def _safetensors() -> Any:
    need("safetensors.numpy", "saving and reading weights needs safetensors", "train")
    import safetensors

    return safetensors


def _header(content: bytes) -> tuple[dict[str, Any], int]:
    """A file's table of contents, and where the arrays begin: eight bytes say how long the JSON after them is."""
    end = 8 + int.from_bytes(content[:8], "little")
    return json.loads(content[8:end]), end


def _with_sorted_metadata(content: bytes) -> bytes:
    """The same file with metadata in order: safetensors writes it in an order that changes from process to process."""
    header, end = _header(content)
    if "__metadata__" in header:
        header["__metadata__"] = dict(sorted(header["__metadata__"].items()))
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)  # arrays begin at a multiple of eight bytes
    return len(text).to_bytes(8, "little") + text + content[end:]


def flatten(tree: Any) -> Arrays:
    """A tree of arrays as a dictionary of named arrays, as stored in files."""
    import jax
    import numpy as np

    leaves, _ = jax.tree_util.tree_flatten_with_path(tree)
    return {_leaf_name(path): np.asarray(leaf) for path, leaf in leaves}


def fill(template: Any, arrays: Mapping[str, Any], leading: Sequence[tuple[int, ...]] = ((),)) -> Any:
    """The tree that was flattened, in the shape of a template.

    Args:
        template: a tree with the same leaves; only their shapes matter.
        arrays: from :func:`flatten`.
        leading: shapes of axes, one of which every array has before those of its leaf.

    Raises:
        ValueError: if the arrays do not match the template.
    """
    import jax
    import jax.numpy as jnp
    import numpy as np

    leaves, structure = jax.tree_util.tree_flatten_with_path(template)
    filled = []
    for path, leaf in leaves:
        name = _leaf_name(path)
        allowed = [(*axes, *leaf.shape) for axes in leading]
        if name not in arrays or np.shape(arrays[name]) not in allowed:
            problem = f"has the shape {np.shape(arrays[name])}" if name in arrays else "is missing"
            raise ValueError(f"{name} {problem}; expected the shape {' or '.join(map(str, allowed))}")
        filled.append(jnp.asarray(arrays[name]))
    return jax.tree.unflatten(structure, filled)


def _leaf_name(path: Any) -> str:
    import jax

    return jax.tree_util.keystr(path, simple=True, separator="/")


def digest(arrays: Mapping[str, Any]) -> str:
    """The SHA-256 of named arrays: their names, shapes, kinds and values."""
    import numpy as np

    hasher = hashlib.sha256()
    for name in sorted(arrays):
        hasher.update(f"{name} {arrays[name].shape} {arrays[name].dtype}".encode())
        hasher.update(np.ascontiguousarray(arrays[name]).tobytes())
    return hasher.hexdigest()
