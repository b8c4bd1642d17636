//go:build unix

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dlcheck/checker"
)

// secondsTaken are all in a report that may differ between two runs.
var secondsTaken = regexp.MustCompile(`"seconds": [0-9.e-]+`)

func timeless(report string) string { return secondsTaken.ReplaceAllString(report, `"seconds": 0`) }

// dataFiles lists the files of data of all searches.
func dataFiles(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*", "*.data"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestKilledAndResumed kills dlcheck, again and again, when some more of it is on the
// disk, at a moment that nobody chooses, until it comes to its end: its report is to
// the byte that of one that was left alone.
func TestKilledAndResumed(t *testing.T) {
	t.Parallel()
	args := strings.Fields("--clients 2 --ttl 4 --ticks 12 --store fenced,claimed --minimize events --front --stats --json")
	var want bytes.Buffer
	undisturbed := process(args...)
	undisturbed.Stdout = &want
	var exit *exec.ExitError
	if err := undisturbed.Run(); !errors.As(err, &exit) || exit.ExitCode() != exitViolated {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "run")
	r := rand.New(rand.NewPCG(3, 5))
	for kills := 0; ; kills++ {
		all := append(slices.Clone(args), "--checkpoint", dir, "--checkpoint-every", "0", "--workers", fmt.Sprint(1+kills%3))
		if _, err := os.Stat(filepath.Join(dir, "question.json")); err == nil {
			all = append(all, "--resume")
		}
		cmd := process(all...)
		var out, errOut bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errOut
		before, more := len(dataFiles(t, dir)), 2+r.IntN(12)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		var err error
		for alive := true; alive; {
			select {
			case err = <-ended:
				alive = false
			default:
				if len(dataFiles(t, dir)) >= before+more {
					_ = cmd.Process.Kill()
					err = <-ended
					alive = false
				}
			}
		}
		if errors.As(err, &exit) && exit.ExitCode() == -1 {
			continue // killed
		}
		if !errors.As(err, &exit) || exit.ExitCode() != exitViolated || errOut.Len() > 0 {
			t.Fatalf("%v, %s", err, errOut.String())
		}
		if timeless(out.String()) != timeless(want.String()) {
			t.Errorf("after %d kills it reports\n%s\nwant\n%s", kills, out.String(), want.String())
		}
		if kills == 0 {
			t.Error("it was never killed")
		}
		return
	}
}

// TestResumeRefused shows what is said of a folder that cannot be resumed. Nothing in
// it is changed.
func TestResumeRefused(t *testing.T) {
	whole := t.TempDir()
	ask := func(dir string, more ...string) call {
		return dlcheck(append(strings.Fields("--clients 2 --ttl 4 --store claimed --property lost-update --checkpoint-every 0 --quiet --checkpoint "+dir), more...)...)
	}
	if got := ask(whole); got.status != exitHolds {
		t.Fatalf("status %d, %s", got.status, got.errOut)
	}
	searches, err := filepath.Glob(filepath.Join(whole, "claimed-states-*"))
	if err != nil || len(searches) != 1 {
		t.Fatalf("%q, %v", searches, err)
	}
	search := filepath.Base(searches[0])
	const copied = "; put back a copy of the whole folder, or begin anew in another one"
	for _, c := range []struct {
		spoil string // as a shell would
		args  string
		want  string
	}{
		{"", "", "--checkpoint DIR: there is a checkpoint in it already; add --resume to go on with it, or choose another folder"},
		{"rm question.json", "--resume", "--resume: DIR: there is no checkpoint in it; leave --resume out to begin one, or give the folder of one"},
		{"rm question.json", "", "--checkpoint DIR: there are files in it that are none of a checkpoint; choose an empty folder or a new one"},
		{"", "--resume --clients 3 --crashes 1", "--checkpoint: DIR/question.json: it is of another question: clients is 2 in it, and 3 here, crashes is 0 in it, and 1 here; ask what was asked then, or choose another folder"},
		{"truncate -s 100 question.json", "--resume", "--checkpoint: DIR/question.json: it is torn or damaged: its last line is not the checksum of what stands before" + copied},
		{"truncate -s 0 SEARCH/manifest.json", "--resume", "DIR/SEARCH/manifest.json: it is torn or damaged: its last line is not the checksum of what stands before" + copied},
		{"truncate -s 90 SEARCH/000003.data", "--resume", "DIR/SEARCH/000003.data: it is torn: it has 90 of the SIZE bytes that manifest.json tells of" + copied},
		{"printf x | dd of=SEARCH/000002.data bs=1 seek=77 conv=notrunc status=none", "--resume", "DIR/SEARCH/000002.data: it is damaged: its checksum is not the one that manifest.json has" + copied},
		{"rm SEARCH/000001.data", "--resume", "DIR/SEARCH/000001.data: it is missing, and manifest.json names it" + copied},
	} {
		dir := filepath.Join(t.TempDir(), "run")
		if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
			t.Fatal(err)
		}
		size := int64(0)
		if info, err := os.Stat(filepath.Join(dir, search, "000003.data")); err == nil {
			size = info.Size()
		}
		sh := exec.Command("sh", "-c", strings.ReplaceAll(c.spoil, "SEARCH", search))
		sh.Dir = dir
		if out, err := sh.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v %s", c.spoil, err, out)
		}
		before := snapshot(t, dir)
		got := ask(dir, strings.Fields(c.args)...)
		said := strings.NewReplacer(dir, "DIR", search, "SEARCH", fmt.Sprintf("the %d bytes", size), "the SIZE bytes").Replace(got.errOut)
		if got.status != exitUsage || said != "dlcheck: "+c.want+"\n" || got.out != "" {
			t.Errorf("%s, %s: status %d, %swant %s", c.spoil, c.args, got.status, said, c.want)
		}
		if now := snapshot(t, dir); now != before {
			t.Errorf("%s, %s: the folder was changed from\n%s\nto\n%s", c.spoil, c.args, before, now)
		}
	}
	if got := ask(whole, "--resume", "--workers", "3", "--memory", "1GiB"); got.status != exitHolds || got.out != "claimed  lost-update  holds\n" {
		t.Errorf("with nothing wrong: %+v", got)
	}
}

// snapshot is what is in a folder.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s %x\n", path, sha256.Sum256(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestTwoInOneFolder: who holds the lock is let alone; and the lock goes with its
// process.
func TestTwoInOneFolder(t *testing.T) {
	dir := t.TempDir()
	args := []string{"--store", "claimed", "--clients", "1", "--property", "lost-update", "--quiet", "--checkpoint", dir}
	second := call{}
	got := dlcheckWith(func(ctx context.Context, q checker.Question) (*checker.Run, error) {
		second = dlcheck(append(args, "--resume")...)
		return checker.Check(ctx, q)
	}, "", args...)
	want := "dlcheck: --checkpoint: " + filepath.Join(dir, "lock") + ": another dlcheck is at work in this folder; wait until that ends, or choose another folder\n"
	if got.status != exitHolds || second.status != exitUsage || second.errOut != want {
		t.Errorf("the first %+v, the second %+v", got, second)
	}
	if third := dlcheck(append(args, "--resume")...); third != got {
		t.Errorf("the third %+v", third)
	}
}
