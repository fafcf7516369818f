# `make train` runs the main job, `make test` the tests; both set up .venv first. The same without make: README.md.
PYTHON ?= python3
BIN := .venv/bin
# Bytecode is kept, whatever the shell says: hundreds of programs start.
export PYTHONDONTWRITEBYTECODE =

.PHONY: train test check types kernels-oddville kernels-oldtown collected warm docs chromium page-tools test-oldest test-newest doors setup

train: .venv/ready-train warm
	$(BIN)/oddville selfplay --preset first --folder runs/first --evaluate \
		$(if $(wildcard runs/first/plan.json),--resume)

# What tests find ready is made at once. Three workers keep two cores busy, for tests of the page wait now and then; a worker
# that has no tests left takes some of the others'.
test: .venv/ready-test chromium page-tools
	$(BIN)/ruff check .
	@$(MAKE) --no-print-directory --jobs types kernels-oddville kernels-oldtown collected
	$(BIN)/python -m pytest -n 3 --dist worksteal

types: .venv/ready-test
	$(BIN)/mypy

# One process for each game: two that compile one game would both compile what its parts share.
kernels-oddville kernels-oldtown: kernels-%: .venv/ready-test
	$(BIN)/$* warm --workers 1

# The tests' bytecode, which three workers would else write three times. Tests make games of Old Town at import, whose kernels
# come first; the larger game is still being compiled then.
collected: kernels-oldtown
	@-$(BIN)/python -m pytest --collect-only > /dev/null

# For whoever is at work: ruff, mypy, and the tests that what was changed since the last commit concerns.
check: .venv/ready-test
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python tests/changed.py $(SINCE)

# Compiles everything ahead, once.
warm: .venv/ready-train
	$(BIN)/oddville warm

# The site, in docs/_build/html: Sphinx over the pages where they lie. Any warning fails.
docs: .venv/ready-docs
	$(BIN)/python -m sphinx -W --keep-going -q -c docs -b html -d docs/_build/doctrees . docs/_build/html
	@echo "open docs/_build/html/index.html"

# The core's tests with the oldest of everything that pyproject.toml allows, and with the newest.
test-oldest test-newest: test-%:
	$(PYTHON) tests/versions.py $* .venv-$*

# The examples with other people's libraries, each in a venv of its own: prints what works with which version.
doors:
	$(PYTHON) tests/integrations.py .venv-doors $(LANES)

# Tests of the page want a browser: where there is none, Debian's is installed if that is allowed, else they are skipped.
chromium:
	@command -v chromium chromium-browser google-chrome > /dev/null || \
	 { apt-get update && apt-get install -y --no-install-recommends chromium; } > /dev/null 2>&1 || \
	 echo "no Chromium: the tests in a browser are skipped (apt-get install chromium)"

# What looks at the page's modules wants Node: without it these tests are skipped.
page-tools:
	@! command -v npm > /dev/null || npm --prefix tests/web/page install --no-package-lock --silent --no-audit --no-fund || \
	 echo "npm could not fetch the page's tools: their tests are skipped"

setup: .venv/ready-test

.venv/bin/python:
	$(PYTHON) -m venv .venv

# The newest torch on the registry draws gigabytes of CUDA: the CPU build comes first.
.venv/ready-train: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet torch==2.13.0
	$(BIN)/python -m pip install --quiet --editable ".[train]"
	touch $@

# The reference of training and tournaments is printed from their code, which imports what they need.
.venv/ready-docs: .venv/ready-train
	$(BIN)/python -m pip install --quiet --editable ".[train,tournament,docs]"
	touch $@

.venv/ready-test: .venv/ready-train
	$(BIN)/python -m pip install --quiet --editable ".[all,test]"
	touch $@
