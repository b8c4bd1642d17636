package sweep

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

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

func builtin(t testing.TB, name string) *script.Schedule {
	t.Helper()
	s, _, err := script.Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestParseAxis(t *testing.T) {
	for _, c := range []struct {
		text   string
		param  string
		values []int
		err    string
	}{
		{"ttl=1..4", "ttl", []int{1, 2, 3, 4}, ""},
		{"ttl=7", "ttl", []int{7}, ""},
		{"ttl=7..7", "ttl", []int{7}, ""},
		{"servers=1,3,51", "servers", []int{1, 3, 51}, ""},
		{"ttl=1..10:3", "ttl", []int{1, 4, 7, 10}, ""},
		{"ttl=1..9:3", "ttl", []int{1, 4, 7}, ""},
		{"ttl=1..3,10,20..30:5", "ttl", []int{1, 2, 3, 10, 20, 25, 30}, ""},
		{" A.pause = 1 , 2", "A.pause", []int{1, 2}, ""},
		{"x=-2..1", "x", []int{-2, -1, 0, 1}, ""},
		{"x=3,1,2", "x", []int{3, 1, 2}, ""},
		{"ttl", "", nil, "there is no ="},
		{"=1", "", nil, "there is no ="},
		{"ttl=", "", nil, `"" is no number`},
		{"ttl=1,,2", "", nil, `"" is no number`},
		{"ttl=a", "", nil, `"a" is no number`},
		{"ttl=1..b", "", nil, `"b" is no number`},
		{"ttl=1..", "", nil, `"" is no number`},
		{"ttl=..1", "", nil, `"" is no number`},
		{"ttl=5..4", "", nil, `"5..4" is empty or too long`},
		{"ttl=1..9:0", "", nil, `"1..9:0" is no range with a step of at least 1`},
		{"ttl=1..9:x", "", nil, `"1..9:x" is no range with a step of at least 1`},
		{"ttl=9:2", "", nil, `"9:2" is no range with a step of at least 1`},
		{"ttl=0..1000000000", "", nil, "empty or too long"},
		{"ttl=-9223372036854775808..9223372036854775807", "", nil, "-9223372036854775808 is too large"},
		{"ttl=9223372036854775800..9223372036854775807:5", "", nil, "9223372036854775800 is too large"},
		{"ttl=1..1000000000:999999999", "ttl", []int{1, 1_000_000_000}, ""},
		{"ttl=99999999999999999999", "", nil, "is no number"},
	} {
		a, err := ParseAxis(c.text)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) || !strings.HasPrefix(err.Error(), fmt.Sprintf("axis %q: ", c.text)) {
				t.Errorf("%s: %v, want %s", c.text, err, c.err)
			}
			continue
		}
		if err != nil || a.Param != c.param || !slices.Equal(a.Values, c.values) {
			t.Errorf("%s: %+v, %v", c.text, a, err)
		}
	}
}

