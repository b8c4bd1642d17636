package explore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dlcheck/explore/checkpoint"
)

// memory is a file system without a disk: to sync one takes longer than these
// searches do.
type memory map[string][]byte

func (m memory) MkdirAll(string) error { return nil }
func (m memory) SyncDir(string) error  { return nil }

func (m memory) ReadDir(dir string) (names []string, err error) {
	for path := range m {
		if filepath.Dir(path) == dir {
			names = append(names, filepath.Base(path))
		}
	}
	slices.Sort(names)
	return names, nil
}

func (m memory) Create(path string) (checkpoint.File, error) {
	m[path] = nil
	return memoryFile{m, path}, nil
}

func (m memory) Open(path string) (io.ReadCloser, error) {
	if text, ok := m[path]; ok {
		return io.NopCloser(bytes.NewReader(text)), nil
	}
	return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
}

func (m memory) Rename(from, to string) error {
	m[to] = m[from]
	delete(m, from)
	return nil
}

func (m memory) Remove(path string) error {
	delete(m, path)
	return nil
}

type memoryFile struct {
	m    memory
	path string
}

func (f memoryFile) Write(p []byte) (int, error) {
	f.m[f.path] = append(f.m[f.path], p...)
	return len(p), nil
}

func (memoryFile) Sync() error  { return nil }
func (memoryFile) Close() error { return nil }

// saved gives options with a checkpoint that saves at every border.
func saved(opts Options, disk checkpoint.FS) Options {
	opts.Checkpoint = &Checkpoint{Folder: checkpoint.At(disk, "dir"), Question: "which", Saved: mustSave}
	return opts
}

func mustSave(err error) {
	if err != nil {
		panic(err)
	}
}

// killed is the panic by which a test ends a search as a kill would: between two
// saves, with nothing after it.
type killed struct{}

// borders is a search killed after each number of saves, and then resumed: it gives
// what became of it in the end, and how many saves there were in an undisturbed one.
func killedAfter(t *testing.T, sys System, opts Options, saves int) (g *Graph, all int) {
	t.Helper()
	dir := memory{}
	opts = saved(opts, dir)
	opts.Checkpoint.Saved = func(err error) {
		mustSave(err)
		if all++; all == saves {
			panic(killed{})
		}
	}
	func() {
		defer func() {
			if v := recover(); v != nil && v != any(killed{}) {
				panic(v)
			}
		}()
		g = mustRun(t, sys, opts)
	}()
	if g != nil {
		return g, all
	}
	opts.Checkpoint.Saved = mustSave
	opts.Workers = 1 + (opts.Workers+saves)%3
	return mustRun(t, sys, opts), all
}

// besides digest: what it takes, and what it held back.
func digestAndBytes(g *Graph) string { return fmt.Sprint(digest(g), " ", g.Bytes()) }

func smallWorlds() map[string]System {
	return map[string]System{
		"deep":   random{seed: 77, width: 2, nodes: 900, degree: 5, near: 40, slow: 3, rare: 9},
		"wide":   random{seed: 78, width: 1, nodes: 3000, degree: 9, slow: 5, rare: 100},
		"broad":  random{seed: 79, width: 3, nodes: 700, degree: 4, slow: 8, rare: 20},
		"chain":  random{seed: 5, width: 1, nodes: 300, degree: 9, near: 2, slow: 4, rare: 50},
		"commit": twoPhase{rms: 3},
		"dials":  dials{3},
	}
}

// TestResumedIsUndisturbed kills a search after each of its saves, in every order,
// with every number of workers, and whatever ends it: when resumed with another
// number of workers it must be as if nothing had been.
func TestResumedIsUndisturbed(t *testing.T) {
	for name, sys := range smallWorlds() {
		for _, order := range []Order{StepsFirst, SlowFirst, FastFirst} {
			t.Run(fmt.Sprintf("%s/order=%d", name, order), func(t *testing.T) {
				t.Parallel()
				for i, opts := range []Options{
					{},
					{Until: Mark(3) | Mark(40)},
					{MaxBytes: 400_000},
					{OnBucket: func(p Progress) bool { return p.States < 300 }},
				} {
					opts.Order, opts.Workers = order, 1
					want := digestAndBytes(mustRun(t, sys, opts))
					for opts.Workers = 1; opts.Workers <= 3; opts.Workers++ {
						g, all := killedAfter(t, sys, opts, 0)
						if digestAndBytes(g) != want {
							t.Fatalf("ending %d: another graph for being saved", i)
						}
						if all == 0 {
							t.Fatalf("ending %d: saved %d times", i, all)
						}
						// A few of many, and others for each number of workers.
						for saves := opts.Workers; saves <= all; saves += 1 + all/5 {
							if g, _ := killedAfter(t, sys, opts, saves); digestAndBytes(g) != want {
								t.Errorf("ending %d, %d workers, killed after save %d of %d: ended %v with %d states, and another graph",
									i, opts.Workers, saves, all, g.Ended(), g.States())
							}
						}
					}
				}
			})
		}
	}
}

