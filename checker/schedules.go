package checker

import (
	"context"
	"encoding/binary"
	"math/big"
	"slices"

	"dlcheck/explore"
	"dlcheck/model"
	"dlcheck/traces"
)

// A schedule is a path of actions, and here all nearest ones to a finding are
// kept at once, as a graph without cycles: places, and the steps from each to the
// next. Clients have their own names in it, and other values are reduced. A
// reduction merges states from which the same actions lead to merged states, so
// there are as many paths of actions in the reduced world as in the one it
// stands for.
//
// Names. Schedules that differ only in which client is which, among those that
// run the same program, are one. Of all those the graph has the one in which
// clients of one program act for the first time in the order of their names:
// there is exactly one, since to rename is to choose that order. So a place is a
// state together with who has acted.
//
// Stories. Two actions are independent if neither is a tick, no client does
// both, they do not both touch the lock, nor both the store (model.Config.Touches),
// and they are not both the first of their clients. To exchange independent
// neighbours changes neither what they answer nor where they lead, so the graph
// has, with a schedule, all that differ from it in such exchanges only. They tell
// one story: they are a Mazurkiewicz trace. An exchange never puts the last
// action elsewhere: the violation would come a step sooner, and the path would
// not be nearest.
//
// Of each story exactly one schedule is taken by the sleep sets of Godefroid
// ("Partial-order methods for the verification of concurrent systems", 1996):
// steps of a place are taken in their order, and a step that was taken sleeps in
// those after it until an action comes that depends on it. A step that sleeps is
// not taken: the story in which it comes next was told where it was awake. Which
// steps sleep is known at each place, so stories are counted like paths, place by
// place, in place of being listed.
type schedules struct {
	nodes  []node
	ctx    context.Context
	room   int64 // bytes that may still be taken
	counts map[string]*big.Int
}

// node is a place where a schedule can be, with the steps from there in the order of
// World.Next.
type node struct {
	moves []move
	paths *big.Int // to the end; nil until they were counted
}

type move struct {
	call  traces.Call
	touch model.Touch
	first bool // of its client
	to    int  // a place, or theEnd
}

const theEnd = -1

// independent says whether two moves can be exchanged when they are neighbours.
func (m *move) independent(o *move) bool {
	switch {
	case m.call.Kind == model.Tick || o.call.Kind == model.Tick:
		return false
	case m.call.Client == o.call.Client && m.call.Client != model.Nobody:
		return false
	}
	return m.touch&o.touch == 0 && !(m.first && o.first)
}

// newSchedules gathers all nearest paths. It returns nil where that is
// interrupted or takes more than so many bytes.
func newSchedules(ctx context.Context, p *product, t *explore.Toward, room int64) *schedules {
	g := &schedules{ctx: ctx, room: room, counts: map[string]*big.Int{}}
	type stand struct {
		state model.State
		acted uint64
		at    explore.At
	}
	start := stand{state: p.world.Init()}
	known := map[string]int{}
	var queue []stand
	visit := func(s stand) int {
		key := make([]byte, 0, 8*(len(s.state)+1))
		for _, w := range append(slices.Clone(s.state), s.acted) {
			key = binary.LittleEndian.AppendUint64(key, w)
		}
		i, ok := known[string(key)]
		if !ok {
			i = len(queue)
			known[string(key)] = i
			queue = append(queue, s)
			g.nodes = append(g.nodes, node{})
			g.room -= int64(200 + 16*len(s.state))
		}
		return i
	}
	visit(start)
	for i := 0; i < len(queue); i++ {
		if ctx.Err() != nil || g.room < 0 {
			return nil
		}
		from := queue[i]
		queue[i].state = nil
		p.steps(from.state, func(a model.Action, note explore.Note, next, reduced model.State) bool {
			at, end, ok := t.Step(from.at, note, reduced)
			if !ok || !inOrder(&p.world.Config, from.acted, int(a.Client)) {
				return false
			}
			m := move{call: traces.CallOf(a), touch: p.world.Config.Touches(a.Kind), to: theEnd}
			acted := from.acted
			if a.Client != model.Nobody {
				acted |= 1 << a.Client
				m.first = acted != from.acted
			}
			if !end {
				m.to = visit(stand{slices.Clone(next), acted, at})
			}
			g.nodes[i].moves = append(g.nodes[i].moves, m)
			g.room -= 64
			return false
		})
	}
	return g
}

// inOrder says whether a client may act: those of its program with names before
// its own have acted.
func inOrder(cfg *model.Config, acted uint64, client int) bool {
	for c := range client { // of Nobody there are none
		if acted>>c&1 == 0 && cfg.ProgramOf(c).String() == cfg.ProgramOf(client).String() {
			return false
		}
	}
	return true
}

