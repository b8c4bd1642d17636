package main

import (
	"errors"
	"syscall"
)

// spoken is about how much address space a Go program of this kind takes before it has
// any states: most of it for tables of the heap, in which nothing is, and stacks of
// threads. It was 1.7 GiB where it was measured.
const spoken = 1900 << 20

// leastAddresses is what is said to be left where hardly anything is.
const leastAddresses = 64 << 20

// fromLimit is what a limit of the address space leaves for states. Batch systems and
// ulimit -v set one, and who runs into it is ended by the runtime, without an answer.
func fromLimit() (uint64, error) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &limit); err != nil {
		return 0, err
	}
	if limit.Cur > 1<<62 {
		return 0, errors.New("there is no limit")
	}
	return max(limit.Cur, spoken+leastAddresses) - spoken, nil
}
