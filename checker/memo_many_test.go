package checker

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"unsafe"

	"dlcheck/explore"
	"dlcheck/model"
)

// manyMet is what the answers to many states at once were met in.
type manyMet struct {
	fast, slow     int // worlds in which they are answered at once, and one after the other
	hits, misses   int // questions that are known, and those that are learnt
	wide           int // known, and more than two transitions come of it, or might
	zero           int // known by the key 0
	inside, grown  int // groups with a miss between answers that are known, and where more bits came to count by then
	evicted        int // known before, and put out since
	off            int // of units that learn nothing more
	full           int // tables that are as large as any
	repeated, kept int // states that came twice in a group, and groups that came after other states
	sizes          [34]int
}

// TestMemoOfMany puts groups of any size, of states in any order and with repetitions, to
// memos that know nothing, something or much, of worlds whose steps are taken without
// reductions, and compares with the rules. What a search asks in order is asked in
// TestMemoKnowsTheRules.
func TestMemoOfMany(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 23))
	var met manyMet
	for n := range randomCombinations / 8 {
		cfg := smallWorld(r)
		if n%2 > 0 {
			randomAxes(r, &cfg)
		}
		for _, name := range []string{"crashes", "cut-offs", "lost-replies"} { // more than two things can happen
			before := cfg
			if cfg.Set(model.Setting{Field: name, Value: strconv.Itoa(r.IntN(3))}) != nil || cfg.Validate() != nil {
				cfg = before
			}
		}
		cfg.Clients = 1 + r.IntN(4)
		switch r.IntN(6) {
		case 0:
			cfg.Ticks = model.NoBound
		case 1:
			cfg.Ticks = r.IntN(2)
		case 2:
			cfg.MaxPause = 1 + r.IntN(2)
		}
		if cfg.Validate() != nil {
			continue
		}
		p, err := watchAll(cfg, model.Reductions{})
		if tooWide := (*model.SizeError)(nil); errors.As(err, &tooWide) || err == nil && p.Words() != 2 {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		states := someStates(p, r, 1+r.IntN(1500))
		for range 2 {
			if err := compareGroups(p, states, 100, false, r, &met); err != nil {
				t.Fatalf("world %d, %s, %+v: %v", n, cfg.AxesText(), cfg, err)
			}
		}
	}
	// Of so many states that no table has room for them, if it is scrupulous.
	large := model.DefaultConfig()
	large.Store, large.Clients = "claimed", 4
	p, err := watchAll(large, model.Reductions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := compareGroups(p, someStates(p, r, 6*randomCombinations), 3*randomCombinations, true, r, &met); err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", met)
	if randomCombinations < 1000 {
		return // few are drawn under the race detector, which is there for something else
	}
	for what, n := range map[string]int{
		"worlds": met.fast / 20, "other worlds": met.slow / 5, "hits": met.hits / 100_000, "misses": met.misses / 10_000,
		"wide cells": met.wide / 1000, "zero keys": met.zero / 100, "misses among hits": met.inside / 100, "masks that grow": met.grown / 100,
		"keys put out": met.evicted / 100, "units that are off": met.off / 100, "full tables": met.full,
		"repetitions": met.repeated / 1000, "groups after other states": met.kept / 1000, "sizes": slices.Min(met.sizes[1:]),
	} {
		if n == 0 {
			t.Errorf("too few %s", what)
		}
	}
}

// someStates are those on random walks.
func someStates(p *product, r *rand.Rand, most int) (states [][]uint64) {
	rules := stepper{p: p, counts: new(counter)}
	var out explore.Batch
	for len(states) < most {
		if len(out.Notes) == 0 { // at the end, and at first
			p.Init(&out)
		}
		s := slices.Clone(out.States[r.IntN(len(out.Notes))*p.Words():][:p.Words()])
		states = append(states, s)
		out.Reset()
		rules.Next(s, &out)
	}
	return states
}

// A question is what a state asks of a unit.
type question struct {
	unit int
	s    []uint64 // the state, or as a new tick begins with it
}

// questions lists what is asked of a state of a world in which there are clients and a
// clock.
func questions(m *memo, s []uint64) (list []question) {
	w := m.p.world
	units := make([]uint64, m.clients)
	ready, quiet := w.Ready(s, units)
	for _, u := range units[:ready] {
		list = append(list, question{int(u), s})
	}
	if quiet && w.MayTickWhenQuiet(s) {
		begun := slices.Clone(s)
		w.NewTick(begun)
		list = append(list, question{len(m.units) - 1, begun})
	}
	return list
}

// scruple has a unit go by as many bits as make a key, which is more than it needs to.
func (u *unit) scruple(r *rand.Rand) {
	for _, i := range r.Perm(2 * 64) {
		word := &u.parts[i/64].mask
		was := *word
		if *word |= 1 << (i % 64); !u.fold() {
			*word = was
		}
	}
	u.fold()
	u.clear(64 - u.shift)
}

// compareGroups puts groups of states to a new memo. If it is to be scrupulous, some of
// its units are when they know most of what they use.
func compareGroups(p *product, states [][]uint64, groups int, scrupulous bool, r *rand.Rand, met *manyMet) error {
	m, rules := newMemo(p), stepper{p: p, counts: new(counter)}
	if m.NextOfMany(states[0], new(explore.Batch), make([]int, 1)); len(m.pairs) > 0 {
		met.fast++
	} else {
		met.slow++
		met = new(manyMet) // what is met from here on is of no interest
	}
	learnt := make([]map[uint64]bool, len(m.units)) // by unit: keys that were in its table
	for n := range groups {
		if scrupulous && n == groups/8 {
			for i := range m.units {
				if u := &m.units[i]; !u.off && u.hits > 0 {
					u.scruple(r)
					learnt[i] = nil
				}
			}
		}
		var group []uint64
		var asked []question
		ends := make([]int, 1+r.IntN(33))
		came := map[int]bool{}
		for first, few := r.IntN(len(states)), 1+r.IntN(2*len(ends)); len(group) < 2*len(ends); {
			i := (first + r.IntN(few)) % len(states)
			group = append(group, states[i]...)
			asked = append(asked, questions(m, states[i])...)
			if came[i] {
				met.repeated++
			}
			came[i] = true
		}
		if !scrupulous && r.IntN(groups) == 0 {
			m.units[r.IntN(len(m.units))].off = true // as if it were of no use
		}

		// What is in the batch before must stay, and what lies behind its end is not the
		// memo's. There is a little less room than it asks for, or more.
		had := r.IntN(3)
		if had > 0 {
			met.kept++
		}
		room := func() int { return had + r.IntN(mostRoom*len(asked)+4) }
		states, notes := newFenced[uint64](r, 2*had, 2*room()), newFenced[explore.Note](r, had, room())
		out := explore.Batch{States: states.words, Notes: notes.words}
		want := explore.Batch{States: slices.Clone(out.States), Notes: slices.Clone(out.Notes)}

		before := slices.Clone(m.units)
		firstMiss, lastHit := len(asked), -1
		for i, q := range asked {
			u := &m.units[q.unit]
			key := u.key(q.s)
			c := u.find(key)
			if c == nil {
				firstMiss = min(firstMiss, i)
			} else {
				lastHit = i
			}
			switch {
			case c != nil:
				met.hits++
				if c.room > 2 {
					met.wide++
				}
				if key == 0 {
					met.zero++
				}
			case u.off:
				met.off++
			default:
				if met.misses++; !learnt[q.unit][key] {
					break
				}
				switch {
				case 64-u.shift == mostBits:
					met.evicted++
				default:
					return fmt.Errorf("key %#x of unit %d is forgotten, and its table may still grow", key, q.unit)
				}
			}
		}

		wantEnds := make([]int, len(ends))
		for i := range ends {
			rules.Next(group[2*i:][:2:2], &want)
			wantEnds[i], ends[i] = len(want.Notes), -1
		}
		given := slices.Clone(group)
		m.NextOfMany(group, &out, ends)
		if !slices.Equal(out.States, want.States) || !slices.Equal(out.Notes, want.Notes) {
			return fmt.Errorf("of %x come\n%x %x, by the rules\n%x %x", given, out.States, out.Notes, want.States, want.Notes)
		}
		if !slices.Equal(ends, wantEnds) {
			return fmt.Errorf("the transitions of %x end at %d, by the rules at %d", given, ends, wantEnds)
		}
		if !slices.Equal(group, given) {
			return fmt.Errorf("of %x the states were made %x", given, group)
		}
		if !states.whole() || !notes.whole() {
			return fmt.Errorf("after %x, memory was written that is not the batch's", given)
		}

		grown := false
		for i := range m.units {
			if m.units[i].parts != before[i].parts {
				grown, learnt[i] = true, nil
			}
		}
		if 0 < firstMiss && firstMiss < lastHit {
			met.inside++
			if grown {
				met.grown++
			}
		}
		for _, q := range asked {
			u := &m.units[q.unit]
			if key := u.key(q.s); u.find(key) != nil {
				if learnt[q.unit] == nil {
					learnt[q.unit] = map[uint64]bool{}
				}
				learnt[q.unit][key] = true
			}
		}
		met.sizes[len(ends)]++
	}
	for i := range m.units {
		if 64-m.units[i].shift == mostBits {
			met.full++
		}
	}
	return nil
}

// fenced is memory with a fence behind it.
type fenced[T ~uint64] struct {
	words []T // with room for as many as it may have
	fence []T
}

func newFenced[T ~uint64](r *rand.Rand, words, room int) fenced[T] {
	all := make([]T, room+64)
	for i := range all {
		all[i] = T(r.Uint64())
	}
	for i := range all[room:] {
		all[room+i] = aFence
	}
	return fenced[T]{all[:words:room], all[room:]}
}

const aFence = 0xfe4ce

// whole says that nobody wrote over the fence.
func (f fenced[T]) whole() bool {
	return !slices.ContainsFunc(f.fence, func(x T) bool { return x != aFence })
}

// TestMemoAsksOfEachStage: what is asked of states at once is what World.Ready says, at
// whatever step of a program of any length a client is.
func TestMemoAsksOfEachStage(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(6, 3))
	for _, length := range []int{2, 7, 8, 9, 16, 17, 32} {
		cfg := model.DefaultConfig()
		cfg.Clients, cfg.Rounds, cfg.MaxPause, cfg.Ticks, cfg.TTL = 4, 1, 1, 40, 40
		cfg.Program = model.Program{model.OpAcquire}
		for len(cfg.Program) < length-1 {
			cfg.Program = append(cfg.Program, model.OpCheck)
		}
		cfg.Program = append(cfg.Program, model.OpRelease)
		p, err := watchAll(cfg, model.Reductions{})
		if err != nil {
			t.Fatal(err)
		}
		m := newMemo(p)
		if m.width != 2 || len(m.gates[0]) == 0 {
			t.Fatalf("%d steps: states of %d words, %d gates: not asked at once", length, m.width, len(m.gates[0]))
		}
		stages, asked := map[int]bool{}, make([]uint64, m.clients+1)
		for _, s := range someStates(p, r, 5000) {
			want := make([]uint64, m.clients)
			ready, quiet := p.world.Ready(s, want)
			n, all := m.ready(p.world.Readiness(), (*[2]uint64)(s), 0, unsafe.Pointer(unsafe.SliceData(asked)))
			var got []uint64
			for _, q := range asked[:n] {
				u := uint64(uint32(q)) / unitSize
				got = append(got, u)
				stages[int(u)%m.stages] = true
			}
			if !slices.Equal(got, want[:ready]) || (all&awake == 0) != quiet {
				t.Fatalf("%d steps, %x: units %d are asked, want %d; quiet: %v, want %v", length, s, got, want[:ready], all&awake == 0, quiet)
			}
		}
		if len(stages) != length {
			t.Errorf("%d steps: met clients at only %d of them", length, len(stages))
		}
	}
}
