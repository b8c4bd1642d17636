package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"dlcheck/checker"
	"dlcheck/checker/systems"
	"dlcheck/model"
	"dlcheck/traces/yamlfile"
)

// TestSystemsCommand pins what is said of every system.
func TestSystemsCommand(t *testing.T) {
	var all strings.Builder
	for _, args := range append([]string{""}, systems.Names()...) {
		got := dlcheck(strings.Fields("systems " + args)...)
		if got.status != 0 || got.errOut != "" {
			t.Errorf("%s: %+v", args, got)
		}
		tidy(t, got.out)
		fmt.Fprintf(&all, "$ dlcheck %s\n%s\n", strings.TrimSpace("systems "+args), got.out)
	}
	golden(t, "systems/explained.txt", all.String())
	golden(t, "systems/redis.json", dlcheck("systems", "redis", "--json").out)
}

// TestTheFlagsToType: what is said of a fault can be typed.
func TestTheFlagsToType(t *testing.T) {
	for _, name := range systems.Names() {
		s, _, err := systems.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range slices.Concat(s.Faults, s.Variants) {
			want, err := f.In(s)
			if err != nil {
				t.Fatal(err)
			}
			args := []string{"--system", name}
			for _, set := range f.Settings {
				args = append(args, "--"+set.Field, set.Value)
			}
			if got := asked(t, args...); len(got) != 1 || len(got[0].Config.Differences(&want)) > 0 {
				t.Errorf("%q asks for %+v, want %+v", args, got, want)
			}
		}
	}
}

// asked calls dlcheck and gives the questions that it asks.
func asked(t *testing.T, args ...string) (all []checker.Question) {
	t.Helper()
	got := dlcheckWith(func(_ context.Context, q checker.Question) (*checker.Run, error) {
		all = append(all, q)
		return &checker.Run{Config: q.Config}, nil
	}, "", args...)
	if got.errOut != "" {
		t.Errorf("%q: %+v", args, got)
	}
	return all
}

// TestPrecedence: the defaults, the system, the file, the flags; each wins over
// those before it.
func TestPrecedence(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("on.yaml", "ttl: 6\nwords: {token: ticket}\n")
	write("own.yaml", "system: kubernetes\nttl: 7\n")
	write("flat.yaml", "name: flat\nclients: 2\nstore: conditional\n")
	for _, c := range []struct{ args, want string }{
		{"", "plain 10 3, fenced 10 3, claimed 10 3"},
		{"--system kubernetes", "plain 15 3"},
		{"--system kubernetes --ttl 20", "plain 20 3"},
		{"--ttl 20 --system kubernetes", "plain 20 3"},
		{"--ttl 10 --system kubernetes", "plain 10 3"}, // the default, said
		{"--system kubernetes --store fenced,claimed", "fenced 15 3, claimed 15 3"},
		{"--config own.yaml", "plain 7 3"},
		{"--config own.yaml --system kubernetes", "plain 7 3"},
		{"--config own.yaml --ttl 8 --store strict", "strict 8 3"},
		{"--config on.yaml", "plain 6 3, fenced 6 3, claimed 6 3"},
		{"--config on.yaml --store strict", "strict 6 3"},
		{"--config on.yaml --system kubernetes", "plain 6 3"},
		{"--config flat.yaml", "conditional 10 2"},
		{"--config flat.yaml --clients 4", "conditional 10 4"},
	} {
		var got []string
		for _, q := range asked(t, strings.Fields(c.args)...) {
			got = append(got, fmt.Sprint(q.Config.Store, " ", q.Config.TTL, " ", q.Config.Clients))
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s: asks about %s, want %s", c.args, s, c.want)
		}
	}
	q := asked(t, "--config", "on.yaml", "--system", "etcd")[0]
	if q.Words["token"] != "ticket" || q.Words["release"] != "deletes its key" {
		t.Errorf("words %v", q.Words)
	}
}

// TestEveryFieldIsAFlag: settle finds each field among the flags.
func TestEveryFieldIsAFlag(t *testing.T) {
	flags := newCommand(nil, nil, nil).root().Flags()
	for _, f := range model.Fields() {
		if flags.Lookup(f) == nil {
			t.Errorf("there is no flag --%s", f)
		}
	}
}

// TestSystemFaults shows what is said of bad input.
func TestSystemFaults(t *testing.T) {
	var all string
	t.Run("in a folder of its own", func(t *testing.T) { all = systemFaults(t) })
	golden(t, "systems/faults.txt", all)
}

