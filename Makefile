# Everything from a fresh clone: `make play`, `make test`. Needs Python 3.11 or newer.

PYTHON ?= $(shell for p in python3.11 python3 python3.12 python3.13 python3.14; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
STAMPS := .venv/stamps

# Tests and commands start hundreds of processes, so compiled modules are kept even where the environment forbids it.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help install play test test-slow test-versions browser lint ruff mypy tsc bench docs pictures warm kernels wheel lock clean

help:
	@echo "make play           open the app in the browser"
	@echo "make test           ruff, the types and the tests; ends with what was left out, and why"
	@echo "make test-slow      the tests that take too long for every run"
	@echo "make test-versions  test the kernels with the oldest and the newest packages that pyproject.toml allows"
	@echo "make lint           ruff, mypy, and tsc where npx is installed"
	@echo "make bench          run the benchmarks, beside OpenSpiel"
	@echo "make docs           build the documentation into site/"
	@echo "make pictures       take the pictures of README.md and the documentation anew"
	@echo "make warm           compile all games into the cache"
	@echo "make kernels        compile all games for processors of this kind, to come with the package"
	@echo "make wheel          build a wheel with these kernels into dist/"
	@echo "make install        set up .venv, which all of these do when needed"
	@echo "make lock           pin the newest versions that fit pyproject.toml"
	@echo "make clean          remove what the others made"

install: $(STAMPS)/dev

play: install
	$(BIN)/spielbaum serve

test: lint browser
	$(BIN)/python -m pytest -n 2 --dist worksteal --failed-first -m "not slow"
	@$(HAS_TSC) || echo "not checked: $(NO_TSC)"

# What takes too long for every run: matches that tell strengths apart, rare combinations, long abuse; some hours.
test-slow: lint browser
	$(BIN)/python -m pytest -n 2 --dist worksteal --failed-first -m slow

# What depends on Numba, in two environments that are made anew each time; too long for every run. The oldest one has
# the lowest version of every dependency that a plain installation brings.

KERNEL_TESTS := tests/test_compiler.py tests/test_shortcuts.py tests/test_link.py tests/test_game.py tests/search
LOWEST = $(shell sed -n '/^dependencies = \[/,/^\]/s/^ *"\([a-z]*\)>=\([0-9.]*\).*/\1==\2/p' pyproject.toml)

test-versions:
	$(call try-version,oldest,$(LOWEST))
	$(call try-version,newest)

define try-version
	rm -rf build/versions/$(1) && $(PYTHON) -m venv build/versions/$(1)
	build/versions/$(1)/bin/python -m pip install --quiet --disable-pip-version-check \
		--editable . pytest pytest-timeout pytest-xdist hypothesis httpx $(2)
	build/versions/$(1)/bin/python -m pip freeze --exclude-editable
	build/versions/$(1)/bin/python -m pytest -n 2 -m "not slow" $(KERNEL_TESTS)
endef

# Debian's Chromium for the tests of the app; without it they are skipped.
browser:
	@if { command -v chromium || command -v chromium-browser || command -v google-chrome; } >/dev/null; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "installing Chromium for the browser tests"; \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null \
		|| echo "Chromium could not be installed: the browser tests will be skipped" >&2; \
	else echo "Chromium is missing (apt-get install chromium): the browser tests will be skipped" >&2; fi

# Side by side; ruff and mypy remember what has not changed.
lint: $(STAMPS)/networks
	@$(MAKE) --no-print-directory --jobs=3 ruff mypy tsc

ruff: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

mypy: $(STAMPS)/networks
	$(BIN)/mypy

TSC := npx --yes --loglevel=error --package typescript@7.0.2 tsc
HAS_TSC = $(TSC) --version >/dev/null 2>&1
NO_TSC := the types of the JavaScript files, as npx can't run TypeScript

tsc:
	@if $(HAS_TSC); then echo "$(TSC)" && $(TSC) -p src/spielbaum/web/static; else echo "not checked: $(NO_TSC)"; fi

bench: $(STAMPS)/bench
	$(BIN)/python -m benchmarks

docs: $(STAMPS)/docs
	$(BIN)/python docs/hooks.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

pictures: install browser
	$(BIN)/python docs/pictures.py

warm: install
	$(BIN)/spielbaum warm

# Kernels that come with the package: whoever installs its wheel, or clones beside them, does not wait for a compiler.

LEVELS ?= $(if $(filter aarch64 arm64,$(shell uname -m)),arm64,x86-64-v3 x86-64-v2)

kernels: install
	rm -rf src/spielbaum/shipped
	set -e; for level in $(LEVELS); do $(BIN)/spielbaum warm --target $$level --into src/spielbaum/shipped; done

wheel: kernels
	$(BIN)/python -m hatchling build --target wheel

# The environment: pinned packages first, then this package as it stands, without asking for more.

$(STAMPS)/dev: pyproject.toml requirements/dev.lock
	@test -n "$(PYTHON)" || { echo "Spielbaum needs Python 3.11 or newer; set PYTHON=/path/to/python" >&2; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(INSTALL) -r requirements/dev.lock
	$(INSTALL) --no-deps --no-build-isolation --editable .
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/docs $(STAMPS)/bench $(STAMPS)/networks: $(STAMPS)/%: requirements/%.lock $(STAMPS)/dev
	$(INSTALL) -r $<
	@touch $@

lock: install
	$(INSTALL) uv
	$(call compile,dev)
	$(call compile,docs,--constraint requirements/dev.lock)
	$(call compile,bench,--constraint requirements/dev.lock)
	@echo "requirements/networks.lock is written by hand: a resolver would take PyTorch's packages for graphics cards"

compile = $(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.11 --extra $(1) $(2) \
	--no-header --no-emit-index-url --no-emit-find-links --output-file requirements/$(1).lock pyproject.toml

clean:
	rm -rf .venv site build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src tests benchmarks -name __pycache__ -prune -exec rm -rf {} +