// TestBoundaries: the conditions of the classic pair, found from the cells.
func TestBoundaries(t *testing.T) {
	for _, c := range []struct {
		schedule, store string
		over            []string
		want            []string // of stale-overwrite and lost-update
	}{
		{"dlock", "plain", []string{"ttl=1..40", "pause=0..45"}, []string{"pause > max(ttl, 12)", "pause >= max(ttl, 12)"}},
		{"dlock", "fenced", []string{"ttl=1..40", "pause=0..45"}, []string{"never", "pause = max(ttl, 12)"}},
		{"dlock", "claimed", []string{"ttl=1..40", "pause=0..45"}, []string{"never", "never"}},
		{"dlock", "plain", []string{"pause=0..45", "ttl=1..40"}, []string{"pause > max(ttl, 12)", "pause >= max(ttl, 12)"}},
		{"dlock", "plain", []string{"ttl=1000", "pause=0..45"}, []string{"never", "never"}},
		{"dlock", "plain", []string{"ttl=1,20,1000", "pause=0..45"}, []string{"pause > max(ttl, 12)", "pause >= max(ttl, 12)"}},
		{"dlock", "plain", []string{"pause=20..45"}, []string{"always", "always"}},
		{"dlock", "plain", []string{"pause=0..45"}, []string{"pause >= 13", "pause >= 12"}},
	} {
		s := builtin(t, c.schedule)
		s.Config.Store = c.store
		metrics := []string{"stale-overwrite", "lost-update"}
		g, err := Run(context.Background(), s, axes(t, c.over...), metrics, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		for k, m := range metrics {
			f, err := g.FitProperty(m, "pause")
			if err != nil || f.String() != c.want[k] || f.Cells != g.Len() {
				t.Errorf("%s, %s over %v: %s: %v, %v", c.schedule, c.store, c.over, m, f, err)
			}
		}
	}
}

// TestGeneralBoundary: over arrivals, gaps and reads too, 115,200 cells.
func TestGeneralBoundary(t *testing.T) {
	over := []string{"ttl=1..10", "arrives=2..13", "gap=1..4", "read=1..4", "pause=0..59"}
	if raced {
		over = []string{"ttl=1,3,10", "arrives=2,7,13", "gap=1..2", "read=1..2", "pause=0..20"}
	}
	for store, want := range map[string][]string{
		"plain":  {"pause > max(ttl, arrives) + gap - read", "pause > max(ttl, arrives) - read"},
		"fenced": {"never", "max(ttl, arrives) - read < pause <= max(ttl, arrives) + gap - read"},
	} {
		s := builtin(t, "dlock")
		s.Config.Store = store
		metrics := []string{"stale-overwrite", "lost-update"}
		g, err := Run(context.Background(), s, axes(t, over...), metrics, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		for k, m := range metrics {
			if f, err := g.FitProperty(m, "pause"); err != nil || f.String() != want[k] {
				t.Errorf("%s, %d cells: %s: %v, %v", store, g.Len(), m, f, err)
			}
		}
	}
}

// TestBeyond: where the grid stops before the condition does.
func TestBeyond(t *testing.T) {
	g, err := Run(context.Background(), builtin(t, "dlock-unfenced"), axes(t, "ttl=1,10,13,17,25,1000", "pause=0..20"), []string{"stale-overwrite"}, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := g.FitProperty("stale-overwrite", "pause")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := f.Beyond(g), []Beyond{{"ttl=25", 26}, {"ttl=1000", 1001}}; !slices.Equal(got, want) {
		t.Errorf("%s: %v, want %v", f, got, want)
	}
}

// TestSweepIsTheSame: no result depends on how many workers there are, or on
// the order of axes; each cell is its own run; and progress comes to the end.
func TestSweepIsTheSame(t *testing.T) {
	s := builtin(t, "dlock-recheck-5-unfenced")
	over := axes(t, "ttl=1..12", "pause=0..9", "arrives=3,8,12")
	var first *Grid
	for _, workers := range []int{1, 2, 7, 0} {
		most := 0
		seen := make(chan int, 10_000)
		g, err := Run(context.Background(), s, over, MetricNames(), workers, func(done, all int) { seen <- done })
		if err != nil {
			t.Fatal(err)
		}
		close(seen)
		for n := range seen {
			most = max(most, n)
		}
		if most != g.Len() || g.Len() != 360 {
			t.Errorf("%d workers: progress to %d of %d", workers, most, g.Len())
		}
		if first == nil {
			first = g
		}
		if !reflect.DeepEqual(g.Cells, first.Cells) {
			t.Errorf("%d workers find something else", workers)
		}
	}
	for i := 0; i < first.Len(); i += 7 {
		c, err := first.Schedule(i)
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.Run()
		if err != nil {
			t.Fatal(err)
		}
		if got := first.Cell(i)[len(first.Metrics)-1].Text; got != r.Content {
			t.Errorf("%s: left with %q, and its run with %q", first.Name(i), got, r.Content)
		}
	}
	if got := first.Name(first.Len() - 1); got != "ttl=12 pause=9 arrives=12" {
		t.Errorf("the last cell is %s", got)
	}
}

func TestRunRefuses(t *testing.T) {
	s := builtin(t, "dlock")
	cancelled, cancel := context.WithCancelCause(context.Background())
	gone := errors.New("gone")
	cancel(gone)
	for _, c := range []struct {
		ctx     context.Context
		over    string
		metrics []string
		want    string
	}{
		{context.Background(), "ttl=1..3", nil, "no metric is asked for"},
		{context.Background(), "ttl=1..3", []string{"progress"}, `there is no metric "progress"`},
		{context.Background(), "tll=1..3", []string{"final"}, `there is no parameter "tll"`},
		{context.Background(), "ttl=0..3", []string{"final"}, "ttl 0 is not within"},
		{cancelled, "ttl=1..3", []string{"final"}, "gone"},
	} {
		if _, err := Run(c.ctx, s, axes(t, c.over), c.metrics, 0, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v: %v, want %s", c.over, c.metrics, err, c.want)
		}
	}
	big := axes(t, "ttl=1..100000", "pause=1..100000")
	if _, err := Run(context.Background(), s, big, []string{"final"}, 0, nil); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Error(err)
	}
}

// BenchmarkSweep is a sweep of 10,000 cells with the five metrics of the
// command.
func BenchmarkSweep(b *testing.B) {
	s := builtin(b, "dlock-unfenced")
	ttl, _ := ParseAxis("ttl=1..100")
	pause, _ := ParseAxis("pause=0..99")
	for b.Loop() {
		if _, err := Run(context.Background(), s, []Axis{ttl, pause}, []string{"stale-overwrite", "lost-update", "unlocked-write", Blocked, Final}, 0, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// TestRefusals: questions that have no answer say so.
func TestRefusals(t *testing.T) {
	s, _, err := script.Builtin("dlock")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), s, axes(t, "ttl=1..3", "ttl=7..8"), []string{"lost-update"}, 0, nil); err == nil || !strings.Contains(err.Error(), "there are two axes ttl") {
		t.Error(err)
	}
	g, err := Run(context.Background(), s, axes(t, "ttl=1..3", "pause=0..20:5"), []string{"lost-update", "blocked"}, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	for property, want := range map[string]string{"blocked": "blocked is no property", "final": "the grid has no metric"} {
		if _, err := g.FitProperty(property, "pause"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", property, err, want)
		}
	}
}
