package explore_test

import (
	"context"
	"fmt"

	"dlcheck/explore"
)

// jugs are two, of three and five litres, and a tap. A state is one word: ten
// times what is in the first, plus what is in the second.
type jugs struct{}

const four = 0 // the mark on transitions that measure out four litres

func (jugs) Words() int              { return 1 }
func (jugs) Init(out *explore.Batch) { out.Add(0, 0) }
func (jugs) Worker() explore.Worker  { return jugs{} }

func (jugs) Next(state []uint64, out *explore.Batch) {
	a, b := state[0]/10, state[0]%10
	step := func(a, b uint64) {
		var note explore.Note
		if a == 4 || b == 4 {
			note = explore.Mark(four)
		}
		out.Add(note, 10*a+b)
	}
	step(3, b)
	step(a, 5)
	step(0, b)
	step(a, 0)
	pour := min(a, 5-b)
	step(a-pour, b+pour)
	pour = min(b, 3-a)
	step(a+pour, b-pour)
}

// How to measure four litres with jugs of three and five.
func Example() {
	g, err := explore.Run(context.Background(), jugs{}, explore.Options{Until: explore.Mark(four)})
	if err != nil {
		fmt.Println(err)
		return
	}
	if f, ok := g.Found(four); ok {
		fmt.Println("steps:", f.P)
		for _, state := range g.Trace(f) {
			fmt.Printf("%d of 3, %d of 5\n", state[0]/10, state[0]%10)
		}
	}
	// Output:
	// steps: 6
	// 0 of 3, 0 of 5
	// 0 of 3, 5 of 5
	// 3 of 3, 2 of 5
	// 0 of 3, 2 of 5
	// 2 of 3, 0 of 5
	// 2 of 3, 5 of 5
	// 3 of 3, 4 of 5
}
