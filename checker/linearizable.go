package checker

import (
	"github.com/anishathalye/porcupine"

	"dlcheck/model"
)

// register is the sequential store of a policy: how it judges a token, given
// the highest one accepted. It is written apart from the model's stores, since
// it judges them.
type register struct {
	read, write, claim func(token, highest int) (ok bool, newHighest int)
	// versioned: a write is accepted on the version that its writer knows.
	versioned bool
	// free: whether a write is accepted depends on the lock, of which the
	// history of the store knows nothing; either answer is legal.
	free bool
}

func always(_, highest int) (bool, int) { return true, highest }

func notSmaller(token, highest int) (bool, int) {
	return token >= highest, max(token, highest)
}

func larger(token, highest int) (bool, int) {
	return token > highest, max(token, highest)
}

// onlyFirst takes highest for the token that came first.
func onlyFirst(token, highest int) (bool, int) {
	if highest == 0 {
		return true, token
	}
	return token == highest, highest
}

// registers are the sequential stores, by the name of the policy.
var registers = map[string]register{
	"plain":       {read: always, write: always, claim: always},
	"fenced":      {read: always, write: notSmaller, claim: notSmaller},
	"strict":      {read: always, write: larger, claim: larger},
	"conditional": {read: always, write: always, claim: always, versioned: true},
	"guarded":     {read: always, write: always, claim: always, free: true},
	"equal":       {read: always, write: onlyFirst, claim: onlyFirst},
	"claimed":     {read: notSmaller, write: notSmaller, claim: notSmaller},
	// check, then act: only the claim is judged
	"two-step": {read: always, write: always, claim: notSmaller},
}

// call and answer are an operation as porcupine sees it. Contents are named by
// the place of the write that made them, 0 for the content at the start, and
// none for a content that nobody wrote.
type call struct {
	kind    model.Kind
	token   int
	serial  int // of a write
	object  int
	content int // of a write: what it writes
	base    int // of a write: the content that it builds on, or nothing
}

type answer struct {
	ok      bool
	content int // of a read: what it was answered
}

// Contents that no place of a write names.
const (
	none    = -1 // nobody wrote it
	nothing = -2 // a blind write builds on nothing
)

// written has for each accepted write the content that it leaves. A content is
// named by the place of the write that made it, from 1. A write makes a new one;
// only a copy of the very write whose content is there still changes nothing.
func (h history) written() []int {
	out := make([]int, len(h))
	var content, request [model.MaxObjects]int // what is there, and the write that was asked for it
	for i, o := range h {
		if o.kind != model.Write || !o.ok {
			continue
		}
		asked := i + 1
		if o.copyOf > 0 {
			asked = o.copyOf
		}
		if asked != request[o.object] {
			content[o.object], request[o.object] = i+1, asked
		}
		out[i] = content[o.object]
	}
	return out
}

// contents translates versions of an object into contents.
func (h history) contents() func(object, version int) int {
	var made [model.MaxObjects][]int
	for i, content := range h.written() {
		if content == i+1 {
			made[h[i].object] = append(made[h[i].object], content)
		}
	}
	return func(object, version int) int {
		switch {
		case version == 0:
			return 0
		case version > len(made[object]):
			return none
		}
		return made[object][version-1]
	}
}

// sequential names a sequential store.
type sequential struct {
	name   string // of the policy
	serial bool   // it also looks at serial numbers
	each   bool   // it has a fence for each object
}

func sequentialOf(cfg *model.Config) sequential {
	return sequential{cfg.Store, cfg.Serial(), cfg.FenceEach()}
}

