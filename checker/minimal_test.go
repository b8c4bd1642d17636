package checker

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"dlcheck/model"
	"dlcheck/traces"
)

// everything is the slow twin of all that is said of counterexamples: each
// schedule of the unreduced world, one by one, up to its first violation of each
// property.
type everything struct {
	p       *product
	watched []*audit
	judged  []*audit // those that have no monitor
	nodes   int
	broken  map[string][][]traces.Call // by property
}

// tooMany is where a world is not tiny any more.
const tooMany = 400_000

// enumerate takes every schedule; it is nil if there are too many.
func enumerate(t *testing.T, cfg model.Config, names ...string) *everything {
	t.Helper()
	e := &everything{broken: map[string][][]traces.Call{}}
	for _, n := range names {
		if a := findAudit(n); a.monitor != nil {
			e.watched = append(e.watched, a)
		} else {
			e.judged = append(e.judged, a)
		}
	}
	var err error
	if e.p, err = watch(e.watched, cfg, model.Reductions{}); err != nil {
		t.Fatal(err)
	}
	e.walk(t, e.p.world.Init(), nil, 0)
	if e.nodes > tooMany {
		return nil
	}
	return e
}

func (e *everything) walk(t *testing.T, s model.State, calls []traces.Call, done uint64) {
	if e.nodes++; e.nodes > tooMany || done == 1<<(len(e.watched)+len(e.judged))-1 {
		return
	}
	w := e.p.world
	words := w.Layout.Words()
	var steps model.Steps
	w.Next(s, &steps)
	for k, a := range steps.Actions {
		n := steps.States[k*words : (k+1)*words]
		marks := uint64(e.p.judge(s, a, n))
		path := append(slices.Clip(calls), traces.CallOf(a))
		for i, audit := range e.judged {
			if cfg := &w.Config; cfg.Touches(a.Kind)&model.TouchesStore != 0 && done>>(len(e.watched)+i)&1 == 0 {
				trace, err := traces.Play(*cfg, path)
				if err != nil {
					t.Fatal(err)
				}
				if audit.retrospect(trace) != nil {
					marks |= 1 << (len(e.watched) + i)
				}
			}
		}
		marks &^= done
		now := done
		for i, audit := range append(slices.Clip(e.watched), e.judged...) {
			if marks>>i&1 != 0 {
				now |= 1 << i
				e.broken[audit.Name] = append(e.broken[audit.Name], path)
			}
		}
		e.walk(t, n, path, now)
	}
}

// size is a schedule in a measure and those that ties go to.
func size(cfg *model.Config, m Measure, calls []traces.Call) []int {
	steps, ticks, faults := len(calls), ticksOf(calls), 0
	for _, c := range calls {
		if cfg.Mishap(model.Action{Kind: c.Kind, Reached: c.Reached}) {
			faults++
		}
	}
	rest := []int{steps, ticks, steps - ticks}
	switch m {
	case Ticks:
		return append([]int{ticks}, rest...)
	case Events:
		return append([]int{steps - ticks}, rest...)
	case Faults:
		return append([]int{faults}, rest...)
	}
	return rest
}

// shortestOf are the shortest of these schedules.
func shortestOf(cfg *model.Config, m Measure, all [][]traces.Call) (short [][]traces.Call) {
	for _, calls := range all {
		order := -1
		if len(short) > 0 {
			order = slices.Compare(size(cfg, m, calls), size(cfg, m, short[0]))
		}
		if order < 0 {
			short = nil
		}
		if order <= 0 {
			short = append(short, calls)
		}
	}
	return short
}

// renamed is a schedule with clients of one program renamed in the order in which
// they act first.
func renamed(cfg *model.Config, calls []traces.Call) []traces.Call {
	names := map[int]int{model.Nobody: model.Nobody}
	used := map[string]int{}
	out := slices.Clone(calls)
	for i := range out {
		c := out[i].Client
		if _, known := names[c]; !known {
			program := cfg.ProgramOf(c).String()
			nth := used[program]
			used[program]++
			for k := range cfg.Clients {
				if cfg.ProgramOf(k).String() == program {
					if nth == 0 {
						names[c] = k
						break
					}
					nth--
				}
			}
		}
		out[i].Client = names[c]
	}
	return out
}

func written(calls []traces.Call) string { return fmt.Sprint(calls) }

