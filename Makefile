# `make` alone lists the targets; see the comment behind each.
UV_VERSION := 0.13.8
UV := $(shell command -v uv || echo .uv/bin/uv)
export UV_PYTHON_DOWNLOADS := never
# Each has a Spark session (3 GB) and servers of its own; more of them help where there are more cores.
WORKERS := 2
PYTEST := .venv/bin/pytest --numprocesses=$(WORKERS)

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-versions test-cluster soak lint format docs bench clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-13s %s\n", $$1, $$2}'

setup: .venv/.synced ## the environment, Java and jars that everything else needs
	@.venv/bin/python -m jobs.lab.setup

demo: setup ## real Kafka lives through incidents; see what Varve makes of them (about 5 minutes)
	@.venv/bin/varve demo

test: setup ## every test but the next ones, on real ZooKeeper, Kafka, Spark and Airflow (about 45 minutes)
	@$(PYTEST) -m 'not versions and not cluster and not soak'

test-versions: setup ## the tests on every version of Kafka from 2.8 to 4.x (about 10 minutes)
	@$(PYTEST) -m versions tests/integration

test-cluster: setup ## races, deaths and outages on a lake in S3, every command there, and a Spark cluster (about 15 minutes)
	@$(PYTEST) -m 'cluster and not soak'

soak: setup ## histories with crashes, a writer that is killed 200 times, and 200 snapshots of healthy clusters that change (about 4 hours)
	@$(PYTEST) -m soak tests/jobs/process tests/integration/incidents

lint: .venv/.synced ## style, format and types
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy

format: .venv/.synced ## put the code into its format
	.venv/bin/ruff check --fix
	.venv/bin/ruff format

docs: .venv/.synced ## write the pages that derive from the code and the tests (docs/{tables,events,checks,recall,commands}.md)
	.venv/bin/python -m jobs.docs && .venv/bin/python -m tests.recall && .venv/bin/python -m tests.page_commands

bench: setup ## speed and memory, as ratios measured in one run
	.venv/bin/python -m pytest tests/benchmarks/bench_*.py -q -s

clean: ## forget the environment and the demo
	rm -rf .venv .uv varve-demo

.venv/.synced: requirements.lock pyproject.toml | $(UV)
	$(UV) venv --quiet --allow-existing --python '>=3.11,<3.13' .venv
	$(UV) pip sync --quiet --require-hashes --compile-bytecode --python .venv requirements.lock
	$(UV) pip install --quiet --no-deps --no-build-isolation --python .venv -e .
	@touch $@

.uv/bin/uv:
	python3 -m venv .uv
	.uv/bin/pip install --quiet uv==$(UV_VERSION)

# To resolve anew: rm requirements.lock && make requirements.lock
requirements.lock: | $(UV)
	$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--group dev pyproject.toml -o $@
