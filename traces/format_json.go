package traces

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"

	"dlcheck/model"
)

// Schema is the name of the JSON form of a trace.
const Schema = "dlcheck/trace/v1"

// SchemaFile is the JSON Schema of that form.
//
//go:embed trace.schema.json
var SchemaFile []byte

func init() {
	addFormat(Format{
		Name: "json", Ext: ".json",
		Doc: "every action with its answer; can be given back to dlcheck trace",
		Write: func(w io.Writer, t *Trace) error {
			enc := json.NewEncoder(w)
			enc.SetIndent("", "  ")
			return enc.Encode(t)
		},
	})
}

type jsonTrace struct {
	Schema   string            `json:"schema"`
	World    World             `json:"world"`
	Names    []string          `json:"names,omitempty"` // of the clients, A first
	Words    map[string]string `json:"words,omitempty"` // of the system, by WordKeys
	Property string            `json:"property,omitempty"`
	BrokenAt *int              `json:"broken_at,omitempty"` // index into actions
	Reason   string            `json:"reason,omitempty"`
	Minimal  *bool             `json:"minimal,omitempty"`
	Steps    int               `json:"steps"`
	Events   int               `json:"events"`
	Ticks    int               `json:"ticks"`
	Actions  []jsonEvent       `json:"actions"`
}

type jsonEvent struct {
	Tick    int     `json:"tick"`
	Actor   string  `json:"actor"`
	Action  string  `json:"action"`
	OK      *bool   `json:"ok,omitempty"`
	Object  int     `json:"object,omitempty"` // counted from 1; left out for the first
	Token   int     `json:"token,omitempty"`
	Value   *int    `json:"value,omitempty"`
	By      int     `json:"by,omitempty"`
	Reached []int   `json:"reached,omitempty"`
	Granted []int   `json:"granted,omitempty"`
	Freed   []int   `json:"freed,omitempty"`
	Holder  *string `json:"holder"` // null: nobody
}

// What acts that is no client: the clock makes the ticks, and the lock's servers
// have faults.
const (
	clockName = "clock"
	lockName  = "lock"
)

// answers says whether OK of such an action is an answer at all.
func answers(k model.Kind) bool {
	switch k {
	case model.Tick, model.Pause, model.Work, model.Crash, model.Restart, model.Jump, model.Forget,
		model.Look, model.Lapse, model.Enqueue, model.Stop, model.Gain, model.Cut, model.Abandon, model.Send, model.GiveUp:
		return false
	}
	return true
}

// carriesValue says whether Value of the event means something.
func (e *Event) carriesValue() bool {
	return e.OK && (e.Kind == model.Read || e.IsWrite())
}

// MarshalJSON gives the form that Schema names.
func (t *Trace) MarshalJSON() ([]byte, error) {
	c := &t.Config
	j := jsonTrace{
		Schema: Schema,
		World:  WorldOf(c),
		Steps:  t.Steps(), Events: t.Actions(), Ticks: t.Ticks(), Actions: []jsonEvent{},
	}
	j.Names, j.Words = t.Names, t.Words
	if r := t.Remark; r != nil {
		j.Property, j.BrokenAt, j.Reason, j.Minimal = r.Property, &r.At, r.Reason, &r.Minimal
	}
	for i := range t.Events {
		j.Actions = append(j.Actions, toJSON(&t.Events[i]))
	}
	return json.Marshal(j)
}

func toJSON(e *Event) jsonEvent {
	j := jsonEvent{Tick: e.Tick, Actor: clockName, Action: e.Kind.String(), Token: e.Token, Reached: e.Reached, Granted: e.Granted, Freed: e.Freed}
	switch {
	case e.Client != model.Nobody:
		j.Actor = Name(e.Client)
	case e.Kind != model.Tick:
		j.Actor = lockName
	}
	if e.Object > 0 {
		j.Object = e.Object + 1
	}
	if byTicks(e.Kind) {
		j.By = e.Value
	}
	if answers(e.Kind) {
		j.OK = &e.OK
	}
	if e.carriesValue() {
		j.Value = &e.Value
	}
	if e.Holder != model.Nobody {
		h := Name(e.Holder)
		j.Holder = &h
	}
	return j
}

