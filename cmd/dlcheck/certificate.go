package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/dustin/go-humanize"

	"dlcheck/checker"
)

// draft is the file of a certificate until it is known whether it stands. It
// lies beside the file that it may become, and is made when the first byte is
// written, after the search.
type draft struct {
	path string
	mu   sync.Mutex // a second interrupt discards it from another goroutine
	tmp  *os.File
	gone bool
}

// newDraft makes the questions ask for a certificate. It looks before the search
// whether there can be one and a place for it: nobody should learn after an hour
// that there was none.
func (c *command) newDraft(questions []checker.Question) (*draft, error) {
	if n := len(questions); n != 1 {
		return nil, fmt.Errorf("--certificate is about one store, and %d are asked about (%s): choose one with --store", n, strings.Join(c.options.stores, ", "))
	}
	if err := checker.Certifiable(questions[0].Properties); err != nil {
		return nil, fmt.Errorf("--certificate: %w", err)
	}
	d := &draft{path: c.options.certificate}
	info, err := os.Lstat(d.path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("--certificate: %s is there, and is no regular file", d.path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("--certificate: %w", err)
	}
	if err := d.open(); err != nil {
		return nil, fmt.Errorf("--certificate: %w", err)
	}
	d.discard()
	d.gone = false
	questions[0].Certificate = d
	exit := c.exitNow
	c.exitNow = func(status int) {
		d.discard()
		exit(status)
	}
	return d, nil
}

// open makes the file. Its error is about the directory: nobody knows the name.
func (d *draft) open() (err error) {
	dir := filepath.Dir(d.path)
	d.tmp, err = os.CreateTemp(dir, "."+filepath.Base(d.path)+".*")
	var at *fs.PathError
	if errors.As(err, &at) {
		return fmt.Errorf("no file can be made in %s: %w", dir, at.Err)
	}
	return err
}

func (d *draft) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.gone {
		return 0, fs.ErrClosed
	}
	if d.tmp == nil {
		if err := d.open(); err != nil {
			return 0, err
		}
	}
	return d.tmp.Write(p)
}

// discard leaves nothing behind, unless the file has its name already.
func (d *draft) discard() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.gone = true
	if d.tmp != nil {
		d.tmp.Close()
		os.Remove(d.tmp.Name())
		d.tmp = nil
	}
}

// settle gives the file its name if the certificate stands, and says that it is
// written or why it is not.
func (d *draft) settle(made *checker.Certified) (written, refused string, err error) {
	if made.Refused != "" || made.Unwritten != nil {
		d.discard() // now: to say why can end the process, where nobody reads it
	}
	if made.Refused != "" {
		return "", "No certificate is written: " + made.Refused + ".", nil
	}
	if made.Unwritten != nil {
		return "", "", made.Unwritten
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	// CreateTemp makes files for the owner alone; this one is to be shown.
	err = errors.Join(d.tmp.Chmod(0o644), d.tmp.Sync(), d.tmp.Close())
	if err == nil {
		err = os.Rename(d.tmp.Name(), d.path)
	}
	if err != nil {
		return "", "", fmt.Errorf("--certificate: %w", err)
	}
	d.tmp = nil
	return fmt.Sprintf("Certificate of %s written to %s, %s; dlcheck verify checks it.",
		count(int(made.Header.States), "state"), d.path, humanize.Bytes(uint64(made.Bytes))), "", nil
}
