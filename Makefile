# make test   run everything that must pass
# make help   list the other targets

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := test

PYTHON ?= python3
VENV   ?= .venv
BUILD  := .build
PROGRAM := $(BUILD)/gokernel
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.9.0
VULNDB := https://vuln.go.dev
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
ACTIONLINT := github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
# Packages whose goroutines share memory.
RACE := ./kernel/... ./interp/worker/... ./display ./display/figure/... ./display/table/... ./cmd/gokernel/internal/execute/...
FUZZTIME ?= 20s

# An aggressive garbage collector, which runs all the time and overwrites freed memory.
HARD := -exec 'env GOGC=3 GODEBUG=clobberfree=1'

ENGINE := ./interp/engine/ssa
RTYPE := ./interp/engine/ssa/rtype ./interp/engine/ssa/goroutine
# Other versions of Go with which the default engine runs, and one that is tested only if it is
# available.
NEXT := go1.27.2
AFTER := go1.28rc1

# How a release is linked: without symbols, and with functions aligned to
# 16 bytes instead of 32, as in install/wheel.
RELEASE := -s -w -funcalign=16

# The maximum size of this program in bytes. docs/explanation/rationale.md lists its parts.
HEAVIEST := 76600000

.PHONY: help check test tools size unit collector race lint cross e2e pictures bench bench-engine bench-mlstd bench-frame soak soak-engine fuzz venv clean

help:
	@echo "make test    run everything that must pass: lint, size, e2e, unit, race, collector, faults, escape (30 to 60 minutes on two cores)"
	@echo "make check   run lint, and fast tests of the packages that the branch has changed (BASE=$(BASE)) and of their importers, for at most two minutes"
	@echo "make tools   install the tools that these targets need, or list those that cannot be installed"
	@echo "make size    check that the stripped program for linux/amd64 has at most $(HEAVIEST) bytes"
	@echo "make reproducible  check that two builds in different folders, without a shared cache, produce the same bytes"
	@echo "make vulns   check for known vulnerabilities in code that the program calls; needs $(VULNDB)"
	@echo "make ci-local  run the steps for Linux in .github/workflows/test.yml (WORKFLOW=nightly: in nightly.yml; JOB=lint: that job)"
	@echo "make lint    run gofmt, actionlint, go vet, staticcheck and make words"
	@echo "make words   check the language of pages, notebooks, comments, messages and commits (ON='mlstd docs': only these paths)"
	@echo "make unit    run the Go tests (SHARD=cmd, interp or rest: a part of them)"
	@echo "make race    run the Go tests of concurrent packages with the race detector"
	@echo "make collector  run all cells and the default engine with an aggressive garbage collector (1 minute)"
	@echo "make e2e     run the tests with Jupyter's own tools and JupyterLab in Chromium (E2E='-k interrupt': those tests)"
	@echo "make engines  install Spark from PyPI, start its Connect server, and run the tests of lazy frames on it (5 minutes; needs Java 17)"
	@echo "make course  run all notebooks with gokernel run and with nbclient and compare them, and check the course site with axe-core (15 minutes; E2E='-k N04': that one)"
	@echo "make ecosystem  test the kernel with papermill, nbconvert, nbdime, nbval, Voila and Jupyter Book (3 minutes)"
	@echo "make newcomer  follow the steps in README.md and docs in a fresh home, clone and environment (10 minutes; E2E='-k homework': those tests); needs patch and xz"
	@echo "make newcomer-bare  follow the first steps in README.md, and the tutorial, in a Debian 12 with only Go, git and Python (30 minutes); needs root and debootstrap"
	@echo "make class   measure STUDENTS=40 working on this machine, with JupyterHub and with Kernel Gateway; needs npm"
	@echo "make lite    build the kernel for web pages in $(BUILD)/lite, and test it with Node, JupyterLite and a live page in Chromium; needs node, patch and xz"
	@echo "make vscode  build the extension of VS Code, $(BUILD)/gokernel.vsix (VERSION=1.2.0: as that version); needs npm"
	@echo "make pictures  take the pictures of README.md and docs/how-to/editors.md and write them to docs/images"
	@echo "make cross   build and vet for $(PLATFORMS)"
	@echo "make wine    run the default engine's suites, a notebook and a kernel of windows/amd64 in Wine (10 minutes)"
	@echo "make engine-next  test the default engine and a notebook with other versions of Go, $(NEXT) (3 minutes each)"
	@echo "make packages  run the test suites of libraries in the default engine and write a table to $(BUILD)/suites.md (1 hour; ONLY=yaml: those modules)"
	@echo "make bench   compare this kernel with ipykernel and write docs/reports/kernel-benchmarks.md"
	@echo "make bench-engine  compare the engines with compiled Go, CPython and PyPy (if it is installed) and write docs/reports/engine-benchmarks.md"
	@echo "make bench-mlstd   compare the library with scikit-learn and write docs/reports/library-benchmarks.md (ONLY=forest: only print those cases)"
	@echo "make bench-frame   compare data frames with pandas and Polars on a million rows and print the result (ROWS=10000000: more rows)"
	@echo "make analyses  run the notebooks of bench/analyses and their Python twins, compare their answers and statements, and write docs/reports/analyses.md (5 minutes; ONLY=penguins: only print that one); needs npm"
	@echo "make bench-lsp     measure the language server in a notebook of 100 cells and write docs/reports/language-server.md"
	@echo "make soak    try faults of all kinds, TIMES=$(TIMES) each, then simulate a class FOR=$(FOR), and write docs/reports/reliability.md (ONLY=history: only print those faults; RESUME=FILE: continue an interrupted run)"
	@echo "make session run CELLS=$(CELLS) ordinary cells in one session and write their memory to docs/reports/reliability.md (5 minutes)"
	@echo "make escape  try to escape from the sandbox, as root and as an ordinary user (1 to 2 minutes; ONLY=signals: those attempts)"
	@echo "make faults  try each fault twice, slow ones once (1 to 2 minutes)"
	@echo "make soak-engine  run all of Go's own test programs, 5000 generated programs and 5000 cells, also with an aggressive garbage collector and on arm64"
	@echo "make jit-evidence  compare cells with compiled Go in each mode of the JIT: Go's own programs, N=$(N) programs of each generator, notebooks, $(INTERRUPTS) interrupts (many hours)"
	@echo "make jit-hostile  run the JIT for HOSTILE=$(HOSTILE) each under traces, profiles, signals, moving stacks and 20000 goroutines, and with other settings of the runtime"
	@echo "make fuzz    run each fuzz target for FUZZTIME=$(FUZZTIME)"
	@echo "make venv    create the Python environment of the tests in VENV=$(VENV)"

