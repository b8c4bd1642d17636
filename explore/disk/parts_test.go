package disk

import (
	"bytes"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// drawStates draws states of which some are alike.
func drawStates(r *rand.Rand, n, width int) []uint64 {
	var out []uint64
	masks := []uint64{3, 0xff00, 1 << 63, 0xffff_ffff, ^uint64(0), 0xf0f << 40}
	for range n {
		for range width {
			out = append(out, r.Uint64()&masks[r.IntN(len(masks))])
		}
	}
	return out
}

// textbook is sortStates for those who like it slow.
func textbook(states []uint64, width int) []uint64 {
	list := slices.Collect(slices.Chunk(slices.Clone(states), width))
	slices.SortFunc(list, slices.Compare)
	list = slices.CompactFunc(list, slices.Equal)
	return slices.Concat(list...)
}

func TestSort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		width, n := 1+r.IntN(5), r.IntN(3000)
		a := drawStates(r, n, width)
		want := textbook(a, width)
		s := &space{width: width, workers: 3, temps: make([][]uint64, 3)}
		var chunks [][]uint64
		for c := range slices.Chunk(slices.Clone(a), width*(1+r.IntN(700))) {
			chunks = append(chunks, c)
		}
		parts, err := s.sorted(chunks, len(a), nil)
		if got := slices.Concat(parts...); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%d states of %d words, in parts: %d, want %d, %v", n, width, len(got)/width, len(want)/width, err)
		}
		if got := sortStates(a, make([]uint64, len(a)), width); !slices.Equal(got, want) {
			t.Fatalf("%d states of %d words: %d, want %d", n, width, len(got)/width, len(want)/width)
		}
	}
}

func TestMergeAndWithout(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		width := 1 + r.IntN(3)
		a, b := textbook(drawStates(r, r.IntN(200), width), width), textbook(drawStates(r, r.IntN(200), width), width)
		all := textbook(slices.Concat(a, b), width)
		if got := merge(nil, a, b, width); !slices.Equal(got, all) {
			t.Fatalf("merged: %v, want %v", got, all)
		}
		var only []uint64
		for s := range slices.Chunk(a, width) {
			if !slices.ContainsFunc(slices.Collect(slices.Chunk(b, width)), func(o []uint64) bool { return slices.Equal(o, s) }) {
				only = append(only, s...)
			}
		}
		if got := without(slices.Clone(a), b, width); !slices.Equal(got, only) {
			t.Fatalf("without: %v, want %v", got, only)
		}
		var sources []source
		for range r.IntN(6) {
			sources = append(sources, &lists{[][]uint64{a[:len(a)/width/2*width], a[len(a)/width/2*width:]}}, &list{b})
		}
		m, err := newMerger(width, 1+r.IntN(50), sources)
		if err != nil {
			t.Fatal(err)
		}
		var got []uint64
		for {
			piece, err := m.next()
			if err != nil {
				t.Fatal(err)
			}
			if len(piece) == 0 {
				break
			}
			got = append(got, piece...)
		}
		if len(sources) == 0 {
			all = nil
		}
		if !slices.Equal(got, all) {
			t.Fatalf("%d sources merged: %v, want %v", len(sources), got, all)
		}
	}
}

// TestRun looks up what a run has and what it has not, with a filter and without.
func TestRun(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	folder, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for range 60 {
		width := 1 + r.IntN(4)
		s := &space{folder: folder, width: width, workers: 1, sizes: sharesOf(1<<20, 1, width)}
		all := textbook(drawStates(r, 1+r.IntN(5000), width), width)
		in, out := []uint64(nil), []uint64(nil)
		for s := range slices.Chunk(all, width) {
			if r.IntN(2) == 0 {
				in = append(in, s...)
			} else {
				out = append(out, s...)
			}
		}
		w, err := s.newRun(newFilter(uint64(len(in)/width), int64(r.IntN(2)*1<<20)))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.add(in); err != nil {
			t.Fatal(err)
		}
		r0, err := w.done()
		if err != nil {
			t.Fatal(err)
		}
		v := &visited{space: s, runs: []*run{r0}}
		var l lookup
		for range 2 {
			l.reset(v)
			got, err := v.subtract(slices.Clone(all), &l)
			if err != nil || !slices.Equal(got, out) {
				t.Fatalf("%d states are left, want %d, %v", len(got)/width, len(out)/width, err)
			}
		}
		r0.close()
	}
	if folder.Used() != 0 || folder.Peak() == 0 {
		t.Errorf("%d bytes used, %d at most", folder.Used(), folder.Peak())
	}
}