// TestResumedEverywhere kills one search after every single save.
func TestResumedEverywhere(t *testing.T) {
	for _, order := range []Order{StepsFirst, SlowFirst, FastFirst} {
		sys := random{seed: 12, width: 2, nodes: 200, degree: 4, near: 50, slow: 3, rare: 9}
		opts := Options{Order: order, Workers: 1}
		want := digestAndBytes(mustRun(t, sys, opts))
		for saves, all := 1, 1; saves <= all; saves++ {
			var g *Graph
			if saves == 1 {
				_, all = killedAfter(t, sys, opts, 0)
			}
			if g, _ = killedAfter(t, sys, opts, saves); digestAndBytes(g) != want {
				t.Errorf("order %d, killed after save %d of %d: another graph", order, saves, all)
			}
		}
	}
}

// TestResumedWithinBucket: a large bucket is saved between its waves.
func TestResumedWithinBucket(t *testing.T) {
	sys := random{seed: 9, width: 1, nodes: 40000, degree: 30, slow: 3, rare: 500}
	for _, order := range []Order{StepsFirst, SlowFirst, FastFirst} {
		within := 0
		opts := Options{Order: order, Workers: 2}
		want := digestAndBytes(mustRun(t, sys, opts))
		_, all := killedAfter(t, sys, opts, 0)
		for saves := 1; saves <= all; saves++ {
			dir := memory{}
			stopAfter(t, sys, opts, dir, saves)
			x := newSearch(sys, saved(opts, dir))
			x.start()
			if x.first > 0 {
				within++
			}
			opts.Workers = 1 + saves%3
			if g := mustRun(t, sys, saved(opts, dir)); digestAndBytes(g) != want {
				t.Errorf("order %d, after save %d of %d: another graph", order, saves, all)
			}
		}
		if within == 0 {
			t.Errorf("order %d: none of %d saves was within a bucket", order, all)
		}
	}
}

// stopAfter runs a search until it was saved so many times, and cancels it then.
func stopAfter(t *testing.T, sys System, opts Options, dir memory, saves int) {
	t.Helper()
	defer func() {
		if v := recover(); v != nil && v != any(killed{}) {
			panic(v)
		}
	}()
	opts = saved(opts, dir)
	opts.Checkpoint.Saved = func(err error) {
		mustSave(err)
		if saves--; saves == 0 {
			panic(killed{})
		}
	}
	mustRun(t, sys, opts)
}

// TestResumedAgainAndAgain: a search that never gets far at once gets there.
func TestResumedAgainAndAgain(t *testing.T) {
	sys := random{seed: 78, width: 2, nodes: 5000, degree: 9, near: 90, slow: 5, rare: 100}
	for _, order := range []Order{StepsFirst, SlowFirst, FastFirst} {
		want := digestAndBytes(mustRun(t, sys, Options{Order: order}))
		dir := memory{}
		for try := 0; ; try++ {
			ctx, cancel := context.WithCancel(t.Context())
			saves := 0
			opts := saved(Options{Order: order, Workers: 1 + try%3}, dir)
			opts.Checkpoint.Saved = func(err error) {
				mustSave(err)
				if saves++; saves == 3 {
					cancel()
				}
			}
			// Nothing of what is under way is lost either.
			g, err := Run(ctx, sys, opts)
			cancel()
			if err != nil {
				t.Fatal(err)
			}
			if g.Ended() == Closed {
				if digestAndBytes(g) != want || try < 3 {
					t.Errorf("order %d: another graph after %d tries", order, try)
				}
				break
			}
			if g.Ended() != Interrupted || try > 10000 {
				t.Fatalf("order %d: ended %v", order, g.Ended())
			}
		}
	}
}

// TestCancelledIsSaved: a cancelled search loses nothing, however rarely it is saved.
func TestCancelledIsSaved(t *testing.T) {
	for _, workers := range []int{1, 3} {
		dir := memory{}
		opts := saved(Options{Workers: workers}, dir)
		opts.Checkpoint.Every = time.Hour
		ctx, cancel := context.WithCancel(t.Context())
		opts.OnBucket = func(p Progress) bool {
			if p.States > 3000 {
				cancel()
			}
			return true
		}
		g, err := Run(ctx, endless{}, opts)
		if err != nil || g.Ended() != Interrupted {
			t.Fatalf("ended %v, %v", g.Ended(), err)
		}
		again, err := Run(ctx, endless{}, opts)
		if err != nil || again.Ended() != Interrupted || digestAndBytes(again) != digestAndBytes(g) {
			t.Errorf("%d workers: %d states, expanded %d; resumed %d, %d; %v", workers, g.States(), g.Expanded(), again.States(), again.Expanded(), err)
		}
	}
}

