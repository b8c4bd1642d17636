package checker

import (
	"fmt"
	"slices"
	"sync"

	"dlcheck/model"
)

// Saw is what the first search of a check saw, for whoever doubts that its world
// is the one that was meant.
type Saw struct {
	// Actions counts transitions by kind of action and answer, in the order of
	// names; what is not there was never taken.
	Actions []ActionCount
	// OutDegree has the expanded states out of which so many transitions lead, from
	// 0; the last of 256 has those with more too.
	OutDegree []uint64
	// ByTick has the states that were first reached with so many ticks.
	ByTick []uint64
	// Fields are the variables of a state, with the bits that all their copies
	// take together.
	Fields []FieldBits
}

// ActionCount is how many transitions are actions of that kind.
type ActionCount struct {
	Kind    string
	Yes, No uint64 // granted or accepted, and refused; what is not answered is yes
}

// FieldBits is a variable of a state.
type FieldBits struct {
	Name         string
	Copies, Bits int
}

// counter counts what one worker sees.
type counter struct {
	actions [256][2]uint64 // by kind and answer
	degrees [256]uint64    // states, by how many transitions lead out of them; more count as the most
}

// counters are those of all workers of a product.
type counters struct {
	mu  sync.Mutex
	all []*counter
	was *counter // what was counted before the search was resumed; one of all
}

func (c *counters) more() *counter {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = append(c.all, new(counter))
	return c.all[len(c.all)-1]
}

// restore makes them come to what they were when a search was saved, before anything
// is counted.
func (c *counters) restore(saved []ActionCount, degrees []uint64) error {
	if c.was == nil {
		c.was = c.more()
	}
	*c.was = counter{}
	for _, a := range saved {
		i := slices.Index(model.Kinds(), a.Kind)
		if i < 0 {
			return fmt.Errorf("there is no kind of action %q", a.Kind)
		}
		c.was.actions[i] = [2]uint64{a.No, a.Yes}
	}
	if copy(c.was.degrees[:], degrees) < len(degrees) {
		return fmt.Errorf("%d numbers of transitions", len(degrees))
	}
	return nil
}

// actions adds them up.
func (c *counters) actions() (out []ActionCount) {
	for i, name := range model.Kinds() {
		a := ActionCount{Kind: name}
		for _, one := range c.all {
			a.No += one.actions[i][0]
			a.Yes += one.actions[i][1]
		}
		if a.Yes+a.No > 0 {
			out = append(out, a)
		}
	}
	slices.SortFunc(out, func(a, b ActionCount) int {
		if a.Kind < b.Kind {
			return -1
		}
		return 1
	})
	return out
}

// degrees adds them up, up to the last that is not 0.
func (c *counters) degrees() []uint64 {
	var sum [256]uint64
	last := 0
	for _, one := range c.all {
		for i, n := range one.degrees {
			if sum[i] += n; n > 0 {
				last = max(last, i)
			}
		}
	}
	return slices.Clone(sum[:last+1])
}

// saw describes a search whose product counted.
func saw(p *product, g graph) *Saw {
	s := &Saw{Actions: p.counters.actions(), OutDegree: p.counters.degrees()}
	for _, b := range g.Buckets() {
		for len(s.ByTick) <= b.P {
			s.ByTick = append(s.ByTick, 0)
		}
		s.ByTick[b.P] += b.States
	}
	for _, v := range p.world.Layout.Vars {
		if v.Bits == 0 {
			continue
		}
		i := slices.IndexFunc(s.Fields, func(f FieldBits) bool { return f.Name == v.Name })
		if i < 0 {
			i = len(s.Fields)
			s.Fields = append(s.Fields, FieldBits{Name: v.Name})
		}
		s.Fields[i].Copies += len(v.Fields)
		s.Fields[i].Bits += v.Bits * len(v.Fields)
	}
	return s
}