// ReadJSON reads a trace and takes each of its actions on the model again.
// It refuses what the model does not allow, and a recorded answer that is not
// the one the model gives. The remark is read as it stands: whoever judges
// traces has to judge this one again.
func ReadJSON(data []byte) (*Trace, error) {
	var j jsonTrace
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&j); err != nil {
		return nil, jsonError(data, err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("there is something after the trace: a file holds one")
	}
	if j.Schema != Schema {
		return nil, fmt.Errorf("its schema is %q; this dlcheck reads %q", j.Schema, Schema)
	}
	cfg, err := j.World.Config()
	if err != nil {
		return nil, fmt.Errorf("its world cannot be: %w", err)
	}
	p, err := NewPlayer(cfg)
	if err != nil {
		return nil, fmt.Errorf("its world cannot be: %w", err)
	}
	for i := range j.Actions {
		a := &j.Actions[i]
		call, err := a.call()
		if err != nil {
			return nil, fmt.Errorf("action %d: %w", i+1, err)
		}
		e, err := p.Do(call)
		if err != nil {
			return nil, err
		}
		if err := a.agrees(toJSON(&e)); err != nil {
			return nil, fmt.Errorf("action %d at tick %d, %s: %s: %w", i+1, e.Tick, a.Actor, a.Action, err)
		}
	}
	t := &p.Trace
	if t.Names = j.Names; t.Names != nil && len(t.Names) != cfg.Clients {
		return nil, fmt.Errorf("it has %d names for %d clients", len(t.Names), cfg.Clients)
	}
	for _, key := range slices.Sorted(maps.Keys(j.Words)) {
		if err := CheckWord(key, j.Words[key]); err != nil {
			return nil, err
		}
	}
	t.Words = j.Words
	if t.Steps() != j.Steps || t.Ticks() != j.Ticks || t.Actions() != j.Events {
		return nil, fmt.Errorf("it says %d steps, %d events, %d ticks, and its actions make %d, %d, %d", j.Steps, j.Events, j.Ticks, t.Steps(), t.Actions(), t.Ticks())
	}
	if j.BrokenAt == nil && j.Property+j.Reason != "" {
		return nil, errors.New("it names a property or a reason, and not where the trace breaks it: broken_at is missing")
	}
	for _, text := range append([]string{j.Property, j.Reason}, j.Names...) {
		if strings.ContainsFunc(text, Unprintable) {
			return nil, fmt.Errorf("%.80q has a control character, which would reach a terminal", text)
		}
	}
	if err := t.sameAs(data, &j); err != nil {
		return nil, err
	}
	if j.BrokenAt != nil {
		if *j.BrokenAt < 0 || *j.BrokenAt >= len(t.Events) {
			return nil, fmt.Errorf("broken_at is %d, and there are %d actions, counted from 0", *j.BrokenAt, len(t.Events))
		}
		t.Remark = &Remark{Property: j.Property, At: *j.BrokenAt, Reason: j.Reason, Minimal: j.Minimal != nil && *j.Minimal}
	}
	return t, nil
}

// Unprintable says whether a character must not reach a terminal as it is.
// Joiners are let through: names in Devanagari need them.
func Unprintable(r rune) bool {
	const nonJoiner, joiner = 0x200C, 0x200D
	return !unicode.IsPrint(r) && r != nonJoiner && r != joiner
}

// sameAs compares the file with what this trace would be written as, so that
// nothing in it is left unread: a missing or a repeated key, an unknown one, or
// one in other letters.
func (t *Trace) sameAs(data []byte, j *jsonTrace) error {
	as := *t
	if j.BrokenAt != nil {
		as.Remark = &Remark{Property: j.Property, At: *j.BrokenAt, Reason: j.Reason, Minimal: j.Minimal != nil && *j.Minimal}
	}
	written, err := as.MarshalJSON()
	if err != nil {
		return err
	}
	var got, want any
	if err := json.Unmarshal(data, &got); err != nil {
		return err
	}
	if err := json.Unmarshal(written, &want); err != nil {
		return err
	}
	if path := differs("", got, want); path != "" {
		return fmt.Errorf("%s is missing, repeated, or not what this schedule is written with", path)
	}
	return nil
}

// differs names the first place where two JSON values differ, or "".
func differs(path string, got, want any) string {
	switch want := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return path
		}
		keys := slices.Sorted(maps.Keys(want))
		for k := range g {
			if _, known := want[k]; !known {
				keys = append(keys, k)
			}
		}
		for _, k := range keys {
			gv, there := g[k]
			if _, known := want[k]; !known || !there {
				return strings.TrimPrefix(path+"."+k, ".")
			}
			if p := differs(path+"."+k, gv, want[k]); p != "" {
				return strings.TrimPrefix(p, ".")
			}
		}
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(want) {
			return path
		}
		for i := range want {
			if p := differs(fmt.Sprintf("%s[%d]", path, i), g[i], want[i]); p != "" {
				return p
			}
		}
	default:
		if got != want {
			return path
		}
	}
	return ""
}

func (a *jsonEvent) call() (Call, error) {
	kind, ok := model.KindByName(a.Action)
	if !ok {
		return Call{}, fmt.Errorf("there is no action %q", a.Action)
	}
	c := Call{Client: model.Nobody, Kind: kind, By: a.By}
	for _, s := range a.Reached {
		if s < 0 || s >= model.MaxServers {
			return Call{}, fmt.Errorf("there is no server %d; they are numbered from 0", s)
		}
		c.Reached |= 1 << s
	}
	if a.Actor == clockName && kind == model.Tick || a.Actor == lockName && kind != model.Tick {
		return c, nil
	}
	if len(a.Actor) != 1 || a.Actor[0] < 'A' || int(a.Actor[0]-'A') >= model.MaxClients {
		return Call{}, fmt.Errorf("there is no actor %q; clients are A to %s, and there is the %s", a.Actor, Name(model.MaxClients-1), clockName)
	}
	c.Client = int(a.Actor[0] - 'A')
	return c, nil
}

// agrees compares what a file says of an action with what the model says.
func (a *jsonEvent) agrees(m jsonEvent) error {
	said, _ := json.Marshal(a)
	is, _ := json.Marshal(m)
	if !bytes.Equal(said, is) {
		return fmt.Errorf("it is recorded as %s, and the model answers %s", said, is)
	}
	return nil
}

// jsonError adds the line to an error of encoding/json that knows its offset.
func jsonError(data []byte, err error) error {
	offset := int64(-1)
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	if errors.As(err, &syntax) {
		offset = syntax.Offset
	} else if errors.As(err, &typ) {
		offset = typ.Offset
	}
	if offset < 0 || offset > int64(len(data)) {
		return fmt.Errorf("it is not a trace in JSON: %w", err)
	}
	return fmt.Errorf("line %d: it is not a trace in JSON: %w", 1+bytes.Count(data[:offset], []byte("\n")), err)
}