// storiesOf gathers schedules by story: by exchanges of neighbours, one at a time.
// It fails where an exchange leads out of them.
func storiesOf(cfg *model.Config, all [][]traces.Call) (map[string]int, error) {
	known := map[string][]traces.Call{}
	for _, calls := range all {
		calls = renamed(cfg, calls)
		known[written(calls)] = calls
	}
	story := map[string]int{}
	n := 0
	for _, start := range slices.Sorted(maps.Keys(known)) {
		if _, told := story[start]; told {
			continue
		}
		story[start] = n
		for todo := []string{start}; len(todo) > 0; todo = todo[1:] {
			calls := known[todo[0]]
			for i := 1; i < len(calls); i++ {
				a, b := calls[i-1], calls[i]
				acted := func(c traces.Call) bool {
					return slices.ContainsFunc(calls[:i-1], func(o traces.Call) bool { return o.Client == c.Client })
				}
				switch {
				case a.Kind == model.Tick, b.Kind == model.Tick,
					a.Client == b.Client && a.Client != model.Nobody,
					cfg.Touches(a.Kind)&cfg.Touches(b.Kind) != 0,
					a.Client != model.Nobody && b.Client != model.Nobody && !acted(a) && !acted(b):
					continue
				}
				other := slices.Clone(calls)
				other[i-1], other[i] = b, a
				key := written(renamed(cfg, other))
				if known[key] == nil {
					return nil, fmt.Errorf("%s and %s do not commute in %v", a.Kind, b.Kind, calls)
				}
				if _, told := story[key]; !told {
					story[key] = n
					todo = append(todo, key)
				}
			}
		}
		n++
	}
	return story, nil
}

// frontOf is the front of these schedules, by ticks.
func frontOf(all [][]traces.Call) (front [][2]int) {
	least := map[int]int{} // events by ticks
	for _, calls := range all {
		t := ticksOf(calls)
		if e, ok := least[t]; !ok || len(calls)-t < e {
			least[t] = len(calls) - t
		}
	}
	for _, t := range slices.Sorted(maps.Keys(least)) {
		if len(front) == 0 || least[t] < front[len(front)-1][1] {
			front = append(front, [2]int{t, least[t]})
		}
	}
	return front
}

// compareMinimal asks one question in every way and compares it with all there is.
func compareMinimal(t *testing.T, cfg model.Config, m Measure, reduce model.Reductions, e *everything) (schedules, stories, points int) {
	t.Helper()
	var names []string
	for _, a := range append(slices.Clip(e.watched), e.judged...) {
		names = append(names, a.Name)
	}
	r, err := Check(context.Background(), Question{Config: cfg, Properties: names, Minimize: m, Reduce: reduce, Front: true, AllMinimal: true, List: 1000})
	if err != nil {
		t.Fatalf("%+v: %v", cfg, err)
	}
	where := fmt.Sprintf("minimize %s, reductions %v, %+v", m, reduce.Names(), cfg)
	for i := range r.Verdicts {
		v := &r.Verdicts[i]
		all := e.broken[v.Property]
		if (v.Result == Violated) != (len(all) > 0) {
			t.Fatalf("%s: %s is %s, and %d schedules break it", where, v.Property, v.Result, len(all))
		}
		if v.Result != Violated {
			continue
		}
		short := shortestOf(&cfg, m, all)
		var calls []traces.Call
		for k := range v.Trace.Events {
			calls = append(calls, v.Trace.Events[k].Call())
		}
		if got, want := size(&cfg, m, calls), size(&cfg, m, short[0]); !slices.Equal(got, want) || !v.Trace.Remark.Minimal {
			t.Errorf("%s: %s: size %v, want %v", where, v.Property, got, want)
		}
		var front [][2]int
		for _, p := range v.Front.Points {
			front = append(front, [2]int{p.Ticks, p.Events})
		}
		if want := frontOf(all); !slices.Equal(front, want) || v.Front.Incomplete != "" {
			t.Errorf("%s: %s: front %v, want %v", where, v.Property, front, want)
		}
		points += len(front)
		story, err := storiesOf(&cfg, short)
		if err != nil {
			t.Fatalf("%s: %s: %v", where, v.Property, err)
		}
		sizes := map[int]int64{}
		for _, n := range story {
			sizes[n]++
		}
		if v.All.Incomplete != "" || v.All.Schedules.Int64() != int64(len(story)) || v.All.Stories.Int64() != int64(len(sizes)) || len(v.All.Told) != min(1000, len(sizes)) {
			t.Fatalf("%s: %s: %s schedules in %s stories, %d told; want %d in %d", where, v.Property, v.All.Schedules, v.All.Stories, len(v.All.Told), len(story), len(sizes))
		}
		for k, s := range v.All.Told {
			var calls []traces.Call
			for i := range s.Trace.Events {
				calls = append(calls, s.Trace.Events[i].Call())
			}
			n, ok := story[written(calls)]
			if !ok || sizes[n] != s.Schedules.Int64() {
				t.Errorf("%s: %s: story %d is told by %s schedules, want %d (a story that was not told yet: %v)", where, v.Property, k+1, s.Schedules, sizes[n], ok)
			}
			delete(sizes, n)
			if k == 0 && storyOf(v) != storyOf(&Verdict{Trace: s.Trace}) {
				t.Errorf("%s: %s: the first story is not that of the verdict", where, v.Property)
			}
		}
		schedules, stories = schedules+len(story), stories+int(v.All.Stories.Int64())
	}
	return schedules, stories, points
}

