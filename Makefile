# Everything happens in .venv at the root, made by the first command that needs it. `make help` lists the commands.

SHELL := bash
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11 python3.14; do \
	$$python -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2> /dev/null && echo $$python && break; done)
PORT ?= 8501

BIN := .venv/bin
# The store waits until the disk has what it writes: tests write into memory, where 4 GB of it are free.
MEMORY := $(shell test "$$(df -Pk /dev/shm 2> /dev/null | awk 'END { print $$4 }')" -gt 4000000 2> /dev/null \
	&& echo PYTEST_DEBUG_TEMPROOT=/dev/shm)
# Processes of one thread each, since more threads than cores make every test slower; three of them, because one is with
# the browser, which waits a third of its time.
# Every child of a test would compile all that it imports if nothing compiled were kept.
PYTEST := PYTHONDONTWRITEBYTECODE= OMP_NUM_THREADS=1 $(MEMORY) $(BIN)/python -m pytest -rs
TEXT = --corpora $(CORPORA) $(if $(BENCHMARKS),--benchmarks $(BENCHMARKS)) $(foreach list,$(WORDS),--words $(list))
ORIGINALS := assin babylm babylm_reading causalgym languages nlpscholar nlpscholar_training stereoset
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-header --no-annotate

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help run class test quick soak release check docs browser parity oracle bench servers catalogue model head lock clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

run: .venv/runtime ## the dashboard, for this machine only (PORT=8501)
	$(BIN)/streamlit run app.py --server.port $(PORT)

class: .venv/runtime ## a lesson with a class whose phones vote (LESSON=file or name, PORT=8501)
	$(BIN)/pairlens class "$(LESSON)" --port $(PORT)

test: .venv/development ## all tests; says which were skipped and why
	$(PYTEST) -n 3 --dist loadfile

quick: .venv/development ## while working: what needs no model, no browser and no public data, in 40 seconds
	$(PYTEST) --quick -n 2

soak: .venv/development .venv/jupyter/ready ## what README promises, attacked for hours (SOAK=tests/reliability/test_damage.py: one of them)
	PAIRLENS_EXAMPLES=soak $(PYTEST) -m 'soak or hypothesis' $(SOAK)
	$(if $(SOAK),,PAIRLENS_SOAK=20 $(PYTEST) -m soak tests/reliability/test_store_at_work.py)

release: .venv/development ## may the wheel be published? In an empty environment, another folder, without network
	.ci/release

check: .venv/development ## lint, format, types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: .venv/development ## the documentation as a site with search and references, in build/site
	$(BIN)/python docs/build_site.py
	@echo "To read it: $(BIN)/python -m http.server -d build/site"

browser: .venv/development ## only the tests that drive a real browser
	$(PYTEST) tests/browser

parity: .venv/development ## only the comparisons with plain transformers code and with recorded answers of minicons
	$(PYTEST) tests/parity

oracle: .venv-oracle/ready .venv/development ## record other tools' answers again (PEERS=folder with the originals: assin, babylm, causalgym, nlpscholar, stereoset)
	PYTHONPATH=tests .venv-oracle/bin/python tests/parity/oracle.py
	rm -rf .venv-oracle/runs
	PYTHONPATH=.:core:tests $(BIN)/python tests/parity/reproduced_runs.py .venv-oracle/runs
	PYTHONPATH=tests .venv-oracle/bin/python tests/parity/reproduction_oracle.py .venv-oracle/runs
	$(if $(PEERS),for name in $(ORIGINALS); do PYTHONPATH=.:core:tests .venv-oracle/bin/python \
		-m tests.parity.originals.$$name $(PEERS)/$${name%%_*} || exit 1; done)

bench: .venv-bench/ready ## how fast, beside other tools (DATA=folder with blimp, PEERS=folder with babylm, nlpscholar, stereoset)
	PYTHONPATH=.:core .venv-bench/bin/python -m tests.benchmarks $(if $(DATA),--data $(DATA)) $(if $(PEERS),--peers $(PEERS))

