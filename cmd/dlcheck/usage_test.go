package main

import (
	"fmt"
	"strings"
	"testing"
)

// TestUsage shows every way to ask wrongly and what dlcheck answers: one
// line, status 2, no help text poured out.
func TestUsage(t *testing.T) {
	var all strings.Builder
	for _, args := range [][]string{
		{"--clents", "3"},
		{"-x"},
		{"--clients"},
		{"--clients", "x"},
		{"--clients", "0"},
		{"--clients", "99999999999999999999"},
		{"--clients", "-99999999999999999999"},
		{"--ticks", "99999999999999999999"},
		{"--clients", "99"},
		{"--ticks", "-1"},
		{"--ticks", "unlimted"},
		{"--ticks", "forever"},
		{"--max-pause", "0"},
		{"--store", "fence"},
		{"--store", "plain,nope"},
		{"--store", ""},
		{"--property", "lost-updates"},
		{"--minimize", "step"},
		{"--list", "5"},
		{"--all-minimal", "--list", "-1"},
		{"--reduce", "time,clint"},
		{"--memory", "2Q"},
		{"--memory", "8"},
		{"--memory", "1,000"},
		{"--memory", "0.9B"},
		{"--memory", "9000PiB"},
		{"--memory", "99999999TiB"},
		{"--workers", "1025"},
		{"--system", "redis", "--ttl", "-4"},
		{"--system", "redis", "--ticks", "-4"},
		{"--memory", "-1"},
		{"--time-limit", "5"},
		{"--workers", "-2"},
		{"--program", "acquire, reed, release"},
		{"--json", "--quiet"},
		{"--json=maybe"},
		{"--stats", "--quiet"},
		{"--disk", "here", "--checkpoint", "there"},
		{"--trace-dir", "/dev/null/x"},
		{"--trace-dir", ""},
		{"--trace-dir="},
		{"--checkpoint", ""},
		{"--checkpoint", "/dev/null/x"},
		{"--checkpoint", "/dev"},
		{"--checkpoint", "/nonexistent", "--resume"},
		{"--checkpoint", "x", "--checkpoint-every", "5"},
		{"--checkpoint-every", "5m"},
		{"--resume"},
		{"--resume=now"},
		{"prove", "--checkpoint", "x"},
		{"matrix", "--resume"},
		{"--certificate", ""},
		{"--certificate", "c.cert"},
		{"--store", "claimed", "--certificate", "/dev/full"},
		{"--store", "claimed", "--certificate", "/dev/null/x"},
		{"--store", "claimed", "--certificate", "/nonexistent/c.cert"},
		{"--store", "claimed", "--property", "progress,linearizable", "--certificate", "c.cert"},
		{"reductions", "x"},
		{"reductions", "--ttl", "ten"},
		{"reductions", "--ttl", "0"},
		{"reductions", "--store", "fence"},
		{"reductions", "--property", "progress"},
		{"prove", "x"},
		{"prove", "--store", "two-step"},
		{"prove", "--property", "progress"},
		{"prove", "--program", "acquire"},
		{"verify"},
		{"verify", "a", "b"},
		{"verify", "/nonexistent"},
		{"verify", "/dev/null"},
		{"trase", "x"},
		{"version"},
		{"clients", "2"},
		{"trace"},
		{"trace", "a", "b"},
		{"trace", "/nonexistent"},
		{"trace", "--format", "jsn", "x"},
		{"trace", "--frmat", "json", "x"},
		{"explain"},
		{"explain", "a", "b"},
		{"explain", "/nonexistent"},
		{"explain", "--format", "mermaid", "x"},
		{"explain", "--states", "0", "x"},
		{"explain", "--property", "lost-updates", "x"},
		{"schema"},
		{"schema", "reprot"},
		{"stores", "x"},
		{"man", "x"},
		{"completion"},
		{"completion", "zsch"},
		{"help", "trase"},
	} {
		got := dlcheckWith(nil, "", args...)
		if got.status != exitUsage || got.out != "" || strings.Count(got.errOut, "\n") != 1 {
			t.Errorf("%q: status %d, stdout %q, stderr %q", args, got.status, got.out, got.errOut)
		}
		fmt.Fprintf(&all, "$ dlcheck %s\n%s", shell(args), got.errOut)
	}
	golden(t, "usage.txt", all.String())
}

