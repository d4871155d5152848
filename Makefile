# Everything a newcomer needs: `make demo`, `make test`. `make help` lists the rest.
# The first that runs and is new enough: a version manager's stand-in may be found and not run.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
  $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
INSTALLED := .venv/.installed
export EDGEWIKI_MODEL_DIR ?= $(CURDIR)/.edgewiki/model
DEMO := eval/corpora/demo
DEMO_STORE := file://$(CURDIR)/.edgewiki/demo-store
DEMO_ARTIFACT := .edgewiki/demo-artifact
OTHERS := .edgewiki/side-by-side
SMALL_MODEL := .edgewiki/small-model
VIEWER := .edgewiki/graph-viewer
ARTIFACT ?= $(DEMO_ARTIFACT)
GOLDEN ?= eval/golden/demo

# The deployed Python: the 3.11 image of Lambda has an SQLite without FTS5.
LAYER_PYTHON := 3.12
LAYER_MACHINE ?= x86_64

.PHONY: help setup model demo check test bench side-by-side side-by-side-environment small-model-environment graph-viewer lock clean build-SearchFunction build-RagFunction build-GraphFunction build-AnswerFunction build-McpFunction build-SchemaFunction build-RuntimeLayer

help:
	@echo "make demo    set up, compile the demo wiki, publish it, ask three questions"
	@echo "make test    set up, check the code, run every test"
	@echo "make check   ruff, mypy and import-linter alone"
	@echo "make bench   measure cold start, latency by mode, build speed and memory"
	@echo "make side-by-side    edgewiki beside bm25s, tantivy, LanceDB (ARTIFACT=… GOLDEN=…; the demo's)"
	@echo "make small-model-environment    a small language model, to try answers with"
	@echo "make graph-viewer    cytoscape.js for pictures of the graph (needs npm)"
	@echo "make lock    pin the dependencies again (needs uv)"
	@echo "make clean   remove the environment and everything built"

setup: $(INSTALLED)

$(INSTALLED): infra/locks/dev.txt pyproject.toml
	@test -n "$(PYTHON)" || { echo "edgewiki needs Python 3.11 or newer: install one, or set PYTHON" >&2; exit 1; }
	"$(PYTHON)" -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r infra/locks/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

model: setup
	@$(BIN)/edgewiki model

demo: model
	@$(BIN)/edgewiki build $(DEMO) --output $(DEMO_ARTIFACT) --store $(DEMO_STORE)
	@$(BIN)/edgewiki publish $(DEMO) --artifact $(DEMO_ARTIFACT) --store $(DEMO_STORE)
	@for question in \
	    "Kto písal diplomovú prácu o strojovom preklade?" \
	    "Сколько записей в корпусе Маяк?" \
	    "How do I get access to the GPU cluster?"; do \
	  echo; echo "▸ $$question"; echo; \
	  $(BIN)/edgewiki search "$$question" --wiki $(DEMO) --store $(DEMO_STORE) --limit 3 || exit 1; \
	done
	@echo
	@echo "Next:  $(BIN)/edgewiki serve $(DEMO) --store $(DEMO_STORE)"
	@echo "       curl 'http://127.0.0.1:8080/search?q=vyhladavanie'      then try your own wiki:"
	@echo "       $(BIN)/edgewiki build PATH && $(BIN)/edgewiki publish && $(BIN)/edgewiki search 'a question'"

check: setup
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: check model
	$(BIN)/python -m pytest --numprocesses=auto --dist=loadgroup

bench: model
	$(BIN)/python -m eval.benchmark

# Other engines, in an environment of their own: edgewiki neither needs nor locks them.
side-by-side: setup side-by-side-environment
	$(BIN)/python -m eval.side_by_side --artifact "$(ARTIFACT)" --golden "$(GOLDEN)" --environment $(OTHERS)

side-by-side-environment: $(OTHERS)/.installed

$(OTHERS)/.installed: eval/side_by_side/requirements.txt
	"$(PYTHON)" -m venv $(OTHERS)
	$(OTHERS)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary=:all: -r $<
	@touch $@

# A small language model, in an environment of its own as well.
small-model-environment: $(SMALL_MODEL)/.installed

$(SMALL_MODEL)/.installed: eval/small_model/requirements.txt
	"$(PYTHON)" -m venv $(SMALL_MODEL)
	$(SMALL_MODEL)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary=:all: -r $<
	@touch $@

# What draws the graph in a browser; the lock holds its hash, npm verifies it.
graph-viewer: $(VIEWER)/.installed

$(VIEWER)/.installed: infra/graph-viewer/package.json infra/graph-viewer/package-lock.json
	@command -v npm >/dev/null || { echo "make graph-viewer needs Node.js with npm" >&2; exit 1; }
	mkdir -p $(VIEWER)
	cp $^ $(VIEWER)/
	npm ci --prefix $(VIEWER) --ignore-scripts --no-audit --no-fund --silent
	@touch $@

lock:
	uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header -q -o infra/locks/runtime.txt
	uv pip compile pyproject.toml --group dev --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header -q -o infra/locks/dev.txt
	uv pip compile infra/layer.in -c infra/locks/runtime.txt --python-version $(LAYER_PYTHON) --python-platform x86_64-manylinux_2_28 --generate-hashes --no-emit-index-url --no-header -q -o infra/locks/layer.txt
	uv pip compile eval/side_by_side/requirements.in --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header -q -o eval/side_by_side/requirements.txt
	uv pip compile eval/small_model/requirements.in --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header -q -o eval/small_model/requirements.txt

# `sam build` calls these; ARTIFACTS_DIR is where it wants the result. Every function is the same code.
build-SearchFunction build-RagFunction build-GraphFunction build-AnswerFunction build-McpFunction build-SchemaFunction:
	cp -r functions index_artifacts "$(ARTIFACTS_DIR)/"
	find "$(ARTIFACTS_DIR)" -name __pycache__ -prune -exec rm -rf {} +

build-RuntimeLayer:
	"$(PYTHON)" -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps --only-binary=:all: --no-compile --ignore-requires-python \
	  --python-version $(LAYER_PYTHON) --implementation cp \
	  --platform manylinux2014_$(LAYER_MACHINE) --platform manylinux_2_27_$(LAYER_MACHINE) --platform manylinux_2_28_$(LAYER_MACHINE) \
	  --target "$(ARTIFACTS_DIR)/python" -r infra/locks/layer.txt
	cd "$(ARTIFACTS_DIR)/python" && rm -rf bin onnxruntime/tools onnxruntime/transformers onnxruntime/quantization

clean:
	rm -rf .venv .edgewiki .mypy_cache .ruff_cache .pytest_cache .hypothesis
