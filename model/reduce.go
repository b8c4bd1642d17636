package model

import (
	"math/bits"
	"slices"
)

// canon brings a state into the one form that stands for all states that
// cannot be told apart.
type canon struct {
	tokens, grants []Field
	refs           []Field
	// classes are the clients that run one program and so can be exchanged.
	classes [][]uint8
	// servers are nil where they cannot be exchanged.
	servers *serverRecords
}

func newCanon(w *World) canon {
	var k canon
	if w.Reduce.Tokens {
		k.tokens, k.grants = w.Layout.byScale(Token), w.Layout.byScale(Grant)
		for _, f := range k.tokens {
			if len(k.tokens) >= f.Max()+1 && w.MaxToken() < w.Config.inAllRounds(w.Config.Clients) {
				panic("model: more variables of scale Token than Needs.TokenVars says")
			}
		}
	}
	if w.Reduce.Clients {
		k.refs = w.Layout.byScale(ClientRef)
		k.classes = classes(&w.Config)
	}
	if w.Reduce.Servers && w.Layout.Servers > 1 {
		k.refs = nil // they are part of servers' records
		k.servers = newServerRecords(w.Layout)
	}
	return k
}

// classes lists the clients by program, leaving out those that nobody shares
// a program with.
func classes(cfg *Config) (all [][]uint8) {
	var of []string
next:
	for c := range cfg.Clients {
		p := cfg.ProgramOf(c).String()
		for i := range of {
			if of[i] == p {
				all[i] = append(all[i], uint8(c))
				continue next
			}
		}
		of, all = append(of, p), append(all, []uint8{uint8(c)})
	}
	return slices.DeleteFunc(all, func(c []uint8) bool { return len(c) < 2 })
}

// Settle replaces tokens and grant numbers by their ranks, where that
// reduction is on. Rules only compare tokens and make one that is larger than
// all, so that distances between them cannot matter (Ip and Dill, "Better
// verification through symmetry", on scalarsets, has the same argument for
// values that are only compared). Clients keep their names.
func (w *World) Settle(s State) {
	if len(w.canon.tokens) > 0 {
		rank(s, w.canon.tokens)
	}
	if len(w.canon.grants) > 0 {
		rank(s, w.canon.grants)
	}
}

// rank replaces the numbers in fields by 1, 2, 3 … in their order; 0 is not
// a number and stays. Numbers below 64, which ranked ones are but in very large
// worlds, make a set in one word: in a reduced search of 8 clients to sort them
// took a third of the time.
func rank(s State, fields []Field) {
	set := uint64(0)
	for _, f := range fields {
		v := f.Get(s)
		if v >= 64 {
			rankAny(s, fields)
			return
		}
		set |= 1 << v
	}
	set &^= 1
	if gaps := set>>1 + 1; set>>1&gaps == 0 {
		return // already 1, 2, 3 …
	}
	for _, f := range fields {
		if v := f.Get(s); v > 0 {
			f.Set(s, bits.OnesCount64(set&(1<<v-1))+1)
		}
	}
}

// rankAny is rank for numbers of any size.
func rankAny(s State, fields []Field) {
	var buf [64]int
	vals := buf[:0]
	top := 0
	for _, f := range fields {
		v := f.Get(s)
		top = max(top, v)
		i := len(vals)
		for i > 0 && vals[i-1] > v {
			i--
		}
		if v == 0 || i > 0 && vals[i-1] == v {
			continue
		}
		vals = append(vals, 0)
		copy(vals[i+1:], vals[i:])
		vals[i] = v
	}
	if top == len(vals) {
		return // already 1, 2, 3 …
	}
	for _, f := range fields {
		v := f.Get(s)
		for i, u := range vals {
			if u == v {
				f.Set(s, i+1)
				break
			}
		}
	}
}

// Canonical settles s and then puts the records of clients and of servers in
// order, where those are interchangeable: any two states that differ only in the
// names of clients and of servers become one. The order is exact, not a
// heuristic, since records are compared whole, together with who holds what.
func (w *World) Canonical(s State) { w.CanonicalNames(s, nil) }

// CanonicalNames does what Canonical does and notes in names, unless it is
// nil, what each client is called in the new form.
func (w *World) CanonicalNames(s State, names *[MaxClients]int) {
	w.Settle(s)
	var order [MaxClients]uint8 // whose record comes to each place
	for i := range order {
		order[i] = uint8(i)
	}
	if w.canon.servers != nil {
		w.arrangeBoth(s, &order)
	} else if len(w.canon.classes) > 0 {
		w.arrangeClients(s, &order)
	}
	if names != nil {
		for i := range w.Config.Clients {
			names[order[i]] = i
		}
	}
}

// arrangeClients puts clients in order, where servers have names.
func (w *World) arrangeClients(s State, order *[MaxClients]uint8) {
	var holds [MaxClients]uint64 // of the first refs
	for i, f := range w.canon.refs[:min(64, len(w.canon.refs))] {
		if c := f.Get(s); c > 0 {
			holds[c-1] |= 1 << i
		}
	}
	if w.sortClients(s, &holds, order) {
		return
	}
	w.moveClients(s, order)
	var newName [MaxClients]int
	for i := range w.Config.Clients {
		newName[order[i]] = i
	}
	for _, f := range w.canon.refs {
		if c := f.Get(s); c > 0 {
			f.Set(s, newName[c-1]+1)
		}
	}
}

// sortClients sorts those of one program by record and then by mark. It says
// whether they were in order.
func (w *World) sortClients(s State, marks *[MaxClients]uint64, order *[MaxClients]uint8) (sorted bool) {
	sorted = true
	for _, places := range w.canon.classes {
		for i, c := range places {
			j := i
			for j > 0 && w.less(s, marks, int(c), int(order[places[j-1]])) {
				order[places[j]] = order[places[j-1]]
				j--
				sorted = false
			}
			order[places[j]] = c
		}
	}
	return sorted
}

// moveClients brings clients' records to their places.
func (w *World) moveClients(s State, order *[MaxClients]uint8) {
	n := w.Config.Clients
	planes := w.Layout.planes
	for p := range planes {
		var old [MaxClients]uint64
		at := planes[p].at
		for i := range n {
			old[i] = at[i].get64(s)
		}
		for i := range n {
			at[i].set64(s, old[order[i]])
		}
	}
}

func (w *World) less(s State, marks *[MaxClients]uint64, a, b int) bool {
	planes := w.Layout.planes
	for p := range planes {
		x, y := planes[p].at[a].get64(s), planes[p].at[b].get64(s)
		if x != y {
			return x < y
		}
	}
	if marks[a] != marks[b] || len(w.canon.refs) <= 64 {
		return marks[a] < marks[b]
	}
	for _, f := range w.canon.refs[64:] {
		if c := f.Get(s) - 1; c == a || c == b {
			return c == b // the first that only one of them has is b's
		}
	}
	return false
}

func (f Field) get64(s State) uint64 { return s[f.word] >> (f.shift & 63) & f.mask }
func (f Field) set64(s State, v uint64) {
	w := &s[f.word]
	*w = *w&^(f.mask<<(f.shift&63)) | v<<(f.shift&63)
}
