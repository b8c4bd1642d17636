package main

import (
	"context"
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"dlcheck/checker"
)

// onlyOnDisk is what a text has on top when the states were on disk.
var onlyOnDisk = regexp.MustCompile(`(?s)\nFiles in .*? took at most: .*?\.\n`)

// leveled is untimed without the scope of progress, whose search is one by itself
// when the others are on disk.
func leveled(ctx context.Context, q checker.Question) (*checker.Run, error) {
	run, err := untimed(ctx, q)
	if err == nil {
		for i := range run.Verdicts {
			if v := &run.Verdicts[i]; v.Property == "progress" {
				v.Scope = "progress"
			}
		}
	}
	return run, err
}

// TestDiskTellsTheSame asks questions of all kinds on disk, with next to no
// memory, and in memory: tables, stories and sums are the same, letter by letter.
func TestDiskTellsTheSame(t *testing.T) {
	for _, question := range []string{
		"--clients 3 --ticks 30",
		"--clients 2 --minimize events --front --all-minimal --stats",
		"--clients 2 --minimize faults --reduce none --front",
		"--clients 2 --minimize ticks --all-minimal --rounds 2 --store plain",
		"--clients 2 --minimize faults --delayed-writes 1 --clock-jumps 1 --all-minimal --store fenced",
		"--clients 2 --store fenced --property lost-update --ttl 60 --ticks 30",
		"--clients 3 --store claimed --reduce none --ticks 24 --workers 3",
	} {
		args := strings.Fields(question)
		want := dlcheckWith(leveled, "", args...)
		dir := filepath.Join(t.TempDir(), "made")
		got := dlcheckWith(leveled, "", append(args, "--disk", dir, "--memory", "2MiB")...)
		if text := onlyOnDisk.ReplaceAllString(got.out, ""); got.status != want.status || got.errOut != want.errOut || text != want.out {
			t.Errorf("dlcheck %s: status %d on disk, %d in memory; %s\non disk:\n%s\nin memory:\n%s", question, got.status, want.status, got.errOut, text, want.out)
		}
		if n := len(onlyOnDisk.FindAllString(got.out, -1)); n != 1 {
			t.Errorf("dlcheck %s says %d times what files took", question, n)
		}
		if names := leaves(t, dir); len(names) != 0 {
			t.Errorf("dlcheck %s leaves %q", question, names)
		}
	}
}

func TestDiskInReports(t *testing.T) {
	got := dlcheck("--disk", t.TempDir(), "--memory", "1MiB", "--workers", "1", "--json", "--store", "claimed", "--reduce", "none", "--property", "lost-update")
	schema, _ := schemas(t)
	if err := validate(schema, got.out); err != nil {
		t.Error(err)
	}
	var report struct {
		Runs []struct {
			PeakBytes int64  `json:"peak_bytes"`
			Disk      *int64 `json:"peak_disk_bytes"`
			States    int64
		}
	}
	if err := json.Unmarshal([]byte(got.out), &report); err != nil {
		t.Fatal(err)
	}
	if r := report.Runs[0]; r.Disk == nil || *r.Disk < r.States || r.PeakBytes > 5<<18 || r.States < 100000 {
		t.Errorf("%+v: want some bytes of disk for each state, and memory of 1 MiB", r)
	}
	if got := dlcheck("--json", "--store", "claimed"); strings.Contains(got.out, "peak_disk") {
		t.Error("a report of a search in memory speaks of the disk")
	}
}

func TestDiskRefusals(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"--disk DIR --certificate DIR/c --store claimed", "--certificate and --disk exclude each other"},
		{"--disk DIR --memory 100KiB --workers 2", "a memory of 100 KiB is too little for the buffers of a search on disk; it takes 512 KiB at least"},
		{"--disk /dev/null/no", "no file can be made in /dev/null/no: not a directory"},
		{"--disk", "--disk takes a value: --disk DIR"},
	} {
		dir := t.TempDir()
		got := dlcheck(strings.Fields(strings.ReplaceAll(c.args, "DIR", dir))...)
		if got.status != exitUsage || got.out != "" || strings.Count(got.errOut, "\n") != 1 || !strings.Contains(got.errOut, c.want) {
			t.Errorf("dlcheck %s: status %d, %s", c.args, got.status, got.errOut)
		}
	}
	// What is just enough is enough.
	if got := dlcheck("--disk", t.TempDir(), "--memory", "512KiB", "--workers", "2", "--store", "claimed"); got.status != exitHolds {
		t.Errorf("with 512 KiB: status %d, %s%s", got.status, got.errOut, got.out)
	}
}

// TestProgressInMemory: where its graph does not fit, that is said, of nothing
// else.
func TestProgressInMemory(t *testing.T) {
	got := dlcheck("--disk", t.TempDir(), "--memory", "512KiB", "--workers", "1", "--store", "claimed", "--clients", "3", "--reduce", "none", "--property", "lost-update,progress", "--quiet")
	if got.status != exitIncomplete || strings.Count(got.out, "holds to tick 30") != 1 || strings.Count(got.out, "incomplete") != 1 {
		t.Errorf("status %d, %s", got.status, got.out)
	}
}
