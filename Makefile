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
AXE := .edgewiki/axe
ARTIFACT ?= $(DEMO_ARTIFACT)
GOLDEN ?= eval/golden/demo

# The deployed Python: the 3.11 image of Lambda has an SQLite without FTS5.
LAYER_PYTHON := 3.12
# The processor of the functions, as in the parameters of samconfig.toml; wheels call arm64 otherwise.
ARCHITECTURE ?= $(or $(firstword $(shell sed -n 's/^[^#]*Architecture=[\"]*\([a-z0-9_]*\).*/\1/p' samconfig.toml)),x86_64)
LAYER_MACHINE = $(patsubst arm64,aarch64,$(ARCHITECTURE))
# Where this machine has the deployed Python: it alone writes .pyc that Lambda reads.
DEPLOYED_PYTHON ?= $(firstword $(foreach p,python$(LAYER_PYTHON) $(wildcard $(PYENV_ROOT)/versions/$(LAYER_PYTHON).*/bin/python),\
  $(shell $(p) -c 'print("$(p)")' 2>/dev/null)))
compile = $(if $(DEPLOYED_PYTHON),"$(DEPLOYED_PYTHON)" -m compileall -q -j 0 --invalidation-mode unchecked-hash -s "$(1)" -p $(2) "$(1)",\
  @echo "python$(LAYER_PYTHON) does not run here: without .pyc of it a cold start takes longer" >&2)
SAM_ENVIRONMENT := .edgewiki/sam
LAMBDA_ENVIRONMENT := .edgewiki/lambda-$(LAYER_PYTHON)
SAM ?= $(firstword $(wildcard $(SAM_ENVIRONMENT)/bin/sam) $(shell command -v sam))
export SAM_CLI_TELEMETRY ?= 0

.PHONY: help setup model demo check test bench side-by-side side-by-side-environment small-model-environment graph-viewer axe sam-environment check-infra deploy lock clean build-SearchFunction build-RagFunction build-GraphFunction build-AnswerFunction build-McpFunction build-SchemaFunction build-UiFunction build-DocumentsFunction build-SyncFunction build-RuntimeLayer

help:
	@echo "make demo    set up, compile the demo wiki, publish it, ask three questions"
	@echo "make test    set up, check the code, run every test"
	@echo "make check   ruff, mypy and import-linter alone"
	@echo "make bench   measure cold start, latency by mode, build speed and memory"
	@echo "make side-by-side    edgewiki beside bm25s, tantivy, LanceDB (ARTIFACT=… GOLDEN=…; the demo's)"
	@echo "make small-model-environment    a small language model, to try answers with"
	@echo "make graph-viewer    cytoscape.js for pictures of the graph (needs npm)"
	@echo "make axe     axe-core, to look for barriers in the search page (needs npm)"
	@echo "make check-infra     validate and build template.yaml, run every function as built"
	@echo "make sam-environment the AWS SAM command line"
	@echo "make deploy  build and deploy to AWS, with the parameters in samconfig.toml"
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
	@echo "       open http://127.0.0.1:8080/ or curl 'http://127.0.0.1:8080/search?q=vyhladavanie'; then your own wiki:"
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

# What looks for barriers in the search page, from npm in the same way.
axe: $(AXE)/.installed

$(AXE)/.installed: infra/axe/package.json infra/axe/package-lock.json
	@command -v npm >/dev/null || { echo "make axe needs Node.js with npm" >&2; exit 1; }
	mkdir -p $(AXE)
	cp $^ $(AXE)/
	npm ci --prefix $(AXE) --ignore-scripts --no-audit --no-fund --silent
	@touch $@

lock:
	uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header -q -o infra/locks/runtime.txt
	uv pip compile pyproject.toml --group dev --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header -q -o infra/locks/dev.txt
	uv pip compile infra/layer.in -c infra/locks/runtime.txt --python-version $(LAYER_PYTHON) --python-platform x86_64-manylinux_2_28 --generate-hashes --no-emit-index-url --no-header -q -o infra/locks/layer.txt
	uv pip compile eval/side_by_side/requirements.in --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header -q -o eval/side_by_side/requirements.txt
	uv pip compile eval/small_model/requirements.in --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header -q -o eval/small_model/requirements.txt
	uv pip compile infra/sam/requirements.in --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header -q -o infra/sam/requirements.txt
	uv pip compile infra/sam/runtime.in -c infra/locks/dev.txt --universal --python-version $(LAYER_PYTHON) --generate-hashes --no-emit-index-url --no-header -q -o infra/sam/runtime.txt

# The SAM command line and its linter, in an environment of their own. The lock is whole, and without
# --no-deps an older pip takes the extras of boto3 for requirements that are not in it.
sam-environment: $(SAM_ENVIRONMENT)/.installed

$(SAM_ENVIRONMENT)/.installed: infra/sam/requirements.txt
	"$(PYTHON)" -m venv $(SAM_ENVIRONMENT)
	$(SAM_ENVIRONMENT)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary=:all: -r $<
	@touch $@

$(LAMBDA_ENVIRONMENT)/.installed: infra/sam/runtime.txt
	"$(DEPLOYED_PYTHON)" -m venv $(LAMBDA_ENVIRONMENT)
	$(LAMBDA_ENVIRONMENT)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary=:all: -r $<
	@touch $@

# All that can be tried of a deployment without an account.
check-infra: model sam-environment $(if $(DEPLOYED_PYTHON),$(LAMBDA_ENVIRONMENT)/.installed)
	$(BIN)/python -m infra.check --sam $(SAM_ENVIRONMENT)/bin/sam $(if $(DEPLOYED_PYTHON),--python $(LAMBDA_ENVIRONMENT)/bin/python)

deploy:
	@test -n "$(SAM)" || { echo "make deploy needs the AWS SAM command line: install it, or run make sam-environment" >&2; exit 1; }
	"$(SAM)" build
	"$(SAM)" deploy

# `sam build` calls these; ARTIFACTS_DIR is where it wants the result. Every function is the same code.
# A published version of a function notices new code and not new parameters, so the sum of
# samconfig.toml, where the parameters are, lies beside the code.
build-SearchFunction build-RagFunction build-GraphFunction build-AnswerFunction build-McpFunction build-SchemaFunction build-UiFunction build-DocumentsFunction build-SyncFunction:
	cp -r functions index_artifacts "$(ARTIFACTS_DIR)/"
	find "$(ARTIFACTS_DIR)" -name __pycache__ -prune -exec rm -rf {} +
	cksum < samconfig.toml > "$(ARTIFACTS_DIR)/parameters.cksum"
	$(call compile,$(ARTIFACTS_DIR),/var/task)

build-RuntimeLayer:
	"$(PYTHON)" -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps --only-binary=:all: --no-compile --ignore-requires-python \
	  --python-version $(LAYER_PYTHON) --implementation cp \
	  --platform manylinux2014_$(LAYER_MACHINE) --platform manylinux_2_27_$(LAYER_MACHINE) --platform manylinux_2_28_$(LAYER_MACHINE) \
	  --target "$(ARTIFACTS_DIR)/python" -r infra/locks/layer.txt
	"$(PYTHON)" infra/slim_layer.py "$(ARTIFACTS_DIR)/python"
	$(call compile,$(ARTIFACTS_DIR)/python,/opt/python)

clean:
	rm -rf .venv .edgewiki .mypy_cache .ruff_cache .pytest_cache .hypothesis
