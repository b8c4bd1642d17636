package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// figures that change from run to run: seconds.
var changing = regexp.MustCompile(`\d+\.\d+ s\b`)

// TestDocumentsTellWhatHappens runs every command in a console block of the
// documents and compares what it prints. A line "..." stands for any lines.
func TestDocumentsTellWhatHappens(t *testing.T) {
	root := filepath.Join("..", "..")
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", bin, "./cmd/dlcheck")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	docs, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	for _, doc := range append(docs, filepath.Join(root, "README.md"), filepath.Join(root, "ARCHITECTURE.md")) {
		text, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir() // a document's commands follow one another
		for _, c := range consoleCommands(string(text)) {
			commands++
			sh := exec.Command("sh", "-c", c.command)
			sh.Dir = dir
			sh.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "COLUMNS=100")
			out, err := sh.CombinedOutput()
			if _, ran := err.(*exec.ExitError); err != nil && !ran {
				t.Fatal(err)
			}
			if problem := tells(c.want, strings.Split(strings.TrimRight(string(out), "\n"), "\n")); problem != "" {
				t.Errorf("%s:%d: $ %s\n%s\nit printed:\n%s", filepath.Base(doc), c.line, c.command, problem, out)
			}
		}
	}
	if commands < 6 {
		t.Errorf("only %d commands were found in the documents", commands)
	}
}

type documented struct {
	command string
	line    int
	want    []string
}

func consoleCommands(text string) (all []documented) {
	inside := false
	for i, line := range strings.Split(text, "\n") {
		switch {
		case line == "```console":
			inside = true
		case strings.HasPrefix(line, "```"):
			inside = false
		case inside && strings.HasPrefix(line, "$ "):
			all = append(all, documented{command: line[2:], line: i + 1})
		case inside && len(all) > 0:
			last := &all[len(all)-1]
			last.want = append(last.want, line)
		}
	}
	return all
}

// tells says what the first line is that the output lacks, or "".
func tells(want, got []string) string {
	at, gap := 0, false
	for _, line := range want {
		if line == "..." {
			gap = true
			continue
		}
		w := normal(line)
		for gap && at < len(got) && normal(got[at]) != w {
			at++
		}
		if at == len(got) || normal(got[at]) != w {
			return fmt.Sprintf("it does not print, where the document has it, the line\n%s", line)
		}
		at, gap = at+1, false
	}
	if !gap && at < len(got) {
		return "it prints more than the document has, from the line\n" + got[at]
	}
	return ""
}

// normal masks seconds, and in a line that has some the alignment. Any other
// line has to agree to the blank.
func normal(line string) string {
	if !changing.MatchString(line) {
		return line
	}
	return strings.Join(strings.Fields(changing.ReplaceAllString(line, "T s")), " ")
}

func TestNormal(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"plain  holds  0.03 s", "plain  holds   10.12 s", true},
		{"plain  holds  0.03 s", "plain  VIOLATED  0.03 s", false},
		{"  tick  who", "  tick  who", true},
		{"  tick  who", "  tick who", false},
		{"  tick  who", "tick  who", false},
	} {
		if (normal(c.a) == normal(c.b)) != c.same {
			t.Errorf("%q and %q: the same is %v", c.a, c.b, !c.same)
		}
	}
}
