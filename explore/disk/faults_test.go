package disk

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"dlcheck/explore"
)

// maze is a graph of random edges, marked now and then.
type maze struct {
	nodes, near uint64
	width       int
	panics      uint64       // at this node, if it is not 0
	leaves      uint64       // ends its goroutine at this node, if it is not 0,
	left        *atomic.Bool // and says so
}

func (m maze) Words() int             { return m.width }
func (m maze) Worker() explore.Worker { return m }
func (m maze) Init(out *explore.Batch) {
	for node := range uint64(9) {
		m.add(out, 0, node)
	}
}

func (m maze) Next(s []uint64, out *explore.Batch) {
	node := s[m.width-1]
	if node == m.panics && node != 0 {
		panic("broken rule")
	}
	if node == m.leaves && node != 0 {
		m.left.Store(true)
		runtime.Goexit()
	}
	rnd := rand.New(rand.NewPCG(7, node))
	for range rnd.IntN(9) {
		n := explore.Note(0)
		if rnd.IntN(6) == 0 {
			n = explore.Slow
		}
		if rnd.IntN(500) == 0 {
			n |= explore.Mark(rnd.IntN(4))
		}
		m.add(out, n, (node+rnd.Uint64N(m.near))%m.nodes)
	}
}

func (m maze) add(out *explore.Batch, n explore.Note, node uint64) {
	out.Notes = append(out.Notes, n)
	for i := m.width - 1; i > 0; i-- {
		out.States = append(out.States, node>>(2*i)&3<<60|uint64(i))
	}
	out.States = append(out.States, node)
}

// trouble is a file system that fails as it is told to.
type trouble struct {
	mu      sync.Mutex
	open    int   // files
	most    int   // that were open at a time
	room    int64 // bytes that can be written; < 0: as many as one likes
	creates int   // files that can be made; < 0: as many as one likes
	short   int   // the write that stops halfway, from 1
	broken  int   // the read that fails, from 1
	flipped int   // the read that gives a wrong bit, from 1
	writes  int
	reads   int
}

func calm() *trouble { return &trouble{room: -1, creates: -1} }

// memFile is a file in memory.
type memFile struct {
	t      *trouble
	data   []byte
	closed bool
}

func (t *trouble) create(string) (file, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.creates == 0 {
		return nil, syscall.EMFILE
	}
	t.creates--
	t.open++
	t.most = max(t.most, t.open)
	return &memFile{t: t}, nil
}

func (f *memFile) WriteAt(p []byte, off int64) (int, error) {
	f.t.mu.Lock()
	defer f.t.mu.Unlock()
	if f.closed {
		return 0, errors.New("written after it was closed")
	}
	n, err := len(p), error(nil)
	if f.t.writes++; f.t.writes == f.t.short {
		n /= 2
	}
	if f.t.room >= 0 {
		if int64(n) > f.t.room {
			n, err = int(f.t.room), syscall.ENOSPC
		}
		f.t.room -= int64(n)
	}
	f.data = append(f.data[:off], p[:n]...)
	return n, err
}

func (f *memFile) ReadAt(p []byte, off int64) (int, error) {
	f.t.mu.Lock()
	defer f.t.mu.Unlock()
	if f.closed {
		return 0, errors.New("read after it was closed")
	}
	f.t.reads++
	if f.t.reads == f.t.broken {
		return 0, syscall.EIO
	}
	n := copy(p, f.data[off:])
	if f.t.reads == f.t.flipped {
		bit := f.t.reads * 1009 % (8 * n)
		p[bit/8] ^= 1 << (bit % 8)
	}
	return n, nil
}

func (f *memFile) Close() error {
	f.t.mu.Lock()
	defer f.t.mu.Unlock()
	if !f.closed {
		f.closed = true
		f.t.open--
		if f.t.room >= 0 {
			f.t.room += int64(len(f.data))
		}
	}
	return nil
}

// attempt searches on a troubled file system, and sees that no file is left.
func attempt(t *testing.T, ctx context.Context, fs *trouble, sys explore.System, opts explore.Options, look func(g *Graph)) error {
	t.Helper()
	folder, err := openOn(fs, "DIR")
	if err != nil {
		if fs.open != 0 {
			t.Errorf("%d files are open after %v", fs.open, err)
		}
		return err
	}
	fs.writes, fs.reads = 0, 0
	g, err := Run(ctx, sys, folder, opts)
	if err == nil {
		look(g)
		g.Close()
		g.Close() // once more does no harm
	}
	if fs.open != 0 || folder.Used() != 0 {
		t.Errorf("%d files are open and %d bytes taken after %v", fs.open, folder.Used(), err)
	}
	return err
}

