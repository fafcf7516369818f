# `make train` trains a first network, `make test` runs the tests; both set up .venv first.
PYTHON ?= python3
BIN := .venv/bin
# Keep bytecode: tests start hundreds of programs.
export PYTHONDONTWRITEBYTECODE =

.PHONY: train test check types kernels-oddville kernels-oldtown collected warm docs chromium page-tools test-oldest test-newest doors setup

train: .venv/ready-train warm
	$(BIN)/oddville selfplay --preset first --folder runs/first --evaluate \
		$(if $(wildcard runs/first/plan.json),--resume)

# Prepare what tests need in parallel. Three workers keep two cores busy because tests of the page wait now and then.
test: .venv/ready-test chromium page-tools
	$(BIN)/ruff check .
	@$(MAKE) --no-print-directory --jobs types kernels-oddville kernels-oldtown collected
	$(BIN)/python -m pytest -n 3 --dist worksteal

types: .venv/ready-test
	$(BIN)/mypy

# One process per game: two processes would compile shared kernels twice.
kernels-oddville kernels-oldtown: kernels-%: .venv/ready-test
	$(BIN)/$* warm --workers 1

# Write the bytecode of the tests once instead of once per worker. Importing tests needs the kernels of Old Town.
collected: kernels-oldtown
	@-$(BIN)/python -m pytest --collect-only > /dev/null

# Quick check of a change: ruff, mypy, and the tests that import changed modules (since the last commit, or SINCE=COMMIT).
check: .venv/ready-test
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python tests/changed.py $(SINCE)

# Compile all kernels ahead of time.
warm: .venv/ready-train
	$(BIN)/oddville warm

# Build the site in docs/_build/html; a warning is an error.
docs: .venv/ready-docs
	$(BIN)/python -m sphinx -W --keep-going -q -c docs -b html -d docs/_build/doctrees . docs/_build/html
	@echo "open docs/_build/html/index.html"

# Test the core with the oldest and the newest dependencies that pyproject.toml allows.
test-oldest test-newest: test-%:
	$(PYTHON) tests/versions.py $* .venv-$*

# Test the examples with other RL libraries, each in its own venv; prints the versions that work.
doors:
	$(PYTHON) tests/integrations.py .venv-doors $(LANES)

# Tests of the page need Chromium: install Debian's if possible; without it they are skipped.
chromium:
	@command -v chromium chromium-browser google-chrome > /dev/null || \
	 { apt-get update && apt-get install -y --no-install-recommends chromium; } > /dev/null 2>&1 || \
	 echo "no Chromium: the tests in a browser are skipped (apt-get install chromium)"

# Tests of the page's modules need Node; without it they are skipped.
page-tools:
	@! command -v npm > /dev/null || npm --prefix tests/web/page install --no-package-lock --silent --no-audit --no-fund || \
	 echo "npm could not fetch the page's tools: their tests are skipped"

setup: .venv/ready-test

.venv/bin/python:
	$(PYTHON) -m venv .venv

# This version first: some indexes have its CPU build, and only a build with gigabytes of CUDA of newer ones.
.venv/ready-train: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet torch==2.13.0
	$(BIN)/python -m pip install --quiet --editable ".[train]"
	touch $@

# The reference of training and tournaments is printed from their code, which imports what they need.
.venv/ready-docs: .venv/ready-train
	$(BIN)/python -m pip install --quiet --editable ".[train,tournament,sweep,docs]"
	touch $@

.venv/ready-test: .venv/ready-train
	$(BIN)/python -m pip install --quiet --editable ".[all,test]"
	touch $@
