package systems

import (
	"fmt"
	"slices"
	"strings"

	"dlcheck/model"
	"dlcheck/traces"
	"dlcheck/traces/yamlfile"
)

// The keys of a file that are no fields of the model.
const (
	keySystem  = "system"
	keyName    = "name"
	keyAbout   = "about"
	keyRules   = "rules"
	keySources = "sources"
	keyWords   = "words"
	keyFaults  = "faults"
)

// Keys lists what a file can say beside the fields of the model.
func Keys() []string {
	return []string{keySystem, keyName, keyAbout, keyRules, keySources, keyWords, keyFaults}
}

// Read reads a file that describes a system. It starts from the system that the
// file names or, if from is not empty, from that one; from the default
// configuration if neither says any. name stands for the file in errors, which
// are *yamlfile.Error.
func Read(name string, data []byte, from string) (*System, error) {
	root, err := yamlfile.Parse(name, data)
	if err != nil {
		return nil, err
	}
	r := &reader{file: name}
	if err := r.start(&root, from); err != nil {
		return nil, err
	}
	for _, p := range root.Pairs {
		if err := r.pair(p); err != nil {
			return nil, err
		}
	}
	if err := r.judge(); err != nil {
		return nil, err
	}
	return r.System, r.judgeFaults()
}

// reader reads one file into a system.
type reader struct {
	*System
	file string
	base model.Config // what the file starts from
	// given has the fields that the file sets, and faults the faults it has,
	// in its order.
	given  []placed
	faults []placedFault
}

// placed is a setting and the line that makes it.
type placed struct {
	model.Setting
	line int
}

type placedFault struct {
	name     string
	line     int
	settings []placed
}

func (r *reader) fail(line int, format string, args ...any) error {
	return &yamlfile.Error{File: r.file, Line: line, Reason: fmt.Sprintf(format, args...)}
}

// unknown refuses what is given. Where the fault is that it is none of the
// allowed, the error has them.
func (r *reader) unknown(line int, given string, allowed []string, reason string) error {
	if slices.Contains(allowed, given) {
		allowed = nil
	}
	return &yamlfile.Error{File: r.file, Line: line, Reason: reason, Given: given, Allowed: allowed}
}

// start finds the system that everything else is on top of.
func (r *reader) start(root *yamlfile.Node, from string) error {
	for _, p := range root.Pairs {
		if p.Key != keySystem {
			continue
		}
		name, err := r.text(p)
		if err != nil {
			return err
		}
		if from != "" && from != name {
			return r.fail(p.Line, "it starts from the system %s, and --system says %s; leave one of them out", name, from)
		}
		if r.System, _, err = Builtin(name); err != nil {
			return r.unknown(p.Line, name, Names(), err.Error())
		}
	}
	if r.System == nil && from != "" {
		var err error
		if r.System, _, err = Builtin(from); err != nil {
			return err
		}
	}
	if r.System == nil {
		r.System = &System{Config: model.DefaultConfig()}
	}
	if r.Rules == nil {
		r.Rules, r.Words = map[string]string{}, map[string]string{}
	}
	r.base = r.Config
	return nil
}

func (r *reader) pair(p yamlfile.Pair) (err error) {
	switch p.Key {
	case keySystem: // see start
	case keyName:
		r.Name, err = r.text(p)
	case keyAbout:
		r.About, err = r.text(p)
	case keyRules:
		err = r.rules(p)
	case keySources:
		err = r.sources(p)
	case keyWords:
		err = r.words(p)
	case keyFaults:
		err = r.faultsOf(p)
	default:
		var s placed
		if s, err = r.setting(&r.Config, p, append(Keys(), model.Fields()...)); err == nil {
			r.given = append(r.given, s)
		}
	}
	return err
}

// text is a value that is a text of one line.
func (r *reader) text(p yamlfile.Pair) (string, error) {
	if err := r.want(p.Key, p.Value, yamlfile.Text); err != nil {
		return "", err
	}
	text := strings.Join(strings.Fields(p.Value.Text), " ")
	if text == "" {
		return "", r.fail(p.Line, "%s is empty; leave it out, or say something", p.Key)
	}
	return text, r.printable(p.Line, text)
}

func (r *reader) want(key string, n yamlfile.Node, kind yamlfile.Kind) error {
	if n.Kind != kind {
		return r.fail(n.Line, "%s should be %s, and it is %s", key, kind, n.Kind)
	}
	return nil
}

func (r *reader) printable(line int, text string) error {
	if strings.ContainsFunc(text, traces.Unprintable) {
		return r.fail(line, "%.80q has a control character, which would reach a terminal", text)
	}
	return nil
}

func (r *reader) rules(p yamlfile.Pair) error {
	if err := r.want(p.Key, p.Value, yamlfile.Map); err != nil {
		return err
	}
	var keys []string
	for _, rule := range Rules() {
		keys = append(keys, rule.Key)
	}
	for _, q := range p.Value.Pairs {
		if !slices.Contains(keys, q.Key) {
			return r.unknown(q.Line, q.Key, keys, fmt.Sprintf("there is no rule %q; there are %s", q.Key, strings.Join(keys, ", ")))
		}
		text, err := r.text(q)
		if err != nil {
			return err
		}
		r.Rules[q.Key] = text
	}
	return nil
}

