package explore

// cost is a pair (P, Q) whose order as a number is the lexicographic one.
type cost uint64

const (
	oneP cost = 1 << 32
	oneQ cost = 1

	never cost = 1<<64 - 1 // more than anything costs
)

func (c cost) p() int { return int(c >> 32) }
func (c cost) q() int { return int(c & (oneP - 1)) }

// In each order a transition adds one of two costs to that of the state it
// leaves, depending on whether it is slow:
//
//	             not slow   slow
//	StepsFirst   (1,0)      (1,1)*
//	SlowFirst    (0,1)      (1,1)*
//	FastFirst    (1,1)*     (0,1)
//
// The starred ones are held back. Why that, and only that, yields least
// costs: let the search expand buckets in order of their cost, and let it
// put states into buckets in that order too. A state put into bucket C is
// there rightly if all states that cost less are known by then. Their last
// transition comes from a bucket that costs less than C by one of the two
// pairs. Let B be the bucket in expansion.
//
// StepsFirst, B = (p,q): states go to (p+1,q) at once. Cheaper ones with
// p+1 come from (p,q') with q' < q at once or with q' < q-1 as held back;
// all those buckets are done and their held-back candidates put in place.
// Those of B itself must wait until B is done, since any state of B could
// still find the same state cheaper; then they make the bucket (p+1,q+1),
// or its beginning: the bucket (p,q+1), if there is one, will add to it.
//
// SlowFirst and FastFirst, B = (p,q): states go to (p,q+1) at once. Cheaper
// ones with the same p have at most q steps and were found before. What
// raises p goes to (p+1,q+1), and every bucket (p,…) could still find the
// same state cheaper, so it waits until nothing is left with p. Then the
// buckets (p+1,q') come up by rising q'; each begins with what (p+1,q'-1)
// found at once and ends with what was held back for it.
//
// So each order needs one rule of when the held-back candidates are due,
// and in all three they come due in the order in which they were put by:
// a queue is enough.

// rule is what an order means to a wave.
type rule struct {
	order Order
	// quick is what a transition costs that is not held back. One that is
	// costs (1,1).
	quick cost
	// flip is 1 if the transitions held back are those that are not slow.
	flip uint64
}

const heldCost = oneP + oneQ

func ruleOf(o Order) rule {
	switch o {
	case SlowFirst:
		return rule{o, oneQ, 0}
	case FastFirst:
		return rule{o, oneQ, 1}
	}
	return rule{o, oneP, 0}
}

// kind is where a transition's target goes: 0 at once, 1 held back.
func (r *rule) kind(n Note) uint64 { return uint64(n)>>63 ^ r.flip }

// costs by kind, for the targets of a bucket's transitions.
func (r *rule) costs(c cost) [2]cost { return [2]cost{c + r.quick, c + heldCost} }
