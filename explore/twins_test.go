package explore

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"testing"
)

// digest is of everything that a graph says, but how long it took.
func digest(g *Graph) string {
	h := fnv.New64a()
	var buf []byte
	for id, s := range g.All() {
		buf = binary.LittleEndian.AppendUint64(buf[:0], uint64(id)<<32|uint64(g.Parent(id)))
		for _, w := range s {
			buf = binary.LittleEndian.AppendUint64(buf, w)
		}
		h.Write(buf)
	}
	fmt.Fprint(h, g.Buckets(), g.Transitions(), g.Expanded(), g.Ended())
	p, q, ok := g.Complete()
	fmt.Fprint(h, p, q, ok)
	for i := range MaxMarks {
		f, _ := g.Found(i)
		fmt.Fprint(h, f)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// Neither the number of workers nor chance may show in an answer, wherever a
// search ends.
func TestWorkersDoNotShow(t *testing.T) {
	list := worlds()
	list["large"] = random{seed: 9, width: 2, nodes: 30000, degree: 6, slow: 3, rare: 500}
	for name, sys := range list {
		for _, order := range []Order{StepsFirst, SlowFirst, FastFirst} {
			for _, opts := range []Options{
				{},
				{Until: Mark(3) | Mark(40)},
				{MaxBytes: 400_000},
				{OnBucket: func(p Progress) bool { return p.States < 3000 }},
			} {
				opts.Order, opts.Workers = order, 1
				g := mustRun(t, sys, opts)
				want := digest(g)
				for _, opts.Workers = range []int{2, 7} {
					if twin := mustRun(t, sys, opts); digest(twin) != want {
						t.Errorf("%s, %+v: %d states (%v), with one worker %d (%v)",
							name, opts, twin.States(), twin.Ended(), g.States(), g.Ended())
					}
				}
			}
		}
	}
}
