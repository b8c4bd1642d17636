package matrix

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"dlcheck/checker"
	"dlcheck/checker/systems"
	"dlcheck/model"
)

func settings(text string) (all []model.Setting) {
	for _, s := range strings.Fields(text) {
		field, v, _ := strings.Cut(s, "=")
		all = append(all, model.Setting{Field: field, Value: v})
	}
	return all
}

// system makes one out of settings; faults are their own names, and variants
// those that set a store.
func system(name, config string, faults ...string) *systems.System {
	s := &systems.System{Name: name, Config: model.DefaultConfig()}
	for _, set := range settings(config) {
		if err := s.Config.Set(set); err != nil {
			panic(err)
		}
	}
	for _, f := range faults {
		c := systems.Change{Name: f, Settings: settings(f)}
		if strings.Contains(f, "store=") {
			s.Variants = append(s.Variants, c)
		} else {
			s.Faults = append(s.Faults, c)
		}
	}
	return s
}

// some are systems of which one is cured by a store, one by nothing single, one
// by the service, one needs no cure, and one cannot have every cure.
func some() []*systems.System {
	limited := system("limited", "store=plain max-pause=20", "lost-replies=1", "store=fenced", "store=strict")
	limited.Cannot = []systems.Limit{{Setting: model.Setting{Field: "store", Value: "guarded"}}, {Setting: model.Setting{Field: "lock-delay"}}}
	return []*systems.System{
		limited,
		system("cache", "store=plain", "restarts=1", "restarts=1 restart-forgets=counter", "clock-jumps=5", "release=blind"),
		system("file", "expiry=never store=plain", "crashes=1"),
		system("row", "store=guarded", "lost-replies=1"),
		// In the scope of the tests a lease is over before the write, and a store
		// that asks who holds the lock would take none.
		system("journal", "store=claimed program=acquire,claim,read,write,release", "fence-restarts=1"),
	}
}

var small = settings("clients=2 ttl=3 ticks=12")

func question() Question {
	return Question{Systems: some(), Properties: []string{"all"}, Faults: []string{None, Each, Variants, All}, Scope: small}
}