// linearizable asks porcupine whether the single operations have a legal order
// against the sequential store of the policy. An interval is closed in
// porcupine, so the i-th operation takes [2i, 2i+1].
func linearizable(store sequential, h history) bool {
	type state struct {
		content, highest [model.MaxObjects]int
		token, serial    int
	}
	reg := registers[store.name]
	m := porcupine.Model{
		Init: func() any { return state{} },
		Step: func(st, in, out any) (bool, any) {
			s, c, a := st.(state), in.(call), out.(answer)
			judge := map[model.Kind]func(int, int) (bool, int){model.Read: reg.read, model.Write: reg.write, model.Claim: reg.claim}[c.kind]
			fence := 0
			if store.each {
				fence = c.object
			}
			ok, highest := judge(c.token, s.highest[fence])
			if c.kind == model.Write {
				ok = ok && (!reg.versioned || c.base == nothing || c.base == s.content[c.object])
				if reg.free {
					ok = a.ok
				}
				ok = ok && (!store.serial || c.token != s.token || c.serial > s.serial)
			}
			if ok != a.ok {
				return false, s
			}
			if !ok {
				return true, s
			}
			if c.kind == model.Read && a.content != s.content[c.object] {
				return false, s
			}
			s.highest[fence] = highest
			if c.kind == model.Write {
				s.content[c.object], s.token, s.serial = c.content, c.token, c.serial
			}
			return true, s
		},
	}
	content := h.contents()
	base, written := h.bases(), h.written()
	var ops []porcupine.Operation
	for i, o := range h {
		a := answer{ok: o.ok}
		if o.kind == model.Read && o.ok {
			a.content = content(o.object, o.value)
		}
		ops = append(ops, porcupine.Operation{
			ClientId: o.client,
			Input:    call{o.kind, o.token, o.serial, o.object, written[i], base[i]}, Output: a,
			Call: int64(2 * i), Return: int64(2*i + 1),
		})
	}
	return porcupine.CheckOperations(m, ops)
}

// section is an acknowledged write with what it was computed from.
type section struct {
	op, base int // places in the history: of the write, of where its base was learnt
	blind    bool
	baseOn   int // content it builds on, if not blind
	makes    int // content it makes
	client   int
	object   int
}

// sections lists the acknowledged sections of a history. A section is one
// atomic read-modify-write: it begins with the read whose answer it builds on
// and ends with its acknowledged write. A second write after the same read
// builds on what the first one made. A write without a read before it, in its
// round, is blind: it builds on nothing.
func (h history) sections() []section {
	base, at, written := h.bases(), h.learntAt(), h.written()
	var out []section
	for i, o := range h {
		if written[i] != i+1 {
			continue // no accepted write, or one that changes nothing
		}
		out = append(out, section{op: i, base: at[i], blind: base[i] == nothing, baseOn: base[i], makes: i + 1, client: o.client, object: o.object})
	}
	return out
}

// learn goes through the history and calls write for each write with the place
// where its writer learnt what it builds on, and that content: its last read in
// this round or its own accepted write since. at is the write's own place, and
// content nothing, for a blind one.
func (h history) learn(write func(i, at, content int)) {
	content := h.contents()
	type learnt struct{ at, content int }
	type round struct{ client, round, object int }
	base := map[round]learnt{}
	from := make([]learnt, len(h)) // by write
	for i, o := range h {
		in := round{o.client, o.round, o.object}
		switch {
		case o.kind == model.Read && o.ok:
			base[in] = learnt{i, content(o.object, o.value)}
		case o.kind == model.Write:
			b, read := base[in]
			switch {
			case o.copyOf > 0 && from[o.copyOf-1].content != nothing:
				b = from[o.copyOf-1]
			case o.copyOf > 0, !read:
				b = learnt{i, nothing}
			case o.ok:
				base[in] = learnt{i, i + 1}
			}
			from[i] = b
			write(i, b.at, b.content)
		}
	}
}

// bases has for each write the content that it builds on, or nothing.
func (h history) bases() []int {
	out := make([]int, len(h))
	h.learn(func(i, _, content int) { out[i] = content })
	return out
}

// learntAt has for each write the place where its writer learnt that content.
func (h history) learntAt() []int {
	out := make([]int, len(h))
	h.learn(func(i, at, _ int) { out[i] = at })
	return out
}

// sectionsLinearizable asks porcupine whether the acknowledged sections have a
// legal order as atomic read-modify-writes, and end in the content that the
// store is left with: a read of the content by nobody in particular, after
// everything.
func sectionsLinearizable(h history) bool {
	all := h.sections()
	type contents [model.MaxObjects]int
	m := porcupine.Model{
		Init: func() any { return contents{} },
		Step: func(st, in, _ any) (bool, any) {
			now := st.(contents)
			if end, is := in.(contents); is {
				return end == now, now
			}
			s := in.(section)
			if !s.blind && s.baseOn != now[s.object] {
				return false, now
			}
			now[s.object] = s.makes
			return true, now
		},
	}
	var ops []porcupine.Operation
	var last contents
	for _, s := range all {
		ops = append(ops, porcupine.Operation{ClientId: s.client, Input: s, Call: int64(2 * s.base), Return: int64(2*s.op + 1)})
		last[s.object] = s.makes
	}
	end := int64(2 * len(h))
	ops = append(ops, porcupine.Operation{ClientId: model.MaxClients, Input: last, Call: end, Return: end + 1})
	return porcupine.CheckOperations(m, ops)
}
