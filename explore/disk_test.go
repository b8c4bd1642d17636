package explore_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"dlcheck/explore"
	"dlcheck/explore/disk"
)

// leastOnDisk is the least memory that a search does with: next to nothing stays
// in it.
func leastOnDisk(workers int, sys explore.System) int64 {
	return int64(64+32*workers+16*sys.Words()) << 10
}

func openFolder(t testing.TB) *disk.Folder {
	t.Helper()
	f, err := disk.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func runOnDisk(t testing.TB, f *disk.Folder, sys explore.System, opts explore.Options) *disk.Graph {
	t.Helper()
	g, err := disk.Run(context.Background(), sys, f, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		g.Close()
		if f.Used() != 0 {
			t.Errorf("%d bytes are left in files", f.Used())
		}
	})
	return g
}

// told is what both kinds of search say.
func told(g interface {
	States() uint64
	Expanded() uint64
	Transitions() uint64
	Ended() explore.Reason
	Buckets() []explore.Bucket
	Complete() (int, int, bool)
	Found(int) (explore.Finding, bool)
}) string {
	p, q, ok := g.Complete()
	s := fmt.Sprint(g.States(), g.Expanded(), g.Transitions(), g.Ended(), p, q, ok, g.Buckets())
	for i := range explore.MaxMarks {
		f, ok := g.Found(i)
		s += fmt.Sprint(" ", ok, f.P, f.Q, f.Final)
	}
	return s
}

// TestOnDiskAsInMemory compares searches on disk, with as little memory as they
// can do with and with plenty, with those in memory: counts, buckets, findings,
// and each state with its bucket.
func TestOnDiskAsInMemory(t *testing.T) {
	spilled := 0
	all := explore.Worlds()
	all["large"] = explore.Large()
	for name, sys := range all {
		for _, order := range []explore.Order{explore.StepsFirst, explore.SlowFirst, explore.FastFirst} {
			want, err := explore.Run(t.Context(), sys, explore.Options{Order: order})
			if err != nil {
				t.Fatal(err)
			}
			for workers := 1; workers <= 3; workers++ {
				for _, memory := range []int64{leastOnDisk(workers, sys), 64 << 20} {
					where := fmt.Sprintf("%s, order %d, %d workers, %d bytes", name, order, workers, memory)
					f := openFolder(t)
					g := runOnDisk(t, f, sys, explore.Options{Order: order, Workers: workers, MaxBytes: memory})
					if a, b := told(g), told(want); a != b {
						t.Fatalf("%s:\n%s, want\n%s", where, a, b)
					}
					sameStates(t, where, g, want)
					if f.Peak() > int64(g.States()) {
						spilled++
					}
					if memory == 64<<20 && f.Peak() > 0 {
						t.Errorf("%s: %d bytes on disk, and there was memory for all", where, f.Peak())
					}
				}
			}
		}
	}
	if spilled < 30 {
		t.Errorf("only in %d searches states went to disk", spilled)
	}
}

// sameStates compares states by bucket.
func sameStates(t *testing.T, where string, g *disk.Graph, want *explore.Graph) {
	t.Helper()
	bucketOf := map[explore.ID]int{}
	row, left := 0, uint64(0)
	buckets := want.Buckets()
	for id := range want.All() {
		if left == buckets[row].States {
			row, left = row+1, 0
		}
		left++
		bucketOf[id] = row
	}
	row, left = 0, 0
	var before []uint64
	for s, err := range g.All() {
		if err != nil {
			t.Fatal(err)
		}
		if left == buckets[row].States {
			row, left, before = row+1, 0, nil
		}
		left++
		if id, ok := want.Lookup(s); !ok || bucketOf[id] != row {
			t.Fatalf("%s: %v is in bucket %d", where, s, row)
		}
		if before != nil && slices.Compare(before, s) >= 0 {
			t.Fatalf("%s: %v comes after %v", where, s, before)
		}
		before = slices.Clone(s)
	}
}

// TestOnDiskStopped ends searches at every bucket that is the last with its P,
// and at some others.
func TestOnDiskStopped(t *testing.T) {
	all := explore.Worlds()
	for _, name := range []string{"words=2", "deep,slow=2", "chain", "commit"} {
		for _, order := range []explore.Order{explore.SlowFirst, explore.FastFirst} {
			for bound := range 12 {
				for _, stop := range []func(explore.Progress) bool{
					func(p explore.Progress) bool { return !p.Last || p.P < bound },
					func(p explore.Progress) bool { return p.States < uint64(bound*100) },
				} {
					opts := explore.Options{Order: order, Workers: 2, OnBucket: stop}
					want, err := explore.Run(t.Context(), all[name], opts)
					if err != nil {
						t.Fatal(err)
					}
					opts.MaxBytes = leastOnDisk(2, all[name])
					g := runOnDisk(t, openFolder(t), all[name], opts)
					if a, b := told(g), told(want); a != b {
						t.Fatalf("%s, order %d, bound %d:\n%s, want\n%s", name, order, bound, a, b)
					}
				}
			}
		}
	}
}

