package checker

import (
	"errors"
	"math/bits"
	"slices"
	"sync"

	"dlcheck/model"
	"dlcheck/traces"
)

// op is one operation of the store's history. The store's calls are atomic
// actions, so the place of an operation in the history is its time.
type op struct {
	kind   model.Kind // Read, Write or Claim
	client int
	round  int // of the client, from 0
	token  int
	ok     bool
	value  int // version answered by an accepted read
}

// history is what a store was asked and what it answered, in order.
type history []op

// normal renames what is only a name: clients in the order of their first
// operation, tokens by rank. Histories that differ in names alone are one.
func (h history) normal() history {
	var clients, tokens []int
	for _, o := range h {
		if !slices.Contains(clients, o.client) {
			clients = append(clients, o.client)
		}
		if o.token > 0 && !slices.Contains(tokens, o.token) {
			tokens = append(tokens, o.token)
		}
	}
	slices.Sort(tokens)
	out := slices.Clone(h)
	rounds := map[int][]int{}
	for i := range out {
		o := &out[i]
		// A round without an operation on the store leaves no mark on it.
		if !slices.Contains(rounds[o.client], o.round) {
			rounds[o.client] = append(rounds[o.client], o.round)
		}
		o.round = slices.Index(rounds[o.client], o.round)
		o.client = slices.Index(clients, o.client)
		o.token = 1 + slices.Index(tokens, o.token)
	}
	return out
}

// key is a string that is equal for equal histories and only for those.
func (h history) key() string {
	b := make([]byte, 0, 16*len(h))
	for _, o := range h {
		flags := byte(o.kind) << 1
		if o.ok {
			flags |= 1
		}
		b = append(b, flags)
		for _, v := range [...]int{o.client, o.round, o.token, o.value} {
			b = append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
		}
	}
	return string(b)
}

// historyOf reads the store's history out of a trace.
func historyOf(t *traces.Trace) (h history, events []int) {
	round := map[int]int{}
	for i := range t.Events {
		e := &t.Events[i]
		switch e.Kind {
		case model.Abandon:
			round[e.Client]++
		case model.Read, model.Write, model.Claim:
			o := op{kind: e.Kind, client: e.Client, round: round[e.Client], token: e.Token, ok: e.OK}
			if e.Kind == model.Read && e.OK {
				o.value = e.Value
			}
			h, events = append(h, o), append(events, i)
		case model.Release:
			round[e.Client]++
		}
	}
	return h, events
}

// judged is what porcupine says of one history.
type judged struct{ linearizable, sections bool }

// histories holds the distinct histories that were met, each judged once.
type histories struct {
	store string
	mu    sync.RWMutex
	met   map[string]judged
	size  int64                 // bytes of the keys
	keep  func(history, judged) // for tests: sees each history once
}

// bytes is about what the histories take: a key each, and what a map needs for
// an entry.
func (hs *histories) bytes() int64 {
	hs.mu.RLock()
	defer hs.mu.RUnlock()
	return hs.size + 64*int64(len(hs.met))
}

func (hs *histories) judge(h history) judged {
	h = h.normal()
	key := h.key()
	hs.mu.RLock()
	j, ok := hs.met[key]
	hs.mu.RUnlock()
	if ok {
		return j
	}
	j = judged{linearizable: linearizable(hs.store, h), sections: sectionsLinearizable(h)}
	hs.mu.Lock()
	defer hs.mu.Unlock()
	if _, ok := hs.met[key]; !ok {
		hs.met[key] = j
		hs.size += int64(len(key))
		if hs.keep != nil {
			hs.keep(h, j)
		}
	}
	return j
}

// recorder is a monitor that objects to nothing: it writes the history of the
// store's operations into the state. Each client's record gets a slot for each
// operation it can make, with the place of the operation in the history, so
// that histories that differ only in clients' names lie in one reduced state.
type recorder struct {
	w        *model.World
	all      *histories
	count    model.Field
	slots    []slot
	perRound int            // slots of a round: the most calls that a program makes
	slotOf   [][]int        // client, program index -> slot of its call within a round
	kindOf   [][]model.Kind // client, slot within a round -> kind of its call
}

type slot struct{ place, ok, token, value []model.Field }

// errTooLong says that the histories of a world are longer than a state can
// hold, by a reckoning that is made before anything is laid out.
var errTooLong = errors.New("a history of that many operations does not fit into a state; try fewer clients or rounds")