# The quick part of make test, for what has changed.
BASE ?= main
check:
	@BASE='$(BASE)' STATICCHECK='$(STATICCHECK)' .ci/check

# With -j2, the end-to-end tests, which mostly wait, run beside the unit tests.
test: tools lint size e2e unit race collector faults escape
	@.ci/flaky --summary

# Run the steps for Linux of the hosted CI. With WORKFLOW=nightly, run those of the nightly tests.
.PHONY: ci-local
WORKFLOW ?= test
ci-local: venv
	$(VENV)/bin/python .ci/local .github/workflows/$(WORKFLOW).yml $(JOB)

# Install missing tools, or list them, before anything runs.
tools:
	@PYTHON='$(PYTHON)' .ci/tools

lint: tools words pages
	@files=$$(git ls-files '*.go' | xargs -r gofmt -l); [ -z "$$files" ] || { echo "not formatted: run gofmt -w on" $$files >&2; exit 1; }
	@! grep -rnE 'uses: *[^ ]+@' .github | grep -vE '@[0-9a-f]{40}( |$$)' || { echo "make: name these actions by the hash of a commit, with the version in a comment" >&2; exit 1; }
	go run $(ACTIONLINT) -shellcheck= -pyflakes=
	go vet ./...
	go run $(STATICCHECK) ./...

# Each command and each block of code in README.md and docs must have a test, or a reason for
# having none.
.PHONY: pages
pages:
	python3 testdata/e2e/newcomer/pages.py

# testdata/vale/areas.txt lists the paths, testdata/vale/styles has the rules.
.PHONY: words
words:
	go run ./internal/prose $(ON)
	go run ./internal/prose -commits

