# The front door. Every target installs what it needs (Debian packages, only those missing), configures and builds by itself.
PREFIX ?= /usr/local
WERROR ?= OFF
JOBS   ?= $(shell nproc)
RUNS   ?= 1000
SECONDS ?= 20
SEED    ?= 0
LEVEL   ?= -O1
COUNT   ?= 300
RATE    ?= 10000
CALLS   ?= 100000
step   := @scripts/step
denoc  := build/release/denoc

MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.PHONY: help run build test python laws fuzz mutate sanitize determinism compilers check tidy bench bench-build latency compile-time peers gallery install deb format clean

help: ## this list
	@echo "denoc: dynamics of robots. make TARGET, with TARGET one of"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 16

run: build ## build, then simulate a PUMA under computed torque: build/demo/report.html shows it moving
	@rm -rf build/demo
	@$(denoc) simulate examples/scenarios/puma_computed_torque.yaml --out build/demo --animate
	@echo
	@echo "Open build/demo/report.html in a browser: the run as a page, with the robot moving. More runs: examples/scenarios."

build: ## the command line, build/release/denoc
	@scripts/packages run
	$(step) configure "Configuring" cmake --preset release -DCMAKE_INSTALL_PREFIX=$(PREFIX) -DDENOC_WERROR=$(WERROR)
	$(step) build "Building the command line" cmake --build build/release --target denoc_cli -j $(JOBS)

test: ## build and run every test
	@scripts/packages run test python
	@scripts/python_venv || true
	$(step) configure "Configuring with tests" cmake --preset release -DDENOC_BUILD_TESTS=ON $$(scripts/python_venv --options) -DCMAKE_INSTALL_PREFIX=$(PREFIX) -DDENOC_WERROR=$(WERROR)
	$(step) build "Building library, command line, tests and examples" cmake --build build/release -j $(JOBS)
	@echo "Running the tests (log: build/logs/test.log)"
	@ctest --test-dir build/release --output-on-failure --no-tests=error --progress -j $(JOBS) --output-log build/logs/test.log

