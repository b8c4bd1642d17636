package model

import (
	"fmt"
	"math/bits"
	"sort"
	"strings"
)

// State is everything the system is at one instant, packed into
// Layout.Words() words. Two states are the same exactly when their words are.
type State = []uint64

// Field is the place of one variable in a packed state. The zero Field
// belongs to a variable that was not claimed: it reads as 0 and ignores what
// is set, so that rules need not ask which variables a configuration keeps.
type Field struct {
	mask  uint64
	word  uint16
	shift uint8
	trace uint8 // in a traced layout, how far away the word lies that notes a use
}

// Get reads the variable.
func (f Field) Get(s State) int {
	if f.trace != 0 {
		f.touch(s)
	}
	return int(s[f.word] >> (f.shift & 63) & f.mask)
}

// Set writes the variable. v must be within the range that was claimed.
func (f Field) Set(s State, v int) {
	if f.trace != 0 {
		f.touch(s)
	}
	w := &s[f.word]
	*w = *w&^(f.mask<<(f.shift&63)) | (uint64(v)&f.mask)<<(f.shift&63)
}

// touch notes in a traced state that the variable was used.
func (f Field) touch(s State) { s[f.word+uint16(f.trace)] |= f.mask << (f.shift & 63) }

// Max is the largest value that the field can hold.
func (f Field) Max() int { return int(f.mask) }

// Claimed says whether the variable has a place in the state.
func (f Field) Claimed() bool { return f.mask != 0 }

// Place is where the variable lies: the word, and the lowest bit in it. It is
// for whoever writes states down; rules do not ask.
func (f Field) Place() (word, bit int) { return int(f.word), int(f.shift) }

// Scale says what the numbers of a variable measure. Reductions and the clock
// find the variables they are concerned with by it.
type Scale uint8

const (
	// Plain numbers: phases, counts, flags.
	Plain Scale = iota
	// Countdown is a number of ticks left; the clock lowers it to 0.
	Countdown
	// Token is a fencing token, 0 for none. Only the order of tokens decides.
	Token
	// Grant is a number in the true order of grants, 0 for none.
	Grant
	// ClientRef is 0 for nobody, or a client's index + 1.
	ClientRef
)

// Var is a variable as it was claimed.
type Var struct {
	Name  string
	Max   int // largest value
	Scale Scale
	Bits  int // of one copy
	// Fields has one place for a global variable, one per client or per
	// server for the others.
	Fields    []Field
	PerClient bool
	PerServer bool

	dst *Field // of a global variable
}

// Layout gives each variable its bits. Parts of the world claim variables
// while it is open; seal places them. Each client's variables lie together in
// a record of the same shape, so that clients can be exchanged by exchanging
// records.
type Layout struct {
	Clients int
	Servers int // copies kept of what every server has
	Vars    []*Var

	words  int
	traced bool
	planes []plane
}

// plane is a part of every client's record that fits into one word.
type plane struct {
	bits int
	mask uint64
	at   []Field // the whole plane of each client
}

// MaxWords is the widest state that a layout will make.
const MaxWords = 16

// Global claims one variable with values 0..max.
func (l *Layout) Global(f *Field, name string, max int, scale Scale) {
	l.Vars = append(l.Vars, &Var{Name: name, Max: max, Scale: scale, Bits: bits.Len(uint(max)), dst: f, Fields: make([]Field, 1)})
}

// EachClient claims one variable per client with values 0..max.
func (l *Layout) EachClient(f *[]Field, name string, max int, scale Scale) {
	*f = make([]Field, l.Clients) // filled in by seal
	l.Vars = append(l.Vars, &Var{Name: name, Max: max, Scale: scale, Bits: bits.Len(uint(max)), PerClient: true, Fields: *f})
}

// EachServer claims one variable per server with values 0..max.
func (l *Layout) EachServer(f *[]Field, name string, max int, scale Scale) {
	*f = make([]Field, l.Servers) // filled in by seal
	l.Vars = append(l.Vars, &Var{Name: name, Max: max, Scale: scale, Bits: bits.Len(uint(max)), PerServer: true, Fields: *f})
}

