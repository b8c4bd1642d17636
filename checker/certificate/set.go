package certificate

import "slices"

// set is a sorted list of states, one after another.
type set struct {
	words int
	list  []uint64
}

func (s *set) len() int { return len(s.list) / s.words }

func (s *set) at(i int) []uint64 { return s.list[i*s.words : (i+1)*s.words] }

// has looks a state up by halving: a table of hashes would be faster and take
// as much memory again.
func (s *set) has(state []uint64) bool {
	low, high := 0, s.len()
	for low < high {
		mid := int(uint(low+high) >> 1)
		if slices.Compare(s.at(mid), state) < 0 {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low < s.len() && slices.Equal(s.at(low), state)
}
