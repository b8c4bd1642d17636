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
	keySystem   = "system"
	keyName     = "name"
	keyAbout    = "about"
	keyRules    = "rules"
	keySources  = "sources"
	keyDiffers  = "differs"
	keyWords    = "words"
	keyFaults   = "faults"
	keyVariants = "variants"
	keyCannot   = "cannot"
)

// Keys lists what a file can say beside the fields of the model.
func Keys() []string {
	return []string{keySystem, keyName, keyAbout, keyRules, keySources, keyDiffers, keyWords, keyFaults, keyVariants, keyCannot}
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
	r.judgeLimits()
	return r.System, r.judgeChanges()
}

// reader reads one file into a system.
type reader struct {
	*System
	file string
	base model.Config // what the file starts from
	// given has the fields that the file sets, and the others the changes that it
	// has, in its order.
	given            []placed
	faults, variants []placedChange
}

// placed is a setting and the line that makes it.
type placed struct {
	model.Setting
	line int
}

type placedChange struct {
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
		r.System = &System{Config: model.DefaultConfig(), AnyStore: true}
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
		err = r.list(p, "a source", &r.Sources)
	case keyDiffers:
		err = r.list(p, "a difference", &r.Differs)
	case keyWords:
		err = r.words(p)
	case keyFaults:
		err = r.changes(p, "fault", &r.faults)
	case keyVariants:
		err = r.changes(p, "variant", &r.variants)
	case keyCannot:
		err = r.limits(p)
	default:
		var s placed
		if s, err = r.setting(&r.Config, p, append(Keys(), model.Fields()...)); err == nil {
			r.given = append(r.given, s)
			r.AnyStore = r.AnyStore && s.Field != "store"
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

// list takes the texts of a list that are not there yet; what is one of them.
func (r *reader) list(p yamlfile.Pair, what string, all *[]string) error {
	if err := r.want(p.Key, p.Value, yamlfile.List); err != nil {
		return err
	}
	for _, n := range p.Value.Items {
		text, err := r.text(yamlfile.Pair{Key: what, Line: n.Line, Value: n})
		if err != nil {
			return err
		}
		if !slices.Contains(*all, text) {
			*all = append(*all, text)
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

// changes takes faults or variants; kind is one of them.
func (r *reader) changes(p yamlfile.Pair, kind string, all *[]placedChange) error {
	if err := r.want(p.Key, p.Value, yamlfile.Map); err != nil {
		return err
	}
	for _, q := range p.Value.Pairs {
		name, err := q.Key, r.printable(q.Line, q.Key)
		if err != nil {
			return err
		}
		if strings.Join(strings.Fields(name), " ") != name || name == "" || strings.Contains(name, ",") {
			return r.fail(q.Line, "%q is no name of a %s: a few words, one blank between them and no comma", name, kind)
		}
		if slices.Contains([]string{"none", "each", "all", "variants"}, name) {
			return r.fail(q.Line, "%q is no name of a %s: it is a word of the matrix' --faults", name, kind)
		}
		if slices.ContainsFunc(slices.Concat(r.faults, r.variants), func(c placedChange) bool { return c.name == name }) {
			return r.fail(q.Line, "%s is a fault and a variant; give one of them another name", name)
		}
		if err := r.want("the "+kind+" "+name, q.Value, yamlfile.Map); err != nil {
			return err
		}
		c := placedChange{name: name, line: q.Line}
		for _, field := range q.Value.Pairs {
			scratch := r.base // values are judged here, and what they make together in judgeChanges
			s, err := r.setting(&scratch, field, model.Fields())
			if err != nil {
				return err
			}
			c.settings = append(c.settings, s)
		}
		if c.settings == nil {
			return r.fail(q.Line, "the %s %s sets nothing; give it a field of the model, such as crashes: 1", kind, name)
		}
		*all = append(*all, c)
	}
	return nil
}

// limits takes what the system cannot have: a field, or a field and one of its
// few values.
func (r *reader) limits(p yamlfile.Pair) error {
	if err := r.want(p.Key, p.Value, yamlfile.Map); err != nil {
		return err
	}
	for _, q := range p.Value.Pairs {
		field, value, _ := strings.Cut(q.Key, " ")
		if err := r.printable(q.Line, q.Key); err != nil {
			return err
		}
		if !slices.Contains(model.Fields(), field) {
			return r.unknown(q.Line, field, model.Fields(), fmt.Sprintf("there is no field %.80q; there are %s", field, strings.Join(model.Fields(), ", ")))
		}
		allowed := Choices(field)
		if value != "" && allowed == nil {
			return r.fail(q.Line, "%.80q: %s has many values; give the field alone", q.Key, field)
		}
		if value != "" && !slices.Contains(allowed, value) {
			return r.unknown(q.Line, value, allowed, fmt.Sprintf("%.80q is no value of %s; there are %s", value, field, strings.Join(allowed, ", ")))
		}
		why, err := r.text(q)
		if err != nil {
			return err
		}
		l := Limit{model.Setting{Field: field, Value: value}, why}
		r.Cannot = append(slices.DeleteFunc(slices.Clone(r.Cannot), func(o Limit) bool { return o.Setting == l.Setting }), l)
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
		return s, r.unknown(p.Line, s.Value, Choices(p.Key), err.Error())
	}
	return s, nil
}

// Choices lists the values of a field that has a few; nil if it has many.
func Choices(field string) []string {
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
			return r.unknown(s.line, s.Value, Choices(s.Field), err.Error())
		}
	}
	return r.fail(line, "%s", err)
}

// judgeLimits drops the limits of what the file starts from where the file says
// otherwise.
func (r *reader) judgeLimits() {
	r.Cannot = slices.DeleteFunc(slices.Clone(r.Cannot), func(l Limit) bool {
		return l.Setting.Value != "" && r.Config.Get(l.Setting.Field) == l.Setting.Value
	})
}

// judgeChanges puts the faults and variants of the file over those that it
// started from, and judges them on top of the configuration. Of the old ones
// those go that this configuration cannot have.
func (r *reader) judgeChanges() (err error) {
	if r.Faults, err = r.merged("fault", r.Faults, r.faults); err == nil {
		r.Variants, err = r.merged("variant", r.Variants, r.variants)
	}
	return err
}

func (r *reader) merged(kind string, old []Change, given []placedChange) ([]Change, error) {
	all := slices.DeleteFunc(slices.Clone(old), func(f Change) bool {
		_, err := f.In(r.System)
		return err != nil || slices.ContainsFunc(slices.Concat(r.faults, r.variants), func(own placedChange) bool { return own.name == f.Name })
	})
	for _, f := range given {
		own := Change{Name: f.name}
		for _, s := range f.settings {
			own.Settings = append(own.Settings, s.Setting)
		}
		if c, err := own.In(r.System); err != nil {
			return nil, r.blame(fmt.Errorf("the %s %s: %w", kind, f.name, err), f.settings, f.line, c, r.Config)
		}
		all = append(all, own)
	}
	return all, nil
}