// within sees that a search that was cut short has seen what the whole one saw
// first.
func within(t *testing.T, g, whole *Graph) {
	t.Helper()
	got, want := g.Buckets(), whole.Buckets()
	if len(got) > len(want) || !slices.Equal(got, want[:len(got)]) {
		t.Fatalf("buckets %v, want the first of %v", got, want)
	}
	var n uint64
	for _, b := range got {
		n += b.States
	}
	if n != g.States() || g.Expanded() > n {
		t.Fatalf("%d states, %d expanded, %d in buckets", g.States(), g.Expanded(), n)
	}
	seen := uint64(0)
	for _, err := range g.All() {
		if err != nil {
			t.Fatal(err)
		}
		seen++
	}
	if seen != n {
		t.Fatalf("%d states in the journal, want %d", seen, n)
	}
	for i := range 4 {
		f, ok := g.Found(i)
		w, _ := whole.Found(i)
		if ok && f.Final && (f.P != w.P || f.Q != w.Q) {
			t.Fatalf("mark %d is final at (%d,%d), want (%d,%d)", i, f.P, f.Q, w.P, w.Q)
		}
		if !ok {
			continue
		}
		if path, err := g.Trace(sysOf(g), i); err != nil || len(path) < 2 {
			t.Fatalf("mark %d: a path %v, %v", i, path, err)
		}
	}
}

var theMaze = maze{nodes: 14000, near: 2100, width: 2}

func sysOf(*Graph) explore.System { return theMaze }

// small are options that let next to nothing stay in memory.
func small() explore.Options {
	return explore.Options{Order: explore.SlowFirst, Workers: 2, MaxBytes: least(2, 2)}
}

// wholeMaze is the search that nothing befalls, with what it asked of the file
// system.
func wholeMaze(t *testing.T) (*Graph, *trouble, int64) {
	t.Helper()
	fs := calm()
	folder, err := openOn(fs, "DIR")
	if err != nil {
		t.Fatal(err)
	}
	fs.writes, fs.reads = 0, 0
	g, err := Run(t.Context(), theMaze, folder, small())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	if fs.writes < 50 || fs.reads < 50 || g.States() < 5000 {
		t.Fatalf("%d writes, %d reads, %d states: too little to fail", fs.writes, fs.reads, g.States())
	}
	return g, &trouble{writes: fs.writes, reads: fs.reads}, folder.Peak()
}

