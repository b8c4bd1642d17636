package systems

import (
	"encoding/json"
	"errors"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dlcheck/model"
	"dlcheck/traces"
	"dlcheck/traces/yamlfile"
)

// booleans are the words that are truth values in YAML 1.1 alone, as values.
var booleans = regexp.MustCompile(`(?i)(?:: |- |\[|, )(?:yes|no|on|off|y|n)(?:[,}\]\n]| #)`)

// TestBuiltins: every file that comes with dlcheck says all that is told of a
// system, and each of its faults can befall it.
func TestBuiltins(t *testing.T) {
	for _, name := range Names() {
		s, data, err := Builtin(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if s.Name != name {
			t.Errorf("%s calls itself %q", name, s.Name)
		}
		if s.About == "" || len(s.Sources) == 0 || len(s.Faults) == 0 || len(s.Differs) == 0 {
			t.Errorf("%s lacks about, sources, faults or differs", name)
		}
		for _, r := range Rules() {
			if s.Rules[r.Key] == "" {
				t.Errorf("%s has no rule %s", name, r.Key)
			}
		}
		if !strings.Contains(string(data), "\nstore: ") {
			t.Errorf("%s does not say what its store is", name)
		}
		for _, f := range slices.Concat(s.Faults, s.Variants) {
			if c, err := f.In(s); err != nil || len(s.Config.Differences(&c)) == 0 {
				t.Errorf("%s, %s: %v, or it changes nothing", name, f.Name, err)
			}
		}
		for _, l := range s.Cannot {
			if v := l.Setting.Value; v != "" && s.Config.Get(l.Setting.Field) == v {
				t.Errorf("%s cannot have %s, and has", name, l.Text())
			}
		}
		if word := booleans.FindString(string(data)); word != "" {
			t.Errorf("%s: a reader of YAML 1.1 takes %q for a truth value; quote it", name, word)
		}
	}
	for _, name := range []string{
		"lesson", "dlock", "redis", "redlock", "etcd", "zookeeper", "kubernetes", "consul", "chubby", "dynamodb",
		"s3", "kafka", "qjm", "advisory", "sql", "hazelcast", "redisson", "flock",
	} {
		if !slices.Contains(Names(), name) {
			t.Errorf("there is no %s", name)
		}
	}
}

// TestKeysAreNoFields: a key of the file means one thing.
func TestKeysAreNoFields(t *testing.T) {
	for _, k := range Keys() {
		if slices.Contains(model.Fields(), k) {
			t.Errorf("%s is a key and a field of the model", k)
		}
	}
}

// TestJSONIsAFile: the JSON of a system, given back, is that system.
func TestJSONIsAFile(t *testing.T) {
	for _, name := range Names() {
		s, _, err := Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Read("x.json", data, "")
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, data)
			continue
		}
		// JSON has no order.
		byName := func(a, b Change) int { return strings.Compare(a.Name, b.Name) }
		for _, sys := range []*System{s, again} {
			for _, all := range [][]Change{sys.Faults, sys.Variants} {
				slices.SortFunc(all, byName)
				for _, f := range all {
					slices.SortFunc(f.Settings, func(a, b model.Setting) int { return strings.Compare(a.Field, b.Field) })
				}
			}
			slices.SortFunc(sys.Cannot, func(a, b Limit) int { return strings.Compare(a.Text(), b.Text()) })
		}
		if !reflect.DeepEqual(s, again) {
			t.Errorf("%s: wrote %+v, read %+v", name, s, again)
		}
	}
}

