package checkpoint

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// told is the file system of the machine, and what was asked of it.
type told struct {
	OS
	ops []string
}

func (f *told) say(op, path string) {
	f.ops = append(f.ops, op+" "+filepath.Base(path))
}

func (f *told) MkdirAll(path string) error { f.say("mkdir", path); return f.OS.MkdirAll(path) }
func (f *told) SyncDir(path string) error  { f.say("syncdir", path); return f.OS.SyncDir(path) }

func (f *told) Create(path string) (File, error) {
	f.say("create", path)
	file, err := f.OS.Create(path)
	return toldFile{file, f, path}, err
}

func (f *told) Rename(from, to string) error {
	f.say("rename", to)
	return f.OS.Rename(from, to)
}

type toldFile struct {
	File
	f    *told
	path string
}

func (w toldFile) Sync() error  { w.f.say("sync", w.path); return w.File.Sync() }
func (w toldFile) Close() error { w.f.say("close", w.path); return w.File.Close() }

// TestOrder: a file is on the disk before it has its name, and its name before
// anything names it.
func TestOrder(t *testing.T) {
	disk := &told{}
	f := At(disk, filepath.Join(t.TempDir(), "run"))
	if err := f.Make(); err != nil {
		t.Fatal(err)
	}
	e, err := f.Write(DataName(1), func(w io.Writer) error { _, err := io.WriteString(w, "states"); return err })
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Put("manifest.json", []Entry{e}); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"mkdir run", "syncdir 001",
		"create 000001.data.tmp", "sync 000001.data.tmp", "close 000001.data.tmp", "rename 000001.data", "syncdir run",
		"create manifest.json.tmp", "sync manifest.json.tmp", "close manifest.json.tmp", "rename manifest.json", "syncdir run",
	}
	if !slices.Equal(disk.ops, want) {
		t.Errorf("it did\n%s\nwant\n%s", strings.Join(disk.ops, "\n"), strings.Join(want, "\n"))
	}
	var got []Entry
	if ok, err := f.Get("manifest.json", &got); !ok || err != nil || !slices.Equal(got, []Entry{e}) {
		t.Errorf("%v, %v, %v", ok, err, got)
	}
	var text []byte
	if err := f.Read(e, "manifest.json", func(in io.Reader) (err error) { text, err = io.ReadAll(in); return err }); err != nil || string(text) != "states" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestLock: one at a time, and the next when that has ended.
func TestLock(t *testing.T) {
	f := At(OS{}, t.TempDir())
	unlock, err := f.Lock()
	if err != nil {
		t.Fatal(err)
	}
	var refused *Refusal
	if _, err := f.Lock(); !errors.As(err, &refused) || refused.Path != filepath.Join(f.Path, "lock") {
		t.Errorf("a second one: %v", err)
	}
	unlock()
	if unlock, err = f.Lock(); err != nil {
		t.Error(err)
	}
	unlock()
}

// TestMissing: a folder that is missing has nothing in it, and one that cannot be read
// is no empty one.
func TestMissing(t *testing.T) {
	f := At(OS{}, filepath.Join(t.TempDir(), "none"))
	if names, err := f.Names(); names != nil || err != nil {
		t.Errorf("%q, %v", names, err)
	}
	if ok, err := f.Get("x.json", nil); ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
	if err := os.WriteFile(f.Path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if names, err := f.Names(); err == nil {
		t.Errorf("of a file: %q", names)
	}
	var refused *Refusal
	if _, err := f.Get("x.json", nil); !errors.As(err, &refused) || !strings.HasSuffix(err.Error(), "x.json: it cannot be read: not a directory; see to the disk, and try again") {
		t.Errorf("in a file: %v", err)
	}
}

// TestDataNumber: a name has one number, and a number one name.
func TestDataNumber(t *testing.T) {
	for name, want := range map[string]int{"000001.data": 1, "000777.data": 777, "1234567.data": 1234567} {
		if n, ok := DataNumber(name); !ok || n != want {
			t.Errorf("%s: %d, %v", name, n, ok)
		}
	}
	for _, name := range []string{"", "1.data", "000000.data", "-00001.data", "+00001.data", "000001.data.tmp", "000001", "../000001.data", "0x0001.data"} {
		if n, ok := DataNumber(name); ok {
			t.Errorf("%s: %d", name, n)
		}
	}
}

// shut is a file system on which one folder cannot be opened.
type shut struct {
	OS
	path string
}

func (f shut) SyncDir(path string) error {
	if path == f.path {
		return &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
	}
	return f.OS.SyncDir(path)
}

// TestParentMayNotBeRead: a folder can be one's own in one that may only be entered.
// The folder itself has to be synced, whatever else may.
func TestParentMayNotBeRead(t *testing.T) {
	dir := t.TempDir()
	f := At(shut{path: dir}, filepath.Join(dir, "run"))
	if err := f.Make(); err != nil {
		t.Fatal(err)
	}
	if err := f.Put("question.json", 1); err != nil {
		t.Error(err)
	}
	f = At(shut{path: filepath.Join(dir, "run")}, filepath.Join(dir, "run"))
	if err := f.Put("question.json", 2); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("the folder could not be synced, and: %v", err)
	}
}
