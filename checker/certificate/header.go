package certificate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"dlcheck/model"
	"dlcheck/traces"
)

// Schema is the name and version of the form.
const Schema = "dlcheck/certificate/v1"

// Watched is a world with the monitors that watch it.
type Watched interface {
	World() *model.World
	// Watch shows the monitors a transition. They bring their variables in next
	// up to date, and bit i of the answer says that the i-th of them objects.
	Watch(prev model.State, a model.Action, next model.State) (objections uint64)
}

// Assemble makes a world with the monitors of the named properties.
type Assemble func(cfg model.Config, reduce model.Reductions, monitors []string) (Watched, error)

// Claim says for which schedules the properties hold.
type Claim string

// The claims.
const (
	EveryHorizon Claim = "closed at every horizon"
	ToBound      Claim = "complete to the bound of the clock"
)

// Header is all that a certificate says, beside the states.
type Header struct {
	Schema     string       `json:"schema"`
	World      traces.World `json:"world"`
	Reductions []string     `json:"reductions"` // those in force
	// Monitors are the properties whose monitors have a say in what a state is.
	// Properties are those of them that the certificate vouches for.
	Monitors   []string `json:"monitors"`
	Properties []string `json:"properties"`
	// Silent are the other properties there are: about them it says nothing.
	Silent []string   `json:"not_vouched_for"`
	Claim  Claim      `json:"claim"`
	States uint64     `json:"states"`
	Words  int        `json:"words"` // of a state
	Layout []Variable `json:"layout"`
}

// Variable says where a variable of the model lies in a state.
type Variable struct {
	Name string   `json:"name"`
	Max  int      `json:"max"`
	Bits int      `json:"bits"`
	At   [][2]int `json:"at"` // word and lowest bit of each copy
}

// NewHeader describes a set of states of a watched world.
func NewHeader(w *model.World, monitors, properties, silent []string, states uint64) *Header {
	return &Header{
		Schema: Schema, World: traces.WorldOf(&w.Config), Reductions: w.Reduce.Names(),
		Monitors: monitors, Properties: properties, Silent: silent,
		Claim: claimOf(w), States: states, Words: w.Layout.Words(), Layout: variables(w.Layout),
	}
}

// claimOf is what a closed set of states of that world is worth.
func claimOf(w *model.World) Claim {
	if w.Reduce.Time || w.Config.Ticks == model.NoBound {
		return EveryHorizon
	}
	return ToBound
}

// variables lists those that have a place.
func variables(l *model.Layout) []Variable {
	all := []Variable{}
	for _, v := range l.Vars {
		if v.Bits == 0 || len(v.Fields) == 0 {
			continue
		}
		row := Variable{Name: v.Name, Max: v.Max, Bits: v.Bits}
		for _, f := range v.Fields {
			word, bit := f.Place()
			row.At = append(row.At, [2]int{word, bit})
		}
		all = append(all, row)
	}
	return all
}

// line is the header as it stands in the file.
func (h *Header) line() ([]byte, error) {
	text, err := json.Marshal(h)
	return append(text, '\n'), err
}

// family is what the schemas of all versions begin with.
const family = "dlcheck/certificate/"

// readHeader reads the line strictly: it has to be just what this dlcheck
// writes of a world that it has. The watched world comes with it.
func readHeader(line []byte, assemble Assemble) (*Header, Watched, error) {
	var any struct {
		Schema string `json:"schema"`
	}
	if json.Unmarshal(line, &any) != nil || !strings.HasPrefix(any.Schema, family) {
		return nil, nil, unreadable("it is no certificate of dlcheck: its first line is not the header of one")
	}
	if any.Schema != Schema {
		return nil, nil, unreadable("its schema is %q; this dlcheck reads %q", any.Schema, Schema)
	}
	h := &Header{}
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(h); err != nil {
		return nil, nil, unreadable("its header cannot be read: %v", err)
	}
	cfg, err := h.World.Config()
	if err != nil {
		return nil, nil, unreadable("its world cannot be: %v", err)
	}
	if err := h.checkNames(); err != nil {
		return nil, nil, err
	}
	reduce, err := reductionsNamed(h.Reductions)
	if err != nil {
		return nil, nil, err
	}
	watched, err := assemble(cfg, reduce, h.Monitors)
	if err != nil {
		return nil, nil, unreadable("its world cannot be watched: %v", err)
	}
	w := watched.World()
	if missing := slices.DeleteFunc(slices.Clone(h.Reductions), func(n string) bool { return slices.Contains(w.Reduce.Names(), n) }); len(missing) > 0 {
		return nil, nil, unreadable("the reduction %q is in force in it, and is not sound in its world", missing[0])
	}
	if err := h.matches(w); err != nil {
		return nil, nil, err
	}
	written, err := NewHeader(w, h.Monitors, h.Properties, h.Silent, h.States).line()
	if err != nil {
		return nil, nil, err
	}
	if !bytes.Equal(written, line) {
		return nil, nil, unreadable("its header is not written as this dlcheck writes that of its world: something in it is missing, repeated, or in another form")
	}
	return h, watched, nil
}

