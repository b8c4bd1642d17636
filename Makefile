.DEFAULT_GOAL := help
.PHONY: help build test race lint fuzz foreign crosscheck bench bench-plots ci

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
FUZZTIME ?= 10s
# To make an input small that is only of interest takes all of the time, if it may.
FUZZ = -run '^$$' -fuzztime $(FUZZTIME) -fuzzminimizetime 10x -fuzz

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

build: ## build the command into build/dlcheck
	go build -o build/dlcheck ./cmd/dlcheck

test: ## run all tests
	go test -timeout 30m ./...

race: ## run all tests under the race detector
	go test -race -timeout 30m ./...

lint: ## gofmt, go vet, staticcheck
	@out=$$(gofmt -l .); test -z "$$out" || { echo "gofmt these files:"; echo "$$out"; exit 1; }
	go vet ./... && go vet -tags crosscheck ./...
	go run $(STATICCHECK) ./... && go run $(STATICCHECK) -tags crosscheck ./...

fuzz: ## fuzz each parser for FUZZTIME (10s)
	go test ./model $(FUZZ) '^FuzzParseProgram$$'
	go test ./model $(FUZZ) '^FuzzParseReductions$$'
	go test ./explore $(FUZZ) '^FuzzCheckpointData$$'
	go test ./explore $(FUZZ) '^FuzzCheckpointManifest$$'
	go test ./traces $(FUZZ) '^FuzzReadJSON$$'
	go test ./traces/script $(FUZZ) '^FuzzParse$$'
	go test ./checker/certificate $(FUZZ) '^FuzzRead$$'
	go test ./checker/certificate $(FUZZ) '^FuzzStates$$'
	go test ./checker/systems $(FUZZ) '^FuzzRead$$'
	go test ./explore/disk $(FUZZ) '^FuzzUnpack$$'

crosscheck: foreign ## compare with Spin and Rumur, which it installs on Debian if missing
	go test -tags crosscheck -count=1 -timeout 30m -v ./model/crosscheck

bench: foreign ## dlcheck beside Spin and Rumur, which it installs as crosscheck does, as one table
	go test -tags crosscheck -run '^$$' -bench Beside -benchtime 3x -timeout 40m ./model/crosscheck

bench-plots: ## draw how the cost of a search grows into docs/, with fitted laws
	go test -run '^$$' -bench Growth -benchtime 1x -timeout 30m ./cmd/dlcheck -args -plots ../../docs

foreign:
	@command -v spin >/dev/null && command -v rumur >/dev/null && command -v gcc >/dev/null || { \
		sudo=$$(test "$$(id -u)" = 0 || echo sudo); \
		$$sudo apt-get update && $$sudo apt-get install -y --no-install-recommends spin rumur gcc libc6-dev; }

ci: ## what continuous integration runs
	.ci/run
