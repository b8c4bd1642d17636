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
	object int // of the store, from 0
	round  int // of the client, from 0
	token  int
	ok     bool
	value  int // version answered by an accepted read
	serial int // of a write: its place among the writes of its round, from 1
	// copyOf is, of a write that is the copy of one that arrived before, the
	// place of that one in the history, from 1; else 0.
	copyOf int
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
	b := make([]byte, 0, 29*len(h))
	for _, o := range h {
		flags := byte(o.kind) << 1
		if o.ok {
			flags |= 1
		}
		b = append(b, flags)
		for _, v := range [...]int{o.client, o.round, o.token, o.value, o.serial, o.copyOf, o.object} {
			b = append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
		}
	}
	return string(b)
}

// historyOf reads the store's history out of a trace. A write that is under way
// enters it where the store judges it.
func historyOf(t *traces.Trace) (h history, events []int) {
	round, writes := map[int]int{}, map[int]int{}
	underWay := map[int]op{}
	for i := range t.Events {
		e := &t.Events[i]
		c := e.Client
		o := op{kind: e.Kind, client: c, object: e.Object, round: round[c], token: e.Token, ok: e.OK}
		switch e.Kind {
		case model.Release, model.Abandon:
			round[c]++
			writes[c] = 0
			continue
		case model.Read:
			if e.OK {
				o.value = e.Value
			}
		case model.Claim:
		case model.Write, model.Send:
			writes[c]++
			o.kind, o.serial = model.Write, writes[c]
			if e.Kind == model.Send {
				underWay[c] = o
				continue
			}
		case model.Arrive, model.ArriveTwice:
			o = underWay[c]
			o.ok = e.OK
			if o.copyOf == 0 {
				copied := o
				copied.copyOf = len(h) + 1
				underWay[c] = copied
			}
		default:
			continue
		}
		h, events = append(h, o), append(events, i)
	}
	return h, events
}

// judged is what porcupine says of one history.
type judged struct{ linearizable, sections bool }

// histories holds the distinct histories that were met, each judged once.
type histories struct {
	store sequential
	mu    sync.RWMutex
	met   map[string]judged
	size  int64                 // bytes of the keys
	log   []string              // keys since the last save; nil without a checkpoint
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
	if hs.add(key, j) {
		if hs.log != nil {
			hs.log = append(hs.log, key)
		}
		if hs.keep != nil {
			hs.keep(h, j)
		}
	}
	return j
}

// add is false if it was met before.
func (hs *histories) add(key string, j judged) bool {
	if _, ok := hs.met[key]; ok {
		return false
	}
	hs.met[key] = j
	hs.size += int64(len(key))
	return true
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
	serialOf [][]int        // client, slot within a round -> place among the writes of a round
	objectOf [][]int        // client, slot within a round -> object
	// underWay is the slot + 1 of a client's write that is under way; copies are
	// slots for copies that arrive.
	underWay []model.Field
	copies   []copySlot
}

type slot struct{ place, ok, token, value []model.Field }

// copySlot is a slot for the copy of a write; of is that one's slot + 1.
type copySlot struct{ place, ok, of []model.Field }

// errTooLong says that the histories of a world are longer than a state can
// hold, by a reckoning that is made before anything is laid out.
var errTooLong = errors.New("a history of that many operations does not fit into a state; try fewer clients or rounds")

// tooLong says whether the places of the operations alone, a number each, are
// more than a state can hold.
func tooLong(cfg *model.Config) bool {
	if cfg.Rounds == model.NoBound {
		return true
	}
	calls := mostCalls(cfg)
	return calls*bits.Len(uint(calls)) > model.MaxWords*64
}

func newRecorder(w *model.World, all *histories) *recorder {
	r := &recorder{w: w, all: all}
	for c := range w.Config.Clients {
		program := w.Config.ProgramOf(c)
		slotOf, kinds, serials, objects := make([]int, len(program)), []model.Kind(nil), []int(nil), []int(nil)
		writes := 0
		for i, o := range program {
			if kind, uses := storeKind(o); uses {
				slotOf[i] = len(kinds)
				kinds = append(kinds, kind)
				if kind == model.Write {
					writes++
				}
				serials, objects = append(serials, writes), append(objects, o.Object())
			}
		}
		r.slotOf, r.kindOf, r.serialOf = append(r.slotOf, slotOf), append(r.kindOf, kinds), append(r.serialOf, serials)
		r.objectOf = append(r.objectOf, objects)
		r.perRound = max(r.perRound, len(kinds))
	}
	return r
}

