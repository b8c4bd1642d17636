package certificate

import (
	"context"
	"fmt"
	"io"
	"slices"

	"dlcheck/model"
)

// Proof is what a certificate was found to be worth.
type Proof struct {
	Header      *Header
	Config      model.Config
	Transitions uint64 // that were taken, each to a state of the set
	Bytes       int64  // of the file
	Sum         [32]byte
	Wrong       *Wrong // nil: the claim is true
}

// Verify reads a certificate and checks its claim. A certificate that is wrong
// is an answer and no error. The error is an *Unreadable, or that of r or of the
// context.
func Verify(ctx context.Context, r io.Reader, assemble Assemble) (*Proof, error) {
	c, err := read(ctx, r, assemble)
	if err != nil {
		return nil, err
	}
	p := &Proof{Header: c.header, Config: c.watched.World().Config, Bytes: c.bytes, Sum: c.sum}
	v := &verifier{certificate: c, world: c.watched.World(), proof: p}
	for i, name := range c.header.Monitors {
		if slices.Contains(c.header.Properties, name) {
			v.vouched |= 1 << i
		}
	}
	if init := v.world.Init(); !v.inside(init) {
		p.Wrong = v.wrong(NoInitial, nil, nil, init)
		return p, nil
	}
	for i := range c.states.len() {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if p.Wrong = v.look(c.states.at(i)); p.Wrong != nil {
			p.Wrong.State = uint64(i) + 1
			break
		}
	}
	return p, nil
}

// verifier looks at one state after another.
type verifier struct {
	*certificate
	world   *model.World
	vouched uint64 // the monitors that must not object
	proof   *Proof
	steps   model.Steps
	scratch model.State
}

// look checks one state and every transition out of it.
func (v *verifier) look(s model.State) (wrong *Wrong) {
	if odd := v.impossible(s); odd != "" {
		wrong = v.wrong(NoState, s, nil, nil)
		wrong.Odd = odd
		return wrong
	}
	// A file can have states that nothing leads to, and the rules need not make
	// sense of such.
	defer func() {
		if r := recover(); r != nil {
			wrong = v.wrong(NoState, s, nil, nil)
			wrong.Odd = "the rules make no sense of it"
		}
	}()
	v.steps.Reset()
	v.world.Next(s, &v.steps)
	words := len(s)
	for i := range v.steps.Actions {
		a, n := &v.steps.Actions[i], v.steps.States[i*words:(i+1)*words]
		v.proof.Transitions++
		if bad := v.watched.Watch(s, *a, n) & v.vouched; bad != 0 {
			wrong := v.wrong(Objection, s, a, n)
			for k, name := range v.header.Monitors {
				if wrong.Property == "" && bad>>k&1 != 0 {
					wrong.Property = name
				}
			}
			return wrong
		}
		if !v.inside(n) {
			return v.wrong(NoSuccessor, s, a, n)
		}
	}
	return nil
}

// inside says whether the set has a state, and leaves it in its reduced form.
func (v *verifier) inside(s model.State) bool {
	v.world.Canonical(s)
	return v.states.has(s)
}

// impossible says why words are no state at all, or "": a value out of its
// range, a bit that belongs to nothing, or a form that is not the reduced one.
func (v *verifier) impossible(s model.State) string {
	v.scratch = append(v.scratch[:0], s...)
	for _, x := range v.world.Layout.Vars {
		for _, f := range x.Fields {
			if n := f.Get(s); n > x.Max {
				return fmt.Sprintf("%s is %d, and at most %d", x.Name, n, x.Max)
			}
			f.Set(v.scratch, 0)
		}
	}
	for i, left := range v.scratch {
		if left != 0 {
			return fmt.Sprintf("word %d has bits that belong to no variable", i)
		}
	}
	copy(v.scratch, s)
	v.world.Canonical(v.scratch)
	if !slices.Equal(v.scratch, s) {
		return "it is not in its reduced form"
	}
	return ""
}
