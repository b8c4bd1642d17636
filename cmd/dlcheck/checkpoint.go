package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"dlcheck/checker"
)

// openCheckpoint makes the questions save their searches in the folder of
// --checkpoint, or take them up from there. It looks before the search whether that
// can be.
func (c *command) openCheckpoint(questions []checker.Question, p *progress) (*checker.Checkpoint, error) {
	o := &c.options
	k, err := checker.OpenCheckpoint(checker.Keeping{
		Dir: o.checkpoint, Resume: o.resume, Every: o.checkpointEvery, By: c.writer(),
		Warn: func(trouble string) { p.say(c.stderr, "dlcheck: note: "+trouble+"\n") },
	}, questions)
	var at *fs.PathError
	switch {
	case errors.Is(err, checker.ErrCheckpointThere):
		return nil, fmt.Errorf("--checkpoint %s: %w; add --resume to go on with it, or choose another folder", o.checkpoint, err)
	case errors.Is(err, checker.ErrNoCheckpoint):
		return nil, fmt.Errorf("--resume: %s: %w; leave --resume out to begin one, or give the folder of one", o.checkpoint, err)
	case errors.Is(err, checker.ErrNotEmpty):
		return nil, fmt.Errorf("--checkpoint %s: %w; choose an empty folder or a new one", o.checkpoint, err)
	case errors.As(err, &at):
		return nil, fmt.Errorf("--checkpoint %s: nothing can be saved there: %w", o.checkpoint, at)
	case err != nil:
		return nil, fmt.Errorf("--checkpoint: %w", err)
	}
	for i := range questions {
		questions[i].Checkpoint = k
	}
	return k, nil
}

// tellOfCheckpoint says, on the standard error, what a checkpoint is good for when a
// search was cut short, and that it is not what it should be. Where only lines are
// printed the latter is among the notes.
func (c *command) tellOfCheckpoint(k *checker.Checkpoint, runs []*checker.Run) {
	trouble := k.Trouble()
	if trouble != "" && !c.options.quiet {
		fmt.Fprintf(c.stderr, "dlcheck: note: %s\n", trouble)
	}
	short := slices.ContainsFunc(runs, func(r *checker.Run) bool { return r.Stopped != "" })
	if short && trouble == "" {
		fmt.Fprintf(c.stderr, "dlcheck: note: --resume goes on from what is saved in %s\n", c.options.checkpoint)
	}
}

// writer is the version that a checkpoint is kept by. Rules can differ between two
// programs of one version that were built while it was being worked on: those are told
// apart by what they are made of.
func (c *command) writer() string {
	if !strings.HasPrefix(c.version, "(") && !strings.Contains(c.version, "with changes") {
		return c.version
	}
	path, err := os.Executable()
	if err != nil {
		return c.version
	}
	file, err := os.Open(path)
	if err != nil {
		return c.version
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return c.version
	}
	return fmt.Sprintf("%s, program %x", c.version, sum.Sum(nil)[:6])
}