// storeKind is the kind of action of a program step that calls the store.
func storeKind(o model.Op) (model.Kind, bool) {
	switch o.Base() {
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

// mostCalls is how many calls the store can see: those, and copies of them.
func mostCalls(cfg *model.Config) int { return storeCalls(cfg) + cfg.Duplicates() }

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
	calls := mostCalls(cfg)
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
			l.EachClient(&s.value, "history.value", r.w.MaxVersion()+1, model.Plain)
		}
	}
	if cfg.Delays() {
		l.EachClient(&r.underWay, "history.underway", len(r.slots), model.Plain)
		r.copies = make([]copySlot, cfg.Duplicates())
		for i := range r.copies {
			k := &r.copies[i]
			l.EachClient(&k.place, "history.copy", calls, model.Plain)
			l.EachClient(&k.ok, "history.copy.ok", 1, model.Plain)
			l.EachClient(&k.of, "history.copy.of", len(r.slots), model.Plain)
		}
	}
}

func (*recorder) kinds() []model.Kind { return append(storeKinds(), model.Send) }

// storeKinds are the kinds of action with which the store answers.
func storeKinds() []model.Kind { return append(model.Writes(), model.Read, model.Claim) }

func (r *recorder) watch(prev model.State, a model.Action, next model.State) bool {
	c := int(a.Client)
	if a.Kind == model.Arrive || a.Kind == model.ArriveTwice {
		r.arrives(prev, a, next)
		return false
	}
	round := r.w.Config.Rounds - r.w.RoundsLeft(prev, c)
	i := round*r.perRound + r.slotOf[c][r.w.Phase(prev, c)]
	if a.Kind == model.Send {
		r.underWay[c].Set(next, i+1)
		return false
	}
	r.enter(&r.slots[i], a, next)
	return false
}

// enter writes an operation into its slot, as the newest of the history.
func (r *recorder) enter(s *slot, a model.Action, next model.State) {
	c := int(a.Client)
	s.place[c].Set(next, r.more(next))
	s.token[c].Set(next, int(a.Token))
	if a.OK {
		s.ok[c].Set(next, 1)
		if a.Kind == model.Read {
			s.value[c].Set(next, int(a.Value))
		}
	}
}

// more is the place of the next operation.
func (r *recorder) more(next model.State) int {
	n := r.count.Get(next) + 1
	r.count.Set(next, n)
	return n
}

// arrives enters a write that was under way, or the copy of one that was entered
// before.
func (r *recorder) arrives(prev model.State, a model.Action, next model.State) {
	c := int(a.Client)
	i := r.underWay[c].Get(prev) - 1
	if a.Kind == model.Arrive {
		r.underWay[c].Set(next, 0)
	}
	if r.slots[i].place[c].Get(prev) == 0 {
		r.enter(&r.slots[i], a, next)
		return
	}
	for k := range r.copies {
		if s := &r.copies[k]; s.place[c].Get(prev) == 0 {
			s.place[c].Set(next, r.more(next))
			s.of[c].Set(next, i+1)
			if a.OK {
				s.ok[c].Set(next, 1)
			}
			return
		}
	}
	panic("checker: more copies than the world allows")
}

// history reads back what the state has recorded.
func (r *recorder) history(s model.State) history {
	h := make(history, r.count.Get(s))
	for i := range r.slots {
		sl := &r.slots[i]
		for c := range r.w.Config.Clients {
			if n := sl.place[c].Get(s); n > 0 {
				k := i % r.perRound
				h[n-1] = op{kind: r.kindOf[c][k], client: c, object: r.objectOf[c][k], round: i / r.perRound, token: sl.token[c].Get(s), ok: sl.ok[c].Get(s) != 0, value: sl.value[c].Get(s)}
				if h[n-1].kind == model.Write {
					h[n-1].serial = r.serialOf[c][k]
				}
			}
		}
	}
	for i := range r.copies {
		sl := &r.copies[i]
		for c := range r.w.Config.Clients {
			if n := sl.place[c].Get(s); n > 0 {
				of := r.slots[sl.of[c].Get(s)-1].place[c].Get(s)
				h[n-1] = h[of-1]
				h[n-1].ok, h[n-1].copyOf = sl.ok[c].Get(s) != 0, of
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

func (historyMonitor) kinds() []model.Kind { return storeKinds() }

func (m historyMonitor) watch(_ model.State, _ model.Action, next model.State) bool {
	r := *m.r
	return !m.legal(r.all.judge(r.history(next)))
}