func (r *reader) sources(p yamlfile.Pair) error {
	if err := r.want(p.Key, p.Value, yamlfile.List); err != nil {
		return err
	}
	for _, n := range p.Value.Items {
		text, err := r.text(yamlfile.Pair{Key: "a source", Line: n.Line, Value: n})
		if err != nil {
			return err
		}
		if !slices.Contains(r.Sources, text) {
			r.Sources = append(r.Sources, text)
		}
	}
	return nil
}

func (r *reader) words(p yamlfile.Pair) error {
	if err := r.want(p.Key, p.Value, yamlfile.Map); err != nil {
		return err
	}
	for _, q := range p.Value.Pairs {
		if slices.Contains(traces.WordKeys(), q.Key) {
			if err := r.want("the word "+q.Key, q.Value, yamlfile.Text); err != nil {
				return err
			}
		}
		if err := traces.CheckWord(q.Key, q.Value.Text); err != nil {
			return r.unknown(q.Line, q.Key, traces.WordKeys(), err.Error())
		}
		r.Words[q.Key] = q.Value.Text
	}
	return nil
}

func (r *reader) faultsOf(p yamlfile.Pair) error {
	if err := r.want(p.Key, p.Value, yamlfile.Map); err != nil {
		return err
	}
	for _, q := range p.Value.Pairs {
		name, err := q.Key, r.printable(q.Line, q.Key)
		if err != nil {
			return err
		}
		if strings.Join(strings.Fields(name), " ") != name || name == "" {
			return r.fail(q.Line, "%q is no name of a fault: a few words, one blank between them", name)
		}
		if err := r.want("the fault "+name, q.Value, yamlfile.Map); err != nil {
			return err
		}
		f := placedFault{name: name, line: q.Line}
		for _, field := range q.Value.Pairs {
			scratch := r.base // values are judged here, and what they make together in judgeFaults
			s, err := r.setting(&scratch, field, model.Fields())
			if err != nil {
				return err
			}
			f.settings = append(f.settings, s)
		}
		if f.settings == nil {
			return r.fail(q.Line, "the fault %s sets nothing; give it a field of the model, such as crashes: 1", name)
		}
		r.faults = append(r.faults, f)
	}
	return nil
}

// setting takes a field of the model. allowed are the keys that could stand
// here.
func (r *reader) setting(c *model.Config, p yamlfile.Pair, allowed []string) (placed, error) {
	s := placed{model.Setting{Field: p.Key, Value: p.Value.Text}, p.Line}
	if !slices.Contains(model.Fields(), p.Key) {
		return s, r.unknown(p.Line, p.Key, allowed, fmt.Sprintf("there is no key %.80q here; there are %s", p.Key, strings.Join(allowed, ", ")))
	}
	if err := r.want(p.Key, p.Value, yamlfile.Text); err != nil {
		return s, err
	}
	if err := c.Set(s.Setting); err != nil {
		return s, r.unknown(p.Line, s.Value, valuesOf(p.Key), err.Error())
	}
	return s, nil
}

// valuesOf lists the values of a field that has a few; nil if it has many.
func valuesOf(field string) []string {
	if field == "store" {
		return model.Stores.Names()
	}
	if a, err := model.FindAxis(field); err == nil {
		return a.Choices
	}
	return nil
}

// judge says whether the fields make a configuration together.
func (r *reader) judge() error {
	if err := r.Config.Validate(); err != nil {
		return r.blame(err, r.given, 0, r.Config, r.base)
	}
	return nil
}

// blame finds the line of a fault: that of the first setting without which the
// configuration would be valid, or else the one that is given.
func (r *reader) blame(err error, given []placed, line int, c, base model.Config) error {
	for _, s := range given {
		without := c
		if without.Set(model.Setting{Field: s.Field, Value: base.Get(s.Field)}) == nil && without.Validate() == nil {
			return r.unknown(s.line, s.Value, valuesOf(s.Field), err.Error())
		}
	}
	return r.fail(line, "%s", err)
}

// judgeFaults puts the faults of the file over those that it started from, and
// judges them on top of the configuration. Of the old ones those go that this
// configuration cannot have.
func (r *reader) judgeFaults() error {
	r.Faults = slices.DeleteFunc(slices.Clone(r.Faults), func(f Fault) bool {
		_, err := f.In(r.System)
		return err != nil || slices.ContainsFunc(r.faults, func(own placedFault) bool { return own.name == f.Name })
	})
	for _, f := range r.faults {
		own := Fault{Name: f.name}
		for _, s := range f.settings {
			own.Settings = append(own.Settings, s.Setting)
		}
		if c, err := own.In(r.System); err != nil {
			return r.blame(fmt.Errorf("the fault %s: %w", f.name, err), f.settings, f.line, c, r.Config)
		}
		r.Faults = append(r.Faults, own)
	}
	return nil
}