// TestMoreMemory: a search that ran out of memory goes on when it is given more.
func TestMoreMemory(t *testing.T) {
	sys := random{seed: 78, width: 1, nodes: 15000, degree: 9, slow: 5, rare: 500}
	for _, order := range []Order{StepsFirst, SlowFirst, FastFirst} {
		want := digestAndBytes(mustRun(t, sys, Options{Order: order}))
		dir := memory{}
		opts := saved(Options{Order: order, MaxBytes: 300_000}, dir)
		g := mustRun(t, sys, opts)
		if g.Ended() != OutOfMemory {
			t.Fatalf("ended %v", g.Ended())
		}
		if again := mustRun(t, sys, opts); digestAndBytes(again) != digestAndBytes(g) {
			t.Errorf("order %d: resumed with as much memory it has %d states, not %d", order, again.States(), g.States())
		}
		opts.MaxBytes = 0
		if g := mustRun(t, sys, opts); digestAndBytes(g) != want {
			t.Errorf("order %d: another graph than with enough from the beginning", order)
		}
	}
}

// TestBeside: what the caller keeps comes back, all of it and in order, and no border
// is told twice to one who bears that.
func TestBeside(t *testing.T) {
	sys := random{seed: 5, width: 1, nodes: 300, degree: 9, near: 2, slow: 4, rare: 50}
	var want []string
	mustRun(t, sys, Options{OnBucket: func(p Progress) bool {
		want = append(want, fmt.Sprint(p.P, p.Q, p.States, p.Last))
		return true
	}})
	for saves := 1; saves < len(want); saves += 3 {
		dir := memory{}
		var told []string
		sent := 0
		opts := saved(Options{}, dir)
		opts.OnBucket = func(p Progress) bool {
			line := fmt.Sprint(p.P, p.Q, p.States, p.Last)
			if len(told) == 0 || told[len(told)-1] != line {
				told = append(told, line)
			}
			return true
		}
		opts.Checkpoint.Beside = func() []byte {
			news := strings.Join(told[sent:], "\n")
			sent = len(told)
			return []byte(news)
		}
		opts.Checkpoint.Restore = func(b []byte) error {
			told = append(told, strings.Split(string(b), "\n")...)
			sent = len(told)
			return nil
		}
		n := saves
		opts.Checkpoint.Saved = func(err error) {
			mustSave(err)
			if n--; n == 0 {
				panic(killed{})
			}
		}
		func() {
			defer func() { _ = recover() }()
			mustRun(t, sys, opts)
		}()
		told, sent = nil, 0
		if mustRun(t, sys, opts); !slices.Equal(told, want) {
			t.Errorf("killed after save %d: told %q, want %q", saves, told, want)
		}
	}
}

// faulty is a file system whose operations fail from the n-th on, so many times.
type faulty struct {
	memory
	op     string // that fails, or "" for each that writes
	after  int
	times  int
	failed int
}

var errDisk = errors.New("no space left on device")

func (f *faulty) fails(op string) bool {
	if f.op != op && (f.op != "" || op == "open" || op == "read") {
		return false
	}
	if f.after--; f.after < 0 && f.times > 0 {
		f.times--
		f.failed++
		return true
	}
	return false
}

func (f *faulty) MkdirAll(path string) error {
	if f.fails("mkdir") {
		return errDisk
	}
	return f.memory.MkdirAll(path)
}

func (f *faulty) Create(path string) (checkpoint.File, error) {
	if f.fails("create") {
		return nil, errDisk
	}
	file, err := f.memory.Create(path)
	return &faultyFile{file, f}, err
}

func (f *faulty) Rename(from, to string) error {
	if f.fails("rename") {
		return errDisk
	}
	return f.memory.Rename(from, to)
}

func (f *faulty) SyncDir(path string) error {
	if f.fails("syncdir") {
		return errDisk
	}
	return f.memory.SyncDir(path)
}

func (f *faulty) Open(path string) (io.ReadCloser, error) {
	if f.fails("open") {
		return nil, errDisk
	}
	in, err := f.memory.Open(path)
	return &faultyReader{in, f}, err
}

type faultyFile struct {
	checkpoint.File
	f *faulty
}

func (w *faultyFile) Write(p []byte) (int, error) {
	if w.f.fails("write") {
		n, _ := w.File.Write(p[:len(p)/2])
		return n, errDisk
	}
	return w.File.Write(p)
}