func TestFullDisk(t *testing.T) {
	whole, _, peak := wholeMaze(t)
	ended := map[explore.Reason]int{}
	for room := int64(1); room < peak+peak/10; room += peak / 40 {
		fs := calm()
		fs.room = room
		err := attempt(t, t.Context(), fs, theMaze, small(), func(g *Graph) {
			ended[g.Ended()]++
			within(t, g, whole)
			if full := g.Full(); (g.Ended() == explore.OutOfDisk) != (full != nil) {
				t.Errorf("ended %v, %v", g.Ended(), full)
			} else if full != nil && (full.Used > room || !strings.Contains(full.Error(), "no room is left in DIR")) {
				t.Errorf("with room for %d bytes: %v", room, full)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if ended[explore.OutOfDisk] < 25 || ended[explore.Closed] == 0 || len(ended) != 2 {
		t.Errorf("searches ended %v", ended)
	}
	fs := calm()
	fs.room = 0
	if err := attempt(t, t.Context(), fs, theMaze, small(), nil); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%v, want that nothing can be written", err)
	}
}

// TestTroubleIsNoAnswer lets each read and write fail in its turn.
func TestTroubleIsNoAnswer(t *testing.T) {
	whole, asked, _ := wholeMaze(t)
	fails := func(what string, n int, set func(fs *trouble, k int), want string) {
		failed := 0
		for k := 1; k <= n; k += 1 + n/80 {
			fs := calm()
			set(fs, k)
			err := attempt(t, t.Context(), fs, theMaze, small(), func(g *Graph) {
				// With two workers there may be fewer.
				if g.States() != whole.States() || g.Ended() != explore.Closed {
					t.Errorf("%s %d: %d states, ended %v, and no error", what, k, g.States(), g.Ended())
				}
			})
			if err == nil {
				continue
			}
			failed++
			if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s %d: %v, want %q", what, k, err, want)
			}
		}
		if failed < 30 {
			t.Errorf("%s: %d searches failed", what, failed)
		}
	}
	fails("short write", asked.writes, func(fs *trouble, k int) { fs.short = k }, "a file cannot be written in DIR: only a part was written")
	fails("broken read", asked.reads, func(fs *trouble, k int) { fs.broken = k }, "a file cannot be read in DIR: input/output error")
	fails("flipped bit", asked.reads, func(fs *trouble, k int) { fs.flipped = k }, "what was written to DIR cannot be read again")
	for k := range 3 {
		fs := calm()
		fs.creates = k
		if err := attempt(t, t.Context(), fs, theMaze, small(), nil); err == nil || !strings.Contains(err.Error(), "too many open files") {
			t.Errorf("with %d files: %v", k, err)
		}
	}
}

// TestTroubleWithPaths lets reads fail that look for paths.
func TestTroubleWithPaths(t *testing.T) {
	for _, k := range []int{1, 2} {
		fs := calm()
		if err := attempt(t, t.Context(), fs, theMaze, small(), func(g *Graph) {
			fs.broken = fs.reads + k
			if _, err := g.Toward(t.Context(), theMaze, 0, 0); !errors.Is(err, syscall.EIO) {
				t.Errorf("Toward: %v", err)
			}
			fs.flipped = fs.reads + 1
			if _, err := g.Trace(theMaze, 0); !errors.Is(err, errDamaged) {
				t.Errorf("Trace: %v", err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if to, err := g.Toward(ctx, theMaze, 0, 0); to != nil || err != nil {
				t.Errorf("Toward, cancelled: %v, %v", to, err)
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestInterruptedOnDisk(t *testing.T) {
	whole, _, _ := wholeMaze(t)
	interrupted := 0
	for n := range 30 {
		ctx, cancel := context.WithCancel(t.Context())
		opts := small()
		left := 4 * n
		opts.Progress = func(explore.Progress) {
			if left--; left < 0 {
				cancel()
			}
		}
		if err := attempt(t, ctx, calm(), theMaze, opts, func(g *Graph) {
			if g.Ended() == explore.Interrupted {
				interrupted++
			}
			within(t, g, whole)
		}); err != nil {
			t.Fatal(err)
		}
		cancel()
	}
	if interrupted < 10 {
		t.Errorf("only %d searches were interrupted", interrupted)
	}
}

func TestPanicOnDisk(t *testing.T) {
	sys := theMaze
	sys.panics = 1234
	var broken *explore.PanicError
	err := attempt(t, t.Context(), calm(), sys, small(), nil)
	if !errors.As(err, &broken) || broken.State[1] != 1234 {
		t.Errorf("%v, want a panic of node 1234", err)
	}
}

// TestGoexitOnDisk: a system may end the goroutine that takes its steps. If that is the
// caller's, as where there is one block, Run does not return, and leaves no file behind;
// else it returns an error.
func TestGoexitOnDisk(t *testing.T) {
	for _, workers := range []int{1, 2, 3} {
		inCrew := 0
		for node := uint64(1000); node < 100_000; node += node / 2 {
			sys, opts, fs := maze{nodes: 200_000, near: 30_000, width: 2}, small(), calm()
			sys.leaves, sys.left = node, new(atomic.Bool)
			opts.Workers, opts.MaxBytes = workers, 4<<20
			folder, err := openOn(fs, "DIR")
			if err != nil {
				t.Fatal(err)
			}
			returned, end := false, make(chan struct{})
			go func() {
				defer close(end)
				var g *Graph
				if g, err = Run(t.Context(), sys, folder, opts); err == nil {
					g.Close()
				}
				returned = true
			}()
			<-end
			switch {
			case !sys.left.Load():
				continue // no state has this node
			case returned && !errors.Is(err, explore.ErrLeft):
				t.Errorf("%d workers, left at node %d: the error is %v, want one that tells of Goexit", workers, node, err)
			case returned:
				inCrew++
			}
			if fs.open != 0 || folder.Used() != 0 {
				t.Errorf("%d workers, left at node %d: %d files are open and %d bytes taken", workers, node, fs.open, folder.Used())
			}
		}
		if inCrew > 0 != (workers > 1) {
			t.Errorf("%d workers: Run has returned %d times", workers, inCrew)
		}
	}
}

func TestTooLittleMemory(t *testing.T) {
	for _, memory := range []int64{1, 1 << 10, least(2, 2) - 1} {
		opts := small()
		opts.MaxBytes = memory
		err := attempt(t, t.Context(), calm(), theMaze, opts, nil)
		if want := fmt.Sprintf("takes at least %d", least(2, 2)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d bytes: %v, want that it %s", memory, err, want)
		}
	}
	if n := Least(3); n < least(3, 9) {
		t.Errorf("least memory of any width is %d, and of 9 words %d", n, least(3, 9))
	}
}

// TestMemory: what is reckoned stays near what was allowed.
func TestMemory(t *testing.T) {
	for _, memory := range []int64{1 << 20, 4 << 20} {
		opts := small()
		opts.MaxBytes = memory
		if err := attempt(t, t.Context(), calm(), maze{nodes: 200000, near: 30000, width: 2}, opts, func(g *Graph) {
			if g.Bytes() > memory*5/4 || g.States() < 150000 {
				t.Errorf("%d states took %d bytes of %d", g.States(), g.Bytes(), memory)
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFewFiles: the candidates of buckets that are many times larger than memory
// are in some files and not in hundreds.
func TestFewFiles(t *testing.T) {
	fs := calm()
	opts := small()
	opts.Order = explore.StepsFirst
	if err := attempt(t, t.Context(), fs, maze{nodes: 200000, near: 200000, width: 2}, opts, func(g *Graph) {
		large := slices.MaxFunc(g.Buckets(), func(a, b explore.Bucket) int { return int(a.States) - int(b.States) })
		if parts := 16 * int(large.States) / sharesOf(opts.MaxBytes, 2, 2).candidates; parts < mostRuns || fs.most > 6*mostRuns {
			t.Errorf("%d files at a time, for a bucket %d times as large as its share of memory", fs.most, parts)
		}
	}); err != nil {
		t.Fatal(err)
	}
}