unit: tools
	.ci/gotest -timeout 25m $(if $(SHARD),$$(.ci/shard $(SHARD)),./...)

collector: tools
	.ci/gotest $(HARD) -run 'TestCells/ssa' ./interp
	.ci/gotest $(HARD) -skip 'TestGoPrograms|TestGeneratedPrograms|TestRandomPrograms|TestCallsStayOnTheStack' $(ENGINE)

.PHONY: race-packages race-engine
race: race-packages race-engine

race-packages: tools
	CGO_ENABLED=1 .ci/gotest -race -timeout 15m $(RACE)
	CGO_ENABLED=1 .ci/gotest -race -short -timeout 15m ./mlstd/...

race-engine: tools
	CGO_ENABLED=1 .ci/gotest -race -gcflags=all=-d=checkptr=0 -timeout 15m -skip 'TestGoPrograms|TestGeneratedPrograms|TestRandomPrograms|TestSuitesOfModules' $(ENGINE)

# Prints the table for a section of docs/reports/package-conformance.md.
.PHONY: packages
packages:
	@mkdir -p $(BUILD)
	go test $(ENGINE) -run TestSuitesOfModules -suites '$(or $(ONLY),.)' -table $(abspath $(BUILD))/suites.md -timeout 0 -v

.PHONY: engine-next
engine-next:
	@mkdir -p $(BUILD)
	@for v in $(NEXT); do \
		echo "the default engine with $$v"; \
		GOTOOLCHAIN=$$v go vet $(RTYPE) $(ENGINE) ./interp/symbols/... ./cmd/gokernel; \
		GOTOOLCHAIN=$$v .ci/gotest -timeout 15m -skip 'TestGoPrograms|TestGeneratedPrograms|TestRandomPrograms' $(RTYPE) $(ENGINE) ./interp/symbols/...; \
		GOTOOLCHAIN=$$v CGO_ENABLED=0 go build -o $(BUILD)/gokernel-next ./cmd/gokernel; \
		$(BUILD)/gokernel-next version | grep "engine ssa, $$v"; \
		cp notebooks/N02-decision-trees.ipynb $(BUILD)/next.ipynb; \
		$(BUILD)/gokernel-next run $(BUILD)/next.ipynb; \
	done
	@echo "a version of Go to which the default engine has not been ported"
	CGO_ENABLED=0 go build -tags gokernel_closed -o $(BUILD)/gokernel-closed ./cmd/gokernel
	$(BUILD)/gokernel-closed version | grep "engine yaegi"
	@if GOTOOLCHAIN=$(AFTER) go version >/dev/null 2>&1; then \
		GOTOOLCHAIN=$(AFTER) go vet $(RTYPE) $(ENGINE) ./cmd/gokernel; GOTOOLCHAIN=$(AFTER) go build -o /dev/null ./cmd/gokernel; \
	else \
		echo "$(AFTER): left out, it cannot be had"; \
	fi

cross:
	@for p in $(PLATFORMS); do \
		echo "build and vet for $$p"; \
		GOOS=$${p%/*} GOARCH=$${p#*/} CGO_ENABLED=0 go build -o /dev/null ./cmd/gokernel; \
		GOOS=$${p%/*} GOARCH=$${p#*/} CGO_ENABLED=0 go vet ./cmd/gokernel; \
	done

.PHONY: wine
wine: tools venv
	testdata/wine/run $(BUILD)/wine $(abspath $(VENV))/bin/python

.PHONY: $(PROGRAM)
$(PROGRAM):
	@mkdir -p $(BUILD)
	CGO_ENABLED=0 go build -o $@ ./cmd/gokernel

venv: $(VENV)/complete

$(VENV)/complete: testdata/requirements.txt | tools
	@$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r testdata/requirements.txt
	@touch $@

# Build like a release, so that the size does not depend on the folder.
size:
	@mkdir -p $(BUILD)
	GOOS=linux GOARCH=amd64 CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags='$(RELEASE)' -o $(BUILD)/gokernel-stripped ./cmd/gokernel
	@n=$$(wc -c <$(BUILD)/gokernel-stripped); echo "the stripped program has $$n bytes, of at most $(HEAVIEST)"; \
	[ "$$n" -le $(HEAVIEST) ] || { echo "make: the program has grown: find out by what (go tool nm -size -sort size), and do without or raise HEAVIEST" >&2; exit 1; }