func fill(t *testing.T, q Question) *Matrix {
	t.Helper()
	m, err := Run(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// plainly asks one world, as dlcheck does.
func plainly(t *testing.T, cfg model.Config) *checker.Run {
	t.Helper()
	run, err := checker.Check(context.Background(), checker.Question{Config: cfg, Properties: []string{"all"}, Reduce: model.AllReductions()})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func TestCellsAreWhatCheckSays(t *testing.T) {
	m := fill(t, question())
	if len(m.Rows) != 4+6+2+2+2 {
		t.Errorf("%d rows", len(m.Rows))
	}
	for i := range m.Rows {
		r := &m.Rows[i]
		run := plainly(t, r.Config)
		for k := range run.Verdicts {
			want := cellOf(&run.Verdicts[k])
			want.Cure = r.Cells[k].Cure
			if !reflect.DeepEqual(r.Cells[k], want) {
				t.Errorf("%s: %+v, want %+v", r.Name(), r.Cells[k], want)
			}
		}
	}
}

// slowly is the remedy of a row by its definition: single changes with fewer
// settings first, then pairs. of is a property, or "" for all.
func slowly(t *testing.T, r *Row, of string, most int) Remedy {
	base := plainly(t, r.Config)
	heals := func(cfg model.Config) bool {
		run := plainly(t, cfg)
		for k := range base.Verdicts {
			was, is := &base.Verdicts[k], &run.Verdicts[k]
			broken := was.Failed()
			held := !broken && was.Result != checker.Incomplete && !was.ReportOnly
			holds := !is.Failed() && is.Result != checker.Incomplete
			if (held || broken && (of == "" || of == was.Property)) && !holds {
				return false
			}
		}
		return base.NoWrite || !run.NoWrite
	}
	var cures []checker.Cure
	for _, c := range checker.Cures(&r.Config) {
		if r.System.Can(c.Settings) {
			cures = append(cures, c)
		}
	}
	var best Remedy
	size := 0
	try := func(cures ...checker.Cure) {
		cfg, n := r.Config, 0
		seen := map[string]bool{}
		for _, c := range cures {
			for _, s := range c.Settings {
				if seen[s.Field] {
					return
				}
				seen[s.Field] = true
				n++
				if err := cfg.Set(s); err != nil {
					t.Fatal(err)
				}
			}
		}
		if (best.Cures == nil || n < size) && cfg.Validate() == nil && heals(cfg) {
			best, size = Remedy{Found, cures}, n
		}
	}
	for _, c := range cures {
		try(c)
	}
	if best.Cures == nil && most > 1 {
		for i := range cures {
			for _, second := range cures[i+1:] {
				try(cures[i], second)
			}
		}
	}
	if best.Cures == nil {
		best.State = NoneFound
	}
	return best
}

func TestCuresAreTheSmallest(t *testing.T) {
	m := fill(t, question())
	found := map[int]int{} // remedies by how many cures they have
	for i := range m.Rows {
		r := &m.Rows[i]
		if !r.Failed() {
			if r.Cure.State != NotNeeded {
				t.Errorf("%s: a cure of nothing: %+v", r.Name(), r.Cure)
			}
			continue
		}
		found[len(r.Cure.Cures)]++
		if want := slowly(t, r, "", 2); !reflect.DeepEqual(r.Cure, want) {
			t.Errorf("%s: %+v, want %+v", r.Name(), r.Cure, want)
		}
		for k := range r.Cells {
			c := &r.Cells[k]
			want := Remedy{}
			if c.Failed() {
				want = slowly(t, r, c.Property, 1)
			}
			if !reflect.DeepEqual(c.Cure, want) {
				t.Errorf("%s, %s: %+v, want %+v", r.Name(), c.Property, c.Cure, want)
			}
		}
	}
	if found[0] == 0 || found[1] == 0 || found[2] == 0 {
		t.Errorf("of none, one or two cures there is none: %v", found)
	}
}

// TestAsNoFault: a row is marked where all its cells are those of the first row of
// its system, and nowhere else.
func TestAsNoFault(t *testing.T) {
	m := fill(t, question())
	var plain *Row
	marked := 0
	for i := range m.Rows {
		r := &m.Rows[i]
		if r.Text() == "no fault" {
			plain = r
			if r.AsNoFault {
				t.Errorf("%s is as itself", r.Name())
			}
			continue
		}
		same := true
		for k := range r.Cells {
			a, b := plain.Cells[k].Verdict, r.Cells[k].Verdict
			same = same && a.Result == b.Result && a.BeyondAt == b.BeyondAt && a.Bound == b.Bound && plain.Cells[k].Steps == r.Cells[k].Steps
		}
		if r.AsNoFault != same {
			t.Errorf("%s: as without a fault is %v", r.Name(), r.AsNoFault)
		}
		if same {
			marked++
		}
	}
	if marked == 0 || marked == len(m.Rows)-len(m.Systems) {
		t.Errorf("%d rows are marked", marked)
	}
	q := question()
	q.Faults = []string{Each}
	for _, r := range fill(t, q).Rows {
		if r.AsNoFault {
			t.Errorf("%s is as a row that is not there", r.Name())
		}
	}
}

// TestWorkers: no number of workers changes anything, and no world is asked
// about twice.
func TestWorkers(t *testing.T) {
	var want *Matrix
	for _, workers := range []int{1, 3, 8} {
		q := question()
		q.Workers = workers
		var mu sync.Mutex
		asked := map[string]int{}
		q.Check = func(ctx context.Context, q checker.Question) (*checker.Run, error) {
			if q.Workers != 1 {
				t.Errorf("a world has %d workers", q.Workers)
			}
			mu.Lock()
			asked[fmt.Sprint(q.Config, q.Properties)]++
			mu.Unlock()
			return checker.Check(ctx, q)
		}
		done, all := 0, 0
		q.Progress = func(d, a int) {
			mu.Lock()
			done, all = max(done, d), max(all, a)
			mu.Unlock()
		}
		got := fill(t, q)
		if want == nil {
			want = got
		}
		if !reflect.DeepEqual(got.Rows, want.Rows) {
			t.Errorf("%d workers have other rows", workers)
		}
		for world, n := range asked {
			if n > 1 {
				t.Errorf("%s was asked about %d times", world, n)
			}
		}
		if done != all || done < len(asked)/2 {
			t.Errorf("progress ends with %d of %d", done, all)
		}
	}
}

// TestInterrupted: what is known stays, and the rest says so.
func TestInterrupted(t *testing.T) {
	for _, after := range []int{0, 3, 20} {
		ctx, cancel := context.WithCancel(context.Background())
		q := question()
		q.Workers = 1
		q.Progress = func(done, _ int) {
			if done >= after {
				cancel()
			}
		}
		m, err := Run(ctx, q)
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		if !m.CutShort() {
			t.Errorf("after %d: it does not say that it was cut short", after)
		}
		known := 0
		for i := range m.Rows {
			r := &m.Rows[i]
			if len(r.Cells) != len(m.Properties) {
				t.Fatalf("%s has %d cells", r.Name(), len(r.Cells))
			}
			if r.Stopped == "" {
				known++
			} else if r.Cells[0].Result != checker.Incomplete {
				t.Errorf("after %d: %s was not reached, and says %s", after, r.Name(), r.Cells[0].Result)
			}
			if after < 20 && r.Failed() && r.Cure.State != Unknown {
				t.Errorf("after %d: %s has a cure that nobody looked for: %+v", after, r.Name(), r.Cure)
			}
		}
		if want := min(after, len(m.Rows)); known != want {
			t.Errorf("after %d: %d rows are known", after, known)
		}
	}
}

func TestOutOfMemory(t *testing.T) {
	q := question()
	q.MaxBytes = 1
	m := fill(t, q)
	if r := &m.Rows[1]; r.Stopped != "out of memory" || !m.CutShort() {
		t.Errorf("%+v", r)
	}
}

func TestRefused(t *testing.T) {
	q := question()
	q.Systems = []*systems.System{system("lossy", "servers=3", "lost-requests=1")}
	q.Scope = settings("ticks=unlimited clients=1")
	m := fill(t, q)
	if m.Rows[0].Refused != "" || !strings.HasPrefix(m.Rows[1].Refused, "lost-requests 1: ") || m.Rows[1].Cells != nil || m.CutShort() {
		t.Errorf("%+v", m.Rows)
	}
}

func TestFaults(t *testing.T) {
	for words, want := range map[string]string{
		"none":              "limited, no fault; cache, no fault; file, no fault; row, no fault; journal, no fault",
		"crashes,none":      "limited, no fault; cache, no fault; file, no fault; file, crashes=1; row, no fault; journal, no fault",
		"restarts":          "cache, restarts=1; cache, restarts=1 restart-forgets=counter",
		"all":               "cache, all of them",
		"release=blind":     "cache, release=blind",
		"crashes=1,crashes": "file, crashes=1",
		"each,crashes=1":    "limited, lost-replies=1; cache, restarts=1; cache, restarts=1 restart-forgets=counter; cache, clock-jumps=5; cache, release=blind; file, crashes=1; row, lost-replies=1; journal, fence-restarts=1",
		"variants":          "limited, store=fenced; limited, store=strict",
		"store=strict,all":  "limited, store=strict; cache, all of them",
		"nope,none":         `no system has a fault or variant "nope"; there are lost-replies=1, store=fenced, store=strict, restarts=1, restarts=1 restart-forgets=counter, clock-jumps=5, release=blind, crashes=1, fence-restarts=1, and the words none, each, variants and all`,
	} {
		q := question()
		q.Faults = strings.Split(words, ",")
		var names []string
		all, err := rows(&q)
		for i := range all {
			names = append(names, all[i].Name())
		}
		if err != nil {
			names = []string{err.Error()}
		}
		if got := strings.Join(names, "; "); got != want {
			t.Errorf("%s: %s, want %s", words, got, want)
		}
	}
}

// TestWorld: durations follow the ttl, what the scope names does not, and what
// is no duration stays.
func TestWorld(t *testing.T) {
	s := system("s", "ttl=10 lock-delay=15 max-pause=6 servers=3", "restarts=2 restart-delay=9", "clock-jumps=3")
	for _, c := range []struct{ scope, want string }{
		{"", "restarts=2 restart-delay=9 clock-jumps=3"},
		{"ttl=4 clients=2", "clients=2 ttl=4 max-pause=3 clock-jumps=2 restarts=2 restart-delay=3 lock-delay=6"},
		{"ttl=20", "ttl=20 max-pause=12 clock-jumps=6 restarts=2 restart-delay=18 lock-delay=30"},
		{"ttl=4 max-pause=6 lock-delay=1", "ttl=4 clock-jumps=2 restarts=2 restart-delay=3 lock-delay=1"},
		{"ttl=1 max-pause=unlimited", "ttl=1 max-pause=unlimited clock-jumps=1 restarts=2 restart-delay=1 lock-delay=2"},
	} {
		cfg, err := world(s, s.Faults, settings(c.scope))
		if err != nil {
			t.Fatal(err)
		}
		want := settings(c.want)
		got := s.Config.Differences(&cfg)
		for _, all := range [][]model.Setting{got, want} {
			slices.SortFunc(all, func(a, b model.Setting) int { return strings.Compare(a.Field, b.Field) })
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", c.scope, got, want)
		}
	}
}
