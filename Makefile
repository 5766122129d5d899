# graphkb: everything sets itself up. Python 3.11+ is found, or named with PYTHON=...; VENV=... moves the environment.
.PHONY: help demo test test-full test-faults lint docs bench bench-quick lock clean
.DEFAULT_GOAL := help
VENV ?= .venv
export VENV
BIN := $(VENV)/bin

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "%-13s %s\n", $$1, $$2}' Makefile

demo:  ## install, ingest the sample, ask questions, write build/demo/report.json
	@scripts/install run
	@$(BIN)/graphkb demo --install-seconds $$(cat $(VENV)/.install-seconds)

test:  ## lint, types and all tests, each stage within its budget (under 30 minutes on two idle cores)
	@scripts/install dev
	@$(BIN)/python tests/run_stages.py

test-full:  ## the same with the full counts of the properties that `make test` samples
	@scripts/install dev
	@$(BIN)/python tests/run_stages.py --full

test-faults:  ## the fault tests alone, full counts
	@scripts/install dev
	@$(BIN)/python tests/run_stages.py --full faults

lint:  ## ruff, mypy, import directions
	@scripts/install dev
	@$(BIN)/python tests/run_stages.py lint types imports

docs:  ## write the generated pages (settings, errors, queries) and check the rest
	@scripts/install dev
	@$(BIN)/python docs/generate.py
	@$(BIN)/python -m pytest -q tests/unit/test_docs.py

bench:  ## every benchmark; figures go to build/bench
	@scripts/install bench
	@$(BIN)/python benchmarks/run_all.py

bench-quick:  ## the benchmarks on a small part of their inputs
	@scripts/install bench
	@$(BIN)/python benchmarks/run_all.py --quick

lock:  ## write the lock files anew (needs uv)
	@scripts/lock

clean:  ## remove what was built; the environment and caches stay
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