python: ## the Python package: build/wheel/denoc-*.whl, tested in environments of their own, for PYTHONS="python3.11 python3.12" (pip install . works, too)
	@scripts/packages run python
	@scripts/python_venv
	$(step) configure "Configuring" cmake --preset release -DCMAKE_INSTALL_PREFIX=$(PREFIX) -DDENOC_WERROR=$(WERROR)
	$(step) build "Building the library" cmake --build build/release --target libdenoc.a libdenoc_figures.a -j $(JOBS)
	$(step) wheel "Building and testing the wheel" scripts/wheel $(PYTHONS)
	@ls -l build/wheel/*.whl

laws: ## the laws of mechanics on random robots, with RUNS=1000 new seeds (an hour)
	@scripts/packages run test
	$(step) configure "Configuring with tests" cmake --preset release -DDENOC_BUILD_TESTS=ON -DCMAKE_INSTALL_PREFIX=$(PREFIX) -DDENOC_WERROR=$(WERROR)
	$(step) build "Building the laws" cmake --build build/release --target laws_test -j $(JOBS)
	@scripts/laws $(RUNS) $(JOBS)

fuzz: build ## the readers under libFuzzer and sanitizers, SECONDS=20 each; what breaks something is kept in build/fuzz/findings
	@scripts/packages check fuzz
	@JOBS=$(JOBS) LEVEL=$(LEVEL) SEED=$(SEED) scripts/fuzz $(SECONDS)

mutate: ## COUNT=300 small wrong changes to the source, which the tests should notice (hours; a run that was stopped goes on)
	@scripts/packages run test
	@scripts/mutate $(COUNT) --jobs $(JOBS)

sanitize: ## the tests under the sanitizers: addresses and undefined behaviour, then threads (an hour or two)
	@scripts/packages run test check fuzz
	$(step) configure "Configuring" cmake --preset release -DCMAKE_INSTALL_PREFIX=$(PREFIX) -DDENOC_WERROR=$(WERROR)
	$(step) build "Building the recursions" cmake --build build/release --target denoc -j $(JOBS)
	@scripts/sanitize $(JOBS)

determinism: build ## the same bytes twice, from another folder and locale, for 1 to 64 threads; between instruction sets how far apart
	@scripts/determinism $(denoc)

compilers: build ## the same bytes by clang at -O3 as by g++ at -O2, besides what `determinism` compares (half an hour)
	@scripts/packages run test check
	$(step) compilers-configure "Configuring for clang 14 at -O3" cmake --preset clang-O3
	$(step) compilers-build "Building the command line" cmake --build build/clang-O3 --target denoc_cli -j $(JOBS)
	@scripts/determinism $(denoc) build/clang-O3/denoc

check: ## formatting, clang-tidy with clang's own warnings on the library
	@scripts/packages run check
	$(step) format "Checking the formatting" scripts/format --check
	$(step) mutants "Checking that the mutants once missed still stand somewhere" scripts/mutate --list
	$(step) clang-configure "Configuring for clang 14" cmake --preset clang
	$(step) tidy "Running clang-tidy, which says what clang warns of" scripts/tidy library

tidy: ## clang-tidy on everything, the command line included (minutes)
	@scripts/packages run check
	$(step) clang-configure "Configuring for clang 14" cmake --preset clang
	$(step) tidy "Running clang-tidy" scripts/tidy

bench: ## build and run the benchmarks, against the libraries found here
	@scripts/packages run
	@scripts/packages bench || echo "Going on with the libraries that are here"
	@scripts/pinocchio
	$(step) bench-configure "Configuring the benchmarks" cmake --preset bench
	@sed -n 's/^-- \(Peer.*\)/\1/p' build/logs/bench-configure.log
	$(step) bench-build "Building the benchmarks" cmake --build build/bench --target benchmarks -j $(JOBS)
	@build/bench/benchmarks/denoc_bench
	@build/bench/benchmarks/denoc_bench_simulation
	@build/bench/benchmarks/denoc_bench_loops
	@build/bench/benchmarks/denoc_bench_derivatives
	@scripts/bench_python
	@scripts/compile_time

bench-build: ## compile the benchmarks for any processor, against the libraries found here but Pinocchio, which takes minutes
	@scripts/packages run
	$(step) bench-configure "Configuring with the benchmarks" cmake --preset release -DDENOC_BUILD_BENCHMARKS=ON -DDENOC_PINOCCHIO=OFF -DDENOC_WERROR=$(WERROR)
	$(step) bench-build "Building the benchmarks" cmake --build build/release --target benchmarks -j $(JOBS)

latency: ## how long single calls take at worst, CALLS=100000 of them at RATE=10000 Hz for each robot
	@scripts/packages run
	$(step) bench-configure "Configuring with the benchmarks" cmake --preset release -DDENOC_BUILD_BENCHMARKS=ON -DDENOC_PINOCCHIO=OFF -DDENOC_WERROR=$(WERROR)
	$(step) bench-build "Building the benchmark" cmake --build build/release --target denoc_bench_latency -j $(JOBS)
	@build/release/benchmarks/denoc_bench_latency $(RATE) $(CALLS)

compile-time: ## seconds to compile a minimal program
	@scripts/packages run
	@scripts/compile_time

peers: build ## every URDF in the folders URDFS="..." against Pinocchio (needs Python with numpy and pin)
	@python3 tests/peers/pinocchio_urdf.py $(denoc) $(URDFS)

gallery: build ## run the gallery, and draw the pictures of docs/gallery.md anew
	@scripts/gallery

install: build ## into PREFIX (default /usr/local)
	$(step) build "Building the library" cmake --build build/release --target denoc denoc_cli -j $(JOBS)
	$(step) install "Installing into $(PREFIX)" cmake --install build/release

deb: ## a Debian package, build/deb/denoc_*.deb
	@scripts/packages run deb
	$(step) deb-configure "Configuring the package" cmake --preset deb
	$(step) deb-build "Building the package's content" cmake --build build/deb -j $(JOBS)
	$(step) deb "Packing" cmake --build build/deb --target package
	@ls build/deb/*.deb

format: ## bring every C++ file into the house style
	@scripts/packages check
	$(step) format "Formatting" scripts/format

clean: ## remove build/
	rm -rf build
