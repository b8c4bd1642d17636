package disk

import "dlcheck/explore"

// cost is a pair (P, Q) whose order as a number is the lexicographic one; see
// package explore. With candidates of every bucket to come by themselves there is
// nothing to argue here: a bucket is opened when it is the cheapest, transitions
// raise the cost, so all its candidates are there, and those among them that are
// not in a cheaper bucket cost just that.
type cost uint64

const never cost = 1<<64 - 1

func costOf(p, q int) cost { return cost(p)<<32 | cost(q) }
func (c cost) p() int      { return int(c >> 32) }
func (c cost) q() int      { return int(c & (1<<32 - 1)) }

// rule is what transitions cost, by kind: 0 is the kind that costs less.
type rule struct {
	costs [2]cost
	flip  uint64
}

func ruleOf(o explore.Order) rule {
	both := costOf(1, 1)
	switch o {
	case explore.SlowFirst:
		return rule{[2]cost{costOf(0, 1), both}, 0}
	case explore.FastFirst:
		return rule{[2]cost{costOf(0, 1), both}, 1}
	}
	return rule{[2]cost{costOf(1, 0), both}, 0}
}

func (r *rule) kind(n explore.Note) uint64 { return uint64(n)>>63 ^ r.flip }