// reductionsNamed is the set of those names.
func reductionsNamed(names []string) (model.Reductions, error) {
	if len(names) == 0 {
		return model.Reductions{}, nil
	}
	reduce, err := model.ParseReductions(strings.Join(names, ","))
	if err != nil || !slices.Equal(reduce.Names(), names) {
		return reduce, unreadable("its reductions are %q; there are, in this order, %s", names, strings.Join(model.AllReductions().Names(), ", "))
	}
	return reduce, nil
}

// aName is what a property can be called. What is not goes to no terminal.
var aName = regexp.MustCompile(`^[a-z-]{1,40}$`)

// checkNames wants each property in one place, and a monitor for each that is
// vouched for.
func (h *Header) checkNames() error {
	for _, name := range slices.Concat(h.Monitors, h.Properties, h.Silent) {
		if !aName.MatchString(name) {
			return unreadable("%.60q is no name of a property", name)
		}
	}
	if len(h.Properties) == 0 {
		return unreadable("it vouches for no property")
	}
	for i, name := range h.Monitors {
		if slices.Contains(h.Monitors[:i], name) {
			return unreadable("it has two monitors of %s", name)
		}
	}
	for i, name := range h.Properties {
		switch {
		case slices.Contains(h.Properties[:i], name):
			return unreadable("it vouches for %s twice", name)
		case slices.Contains(h.Silent, name):
			return unreadable("it vouches for %s, and says that it does not", name)
		case !slices.Contains(h.Monitors, name):
			return unreadable("it vouches for %s, and no monitor of that had a look at its states", name)
		}
	}
	return nil
}

// matches compares what the file says of states with what the model makes them.
func (h *Header) matches(w *model.World) error {
	have := variables(w.Layout)
	for i := range max(len(h.Layout), len(have)) {
		switch {
		case i >= len(h.Layout):
			return otherModel("the variable %s of this dlcheck's model is not in its states", have[i].Name)
		case i >= len(have):
			return otherModel("its states have a variable %.60q that this dlcheck's model does not have", h.Layout[i].Name)
		}
		if its, ours := h.Layout[i].text(), have[i].text(); its != ours {
			return otherModel("its states have %s, where this dlcheck's model has %s", its, ours)
		}
	}
	if h.Words != w.Layout.Words() {
		return otherModel("its states have %d words, and those of this dlcheck's model %d", h.Words, w.Layout.Words())
	}
	if claim := claimOf(w); h.Claim != claim {
		return unreadable("it claims to be %.60q, and in its world a closed set is %q", string(h.Claim), string(claim))
	}
	return nil
}

func otherModel(format string, args ...any) error {
	return unreadable("it is of another model: "+format, args...)
}

func (v *Variable) text() string {
	text := fmt.Sprintf("%.60q with values to %d in %d bits at", v.Name, v.Max, v.Bits)
	for _, at := range v.At {
		text += fmt.Sprintf(" %d:%d", at[0], at[1])
	}
	return text
}

// Unreadable says why a file is no certificate that this dlcheck can check.
type Unreadable struct{ why string }

func (e *Unreadable) Error() string { return e.why }

func unreadable(format string, args ...any) error {
	return &Unreadable{fmt.Sprintf(format, args...)}
}