// Words is the width of a state.
func (l *Layout) Words() int {
	if l.traced {
		return 2 * l.words
	}
	return l.words
}

// Bits is the number of bits that all variables take together.
func (l *Layout) Bits() int {
	n := 0
	for _, v := range l.Vars {
		n += v.Bits * len(v.Fields)
	}
	return n
}

// seal places all variables: the clients' records first, none across a word
// border, then the others, widest first, into what is left.
func (l *Layout) seal() error {
	for _, v := range l.Vars {
		if v.Max < 0 || v.Bits > 32 {
			return fmt.Errorf("variable %s needs %d bits, a variable may have 32", v.Name, v.Bits)
		}
	}
	var free []int // bits left in each word
	place := func(n int) Field {
		if n == 0 {
			return Field{}
		}
		i := 0
		for i < len(free) && free[i] < n {
			i++
		}
		if i == len(free) {
			free = append(free, 64)
		}
		f := Field{word: uint16(i), shift: uint8(64 - free[i]), mask: 1<<n - 1}
		if n == 64 {
			f.mask = ^uint64(0)
		}
		free[i] -= n
		return f
	}

	type spot struct{ plane, shift int }
	spots := map[*Var]spot{}
	for _, v := range l.Vars {
		if !v.PerClient || v.Bits == 0 {
			continue
		}
		p := 0
		for p < len(l.planes) && l.planes[p].bits+v.Bits > 64 {
			p++
		}
		if p == len(l.planes) {
			l.planes = append(l.planes, plane{})
		}
		spots[v] = spot{p, l.planes[p].bits}
		l.planes[p].bits += v.Bits
	}
	for i := range l.planes {
		p := &l.planes[i]
		p.mask = ^uint64(0) >> (64 - p.bits)
		for range l.Clients {
			p.at = append(p.at, place(p.bits))
		}
	}
	order := append([]*Var(nil), l.Vars...)
	sort.SliceStable(order, func(i, j int) bool { return order[i].Bits > order[j].Bits })
	for _, v := range order {
		for i := range v.Fields {
			if !v.PerClient {
				v.Fields[i] = place(v.Bits)
			} else if v.Bits > 0 {
				at, sp := l.planes[spots[v].plane].at[i], spots[v]
				v.Fields[i] = Field{word: at.word, shift: at.shift + uint8(sp.shift), mask: 1<<v.Bits - 1}
			}
		}
	}
	l.words = max(1, len(free))
	if l.words > MaxWords {
		return &SizeError{Layout: l}
	}
	for _, v := range l.Vars {
		for i := range v.Fields {
			if l.traced && v.Fields[i].Claimed() {
				v.Fields[i].trace = uint8(l.words)
			}
		}
		if v.dst != nil {
			*v.dst = v.Fields[0]
		}
	}
	return nil
}

// SizeError says that a configuration needs wider states than there are.
type SizeError struct{ Layout *Layout }

// Error lists the bits that were asked for, by field: how many copies of a
// variable, times the bits of one.
func (e *SizeError) Error() string {
	type ask struct{ copies, bits int }
	asks := map[string]*ask{}
	var names []string
	for _, v := range e.Layout.Vars {
		if v.Bits == 0 {
			continue
		}
		if asks[v.Name] == nil {
			asks[v.Name] = &ask{bits: v.Bits}
			names = append(names, v.Name)
		}
		asks[v.Name].copies += len(v.Fields)
	}
	var parts []string
	for _, n := range names {
		parts = append(parts, fmt.Sprintf("%s %d×%d", n, asks[n].copies, asks[n].bits))
	}
	return fmt.Sprintf("a state of this configuration needs %d bits in %d words, and %d words fit: %s; try fewer clients, rounds or servers, or a smaller ttl",
		e.Layout.Bits(), e.Layout.words, MaxWords, strings.Join(parts, ", "))
}

// byScale lists the places of every variable of that scale.
func (l *Layout) byScale(scale Scale) []Field {
	var out []Field
	for _, v := range l.Vars {
		if v.Scale == scale {
			for _, f := range v.Fields {
				if f.Claimed() {
					out = append(out, f)
				}
			}
		}
	}
	return out
}
