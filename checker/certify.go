package checker

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"dlcheck/checker/certificate"
	"dlcheck/explore"
	"dlcheck/model"
)

// Certified says what became of the certificate that Question.Certificate asked
// for. Either Header is set, or Refused or Unwritten says why what was written, if
// anything was, is to be thrown away.
type Certified struct {
	Header    *certificate.Header
	Bytes     int64
	Refused   string // there can be none
	Unwritten error  // it could not be written; the verdicts stand all the same
}

// Certifiable says whether a certificate can vouch for one of the properties at
// all. Its error names those that it could.
func Certifiable(properties []string) error {
	var can []string
	for _, a := range audits {
		if a.monitor == nil {
			continue
		}
		if slices.Contains(properties, a.Name) {
			return nil
		}
		can = append(can, a.Name)
	}
	return fmt.Errorf("a certificate vouches for what is judged step by step, and nothing like that is asked about; such are %s", strings.Join(can, ", "))
}

// certify writes the states of the search of the monitors, if they are all there
// are: now, before they are let go. Whether it is to stand is known when all
// verdicts are.
func (c *check) certify(watched []*audit, s *search) error {
	if c.q.Certificate == nil {
		return nil
	}
	var monitors, vouched, silent []string
	for i, a := range watched {
		monitors = append(monitors, a.Name)
		if _, objects := s.graph.Found(i); !objects {
			vouched = append(vouched, a.Name)
		}
	}
	for _, a := range audits {
		if !slices.Contains(vouched, a.Name) {
			silent = append(silent, a.Name)
		}
	}
	c.run.Certified = &Certified{Refused: c.uncertain(watched, s)}
	if len(vouched) == 0 && c.run.Certified.Refused == "" {
		c.run.Certified.Refused = nothingHolds
	}
	if c.run.Certified.Refused != "" {
		return nil
	}
	c.tell("certificate", s.graph)
	h := certificate.NewHeader(s.product.world, monitors, vouched, silent, s.graph.States())
	n, err := certificate.Write(c.q.Certificate, h, rising(c.ctx, s.memory))
	if c.ctx.Err() != nil {
		c.run.Stopped = c.cause()
		c.run.Certified.Refused = "the writing was cut short (" + c.run.Stopped + ")"
		return nil
	}
	if err != nil {
		c.run.Certified.Unwritten = fmt.Errorf("the certificate cannot be written: %w", err)
		return nil
	}
	c.run.Certified.Header, c.run.Certified.Bytes = h, n
	return nil
}

const nothingHolds = "no property that it could vouch for holds"

// uncertain says why the states of a search prove nothing, or "".
func (c *check) uncertain(watched []*audit, s *search) string {
	for i, a := range watched {
		if _, objects := s.graph.Found(i); objects && !a.ReportOnly {
			return a.Name + " is violated"
		}
	}
	switch s.graph.Ended() {
	case explore.Closed:
	case explore.Found:
		return nothingHolds // each has its counterexample, and is only reported
	default:
		if !s.atBound || c.run.Stopped != "" {
			return "the search was cut short (" + c.run.Stopped + ")"
		}
		return fmt.Sprintf("the set of states did not close: it is complete to tick %d, but the clock is no part of a state, so that nothing tells which of their successors lie past that tick. Without the reduction time (--reduce %s) the clock is part of them",
			s.tick, withoutTime(c.q.Config.Sound(c.q.Reduce)))
	}
	if need := s.graph.Bytes() + int64(s.graph.States())*spotBytes; c.q.MaxBytes > 0 && need > c.q.MaxBytes {
		return fmt.Sprintf("to sort the states takes %d bytes in all, more than the memory that was given", need)
	}
	return ""
}

// withoutTime names the other reductions as the flag takes them.
func withoutTime(r model.Reductions) string {
	r.Time = false
	if names := r.Names(); len(names) > 0 {
		return strings.Join(names, ",")
	}
	return "none"
}

// settleCertificate takes back a certificate when the whole question has another
// answer than its own.
func (c *check) settleCertificate() {
	made := c.run.Certified
	if made == nil || made.Refused != "" {
		return
	}
	unknown := false
	for i := range c.run.Verdicts {
		v := &c.run.Verdicts[i]
		if v.Failed() {
			made.Refused = v.Property + " is violated"
		}
		unknown = unknown || v.Result == Incomplete
	}
	if made.Refused == "" && made.Unwritten == nil && unknown && c.run.Stopped != "" {
		made.Refused = "the search was cut short (" + c.run.Stopped + ")"
	}
	if made.Refused != "" {
		made.Header = nil
	}
}

// spot is where a state of rising order lies; most are told apart by the first
// of their words, which is kept at hand.
type spot struct {
	first uint64
	id    explore.ID
}

const spotBytes = 16 // of a spot

// rising yields the states of a graph in rising order. The order in which they
// were found depends on options of the search; this one on nothing. It ends
// early when the context does.
func rising(ctx context.Context, g *explore.Graph) iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) {
		spots := make([]spot, 0, g.States())
		for id, s := range g.All() {
			spots = append(spots, spot{s[0], id})
		}
		slices.SortFunc(spots, func(a, b spot) int {
			if a.first != b.first {
				return cmp.Compare(a.first, b.first)
			}
			return slices.Compare(g.State(a.id), g.State(b.id))
		})
		for i, p := range spots {
			if i%4096 == 0 && ctx.Err() != nil || !yield(g.State(p.id)) {
				return
			}
		}
	}
}
