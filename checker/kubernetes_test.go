package checker

import (
	"fmt"
	"testing"

	"dlcheck/model"
)

// TestLeaderElectionParameters finds what a leader's deadline has to satisfy when
// nobody stalls, its renewals may fail, and clocks may differ. In client-go
// (tools/leaderelection) a leader that renewed at t tries again from
// t + retryPeriod on, for renewDeadline, and then stops: its deadline is the sum
// of both. A contender takes over a leaseDuration, the ttl, after it saw the record
// change, by a clock that may gain so many ticks. The new leader reads one tick
// after it took over, and that is what the 1 is:
//
//	retryPeriod + renewDeadline + gain <= leaseDuration + 1
//
// A contender that has just looked takes over in the next tick at the earliest, so
// of a gain no more than leaseDuration - 1 counts.
func TestLeaderElectionParameters(t *testing.T) {
	both := map[bool]int{}
	for ttl := 2; ttl <= 5; ttl++ {
		for deadline := 1; deadline <= ttl+2; deadline++ {
			for gain := 0; gain <= 3; gain++ {
				cfg := model.DefaultConfig()
				cfg.Clients, cfg.TTL, cfg.Store, cfg.Pauses, cfg.Ticks = 2, ttl, "plain", 0, model.NoBound
				cfg.Program, _ = model.ParseProgram(fmt.Sprintf("acquire, read, work %d, write, release", ttl))
				for field, value := range map[string]string{
					"expiry": "observed", "renewal": "own", "token": "per-holder",
					"cut-offs": "1", "deadline": fmt.Sprint(deadline), "client-jumps": fmt.Sprint(gain),
				} {
					if err := cfg.Set(model.Setting{Field: field, Value: value}); err != nil {
						t.Fatal(err)
					}
				}
				safe := deadline+min(gain, ttl-1) <= ttl+1
				want := Violated
				if safe {
					want = Holds
				}
				both[safe]++
				if v := ask(t, cfg, model.AllReductions(), Steps, "lost-update").Verdicts[0]; v.Result != want {
					t.Errorf("leaseDuration %d, deadline %d, gain %d: %s, want %s", ttl, deadline, gain, v.Result, want)
				}
			}
		}
	}
	if both[true] == 0 || both[false] == 0 {
		t.Errorf("%d safe settings and %d unsafe ones", both[true], both[false])
	}
}