// monitored are the properties that monitors judge.
func monitored() (names []string) {
	for _, a := range audits {
		if a.monitor != nil {
			names = append(names, a.Name)
		}
	}
	return names
}

// TestMinimalAgainstEverySchedule: what is shortest in each measure, every front,
// and every count and grouping of the shortest, on worlds that are enumerated
// whole.
func TestMinimalAgainstEverySchedule(t *testing.T) {
	settings := []string{
		"store plain clients 2 ttl 1 ticks 5",
		"store fenced clients 2 ttl 2 ticks 6",
		"store fenced clients 3 ttl 1 ticks 4 pauses 0",
		"store plain clients 2 ttl 2 ticks 4 restarts 1 crashes 1",
		"store plain clients 2 ttl 2 ticks 4 delayed-writes 1 duplicates 1",
		"store guarded clients 2 ttl 2 ticks 4 clock-jumps 2",
		"store claimed clients 2 ttl 1 ticks 2 servers 3 lost-requests 1",
	}
	var worlds []model.Config
	for _, s := range settings {
		worlds = append(worlds, configOf(t, s))
	}
	two := configOf(t, settings[0]) // of two kinds
	for _, p := range []string{"acquire, read, write, release", "acquire, work, write, release"} {
		program, err := model.ParseProgram(p)
		if err != nil {
			t.Fatal(err)
		}
		two.Programs = append(two.Programs, program)
	}
	worlds = append(worlds, two)
	schedules, stories, points := 0, 0, 0
	for i, cfg := range worlds {
		names := monitored()
		if i < 2 {
			names = append(names, "linearizable", "linearizable-sections")
		}
		e := enumerate(t, cfg, names...)
		if e == nil {
			t.Errorf("%+v has too many schedules", cfg)
			continue
		}
		for _, m := range []Measure{Steps, Ticks, Events, Faults} {
			for _, reduce := range []model.Reductions{model.AllReductions(), {}} {
				a, b, c := compareMinimal(t, cfg, m, reduce, e)
				schedules, stories, points = schedules+a, stories+b, points+c
			}
		}
	}
	t.Logf("%d schedules, %d stories, %d points of fronts", schedules, stories, points)
}

// TestMinimalOnRandomWorlds draws worlds with axes.
func TestMinimalOnRandomWorlds(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2024))
	worlds, schedules, stories := 0, 0, 0
	for range randomQuestions / 2 {
		cfg := randomConfig(r)
		cfg.Clients, cfg.Rounds, cfg.Pauses = min(cfg.Clients, 2), 1, min(cfg.Pauses, 1)
		cfg.Ticks, cfg.TTL, cfg.Servers = 2+r.IntN(3), min(cfg.TTL, 2), min(cfg.Servers, 2)
		m := []Measure{Steps, Ticks, Events, Faults}[r.IntN(4)]
		if cfg.Validate() != nil {
			continue
		}
		e := enumerate(t, cfg, monitored()...)
		if e == nil {
			continue
		}
		worlds++
		a, b, _ := compareMinimal(t, cfg, m, model.AllReductions(), e)
		schedules, stories = schedules+a, stories+b
	}
	t.Logf("%d worlds, %d schedules, %d stories", worlds, schedules, stories)
}

