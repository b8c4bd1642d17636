package main

import (
	"context"
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"dlcheck/checker"
)

// aMinimum is a world with a front of two points and stories of several schedules.
var aMinimum = []string{"--store", "plain", "--clients", "2", "--ttl", "4", "--ticks", "14", "--clock-jumps", "1", "--property", "stale-overwrite,lost-update,mutual-exclusion"}

func TestMinimalIsTold(t *testing.T) {
	for file, args := range map[string][]string{
		"minimal.txt":        {"--front", "--all-minimal", "--list", "3"},
		"minimal-faults.txt": {"--minimize", "faults"},
		"minimal-quiet.txt":  {"--front", "--all-minimal", "--quiet"},
	} {
		got := dlcheckWith(untimed, "", append(args, aMinimum...)...)
		if got.status != exitViolated || got.errOut != "" {
			t.Errorf("%s: status %d, stderr %q", file, got.status, got.errOut)
		}
		golden(t, file, got.out)
	}
}

// TestMinimalInJSON: counts are strings, every trace is there, and what was not
// asked for is not.
func TestMinimalInJSON(t *testing.T) {
	var report struct {
		Runs []struct {
			Verdicts []struct {
				Front *struct {
					Points []struct {
						Ticks, Events, Steps int
						Trace                struct{ Actions []any }
					}
				}
				All *struct {
					Schedules, Stories string
					Told               []struct{ Schedules string }
				} `json:"all_minimal"`
			}
		}
	}
	for _, asked := range []bool{true, false} {
		args := append([]string{"--json"}, aMinimum...)
		if asked {
			args = append(args, "--front", "--all-minimal", "--list", "1000000")
		}
		if err := json.Unmarshal([]byte(dlcheck(args...).out), &report); err != nil {
			t.Fatal(err)
		}
		for _, v := range report.Runs[0].Verdicts {
			if (v.Front != nil) != asked || (v.All != nil) != asked {
				t.Fatalf("asked %v: front %v, all %v", asked, v.Front, v.All)
			}
			if !asked {
				continue
			}
			for _, p := range v.Front.Points {
				if p.Steps != len(p.Trace.Actions) || p.Steps != p.Ticks+p.Events {
					t.Errorf("%+v has %d actions", p, len(p.Trace.Actions))
				}
			}
			sum, want := new(big.Int), new(big.Int)
			for _, s := range v.All.Told {
				n, _ := new(big.Int).SetString(s.Schedules, 10)
				sum.Add(sum, n)
			}
			if want.SetString(v.All.Schedules, 10); sum.Cmp(want) != 0 {
				t.Errorf("%s schedules, and the stories have %s", v.All.Schedules, sum)
			}
		}
		report.Runs = nil
	}
}

// TestMinimalCutShort: what is not known is said to be not known.
func TestMinimalCutShort(t *testing.T) {
	cut := func(ctx context.Context, q checker.Question) (*checker.Run, error) {
		r, err := untimed(ctx, q)
		for i := range r.Verdicts {
			if v := &r.Verdicts[i]; v.Trace != nil {
				v.Front.Points, v.Front.Incomplete = v.Front.Points[:1], "out of time"
				v.All = &checker.All{Incomplete: "out of memory"}
			}
		}
		return r, err
	}
	args := append([]string{"--front", "--all-minimal"}, aMinimum...)
	text := strings.Join(strings.Fields(dlcheckWith(cut, "", args...).out), " ")
	for _, want := range []string{
		"plain: lost-update: there may be more on the front than is told: out of time.",
		"plain: lost-update: the shortest counterexamples are not counted: out of memory.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
	quiet := dlcheckWith(cut, "", append(args, "--quiet")...).out
	if !strings.Contains(quiet, "incomplete, shortest not counted") {
		t.Errorf("--quiet does not say it:\n%s", quiet)
	}
}
