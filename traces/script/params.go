package script

import (
	"fmt"
	"slices"
	"strings"

	"dlcheck/model"
)

// A parameter is a number of a schedule that can be set by name:
//
//	ttl           the length of a lease
//	servers       lock servers
//	NAME.arrives  when that client comes; its pauses move along
//	NAME.pause    how long its first pause is; 0 for none
//	NAME.read     ticks from its grant to its first read, at least 1; its
//	              pauses move along
//	NAME.gap      ticks from that read to its first write, at least 1, pauses
//	              not counted
//
// Without a name, pause and read are those of the first client that has a
// pause in the file, arrives and gap those of the last client.

// ParamHelp says in one line what can be set.
const ParamHelp = "ttl, servers, arrives, pause, read, gap, or the last four of a client as in A.pause"

// Set sets a parameter. The error is one line for the user.
func (s *Schedule) Set(param string, value int) error {
	switch param {
	case "ttl":
		s.Config.TTL = value
		return s.Config.Validate()
	case "servers":
		s.Config.Servers = value
		return s.Config.Validate()
	}
	// A name may have dots of its own.
	dot := strings.LastIndex(param, ".")
	named := dot >= 0
	client, what := param[:max(dot, 0)], param[dot+1:]
	c := -1
	for i, a := range s.Clients {
		switch {
		case named && a.Name == client,
			!named && (what == "pause" || what == "read") && c < 0 && len(a.Pauses) > 0,
			!named && (what == "arrives" || what == "gap"):
			c = i
		}
	}
	if c < 0 || !slices.Contains([]string{"arrives", "pause", "read", "gap"}, what) {
		return fmt.Errorf("there is no parameter %q in this schedule; there are %s", param, ParamHelp)
	}
	least := 0
	if what == "read" || what == "gap" {
		least = 1
	}
	if value < least || value > model.MaxTicks {
		return fmt.Errorf("%s %d is not within %d to %d", param, value, least, model.MaxTicks)
	}
	return s.setOf(c, param, what, value)
}

func (s *Schedule) setOf(c int, param, what string, value int) error {
	a, program := &s.Clients[c], s.Config.Programs[c]
	read := slices.Index(program, model.OpRead)
	switch what {
	case "arrives":
		by := value - a.Arrives
		a.Arrives = value
		for i := range a.Pauses {
			a.Pauses[i].From += by
			a.Pauses[i].To += by
		}
	case "pause":
		if len(a.Pauses) == 0 {
			return fmt.Errorf("%s: %s has no pause in this schedule", param, a.Name)
		}
		p := &a.Pauses[0]
		by := p.From + value - p.To
		p.To += by
		for i := range a.Pauses[1:] {
			a.Pauses[i+1].From += by
			a.Pauses[i+1].To += by
		}
	case "read":
		if read < 0 {
			return fmt.Errorf("%s: %s does not read in this schedule", param, a.Name)
		}
		by := value - read
		if err := s.work(c, param, model.OpRead, by); err != nil {
			return err
		}
		for i := range a.Pauses {
			a.Pauses[i].From += by
			a.Pauses[i].To += by
		}
	case "gap":
		write := slices.Index(program, model.OpWrite)
		if read < 0 || write < read {
			return fmt.Errorf("%s: %s does not read and then write in this schedule", param, a.Name)
		}
		return s.work(c, param, model.OpWrite, value-(write-read))
	}
	return s.Config.Validate()
}

// work moves the first step of a kind by so many ticks of work before it.
func (s *Schedule) work(c int, param string, op model.Op, by int) error {
	program := s.Config.Programs[c]
	at := slices.Index(program, op)
	if len(program)+by > model.MaxProgram {
		return fmt.Errorf("%s: %s's program would have %d steps, and %d fit", param, s.Clients[c].Name, len(program)+by, model.MaxProgram)
	}
	with := withWork(program, at, by)
	if slices.Index(with, op) != at+by {
		return fmt.Errorf("%s: other steps than work stand before %s's %s, and it cannot come sooner", param, s.Clients[c].Name, op)
	}
	s.Config.Programs[c] = with
	return s.Config.Validate()
}

// withWork is a program with that much more work before step i, or less where
// by is negative.
func withWork(p model.Program, i, by int) model.Program {
	var out model.Program
	if by >= 0 {
		out = append(out, p[:i]...)
		for range by {
			out = append(out, model.OpWork)
		}
		return append(out, p[i:]...)
	}
	for k, op := range p {
		if k < i && k >= i+by && op == model.OpWork {
			continue
		}
		out = append(out, op)
	}
	return out
}
