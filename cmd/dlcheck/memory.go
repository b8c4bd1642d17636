package main

import (
	"math"
	"os"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// memoryBound is how many bytes the states of one store may take: what was
// asked for or, if nothing was, three quarters of what the machine or the
// container has, since running out of that is no answer. It is 0, no bound,
// where that cannot be learnt. The garbage collector is told of it too.
func memoryBound(asked int64) int64 {
	if os.Getenv("GOGC") == "" {
		// Nearly all memory is states, which have no pointers and stay: to
		// collect often costs little, and old tables do not lie about. With 25
		// the unreduced core (1,112,677 states) takes 50.8 MiB and 0.58 CPU
		// seconds, with 100 it took 53.2 MiB and 0.81, measured in one run.
		debug.SetGCPercent(100)
	}
	has := available()
	if asked == 0 {
		asked = has / 4 * 3
	}
	if asked > 0 {
		// With some room, since a collector that cannot get below its limit
		// does nothing else, but not more than there is.
		limit := asked + asked/2
		if has > 0 {
			limit = min(limit, max(asked, has/20*19))
		}
		debug.SetMemoryLimit(limit)
	}
	return asked
}

func available() int64 {
	least := uint64(math.MaxInt64)
	for _, from := range []func() (uint64, error){memlimit.FromCgroup, memlimit.FromSystem} {
		if n, err := from(); err == nil && n > 0 {
			least = min(least, n)
		}
	}
	if least == math.MaxInt64 {
		return 0
	}
	return int64(least)
}
