package explore

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"dlcheck/explore/checkpoint"
	"dlcheck/explore/checkpoint/checkpointtest"
)

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
	dir := checkpointtest.Memory{}
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
		"wide":   random{seed: 78, width: 1, nodes: 1500, degree: 9, slow: 5, rare: 100},
		"broad":  random{seed: 79, width: 3, nodes: 700, degree: 4, slow: 8, rare: 20},
		"chain":  random{seed: 5, width: 1, nodes: 300, degree: 9, near: 2, slow: 4, rare: 50},
		"commit": twoPhase{rms: 3},
		"dials":  dials{3},
		"dated":  clocked{random{seed: 12, width: 1, nodes: 200, degree: 4, near: 50, slow: 3, rare: 9}, 7},
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
						for saves := opts.Workers; saves <= all; saves += 1 + all/3 {
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
			dir := checkpointtest.Memory{}
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
func stopAfter(t *testing.T, sys System, opts Options, dir checkpointtest.Memory, saves int) {
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
		dir := checkpointtest.Memory{}
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
		dir := checkpointtest.Memory{}
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

// TestEndIsSaved: however rarely a search is saved, when it has ended it is; and then
// no step of it is taken again.
func TestEndIsSaved(t *testing.T) {
	sys := random{seed: 78, width: 1, nodes: 3000, degree: 9, slow: 5, rare: 100}
	for _, order := range []Order{StepsFirst, SlowFirst, FastFirst} {
		for _, c := range []struct {
			opts  Options
			ended Reason
		}{
			{Options{}, Closed},
			{Options{Until: Mark(3) | Mark(40)}, Found},
			{Options{OnBucket: func(p Progress) bool { return p.States < 300 }}, Stopped},
		} {
			dir := checkpointtest.Memory{}
			opts := saved(c.opts, dir)
			opts.Order, opts.Checkpoint.Every = order, time.Hour
			want := mustRun(t, sys, opts)
			if want.Ended() != c.ended {
				t.Fatalf("order %d: ended %v, want %v", order, want.Ended(), c.ended)
			}
			g := mustRun(t, hooked{sys, func(s []uint64) { panic("a step is taken again") }}, opts)
			if digestAndBytes(g) != digestAndBytes(want) {
				t.Errorf("order %d, %v: another graph", order, c.ended)
			}
		}
	}
}

// arrows is a graph that is written down: the states that each leads to.
type arrows map[uint64][]arrow

type arrow struct {
	note Note
	to   uint64
}

func (arrows) Words() int       { return 1 }
func (a arrows) Worker() Worker { return a }
func (arrows) Init(out *Batch)  { out.Add(0, 0) }
func (a arrows) Next(s []uint64, out *Batch) {
	for _, b := range a[s[0]] {
		out.Add(b.note, b.to)
	}
}

// TestClosedIsNotFound: here the finding is final only because nothing is left, when
// it is seen that all that was held back was found otherwise. So the search closes, and
// when it is resumed it must not say that it had found what it was asked for.
func TestClosedIsNotFound(t *testing.T) {
	sys := arrows{
		0: {{0, 1}},
		1: {{Slow, 2}, {0, 3}},
		3: {{0, 2}},
		2: {{0, 4}},
		4: {{Slow | Mark(1), 0}},
	}
	dir := checkpointtest.Memory{}
	opts := saved(Options{Order: SlowFirst, Until: Mark(1)}, dir)
	for range 2 {
		g := mustRun(t, sys, opts)
		if f, ok := g.Found(1); g.Ended() != Closed || !ok || !f.Final || g.States() != 5 {
			t.Fatalf("ended %v with %d states, found %+v", g.Ended(), g.States(), f)
		}
	}
}

// TestQueueKeepsItsShape: a queue that was saved takes as much memory as the one that
// was not, then and later.
func TestQueueKeepsItsShape(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	for range 50 {
		q, twin := queue{record: 3}, queue{record: 3}
		n := uint64(0)
		for range 30 {
			for range r.IntN(3000) {
				q.push(unsafe.Pointer(&[2]uint64{n, n}), n)
				twin.push(unsafe.Pointer(&[2]uint64{n, n}), n)
				n++
			}
			for left := uint32(r.IntN(int(q.waiting()) + 1)); left > 0; {
				a, took := q.pop(left)
				if b, _ := twin.pop(left); !slices.Equal(a, b) {
					t.Fatal("other records come out")
				}
				left -= took
			}
			if twin.bytes() != q.bytes() || !reflect.DeepEqual(twin.shape(), q.shape()) {
				t.Fatalf("%d bytes as %+v, want %d as %+v", twin.bytes(), twin.shape(), q.bytes(), q.shape())
			}
			if r.IntN(3) > 0 {
				continue
			}
			var records []uint64
			q.each(func(r []uint64) { records = append(records, r...) })
			shape := q.shape()
			var ok bool
			if twin, ok = shape.queue(records, 3); !ok || twin.bytes() != q.bytes() {
				t.Fatalf("%v: %d bytes, want %d", ok, twin.bytes(), q.bytes())
			}
		}
	}
}

// TestMoreMemory: a search that ran out of memory goes on when it is given more.
func TestMoreMemory(t *testing.T) {
	sys := random{seed: 78, width: 1, nodes: 15000, degree: 9, slow: 5, rare: 500}
	for _, order := range []Order{StepsFirst, SlowFirst, FastFirst} {
		want := digestAndBytes(mustRun(t, sys, Options{Order: order}))
		dir := checkpointtest.Memory{}
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
		dir := checkpointtest.Memory{}
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

// TestFailedSaves: whatever fails in saving, and wherever, the search goes on; what
// was saved before stays; and it is resumed from what was saved last.
func TestFailedSaves(t *testing.T) {
	sys := random{seed: 77, width: 2, nodes: 900, degree: 5, near: 40, slow: 3, rare: 9}
	r := rand.New(rand.NewPCG(1, 2))
	for _, order := range []Order{StepsFirst, SlowFirst, FastFirst} {
		want := digestAndBytes(mustRun(t, sys, Options{Order: order}))
		for _, op := range []string{"mkdir", "create", "write", "sync", "close", "rename", "syncdir", ""} {
			for range 4 {
				dir := checkpointtest.Memory{}
				disk := &checkpointtest.Faulty{Memory: dir, Op: op, After: r.IntN(60), Times: 1 + r.IntN(5)}
				kill := 20 + r.IntN(20)
				opts := saved(Options{Order: order}, disk)
				good, failed := 0, 0
				opts.Checkpoint.Saved = func(err error) {
					if good++; err != nil {
						good--
						failed++
						if !errors.Is(err, checkpointtest.ErrDisk) {
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
				if failed > disk.Failed || failed == 0 && disk.Failed > 0 {
					t.Errorf("%s: %d operations failed, and %d saves", op, disk.Failed, failed)
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
	dir := checkpointtest.Memory{}
	stopAfter(t, sys, Options{}, dir, 4)
	before := maps.Clone(dir)
	for _, op := range []string{"open", "read"} {
		dir := maps.Clone(before)
		for after := 0; ; after++ {
			disk := &checkpointtest.Faulty{Memory: dir, Op: op, After: after, Times: 1}
			_, err := Run(t.Context(), sys, saved(Options{}, disk))
			if disk.Failed == 0 {
				if after == 0 || err != nil {
					t.Fatal(err)
				}
				break
			}
			var refused *checkpoint.Refusal
			if !errors.As(err, &refused) || !errors.Is(err, checkpointtest.ErrDisk) || filepath.Dir(refused.Path) != "dir" || strings.Contains(err.Error(), "\n") ||
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
	dir := checkpointtest.Memory{}
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

// TestKilledInAnyOperation kills a search in each single thing that it does to the
// disk, be it with half of a file written: what is there can always be resumed.
func TestKilledInAnyOperation(t *testing.T) {
	sys := random{seed: 5, width: 2, nodes: 150, degree: 3, near: 20, slow: 3, rare: 9}
	for _, order := range []Order{StepsFirst, SlowFirst, FastFirst} {
		want := digestAndBytes(mustRun(t, sys, Options{Order: order, Workers: 1}))
		kills := 0
		for after, dead := 0, true; dead; after += 1 + after/30 {
			dead = false
			dir := checkpointtest.Memory{}
			func() {
				defer func() {
					if v := recover(); v != nil {
						dead = v == any(checkpointtest.Killed{})
						kills++
					}
				}()
				mustRun(t, sys, saved(Options{Order: order, Workers: 1}, &checkpointtest.Faulty{Memory: dir, After: after, Times: 1, Kill: true}))
			}()
			if g := mustRun(t, sys, saved(Options{Order: order, Workers: 1}, dir)); digestAndBytes(g) != want {
				t.Errorf("order %d, killed after %d operations: another graph", order, after)
			}
		}
		if kills < 20 {
			t.Errorf("order %d: killed only %d times", order, kills)
		}
	}
}

// resealed gives a document the checksum of what it says now.
func resealed(text []byte) []byte {
	said := text[:bytes.LastIndex(text, []byte("\nsha256 "))+1]
	return fmt.Appendf(slices.Clone(said), "sha256 %x\n", sha256.Sum256(said))
}

func edit(name, old, new string) func(checkpointtest.Memory) {
	return func(dir checkpointtest.Memory) {
		text := bytes.Replace(dir[name], []byte(old), []byte(new), 1)
		if bytes.Equal(text, dir[name]) {
			panic("nothing to edit")
		}
		dir[name] = resealed(text)
	}
}

// TestRefused: what cannot be what was written, or is of something else, is refused
// with the file, what is wrong, and what to try.
func TestRefused(t *testing.T) {
	sys := twoPhase{rms: 3}
	whole := checkpointtest.Memory{}
	stopAfter(t, sys, Options{}, whole, 3)
	const data, manifest = "dir/000002.data", "dir/manifest.json"
	const copied = "; put back a copy of the whole folder, or begin anew in another one"
	const other = "; ask what was asked then, or choose another folder"
	for _, c := range []struct {
		spoil func(dir checkpointtest.Memory)
		opts  Options
		want  string
	}{
		{func(d checkpointtest.Memory) { d[data] = d[data][:100] }, Options{},
			data + fmt.Sprintf(": it is torn: it has 100 of the %d bytes that manifest.json tells of", len(whole[data])) + copied},
		{func(d checkpointtest.Memory) { d[data] = append(slices.Clone(d[data]), 0) }, Options{},
			data + fmt.Sprintf(": it is damaged: it has %d bytes, and manifest.json tells of %d", len(whole[data])+1, len(whole[data])) + copied},
		{func(d checkpointtest.Memory) { d[data] = slices.Clone(d[data]); d[data][99] ^= 4 }, Options{},
			data + ": it is damaged: its checksum is not the one that manifest.json has" + copied},
		{func(d checkpointtest.Memory) { delete(d, data) }, Options{},
			data + ": it is missing, and manifest.json names it" + copied},
		{func(d checkpointtest.Memory) { d[manifest] = d[manifest][:200] }, Options{},
			manifest + ": it is torn or damaged: its last line is not the checksum of what stands before" + copied},
		{func(d checkpointtest.Memory) { d[manifest] = nil }, Options{},
			manifest + ": it is torn or damaged: its last line is not the checksum of what stands before" + copied},
		{edit(manifest, "dlcheck/checkpoint/v1", "dlcheck/report/v1"), Options{},
			manifest + ": it is no document of a checkpoint of dlcheck" + copied},
		{edit(manifest, "dlcheck/checkpoint/v1", "dlcheck/checkpoint/v0"), Options{},
			manifest + `: its schema is "dlcheck/checkpoint/v0", and this dlcheck reads "dlcheck/checkpoint/v1"; resume with the dlcheck that wrote it, or begin anew in another folder`},
		{edit(manifest, `"saved"`, `"stored"`), Options{},
			manifest + `: it has another form than its schema says: json: unknown field "stored"` + copied},
		{edit(manifest, `"machine": "2 `, `"machine": "0 `), Options{},
			manifest + fmt.Sprintf(": it was written by a dlcheck that searches in another way: %q, and this one is %q", "0"+machine()[1:], machine()) + "; resume with the dlcheck that wrote it, or begin anew in another folder"},
		{edit(manifest, `"words": 1`, `"words": 2`), Options{},
			manifest + ": it is of another search: its states have 2 words, and those of this one 1" + other},
		{edit(manifest, "000002.data", "../evil.data"), Options{},
			manifest + ": it cannot be what a search wrote: its files are in no order" + copied},
		{edit(manifest, "000002.data", "000001.data"), Options{},
			manifest + ": it cannot be what a search wrote: its files are in no order" + copied},
		{edit(manifest, `"which"`, `{"clients": 3, "ttl": 7}`), Options{},
			manifest + `: it is of another search: it has {"clients":3,"ttl":7}, and this one "which"` + other},
		{func(checkpointtest.Memory) {}, Options{Order: SlowFirst, Until: Mark(2)},
			manifest + ": it is of another search: its order is 0 until 0x0, and that of this one 1 until 0x4" + other},
	} {
		dir := maps.Clone(whole)
		c.spoil(dir)
		before := maps.Clone(dir)
		_, err := Run(t.Context(), sys, saved(c.opts, dir))
		if err == nil || err.Error() != c.want {
			t.Errorf("it says\n%v, want\n%s", err, c.want)
		}
		if !maps.EqualFunc(dir, before, bytes.Equal) {
			t.Errorf("%v: and the folder was changed", err)
		}
	}
}

// TestEveryBitCounts: no byte of a checkpoint can be another.
func TestEveryBitCounts(t *testing.T) {
	sys := twoPhase{rms: 2}
	whole := checkpointtest.Memory{}
	stopAfter(t, sys, Options{}, whole, 2)
	for name, text := range whole {
		for i := 0; i < len(text); i += 1 + len(text)/300 {
			for _, spoil := range []func() []byte{
				func() []byte { b := slices.Clone(text); b[i] ^= 1 << (i % 8); return b },
				func() []byte { return text[:i] },
			} {
				dir := maps.Clone(whole)
				dir[name] = spoil()
				_, err := Run(t.Context(), sys, saved(Options{}, dir))
				var refused *checkpoint.Refusal
				if !errors.As(err, &refused) || !strings.HasPrefix(err.Error(), name+": ") {
					t.Fatalf("%s, byte %d: %v", name, i, err)
				}
			}
		}
	}
}

// named is a folder with one file of data, that its manifest names as it is.
func named(t testing.TB, data []byte, opts Options) checkpointtest.Memory {
	dir := checkpointtest.Memory{"dir/000001.data": data}
	s, err := newSaver(saved(opts, dir).Checkpoint, 1, &opts)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Folder.Put(manifestName, manifest{
		Search: s.search, Files: []checkpoint.Entry{{Name: "000001.data", Bytes: int64(len(data)), SHA256: fmt.Sprintf("%x", sha256.Sum256(data))}},
	}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// fuzzed is a system whose checkpoints are fuzzed, and one of them as one file.
func fuzzed(t testing.TB, order Order, dated bool) (System, checkpointtest.Memory) {
	sys := System(random{seed: 5, width: 1, nodes: 60, degree: 3, near: 20, slow: 3, rare: 9})
	if dated {
		sys = oneWord{clocked{sys, 4}}
	}
	dir := checkpointtest.Memory{}
	opts := saved(Options{Order: order, Workers: 1}, dir)
	opts.Checkpoint.Every = time.Hour
	opts.OnBucket = func(p Progress) bool { return p.States < 30 }
	mustRun(t, sys, opts)
	return sys, dir
}

// oneWord has the two words of a state in one.
type oneWord struct{ clocked }

func (oneWord) Words() int        { return 1 }
func (x oneWord) Worker() Worker  { return oneWordWorker{x.clocked.Worker()} }
func (x oneWord) Init(out *Batch) { inOne(out, x.clocked.Init) }
func inOne(out *Batch, of func(out *Batch)) {
	var two Batch
	of(&two)
	for i, n := range two.Notes {
		out.Add(n, two.States[2*i]|two.States[2*i+1]<<32)
	}
}

type oneWordWorker struct{ Worker }

func (w oneWordWorker) Next(s []uint64, out *Batch) {
	inOne(out, func(two *Batch) { w.Worker.Next([]uint64{s[0] & (1<<32 - 1), s[0] >> 32}, two) })
}

// FuzzCheckpointData: whatever a file of data has that a manifest vouches for, it is
// refused or taken up, and the process lives on.
func FuzzCheckpointData(f *testing.F) {
	for kind := range uint8(6) {
		_, dir := fuzzed(f, Order(kind%3), kind >= 3)
		f.Add(kind, dir["dir/000001.data"])
	}
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) {
		opts := Options{Order: Order(kind % 3), Workers: 1}
		sys, _ := fuzzed(t, opts.Order, kind%6 >= 3)
		left := 1000
		opts.OnBucket = func(Progress) bool { left--; return left > 0 }
		g, err := Run(t.Context(), sys, saved(opts, named(t, data, opts)))
		var refused *checkpoint.Refusal
		var panicked *PanicError
		if err != nil && !errors.As(err, &refused) && !errors.As(err, &panicked) && !strings.Contains(err.Error(), "does not tell its date") {
			t.Fatal(err)
		}
		if err == nil {
			for id, s := range g.All() {
				g.Path(id)
				g.Lookup(s)
			}
		}
	})
}

// FuzzCheckpointManifest: whatever a manifest says, with a checksum that is right.
func FuzzCheckpointManifest(f *testing.F) {
	sys, dir := fuzzed(f, SlowFirst, false)
	whole := dir["dir/manifest.json"]
	f.Add(whole[:bytes.LastIndex(whole, []byte("sha256 "))])
	f.Add([]byte(`{"schema":"dlcheck/checkpoint/v1","content":{"files":[{"name":"000001.data","bytes":-1}]}}`))
	f.Fuzz(func(t *testing.T, said []byte) {
		dir := maps.Clone(dir)
		dir["dir/manifest.json"] = fmt.Appendf(slices.Clone(said), "sha256 %x\n", sha256.Sum256(said))
		_, err := Run(t.Context(), sys, saved(Options{Order: SlowFirst, Workers: 1}, dir))
		var refused *checkpoint.Refusal
		if err != nil && !errors.As(err, &refused) {
			t.Fatal(err)
		}
	})
}

// fanned is a world whose slow steps lead to nothing that is known: its first byte
// is a clock.
type fanned struct{}

func (fanned) Words() int      { return 1 }
func (fanned) Worker() Worker  { return fanned{} }
func (fanned) Init(out *Batch) { out.Add(0, 0) }

func (fanned) Next(s []uint64, out *Batch) {
	clock, at := s[0]&0xff, s[0]>>8
	for i := range uint64(3) {
		out.Add(0, clock|(3*at+i)%5000<<8)
	}
	if clock < 40 {
		out.Add(Slow, s[0]+1)
	}
}

// TestFateIsSaved: what was counted to decide whether held-back candidates are
// looked up decides how much memory is reckoned later on.
func TestFateIsSaved(t *testing.T) {
	opts := saved(Options{Order: SlowFirst, Workers: 1, OnBucket: func(p Progress) bool { return p.P < 30 }}, checkpointtest.Memory{})
	x := newSearch(fanned{}, opts)
	if _, err := x.run(t.Context()); err != nil || x.ended != Stopped {
		t.Fatal(err, x.ended)
	}
	y := newSearch(fanned{}, opts)
	if y.start(); y.err != nil {
		t.Fatal(y.err)
	}
	if x.later != kept || x.passed == 0 {
		t.Fatalf("fate %v after %d times: this world should let all be kept", x.later, x.passed)
	}
	if y.later != x.later || y.passed != x.passed {
		t.Errorf("resumed with fate %v after %d times, saved with %v after %d", y.later, y.passed, x.later, x.passed)
	}
	asked := 0
	for i := range x.shards {
		if a, b := &x.shards[i], &y.shards[i]; a.asked != b.asked || a.kept != b.kept {
			t.Errorf("shard %d: resumed with %d of %d kept, saved with %d of %d", i, b.kept, b.asked, a.kept, a.asked)
		}
		asked += int(x.shards[i].asked)
	}
	if asked == 0 {
		t.Error("nothing was ever looked up")
	}
}
