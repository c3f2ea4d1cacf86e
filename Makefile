# `make study` and `make test` do all set-up themselves: a virtual environment in .venv, then the command.
PYTHON ?= python3
BIN := .venv/bin
SET_UP := @$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("vinci_lab needs Python 3.11 or newer, $(PYTHON) is %d.%d; name another one, for example: make PYTHON=python3.12" % sys.version_info[:2])' && $(PYTHON) -m venv .venv
INSTALL := $(BIN)/python -m pip install --disable-pip-version-check --quiet --editable

.PHONY: study test verify lint bench docs notebooks clean

study: .venv/ready
	$(BIN)/vinci-lab study vinci --players 4 --games 20000 --seed 7 --out reports/vinci-tabletop --replace

test: lint
	VINCI_LAB_JIT=0 $(BIN)/pytest -q tests/engine tests/vinci
	$(BIN)/pytest -n 2 --dist worksteal --ignore=tests/browser
	$(BIN)/pytest tests/browser

verify: .venv/ready-dev
	$(BIN)/pytest -m verify

lint: .venv/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/ready-dev
	$(BIN)/pytest benchmarks/bench_*.py -o python_functions='bench_*' --benchmark-columns=min,median,rounds

notebooks: .venv/ready-dev
	$(BIN)/python -m tests.notebooks

docs: .venv/ready-docs
	$(BIN)/sphinx-build -W --keep-going docs docs/_build/html

clean:
	rm -rf .venv docs/_build dist

.venv/ready: pyproject.toml
	$(SET_UP)
	$(INSTALL) .
	@touch $@

.venv/ready-%: pyproject.toml
	$(SET_UP)
	$(INSTALL) '.[$*]'
	@touch .venv/ready $@