func TestRead(t *testing.T) {
	s, err := Read("mine.yaml", []byte(`
about: >
  two lines
  of prose
ttl: "4"
ticks: unlimited
program: acquire, read, write, release
words: {token: ticket}
rules: {clock: mine}
faults:
  crash: {crashes: 2}
  own: {restarts: 1, restart-forgets: counter}
sources: [mine]
system: redis
`), "")
	if err != nil {
		t.Fatal(err)
	}
	redis, _, err := Builtin("redis")
	if err != nil {
		t.Fatal(err)
	}
	if s.Name != "redis" || s.About != "two lines of prose" || s.Config.TTL != 4 || s.Config.Ticks != model.NoBound || s.Config.Store != redis.Config.Store {
		t.Errorf("%+v", s)
	}
	if s.Words["token"] != "ticket" || s.Words["lease"] != redis.Words["lease"] || s.Rules["clock"] != "mine" || s.Rules["belief"] != redis.Rules["belief"] {
		t.Errorf("%+v", s)
	}
	if len(s.Sources) != len(redis.Sources)+1 {
		t.Errorf("sources %q", s.Sources)
	}
	crash := slices.IndexFunc(s.Faults, func(f Change) bool { return f.Name == "crash" })
	if len(s.Faults) != len(redis.Faults)+1 || s.Faults[crash].Settings[0].Value != "2" || s.Faults[len(s.Faults)-1].Name != "own" {
		t.Errorf("faults %+v", s.Faults)
	}

	// A fault that the changed system cannot have is none of its own.
	s, err = Read("mine.yaml", []byte("expiry: never\n"), "lesson")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range s.Faults {
		if _, err := f.In(s); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}

	s, err = Read("mine.yaml", []byte(`
system: redlock
store: guarded
differs: [of my own]
faults: {delayed restarts: {restarts: 1}}
variants: {mine: {ttl: 3}}
cannot: {store fenced: why, lock-delay: because}
`), "")
	if err != nil {
		t.Fatal(err)
	}
	redlock, _, _ := Builtin("redlock")
	if s.AnyStore || len(s.Differs) != len(redlock.Differs)+1 || len(s.Faults) != len(redlock.Faults)+1 || len(s.Variants) != len(redlock.Variants) {
		t.Errorf("%+v", s)
	}
	if got, want := s.Cannot, []Limit{
		{model.Setting{Field: "store", Value: "fenced"}, "why"}, {model.Setting{Field: "lock-delay"}, "because"},
	}; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	for text, can := range map[string]bool{"store=fenced": false, "store=strict": true, "lock-delay=3": false, "ttl=3": true} {
		field, v, _ := strings.Cut(text, "=")
		if s.Can([]model.Setting{{Field: "ttl", Value: "9"}, {Field: field, Value: v}}) != can {
			t.Errorf("%s: %v", text, !can)
		}
	}

	// Without a store it is any.
	for file, any := range map[string]bool{"ttl: 3": true, "store: fenced": false, "system: lesson": false} {
		if s, err = Read("mine.yaml", []byte(file), ""); err != nil || s.AnyStore != any {
			t.Errorf("%q: %+v, %v", file, s, err)
		}
	}

	for _, nothing := range []string{"", "# nothing\n", "---\n", "{}"} {
		s, err := Read("empty.yaml", []byte(nothing), "")
		if err != nil || !reflect.DeepEqual(s.Config, model.DefaultConfig()) {
			t.Errorf("%q: %+v, %v", nothing, s, err)
		}
	}
}

