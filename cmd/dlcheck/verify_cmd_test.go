package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dlcheck/checker"
)

// leaves lists what a directory has.
func leaves(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestCertificate: the check writes what verify finds true, in every form of
// output, and the status is that of the check.
func TestCertificate(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "c.cert")
	const small = "--store claimed --clients 2 --ttl 4 --property seed"
	ask := func(more ...string) call {
		return dlcheck(append(append(strings.Fields(small), "--certificate", file), more...)...)
	}
	for _, form := range []string{"", "--json", "--quiet"} {
		got := ask(strings.Fields(form)...)
		if got.status != exitHolds || got.errOut != "" || strings.Contains(got.out, "Certificate of 204 states written to ") != (form == "") {
			t.Errorf("%s: status %d, %q\n%s", form, got.status, got.errOut, got.out)
		}
		if names := leaves(t, dir); len(names) != 1 || names[0] != "c.cert" {
			t.Errorf("%s leaves %q", form, names)
		}
	}
	got := dlcheck("verify", file)
	for _, want := range []string{"c.cert is true: lease-overlap and stale-overwrite hold at every horizon", "does not vouch for linearizable,", "SHA-256"} {
		if !strings.Contains(strings.Join(strings.Fields(got.out), " "), want) {
			t.Errorf("it does not say %q:\n%s", want, got.out)
		}
	}
	if got.status != exitHolds || got.errOut != "" {
		t.Errorf("status %d, %q", got.status, got.errOut)
	}
	schema := schemaOf(t, "verify")
	if got := dlcheck("verify", file, "--json"); validate(schema, got.out) != nil || got.status != exitHolds {
		t.Errorf("%v, status %d\n%s", validate(schema, got.out), got.status, got.out)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := dlcheckWith(nil, string(data), "verify", "-"); got.status != exitHolds || !strings.HasPrefix(got.out, "standard input is true: ") {
		t.Errorf("status %d, %q", got.status, got.out+got.errOut)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errInterrupted)
	var out, errOut bytes.Buffer
	if status := newCommand(nil, &out, &errOut).run(ctx, []string{"verify", file}); status != exitIncomplete || out.Len() > 0 || !strings.Contains(errOut.String(), "interrupted; nothing is known of it") {
		t.Errorf("interrupted: status %d, %q", status, out.String()+errOut.String())
	}
	for _, c := range []struct{ stdin, want string }{
		{"", "it is no certificate of dlcheck"},
		{"{}\n", "it is no certificate of dlcheck"},
		{string(data[:40]), "it ends within its header"},
		{string(data[:len(data)-40]), "it ends within its states"},
		{string(data[:len(data)-4]), "it ends within its checksum"},
		{string(data) + "x", "there is something behind its end"},
		{string(data[:len(data)-1]) + "x", "it is damaged"},
	} {
		if got := dlcheckWith(nil, c.stdin, "verify", "-"); got.status != exitUsage || got.out != "" || !strings.Contains(got.errOut, c.want) {
			t.Errorf("status %d, %q, want %q", got.status, got.out+got.errOut, c.want)
		}
	}
}

// TestVerifyWrong: a certificate that is wrong is an answer, in words and in JSON.
// It is made by a check that lies.
func TestVerifyWrong(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lie.cert")
	lie := func(ctx context.Context, q checker.Question) (*checker.Run, error) {
		var honest bytes.Buffer
		out := q.Certificate
		q.Certificate = &honest
		run, err := checker.Check(ctx, q)
		if err == nil {
			_, err = out.Write(lieAbout(t, honest.Bytes()))
		}
		return run, err
	}
	if got := dlcheckWith(lie, "", "--store", "claimed", "--property", "mutual-exclusion,unlocked-write", "--certificate", file, "--quiet"); got.status != exitHolds {
		t.Fatalf("status %d, %s", got.status, got.out+got.errOut)
	}
	got := dlcheck("verify", file)
	if said := strings.Join(strings.Fields(got.out), " "); got.status != exitViolated || !strings.Contains(said, "lie.cert is wrong: in its state ") || !strings.Contains(said, "takes the action write (token 1), and that breaks unlocked-write.") {
		t.Errorf("status %d, %s", got.status, got.out+got.errOut)
	}
	tidy(t, strings.ReplaceAll(got.out, file, "lie.cert"))
	schema := schemaOf(t, "verify")
	if got := dlcheck("verify", file, "--json"); validate(schema, got.out) != nil || got.status != exitViolated {
		t.Errorf("%v, status %d\n%s", validate(schema, got.out), got.status, got.out)
	}
}

// lieAbout vouches for unlocked-write as well, with a checksum that is right.
func lieAbout(t *testing.T, file []byte) []byte {
	t.Helper()
	lie := bytes.Replace(file, []byte(`"properties":["mutual-exclusion"]`), []byte(`"properties":["mutual-exclusion","unlocked-write"]`), 1)
	lie = bytes.Replace(lie, []byte(`,"unlocked-write"],"claim"`), []byte(`],"claim"`), 1)
	if bytes.Equal(lie, file) {
		t.Fatal("nothing to lie about")
	}
	return sealed(lie)
}

// TestNoCertificateIsLeft: where there is none, nothing is written, one line says
// why, and a file of another question stays as it was.
func TestNoCertificateIsLeft(t *testing.T) {
	for _, row := range []struct {
		args   string
		status int
		want   string
	}{
		{"--store fenced --property lost-update", exitViolated, "No certificate is written: lost-update is violated."},
		{"--store claimed --property lost-update --memory 1B", exitIncomplete, "No certificate is written: the search was cut short (out of memory)."},
		{"--store claimed --property lost-update --time-limit 1ns", exitIncomplete, "No certificate is written: the search was cut short (out of time)."},
		{"--store fenced --property unlocked-write", exitIncomplete, "No certificate is written: no property that it could vouch for holds."},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "c.cert")
		args := append(strings.Fields(row.args), "--certificate", file)
		if got := dlcheck(args...); got.status != row.status || !strings.HasSuffix(got.out, row.want+"\n") {
			t.Errorf("%s: status %d, %s", row.args, got.status, got.out+got.errOut)
		}
		if names := leaves(t, dir); len(names) != 0 {
			t.Errorf("%s leaves %q", row.args, names)
		}
		if err := os.WriteFile(file, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		dlcheck(args...)
		if old, _ := os.ReadFile(file); string(old) != "old" || len(leaves(t, dir)) != 1 {
			t.Errorf("%s: the old file is %q", row.args, old)
		}
	}
}

// TestDraftOnFullDisk: what was begun goes when it cannot be ended.
func TestDraftOnFullDisk(t *testing.T) {
	dir := t.TempDir()
	full := errors.New("no space left")
	begin := func(_ context.Context, q checker.Question) (*checker.Run, error) {
		if _, err := q.Certificate.Write([]byte("the first half")); err != nil || len(leaves(t, dir)) != 1 {
			t.Errorf("%v, %q", err, leaves(t, dir))
		}
		return nil, full
	}
	got := dlcheckWith(begin, "", "--store", "claimed", "--certificate", filepath.Join(dir, "c.cert"))
	if got.status != exitUsage || !strings.Contains(got.errOut, full.Error()) || len(leaves(t, dir)) != 0 {
		t.Errorf("status %d, %q, leaves %q", got.status, got.errOut, leaves(t, dir))
	}
}

// TestSecondInterruptLeavesNothing: not even who cannot wait leaves half a file.
func TestSecondInterruptLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	c := newCommand(nil, &bytes.Buffer{}, &bytes.Buffer{})
	left := 0
	c.exitNow = func(status int) { left = status }
	c.check = func(_ context.Context, q checker.Question) (*checker.Run, error) {
		if _, err := q.Certificate.Write([]byte("half")); err != nil {
			t.Error(err)
		}
		c.exitNow(130)
		if names := leaves(t, dir); left != 130 || len(names) != 0 {
			t.Errorf("status %d, leaves %q", left, names)
		}
		return &checker.Run{Config: q.Config, Certified: &checker.Certified{Refused: "it was interrupted"}}, nil
	}
	c.run(context.Background(), []string{"--store", "plain", "--certificate", filepath.Join(dir, "c.cert")})
}

// sealed gives a certificate the checksum of what it says now.
func sealed(file []byte) []byte {
	said := file[:len(file)-sha256.Size]
	sum := sha256.Sum256(said)
	return append(slices.Clone(said), sum[:]...)
}
