# Everything a person needs to work here. Each target sets up what it needs; the second time it is quick.
SHELL := /bin/bash
.DEFAULT_GOAL := help
# The first interpreter that every pinned package has a wheel for; make PYTHON=… takes another one.
PYTHONS := python3 python3.14 python3.13 python3.12 python3.11 python
CAN_RUN := import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))
PYTHON ?= $(firstword $(foreach each,$(PYTHONS),$(shell $(each) -c '$(CAN_RUN)' >/dev/null 2>&1 && echo $(each))) python3)
VENV := .venv
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: help run chat test tests coverage check fmt lint types audit screenshots bench lock wheels clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

$(VENV)/made:
	@$(PYTHON) -c '$(CAN_RUN)' || { echo "Footnote needs Python 3.11, 3.12, 3.13 or 3.14; this is $$($(PYTHON) --version 2>&1). Install one of them, or name it: make PYTHON=path/to/python run"; exit 1; }
	@echo "Setting up a virtual environment in $(VENV) …"
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/run-ready: $(VENV)/made requirements/run.lock pyproject.toml
	@echo "Installing what Footnote needs (about 400 MB on disk, the first time a minute or two) …"
	@$(PIP) install --require-hashes --only-binary :all: -r requirements/run.lock
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/dev-ready: $(VENV)/run-ready requirements/dev.lock
	@echo "Installing the tools for tests …"
	@$(PIP) install --require-hashes --only-binary :all: -r requirements/dev.lock
	@touch $@

# Chromium comes from the system; the browser tests say how to add it where it is missing.
$(VENV)/browser-ready:
	@if ! command -v chromium-headless-shell chromium chromium-browser google-chrome >/dev/null 2>&1; then \
	  if [ "$$(id -u 2>/dev/null)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
	    echo "Installing Chromium for the browser tests …"; \
	    apt-get update -qq >/dev/null && apt-get install -y -qq chromium-headless-shell fonts-dejavu-core >/dev/null \
	      || echo "Chromium could not be installed; the browser tests are left out (install chromium-headless-shell or chromium, or set FOOTNOTE_CHROMIUM)."; \
	  fi; \
	fi
	@mkdir -p $(VENV) && touch $@

run: $(VENV)/run-ready ## set up and open a study-group channel; no key, no token needed
	@$(BIN)/footnote run

chat: $(VENV)/run-ready ## the same channel in the terminal
	@$(BIN)/footnote chat

# Types take half a minute on a fresh clone, on one core; the tests use the others meanwhile.
test: $(VENV)/dev-ready $(VENV)/browser-ready ## set up and run everything CI runs
	@$(MAKE) --no-print-directory -j3 lint types tests

# Neighbours share what is slow to open (a browser, a model, an index), so each process is given a whole stretch of tests.
# Two more than there are cores: many tests wait for a browser, a process or a clock. An environment that forbids compiled files would
# have each of the dozens of processes compile everything anew.
PYTEST = $(BIN)/python -m pytest -n $$($(BIN)/python -c 'import os; print(2 + os.cpu_count())') --dist worksteal
tests coverage: export PYTHONDONTWRITEBYTECODE :=
tests: $(VENV)/dev-ready $(VENV)/browser-ready ## the tests alone: make tests ARGS="-k burst"
	@$(PYTEST) $(ARGS)

coverage: $(VENV)/dev-ready $(VENV)/browser-ready ## the tests, and which lines they never reach; takes half as long again
	@$(PYTEST) --cov --cov-report=term:skip-covered $(ARGS)

check: lint types coverage audit ## format, lint, types, tests, and the licences and known vulnerabilities of what we depend on

screenshots: $(VENV)/dev-ready $(VENV)/browser-ready ## take the pictures of the page in docs/pictures anew
	@$(BIN)/python -m tests.bot.adapters.web.screenshots

audit: $(VENV)/dev-ready ## every dependency's licence is a permissive one, and none has a known vulnerability
	@$(BIN)/python -m benchmarks.licences
	@$(BIN)/python -m benchmarks.advisories

lint: $(VENV)/dev-ready
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .

types: $(VENV)/dev-ready
	@$(BIN)/mypy

fmt: $(VENV)/dev-ready ## repair formatting and what the linter can repair
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

# Measurements. None of them runs with the tests; each is bounded and stops by itself.
-include benchmarks/targets.mk
bench: bench-ingest bench-query ## the two measurements of speed: books going in, searches coming back

LOCK := $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet
lock: $(VENV)/dev-ready ## pin the newest versions that fit, with hashes, for every platform
	@$(PIP) install uv
	@$(LOCK) --extra all pyproject.toml requirements/build.in -o requirements/run.lock --upgrade
	@$(LOCK) --group dev -c requirements/run.lock -o requirements/dev.lock --upgrade
	@$(BIN)/python -m benchmarks.wheels

wheels: $(VENV)/dev-ready ## every pinned package has a wheel for Linux, macOS and Windows, so that nothing is compiled
	@$(BIN)/python -m benchmarks.wheels

clean: ## remove the virtual environment and caches; your books and sessions stay
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .coverage