// tooLong says whether the places of the operations alone, a number each, are
// more than a state can hold.
func tooLong(cfg *model.Config) bool {
	calls := storeCalls(cfg)
	return calls*bits.Len(uint(calls)) > model.MaxWords*64
}

func newRecorder(w *model.World, all *histories) *recorder {
	r := &recorder{w: w, all: all}
	for c := range w.Config.Clients {
		program := w.Config.ProgramOf(c)
		slotOf, kinds := make([]int, len(program)), []model.Kind(nil)
		for i, o := range program {
			if kind, uses := storeKind(o); uses {
				slotOf[i] = len(kinds)
				kinds = append(kinds, kind)
			}
		}
		r.slotOf, r.kindOf = append(r.slotOf, slotOf), append(r.kindOf, kinds)
		r.perRound = max(r.perRound, len(kinds))
	}
	return r
}

// storeKind is the kind of action of a program step that calls the store.
func storeKind(o model.Op) (model.Kind, bool) {
	switch o {
	case model.OpRead:
		return model.Read, true
	case model.OpWrite:
		return model.Write, true
	case model.OpClaim:
		return model.Claim, true
	}
	return 0, false
}

// storeCalls is how many calls to the store all clients can make.
func storeCalls(cfg *model.Config) int {
	return cfg.Count(model.OpRead) + cfg.Count(model.OpWrite) + cfg.Count(model.OpClaim)
}

// historyTokens is how many variables of scale Token a recorder claims.
func historyTokens(cfg *model.Config) int {
	most := 0
	for c := range cfg.Clients {
		p := cfg.ProgramOf(c)
		most = max(most, p.Count(model.OpRead)+p.Count(model.OpWrite)+p.Count(model.OpClaim))
	}
	return most * cfg.Rounds * cfg.Clients
}

func (r *recorder) claim(l *model.Layout) {
	cfg := &r.w.Config
	calls := storeCalls(cfg)
	l.Global(&r.count, "history.length", calls, model.Plain)
	r.slots = make([]slot, r.perRound*cfg.Rounds)
	none := make([]model.Field, cfg.Clients)
	for i := range r.slots {
		s := &r.slots[i]
		*s = slot{token: none, value: none}
		l.EachClient(&s.place, "history.place", calls, model.Plain)
		l.EachClient(&s.ok, "history.ok", 1, model.Plain)
		if r.w.Judges() {
			l.EachClient(&s.token, "history.token", r.w.MaxToken(), model.Token)
		}
		reads := func(kinds []model.Kind) bool {
			k := i % r.perRound
			return k < len(kinds) && kinds[k] == model.Read
		}
		if slices.ContainsFunc(r.kindOf, reads) {
			// One more than there are writes: a torn store can answer with
			// what nobody wrote.
			l.EachClient(&s.value, "history.value", cfg.Count(model.OpWrite)+1, model.Plain)
		}
	}
}

func (*recorder) kinds() []model.Kind {
	return []model.Kind{model.Read, model.Write, model.Claim}
}

func (r *recorder) watch(prev model.State, a model.Action, next model.State) bool {
	c := int(a.Client)
	round := r.w.Config.Rounds - r.w.RoundsLeft(prev, c)
	s := &r.slots[round*r.perRound+r.slotOf[c][r.w.Phase(prev, c)]]
	n := r.count.Get(prev) + 1
	r.count.Set(next, n)
	s.place[c].Set(next, n)
	s.token[c].Set(next, int(a.Token))
	if a.OK {
		s.ok[c].Set(next, 1)
		if a.Kind == model.Read {
			s.value[c].Set(next, int(a.Value))
		}
	}
	return false
}

// history reads back what the state has recorded.
func (r *recorder) history(s model.State) history {
	h := make(history, r.count.Get(s))
	for i := range r.slots {
		sl := &r.slots[i]
		for c := range r.w.Config.Clients {
			if n := sl.place[c].Get(s); n > 0 {
				h[n-1] = op{r.kindOf[c][i%r.perRound], c, i / r.perRound, sl.token[c].Get(s), sl.ok[c].Get(s) != 0, sl.value[c].Get(s)}
			}
		}
	}
	return h
}

// historyMonitor objects to transitions after which porcupine finds no legal
// order of the recorded history.
type historyMonitor struct {
	stateless
	r     **recorder
	legal func(judged) bool
}

func (historyMonitor) kinds() []model.Kind {
	return []model.Kind{model.Read, model.Write, model.Claim}
}

func (m historyMonitor) watch(_ model.State, _ model.Action, next model.State) bool {
	r := *m.r
	return !m.legal(r.all.judge(r.history(next)))
}