func shell(args []string) string {
	var quoted []string
	for _, a := range args {
		if a == "" || strings.Contains(a, " ") {
			a = "'" + a + "'"
		}
		quoted = append(quoted, a)
	}
	return strings.Join(quoted, " ")
}

func TestHelp(t *testing.T) {
	var all strings.Builder
	for _, args := range [][]string{
		{"--help"},
		{"help", "trace"},
		{"help", "explain"},
		{"completion", "--help"},
	} {
		got := dlcheckWith(nil, "", args...)
		if got.status != 0 || got.errOut != "" {
			t.Errorf("%q: status %d, stderr %q", args, got.status, got.errOut)
		}
		tidy(t, got.out)
		fmt.Fprintf(&all, "$ dlcheck %s\n%s\n", shell(args), got.out)
	}
	golden(t, "help.txt", all.String())
	if a, b := dlcheck("help"), dlcheck("--help"); a != b {
		t.Error("help and --help differ")
	}
}

func TestManPage(t *testing.T) {
	got := dlcheckWith(nil, "", "man")
	if got.status != 0 || got.errOut != "" {
		t.Fatalf("status %d, stderr %q", got.status, got.errOut)
	}
	golden(t, "dlcheck.1", got.out)
	for _, word := range []string{"EXIT STATUS", "EXAMPLE", `\-\-trace\-dir`, "dlcheck trace FILE", "dlcheck completion"} {
		if !strings.Contains(got.out, word) && !strings.Contains(got.out, strings.ReplaceAll(word, `\-`, "-")) {
			t.Errorf("the manual page does not have %q", word)
		}
	}
}

// TestListOfProperties: no line is wider than the page.
func TestListOfProperties(t *testing.T) {
	got := dlcheck("properties").out
	tidy(t, got)
	for _, word := range []string{"\nseed    what the classic lesson checks", "\nbeyond  "} {
		if !strings.Contains(got, word) {
			t.Errorf("%q is not explained in %s", word, got)
		}
	}
}

func TestLists(t *testing.T) {
	for args, want := range map[string]string{
		"stores":                            "fenced ",
		"properties":                        "stale-overwrite",
		"schema report":                     "urn:dlcheck:report:v1",
		"schema trace":                      "urn:dlcheck:trace:v1",
		"schema system":                     "urn:dlcheck:system:v1",
		"schema explain":                    "urn:dlcheck:explain:v1",
		"--version":                         "dlcheck ",
		"completion bash":                   "__start_dlcheck",
		"completion zsh":                    "#compdef dlcheck",
		"completion fish":                   "complete -c dlcheck",
		"completion powershell":             "Register-ArgumentCompleter",
		"__complete --store plain,f":        "plain,fenced\t",
		"__complete --property stale":       "stale-overwrite\t",
		"__complete --property s":           "seed\t",
		"__complete --minimize ":            "steps\t",
		"__complete --minimize f":           "faults\t",
		"__complete --reduce ":              "auto\t",
		"__complete --ticks ":               "unlimited\t",
		"__complete --checkpoint ":          ":16",
		"__complete --checkpoint-every ":    ":4",
		"__complete trace --format ":        "mermaid\t",
		"__complete trace --property stale": "stale-overwrite\t",
		"__complete explain --format ":      "json\t",
		"__complete explain --store ":       "claimed\t",
		"__complete explain ":               "json\n:8",
		"__complete schema ":                "report\t",
		"__complete tr":                     "trace\t",
		"__complete help tr":                "trace\t",
	} {
		got := dlcheckWith(nil, "", strings.Split(args, " ")...)
		if got.status != 0 || !strings.Contains(got.out, want) {
			t.Errorf("%s: status %d, stdout without %q: %q", args, got.status, want, got.out)
		}
	}
	if got := dlcheckWith(nil, "", "__complete", "--store", "plain,"); strings.Contains(got.out, "plain,plain") {
		t.Errorf("completion offers a store that was given: %q", got.out)
	}
}