func systemFaults(t *testing.T) string {
	t.Chdir(t.TempDir())
	var all strings.Builder
	for _, c := range []struct{ args, file string }{
		{"--system rediss", ""},
		{"--system", ""},
		{"--system=", ""},
		{"--config", ""},
		{"--config=", ""},
		{"--config nofile.yaml", ""},
		{"--config .", ""},
		{"--system redis --config mine.yaml", "system: etcd\n"},
		{"--system flock --clock-jumps 3", ""},
		{"--config mine.yaml", "name: x\ntll: 5\n"},
		{"--config mine.yaml", "ttl: 5\nttl: 6\n"},
		{"--config mine.yaml", "ttl: 0\n"},
		{"--config mine.yaml", "store: fence\n"},
		{"--config mine.yaml", "release: blnd\n"},
		{"--config mine.yaml", "clients: 2\nrestart-delay: 3\n"},
		{"--config mine.yaml", "faults:\n  crash: {crash: 1}\n"},
		{"--config mine.yaml", "words:\n  tokn: x\n"},
		{"--config mine.yaml", "rules:\n  clok: x\n"},
		{"--config mine.yaml", "system: rediss\n"},
		{"--config mine.yaml", "ttl: [5\n"},
		{"--config mine.yaml", "just a text\n"},
		{"systems rediss", ""},
		{"systems redis etcd", ""},
		{"systems nofile.yaml", ""},
		{"systems mine.yaml --yaml", "ttl: 5\n"},
		{"explain nofile.json", ""},
		{"systems --yaml", ""},
		{"systems redis --yaml --json", ""},
		{"schema systm", ""},
	} {
		if c.file != "" {
			if err := os.WriteFile("mine.yaml", []byte(c.file), 0o666); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&all, "%q\n", c.file)
		}
		got := dlcheckWith(nil, "", strings.Fields(c.args)...)
		if got.status != exitUsage || got.out != "" || strings.Count(got.errOut, "\n") != 1 {
			t.Errorf("%s: %+v", c.args, got)
		}
		fmt.Fprintf(&all, "$ dlcheck %s\n%s", c.args, got.errOut)
	}
	return all.String()
}

// TestSystemInReportAndTraces: a report names the system, its traces have the
// system's words in them, and dlcheck trace keeps them.
func TestSystemInReportAndTraces(t *testing.T) {
	report, _ := schemas(t)
	dir := t.TempDir()
	got := dlcheck("--system", "etcd", "--store", "plain", "--property", "lost-update", "--json", "--trace-dir", dir)
	if err := validate(report, got.out); err != nil {
		t.Error(err)
	}
	if !strings.Contains(got.out, `"system": "etcd"`) || !strings.Contains(got.out, `"token": "revision"`) {
		t.Errorf("%+v", got)
	}
	told := dlcheck("trace", filepath.Join(dir, "plain-lost-update.json"))
	if told.status != 0 || !strings.Contains(told.out, "granted, revision 1") || strings.Contains(told.out, "token") {
		t.Errorf("%+v", told)
	}
	explained := dlcheck("explain", filepath.Join(dir, "plain-lost-update.json"), "--format", "json")
	if strings.Contains(explained.out, "with token ") || strings.Count(explained.out, `"token": "revision"`) < 2 {
		t.Errorf("other schedules of the explanation are not in its words: %+v", explained)
	}
	if got := dlcheck("--json", "--property", "lost-update"); strings.Contains(got.out, `"system"`) || strings.Contains(got.out, `"words"`) {
		t.Errorf("without a system there is one: %s", got.out)
	}
	if got := dlcheck("--system", "etcd", "--property", "lost-update"); !strings.HasPrefix(got.out, "etcd: 3 clients, ") {
		t.Errorf("%+v", got)
	}
}

// TestYAMLToStartFrom: what --yaml and --json print is what --config reads.
func TestYAMLToStartFrom(t *testing.T) {
	for _, name := range systems.Names() {
		want := asked(t, "--system", name)[0].Config
		for _, form := range []string{"--yaml", "--json"} {
			file := dlcheck("systems", name, form)
			if file.status != 0 || file.errOut != "" {
				t.Errorf("%s %s: %+v", name, form, file)
			}
			path := filepath.Join(t.TempDir(), "mine.yaml")
			if err := os.WriteFile(path, []byte(file.out), 0o666); err != nil {
				t.Fatal(err)
			}
			if form == "--yaml" && !strings.HasPrefix(file.out, "# yaml-language-server: $schema=") {
				t.Errorf("%s: an editor does not learn of the schema: %s", name, file.out)
			}
			if got := asked(t, "--config", path); len(got) != 1 || len(want.Differences(&got[0].Config)) > 0 {
				t.Errorf("%s %s: %+v, want %+v", name, form, got[0].Config, want)
			}
		}
	}
}

