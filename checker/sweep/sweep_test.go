package sweep

import (
	"context"
	"testing"
	"time"

	"dlcheck/traces/script"
)

func axes(t *testing.T, texts ...string) (out []Axis) {
	t.Helper()
	for _, text := range texts {
		a, err := ParseAxis(text)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, a)
	}
	return out
}

func TestTry(t *testing.T) {
	for _, name := range []string{"dlock-unfenced", "dlock"} {
		s, _, err := script.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		g, err := Run(context.Background(), s, axes(t, "ttl=1..40", "pause=0..45"), []string{"stale-overwrite", "lost-update", "unlocked-write", "blocked", "final"}, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Log(name, g.Len(), time.Since(start))
		for _, m := range g.Metrics[:3] {
			f, err := g.FitProperty(m, "pause")
			t.Log(m, f, err)
		}
		start = time.Now()
		g, err = Run(context.Background(), s, axes(t, "ttl=1..10", "arrives=2..13", "gap=1..4", "read=1..4", "pause=0..59"), []string{"stale-overwrite", "lost-update"}, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Log(name, g.Len(), time.Since(start))
		for _, m := range g.Metrics {
			f, err := g.FitProperty(m, "pause")
			t.Log(m, f, err)
		}
	}
}
