# Everything a contributor does, in the environment at hand: .venv if there is one, else the active one.
BIN := $(if $(wildcard .venv/bin/python),.venv/bin/)

.PHONY: help setup check format lint types layers test slow docs pages signature play study

help:  ## list these commands
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' Makefile | expand -t 18

setup:  ## create .venv and install simcli with its tools, editable
	python3 -m venv .venv
	.venv/bin/pip install -q -e '.[dev]'

check: format lint types layers test  ## all of the following, in this order

format:  ## format the code and sort its imports
	$(BIN)ruff format .
	$(BIN)ruff check --select I --fix .

lint:  ## look for mistakes
	$(BIN)ruff check .

types:  ## check the types, strictly
	$(BIN)mypy

layers:  ## check that each layer imports only lower ones
	$(BIN)lint-imports

test:  ## run the tests
	$(BIN)pytest

slow:  ## run the tests that take minutes
	$(BIN)pytest -m slow

docs:  ## build the pages of docs/ as a site, in the folder site
	NO_MKDOCS_2_WARNING=1 $(BIN)mkdocs build --strict

pages:  ## write down what the pages show: results, tutorials, how-tos, commands, rule coverage
	$(BIN)python -m tests.readme_result --write
	$(BIN)python -m tests.tutorial --write
	$(BIN)python -m tests.command_reference --write
	$(BIN)python -m tests.rule_table --write

signature:  ## check that every bot plays every shipped variant as before
	$(BIN)python -m simcli.runs.signature

play:  ## write down how deals are played now: perft tables, signature, golden records
	$(BIN)python -m tests.perft_table --update
	$(BIN)python -m simcli.runs.signature --update
	$(BIN)python -m tests.golden_records --update

study:  ## play the study in reports/study/ where it is not there, and write all of it again
	$(BIN)python reports/study/study.py
