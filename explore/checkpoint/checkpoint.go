// Package checkpoint keeps files in a folder so that a process can be killed at
// any moment, and what is in the folder is then what was last written whole.
//
// There are two kinds of file. Data is written once, under a name that was
// never used before, and never changed. A document is a small JSON text that is
// replaced as a whole, and ends in the checksum of what stands before. A document
// names the data that belongs to it, each with its length and checksum; so whoever
// replaces it has saved everything at one instant, or nothing.
//
// Every file is written beside its name and synced, then renamed, and then the
// folder is synced. What a document does not name was on its way when the process
// ended, and may be removed.
//
// What is read is never trusted: a file that is missing, torn, damaged, of another
// version or of something else is a [Refusal] that names it.
package checkpoint

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Schema is the name and version of the form of documents; family is what those
// of all versions begin with. Of every version the last line is the checksum.
const (
	Schema = family + "v1"
	family = "dlcheck/checkpoint/"
)

// Refusal is a file that cannot be used, as one line for the user.
type Refusal struct {
	Path, Why, Try string
	Err            error // that there was in reading it, or nil
}

func (r *Refusal) Error() string { return r.Path + ": " + r.Why + "; " + r.Try }

// Unwrap is the error that there was in reading the file.
func (r *Refusal) Unwrap() error { return r.Err }

// tryCopy is what to try with a file that cannot be what was written.
const tryCopy = "put back a copy of the whole folder, or begin anew in another one"

// Folder is a folder with documents and data.
type Folder struct {
	fs   FS
	Path string
}

// At is a folder of a file system.
func At(fs FS, path string) *Folder { return &Folder{fs, path} }

// Sub is a folder in it.
func (f *Folder) Sub(name string) *Folder { return At(f.fs, f.path(name)) }

func (f *Folder) path(name string) string { return filepath.Join(f.Path, name) }

// Make makes the folder if it is missing, and sees that it stays. Where the folder
// that it is in may not be read, as others' often may not, that is left to the system.
func (f *Folder) Make() error {
	if err := f.fs.MkdirAll(f.Path); err != nil {
		return err
	}
	if err := f.fs.SyncDir(filepath.Dir(f.Path)); !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}

// Names lists what is in the folder; a folder that is missing has nothing.
func (f *Folder) Names() ([]string, error) {
	names, err := f.fs.ReadDir(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return names, err
}

// Refuse is the refusal of a file in the folder.
func (f *Folder) Refuse(name, try, why string, args ...any) error {
	return &Refusal{Path: f.path(name), Why: fmt.Sprintf(why, args...), Try: try}
}

// unreadable is the refusal of a file that the system does not let us read.
func (f *Folder) unreadable(name string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err // the path is said already
	}
	return &Refusal{Path: f.path(name), Why: "it cannot be read: " + err.Error(), Try: "see to the disk, and try again", Err: err}
}

// Entry names a file of data in a document.
type Entry struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Suffixes of what this package writes. tmp is that of a file on its way.
const (
	dataSuffix = ".data"
	docSuffix  = ".json"
	tmpSuffix  = ".tmp"
)

// DataName is the name of the n-th file of data.
func DataName(n int) string { return fmt.Sprintf("%06d%s", n, dataSuffix) }

// DataNumber is the number of a file of data of that name.
func DataNumber(name string) (n int, ok bool) {
	n, err := strconv.Atoi(strings.TrimSuffix(name, dataSuffix))
	return n, err == nil && n > 0 && DataName(n) == name
}

// Write writes data. If it fails the name is free again.
func (f *Folder) Write(name string, content func(io.Writer) error) (Entry, error) {
	sum := sha256.New()
	n := &counter{}
	err := f.whole(name, func(w io.Writer) error {
		return content(io.MultiWriter(w, sum, n))
	})
	return Entry{name, n.n, hex.EncodeToString(sum.Sum(nil))}, err
}

type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}

// whole gives a file its name when everything is in it, and on the disk.
func (f *Folder) whole(name string, content func(io.Writer) error) error {
	path := f.path(name)
	tmp := path + tmpSuffix
	file, err := f.fs.Create(tmp)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(file, 1<<16)
	if err = content(w); err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = file.Sync()
	}
	if e := file.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = f.fs.Rename(tmp, path)
	}
	if err != nil {
		f.Remove(name + tmpSuffix)
		return err
	}
	return f.fs.SyncDir(f.Path)
}

// Remove removes a file that nothing names. That it cannot be is no error: it only
// takes room, and a later one of its name replaces it.
func (f *Folder) Remove(name string) { _ = f.fs.Remove(f.path(name)) }