// TestSystemSchema: every file that comes with dlcheck is of the form that
// dlcheck schema system prints, in YAML and in JSON, and others are not.
func TestSystemSchema(t *testing.T) {
	c := jsonschema.NewCompiler()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(dlcheck("schema", "system").out))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AddResource("urn:dlcheck:system:v1", doc); err != nil {
		t.Fatal(err)
	}
	schema := c.MustCompile("urn:dlcheck:system:v1")
	for _, name := range systems.Names() {
		if err := validate(schema, asJSON(t, dlcheck("systems", name, "--yaml").out)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := validate(schema, dlcheck("systems", name, "--json").out); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for file, good := range map[string]bool{
		"{}":                                true,
		"ticks: unlimited":                  true,
		"ticks: 0":                          true,
		"system: redis\nttl: 3":             true,
		"ttl: 0":                            false,
		"ttl: unlimited":                    false,
		"tll: 5":                            false,
		"store: fence":                      false,
		"release: blnd":                     false,
		"crashes: -1":                       false,
		"system: rediss":                    false,
		"words: {tokn: x}":                  false,
		"rules: {clok: x}":                  false,
		"faults: {crash: {}}":               false,
		"faults: {crash: {crash: 1}}":       false,
		"faults: {crash: {crashes: 1}}":     true,
		"variants: {crash: {crashes: 1}}":   true,
		"variants: {'a, b': {crashes: 1}}":  false,
		"store: [plain]":                    false,
		"differs: [a sentence]":             true,
		"differs: a sentence":               false,
		"cannot: {store guarded: why}":      true,
		"cannot: {lock-delay: why}":         true,
		"cannot: {lock-delay 3: why}":       false,
		"cannot: {store guard: why}":        false,
		"cannot: [store]":                   false,
		"faults: {crash: {crashes: never}}": false,
	} {
		if err := validate(schema, asJSON(t, file)); (err == nil) != good {
			t.Errorf("%q: %v", file, err)
		}
		_, err := systems.Read("x.yaml", []byte(file), "")
		if (err == nil) != good {
			t.Errorf("%q is read otherwise: %v", file, err)
		}
	}
}

// TestSystemsOfAFile: a system of a user is explained as those that come with
// dlcheck are.
func TestSystemsOfAFile(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("mine.yaml", []byte("ttl: 4\nfaults: {dies: {crashes: 1}}\nvariants: {late: {late-answers: 1}}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	got := dlcheck("systems", "mine.yaml")
	const want = `mine.

What it is here
  any --store  its file names none; without one plain, fenced, claimed are asked about
  --ttl 4      length of a lease in ticks

What can befall it
  dies  dlcheck --config mine.yaml --crashes 1

Other ways to use it
  late  dlcheck --config mine.yaml --late-answers 1
`
	if got.out != want || got.status != 0 || got.errOut != "" {
		t.Errorf("%+v\nwant %s", got, want)
	}
}

// TestSystemsInTheDocuments: the table of systems says what their files say.
func TestSystemsInTheDocuments(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "systems.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range systems.Names() {
		s, _, err := systems.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		row := fmt.Sprintf("| `%s` | %s | %s | %s |", name, s.Rules["clock"], s.Rules["token"], s.Rules["checked"])
		if !strings.Contains(string(page), row+"\n") {
			t.Errorf("docs/systems.md lacks the row\n%s", row)
		}
	}
}

func asJSON(t *testing.T, text string) string {
	t.Helper()
	var doc any
	if err := yamlfile.Decode("x.yaml", []byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestSystemCompletion(t *testing.T) {
	for args, want := range map[string]string{
		"__complete --system red":  "redis\tone Redis: ",
		"__complete systems z":     "zookeeper\t",
		"__complete --config ":     "yaml\n",
		"__complete schema s":      "system\t",
		"__complete systems z etc": ":4",
	} {
		if got := dlcheckWith(nil, "", strings.Split(args, " ")...); got.status != 0 || !strings.Contains(got.out, want) {
			t.Errorf("%s: %+v", args, got)
		}
	}
}
