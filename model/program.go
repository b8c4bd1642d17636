package model

import (
	"fmt"
	"strconv"
	"strings"
)

// Op is one step of a client's program: what is done, and to which of the store's
// objects.
type Op uint8

// The steps a program is made of. Acquire comes first and Release last.
const (
	OpAcquire Op = iota
	OpRead
	OpWrite
	OpRelease
	OpCheck // ask the lock service "do I still hold it?"; if not, skip to release
	OpClaim // tell the store the token
	OpWork  // do something that touches neither the lock nor the store
)

var opNames = [...]string{"acquire", "read", "write", "release", "check", "claim", "work"}

// MaxObjects is how many objects a store can have.
const MaxObjects = 8

// On is the step on that object, counted from 0.
func (o Op) On(object int) Op { return o&15 | Op(object)<<4 }

// Base is the step on the first object.
func (o Op) Base() Op { return o & 15 }

// Object is the object that the step is about, counted from 0.
func (o Op) Object() int { return int(o >> 4) }

// String gives the step as a program has it; the first object goes unsaid.
func (o Op) String() string {
	name := opNames[o.Base()]
	if o.Object() > 0 {
		name += " " + strconv.Itoa(o.Object()+1)
	}
	return name
}

// usesStore says whether the step is a call to the store.
func (o Op) usesStore() bool { return o.Base() == OpRead || o.Base() == OpWrite || o.Base() == OpClaim }

// Program is what a client does in one round, one step per tick.
type Program []Op

// MaxProgram bounds the steps of a program.
const MaxProgram = 4000

// DefaultProgram is read-modify-write under the lock.
func DefaultProgram() Program { return Program{OpAcquire, OpRead, OpWrite, OpRelease} }

const programHelp = `a program begins with acquire, ends with release, and has check, claim, read, write or "work N" between, such as "acquire, read, work 3, write, release"; "read 2" is of the second object`

// ParseProgram reads steps separated by commas; "work N" stands for N steps.
func ParseProgram(text string) (Program, error) {
	var p Program
	for _, part := range strings.Split(text, ",") {
		words := strings.Fields(part)
		if len(words) == 0 {
			return nil, fmt.Errorf("program %q has an empty step; %s", text, programHelp)
		}
		op, times := -1, 1
		for i, name := range opNames {
			if name == words[0] {
				op = i
			}
		}
		if op < 0 {
			return nil, fmt.Errorf("program %q: there is no step %q; %s", text, words[0], programHelp)
		}
		step := Op(op)
		if step.usesStore() && len(words) == 2 {
			n, err := strconv.Atoi(words[1])
			if err != nil || n < 1 || n > MaxObjects {
				return nil, fmt.Errorf("program %q: %s %q is not the number of an object, 1 to %d", text, words[0], words[1], MaxObjects)
			}
			step = step.On(n - 1)
		} else if step == OpWork && len(words) == 2 {
			n, err := strconv.Atoi(words[1])
			if err != nil || n < 1 || n > MaxProgram {
				return nil, fmt.Errorf("program %q: work %q is not a number of ticks from 1 to %d", text, words[1], MaxProgram)
			}
			times = n
		} else if len(words) > 1 {
			return nil, fmt.Errorf("program %q: step %q has a word too many: steps are separated by commas, and only work, read, write and claim take a number; %s", text, strings.TrimSpace(part), programHelp)
		}
		if len(p)+times > MaxProgram {
			// Before they are made: "work 4000" again and again is a short text.
			return nil, fmt.Errorf("program has more than %d steps; try less work", MaxProgram)
		}
		for range times {
			p = append(p, step)
		}
	}
	return p, p.check()
}

func (p Program) check() error {
	n := len(p)
	if n < 2 || p[0] != OpAcquire || p[n-1] != OpRelease {
		return fmt.Errorf("program %q must begin with acquire and end with release; %s", p, programHelp)
	}
	if n > MaxProgram {
		return fmt.Errorf("program has %d steps, and %d fit; try less work", n, MaxProgram)
	}
	for _, op := range p[1 : n-1] {
		if op == OpAcquire || op == OpRelease {
			return fmt.Errorf("program %q has %s in the middle; a round is one lease: ask for more rounds instead", p, op)
		}
	}
	return nil
}

// String gives the text that ParseProgram reads.
func (p Program) String() string {
	var parts []string
	for i := 0; i < len(p); i++ {
		j := i
		for p[i] == OpWork && j+1 < len(p) && p[j+1] == OpWork {
			j++
		}
		if j > i {
			parts = append(parts, fmt.Sprintf("work %d", j-i+1))
		} else {
			parts = append(parts, p[i].String())
		}
		i = j
	}
	return strings.Join(parts, ", ")
}

// Count is how many steps of that kind one round has, on all objects together.
func (p Program) Count(op Op) int {
	n := 0
	for _, o := range p {
		if o.Base() == op {
			n++
		}
	}
	return n
}

// Objects is how many objects the program knows of.
func (p Program) Objects() int {
	n := 1
	for _, o := range p {
		n = max(n, o.Object()+1)
	}
	return n
}

// serials has for each write its place among the writes of a round, from 1.
func (p Program) serials() []int {
	out := make([]int, len(p))
	n := 0
	for i, o := range p {
		if o.Base() == OpWrite {
			n++
			out[i] = n
		}
	}
	return out
}

// liveness says, for each position of the program that a client can have in
// front of it, which of its values it may still use. A value that will not
// be used again is zeroed, so that states that differ only in it are one.
type liveness struct {
	token []bool // shown to the store by this step or a later one
	// snapshot says it of each object: read before, written by this step or a
	// later one before the next read.
	snapshot [][]bool
}

func (p Program) liveness(objects int) liveness {
	l := liveness{token: make([]bool, len(p))}
	used := false
	for i := len(p) - 1; i >= 1; i-- {
		used = used || p[i].usesStore()
		l.token[i] = used
	}
	for object := range objects {
		l.snapshot = append(l.snapshot, p.snapshotLive(object))
	}
	return l
}

func (p Program) snapshotLive(object int) []bool {
	live := make([]bool, len(p))
	written := false
	for i := len(p) - 1; i >= 1; i-- {
		switch p[i] {
		case OpWrite.On(object):
			written = true
		case OpRead.On(object):
			written = false
		}
		live[i] = written
	}
	read := false
	for i := 1; i < len(p); i++ {
		live[i] = live[i] && read
		read = read || p[i] == OpRead.On(object)
	}
	return live
}