servers: .venv/development ## numbers and speed of servers beside ours (PAIRS=folder of blimp, SERVERS="http://HOST:PORT?tokenizer=MODEL ...")
	PYTHONPATH=.:core $(BIN)/python -m tests.benchmarks.servers $(PAIRS) $(SERVERS)

catalogue: .venv/runtime ## bring the translations in locale/ up to date with the sentences in the source
	$(BIN)/python -m workshop.catalogue

model: .venv/runtime ## train a bundled model again (NAME=..., CORPORA=folder, BENCHMARKS=folder, WORDS=lists of Portuguese words)
	$(BIN)/python -m workshop.language_models $(NAME) $(TEXT)

head: .venv/runtime ## train a bundled head again (the same)
	$(BIN)/python -m workshop.heads $(NAME) $(TEXT)

lock: .venv/development ## newest versions within the ranges of requirements.txt and pyproject.toml
	$(BIN)/python -m pip install --quiet uv
	{ sed '/^[^#]/,$$d' requirements.lock; $(COMPILE) requirements.txt | grep -vE '^(nvidia|cuda|triton)'; } > .venv/lock
	mv .venv/lock requirements.lock
	{ sed '/^[^#]/,$$d' requirements-dev.lock; $(COMPILE) -c requirements.lock --group pyproject.toml:dev | grep -vxFf requirements.lock | grep -vE '^(nvidia|cuda|triton)'; } > .venv/lock
	mv .venv/lock requirements-dev.lock

clean: ## remove the environments and the tools' caches; results stay
	rm -rf .venv .venv-oracle .venv-bench .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "Pairlens needs Python 3.11 or newer with its venv module, and none was found." \
		"Install it (Debian, Ubuntu: apt install python3 python3-venv; macOS: brew install python@3.13)" \
		"or name it: make PYTHON=/path/to/python3." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit( \
		0 if v >= (3, 11) else "Pairlens needs Python 3.11 or newer; $(PYTHON) is %d.%d." % v[:2])'
	$(PYTHON) -m venv .venv

# A stamp is written after a complete installation, so that an interrupted one is taken up again.
.venv/runtime: requirements.lock pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install -r requirements.lock
	$(BIN)/python -m pip install --no-deps -e .
	@touch $@

.venv/development: requirements-dev.lock .venv/runtime
	$(BIN)/python -m pip install -r requirements-dev.lock
	$(BIN)/python -m venv .venv/s3
	.venv/s3/bin/python -m pip install 'moto[s3]==5.2.5' flask flask-cors
	@touch $@

# JupyterLab brings what makes every import of altair two seconds slower, so it has an environment of its own.
.venv/jupyter/ready: .venv/development
	$(BIN)/python -m venv .venv/jupyter
	.venv/jupyter/bin/python -m pip install 'jupyterlab>=4.4' 'jupyter-server-proxy>=4.5'
	$(BIN)/python -c "import sysconfig; print('import site; site.addsitedir(%r)' % sysconfig.get_path('purelib'))" \
		> $$(.venv/jupyter/bin/python -c "import sysconfig; print(sysconfig.get_path('purelib'))")/pairlens.pth
	@touch $@

.venv-oracle/ready: requirements.lock | .venv/bin/python
	$(BIN)/python -m venv .venv-oracle
	.venv-oracle/bin/python -m pip install -c requirements.lock torch transformers minicons==0.3.39 lm_eval==0.4.13 \
		statsmodels scipy scikit-learn nltk pyvene==0.1.8
	@touch $@

.venv-bench/ready: requirements.lock | .venv/bin/python
	$(BIN)/python -m venv .venv-bench
	.venv-bench/bin/python -m pip install -r requirements.lock minicons==0.3.39 lm_eval==0.4.13
	@touch $@