// TestReadRefuses: one line that says where, what was given, and what is
// allowed.
func TestReadRefuses(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"tll: 5", `f.yaml:1: there is no key "tll" here; there are system, name, about, rules, sources, differs, words, faults, variants, cannot, store, clients,`},
		{"ttl: 5\nttl: 6", `f.yaml:2: `},
		{"ttl: 5\nstore: plain\n\"ttl\": 6", `f.yaml:3: `},
		{"{ttl: 5, ttl: 6}", `f.yaml:1: `},
		{"ttl: 0", `f.yaml:1: ttl 0 is not within 1 to 1000000000`},
		{"ttl: x", `f.yaml:1: ttl "x" is not a whole number`},
		{"ttl:", `f.yaml:1: ttl "" is not a whole number`},
		{"ttl: [5]", `f.yaml:1: ttl should be a text, and it is a list`},
		{"ttl: {a: 5}", `f.yaml:1: ttl should be a text, and it is a map`},
		{"clients: 3\nstore: fence", `f.yaml:2: there is no store "fence"; there are claimed,`},
		{"release: blnd", `f.yaml:1: release "blnd" is none of compare, blind, never`},
		{"ttl: 5\nrestart-delay: 3", `f.yaml:2: restart-delay 3: it has no effect without restarts`},
		{"ttl: 5\nclock-jumps: 1\nexpiry: never", `f.yaml:2: clock-jumps 1: it has no effect where no server's clock ends a lease`},
		{"program: acquire, reed, release", `f.yaml:1: program`},
		{"name: [a]", `f.yaml:1: name should be a text, and it is a list`},
		{"name: ' '", `f.yaml:1: name is empty; leave it out, or say something`},
		{"about: \"\\e[2J\"", `f.yaml:1: "\x1b[2J" has a control character, which would reach a terminal`},
		{"rules: x", `f.yaml:1: rules should be a map, and it is a text`},
		{"rules:\n  clocks: x", `f.yaml:2: there is no rule "clocks"; there are clock, belief, token, release, checked`},
		{"sources: x", `f.yaml:1: sources should be a list, and it is a text`},
		{"sources:\n  - {a: b}", `f.yaml:2: a source should be a text, and it is a map`},
		{"words: x", `f.yaml:1: words should be a map, and it is a text`},
		{"words:\n  tokn: x", `f.yaml:2: there is no word "tokn"; there are token, lock, `},
		{"words:\n  token: {a: b}", `f.yaml:2: the word token should be a text, and it is a map`},
		{"words:\n  \"\\e[2J\": {a: b}", `f.yaml:2: there is no word "\x1b[2J"; there are`},
		{"\"\\e[2J\": 1", `f.yaml:1: there is no key "\x1b[2J" here`},
		{"words:\n  token: ''", `f.yaml:2: the word token is ""; it should have no blank at either end, and not be empty`},
		{"words: {token: " + strings.Repeat("x", 41) + "}", `f.yaml:1: the word token has more than 40 characters`},
		{"words: {token: \"\\a\"}", `f.yaml:1: "\a" has a control character, which would reach a terminal`},
		{"faults: x", `f.yaml:1: faults should be a map, and it is a text`},
		{"faults:\n  crash: 1", `f.yaml:2: the fault crash should be a map, and it is a text`},
		{"faults:\n  crash: {}", `f.yaml:2: the fault crash sets nothing; give it a field of the model, such as crashes: 1`},
		{"faults:\n  crash:\n    crash: 1", `f.yaml:3: there is no key "crash" here; there are store, clients,`},
		{"faults:\n  crash:\n    crashes: -1", `f.yaml:3: crashes "-1" is not a number from 0 to 16`},
		{"faults:\n  crash:\n    crashes: 1\n    restart-delay: 1", `f.yaml:4: the fault crash: restart-delay 1: it has no effect without restarts`},
		{"faults:\n  each: {crashes: 1}", `f.yaml:2: "each" is no name of a fault: it is a word of the matrix' --faults`},
		{"faults:\n  ' crash': {crashes: 1}", `f.yaml:2: " crash" is no name of a fault: a few words, one blank between them and no comma`},
		{"variants:\n  a, b: {crashes: 1}", `f.yaml:2: "a, b" is no name of a variant: `},
		{"variants:\n  a: {}", `f.yaml:2: the variant a sets nothing; give it a field of the model, such as crashes: 1`},
		{"variants:\n  a: {restart-delay: 1}", `f.yaml:2: the variant a: restart-delay 1: it has no effect without restarts`},
		{"faults:\n  a: {crashes: 1}\nvariants:\n  a: {crashes: 2}", `f.yaml:4: a is a fault and a variant; give one of them another name`},
		{"differs: x", `f.yaml:1: differs should be a list, and it is a text`},
		{"cannot: x", `f.yaml:1: cannot should be a map, and it is a text`},
		{"cannot:\n  storr: why", `f.yaml:2: there is no field "storr"; there are store, `},
		{"cannot:\n  store fence: why", `f.yaml:2: "fence" is no value of store; there are claimed, `},
		{"cannot:\n  ttl 5: why", `f.yaml:2: "ttl 5": ttl has many values; give the field alone`},
		{"cannot:\n  store guarded: ''", `f.yaml:2: store guarded is empty; leave it out, or say something`},
		{"faults:\n  crash: {crashes: 1}\n  crash: {crashes: 1}", `f.yaml:3: `},
		{"system: rediss", `f.yaml:1: there is no system "rediss"; there are advisory,`},
		{"- a", `f.yaml:1: the file should be a map, with lines such as ttl: 10`},
		{"ttl", `f.yaml:1: the file should be a map, with lines such as ttl: 10`},
		{"ttl: &x 5", `f.yaml:1: anchors, aliases, tags and directives are not read here`},
		{"ttl: !!int 5", `f.yaml:1: anchors, aliases, tags and directives are not read here`},
		{"ttl: 5\n---\nttl: 6", `f.yaml:3: a second document begins here; a file holds one`},
		{"ttl: [5", `f.yaml:1: `},
	} {
		_, err := Read("f.yaml", []byte(c.file), "")
		var at *yamlfile.Error
		if !errors.As(err, &at) || !strings.HasPrefix(err.Error(), c.want) || strings.ContainsFunc(err.Error(), traces.Unprintable) {
			t.Errorf("%q: %v\nwant %s", c.file, err, c.want)
		}
	}
	if _, err := Read("f.yaml", []byte("ttl: 5\nsystem: etcd"), "redis"); err == nil || err.Error() != "f.yaml:2: it starts from the system etcd, and --system says redis; leave one of them out" {
		t.Error(err)
	}
}

// FuzzRead: what is read is valid and can be written and read again; what is
// not is refused in one line with a place.
func FuzzRead(f *testing.F) {
	for _, name := range Names() {
		_, data, err := Builtin(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	f.Add("system: redis\nfaults: {a: {ttl: 3}}\nwords: {token: x}\n")
	f.Add("{ttl: 5, ttl: 6}")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Read("fuzz.yaml", []byte(text), "")
		if err != nil {
			var at *yamlfile.Error
			if !errors.As(err, &at) || at.Line < 0 || at.Line > strings.Count(text, "\n")+strings.Count(text, "\r")+1 || at.Reason == "" {
				t.Fatalf("%q: %#v", text, err)
			}
			return
		}
		if err := s.Config.Validate(); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		for _, f := range slices.Concat(s.Faults, s.Variants) {
			if _, err := f.In(s); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
		}
		for key, word := range s.Words {
			if err := traces.CheckWord(key, word); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
		}
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if again, err := Read("again.json", data, ""); err != nil || !reflect.DeepEqual(s.Config, again.Config) || s.AnyStore != again.AnyStore || len(s.Cannot) != len(again.Cannot) {
			t.Fatalf("%q: written as %s, read again: %v", text, data, err)
		}
	})
}