func (w *faultyFile) Sync() error {
	if w.f.fails("sync") {
		return errDisk
	}
	return w.File.Sync()
}

func (w *faultyFile) Close() error {
	err := w.File.Close()
	if w.f.fails("close") {
		return errDisk
	}
	return err
}

type faultyReader struct {
	io.ReadCloser
	f *faulty
}

func (r *faultyReader) Read(p []byte) (int, error) {
	if r.f.fails("read") {
		return 0, errDisk
	}
	return r.ReadCloser.Read(p)
}

// TestFailedSaves: whatever fails in saving, and wherever, the search goes on; what
// was saved before stays; and it is resumed from what was saved last.
func TestFailedSaves(t *testing.T) {
	sys := random{seed: 77, width: 2, nodes: 900, degree: 5, near: 40, slow: 3, rare: 9}
	r := rand.New(rand.NewPCG(1, 2))
	for _, order := range []Order{StepsFirst, SlowFirst, FastFirst} {
		want := digestAndBytes(mustRun(t, sys, Options{Order: order}))
		for _, op := range []string{"mkdir", "create", "write", "sync", "close", "rename", "syncdir", ""} {
			for range 6 {
				dir := memory{}
				disk := &faulty{memory: dir, op: op, after: r.IntN(60), times: 1 + r.IntN(5)}
				kill := 20 + r.IntN(20)
				opts := saved(Options{Order: order}, disk)
				good, failed := 0, 0
				opts.Checkpoint.Saved = func(err error) {
					if good++; err != nil {
						good--
						failed++
						if !errors.Is(err, errDisk) {
							t.Fatal(err)
						}
					}
					if kill--; kill == 0 {
						panic(killed{})
					}
				}
				func() {
					defer func() { _ = recover() }()
					if g := mustRun(t, sys, opts); digestAndBytes(g) != want {
						t.Errorf("%s: the search itself is another", op)
					}
				}()
				if failed > disk.failed || failed == 0 && disk.failed > 0 {
					t.Errorf("%s: %d operations failed, and %d saves", op, disk.failed, failed)
				}
				if g := mustRun(t, sys, saved(Options{Order: order}, dir)); digestAndBytes(g) != want {
					t.Errorf("%s, after %d good saves and %d that failed: another graph", op, good, failed)
				}
				for path := range dir {
					if strings.HasSuffix(path, ".tmp") {
						t.Errorf("%s leaves %s", op, path)
					}
				}
			}
		}
	}
}

// TestFailedReads: a disk that cannot be read is refused, with the file and the
// cause, and nothing is changed.
func TestFailedReads(t *testing.T) {
	sys := twoPhase{rms: 3}
	dir := memory{}
	stopAfter(t, sys, Options{}, dir, 4)
	before := maps.Clone(dir)
	for _, op := range []string{"open", "read"} {
		dir := maps.Clone(before)
		for after := 0; ; after++ {
			disk := &faulty{memory: dir, op: op, after: after, times: 1}
			_, err := Run(t.Context(), sys, saved(Options{}, disk))
			if disk.failed == 0 {
				if after == 0 || err != nil {
					t.Fatal(err)
				}
				break
			}
			var refused *checkpoint.Refusal
			if !errors.As(err, &refused) || !errors.Is(err, errDisk) || filepath.Dir(refused.Path) != "dir" || strings.Contains(err.Error(), "\n") ||
				!strings.HasSuffix(err.Error(), ": it cannot be read: no space left on device; see to the disk, and try again") {
				t.Fatalf("%s %d: %v", op, after, err)
			}
			if !maps.EqualFunc(dir, before, bytes.Equal) {
				t.Fatalf("%s %d: the folder was changed", op, after)
			}
		}
	}
}

// TestOrphans: files that no manifest names go, when a search is resumed, and files
// that are none of ours stay.
func TestOrphans(t *testing.T) {
	dir := memory{}
	stopAfter(t, twoPhase{rms: 3}, Options{}, dir, 4)
	for _, name := range []string{"000077.data", "manifest.json.tmp", "000005.data.tmp", "notes.txt"} {
		dir[filepath.Join("dir", name)] = []byte("?")
	}
	x := newSearch(twoPhase{rms: 3}, saved(Options{}, dir))
	if x.start(); x.err != nil {
		t.Fatal(x.err)
	}
	names, _ := dir.ReadDir("dir")
	if want := []string{"000001.data", "000002.data", "000003.data", "000004.data", "manifest.json", "notes.txt"}; !slices.Equal(names, want) {
		t.Errorf("left are %q, want %q", names, want)
	}
}
