// Package crosscheck asks two foreign model checkers, Spin and Rumur, the
// questions that dlcheck answers, and fails when the three do not agree.
//
// A model checker that misreads its own rules is consistent and wrong, and no
// test of its own sees it. Here the core transition system stands written twice
// more, from its description and in other people's languages: core.pml in
// Promela, for Spin, and core.murphi in Murphi, for Rumur. (Murphi's files
// usually end in .m, but next to Go files the go command takes that for
// Objective-C and refuses the package.) Three engines that share no line of code
// must count the same states and the same transitions, and must find
// counterexamples of the same length, in every world of counts.txt.
//
// Spin, Rumur and a C compiler must be installed; `make crosscheck` sees to that
// and runs
//
//	go test -tags crosscheck -count=1 ./model/crosscheck
//
// (-count=1, because go test would not notice that a model or dlcheck has
// changed, which are not what it runs but what that runs.)
//
// Without the tag there is nothing here to run. With it, a missing checker is a
// failure and not a skipped test: a comparison that did not take place must not
// look like one that succeeded. A failure prints the world, and for each of the
// three the shell command that asks it again.
//
// Parts of it:
//
//	go test -tags crosscheck ./model/crosscheck -run '/claimed-3-1-30-10-1-1$'  # one world
//	go test -tags crosscheck ./model/crosscheck -run '//(spin|rumur|orbits)$'   # without dlcheck
//	go test -tags crosscheck ./model/crosscheck -run '//(spin|rumur|orbits)$' -update
//	go test -tags crosscheck ./model/crosscheck -run TwoPhase
//	go test -tags crosscheck ./model/crosscheck -run '^$' -bench Beside -benchtime 3x -timeout 40m
//
// -update writes counts.txt anew, from Spin and Rumur where these agree, and
// never from dlcheck. The benchmark, `make bench`, lets dlcheck, Spin and Rumur do
// the same work in turns and prints what it cost each, as docs/performance.md has
// it. Beside the core there is two-phase commit, twophase.pml, which the explorer
// is measured on; TestTwoPhase holds it to the same counts.
//
// What it cannot do. The foreign models know the core alone: one program
// (acquire, read, write, release), servers in step, no faults but the pause; at
// most 4 clients and 254 ticks. And they are compared by their numbers: two
// systems with equal counts and equally long counterexamples in some thirty
// worlds are very likely one system, but that is not a proof.
package crosscheck
