package disk

import "math/bits"

// compare orders states as words in a dictionary.
func compare(a, b []uint64) int {
	for i := range a {
		if a[i] != b[i] {
			if a[i] < b[i] {
				return -1
			}
			return 1
		}
	}
	return 0
}

// A digit is some bits of one word of a state, by which states are sorted.
type digit struct {
	word  int
	shift uint
	mask  uint64
}

func (d digit) of(s []uint64) uint64 { return s[d.word] >> d.shift & d.mask }

// spread is which bits differ among some states, in the first word in which any
// do.
type spread struct {
	word int // width of a state if they are all equal
	bits uint64
}

// differing is the spread of states.
func differing(states []uint64, width int) spread {
	if width == 1 {
		var diff uint64
		for _, w := range states {
			diff |= w ^ states[0]
		}
		return spreadOf([]uint64{diff})
	}
	diff := make([]uint64, 0, 16)
	diff = append(diff, make([]uint64, width)...)
	for at := 0; at < len(states); at += width {
		for i := range diff {
			diff[i] |= states[at+i] ^ states[i]
		}
	}
	return spreadOf(diff)
}

func spreadOf(diff []uint64) spread {
	for i, d := range diff {
		if d != 0 {
			return spread{i, d}
		}
	}
	return spread{word: len(diff)}
}

// digit is the highest so many bits, from the highest that differs downwards.
func (s spread) digit(n uint) digit {
	top := uint(bits.Len64(s.bits))
	return digit{s.word, top - min(top, n), 1<<min(top, n) - 1}
}

// sortStates sorts states in place, with tmp, which is as long, as scratch, and
// drops those that are there already. It returns what is left.
//
// It is a radix sort from the highest digit down, each digit being the highest
// bits that differ: packed states have many bits that do not, and these cost
// nothing.
func sortStates(a, tmp []uint64, width int) []uint64 {
	radix(a, tmp[:len(a)], width)
	return unique(a, width)
}

func radix(a, tmp []uint64, width int) {
	n := len(a) / width
	if n <= 24 {
		insertion(a, width)
		return
	}
	s := differing(a, width)
	if s.word == width {
		return
	}
	bitsOf := uint(8)
	if n < 256 {
		bitsOf = 5
	}
	d := s.digit(bitsOf)
	var to [257]int
	for at := 0; at < len(a); at += width {
		to[1+d.of(a[at:at+width])] += width
	}
	for i := range 256 {
		to[i+1] += to[i]
	}
	from := to
	if width == 1 {
		for _, w := range a {
			x := w >> d.shift & d.mask
			tmp[to[x]] = w
			to[x]++
		}
	} else {
		for at := 0; at < len(a); at += width {
			x := d.of(a[at : at+width])
			copy(tmp[to[x]:to[x]+width], a[at:at+width])
			to[x] += width
		}
	}
	copy(a, tmp)
	if d.shift == 0 && d.word == width-1 {
		return // there is no lower digit
	}
	for i := range int(d.mask) + 1 {
		if part := a[from[i]:from[i+1]]; len(part) > width {
			radix(part, tmp[from[i]:from[i+1]], width)
		}
	}
}

func insertion(a []uint64, width int) {
	if width == 1 {
		for i := 1; i < len(a); i++ {
			w := a[i]
			j := i
			for ; j > 0 && a[j-1] > w; j-- {
				a[j] = a[j-1]
			}
			a[j] = w
		}
		return
	}
	var buf [16]uint64
	s := append(buf[:0], a[:min(width, len(a))]...)
	for i := width; i < len(a); i += width {
		j := i
		copy(s, a[i:i+width])
		for ; j > 0 && compare(a[j-width:j], s) > 0; j -= width {
			copy(a[j:j+width], a[j-width:j])
		}
		copy(a[j:j+width], s)
	}
}

// unique drops, of sorted states, those that are there already.
func unique(a []uint64, width int) []uint64 {
	if len(a) == 0 {
		return a
	}
	k := width
	for at := width; at < len(a); at += width {
		if compare(a[at:at+width], a[k-width:k]) != 0 {
			if k != at {
				copy(a[k:k+width], a[at:at+width])
			}
			k += width
		}
	}
	return a[:k]
}

// merge appends two sorted lists of states that have none in common, or, of one
// that is in both, one.
func merge(dst, a, b []uint64, width int) []uint64 {
	if width == 1 {
		for len(a) > 0 && len(b) > 0 {
			x, y := a[0], b[0]
			if x <= y {
				dst = append(dst, x)
				a = a[1:]
				if x == y {
					b = b[1:]
				}
			} else {
				dst = append(dst, y)
				b = b[1:]
			}
		}
	} else {
		for len(a) > 0 && len(b) > 0 {
			switch compare(a[:width], b[:width]) {
			case 0:
				b = b[width:]
				fallthrough
			case -1:
				dst = append(dst, a[:width]...)
				a = a[width:]
			default:
				dst = append(dst, b[:width]...)
				b = b[width:]
			}
		}
	}
	return append(append(dst, a...), b...)
}

// seek is the place, from at on, of the first of the sorted states that is not
// less than s: by steps that double, then by halving.
func seek(states []uint64, at int, s []uint64) int {
	width := len(s)
	n := len(states) / width
	less := func(i int) bool { return compare(states[i*width:(i+1)*width], s) < 0 }
	if at >= n || !less(at) {
		return at
	}
	step := 1
	for at+step < n && less(at+step) {
		at += step
		step *= 2
	}
	lo, hi := at, min(at+step, n) // less(lo), not less(hi)
	for hi-lo > 1 {
		if mid := int(uint(lo+hi) / 2); less(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

// without drops from sorted states those that are among others, sorted too.
func without(states, others []uint64, width int) []uint64 {
	if len(states) == 0 || len(others) == 0 {
		return states
	}
	k, at := 0, 0
	n := len(others) / width
	for i := 0; i < len(states); i += width {
		s := states[i : i+width]
		at = seek(others, at, s)
		if at < n && compare(others[at*width:(at+1)*width], s) == 0 {
			continue
		}
		if k != i {
			copy(states[k:k+width], s)
		}
		k += width
	}
	return states[:k]
}
