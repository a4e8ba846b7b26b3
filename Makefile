# make run, make test: on a fresh machine both make the environment first.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo $$p; break; }; done)
BIN := .venv/bin
READY := .venv/.ready
# CI also runs those that take seconds each: TESTS='not long'.
TESTS ?= not thorough and not long
# Isolated builds are held to the same versions as the installs.
export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export PIP_BUILD_CONSTRAINT := $(PIP_CONSTRAINT)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Bytecode is written where it is first needed, whatever the surroundings say: every later process
# starts some seconds sooner.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: setup run test test-long fuzz soak lint types docs bench screenshots wheel clean

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed: install it, or call make PYTHON=/path/to/python"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[app]' --group dev --group docs
	$(BIN)/python -m mecuco_app.results.warming
	@touch $(READY)

run: $(READY)
	$(BIN)/mecuco app

test: $(READY)
	$(BIN)/python -m pytest -m '$(TESTS)' --numprocesses 2 --dist loadscope --no-loadscope-reorder

# Hostile names on every page, 200 000 rows in a browser, fifty digits, runs that are killed.
test-long: $(READY)
	$(BIN)/python -m pytest -m long

# Damaged files, made-up addresses, odd arguments; and twenty visitors at once. Ten minutes each.
fuzz: $(READY)
	$(BIN)/python -m tests.fuzz

soak: $(READY)
	$(BIN)/python -m tests.soak

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(READY)
	$(BIN)/mypy

# The site, in site/; a warning, a dead link and a public name without its example are errors.
docs: $(READY)
	rm -rf site
	$(BIN)/sphinx-build --quiet --fresh-env --fail-on-warning --keep-going --doctree-dir build/docs docs site
	$(BIN)/python -m docs.builder.check site

bench: $(READY)
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.scale

screenshots: $(READY)
	$(BIN)/python -m tests.browser.screenshots

wheel: $(READY)
	$(BIN)/python -m build --wheel

clean:
	rm -rf .venv dist build site
