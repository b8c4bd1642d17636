package checker

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dlcheck/model"
)

var update = flag.Bool("update", false, "rewrite what scenarios found; read the diff")

// TestScenarios runs the worlds in testdata/scenarios. A scenario says in
// comments what it is about, then the world, one field a line, then below a
// line of dashes what was found: a line per property that was asked about.
// Several worlds in one file, each cured of what broke the one before, are
// parted by empty lines.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/scenarios/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(err, "no scenarios")
	}
	taken := map[string]bool{}
	violated := map[string]bool{}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var out []string
			for _, part := range strings.Split(strings.TrimSpace(string(data)), "\n\n") {
				world, _, _ := strings.Cut(part, "\n---\n")
				cfg, properties := scenario(t, world)
				for _, a := range model.Axes() {
					taken[a.Name] = taken[a.Name] || a.On(&cfg)
				}
				found := []string{world, "---"}
				for _, v := range ask(t, cfg, model.AllReductions(), Steps, properties...).Verdicts {
					line := fmt.Sprintf("%s %s", v.Property, v.Result)
					if v.Result == HoldsToBound {
						line += fmt.Sprintf(" %d", v.Bound)
					}
					if v.Trace != nil {
						line += ": " + v.Trace.Summary()
					}
					violated[v.Property] = violated[v.Property] || v.Result == Violated
					found = append(found, line)
				}
				out = append(out, strings.Join(found, "\n"))
			}
			got := strings.Join(out, "\n\n") + "\n"
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if got != string(data) {
				t.Errorf("%s: found\n%s\nand the file says\n%s", file, got, data)
			}
		})
	}
	for _, a := range model.Axes() {
		if !taken[a.Name] {
			t.Errorf("no scenario takes the axis %s", a.Name)
		}
	}
	for _, p := range Properties() {
		if !violated[p.Name] && p.Name != "linearizable" { // no store here answers wrongly
			t.Errorf("no scenario violates %s", p.Name)
		}
	}
}

func scenario(t *testing.T, text string) (cfg model.Config, properties []string) {
	t.Helper()
	cfg = model.DefaultConfig()
	cfg.Clients = 2
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "#") || line == "" {
			continue
		}
		key, value, ok := strings.Cut(line, ": ")
		if !ok {
			t.Fatalf("%q is no field", line)
		}
		if key == "ask" {
			properties = strings.Split(value, ", ")
		} else if err := cfg.Set(model.Setting{Field: key, Value: value}); err != nil {
			t.Fatal(err)
		}
	}
	return cfg, properties
}