// TestFilter: it never misses a state, and few others get through.
func TestFilter(t *testing.T) {
	for _, c := range []struct {
		memory  int64
		percent int
	}{{1 << 30, 5}, {65000, 21}} {
		f := newFilter(100000, c.memory)
		through := 0
		for block := range 100 {
			var hashes []uint64
			for i := range uint64(1000) {
				hashes = append(hashes, hash([]uint64{uint64(block)<<20 | i}))
			}
			f.block(hashes)
			for i, h := range hashes {
				if !f.has(block, h) {
					t.Fatalf("state %d of block %d is missing", i, block)
				}
				if f.has(block, hash([]uint64{uint64(block)<<20 | uint64(i+1000)})) {
					through++
				}
			}
		}
		if through > c.percent*1000 || through == 0 {
			t.Errorf("of %d bits: %.1f %% get through, want at most %d %%", f.bits, float64(through)/1000, c.percent)
		}
		if f.bytes() > 2*min(c.memory, 125000) {
			t.Errorf("%d bytes", f.bytes())
		}
	}
	if f := newFilter(100000, 40000); f.bits != 0 {
		t.Errorf("a filter of %d bits", f.bits)
	}
}

// TestFilesHaveNoNames: there is nothing in the folder, not even while a file
// is written.
func TestFilesHaveNoNames(t *testing.T) {
	dir := t.TempDir() + "/made/for/it"
	folder, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	b, err := folder.newBlob()
	if err != nil {
		t.Fatal(err)
	}
	if err := b.append([]byte("states")); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 0 {
		t.Errorf("%v, %v", entries, err)
	}
	got := make([]byte, 6)
	if err := b.read(got, 0); err != nil || string(got) != "states" {
		t.Errorf("%q, %v", got, err)
	}
	if b.close(); folder.Used() != 0 || folder.Peak() != 6 {
		t.Errorf("%d bytes used, %d at most", folder.Used(), folder.Peak())
	}
	if _, err := Open("/dev/null/no"); err == nil {
		t.Error("a folder in a device")
	}
}

// packed is states as blocks of about so many bytes.
func packed(t testing.TB, states []uint64, width, size int) (blocks [][]byte) {
	p := newPacker(width, size, func(b []byte, _ []uint64, _ int) error {
		blocks = append(blocks, slices.Clone(b))
		return nil
	})
	if err := p.add(states); err != nil {
		t.Fatal(err)
	}
	if err := p.flush(); err != nil {
		t.Fatal(err)
	}
	return blocks
}

func TestBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	for range 300 {
		width := 1 + r.IntN(16)
		states := textbook(drawStates(r, r.IntN(500), width), width)
		var got []uint64
		for _, b := range packed(t, states, width, 1+r.IntN(2000)) {
			var err error
			if got, err = unpack(got, b, width); err != nil {
				t.Fatal(err)
			}
			// No byte can change, and none be missing.
			for range 5 {
				c := slices.Clone(b)
				c[r.IntN(len(c))] ^= 1 << r.IntN(8)
				if _, err := unpack(nil, c, width); err == nil {
					t.Fatal("a changed block passes")
				}
				if _, err := unpack(nil, b[:r.IntN(len(b))], width); err == nil {
					t.Fatal("a part of a block passes")
				}
			}
		}
		if !slices.Equal(got, states) {
			t.Fatalf("%d words, want %d", len(got), len(states))
		}
	}
}

// FuzzUnpack: whatever comes with a checksum that is right is either states that
// rise, and packs into what they were unpacked from, or damaged.
func FuzzUnpack(f *testing.F) {
	r := rand.New(rand.NewPCG(8, 9))
	for width := 1; width <= 4; width++ {
		for _, b := range packed(f, textbook(drawStates(r, 40, width), width), width, 200) {
			f.Add(b, width)
		}
	}
	f.Fuzz(func(t *testing.T, block []byte, width int) {
		width = 1 + (width&15+16)%16
		if len(block) >= blockHeader {
			block = slices.Clone(block)
			seal(block)
		}
		states, err := unpack(nil, block, width)
		if err != nil {
			return
		}
		for i := width; i < len(states); i += width {
			if compare(states[i-width:i], states[i:i+width]) >= 0 {
				t.Fatalf("%v does not rise", states)
			}
		}
		again := packed(t, states, width, 1<<30)
		if back, err := unpack(nil, again[0], width); err != nil || !slices.Equal(back, states) || len(again) != 1 {
			t.Fatalf("%v, and packed again %v, %v", states, back, err)
		}
		if len(again[0]) > len(block) {
			t.Fatalf("%x takes more than %x", again[0], bytes.Clone(block))
		}
	})
}