# The second build uses a copy in another folder and cannot reuse the first one's cache.
.PHONY: reproducible
reproducible:
	@dir=$$(mktemp -d); trap 'chmod -R u+w "$$dir"; rm -rf "$$dir"' EXIT; \
	mkdir "$$dir/elsewhere"; git archive HEAD | tar -x -C "$$dir/elsewhere"; git archive HEAD | tar -x -C "$$dir" --one-top-level=here; \
	for at in here elsewhere; do \
		(cd "$$dir/$$at"; GOCACHE="$$dir/cache-$$at" GOFLAGS= CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags='$(RELEASE)' -o "$$dir/gokernel-$$at" ./cmd/gokernel); \
		rm -rf "$$dir/cache-$$at"; sha256sum "$$dir/gokernel-$$at" | cut -d ' ' -f 1; \
	done; \
	cmp "$$dir/gokernel-here" "$$dir/gokernel-elsewhere" || { echo "make: two builds of one commit differ: look for paths, times and orders of maps in what is generated" >&2; exit 1; }

.PHONY: vulns
vulns:
	@curl -fsS --max-time 20 -o /dev/null $(VULNDB)/index/db.json || { echo "make: vulnerabilities were not checked: the database $(VULNDB) cannot be reached" >&2; exit 1; }
	go run $(GOVULNCHECK) -db $(VULNDB) ./cmd/gokernel

e2e: tools $(PROGRAM) venv
	GOKERNEL=$(abspath $(PROGRAM)) PATH="$(abspath $(VENV))/bin:$$PATH" \
		.ci/pytest -q -n 2 --dist loadfile --ignore testdata/e2e/course --ignore testdata/e2e/ecosystem --ignore testdata/e2e/newcomer $(E2E) testdata/e2e

# Test lazy frames and the client against a Spark server, which pip installs (900 MB) and Java runs.
.PHONY: engines
engines:
	.ci/engines $(BUILD)/engines

# Also run all notebooks with nbclient, and check the site. AXE_EVERY=1 checks each page.
.PHONY: course
course: tools $(PROGRAM) venv
	GOKERNEL=$(abspath $(PROGRAM)) PATH="$(abspath $(VENV))/bin:$$PATH" \
		.ci/pytest -q $(E2E) testdata/e2e/course

# Test third-party tools for notebooks; docs/how-to/ecosystem.md has the table.
.PHONY: ecosystem
ecosystem: tools $(PROGRAM) venv
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r testdata/e2e/ecosystem/requirements.txt
	GOKERNEL=$(abspath $(PROGRAM)) PATH="$(abspath $(VENV))/bin:$$PATH" \
		.ci/pytest -q $(E2E) testdata/e2e/ecosystem

# Run exactly the steps that the pages ask a newcomer to do.
.PHONY: newcomer newcomer-bare
newcomer: tools $(PROGRAM) venv
	GOKERNEL=$(abspath $(PROGRAM)) PATH="$(abspath $(VENV))/bin:$$PATH" \
		.ci/pytest -q $(E2E) testdata/e2e/newcomer

newcomer-bare:
	testdata/e2e/newcomer/bare $(BUILD)/bare

# Simulate a class on this machine: first with a hub that starts a server and a kernel per student,
# then with a gateway.
STUDENTS ?= 40
.PHONY: class
class: $(PROGRAM) venv
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r bench/class/requirements.txt
	npm install --silent --no-save --prefix $(BUILD)/proxy configurable-http-proxy@5.3.0
	PATH="$(abspath $(BUILD))/proxy/node_modules/.bin:$$PATH" $(VENV)/bin/python bench/class/class.py --program $(PROGRAM) --students $(STUDENTS)
	$(VENV)/bin/python bench/class/class.py --program $(PROGRAM) --students $(STUDENTS) --gateway

