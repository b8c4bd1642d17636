package explore

// Side keeps one value beside each state of a finished graph.
type Side[T any] struct{ of [shards][]T }

// NewSide makes room for one value per state of g, each the zero value.
func NewSide[T any](g *Graph) *Side[T] {
	s := &Side[T]{}
	for i := range s.of {
		s.of[i] = make([]T, g.shards[i].n)
	}
	return s
}

// At is the value beside a state. Different states can be used by different
// goroutines.
func (s *Side[T]) At(id ID) *T { return &s.of[id%shards][id>>shardBits] }
