package explore

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

// TestRelay lets roles play waves of all lengths, in which segments take any time, or
// fail. Each part must get the segments that are before the first that fails, all of
// them, once and in order; segments must be begun in ascending order by each role; and
// no role may use one again that some part has still to get.
func TestRelay(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{1, 2, 3, runtime.GOMAXPROCS(0) + 5} {
		t.Run(fmt.Sprint(workers, " workers"), func(t *testing.T) {
			crew := newCrew(workers)
			defer crew.dismiss()
			const width = 1
			relay := newRelay(width, workers, crew)
			var of [shards]shard
			pool := &pool{}
			for i := range of {
				of[i].init(width, pool)
			}
			slept, failed, most := 0, 0, 0
			var used sync.Map // segments
			for wave := range 300 {
				r := rand.New(rand.NewPCG(uint64(workers), uint64(wave)))
				slices, bad := 1+r.IntN(maxSegments), maxSegments
				if wave%3 == 0 {
					bad = r.IntN(slices)
				}
				var naps [maxSegments]time.Duration
				for i := range naps {
					if r.IntN(20) == 0 {
						naps[i] = time.Duration(r.IntN(2000)) * time.Microsecond
						slept++
					}
				}
				// A segment tells which it is by states that nobody has had.
				before := count(&of)
				var playing atomic.Int64
				relay.begin(&of, 7, slices)
				crew.share(len(relay.roles), func(worker, me int) {
					w, latest := newWorker(scattered{width, 1}), -1
					playing.Add(1)
					relay.play(me, &w, func(g *segment, slice int) {
						slice -= 7
						if slice <= latest || slice >= slices {
							t.Errorf("slice %d of %d is begun after slice %d", slice, slices, latest)
						}
						latest = slice
						g.begin(slice, [2]Note{}, false, kept)
						time.Sleep(naps[slice])
						w.reset()
						for i := range uint64(200) {
							w.out.Add(0, uint64(wave)<<32|uint64(slice)<<16|i)
						}
						w.from([]ID{ID(slice)}, []int{200})
						rule := ruleOf(StepsFirst)
						g.post(&of, &rule, &w)
						used.Store(g, true)
						g.expanded = uint64(slice)
						switch {
						case slice == bad && wave%2 == 0:
							g.err = errors.New("bad")
						case slice == bad:
							g.cancelled = true
						}
					})
				})
				if int(playing.Load()) != len(relay.roles) {
					t.Fatalf("wave %d: %d roles of %d were played", wave, playing.Load(), len(relay.roles))
				}
				good := min(slices, bad)
				results := relay.results()
				if good < slices {
					failed++
					if last := results[len(results)-1]; !last.failed() || (last.err != nil) == last.cancelled {
						t.Fatalf("wave %d: the outcome of slice %d is %+v, and it failed", wave, good, last)
					}
					results = results[:len(results)-1]
				}
				if len(results) != good {
					t.Fatalf("wave %d: %d results, want %d", wave, len(results), good)
				}
				for i, o := range results {
					if o.failed() || o.expanded != uint64(i) {
						t.Fatalf("wave %d: the outcome of slice %d is %+v", wave, i, o)
					}
				}
				got := 0
				for i := range of {
					s := &of[i]
					latest := ID(0)
					for k := before[i]; k < s.n; k++ {
						slice := ID(s.at(k)[0] >> 16 & 0xffff)
						if s.parent(k) != slice || slice < latest || int(slice) >= good || s.at(k)[0]>>32 != uint64(wave) {
							t.Fatalf("wave %d: shard %d got %#x of slice %d, which is said to be of %d, after %d; %d are good", wave, i, s.at(k), slice, s.parent(k), latest, good)
						}
						latest = slice
						got++
					}
				}
				for i := range relay.roles {
					for k := range relay.roles[i].segments {
						if n := relay.roles[i].segments[k].wanted.Load(); n != 0 && good == slices {
							t.Fatalf("wave %d: %d parts still want a segment of role %d", wave, n, i)
						}
					}
				}
				least := int64(0)
				used.Range(func(any, any) bool { least += 200 * int64(8*width+8+4); return true })
				if n := relay.bytes(); n < least {
					t.Fatalf("wave %d: %d bytes, want at least %d, as each segment that was used had 200 candidates", wave, n, least)
				}
				if got != 200*good {
					t.Fatalf("wave %d: %d states of %d slices, want 200 of each", wave, got, good)
				}
				most = max(most, good)
			}
			if slept < 100 || failed < 90 || most < maxSegments-4 {
				t.Errorf("%d naps, %d waves that failed, %d slices: nothing was shown", slept, failed, most)
			}
		})
	}
}

// TestStatesStayWhereTheyWereSeen: who looked at where states lie finds them there, though
// the arena and the table have grown since then.
func TestStatesStayWhereTheyWereSeen(t *testing.T) {
	for _, n := range []uint32{1, firstChunk - 1, firstChunk, firstChunk + 1, 100, chunkLen - 1, chunkLen, chunkLen + 1, 3 * chunkLen} {
		of := new([shards]shard)
		s := &of[3]
		s.init(2, &pool{})
		words := func(i uint32) [2]uint64 { return [2]uint64{uint64(i), 3 * uint64(i)} }
		fill := func(n uint32) {
			for s.n < n {
				w := words(s.n)
				h := hash(w[:])
				s.put(s.home(place(h)), unsafe.Pointer(&w), h, None)
			}
		}
		fill(n)
		var b bucket
		b.look(of)
		fill(n + 5*chunkLen)
		for i := range n {
			if got := *(*[2]uint64)(whereIn(b.chunks[3], 2, i)); got != words(i) {
				t.Errorf("state %d of %d is now %d", i, n, got)
			}
		}
	}
}

func count(of *[shards]shard) (n counts) {
	for i := range of {
		n[i] = of[i].n
	}
	return n
}