// Clean removes data that is not kept, and files on their way.
func (f *Folder) Clean(keep []Entry) error {
	names, err := f.Names()
	if err != nil {
		return err
	}
	for _, name := range names {
		named := slices.ContainsFunc(keep, func(e Entry) bool { return e.Name == name })
		if strings.HasSuffix(name, tmpSuffix) || strings.HasSuffix(name, dataSuffix) && !named {
			f.Remove(name)
		}
	}
	return nil
}

// envelope is what every document begins with.
type envelope struct {
	Schema  string `json:"schema"`
	Content any    `json:"content"`
}

const sumPrefix = "sha256 "

// Put replaces a document.
func (f *Folder) Put(name string, content any) error {
	text, err := json.MarshalIndent(envelope{Schema, content}, "", "  ")
	if err != nil {
		return err
	}
	text = append(text, '\n')
	return f.whole(name, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s%s%x\n", text, sumPrefix, sha256.Sum256(text))
		return err
	})
}

// Get reads a document. It is false if there is none.
func (f *Folder) Get(name string, content any) (bool, error) {
	in, err := f.fs.Open(f.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, f.unreadable(name, err)
	}
	defer in.Close()
	text, err := io.ReadAll(in)
	if err != nil {
		return false, f.unreadable(name, err)
	}
	said, ok := sealed(text)
	if !ok {
		return false, f.Refuse(name, tryCopy, "it is torn or damaged: its last line is not the checksum of what stands before")
	}
	var any struct {
		Schema  string          `json:"schema"`
		Content json.RawMessage `json:"content"`
	}
	if err := json.Unmarshal(said, &any); err != nil || !strings.HasPrefix(any.Schema, family) {
		return false, f.Refuse(name, tryCopy, "it is no document of a checkpoint of dlcheck")
	}
	if any.Schema != Schema {
		return false, f.Refuse(name, "resume with the dlcheck that wrote it, or begin anew in another folder", "its schema is %q, and this dlcheck reads %q", any.Schema, Schema)
	}
	dec := json.NewDecoder(bytes.NewReader(any.Content))
	dec.DisallowUnknownFields()
	if err := dec.Decode(content); err != nil {
		return false, f.Refuse(name, tryCopy, "it has another form than its schema says: %v", err)
	}
	return true, nil
}

// sealed is what stands before the line with its checksum.
func sealed(text []byte) ([]byte, bool) {
	const line = len(sumPrefix) + 2*sha256.Size + 1
	if len(text) < line {
		return nil, false
	}
	said, last := text[:len(text)-line], text[len(text)-line:]
	return said, string(last) == fmt.Sprintf("%s%x\n", sumPrefix, sha256.Sum256(said))
}

// Read reads data that a document names: first all of it, to see that it is what was
// written, and then for its content.
func (f *Folder) Read(e Entry, by string, content func(io.Reader) error) error {
	if _, ok := DataNumber(e.Name); !ok {
		return f.Refuse(by, tryCopy, "it names a file of data %q, and none is called so", e.Name)
	}
	sum, n := sha256.New(), &counter{}
	if err := f.each(e.Name, by, func(in io.Reader) error {
		_, err := io.Copy(io.MultiWriter(sum, n), in)
		return err
	}); err != nil {
		return err
	}
	switch {
	case n.n < e.Bytes:
		return f.Refuse(e.Name, tryCopy, "it is torn: it has %d of the %d bytes that %s tells of", n.n, e.Bytes, by)
	case n.n > e.Bytes:
		return f.Refuse(e.Name, tryCopy, "it is damaged: it has %d bytes, and %s tells of %d", n.n, by, e.Bytes)
	case hex.EncodeToString(sum.Sum(nil)) != e.SHA256:
		return f.Refuse(e.Name, tryCopy, "it is damaged: its checksum is not the one that %s has", by)
	}
	return f.each(e.Name, by, content)
}

func (f *Folder) each(name, by string, see func(io.Reader) error) error {
	in, err := f.fs.Open(f.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return f.Refuse(name, tryCopy, "it is missing, and %s names it", by)
	}
	if err != nil {
		return f.unreadable(name, err)
	}
	defer in.Close()
	err = see(in)
	var refused *Refusal
	if err != nil && !errors.As(err, &refused) {
		return f.unreadable(name, err)
	}
	return err
}

// Malformed is the refusal of data that is what was written, by its checksum, and
// cannot have been written by this dlcheck.
func (f *Folder) Malformed(name, why string) error {
	return f.Refuse(name, tryCopy, "it cannot be what a search wrote: %s", why)
}
