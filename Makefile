# A newcomer needs `make demo` and `make test`; `make help` lists the rest.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules
.NOTPARALLEL:

BUILD_PACKAGES := openssl ca-certificates pkg-config \
    libssl-dev libcurl4-openssl-dev libyaml-dev \
    libhiredis-dev libsqlite3-dev libsystemd-dev
PYTHON_PACKAGES := python3 python3-venv
TEST_PACKAGES := $(PYTHON_PACKAGES) chromium chromium-driver nginx-light nodejs redis-server \
    dbus-daemon python3-gi gnome-keyring libsecret-1-0 libglib2.0-bin systemd faketime haproxy caddy prometheus gcc libc6-dev \
    man-db zsh fish openssh-server openssh-client iproute2 tmux curl busybox dash mksh ksh93u+m yash posh sudo \
    xdg-utils desktop-file-utils xvfb skopeo squid-openssl zbar-tools
# For making and trying the Debian package; `make test` needs none of them.
DEB_PACKAGES := debhelper dpkg-dev git
# For the other packages: Debian's rpm, and fakeroot, which gives files to other users without root.
DIST_PACKAGES := $(DEB_PACKAGES) rpm fakeroot gpg python3 libhiredis-dev
PACKAGE_TEST_PACKAGES := $(DIST_PACKAGES) lintian mmdebstrap skopeo cpio

FUZZ_SECONDS ?= 60

# The options of `make chaos`, and of the short chaos run in `make test`.
CHAOS ?= --store sqlite --sign-ins 1000 --kills 20
CHAOS_SHORT := --store sqlite --store redis --together --sign-ins 200 --kills 8 --at-once 60 --leisure 0.2

# Swift's library is linked in, so that the program runs without Swift. Paths of this machine are mapped away, so that
# the same commit makes the same bytes anywhere.
RELEASE_OPTIONS := --static-swift-stdlib -debug-info-format none \
    -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=. \
    -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now -Xlinker -L$(CURDIR)/.build/link

# The cheapest build, for what runs once: whole modules, not optimized, without debug information, each read by one process
# of the compiler instead of two.
WHOLE_MODULES := -debug-info-format none -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 2 -Xswiftc -no-emit-module-separately-wmo
QUICK := .build/quick
QUICK_BUILD := --scratch-path $(QUICK) --disable-index-store $(WHOLE_MODULES)

# `make test BUILD=once` builds the tests in this way, for a machine that keeps no build. After a change it is the slower way.
BUILD_OPTIONS := $(if $(filter once,$(BUILD)),$(WHOLE_MODULES))

REQUIREMENTS := Tests/External/requirements.txt

# The number of files of outside tests that run at once. Most tests wait, so it is above the number of cores.
TEST_WORKERS ?= $(shell echo $$(( $$(nproc) * 4 )))
# The number of Swift tests that run at once. With all at once, each would wait for the others until its own deadlines
# pass.
TEST_WIDTH ?= $(shell echo $$(( $$(nproc) * 4 )))

# $(call install,PACKAGES): installs those Debian packages that are missing, as root or through sudo.
define install
	@missing=""; \
	for package in $(1); do \
	    status="$$(dpkg-query -W -f='$${db:Status-Status}' "$$package" 2>/dev/null || true)"; \
	    [ "$$status" = installed ] || missing="$$missing $$package"; \
	done; \
	if [ -n "$$missing" ]; then \
	    command -v apt-get >/dev/null || \
	        { echo "please install what matches these Debian packages:$$missing" >&2; exit 1; }; \
	    if [ "$$(id -u)" = 0 ]; then root="env"; else root="sudo env"; fi; \
	    echo "installing$$missing"; \
	    $$root DEBIAN_FRONTEND=noninteractive apt-get update -q; \
	    $$root DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $$missing; \
	fi
endef

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: packages toolchain certificates ## One whole sign-in over TLS, every step shown
	swift build $(QUICK_BUILD) --product demo
	$(QUICK)/debug/demo

.PHONY: run
run: release certificates ## Keep the gateway and the demo issuer running, for a browser
	.build/release/switchyard demo --keep-running

# Fetches what the tests need while the compiler works: the one waits for the network, the other for the cores.
.PHONY: test
test: packages toolchain certificates ## Run all tests
	make --no-print-directory test-packages .venv/axe-core & fetching=$$!; swift build --build-tests $(BUILD_OPTIONS) && wait $$fetching
	BUILD_OPTIONS="$(BUILD_OPTIONS)" TEST_WIDTH=$(TEST_WIDTH) TEST_WORKERS=$(TEST_WORKERS) CHAOS_SHORT="$(CHAOS_SHORT)" Tests/run