# Build the files that a web worker loads; see docs/how-to/browser.md.
.PHONY: lite
lite: venv $(PROGRAM)
	GOOS=js GOARCH=wasm go vet ./cmd/gokernel-wasm ./internal/asset ./internal/eventloop
	install/lite/compile $(BUILD) $(BUILD)/lite
	go test ./install/lite/slim -node node
	node --stack-size=4000 install/lite/test.cjs $(BUILD)/lite
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r testdata/lite/requirements.txt
	LITE=$(abspath $(BUILD))/lite GOKERNEL=$(abspath $(PROGRAM)) PATH="$(abspath $(VENV))/bin:$$PATH" .ci/pytest -q testdata/lite

# The extension of VS Code. Its sources stay as they are: npm works on a copy.
.PHONY: vscode
vscode:
	@command -v npm >/dev/null || { echo "make: the extension needs npm: install it" >&2; exit 1; }
	rm -rf $(BUILD)/vscode
	@mkdir -p $(BUILD)
	cp -r install/vscode $(BUILD)/vscode
	cp LICENSE $(BUILD)/vscode
	cd $(BUILD)/vscode && npm ci --silent --no-audit --no-fund --ignore-scripts && npx vsce package $(if $(VERSION),--no-git-tag-version $(VERSION)) --no-dependencies -o ../gokernel.vsix

pictures:
	@mkdir -p docs/images
	SCREENSHOTS=$(abspath docs/images) $(MAKE) --no-print-directory e2e E2E="-k 'readme or quick_fix'"

soak-engine:
	@mkdir -p $(BUILD)
	go test -timeout 90m -run TestGoPrograms $(ENGINE) -full -report $(abspath $(BUILD))/go-programs.md
	go test -timeout 90m -run TestGeneratedPrograms $(ENGINE) -generated 5000
	go test $(HARD) -timeout 30m -skip 'TestGoPrograms|TestGeneratedPrograms' $(ENGINE) $(RTYPE)
	@if command -v qemu-aarch64 >/dev/null; then \
		echo "rtype and machine code on arm64"; export GOARCH=arm64 CGO_ENABLED=0 PATH="$(abspath .ci/emulators):$$PATH"; \
		go test -timeout 30m $(RTYPE) $(ENGINE)/native/... && \
		go test -timeout 2h -run 'TestSuiteNative|TestNative' $(ENGINE) -random 100; \
	else \
		echo "rtype and machine code on arm64: left out, there is no qemu-aarch64"; \
	fi
	go test -timeout 30m -run '^$$' -bench LongSession -benchtime 1x ./interp

# The evidence for the JIT: run everything as shipped, forced, interpreted and compiled, and compare
# the results. It takes many hours on two cores; N=400 SEED=90001 runs a part of the generated
# programs.
.PHONY: jit-evidence
N ?= 15000
SEED ?= 1
INTERRUPTS ?= 1000
jit-evidence: $(PROGRAM)
	go build -o $(BUILD)/evidence ./bench/evidence
	$(BUILD)/evidence -interrupts $(INTERRUPTS)
	$(BUILD)/evidence -kinds shapes,progen -n $(N) -seed $(SEED) -keep $(abspath $(BUILD))/differing
	$(BUILD)/evidence -kinds loops,hot,orders -n $$(($(N) / 10)) -seed $(SEED) -keep $(abspath $(BUILD))/differing
	$(BUILD)/evidence -hostile -kinds shapes,progen -n $$(($(N) / 10)) -seed $(SEED)0000 -keep $(abspath $(BUILD))/differing
	$(BUILD)/evidence -kinds notebooks -program $(abspath $(PROGRAM))
	@for mode in off on force; do \
		echo "Go's own programs with GOKERNEL_JIT=$$mode"; \
		GOKERNEL_JIT=$$mode go test -timeout 0 -run 'TestGoPrograms$$' $(ENGINE) -full; \
	done
	GOKERNEL_JIT=force go test $(HARD) -timeout 30m -run 'TestSuite$$|TestNative' $(ENGINE)
	GOKERNEL_JIT=force $(MAKE) --no-print-directory packages

# Each hostile test of the JIT for HOSTILE, then its tests with other instructions of the processor
# (rtype.Check refuses a Go with GOEXPERIMENT).
.PHONY: jit-hostile
HOSTILE ?= 1h
jit-hostile:
	GODEBUG=clobberfree=1 go test -timeout 0 -run 'TestNativeOf20000|TestNativeWhile|TestNativeInAStorm|TestNativeTraced' $(ENGINE) -hostile $(HOSTILE)
	GOAMD64=v3 go test -timeout 30m -run 'TestNative' $(ENGINE) $(ENGINE)/native/...
	go run ./bench/evidence -hostile -kinds shapes,progen -n 400 -seed $(SEED)0000

