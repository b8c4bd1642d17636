package model

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRankEitherWay compares the two ways to rank with each other and with what ranks are.
func TestRankEitherWay(t *testing.T) {
	l := &Layout{Clients: 6}
	var fields []Field
	l.EachClient(&fields, "token", 200, Token)
	if err := l.seal(); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		top := []int{3, 7, 40, 63, 64, 200}[r.IntN(6)]
		a := make(State, l.Words())
		var distinct []int
		for _, f := range fields {
			if v := r.IntN(top + 1); v > 0 {
				f.Set(a, v)
				distinct = append(distinct, v)
			}
		}
		slices.Sort(distinct)
		distinct = slices.Compact(distinct)
		b, before := slices.Clone(a), slices.Clone(a)
		rank(a, fields)
		rankAny(b, fields)
		for c, f := range fields {
			want := slices.Index(distinct, f.Get(before)) + 1
			if f.Get(a) != want || f.Get(b) != want {
				t.Fatalf("client %d of %x: ranks %d and %d, want %d", c, before, f.Get(a), f.Get(b), want)
			}
		}
	}
}
