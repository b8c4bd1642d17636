package main

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"runtime/pprof"
)

// profile records where the time and the memory of a check go.
type profile struct {
	dir string
	cpu bytes.Buffer
}

// startProfile begins to record. It makes the directory first: nobody should
// learn after an hour that there was no place for the result.
func startProfile(dir string) (*profile, error) {
	if err := makeDir(dir); err != nil {
		return nil, fmt.Errorf("--profile: %w", err)
	}
	p := &profile{dir: dir}
	if err := pprof.StartCPUProfile(&p.cpu); err != nil {
		return nil, fmt.Errorf("--profile: %w", err)
	}
	return p, nil
}

// stop ends the recording, if it has not ended yet, and throws it away.
func (p *profile) stop() { pprof.StopCPUProfile() }

// write ends the recording and writes what was recorded.
func (p *profile) write() error {
	p.stop()
	err := writeOut(filepath.Join(p.dir, "cpu.pprof"), func(w io.Writer) error {
		_, err := p.cpu.WriteTo(w)
		return err
	})
	if err == nil {
		err = writeOut(filepath.Join(p.dir, "heap.pprof"), func(w io.Writer) error {
			return pprof.Lookup("allocs").WriteTo(w, 0)
		})
	}
	if err != nil {
		return fmt.Errorf("--profile: %w", err)
	}
	return nil
}

// sentence says what to do with it.
func (p *profile) sentence() string {
	return fmt.Sprintf("Profiles of processor time and of memory written to %s; go tool pprof -top %s shows where the time went.", p.dir, filepath.Join(p.dir, "cpu.pprof"))
}