TIMES ?= 100
FOR ?= 10m
soak: $(PROGRAM)
	go run ./bench/faults -program $(abspath $(PROGRAM)) -times $(TIMES) -for $(FOR) $(if $(RESUME),-resume '$(RESUME)') $(if $(ONLY),-only '$(ONLY)',-write docs/reports/reliability.md)
	$(if $(ONLY),,go run ./bench/escape -program $(abspath $(PROGRAM)) -write docs/reports/escape.md)

# Run ordinary cells in one session, and measure how much heap the evaluator keeps for each.
.PHONY: session
CELLS ?= 50000
session: $(PROGRAM)
	go run ./bench/faults -program $(abspath $(PROGRAM)) -cells $(CELLS) -write docs/reports/reliability.md

# Attempt to escape from the sandbox, for a minute or two. The soak test attempts it as every user,
# with and without namespaces, and writes a report.
.PHONY: escape
escape: $(PROGRAM)
	go run ./bench/escape -program $(abspath $(PROGRAM)) -short $(if $(ONLY),-only '$(ONLY)')

.PHONY: faults
faults: $(PROGRAM)
	go run ./bench/faults -program $(abspath $(PROGRAM)) -short -retry 2 -flaky $(BUILD)/flaky-faults
	@if [ -s $(BUILD)/flaky-faults ]; then .ci/flaky <$(BUILD)/flaky-faults; fi

bench: $(PROGRAM) venv
	@dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; \
	$(PROGRAM) install --prefix "$$dir" >/dev/null; \
	JUPYTER_PATH="$$dir/share/jupyter" XDG_DATA_HOME="$$dir" $(VENV)/bin/python bench/kernel/bench.py --write docs/reports/kernel-benchmarks.md 2>$(BUILD)/bench.log || { cat $(BUILD)/bench.log >&2; exit 1; }

bench-engine:
	@command -v $(PYTHON) >/dev/null || { echo "make: the comparison needs Python 3: install it, or name it with PYTHON=" >&2; exit 1; }
	go run ./bench/engine -python $(PYTHON) -write docs/reports/engine-benchmarks.md

ONLY ?=
bench-mlstd: venv
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r bench/mlstd/requirements.txt
	go run ./bench/mlstd -python $(VENV)/bin/python $(if $(ONLY),-only '$(ONLY)',-write docs/reports/library-benchmarks.md)

bench-frame: venv
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r bench/frame/requirements.txt
	go run ./bench/frame -python $(VENV)/bin/python $(if $(ROWS),-rows $(ROWS))

# The twins need other versions than the tests, so they have an environment of their own.
.PHONY: analyses
analyses: $(PROGRAM)
	@command -v npm >/dev/null || { echo "make: the data sets need npm: install it" >&2; exit 1; }
	@mkdir -p $(BUILD)/analyses
	npm install --silent --no-save --prefix $(BUILD)/analyses vega-datasets@3.2.1
	@[ -x $(BUILD)/analyses/venv/bin/python ] || $(PYTHON) -m venv $(BUILD)/analyses/venv
	$(BUILD)/analyses/venv/bin/python -m pip install --quiet --disable-pip-version-check -r bench/analyses/requirements.txt
	go run ./bench/analyses -program $(PROGRAM) -python $(BUILD)/analyses/venv/bin/python -vega $(BUILD)/analyses/node_modules/vega-datasets/data \
		$(if $(ONLY),-only '$(ONLY)',-write docs/reports/analyses.md)

.PHONY: bench-lsp
bench-lsp: $(PROGRAM)
	go run ./bench/lsp -program $(PROGRAM) -write docs/reports/language-server.md

fuzz:
	@grep -rln --include='*_test.go' '^func Fuzz' . | while read -r f; do \
		for target in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\).*/\1/p' "$$f"); do \
			echo "$$target in $$(dirname "$$f")"; \
			go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x "$$(dirname "$$f")"; \
		done; \
	done

clean:
	rm -rf $(BUILD) $(VENV)