.PHONY: chaos
chaos: release certificates .venv/installed ## Account for sign-ins while gateways and stores die (CHAOS="--help")
	swift build --product test-issuer
	SWITCHYARD_BIN=.build/release/switchyard Tests/Chaos/run $(CHAOS)

.PHONY: bench
bench: release certificates ## Measure beside nginx and Apache, and write docs/benchmarks.md
	Tests/Benchmarks/run

.PHONY: fuzz
fuzz: packages toolchain ## Fuzz every parser, FUZZ_SECONDS (60) each
	FUZZ_SECONDS=$(FUZZ_SECONDS) Tests/Fuzzing/run

.PHONY: docs
docs: packages toolchain .venv/installed ## Write the book and the documentation of SwitchyardClient, into .build/docs
	docs/generate

.PHONY: deb
deb: release deb-packages ## Make the Debian package, in .build/deb
	deploy/make-deb

.PHONY: dist
dist: release ## Make all packages, image, SBOM and sums, in .build/dist (SIGNING_KEY=FILE signs)
	$(call install,$(DIST_PACKAGES))
	deploy/make-dist $(SIGNING_KEY)

.PHONY: package-test
package-test: release .venv/installed ## Install and use each package in clean trees of Debian 12 and 13 (as root)
	$(call install,$(PACKAGE_TEST_PACKAGES))
	deploy/make-dist $(SIGNING_KEY)
	PYTHONDONTWRITEBYTECODE=1 .venv/bin/python -m pytest Tests/Package

.PHONY: test-trixie
test-trixie: debug certificates .venv/installed ## Run store suite and outside tests in a Debian 13 with Valkey (TESTS="FILES"; as root)
	$(call install,mmdebstrap)
	TEST_WORKERS=$(TEST_WORKERS) Tests/Trixie/run "$(TEST_PACKAGES)" $(TESTS)

# Takes the first engine that works. podman and buildah need no daemon; docker's command needs its own.
.PHONY: image
image: ## Build the image of the gateway, with docker, podman or buildah
	@for engine in docker podman buildah; do \
	    if $$engine info >/dev/null 2>&1; then \
	        $$engine build --file deploy/Dockerfile --tag switchyard .; \
	        exit; \
	    fi; \
	done; \
	echo "please install podman or buildah, or docker with its daemon" >&2; \
	exit 1

.PHONY: reproduce
reproduce: packages deb-packages toolchain ## Build the package of HEAD twice, elsewhere, and compare the bytes
	deploy/reproduce-deb

.PHONY: format
format: toolchain ## Format the Swift sources
	swift format --in-place --recursive Sources Snippets Tests Package.swift

# The checks of the repository that read only its files. Those that ask the built program are in Tests/Repository/Built.
.PHONY: lint
lint: toolchain .venv/installed ## Check the format of the sources, the words of comments and pages, and the book
	swift format lint --strict --recursive Sources Snippets Tests Package.swift
	Tests/Repository/plain-english
	PYTHONDONTWRITEBYTECODE=1 .venv/bin/python -m pytest Tests/Repository/test_*.py

.PHONY: certificates
certificates: packages
	@certs/generate

.PHONY: release
release: packages toolchain
	deploy/unversioned-libcurl .build/link
	swift build -c release --product switchyard $(RELEASE_OPTIONS)
	deploy/strip-program .build/release/switchyard

.PHONY: debug
debug: packages test-packages toolchain
	swift build --build-tests

.PHONY: packages
packages:
	$(call install,$(BUILD_PACKAGES))

.PHONY: deb-packages
deb-packages:
	$(call install,$(DEB_PACKAGES))

.PHONY: python-packages
python-packages:
	$(call install,$(PYTHON_PACKAGES))

.PHONY: test-packages
test-packages:
	$(call install,$(TEST_PACKAGES))

.PHONY: toolchain
toolchain:
	@command -v swift >/dev/null || { \
	    echo "swift is not on the PATH: Switchyard needs Swift 6.2 or later, see https://www.swift.org/install/linux/" >&2; \
	    exit 1; }

# Stamped last, so that an interrupted installation is made anew.
.venv/installed: $(REQUIREMENTS) | python-packages
	rm -rf .venv
	python3 -m venv .venv
	.venv/bin/pip install --quiet --disable-pip-version-check --requirement $(REQUIREMENTS)
	touch $@

# The script that checks the accessibility of pages. Its package would bring a second browser driver.
.venv/axe-core: | .venv/installed
	.venv/bin/pip download --quiet --no-deps --dest $@ axe-playwright-python==0.1.8
	.venv/bin/python -m zipfile -e $@/*.whl $@
	cp $@/axe_playwright_python/axe.min.js $@/
