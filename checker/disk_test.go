package checker

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dlcheck/model"
)

// TestDiskCutShort stops searches on disk wherever the given states are used up,
// or an interrupt comes: verdicts are those of a search in memory, each violated
// one with a counterexample, which was looked for when it was too late for a
// shorter one.
func TestDiskCutShort(t *testing.T) {
	cfg := configOf(t, "store plain clients 2 ttl 4 ticks 10 clock-jumps 1")
	base := Question{Config: cfg, Properties: []string{"seed", "mutual-exclusion"}, Minimize: Steps, Reduce: model.AllReductions()}
	short, whole := 0, 0
	check := func(ctx context.Context, q Question, n int) {
		t.Helper()
		r, err := Check(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.Verdicts {
			v := &r.Verdicts[i]
			if v.Result != Violated {
				continue
			}
			if v.Trace == nil || v.Trace.Remark == nil {
				t.Fatalf("%d: %s is violated without a counterexample", n, v.Property)
			}
			if v.Trace.Remark.Minimal {
				whole++
			} else {
				short++
			}
		}
		if q.MaxStates == 0 {
			return
		}
		q.Disk = ""
		memory, err := Check(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		if r.States != memory.States || r.Transitions != memory.Transitions || r.Stopped != memory.Stopped {
			t.Errorf("%d: %d states (%s), in memory %d (%s)", n, r.States, r.Stopped, memory.States, memory.Stopped)
		}
		for i, v := range r.Verdicts {
			if w := memory.Verdicts[i]; v.Result != w.Result || v.Bound != w.Bound {
				t.Errorf("%d: %s: %s to %d, in memory %s to %d", n, v.Property, v.Result, v.Bound, w.Result, w.Bound)
			}
		}
	}
	for n := uint64(1); n < 3000; n += n/6 + 1 {
		q := base
		q.Disk, q.MaxStates = t.TempDir(), n
		check(t.Context(), q, int(n))
	}
	for n := 0; n < 400; n += 8 {
		ctx, cancel := context.WithCancel(t.Context())
		q := base
		left := n
		q.Disk, q.MaxBytes, q.Workers = t.TempDir(), 1<<20, 2
		q.Progress = func(Progress) {
			if left--; left < 0 {
				cancel()
			}
		}
		check(ctx, q, n)
		cancel()
	}
	if short == 0 || whole == 0 {
		t.Errorf("%d counterexamples that need not be minimal and %d that are: nothing was tried", short, whole)
	}
}

// TestDiskErrors: a folder that cannot be used, a certificate, and a checkpoint.
func TestDiskErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	q := Question{Config: model.DefaultConfig(), Properties: []string{"seed"}, Reduce: model.AllReductions(), Disk: file}
	q.Config.Store = "plain"
	if _, err := Check(t.Context(), q); err == nil || !strings.Contains(err.Error(), "no file can be made in "+file) {
		t.Errorf("%v", err)
	}
	q.Disk, q.Certificate = t.TempDir(), &strings.Builder{}
	if _, err := Check(t.Context(), q); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("%v", err)
	}
	q.Certificate = nil
	k, err := OpenCheckpoint(Keeping{Dir: t.TempDir()}, []Question{q})
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	q.Checkpoint = k
	if _, err := Check(t.Context(), q); err == nil || !strings.Contains(err.Error(), "checkpoint") {
		t.Errorf("%v", err)
	}
}