// TestOnDiskFound ends searches as soon as a mark is found.
func TestOnDiskFound(t *testing.T) {
	for name, sys := range explore.Worlds() {
		for _, order := range []explore.Order{explore.StepsFirst, explore.SlowFirst, explore.FastFirst} {
			whole, err := explore.Run(t.Context(), sys, explore.Options{Order: order})
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range []int{3, 40} {
				want, found := whole.Found(i)
				g := runOnDisk(t, openFolder(t), sys, explore.Options{Order: order, MaxBytes: leastOnDisk(2, sys), Workers: 2, Until: explore.Mark(i)})
				f, ok := g.Found(i)
				if ok != found || ok && (g.Ended() != explore.Found || !f.Final || f.P != want.P || f.Q != want.Q) {
					t.Fatalf("%s, order %d, mark %d: ended %v with %+v, want %+v", name, order, i, g.Ended(), f, want)
				}
				if !ok {
					continue
				}
				if g.Expanded() > whole.Expanded() {
					t.Errorf("%s, order %d, mark %d: %d states expanded of %d", name, order, i, g.Expanded(), whole.Expanded())
				}
				path, err := g.Trace(sys, i)
				if err != nil {
					t.Fatal(err)
				}
				checkPath(t, sys, order, path, i, want)
			}
		}
	}
}

// checkPath takes the steps of a path again and adds up what they cost.
func checkPath(t *testing.T, sys explore.System, order explore.Order, path [][]uint64, mark int, f explore.Finding) {
	t.Helper()
	var out explore.Batch
	sys.Init(&out)
	from := slices.Collect(slices.Chunk(out.States, sys.Words()))
	if !slices.ContainsFunc(from, func(s []uint64) bool { return slices.Equal(s, path[0]) }) {
		t.Fatalf("the path begins at %v", path[0])
	}
	// The costs that the path can have so far: there may be slow and other
	// transitions between the same states.
	type cost struct{ p, q int }
	costs := map[cost]bool{{}: true}
	for i := 1; i < len(path); i++ {
		out.Reset()
		sys.Worker().Next(path[i-1], &out)
		next := map[cost]bool{}
		for k, n := range out.Notes {
			if !slices.Equal(path[i], out.States[k*sys.Words():][:sys.Words()]) || i == len(path)-1 && n&explore.Mark(mark) == 0 {
				continue
			}
			slow, step := 0, 1
			if n&explore.Slow != 0 {
				slow = 1
			}
			for c := range costs {
				switch order {
				case explore.StepsFirst:
					next[cost{c.p + step, c.q + slow}] = true
				case explore.SlowFirst:
					next[cost{c.p + slow, c.q + step}] = true
				default:
					next[cost{c.p + 1 - slow, c.q + step}] = true
				}
			}
		}
		costs = next
	}
	if !costs[cost{f.P, f.Q}] {
		t.Fatalf("no path of cost (%d,%d) but of %v, to mark %d", f.P, f.Q, costs, mark)
	}
}

// walks lists the notes and states of a walk that takes at each state the first
// step that stays on a nearest path.
func walks(t *testing.T, sys explore.System, w *explore.Toward) string {
	t.Helper()
	var init, out explore.Batch
	sys.Init(&init)
	for s := range slices.Chunk(init.States, sys.Words()) {
		at, text := explore.At{}, fmt.Sprint(s)
		for stuck := false; !stuck; {
			out.Reset()
			sys.Worker().Next(s, &out)
			stuck = true
			for k, n := range out.Notes {
				to := out.States[k*sys.Words():][:sys.Words()]
				next, end, ok := w.Step(at, n, to)
				if !ok {
					continue
				}
				text += fmt.Sprint(" ", n, to)
				if end {
					return text
				}
				s, at, stuck = slices.Clone(to), next, false
				break
			}
		}
	}
	t.Fatal("no initial state is on a path")
	return ""
}

// TestOnDiskTellsTheSame walks toward findings, with a tie and without.
func TestOnDiskTellsTheSame(t *testing.T) {
	all, walked := explore.Worlds(), 0
	for _, name := range []string{"words=1", "words=3", "deep,slow=2", "chain", "commit"} {
		sys := explore.Tied(all[name])
		for _, order := range []explore.Order{explore.StepsFirst, explore.SlowFirst, explore.FastFirst} {
			want, err := explore.Run(t.Context(), sys, explore.Options{Order: order})
			if err != nil {
				t.Fatal(err)
			}
			for workers := 1; workers <= 3; workers++ {
				g := runOnDisk(t, openFolder(t), sys, explore.Options{Order: order, MaxBytes: leastOnDisk(workers, sys), Workers: workers})
				for _, mark := range []int{0, 1, 2, 3, explore.TieMark} {
					for _, tie := range []explore.Note{0, explore.Mark(explore.TieMark)} {
						a, err := g.Toward(t.Context(), sys, mark, tie)
						if err != nil {
							t.Fatal(err)
						}
						b := want.Toward(t.Context(), sys, mark, tie)
						if (a == nil) != (b == nil) {
							t.Fatalf("%s: one search has a path to mark %d, the other has none", name, mark)
						}
						if b == nil {
							continue
						}
						if f, _ := want.Found(mark); f.From == explore.None {
							continue
						}
						walked++
						if a, b := walks(t, sys, a), walks(t, sys, b); a != b {
							t.Fatalf("%s, order %d, mark %d, tie %d: on disk\n%s, in memory\n%s", name, order, mark, tie, a, b)
						}
					}
				}
			}
		}
	}
	if walked == 0 {
		t.Error("there was no path to walk")
	}
}