// TestMinimalCutShortIsNeverWrong: whatever stops a search, what is said of
// fronts and counts is either right or said to be incomplete.
func TestMinimalCutShortIsNeverWrong(t *testing.T) {
	cfg := configOf(t, "store plain clients 2 ttl 4 ticks 10 clock-jumps 1")
	base := Question{Config: cfg, Properties: []string{"seed", "mutual-exclusion"}, Minimize: Faults, Reduce: model.AllReductions(), Front: true, AllMinimal: true, List: 2}
	whole, err := Check(context.Background(), base)
	if err != nil {
		t.Fatal(err)
	}
	var questions []Question
	for n := uint64(1); n < 2000; n += n/8 + 1 {
		q := base
		q.MaxStates = n
		questions = append(questions, q)
		q.Minimize = Ticks
		questions = append(questions, q)
	}
	for n := int64(1 << 10); n < 4<<20; n += n / 4 {
		q := base
		q.MaxBytes = n
		questions = append(questions, q)
	}
	for n := range 40 {
		q := base
		q.MaxStates = uint64(n) // stands for the call of Progress that interrupts
		q.Progress = func(Progress) {}
		questions = append(questions, q)
	}
	missing, known := 0, 0
	for _, q := range questions {
		ctx, cancel := context.WithCancel(context.Background())
		if q.Progress != nil {
			left := q.MaxStates
			q.MaxStates = 0
			q.Progress = func(Progress) {
				if left == 0 {
					cancel()
				}
				left--
			}
		}
		r, err := Check(ctx, q)
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.Verdicts {
			v, w := &r.Verdicts[i], &whole.Verdicts[i]
			if v.Result != Violated {
				continue
			}
			for _, p := range v.Front.Points {
				if !slices.ContainsFunc(w.Front.Points, func(o Point) bool { return o.Ticks == p.Ticks && o.Events == p.Events }) {
					t.Errorf("%s: (%d, %d) is not on the front", v.Property, p.Ticks, p.Events)
				}
			}
			if v.Front.Incomplete == "" && len(v.Front.Points) != len(w.Front.Points) {
				t.Errorf("%s: %d points of %d", v.Property, len(v.Front.Points), len(w.Front.Points))
			}
			if v.All.Incomplete != "" {
				missing++
				if v.All.Schedules != nil || v.All.Stories != nil || v.All.Told != nil {
					t.Errorf("%s: incomplete, and %s schedules", v.Property, v.All.Schedules)
				}
				continue
			}
			known++
			if q.Minimize == base.Minimize && (v.All.Schedules.Cmp(w.All.Schedules) != 0 || v.All.Stories.Cmp(w.All.Stories) != 0) {
				t.Errorf("%s: %s schedules, want %s", v.Property, v.All.Schedules, w.All.Schedules)
			}
		}
	}
	if missing == 0 || known == 0 {
		t.Errorf("%d counts missing, %d known: nothing was tried", missing, known)
	}
}

// TestCountsCanBeHuge: ten clients that work in any order, twice before a tick
// and twice after it.
func TestCountsCanBeHuge(t *testing.T) {
	word := []*move{}
	for c := range 20 {
		for range 2 {
			word = append(word, &move{call: traces.Call{Client: c % 10, Kind: model.Work}})
		}
		if c == 9 {
			word = append(word, &move{call: traces.Call{Client: model.Nobody, Kind: model.Tick}})
		}
	}
	// Twice 20!/2^10.
	want, _ := new(big.Int).SetString("2375880867360000", 10)
	if want.Mul(want, want); orderings(word).Cmp(want) != 0 {
		t.Errorf("%s orders, want %s", orderings(word), want)
	}
}

// TestCutShortIsSaid: a search for something shorter that is cut short is said to be,
// though all was explored before it.
func TestCutShortIsSaid(t *testing.T) {
	cfg := configOf(t, "store plain clients 3 ticks 30")
	cut := 0
	for _, m := range []Measure{Steps, Events, Faults} {
		for _, property := range []string{"lost-update", "linearizable-sections"} {
			ctx, cancel := context.WithCancel(context.Background())
			r, err := Check(ctx, Question{Config: cfg, Properties: []string{property}, Minimize: m, Reduce: model.AllReductions(),
				Progress: func(p Progress) {
					if p.Phase == "shortest counterexample" {
						cancel()
					}
				}})
			cancel()
			if err != nil {
				t.Fatal(err)
			}
			if v := &r.Verdicts[0]; !v.Trace.Remark.Minimal {
				if cut++; r.Stopped != "interrupted" {
					t.Errorf("%s: the counterexample of %s is not minimal, and the run says %q", m, property, r.Stopped)
				}
			}
		}
	}
	if cut == 0 {
		t.Error("nothing was cut short")
	}
}