// count counts schedules and stories; it is false when it was interrupted or is
// out of memory.
func (g *schedules) count() bool { return g.paths(0) != nil && g.stories(0, nil) != nil }

// paths counts the schedules from a place on. It returns nil when it is
// interrupted.
func (g *schedules) paths(at int) *big.Int {
	if at == theEnd {
		return big.NewInt(1)
	}
	p := &g.nodes[at]
	if p.paths == nil {
		if g.ctx.Err() != nil {
			return nil
		}
		n := new(big.Int)
		for _, m := range p.moves {
			rest := g.paths(m.to)
			if rest == nil {
				return nil
			}
			n.Add(n, rest)
		}
		p.paths = n
	}
	return p.paths
}

// asleep is the set of moves that are not to be taken, by their places in the
// list of moves, rising.
type asleep []int

// after is what sleeps after move k of a place where others sleep.
func (g *schedules) after(at int, sleeping asleep, k int) (next asleep) {
	moves := g.nodes[at].moves
	to := moves[k].to
	if to == theEnd {
		return nil
	}
	for i := range moves {
		before := i < k || slices.Contains(sleeping, i)
		if i == k || !before || !moves[i].independent(&moves[k]) {
			continue
		}
		if j := slices.IndexFunc(g.nodes[to].moves, func(m move) bool { return m.call == moves[i].call }); j >= 0 {
			next = append(next, j)
		}
	}
	slices.Sort(next)
	return next
}

// stories counts the stories from a place on, where some moves sleep. It returns
// nil when it is interrupted or out of memory.
func (g *schedules) stories(at int, sleeping asleep) *big.Int {
	if at == theEnd {
		return big.NewInt(1)
	}
	key := binary.AppendUvarint(nil, uint64(at))
	for _, i := range sleeping {
		key = binary.AppendUvarint(key, uint64(i))
	}
	if n := g.counts[string(key)]; n != nil {
		return n
	}
	if g.room -= int64(150 + len(key)); g.room < 0 || g.ctx.Err() != nil {
		return nil
	}
	n := new(big.Int)
	for k, m := range g.nodes[at].moves {
		if slices.Contains(sleeping, k) {
			continue
		}
		rest := g.stories(m.to, g.after(at, sleeping, k))
		if rest == nil {
			return nil
		}
		n.Add(n, rest)
	}
	g.counts[string(key)] = n
	return n
}

// tell gives the first stories, one schedule of each: that which takes the first
// moves. It is for when they have been counted.
func (g *schedules) tell(most int) (all [][]*move) {
	var word []*move
	var walk func(at int, sleeping asleep)
	walk = func(at int, sleeping asleep) {
		if len(all) == most {
			return
		}
		if at == theEnd {
			all = append(all, slices.Clone(word))
			return
		}
		for k := range g.nodes[at].moves {
			if slices.Contains(sleeping, k) {
				continue
			}
			m, next := &g.nodes[at].moves[k], g.after(at, sleeping, k)
			if n := g.stories(m.to, next); n == nil || n.Sign() == 0 {
				continue
			}
			word = append(word, m)
			walk(m.to, next)
			word = word[:len(word)-1]
		}
	}
	walk(0, nil)
	return all
}

// orderings counts the schedules that tell the same story as one of them: in how
// many orders its actions can come, dependent ones as they are. Ticks depend on
// everything, so each stretch between two is counted for itself.
func orderings(word []*move) *big.Int {
	n := big.NewInt(1)
	for len(word) > 0 {
		stretch := slices.IndexFunc(word, func(m *move) bool { return m.call.Kind == model.Tick })
		switch stretch {
		case -1:
			stretch = len(word)
		case 0:
			word = word[1:]
			continue
		}
		n.Mul(n, extensions(word[:stretch]))
		word = word[stretch:]
	}
	return n
}

// extensions counts the orders of a stretch: how many ways lead from nothing
// done to everything done, by the sets of what is done.
func extensions(word []*move) *big.Int {
	now := map[string]*big.Int{string(make([]byte, len(word))): big.NewInt(1)}
	for range word {
		next := map[string]*big.Int{}
		for done, n := range now {
			for i := range word {
				free := done[i] == 0
				for j := 0; free && j < i; j++ {
					free = done[j] != 0 || word[j].independent(word[i])
				}
				if !free {
					continue
				}
				more := []byte(done)
				more[i] = 1
				if next[string(more)] == nil {
					next[string(more)] = new(big.Int)
				}
				next[string(more)].Add(next[string(more)], n)
			}
		}
		now = next
	}
	for _, n := range now {
		return n
	}
	return big.NewInt(1)
}
